"""The program lands parachutes: last steps in the air, bridges, water, checks, and Deployment."""

from __future__ import annotations

from builder.hexes.grid import Hex
from builder.rulesets.airdrop import actions as a
from builder.rulesets.airdrop.deploying import deployed_of, goes_downwind, must_deploy
from builder.rulesets.airdrop.effects import chosen, passes
from builder.rulesets.airdrop.facts import is_onboard, offboard_distance, step, terrain_hex
from builder.rulesets.airdrop.landing import check_level, lands_on_bridge, may_adjust
from builder.rulesets.airdrop.policy_fire import check
from builder.rulesets.airdrop.policy_plan import danger
from builder.rulesets.airdrop.policy_table import PlayTable
from builder.rulesets.airdrop.state import SMC, Chute, State

__all__ = ["adjust_all", "check_all", "land_all"]


def adjust_all(table: PlayTable) -> None:
    """Rule 9.4: move parachutes that may to the best of the hexes around them."""
    for chute in table.state.aerial():
        if chute.where is None or may_adjust(table.state, chute):
            continue
        ways = [chute.where, *(step(chute.where, d) for d in range(1, 7))]
        best = min(ways, key=lambda h: _dislike(table.state, h))
        if best != chute.where:
            table.try_to(a.Adjust(chute.id, best))


def _dislike(state: State, h: Hex) -> int:
    away = 0 if is_onboard(h) else 3 * offboard_distance(h)
    return danger(state, terrain_hex(h)) + away


def land_all(table: PlayTable) -> None:
    """Rule 9.4: land everything, on bridges by dr; who drowns is gone, weapons are flipped."""
    for chute in table.state.aerial():
        if chute.where is None:
            continue
        kind, place, dr = table.state.ground.bridge(terrain_hex(chute.where)), "GROUND", 0
        if kind in ("wide", "one_lane"):
            dr = table.one(a.Land, chute.id, kind)
            place = "BRIDGE" if lands_on_bridge(chute, kind, dr) else "IN"
        elif kind:
            place = "IN"
        table.try_to(a.Land(chute.id, place, dr))
        if table.state.is_drowned(table.state.chutes[chute.id]):
            table.eliminate(chute.id, "LAND")
        elif chute.is_weapon:
            table.try_to(a.Flip(chute.id))


def check_all(table: PlayTable) -> None:
    """Rule 9.42: take the landing check of every Stick."""
    for key, chute in table.state.chutes.items():
        if not chute.is_weapon and chute.status == "LANDED":
            _check(table, key)


def _check(table: PlayTable, key: str) -> None:
    """Take a Stick's landing check, again in every next hex inside a building."""
    plus = check_level(table.state.wind_force)
    while (chute := table.state.chutes[key]).status == "LANDED" and chute.where is not None:
        if table.state.is_drowned(chute):
            table.eliminate(key, "LAND")
            return
        if not table.state.takes_morale(chute):
            colored, white = table.pair(a.Tc, key)
            passed = passes(colored, white, plus)
            table.try_to(a.Tc(key, plus, colored, white, passed))
            if not passed and must_deploy(table.state, chute.letter):
                _deploy(table, chute)
            return
        check(table, key, plus, "LAND")
        if table.state.chutes[key].status != "LANDED" or not table.state.is_inside(chute):
            return
        if not table.try_to(a.Chain(key, step(chute.where, table.state.wind_dir))):
            return


def _deploy(table: PlayTable, chute: Chute) -> None:
    """Let a Stick Deploy, and one of its Half-Squads and perhaps its SMC go downwind."""
    if chute.where is None or not table.try_to(
        a.Deploy(chute.id, _parts(table.state, chute.letter), chute.where)
    ):
        return
    going = goes_downwind(table.state, chute.letter)
    if not going:
        return
    leaders = [
        u.id
        for u in table.state.units.values()
        if u.stick == chute.letter and u.deployed and u.kind in SMC
    ]
    sent = [going[-1]]
    if leaders:
        mmc = [u.id for u in deployed_of(table.state, chute.letter)]
        table.select("DEPLOY", [*mmc, *leaders])
        picked = chosen(table.state, "DEPLOY", chute.letter)
        sent += [name for name in leaders if name in picked]
    to = step(chute.where, table.state.wind_dir)
    for name in sent:
        table.try_to(a.Displace(name, to))
        if table.state.ground.kills(terrain_hex(to), after_landing=True):
            table.eliminate(name, "LAND")


def _parts(state: State, letter: str) -> tuple[str, ...]:
    """Return what comes out of a box that Deploys: Half-Squads in place of its squad."""
    found: list[str] = []
    for unit in state.units_of(letter):
        halves = [u.id for u in state.units.values() if u.half_of == unit.id]
        found += halves if unit.kind == "squad" else [unit.id]
    return tuple(found)

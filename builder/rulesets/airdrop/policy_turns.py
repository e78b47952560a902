"""The program's player turns after a drop: rallies, weapons, walks onto the boards, canisters."""

from __future__ import annotations

from collections.abc import Iterable

from builder.hexes.grid import Hex
from builder.hexes.measure import distance
from builder.rulesets.airdrop import actions as a
from builder.rulesets.airdrop.arming import canister_drm, finds_arms, may_try
from builder.rulesets.airdrop.facts import is_onboard, offboard_distance, step
from builder.rulesets.airdrop.offboard import landed_offboard
from builder.rulesets.airdrop.policy_ground import fight_close
from builder.rulesets.airdrop.policy_table import PlayTable, good_order
from builder.rulesets.airdrop.state import PHASES, Chute, Unit

__all__ = ["play_turn"]

_STEPS = 3
"""How many hexes the program walks a unit in a MPh."""

_BROKEN_MORALE = 8
_DESPERATION = 4
"""Figures of another chapter for rallies: a usual Morale Level, and what a DM counter adds."""


def play_turn(table: PlayTable, turn: int, side: str) -> None:
    """Play a player turn after the drop, phase by phase."""
    acts = {"RPh": _rally, "DRIFT": _march, "CHECKS": _look, "APh": _enter, "CCPh": fight_close}
    for phase in PHASES[1:]:
        table.phase(phase, turn, side)
        if phase in acts:
            acts[phase](table)


def _rally(table: PlayTable) -> None:
    """Rally broken units, take their DM off, and recover weapons."""
    state = table.state
    leaders = {u.where for u in table.men(state.side) if u.kind == "leader" and good_order(u)}
    alone = True  # one unit may rally without a leader
    for unit in table.men(state.side):
        if not unit.broken or not (unit.where in leaders or alone):
            continue
        alone = alone and unit.where in leaders
        worse = _DESPERATION if ("DM", unit.id) in state.markers else 0
        if table.die() + table.die() + worse <= _BROKEN_MORALE:
            table.try_to(a.Rally(unit.id))
    for unit in table.men(state.side):
        if ("DM", unit.id) in table.state.markers:
            table.try_to(a.Mark("DM", unit.id, on=False))
    _recover(table)


def _recover(table: PlayTable) -> None:
    """Rules 9.11, 9.41: take up landed weapons where somebody stands who may; a 6 fails."""
    state = table.state
    if state.side != state.dropped_side:
        return
    for key, chute in state.chutes.items():
        if not chute.is_weapon or chute.status != "LANDED":
            continue
        hung = [u for u in state.in_box(chute.letter) if state.is_separate(u)]
        for unit in table.men(state.side):
            able = good_order(unit) and unit.where == chute.where
            if able and hung and (not chute.offboard or landed_offboard(state, unit)):
                if table.die() < 6:
                    table.try_to(a.Recover(unit.id, key, hung[0].id, hung[0].can_dm))
                break


def _march(table: PlayTable) -> None:
    """Move everybody who may: onto the boards, to weapons and canisters, toward the enemy."""
    side = table.state.side
    for unit in table.men(side):
        if not good_order(unit) or unit.where is None:
            continue
        if ("CX", unit.id) in table.state.markers:
            table.try_to(a.Mark("CX", unit.id, on=False))
        if unit.offboard:
            _approach(table, unit)
        elif not table.state.enemies_in(unit.where):
            _walk(table, unit)
    _recover(table)


def _approach(table: PlayTable, unit: Unit) -> None:
    """Rule 9.41: go a hex nearer to the boards, or enter them."""
    assert unit.where is not None
    ways = [h for d in range(1, 7) if _is_free(table, h := step(unit.where, d))]
    near = offboard_distance(unit.where)
    ways = [h for h in ways if offboard_distance(h) < near]
    if ways:
        table.try_to(a.Move(unit.id, min(ways, key=lambda h: (offboard_distance(h), h))))


def _is_free(table: PlayTable, h: Hex) -> bool:
    """Tell whether a hex can be walked into: neither deadly nor the enemy's."""
    return not table.state.enemies_in(h) and not (
        is_onboard(h) and table.state.ground.kills(h, after_landing=True)
    )


def _walk(table: PlayTable, unit: Unit) -> None:
    """Walk toward a weapon, or the enemy until he is near; who has no arms, about in search."""
    at = unit.where
    assert at is not None
    other = "Defender" if unit.side == "Attacker" else "Attacker"
    goals = [c.where for c in _weapons(table) if c.where is not None]
    if not goals:
        goals = [u.where for u in table.men(other) if u.where is not None]
    near = min(((distance(at, h), h) for h in goals), default=None)
    goal = near[1] if near is not None else None
    count = table.thrower.die(_STEPS)
    if unit.partially_armed and count == _STEPS:
        table.try_to(a.Mark("CX", unit.id))
    for _ in range(count):
        ways = [h for d in range(1, 7) if is_onboard(h := step(at, d)) and _is_free(table, h)]
        if goal is not None and not unit.partially_armed:
            ways = [h for h in ways if distance(h, goal) < distance(at, goal)]
        if not ways:
            return
        at = table.thrower.draw(ways)
        table.try_to(a.Move(unit.id, at))


def _weapons(table: PlayTable) -> Iterable[Chute]:
    """Return the weapons that lie on the boards for the side whose turn it is."""
    state = table.state
    if state.side != state.dropped_side:
        return ()
    return [
        c for c in state.chutes.values() if c.is_weapon and c.status == "LANDED" and not c.offboard
    ]


def _look(table: PlayTable) -> None:
    """Rule 9.7: units that are partially armed and have moved look for arms canisters."""
    for unit in table.men(table.state.side):
        if may_try(table.state, unit):
            continue
        drm, dr = canister_drm(table.state, unit.id), table.one(a.Canister, unit.id)
        table.try_to(a.Canister(unit.id, dr, drm, finds_arms(dr, drm)))


def _enter(table: PlayTable) -> None:
    """Rule 9.41: units that stand outside next to the edge advance onto the boards."""
    for unit in table.men(table.state.side):
        if not unit.offboard or not good_order(unit) or unit.where is None:
            continue
        ways = (step(unit.where, d) for d in range(1, 7))
        onto = [h for h in ways if is_onboard(h) and _is_free(table, h)]
        if onto:
            table.try_to(a.Advance(unit.id, min(onto)))

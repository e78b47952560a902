"""Rules 9.4 and 9.42: where parachutes land, and the checks of their landing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.rules.core import Breach, Ruling
from builder.rulesets.airdrop.actions import Chain, Deploy, Land, Mc, Peek, Phase, Tc
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.facts import is_onboard, label, step
from builder.rulesets.airdrop.state import State, halves_of

__all__ = ["bridge_holds", "check_level"]

_LEVELS: Final = {"NONE": 0, "MILD": 1, "GUST": 2, "HEAVY": 2}


@book.states("E9.42i")
def check_level(force: str) -> int:
    """Rule 9.42: what the wind adds to a landing check."""
    return _LEVELS.get(force, 0)


@book.states("E9.4c")
def bridge_holds(kind: str, dr: int, *, broken: bool) -> bool:
    """Rule 9.4: tell whether a dr lands a parachute on a bridge.

    >>> [d for d in range(1, 7) if bridge_holds("wide", d, broken=False)]
    [1, 2, 3]
    >>> [d for d in range(1, 7) if bridge_holds("one_lane", d, broken=True)]
    [1]
    """
    most = {"wide": 2, "one_lane": 1}.get(kind, 0)
    return bool(most) and dr - (not broken) <= most


@book.rule("E9.4b", "E9.4c", on=Land)
def landing_place(state: State, action: Land) -> Iterator[Breach]:
    """Rule 9.4: at Base Level; on a bridge by dr, else in its hex; never on a foot bridge."""
    chute = state.chutes.get(action.chute)
    if chute is None or chute.where is None:
        return
    if action.place == "UPPER":
        text = f"{action.chute} lands at Base Level of {label(chute.where)}"
        yield Breach("E9.4b", text, pieces=(action.chute,))
        return
    kind = state.ground.bridge(chute.where)
    on = kind in ("wide", "one_lane") and bridge_holds(kind, action.dr, broken=chute.broken)
    if kind in ("wide", "one_lane") and not action.dr:
        text = f"{action.chute} lands in the bridge hex {label(chute.where)}: a dr is due"
        yield Breach("E9.4c", text, pieces=(action.chute,))
    elif (action.place == "BRIDGE") != on:
        place = "on the bridge" if on else "in the hex"
        text = f"bridge dr {action.dr}: {action.chute} lands {place}"
        yield Breach("E9.4c", text, pieces=(action.chute,), legal=("BRIDGE" if on else "IN",))


@book.rule("E9.4d", "E9.4e", "E9.42a", "E9.42c", on=Phase)
def landings_done(state: State, action: Phase) -> Iterator[Breach]:
    """Rules 9.4, 9.42: what drowned is gone, weapons are flipped, and everybody has checked."""
    if state.phase not in ("LAND", "CHECKS") or action.phase == state.phase:
        return
    for chute in state.chutes.values():
        if chute.status != "LANDED" or chute.where is None or not is_onboard(chute.where):
            continue
        place, one = label(chute.where), (chute.id,)
        if state.is_drowned(chute):
            ground = state.ground.base(chute.where)
            yield Breach(
                "E9.4d", f"{chute.id} lands in {ground} in {place}: eliminated", pieces=one
            )
        elif chute.is_weapon and not chute.flipped:
            yield Breach("E9.4e", f"flip the weapon's parachute {chute.id} in {place}", pieces=one)
        elif not chute.is_weapon and state.phase == "CHECKS" and not chute.checks:
            row, word = ("E9.42a", "MC") if state.takes_morale(chute) else ("E9.42c", "TC")
            yield Breach(row, f"{chute.id} has made no landing {word} in {place}", pieces=one)


@book.rule("E9.42a", "E9.42c", "E9.33a", "E9.42g", "E9.42i", on=(Mc, Tc))
def landing_check(state: State, action: Mc | Tc) -> Iterator[Breach]:
    """Rules 9.42, 9.33: MC or TC by the ground, at the wind's level, once for a whole Stick."""
    chute = state.chutes.get(action.chute)
    if chute is None or chute.where is None or chute.is_weapon or chute.status == "AERIAL":
        return
    if isinstance(action, Mc) and action.cause != "LAND":
        return
    one, place = (action.chute,), label(chute.where)
    if chute.status == "DEPLOYED":
        text = f"{action.chute} has Deployed: no further landing check"
        yield Breach("E9.42g", text, Ruling.WARNING, one)
        return
    if chute.checks:
        text = f"Stick {chute.letter} has made its check in {place}: one DR for all of it"
        yield Breach("E9.33a", text, pieces=one)
        return
    hard = state.takes_morale(chute)
    if hard != isinstance(action, Mc):
        row, word = ("E9.42a", "MC") if hard else ("E9.42c", "TC")
        base = state.ground.base(chute.where)
        yield Breach(row, f"{base} in {place}: {action.chute} takes a landing {word}", pieces=one)
    due = check_level(state.wind_force)
    if action.plus != due:
        text = f"the wind makes the check of {action.chute} +{due}, not +{action.plus}"
        yield Breach("E9.42i", text, pieces=one, legal=(f"+{due}",))


@book.rule("E9.42b", on=Chain)
def building_chain(state: State, action: Chain) -> Iterator[Breach]:
    """Rule 9.42: from an interior building hex a Stick goes on one hex downwind, after its MC."""
    chute = state.chutes.get(action.chute)
    if chute is None or chute.where is None:
        return
    one, here = (action.chute,), label(chute.where)
    to = step(chute.where, state.wind_dir)
    if not state.ground.is_interior(chute.where) or chute.landed_at == "BRIDGE":
        text = f"{action.chute} stays in {here}: no interior building hex"
        yield Breach("E9.42b", text, pieces=one)
    elif action.to != to or not chute.checks:
        text = f"{action.chute} moves downwind from {here} to {label(to)} after its MC"
        yield Breach("E9.42b", text, pieces=one, legal=(label(to),))


@book.rule("E9.42d", on=Phase)
def deployed_when_failed(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 9.42: a Stick that has failed its landing TC Deploys at once."""
    if state.phase != "CHECKS" or action.phase == "CHECKS":
        return
    for chute in state.chutes.values():
        parts = halves_of(state.units_of(chute.letter))
        if chute.failed == "TC" and chute.status == "LANDED" and parts > 1:
            text = f"Stick {chute.letter} failed its TC and Deploys"
            yield Breach("E9.42d", text, pieces=(chute.id,))


@book.rule("E9.42d", "E9.42e", "E9.42f", on=Deploy)
def deployment(state: State, action: Deploy) -> Iterator[Breach]:
    """Rule 9.42: after a failed TC one Half-Squad goes downwind; leader and crew are shown."""
    chute = state.chutes.get(action.chute)
    if chute is None or chute.where is None:
        return
    one = (action.chute,)
    if chute.failed != "TC":
        text = f"{action.chute} has failed no landing TC and does not Deploy"
        yield Breach("E9.42d", text, pieces=one)
    shown = {*action.revealed, *action.moved}
    for unit in state.units_of(chute.letter):
        if unit.kind in ("leader", "hero", "crew") and unit.id not in shown:
            text = f"{unit.id} of Stick {chute.letter} is revealed when it Deploys"
            yield Breach("E9.42e", text, pieces=(unit.id,))
    to = step(chute.where, state.wind_dir)
    if action.to is not None and action.to != to:
        text = f"one HS of Stick {chute.letter} moves downwind to {label(to)}"
        yield Breach("E9.42f", text, pieces=one, hexes=(action.to,), legal=(label(to),))


@book.rule("E9.42h", on=Phase)
def drowned_after(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 9.42: a Half-Squad that Deploys into a Blaze or deep water is eliminated."""
    if state.phase != "CHECKS" or action.phase == "CHECKS":
        return
    for unit in state.units.values():
        if unit.where is None or unit.kind != "hs" or unit.eliminated or unit.side != state.side:
            continue
        if state.ground.kills(unit.where, after_landing=True):
            text = f"{unit.id} is placed in {state.ground.base(unit.where)}: eliminated"
            yield Breach("E9.42h", text, pieces=(unit.id,))


@book.rule("E9.4f", on=Peek)
def no_look(state: State, action: Peek) -> Iterator[Breach]:
    """Rule 9.4: nobody looks at a landed weapon before it is recovered."""
    chute = state.chutes.get(action.chute)
    if chute is not None and chute.is_weapon and chute.status == "LANDED":
        text = f"{action.chute} may not be inspected before it is recovered"
        yield Breach("E9.4f", text, Ruling.WARNING, (action.chute,))

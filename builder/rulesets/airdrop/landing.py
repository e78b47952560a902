"""Rules 9.4 and 9.42: where parachutes land, and the checks of their landing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.hexes.grid import Hex
from builder.rules.core import Breach, Ruling
from builder.rulesets.airdrop.actions import Adjust, Chain, Land, Mc, Peek, Phase, Tc
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.facts import label, rests_on_terrain, step, terrain_hex
from builder.rulesets.airdrop.state import Chute, State

__all__ = ["bridge_holds", "check_level", "deadly", "lands_on_bridge", "may_adjust"]

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


@book.states("E9.4c")
def lands_on_bridge(chute: Chute, kind: str, dr: int) -> bool:
    """Rule 9.4: tell whether a dr lands a parachute on a bridge; a weapon is no unbroken unit."""
    return bridge_holds(kind, dr, broken=chute.broken or chute.is_weapon)


@book.states("E9.4a")
def may_adjust(state: State, chute: Chute) -> str:
    """Rule 9.4: return why a parachute may not move one hex before it lands, or nothing."""
    if chute.is_weapon:
        return "it carries a weapon"
    if chute.broken:
        return "it is broken"
    if state.nationality == "GERMAN":
        return "it is German"
    if state.phase != "ADJUST" or chute.status != "AERIAL":
        return "it moves after the fire and before it lands"
    return "it has moved its one hex" if chute.adjusted else ""


@book.rule("E9.4a", on=Adjust)
def adjustment(state: State, action: Adjust) -> Iterator[Breach]:
    """Rule 9.4: an unbroken parachute with Personnel, not German, may move one hex."""
    chute = state.chutes.get(action.chute)
    if chute is None or chute.where is None:
        return
    why = may_adjust(state, chute)
    if not why and action.to not in {step(chute.where, d) for d in range(1, 7)}:
        why = f"{label(action.to)} is not next to {label(chute.where)}"
    if why:
        text = f"{action.chute} may not adjust its landing: {why}"
        yield Breach("E9.4a", text, pieces=(action.chute,), hexes=(action.to,))


@book.rule("E9.4b", "E9.4c", on=Land)
def landing_place(state: State, action: Land) -> Iterator[Breach]:
    """Rule 9.4: at Base Level; on a bridge by dr, else in its hex; never on a foot bridge."""
    chute = state.chutes.get(action.chute)
    if chute is None or chute.where is None:
        return
    one, rests = (action.chute,), rests_on_terrain(chute.where)
    if action.place == "UPPER":
        text = f"{action.chute} lands at Base Level of {label(chute.where)}"
        yield Breach("E9.4b", text, pieces=one)
        return
    kind = state.ground.bridge(terrain_hex(chute.where))
    rolled = kind in ("wide", "one_lane")
    on = rolled and lands_on_bridge(chute, kind, action.dr)
    if rolled and not action.dr:
        text = f"{action.chute} lands in the bridge hex {label(chute.where)}: a dr is due"
        yield Breach("E9.4c", text, pieces=one, rests_on=rests)
    elif (action.place == "BRIDGE") != on:
        legal = "BRIDGE" if on else "IN" if kind else "GROUND"
        place, dr = "on the bridge" if on else "in the hex", f"bridge dr {action.dr}"
        why = dr if rolled else "foot bridge" if kind else "no bridge"
        text = f"{why}: {action.chute} lands {place}"
        yield Breach("E9.4c", text, pieces=one, rests_on=rests, legal=(legal,))


@book.rule("E9.4b", "E9.4d", "E9.4e", on=Phase)
def landings_done(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 9.4: everything has landed, what drowned is gone, and weapons are flipped."""
    first, last = state.ends(action, "LAND"), state.ends(action, "CHECKS")
    if not first and not last:
        return
    for chute in state.chutes.values():
        if chute.where is None:
            continue
        place, one = label(chute.where), (chute.id,)
        if chute.status == "AERIAL" and first:
            text = f"{chute.id} has not landed at Base Level of {place}"
            yield Breach("E9.4b", text, pieces=one)
        elif chute.status != "LANDED":
            continue
        elif state.is_drowned(chute) and (first or chute.chained):
            text = f"{chute.id} lands in {deadly(state, chute.where)} in {place}: eliminated"
            rests = rests_on_terrain(chute.where)
            yield Breach("E9.4d", text, pieces=one, rests_on=rests)
        elif chute.is_weapon and not chute.flipped and first:
            yield Breach("E9.4e", f"flip the weapon's parachute {chute.id} in {place}", pieces=one)


def deadly(state: State, h: Hex) -> str:
    """Return what it is in a place that eliminates, in words."""
    at = terrain_hex(h)
    blaze = state.ground.has(at, "blaze")
    return "a Blaze" if blaze else state.ground.base(at).replace("_", " ")


@book.rule("E9.42a", "E9.42b", "E9.42c", on=Phase)
def checks_done(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 9.42: every Stick has checked, and none is left inside a building."""
    if not state.ends(action, "CHECKS"):
        return
    for chute in state.chutes.values():
        if chute.status != "LANDED" or chute.is_weapon or chute.where is None:
            continue
        # rule 9.41 misses the result of who landed off the boards
        if state.is_drowned(chute) or (chute.offboard and not chute.checks):
            continue
        place, one, rests = label(chute.where), (chute.id,), rests_on_terrain(chute.where)
        if not chute.checks:
            row, word = ("E9.42a", "MC") if state.takes_morale(chute) else ("E9.42c", "TC")
            text = f"{chute.id} has made no landing {word} in {place}"
            yield Breach(row, text, pieces=one)
        elif state.is_inside(chute):
            to = label(step(chute.where, state.wind_dir))
            text = f"{chute.id} moves downwind from inside the building in {place} to {to}"
            yield Breach("E9.42b", text, pieces=one, rests_on=rests, legal=(to,))


@book.rule("E9.42a", "E9.42c", "E9.33a", "E9.42i", on=(Mc, Tc))
def landing_check(state: State, action: Mc | Tc) -> Iterator[Breach]:
    """Rules 9.42, 9.33: MC or TC by the ground, at the wind's level, once for a whole Stick."""
    chute = state.chutes.get(action.chute)
    if chute is None or chute.where is None or chute.is_weapon or chute.status != "LANDED":
        return
    if isinstance(action, Mc) and action.cause != "LAND":
        return
    one, place, rests = (action.chute,), label(chute.where), rests_on_terrain(chute.where)
    if chute.checks:
        text = f"Stick {chute.letter} has made its check in {place}: one DR for all of it"
        yield Breach("E9.33a", text, pieces=one)
        return
    hard = state.takes_morale(chute)
    if hard != isinstance(action, Mc):
        row, word = ("E9.42a", "MC") if hard else ("E9.42c", "TC")
        base = state.ground.base(terrain_hex(chute.where)).replace("_", " ")
        ground = "a bridge" if chute.landed_at == "BRIDGE" else base
        text = f"{ground} in {place}: {action.chute} takes a landing {word}"
        yield Breach(row, text, pieces=one, rests_on=rests)
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
    one, here, rests = (action.chute,), label(chute.where), rests_on_terrain(chute.where)
    to = step(chute.where, state.wind_dir)
    if chute.is_weapon or not state.is_inside(chute):
        text = f"{action.chute} stays in {here}: no interior building hex"
        yield Breach("E9.42b", text, pieces=one, rests_on=rests)
    elif action.to != to or not chute.checks:
        text = f"{action.chute} moves downwind from {here} to {label(to)} after its MC"
        yield Breach("E9.42b", text, pieces=one, rests_on=rests, legal=(label(to),))


@book.rule("E9.4f", on=Peek)
def no_look(state: State, action: Peek) -> Iterator[Breach]:
    """Rule 9.4: nobody looks at a landed weapon before it is recovered."""
    chute = state.chutes.get(action.chute)
    if chute is not None and chute.is_weapon and chute.status == "LANDED":
        text = f"{action.chute} may not be inspected before it is recovered"
        yield Breach("E9.4f", text, Ruling.WARNING, (action.chute,))

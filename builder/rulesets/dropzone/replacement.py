"""Rule 4.1: replacement points: how many, when, for whom, and where units return."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from builder.hexes.grid import Hex
from builder.rules.core import Breach
from builder.rulesets.dropzone.actions import Gain, Return
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, Facts, UnitFacts
from builder.rulesets.dropzone.state import State
from builder.rulesets.dropzone.surround import is_surrounded

__all__ = ["is_eliminated", "place_is_free", "points_left", "return_hexes", "with_lapsed"]

_HQ_OF: Final[Mapping[str, str]] = {"LZ O": "HQ TF/2", "DZ A": "HQ 517", "DZ C": "HQ 509"}
"""Rule 4.1.4: the headquarters that goes with each zone; 463 is with the 509 (C-6, C-7)."""

_ROW_OF: Final[Mapping[str, str]] = {
    "LZ O": "DZ-4.1.4d",
    "DZ A": "DZ-4.1.4e",
    "DZ C": "DZ-4.1.4f",
}


# ------------------------------------------------------------------------------------- the points


def points_left(state: State) -> int:
    """Return how many points from the track the active Allied Command has left, 0 or more."""
    figures = state.facts.turns.get(state.turn)
    if figures is None or state.side != ALLIED:
        return 0
    return max(0, figures.rp.value - state.rp_used - state.regroup_used)


def with_lapsed(state: State) -> State:
    """Return the state with the active Command noted if it leaves points unspent (rule 4.1.6)."""
    if state.side == ALLIED:
        left = points_left(state)
    else:
        left = state.regroup - state.regroup_used - state.rp_used
    return state.but(lapsed=state.lapsed | {state.command}) if state.command and left > 0 else state


@book.rule("DZ-4.1a", "DZ-1.2m", "DZ-3.3a", "DZ-4.1c", "DZ-4.1.6", on=(Gain, Return))
def points_of_track(state: State, action: Gain | Return) -> Iterator[Breach]:
    """Rule 4.1: an Allied Command spends the track's points in its reinforcement step, or never.

    What a Command leaves is lost with its activation and goes to no other (C-32).
    """
    facts, key = state.facts, action.unit
    unit = facts.units.get(key)
    if unit is None or unit.side != ALLIED:
        return
    if state.step != "RP" or state.side == GERMAN:
        where = f"{state.command} is active" if state.step == "RP" else f"the step is {state.step}"
        yield Breach(
            "DZ-4.1c",
            f"no replacement point for {unit.title}: they are spent in the Command’s own "
            f"reinforcement step, and {where}",
            pieces=(key,),
            hexes=_hexes(state, key),
            legal=(f"in the RP step of {unit.command}",),
        )
        return
    figures = facts.turns.get(state.turn)
    used = state.rp_used + state.regroup_used
    if figures is None or used < figures.rp.value:
        return
    rp = figures.rp
    has_lapsed = unit.command in state.lapsed
    yield Breach(
        "DZ-4.1.6" if has_lapsed else "DZ-4.1a",
        f"no replacement point left for {unit.title}: the track gives {rp.value} in turn "
        f"{state.turn}, and {used} {'is' if used == 1 else 'are'} spent"
        + ("; points of earlier turns are lost" if has_lapsed else ""),
        pieces=(key,),
        hexes=_hexes(state, key),
        rests_on=(rp.name,) if rp.is_ours else (),
    )


@book.rule("DZ-4.1b", "DZ-1.2n", on=Gain)
def one_step(state: State, action: Gain) -> Iterator[Breach]:
    """Rule 4.1: a point is one step."""
    if action.unit not in state.units or action.by_steps == 1:
        return
    yield Breach(
        "DZ-4.1b",
        f"{state.facts.title(action.unit)} gained {action.by_steps} steps for one point; "
        "a point is one step",
        pieces=(action.unit,),
        hexes=_hexes(state, action.unit),
        legal=("1 step",),
    )


@book.rule("DZ-4.1.1", on=(Gain, Return))
def one_point_a_unit(state: State, action: Gain | Return) -> Iterator[Breach]:
    """Rule 4.1.1: no unit receives a second point in a turn, be it for a step or its return."""
    if action.unit in state.units and action.unit in state.gained:
        yield Breach(
            "DZ-4.1.1",
            f"{state.facts.title(action.unit)} has received a point in turn {state.turn} already",
            pieces=(action.unit,),
            hexes=_hexes(state, action.unit),
        )


# ------------------------------------------------------------------------------------ the receiver


def is_eliminated(state: State, key: str) -> bool:
    """Tell whether a unit has lost all its steps, or lies in its side's box of the eliminated."""
    unit = state.units[key]
    return unit.steps <= 0 or unit.place == state.elimination_box(state.facts.units[key].side)


def _not_eligible(state: State, unit: UnitFacts) -> str:
    """Return why a unit never receives a point now, in words (rule 4.1.3)."""
    if unit.is_armor:
        return "it is armor"
    if unit.is_ffi:
        return "it is FFI"
    if state.side == unit.side and unit.command != state.command:
        return f"it belongs to {unit.command}, and {state.command} is active"
    return ""


@book.rule("DZ-4.1.3", on=Gain)
def eligible(state: State, action: Gain) -> Iterator[Breach]:
    """Rule 4.1.3: infantry of the active Command, no armor, no FFI, no garrison (C-12).

    German armor is named by the rule of the Regroup, and judged there.
    """
    key, facts = action.unit, state.facts
    unit = facts.units.get(key)
    if unit is None:
        why = "it is a garrison" if key in facts.garrisons else ""
    elif is_eliminated(state, key) or (unit.is_armor and unit.side == GERMAN):
        why = ""
    else:
        why = _not_eligible(state, unit)
    if why:
        yield Breach(
            "DZ-4.1.3",
            f"no replacement point for {'' if unit else 'the '}{facts.title(key)}: {why}",
            pieces=(key,),
            hexes=_hexes(state, key),
        )


@book.rule("DZ-4.1.2a", on=Gain)
def in_play(state: State, action: Gain) -> Iterator[Breach]:
    """Rule 4.1.2: who gains a step stands on the map; an enemy beside it does not matter (C-13)."""
    unit = state.facts.units.get(action.unit)
    if unit is None or state.units[unit.id].is_on_map:
        return
    if unit.side == GERMAN and is_eliminated(state, unit.id):
        return  # Germans never return: a row of its own
    place = state.units[unit.id].place
    where = "eliminated" if is_eliminated(state, unit.id) else f"at {state.facts.label(place)}"
    yield Breach(
        "DZ-4.1.2a",
        f"no replacement point for {unit.title}: it is {where}, not on the map",
        pieces=(unit.id,),
    )


@book.rule("DZ-4.1.2b", on=Gain)
def not_surrounded(state: State, action: Gain) -> Iterator[Breach]:
    """Rule 4.1.2: a surrounded unit gains nothing."""
    unit = state.facts.units.get(action.unit)
    at = state.hex_of(action.unit) if unit is not None else None
    if unit is None or at is None or not is_surrounded(state, at, unit.side):
        return
    around = len(state.facts.ground.neighbors_of[at])
    yield Breach(
        "DZ-4.1.2b",
        f"no replacement point for {unit.title}: it is surrounded at {state.facts.label(at)}, all "
        f"{around} hexes around it are held by the enemy or in his zones of control",
        pieces=(unit.id,),
        hexes=(at,),
    )


@book.rule("DZ-4.1x", on=Gain)
def full_strength(state: State, action: Gain) -> Iterator[Breach]:
    """Rule 4.1: no unit grows beyond its printed steps.

    Said of a unit that has had its one point this turn, it would be a second name for the same
    mistake; so it would of what gains no points anyway.
    """
    unit = state.facts.units.get(action.unit)
    if unit is None or unit.id in state.gained or _not_eligible(state, unit):
        return
    steps = state.units[unit.id].steps
    if steps >= unit.steps:
        yield Breach(
            "DZ-4.1x",
            f"{unit.title} is at full strength: {steps} of {unit.steps} steps",
            pieces=(unit.id,),
            hexes=_hexes(state, unit.id),
        )


# ------------------------------------------------------------------------- units that come back


def return_hexes(facts: Facts, affiliation: str) -> tuple[Hex, ...]:
    """Rule 4.1.4: the zone of an affiliation, the hex of its headquarters, and those beside it.

    The headquarters' hex is its place on the map, whether its garrison stands there or not: the
    rule speaks of the hex, and asks besides that it is free of enemies.
    """
    found = [facts.zones[affiliation]] if affiliation in facts.zones else []
    for garrison in facts.garrisons.values():
        if garrison.allied_name == _HQ_OF.get(affiliation):
            found += [garrison.hex, *facts.ground.neighbors_of.get(garrison.hex, ())]
    return tuple(dict.fromkeys(found))


def place_is_free(state: State, to: Hex) -> str:
    """Return what keeps an Allied unit from returning in a hex, in words; nothing if it is free."""
    label = state.facts.label(to)
    if state.is_held(to, GERMAN):
        return f"{label} is held by the enemy"
    if state.in_enemy_zoc(to, ALLIED):
        return f"{label} is in an enemy zone of control"
    if state.units_at.get(to):
        names = ", ".join(state.facts.title(k) for k in state.units_at[to])
        return f"{label} holds {names}, and units do not stack"
    return ""


@book.rule("DZ-4.1.4a", "DZ-4.1.3", on=Return)
def who_returns(state: State, action: Return) -> Iterator[Breach]:
    """Rule 4.1.4: eliminated Allied airborne units of the active Command, with one step."""
    key = action.unit
    unit = state.facts.units.get(key)
    if unit is None or unit.side == GERMAN:
        return  # Germans never return: a row of its own
    row, why = "DZ-4.1.4a", ""
    if not unit.is_airborne:
        why = "only airborne units return"
    elif not is_eliminated(state, key):
        why = f"it is not eliminated, but at {state.facts.label(state.units[key].place)}"
    elif state.side == ALLIED and unit.command != state.command:
        row, why = "DZ-4.1.3", f"it belongs to {unit.command}, and {state.command} is active"
    if why:
        yield Breach(row, f"{unit.title} cannot return: {why}", pieces=(key,))
    elif action.steps != 1:
        yield Breach(
            "DZ-4.1.4a",
            f"{unit.title} returns with 1 step, not {action.steps}",
            pieces=(key,),
            legal=("1 step",),
        )


@book.rule("DZ-4.1.4b", "DZ-4.1.4c", "DZ-4.1.4d", "DZ-4.1.4e", "DZ-4.1.4f", on=Return)
def where_units_return(state: State, action: Return) -> Iterator[Breach]:
    """Rule 4.1.4: at the zone or headquarters that the unit belongs to, free of the enemy.

    One that returns at another unit's zone or headquarters breaks the row of its own.
    """
    facts = state.facts
    unit = facts.units.get(action.unit)
    if unit is None or not unit.is_airborne or unit.affiliation not in _HQ_OF:
        return
    to, places = action.to, return_hexes(facts, unit.affiliation)
    if isinstance(to, Hex) and to in places:
        why = place_is_free(state, to)
        if why:
            yield Breach(
                "DZ-4.1.4c",
                f"{unit.title} cannot return there: {why}",
                pieces=(unit.id,),
                hexes=(to,),
                legal=tuple(facts.label(h) for h in places if not place_is_free(state, h)),
            )
        return
    others = [a for a in _HQ_OF if a != unit.affiliation and to in return_hexes(facts, a)]
    hq = _HQ_OF[unit.affiliation]
    own = next((g.objective for g in facts.garrisons.values() if g.allied_name == hq), hq)
    there = f", which belongs to {others[0]}" if others else ""
    yield Breach(
        _ROW_OF[unit.affiliation] if others else "DZ-4.1.4b",
        f"{unit.title} returns on {unit.affiliation} or in or beside {own}, not at "
        f"{facts.label(to)}{there}",
        pieces=(unit.id,),
        hexes=(to,) if isinstance(to, Hex) else (),
        legal=tuple(facts.label(h) for h in places if not place_is_free(state, h)),
    )


def _hexes(state: State, key: str) -> tuple[Hex, ...]:
    at = state.hex_of(key)
    return () if at is None else (at,)

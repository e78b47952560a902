"""Rules 3.3b and 4.2: which reinforcements a Command takes, and from where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import DrawUnit, Phase, Receive
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import GERMAN, UnitFacts
from builder.rulesets.dropzone.replacement import is_eliminated
from builder.rulesets.dropzone.state import State

__all__ = ["DRAWS", "cup_of", "drawn_now", "in_cup", "why_not_due"]

DRAWS: Final = 1
"""Random units that a Command draws in one activation: our own figure (G-9)."""


def cup_of(side: str) -> str:
    """Return the name of the cup of a side’s random reinforcements."""
    return f"Cup{side}"


def in_cup(state: State, key: str) -> bool:
    """Tell whether a unit waits in its side’s cup."""
    return key in state.units and state.units[key].place == cup_of(state.facts.units[key].side)


def drawn_now(state: State) -> tuple[str, ...]:
    """Return the random units that the active Command has drawn in this turn."""
    units = state.facts.units
    return tuple(k for k in state.drawn_units if k in units and units[k].command == state.command)


def why_not_due(state: State, unit: UnitFacts) -> str:
    """Return why a unit is no reinforcement now, in words; nothing if it is one.

    What was due in an earlier turn may still come.
    """
    place = state.units[unit.id].place
    if not isinstance(place, str):
        return f"it is on the map in {state.facts.label(place)} already"
    if unit.is_random:
        return "it is in the cup, and was not drawn" if in_cup(state, unit.id) else ""
    if unit.lands:
        return f"it lands from the air in turn {unit.turn}"
    if unit.serial:
        return "it drops before turn 1"
    if unit.turn == 0:
        return "it starts on the map"
    if unit.turn > state.turn:
        return f"it comes in turn {unit.turn}"
    return ""


@book.rule("DZ-3.3b", "DZ-4.2.2", on=Receive)
def received(state: State, action: Receive) -> Iterator[Breach]:
    """Rule 3.3b: the active Command takes what its chart lists for the turn.

    The charts are not in the rulebook (G-9): a warning. The area is judged with the entry.
    """
    unit = state.facts.units.get(action.unit)
    if unit is None or unit.id not in state.units or is_eliminated(state, unit.id):
        return
    why = why_not_due(state, unit)
    if not why and state.step == "RU" and state.command and unit.command != state.command:
        why = f"it belongs to {unit.command}, and {state.command} is active"
    if why:
        yield Breach(
            "DZ-3.3b",
            f"{unit.title} was put beside area {action.area} in turn {state.turn}: {why}",
            Ruling.WARNING,
            pieces=(unit.id,),
        )


@book.rule("DZ-4.1.5b", "DZ-4.1.4a", on=Receive)
def received_dead(state: State, action: Receive) -> Iterator[Breach]:
    """Rules 4.1.4 and 4.1.5: what was eliminated is no reinforcement."""
    unit = state.facts.units.get(action.unit)
    if unit is None or unit.id not in state.units or not is_eliminated(state, unit.id):
        return
    if unit.side == GERMAN:
        row, why = "DZ-4.1.5b", "eliminated German units never return"
    else:
        row = "DZ-4.1.4a"
        why = "airborne units return for a replacement point, others not at all"
    message = f"{unit.title} is eliminated, and was taken as a reinforcement: {why}"
    yield Breach(row, message, pieces=(unit.id,))


# ---------------------------------------------------------------------------------------- the cup


@book.rule("DZ-4.2.1", on=DrawUnit)
def drawn_from_cup(state: State, action: DrawUnit) -> Iterator[Breach]:
    """Rule 4.2: only random units are drawn, and only those that are in the cup."""
    unit = state.facts.units.get(action.unit)
    if unit is None or unit.id not in state.units:
        return
    if not unit.is_random:
        why = "it does not come at random"
    elif unit.id in state.drawn_units or not in_cup(state, unit.id):
        why = f"it is not in the cup, but in {state.facts.label(state.units[unit.id].place)}"
    else:
        return
    yield Breach("DZ-4.2.1", f"{unit.title} was drawn: {why}", Ruling.WARNING, pieces=(unit.id,))


@book.rule("DZ-4.2.1", on=Phase)
def cup_is_filled(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 4.2: when the game begins, the random units are in the cup."""
    if state.step != "SETUP" or (action.turn, action.step) == (state.turn, state.step):
        return
    for key, unit in state.facts.units.items():
        if unit.is_random and key in state.units and not in_cup(state, key):
            where = state.facts.label(state.units[key].place)
            yield Breach(
                "DZ-4.2.1",
                f"the game began with {unit.title} in {where}: it starts in the cup",
                Ruling.WARNING,
                pieces=(key,),
                legal=(cup_of(unit.side),),
            )


@book.rule("DZ-4.2.2", on=DrawUnit)
def number_drawn(state: State, action: DrawUnit) -> Iterator[Breach]:
    """Rule 4.2: a Command draws as many random units as its chart says, from turn 2 on.

    How many the rulebook does not say (G-9); we take one in each activation.
    """
    unit = state.facts.units.get(action.unit)
    if unit is None or state.step != "RU" or not unit.is_random or not in_cup(state, unit.id):
        return
    ours = ("the number of random units",)
    drawn = drawn_now(state)
    if state.turn == 1:
        why = "reinforcements come from turn 2 on"
    elif state.command and unit.side != state.side:
        why = f"{state.command} is active, and the cup is the other side’s"
    elif len(drawn) >= DRAWS:
        why = f"{state.command} has drawn {', '.join(state.facts.title(k) for k in drawn)} already"
    else:
        return
    yield Breach("DZ-4.2.2", f"{unit.title} was drawn: {why}", pieces=(unit.id,), rests_on=ours)

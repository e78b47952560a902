"""Rule 4.2.3: entering the map from beside an entry area, and attacking from there."""

from __future__ import annotations

from collections.abc import Iterator

from builder.hexes.grid import Hex
from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import Move, Receive
from builder.rulesets.dropzone.apply_moves import area_of, entrance_of, is_moving, reach_by
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import UnitFacts
from builder.rulesets.dropzone.reinforcement import why_not_due
from builder.rulesets.dropzone.replacement import is_eliminated
from builder.rulesets.dropzone.state import State

__all__ = ["enters_wrongly", "may_attack_from_box"]


@book.states("DZ-4.2.3c")
def may_attack_from_box(state: State, unit: str, target: Hex) -> bool:
    """Tell whether a unit that waits at an entry area may attack a hex from off the map.

    Rule 4.2.3: if the enemy holds every hex of the area, it may attack one of them.
    """
    known = state.units.get(unit)
    if known is None or known.steps <= 0:
        return False
    hexes = state.facts.entries.get(area_of(state, unit), ())
    closed = state.closed_to(state.facts.units[unit].side)
    return target in hexes and all(h in closed for h in hexes)


@book.rule("DZ-4.2.3b", on=Receive)
def area_of_entry(state: State, action: Receive) -> Iterator[Breach]:
    """Rule 4.2.3: a reinforcement is laid beside an area that is listed for it."""
    unit = state.facts.units.get(action.unit)
    if unit is None or action.area in unit.areas:
        return
    if is_eliminated(state, unit.id) or why_not_due(state, unit):
        return  # it does not come at all: said by the row on the charts
    if state.command and unit.command != state.command:
        return
    listed = " or ".join(unit.areas) or "none: it lands"
    yield Breach(
        "DZ-4.2.3b",
        f"{unit.title} was laid beside area {action.area or '?'}; its area is {listed}",
        pieces=(unit.id,),
        rests_on=_areas_of(unit),
        legal=tuple(f"area {a}" for a in unit.areas),
    )


def _areas_of(unit: UnitFacts) -> tuple[str, ...]:
    """Return the figure on which a unit's areas rest if the rulebook does not give them (G-9)."""
    return (f"entry areas of {unit.title}",) if unit.is_ours else ()


# ------------------------------------------------------------------------------ where it comes on


def enters_wrongly(state: State, action: Move) -> Breach | None:
    """Return what is wrong with the hex by which a waiting unit comes on, or ``None``.

    A drag from beside the map shows the hex of entry if it ends at the map's edge; else the
    cheapest way tells it.
    """
    key = action.unit
    unit = state.facts.units[key]
    area = area_of(state, key)
    if not area:
        return _not_beside(state, action)
    closed = state.closed_to(unit.side)
    if action.to in closed or action.to in reach_by(state, key, action.entry):
        return None
    facts = state.facts
    own, entrance = facts.entries[area], entrance_of(state, area, unit.side)
    labels = ", ".join(facts.label(h) for h in own)
    legal = tuple(facts.label(h) for h in entrance)
    if not entrance:
        return Breach(
            "DZ-4.2.3c",
            f"{unit.title} cannot enter at area {area}: the enemy holds {labels} and the hexes of "
            "the edge beside them",
            Ruling.WARNING,
            pieces=(key,),
            hexes=(action.to,),
        )
    first = action.entry or (action.to if action.to in facts.ground.entries else None)
    if first is None or first in entrance:
        return None
    where = facts.label(first)
    if first in closed:
        row, why = "DZ-5.1i", "the enemy holds it"
    elif any(first in facts.ground.neighbors_of[h] for h in own):
        free = entrance[0]
        row, why = "DZ-4.2.3c", f"entry hex {facts.label(free)} of area {area} is free"
    else:
        row, why = "DZ-4.2.3b", f"it waits at area {area}, entered by {labels}"
    return Breach(
        row,
        f"{unit.title} cannot enter by {where}: {why}",
        Ruling.WARNING if row == "DZ-5.1i" else Ruling.ILLEGAL,
        pieces=(key,),
        hexes=(first,),
        rests_on=() if row == "DZ-5.1i" else _areas_of(unit),
        legal=legal,
    )


def _not_beside(state: State, action: Move) -> Breach:
    unit = state.facts.units[action.unit]
    return Breach(
        "DZ-4.2.3b",
        f"{unit.title} came onto the map in {state.facts.label(action.to)} from "
        f"{state.facts.label(state.units[action.unit].place)}: a unit enters from beside its area",
        pieces=(action.unit,),
        hexes=(action.to,),
        rests_on=_areas_of(unit),
        legal=tuple(f"area {a}" for a in unit.areas),
    )


@book.rule("DZ-4.2.3b", "DZ-4.2.3c", "DZ-5.1i", on=Move)
def hex_of_entry(state: State, action: Move) -> Iterator[Breach]:
    """Rule 4.2.3: by a hex of the area; beside it only if the enemy holds them all."""
    if not is_moving(state, action) or isinstance(state.units[action.unit].place, Hex):
        return
    breach = enters_wrongly(state, action)
    if breach is not None:
        yield breach


@book.rule("DZ-4.2.3a", on=Move)
def when_to_enter(state: State, action: Move) -> Iterator[Breach]:
    """Rule 4.2.3: reinforcements come onto the map in the movement step of their Command."""
    unit = state.facts.units.get(action.unit)
    if unit is None or state.step == "MOVE" or state.command not in ("", unit.command):
        return
    if state.units[action.unit].steps > 0 and area_of(state, action.unit):
        yield Breach(
            "DZ-4.2.3a",
            f"{unit.title} entered in {state.facts.label(action.to)} in the step "
            f"{state.step}: reinforcements enter in the movement step of their Command",
            pieces=(action.unit,),
            hexes=(action.to,),
            legal=(f"in the MOVE step of {unit.command}",),
        )

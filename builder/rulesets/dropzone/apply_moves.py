"""What a move does: points spent leg by leg, given back on the way back, lost by order of entry."""

from __future__ import annotations

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.actions import Move
from builder.rulesets.dropzone.paths import Way, cheapest, entry_way
from builder.rulesets.dropzone.state import State, UnitState

__all__ = ["allowance", "entry_hexes", "moved", "way_of"]


def allowance(state: State, key: str) -> int:
    """Return the half points that a unit has in this activation, the order of entry deducted."""
    return 2 * state.facts.units[key].ma - state.units[key].penalty


def entry_hexes(state: State, key: str) -> dict[Hex, int]:
    """Return the entry hexes of the area where a unit waits, and what its order costs at each.

    Rule 4.2.3: the second unit by the same hex in an activation has ½ point less, the third 1.
    """
    place = state.units[key].place
    area = place.removeprefix("Entry") if isinstance(place, str) else ""
    return {h: state.entered.get(h, 0) for h in state.facts.entries.get(area, ())}


def way_of(state: State, action: Move) -> Way | None:
    """Return the cheapest way of a move from where the unit is, or ``None`` if there is none."""
    unit = state.units[action.unit]
    side = state.facts.units[action.unit].side
    if isinstance(unit.place, Hex):
        return cheapest(state, side, unit.place, action.to)
    entries = entry_hexes(state, action.unit)
    if action.entry is not None:
        entries = {action.entry: entries.get(action.entry, state.entered.get(action.entry, 0))}
    return entry_way(state, side, entries, action.to)


def moved(state: State, action: Move) -> State:
    """Return the state after a move."""
    if action.unit not in state.units:
        return state
    unit = state.units[action.unit]
    if action.to in unit.trail:
        at = unit.trail.index(action.to)
        return state.with_unit(
            action.unit, place=action.to, trail=unit.trail[:at], legs=unit.legs[:at]
        )
    if action.to == unit.place:
        return state
    way = way_of(state, action)
    if not isinstance(unit.place, Hex):
        return _entered(state, action, unit, way)
    left = max(0, allowance(state, action.unit) - unit.spent)
    # a move that was too far has spent all that there was, so that it is one breach and not two
    cost = left if way is None else min(way.cost, left)
    return state.with_unit(
        action.unit, place=action.to, trail=(*unit.trail, unit.place), legs=(*unit.legs, cost)
    )


def _entered(state: State, action: Move, unit: UnitState, way: Way | None) -> State:
    first = action.entry or (way.hexes[0] if way is not None else action.to)
    penalty = state.entered.get(first, 0)
    left = max(0, 2 * state.facts.units[action.unit].ma - penalty)
    cost = left if way is None else min(way.cost, left)
    state = state.but(entered={**state.entered, first: penalty + 1})
    return state.with_unit(
        action.unit,
        place=action.to,
        trail=(*unit.trail, unit.place),
        legs=(*unit.legs, cost),
        penalty=penalty,
    )

"""What a move does: points spent leg by leg, given back on the way back, lost by order of entry.

How a move is understood is said here once, for the rules and for the state after it: by which hex
it enters the map, what its way costs, and what it has cost in all.
"""

from __future__ import annotations

from collections.abc import Mapping

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.actions import Move
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import Side
from builder.rulesets.dropzone.paths import Way, cheapest, entry_way, reach
from builder.rulesets.dropzone.state import State, UnitState

__all__ = [
    "allowance",
    "area_of",
    "entrance_of",
    "is_moving",
    "moved",
    "open_entries",
    "reach_by",
    "reach_of",
    "taken_back",
    "total_of",
    "way_of",
    "would_fit",
]


@book.states("DZ-5.1b", "DZ-1.2d", "DZ-5.1e", "DZ-4.2.4f")
def allowance(state: State, key: str) -> int:
    """Return the half points that a unit has in this activation, the order of entry deducted.

    Rules 1.2 and 5.1: four points for infantry, six for armor, every activation anew: nothing is
    saved, and a landing costs nothing (rule 4.2.4).
    """
    return 2 * state.facts.units[key].ma - state.units[key].penalty


def is_moving(state: State, action: Move) -> bool:
    """Tell whether a live unit of the active Command moves in its movement step.

    Of any other move it is said that it may not be made at all, and nothing of its way.
    """
    unit = state.units.get(action.unit)
    return (
        unit is not None
        and unit.steps > 0
        and state.step == "MOVE"
        and state.facts.units[action.unit].command == state.command
        and action.to != unit.place
    )


# ------------------------------------------------------------------------------ entering the map


def area_of(state: State, key: str) -> str:
    """Return the letter of the entry area beside which a unit waits, or an empty text."""
    place = state.units[key].place
    if not isinstance(place, str) or not place.startswith("Entry"):
        return ""
    area = place.removeprefix("Entry")
    return area if area in state.facts.entries else ""


@book.states("DZ-4.2.3c")
def entrance_of(state: State, area: str, side: Side) -> tuple[Hex, ...]:
    """Return the hexes by which a side's units may enter from an area.

    Rule 4.2.3: its own hexes that are not enemy-held; if all are, the hexes of the map's edge
    that lie beside them.
    """
    facts, closed = state.facts, state.closed_to(side)
    own = facts.entries.get(area, ())
    free = tuple(h for h in own if h not in closed)
    if free or not own:
        return free
    ground = facts.ground
    beside = dict.fromkeys(n for h in own for n in ground.neighbors_of.get(h, ()))
    found = (h for h in beside if h in ground.entries and h not in own and h not in closed)
    return tuple(found)


def open_entries(state: State, key: str) -> dict[Hex, int]:
    """Return the hexes by which a waiting unit may enter, and the half points lost at each.

    Rule 4.2.3: the second unit by the same hex in an activation has ½ point less, the third 1.
    """
    area = area_of(state, key)
    if not area:
        return {}
    hexes = entrance_of(state, area, state.facts.units[key].side)
    return {h: state.entered.get(h, 0) for h in hexes}


# -------------------------------------------------------------------------------- how far, and how


def reach_by(state: State, key: str, entry: Hex | None = None) -> Mapping[Hex, int]:
    """Return the half points that a unit will have spent in each hex to which it may go straight.

    What it has spent already is part of the sum, and so is what it loses by the order of entry.
    ``entry`` says by which hex it enters the map; one that is closed to it leads nowhere.
    """
    name = ("reach", key, "" if entry is None else state.facts.label(entry))
    found: Mapping[Hex, int] | None = state.kept.get(name)
    if found is None:
        found = state.kept[name] = _reach_by(state, key, entry)
    return found


def _reach_by(
    state: State, key: str, entry: Hex | None, *, through: bool = False, free: bool = False
) -> Mapping[Hex, int]:
    unit, facts = state.units[key], state.facts
    side = facts.units[key].side
    if isinstance(unit.place, Hex):
        sources, limit = {unit.place: unit.spent}, allowance(state, key)
    else:
        ground, limit = facts.ground.entries, 2 * facts.units[key].ma
        entries = _entries_of(state, key, entry, through=through)
        sources = {h: ground[h].cost + lost for h, lost in entries.items() if h in ground}
    return reach(state, side, sources, limit, through=through, free=free)


def _entries_of(state: State, key: str, entry: Hex | None, *, through: bool) -> dict[Hex, int]:
    """Return the hexes by which a waiting unit would enter, and the half points lost at each.

    ``through`` takes any ``entry`` that is named, and all hexes of the area if none is.
    """
    entries = open_entries(state, key)
    if entry is not None:
        return {entry: state.entered.get(entry, 0)} if through or entry in entries else {}
    if through:
        own = state.facts.entries.get(area_of(state, key), ())
        entries.update({h: state.entered.get(h, 0) for h in own})
    return entries


def would_fit(state: State, action: Move, *, through: bool = False, free: bool = False) -> bool:
    """Tell whether a unit had the points for a move if the rules were kinder.

    ``through`` opens the enemy's hexes, ``free`` takes zones of control away.
    """
    return action.to in _reach_by(state, action.unit, action.entry, through=through, free=free)


def reach_of(state: State, unit: str) -> Mapping[Hex, int]:
    """Return every hex where a unit may go, and the half points that it will then have spent.

    Its own hex at what it has spent, the hexes from which its earlier moves began at what they
    had cost by then; from an entry box the penalty of the order of entry is part of the sum.
    Nothing for a unit that is neither on the map nor beside an entry area.
    """
    found = state.units.get(unit)
    if found is None or found.steps <= 0:
        return {}
    costs = reach_by(state, unit)
    if not found.trail:
        return costs
    back = {
        place: sum(found.legs[:at])
        for at, place in enumerate(found.trail)
        if isinstance(place, Hex) and place != found.place
    }
    return {**costs, **back}


def way_of(state: State, action: Move, *, through: bool = False, free: bool = False) -> Way | None:
    """Return the cheapest way of a move from where the unit is, or ``None`` if there is none.

    ``through`` opens the enemy's hexes, ``free`` takes zones of control away.
    """
    unit = state.units[action.unit]
    side = state.facts.units[action.unit].side
    if isinstance(unit.place, Hex):
        return cheapest(state, side, unit.place, action.to, through=through, free=free)
    entries = _entries_of(state, action.unit, action.entry, through=through)
    return entry_way(state, side, entries, action.to, through=through, free=free)


def total_of(state: State, key: str, way: Way) -> int:
    """Return what a unit will have spent by a way, the loss by the order of entry included."""
    unit = state.units[key]
    lost = state.entered.get(way.hexes[0], 0) if way.legs and way.legs[0].start is None else 0
    return unit.spent + way.cost + lost


# ------------------------------------------------------------------------------- the state after it


def moved(state: State, action: Move) -> State:
    """Return the state after a move: by its cheapest way, however much that is.

    A unit that has spent more than it has is told once, so what it cost stands in the state.
    """
    key = action.unit
    if key not in state.units:
        return state
    unit = state.units[key]
    if action.to == unit.place:
        return state
    if action.to in unit.trail:
        at = unit.trail.index(action.to)
        return state.with_unit(key, place=action.to, trail=unit.trail[:at], legs=unit.legs[:at])
    if not isinstance(unit.place, Hex):
        return _entered(state, action, unit)
    total = reach_by(state, key).get(action.to)
    cost = total - unit.spent if total is not None else _dear(state, action)
    return state.with_unit(
        key, place=action.to, trail=(*unit.trail, unit.place), legs=(*unit.legs, cost)
    )


def _dear(state: State, action: Move) -> int:
    """Return what a move costs that its unit cannot pay, or not without passing through enemies."""
    way = None if would_fit(state, action, through=True) else way_of(state, action)
    way = way or way_of(state, action, through=True)
    return 0 if way is None else way.cost


def _entered(state: State, action: Move, unit: UnitState) -> State:
    """Return the state after a unit has come onto the map; its hex of entry is part of its way."""
    key = action.unit
    first, cost = _first_hex(state, action)
    lost = state.entered.get(first, 0)
    trail, legs = (*unit.trail, unit.place), (*unit.legs, cost)
    if first != action.to and first in state.facts.ground.entries:
        onto = min(cost, state.facts.ground.entries[first].cost)
        trail, legs = (*trail, first), (*unit.legs, onto, cost - onto)
    state = state.but(entered={**state.entered, first: lost + 1})
    return state.with_unit(key, place=action.to, trail=trail, legs=legs, penalty=lost)


def taken_back(state: State, key: str, box: str) -> State:
    """Return the state after a unit was put back beside the map from where it had come on.

    All is as if it had not come: its points, and the order of those that enter by its hex.
    """
    unit = state.units[key]
    if box not in unit.trail:
        return state.with_unit(key, place=box)
    at = unit.trail.index(box)
    first = (*unit.trail, unit.place)[at + 1]
    entered = dict(state.entered)
    if isinstance(first, Hex) and first in entered:
        entered[first] -= 1
        if not entered[first]:
            del entered[first]
    changes = {"trail": unit.trail[:at], "legs": unit.legs[:at], "penalty": 0}
    return state.but(entered=entered).with_unit(key, place=box, **changes)


def _first_hex(state: State, action: Move) -> tuple[Hex, int]:
    """Return the hex by which a unit comes onto the map, and what its way costs from there."""
    way = way_of(state, action)
    if way is None:
        way = way_of(state, action, through=True)
    edge = state.facts.ground.entries.get(action.to)
    is_dear = (
        way is None or total_of(state, action.unit, way) > 2 * state.facts.units[action.unit].ma
    )
    if is_dear and action.entry is None and edge is not None:
        return action.to, edge.cost  # it was put there from beside the map
    if way is None:
        return action.entry or action.to, 0
    return way.hexes[0], way.cost

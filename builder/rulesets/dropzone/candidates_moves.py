"""What may be moved next: moves, entries and landings of one unit, and why not elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.actions import Displace, Land, Move
from builder.rulesets.dropzone.apply_moves import allowance, is_moving, reach_of
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.ground import points_text
from builder.rulesets.dropzone.landing import direction_hexes, due_units, friends_at, room_for
from builder.rulesets.dropzone.state import State

__all__ = ["landing_candidates", "move_candidates", "reach_of", "why_not"]


def move_candidates(state: State, unit: str) -> Iterator[Move]:
    """Yield the moves of a unit of the active Command to every hex within its reach.

    Hexes of friends are among them: it may pause there, and must go on before movement ends. From
    an entry box the cheapest way decides by which hex it comes on; the entry hexes are all there.
    """
    facts = state.facts.units.get(unit)
    if facts is None or facts.command != state.command or state.step != "MOVE":
        return
    here = state.units[unit].place
    for h in reach_of(state, unit):
        if h != here:
            yield Move(unit, h)


def why_not(state: State, unit: str, to: Hex) -> str:
    """Return why a unit cannot move to a hex now, as a finding says it; nothing if it can.

    Such as the cheapest way, its sum, and what the unit has.
    """
    move = Move(unit, to)
    said = "; ".join(dict.fromkeys(b.message for b in book.judge(state, move)))
    if said or not is_moving(state, move) or to in reach_of(state, unit):
        return said
    # a unit that went too far has been found once already, and nothing is said of it again
    spent, points = points_text(state.units[unit].spent), points_text(allowance(state, unit))
    return f"{state.facts.title(unit)} has spent {spent} MP already, of {points}"


def landing_candidates(state: State, unit: str) -> Iterator[Land | Displace]:
    """Yield what a unit of the daylight landing may do next (rule 4.2.4).

    Land on its zone, if no friendly unit stands there; else that unit makes room, as near as it
    can; and after a landing combat without decision, land where the direction roll says.
    """
    facts = state.facts.units.get(unit)
    if facts is None or facts.command != state.command or state.step != "LAND":
        return
    if state.landing.get(unit) == "direction":
        yield from (Land(unit, h) for h in direction_hexes(state, unit))
        return
    zone = state.facts.zones.get(facts.affiliation)
    if zone is None or unit not in due_units(state, zone):
        return
    there = friends_at(state, zone)
    if not there:
        yield Land(unit, zone)
    for key in there:
        yield from (Displace(key, h) for h in room_for(state, zone))

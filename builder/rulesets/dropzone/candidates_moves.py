"""What may be moved next: pseudo-legal moves of one unit, to be sifted by the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from builder.hexes.grid import Hex
from builder.hexes.measure import ring
from builder.rulesets.dropzone.actions import Displace, Land, Move
from builder.rulesets.dropzone.apply_moves import allowance, entry_hexes
from builder.rulesets.dropzone.facts import ALLIED, enemy_of
from builder.rulesets.dropzone.paths import reach
from builder.rulesets.dropzone.state import State

__all__ = ["landing_candidates", "move_candidates", "reach_of"]


def reach_of(state: State, unit: str) -> Mapping[Hex, int]:
    """Return the half points at which a unit can be in each hex, its own and its trail's too.

    From an entry box the penalty of the order of entry is part of the sum. Nothing for a unit
    that is neither on the map nor beside an entry area.
    """
    found = state.units.get(unit)
    if found is None or found.steps <= 0:
        return {}
    side = state.facts.units[unit].side
    ma = 2 * state.facts.units[unit].ma
    if isinstance(found.place, Hex):
        limit = allowance(state, unit) - found.spent
        costs = dict(reach(state, side, {found.place: 0}, limit))
        for at, place in enumerate(found.trail):
            if isinstance(place, Hex):
                # on the way back the points of the later legs are given back
                costs[place] = min(costs.get(place, 0), -sum(found.legs[at:]))
        return costs
    ground = state.facts.ground
    enemy = enemy_of(side)
    sources = {
        h: ground.entries[h].cost + order
        for h, order in entry_hexes(state, unit).items()
        if h in ground.entries and not state.is_held(h, enemy)
    }
    return reach(state, side, sources, ma)


def move_candidates(state: State, unit: str) -> Iterator[Move]:
    """Yield the moves of a unit of the active Command to every hex within its reach."""
    facts = state.facts.units.get(unit)
    if facts is None or facts.command != state.command or state.step != "MOVE":
        return
    here = state.units[unit].place
    for h in reach_of(state, unit):
        if h != here:
            yield Move(unit, h)


def landing_candidates(state: State, unit: str) -> Iterator[Land | Displace]:
    """Yield what a unit of the daylight landing may do next (rule 4.2.4).

    Land on its zone, if no friendly unit stands there; else that unit makes room, as near as it
    can; and after a landing combat without decision, land where the direction roll says.
    """
    facts = state.facts.units.get(unit)
    if facts is None or not facts.lands or facts.command != state.command or state.step != "LAND":
        return
    zone = state.facts.zones.get(facts.affiliation)
    if zone is None:
        return
    if state.landing.get(unit) == "direction":
        if state.direction:
            yield from (Land(unit, h) for h in _by_direction(state, zone))
        return
    if isinstance(state.units[unit].place, Hex) or state.turn != facts.turn:
        return
    there = [k for k in state.units_at.get(zone, ()) if state.facts.units[k].side == ALLIED]
    if not there:
        yield Land(unit, zone)
    for key in there:
        for radius in range(1, 24):
            free = [h for h in ring(zone, radius) if _is_vacant(state, h)]
            if free:
                yield from (Displace(key, h) for h in free)
                break


def _by_direction(state: State, zone: Hex) -> Iterator[Hex]:
    """Yield the hex of the direction roll, or the next one clockwise that is free (G-14)."""
    for turn in range(6):
        h = state.facts.sheet.grid.neighbor(zone, state.direction - 1 + turn)
        if h in state.facts.sheet and not state.held_by.get(h):
            yield h
            return


def _is_vacant(state: State, h: Hex) -> bool:
    if h not in state.facts.sheet or state.in_enemy_zoc(h, ALLIED):
        return False
    return not state.units_at.get(h) and enemy_of(ALLIED) not in state.held_by.get(h, ())

"""Rule 4.1.2: which hexes are surrounded, so that a unit there gets no replacement point."""

from __future__ import annotations

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import Side, enemy_of
from builder.rulesets.dropzone.state import State

__all__ = ["is_surrounded", "ways_out"]


def ways_out(state: State, h: Hex, side: Side) -> tuple[Hex, ...]:
    """Return the neighbors on the map that no enemy holds and no enemy zone covers, in order."""
    enemy = enemy_of(side)
    zone = state.zones[enemy]
    around = state.facts.ground.neighbors_of.get(h, ())
    return tuple(n for n in around if n not in zone and not state.is_held(n, enemy))


@book.states("DZ-4.1.2b")
def is_surrounded(state: State, h: Hex, side: Side) -> bool:
    """Rule 4.1.2: every neighbor on the map is held by the enemy or in an enemy zone of control.

    The rulebook does not say what "surrounded" means (C-29): what lies off the map is no way out,
    and friends beside the unit do not cancel a zone, since no rule says that they do.
    """
    return not ways_out(state, h, side)

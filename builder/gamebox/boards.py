"""What lies on a board at one moment, as a picture needs it: counters, zones, a way, marks.

A rule set says what there is to see (:class:`BoardView`), the painter knows no rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from builder.hexes.grid import Hex

__all__ = ["BoardView", "ShownPiece", "Spot"]

Spot: TypeAlias = Hex | str
"""A hex, or the name of a printed box."""


@dataclass(frozen=True, slots=True)
class ShownPiece:
    """A counter that lies face up or face down.

    ``role`` and ``level`` are those of its face layout: *step* with the steps left, *back*,
    *hidden*, *front* with level 0.
    """

    counter: str
    place: Spot
    role: str = "front"
    level: int = 0


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board, and what a reader's eye should be led to.

    ``pieces`` lie in this order, the last one on top. ``zone`` is shaded in the color of
    ``zone_side``. ``way`` are hexes one after the other; a way without hexes between its ends is
    told by ``start`` and ``end`` alone. ``marked`` hexes are outlined. ``is_after`` for what was
    done: the way is then behind the piece.
    """

    pieces: tuple[ShownPiece, ...]
    zone: frozenset[Hex] = field(default_factory=frozenset)
    zone_side: str = ""
    way: tuple[Hex, ...] = ()
    start: Spot | None = None
    end: Spot | None = None
    marked: tuple[Hex, ...] = ()
    is_after: bool = False

    @property
    def hexes(self) -> frozenset[Hex]:
        """Every hex that the view is about: ends, way and marks."""
        ends = (p for p in (self.start, self.end) if isinstance(p, Hex))
        return frozenset((*ends, *self.way, *self.marked))

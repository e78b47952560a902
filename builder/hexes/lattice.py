"""Hexes and hexsides as values, and what follows from their indices alone.

Indices are *raw*: VASSAL's own column and row, before any printed numbering. Columns with an odd
index lie half a hex further along the row axis. On a sideways grid (pointy-topped hexes) the same
indices are laid out with the two screen axes exchanged, so everything here that speaks of
distances holds for both orientations; only directions have two tables.
"""

from __future__ import annotations

from typing import Final, NamedTuple

__all__ = [
    "FLAT_DIRECTIONS",
    "POINTY_DIRECTIONS",
    "Hex",
    "Hexside",
    "Point",
    "distance",
    "neighbor",
]

Point = tuple[float, float]
"""A place on the board in pixels, x to the right and y down."""


class Hex(NamedTuple):
    """A position on the grid: raw column and row, before printed numbering.

    On a sideways grid the column is the row of hexes on the screen.
    """

    column: int
    row: int


class Hexside(NamedTuple):
    """The border between two hexes; direction is 0, 1 or 2, so that each border has one value.

    Made by ``HexGrid.hexside`` and ``HexGrid.side_between``, which choose the one form.
    """

    hex: Hex
    direction: int


FLAT_DIRECTIONS: Final = ("N", "NE", "SE", "S", "SW", "NW")
"""Names of directions 0..5 of flat-topped hexes, clockwise."""

POINTY_DIRECTIONS: Final = ("NE", "E", "SE", "SW", "W", "NW")
"""Names of directions 0..5 of pointy-topped hexes (sideways grids), clockwise."""

_Steps = tuple[tuple[int, int], ...]
# Steps (column, row) by direction, for a start in an even and in an odd column.
_FLAT: Final[tuple[_Steps, _Steps]] = (
    ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1)),
    ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)),
)
_POINTY: Final[tuple[_Steps, _Steps]] = (
    ((-1, 0), (0, 1), (1, 0), (1, -1), (0, -1), (-1, -1)),
    ((-1, 1), (0, 1), (1, 1), (1, 0), (0, -1), (-1, 0)),
)


def neighbor(origin: Hex, direction: int, *, sideways: bool = False) -> Hex:
    """Return the adjacent hex; direction counts clockwise and is taken modulo six.

    >>> neighbor(Hex(1, 4), 2)
    Hex(column=2, row=5)
    """
    steps = (_POINTY if sideways else _FLAT)[origin.column % 2]
    column, row = steps[direction % 6]
    return Hex(origin.column + column, origin.row + row)


def distance(a: Hex, b: Hex) -> int:
    """Return how many steps from hex to hex lead from one to the other.

    >>> distance(Hex(0, 0), Hex(3, 1)), distance(Hex(4, 4), Hex(4, 1))
    (3, 3)
    """
    across = b.column - a.column
    # Along a slanted axis: every second column the row of a straight diagonal goes on by one.
    along = (b.row - b.column // 2) - (a.row - a.column // 2)
    # // rounds down, which is right for an odd column that lies half a hex lower.
    return max(abs(across), abs(along), abs(across + along))

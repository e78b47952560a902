"""Boards in one hex grid: blocks of hexes with a numbering of their own.

Geomorphic boards are laid side by side: one grid of hexes runs through all of them and around
them, and each board prints its own numbers. In VASSAL every board is a zone whose grid has the same
origin and another numbering (VASSAL ``mapgrid.Zone``).
"""

from __future__ import annotations

from dataclasses import dataclass

from builder.hexes.lattice import Hex
from builder.hexes.numbering import Numbering

__all__ = ["NamedBoard"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedBoard:
    """A block of raw columns and rows that prints its own numbers.

    ``numbering`` counts from the raw indices of the whole grid. A board that ``is_cut`` ends in the
    centers of its outermost hexes: of its first row only those columns belong to it that lie half a
    hex lower, the others would lie beyond the edge. Where two boards share a column of halves, it
    belongs to the one that comes first.
    """

    name: str
    column: int
    row: int
    columns: int
    rows: int
    numbering: Numbering
    is_cut: bool = False

    def covers(self, h: Hex) -> bool:
        """Tell whether a hex belongs to the board.

        >>> board = NamedBoard(
        ...     name="1", column=2, row=0, columns=3, rows=2, numbering=Numbering(), is_cut=True
        ... )
        >>> [board.covers(h) for h in (Hex(2, 0), Hex(3, 0), Hex(2, 1), Hex(5, 1), Hex(3, 2))]
        [False, True, True, False, False]
        """
        if not (0 <= h.column - self.column < self.columns and 0 <= h.row - self.row < self.rows):
            return False
        return not (self.is_cut and h.row == self.row and h.column % 2 == 0)

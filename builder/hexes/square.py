"""Square grids: VASSAL's arithmetic of ``board.SquareGrid`` and ``SquareGridNumbering``.

Unlike on hex grids VASSAL rounds here where it cuts there, and knows neither stagger nor sideways.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from builder.hexes.lattice import Point
from builder.hexes.numbering import Maxima, Numbering
from builder.problems import UnreadableError, UsageError

__all__ = ["Square", "SquareGrid"]

_LEAST: Final = 1e-3
_MOST: Final = 10**7
"""Steps and origins that a grid in a file of others may have, in pixels."""


class Square(NamedTuple):
    """A cell of a square grid: raw column and row, before printed numbering."""

    column: int
    row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SquareGrid:
    """VASSAL's square grid attributes and the size in pixels of what the grid lies on.

    (``x0``, ``y0``) is the center of square (0, 0); ``extent`` and ``extent_at`` are as in
    ``HexGrid``. Of the numbering, ``stagger`` and ``oblique`` are without effect.
    """

    dx: float
    dy: float
    x0: int
    y0: int
    extent: tuple[int, int]
    edges_legal: bool = False
    corners_legal: bool = False
    snap_to: bool = True
    range_option: Literal["Metric", "Manhattan"] = "Metric"
    numbering: Numbering | None = None
    extent_at: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        """Refuse sizes with which nothing can be computed."""
        for name, value in (("dx", self.dx), ("dy", self.dy)):
            if not (math.isfinite(value) and value > 0):
                raise UsageError(f"square grid: {name} must be more than 0 pixels, got {value!r}")
        if min(self.extent) < 0:
            raise UsageError(f"square grid: extent must not be negative, got {self.extent!r}")

    # --- places -----------------------------------------------------------------------------

    def center(self, square: Square) -> Point:
        """Return the exact center, for drawing."""
        return self.x0 + self.dx * square.column, self.y0 + self.dy * square.row

    def corner(self, square: Square, index: int) -> Point:
        """Return one exact corner, clockwise from the top left; shared with the neighbors."""
        right, lower = ((-1, -1), (1, -1), (1, 1), (-1, 1))[index % 4]
        return (
            self.x0 + self.dx * (2 * square.column + right) / 2,
            self.y0 + self.dy * (2 * square.row + lower) / 2,
        )

    def polygon(self, square: Square) -> tuple[Point, ...]:
        """Return the four exact corners, clockwise on the screen."""
        return tuple(self.corner(square, index) for index in range(4))

    def snap_point(self, square: Square) -> tuple[int, int]:
        """Return the pixel to which VASSAL snaps a piece in the square (rounded)."""
        return self._pixel(2 * square.column, 2 * square.row)

    def snap(self, x: int, y: int) -> tuple[int, int]:
        """Return where VASSAL puts a piece that is dropped on a pixel."""
        if not self.snap_to:
            return x, y
        across, down = x - self.x0, y - self.y0
        # In half squares: even is a center, odd an edge.
        half_x, half_y = _round(across / (0.5 * self.dx)), _round(down / (0.5 * self.dy))
        column = 2 * _round(across / self.dx)
        if self.edges_legal and self.corners_legal:
            return self._pixel(half_x, half_y)
        if self.corners_legal:
            is_corner = half_y % 2 != 0
            half_x = 1 + 2 * _round(across / self.dx - 0.5) if is_corner else column
            return self._pixel(half_x, half_y)
        if self.edges_legal:
            is_upright_edge = half_y % 2 == 0 and half_x % 2 != 0
            return self._pixel(half_x if is_upright_edge else column, half_y)
        return self._pixel(column, 2 * _round(down / self.dy))

    def square_at(self, x: int, y: int) -> Square:
        """Return the square by which VASSAL names a pixel.

        VASSAL floors columns and cuts rows, so the row above row 0 is row 0 as well.
        """
        column = math.floor((x - self.x0) / self.dx + 0.5)
        return Square(column, int((y - self.y0) / self.dy + 0.5))

    def _pixel(self, half_x: int, half_y: int) -> tuple[int, int]:
        return self.x0 + _round(half_x * self.dx / 2), self.y0 + _round(half_y * self.dy / 2)

    # --- names ------------------------------------------------------------------------------

    @property
    def maxima(self) -> Maxima:
        """What descending columns and rows count down from."""
        width, height = self.extent
        return Maxima(int(width / self.dx + 0.5), int(height / self.dy + 0.5))

    def label(self, square: Square) -> str:
        """Return the printed label of a square; UsageError if the grid has no numbering."""
        if self.numbering is None:
            raise UsageError(f"this grid has no numbering, so square {tuple(square)} has no label")
        return self.numbering.text(*self._turned(self.numbering, *square, offsets=1))

    def name_at(self, x: int, y: int) -> str | None:
        """Return VASSAL's location name of a pixel, or None if the grid has no numbering."""
        return None if self.numbering is None else self.label(self.square_at(x, y))

    def point_of(self, label: str) -> tuple[int, int] | None:
        """Return the pixel that VASSAL finds for a name; None if VASSAL refuses the name."""
        if self.numbering is None or (read := self.numbering.numbers_as_vassal(label)) is None:
            return None
        column, row = self._turned(self.numbering, *read, offsets=-1)
        return int(column * self.dx + self.x0), int(row * self.dy + self.y0)

    def square_of(self, label: str) -> Square | None:
        """Return the square with this printed label; the exact inverse of :meth:`label`.

        If several squares print the same, the one on the board is meant; None if there is no such
        square or no way to choose.
        """
        if self.numbering is None:
            return None
        found = [
            Square(*self._turned(self.numbering, *read, offsets=-1))
            for read in self.numbering.readings(label)
        ]
        if len(found) > 1:
            found = [square for square in found if self.is_on_board(square)]
        return found[0] if len(found) == 1 else None

    def is_on_board(self, square: Square) -> bool:
        """Return whether the snap point lies on the board, or within the bounds of the zone."""
        x, y = self.snap_point(square)
        left, top = self.extent_at
        width, height = self.extent
        return left <= x < left + width and top <= y < top + height

    def _turned(
        self, numbering: Numbering, column: int, row: int, *, offsets: Literal[1, -1]
    ) -> tuple[int, int]:
        """Turn raw indices into printed numbers (offsets 1) or printed into raw ones (-1)."""
        if offsets < 0:
            column, row = column - numbering.h_off, row - numbering.v_off
        if numbering.h_descend:
            column = self.maxima.column - column
        if numbering.v_descend:
            row = self.maxima.row - row
        if offsets > 0:
            column, row = column + numbering.h_off, row + numbering.v_off
        return column, row

    # --- VASSAL's XML -----------------------------------------------------------------------

    def xml_attributes(self) -> tuple[dict[str, str], dict[str, str] | None]:
        """Return VASSAL's attribute texts of the grid and of its numbering, in VASSAL's order.

        VASSAL draws nothing (``visible`` is false).
        """
        grid = {
            "x0": str(self.x0),
            "y0": str(self.y0),
            "dx": repr(float(self.dx)),
            "dy": repr(float(self.dy)),
            "range": self.range_option,
            "snapTo": _flag(self.snap_to),
            "edgesLegal": _flag(self.edges_legal),
            "cornersLegal": _flag(self.corners_legal),
            "visible": "false",
            "dotsVisible": "false",
            "color": "0,0,0",
        }
        if self.numbering is None:
            return grid, None
        numbering = self.numbering.xml_attributes()
        del numbering["stagger"]
        return grid, numbering

    @classmethod
    def from_xml_attributes(
        cls, grid: Mapping[str, str], numbering: Numbering | None, *, extent: tuple[int, int]
    ) -> SquareGrid:
        """Return the grid that VASSAL makes of attribute texts; absent ones get its defaults.

        Raises UnreadableError for numbers that are none, or of no map.
        """
        try:
            dx, dy = float(grid.get("dx", "48")), float(grid.get("dy", "48"))
            x0, y0 = int(grid.get("x0", "24")), int(grid.get("y0", "24"))
        except ValueError as error:
            raise UnreadableError(f"square grid: {str(error)[:80]}") from None
        made = cls(
            dx=dx,
            dy=dy,
            x0=x0,
            y0=y0,
            extent=extent,
            edges_legal=grid.get("edgesLegal") == "true",
            corners_legal=grid.get("cornersLegal") == "true",
            snap_to=grid.get("snapTo", "true") == "true",
            range_option="Manhattan" if grid.get("range") == "Manhattan" else "Metric",
            numbering=numbering,
        )
        if not (_LEAST <= dx <= _MOST and _LEAST <= dy <= _MOST and max(abs(x0), abs(y0)) <= _MOST):
            raise UnreadableError("square grid: dx, dy, x0 or y0 is beyond measure")
        return made


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _round(value: float) -> int:
    """Return Java's ``Math.round``: half goes up, also below zero."""
    return math.floor(value + 0.5)

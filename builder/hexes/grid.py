"""The hex grid: one description shared by drawing, VASSAL's XML and the reading of logs.

Two geometries stand side by side (VASSAL ``board.HexGrid``). *Exact* places (``center``,
``corner``, ``polygon``, ``hex_containing``) are for drawing and geography; corners lie on one
common lattice, so hexes that touch share the very same numbers. *Pixels* (``snap_point``, ``snap``,
``hex_at``, ``name_at``) are VASSAL's, cut and rounded as VASSAL does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np

from builder.hexes import arrays, lattice
from builder.hexes.arrays import FloatArray, IntArray, Span
from builder.hexes.boards import NamedBoard
from builder.hexes.lattice import FLAT_DIRECTIONS, POINTY_DIRECTIONS, Hex, Hexside, Point
from builder.hexes.numbering import Maxima, Numbering
from builder.hexes.snapping import Spacing
from builder.problems import UnreadableError, UsageError

__all__ = ["Hex", "HexGrid", "Hexside", "Numbering", "Point"]

# Corners by index in thirds of a column and half rows from the center; clockwise on the screen.
_FLAT_CORNERS: Final = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
# The screen's axes are exchanged, so the thirds run down: top first, then to the right.
_POINTY_CORNERS: Final = ((-2, 0), (-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1))

_Number = TypeVar("_Number", int, float)
_Array = TypeVar("_Array", FloatArray, IntArray)

_VASSAL_DX: Final = 55.42562584220407
_VASSAL_DY: Final = 64.0

_LEAST: Final = 1e-3
_MOST: Final = 10**7
"""Steps and origins that a grid in a file of others may have, in pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HexGrid:
    """VASSAL's hex grid attributes, the size of what it lies on, and everything asked of it.

    ``dx`` is the distance between columns and ``dy`` the height of a hex in its column, in pixels;
    (``x0``, ``y0``) is the center of hex (0, 0). On a ``sideways`` grid (pointy-topped hexes) all
    four are meant with the screen's axes exchanged, as in VASSAL: ``x0`` and ``dx`` run down.
    ``extent`` is the width and height in pixels of the board, or of the bounds of the zone, in
    which the grid lies: descending numbers depend on it. ``extent_at`` is the top left pixel of
    that area, other than (0, 0) only in a zone; the grid is always measured from the board's.
    ``boards`` are blocks of hexes that print numbers of their own; the first that covers a hex
    names it.
    """

    dx: float
    dy: float
    x0: int
    y0: int
    extent: tuple[int, int]
    sideways: bool = False
    edges_legal: bool = False
    corners_legal: bool = False
    snap_to: bool = True
    numbering: Numbering | None = None
    extent_at: tuple[int, int] = (0, 0)
    boards: tuple[NamedBoard, ...] = ()

    def __post_init__(self) -> None:
        """Refuse sizes with which nothing can be computed."""
        for name, value in (("dx", self.dx), ("dy", self.dy)):
            if not (math.isfinite(value) and value > 0):
                raise UsageError(f"hex grid: {name} must be more than 0 pixels, got {value!r}")
        if min(self.extent) < 0:
            raise UsageError(f"hex grid: extent must not be negative, got {self.extent!r}")

    # --- exact geometry ---------------------------------------------------------------------

    def center(self, h: Hex) -> Point:
        """Return the exact center, for drawing; VASSAL's pixel is :meth:`snap_point`."""
        half = self.dy / 2 if h.column % 2 else 0.0
        return self._turned(self.x0 + self.dx * h.column, self.y0 + self.dy * h.row + half)

    def corner(self, h: Hex, index: int) -> Point:
        """Return one exact corner: the same numbers from all three hexes that share it.

        Corners count clockwise on the screen from 0, so that side ``i`` lies between corners ``i``
        and ``i + 1`` (modulo six).
        """
        thirds, halves = self._corner_steps[index % 6]
        return self._turned(
            self.x0 + self.dx * (3 * h.column + thirds) / 3,
            self.y0 + self.dy * (2 * h.row + h.column % 2 + halves) / 2,
        )

    def polygon(self, h: Hex) -> tuple[Point, ...]:
        """Return the six exact corners, clockwise on the screen."""
        return tuple(self.corner(h, index) for index in range(6))

    def hex_containing(self, x: float, y: float) -> Hex:
        """Return the hex whose exact polygon contains a point of real numbers.

        On a border one of the hexes that share it. This is not VASSAL's answer for a pixel; that
        is :meth:`hex_at`.
        """
        along, across = self._turned(x, y)
        column, row = arrays.nearest((along - self.x0) / self.dx, (across - self.y0) / self.dy)
        return Hex(column, row)

    # --- VASSAL's pixels --------------------------------------------------------------------

    def snap_point(self, h: Hex) -> tuple[int, int]:
        """Return the pixel to which VASSAL snaps a piece in the hex (cut, not rounded)."""
        return self._turned(*self._spacing.center(*h))

    def snap(self, x: int, y: int, *, before_3_7: bool = False) -> tuple[int, int]:
        """Return where VASSAL puts a piece that is dropped on a pixel.

        ``before_3_7`` gives the answer of versions before 3.7.0, which used rectangles. The pull
        back onto the board's edge, which VASSAL's map does afterwards, is in ``Board.snap``.
        """
        if not self.snap_to:
            return x, y
        spacing = self._spacing
        along, across = self._turned(x, y)
        find = spacing.rectangle_hex if before_3_7 else spacing.hex_at
        center = spacing.center(*find(along, across))
        if not (self.edges_legal or self.corners_legal):
            return self._turned(*center)
        side, vertex = spacing.side_point(along, across), spacing.vertex_point(along, across)
        target = side if self.edges_legal else vertex
        if self.edges_legal and self.corners_legal:
            here = (along, across)
            target = side if _squared(side, here) < _squared(vertex, here) else vertex
        # A target that is one pixel off the center is the center, computed otherwise
        # (VASSAL HexGrid.checkCenter).
        return self._turned(*(center if _squared(center, target) <= 2 else target))

    def hex_at(self, x: int, y: int) -> Hex:
        """Return the hex that VASSAL 3.7 and later mean by a pixel (their polygon test)."""
        return Hex(*self._spacing.hex_at(*self._turned(x, y)))

    def rectangle_hex_at(self, x: int, y: int) -> Hex:
        """Return the hex by which VASSAL *names* a pixel: rectangles, without the polygon test."""
        return Hex(*self._spacing.named_hex(*self._turned(x, y)))

    # --- names ------------------------------------------------------------------------------

    @property
    def maxima(self) -> Maxima:
        """What descending columns and rows count down from.

        Height over dx and width over dy, in both orientations: so VASSAL computes it
        (``HexGridNumbering.getMaxRows``), although it makes sense on sideways grids only.
        """
        width, height = self.extent
        rows = math.floor(height / self.dx + 0.5)
        columns = math.floor(width / self.dy + 0.5)
        return Maxima(rows, columns) if self.sideways else Maxima(columns, rows)

    def board_of(self, h: Hex) -> NamedBoard | None:
        """Return the board to which a hex belongs; None beside all boards, or if there are none."""
        return next((board for board in self.boards if board.covers(h)), None)

    def numbering_of(self, h: Hex) -> Numbering | None:
        """Return the numbering that names a hex: that of its board, or the grid's own."""
        board = self.board_of(h)
        return self.numbering if board is None else board.numbering

    def label(self, h: Hex) -> str:
        """Return the printed label of a hex: VASSAL's name of its snap point.

        Raises UsageError if the grid has no numbering: no label is made up.
        """
        numbering = self.numbering_of(h)
        if numbering is None:
            raise UsageError(f"this grid has no numbering, so hex {tuple(h)} has no label")
        return numbering.text(*numbering.printed(h.column, h.row, self.maxima, self.sideways))

    def name_at(self, x: int, y: int) -> str | None:
        """Return VASSAL's location name of a pixel, or None if the grid has no numbering."""
        h = self.rectangle_hex_at(x, y)
        return None if self.numbering_of(h) is None else self.label(h)

    def point_of(self, label: str) -> tuple[int, int] | None:
        """Return the pixel that VASSAL finds for a name; None if VASSAL refuses the name.

        This is what Send to Location and ``useGridLocation`` do, including their slips: the pixel
        may be up to two off the snap point, and for some numberings in another hex.
        """
        for board, numbering in self._numberings():
            read = numbering.numbers_as_vassal(label)
            if read is None:
                continue
            raw = numbering.raw_as_vassal(*read, self.maxima, self.sideways)
            if not self.boards or self.board_of(Hex(*raw)) is board:
                return self._turned(*self._spacing.named_center(*raw))
        return None

    def hex_of(self, label: str) -> Hex | None:
        """Return the hex with this printed label; the exact inverse of :meth:`label`.

        If several hexes print the same (no leading zeros, no separator), the one on the board is
        meant; None if there is no such hex or no way to choose.
        """
        found = self.hexes_of(label)
        if len(found) > 1:
            found = tuple(h for h in found if self.is_on_board(h))
        return found[0] if len(found) == 1 else None

    def hexes_of(self, label: str) -> tuple[Hex, ...]:
        """Return every hex, on the board or off it, that prints exactly this label."""
        found = (
            (board, Hex(*numbering.raw(*read, self.maxima, self.sideways)))
            for board, numbering in self._numberings()
            for read in numbering.readings(label)
        )
        return tuple(h for board, h in found if not self.boards or self.board_of(h) is board)

    def is_on_board(self, h: Hex) -> bool:
        """Return whether the snap point lies on the board, or within the bounds of the zone."""
        x, y = self.snap_point(h)
        left, top = self.extent_at
        width, height = self.extent
        return left <= x < left + width and top <= y < top + height

    # --- neighbors and sides ----------------------------------------------------------------

    @property
    def direction_names(self) -> tuple[str, ...]:
        """Names of directions 0..5, clockwise on the screen."""
        return POINTY_DIRECTIONS if self.sideways else FLAT_DIRECTIONS

    def neighbor(self, h: Hex, direction: int) -> Hex:
        """Return the hex beyond side ``direction`` (see :attr:`direction_names`)."""
        return lattice.neighbor(h, direction, sideways=self.sideways)

    def neighbors(self, h: Hex) -> tuple[Hex, ...]:
        """Return the six adjacent hexes in order of direction, on the board or not."""
        return tuple(self.neighbor(h, direction) for direction in range(6))

    def direction_to(self, a: Hex, b: Hex) -> int | None:
        """Return the direction from one hex to an adjacent one; None if they do not touch."""
        near = self.neighbors(a)
        return near.index(b) if b in near else None

    def hexside(self, h: Hex, direction: int) -> Hexside:
        """Return the side of a hex in its one form, the same from both hexes."""
        direction %= 6
        if direction < 3:
            return Hexside(h, direction)
        return Hexside(self.neighbor(h, direction), direction - 3)

    def side_between(self, a: Hex, b: Hex) -> Hexside:
        """Return the side that two adjacent hexes share; UsageError if they do not touch."""
        direction = self.direction_to(a, b)
        if direction is None:
            raise UsageError(f"hexes {tuple(a)} and {tuple(b)} do not touch")
        return self.hexside(a, direction)

    def side_hexes(self, side: Hexside) -> tuple[Hex, Hex]:
        """Return the two hexes of a side."""
        return side.hex, self.neighbor(side.hex, side.direction)

    def side_points(self, side: Hexside) -> tuple[Point, Point]:
        """Return the exact ends of a side, clockwise as seen from ``side.hex``."""
        return self.corner(side.hex, side.direction), self.corner(side.hex, side.direction + 1)

    def distance(self, a: Hex, b: Hex) -> int:
        """Return the range between two hexes, in hexes."""
        return lattice.distance(a, b)

    # --- whole maps -------------------------------------------------------------------------

    def hexes(self, columns: Span, rows: Span) -> Iterator[Hex]:
        """Yield the hexes of a block, column by column; a number n means 0 to n - 1."""
        rows = arrays.span(rows)
        return (Hex(column, row) for column in arrays.span(columns) for row in rows)

    def centers(self, columns: Span, rows: Span) -> FloatArray:
        """Return the exact centers of :meth:`hexes` as an array (n, 2)."""
        return self._screen(arrays.centers(self._spacing, columns, rows))

    def corners(self, columns: Span, rows: Span) -> FloatArray:
        """Return the exact polygons of :meth:`hexes` as an array (n, 6, 2)."""
        return self._screen(arrays.corners(self._spacing, self._corner_steps, columns, rows))

    def snap_points(self, columns: Span, rows: Span) -> IntArray:
        """Return the snap pixels of :meth:`hexes` as an array (n, 2)."""
        return self._screen(arrays.snap_points(self._spacing, columns, rows))

    def labels(self, columns: Span, rows: Span) -> list[str]:
        """Return the printed labels of :meth:`hexes`; UsageError without a numbering."""
        if self.numbering is None:
            raise UsageError("this grid has no numbering, so its hexes have no labels")
        if self.boards:
            return [self.label(h) for h in self.hexes(columns, rows)]
        return arrays.labels(self.numbering, self.maxima, self.sideways, columns, rows)

    def hexes_at(self, pixels: IntArray) -> IntArray:
        """Return :meth:`hex_at` of many pixels (n, 2) as an array (n, 2) of columns and rows."""
        return arrays.hexes_at(self._spacing, *self._screen(np.asarray(pixels, np.int64)).T)

    def hexes_containing(self, points: FloatArray) -> IntArray:
        """Return :meth:`hex_containing` of many points (n, 2) as an array (n, 2)."""
        return arrays.hexes_containing(
            self._spacing, *self._screen(np.asarray(points, np.float64)).T
        )

    # --- VASSAL's XML -----------------------------------------------------------------------

    def xml_attributes(self) -> tuple[dict[str, str], dict[str, str] | None]:
        """Return VASSAL's attribute texts of the grid and of its numbering, in VASSAL's order.

        VASSAL draws nothing (``visible`` is false). Numbers come back from the texts bit for bit,
        with one exception: if ``dx`` is VASSAL's default, VASSAL recomputes it from ``dy`` while
        reading, so beside another ``dy`` the next larger number is written.
        """
        dx = self.dx
        if dx == _VASSAL_DX and self.dy != _VASSAL_DY:
            dx = math.nextafter(dx, math.inf)
        grid = {
            "sideways": _flag(self.sideways),
            "x0": str(self.x0),
            "y0": str(self.y0),
            "dy": repr(float(self.dy)),
            "dx": repr(float(dx)),
            "snapTo": _flag(self.snap_to),
            "edgesLegal": _flag(self.edges_legal),
            "cornersLegal": _flag(self.corners_legal),
            "visible": "false",
            "dotsVisible": "false",
            "color": "0,0,0",
        }
        return grid, None if self.numbering is None else self.numbering.xml_attributes()

    @classmethod
    def from_xml_attributes(
        cls,
        grid: Mapping[str, str],
        numbering: Numbering | None,
        *,
        extent: tuple[int, int],
    ) -> HexGrid:
        """Return the grid that VASSAL makes of attribute texts; absent ones get its defaults.

        Raises UnreadableError for numbers that are none, or of no map.
        """
        try:
            dy = float(grid.get("dy", _VASSAL_DY))
            dx = float(grid["dx"]) if "dx" in grid else _VASSAL_DX
            # VASSAL's HexGrid.setAttribute: setting dy makes a default dx regular again.
            if dx == _VASSAL_DX and "dy" in grid:
                dx = math.sqrt(3) / 2 * dy
            x0, y0 = int(grid.get("x0", "0")), int(grid.get("y0", "32"))
        except ValueError as error:
            raise UnreadableError(f"hex grid: {str(error)[:80]}") from None
        made = cls(
            dx=dx,
            dy=dy,
            x0=x0,
            y0=y0,
            extent=extent,
            sideways=grid.get("sideways") == "true",
            edges_legal=grid.get("edgesLegal") == "true",
            corners_legal=grid.get("cornersLegal") == "true",
            snap_to=grid.get("snapTo", "true") == "true",
            numbering=numbering,
        )
        if not (_LEAST <= dx <= _MOST and _LEAST <= dy <= _MOST and max(abs(x0), abs(y0)) <= _MOST):
            raise UnreadableError("hex grid: dx, dy, x0 or y0 is beyond measure")
        return made

    # --- inside -----------------------------------------------------------------------------

    def _numberings(self) -> Iterator[tuple[NamedBoard | None, Numbering]]:
        """Yield each numbering in force, and the board whose hexes it names."""
        for board in self.boards:
            yield board, board.numbering
        if self.numbering is not None:
            yield None, self.numbering

    @property
    def _spacing(self) -> Spacing:
        return Spacing(self.dx, self.dy, self.x0, self.y0)

    @property
    def _corner_steps(self) -> tuple[tuple[int, int], ...]:
        return _POINTY_CORNERS if self.sideways else _FLAT_CORNERS

    def _turned(self, x: _Number, y: _Number) -> tuple[_Number, _Number]:
        """Exchange the axes of a sideways grid: from screen to grid axes and back."""
        return (y, x) if self.sideways else (x, y)

    def _screen(self, places: _Array) -> _Array:
        """Exchange the axes of many places at once; the last axis of the array is (x, y)."""
        return places[..., ::-1] if self.sideways else places


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _squared(a: tuple[int, int], b: tuple[int, int]) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2

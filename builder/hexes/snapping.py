"""VASSAL's whole-pixel arithmetic of hexes, in grid axes.

Source: VASSAL ``board.HexGrid`` (3.7.26, 3.8). Grid axes are the screen's axes, exchanged for a
sideways grid; whoever calls has exchanged them already. VASSAL mixes cutting, flooring and
rounding, so each formula here keeps the order of operations of the original.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import Final, NamedTuple

__all__ = ["Spacing", "polygon_contains"]

Pixel = tuple[int, int]

_FLOAT: Final = struct.Struct("f")


def _single(value: float) -> float:
    """Return the value in single precision, as Java's float holds it."""
    single: float = _FLOAT.unpack(_FLOAT.pack(value))[0]
    return single


def _round(value: float) -> int:
    """Return Java's ``Math.round``: half goes up, also below zero."""
    return math.floor(value + 0.5)


def polygon_contains(polygon: Sequence[Pixel], x: float, y: float) -> bool:
    """Return whether a polygon contains a point in Java's sense: left and top edges belong.

    Source: ``java.awt.Polygon.contains`` (even-odd rule).
    """
    is_inside = False
    x0, y0 = polygon[-1]
    for x1, y1 in polygon:
        if y0 != y1:
            left, top, right, bottom = (x0, y0, x1, y1) if y0 < y1 else (x1, y1, x0, y0)
            if top <= y < bottom and x < left + (y - top) * (right - left) / (bottom - top):
                is_inside = not is_inside
        x0, y0 = x1, y1
    return is_inside


class Spacing(NamedTuple):
    """Column distance, hex height and the center of hex (0, 0), in pixels along grid axes."""

    dx: float
    dy: float
    x0: int
    y0: int

    def center(self, column: int, row: int) -> Pixel:
        """Return the pixel of a hex center: each sum is cut towards zero."""
        half = int(self.dy / 2) if column % 2 else 0
        return int(self.dx * column + self.x0), int(self.dy * row + half + self.y0)

    def named_center(self, column: int, row: int) -> Pixel:
        """Return the pixel that VASSAL's lookup of a name gives, up to two off :meth:`center`."""
        half = self.dy / 2 if column % 2 else 0.0
        return int(column * self.dx) + self.x0, int(row * self.dy + half) + self.y0

    def rectangle_hex(self, x: float, y: float) -> Pixel:
        """Return column and row of the rectangle, one column wide, that holds the pixel."""
        column = math.floor((x - self.x0 + self.dx / 2) / self.dx)
        if column % 2:
            return column, math.floor((y - self.y0) / self.dy)
        return column, math.floor((y - self.y0 + self.dy / 2) / self.dy)

    def named_hex(self, x: float, y: float) -> Pixel:
        """Return column and row by which VASSAL names the pixel.

        The rectangle again, in another order of operations, which tells in the last bit.
        """
        column = math.floor((x - self.x0) / self.dx + 0.5)
        half = self.dy / 2 if column % 2 else 0.0
        return column, _round((y - self.y0 - half) / self.dy)

    def test_polygon(self, x: int, y: int) -> tuple[Pixel, ...]:
        """Return the whole-pixel polygon around a hex center, with which VASSAL tests clicks."""
        radius = _single(_single(2 * _single(self.dx)) / 3)
        half, height = _single(radius / 2), _single(_single(self.dy) / 2)
        far_left, left = _round(_single(x - radius)), _round(_single(x - half))
        right, far_right = _round(_single(x + half)) + 1, _round(_single(x + radius)) + 1
        top, bottom = _round(_single(y - height)), _round(_single(y + height)) + 1
        return (
            (far_left, y),
            (left, top),
            (right, top),
            (far_right, y),
            (right, bottom),
            (left, bottom),
        )

    def hex_at(self, x: int, y: int) -> Pixel:
        """Return column and row of the hex to which VASSAL 3.7 and later snap the pixel."""
        column, row = self.rectangle_hex(x, y)
        if polygon_contains(self.test_polygon(*self.center(column, row)), x, y):
            return column, row
        above = row if column % 2 else row - 1
        for near in (
            (column - 1, above),
            (column - 1, above + 1),
            (column + 1, above),
            (column + 1, above + 1),
        ):
            if polygon_contains(self.test_polygon(*self.center(*near)), x, y):
                return near
        return column, row

    def side_point(self, x: int, y: int) -> Pixel:
        """Return the middle of the hexside to which VASSAL snaps with ``edgesLegal``."""
        dx, dy, x0, y0 = self
        k = math.floor((x - x0 + dx / 4) * 2 / dx)
        side_x = int(dx / 2 * k + x0)
        if k % 2:
            return side_x, int(dy / 2 * math.floor((y - y0) * 2 / dy) + int(dy / 4) + y0)
        return side_x, int(dy / 2 * math.floor((y - y0 + dy / 4) * 2 / dy) + y0)

    def vertex_point(self, x: int, y: int) -> Pixel:
        """Return the corner to which VASSAL snaps with ``cornersLegal``."""
        dx, dy, x0, y0 = self
        j = math.floor((y - y0 + dy / 4) * 2 / dy)
        vertex_y = int(dy / 2 * j + y0)
        if j % 2:
            steps = int(math.floor(x - x0 + 2 * dx / 3) * 3 / (2 * dx))
            return int(2 * dx / 3 * steps - int(dx / 3) + x0), vertex_y
        steps = int(math.floor(x - x0 + dx / 3) * 3 / (2 * dx))
        return int(2 * dx / 3 * steps + x0), vertex_y

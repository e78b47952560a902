"""The grid's arithmetic for whole maps at once, with numpy, in grid axes.

Every function gives exactly what its scalar fellow in ``grid`` or ``snapping`` gives, bit for bit:
the operations and their order are the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from builder.hexes.numbering import Maxima, Numbering
from builder.hexes.snapping import Spacing

__all__ = ["FloatArray", "IntArray", "Span"]

FloatArray: TypeAlias = NDArray[np.float64]
IntArray: TypeAlias = NDArray[np.int64]
Span: TypeAlias = int | range
"""Columns or rows of a block: a number n means 0 to n - 1."""


def span(extent: Span) -> range:
    """Return the indices that a span means."""
    return range(extent) if isinstance(extent, int) else extent


def block(columns: Span, rows: Span) -> tuple[IntArray, IntArray]:
    """Return the column and the row of each hex of a block, column by column."""
    column = np.array(span(columns), dtype=np.int64)
    row = np.array(span(rows), dtype=np.int64)
    return np.repeat(column, len(row)), np.tile(row, len(column))


def centers(spacing: Spacing, columns: Span, rows: Span) -> FloatArray:
    """Return exact centers, (n, 2)."""
    dx, dy, x0, y0 = spacing
    column, row = block(columns, rows)
    half = np.where(column % 2 != 0, dy / 2, 0.0)
    return np.stack((x0 + dx * column, y0 + dy * row + half), axis=1)


def corners(
    spacing: Spacing, offsets: Sequence[tuple[int, int]], columns: Span, rows: Span
) -> FloatArray:
    """Return exact corners, (n, 6, 2); offsets are in thirds of a column and half rows."""
    dx, dy, x0, y0 = spacing
    column, row = block(columns, rows)
    thirds, halves = np.array(offsets, dtype=np.int64).T
    along = x0 + dx * (3 * column[:, None] + thirds) / 3
    across = y0 + dy * (2 * row[:, None] + column[:, None] % 2 + halves) / 2
    return np.stack((along, across), axis=2)


def snap_points(spacing: Spacing, columns: Span, rows: Span) -> IntArray:
    """Return VASSAL's snap pixels, (n, 2)."""
    return np.stack(_center_pixels(spacing, *block(columns, rows)), axis=1)


def labels(
    numbering: Numbering, maxima: Maxima, sideways: bool, columns: Span, rows: Span
) -> list[str]:
    """Return printed labels; the text of each index is made only once."""
    rows = span(rows)
    column_texts: dict[int, str] = {}
    row_texts: dict[int, str] = {}
    found = []
    for column in span(columns):
        for row in rows:
            column_number, row_number = numbering.printed(column, row, maxima, sideways)
            if (column_text := column_texts.get(column_number)) is None:
                column_text = column_texts[column_number] = numbering.column_text(column_number)
            if (row_text := row_texts.get(row_number)) is None:
                row_text = row_texts[row_number] = numbering.row_text(row_number)
            found.append(numbering.join(column_text, row_text))
    return found


def hexes_at(spacing: Spacing, x: IntArray, y: IntArray) -> IntArray:
    """Return columns and rows (n, 2) of the hexes at pixels, by VASSAL's polygon test."""
    dx, dy, x0, y0 = spacing
    column = np.floor((x - x0 + dx / 2) / dx).astype(np.int64)
    odd = column % 2 != 0
    row = np.floor(np.where(odd, y - y0, y - y0 + dy / 2) / dy).astype(np.int64)
    center_x, _ = _center_pixels(spacing, column, row)
    # Between the corners of its flat sides a hex meets no hex of another column; the four pixels
    # are what cutting and rounding of two centers and two edges can add up to.
    doubtful = np.flatnonzero(np.abs(x - center_x) > dx / 3 - 4)
    found = np.stack((column, row), axis=1)
    found[doubtful] = _tested(spacing, x[doubtful], y[doubtful], column[doubtful], row[doubtful])
    return found


def nearest(u: float, v: float) -> tuple[int, int]:
    """Return the hex that contains a point given in columns and rows from the center of (0, 0).

    In these units every hex grid is the regular one stretched, so rounding cube coordinates gives
    the exact polygon.
    """
    slant = v - u / 2
    q, r, s = math.floor(u + 0.5), math.floor(slant + 0.5), math.floor(0.5 - u - slant)
    off_q, off_r, off_s = abs(q - u), abs(r - slant), abs(s + u + slant)
    if off_q > off_r and off_q > off_s:
        q = -r - s
    elif off_r > off_s:
        r = -q - s
    return q, r + q // 2


def hexes_containing(spacing: Spacing, x: FloatArray, y: FloatArray) -> IntArray:
    """Return columns and rows (n, 2) of the hexes whose exact polygons contain points."""
    u = (x - spacing.x0) / spacing.dx
    slant = (y - spacing.y0) / spacing.dy - u / 2
    q, r, s = np.floor(u + 0.5), np.floor(slant + 0.5), np.floor(0.5 - u - slant)
    off_q, off_r, off_s = np.abs(q - u), np.abs(r - slant), np.abs(s + u + slant)
    turn_q = (off_q > off_r) & (off_q > off_s)
    turn_r = ~turn_q & (off_r > off_s)
    columns = np.where(turn_q, -r - s, q)
    slanted = np.where(turn_r, -q - s, r)
    return np.stack((columns, slanted + np.floor(columns / 2)), axis=1).astype(np.int64)


def _center_pixels(spacing: Spacing, column: IntArray, row: IntArray) -> tuple[IntArray, IntArray]:
    """Return what ``Spacing.center`` does; casting to integers cuts towards zero, as in Java."""
    dx, dy, x0, y0 = spacing
    half = np.where(column % 2 != 0, int(dy / 2), 0)
    return (dx * column + x0).astype(np.int64), (dy * row + half + y0).astype(np.int64)


def _tested(
    spacing: Spacing, x: IntArray, y: IntArray, column: IntArray, row: IntArray
) -> IntArray:
    """Return the rectangle's hex or, if the pixel lies outside it, the neighbor around it."""
    found = np.stack((column, row), axis=1)
    lost = np.flatnonzero(~_inside(spacing, x, y, column, row))
    above = np.where(column % 2 != 0, row, row - 1)
    for columns, rows in ((-1, 0), (-1, 1), (1, 0), (1, 1)):
        near_column, near_row = column[lost] + columns, above[lost] + rows
        hit = _inside(spacing, x[lost], y[lost], near_column, near_row)
        found[lost[hit]] = np.stack((near_column[hit], near_row[hit]), axis=1)
        lost = lost[~hit]
    return found


def _inside(
    spacing: Spacing, x: IntArray, y: IntArray, column: IntArray, row: IntArray
) -> NDArray[np.bool_]:
    """Return for each pixel whether VASSAL's test polygon of its hex contains it."""
    center_x, center_y = _center_pixels(spacing, column, row)
    single = np.float32
    radius = single(2) * single(spacing.dx) / single(3)
    half, height = radius / single(2), single(spacing.dy) / single(2)
    middle_x, middle_y = center_x.astype(single), center_y.astype(single)

    def rounded(value: NDArray[np.float32]) -> IntArray:
        return np.floor(value.astype(np.float64) + 0.5).astype(np.int64)

    far_left, left = rounded(middle_x - radius), rounded(middle_x - half)
    right, far_right = rounded(middle_x + half) + 1, rounded(middle_x + radius) + 1
    top, bottom = rounded(middle_y - height), rounded(middle_y + height) + 1
    is_upper = y < center_y
    # On the left side the polygon begins at its edge, on the right side it ends before its edge.
    end_y = np.where(is_upper, top, bottom)
    begin = _edge_x(y, end_y, left, center_y, far_left)
    end = _edge_x(y, end_y, right, center_y, far_right)
    return (top <= y) & (y < bottom) & (begin <= x) & (x < end)


def _edge_x(
    y: IntArray, end_y: IntArray, end_x: IntArray, middle_y: IntArray, middle_x: IntArray
) -> FloatArray:
    """Return where the edge between a flat side's corner and a far corner has height y."""
    is_upper = end_y < middle_y
    x0, y0 = np.where(is_upper, end_x, middle_x), np.where(is_upper, end_y, middle_y)
    x1, y1 = np.where(is_upper, middle_x, end_x), np.where(is_upper, middle_y, end_y)
    # Only very flat hexes have an edge without height; nothing is inside those rows.
    rise = np.where(y1 == y0, 1, y1 - y0)
    return np.asarray(x0 + (y - y0) * (x1 - x0) / rise, dtype=np.float64)

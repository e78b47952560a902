"""Shapes that look grown rather than tiled: rounded unions, smooth curves, level lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from builder.draw.map_plan import Floats, warped
from builder.draw.scene import Point, Ring

__all__ = [
    "chaikin",
    "grown",
    "level_rings",
    "lines_of",
    "ring_of",
    "rings_from",
    "rings_of",
    "spline",
]


def ring_of(points: Floats | Sequence[Sequence[float]]) -> Ring:
    """Return an array (n, 2) as points of a scene, cut to the micrometre."""
    return tuple(map(tuple, np.round(np.asarray(points, dtype=float), 3).tolist()))


def rings_from(points: Floats) -> list[Ring]:
    """Return an array (n, k, 2) as rings of a scene, all cut to the micrometre at once."""
    return [tuple(map(tuple, ring)) for ring in np.round(points, 3).tolist()]


def rings_of(shape: BaseGeometry) -> tuple[Ring, ...]:
    """Return outlines and holes of all polygons of a shape, for a fill under the even-odd rule."""
    rings: list[Ring] = []
    for part in shapely.get_parts(shape):
        if part.geom_type == "Polygon" and not part.is_empty:
            for ring in (part.exterior, *part.interiors):
                rings.append(ring_of(shapely.get_coordinates(ring)[:-1]))
    return tuple(rings)


def lines_of(shape: BaseGeometry) -> tuple[Ring, ...]:
    """Return all line strings of a shape as points of a scene."""
    return tuple(
        ring_of(shapely.get_coordinates(part))
        for part in shapely.get_parts(shape)
        if part.geom_type in {"LineString", "LinearRing"} and not part.is_empty
    )


def grown(
    shape: BaseGeometry, radius: float, *, wavelength: float = 0.0, reach: float = 0.0
) -> BaseGeometry:
    """Return a union of hexes with round corners and, if asked, a wandering outline.

    Concave and convex corners are rounded to ``radius`` (closing, then opening); the outline then
    wanders by at most ``reach`` over waves of ``wavelength``, all in millimetres.
    """
    if shape.is_empty:
        return shape
    closed = shape.buffer(radius, quad_segs=5).buffer(-2 * radius, quad_segs=5)
    smooth = closed.buffer(radius, quad_segs=5)
    if not reach:
        return smooth
    fine = shapely.segmentize(smooth, wavelength / 4)
    moved = shapely.transform(fine, lambda p: warped(p, wavelength, reach))
    return moved if moved.is_valid else moved.buffer(0)


def chaikin(points: Floats, rounds: int = 2, *, closed: bool = False) -> Floats:
    """Return a line with its corners cut ``rounds`` times; the ends of an open line stay.

    >>> chaikin(np.array([[0, 0], [4, 0], [4, 4]], float), 1).tolist()
    [[0.0, 0.0], [3.0, 0.0], [4.0, 1.0], [4.0, 4.0]]
    """
    for _ in range(rounds):
        after = np.roll(points, -1, axis=0) if closed else points[1:]
        before = points if closed else points[:-1]
        cut = np.empty((2 * len(before), 2))
        cut[0::2], cut[1::2] = 0.75 * before + 0.25 * after, 0.25 * before + 0.75 * after
        points = cut if closed else np.vstack([points[:1], cut[1:-1], points[-1:]])
    return points


def spline(points: Floats, steps: int = 8, *, tension: float = 0.5, closed: bool = False) -> Floats:
    """Return a smooth curve through all points (a cardinal spline; 0.5 is Catmull-Rom's).

    Point ``i`` of the input is point ``i * steps`` of the result.
    """
    if len(points) < 2:
        return points
    if closed:
        padded = np.vstack([points[-1:], points, points[:2]])
    else:
        padded = np.vstack([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    start, end = padded[1:-2], padded[2:-1]
    out, into = tension * (end - padded[:-3]), tension * (padded[3:] - start)
    t = (np.arange(steps) / steps)[None, :, None]
    curve = (
        (2 * t**3 - 3 * t**2 + 1) * start[:, None]
        + (t**3 - 2 * t**2 + t) * out[:, None]
        + (-2 * t**3 + 3 * t**2) * end[:, None]
        + (t**3 - t**2) * into[:, None]
    ).reshape(-1, 2)
    return curve if closed else np.vstack([curve, points[-1:]])


# Which two edges of a cell a level line joins, by the corners above the level (1 top left,
# 2 top right, 4 bottom right, 8 bottom left); edges: 0 top, 1 right, 2 bottom, 3 left. The order
# of the two keeps the high ground on the same hand, so every crossing has one way on.
_CELL_LINES: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = (
    (1, ((3, 0),)),
    (2, ((0, 1),)),
    (3, ((3, 1),)),
    (4, ((1, 2),)),
    (5, ((3, 0), (1, 2))),
    (6, ((0, 2),)),
    (7, ((3, 2),)),
    (8, ((2, 3),)),
    (9, ((2, 0),)),
    (10, ((0, 1), (2, 3))),
    (11, ((2, 1),)),
    (12, ((1, 3),)),
    (13, ((1, 0),)),
    (14, ((0, 3),)),
)


def level_rings(
    values: Floats, level: float, origin: Point, step: float, tolerance: float
) -> list[Floats]:
    """Return closed lines around all ground above ``level`` (marching squares).

    ``values`` (rows, columns) are heights at ``origin`` plus multiples of ``step``; lines are
    simplified by ``tolerance``. Filled together under the even-odd rule they are that ground.
    """
    low = min(level - 1, float(values.min(initial=level - 1)))
    field = np.pad(values, 1, constant_values=low)
    above = field > level
    if not above.any():
        return []
    height, width = field.shape
    kind = (
        above[:-1, :-1] * 1 + above[:-1, 1:] * 2 + above[1:, 1:] * 4 + above[1:, :-1] * 8
    ).astype(np.int64)
    # Edge numbers: horizontal ones first, then vertical ones.
    offset = height * width
    starts, ends = [], []
    crossed = np.flatnonzero((kind > 0) & (kind < 15))
    kinds = kind.reshape(-1)[crossed]
    for code, lines in _CELL_LINES:
        j, i = np.divmod(crossed[kinds == code], width - 1)
        if not len(j):
            continue
        edges = (
            j * width + i,
            offset + j * width + i + 1,
            (j + 1) * width + i,
            offset + j * width + i,
        )
        for first, second in lines:
            starts.append(edges[first])
            ends.append(edges[second])
    start, end = np.concatenate(starts), np.concatenate(ends)
    following = dict(zip(start.tolist(), end.tolist(), strict=True))
    place = dict(zip(start.tolist(), _crossings(field, start, level).tolist(), strict=True))
    rings = []
    while following:
        first, edge = following.popitem()
        points = [place[first]]
        while edge != first:
            points.append(place[edge])
            edge = following.pop(edge)
        rings.append(points)
    shift = np.array(origin) - step
    return _simplified([np.array(r) * step + shift for r in rings if len(r) > 3], tolerance)


def _crossings(field: Floats, edges: NDArray[np.int64], level: float) -> Floats:
    """Return where the level crosses edges, in cells of the padded field."""
    height, width = field.shape
    vertical = edges >= height * width
    j, i = np.divmod(edges % (height * width), width)
    one = field[j, i]
    two = field[np.minimum(j + vertical, height - 1), np.minimum(i + ~vertical, width - 1)]
    share = (level - one) / (two - one)
    return np.column_stack([i + np.where(vertical, 0.0, share), j + np.where(vertical, share, 0.0)])


def _simplified(rings: Iterable[Floats], tolerance: float) -> list[Floats]:
    closed = [shapely.linearrings(ring) for ring in rings]
    if not closed:
        return []
    simple = shapely.simplify(np.array(closed, dtype=object), tolerance)
    found = [shapely.get_coordinates(ring)[:-1] for ring in simple]
    return [ring for ring in found if len(ring) > 3]

"""The hexes of one sheet as shapes: polygons with a spatial index, edge ring, corner graph.

Everything is in board pixels. Corners come from the grid's exact lattice, so shared corners are
one vertex here, and chains of hexsides can be followed by their ends.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import shapely
from shapely import STRtree
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from builder.hexes.grid import HexGrid
from builder.hexes.lattice import Hex, Hexside

__all__ = ["HexField", "Joint", "SideStep", "line_parts"]


class Joint(NamedTuple):
    """A corner where hexes meet, as whole 1/64 pixels: equal corners are equal joints."""

    x: int
    y: int

    @property
    def point(self) -> tuple[float, float]:
        """The corner in board pixels."""
        return self.x / _FINE, self.y / _FINE


class SideStep(NamedTuple):
    """A step along a hexside from one corner to another; left and right as one walks."""

    side: Hexside
    end: Joint
    left: Hex
    right: Hex


def line_parts(shape: BaseGeometry) -> list[LineString]:
    """Return the lines of a shape that have a length, in their order.

    >>> line_parts(shapely.from_wkt("GEOMETRYCOLLECTION (POINT (1 1), LINESTRING (0 0, 2 0))"))
    [<LINESTRING (0 0, 2 0)>]
    """
    found: list[LineString] = []
    for part in shapely.get_parts(shape):
        if isinstance(part, LineString):
            if part.length > 0:
                found.append(part)
        elif hasattr(part, "geoms"):
            found.extend(line_parts(part))
    return found


def _with_length(points: list[tuple[float, float]]) -> Iterator[LineString]:
    if len(points) > 1 and (line := LineString(points)).length > 0:
        yield line


# Fine enough to tell corners apart on a grid of one-pixel hexes; coarse enough to swallow rounding.
_FINE = 64


class HexField:
    """A rectangle of ``columns`` × ``rows`` hexes of a grid (raw indices from 0), ready to overlay.

    Only sides between two hexes of the field are in the corner graph: a river never runs outside.
    """

    def __init__(self, grid: HexGrid, columns: int, rows: int) -> None:
        """Lay out the field; shapes are made when first asked for."""
        self.grid = grid
        self.columns = columns
        self.rows = rows
        self.hexes: tuple[Hex, ...] = tuple(
            Hex(column, row) for column in range(columns) for row in range(rows)
        )

    def __contains__(self, hex_: object) -> bool:
        """Tell whether a hex lies in the field."""
        return (
            isinstance(hex_, Hex) and 0 <= hex_.column < self.columns and 0 <= hex_.row < self.rows
        )

    @cached_property
    def polygons(self) -> dict[Hex, Polygon]:
        """The outline of every hex."""
        return {h: Polygon(self.grid.polygon(h)) for h in self.hexes}

    @cached_property
    def index(self) -> STRtree:
        """Spatial index over the polygons, in the order of ``hexes``."""
        return STRtree(list(self.polygons.values()))

    @cached_property
    def hull(self) -> Polygon:
        """The sheet without the notches between the hexes of its edge (the convex hull).

        Lines are cut by the hull rather than by the outline of the hexes, else a line along the
        edge would fall into pieces at every notch.
        """
        hull = shapely.convex_hull(shapely.multipolygons(list(self.polygons.values())))
        assert isinstance(hull, Polygon)
        return hull

    @cached_property
    def side_length(self) -> float:
        """The mean length of the sides of a hex, in pixels: the unit for "near"."""
        return float(self.polygons[self.hexes[0]].length) / 6

    @cached_property
    def edge(self) -> tuple[Hex, ...]:
        """The hexes at the edge of the sheet in ring order, neighbors beside each other."""
        right, bottom = self.columns - 1, self.rows - 1
        ring = [Hex(column, 0) for column in range(self.columns)]
        ring += [Hex(right, row) for row in range(1, self.rows)]
        if bottom > 0:
            ring += [Hex(column, bottom) for column in range(right - 1, -1, -1)]
        if right > 0:
            ring += [Hex(0, row) for row in range(bottom - 1, 0, -1)]
        return tuple(ring)

    @cached_property
    def _edge_set(self) -> frozenset[Hex]:
        return frozenset(self.edge)

    def is_edge(self, hex_: Hex) -> bool:
        """Tell whether a hex lies at the edge of the sheet."""
        return hex_ in self._edge_set

    def near_edge(self, x: float, y: float, count: int = 1) -> tuple[Hex, ...]:
        """Return the edge hex whose center is nearest to a point, then its ring neighbors.

        ``count`` is odd: one hex, or as many on either side, nearer ones first; a ring that is
        shorter gives fewer.
        """
        ring = self.edge
        nearest = min(range(len(ring)), key=lambda i: (self.center_distance(ring[i], x, y), i))
        order = [nearest]
        for away in range(1, count // 2 + 1):
            order += [(nearest - away) % len(ring), (nearest + away) % len(ring)]
        return tuple(dict.fromkeys(ring[i] for i in order))

    def center_distance(self, hex_: Hex, x: float, y: float) -> float:
        """Return the distance in pixels from a point to the center of a hex."""
        cx, cy = self.grid.center(hex_)
        return float(((cx - x) ** 2 + (cy - y) ** 2) ** 0.5)

    def hex_near(self, x: float, y: float) -> Hex:
        """Return the hex of the field that holds the point, or else the one nearest to it."""
        found = self.grid.hex_containing(x, y)
        if found in self:
            return found
        point = shapely.Point(x, y)
        nearest: list[Hex] = [self.hexes[int(i)] for i in self.index.query_nearest(point)]
        return min(nearest, key=lambda h: (self.center_distance(h, x, y), h))

    def visits(self, line: BaseGeometry) -> list[LineString]:
        """Return the pieces of a line that lie on the sheet, in its order and direction.

        Cut segment by segment: an overlay of the whole line would also cut it where it crosses
        itself, and promises neither order nor direction. Pieces without length are left out.
        """
        return [piece for part in line_parts(line) for piece in self._visits(part)]

    def _visits(self, line: LineString) -> Iterator[LineString]:
        hull = self.hull
        shapely.prepare(hull)
        run: list[tuple[float, float]] = []
        points = [(float(x), float(y)) for x, y in shapely.get_coordinates(line)]
        for start, end in itertools.pairwise(points):
            segment = LineString([start, end])
            if hull.covers(segment):
                run = run or [start]
                run.append(end)
                continue
            cut = [
                (float(x), float(y)) for x, y in shapely.get_coordinates(hull.intersection(segment))
            ]
            # The cut of a segment may come back turned round.
            cut.sort(
                key=lambda p: (
                    (p[0] - start[0]) * (end[0] - start[0])
                    + (p[1] - start[1]) * (end[1] - start[1])
                )
            )
            if len(cut) > 1 and hull.covers(shapely.Point(start)):
                run = [*(run or [start]), *cut[1:]]
            elif len(cut) > 1:
                run = cut
            if len(cut) < 2 or not hull.covers(shapely.Point(end)):
                yield from _with_length(run)
                run = []
        yield from _with_length(run)

    def leaves_at(self, point: BaseGeometry) -> bool:
        """Tell whether a piece of :meth:`visits` ends at this point because the sheet ends."""
        return float(self.hull.exterior.distance(point)) <= 1e-6 * self.side_length

    def overlapping(self, shape: BaseGeometry) -> Iterator[Hex]:
        """Yield the hexes whose bounding box meets that of a shape, in the order of ``hexes``."""
        for i in sorted(int(k) for k in self.index.query(shape)):
            yield self.hexes[i]

    @cached_property
    def steps(self) -> dict[Joint, tuple[SideStep, ...]]:
        """The corner graph: from each corner, the steps along inner hexsides."""
        found: dict[Joint, list[SideStep]] = {}
        for hex_ in self.hexes:
            for direction in range(6):
                side = self.grid.hexside(hex_, direction)
                if side.hex != hex_ or side.direction != direction:
                    continue
                other = self.grid.neighbor(hex_, direction)
                if other not in self:
                    continue
                a, b = (self._joint(p) for p in self.grid.side_points(side))
                left, right = self._banks(hex_, other, a, b)
                found.setdefault(a, []).append(SideStep(side, b, left, right))
                found.setdefault(b, []).append(SideStep(side, a, right, left))
        return {joint: tuple(sorted(steps)) for joint, steps in sorted(found.items())}

    @staticmethod
    def _joint(point: tuple[float, float]) -> Joint:
        return Joint(round(point[0] * _FINE), round(point[1] * _FINE))

    def _banks(self, one: Hex, two: Hex, a: Joint, b: Joint) -> tuple[Hex, Hex]:
        """Return the two hexes as left and right of the way from ``a`` to ``b`` (y runs down)."""
        (ax, ay), (bx, by) = a.point, b.point
        cx, cy = self.grid.center(one)
        turn = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        return (one, two) if turn < 0 else (two, one)

    @cached_property
    def edge_joints(self) -> frozenset[Joint]:
        """The corners of the graph at which a chain can leave the sheet."""
        count: dict[Joint, int] = {}
        for hex_ in self.hexes:
            for point in self.grid.polygon(hex_):
                joint = self._joint(point)
                count[joint] = count.get(joint, 0) + 1
        return frozenset(j for j in self.steps if count[j] < 3)

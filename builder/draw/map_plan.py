"""The map's geometry in millimetres, computed once and shared by everything drawn on it.

Board pixels of the grid become millimetres here and nowhere else. Lengths of the style are in
hundredths of a hex's height; :meth:`Plan.size` turns them into millimetres.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import MultiPolygon, Polygon, STRtree
from shapely.geometry.base import BaseGeometry

from builder.draw.scene import Point
from builder.gamebox.model import MapSheet
from builder.hexes.boards import NamedBoard
from builder.hexes.grid import Hex, HexGrid, Hexside

__all__ = [
    "CutBoard",
    "Floats",
    "Ints",
    "KeepOff",
    "Plan",
    "Shapes",
    "hash01",
    "noise",
    "plan_of",
    "points_of",
    "polygons_of",
    "warped",
]

Floats: TypeAlias = NDArray[np.float64]
"""Coordinates in millimetres: (n, 2), or (n,) for one axis."""
Ints: TypeAlias = NDArray[np.int64]
Shapes: TypeAlias = NDArray[np.object_]
"""Shapely geometries, (n,)."""


@dataclass(frozen=True, slots=True)
class CutBoard:
    """A board that ends in the centers of its outermost hexes, and the rectangle that it shows."""

    board: NamedBoard
    outline: Polygon


@dataclass(frozen=True, slots=True)
class Plan:
    """A map sheet laid out on paper.

    ``unit`` is the height of a hex from flat side to flat side in millimetres; ``hexes`` are all
    hexes of the map in its own order, and row ``i`` of ``centers`` (n, 2), ``corners`` (n, 6, 2)
    and ``polygons`` belongs to ``hexes[i]``; ``field`` is the union of all hexes. If there are
    ``boards`` that are cut, what lies beside them is off the board though it is on the map;
    ``ground`` is the union of the hexes that are not.
    """

    sheet: MapSheet
    scale: float
    unit: float
    width: float
    height: float
    hexes: tuple[Hex, ...]
    index: Mapping[Hex, int]
    centers: Floats
    corners: Floats
    polygons: NDArray[np.object_]
    field: BaseGeometry
    boards: tuple[CutBoard, ...]
    ground: BaseGeometry

    def size(self, hundredths: float) -> float:
        """Return millimetres for hundredths of a hex's height."""
        return hundredths * self.unit / 100

    def center(self, hex_: Hex) -> Point:
        """Return the center of a hex, on the map or not, in millimetres."""
        x, y = self.sheet.grid.center(hex_)
        return x * self.scale, y * self.scale

    def side(self, side: Hexside) -> tuple[Point, Point]:
        """Return both ends of a hexside in millimetres."""
        (ax, ay), (bx, by) = self.sheet.grid.side_points(side)
        return (ax * self.scale, ay * self.scale), (bx * self.scale, by * self.scale)

    def side_middle(self, hex_: Hex, direction: int) -> Point:
        """Return the middle of one side of a hex in millimetres."""
        (ax, ay), (bx, by) = self.side(self.sheet.grid.hexside(hex_, direction))
        return (ax + bx) / 2, (ay + by) / 2

    def rows(self, hexes: Iterable[Hex]) -> Ints:
        """Return the rows of these hexes in the arrays; hexes off the map are left out."""
        index = self.index
        return np.array([index[h] for h in hexes if h in index], dtype=np.int64)

    def union(self, hexes: Iterable[Hex]) -> BaseGeometry:
        """Return the union of hexes; corners are shared exactly, so nothing is left between."""
        rows = self.rows(hexes)
        if not len(rows):
            return MultiPolygon()
        return shapely.coverage_union_all(self.polygons[rows])

    def with_feature(self, feature: str) -> tuple[Hex, ...]:
        """Return the hexes whose terrain has a base or flag of that name."""
        terrain = self.sheet.terrain
        return tuple(h for h in self.hexes if h in terrain and feature in terrain[h].features)

    def is_beyond(self, hex_: Hex) -> bool:
        """Tell whether a hex lies off the map, or beside its boards if they are cut."""
        if hex_ not in self.sheet:
            return True
        return bool(self.boards) and not any(b.board.covers(hex_) for b in self.boards)

    def outward(self, hex_: Hex) -> Point | None:
        """Return the unit vector that points off the map from an edge hex, or ``None``."""
        x, y = self.center(hex_)
        off = [n for n in self.sheet.grid.neighbors(hex_) if n not in self.sheet]
        dx = sum(self.center(n)[0] - x for n in off)
        dy = sum(self.center(n)[1] - y for n in off)
        length = math.hypot(dx, dy)
        return (dx / length, dy / length) if length > 1e-6 * self.unit else None


def polygons_of(corners: Floats) -> Shapes:
    """Return polygons (n,) of corners (n, k, 2)."""
    # One polygon would come as a scalar, so the answer is made an array in any case.
    return np.atleast_1d(np.asarray(shapely.polygons(corners), dtype=object))


def points_of(places: Floats) -> Shapes:
    """Return points (n,) of places (n, 2)."""
    return np.atleast_1d(np.asarray(shapely.points(places), dtype=object))


class KeepOff:
    """Where trees, houses and numbers do not stand: near lines, and within polygons."""

    def __init__(self, lines: Iterable[BaseGeometry], polygons: Iterable[BaseGeometry]) -> None:
        """Index the parts of ``lines`` and the ``polygons``."""
        self._parts = [p for line in lines for p in shapely.get_parts(line) if not p.is_empty]
        self._grounds = [p for p in polygons if not p.is_empty]
        self._lines = STRtree(self._parts)
        self._polygons = STRtree(self._grounds)

    def with_polygons(self, polygons: Iterable[BaseGeometry]) -> KeepOff:
        """Return the same with further polygons."""
        return KeepOff(self._parts, [*self._grounds, *polygons])

    def hits(self, shapes: NDArray[np.object_], distance: float) -> NDArray[np.bool_]:
        """Tell which shapes lie within a distance of a line, or touch a polygon."""
        hit = np.zeros(len(shapes), dtype=bool)
        if len(shapes):
            near, _ = self._lines.query(shapes, predicate="dwithin", distance=distance)
            hit[near] = True
            inside, _ = self._polygons.query(shapes, predicate="intersects")
            hit[inside] = True
        return hit


def plan_of(sheet: MapSheet) -> Plan:
    """Return the plan of a map sheet."""
    scale = 1 / sheet.frame.px_per_mm
    grid = sheet.grid
    hexes = tuple(sheet.hexes())
    corners = grid.corners(sheet.columns, sheet.rows) * scale
    polygons = polygons_of(corners)
    field = shapely.coverage_union_all(polygons) if hexes else Polygon()
    boards = tuple(CutBoard(b, _outline(grid, b, scale)) for b in grid.boards if b.is_cut)
    on_board = [any(b.board.covers(h) for b in boards) for h in hexes]
    return Plan(
        sheet=sheet,
        scale=scale,
        unit=min(grid.dy, grid.dx * 2 / math.sqrt(3)) * scale,
        width=sheet.frame.width * scale,
        height=sheet.frame.height * scale,
        hexes=hexes,
        index={h: i for i, h in enumerate(hexes)},
        centers=grid.centers(sheet.columns, sheet.rows) * scale,
        corners=corners,
        polygons=polygons,
        field=field,
        boards=boards,
        ground=shapely.coverage_union_all(polygons[on_board]) if boards else field,
    )


def _outline(grid: HexGrid, board: NamedBoard, scale: float) -> Polygon:
    """Return the rectangle through the centers of a cut board's outermost hexes."""
    # of the first row only the columns that lie half a hex lower belong to the board
    low, end = board.column | 1, board.column + board.columns - 1
    along, across = (1, 0) if grid.sideways else (0, 1)
    left, right = (grid.center(Hex(c, board.row))[along] * scale for c in (board.column, end))
    rows = board.row, board.row + board.rows - 1
    top, bottom = (grid.center(Hex(low, r))[across] * scale for r in rows)
    if grid.sideways:
        return shapely.box(top, left, bottom, right)
    return shapely.box(left, top, right, bottom)


def hash01(a: NDArray[np.int64] | int, b: NDArray[np.int64] | int, seed: int) -> Floats:
    """Return numbers in [0, 1) that depend on two whole numbers and a seed, and on nothing else.

    This takes the place of random numbers: the same hex always gets the same trees.

    >>> float(hash01(3, 4, 1)) == float(hash01(3, 4, 1)) != float(hash01(4, 3, 1))
    True
    """
    # The mixing steps of a well-known 32-bit finalizer (two odd factors, three shifts).
    mask = np.uint64(0xFFFFFFFF)
    x = np.asarray(a).astype(np.uint64) * np.uint64(0x9E3779B1)
    x += np.asarray(b).astype(np.uint64) * np.uint64(0x85EBCA77)
    x = (x + np.uint64(seed * 0xC2B2AE3D & 0xFFFFFFFF)) & mask
    for factor in (0x7FEB352D, 0x846CA68B):
        x = ((x ^ (x >> np.uint64(15))) * np.uint64(factor)) & mask
    x ^= x >> np.uint64(16)
    result: Floats = np.asarray(x & mask, dtype=np.float64) / 2.0**32
    return result


def noise(x: Floats, y: Floats, seed: int) -> Floats:
    """Return smooth noise in [0, 1] at points whose unit is one cell of the noise."""
    left, top = np.floor(x), np.floor(y)
    fx, fy = x - left, y - top
    fx, fy = fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy)
    # Shifted, as whole numbers below zero would not survive the unsigned hash.
    i, j = left.astype(np.int64) + 4096, top.astype(np.int64) + 4096
    upper = hash01(i, j, seed) * (1 - fx) + hash01(i + 1, j, seed) * fx
    lower = hash01(i, j + 1, seed) * (1 - fx) + hash01(i + 1, j + 1, seed) * fx
    result: Floats = upper * (1 - fy) + lower * fy
    return result


def warped(points: Floats, wavelength: float, reach: float, seed: int = 7) -> Floats:
    """Return points moved by a smooth field, at most ``reach`` in each axis.

    Neighbors move alike, so outlines stay simple as long as reach is well below wavelength.
    """
    x, y = points[:, 0] / wavelength, points[:, 1] / wavelength
    shift = np.column_stack([noise(x, y, seed), noise(x, y, seed + 1)])
    result: Floats = points + (2 * shift - 1) * reach
    return result

"""Towns and villages: small footprints of buildings, in blocks or along the roads."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import shapely
from shapely import STRtree
from shapely.geometry.base import BaseGeometry

from builder.draw.map_lines import Linework
from builder.draw.map_plan import Floats, KeepOff, Plan, hash01, points_of, polygons_of
from builder.draw.map_shapes import grown, ring_of, rings_from, rings_of
from builder.draw.map_style import MapStyle
from builder.draw.scene import Element, Fill, Stroke
from builder.hexes.grid import Hex

__all__ = ["built_up"]

_SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]) / 2


def _rectangles(places: Floats, sizes: Floats, angles: Floats) -> Floats:
    """Return corners (n, 4, 2) of rectangles of these sizes (n, 2), turned about their places."""
    flat = _SQUARE[None] * sizes[:, None]
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    x = flat[..., 0] * cos - flat[..., 1] * sin
    y = flat[..., 0] * sin + flat[..., 1] * cos
    return np.stack([x, y], axis=-1) + places[:, None]


def _number_box(plan: Plan, rows: Sequence[int]) -> list[BaseGeometry]:
    boxes = []
    for row in rows:
        x, top = plan.centers[row][0], plan.corners[row][:, 1].min()
        depth = plan.size(26 if plan.sheet.grid.sideways else 17)
        boxes.append(shapely.box(x - plan.size(15), top, x + plan.size(15), top + depth))
    return boxes


def built_up(
    plan: Plan, style: MapStyle, name: str, lines: Linework, keep_off: KeepOff
) -> Iterator[Element]:
    """Yield the ground, streets and buildings of all hexes of one base terrain.

    No building touches a road, a river, the hex's number or ``keep_off``.
    """
    area = style.terrain[name]
    hexes = plan.with_feature(name)
    if not hexes:
        return
    rows = plan.rows(hexes)
    town = area.kind == "houses"
    shape = (
        plan.union(hexes).buffer(-plan.size(7))
        if town
        else shapely.union_all(points_of(plan.centers[rows])).buffer(plan.size(34))
    )
    ground = grown(shape, plan.size(16), wavelength=plan.size(45), reach=plan.size(4))
    yield Fill(rings_of(ground), style.ink(area.color), 0.85 if town else 0.55)
    roads = [curve for _, curve in lines.links]
    tree = STRtree([shapely.LineString(c) for c in roads]) if roads else None
    numbers = shapely.union_all(_number_box(plan, rows.tolist()))
    shapely.prepare(numbers)
    inner = ground.buffer(-plan.size(2.5))
    shapely.prepare(inner)
    houses: list[Floats] = []
    streets: list[Floats] = []
    for h, row in zip(hexes, rows.tolist(), strict=True):
        near = _roads_near(plan, tree, roads, plan.centers[row])
        if town:
            found, lanes = _town(plan, h, plan.centers[row], near)
            streets += lanes
        else:
            found = _village(plan, h, plan.centers[row], near)
        houses.append(found)
    if streets:
        shown = shapely.intersection(
            shapely.multilinestrings([shapely.LineString(s) for s in streets]), inner
        )
        parts = [p for p in shapely.get_parts(shown) if p.length > plan.size(5)]
        casing = tuple(ring_of(shapely.get_coordinates(p)) for p in parts)
        yield Stroke(casing, style.ink(style.sheet.paper), plan.size(2.6), cap="butt")
    everything = np.concatenate(houses)
    shapes = polygons_of(everything)
    kept = shapely.contains(inner, shapes) & ~shapely.intersects(numbers, shapes)
    kept &= ~keep_off.hits(shapes, plan.size(6.4))
    rings = tuple(rings_from(_apart(everything[kept])))
    if rings:
        wall, edge = (style.ink(c) for c in area.detail[:2])
        yield Fill(rings, wall)
        yield Stroke(rings, edge, plan.size(0.55), closed=True, join="miter")


def _apart(rectangles: Floats) -> Floats:
    """Return the rectangles that touch no earlier one."""
    if not len(rectangles):
        return rectangles
    shapes = polygons_of(rectangles)
    one, two = STRtree(shapes).query(shapes, predicate="intersects")
    before: dict[int, list[int]] = {}
    for a, b in zip(one.tolist(), two.tolist(), strict=True):
        if b < a:
            before.setdefault(a, []).append(b)
    kept: set[int] = set()
    for number in range(len(rectangles)):
        if not any(b in kept for b in before.get(number, ())):
            kept.add(number)
    return rectangles[sorted(kept)]


def _roads_near(
    plan: Plan, tree: STRtree | None, roads: Sequence[Floats], center: Floats
) -> list[Floats]:
    if tree is None:
        return []
    disc = shapely.Point(center).buffer(plan.size(20))
    return [roads[i] for i in sorted(tree.query(disc, predicate="intersects").tolist())]


def _town(
    plan: Plan, h: Hex, center: Floats, roads: Sequence[Floats]
) -> tuple[Floats, list[Floats]]:
    """Blocks of houses on a street grid that follows the first road through the hex."""
    angle = float(hash01(h.column, h.row, 31)) * math.pi / 2
    if roads:
        ends = roads[0][-1] - roads[0][0]
        angle = math.atan2(ends[1], ends[0])
    along, across = plan.size(21), plan.size(15.5)
    count = 4
    i, j = (a.reshape(-1) for a in np.meshgrid(np.arange(-count, count), np.arange(-5, 5)))
    # Rows of blocks are shifted against each other, as streets of old towns are.
    shift = hash01(j + 64, np.full_like(j, h.column * 64 + h.row), 32) * along
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    blocks = np.column_stack([(i + 0.5) * along + shift, (j + 0.5) * across])
    key = h.column * 4096 + h.row * 64
    houses = []
    for part in range(6):
        # Three houses on either side of a block, unequal, some left out for gardens.
        width = along * 0.27 * (0.8 + 0.4 * hash01(i + 64, j + key, 33 + part))
        depth = across * (0.26 + 0.14 * hash01(i + 64, j + key, 43 + part))
        hand = -1.0 if part < 3 else 1.0
        x = blocks[:, 0] + (part % 3 - 1) * along * 0.28
        y = blocks[:, 1] + hand * (across * 0.39 - depth / 2)
        is_built = hash01(i + 64, j + key, 63 + part) < 0.8
        places = np.column_stack([x, y])[is_built] @ turn + center
        sizes = np.column_stack([width, depth])[is_built]
        houses.append(_rectangles(places, sizes, np.full(len(sizes), angle)))
    found = np.concatenate(houses)
    near = np.hypot(*(found.mean(axis=1) - center).T) < plan.size(46)
    lanes = []
    reach = plan.size(48)
    for k in range(-4, 5):
        ends = [(-reach, k * across), (reach, k * across)]
        lanes.append(np.array(ends) @ turn + center)
    for k, block in zip(j.tolist(), blocks[:, 0].tolist(), strict=True):
        side = block + along / 2
        ends = [(side, k * across), (side, (k + 1) * across)]
        lanes.append(np.array(ends) @ turn + center)
    disc = shapely.Point(center).buffer(plan.size(46))
    inside = [shapely.get_coordinates(disc.intersection(shapely.LineString(s))) for s in lanes]
    return found[near], [s for s in inside if len(s) > 1]


def _village(plan: Plan, h: Hex, center: Floats, roads: Sequence[Floats]) -> Floats:
    """Houses on both sides of the roads, or around a green if no road comes here."""
    places: list[Floats] = []
    angles: list[float] = []
    for curve in roads:
        line = shapely.LineString(curve)
        along = np.arange(plan.size(3.7), line.length - plan.size(3.7), plan.size(7.4))
        a, b = (
            shapely.get_coordinates(shapely.line_interpolate_point(line, along + ahead))
            for ahead in (-0.1, 0.1)
        )
        run = (b - a) / np.hypot(*(b - a).T)[:, None]
        off = np.column_stack([-run[:, 1], run[:, 0]]) * plan.size(10.2)
        places += [p for pair in zip(a - off, a + off, strict=True) for p in pair]
        angles += np.repeat(np.arctan2(run[:, 1], run[:, 0]), 2).tolist()
    if not roads:
        for step in range(9):
            angle = step * 2.4
            reach = plan.size(7 + 6.5 * math.sqrt(step))
            places.append(center + reach * np.array([math.cos(angle), math.sin(angle)]))
            angles.append(angle)
    at = np.array(places).reshape(-1, 2)
    distance = np.hypot(*(at - center).T)
    number = np.arange(len(at))
    key = h.column * 64 + h.row
    # Fewer houses further out.
    kept = hash01(number, key, 71) < 1.25 - distance / plan.size(42)
    wide = plan.size(5.6) * (0.75 + 0.5 * hash01(number, key, 72))
    deep = plan.size(4.4) * (0.8 + 0.4 * hash01(number, key, 73))
    sizes = np.column_stack([wide, deep])
    return _rectangles(at[kept], sizes[kept], np.array(angles)[kept])

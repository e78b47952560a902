"""Buildings: single houses, and large ones that fill several hexes around their interior."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from builder.draw.map_lines import Linework
from builder.draw.map_plan import Floats, Plan, hash01
from builder.draw.map_shapes import ring_of, rings_from, rings_of
from builder.draw.map_style import MapStyle
from builder.draw.scene import Element, Fill, Stroke, rectangle
from builder.hexes.grid import Hex

__all__ = ["building_elements"]

REACH, DEPTH = 0.28, 0.8
"""How far a large building reaches: beyond the middles of the next columns, and up and down from
the middle of an interior hex; as shares of a column and of a hex. So it stays in its hexes."""
WING, TIP = 0.28, 0.2
"""Half the width of the wings that reach into the hexes above and below, and how far beyond their
middles."""


def building_elements(plan: Plan, style: MapStyle, name: str, lines: Linework) -> Iterator[Element]:
    """Yield all buildings of one base terrain.

    A building hex beside an interior one is part of a large building, any other has a house of its
    own. Interior hexes have another roof, houses of two storeys a stairwell. The fourth and fifth
    color of the style's detail, if any, are those of low roofs.
    """
    inner = _flagged(plan, style, name, "interior")
    tall = _flagged(plan, style, name, "storeys")
    hexes = plan.with_feature(name)
    near = {n for h in inner for n in plan.sheet.grid.neighbors(h)}
    area = style.terrain[name]
    inks = [style.ink(c) for c in area.detail[:3]]
    wooden = (
        [style.ink(c) for c in (*area.detail[3:5], area.detail[2])] if area.detail[4:] else inks
    )
    yards = plan.union(hexes).buffer(-plan.size(4), join_style="round")
    yield Fill(rings_of(yards), style.ink(area.color), area.opacity)
    if inner:
        ground = plan.union(h for h in hexes if h in inner or h in near)
        yield from _hall(plan, style, inner, ground, inks)
    alone = [h for h in hexes if h not in inner and h not in near]
    for is_tall, colors in ((False, wooden), (True, inks)):
        own = [h for h in alone if (h in tall) == is_tall]
        yield from _houses(plan, [r for h in own for r in _roofs(plan, lines, h, is_tall)], colors)
    for kind_name, kind in style.terrain.items():
        if kind.kind == "storeys":
            own = [h for h in plan.with_feature(kind_name) if h in tall]
            yield from _stairwells(plan, own, style.ink(kind.color), style.ink(kind.detail[0]))


def _flagged(plan: Plan, style: MapStyle, name: str, kind: str) -> dict[Hex, str]:
    """Return the building hexes that also have terrain of a kind, with its name."""
    found: dict[Hex, str] = {}
    for flag, area in style.terrain.items():
        if area.kind == kind:
            found |= dict.fromkeys(
                (h for h in plan.with_feature(flag) if name in plan.sheet.terrain[h].features), flag
            )
    return found


def _hall(
    plan: Plan, style: MapStyle, inner: dict[Hex, str], ground: BaseGeometry, inks: Sequence[str]
) -> Iterator[Element]:
    """Yield the large buildings around interior hexes, within their ground: wings in steps."""
    grid = plan.sheet.grid
    parts: list[BaseGeometry] = []
    for h in inner:
        x, y = plan.center(h)
        for along, across in ((1 + REACH, DEPTH), (WING, 1 + TIP)):
            half = along * grid.dx * plan.scale, across * grid.dy * plan.scale
            wide, high = half[::-1] if grid.sideways else half
            parts.append(shapely.box(x - wide, y - high, x + wide, y + high))
    hall = shapely.union_all(parts).intersection(ground.buffer(-plan.size(3)))
    roof, light, edge = inks
    shadow = shapely.transform(hall, lambda p: p + plan.size(3.5)).intersection(ground)
    yield Fill(rings_of(shadow), edge, 0.35)
    yield Fill(rings_of(hall), roof)
    eaves = hall.buffer(-plan.size(5), join_style="mitre")
    yield Stroke(rings_of(eaves), light, plan.size(2.2), closed=True, join="miter")
    for flag in dict.fromkeys(inner.values()):
        own = [h for h, name in inner.items() if name == flag]
        rooms = plan.union(own).buffer(-plan.size(2.5), join_style="mitre")
        yield Fill(rings_of(rooms), style.ink(style.terrain[flag].color))
    yield Stroke(rings_of(hall), edge, plan.size(3), closed=True, join="miter")


def _roofs(plan: Plan, lines: Linework, h: Hex, is_tall: bool) -> list[Floats]:
    """Return the corners (4, 2) of a house and perhaps of its shed, beside the road of the hex."""
    chance = hash01(np.arange(8), h.column * 64 + h.row, 501).tolist()
    roads = [curve for route, curve in lines.links if h in (route.start, route.end)]
    center = np.array(plan.center(h))
    angle = (chance[0] - 0.5) * 0.5 + (math.pi / 2 if chance[1] < 0.35 else 0.0)
    place = center + (np.array(chance[2:4]) - 0.5) * plan.size(6)
    wide, deep = 46 + 8 * chance[4], 30 + 6 * chance[5]
    if is_tall:
        wide, deep = wide + 8, deep + 10
    if roads:
        wide, deep = min(wide, 42), min(deep, 27)  # so that it stays in its hex
        run = roads[0][-1] - roads[0][0]
        angle = math.atan2(run[1], run[0])
        hand = 1 if chance[6] < 0.5 else -1
        aside = plan.size(deep / 2 + 9) * hand
        place = center + aside * np.array([-math.sin(angle), math.cos(angle)])
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])

    def roof(x: float, y: float, w: float, d: float) -> Floats:
        flat = np.array([(-w, -d), (w, -d), (w, d), (-w, d)]) / 2 + np.array([x, y])
        corners: Floats = flat * plan.size(1) @ turn + place
        return corners

    found = [roof(0, 0, wide, deep)]
    if chance[7] < 0.6 and not roads:
        found.append(roof(wide / 2 - 7, deep / 2 + 10, 15, 12))
    return found


def _houses(plan: Plan, roofs: Sequence[Floats], inks: Sequence[str]) -> Iterator[Element]:
    """Yield gabled roofs with the light on one slope."""
    if not roofs:
        return
    roof, light, edge = inks
    corners = np.array(roofs)
    lit = np.stack(
        [
            corners[:, 0],
            corners[:, 1],
            (corners[:, 1] + corners[:, 2]) / 2,
            (corners[:, 0] + corners[:, 3]) / 2,
        ],
        axis=1,
    )
    yield Fill(tuple(rings_from(corners + plan.size(3))), edge, 0.35)
    yield Fill(tuple(rings_from(corners)), roof)
    yield Fill(tuple(rings_from(lit)), light)
    yield Stroke(tuple(rings_from(lit[:, 2:])), edge, plan.size(1.2), cap="butt")
    yield Stroke(tuple(rings_from(corners)), edge, plan.size(2.4), closed=True, join="miter")


def _stairwells(plan: Plan, hexes: Sequence[Hex], fill: str, edge: str) -> Iterator[Element]:
    """Yield the sign of an upper storey: a square with steps."""
    half = plan.size(7)
    for h in hexes:
        x, y = plan.center(h)
        square = (ring_of(rectangle(x - half, y - half, 2 * half, 2 * half)),)
        yield Fill(square, fill)
        steps = tuple(
            ring_of([(x - half, y + half * s), (x + half * (1 - abs(s - 1) / 2), y + half * s)])
            for s in (-0.4, 0.2, 0.7)
        )
        yield Stroke(steps, edge, plan.size(1.4), cap="butt")
        yield Stroke(square, edge, plan.size(1.8), closed=True, join="miter")

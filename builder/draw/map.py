"""The map: a game's :class:`MapSheet` becomes one :class:`Scene` in millimetres.

Layers from the ground up: open ground, woods and waters, hills, towns, rivers, hex outlines,
roads, bridges, marks, numbers, names; then the paper around the hexes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from builder.draw.map_lines import Linework, bridges, linework, rivers, roads
from builder.draw.map_plan import Plan, plan_of
from builder.draw.map_relief import heights, relief
from builder.draw.map_shapes import grown, ring_of, rings_of
from builder.draw.map_style import MapStyle, map_style, style_problems
from builder.draw.map_towns import built_up
from builder.draw.map_woods import trees
from builder.draw.scene import Element, Fill, Scene, Stroke, Text
from builder.gamebox.model import MapSheet
from builder.problems import DataError

__all__ = ["map_scene"]

LINES_PER_STROKE = 40


def map_scene(map: MapSheet, palette: Mapping[str, str], *, style: MapStyle | None = None) -> Scene:
    """Return the whole board as a scene of ``frame.width`` by ``frame.height`` board pixels.

    ``palette`` gives ``#rrggbb`` for names of colors. The look is ``style``, or the template that
    the map's ``[style]`` table names and changes. Raises :class:`DataError` for mistakes in the
    style and for terrain, hexsides or routes that the style does not know.
    """
    look = style if style is not None else map_style(map.style, palette)
    problems = style_problems(map, look)
    if problems:
        raise DataError(problems)
    plan = plan_of(map)
    return Scene(plan.width, plan.height, tuple(_elements(plan, look)), look.ink(look.sheet.paper))


def _elements(plan: Plan, style: MapStyle) -> Iterator[Element]:
    lines = linework(plan, style)
    yield Fill(rings_of(plan.field), style.ink(style.sheet.ground))
    yield from _terrain(plan, style, lines)
    yield from rivers(plan, style, lines)
    yield from _outlines(plan, style)
    yield from roads(plan, style, lines)
    yield from bridges(plan, style, lines)
    yield from _numbers(plan, style)


def _areas(plan: Plan, style: MapStyle, *kinds: str) -> list[str]:
    """Names of terrain of these kinds that lie on the map, in the order of the style."""
    used = {f for t in plan.sheet.terrain.values() for f in t.features}
    return [n for n, area in style.terrain.items() if area.kind in kinds and n in used]


def _terrain(plan: Plan, style: MapStyle, lines: Linework) -> Iterator[Element]:
    shapes: dict[str, BaseGeometry] = {}
    for name in _areas(plan, style, "woods", "water"):
        shape = grown(
            plan.union(plan.with_feature(name)).buffer(-plan.size(1)),
            plan.size(20),
            wavelength=plan.size(38),
            reach=plan.size(4.5),
        )
        # At the map's edge the outline is the edge: woods go on beyond it.
        shapes[name] = shape.intersection(plan.field)
        area = style.terrain[name]
        yield Fill(rings_of(shapes[name]), style.ink(area.color))
        if area.edge:
            outlines = rings_of(shapes[name])
            yield Stroke(outlines, style.ink(area.edge), plan.size(1.4), closed=True)
    for name in _areas(plan, style, "hill"):
        ground = heights(plan, name)
        if ground:
            yield from relief(plan, style, name, ground)
    keep_off = shapely.union_all([lines.road_shape, lines.river_shape])
    for name in _areas(plan, style, "woods"):
        yield from trees(plan, style, name, shapes[name], keep_off)
    for name in _areas(plan, style, "houses", "hamlet"):
        yield from built_up(plan, style, name, lines)


def _outlines(plan: Plan, style: MapStyle) -> Iterator[Element]:
    """Yield every hexside once: three sides of each hex, and the rest at the map's edge."""
    sheet = plan.sheet
    lines = []
    for h, corners in zip(plan.hexes, plan.corners.tolist(), strict=True):
        lines.append(ring_of(corners[:4]))
        for direction in (3, 4, 5):
            if sheet.grid.neighbor(h, direction) not in sheet:
                lines.append(ring_of([corners[direction], corners[(direction + 1) % 6]]))
    ink, width = style.ink(style.sheet.grid), plan.size(style.sheet.grid_width)
    for start in range(0, len(lines), LINES_PER_STROKE):
        part = tuple(lines[start : start + LINES_PER_STROKE])
        yield Stroke(part, ink, width, opacity=style.sheet.grid_opacity)


def number_places(plan: Plan) -> Iterator[tuple[str, float, float]]:
    """Yield each hex's label, with the middle of its top edge in millimetres."""
    if plan.sheet.grid.numbering is None:
        return
    labels = plan.sheet.grid.labels(plan.sheet.columns, plan.sheet.rows)
    depth = plan.size(13 if plan.sheet.grid.sideways else 3.2)
    tops = plan.corners[:, :, 1].min(axis=1) + depth
    for label, (x, _), top in zip(labels, plan.centers.tolist(), tops.tolist(), strict=True):
        yield label, x, top


def _numbers(plan: Plan, style: MapStyle) -> Iterator[Element]:
    ink = style.text["number"]
    for label, x, top in number_places(plan):
        yield Text(
            x, top, label, plan.size(ink.size), style.ink(ink.color), ink.font, baseline="top"
        )

"""The ground of a map: fields, woods, waters, hills, towns, in the order they are painted."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from builder.draw.map_buildings import building_elements
from builder.draw.map_fire import blaze
from builder.draw.map_lines import Linework
from builder.draw.map_plan import KeepOff, Plan, hash01
from builder.draw.map_relief import heights, relief, tint
from builder.draw.map_shapes import grown, rings_from, rings_of
from builder.draw.map_streams import stream_elements, streams_of
from builder.draw.map_style import MapStyle
from builder.draw.map_textures import GROUNDS, textures
from builder.draw.map_towns import built_up
from builder.draw.map_woods import trees
from builder.draw.scene import Element, Fill, Stroke

__all__ = ["terrain_elements"]

PER_ELEMENT = 40


def terrain_elements(
    plan: Plan,
    style: MapStyle,
    lines: Linework,
    keep_off: KeepOff,
    *,
    beyond: bool = True,
) -> Iterator[Element]:
    """Yield all terrain; at the map's edge it goes on ``beyond`` the hexes.

    Trees and houses leave ``keep_off`` free: roads, rivers, names and marks.
    """
    yield from _fields(plan, style)
    streams = streams_of(plan, style)
    yield from stream_elements(plan, style, streams)
    keep_off = keep_off.with_polygons(shapely.get_parts(streams.water))
    found = ((n, heights(plan, n, beyond=beyond)) for n in _used(plan, style, "hill"))
    hills = [(name, ground) for name, ground in found if ground]
    for name, ground in hills:
        yield from tint(plan, style, name, ground)
    shapes: dict[str, BaseGeometry] = {}
    for name in _used(plan, style, "woods", "water", *GROUNDS):
        area = style.terrain[name]
        # Drawn in a little, so that woods on both banks of a river leave it in sight.
        shape = grown(
            _spread(plan, name, beyond).buffer(-plan.size(1)),
            plan.size(20),
            wavelength=plan.size(38),
            reach=plan.size(4.5),
        )
        if beyond:
            # What goes on beyond the edge must not round its way into a neighbor at the edge.
            own = plan.union(plan.with_feature(name)).buffer(plan.size(5), quad_segs=2)
            shape = shape.difference(plan.ground.difference(own))
        shapes[name] = shape
        rings = rings_of(shape)
        yield Fill(rings, style.ink(area.color), area.opacity)
        if area.edge:
            yield Stroke(rings, style.ink(area.edge), plan.size(1.4), closed=True)
    yield from _lanes(plan, style, lines)
    yield from textures(plan, style, shapes, keep_off)
    for name, ground in hills:
        yield from relief(plan, style, name, ground)
    for name in _used(plan, style, "woods"):
        yield from trees(plan, style, name, shapes[name], keep_off)
    for name in _used(plan, style, "houses", "hamlet"):
        yield from built_up(plan, style, name, lines, keep_off)
    for name in _used(plan, style, "building"):
        yield from building_elements(plan, style, name, lines)
    for name in _used(plan, style, "blaze"):
        area = style.terrain[name]
        inks = [style.ink(c) for c in area.detail]
        yield from blaze(plan, plan.with_feature(name), style.ink(area.color), inks)


def _used(plan: Plan, style: MapStyle, *kinds: str) -> list[str]:
    """Names of terrain of these kinds that lie on the map, in the order of the style."""
    used = {f for t in plan.sheet.terrain.values() for f in t.features}
    return [n for n, area in style.terrain.items() if area.kind in kinds and n in used]


def _spread(plan: Plan, name: str, beyond: bool) -> BaseGeometry:
    """Return the union of hexes of a terrain, and of the hexes next to them off the map."""
    grid = plan.sheet.grid
    hexes = plan.with_feature(name)
    if not beyond:
        return plan.union(hexes)
    off = sorted({n for h in hexes for n in grid.neighbors(h) if plan.is_beyond(n)})
    outer = [shapely.Polygon(np.array(grid.polygon(h)) * plan.scale) for h in off]
    # Corners are the same numbers as on the map but for the last bit: a plain union heals that.
    return shapely.union_all([plan.union(hexes), *outer])


def _lanes(plan: Plan, style: MapStyle, lines: Linework) -> Iterator[Element]:
    """Yield the open strip on both sides of a road through hexes that are otherwise covered."""
    for name in _used(plan, style, "lane"):
        own = plan.union(plan.with_feature(name))
        strip = lines.road_shape.buffer(plan.size(8)).intersection(own)
        yield Fill(rings_of(strip), style.ink(style.terrain[name].color))


def _fields(plan: Plan, style: MapStyle) -> Iterator[Element]:
    """Yield faint patches of field and meadow that enliven open ground."""
    names = _used(plan, style, "plain")
    hexes = [h for n in names for h in plan.with_feature(n)]
    if not hexes:
        return
    centers = plan.centers[plan.rows(hexes)]
    column, row = np.array(hexes, dtype=np.int64).T
    patches, furrows = [], []
    for part in range(3):
        h = [hash01(column, row, 100 + 10 * part + k) for k in range(6)]
        angle = (h[0] - 0.5) * 1.2
        reach = plan.size(30)
        at = centers + np.column_stack([h[1] - 0.5, h[2] - 0.5]) * 2 * reach
        size = plan.size(30) * (0.55 + 0.6 * np.column_stack([h[3], h[4]]))
        kept = h[5] < 0.62
        cos, sin = np.cos(angle), np.sin(angle)
        # A field is a quadrilateral with no two corners quite square.
        frame = np.array([(-0.5, -0.45), (0.5, -0.5), (0.46, 0.5), (-0.52, 0.44)])
        x, y = frame[None, :, 0] * size[:, :1], frame[None, :, 1] * size[:, 1:]
        corners = np.stack(
            [x * cos[:, None] - y * sin[:, None], x * sin[:, None] + y * cos[:, None]], axis=-1
        )
        corners += at[:, None]
        patches.append(corners[kept])
        for share in (0.2, 0.4, 0.6, 0.8):
            one = corners[:, 0] * (1 - share) + corners[:, 1] * share
            two = corners[:, 3] * (1 - share) + corners[:, 2] * share
            furrows.append(np.stack([one, two], axis=1)[kept & (h[0] < 0.55)])
    ink = style.ink(style.sheet.field)
    rings = rings_from(np.concatenate(patches))
    for start in range(0, len(rings), PER_ELEMENT):
        yield Fill(tuple(rings[start : start + PER_ELEMENT]), ink)
    rows = rings_from(np.concatenate(furrows))
    if rows:
        yield Stroke(tuple(rows), style.ink(style.sheet.furrow), plan.size(0.7), opacity=0.8)

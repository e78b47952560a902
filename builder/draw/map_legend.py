"""The legend: what is on this map, each drawn with the very means of the map."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

from builder.draw.fonts import text_width
from builder.draw.map_ground import terrain_elements
from builder.draw.map_lines import Linework, bridges, linework, rivers, roads
from builder.draw.map_marks import entry_arrow, junction_sign, objective_sign, zone_sign
from builder.draw.map_plan import KeepOff, Plan, plan_of
from builder.draw.map_shapes import ring_of
from builder.draw.map_style import MapStyle, is_objective
from builder.draw.scene import Element, Fill, Repeat, Stroke, Text, rectangle, rounded_rectangle
from builder.gamebox.model import HexsideFeature, MapSheet, Route, Terrain
from builder.hexes.grid import Hex, HexGrid
from builder.problems import Source

__all__ = ["legend_blocks"]

ROW = 64.0
"""Height of a row in hundredths of a hex."""
SWATCH = 52.0
"""Height of a sample hex in hundredths of a hex."""

_Item = tuple[tuple[Element, ...], str]


def legend_blocks(
    plan: Plan, style: MapStyle
) -> Iterator[tuple[tuple[Element, ...], float, float]]:
    """Yield the legend in several shapes, the best first: elements, width and height in mm."""
    items = list(_items(plan, style))
    if not items:
        return
    for share in (1.0, 0.85, 0.7):
        for columns in sorted(range(1, min(len(items), 7) + 1), key=lambda n: abs(n - 2.4)):
            yield _layout(plan, style, items, columns, share)


def _layout(
    plan: Plan, style: MapStyle, items: list[_Item], columns: int, share: float
) -> tuple[tuple[Element, ...], float, float]:
    look, head = style.text["note"], style.text["heading"]
    size = plan.size(look.size)
    rows = math.ceil(len(items) / columns)
    pad, row, picture = plan.size(13), plan.size(ROW), plan.size(84)
    widths = []
    for column in range(columns):
        own = items[column * rows : (column + 1) * rows]
        widths.append(max((text_width(t, look.font, size) for _, t in own), default=0) + picture)
    between = plan.size(20)
    width = sum(widths) + between * (columns - 1) + 2 * pad
    top = pad + plan.size(head.size * 0.75)
    height = top + plan.size(10) + rows * row + pad * 0.6
    ink = style.ink(style.sheet.frame)
    panel = ring_of(rounded_rectangle(0, 0, width, height, plan.size(6), 4))
    elements: list[Element] = [
        Fill((panel,), style.ink(style.sheet.panel)),
        Stroke((panel,), ink, plan.size(1.2), closed=True),
        Text(pad, top, "Legend", plan.size(head.size), style.ink(head.color), head.font, "start"),
    ]
    x = pad
    for column in range(columns):
        for number, (sample, words) in enumerate(items[column * rows : (column + 1) * rows]):
            y = top + plan.size(10) + (number + 0.5) * row
            elements.append(Repeat(sample, ((round(x + plan.size(34), 3), round(y, 3)),)))
            ink_of_words = style.ink(look.color)
            elements.append(
                Text(x + picture, y, words, size, ink_of_words, look.font, "start", "middle")
            )
        x += widths[column] + between
    if share == 1.0:
        return tuple(elements), width, height
    return tuple(_scaled(elements, share)), width * share, height * share


def _scaled(elements: list[Element], share: float) -> Iterator[Element]:
    """Yield elements made smaller about their origin."""
    for e in elements:
        match e:
            case Fill():
                rings = tuple(tuple((x * share, y * share) for x, y in r) for r in e.rings)
                yield dataclasses.replace(e, rings=rings)
            case Stroke():
                lines = tuple(tuple((x * share, y * share) for x, y in r) for r in e.lines)
                dash = tuple(d * share for d in e.dash)
                yield dataclasses.replace(e, lines=lines, width=e.width * share, dash=dash)
            case Text():
                halo = e.halo and dataclasses.replace(e.halo, width=e.halo.width * share)
                yield dataclasses.replace(
                    e,
                    x=e.x * share,
                    y=e.y * share,
                    size=e.size * share,
                    spacing=e.spacing * share,
                    halo=halo,
                )
            case Repeat():
                at = tuple((x * share, y * share) for x, y in e.at)
                yield Repeat(tuple(_scaled(list(e.elements), share)), at)
            case _:
                yield e


def _items(plan: Plan, style: MapStyle) -> Iterator[_Item]:
    sheet = plan.sheet
    used = {f for t in sheet.terrain.values() for f in t.features}
    for name, area in style.terrain.items():
        if name in used and area.legend and area.kind != "junction":
            yield _terrain_sample(plan, style, name), area.legend
    kinds = {f.kind for f in sheet.sides.values()}
    for kind, line in style.hexside.items():
        if kind in kinds and line.legend:
            yield _side_sample(plan, style, kind), line.legend
    kinds = {r.kind for r in sheet.routes}
    for kind, line in reversed(tuple(style.route.items())):
        if kind in kinds and line.legend:
            yield _road_sample(plan, style, kind), line.legend
    for name, area in style.terrain.items():
        if name in used and area.legend and area.kind == "junction":
            yield junction_sign(plan, style, (0, 0), name), area.legend
    yield from _mark_items(plan, style)


def _mark_items(plan: Plan, style: MapStyle) -> Iterator[_Item]:
    objectives = [p.fields for p in plan.sheet.places if is_objective(p.fields, style)]
    values = {
        (str(f.get(style.objective.color) or next(iter(style.objective.colors)))): str(
            f[style.objective.value]
        )
        for f in objectives
        if f[style.objective.value] != style.objective.star
    }
    discs = [(values[c], c, text) for c, text in style.objective.legends.items() if c in values]
    for worth, color, words in discs:
        yield objective_sign(plan, style, (0, 0), worth, color), words
    stars = [f for f in objectives if f[style.objective.value] == style.objective.star]
    if stars and style.objective.star_legend:
        color = str(stars[0].get(style.objective.color) or next(iter(style.objective.colors)))
        sign = objective_sign(plan, style, (0, 0), style.objective.star, color)
        yield sign, style.objective.star_legend
    kinds = {p.kind for p in plan.sheet.places}
    for mark in ("zone", "entry"):
        for kind, place in style.place.items():
            if place.mark != mark or kind not in kinds or not place.legend:
                continue
            if mark == "zone":
                yield zone_sign(plan, style, (0, 0), place.color), place.legend
            else:
                arrow = entry_arrow(plan, (plan.size(-7), 0.0), (1.0, 0.0))
                yield (Fill((arrow,), style.ink(place.color)),), place.legend
            break


def _sample(plan: Plan, terrain: Terrain) -> MapSheet:
    """A map of one small hex around the origin, on the scale of the plan."""
    height = plan.unit * SWATCH / 100 / plan.scale
    grid = HexGrid(dx=height * math.sqrt(3) / 2, dy=height, x0=0, y0=0, extent=(1, 1))
    return MapSheet(
        name=plan.sheet.name,
        grid=grid,
        columns=1,
        rows=1,
        terrains={terrain.letter: terrain},
        terrain={Hex(0, 0): terrain},
        sides={},
        routes=(),
        places=(),
        boxes=(),
        frame=plan.sheet.frame,
        style={},
    )


def _outlined(
    plan: Plan, small: Plan, style: MapStyle, inside: Iterator[Element]
) -> tuple[Element, ...]:
    hexagon = ring_of(small.corners[0])
    ground, panel = Fill((hexagon,), style.ink(style.sheet.ground)), style.ink(style.sheet.panel)
    # What goes on beyond the hex is covered again.
    wide, high = plan.size(42), plan.size(ROW - SWATCH / 2 - 1)
    around = Fill((rectangle(-wide, -high, 2 * wide, 2 * high), hexagon), panel)
    line = Stroke((hexagon,), style.ink(style.sheet.frame), plan.size(1.1), closed=True)
    return (ground, *inside, around, line)


def _terrain_sample(plan: Plan, style: MapStyle, name: str) -> tuple[Element, ...]:
    area = style.terrain[name]
    base = next((n for n, a in style.terrain.items() if a.kind == "plain"), name)
    terrain = Terrain("x", name, name) if area.kind != "hill" else Terrain("x", name, base, (name,))
    small = plan_of(_sample(plan, terrain))
    none = linework(small, style)
    return _outlined(
        plan, small, style, terrain_elements(small, style, none, KeepOff([], []), beyond=False)
    )


def _side_sample(plan: Plan, style: MapStyle, kind: str) -> tuple[Element, ...]:
    """Two hexsides that meet, with a bridge and its road if that kind carries one."""
    base = next((n for n, a in style.terrain.items() if a.kind == "plain"), "")
    sheet = _sample(plan, Terrain("x", base, base))
    grid, here = sheet.grid, Hex(0, 0)
    sides = [grid.hexside(here, 0), grid.hexside(here, 1)]
    features = {s: HexsideFeature(s, kind, "", Source("")) for s in sides[:1]}
    sheet = dataclasses.replace(sheet, sides=features)
    routes: tuple[Route, ...] = ()
    if style.hexside[kind].bridge and style.route:
        routes = (Route(grid.neighbor(here, 0), here, next(iter(style.route)), ""),)
        sheet = dataclasses.replace(sheet, routes=routes)
    small = plan_of(sheet)
    lines: Linework = linework(small, style)
    # the side is the middle of the sample, not the hex
    drop = plan.unit * SWATCH / 200
    parts = (
        *rivers(small, style, lines),
        *roads(small, style, lines),
        *bridges(small, style, lines),
    )
    return (Repeat(parts, ((0.0, round(drop, 3)),)),)


def _road_sample(plan: Plan, style: MapStyle, kind: str) -> tuple[Element, ...]:
    line = style.route[kind]
    half = plan.size(30)
    bow = ring_of(
        [(-half + i * half / 6, math.sin(i * math.pi / 6) * plan.size(4)) for i in range(13)]
    )
    return (
        Stroke((bow,), style.ink(line.casing), plan.size(line.width + 2 * line.border)),
        Stroke((bow,), style.ink(line.color), plan.size(line.width)),
    )

"""The legend: what is on this map, each drawn with the very means of the map."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain

from builder.draw.fonts import text_width
from builder.draw.map_bridges import decks
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

__all__ = ["Legend", "legends"]

ROW = 64.0
"""Height of a row in hundredths of a hex."""
SWATCH = 52.0
"""Height of a sample hex in hundredths of a hex."""
PICTURE, BETWEEN, PAD = 84.0, 20.0, 13.0
"""Widths of a sample, between columns and along the rim, in hundredths of a hex."""

FLAGS = ("blaze", "bridge", "frozen", "interior", "lane", "storeys")
"""Kinds that lie on top of another ground."""

_Item = tuple[Callable[[], tuple[Element, ...]], str]
"""How to draw a sample around its origin, and the words beside it."""


@dataclass(frozen=True, slots=True)
class Legend:
    """One shape of the legend; its size in millimetres is known before it is drawn."""

    plan: Plan
    style: MapStyle
    items: tuple[_Item, ...]
    columns: int
    share: float

    @property
    def rows(self) -> int:
        """Number of samples in a column."""
        return math.ceil(len(self.items) / self.columns)

    @property
    def widths(self) -> list[float]:
        """Width of each column in millimetres, before it is made smaller."""
        look, plan = self.style.text["note"], self.plan
        size, rows = plan.size(look.size), self.rows
        columns = (self.items[c * rows : (c + 1) * rows] for c in range(self.columns))
        return [
            plan.size(PICTURE) + max((text_width(t, look.font, size) for _, t in own), default=0)
            for own in columns
        ]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in millimetres."""
        size = self.plan.size
        width = sum(self.widths) + size(BETWEEN) * (self.columns - 1) + 2 * size(PAD)
        height = self._top + size(10) + self.rows * size(ROW) + 0.6 * size(PAD)
        return width * self.share, height * self.share

    @property
    def _top(self) -> float:
        return self.plan.size(PAD + 0.75 * self.style.text["heading"].size)

    def elements(self) -> tuple[Element, ...]:
        """Return the legend, drawn from its top left corner."""
        plan, style, rows, top = self.plan, self.style, self.rows, self._top
        look, head = style.text["note"], style.text["heading"]
        width, height = (v / self.share for v in self.size)
        panel = ring_of(rounded_rectangle(0, 0, width, height, plan.size(6), 4))
        x = plan.size(PAD)
        size, ink = plan.size(head.size), style.ink(head.color)
        elements: list[Element] = [
            Fill((panel,), style.ink(style.sheet.panel)),
            Stroke((panel,), style.ink(style.sheet.frame), plan.size(1.2), closed=True),
            Text(x, top, "Legend", size, ink, head.font, "start"),
        ]
        size, ink = plan.size(look.size), style.ink(look.color)
        for column, wide in enumerate(self.widths):
            for number, (sample, words) in enumerate(self.items[column * rows :][:rows]):
                y = top + plan.size(10) + (number + 0.5) * plan.size(ROW)
                at = round(x + plan.size(PICTURE * 0.4), 3), round(y, 3)
                elements.append(Repeat(sample(), (at,)))
                left = x + plan.size(PICTURE)
                elements.append(Text(left, y, words, size, ink, look.font, "start", "middle"))
            x += wide + plan.size(BETWEEN)
        return tuple(elements) if self.share == 1 else tuple(_scaled(elements, self.share))


def legends(plan: Plan, style: MapStyle) -> Iterator[Legend]:
    """Yield the legend in several shapes, the best first; none if there is nothing to explain."""
    items = tuple(_items(plan, style))
    if not items:
        return
    for share in (s * style.sheet.legend for s in (1.0, 0.85, 0.7)):
        for columns in sorted(range(1, min(len(items), 7) + 1), key=lambda n: abs(n - 2.4)):
            yield Legend(plan, style, items, columns, share)


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
            yield partial(_terrain_sample, plan, style, name), area.legend
    kinds = {f.kind for f in sheet.sides.values()}
    for kind, line in style.hexside.items():
        if kind in kinds and line.legend:
            yield partial(_side_sample, plan, style, kind), line.legend
    kinds = {r.kind for r in sheet.routes}
    for kind, line in reversed(tuple(style.route.items())):
        if kind in kinds and line.legend:
            yield partial(_road_sample, plan, style, kind), line.legend
    for name, area in style.terrain.items():
        if name in used and area.legend and area.kind == "junction":
            yield partial(junction_sign, plan, style, (0, 0), name), area.legend
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
        yield partial(objective_sign, plan, style, (0, 0), worth, color), words
    stars = [f for f in objectives if f[style.objective.value] == style.objective.star]
    if stars and style.objective.star_legend:
        color = str(stars[0].get(style.objective.color) or next(iter(style.objective.colors)))
        star = style.objective.star
        yield (
            partial(objective_sign, plan, style, (0, 0), star, color),
            style.objective.star_legend,
        )
    kinds = {p.kind for p in plan.sheet.places}
    for mark in ("zone", "entry"):
        for kind, place in style.place.items():
            if place.mark != mark or kind not in kinds or not place.legend:
                continue
            if mark == "zone":
                yield partial(zone_sign, plan, style, (0, 0), place.color), place.legend
            else:
                yield partial(_arrow_sample, plan, style, place.color), place.legend
            break


def _sample(plan: Plan, terrain: Terrain, routes: Iterable[Route] = ()) -> MapSheet:
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
        routes=tuple(routes),
        places=(),
        boxes=(),
        panels=(),
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
    terrain = Terrain("x", name, name)
    if area.kind == "hill":
        terrain = Terrain("x", name, base, (name,))
    elif area.kind in FLAGS:
        # shown on the ground on which it lies on this map
        terrain = next(t for t in plan.sheet.terrain.values() if name in t.features)
    small = plan_of(_sample(plan, terrain, _road_through(plan, style, name)))
    lines = linework(small, style)
    ground: Iterator[Element] = terrain_elements(
        small, style, lines, KeepOff([lines.road_shape], []), beyond=False
    )
    if area.kind == "beyond":
        ground = iter((Fill((ring_of(small.corners[0]),), style.ink(area.color)),))
    over = (*roads(small, style, lines), *decks(small, style, lines))
    return _outlined(plan, small, style, chain(ground, over))


def _road_through(plan: Plan, style: MapStyle, name: str) -> tuple[Route, ...]:
    """Return the road from north to south that a sample of a lane or bridge needs, if any."""
    if style.terrain[name].kind not in ("lane", "bridge"):
        return ()
    own = set(plan.with_feature(name))
    kind = next((r.kind for r in plan.sheet.routes if {r.start, r.end} & own), "")
    return tuple(Route(Hex(0, 0), None, kind, name, d) for d in (0, 3)) if kind else ()


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


def _arrow_sample(plan: Plan, style: MapStyle, color: str) -> tuple[Element, ...]:
    arrow = entry_arrow(plan, (plan.size(-7), 0.0), (1.0, 0.0))
    return (Fill((arrow,), style.ink(color)),)

"""Marks in and at hexes: objectives, landing zones, junctions, entry arrows.

Counters lie in the middle of a hex, so a mark stands in a corner, where it stays in sight.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from builder.draw.map_lines import Linework
from builder.draw.map_plan import Floats, Plan
from builder.draw.map_shapes import ring_of
from builder.draw.map_signs import board_plate, direction_rose
from builder.draw.map_style import MapStyle, is_objective
from builder.draw.scene import Element, Fill, Point, Ring, Stroke, Text, circle
from builder.gamebox.model import Place
from builder.hexes.grid import Hex

__all__ = ["Mark", "marks", "parachute", "star", "zone_sign"]

_SIGNS = {"plate": board_plate, "rose": direction_rose}
DISC = 10.6
"""Radius of a disc in hundredths of a hex: it just fits a corner beside a counter."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What is drawn for a mark, and the ground (a polygon, or ``None``) that labels keep off.

    One that is ``below`` lies under the roads.
    """

    elements: tuple[Element, ...]
    ground: BaseGeometry | None
    below: bool = False


def star(x: float, y: float, radius: float) -> Ring:
    """Return a five-pointed star, one point up."""
    points = []
    for i in range(10):
        reach = radius * (1 if i % 2 == 0 else 0.382)
        angle = math.radians(36 * i - 90)
        points.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    return ring_of(points)


def parachute(x: float, y: float, radius: float) -> tuple[Ring, tuple[Ring, ...]]:
    """Return the canopy (filled) and the lines (stroked) of a parachute in a circle."""
    wide, top, rim = 0.86 * radius, y - 0.86 * radius, y - 0.08 * radius
    dome = []
    for i in range(21):
        angle = math.pi * (1 - i / 20)
        dome.append((x + wide * math.cos(angle), rim - (rim - top) * math.sin(angle)))
    # Three scallops along the rim, from right to left.
    for i in range(1, 18):
        dip = abs(math.sin(math.pi * i / 6)) * 0.15 * radius
        dome.append((x + wide * (1 - i / 9), rim - dip))
    foot = (x, y + 0.66 * radius)
    lines = tuple(ring_of([(x + wide * s, rim), foot]) for s in (-1, -1 / 3, 1 / 3, 1))
    return ring_of(dome), lines


def zone_sign(plan: Plan, style: MapStyle, at: Point, color: str) -> tuple[Element, ...]:
    """Return the disc of a landing zone: a white parachute on the zone's color."""
    x, y = at
    radius = plan.size(DISC)
    white = style.ink("map-white" if "map-white" in style.colors else style.sheet.paper)
    canopy, lines = parachute(x, y + 0.06 * radius, 0.84 * radius)
    load = circle(x, y + 0.6 * radius, 0.15 * radius, 12)
    return (
        Fill((circle(x, y, radius + plan.size(1.3), 40),), white),
        Fill((circle(x, y, radius, 40),), style.ink(color)),
        Fill((canopy, load), white),
        Stroke(lines, white, plan.size(0.8)),
    )


def objective_sign(
    plan: Plan, style: MapStyle, at: Point, worth: str, color: str
) -> tuple[Element, ...]:
    """Return the disc of an objective with its points, or with a star."""
    x, y = at
    radius = plan.size(DISC)
    fill, ink = (style.ink(c) for c in style.objective.colors[color])
    lettering = style.text["mark"]
    if worth == style.objective.star:
        sign: Element = Fill((star(x, y + 0.04 * radius, 0.8 * radius),), ink)
    else:
        sign = Text(x, y, worth, plan.size(lettering.size), ink, lettering.font, baseline="middle")
    return (
        Fill((circle(x, y, radius + plan.size(1.6), 40),), style.ink(style.sheet.paper)),
        Fill((circle(x, y, radius, 40),), fill),
        Stroke((circle(x, y, radius, 40),), style.ink(style.sheet.frame), plan.size(0.9), True),
        sign,
    )


def _corner_places(plan: Plan, row: int, preferred: Point) -> list[Point]:
    """Return where a disc fits the corners of a hex, the nearest to a direction first."""
    center = plan.centers[row]
    offsets = plan.corners[row] - center
    order = sorted(range(6), key=lambda i: (-(offsets[i] @ np.array(preferred)).round(6), i))
    # A circle of radius r touches both sides of a corner of 120 degrees at r / sin 60 from it.
    pull = 1 - plan.size(DISC + 1.4) / math.sin(math.pi / 3) / np.hypot(*offsets[0])
    places = [center + offsets[i] * pull for i in order]
    return [(float(x), float(y)) for x, y in places]


def marks(plan: Plan, style: MapStyle, lines: Linework) -> Iterator[Mark]:
    """Yield the marks of all places and junctions."""
    yield from _junctions(plan, style)
    taken: dict[Hex, list[Point]] = defaultdict(list)
    for place in plan.sheet.places:
        if place.hex in plan.index and is_objective(place.fields, style):
            yield from _objective(plan, style, lines, place, taken)
    for place in plan.sheet.places:
        look = style.place.get(place.kind)
        if look is None or place.hex not in plan.index:
            continue
        if look.mark == "zone":
            yield from _zone(plan, style, lines, place, look.color, taken)
        elif look.mark in _SIGNS:
            yield Mark(*_SIGNS[look.mark](plan, style, place, look))
    yield from _entries(plan, style)


def _free_corner(
    plan: Plan, lines: Linework, h: Hex, preferred: Point, taken: dict[Hex, list[Point]]
) -> Point:
    """Return the corner for a disc: the preferred one, unless a disc or a river is there."""
    places = _corner_places(plan, plan.index[h], preferred)
    apart = plan.size(2 * DISC)
    free = [p for p in places if all(math.dist(p, q) > apart for q in taken[h])]
    dry = [
        p for p in free[:4] if lines.river_shape.distance(shapely.Point(p)) > plan.size(DISC + 1)
    ]
    at = (dry or free or places)[0]
    taken[h].append(at)
    return at


def _rim(plan: Plan, h: Hex, depth: float) -> Ring:
    """Return a hex drawn in by ``depth`` hundredths."""
    row = plan.index[h]
    center = plan.centers[row]
    return ring_of(center + (plan.corners[row] - center) * (1 - 2 * depth / 100))


def _objective(
    plan: Plan, style: MapStyle, lines: Linework, place: Place, taken: dict[Hex, list[Point]]
) -> Iterator[Mark]:
    worth = str(place.fields.get(style.objective.value) or "")
    color = str(place.fields.get(style.objective.color) or next(iter(style.objective.colors)))
    fill = style.ink(style.objective.colors[color][0])
    rim = (_rim(plan, place.hex, 3.2),)
    yield Mark(
        (
            Stroke(rim, style.ink(style.sheet.paper), plan.size(4.4), True, opacity=0.7),
            Stroke(rim, fill, plan.size(2.2), True),
        ),
        None,
        below=True,
    )
    at = _free_corner(plan, lines, place.hex, (1.0, 0.3), taken)
    ground = shapely.Point(at).buffer(plan.size(DISC + 1.6), quad_segs=4)
    yield Mark(objective_sign(plan, style, at, worth, color), ground)


def _zone(
    plan: Plan,
    style: MapStyle,
    lines: Linework,
    place: Place,
    color: str,
    taken: dict[Hex, list[Point]],
) -> Iterator[Mark]:
    x, y = plan.center(place.hex)
    ring = (circle(x, y, plan.size(43), 60),)
    dash = (plan.size(5), plan.size(4))
    yield Mark(
        (
            Fill(ring, style.ink(color), 0.1),
            Stroke(ring, style.ink(color), plan.size(1.6), True, dash, "butt"),
        ),
        None,
        below=True,
    )
    at = _free_corner(plan, lines, place.hex, (-1.0, 0.3), taken)
    ground = shapely.Point(at).buffer(plan.size(DISC + 1.4), quad_segs=4)
    yield Mark(zone_sign(plan, style, at, color), ground)


def _junctions(plan: Plan, style: MapStyle) -> Iterator[Mark]:
    for name, area in style.terrain.items():
        if area.kind != "junction":
            continue
        for h in plan.with_feature(name):
            yield Mark(junction_sign(plan, style, plan.center(h), name), None)


def junction_sign(plan: Plan, style: MapStyle, at: Point, name: str) -> tuple[Element, ...]:
    """Return the sign of a road junction: a ring on the crossing."""
    area = style.terrain[name]
    outer = circle(*at, plan.size(8), 40)
    return (
        Fill((outer,), style.ink(area.color)),
        Stroke((outer,), style.ink(area.edge), plan.size(2.2), True),
        Fill((circle(*at, plan.size(3), 24),), style.ink(area.edge)),
    )


def entry_arrow(plan: Plan, at: Point, outward: Point) -> Ring:
    """Return an arrowhead that points from outside to the map's edge at ``at``."""
    (x, y), (dx, dy) = at, outward
    shape = [(2.0, 0.0), (12.5, 9.0), (10.0, 0.0), (12.5, -9.0)]
    points = [(plan.size(u), plan.size(v)) for u, v in shape]
    return ring_of([(x + u * dx - v * dy, y + u * dy + v * dx) for u, v in points])


def _edge_point(plan: Plan, h: Hex) -> tuple[Point, Point] | None:
    """Return where an edge hex ends outwards, and the way outwards."""
    outward = plan.outward(h)
    if outward is None:
        return None
    x, y = plan.center(h)
    offsets: Floats = plan.corners[plan.index[h]] - np.array((x, y))
    reach = float((offsets @ np.array(outward)).max())
    return (x + reach * outward[0], y + reach * outward[1]), outward


def _entries(plan: Plan, style: MapStyle) -> Iterator[Mark]:
    colors = [p.color for p in style.place.values() if p.mark == "entry"]
    if not colors:
        return
    ink = style.ink(colors[0])
    boxes = [
        (b.label, (b.center[0] * plan.scale, b.center[1] * plan.scale))
        for b in plan.sheet.boxes
        if b.kind == "entry"
    ]
    for area in plan.sheet.entry_areas():
        arrows = [(h, e) for h in area.hexes if h in plan.index and (e := _edge_point(plan, h))]
        rings = tuple(entry_arrow(plan, at, outward) for _, (at, outward) in arrows)
        if not rings:
            continue
        hulls = shapely.union_all([shapely.Polygon(r) for r in rings]).convex_hull
        yield Mark((Fill(rings, ink),), hulls)
        _, (at, outward) = arrows[len(arrows) // 2]
        has_box = any(
            label == area.name and math.dist(at, middle) < 3 * plan.unit for label, middle in boxes
        )
        if not has_box:
            yield _letter(plan, style, area.name, at, outward, ink)


def _letter(plan: Plan, style: MapStyle, name: str, at: Point, outward: Point, ink: str) -> Mark:
    """Return the letter of an entry area, beyond its middle arrow if there is paper."""
    radius = plan.size(12)
    reach = plan.size(28)
    x = min(max(at[0] + reach * outward[0], radius), plan.width - radius)
    y = min(max(at[1] + reach * outward[1], radius), plan.height - radius)
    lettering = style.text["mark"]
    paper = style.ink(style.sheet.paper)
    size = plan.size(lettering.size * 1.25)
    text = Text(x, y, name, size, paper, lettering.font, baseline="middle")
    disc = circle(x, y, radius, 40)
    return Mark((Fill((disc,), ink), text), shapely.Polygon(disc))


def grounds(found: list[Mark]) -> NDArray[np.object_]:
    """Return the polygons that labels keep off."""
    return np.array([m.ground for m in found if m.ground is not None], dtype=object)

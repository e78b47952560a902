"""Rivers along hexsides, roads through hex centers, and the bridges where they meet."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely import LineString, MultiLineString
from shapely.geometry.base import BaseGeometry

from builder.draw.map_plan import Floats, Plan, hash01
from builder.draw.map_shapes import ring_of, spline
from builder.draw.map_style import LineStyle, MapStyle
from builder.draw.scene import Element, Point, Stroke
from builder.gamebox.model import Route
from builder.hexes.grid import Hex, Hexside

__all__ = ["Linework", "bridges", "chains", "crossings", "linework", "rivers", "roads"]

_Node = tuple[float, float]
SHARPEST = 75.0
"""A road goes on through a hex if it bends by no more than this angle, in degrees."""


@dataclass(frozen=True, slots=True)
class Linework:
    """The drawn curves in millimetres.

    ``rivers`` by name and kind of look, ``roads`` by class; ``links`` has the curve of each single
    road link, for what stands beside it or crosses it.
    """

    rivers: Mapping[tuple[str, str], tuple[Floats, ...]]
    roads: Mapping[str, tuple[Floats, ...]]
    links: tuple[tuple[Route, Floats], ...]
    river_shape: BaseGeometry
    road_shape: BaseGeometry


def chains(links: Sequence[tuple[_Node, _Node, str]]) -> list[list[_Node]]:
    """Join links (two ends and a name) into lines that go on as straight as they can.

    At each node links of one name are paired first, then the straightest; a link without a partner
    ends there. A line that returns to its start has the same first and last node.
    """
    at: dict[_Node, list[int]] = defaultdict(list)
    for number, (a, b, _) in enumerate(links):
        at[a].append(number)
        at[b].append(number)
    partner: dict[tuple[int, _Node], int] = {}
    for node, numbers in at.items():
        for one, two in _pairs(node, numbers, links):
            partner[one, node], partner[two, node] = two, one
    used = [False] * len(links)

    def walk(start: int, node: _Node) -> list[_Node]:
        line, number = [node], start
        while not used[number]:
            used[number] = True
            a, b, _ = links[number]
            node = b if node == a else a
            line.append(node)
            if (number, node) not in partner:
                break
            number = partner[number, node]
        return line

    found = []
    for number, (a, b, _) in enumerate(links):
        for node in (a, b):
            if not used[number] and (number, node) not in partner:
                found.append(walk(number, node))
    for number, (a, _, _) in enumerate(links):
        if not used[number]:
            found.append(walk(number, a))
    return found


def _pairs(
    node: _Node, numbers: Sequence[int], links: Sequence[tuple[_Node, _Node, str]]
) -> Iterator[tuple[int, int]]:
    ways = []
    for number in numbers:
        a, b, name = links[number]
        other = b if node == a else a
        ways.append((number, name, math.atan2(other[1] - node[1], other[0] - node[0])))
    options = []
    for i, (one, name, angle) in enumerate(ways):
        for two, other_name, other_angle in ways[i + 1 :]:
            bend = abs(math.degrees(abs(angle - other_angle)) - 180)
            same = bool(name) and name == other_name
            # One road may turn sharply; two roads that merely meet may not be joined to one line.
            if bend <= (125 if same else SHARPEST):
                options.append((not same, bend, one, two))
    taken: set[int] = set()
    for _, _, one, two in sorted(options):
        if one not in taken and two not in taken and one != two:
            taken |= {one, two}
            yield one, two


def _curve(nodes: Sequence[_Node], steps: int, tension: float) -> Floats:
    points = np.array(nodes, dtype=float)
    if len(nodes) > 3 and nodes[0] == nodes[-1]:
        curve = spline(points[:-1], steps, tension=tension, closed=True)
        return np.vstack([curve, curve[:1]])
    return spline(points, steps, tension=tension)


def _look(style: LineStyle) -> str:
    return f"{style.color} {style.casing} {style.width} {style.border}"


def _rivers(plan: Plan, style: MapStyle) -> dict[tuple[str, str], tuple[Floats, ...]]:
    groups: dict[tuple[str, str], list[tuple[_Node, _Node, str]]] = defaultdict(list)
    for side, feature in plan.sheet.sides.items():
        a, b = plan.side(side)
        # The looks of a river and of its bridge hexsides are one line if they are the same.
        key = feature.name, _look(style.hexside[feature.kind])
        groups[key].append((_key(a), _key(b), feature.name))
    return {
        key: tuple(_curve(nodes, 6, 0.42) for nodes in chains(links))
        for key, links in sorted(groups.items())
    }


def _key(point: Point) -> _Node:
    """Ends of neighboring sides are the same numbers but for the last bit of a division."""
    return round(point[0], 6), round(point[1], 6)


def _links(plan: Plan, style: MapStyle) -> list[tuple[Route, _Node, _Node]]:
    """Each link once, with its most important class, and its two ends."""
    order = {kind: i for i, kind in enumerate(style.route)}
    best: dict[tuple[_Node, _Node], Route] = {}
    for route in plan.sheet.routes:
        a, b = _ends(plan, route)
        key = min(a, b), max(a, b)
        if a != b and (key not in best or order[route.kind] > order[best[key].kind]):
            best[key] = route
    return [(route, *key) for key, route in best.items()]


def _eased(
    plan: Plan, style: MapStyle, links: Sequence[tuple[Route, _Node, _Node]]
) -> dict[_Node, _Node]:
    """Return where a road passes a hex that it crosses alone, if it need not pass its middle.

    Bridges stand in the middle of their hexes.
    """
    flags = [name for name, area in style.terrain.items() if area.kind == "bridge"]
    fixed = {_key(plan.center(h)) for name in flags for h in plan.with_feature(name)}
    ways: dict[_Node, list[tuple[_Node, float]]] = defaultdict(list)
    for route, a, b in links:
        ways[a].append((b, style.route[route.kind].ease))
        ways[b].append((a, style.route[route.kind].ease))
    bent = {}
    for (x, y), others in ways.items():
        share = min(ease for _, ease in others) / 2
        if len(others) == 2 and share and (x, y) not in fixed:
            (ax, ay), (bx, by) = (other for other, _ in others)
            bent[x, y] = (x + share * ((ax + bx) / 2 - x), y + share * ((ay + by) / 2 - y))
    return bent


def _winding(plan: Plan, nodes: Sequence[_Node]) -> list[_Node]:
    """Put a point between any two nodes, a little aside: no country road is dead straight."""
    winding = [nodes[0]]
    for (ax, ay), (bx, by) in itertools.pairwise(nodes):
        # Both ways along a link give the same place, so it depends on sums alone.
        key = round((ax + bx) / plan.unit * 50), round((ay + by) / plan.unit * 50)
        aside = (float(hash01(key[0] + 4096, key[1] + 4096, 11)) - 0.5) * 0.13
        if (ax, ay) > (bx, by):
            aside = -aside
        winding += [((ax + bx) / 2 + (ay - by) * aside, (ay + by) / 2 + (bx - ax) * aside)]
        winding += [(bx, by)]
    return winding


def _ends(plan: Plan, route: Route) -> tuple[_Node, _Node]:
    start = plan.center(route.start)
    if route.end is not None:
        return _key(start), _key(plan.center(route.end))
    if route.exit_direction is None:
        return _key(start), _key(start)
    return _key(start), _key(plan.side_middle(route.start, route.exit_direction))


def linework(plan: Plan, style: MapStyle) -> Linework:
    """Return the curves of all rivers and roads."""
    rivers = _rivers(plan, style)
    links = _links(plan, style)
    ends_on = {(min(a, b), max(a, b)): route for route, a, b in links}
    bent = _eased(plan, style, links)
    by_class: dict[str, list[Floats]] = {kind: [] for kind in style.route}
    pieces: list[tuple[Route, Floats]] = []
    for kind in style.route:
        own = [(a, b, route.name) for route, a, b in links if route.kind == kind]
        for nodes in chains(own):
            eased = [bent.get(node, node) for node in nodes]
            curve = _curve(_winding(plan, eased), 4, 0.5)
            by_class[kind].append(curve)
            for i, (a, b) in enumerate(itertools.pairwise(nodes)):
                route = ends_on[min(a, b), max(a, b)]
                pieces.append((route, curve[8 * i : 8 * i + 9]))
    return Linework(
        rivers=rivers,
        roads={kind: tuple(lines) for kind, lines in by_class.items() if lines},
        links=tuple(pieces),
        river_shape=_shape(line for lines in rivers.values() for line in lines),
        road_shape=_shape(line for lines in by_class.values() for line in lines),
    )


def _shape(lines: Iterable[Floats]) -> BaseGeometry:
    return MultiLineString([LineString(line) for line in lines])


def rivers(plan: Plan, style: MapStyle, lines: Linework) -> Iterator[Element]:
    """Yield all banks, then all water, so that rivers join without a line between them."""
    drawn = []
    for (name, look), curves in lines.rivers.items():
        kinds = [style.hexside[f.kind] for f in plan.sheet.sides.values() if f.name == name]
        line = next(k for k in kinds if _look(k) == look)
        drawn.append((line, tuple(map(ring_of, curves))))
    for line, rings in drawn:
        width = plan.size(line.width + 2 * line.border)
        yield Stroke(rings, style.ink(line.casing), width)
    for line, rings in drawn:
        yield Stroke(rings, style.ink(line.color), plan.size(line.width))


def roads(plan: Plan, style: MapStyle, lines: Linework) -> Iterator[Element]:
    """Yield the casings of all classes, then their bodies, the most important on top."""
    for kind, curves in lines.roads.items():
        line = style.route[kind]
        width = plan.size(line.width + 2 * line.border)
        yield Stroke(tuple(map(ring_of, curves)), style.ink(line.casing), width)
    for kind, curves in lines.roads.items():
        line = style.route[kind]
        yield Stroke(tuple(map(ring_of, curves)), style.ink(line.color), plan.size(line.width))


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where a road meets a river: the point, the road's direction, and its class (if any)."""

    side: Hexside
    at: Point
    direction: Point
    kind: str


def crossings(plan: Plan, style: MapStyle, lines: Linework) -> Iterator[Crossing]:
    """Yield the place of each bridge; without a road it lies across the middle of its side."""
    over: dict[frozenset[Hex | None], tuple[str, Floats]] = {
        frozenset((route.start, route.end)): (route.kind, curve) for route, curve in lines.links
    }
    for side, feature in plan.sheet.sides.items():
        if not style.hexside[feature.kind].bridge:
            continue
        a, b = plan.side(side)
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        across_it = over.get(frozenset(plan.sheet.grid.side_hexes(side)))
        if across_it:
            kind, curve = across_it
            yield _crossing(side, kind, curve, lines.river_shape, middle)
        else:
            length = math.dist(a, b)
            across = ((a[1] - b[1]) / length, (b[0] - a[0]) / length)
            yield Crossing(side, middle, across, "")


def _crossing(
    side: Hexside, kind: str, curve: Floats, river: BaseGeometry, middle: Point
) -> Crossing:
    line = LineString(curve)
    met = [p for p in shapely.get_parts(line.intersection(river)) if p.geom_type == "Point"]
    if met:
        nearest = min(met, key=lambda p: (math.dist((p.x, p.y), middle), p.x, p.y))
        along = line.project(nearest)
    else:
        along = line.length / 2
    step = line.length / 12
    before, after = line.interpolate(max(along - step, 0)), line.interpolate(along + step)
    at = line.interpolate(along)
    length = math.dist((before.x, before.y), (after.x, after.y))
    direction = ((after.x - before.x) / length, (after.y - before.y) / length)
    return Crossing(side, (at.x, at.y), direction, kind)


def bridges(plan: Plan, style: MapStyle, lines: Linework) -> Iterator[Element]:
    """Yield the sign of every bridge: a deck, and two parapets with splayed ends."""
    lowest = next(iter(style.route.values()), None)
    rails = []
    for crossing in crossings(plan, style, lines):
        road = style.route.get(crossing.kind, lowest)
        river = style.hexside[plan.sheet.sides[crossing.side].kind]
        half = plan.size(river.width / 2 + river.border + 2.6)
        out = plan.size((road.width / 2 + road.border / 2 if road else 3) + 1.1)
        wing = plan.size(2.6)
        (x, y), (dx, dy) = crossing.at, crossing.direction
        deck = [(x - dx * half, y - dy * half), (x + dx * half, y + dy * half)]
        if road:
            yield Stroke((ring_of(deck),), style.ink(style.sheet.paper), 2 * out, cap="butt")
            yield Stroke((ring_of(deck),), style.ink(road.color), plan.size(road.width), cap="butt")
        for hand in (-1, 1):
            rail = [
                (-half - wing * 0.7, hand * (out + wing)),
                (-half, hand * out),
                (half, hand * out),
                (half + wing * 0.7, hand * (out + wing)),
            ]
            rails.append([(x + u * dx - v * dy, y + u * dy + v * dx) for u, v in rail])
    if rails:
        ink = style.ink(lowest.casing if lowest else style.sheet.frame)
        yield Stroke(tuple(map(ring_of, rails)), ink, plan.size(2.1))

"""Streams that run through hexes from center to center."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from builder.draw.map_lines import chains
from builder.draw.map_plan import Floats, Plan, points_of, warped
from builder.draw.map_shapes import rings_of, spline
from builder.draw.map_style import MapStyle
from builder.draw.scene import Element, Fill
from builder.hexes.grid import Hex

__all__ = ["Streams", "stream_elements", "stream_kinds", "streams_of"]

STEPS = 4
"""Samples between the middle of a hex and that of its side."""
BANK = 1.5
"""Width of a bank in hundredths of a hex."""
SPRING = 0.35
"""Share of its width with which a stream begins within a hex."""

_Node = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Streams:
    """The water of the streams by name of terrain, and ``water``, all of it as one shape."""

    shapes: Mapping[str, BaseGeometry]
    water: BaseGeometry


def stream_kinds(plan: Plan, style: MapStyle) -> dict[Hex, str]:
    """Return the hexes through which a stream runs, each with the terrain that it is."""
    found: dict[Hex, str] = {}
    for name, area in style.terrain.items():
        if area.kind == "stream":
            found |= dict.fromkeys(plan.with_feature(name), name)
    return found


def streams_of(plan: Plan, style: MapStyle) -> Streams:
    """Return the shapes of all streams, each within its hexes.

    A stream goes on into water beside its end and over the edge of the map or board.
    """
    kinds = stream_kinds(plan, style)
    if not kinds:
        return Streams({}, shapely.MultiPolygon())
    wide = {h: plan.size(style.terrain[name].width) for h, name in kinds.items()}
    ponds = _ponds(plan, style)
    parts: list[BaseGeometry] = []
    for nodes, widths in _courses(plan, wide, ponds):
        line = spline(np.array(nodes), STEPS, tension=0.5)
        line = warped(line, plan.size(45), plan.size(5), seed=61)
        at = np.arange(len(line)) / STEPS
        parts += _ribbon(line, np.interp(at, np.arange(len(widths)), widths))
    water = shapely.union_all(parts)
    shapes = {}
    for name in dict.fromkeys(kinds.values()):
        own = [h for h, kind in kinds.items() if kind == name]
        near = {n for h in own for n in plan.sheet.grid.neighbors(h)}
        out = sorted(n for n in near if n in ponds or plan.is_beyond(n))
        outer = [shapely.Polygon(np.array(plan.sheet.grid.polygon(h)) * plan.scale) for h in out]
        shapes[name] = water.intersection(shapely.union_all([plan.union(own), *outer]))
    return Streams(shapes, shapely.union_all(list(shapes.values())))


def stream_elements(plan: Plan, style: MapStyle, streams: Streams) -> Iterator[Element]:
    """Yield the banks of all streams, then their water."""
    for name, shape in streams.shapes.items():
        area = style.terrain[name]
        if area.edge:
            yield Fill(rings_of(shape.buffer(plan.size(BANK))), style.ink(area.edge))
    for name, shape in streams.shapes.items():
        yield Fill(rings_of(shape), style.ink(style.terrain[name].color))


def _ponds(plan: Plan, style: MapStyle) -> frozenset[Hex]:
    names = [n for n, area in style.terrain.items() if area.kind == "water"]
    return frozenset(h for n in names for h in plan.with_feature(n))


def _ribbon(line: Floats, widths: Floats) -> Iterator[BaseGeometry]:
    """Yield the pieces of a line that is as wide at each point as told."""
    discs = shapely.buffer(points_of(line), widths / 2, quad_segs=5)
    for one, two in itertools.pairwise(discs):
        yield shapely.convex_hull(shapely.union(one, two))


def _courses(
    plan: Plan, wide: Mapping[Hex, float], ponds: frozenset[Hex]
) -> Iterator[tuple[list[_Node], list[float]]]:
    """Yield the nodes of each stream, middles of hexes and of sides in turn, and its widths."""
    grid = plan.sheet.grid
    home = {_rounded(plan.center(h)): h for h in wide}
    links = [
        (_rounded(plan.center(h)), _rounded(plan.center(n)), "stream")
        for h in wide
        for n in (grid.neighbor(h, direction) for direction in range(3))
        if n in wide
    ]
    lonely = [[at] for at, h in home.items() if not any(n in wide for n in grid.neighbors(h))]
    for centers in (*chains(links), *lonely):
        hexes = [home[c] for c in centers]
        nodes, widths = _with_sides(centers, [wide[h] for h in hexes])
        if hexes[0] == hexes[-1] and len(hexes) > 1:
            yield nodes, widths
            continue
        for lonely_way in (4, 1):
            # both ends in turn: each is made the last one
            hexes.reverse()
            nodes.reverse()
            widths.reverse()
            end = _end(plan, hexes, wide, ponds)
            if len(hexes) == 1:
                end = [plan.side_middle(hexes[0], lonely_way)]
            nodes += end
            widths += [widths[-1]] * len(end)
            if not end and sum(n in wide for n in grid.neighbors(hexes[-1])) < 2:
                widths[-1] *= SPRING
        yield nodes, widths


def _end(
    plan: Plan, hexes: list[Hex], wide: Mapping[Hex, float], ponds: frozenset[Hex]
) -> list[_Node]:
    """Return the nodes by which a stream goes on from its last hex into a pond or off the map."""
    grid, here = plan.sheet.grid, hexes[-1]
    ways = [d for d in range(6) if grid.neighbor(here, d) in wide]
    if len(ways) != 1:
        return []
    # straight on, or with a bend of one side
    out = [
        d
        for d in (ways[0] + turn for turn in (3, 2, 4))
        if (n := grid.neighbor(here, d % 6)) in ponds or plan.is_beyond(n)
    ]
    if not out:
        return []
    return [plan.side_middle(here, out[0] % 6), plan.center(grid.neighbor(here, out[0] % 6))]


def _with_sides(centers: list[_Node], wide: list[float]) -> tuple[list[_Node], list[float]]:
    nodes, widths = [centers[0]], [wide[0]]
    for (a, one), (b, two) in itertools.pairwise(zip(centers, wide, strict=True)):
        nodes += [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), b]
        widths += [(one + two) / 2, two]
    return nodes, widths


def _rounded(point: tuple[float, float]) -> _Node:
    return round(point[0], 6), round(point[1], 6)

"""Bridges that stand in a hex with a stream: a deck of planks between two rails."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from builder.draw.map_lines import Linework
from builder.draw.map_plan import Floats, Plan
from builder.draw.map_shapes import ring_of
from builder.draw.map_streams import stream_kinds
from builder.draw.map_style import AreaStyle, MapStyle
from builder.draw.scene import Element, Fill, Stroke
from builder.hexes.grid import Hex

__all__ = ["decks"]

OVERLAP = 7.0
"""How far a deck reaches over each bank, in hundredths of a hex."""


def decks(plan: Plan, style: MapStyle, lines: Linework) -> Iterator[Element]:
    """Yield the bridge of each hex that has one: along its road, else square over its stream."""
    for name, area in style.terrain.items():
        if area.kind != "bridge":
            continue
        for h in plan.with_feature(name):
            way = _road_way(plan, lines, h) or _over_stream(plan, style, h)
            yield from _deck(plan, style, area, h, way)


def _road_way(plan: Plan, lines: Linework, h: Hex) -> tuple[float, float] | None:
    """Return the direction of the road through a hex, or ``None``."""
    toward = [
        (curve[-1] - curve[0]) * (1 if math.dist(curve[0], plan.center(h)) < 1e-3 else -1)
        for route, curve in lines.links
        if h in (route.start, route.end)
    ]
    if not toward:
        return None
    run = toward[0] - toward[1] if len(toward) > 1 else toward[0]
    length = float(np.hypot(*run))
    return (float(run[0]) / length, float(run[1]) / length) if length else None


def _over_stream(plan: Plan, style: MapStyle, h: Hex) -> tuple[float, float]:
    """Return the direction across the stream of a hex."""
    kinds, grid = stream_kinds(plan, style), plan.sheet.grid
    ways = [d for d in range(6) if grid.neighbor(h, d) in kinds] or [1, 4]
    (ax, ay), (bx, by) = plan.side_middle(h, ways[0]), plan.center(h)
    if len(ways) > 1:
        bx, by = plan.side_middle(h, ways[1])
    length = math.dist((ax, ay), (bx, by))
    return (ay - by) / length, (bx - ax) / length


def _deck(
    plan: Plan, style: MapStyle, area: AreaStyle, h: Hex, way: tuple[float, float]
) -> Iterator[Element]:
    kind = stream_kinds(plan, style).get(h)
    across = style.terrain[kind].width if kind else 40.0
    half, out = plan.size(across / 2 + OVERLAP), plan.size(area.width / 2)
    (x, y), (dx, dy) = plan.center(h), way

    def turned(points: list[tuple[float, float]]) -> Floats:
        return np.array([(x + u * dx - v * dy, y + u * dy + v * dx) for u, v in points])

    plank, rail = (style.ink(c) for c in area.detail[:2])
    deck = turned([(-half, -out), (half, -out), (half, out), (-half, out)])
    yield Fill((ring_of(deck),), style.ink(area.color))
    steps = np.arange(-half, half, plan.size(5.2))[1:].tolist()
    planks = tuple(ring_of(turned([(u, -out), (u, out)])) for u in steps)
    yield Stroke(planks, plank, plan.size(0.9), cap="butt")
    wing = plan.size(3.2)
    rails = [
        turned(
            [
                (-half - wing, side * (out + wing)),
                (-half, side * out),
                (half, side * out),
                (half + wing, side * (out + wing)),
            ]
        )
        for side in (-1, 1)
    ]
    yield Stroke(tuple(map(ring_of, rails)), rail, plan.size(2.4), join="miter")

"""What grows on a ground: reeds, orchards, vines, cactus, bamboo, the crowns of a jungle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import shapely

from builder.draw.map_plan import Floats, hash01
from builder.draw.map_scatter import Ground, placed
from builder.draw.map_shapes import lines_of, rings_from
from builder.draw.map_woods import tree_crowns
from builder.draw.scene import Element, Fill, Stroke
from builder.hexes.grid import Hex

__all__ = ["bamboo", "cactus", "jungle", "marsh", "orchard", "rows", "swamp"]

PER_ELEMENT = 60

# Glyphs around their foot or middle, in units of their size; up is negative.
_REEDS = tuple(
    np.array(line, dtype=float)
    for line in (
        [(-0.1, 0), (-0.35, -0.5), (-0.75, -0.8)],
        [(-0.05, 0), (-0.15, -0.7), (-0.32, -1.2)],
        [(0, 0), (0.02, -0.8), (0.0, -1.45)],
        [(0.05, 0), (0.18, -0.65), (0.38, -1.1)],
        [(0.1, 0), (0.4, -0.4), (0.8, -0.7)],
    )
)
_WATER_LINE = np.array([(-1.25, 0.12), (1.25, 0.12)])
_POOL = np.array(
    [
        (np.cos(a) * w, 0.42 * np.sin(a) * w)
        for a, w in zip(
            np.arange(10) * np.pi / 5,
            [1, 1.1, 0.9, 1, 1.15, 1, 0.92, 1.08, 0.95, 1.05],
            strict=True,
        )
    ]
)
_CACTUS = tuple(
    np.array(line, dtype=float)
    for line in (
        [(0, 0.9), (0, -1.2)],
        [(-0.75, -0.55), (-0.75, -0.05), (-0.6, 0.15), (0, 0.2)],
        [(0.75, -0.8), (0.75, -0.3), (0.6, -0.1), (0, -0.05)],
    )
)
_STALKS = tuple(
    np.array(line, dtype=float)
    for line in (
        [(-0.55, 0.75), (-0.6, -0.6)],
        [(-0.12, 0.95), (-0.1, -1.0)],
        [(0.38, 0.8), (0.48, -0.75)],
    )
)
_LEAVES = tuple(
    np.array(line, dtype=float)
    for line in (
        [(-0.6, -0.6), (-1.0, -0.35)],
        [(-0.6, -0.3), (-0.25, -0.5)],
        [(-0.1, -1.0), (0.3, -0.85)],
        [(-0.1, -0.7), (-0.5, -0.95)],
        [(0.48, -0.75), (0.9, -0.5)],
        [(0.45, -0.4), (0.85, -0.65)],
    )
)
_FROND = np.array([(0.0, 0.0), (0.45, -0.2), (1.0, 0.0), (0.45, 0.12)])


def _strokes(
    glyph: Sequence[Floats], places: Floats, sizes: Floats, ink: str, width: float
) -> Iterator[Element]:
    """Yield all lines of a glyph at all its places, a few places at a time."""
    for start in range(0, len(places), PER_ELEMENT):
        some = slice(start, start + PER_ELEMENT)
        lines = [r for line in glyph for r in rings_from(placed(line, places[some], sizes[some]))]
        yield Stroke(tuple(lines), ink, width)


def _fills(glyph: Floats, places: Floats, sizes: Floats, ink: str) -> Iterator[Element]:
    for start in range(0, len(places), PER_ELEMENT):
        some = slice(start, start + PER_ELEMENT)
        yield Fill(tuple(rings_from(placed(glyph, places[some], sizes[some]))), ink)


def marsh(ground: Ground, inks: Sequence[str]) -> Iterator[Element]:
    """Yield pools of water and tufts of reeds; ``inks`` are those of reeds and pools."""
    size = ground.plan.size
    pools, chance = ground.scattered(34, 11, 201)
    yield from _fills(_POOL, pools, size(8.5) * (0.7 + 0.6 * chance), inks[1])
    places, chance = ground.scattered(20, 6, 204)
    sizes = size(6) * (0.8 + 0.4 * chance)
    yield from _strokes([_WATER_LINE], places, sizes, inks[1], size(1.6))
    yield from _strokes(_REEDS, places, sizes, inks[0], size(1.1))


def swamp(ground: Ground, inks: Sequence[str]) -> Iterator[Element]:
    """Yield a marsh with dark trees; ``inks`` are those of reeds, pools and crowns."""
    yield from marsh(ground, inks)
    places, chance = ground.scattered(30, 8, 207)
    radii = ground.plan.size(5.4) * (0.75 + 0.5 * chance)
    yield from tree_crowns((inks[0], inks[2], inks[2]), places, radii)


def orchard(ground: Ground, inks: Sequence[str]) -> Iterator[Element]:
    """Yield trees in rows; ``inks`` are those of their shade, body and light."""
    places, chance = ground.scattered(19, 8, 210, wander=0)
    yield from tree_crowns(inks, places, ground.plan.size(5.9) * (0.9 + 0.2 * chance))


def jungle(ground: Ground, inks: Sequence[str]) -> Iterator[Element]:
    """Yield a dense roof of crowns with palms in it; ``inks``: shade, body, light, fronds."""
    size = ground.plan.size
    places, chance = ground.scattered(10.5, 4, 213)
    yield from tree_crowns(inks, places, size(5) * (0.75 + 0.55 * chance))
    palms, chance = ground.scattered(27, 9, 216)
    for number in range(7):
        angle = number * 2 * np.pi / 7 + 0.3
        cos, sin = np.cos(angle), np.sin(angle)
        leaf = _FROND @ np.array([[cos, sin], [-sin, cos]])
        yield from _fills(leaf, palms, size(8.4) * (0.85 + 0.3 * chance), inks[3])


def cactus(ground: Ground, inks: Sequence[str]) -> Iterator[Element]:
    """Yield cactus; ``inks`` are those of their outline and body."""
    size = ground.plan.size
    places, chance = ground.scattered(21, 9, 219)
    sizes = size(7) * (0.75 + 0.45 * chance)
    yield from _strokes(_CACTUS, places, sizes, inks[0], size(3.8))
    yield from _strokes(_CACTUS, places, sizes, inks[1], size(2.0))


def bamboo(ground: Ground, inks: Sequence[str]) -> Iterator[Element]:
    """Yield a thicket of stalks; ``inks`` are those of stalks and leaves."""
    size = ground.plan.size
    places, chance = ground.scattered(11.5, 6, 222, wander=0.5)
    sizes = size(6.4) * (0.85 + 0.3 * chance)
    yield from _strokes(_STALKS, places, sizes, inks[0], size(1.5))
    yield from _strokes(_LEAVES, places, sizes, inks[1], size(1.3))


def rows(ground: Ground, inks: Sequence[str], hexes: Sequence[Hex]) -> Iterator[Element]:
    """Yield rows of vines, each hex a field of its own; ``inks``: row, leaves, light on them."""
    size, plan = ground.plan.size, ground.plan
    lines: list[shapely.LineString] = []
    for h, row in zip(hexes, plan.rows(hexes).tolist(), strict=True):
        angle = (0.35, 1.4, 2.45)[int(hash01(h.column, h.row, 225) * 3)]
        field = plan.polygons[row].buffer(-size(4)).intersection(ground.shape)
        run = np.array([np.cos(angle), np.sin(angle)])
        off = np.array([-run[1], run[0]])
        for k in range(-5, 6):
            middle = plan.centers[row] + off * k * size(10.5)
            line = shapely.LineString([middle - run * size(60), middle + run * size(60)])
            lines += shapely.get_parts(line.intersection(field)).tolist()
    lines = [line for line in lines if line.geom_type == "LineString" and line.length > size(8)]
    shown = [ring for line in lines for ring in lines_of(line)]
    for start in range(0, len(shown), PER_ELEMENT):
        yield Stroke(tuple(shown[start : start + PER_ELEMENT]), inks[0], size(1.2), opacity=0.7)
    bushes = [
        shapely.get_coordinates(
            shapely.line_interpolate_point(line, np.arange(size(2), line.length, size(6.2)))
        )
        for line in lines
    ]
    places = np.concatenate(bushes) if bushes else np.zeros((0, 2))
    places = places[ground.free(places, 2)] if len(places) else places
    radii = size(2.7) * (0.85 + 0.3 * hash01(np.arange(len(places)), 7, 226))
    yield from tree_crowns((inks[0], inks[1], inks[2]), places, radii)

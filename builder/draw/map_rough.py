"""Ground without plants: rocks of a crag, cracks in ice, the cells of paddies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import shapely

from builder.draw.map_plan import Floats, hash01, polygons_of, warped
from builder.draw.map_scatter import Ground, placed
from builder.draw.map_shapes import ring_of, rings_from, rings_of
from builder.draw.scene import Element, Fill, Stroke
from builder.hexes.grid import Hex

__all__ = ["crag", "frozen", "paddy"]

PER_ELEMENT = 60
# Rocks around their middle: an outline, and the facet on which the light falls.
_ROCKS: tuple[tuple[Floats, Floats], ...] = tuple(
    (np.array(outline), np.array(facet))
    for outline, facet in (
        (
            [
                (-1, 0.25),
                (-0.7, -0.6),
                (0.0, -0.95),
                (0.75, -0.5),
                (1, 0.2),
                (0.5, 0.7),
                (-0.6, 0.7),
            ],
            [(-0.85, 0.2), (-0.6, -0.52), (0.0, -0.82), (0.15, -0.2), (-0.3, 0.25)],
        ),
        (
            [(-0.95, 0.5), (-0.85, -0.3), (-0.2, -0.8), (0.5, -0.75), (0.95, 0.1), (0.7, 0.65)],
            [(-0.8, 0.35), (-0.72, -0.25), (-0.15, -0.68), (0.4, -0.62), (0.1, -0.05), (-0.4, 0.1)],
        ),
        (
            [(-0.8, 0.6), (-1.0, 0.0), (-0.3, -1.0), (0.35, -0.7), (0.9, -0.1), (0.75, 0.6)],
            [(-0.75, 0.4), (-0.85, 0.0), (-0.28, -0.85), (-0.05, -0.1), (-0.3, 0.35)],
        ),
    )
)


def crag(ground: Ground, inks: Sequence[str]) -> Iterator[Element]:
    """Yield rocks of all sizes; ``inks`` are those of their shadow, body and light."""
    size = ground.plan.size
    places, chance = ground.scattered(13, 6, 301)
    sizes = size(5.8) * (0.45 + 0.85 * chance**1.5)
    kinds = (hash01(np.arange(len(places)), 3, 304) * len(_ROCKS)).astype(int)
    shadow = np.array([0.16, 0.2])
    for number, (outline, facet) in enumerate(_ROCKS):
        own = np.flatnonzero(kinds == number)
        for start in range(0, len(own), PER_ELEMENT):
            some = own[start : start + PER_ELEMENT]
            at, radii = places[some], sizes[some]
            dark = tuple(rings_from(placed(outline * 1.1 + shadow, at, radii)))
            yield Fill(dark, inks[0])
            yield Fill(tuple(rings_from(placed(outline, at, radii))), inks[1])
            yield Fill(tuple(rings_from(placed(facet, at, radii))), inks[2])


def frozen(ground: Ground, inks: Sequence[str], hexes: Sequence[Hex]) -> Iterator[Element]:
    """Yield cracks that branch over each hex of ice; ``inks`` is that of the cracks."""
    size, plan = ground.plan.size, ground.plan
    inner = ground.shape.buffer(-size(2))
    cracks = []
    for h, row in zip(hexes, plan.rows(hexes).tolist(), strict=True):
        chance = hash01(np.arange(40), h.column * 64 + h.row, 311)
        start = plan.centers[row] + (chance[:2] - 0.5) * size(26)
        for arm in range(3):
            angle = (arm + 0.6 * chance[2 + arm]) * 2 * np.pi / 3
            at, line = start, [start]
            for step in range(4):
                bend = (chance[6 + arm * 8 + step] - 0.5) * 1.5
                run = size(13) * np.array([np.cos(angle + bend), np.sin(angle + bend)])
                at = at + run
                line.append(at)
                if step == 1:
                    side = angle + (0.9 if bend < 0 else -0.9)
                    cracks.append([at, at + size(12) * np.array([np.cos(side), np.sin(side)])])
            cracks.append(line)
    shown = shapely.intersection(shapely.MultiLineString(cracks), inner)
    parts = [p for p in shapely.get_parts(shown) if p.geom_type == "LineString"]
    lines = tuple(ring_of(shapely.get_coordinates(p)) for p in parts)
    for start in range(0, len(lines), PER_ELEMENT):
        yield Stroke(lines[start : start + PER_ELEMENT], inks[0], size(1.0))


def paddy(ground: Ground, inks: Sequence[str]) -> Iterator[Element]:
    """Yield flooded cells in steps, with dikes left between them; ``inks``: two waters, rice."""
    size = ground.plan.size
    if ground.shape.is_empty:
        return
    wide, high = size(64), size(20)
    left, top, right, bottom = ground.shape.bounds
    i, j = (
        a.reshape(-1)
        for a in np.meshgrid(
            np.arange(int(left / wide) - 1, int(right / wide) + 2),
            np.arange(int(top / high) - 1, int(bottom / high) + 2),
        )
    )
    shift = hash01(j + 4096, 0, 321)
    x, y = (i + shift) * wide, j * high
    # Each cell is a strip with points along it, so that it can follow the slope.
    along = np.linspace(0, 1, 8)
    # The dike between two cells of a strip stands anywhere within a third of their width.
    starts = x + (hash01(i + 4096, j + 4096, 325) - 0.5) * 0.6 * wide
    ends = x + wide + (hash01(i + 4097, j + 4096, 325) - 0.5) * 0.6 * wide
    across = starts[:, None] * (1 - along) + ends[:, None] * along
    upper = np.stack([across, np.repeat(y[:, None], 8, axis=1)], axis=-1)
    lower = upper[:, ::-1] + np.array([0, high])
    cells = np.concatenate([upper, lower], axis=1)
    bent = warped(cells.reshape(-1, 2), size(85), size(19), seed=322).reshape(cells.shape)
    inner = ground.shape.buffer(-size(3.5))
    shapes = shapely.intersection(
        shapely.buffer(polygons_of(bent), -size(1.3), join_style="mitre"), inner
    )
    tint = hash01(i + 4096, j + 4096, 323)
    for ink, own in ((inks[0], tint < 0.5), (inks[1], tint >= 0.5)):
        rings = [r for shape in shapes[own] if shape.area > size(5) ** 2 for r in rings_of(shape)]
        for start in range(0, len(rings), PER_ELEMENT):
            yield Fill(tuple(rings[start : start + PER_ELEMENT]), ink)
    places, _ = ground.scattered(9, 5, 324, wander=0)
    dash = np.array([(-0.5, 0.0), (0.5, 0.0)])
    seedlings = rings_from(placed(dash, places, np.full(len(places), size(2.6))))
    for start in range(0, len(seedlings), PER_ELEMENT):
        yield Stroke(tuple(seedlings[start : start + PER_ELEMENT]), inks[2], size(1.1))

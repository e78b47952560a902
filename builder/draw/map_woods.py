"""Woods: a grown outline, and trees that stand in it and never on a road, a river or a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from builder.draw.map_plan import Floats, KeepOff, Plan, hash01, points_of
from builder.draw.map_shapes import ring_of, rings_from
from builder.draw.map_style import MapStyle
from builder.draw.scene import Element, Fill, Repeat

__all__ = ["tree_crowns", "trees"]

PATTERNS = 6
"""Different stands of trees; a map that repeats one looks tiled."""
PARTS = 5
"""A stand is drawn in so many parts, each a form: one that a road cuts is drawn singly."""
SPACING = 15.5
"""Mean distance between trees in hundredths of a hex."""
RINGS_PER_FILL = 40
USUAL_NUMBER = 9.5
"""Size of a printed number for which the ground that trees leave it was measured."""


def _crown(sides: int) -> Floats:
    """Return a slightly lumpy ring around the origin: a tree of radius 1 seen from above."""
    angles = (np.arange(sides) + 0.3) * 2 * np.pi / sides
    lumps = np.array([1.0, 0.93, 1.04, 0.95, 1.02, 0.92, 1.05, 0.96, 0.99])[:sides]
    return np.column_stack([np.cos(angles) * lumps, np.sin(angles) * lumps])


# Of the shade only a rim is seen, and the light is small: few sides will do.
_SHADE, _BODY, _LIGHT = _crown(7), _crown(9), _crown(5)


def _stand(plan: Plan, pattern: int, number: float) -> tuple[Floats, Floats]:
    """Return places (n, 2) relative to a hex's center, and radii, of one stand of trees.

    ``number`` is the size of the printed number, on which no tree stands.
    """
    step = plan.size(SPACING)
    count = int(np.ceil(0.7 * plan.unit / step)) + 1
    j, i = np.mgrid[-count : count + 1, -count : count + 1].reshape(2, -1)
    wander = 0.62 * step
    x = (i + 0.5 * (j % 2)) * step + (hash01(i + 64, j + 64, pattern) - 0.5) * wander
    y = j * step * 0.87 + (hash01(i + 64, j + 64, pattern + 50) - 0.5) * wander
    radius = plan.size(3.9) * (0.78 + 0.44 * hash01(i + 64, j + 64, pattern + 90))
    points = np.column_stack([x, y])
    # All hexes have one shape: take the first one, moved to the origin and drawn in a little.
    shape = shapely.polygons(plan.corners[0] - plan.centers[0]).buffer(-plan.size(2.2))
    kept = shapely.contains_xy(shape, x, y) & ~_on_number(plan, points, number)
    order = np.argsort(points[kept][:, 1], kind="stable")
    return points[kept][order], radius[kept][order]


def _on_number(plan: Plan, offsets: Floats, number: float) -> NDArray[np.bool_]:
    """Tell which places would stand on the printed number, at the top of the hex."""
    top = (plan.corners[0] - plan.centers[0])[:, 1].min()
    more = number - USUAL_NUMBER
    width = plan.size(17 + 0.4 * more)
    height = plan.size((28 if plan.sheet.grid.sideways else 19) + 0.5 * more)
    result: NDArray[np.bool_] = (np.abs(offsets[:, 0]) < width) & (offsets[:, 1] < top + height)
    return result


def trees(
    plan: Plan, style: MapStyle, name: str, shape: BaseGeometry, keep_off: KeepOff
) -> Iterator[Element]:
    """Yield the trees of one kind of woods whose outline is ``shape``.

    ``keep_off`` is where no tree stands. A part of a hex that keeps all its
    trees refers to a stand drawn once; of the others every tree is drawn by itself.
    """
    area = style.terrain[name]
    hexes = plan.with_feature(name)
    if not hexes or shape.is_empty:
        return
    rows = plan.rows(hexes)
    choice = (
        hash01(np.array([h.column for h in hexes]), np.array([h.row for h in hexes]), 5) * PATTERNS
    ).astype(int)
    inks = [style.ink(c) for c in area.detail[:3]]
    stands = [_stand(plan, p, style.text["number"].size) for p in range(PATTERNS)]
    inner = shape.buffer(-plan.size(3.2))
    shapely.prepare(inner)
    whole: dict[tuple[int, int], Floats] = {}
    loose: list[Floats] = []
    loose_radii: list[Floats] = []
    for pattern, (offsets, radii) in enumerate(stands):
        centers = plan.centers[rows[choice == pattern]]
        if not len(centers) or not len(offsets):
            continue
        points = (centers[:, None] + offsets[None]).reshape(-1, 2)
        free = shapely.contains_xy(inner, points[:, 0], points[:, 1])
        inside = np.flatnonzero(free)
        free[inside] = ~keep_off.hits(points_of(points[inside]), plan.size(7.5))
        table = free.reshape(len(centers), len(offsets))
        for number, part in enumerate(np.array_split(np.arange(len(offsets)), PARTS)):
            full = table[:, part].all(axis=1)
            whole[pattern, number] = centers[full]
            table[np.ix_(full, part)] = False
        rest = table.reshape(-1)
        loose.append(points[rest])
        loose_radii.append(np.broadcast_to(radii, table.shape).reshape(-1)[rest])
    for (pattern, number), places in whole.items():
        if len(places):
            offsets, radii = (np.array_split(a, PARTS)[number] for a in stands[pattern])
            yield Repeat(tuple(_drawn(inks, offsets, radii)), ring_of(places))
    if loose:
        yield from tree_crowns(inks, np.vstack(loose), np.concatenate(loose_radii))


def tree_crowns(inks: Sequence[str], points: Floats, radii: Floats) -> Iterator[Element]:
    """Yield trees at points (n, 2), the southern ones on top; ``inks``: shade, body, light."""
    order = np.lexsort((points[:, 0], points[:, 1]))
    for start in range(0, len(order), RINGS_PER_FILL):
        some = order[start : start + RINGS_PER_FILL]
        yield from _drawn(inks, points[some], radii[some])


def _drawn(inks: Sequence[str], points: Floats, radii: Floats) -> Iterator[Element]:
    shade, body, light = inks[:3]
    layers = ((shade, _SHADE, 0.28, 1.02), (body, _BODY, 0.0, 1.0), (light, _LIGHT, -0.26, 0.52))
    for color, crown, shift, scale in layers:
        places = points + (radii * shift)[:, None]
        shapes = places[:, None] + crown[None] * (radii * scale)[:, None, None]
        yield Fill(tuple(rings_from(shapes)), color)

"""What lies beside boards that are cut: quiet ground that hides what goes on beyond their edge."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from builder.draw.map_plan import Plan, Shapes
from builder.draw.map_shapes import lines_of, ring_of, rings_of
from builder.draw.map_style import MapStyle
from builder.draw.scene import Element, Fill, Ring, Stroke, circle

__all__ = ["beside", "center_dots"]

LINES_PER_STROKE = 40


def beside(plan: Plan, style: MapStyle) -> Iterator[Element]:
    """Yield the ground beside cut boards with its thin hexes, and the boards' edges."""
    if not plan.boards:
        return
    area = next((a for a in style.terrain.values() if a.kind == "beyond"), None)
    color = style.ink(area.color if area else style.sheet.paper)
    edge = style.ink(area.edge if area and area.edge else style.sheet.grid)
    shown = shapely.union_all([b.outline for b in plan.boards])
    yield Fill(rings_of(plan.field.difference(shown)), color)
    lines = _sides_beside(plan, shown)
    width = plan.size(0.8 * style.sheet.grid_width)
    for start in range(0, len(lines), LINES_PER_STROKE):
        part = tuple(lines[start : start + LINES_PER_STROKE])
        yield Stroke(part, edge, width, opacity=style.sheet.grid_opacity)
    frame = style.ink(style.sheet.frame)
    # where boards meet only a fine seam parts them
    for board in plan.boards:
        seam = (ring_of(shapely.get_coordinates(board.outline.exterior)[:-1]),)
        yield Stroke(seam, frame, plan.size(1.6), closed=True, join="miter", opacity=0.6)
    yield Stroke(rings_of(shown), frame, plan.size(4.2), closed=True, join="miter")


def _sides_beside(plan: Plan, shown: BaseGeometry) -> list[Ring]:
    """Return the parts of all hexsides that lie beside the boards, each once."""
    ends = np.concatenate([plan.corners[:, [i, (i + 1) % 6]] for i in range(6)])
    middles = np.round(ends.mean(axis=1), 3)
    _, first = np.unique(middles, axis=0, return_index=True)
    sides: Shapes = np.asarray(shapely.linestrings(ends[np.sort(first)]), dtype=object)
    shapely.prepare(shown)
    outside = ~shapely.intersects(shown, sides)
    rest = sides[~outside & ~shapely.covers(shown, sides)]
    parts = shapely.difference(rest, shown)
    return [ring for shape in (*sides[outside], *parts) for ring in lines_of(shape)]


def center_dots(plan: Plan, style: MapStyle) -> Iterator[Element]:
    """Yield a dot in the middle of each hex of the boards, if the style asks for them."""
    radius = plan.size(style.sheet.dot)
    if not radius:
        return
    dots = [
        circle(x, y, radius, 10)
        for (x, y), h in zip(plan.centers.tolist(), plan.hexes, strict=True)
        if not plan.is_beyond(h)
    ]
    for start in range(0, len(dots), LINES_PER_STROKE):
        rings = tuple(map(ring_of, dots[start : start + LINES_PER_STROKE]))
        yield Fill(rings, style.ink(style.sheet.grid), 0.75)

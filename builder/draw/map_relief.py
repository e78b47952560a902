"""Hills: ground that rises within hill hexes, shaded from the north-west, with contour lines.

The heights are made up (the rules know only that a hex is a hill), but they are ground: shadow,
light and contours are level lines of one height field, so they agree with each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from builder.draw.map_plan import Floats, Plan, noise
from builder.draw.map_shapes import level_rings, ring_of
from builder.draw.map_style import MapStyle
from builder.draw.scene import Element, Fill, Point, Stroke

__all__ = ["Heights", "heights", "relief", "tint"]

SAMPLES = 8
"""Heights per hex in each direction."""
TOLERANCE = 0.7
"""How far a level line may lie off, in hundredths of a hex."""
TINTS = ((0.34, 0.28), (0.6, 0.24), (0.85, 0.24))
CONTOURS = (0.4, 0.53, 0.66, 0.79, 0.92, 1.05)
SHADOWS = (0.35, 0.8, 1.4)
LIGHTS = (0.5, 1.1)


@dataclass(frozen=True, slots=True)
class Heights:
    """Heights (rows, columns) at ``origin`` plus multiples of ``step`` millimetres."""

    values: Floats
    origin: Point
    step: float


def _blurred(values: Floats, sigma: float) -> Floats:
    """Return a Gaussian blur; outside is 0. Sums run in a fixed order: same bytes everywhere."""
    reach = int(np.ceil(3 * sigma))
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights /= weights.sum()
    for axis in (0, 1):
        padded = np.pad(values, [(reach, reach) if a == axis else (0, 0) for a in (0, 1)])
        size = values.shape[axis]
        values = sum(
            (
                w * (padded[k : k + size] if axis == 0 else padded[:, k : k + size])
                for k, w in enumerate(weights.tolist())
            ),
            np.zeros_like(values),
        )
    return values


def heights(plan: Plan, feature: str, *, beyond: bool = True) -> Heights | None:
    """Return the ground of all hexes with that feature; ``None`` if there are none.

    Ground is 0 well outside of them, about 0.4 at their outline, and about 1 far inside. With
    ``beyond`` it goes on past the map's edge.
    """
    hexes = plan.with_feature(feature)
    if not hexes:
        return None
    step = plan.unit / SAMPLES
    corners = plan.corners[plan.rows(hexes)].reshape(-1, 2)
    left, top = corners.min(axis=0) - 0.8 * plan.unit
    right, bottom = corners.max(axis=0) + 0.8 * plan.unit
    xs = left + step * np.arange(int((right - left) / step) + 2)
    ys = top + step * np.arange(int((bottom - top) / step) + 2)
    x, y = (a.reshape(-1) for a in np.meshgrid(xs, ys))
    found = plan.sheet.grid.hexes_containing(np.column_stack([x, y]) / plan.scale)
    sheet = plan.sheet
    is_hill = np.zeros((sheet.columns, sheet.rows))
    for h in hexes:
        is_hill[h] = 1
    # A point off the map has the ground of the nearest hex at the edge.
    column = np.clip(found[:, 0], 0, sheet.columns - 1)
    row = np.clip(found[:, 1], 0, sheet.rows - 1)
    if not beyond:
        is_on_map = (column == found[:, 0]) & (row == found[:, 1])
        column, row = np.where(is_on_map, column, -1), np.where(is_on_map, row, -1)
        is_hill = np.pad(is_hill, ((0, 1), (0, 1)))
    mask = is_hill[column, row].reshape(len(ys), len(xs))
    base = _blurred(mask, 0.27 * SAMPLES)
    u, v = x / plan.unit, y / plan.unit
    # Two scales of ridges: valleys fall to half of a crest's height.
    crest = 1 - np.abs(2 * noise(u / 1.1, v / 1.1, 21) - 1)
    spur = 1 - np.abs(2 * noise(u / 0.5 + 3, v / 0.5, 22) - 1)
    rough = (0.62 + 0.5 * crest + 0.22 * spur).reshape(mask.shape)
    return Heights(_blurred(base * rough, 0.06 * SAMPLES), (float(left), float(top)), step)


def tint(plan: Plan, style: MapStyle, name: str, ground: Heights) -> Iterator[Element]:
    """Yield the color of one kind of hill, stronger with the height; it lies below all else."""
    color = style.ink(style.terrain[name].color)
    for level, opacity in TINTS:
        yield from _filled(plan, ground, ground.values, level, color, opacity)


def relief(plan: Plan, style: MapStyle, name: str, ground: Heights) -> Iterator[Element]:
    """Yield shadow, light and contours of one kind of hill; woods shine through."""
    area = style.terrain[name]
    shade, light = (style.ink(c) for c in area.detail[:2])
    slope_y, slope_x = np.gradient(ground.values, 1 / SAMPLES)
    # Shade stays on the hill: it fades out where its foot does.
    foot = np.clip((ground.values - 0.16) / 0.25, 0, 1)
    lit = (slope_x + slope_y) / np.sqrt(2) * foot
    for level in SHADOWS:
        yield from _filled(plan, ground, -lit, level, shade, 0.12)
    for level in LIGHTS:
        yield from _filled(plan, ground, lit, level, light, 0.2)
    for number, level in enumerate(CONTOURS):
        rings = level_rings(ground.values, level, ground.origin, ground.step, plan.size(TOLERANCE))
        if rings:
            # Every third line is the stronger one, as on survey sheets.
            width = plan.size(1.3 if number % 3 == 0 else 0.8)
            lines = tuple(map(ring_of, rings))
            yield Stroke(lines, style.ink(area.edge), width, closed=True)


def _filled(
    plan: Plan, ground: Heights, values: Floats, level: float, color: str, opacity: float
) -> Iterator[Element]:
    rings = level_rings(values, level, ground.origin, ground.step, plan.size(TOLERANCE))
    if rings:
        yield Fill(tuple(map(ring_of, rings)), color, opacity)

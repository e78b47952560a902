"""Where the small things of a ground stand: scattered, or in regular rows, within its shape."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from builder.draw.map_plan import Floats, Ints, KeepOff, Plan, Shapes, hash01, points_of

__all__ = ["Ground", "placed"]


@dataclass(frozen=True, slots=True)
class Ground:
    """The ``shape`` of one kind of ground and what is to be left free: lines, marks, numbers."""

    plan: Plan
    shape: BaseGeometry
    keep_off: KeepOff
    numbers: KeepOff

    def scattered(
        self, spacing: float, margin: float, seed: int, *, wander: float = 0.7
    ) -> tuple[Floats, Floats]:
        """Return places (n, 2) from north to south, and a number in [0, 1) for each.

        Places are about ``spacing`` apart and ``margin`` away from the rim, from numbers and from
        what is to be kept free, all in hundredths of a hex. A share ``wander`` of chance moves
        each; without it they are in rows, turned a little.
        """
        plan = self.plan
        if self.shape.is_empty:
            return np.zeros((0, 2)), np.zeros(0)
        points, i, j = _lattice(self.shape.bounds, plan.size(spacing), 0.0 if wander else 0.22)
        shift = np.column_stack([hash01(i, j, seed), hash01(i, j, seed + 1)]) - 0.5
        points = points + shift * wander * plan.size(spacing)
        inner = self.shape.buffer(-plan.size(margin))
        shapely.prepare(inner)
        kept = np.flatnonzero(shapely.contains_xy(inner, points[:, 0], points[:, 1]))
        kept = kept[self.free(points[kept], margin)]
        kept = kept[np.lexsort((points[kept, 0], points[kept, 1]))]
        return points[kept], hash01(i[kept], j[kept], seed + 2)

    def free(self, points: Floats, margin: float) -> NDArray[np.bool_]:
        """Tell which places are ``margin`` hundredths of a hex away from what is kept free."""
        shapes: Shapes = points_of(points)
        size = self.plan.size
        hit = self.keep_off.hits(shapes, size(margin + 3)) | self.numbers.hits(shapes, 0)
        return ~hit


def _lattice(
    bounds: tuple[float, float, float, float], step: float, turn: float
) -> tuple[Floats, Ints, Ints]:
    """Return points of one lattice of the whole sheet within bounds, and their two numbers."""
    left, top, right, bottom = bounds
    reach = math.hypot(right - left, bottom - top) / 2 + step
    middle = np.array([(left + right) / 2, (top + bottom) / 2])
    cos, sin = math.cos(turn), math.sin(turn)
    frame = np.array([[cos, sin], [-sin, cos]])
    high = step * math.sqrt(3) / 2
    u, v = frame @ middle
    i0, i1 = math.floor((u - reach) / step), math.ceil((u + reach) / step)
    j0, j1 = math.floor((v - reach) / high), math.ceil((v + reach) / high)
    if not turn:
        i0, i1 = math.floor(left / step) - 1, math.ceil(right / step) + 1
        j0, j1 = math.floor(top / high) - 1, math.ceil(bottom / high) + 1
    i, j = (a.reshape(-1) for a in np.meshgrid(np.arange(i0, i1 + 1), np.arange(j0, j1 + 1)))
    flat = np.column_stack([(i + 0.5 * (j % 2)) * step, j * high])
    return flat @ frame, i + 4096, j + 4096


def placed(glyph: Floats, places: Floats, sizes: Floats) -> Floats:
    """Return a glyph (k, 2) at places (n, 2) in sizes (n,) as an array (n, k, 2)."""
    result: Floats = places[:, None] + glyph[None] * sizes[:, None, None]
    return result

"""Flames and smoke on a hex that burns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from builder.draw.map_plan import Floats, Plan, hash01
from builder.draw.map_scatter import placed
from builder.draw.map_shapes import rings_from, spline
from builder.draw.scene import Element, Fill, Stroke
from builder.hexes.grid import Hex

__all__ = ["blaze"]

# A flame around the middle of its foot, in units of its height.
_FLAME = spline(
    np.array(
        [
            (0.0, 0.1),
            (0.3, 0.0),
            (0.42, -0.28),
            (0.27, -0.56),
            (0.2, -0.42),
            (0.05, -1.0),
            (-0.2, -0.62),
            (-0.28, -0.4),
            (-0.42, -0.2),
            (-0.27, 0.02),
        ]
    ),
    4,
    tension=0.35,
    closed=True,
)
_TONGUES = ((-22, 6, 30), (23, 8, 27), (-8, 26, 25), (13, 28, 22), (0, 15, 44))
"""Places of flames from the middle of the hex, and their heights, in hundredths of a hex."""


def blaze(plan: Plan, hexes: Sequence[Hex], glow: str, inks: Sequence[str]) -> Iterator[Element]:
    """Yield flames over a glow; ``inks`` are those of a flame's rim, body and heart."""
    rows = plan.rows(hexes)
    if not len(rows):
        return
    centers = plan.centers[rows]
    column, row = np.array(hexes, dtype=np.int64).T
    rims: Floats = plan.corners[rows]
    drawn_in = centers[:, None] + (rims - centers[:, None]) * 0.9
    yield Fill(tuple(rings_from(drawn_in)), glow, 0.38)
    yield Stroke(tuple(rings_from(drawn_in)), inks[0], plan.size(2.2), closed=True, opacity=0.8)
    for number, (x, y, height) in enumerate(_TONGUES):
        chance = hash01(column, row, 401 + number)
        tall = plan.size(height) * (0.88 + 0.24 * chance)
        foot = centers + np.array([plan.size(x), plan.size(y)])
        for ink, share, rise in ((inks[0], 1.12, 0.06), (inks[1], 0.94, 0.0), (inks[2], 0.5, 0.0)):
            flame = _FLAME * share + np.array([0, rise])
            yield Fill(tuple(rings_from(placed(flame, foot, tall))), ink)

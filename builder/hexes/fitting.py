"""A grid from what a designer can measure on a picture: where two hexes lie."""

from __future__ import annotations

import math
from dataclasses import replace

from builder.hexes.grid import HexGrid
from builder.hexes.lattice import Point
from builder.hexes.numbering import Numbering
from builder.problems import UsageError

__all__ = ["grid_from_centers"]


def grid_from_centers(
    first: Point,
    next_column: Point,
    *,
    dy: float,
    dx: float | None = None,
    extent: tuple[int, int],
    label: tuple[int, int] = (1, 1),
    sideways: bool = False,
    numbering: Numbering | None = None,
) -> HexGrid:
    """Return the grid of a map on which two hex centers were measured.

    ``first`` is the center, in pixels, of the hex whose printed column and row are ``label``, and
    ``next_column`` that of the hex in the next column (sideways: the next screen row) with the same
    printed row. The first hex becomes raw hex (0, 0). Where the second lies half a hex higher, the
    numbering is staggered, since VASSAL can only shift odd columns down. ``dx`` defaults to the
    distance measured; ``numbering`` gives all attributes but the offsets and ``stagger``.

    Raises UsageError if the second center is neither half a hex above nor half a hex below.
    """
    x, y = (first[1], first[0]) if sideways else first
    next_x, next_y = (next_column[1], next_column[0]) if sideways else next_column
    across = next_x - x
    if dx is None:
        dx = across
    if abs(across - dx) > dx / 4:
        raise UsageError(f"the next column lies {across:g} pixels on, not {dx:g}")
    shift = next_y - y
    if abs(abs(shift) - dy / 2) > dy / 8:
        side = "right or left" if sideways else "above or below"
        raise UsageError(f"the hex in the next column must lie {dy / 2:g} pixels {side}")
    base = replace(numbering or Numbering(), h_off=0, v_off=0, stagger=shift < 0, oblique=False)
    grid = HexGrid(
        dx=dx,
        dy=dy,
        x0=math.floor(x + 0.5),
        y0=math.floor(y + 0.5),
        extent=extent,
        sideways=sideways,
        numbering=base,
    )
    column, row = base.printed(0, 0, grid.maxima, sideways)
    return replace(grid, numbering=replace(base, h_off=label[0] - column, v_off=label[1] - row))

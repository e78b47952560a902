"""Hypothesis strategies for lines and areas on a small field of hexes of either orientation."""

from __future__ import annotations

import math

from hypothesis import strategies as st
from shapely.geometry import LineString, Polygon

from builder.hexes.field import HexField
from builder.hexes.grid import Hex, HexGrid

COLUMNS, ROWS = 9, 7


def field_of(*, sideways: bool) -> HexField:
    grid = HexGrid(dx=52, dy=60, x0=35, y0=30, extent=(600, 600), sideways=sideways)
    return HexField(grid, COLUMNS, ROWS)


FLAT, POINTY = field_of(sideways=False), field_of(sideways=True)
FIELDS = st.sampled_from([FLAT, POINTY])

# beyond the field on all sides, so that lines leave it and come back
NUMBERS = st.integers(-80, 620).map(float)
POINTS = st.tuples(NUMBERS, NUMBERS)
LINES = st.lists(POINTS, min_size=2, max_size=7, unique=True).map(LineString)


@st.composite
def areas(draw: st.DrawFn) -> Polygon:
    """A star-shaped polygon, so that it is valid."""
    x, y = draw(POINTS)
    reach = draw(st.lists(st.integers(10, 250), min_size=3, max_size=9))
    turn = math.tau / len(reach)
    return Polygon(
        [(x + r * math.cos(i * turn), y + r * math.sin(i * turn)) for i, r in enumerate(reach)]
    )


@st.composite
def hex_walks(draw: st.DrawFn, field: HexField) -> list[Hex]:
    """A walk from neighbor to neighbor that turns by at most 60 degrees and stays inside."""
    here = Hex(draw(st.integers(2, COLUMNS - 3)), draw(st.integers(2, ROWS - 3)))
    direction = draw(st.integers(0, 5))
    walk = [here]
    for turn in draw(st.lists(st.sampled_from([0, 0, 1, -1]), min_size=1, max_size=6)):
        direction += turn
        here = field.grid.neighbor(here, direction)
        if here in walk or not (0 < here.column < COLUMNS - 1 and 0 < here.row < ROWS - 1):
            break
        walk.append(here)
    return walk

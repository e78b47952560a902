"""The border of a block of hexes, against shapely's union of the same hexes."""

from __future__ import annotations

import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry.base import BaseGeometry

from builder.hexes.grid import Hex, HexGrid
from builder.hexes.outline import outline

GRIDS = st.builds(
    HexGrid,
    dx=st.sampled_from([104.0, 61.85]),
    dy=st.sampled_from([120.0, 71.45]),
    x0=st.integers(-50, 200),
    y0=st.integers(-50, 200),
    sideways=st.booleans(),
    extent=st.just((3000, 3000)),
)
BLOCKS = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=20)


@given(GRIDS, BLOCKS)
def test_rings_are_the_union_of_the_hexes(grid: HexGrid, block: set[tuple[int, int]]) -> None:
    hexes = [Hex(*at) for at in sorted(block)]
    rings = outline(grid, hexes)
    union = shapely.union_all([shapely.Polygon(grid.polygon(h)) for h in hexes])
    drawn: BaseGeometry = shapely.Polygon()
    for ring in rings:
        drawn = drawn.symmetric_difference(shapely.Polygon(ring))
    assert drawn.symmetric_difference(union).area < 1e-6 * union.area


def test_one_hex_is_its_own_corners() -> None:
    grid = HexGrid(dx=104, dy=120, x0=219, y0=250, extent=(3000, 3000))
    (ring,) = outline(grid, [Hex(2, 3)])
    assert set(ring) == set(grid.polygon(Hex(2, 3)))

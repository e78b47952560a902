"""Discs, rings and lines."""

from __future__ import annotations

import itertools

import shapely
from hypothesis import given
from hypothesis import strategies as st
from strategies_hexes import HEXES

from builder.hexes.grid import Hex, HexGrid
from builder.hexes.measure import disc, distance, line, ring, spiral

RADII = st.integers(0, 9)
REGULAR = HexGrid(dx=90, dy=104, x0=0, y0=0, extent=(9000, 9000))


@given(HEXES, RADII)
def test_a_disc_holds_all_hexes_within_its_radius(center: Hex, radius: int) -> None:
    around = [
        Hex(column, row)
        for column in range(center.column - radius - 1, center.column + radius + 2)
        for row in range(center.row - radius - 2, center.row + radius + 3)
    ]
    assert list(disc(center, radius)) == [h for h in around if distance(center, h) <= radius]


@given(HEXES, RADII)
def test_a_ring_has_six_hexes_a_step(center: Hex, radius: int) -> None:
    found = list(ring(center, radius))
    assert len(set(found)) == max(1, 6 * radius)
    assert {distance(center, h) for h in found} == {radius}


@given(HEXES, RADII)
def test_a_spiral_goes_outward(center: Hex, radius: int) -> None:
    found = list(spiral(center, radius))
    assert found[0] == center
    assert len(set(found)) == len(found) == 1 + 3 * radius * (radius + 1)
    lengths = [distance(center, h) for h in found]
    assert lengths == sorted(lengths)


@given(HEXES, HEXES)
def test_a_line_is_a_shortest_way_there_and_back(a: Hex, b: Hex) -> None:
    found = line(a, b)
    assert (found[0], found[-1]) == (a, b)
    assert len(found) == distance(a, b) + 1
    assert all(distance(*pair) == 1 for pair in itertools.pairwise(found))
    assert line(b, a) == found[::-1]


@given(HEXES, HEXES)
def test_each_hex_of_a_line_holds_its_point_of_the_straight(a: Hex, b: Hex) -> None:
    (ax, ay), (bx, by) = REGULAR.center(a), REGULAR.center(b)
    found = line(a, b)
    for step, h in enumerate(found[1:-1], 1):
        part = step / (len(found) - 1)
        point = shapely.Point(ax + (bx - ax) * part, ay + (by - ay) * part)
        assert shapely.Polygon(REGULAR.polygon(h)).distance(point) < 1e-6


def test_a_line_along_hexsides_keeps_to_one_side() -> None:
    # Straight to the east: every second point lies on the border of an upper and a lower hex.
    assert line(Hex(0, 0), Hex(4, 0)) == tuple(Hex(column, 0) for column in range(5))

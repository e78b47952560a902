"""Laws of the hex grid, and cases that trip other tools."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from strategies_hexes import HEXES, hex_grids

from builder.hexes.grid import Hex, HexGrid, Numbering
from builder.problems import UnreadableError, UsageError

PLAIN = HexGrid(dx=52, dy=60, x0=34, y0=30, extent=(1000, 800))
TURNED = replace(PLAIN, sideways=True)
PIXELS = st.tuples(st.integers(-5000, 5000), st.integers(-5000, 5000))


@given(hex_grids(), HEXES)
def test_the_snap_point_of_a_hex_lies_in_it(grid: HexGrid, h: Hex) -> None:
    x, y = grid.snap_point(h)
    assert grid.hex_at(x, y) == h
    assert grid.rectangle_hex_at(x, y) == h
    assert grid.snap(x, y) == (x, y)
    assert grid.snap(x, y, before_3_7=True) == (x, y)


@given(hex_grids(), HEXES)
def test_a_label_is_the_name_of_the_snap_point(grid: HexGrid, h: Hex) -> None:
    assert grid.name_at(*grid.snap_point(h)) == grid.label(h)


@given(hex_grids(), HEXES)
def test_a_label_finds_its_hex(grid: HexGrid, h: Hex) -> None:
    same = grid.hexes_of(grid.label(h))
    assert h in same
    assert len(set(same)) == len(same)
    assert {grid.label(other) for other in same} == {grid.label(h)}
    if len(same) == 1:
        assert grid.hex_of(grid.label(h)) == h


SEPARATED = st.builds(
    Numbering,
    first=st.sampled_from(["H", "V"]),
    sep=st.just("."),
    h_type=st.sampled_from(["N", "A"]),
    v_type=st.sampled_from(["N", "A"]),
    h_leading=st.integers(0, 2),
    h_off=st.integers(-20, 20),
    h_descend=st.booleans(),
    v_descend=st.booleans(),
    stagger=st.booleans(),
)


@given(hex_grids(SEPARATED), HEXES)
def test_separated_labels_have_one_hex(grid: HexGrid, h: Hex) -> None:
    assert grid.hex_of(grid.label(h)) == h


@given(hex_grids(), st.integers(-40, 40), st.integers(-40, 40), st.integers(1, 6), st.data())
def test_whole_map_answers_are_the_single_ones(
    grid: HexGrid, column: int, row: int, size: int, data: st.DataObject
) -> None:
    block = range(column, column + size), range(row, row + 4)
    hexes = list(grid.hexes(*block))
    assert hexes == sorted(hexes)
    assert list(map(tuple, grid.centers(*block).tolist())) == [grid.center(h) for h in hexes]
    polygons = [tuple(map(tuple, polygon)) for polygon in grid.corners(*block).tolist()]
    assert polygons == [grid.polygon(h) for h in hexes]
    assert list(map(tuple, grid.snap_points(*block).tolist())) == [
        grid.snap_point(h) for h in hexes
    ]
    assert grid.labels(*block) == [grid.label(h) for h in hexes]
    pixels = data.draw(st.lists(PIXELS, min_size=1, max_size=30))
    assert list(map(tuple, grid.hexes_at(np.array(pixels)).tolist())) == [
        grid.hex_at(*pixel) for pixel in pixels
    ]
    points = [(x + 0.37, y - 0.21) for x, y in pixels]
    assert list(map(tuple, grid.hexes_containing(np.array(points)).tolist())) == [
        grid.hex_containing(*point) for point in points
    ]


def test_every_pixel_of_a_hex_and_its_neighbors_is_the_same_at_once() -> None:
    for grid in (PLAIN, TURNED, replace(PLAIN, dx=61.85, dy=71.45, x0=-7, y0=-200)):
        pixels = np.array([(x, y) for x in range(-70, 120) for y in range(-70, 120)])
        expected = [grid.hex_at(x, y) for x, y in pixels.tolist()]
        assert list(map(tuple, grid.hexes_at(pixels).tolist())) == expected


@given(hex_grids(), HEXES)
def test_corners_are_shared_to_the_last_bit(grid: HexGrid, h: Hex) -> None:
    own = grid.polygon(h)
    for direction in range(6):
        near = grid.polygon(grid.neighbor(h, direction))
        ends = own[direction], own[(direction + 1) % 6]
        assert set(ends) == set(own) & set(near)
        third = grid.polygon(grid.neighbor(h, direction + 1))
        assert set(own) & set(near) & set(third) == {ends[1]}


@pytest.mark.parametrize("sideways", [False, True])
@pytest.mark.parametrize(("dx", "dy"), [(55.42562584220407, 64.0), (61.85, 71.45), (113.1, 40.7)])
def test_a_block_of_hexes_unites_into_one_polygon(dx: float, dy: float, sideways: bool) -> None:
    grid = HexGrid(dx=dx, dy=dy, x0=-19, y0=33, extent=(900, 900), sideways=sideways)
    hexes = [shapely.Polygon(polygon) for polygon in grid.corners(8, 8)]
    union = shapely.union_all(hexes)
    assert isinstance(union, shapely.Polygon)
    assert not union.interiors
    assert union.area == pytest.approx(64 * dx * dy)


@given(hex_grids(), HEXES, st.lists(st.floats(0, 1), min_size=6, max_size=6), st.floats(0, 0.999))
def test_points_inside_a_polygon_belong_to_its_hex(
    grid: HexGrid, h: Hex, weights: list[float], reach: float
) -> None:
    total = sum(weights) or 1.0
    center, corners = grid.center(h), grid.polygon(h)
    x, y = (
        center[axis]
        + reach
        * sum(w * (c[axis] - center[axis]) for w, c in zip(weights, corners, strict=True))
        / total
        for axis in (0, 1)
    )
    assert grid.hex_containing(x, y) == h


@given(hex_grids(), HEXES)
def test_neighbors_touch_clockwise_and_back(grid: HexGrid, h: Hex) -> None:
    near = grid.neighbors(h)
    assert len(set(near)) == 6
    for direction, other in enumerate(near):
        assert grid.neighbor(other, direction + 3) == h
        assert grid.direction_to(h, other) == direction
        assert grid.distance(h, other) == 1
        assert grid.distance(other, near[(direction + 1) % 6]) == 1
    assert grid.direction_to(h, h) is None


@pytest.mark.parametrize("grid", [PLAIN, TURNED])
@pytest.mark.parametrize("column", [4, 5])
def test_directions_point_where_their_names_say(grid: HexGrid, column: int) -> None:
    h = Hex(column, 5)
    x, y = grid.center(h)
    for direction, name in enumerate(grid.direction_names):
        near_x, near_y = grid.center(grid.neighbor(h, direction))
        assert ("E" in name) == (near_x > x + 1)
        assert ("W" in name) == (near_x < x - 1)
        assert ("N" in name) == (near_y < y - 1)
        assert ("S" in name) == (near_y > y + 1)


@pytest.mark.parametrize("grid", [PLAIN, TURNED])
def test_corners_run_clockwise_from_the_first_side(grid: HexGrid) -> None:
    ring = shapely.LinearRing(grid.polygon(Hex(3, 3)))
    # With y downwards, what runs clockwise on the screen is counter-clockwise to shapely.
    assert ring.is_ccw
    (x0, y0), (x1, y1) = grid.side_points(grid.hexside(Hex(3, 3), 0))
    center = grid.center(Hex(3, 3))
    if grid.sideways:
        assert (x0, y1 > y0, x1 > x0) == (center[0], True, True)
    else:
        assert (y0 == y1, y0 < center[1], x0 < x1) == (True, True, True)


@given(hex_grids(), HEXES, st.integers(0, 5))
def test_a_hexside_is_the_same_from_both_hexes(grid: HexGrid, h: Hex, direction: int) -> None:
    other = grid.neighbor(h, direction)
    side = grid.hexside(h, direction)
    assert side == grid.hexside(other, direction + 3)
    assert side == grid.side_between(h, other) == grid.side_between(other, h)
    assert side.direction in (0, 1, 2)
    assert set(grid.side_hexes(side)) == {h, other}
    assert set(grid.side_points(side)) == set(grid.polygon(h)) & set(grid.polygon(other))


def test_hexes_apart_share_no_side() -> None:
    with pytest.raises(UsageError, match="do not touch"):
        PLAIN.side_between(Hex(0, 0), Hex(2, 0))


@pytest.mark.parametrize("grid", [PLAIN, TURNED])
@pytest.mark.parametrize("start", [Hex(0, 0), Hex(-3, 2)])
def test_distance_counts_steps(grid: HexGrid, start: Hex) -> None:
    steps = {start: 0}
    queue = deque([start])
    while queue:
        h = queue.popleft()
        for near in grid.neighbors(h):
            if near not in steps and steps[h] < 8:
                steps[near] = steps[h] + 1
                queue.append(near)
    assert all(grid.distance(start, h) == count for h, count in steps.items())


@given(HEXES, HEXES, HEXES)
def test_distance_is_a_metric(a: Hex, b: Hex, c: Hex) -> None:
    assert PLAIN.distance(a, a) == 0
    assert (PLAIN.distance(a, b) == 0) == (a == b)
    assert PLAIN.distance(a, b) == PLAIN.distance(b, a)
    assert PLAIN.distance(a, c) <= PLAIN.distance(a, b) + PLAIN.distance(b, c)


def test_a_pixel_near_a_corner_is_named_after_another_hex_than_it_snaps_to() -> None:
    tour = Numbering(h_type="A", h_off=0, v_leading=0, stagger=False)
    grid = HexGrid(dx=56.25, dy=64.5, x0=0, y0=32, extent=(1800, 645), numbering=tour)
    assert grid.name_at(30, 32) == "B1"
    assert grid.label(grid.hex_at(30, 32)) == "A1"
    assert grid.label(grid.hex_containing(30, 32)) == "A1"


def test_centers_are_cut_and_not_rounded() -> None:
    grid = HexGrid(dx=61.85, dy=71.45, x0=0, y0=0, extent=(800, 800))
    assert grid.snap_point(Hex(3, 2)) == (185, 177)
    assert grid.center(Hex(3, 2)) == pytest.approx((185.55, 178.625))


def test_a_sideways_grid_exchanges_all_four_values() -> None:
    grid = HexGrid(dx=100, dy=115, x0=20, y0=60, extent=(900, 900), sideways=True)
    first = Hex(0, 0)
    assert grid.snap_point(first) == (60, 20)
    assert grid.snap_point(grid.neighbor(first, grid.direction_names.index("E"))) == (175, 20)


def test_the_four_flags_of_numbers_turn_the_right_way() -> None:
    plain = Numbering(stagger=False)
    point = (200, 190)

    def name(grid: HexGrid, numbering: Numbering) -> str | None:
        return replace(grid, numbering=numbering).name_at(*point)

    assert name(PLAIN, plain) == "0403"
    assert name(PLAIN, replace(plain, stagger=True)) == "0404"
    assert name(PLAIN, replace(plain, stagger=True, v_descend=True)) == "0413"
    assert name(PLAIN, replace(plain, h_descend=True)) == "1503"
    assert PLAIN.snap(*point) == (190, 180)
    letters = replace(plain, h_type="A", h_leading=0)
    turned = replace(TURNED, numbering=letters)
    assert turned.snap(190, 200) == (180, 190)
    assert turned.name_at(190, 200) == "E03"
    assert replace(turned, numbering=replace(letters, v_descend=True)).name_at(190, 200) == "N03"


def test_a_pixel_in_a_corner_snaps_across_the_rectangle() -> None:
    grid = replace(PLAIN, numbering=Numbering(stagger=False))
    assert grid.snap(165, 140) == (138, 150)
    assert grid.label(grid.hex_at(165, 140)) == "0303"
    assert grid.name_at(165, 140) == "0402"


def test_without_numbering_no_name_is_made_up() -> None:
    assert PLAIN.name_at(100, 100) is None
    assert PLAIN.hex_of("0101") is None
    assert PLAIN.hexes_of("0101") == ()
    assert PLAIN.point_of("0101") is None
    with pytest.raises(UsageError, match="no numbering"):
        PLAIN.label(Hex(0, 0))
    with pytest.raises(UsageError, match="no numbering"):
        PLAIN.labels(2, 2)


def test_of_two_hexes_with_one_label_the_one_on_the_board_is_meant() -> None:
    numbering = Numbering(h_leading=0, v_leading=0, stagger=False)
    grid = HexGrid(dx=52, dy=60, x0=34, y0=30, extent=(300, 800), numbering=numbering)
    assert set(grid.hexes_of("111")) == {Hex(0, 10), Hex(10, 0)}
    assert grid.hex_of("111") == Hex(0, 10)
    both = replace(grid, extent=(2000, 2000))
    assert both.hex_of("111") is None
    assert grid.hex_of("1111111") is None


@pytest.mark.parametrize(
    "label", ["", "0", "x", "01-1", "101", "0101 ", "٠١٠١", "-0-0", "9" * 5000]
)
def test_what_is_no_label_has_no_hex(label: str) -> None:
    grid = replace(PLAIN, numbering=Numbering())
    assert grid.hex_of(label) is None


@given(hex_grids(), st.text(alphabet="0123456789-.ABZ rc$:()", max_size=12))
def test_whatever_is_typed_finds_its_own_hex_or_none(grid: HexGrid, label: str) -> None:
    assert all(grid.label(h) == label for h in grid.hexes_of(label))


@given(hex_grids())
def test_attribute_texts_come_back_the_same(grid: HexGrid) -> None:
    texts, numbers = grid.xml_attributes()
    assert numbers is not None
    assert texts["visible"] == numbers["visible"] == "false"
    numbering = Numbering.from_xml_attributes(
        numbers, oblique=grid.numbering is not None and grid.numbering.oblique
    )
    assert HexGrid.from_xml_attributes(texts, numbering, extent=grid.extent) == grid


def test_a_width_that_the_engine_would_recompute_is_written_one_bit_larger() -> None:
    grid = HexGrid(dx=55.42562584220407, dy=70.0, x0=0, y0=0, extent=(900, 900))
    texts, _ = grid.xml_attributes()
    read = HexGrid.from_xml_attributes(texts, None, extent=grid.extent)
    assert read.dx == pytest.approx(grid.dx, rel=1e-15)
    untouched = HexGrid.from_xml_attributes(
        {**texts, "dx": "55.42562584220407"}, None, extent=(9, 9)
    )
    assert untouched.dx == pytest.approx(60.62, abs=0.01)


def test_absent_attributes_get_the_engines_defaults() -> None:
    grid = HexGrid.from_xml_attributes({}, Numbering.from_xml_attributes({}), extent=(500, 500))
    assert (grid.dx, grid.dy, grid.x0, grid.y0) == (55.42562584220407, 64.0, 0, 32)
    assert grid.numbering == Numbering()
    regular = HexGrid.from_xml_attributes({"dy": "128"}, None, extent=(500, 500))
    assert regular.dx == pytest.approx(110.85125168440814)


@pytest.mark.parametrize("texts", [{"dx": "wide"}, {"x0": "1.5"}, {"dy": ""}])
def test_numbers_that_are_none_are_refused(texts: dict[str, str]) -> None:
    with pytest.raises(UnreadableError):
        HexGrid.from_xml_attributes(texts, None, extent=(500, 500))


@pytest.mark.parametrize("size", [0.0, -1.0, float("nan"), float("inf")])
def test_impossible_sizes_are_refused(size: float) -> None:
    with pytest.raises(UsageError, match="must be more than 0"):
        HexGrid(dx=size, dy=10, x0=0, y0=0, extent=(10, 10))
    with pytest.raises(UsageError, match="must be more than 0"):
        HexGrid(dx=10, dy=size, x0=0, y0=0, extent=(10, 10))


def test_a_negative_extent_is_refused() -> None:
    with pytest.raises(UsageError, match="extent"):
        HexGrid(dx=10, dy=10, x0=0, y0=0, extent=(-1, 10))


def test_a_piece_on_a_free_grid_stays_where_it_is() -> None:
    assert replace(PLAIN, snap_to=False).snap(101, 77) == (101, 77)


def test_a_pixel_in_two_neighbors_goes_to_the_upper_one() -> None:
    # The test polygons of tiny hexes overlap by a pixel; VASSAL's list of neighbors decides.
    grid = HexGrid(dx=6.61, dy=5.74, x0=2, y0=11, extent=(90, 90))
    assert grid.hex_at(-21, -31) == Hex(-4, -8)
    assert grid.hexes_at(np.array([(-21, -31)])).tolist() == [[-4, -8]]


def test_a_side_two_pixels_from_the_center_is_not_the_center() -> None:
    grid = HexGrid(dx=6, dy=4, x0=10, y0=10, extent=(90, 90), edges_legal=True)
    assert grid.snap(10, 12) == (10, 12)

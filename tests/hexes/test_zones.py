"""Zones and boards beyond what the engine's answers hold."""

from __future__ import annotations

import pytest

from builder.hexes.grid import HexGrid, Numbering
from builder.hexes.zones import OFFBOARD, Board, Zone, ZonedGrid
from builder.problems import UsageError

GRID = HexGrid(dx=52, dy=60, x0=34, y0=30, extent=(1000, 800), numbering=Numbering(stagger=False))
BOX = ((600, 0), (900, 0), (900, 200), (600, 200))


def test_a_zone_that_uses_the_boards_grid_takes_its_names_from_it() -> None:
    zone = Zone(name="Box", path=BOX, location_format="$name$ $gridLocation$", use_parent_grid=True)
    zoned = ZonedGrid(zones=(zone,), background=GRID)
    x, y = GRID.snap_point(GRID.hex_at(700, 100))
    assert zoned.name_at(x, y) == f"Box {GRID.name_at(x, y)}"
    assert zoned.grid_at(x, y) is GRID
    assert zoned.snap(700, 100) == (x, y)
    assert zoned.point_of(f"Box {GRID.name_at(x, y)}") == (x, y)


def test_a_zone_without_grid_has_a_name_and_no_places() -> None:
    zone = Zone(name="Losses", path=BOX)
    zoned = ZonedGrid(zones=(zone,), background=GRID)
    assert zoned.name_at(700, 100) == "Losses"
    assert zoned.snap(701, 103) == (701, 103)
    assert zoned.point_of("Losses") == (750, 100)
    assert zoned.name_at(34, 30) == "0101"
    assert zoned.point_of("0101") == (34, 30)
    assert zoned.point_of("nowhere") is None


def test_a_zone_whose_middle_lies_outside_is_found_at_its_first_corner() -> None:
    hook = ((0, 0), (300, 0), (300, 10), (10, 10), (10, 300), (0, 300))
    assert Zone(name="Hook", path=hook).point_of("Hook", None) == (0, 0)


def test_of_zones_that_overlap_the_first_counts() -> None:
    zones = Zone(name="A", path=BOX), Zone(name="B", path=BOX)
    assert ZonedGrid(zones=zones).name_at(700, 100) == "A"
    assert ZonedGrid(zones=zones[::-1]).name_at(700, 100) == "B"


def test_left_and_top_edges_belong_to_a_zone() -> None:
    zone = Zone(name="Box", path=BOX)
    assert zone.contains(600, 0)
    assert zone.contains(600, 199)
    assert not zone.contains(900, 100)
    assert not zone.contains(700, 200)


def test_a_zones_grid_counts_down_from_the_bounds_of_the_zone() -> None:
    descending = HexGrid(
        dx=50,
        dy=60,
        x0=34,
        y0=30,
        extent=(1000, 800),
        numbering=Numbering(h_descend=True, stagger=False, h_off=0),
    )
    zone = Zone(name="Box", path=BOX, grid=descending, location_format="$gridLocation$")
    assert isinstance(zone.grid, HexGrid)
    assert (zone.grid.extent, zone.grid.extent_at) == ((300, 200), (600, 0))
    # 300 / 60 columns of the bounds, and the raw column is counted from the board's corner.
    x, y = descending.snap_point(descending.hex_at(634, 30))
    assert zone.name_at(x, y, None) == "-0701"
    assert ZonedGrid(zones=(zone,)).point_of("-0701") == (x, y)
    assert ZonedGrid(zones=(zone,)).point_of("0001") is None


def test_places_without_name_are_offboard() -> None:
    board = Board(extent=(1000, 800), grid=GRID)
    assert board.name_at(34, 30) == "0101"
    assert board.name_at(1000, 30) == OFFBOARD
    assert board.name_at(-1, 30) == OFFBOARD
    assert Board(extent=(1000, 800)).name_at(34, 30) == OFFBOARD
    assert Board(extent=(1000, 800), grid=ZonedGrid(zones=())).name_at(34, 30) == OFFBOARD


def test_a_place_one_pixel_off_the_board_is_pulled_back() -> None:
    on_edge = HexGrid(dx=52, dy=60, x0=0, y0=0, extent=(104, 120))
    board = Board(extent=(104, 120), grid=on_edge)
    assert on_edge.snap(100, 118) == (104, 120)
    assert board.snap(100, 118) == (103, 119)
    above = Board(extent=(104, 120), grid=HexGrid(dx=52, dy=60, x0=-1, y0=-1, extent=(104, 120)))
    assert above.snap(3, 3) == (0, 0)
    # Farther off it stays.
    assert board.snap(52, 119) == (52, 90)
    beyond = Board(extent=(102, 120), grid=on_edge)
    assert beyond.snap(100, 5) == (104, 0)


def test_what_lies_off_the_board_is_not_snapped() -> None:
    assert Board(extent=(1000, 800), grid=GRID).snap(-5, 900) == (-5, 900)
    assert Board(extent=(1000, 800)).snap(5, 9) == (5, 9)


def test_a_turned_board_is_mirrored_at_its_middle() -> None:
    board = Board(extent=(1000, 800), grid=GRID, rotated=True)
    assert board.name_at(966, 770) == "0101"
    assert board.snap(960, 765) == (966, 770)
    assert board.point_of("0101") == (966, 770)
    assert board.point_of("no such name") is None
    assert Board(extent=(1000, 800)).point_of("0101") is None


def test_a_zone_needs_an_area() -> None:
    with pytest.raises(UsageError, match="'Line': a polygon needs three points"):
        Zone(name="Line", path=((0, 0), (10, 10)))

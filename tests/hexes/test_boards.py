"""Boards side by side in one grid: their numbers, the column that they share, the way across.

The geometry is that of geomorphic boards: 33 columns, of which every second one lies half a hex
higher and has eleven hexes. What is expected was worked out by hand on such boards.
"""

from __future__ import annotations

import itertools

import pytest
from board_sample import COLUMNS, FIRST, GRID, ROWS
from hypothesis import given
from hypothesis import strategies as st

from builder.hexes.grid import Hex

LETTERS = [c * n for n in (1, 2) for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"][:33]


def walk(start: str, *legs: tuple[int, int]) -> str:
    """Go hexes in directions, of which 1 is up the column and the others follow clockwise."""
    h = GRID.hex_of(start)
    assert h is not None
    for direction, count in legs:
        for _ in range(count):
            h = GRID.neighbor(h, (direction - 1) % 6)
    return GRID.label(h)


def test_direction_names_begin_at_the_top() -> None:
    assert GRID.direction_names == ("N", "NE", "SE", "S", "SW", "NW")


@pytest.mark.parametrize(
    ("direction", "three", "one"),
    [
        (1, "K2", "K4"),
        (2, "N3", "L4"),
        (3, "N6", "L5"),
        (4, "K8", "K6"),
        (5, "H6", "J5"),
        (6, "H3", "J4"),
    ],
)
def test_steps_from_k5(direction: int, three: str, one: str) -> None:
    assert (walk("1K5", (direction, 3)), walk("2K5", (direction, 1))) == ("1" + three, "2" + one)


def test_drift_and_wind() -> None:
    assert walk("1K5", (5, 3)) == "1H6"
    assert walk("1K5", (5, 3), (2, 2)) == "1J5"
    assert walk("1K5", (6, 2)) == "1I4"
    assert walk("1K5", (6, 2), (2, 2)) == "1K3"


def test_the_names_of_a_board() -> None:
    first, second = (
        [GRID.label(h) for h in GRID.hexes(COLUMNS, ROWS) if GRID.board_of(h) is board]
        for board in GRID.boards
    )
    expected = [
        f"{letter}{n}"
        for column, letter in enumerate(LETTERS)
        for n in range(0 if column % 2 else 1, 11)
    ]
    assert first == ["1" + name for name in expected]
    # the first column of the right board is the last one of the left
    assert second == ["2" + name for name in expected if name.rstrip("0123456789") != "A"]


def test_the_shared_column_and_the_way_across() -> None:
    assert walk("1FF5", (2, 1)) == "1GG5"
    assert walk("1GG5", (3, 1)) == "2B5"
    assert walk("1EE5", (3, 2), (2, 2)) == "2C5"
    assert GRID.hex_of("2A5") is None


def test_beyond_the_edge_the_whole_grid_counts() -> None:
    assert GRID.label(FIRST) == "14.14"
    assert walk("1B1", (1, 1)) == "1B0"
    assert walk("1B1", (1, 2)) == "15.13"
    assert walk("1A1", (1, 1)) == "14.14"
    assert walk("1B10", (4, 1)) == "15.25"
    assert walk("1A5", (6, 1)) == "13.18"


def test_every_name_is_one_hex_and_is_found_again() -> None:
    labels = GRID.labels(COLUMNS, ROWS)
    assert len(set(labels)) == len(labels) == COLUMNS * ROWS
    for h, label in zip(GRID.hexes(COLUMNS, ROWS), labels, strict=True):
        assert GRID.hex_of(label) == h
        assert GRID.name_at(*GRID.snap_point(h)) == label
        assert GRID.point_of(label) is not None


@given(st.integers(0, COLUMNS - 1), st.integers(0, ROWS - 1), st.integers(0, 5), st.integers(1, 13))
def test_there_and_back(column: int, row: int, direction: int, count: int) -> None:
    start = h = Hex(column, row)
    for turn in itertools.chain([direction] * count, [(direction + 3) % 6] * count):
        h = GRID.neighbor(h, turn)
    assert h == start
    assert GRID.hex_of(GRID.label(h)) == start

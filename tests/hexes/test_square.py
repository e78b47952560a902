"""Square grids beyond what the engine's answers hold."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_hexes import NUMBERINGS

from builder.hexes.numbering import Numbering
from builder.hexes.square import Square, SquareGrid
from builder.problems import UnreadableError, UsageError

SIZES = st.floats(4, 300).map(lambda value: round(value, 4))
SQUARES = st.builds(Square, st.integers(-60, 60), st.integers(0, 60))
GRIDS = st.builds(
    SquareGrid,
    dx=SIZES,
    dy=SIZES,
    x0=st.integers(-300, 300),
    y0=st.integers(-300, 300),
    extent=st.tuples(st.integers(0, 4000), st.integers(0, 4000)),
    numbering=NUMBERINGS,
)
PLAIN = SquareGrid(dx=48, dy=40, x0=24, y0=20, extent=(480, 400), numbering=Numbering(sep="."))


@given(GRIDS, SQUARES)
def test_the_snap_point_of_a_square_lies_in_it(grid: SquareGrid, square: Square) -> None:
    x, y = grid.snap_point(square)
    assert grid.square_at(x, y) == square
    assert grid.snap(x, y) == (x, y)
    assert grid.name_at(x, y) == grid.label(square)


@given(GRIDS, SQUARES)
def test_separated_labels_have_one_square(grid: SquareGrid, square: Square) -> None:
    assert grid.numbering is not None
    numbering = replace(grid.numbering, sep=".", location_format="$gridLocation$")
    grid = replace(grid, numbering=numbering)
    assert grid.square_of(grid.label(square)) == square


@given(GRIDS, SQUARES)
def test_corners_are_shared_to_the_last_bit(grid: SquareGrid, square: Square) -> None:
    own = grid.polygon(square)
    below = grid.polygon(Square(square.column, square.row + 1))
    assert (own[3], own[2]) == (below[0], below[1])
    right = grid.polygon(Square(square.column + 1, square.row))
    assert (own[1], own[2]) == (right[0], right[3])
    assert grid.center(square) == pytest.approx(
        ((own[0][0] + own[2][0]) / 2, (own[0][1] + own[2][1]) / 2)
    )


def test_the_engine_finds_squares_by_name() -> None:
    assert PLAIN.point_of("03.02") == (120, 60)
    assert PLAIN.point_of("3.2") is None
    descending = replace(PLAIN, numbering=Numbering(sep=".", h_descend=True, v_descend=True))
    assert descending.label(Square(0, 0)) == "11.11"
    assert descending.point_of("11.11") == (24, 20)


def test_the_row_above_the_first_is_named_like_the_first() -> None:
    assert PLAIN.name_at(24, -15) == PLAIN.name_at(24, 20) == "01.01"


def test_edges_and_corners_attract() -> None:
    edges = replace(PLAIN, edges_legal=True)
    assert edges.snap(47, 21) == (48, 20)
    assert edges.snap(25, 39) == (24, 40)
    corners = replace(PLAIN, corners_legal=True)
    assert corners.snap(46, 38) == (48, 40)
    assert replace(edges, corners_legal=True).snap(46, 38) == (48, 40)
    assert replace(PLAIN, snap_to=False).snap(46, 38) == (46, 38)


def test_of_two_squares_with_one_label_the_one_on_the_board_is_meant() -> None:
    numbering = Numbering(h_leading=0, v_leading=0)
    assert replace(PLAIN, numbering=numbering).square_of("111") is None
    narrow = replace(PLAIN, numbering=numbering, extent=(400, 480))
    assert narrow.square_of("111") == Square(0, 10)


def test_without_numbering_no_name_is_made_up() -> None:
    bare = replace(PLAIN, numbering=None)
    assert bare.name_at(30, 30) is None
    assert bare.point_of("0101") is None
    assert bare.square_of("0101") is None
    with pytest.raises(UsageError, match="no numbering"):
        bare.label(Square(0, 0))


def test_attribute_texts_have_no_stagger() -> None:
    texts, numbers = PLAIN.xml_attributes()
    assert (texts["dx"], texts["range"], texts["visible"]) == ("48.0", "Metric", "false")
    assert numbers is not None
    assert "stagger" not in numbers
    assert replace(PLAIN, numbering=None).xml_attributes()[1] is None


def test_impossible_sizes_are_refused() -> None:
    with pytest.raises(UsageError, match="dx must be more than 0"):
        replace(PLAIN, dx=0.0)
    with pytest.raises(UsageError, match="extent"):
        replace(PLAIN, extent=(0, -1))


@given(GRIDS)
def test_attribute_texts_come_back_the_same(grid: SquareGrid) -> None:
    assert grid.numbering is not None
    # Stagger and slant belong to hexes; a square grid's texts do not hold them.
    grid = replace(grid, numbering=replace(grid.numbering, stagger=True, oblique=False))
    texts, numbers = grid.xml_attributes()
    assert numbers is not None
    numbering = Numbering.from_xml_attributes(numbers)
    assert SquareGrid.from_xml_attributes(texts, numbering, extent=grid.extent) == grid


def test_absent_attributes_get_the_engines_defaults() -> None:
    grid = SquareGrid.from_xml_attributes({}, None, extent=(480, 480))
    assert grid == SquareGrid(dx=48, dy=48, x0=24, y0=24, extent=(480, 480))
    with pytest.raises(UnreadableError, match="square grid"):
        SquareGrid.from_xml_attributes({"dx": "narrow"}, None, extent=(480, 480))

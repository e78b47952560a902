"""Grids from measured centers."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_hexes import hex_grids

from builder.hexes.fitting import grid_from_centers
from builder.hexes.grid import Hex, HexGrid, Numbering
from builder.problems import UsageError


def test_columns_that_lie_higher_become_staggered() -> None:
    grid = grid_from_centers((50, 100), (130, 55), dx=80, dy=90, extent=(900, 900))
    numbering = Numbering(h_off=1, v_off=1, stagger=True)
    assert grid == HexGrid(dx=80, dy=90, x0=50, y0=100, extent=(900, 900), numbering=numbering)
    # VASSAL moves odd columns down only, so the hex above is meant.
    assert grid.label(Hex(1, -1)) == "0201"
    assert grid.snap_point(Hex(1, -1)) == (130, 55)
    assert grid.name_at(50, 100) == "0101"


def test_columns_that_lie_lower_are_not_staggered() -> None:
    grid = grid_from_centers((50, 100), (130, 145), dy=90, extent=(900, 900))
    assert grid.dx == 80
    assert grid.name_at(130, 145) == "0201"
    assert grid.label(Hex(1, 0)) == "0201"


STYLES = st.builds(
    Numbering, h_descend=st.booleans(), v_descend=st.booleans(), sep=st.just("."), v_off=st.just(77)
)


@given(
    hex_grids(sizes=st.integers(10, 200).map(float)),
    STYLES,
    st.tuples(st.integers(0, 99), st.integers(0, 99)),
    st.booleans(),
)
def test_both_measured_hexes_get_their_labels(
    drawn: HexGrid, style: Numbering, label: tuple[int, int], is_higher: bool
) -> None:
    first = drawn.snap_point(Hex(0, 0))
    column = Hex(1, -1 if is_higher else 0)
    grid = grid_from_centers(
        first,
        drawn.center(column),
        dx=drawn.dx,
        dy=drawn.dy,
        extent=drawn.extent,
        label=label,
        sideways=drawn.sideways,
        numbering=style,
    )
    row = f"{label[1]:02}"
    assert grid.snap_point(Hex(0, 0)) == first
    assert grid.label(Hex(0, 0)) == f"{label[0]:02}.{row}"
    assert grid.label(column).partition(".")[2] == row


def test_centers_on_one_height_fit_no_grid() -> None:
    with pytest.raises(UsageError, match="45 pixels above or below"):
        grid_from_centers((50, 100), (130, 100), dx=80, dy=90, extent=(900, 900))


def test_a_column_farther_on_fits_no_grid() -> None:
    with pytest.raises(UsageError, match="160 pixels on, not 80"):
        grid_from_centers((50, 100), (210, 145), dx=80, dy=90, extent=(900, 900))


def test_sideways_grids_are_measured_down_the_screen() -> None:
    grid = grid_from_centers((60, 20), (117.5, 120), dy=115, extent=(900, 900), sideways=True)
    assert (grid.dx, grid.x0, grid.y0) == (100, 20, 60)
    assert grid.snap_point(Hex(0, 1)) == (175, 20)
    assert replace(grid, numbering=None) == HexGrid(
        dx=100, dy=115, x0=20, y0=60, extent=(900, 900), sideways=True
    )

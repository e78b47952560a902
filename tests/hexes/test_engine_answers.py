"""Names and snap points against the answers of the real VASSAL, for made-up grids.

The fixture's own ``about`` explains its fields; see also tests/fixtures/SOURCES.md.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from builder.hexes.grid import HexGrid, Numbering
from builder.hexes.square import SquareGrid
from builder.hexes.zones import Board, RegularGrid, Zone, ZonedGrid

FIXTURE = Path(__file__).parent.parent / "fixtures" / "hex-grid-vectors.json"


@cache
def answers() -> Mapping[str, Any]:
    loaded: Mapping[str, Any] = json.loads(FIXTURE.read_text(encoding="utf-8"))
    return loaded


def numbering(g: Mapping[str, Any]) -> Numbering:
    return Numbering(
        first=g["first"],
        sep=g["sep"],
        h_type=g["hType"],
        v_type=g["vType"],
        h_leading=g["hLeading"],
        v_leading=g["vLeading"],
        h_off=g["hOff"],
        v_off=g["vOff"],
        h_descend=g["hDescend"],
        v_descend=g["vDescend"],
        stagger=g.get("stagger", True),
        location_format=g["locationFormat"],
    )


def hex_grid(g: Mapping[str, Any], extent: list[int]) -> HexGrid:
    return HexGrid(
        dx=g["dx"],
        dy=g["dy"],
        x0=g["x0"],
        y0=g["y0"],
        extent=(extent[0], extent[1]),
        sideways=g["sideways"],
        edges_legal=g["edgesLegal"],
        corners_legal=g["cornersLegal"],
        snap_to=g["snapTo"],
        numbering=numbering(g),
    )


def square_grid(g: Mapping[str, Any], extent: list[int]) -> SquareGrid:
    return SquareGrid(
        dx=g["dx"],
        dy=g["dy"],
        x0=g["x0"],
        y0=g["y0"],
        extent=(extent[0], extent[1]),
        edges_legal=g["edgesLegal"],
        corners_legal=g["cornersLegal"],
        snap_to=g["snapTo"],
        numbering=numbering(g),
    )


def zone(z: Mapping[str, Any], extent: list[int]) -> Zone:
    grid: RegularGrid | None = None
    if z["kind"] == "hex":
        grid = hex_grid(z["grid"], extent)
    elif z["kind"] == "square":
        grid = square_grid(z["grid"], extent)
    return Zone(
        name=z["name"],
        path=tuple((x, y) for x, y in z["path"]),
        location_format=z["locationFormat"],
        use_parent_grid=z["kind"] == "parent",
        grid=grid,
    )


def test_the_fixture_is_complete() -> None:
    counts = {kind: sum(len(e["points"]) for e in answers()[kind]) for kind in ("hex", "zoned")}
    assert counts == {"hex": 4000, "zoned": 2247}
    assert sum(len(entry["points"]) for entry in answers()["square"]) == 1500
    kinds = {z["kind"] for entry in answers()["zoned"] for z in entry["zones"]}
    assert kinds == {"hex", "square", "parent", "none"}
    # Both flags of 7.3, together and alone, must be in it, or their formulas are not tried.
    flags = {(e["grid"]["edgesLegal"], e["grid"]["cornersLegal"]) for e in answers()["hex"]}
    assert len(flags) == 4


@pytest.mark.parametrize("index", range(200))
def test_hex_grids_name_and_snap_as_the_engine_does(index: int) -> None:
    entry = answers()["hex"][index]
    grid = hex_grid(entry["grid"], entry["board"])
    board = Board(extent=grid.extent, grid=grid)
    for x, y, name, snap_x, snap_y, snapped_name, _ in entry["points"]:
        assert grid.name_at(x, y) == name
        assert board.snap(x, y) == (snap_x, snap_y)
        assert board.name_at(snap_x, snap_y) == snapped_name


@pytest.mark.parametrize("index", range(200))
def test_hex_grids_look_names_up_as_the_engine_does(index: int) -> None:
    entry = answers()["hex"][index]
    grid = hex_grid(entry["grid"], entry["board"])
    for _, _, name, *_, pixel in entry["points"]:
        assert grid.point_of(name) == (None if pixel is None else tuple(pixel))


@pytest.mark.parametrize("index", range(200))
def test_versions_before_3_7_snap_by_rectangles(index: int) -> None:
    entry = answers()["hex"][index]
    grid = hex_grid(entry["grid"], entry["board"])
    older = {place: (x, y) for place, x, y in entry["snap36"]}
    for place, (x, y, *_) in enumerate(entry["points"]):
        expected = older.get(place, grid.snap(x, y))
        assert grid.snap(x, y, before_3_7=True) == expected


@pytest.mark.parametrize("index", range(200))
def test_many_pixels_at_once_are_the_same_hexes(index: int) -> None:
    entry = answers()["hex"][index]
    grid = hex_grid(entry["grid"], entry["board"])
    pixels = np.array([point[:2] for point in entry["points"]])
    # The scalar answers are the engine's own, by the tests above.
    expected = [grid.hex_at(x, y) for x, y, *_ in entry["points"]]
    assert [tuple(h) for h in grid.hexes_at(pixels).tolist()] == expected


@pytest.mark.parametrize("index", range(60))
def test_zoned_boards_name_and_snap_as_the_engine_does(index: int) -> None:
    entry = answers()["zoned"][index]
    extent = entry["board"]
    background = entry["background"] and hex_grid(entry["background"], extent)
    zones = tuple(zone(z, extent) for z in entry["zones"])
    board = Board(
        extent=(extent[0], extent[1]),
        grid=ZonedGrid(zones=zones, background=background),
        rotated=entry["rotated"],
    )
    for x, y, name, snap_x, snap_y in entry["points"]:
        assert board.name_at(x, y) == name
        assert board.snap(x, y) == (snap_x, snap_y)


@pytest.mark.parametrize("index", range(60))
def test_square_grids_name_and_snap_as_the_engine_does(index: int) -> None:
    entry = answers()["square"][index]
    grid = square_grid(entry["grid"], entry["board"])
    board = Board(extent=grid.extent, grid=grid)
    for x, y, name, snap_x, snap_y in entry["points"]:
        assert board.name_at(x, y) == name
        assert board.snap(x, y) == (snap_x, snap_y)

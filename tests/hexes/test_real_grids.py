"""Grids of published modules, with the names their players know (see tests/fixtures/SOURCES.md)."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from builder.hexes.grid import Hex, HexGrid, Numbering

FIXTURE = Path(__file__).parent.parent / "fixtures" / "real-grids.json"
ENTRIES: Mapping[str, Any] = json.loads(FIXTURE.read_text(encoding="utf-8"))


def grid(name: str) -> HexGrid:
    entry = ENTRIES[name]
    numbers = entry["numbering"]
    extent = entry.get("extent", (5000, 5000))
    return HexGrid.from_xml_attributes(
        entry["grid"],
        None if numbers is None else Numbering.from_xml_attributes(numbers),
        extent=(extent[0], extent[1]),
    )


NAMES = {
    "tour-sl": {
        (337, 419): "G7",
        (393, 386): "H6",
        (506, 322): "J5",
        (787, 225): "O4",
        (1462, 32): "AA1",
        (1518, 64): "BB1",
        (56, 0): "B0",
    },
    # (92, 64) lies exactly half a row down: half goes up.
    "tld-normandy": {
        (1477, 1536): "2724",
        (1532, 1504): "2824",
        (1865, 1440): "3423",
        (92, 64): "0202",
    },
    "tld-board-f": {(37, 96): "1758", (93, 64): "1858", (4638, 2560): "10097"},
    "trc": {(50, 45): "0101", (129, 90): "0202", (8000, 45): "10201"},
    "ragnarok-zone": {
        (1653, 900): "0915",
        (1765, 1095): "0716",
        (1485, 1193): "0613",
        (1260, 998): "0811",
        (1990, 1095): "0718",
    },
    "ardennes-44": {(1, -17): "1317"},
}


@pytest.mark.parametrize(
    ("name", "pixel", "label"),
    [(name, pixel, label) for name, labels in NAMES.items() for pixel, label in labels.items()],
)
def test_pixels_have_the_names_their_players_know(
    name: str, pixel: tuple[int, int], label: str
) -> None:
    assert grid(name).name_at(*pixel) == label


@pytest.mark.parametrize("name", ENTRIES)
def test_attributes_come_back_the_same_after_writing(name: str) -> None:
    texts, numbers = grid(name).xml_attributes()
    written = ENTRIES[name]
    for key, text in written["grid"].items():
        same = float(texts[key]) == float(text) if key[0] == "d" else texts[key] == text
        assert same, key
    if written["numbering"] is None:
        assert numbers is None
    else:
        assert numbers is not None
        assert {key: numbers[key] for key in written["numbering"]} == written["numbering"]


@pytest.mark.parametrize("name", [name for name in ENTRIES if ENTRIES[name]["numbering"]])
def test_every_hex_of_a_real_map_is_found_by_its_label(name: str) -> None:
    real = grid(name)
    hexes = [h for h in real.hexes(range(-1, 40), range(-1, 30)) if real.is_on_board(h)]
    assert len(hexes) > 300
    for h in hexes:
        assert real.hex_of(real.label(h)) == h
        assert real.hex_at(*real.snap_point(h)) == h


def test_letters_double_after_z() -> None:
    panzer_leader = grid("panzer-leader")
    labels = [panzer_leader.label(Hex(column, 5)) for column in (0, 25, 26, 27, 51, 52)]
    assert labels == ["A03", "Z03", "AA03", "BB03", "ZZ03", "AAA03"]


def test_a_negative_row_keeps_its_minus() -> None:
    bitter_woods = grid("bitter-woods")
    assert bitter_woods.label(Hex(0, 0)) == "10-01"
    assert bitter_woods.hex_of("10-01") == Hex(0, 0)


def test_the_first_center_of_a_sideways_pitch_has_exchanged_coordinates() -> None:
    first = Hex(0, 0)
    pitches = ("dreadball-metal", "dreadball-tesla", "dreadball-laser")
    assert [grid(name).snap_point(first) for name in pitches] == [(109, 77), (67, 86), (57, 65)]


def test_a_center_with_quarter_pixels_is_cut() -> None:
    tour = grid("tour-sl")
    assert tour.hex_of("H6") == Hex(7, 5)
    assert tour.snap_point(Hex(7, 5)) == (393, 386)
    assert tour.center(Hex(7, 5)) == (393.75, 386.75)


@pytest.mark.parametrize("name", ["hexncounters", "hexncounters-v12"])
def test_stagger_adds_one_to_the_rows_of_odd_columns(name: str) -> None:
    staggered = grid(name)
    labels = [staggered.label(h) for h in staggered.hexes(4, 3)]
    assert labels == [
        "0000",
        "0001",
        "0002",
        "0101",
        "0102",
        "0103",
        "0200",
        "0201",
        "0202",
        "0301",
        "0302",
        "0303",
    ]


def test_seventeen_digits_are_kept() -> None:
    texts, _ = grid("vivelempereur").xml_attributes()
    assert (texts["dx"], texts["dy"]) == ("109.1999999999984", "125.29999999999856")


def test_a_real_board_without_numbering_gives_no_name() -> None:
    assert grid("kassala").name_at(51, 55) is None


def test_hexes_that_a_line_of_sight_crossed_are_neighbors() -> None:
    normandy = grid("tld-normandy")
    crossed = ["4743", "4643", "4543", "4443", "4343", "4243", "4143", "4043", "3942"]
    hexes = [normandy.hex_of(label) for label in crossed]
    for a, b in itertools.pairwise(hexes):
        assert a is not None
        assert b is not None
        assert normandy.direction_to(a, b) is not None

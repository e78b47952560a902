"""The map of the air drop: its hexes' names, and the kinds of ground that its rules ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.draw.map import map_scene
from builder.draw.map_style import map_style
from builder.gamebox.model import MapSheet
from builder.gamebox.open_map import open_map
from builder.problems import ProblemLog
from builder.rulesets.airdrop import facts

FOLDER = Path(__file__).parents[2] / "mapdata" / "airdrop"
COLORS = {"side.Allied": "#55733f", "side.German": "#59636b"}


@pytest.fixture(scope="module")
def sheet() -> MapSheet:
    log = ProblemLog()
    found = open_map(FOLDER, {}, frozenset({"Attacker", "Defender"}), log)
    assert log.problems == []
    assert found is not None
    return found


def test_map_and_rules_name_every_hex_alike(sheet: MapSheet) -> None:
    for h in sheet.hexes():
        label = sheet.label(h)
        assert label == facts.label(h)
        assert sheet.grid.hex_of(label) == h


def test_ground_lies_on_the_boards_and_nothing_off_them(sheet: MapSheet) -> None:
    for h, terrain in sheet.terrain.items():
        assert ("offboard" in terrain.flags) == (not facts.is_onboard(h))


def test_every_kind_of_ground_of_the_landing_rules_is_there(sheet: MapSheet) -> None:
    words = {word for terrain in sheet.terrain.values() for word in terrain.features}
    assert words >= facts.CHECKED | facts.DEADLY
    assert words >= {"forest_road", "interior", "two_level", "frozen"}
    assert words >= {"bridge", "bridge_one_lane", "bridge_foot"}


def test_interior_hexes_have_buildings_all_around(sheet: MapSheet) -> None:
    for h, terrain in sheet.terrain.items():
        if "interior" in terrain.flags:
            around = (sheet.terrain[n].base for n in sheet.grid.neighbors(h))
            assert set(around) == {"building"}, sheet.label(h)


def test_the_style_knows_every_ground(sheet: MapSheet) -> None:
    assert map_scene(sheet, COLORS, style=map_style(sheet.style, COLORS)).elements

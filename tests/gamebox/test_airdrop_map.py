"""The map of the air drop: its hexes' names, and the kinds of ground that its rules ask for."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
import shapely

from builder.draw.fonts import text_width
from builder.draw.map import map_scene, unplaced_labels
from builder.draw.map_plan import plan_of
from builder.draw.map_style import map_style
from builder.draw.scene import Element, Fill, Scene, Stroke, Text
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


@pytest.fixture(scope="module")
def scene(sheet: MapSheet) -> Scene:
    return map_scene(sheet, COLORS, style=map_style(sheet.style, COLORS))


def center(sheet: MapSheet, label: str) -> tuple[float, float]:
    found = sheet.find(label)
    assert found is not None
    return plan_of(sheet).center(found)


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


def test_every_letter_of_the_map_is_on_its_boards(sheet: MapSheet) -> None:
    assert {t.letter for t in sheet.terrain.values()} == set(sheet.terrains)


def test_one_hex_of_each_board_burns(sheet: MapSheet) -> None:
    fires = [h for h, t in sheet.terrain.items() if "blaze" in t.flags]
    assert sorted(facts.board_of(h) for h in fires) == [1, 2]


def test_streams_are_lines_of_hexes_and_roads_cross_them_on_bridges(sheet: MapSheet) -> None:
    streams = {h for h, t in sheet.terrain.items() if t.base.endswith("_stream")}
    bridges = {h for h in streams if any(f.startswith("bridge") for f in sheet.terrain[h].flags)}
    for h in streams:
        assert 1 <= sum(n in streams for n in sheet.grid.neighbors(h)) <= 3, sheet.label(h)
    ends = Counter(h for route in sheet.routes for h in (route.start, route.end) if h is not None)
    assert {h for h in ends if h in streams} == bridges
    assert all(ends[h] == 2 for h in bridges)


def test_forest_roads_are_where_the_ground_says_so(sheet: MapSheet) -> None:
    ground = {h for h, t in sheet.terrain.items() if "forest_road" in t.flags}
    links = [r for r in sheet.routes if r.kind == "forest_road"]
    assert ground <= {h for r in links for h in (r.start, r.end)}
    assert all(r.start in ground or r.end in ground for r in links)


class TestThePicture:
    def test_has_room_for_everything(self, sheet: MapSheet) -> None:
        assert unplaced_labels(sheet, COLORS, style=map_style(sheet.style, COLORS)) == ()

    def test_boards_end_in_the_middles_of_their_outermost_hexes(self, sheet: MapSheet) -> None:
        plan = plan_of(sheet)
        left, top, right, bottom = shapely.union_all([b.outline for b in plan.boards]).bounds
        assert left == pytest.approx(center(sheet, "1A5")[0])
        assert right == pytest.approx(center(sheet, "2GG5")[0])
        assert top == pytest.approx(center(sheet, "1B0")[1])
        assert bottom == pytest.approx(center(sheet, "1B10")[1])
        seam = plan.boards[0].outline.intersection(plan.boards[1].outline)
        assert seam.bounds[0] == seam.bounds[2] == pytest.approx(center(sheet, "1GG5")[0])

    def test_ground_beside_the_boards_hides_what_goes_on_there(
        self, sheet: MapSheet, scene: Scene
    ) -> None:
        plan, style = plan_of(sheet), map_style(sheet.style, COLORS)
        shown = shapely.union_all([b.outline for b in plan.boards])
        color = style.ink(style.terrain["offboard"].color)
        covers = [
            n for n, e in enumerate(scene.elements) if isinstance(e, Fill) and e.color == color
        ]
        assert len(covers) == 1
        cover = scene.elements[covers[0]]
        assert isinstance(cover, Fill)
        outer, hole = sorted(map(shapely.Polygon, cover.rings), key=lambda p: -p.area)
        assert outer.symmetric_difference(plan.field).area < 1
        assert hole.symmetric_difference(shown).area < 1
        assert not any(
            _is_terrain(e, style.ink("map-woods-edge")) for e in scene.elements[covers[0] :]
        )

    def test_numbers_of_boards_are_whole_on_their_boards(
        self, sheet: MapSheet, scene: Scene
    ) -> None:
        plan, style = plan_of(sheet), map_style(sheet.style, COLORS)
        shown = shapely.union_all([b.outline for b in plan.boards])
        size = plan.size(style.text["number"].size)
        found = [e for e in scene.elements if isinstance(e, Text) and e.size == size]
        on_board = [h for h in sheet.hexes() if facts.is_onboard(h)]
        assert Counter(t.text for t in found) == Counter(sheet.label(h)[1:] for h in on_board)
        for text in found:
            half = text_width(text.text, text.font, text.size) / 2
            box = shapely.box(text.x - half, text.y, text.x + half, text.y + 0.66 * text.size)
            assert shown.contains(box), text.text

    def test_boards_have_plates_and_directions_a_rose(self, scene: Scene) -> None:
        words = Counter(e.text for e in scene.elements if isinstance(e, Text))
        assert words["Board 1"] == words["Board 2"] == 1
        roses = [e for e in scene.elements if isinstance(e, Text) and e.size > 6]
        assert Counter(t.text for t in roses if len(t.text) == 1) == dict.fromkeys("123456", 2)


def _is_terrain(element: Element, ink: str) -> bool:
    return isinstance(element, Stroke) and element.color == ink

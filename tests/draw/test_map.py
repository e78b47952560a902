from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from map_sample import TERRAINS, large_sheet, make_sheet, place, road, small_sheet
from strategies_map import sheets

from builder.draw.fonts import missing_glyphs, text_width
from builder.draw.map import map_scene, unplaced_labels
from builder.draw.map_style import map_style
from builder.draw.scene import Element, Fill, Repeat, Scene, Stroke, Text, scene_text
from builder.draw.to_png import scene_to_image
from builder.gamebox.model import MapSheet, Terrain
from builder.hexes.grid import Hex, Hexside
from builder.problems import DataError

STYLE = map_style({}, {})


def texts(scene: Scene) -> list[Text]:
    """Texts on the map itself: furniture lies in repeats."""
    return [e for e in scene.elements if isinstance(e, Text)]


def outline(text: Text) -> shapely.Polygon:
    """The letters' own box, from the capitals' height to the baseline, without any margin."""
    width = text_width(text.text, text.font, text.size, text.spacing)
    high = 0.66 * text.size
    left = {"start": 0.0, "middle": -width / 2, "end": -width}[text.anchor]
    top = {"middle": -high / 2, "top": 0.0, "baseline": -high, "bottom": -high}[text.baseline]
    turn = math.radians(text.angle)
    corners = [(left, top), (left + width, top), (left + width, top + high), (left, top + high)]
    return shapely.Polygon(
        (
            text.x + x * math.cos(turn) - y * math.sin(turn),
            text.y + x * math.sin(turn) + y * math.cos(turn),
        )
        for x, y in corners
    )


def is_number(text: Text) -> bool:
    return len(text.text) == 4 and text.text.isdigit()


def overlaps(found: list[Text]) -> list[tuple[str, str]]:
    if not found:
        return []
    shapes = [outline(t) for t in found]
    one, two = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    return [
        (found[a].text, found[b].text)
        for a, b in zip(one.tolist(), two.tolist(), strict=True)
        if a < b and not (is_number(found[a]) and is_number(found[b]))
    ]


def strokes(scene: Scene, color: str) -> list[Stroke]:
    ink = STYLE.ink(color)
    return [e for e in scene.elements if isinstance(e, Stroke) and e.color == ink]


def shape_of(found: list[Stroke]) -> shapely.MultiLineString:
    return shapely.MultiLineString([line for s in found for line in s.lines])


def side_of(sheet: MapSheet, side: Hexside) -> shapely.LineString:
    ends = np.array(sheet.grid.side_points(side)) / sheet.frame.px_per_mm
    return shapely.LineString(ends)


def coordinates(elements: tuple[Element, ...]) -> Iterator[tuple[float, float]]:
    for e in elements:
        match e:
            case Fill():
                yield from (p for r in e.rings for p in r)
            case Stroke():
                yield from (p for r in e.lines for p in r)
            case Text():
                yield e.x, e.y
            case Repeat():
                yield from e.at
                yield from coordinates(e.elements)
            case _:
                raise AssertionError(e)


def test_small_map_as_text(golden: Any) -> None:
    golden.text("map-small", scene_text(map_scene(small_sheet(), {})))


def test_small_map_as_image(golden: Any) -> None:
    golden.image("map-small", scene_to_image(map_scene(small_sheet(), {}), size=(216, 292)))


def test_scene_has_the_size_of_the_frame_and_an_opaque_background() -> None:
    sheet = small_sheet()
    scene = map_scene(sheet, {})
    assert scene.width == pytest.approx(sheet.frame.width / sheet.frame.px_per_mm)
    assert scene.height == pytest.approx(sheet.frame.height / sheet.frame.px_per_mm)
    assert scene.background == STYLE.ink("map-paper")


@pytest.mark.parametrize("sheet", [small_sheet(), large_sheet(12, 9)], ids=["small", "large"])
class TestInvariants:
    def test_every_hex_is_numbered_once_inside_itself(self, sheet: MapSheet) -> None:
        numbers = [t for t in texts(map_scene(sheet, {})) if is_number(t)]
        found = Counter(t.text for t in numbers)
        assert found == Counter(sheet.label(h) for h in sheet.hexes())
        for text in numbers:
            home = sheet.find(text.text)
            assert home is not None
            corners = np.array(sheet.grid.polygon(home)) / sheet.frame.px_per_mm
            assert shapely.Polygon(corners).contains(outline(text))

    def test_no_two_labels_overlap(self, sheet: MapSheet) -> None:
        assert overlaps(texts(map_scene(sheet, {}))) == []

    def test_every_name_is_on_the_map(self, sheet: MapSheet) -> None:
        assert set(unplaced_labels(sheet, {})) <= {"title", "scale", "legend"}

    def test_every_river_side_is_covered_by_water(self, sheet: MapSheet) -> None:
        water = shape_of(strokes(map_scene(sheet, {}), "map-water"))
        width = strokes(map_scene(sheet, {}), "map-water")[0].width
        assert sheet.sides
        for side in sheet.sides:
            line = side_of(sheet, side)
            for share in np.linspace(0, 1, 9):
                assert water.distance(line.interpolate(share, normalized=True)) < width / 2 + 0.35

    def test_rivers_pass_exactly_through_the_corners(self, sheet: MapSheet) -> None:
        water = shape_of(strokes(map_scene(sheet, {}), "map-water"))
        for side in sheet.sides:
            for end in side_of(sheet, side).coords:
                assert water.distance(shapely.Point(end)) < 0.002

    def test_every_bridge_lies_on_its_side(self, sheet: MapSheet) -> None:
        rails = [s for s in strokes(map_scene(sheet, {}), "map-road-edge") if len(s.lines[0]) == 4]
        found = [shapely.LineString(line) for s in rails for line in s.lines]
        bridges = [s for s, feature in sheet.sides.items() if feature.kind == "bridge"]
        assert len(found) == 2 * len(bridges)
        for side in bridges:
            line = side_of(sheet, side)
            length = line.length
            close = [r for r in found if r.distance(line.centroid) < length / 3]
            assert len(close) >= 2
            assert all(r.intersects(line.buffer(length / 8)) for r in close)

    def test_roads_lead_through_the_centers_of_their_hexes(self, sheet: MapSheet) -> None:
        scene = map_scene(sheet, {})
        drawn = shape_of(strokes(scene, "map-road") + strokes(scene, "map-highway"))
        for route in sheet.routes:
            for h in (route.start, route.end):
                if h is not None:
                    x, y = sheet.grid.center(h)
                    point = shapely.Point(x, y)
                    scaled = shapely.affinity.scale(
                        point,
                        1 / sheet.frame.px_per_mm,
                        1 / sheet.frame.px_per_mm,
                        origin=(0, 0),
                    )
                    assert drawn.distance(scaled) < 0.002

    def test_every_letter_can_be_drawn(self, sheet: MapSheet) -> None:
        for text in texts(map_scene(sheet, {})):
            assert missing_glyphs(text.text, text.font) == ""

    def test_nothing_depends_on_the_run(self, sheet: MapSheet) -> None:
        assert map_scene(sheet, {}) == map_scene(sheet, {})


def test_ground_has_no_seams() -> None:
    scene = map_scene(large_sheet(12, 9), {})
    ground = next(e for e in scene.elements if isinstance(e, Fill))
    assert ground.color == STYLE.ink("map-ground")
    assert len(ground.rings) == 1


def test_woods_of_neighbors_are_one_shape() -> None:
    scene = map_scene(make_sheet(["...", ".w.", ".w.", "..."]), {})
    woods = [e for e in scene.elements if isinstance(e, Fill) and e.color == STYLE.ink("map-woods")]
    assert [len(w.rings) for w in woods] == [1]


def test_a_clearing_is_a_hole_in_the_woods() -> None:
    scene = map_scene(make_sheet(["wwww", "wwww", "ww.w", "wwww", "wwww"]), {})
    woods = next(
        e for e in scene.elements if isinstance(e, Fill) and e.color == STYLE.ink("map-woods")
    )
    assert len(woods.rings) == 2


def test_the_star_is_drawn_and_not_written() -> None:
    scene = map_scene(small_sheet(), {})
    assert all("star" not in t.text for t in texts(scene))
    white = [e for e in scene.elements if isinstance(e, Fill) and e.color == "#ffffff"]
    assert any(len(ring) == 10 for fill in white for ring in fill.rings)


def test_marks_stay_in_sight_around_a_counter() -> None:
    sheet = small_sheet()
    scene = map_scene(sheet, {})
    red = STYLE.ink("map-red")
    discs = [
        shapely.Polygon(e.rings[0])
        for e in scene.elements
        if isinstance(e, Fill) and e.color == red and len(e.rings[0]) == 40
    ]
    counters = []
    for h in (Hex(1, 1), Hex(0, 2)):
        x, y = (v / sheet.frame.px_per_mm for v in sheet.grid.center(h))
        half = 38 / sheet.frame.px_per_mm
        counters.append(shapely.box(x - half, y - half, x + half, y + half))
    assert len(discs) == 2
    covered = shapely.union_all(counters)
    for disc in discs:
        assert disc.intersection(covered).area < 0.35 * disc.area


def test_a_river_has_its_name_even_if_places_repeat_it() -> None:
    sheet = dataclasses.replace(
        small_sheet(), places=(*small_sheet().places, place("Argens", 3, 3, "label"))
    )
    assert [t.text for t in texts(map_scene(sheet, {}))].count("Argens") == 1


def test_printed_label_wins_over_the_name() -> None:
    sheet = make_sheet(["..", ".."], places=[place("Figanieres", 0, 0, "town", label="Figanières")])
    assert "Figanières" in [t.text for t in texts(map_scene(sheet, {}))]


def test_a_crowd_of_names_never_overlaps_and_tells_what_is_missing() -> None:
    crowd = [place(f"Roquebrune {n}", 1, 1, "town") for n in range(40)]
    sheet = make_sheet(["...", "...", "..."], places=crowd)
    found = texts(map_scene(sheet, {}))
    assert overlaps(found) == []
    missing = [n for n in unplaced_labels(sheet, {}) if n.startswith("Roquebrune")]
    drawn = [t for t in found if t.text.startswith("Roquebrune")]
    assert missing
    assert len(missing) + len(drawn) == 40


def test_unknown_words_are_problems_all_at_once() -> None:
    odd = Terrain("s", "Odd", "qqq", ("hil",))
    sheet = make_sheet(
        ["..", ".."],
        sides={Hexside(Hex(0, 0), 2): ("rivr", "Argens")},
        routes=road([(0, 0), (0, 1)], "raod"),
        places=[place("Le Muy", 0, 0, "town", vp="1", color="rde")],
    )
    sheet = dataclasses.replace(sheet, terrains={**TERRAINS, "s": odd})
    with pytest.raises(DataError) as caught:
        map_scene(sheet, {})
    said = [str(p) for p in caught.value.problems]
    assert said == [
        ": the map style has no route 'raod'; did you mean 'road'?",
        "hexsides.csv:2:1: the map style has no hexside 'rivr'; did you mean 'river'?",
        "map.toml: the map style has no terrain 'hil'; did you mean 'hill'?",
        "map.toml: the map style has no terrain 'qqq'",
        "places.csv:2:1: the map style has no objective color 'rde'; did you mean 'red'?",
    ]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(sheets())
def test_any_map_can_be_drawn(sheet: MapSheet) -> None:
    scene = map_scene(sheet, {})
    assert all(math.isfinite(v) for p in coordinates(scene.elements) for v in p)
    assert overlaps([t for t in texts(scene) if t.halo]) == []
    assert scene_text(scene) == scene_text(map_scene(sheet, {}))

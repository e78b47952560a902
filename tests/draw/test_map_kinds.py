"""The kinds of ground beyond woods and towns: what they draw, where, and in which order."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import pytest
import shapely
from map_sample import make_sheet, road

from builder.draw.map import map_scene, unplaced_labels
from builder.draw.map_bridges import decks
from builder.draw.map_ground import terrain_elements
from builder.draw.map_lines import linework
from builder.draw.map_plan import KeepOff, Plan, plan_of
from builder.draw.map_streams import streams_of
from builder.draw.map_style import map_style
from builder.draw.map_textures import GROUNDS
from builder.draw.scene import Element, Fill, Point, Repeat, Stroke, Text, scene_text
from builder.gamebox.model import MapSheet, Route, Terrain
from builder.hexes.grid import Hex

STYLE = map_style({}, {})
MIDDLE = ((2, 2), (2, 3), (3, 2))
FLAGGED = {
    "frozen": "water",
    "forest_road": "woods",
    "blaze": "woods",
    "interior": "building",
    "two_level": "building",
    "bridge": "deep_stream",
}
TEXTURED = [name for name, area in STYLE.terrain.items() if area.kind in GROUNDS]


def sheet_of(
    ground: Mapping[tuple[int, int], tuple[str, ...]],
    routes: Iterable[Route] = (),
    size: tuple[int, int] = (6, 6),
) -> MapSheet:
    """A sheet of open ground with these words of terrain at these places, base first."""
    columns, rows = size
    sheet = make_sheet(["." * columns] * rows, routes=routes)
    words = sorted(set(ground.values()))
    letters = {w: Terrain(chr(ord("A") + n), " ".join(w), w[0], w[1:]) for n, w in enumerate(words)}
    terrain = {**sheet.terrain, **{Hex(*at): letters[w] for at, w in ground.items()}}
    terrains = {**sheet.terrains, **{t.letter: t for t in letters.values()}}
    frame = sheet.frame
    frame = dataclasses.replace(frame, width=frame.width + 300, height=frame.height + 600)
    return dataclasses.replace(sheet, terrain=terrain, terrains=terrains, frame=frame)


def words_of(name: str) -> tuple[str, ...]:
    return (FLAGGED[name], name) if name in FLAGGED else (name,)


def drawn(plan: Plan) -> list[Element]:
    """The terrain of a plan without the fields of its open ground."""
    lines = linework(plan, STYLE)
    fields = {STYLE.ink(STYLE.sheet.field), STYLE.ink(STYLE.sheet.furrow)}
    found = terrain_elements(plan, STYLE, lines, KeepOff([lines.road_shape], []))
    return [e for e in found if not isinstance(e, Fill | Stroke) or e.color not in fields]


def points(elements: Iterable[Element]) -> Iterator[Point]:
    for e in elements:
        match e:
            case Fill():
                yield from (p for ring in e.rings for p in ring)
            case Stroke():
                yield from (p for line in e.lines for p in line)
            case Repeat():
                for x, y in e.at:
                    yield from ((x + u, y + v) for u, v in points(e.elements))
            case _:
                raise AssertionError(e)


def inked(elements: Iterable[Element], color: str) -> list[Fill]:
    return [e for e in elements if isinstance(e, Fill) and e.color == STYLE.ink(color)]


@pytest.mark.parametrize("name", sorted({*TEXTURED, *FLAGGED, "building", "deep_stream"}))
class TestEveryKind:
    def sheet(self, name: str) -> MapSheet:
        routes = road([(2, 1), (2, 2), (2, 3), (2, 4)])
        return sheet_of(dict.fromkeys(MIDDLE, words_of(name)), routes)

    def test_stays_in_its_hexes(self, name: str) -> None:
        plan = plan_of(self.sheet(name))
        home = plan.union(Hex(*at) for at in MIDDLE).buffer(plan.size(7))
        found = shapely.points(list(points(drawn(plan))))
        assert len(found) > 10
        assert shapely.covers(home, found).all()

    def test_is_the_same_every_time(self, name: str) -> None:
        sheet = self.sheet(name)
        assert scene_text(map_scene(sheet, {})) == scene_text(map_scene(sheet, {}))

    def test_changes_the_look_of_the_ground_below(self, name: str) -> None:
        base = FLAGGED.get(name, "clear")
        routes = self.sheet(name).routes
        plain = map_scene(sheet_of(dict.fromkeys(MIDDLE, (base,)), routes), {})
        assert map_scene(self.sheet(name), {}).elements != plain.elements

    def test_stands_in_the_legend(self, name: str) -> None:
        sheet = self.sheet(name)
        assert unplaced_labels(sheet, {}) == ()
        assert STYLE.terrain[name].legend in _words(map_scene(sheet, {}).elements)


def _words(elements: Iterable[Element]) -> set[str]:
    found: set[str] = set()
    for e in elements:
        if isinstance(e, Text):
            found.add(e.text)
        elif isinstance(e, Repeat):
            found |= _words(e.elements)
    return found


@pytest.mark.parametrize("name", ["crag", "olive", "cactus", "marsh"])
def test_things_on_the_ground_leave_roads_and_numbers_free(name: str) -> None:
    sheet = sheet_of(dict.fromkeys(MIDDLE, (name,)), road([(2, 1), (2, 2), (2, 3), (2, 4)]))
    plan = plan_of(sheet)
    lines = linework(plan, STYLE)
    things = [
        shapely.Polygon(ring) if len(ring) > 2 else shapely.LineString(ring)
        for e in drawn(plan)[2:]
        for ring in (e.rings if isinstance(e, Fill) else e.lines if isinstance(e, Stroke) else ())
    ]
    assert things
    assert min(lines.road_shape.distance(t) for t in things) > plan.size(1)


class TestStreams:
    def plan(self, ground: Mapping[tuple[int, int], tuple[str, ...]]) -> Plan:
        return plan_of(sheet_of(ground))

    def test_run_from_middle_to_middle_through_bridges(self) -> None:
        way = [(1, 1), (2, 2), (2, 3), (3, 3)]
        ground = dict.fromkeys(way, ("deep_stream",)) | {(2, 3): ("deep_stream", "bridge")}
        plan = self.plan(ground)
        water = streams_of(plan, STYLE).water
        middles = [np.array(plan.center(Hex(*at))) for at in way]
        assert water.geom_type == "Polygon"
        for a, b in itertools.pairwise(middles):
            for share in np.linspace(0, 1, 9):
                assert water.contains(shapely.Point(a + (b - a) * share))

    def test_are_as_wide_as_the_style_says(self) -> None:
        names = ("shallow_stream", "deep_stream", "flooded_stream")
        areas = [
            streams_of(self.plan({(2, r): (name,) for r in (1, 2, 3)}), STYLE).water.area
            for name in names
        ]
        assert areas == sorted(areas)

    def test_go_over_the_edge_of_the_map(self) -> None:
        plan = self.plan({(2, 0): ("deep_stream",), (2, 1): ("deep_stream",)})
        middle = plan.side_middle(Hex(2, 0), 0)
        assert streams_of(plan, STYLE).water.contains(shapely.Point(middle))

    def test_flow_into_a_lake_beside_their_end(self) -> None:
        plan = self.plan({(2, 1): ("deep_stream",), (2, 2): ("deep_stream",), (2, 3): ("water",)})
        middle = plan.side_middle(Hex(2, 3), 0)
        assert streams_of(plan, STYLE).water.contains(shapely.Point(middle))

    def test_begin_narrow_at_a_spring(self) -> None:
        plan = self.plan({(2, r): ("deep_stream",) for r in (2, 3, 4, 5)})
        water = streams_of(plan, STYLE).water
        x, y = plan.center(Hex(2, 2))
        across = shapely.LineString([(x - plan.unit / 2, y), (x + plan.unit / 2, y)])
        width = plan.size(STYLE.terrain["deep_stream"].width)
        assert 0 < across.intersection(water).length < 0.6 * width

    def test_change_their_color_at_the_hexside(self) -> None:
        plan = self.plan({(2, 2): ("deep_stream",), (2, 3): ("shallow_stream",)})
        shapes = streams_of(plan, STYLE).shapes
        for name, h in (("deep_stream", Hex(2, 2)), ("shallow_stream", Hex(2, 3))):
            assert plan.union([h]).buffer(1e-3).contains(shapes[name])

    def test_a_ring_of_them_and_a_single_hex_can_be_drawn(self) -> None:
        ring = Hex(2, 2), *make_sheet(["."]).grid.neighbors(Hex(2, 2))
        for hexes in (ring, ring[1:], ring[:1]):
            assert streams_of(
                self.plan({(h.column, h.row): ("deep_stream",) for h in hexes}), STYLE
            )


class TestBridges:
    def deck(self, name: str, routes: Iterable[Route] = ()) -> shapely.Polygon:
        ground: dict[tuple[int, int], tuple[str, ...]] = {
            (2, 1): ("deep_stream",),
            (2, 2): ("deep_stream", name),
            (2, 3): ("deep_stream",),
        }
        plan = plan_of(sheet_of(ground, routes))
        found = list(decks(plan, STYLE, linework(plan, STYLE)))
        deck = inked(found, STYLE.terrain[name].color)[0]
        return shapely.Polygon(deck.rings[0])

    def test_have_three_widths(self) -> None:
        wide, lane, foot = (
            self.deck(name).area for name in ("bridge", "bridge_one_lane", "bridge_foot")
        )
        assert wide > lane > foot > 0

    def test_lie_square_over_their_stream_or_along_their_road(self) -> None:
        left, top, right, bottom = self.deck("bridge").bounds
        assert right - left > bottom - top
        along = self.deck("bridge", road([(1, 2), (2, 2), (3, 1)]))
        x, y = along.centroid.coords[0]
        run = np.array(along.exterior.coords[1]) - np.array(along.exterior.coords[0])
        assert run[0] * run[1] < 0
        assert along.contains(shapely.Point(x, y))


class TestBuildings:
    def test_a_large_one_covers_its_middles_and_stays_in_its_hexes(self) -> None:
        heart = [Hex(2, 2), Hex(3, 2)]
        grid = make_sheet(["."]).grid
        around = {n for h in heart for n in grid.neighbors(h)} - set(heart)
        ground: dict[tuple[int, int], tuple[str, ...]]
        ground = {(h.column, h.row): ("building",) for h in around}
        ground |= {(h.column, h.row): ("building", "interior") for h in heart}
        plan = plan_of(sheet_of(ground))
        hall = inked(drawn(plan), "map-roof")
        assert [len(f.rings) for f in hall] == [1]
        shape = shapely.Polygon(hall[0].rings[0])
        assert plan.union([*heart, *around]).contains(shape)
        assert all(shape.contains(shapely.Point(plan.center(h))) for h in (*heart, *around))

    def test_neighbors_without_an_interior_are_houses_of_their_own(self) -> None:
        plan = plan_of(sheet_of(dict.fromkeys(MIDDLE, ("building",))))
        roofs = [shapely.Polygon(r) for f in inked(drawn(plan), "map-wood-roof") for r in f.rings]
        assert len(roofs) >= len(MIDDLE)
        homes = [plan.union([Hex(*at)]) for at in MIDDLE]
        assert all(any(home.contains(roof) for home in homes) for roof in roofs)

    def test_a_house_stands_beside_its_road(self) -> None:
        plan = plan_of(sheet_of({(2, 2): ("building",)}, road([(2, 1), (2, 2), (2, 3)])))
        roads = linework(plan, STYLE).road_shape
        for fill in inked(drawn(plan), "map-wood-roof"):
            assert roads.distance(shapely.Polygon(fill.rings[0])) > plan.size(3)


def test_an_eased_road_is_straighter_and_still_meets_what_joins_it() -> None:
    zigzag = [(c, 2) for c in range(6)]
    sheet = sheet_of({}, [*road(zigzag), *road([(3, 2), (3, 3), (3, 4)])])
    looks = [map_style({"route": {"road": {"ease": ease}}}, {}) for ease in (0, 0.9)]
    straight, eased = (linework(plan_of(sheet), look).road_shape for look in looks)
    assert eased.length < straight.length
    junction = shapely.Point(plan_of(sheet).center(Hex(3, 2)))
    assert eased.distance(junction) < 1e-3

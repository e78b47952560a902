from __future__ import annotations

import pytest
import shapely
from hypothesis import given, settings
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, box
from strategies_overlay import FIELDS, FLAT, LINES, POINTY, areas

from builder.hexes.field import HexField
from builder.hexes.grid import Hex
from builder.hexes.overlay import area_shares, polygonal, repaired, terrain_of_shares

LIGHT = settings(max_examples=50, deadline=None)
WHOLE = box(-1000, -1000, 2000, 2000)


@LIGHT
@given(FIELDS, areas())
def test_shares_of_an_area_and_of_the_rest_make_one(field: HexField, area: Polygon) -> None:
    inside, rest = area_shares(field, [area]), area_shares(field, [WHOLE.difference(area)])
    for hex_ in field.hexes:
        assert inside.get(hex_, 0) + rest.get(hex_, 0) == pytest.approx(1, abs=1e-6)


@LIGHT
@given(FIELDS, areas())
def test_shares_are_those_of_cutting_every_hex(field: HexField, area: Polygon) -> None:
    shares = area_shares(field, [area])
    for hex_ in field.hexes:
        hexagon = Polygon(field.grid.polygon(hex_))
        expected = hexagon.intersection(area).area / hexagon.area
        assert shares.get(hex_, 0) == pytest.approx(expected, abs=1e-6)


@LIGHT
@given(FIELDS, areas(), areas())
def test_overlapping_areas_count_once(field: HexField, one: Polygon, two: Polygon) -> None:
    assert max(area_shares(field, [one, two, one]).values(), default=0) <= 1


def test_an_area_up_to_the_middle_is_half() -> None:
    x, y = FLAT.grid.center(Hex(3, 2))
    shares = area_shares(FLAT, [box(x, y - 200, x + 200, y + 200)])
    assert shares[Hex(3, 2)] == 0.5
    assert shares[Hex(4, 2)] == 1
    assert Hex(2, 2) not in shares


def test_no_area_gives_no_share() -> None:
    assert area_shares(FLAT, []) == {}
    assert area_shares(FLAT, [Polygon()]) == {}


def terrain(shares: dict[str, float], **thresholds: float) -> tuple[str, frozenset[str]]:
    hex_ = Hex(0, 0)
    found = terrain_of_shares(
        FLAT,
        {word: {hex_: share} for word, share in shares.items()},
        bases=["clear", "woods", "lake"],
        default="clear",
        thresholds={word: thresholds.get(word, 0.5) for word in shares},
    )
    assert set(found) == set(FLAT.hexes)
    assert found[Hex(1, 1)] == ("clear", frozenset())
    return found[hex_]


def test_threshold_is_reached_or_not() -> None:
    assert terrain({"woods": 0.5}) == ("woods", frozenset())
    assert terrain({"woods": 0.499}) == ("clear", frozenset())
    assert terrain({"woods": 0.3}, woods=0.25) == ("woods", frozenset())


def test_largest_base_wins_and_flags_add_up() -> None:
    assert terrain({"woods": 0.6, "lake": 0.7}) == ("lake", frozenset())
    assert terrain({"lake": 0.6, "woods": 0.6}) == ("woods", frozenset())
    assert terrain({"woods": 0.6, "hill": 0.9, "steep": 0.4}) == ("woods", frozenset({"hill"}))
    assert terrain({"hill": 0.9}) == ("clear", frozenset({"hill"}))


def test_repairs() -> None:
    square = box(0, 0, 4, 4)
    assert repaired(square) == (MultiPolygon([square]), "")
    bow = Polygon([(0, 0), (4, 4), (4, 0), (0, 4)])
    assert repaired(bow)[0].area == 8
    # a hole that shares a border with its outline stays a hole
    notch = Polygon(square.exterior, [[(0, 1), (2, 1), (2, 3), (0, 3)]])
    assert repaired(notch)[0].area == 12
    spike = Polygon([(0, 0), (4, 0), (4, 4), (4, 9), (4, 4), (0, 4)])
    assert repaired(spike)[0].area == 16
    flat = Polygon([(0, 0), (4, 0), (2, 0), (0, 0)])
    assert repaired(flat)[0].is_empty


def test_polygonal_takes_areas_out_of_collections() -> None:
    mixed = shapely.geometrycollections(
        [
            Point(1, 1),
            LineString([(0, 0), (1, 1)]),
            box(0, 0, 1, 1),
            MultiPolygon([box(2, 0, 3, 1)]),
        ]
    )
    assert polygonal(mixed).area == 2


@LIGHT
@given(FIELDS, LINES)
def test_visits_are_the_parts_on_the_sheet_in_order(field: HexField, line: LineString) -> None:
    pieces = field.visits(line)
    assert sum(p.length for p in pieces) == pytest.approx(
        sum(
            LineString(pair).intersection(field.hull).length
            for pair in zip(line.coords, line.coords[1:], strict=False)
        ),
        abs=1e-6,
    )
    outside = field.hull.buffer(1e-6)
    assert all(outside.covers(piece) for piece in pieces)
    # a piece ends where the line ends or where the sheet ends
    for piece in pieces:
        for at in (0, -1):
            end = Point(piece.coords[at])
            assert field.leaves_at(end) or end.distance(Point(line.coords[at])) < 1e-6


def test_visits_keep_a_line_that_crosses_itself_in_one_piece() -> None:
    loop = LineString([(100, 100), (300, 300), (300, 100), (100, 300)])
    assert FLAT.visits(loop) == [loop]


@LIGHT
@given(FIELDS)
def test_edge_ring_is_the_hexes_with_a_neighbor_outside(field: HexField) -> None:
    rim = {h for h in field.hexes if any(n not in field for n in field.grid.neighbors(h))}
    assert set(field.edge) == rim
    assert len(field.edge) == len(rim)
    for one, two in zip(field.edge, field.edge[1:] + field.edge[:1], strict=True):
        assert field.grid.direction_to(one, two) is not None


def test_near_edge_takes_the_nearest_first() -> None:
    x, y = FLAT.grid.center(Hex(4, 0))
    assert FLAT.near_edge(x, y - 500, 3) == (Hex(4, 0), Hex(3, 0), Hex(5, 0))
    assert FLAT.near_edge(-500, -500) == (Hex(0, 0),)


def test_corner_graph_has_each_inner_side_twice() -> None:
    for field in (FLAT, POINTY):
        steps = [step for found in field.steps.values() for step in found]
        # sides of an n by m rectangle: each hex has three of its own, less those at two rims
        inner = {frozenset((h, n)) for h in field.hexes for n in field.grid.neighbors(h)}
        inner = {pair for pair in inner if all(h in field for h in pair)}
        assert len(steps) == 2 * len(inner)
        assert {frozenset((s.left, s.right)) for s in steps} == inner
        start, step = next(
            (j, s) for j, found in field.steps.items() for s in found if s.left == Hex(3, 3)
        )
        (ax, ay), (bx, by), (cx, cy) = start.point, step.end.point, field.grid.center(Hex(3, 3))
        assert (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) < 0

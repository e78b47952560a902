"""Rivers on hexsides and roads from hex to hex."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import LineString, Point
from strategies_overlay import FIELDS, FLAT, LINES, POINTY, hex_walks

from builder.hexes.field import HexField
from builder.hexes.grid import Hex
from builder.hexes.riverlines import Anchor, Chain, River, side_of_line, snap_rivers
from builder.hexes.roadlinks import Road, RoadLinks, link_roads

# A random line across the whole sheet takes a tenth of a second to follow.
LIGHT = settings(max_examples=40, deadline=None)


def rivers(
    field: HexField, *lines: LineString, anchors: Sequence[Anchor] = ()
) -> tuple[Chain, ...]:
    named = [River(f"R{number}", line) for number, line in enumerate(lines)]
    return snap_rivers(field, named, anchors)


def ends(field: HexField, chain: Chain, number: int) -> frozenset[tuple[int, int]]:
    points = field.grid.side_points(chain.sides[number])
    return frozenset((round(x), round(y)) for x, y in points)


def check_chain(field: HexField, chain: Chain) -> None:
    """Unbroken, never twice at one corner, never along or beyond the rim of the sheet."""
    assert len(chain.joints) == len(chain.sides) + 1
    assert len(set(chain.joints)) == len(chain.joints)
    for number, side in enumerate(chain.sides):
        assert all(h in field for h in field.grid.side_hexes(side))
        a, b = (chain.joints[number + i].point for i in (0, 1))
        assert ends(field, chain, number) == {(round(x), round(y)) for x, y in (a, b)}


@LIGHT
@given(FIELDS, LINES)
def test_chains_are_unbroken_and_inside(field: HexField, line: LineString) -> None:
    for chain in rivers(field, line):
        check_chain(field, chain)


@LIGHT
@given(FIELDS, LINES, LINES)
def test_chains_of_two_rivers(field: HexField, one: LineString, two: LineString) -> None:
    chains = rivers(field, one, two)
    for chain in chains:
        check_chain(field, chain)
    assert chains == rivers(field, one, two)


@LIGHT
@given(FIELDS, LINES)
def test_chain_that_leaves_the_sheet_ends_at_its_rim(field: HexField, line: LineString) -> None:
    for chain in rivers(field, line):
        for at in (0, -1):
            if field.leaves_at(Point(chain.piece.coords[at])):
                assert chain.joints[at] in field.edge_joints


@st.composite
def side_walks(draw: st.DrawFn, field: HexField) -> list[tuple[float, float]]:
    """A walk along hexsides that turns left and right but never twice the same way thrice."""
    inner = [j for j in field.steps if len(field.steps[j]) == 3 and j not in field.edge_joints]
    here = draw(st.sampled_from(inner))
    step = draw(st.sampled_from(field.steps[here]))
    walk, before = [here, step.end], here
    turns = ""
    for turn in draw(st.lists(st.sampled_from("LR"), min_size=1, max_size=9)):
        turns += turn
        if turns[-3:] in {"LLL", "RRR"}:
            turn = "L" if turn == "R" else "R"
            turns = turns[:-1] + turn
        a, b = before.point, walk[-1].point
        ways = {}
        for way in field.steps[walk[-1]]:
            if way.end != before:
                c = way.end.point
                bend = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
                ways["L" if bend < 0 else "R"] = way.end
        if turn not in ways or ways[turn] in walk:
            break
        before = walk[-1]
        walk.append(ways[turn])
    return [joint.point for joint in walk]


@LIGHT
@given(st.data(), FIELDS)
def test_a_line_along_hexsides_is_its_own_chain(data: st.DataObject, field: HexField) -> None:
    points = data.draw(side_walks(field))
    (chain,) = rivers(field, LineString(points))
    assert [j.point for j in chain.joints] == points


def test_a_hairpin_bend_is_followed_and_not_cut_short() -> None:
    # down one column of hexsides, over, and up again two columns further: the two arms are near
    up, down = FLAT.grid.center(Hex(3, 1)), FLAT.grid.center(Hex(3, 5))
    right = FLAT.grid.center(Hex(5, 1))
    line = LineString([up, down, (right[0], down[1]), right])
    (chain,) = rivers(FLAT, line)
    lowest = max(j.point[1] for j in chain.joints)
    assert lowest > down[1] - 35
    assert len(chain.sides) >= 14


def test_a_line_outside_or_too_short_gives_no_chain() -> None:
    assert rivers(FLAT, LineString([(-500, 0), (-400, 900)])) == ()
    x, y = FLAT.grid.center(Hex(3, 3))
    assert rivers(FLAT, LineString([(x, y), (x + 1, y)])) == ()


def test_a_tributary_ends_on_the_river_it_flows_into() -> None:
    main = LineString([(-50, 210), (700, 230)])
    brook = LineString([(240, -40), (250, 100), (260, main.interpolate(310).y)])
    first, second = rivers(FLAT, brook, main)
    assert len(set(first.joints) & set(second.joints)) == 1
    assert first.joints[-1] in second.joints


def test_an_anchor_keeps_its_bank() -> None:
    # the line runs through the middles of a column, so that each hex could be on either side
    x, top = FLAT.grid.center(Hex(4, 0))
    line = LineString([(x, top - 100), (x, 900)])
    for dx, bank in ((-12, 1), (12, 0)):
        anchors = [Anchor(x + dx, FLAT.grid.center(Hex(4, row))[1]) for row in range(7)]
        (chain,) = rivers(FLAT, line, anchors=anchors)
        # flowing down the screen, the left bank lies to the right
        banks = chain.banks(FLAT)
        hexes = {Hex(4, row) for row in range(1, 6)}
        assert hexes <= banks[bank]
        assert not hexes & banks[1 - bank]


def test_side_of_line_at_a_bend() -> None:
    bend = LineString([(0, 0), (10, 0), (10, 10)])
    assert side_of_line(bend, 14, -4) == -1
    assert side_of_line(bend, 6, 4) == 1
    assert side_of_line(bend, 5, 0) == 0


# --- roads ---------------------------------------------------------------------------------


def roads(
    field: HexField,
    *lines: LineString,
    nodes: Sequence[tuple[float, float]] = (),
    chains: Sequence[Chain] = (),
) -> tuple[RoadLinks, ...]:
    named = [Road(f"D{number}", line, "road") for number, line in enumerate(lines)]
    return link_roads(field, named, nodes, chains)


def check_links(field: HexField, run: RoadLinks) -> None:
    assert all(h in field for h in run.hexes)
    for one, two in itertools.pairwise(run.hexes):
        assert field.grid.direction_to(one, two) is not None
    if run.enters is not None:
        assert field.grid.neighbor(run.hexes[0], run.enters) not in field
    if run.leaves is not None:
        assert field.grid.neighbor(run.hexes[-1], run.leaves) not in field


@LIGHT
@given(FIELDS, LINES, LINES)
def test_links_are_neighbors_and_exits_lead_outside(
    field: HexField, road: LineString, river: LineString
) -> None:
    chains = rivers(field, river)
    sides = {side for chain in chains for side in chain.sides}
    for run in roads(field, road, chains=chains):
        check_links(field, run)
        hops = [field.grid.side_between(a, b) for a, b in itertools.pairwise(run.hexes)]
        assert sum(n for _, n in run.crossings.values()) == sum(side in sides for side in hops)
        if not road.intersects(river):
            assert len(run.needless) == sum(side in sides for side in hops)


@LIGHT
@given(st.data(), FIELDS)
def test_a_line_through_centers_links_just_these_hexes(
    data: st.DataObject, field: HexField
) -> None:
    walk = data.draw(hex_walks(field))
    if len(walk) < 2:
        return
    (run,) = roads(field, LineString([field.grid.center(h) for h in walk]))
    assert run.hexes == tuple(walk)
    assert (run.enters, run.leaves) == (None, None)


def test_a_clipped_corner_gives_no_hop() -> None:
    # from 3,3 to its neighbor to the south-east, passing the corner that they share with 3,4
    a, b = FLAT.grid.center(Hex(3, 3)), FLAT.grid.center(Hex(4, 4))
    c = FLAT.grid.center(Hex(3, 4))
    corner = tuple(sum(v) / 3 for v in zip(a, b, c, strict=True))
    past = (corner[0] - 2, corner[1] + 3)
    (run,) = roads(FLAT, LineString([a, past, b]))
    assert run.hexes == (Hex(3, 3), Hex(4, 4))


def test_a_road_along_an_edge_does_not_zigzag() -> None:
    # pointy-topped: a vertical line runs along edges and through centers by turns
    x, top = POINTY.grid.center(Hex(1, 3))
    (run,) = roads(POINTY, LineString([(x, top - 300), (x, 900)]))
    assert [h.column for h in run.hexes] == list(range(9))
    for shift in (-3, 3):
        (run,) = roads(POINTY, LineString([(x + shift, top - 300), (x + shift, 900)]))
        assert {h.row for h in run.hexes if h.column % 2 == 0} == {3 if shift < 0 else 4}


def test_a_road_along_a_river_keeps_to_its_bank() -> None:
    x, top = FLAT.grid.center(Hex(4, 0))
    stream = LineString([(x, top - 100), (x, 900)])
    for shift in (-9, 9):
        road = LineString([(x + shift, top - 100), (x + shift, 900)])
        for chain_first in (True, False):
            anchors = [] if chain_first else [Anchor(x + shift, y) for y in range(40, 400, 60)]
            chains = rivers(FLAT, stream, anchors=anchors)
            (run,) = roads(FLAT, road, chains=chains)
            check_links(FLAT, run)
            assert run.needless == ()
            assert run.crossings.get("R0", (0, 0)) == (0, 0)


def test_a_road_runs_through_the_hex_of_a_place_and_of_a_junction() -> None:
    x, y = FLAT.grid.center(Hex(4, 3))
    place = (x + 15, y + 29)
    assert FLAT.grid.hex_containing(*place) == Hex(4, 3)
    line = LineString([(x - 200, y + 33), place, (x + 200, y + 33)])
    branch = LineString([place, (x + 10, y + 200)])
    main, side = roads(FLAT, line, branch)
    assert Hex(4, 3) in main.hexes
    assert side.hexes[0] == Hex(4, 3)


def test_bridges_where_road_and_river_cross() -> None:
    stream = LineString([(-50, 200), (700, 200)])
    road = LineString([(300, -50), (300, 700)])
    chains = rivers(FLAT, stream)
    (run,) = roads(FLAT, road, chains=chains)
    assert run.crossings == {"R0": (1, 1)}
    assert run.needless == ()

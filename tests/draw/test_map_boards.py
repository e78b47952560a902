"""Boards that are cut: their edge, the quiet ground beside them, their numbers and signs."""

from __future__ import annotations

import dataclasses
from collections import Counter

import numpy as np
import pytest
import shapely
from map_sample import make_grid, make_sheet, place

from builder.draw.fonts import text_width
from builder.draw.map import map_scene
from builder.draw.map_beside import beside, center_dots
from builder.draw.map_plan import Plan, plan_of
from builder.draw.map_style import map_style
from builder.draw.scene import Fill, Stroke, Text
from builder.gamebox.model import MapSheet
from builder.hexes.boards import NamedBoard
from builder.hexes.grid import Hex, Numbering

STYLE = map_style({"sheet": {"dot": 2}}, {})


def board_sheet(*, sideways: bool = False) -> MapSheet:
    """Nine by eight hexes with a cut board of five by five in their middle."""
    sheet = make_sheet(["." * 9] * 8)
    numbering = Numbering(
        sep="", stagger=False, h_leading=0, v_leading=0, location_format="X$gridLocation$"
    )
    board = NamedBoard(
        name="X", column=2, row=1, columns=5, rows=5, numbering=numbering, is_cut=True
    )
    grid = make_grid(104, 120, 130, 190, (1500, 1500), sideways=sideways)
    grid = dataclasses.replace(grid, boards=(board,))
    frame = dataclasses.replace(sheet.frame, width=1500, height=1500)
    return dataclasses.replace(sheet, grid=grid, frame=frame)


@pytest.fixture(params=[False, True], ids=["flat", "pointy"])
def plan(request: pytest.FixtureRequest) -> Plan:
    return plan_of(board_sheet(sideways=request.param))


def test_a_map_without_cut_boards_is_all_ground() -> None:
    plan = plan_of(make_sheet(["...", "..."]))
    assert plan.boards == ()
    assert plan.ground is plan.field
    assert list(beside(plan, STYLE)) == []
    assert plan.is_beyond(Hex(3, 0))
    assert not plan.is_beyond(Hex(2, 1))


def test_a_board_ends_in_the_middles_of_its_outermost_hexes(plan: Plan) -> None:
    edge = plan.boards[0].outline.exterior
    for h in plan.hexes:
        covered = plan.boards[0].board.covers(h)
        middle = shapely.Point(plan.center(h))
        assert plan.is_beyond(h) != covered
        if covered and (h.column in (2, 6) or (h.column % 2 and h.row in (1, 5))):
            assert edge.distance(middle) < 1e-9
        else:
            assert plan.boards[0].outline.contains(middle) == covered


def test_beside_the_board_every_hex_is_outlined_and_on_it_none(plan: Plan) -> None:
    shown = plan.boards[0].outline
    found = [e for e in beside(plan, STYLE) if isinstance(e, Stroke) and not e.closed]
    drawn = shapely.union_all([shapely.LineString(line) for e in found for line in e.lines])
    assert drawn.intersection(shown.buffer(-0.01)).is_empty
    every = shapely.union_all(shapely.boundary(plan.polygons))
    # a line along the board's edge is drawn as the edge
    missing = every.difference(shown.buffer(0.01)).difference(drawn.buffer(0.01))
    assert missing.length < 0.1


def test_numbers_stand_on_the_board_without_its_prefix(plan: Plan) -> None:
    scene = map_scene(plan.sheet, {}, style=STYLE)
    size = plan.size(STYLE.text["number"].size)
    found = [e for e in scene.elements if isinstance(e, Text) and e.size == size]
    own = [h for h in plan.hexes if not plan.is_beyond(h)]
    assert Counter(t.text for t in found) == Counter(plan.sheet.label(h)[1:] for h in own)
    shown = plan.boards[0].outline.buffer(1e-6)
    for text in found:
        half = text_width(text.text, text.font, text.size) / 2
        box = shapely.box(text.x - half, text.y, text.x + half, text.y + 0.66 * text.size)
        assert shown.contains(box), text.text


def test_dots_are_in_the_middles_of_the_boards_hexes(plan: Plan) -> None:
    rings = [r for e in center_dots(plan, STYLE) if isinstance(e, Fill) for r in e.rings]
    middles = np.array([np.mean(ring, axis=0) for ring in rings])
    own = [plan.center(h) for h in plan.hexes if not plan.is_beyond(h)]
    assert np.abs(middles - np.array(own)).max() < 0.01
    assert list(center_dots(plan, map_style({}, {}))) == []


def test_signs_stand_where_the_places_say() -> None:
    places = (place("North", 4, 0, "board"), place("R", 1, 6, "rose"))
    sheet = dataclasses.replace(board_sheet(), places=places)
    plan = plan_of(sheet)
    texts = [e for e in map_scene(sheet, {}, style=STYLE).elements if isinstance(e, Text)]
    plate = next(t for t in texts if t.text == "North")
    assert (plate.x, plate.y) == pytest.approx(plan.center(Hex(4, 0)))
    x, y = plan.center(Hex(1, 6))
    around = {t.text: (t.x - x, t.y - y) for t in texts if t.text in set("123456")}
    assert around["1"][1] < 0 < around["4"][1]
    assert around["2"][0] > 0 > around["6"][0]
    assert around["2"][1] < 0 < around["3"][1]

"""Pictures of parts of the board: which part, what lies on it, and that no hidden face leaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from conftest import Golden
from hypothesis import given, settings
from hypothesis import strategies as st
from map_sample import make_grid, make_sheet
from strategies_draw import counter, shipped_layouts, shipped_palette
from strategies_map import sheets

from builder.draw.board_views import BoardPainter, Cut, ViewColors, cut_of
from builder.draw.counters import FaceArt, counter_faces
from builder.draw.map import map_scene
from builder.draw.scene import Repeat, Text
from builder.draw.symbols import installed_symbols
from builder.gamebox.boards import BoardView, ShownPiece, Spot
from builder.gamebox.model import Box, MapSheet
from builder.hexes.grid import Hex

LAYOUTS, PALETTE, SYMBOLS = shipped_layouts(), shipped_palette(), installed_symbols()
UNIT = counter(serial="S-9")
SHEET = make_sheet(["." * 12] * 9, boxes=[Box("EntryA", "A", "entry", 20, 500, 80, 80)])
COLORS = ViewColors({"Allied": "#55733f", "German": "#59636b"})


def faces(counter_id: str) -> Sequence[FaceArt]:
    if counter_id != UNIT.id:
        return ()
    return counter_faces(UNIT, LAYOUTS["unit"], PALETTE, symbols=SYMBOLS.paths)


def painter(sheet: MapSheet = SHEET) -> BoardPainter:
    board = map_scene(sheet, PALETTE.flat())
    return BoardPainter(sheet, board, faces, colors=COLORS, symbols=SYMBOLS)


BEFORE = BoardView(
    pieces=(ShownPiece(UNIT.id, Hex(4, 4), "step", 2), ShownPiece("unknown", Hex(6, 4))),
    zone=frozenset({Hex(5, 3), Hex(5, 4)}),
    zone_side="German",
    way=(Hex(4, 4), Hex(5, 4), Hex(6, 5)),
    start=Hex(4, 4),
    end=Hex(6, 5),
    marked=(Hex(5, 4), Hex(4, 2)),
)
AFTER = replace(
    BEFORE, pieces=(ShownPiece(UNIT.id, Hex(6, 5), "hidden"), BEFORE.pieces[1]), is_after=True
)


# ------------------------------------------------------------------------------- which part


def test_five_by_five_hexes_lie_around_one() -> None:
    cut = cut_of(SHEET, [Hex(5, 4)])
    for column in range(3, 8):
        for row in range(2, 7):
            x, y = SHEET.grid.center(Hex(column, row))
            assert cut.left <= x <= cut.right
            assert cut.top <= y <= cut.bottom
    whole = [p for row in range(2, 7) for p in SHEET.grid.polygon(Hex(5, row))]
    assert min(y for _, y in whole) >= cut.top
    assert max(y for _, y in whole) <= cut.bottom


def test_at_a_corner_the_part_moves_in_and_keeps_its_size() -> None:
    middle, corner = cut_of(SHEET, [Hex(5, 4)]), cut_of(SHEET, [Hex(0, 0)])
    assert corner.size == pytest.approx(middle.size, abs=1)
    assert corner.left >= 0
    assert corner.top >= 0
    assert min(x for x, _ in SHEET.grid.polygon(Hex(0, 0))) >= corner.left


def test_without_a_hex_of_the_map_the_whole_field_is_shown() -> None:
    whole = cut_of(SHEET, [Hex(40, 40)])
    assert whole == cut_of(SHEET, [])
    corners = [p for h in SHEET.hexes() for p in SHEET.grid.polygon(h)]
    assert min(x for x, _ in corners) >= whole.left
    assert max(y for _, y in corners) <= whole.bottom


@given(sheets(), st.data())
def test_every_hex_meant_is_whole_and_on_the_board(sheet: MapSheet, data: st.DataObject) -> None:
    hexes = data.draw(st.lists(st.sampled_from(list(sheet.hexes())), min_size=1, max_size=4))
    cut = cut_of(sheet, hexes)
    frame = sheet.frame
    assert 0 <= cut.left < cut.right <= frame.width
    assert 0 <= cut.top < cut.bottom <= frame.height
    for h in hexes:
        for x, y in sheet.grid.polygon(h):
            assert cut.left - 1 <= x <= cut.right + 1
            assert cut.top - 1 <= y <= cut.bottom + 1


# ------------------------------------------------------------------------- what lies on it


def words(view: BoardView, cut: Cut | None = None) -> list[str]:
    """The texts of all counters, in the order of painting."""
    layer = painter().layer(view, cut or cut_of(SHEET, view.hexes))
    found = []
    for element in layer.elements:
        inner = element.elements if isinstance(element, Repeat) else (element,)
        found += [e.text for e in inner if isinstance(e, Text)]
    return found


def test_a_layer_as_text(golden: Golden) -> None:
    golden.text("board_view", str(painter().layer(BEFORE, cut_of(SHEET, BEFORE.hexes))))


def test_a_hidden_face_tells_its_serial_alone() -> None:
    assert "S-9" in words(AFTER)
    assert UNIT.name in words(BEFORE)
    assert UNIT.name not in words(AFTER)


def test_a_face_that_nobody_draws_is_a_question() -> None:
    assert "?" in words(BEFORE)
    lost = replace(BEFORE, pieces=(ShownPiece(UNIT.id, Hex(4, 4), "step", 7),))
    assert words(lost) == ["?"]
    never = replace(BEFORE, pieces=(ShownPiece(UNIT.id, Hex(4, 4), "back"),))
    assert words(never) == ["?"]


def test_a_stack_rises_to_the_upper_right() -> None:
    pieces = tuple(ShownPiece(UNIT.id, Hex(4, 4), "step", n) for n in (1, 2))
    layer = painter().layer(replace(BEFORE, pieces=pieces), cut_of(SHEET, BEFORE.hexes))
    (low,), (high,) = (e.at for e in layer.elements if isinstance(e, Repeat))
    assert high[0] > low[0]
    assert high[1] < low[1]


def test_a_piece_far_off_is_left_out_and_one_in_a_box_is_not() -> None:
    far = replace(BEFORE, pieces=(ShownPiece(UNIT.id, Hex(11, 8), "hidden"),))
    assert words(far) == []
    boxed = replace(BEFORE, pieces=(ShownPiece(UNIT.id, "EntryA", "hidden"),))
    assert words(boxed) == ["S-9"]
    nowhere = replace(BEFORE, pieces=(ShownPiece(UNIT.id, "Nowhere", "hidden"),))
    assert words(nowhere) == []


# -------------------------------------------------------------------------------- pictures


def test_pictures_of_a_group_show_the_same_part() -> None:
    ((before, after), (alone,)) = painter().images([(BEFORE, AFTER), (BEFORE,)])
    assert before.size == after.size == alone.size
    assert before.mode == "P"
    assert before.tobytes() == alone.tobytes()
    assert before.tobytes() != after.tobytes()
    assert painter().images([]) == []


def test_a_large_part_is_shown_smaller() -> None:
    wide = replace(BEFORE, marked=(Hex(0, 0), Hex(11, 8)))
    ((image,),) = painter().images([(wide,)])
    assert max(image.size) <= 680


def test_a_picture(golden: Golden) -> None:
    ((image,),) = painter().images([(BEFORE,)])
    golden.image("board_view", image.convert("RGB").resize((image.width // 3, image.height // 3)))


@settings(max_examples=20)
@given(sheets(), st.data())
def test_any_view_of_any_map_is_painted(sheet: MapSheet, data: st.DataObject) -> None:
    spots: st.SearchStrategy[Spot] = st.sampled_from(
        [*sheet.hexes(), Hex(99, 99), "Nowhere", *(b.name for b in sheet.boxes)]
    )
    hexes = st.sampled_from([*sheet.hexes(), Hex(99, 99)])
    view = BoardView(
        pieces=tuple(
            data.draw(
                st.lists(
                    st.builds(
                        ShownPiece,
                        st.sampled_from([UNIT.id, "other"]),
                        spots,
                        st.sampled_from(["step", "hidden", "back"]),
                        st.integers(0, 3),
                    ),
                    max_size=5,
                )
            )
        ),
        zone=frozenset(data.draw(st.lists(hexes, max_size=6))),
        zone_side="German",
        way=tuple(data.draw(st.lists(hexes, max_size=5))),
        start=data.draw(st.none() | spots),
        end=data.draw(st.none() | spots),
        marked=tuple(data.draw(st.lists(hexes, max_size=3))),
        is_after=data.draw(st.booleans()),
    )
    layer = painter(sheet).layer(view, cut_of(sheet, view.hexes))
    assert layer.background is None
    assert "nan" not in str(layer)


def test_sideways_grids_show_five_by_five_too() -> None:
    grid = make_grid(104, 120, 150, 190, (1600, 1600), sideways=True)
    sheet = make_sheet(["." * 12] * 9, grid=grid)
    cut = cut_of(sheet, [Hex(5, 4)])
    for column in range(3, 8):
        for row in range(2, 7):
            x, y = grid.center(Hex(column, row))
            assert cut.left <= x <= cut.right
            assert cut.top <= y <= cut.bottom

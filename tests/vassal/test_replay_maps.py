"""Names of places by a module's own boards, and what a module without boards of ours says."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.vassal.buildfile import moduledata_xml, read_buildfile
from builder.vassal.replay_expressions import evaluate
from builder.vassal.replay_maps import BoardCell, MapNames, Spot, board_cells, map_names
from builder.vassal.replay_module import ModuleName, find_module, read_module_facts
from builder.vassal.replay_pictures import picture_size

BOARDS = "VASSAL.build.module.map.boardPicker"
SQUARES = f"""<{BOARDS}.board.SquareGrid x0="25" y0="25" dx="50" dy="50">
<{BOARDS}.board.mapgrid.SquareGridNumbering first="H" hType="A" hOff="0" hLeading="0"
 vType="N" vOff="1" vLeading="0"/></{BOARDS}.board.SquareGrid>"""


def names(boards: str, **attributes: str) -> MapNames:
    given_texts = "".join(f' {key}="{value}"' for key, value in attributes.items())
    xml = f"""<VASSAL.build.GameModule><VASSAL.build.module.Map mapName="Main"{given_texts}>
    <VASSAL.build.module.map.BoardPicker>{boards}</VASSAL.build.module.map.BoardPicker>
    </VASSAL.build.module.Map></VASSAL.build.GameModule>"""
    return map_names(read_buildfile(xml.encode()), lambda _: None)


def board(name: str, grid: str, width: int = 200, height: int = 100) -> str:
    return (
        f'<{BOARDS}.Board name="{name}" width="{width}" height="{height}">{grid}</{BOARDS}.Board>'
    )


def test_boards_lie_side_by_side_inside_the_padding() -> None:
    found = names(
        board("A", SQUARES) + board("B", SQUARES, 100, 300), edgeWidth="10", edgeHeight="20"
    )
    layout = board_cells(["A", "0", "0", "B", "1", "0", "A", "0", "1"])
    assert found.spot("Main", layout, 10 + 25, 20 + 25) == Spot("A1", None, "A")
    assert found.spot("Main", layout, 10 + 200 + 75, 20 + 225) == Spot("B5", None, "B")
    assert found.spot("Main", layout, 10 + 25, 20 + 100 + 25) == Spot("A1", None, "A")
    assert found.spot("Main", layout, 5, 5) == Spot()
    assert found.spot("Main", layout, 10**9, 0) == Spot()


def test_a_turned_board_counts_from_the_other_corner() -> None:
    found = names(board("A", SQUARES))
    assert found.spot("Main", (BoardCell("A", rotated=True),), 175, 75).label == "A1"
    assert found.spot("Main", (BoardCell("A"),), 175, 75).label == "D2"


def test_one_board_needs_no_layout_and_several_do() -> None:
    assert names(board("A", SQUARES)).spot("Main", None, 25, 25).label == "A1"
    several = names(board("A", SQUARES) + board("B", SQUARES))
    assert several.spot("Main", None, 25, 25) == Spot()
    layout = "<setup>MainBoardPicker&#9;B&#9;0&#9;0</setup>"
    several = names(board("A", SQUARES) + board("B", SQUARES) + layout)
    assert several.spot("Main", None, 25, 25).board == "B"
    assert several.unknown_boards("Main", (BoardCell("C"),)) == ("C",)


def test_regions_in_zones_are_named() -> None:
    region = f"""<{BOARDS}.board.RegionGrid><{BOARDS}.board.Region name="Pool" originx="5"
    originy="5"/></{BOARDS}.board.RegionGrid>"""
    zone = f"""<{BOARDS}.board.mapgrid.Zone name="Box" locationFormat="$name$/$gridLocation$"
    path="0,0;50,0;50,50;0,50">{region}</{BOARDS}.board.mapgrid.Zone>"""
    found = names(
        board("A", f"<{BOARDS}.board.ZonedGrid>{zone}{SQUARES}</{BOARDS}.board.ZonedGrid>")
    )
    assert found.spot("Main", None, 10, 10) == Spot("Box/Pool", "Box", "A")
    assert found.spot("Main", None, 75, 75) == Spot("B2", None, "A")


@pytest.mark.parametrize(
    ("grid", "words"),
    [
        ("<my.own.TriangleGrid/>", "class of its own, my.own.TriangleGrid"),
        (f'<{BOARDS}.board.SquareGrid dx="wide"/>', "wide"),
        (f'<{BOARDS}.board.SquareGrid dx="0"/>', "dx must be more than 0"),
        (f"<{BOARDS}.board.SquareGrid><my.Numbers/></{BOARDS}.board.SquareGrid>", "my.Numbers"),
        (
            f"<{BOARDS}.board.ZonedGrid><{BOARDS}.board.mapgrid.Zone name='Z' path='1,1;x'/>"
            f"</{BOARDS}.board.ZonedGrid>",
            "no readable outline",
        ),
    ],
)
def test_what_cannot_be_named_is_said_by_name(grid: str, words: str) -> None:
    found = names(board("A", grid))
    (warning,) = found.warnings
    assert words in warning
    assert "board 'A' of map 'Main'" in warning
    assert found.spot("Main", None, 25, 25) == Spot(None, None, "A")


def test_a_board_picker_of_a_modules_own_is_named() -> None:
    xml = b"""<VASSAL.build.GameModule><my.Map mapName="Main"><my.BoardPicker/></my.Map>
    </VASSAL.build.GameModule>"""
    found = map_names(read_buildfile(xml), lambda _: None)
    assert "my.BoardPicker" in found.warnings[0]


# --- pictures ---------------------------------------------------------------------------------


def png(width: int, height: int) -> bytes:
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (png(300, 200), (300, 200)),
        (b"GIF87a" + struct.pack("<HH", 7, 9), (7, 9)),
        (b"\xff\xd8\xff\xe0\x00\x04ab\xff\xc0\x00\x0b\x08\x00\x10\x00\x20\x01", (32, 16)),
        (b'<?xml version="1.0"?><svg width="2in" height="96">', (192, 96)),
        (b'<svg viewBox="0 0 30.5 20">', (30, 20)),
        (png(0, 5), None),
        (b"\xff\xd8\xff\xe0\x00\x00", None),
        (b'<svg width="1.2.3" height="4">', None),
        (b"", None),
    ],
)
def test_the_size_of_a_picture(data: bytes, size: tuple[int, int] | None) -> None:
    assert picture_size(data) == size


@given(st.sampled_from([b"\xff\xd8", b"GIF89a", b"<svg ", b"\x89PNG\r\n\x1a\n"]), st.binary())
def test_any_bytes_have_a_size_or_none(start: bytes, data: bytes) -> None:
    size = picture_size(start + data)
    assert size is None or min(size) > 0


# --- modules ----------------------------------------------------------------------------------


def module(path: Path, name: str, version: str) -> Path:
    path.mkdir()
    (path / "buildFile.xml").write_text("<VASSAL.build.GameModule/>", encoding="utf-8")
    (path / "moduledata").write_bytes(moduledata_xml(name, version, saved_ms=0))
    return path


def test_a_folder_is_a_module_too(tmp_path: Path) -> None:
    facts = read_module_facts(module(tmp_path / "m", "River", "1.2"))
    assert (facts.name.name, facts.name.version, facts.is_known) == ("River", "1.2", True)


def test_nothing_is_found_where_nothing_is(tmp_path: Path) -> None:
    (tmp_path / "broken.vmod").write_bytes(b"no zip")
    assert find_module(ModuleName("River", "1"), [tmp_path, tmp_path / "absent"]) is None
    assert find_module(ModuleName(), [tmp_path]) is None


# --- expressions ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1+2*3", "7"),
        ("(1+2)*3", "9"),
        ("-7/2", "-3"),
        ("-7%2", "-1"),
        ("Steps<1?1:Steps", "2"),
        ('(Holder=="GERMAN"?0:1)+Steps', "2"),
        ('Holder!="GERMAN"||Steps>=2&&!false', "true"),
        ('"a"+1+true', "a1true"),
        ('1==1?"x":2==2?"y":"z"', "x"),
        ("Absent", ""),
        ("1/0", None),
        ("f(1)", None),
        ("1+", None),
        ("1 2", None),
        ('"a"*2', None),
        ("((((1", None),
        ("(" * 500 + "1" + ")" * 500, None),
        ("2147483647" + "*9999999" * 3, None),
        ("a=1", None),
    ],
)
def test_plain_expressions_have_values(expression: str, value: str | None) -> None:
    assert evaluate(expression, {"Steps": "2", "Holder": "GERMAN"}.get) == value


@given(st.text('()+-*/%<>=!&|?:"\\ab12 ', max_size=60))
def test_any_text_has_a_value_or_none(text: str) -> None:
    assert isinstance(evaluate(text, {"a": "1"}.get), str | None)

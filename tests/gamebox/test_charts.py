from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.gamebox.charts import (
    Chart,
    ChartCell,
    ChartColumn,
    ChartRow,
    Mark,
    Words,
    marks_of,
    parts_of,
    plain_text,
    turn_box_notes,
)
from builder.gamebox.model import Game
from builder.gamebox.open import read_game
from builder.gamebox.open_charts import open_charts
from builder.problems import ProblemLog

DROPZONE = Path(__file__).parents[2] / "mapdata" / "dropzone"


@pytest.fixture(scope="module")
def game() -> Game:
    game, _ = read_game(DROPZONE)
    assert game is not None
    return game


@pytest.fixture(scope="module")
def charts(game: Game) -> dict[str, Chart]:
    log = ProblemLog()
    charts = open_charts(game, log)
    assert log.problems == []
    return {chart.name: chart for chart in charts}


# ----------------------------------------------------------------------------------------- markup


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        (":star:", Mark("star")),
        (":die_ffi|side.Allied:", Mark("die_ffi", "side.Allied")),
        (":die_ffi|side:Allied:", Mark("die_ffi", "side:Allied")),
        ("[:die_ffi:]", Mark("die_ffi", "", True)),
        ("[:die_ffi|#a0b1c2:]", Mark("die_ffi", "#a0b1c2", True)),
        (":chip|command.2IPBG:", Mark("chip", "command.2IPBG")),
    ],
)
def test_a_symbol_is_read_alone_and_among_words(text: str, mark: Mark) -> None:
    assert parts_of(text) == (mark,)
    assert marks_of(f"a {text} b {text}") == (mark, mark)


@pytest.mark.parametrize(
    "text", ["12:30", "a: b: c", "::", ":Star:", "[x]", "**", "* *", "1/2//3", "http://x", ":a b:"]
)
def test_what_is_no_markup_stays_text(text: str) -> None:
    assert parts_of(text) == (Words(text),)
    assert plain_text(text) == text


# no lone colon: between two of them "d" would rightly be the name of a symbol
@given(st.lists(st.sampled_from([":a:", "[:b|x.y:]", "**c**", " // ", "d", " ", "|", "["])))
def test_markup_never_loses_or_invents_words(pieces: list[str]) -> None:
    text = "".join(pieces)
    words = "".join(p.text for p in parts_of(text) if isinstance(p, Words))
    assert words.count("d") == pieces.count("d")
    assert words.count("c") == pieces.count("**c**")
    assert "  " not in plain_text(text)


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    assert (
        "".join(plain_text(text).split()) in "".join(text.split())
        or marks_of(text)
        or ("**" in text or "//" in text)
    )


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("½", Fraction(1, 2)),
        ("2½", Fraction(5, 2)),
        ("+1", Fraction(1)),
        ("−½", Fraction(-1, 2)),
        ("-2", Fraction(-2)),
        ("+0", Fraction(0)),
        ("", None),
        ("–", None),
        ("+", None),
        ("2.5", None),
        ("22–24", None),
    ],
)
def test_figures(text: str, figure: Fraction | None) -> None:
    assert ChartCell(text).figure == figure


# ------------------------------------------------------------------------------ Drop Zone's charts


def figures(chart: Chart, column: str) -> list[str]:
    at = chart.column(column)
    return [r.cells[at].text + ("*" if r.cells[at].is_marked else "") for r in chart.rows]


def test_terrain_costs_and_which_of_them_the_rulebook_gives(charts: dict[str, Chart]) -> None:
    terrain = charts["terrain"]
    assert figures(terrain, "move") == [
        *("1*", "2", "1*", "1*", "+1*", "+0*"),  # clear woods village town hill junction
        *("+1", "+0*", "½"),  # river bridge road
        *("+0", "+1", "+2"),  # into, out of, from one to the next zone of control
    ]
    assert terrain.row("Hill, added")["attacker"] == ChartCell("−1")
    assert terrain.row("Hill, added")["defender"] == ChartCell("+1")
    assert terrain.row("Town")["defender"] == ChartCell("+1", is_marked=True)
    assert terrain.row("Village")["defender"].figure == 0
    with pytest.raises(KeyError):
        terrain.row("Swamp")


def test_a_die_has_six_faces_and_none_of_their_numbers_is_from_the_rulebook(
    charts: dict[str, Chart],
) -> None:
    for side in ("allied", "german"):
        column = charts["dice"].column(side)
        cells = [row.cells[column] for row in charts["dice"].rows]
        assert sum(cell.figure or 0 for cell in cells) == 6
        assert all(cell.is_marked for cell in cells if cell.figure is not None)


def test_dice_of_the_chart_are_the_dice_of_the_module(charts: dict[str, Chart]) -> None:
    # typed from the project's reading of the examples, not read from either file
    assert figures(charts["dice"], "allied") == ["1*", "2*", "–", "–", "3*"]
    assert figures(charts["dice"], "german") == ["1*", "–", "1*", "1*", "3*"]


def test_which_face_hits_what(charts: dict[str, Chart]) -> None:
    hits = {
        plain_text(row.cells[0].text).split(" ")[0]: [
            column.name
            for column, cell in zip(charts["hits"].columns, row.cells, strict=True)
            if marks_of(cell.text)
        ]
        for row in charts["hits"].rows
    }
    assert hits == {
        "Armor": ["armor"],
        "Airborne": ["armor", "airborne"],
        "FFI": ["armor", "airborne", "ffi"],
        "German": ["armor", "infantry"],
    }


def test_turn_track(charts: dict[str, Chart]) -> None:
    turns = charts["turns"]
    assert figures(turns, "turn") == ["1", "2", "3", "4", "5", "6"]
    assert figures(turns, "day") == ["D-Day"] * 3 + ["D+1"] * 3
    assert figures(turns, "rp") == ["0*", "1*", "1*", "2*", "2*", "1*"]
    assert figures(turns, "allied") == ["0", "2*", "2*", "3*", "3*", "2*"]
    assert figures(turns, "german") == ["0", "2*", "2*", "2*", "2*", "2*"]


def test_all_assets_are_drawn_by_the_end(game: Game, charts: dict[str, Chart]) -> None:
    for side, column, number in (("Allied", "allied", 12), ("German", "german", 10)):
        cells = [row.cells[charts["turns"].column(column)] for row in charts["turns"].rows]
        assert sum(cell.figure or 0 for cell in cells) == number
        kinds = [r for r in charts["assets"].rows if r.group == f"{side} assets"]
        assert sum(row.cells[0].figure or 0 for row in kinds) == number


def test_victory_levels_follow_each_other_without_gap(charts: dict[str, Chart]) -> None:
    for scenario, top in (("Standard", 25), ("Ghost Division", 23)):
        expected = top
        rows = [row for row in charts["victory"].rows if row.group == scenario]
        for row in rows:
            low, _, high = row.cells[0].text.partition("–")
            numbers = [int(word.split()[0]) for word in (low, high) if word]
            assert max(numbers) == expected
            expected = min(numbers) - 1
    assert [len([r for r in charts["victory"].rows if r.group == s]) for s in ("Standard",)] == [7]


def test_lines_of_the_turn_boxes(game: Game, charts: dict[str, Chart]) -> None:
    notes = turn_box_notes(tuple(charts.values()))
    assert set(notes) == {f"T{n}" for n in range(1, 7)}
    assert all(game.map.box(name) is not None for name in notes)
    assert notes["T1"] == ("RP 0*", "Assets 0·0")
    assert notes["T4"] == ("RP 2*", "Assets 3·2*")


def test_units_of_the_charts_are_those_of_the_counters(
    game: Game, charts: dict[str, Chart]
) -> None:
    units = [c for c in game.counters if c.layout == "unit"]
    assert len(units) == 55
    oob = charts["oob"]
    listed = [cell for row in oob.rows for cell in row.cells[oob.column("units")].text.split(", ")]
    assert len(listed) == 55
    later = charts["reinforcements"]
    names = [c for r in later.rows for c in r.cells[later.column("units")].text.split(", ")]
    assert len(names) == len([u for u in units if u.fields["turn"] is not None])
    assert [row.group for row in later.rows] == sorted(row.group for row in later.rows)
    row = later.row("5")
    assert [plain_text(cell.text) for cell in row.values()] == [
        *("5", "517 PRCT", "191", "191 Tank", "G")
    ]


# --------------------------------------------------------------------------------------- mistakes


@pytest.fixture
def copy(tmp_path: Path, game: Game) -> Path:
    folder = tmp_path / "dropzone"
    shutil.copytree(DROPZONE, folder)
    return folder


def problems(folder: Path) -> list[str]:
    game, _ = read_game(folder)
    assert game is not None
    log = ProblemLog()
    open_charts(game, log)
    return [str(problem) for problem in log.problems]


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            "charts/terrain.csv",
            "Hex,Woods,2,−1,0,,move",
            "Hex,Woods,2,−1,0,,mov",
            "charts/terrain.csv:4:19: verified: no column of figures 'mov'; did you mean 'move'?",
        ),
        (
            "charts/terrain.csv",
            "Hex,Woods,2,−1,0,,move",
            "Hex,Woods,2,−1,0,,",
            "charts/terrain.csv:4:19: verified: expected yes, no or names of columns, "
            "found an empty cell",
        ),
        (
            "charts/terrain.csv",
            "group,terrain,move,",
            "group,terrain,moves,",
            "charts/terrain.csv:2:1: required column 'move' is missing; did you mean 'moves'?",
        ),
        (
            "charts/turns.csv",
            "events,verified",
            "events,weather",
            "charts/turns.csv:2:34: unknown column 'weather': no column of the chart",
        ),
        (
            "charts.toml",
            'box_lines = ["RP {rp}"',
            'box_lines = ["RP {pr}"',
            "box_lines: no column 'pr'",
        ),
        (
            "charts.toml",
            'where = { layout = ["asset"] }',
            'where = { layot = ["asset"] }',
            "no field 'layot' of counters; did you mean 'layout'?",
        ),
        ("charts.toml", 'text = "{ma}"', 'text = "{mp}"', "no field 'mp' of counters"),
        ("charts.toml", 'name = "victory"', 'name = "Victory!"', "name: expected small letters"),
        ("charts.toml", 'name = "victory"', 'name = "turns"', "chart 'turns' stands twice"),
        ("charts.toml", 'name = "victory"', 'name = "defeat"', "no file charts/defeat.csv"),
        ("charts.toml", 'align = "center"', 'align = "middle"', "align"),
    ],
)
def test_mistakes_are_told_with_their_place(
    copy: Path, file: str, old: str, new: str, told: str
) -> None:
    path = copy / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    found = problems(copy)
    assert any(told in problem for problem in found), found
    assert all(problem.startswith(("charts.toml:", "charts/")) for problem in found)


def test_a_file_that_no_chart_uses_is_a_warning(copy: Path) -> None:
    (copy / "charts" / "turnz.csv").write_text("a\n1\n", "utf-8")
    assert problems(copy) == [
        "charts/turnz.csv: warning: no chart of charts.toml uses this file; did you mean 'turns'?"
    ]


def test_a_game_without_charts_has_none(copy: Path) -> None:
    (copy / "charts.toml").unlink()
    assert problems(copy) == []


def test_box_lines_without_a_figure_are_left_out() -> None:
    columns = (ChartColumn("t", "T"), ChartColumn("a", "A"), ChartColumn("b", "B"))
    row = ChartRow((ChartCell("3"), ChartCell("–"), ChartCell("**4**", True)))
    chart = Chart(
        "x", "X", "", columns, (row,), mark="†", box="Box{t}", box_lines=("A {a}", "B {b}", "fixed")
    )
    assert turn_box_notes((chart,)) == {"Box3": ("B 4†", "fixed")}

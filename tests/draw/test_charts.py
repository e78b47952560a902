from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from conftest import Golden
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from strategies_charts import charts

from builder.draw.charts import (
    ChartStyle,
    chart_scene,
    compact_chart_scene,
    read_chart_style,
    tone_of,
)
from builder.draw.fonts import face_metrics, text_box
from builder.draw.palette import ColorPalette, UnknownColorError, read_palette
from builder.draw.scene import Picture, Scene, Text, bounds, scene_text
from builder.draw.symbols import installed_symbols
from builder.draw.to_png import scene_to_image
from builder.gamebox.charts import Chart, ChartCell, ChartColumn, ChartRow
from builder.gamebox.open import read_game
from builder.gamebox.open_charts import open_charts
from builder.problems import ProblemLog

ROOT = Path(__file__).parents[2]
SYMBOLS = installed_symbols()


@cache
def palette() -> ColorPalette:
    log = ProblemLog()
    colors = read_palette(ROOT / "art" / "palette.toml", log)
    assert log.problems == []
    return colors


@cache
def style() -> ChartStyle:
    log = ProblemLog()
    found = read_chart_style(ROOT / "templates" / "pages" / "chart.toml", palette(), log)
    assert log.problems == []
    assert found is not None
    return found


@cache
def dropzone() -> dict[str, Chart]:
    game, _ = read_game(ROOT / "mapdata" / "dropzone")
    assert game is not None
    return {chart.name: chart for chart in open_charts(game, ProblemLog())}


def drawn(chart: Chart) -> Scene:
    log = ProblemLog()
    scene = chart_scene(chart, style(), palette(), SYMBOLS.paths, log)
    assert log.problems == []
    assert scene is not None
    return scene


def compact(chart: Chart, width: float, height: float) -> Scene:
    log = ProblemLog()
    scene = compact_chart_scene(
        chart, style(), palette(), SYMBOLS.paths, log, width_mm=width, height_mm=height
    )
    assert log.problems == []
    assert scene is not None
    return scene


SMALL = Chart(
    name="small",
    title="Fire",
    subtitle="Faces and hits",
    columns=(
        ChartColumn("face", "Face", is_head=True),
        ChartColumn("target", "Hits what", short="Hits"),
        ChartColumn("n", "Dice", align="center", is_figure=True),
        ChartColumn("note", "Remark", is_compact=False),
    ),
    rows=(
        ChartRow(
            (
                ChartCell("[:die_armor:] Armor"),
                ChartCell("all"),
                ChartCell("1", True),
                ChartCell(""),
            )
        ),
        ChartRow(
            (
                ChartCell(":star: Star"),
                ChartCell("**none** // ever"),
                ChartCell("−½"),
                ChartCell("x"),
            ),
            "Rare",
        ),
    ),
    notes=("A note.",),
    mark_note="a figure of our own",
)


# ----------------------------------------------------------------------------------------- golden


def test_a_small_chart_as_text(golden: Golden) -> None:
    golden.text("chart-small", scene_text(drawn(SMALL)))


def test_a_compact_chart_as_text(golden: Golden) -> None:
    golden.text("chart-compact", scene_text(compact(dropzone()["terrain"], 70, 60)))


def test_pictures_of_charts(golden: Golden) -> None:
    for name, chart in (("chart-small", SMALL), ("chart-hits", dropzone()["hits"])):
        scene = drawn(chart)
        image = scene_to_image(scene, 290 / max(scene.width, scene.height), symbols=SYMBOLS)
        golden.image(name, image)


# ------------------------------------------------------------------------------------------- laws


def letters(scene: Scene) -> Iterator[tuple[float, float, float, float]]:
    """Yield the boxes of every text, as high as its capitals."""
    for element in scene.elements:
        if isinstance(element, Text):
            left, _, right, _ = text_box(element)
            height = face_metrics(element.font).cap_height * element.size
            yield left, element.y - height, right, element.y
        elif isinstance(element, Picture):
            box = (element.x, element.y)
            yield (*box, element.x + element.width, element.y + element.height)


def overlaps(scene: Scene) -> list[object]:
    boxes = list(letters(scene))
    return [
        (a, b)
        for i, a in enumerate(boxes)
        for b in boxes[:i]
        if min(a[2], b[2]) - max(a[0], b[0]) > 0.02 and min(a[3], b[3]) - max(a[1], b[1]) > 0.02
    ]


@pytest.mark.parametrize(
    "name",
    [
        *("terrain", "hits", "dice", "turns", "victory", "sequence"),
        *("reinforcements", "random", "assets", "oob"),
    ],
)
def test_charts_of_drop_zone_stay_in_their_panel_and_nothing_overlaps(name: str) -> None:
    scene = drawn(dropzone()[name])
    assert scene.width <= 165.01
    for left, top, right, bottom in letters(scene):
        assert left >= style().margin - 0.01
        assert right <= scene.width - style().margin + 0.01
        assert top >= style().margin - 0.01
        assert bottom <= scene.height - style().margin + 0.01
    assert overlaps(scene) == []


@given(charts())
@settings(deadline=None, max_examples=60)
def test_any_chart_stays_in_its_panel(chart: Chart) -> None:
    log = ProblemLog()
    scene = chart_scene(chart, style(), palette(), SYMBOLS.paths, log)
    if scene is None:
        assert all("does not fit" in p.message or "wider" in p.message for p in log.problems)
        assert log.problems
        return
    left, top, right, bottom = bounds(scene.elements)
    assert left >= -0.01
    assert top >= -0.01
    assert right <= scene.width + 0.01
    assert bottom <= scene.height + 0.01
    assert overlaps(scene) == []


@given(charts(), st.floats(30, 120), st.floats(25, 120))
@settings(deadline=None, max_examples=40)
def test_a_compact_chart_is_as_large_as_its_panel_or_a_problem(
    chart: Chart, width: float, height: float
) -> None:
    log = ProblemLog()
    scene = compact_chart_scene(
        chart, style(), palette(), SYMBOLS.paths, log, width_mm=width, height_mm=height
    )
    assert (scene is None) == bool(log.problems)
    assume(scene is not None)
    assert scene is not None
    assert scene.width == pytest.approx(width)
    assert scene.height == pytest.approx(height)
    _, _, right, bottom = bounds(scene.elements)
    assert right <= width + 0.01
    assert bottom <= height + 0.01
    assert overlaps(scene) == []


def test_a_larger_panel_has_larger_type() -> None:
    sizes = [
        max(
            e.size
            for e in compact(dropzone()["terrain"], width, height).elements
            if isinstance(e, Text)
        )
        for width, height in ((60, 45), (80, 60), (110, 90))
    ]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_compact_charts_leave_out_long_columns_and_use_short_headings() -> None:
    texts = [e.text for e in compact(dropzone()["terrain"], 90, 70).elements if isinstance(e, Text)]
    assert "Att." in texts
    assert not any("Once" in text or "Attacker" in text for text in texts)
    assert not any(text == "Hexside" for text in texts)


# --------------------------------------------------------------------------------------- problems


def told(chart: Chart) -> list[str]:
    log = ProblemLog()
    assert chart_scene(chart, style(), palette(), SYMBOLS.paths, log) is None
    return [problem.message for problem in log.problems]


def with_cell(text: str) -> Chart:
    row = SMALL.rows[0]
    return replace(
        SMALL, rows=(replace(row, cells=(row.cells[0], ChartCell(text), *row.cells[2:])),)
    )


def test_a_word_that_fits_no_column_names_chart_row_and_column() -> None:
    (message,) = told(replace(with_cell("x" * 120), width=80))
    assert "chart small, column 'target', row 'Armor': 'xxx" in message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (":stra:", "unknown symbol 'stra'; did you mean 'star'?"),
        (":star|side.Alied:", "unknown color 'Alied' of 'side'; did you mean 'Allied'?"),
        (":chip|sid.Allied:", "unknown color group 'sid'"),
        ("snow \u2603", "the typeface has no '\u2603'"),
    ],
)
def test_what_cannot_be_drawn_is_told(text: str, words: str) -> None:
    (message,) = told(with_cell(text))
    assert words in message
    assert "chart small" in message


def test_a_panel_too_small_is_a_problem() -> None:
    log = ProblemLog()
    scene = compact_chart_scene(
        SMALL, style(), palette(), SYMBOLS.paths, log, width_mm=60, height_mm=4
    )
    assert scene is None
    assert [p.message for p in log.problems] == ["chart small: does not fit a panel of 60 x 4 mm"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('font = "black"', 'font = "blak"', "unknown font 'blak'; did you mean"),
        ("size = 6.6", "size = 0", "size: expected millimetres"),
        ('paper = "#fbf9f0"', 'paper = "text.papr"', "did you mean 'paper'?"),
        ("leading = 1.28", "leading = -1", "leading: expected a number above 0"),
        ("radius = 2.2", "radiuss = 2.2", "radius"),
    ],
)
def test_mistakes_of_a_style_are_told(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = (ROOT / "templates" / "pages" / "chart.toml").read_text("utf-8")
    assert old in text
    path = tmp_path / "chart.toml"
    path.write_text(text.replace(old, new, 1), "utf-8")
    log = ProblemLog()
    assert read_chart_style(path, palette(), log) is None
    assert any(words in p.message for p in log.problems), log.problems
    assert all(p.source.path == "pages/chart.toml" for p in log.problems)
    assert all(p.source.line >= 1 for p in log.problems)


def test_tones_are_legible_and_known() -> None:
    assert tone_of("#ffffff", palette()).ink == "#161513"
    assert tone_of("#000000", palette()).ink == "#ffffff"
    with pytest.raises(UnknownColorError):
        tone_of("side.Nobody", palette())

"""Charts as scenes: a panel with a title, a band of headings, banded rows, and notes under them.

Columns are measured and share the width as their texts need it; text wraps within its cell and
never leaves it: a word that does not fit is a Problem that names chart, row and column.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Final

from builder.draw.charts_style import ChartStyle, read_chart_style
from builder.draw.charts_table import TableSetting
from builder.draw.charts_text import Tone
from builder.draw.fonts import missing_glyphs
from builder.draw.palette import ColorPalette, UnknownColorError, is_color, legible_on, mixed
from builder.draw.scene import Scene
from builder.gamebox.charts import CHIP, Chart, Words, marks_of, parts_of, plain_text
from builder.problems import Problem, ProblemLog, Source, did_you_mean

__all__ = [
    "ChartStyle",
    "chart_problems",
    "chart_scene",
    "compact_chart_scene",
    "read_chart_style",
    "tone_of",
]

_LEAST: Final = 0.3
_MOST: Final = 1.6
"""A compact chart is set between these shares of the style's sizes."""
_EPS: Final = 1e-6


def chart_scene(
    chart: Chart,
    style: ChartStyle,
    palette: ColorPalette,
    symbols: Container[str],
    log: ProblemLog,
) -> Scene | None:
    """Return a chart as a panel as wide as it needs, up to its own or the style's width.

    Returns ``None`` after noting what cannot be drawn: unknown symbols and colors, missing glyphs,
    a word wider than its column can be.
    """
    problems = list(chart_problems(chart, style, palette, symbols))
    if not problems:
        setting = TableSetting(chart, style, _tones(chart, palette), is_compact=False)
        scene = setting.scene(chart.width or style.width, is_fixed=False)
        problems = setting.problems
        if not problems:
            return scene
    log.problems += problems
    return None


def compact_chart_scene(
    chart: Chart,
    style: ChartStyle,
    palette: ColorPalette,
    symbols: Container[str],
    log: ProblemLog,
    *,
    width_mm: float,
    height_mm: float,
) -> Scene | None:
    """Return a chart in a panel of that size exactly, its type as large as the panel allows.

    Columns that are not compact are left out, short headings stand above the others. ``None``
    after a Problem if it does not even fit at three tenths of the style's sizes.
    """
    log_before = len(log.problems)
    log.problems += chart_problems(chart, style, palette, symbols)
    if len(log.problems) > log_before:
        return None
    tones = _tones(chart, palette)
    style = style.compacted()

    def fits(share: float) -> bool:
        setting = TableSetting(chart, style.scaled(share), tones, is_compact=True)
        scene = setting.scene(width_mm, is_fixed=True)
        return not setting.problems and scene.height <= height_mm + _EPS

    if not fits(_LEAST):
        size = f"{width_mm:g} x {height_mm:g} mm"
        log.add(chart.source, f"chart {chart.name}: does not fit a panel of {size}")
        return None
    low, high = _LEAST, _MOST
    if fits(high):
        low = high
    # nine halvings leave less than a hundredth of a millimetre of type
    for _ in range(9):
        middle = (low + high) / 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    setting = TableSetting(chart, style.scaled(low), tones, is_compact=True)
    return setting.scene(width_mm, is_fixed=True, height=height_mm)


def tone_of(color: str, palette: ColorPalette) -> Tone:
    """Return the paint, ink and edge that go with a color; raises ``UnknownColorError``."""
    if is_color(color):
        return Tone(color.lower(), legible_on(color), mixed(color, "#000000", 0.35))
    paint = palette.paint(color)
    return Tone(palette.color(color), paint.ink, paint.dark)


def _tones(chart: Chart, palette: ColorPalette) -> dict[str, Tone]:
    return {
        mark.color: tone_of(mark.color, palette)
        for text, _ in _texts(chart)
        for mark in marks_of(text)
        if mark.color
    }


def chart_problems(
    chart: Chart, style: ChartStyle, palette: ColorPalette, symbols: Container[str]
) -> Iterator[Problem]:
    """Yield the symbols, colors and characters of a chart that do not exist."""
    fonts = {look.font for look in (style.type.cell, style.type.strong)}
    for text, source in _texts(chart):
        where = f"chart {chart.name}, {plain_text(text)!r}"
        for part in parts_of(text):
            if isinstance(part, Words):
                missing = "".join(
                    dict.fromkeys("".join(missing_glyphs(part.text, f) for f in fonts))
                )
                if missing.strip():
                    yield Problem(source, f"{where}: the typeface has no {missing!r}")
        for mark in marks_of(text):
            if mark.name != CHIP and mark.name not in symbols:
                known = symbols if isinstance(symbols, (dict, set, frozenset)) else ()
                yield Problem(
                    source, f"{where}: unknown symbol {mark.name!r}{did_you_mean(mark.name, known)}"
                )
            if mark.color:
                try:
                    tone_of(mark.color, palette)
                except UnknownColorError as error:
                    yield Problem(source, f"{where}: {error}")


def _texts(chart: Chart) -> Iterator[tuple[str, Source]]:
    """Yield every text of a chart with its place."""
    for text in (chart.title, chart.subtitle, *chart.notes, *chart.compact_notes, chart.mark_note):
        yield text, chart.source
    for column in chart.columns:
        yield column.label, chart.source
        yield column.short, chart.source
    for row in chart.rows:
        yield row.group, row.source
        for cell in row.cells:
            yield cell.text, cell.source

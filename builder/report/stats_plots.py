"""Plots of dice as SVG, drawn here: columns against expectation, the mean as rolls go on, means.

All are plain shapes with classes that the page's style colors, for light and dark. A text that
comes from a log is escaped by the markup library.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from builder.report.dice_report import bars_of, count_words, shown_name
from builder.report.dice_stats import Group, Tally
from builder.report.svg_shapes import HEIGHT, WIDTH, box, line, path, svg, text

__all__ = ["column_plot", "compared_means", "mean_plot"]

_LOW: Final = HEIGHT - 30.0
_POINTS: Final = 240
_SURE: Final = 1.96


def column_plot(tally: Tally, title: str) -> Markup:
    """Return columns of counts; behind each the range in which 95 of 100 fair ones would end."""
    bars = bars_of(tally)
    spans = [_span(expected, tally.count) for _, _, expected in bars]
    top = max(1.0, *(count for _, count, _ in bars), *(most for _, most in spans))
    left, right = 8.0, WIDTH - 8.0
    step = (right - left) / len(bars)
    is_narrow = len(bars) > 12
    letters = max(2, int(step / 6.5))
    parts = [line("axis", left, _LOW, right, _LOW)]
    for index, ((label, count, expected), span) in enumerate(zip(bars, spans, strict=True)):
        center = left + step * (index + 0.5)
        name = shown_name(label)
        words = f"{name}: {count}" + ("" if expected is None else f", expected {expected:.1f}")
        parts.append(Markup("<g><title>{}</title>").format(words))
        parts += _column(center, step, count, expected, span, top)
        if not is_narrow or index % 2 == 0:
            short = name if len(name) <= letters else name[: letters - 1] + "…"
            parts.append(text("label", center, _LOW + 19, short))
        parts.append(Markup("</g>"))
    return svg(parts, title)


def _column(
    center: float,
    step: float,
    count: int,
    expected: float | None,
    span: tuple[float, float],
    top: float,
) -> list[Markup]:
    """Return range, bar, line of expectation and figure of one face or total."""

    def y_of(value: float) -> float:
        return _LOW - (_LOW - 22.0) * value / top

    y, reach, width = y_of(count), step * 0.44, min(step * 0.68, 46.0)
    bar = box("bar", center - width / 2, y, width, _LOW - y)
    if expected is None:
        return [bar, text("count", center, y - 6, str(count))]
    least, most = y_of(span[0]), y_of(span[1])
    mark = y_of(expected)
    # a figure that the line of expectation would strike through stands above it
    foot = mark if y - 20 < mark < y + 1 else y
    return [
        box("range", center - reach, most, reach * 2, least - most),
        bar,
        line("expected", center - reach, mark, center + reach, mark),
        text("count", center, foot - 6, str(count)),
    ]


def _span(expected: float | None, total: int) -> tuple[float, float]:
    if expected is None or not total:
        return 0.0, 0.0
    sigma = math.sqrt(expected * max(0.0, 1 - expected / total))
    return max(0.0, expected - _SURE * sigma), expected + _SURE * sigma


def mean_plot(group: Group) -> Markup | None:
    """Return the mean of the rolls so far against the range of 95 in 100; ``None`` for a few."""
    average, values = group.average, group.values
    if average is None or average.expected is None or not average.error or len(values) < 12:
        return None
    count = len(values)
    sigma = average.error * math.sqrt(count)
    running = [total / n for n, total in enumerate(itertools.accumulate(values), 1)]
    first = min(5, count)
    reach = max(
        _SURE * sigma / math.sqrt(first) * 1.02,
        *(abs(mean - average.expected) for mean in running[first - 1 :]),
    )
    left, right, low, high = 40.0, WIDTH - 10.0, _LOW, 12.0

    def x_of(n: float) -> float:
        # the square root gives the early rolls room without hiding the late ones
        return left + (right - left) * (math.sqrt(n) - 1) / max(math.sqrt(count) - 1, 1e-9)

    def y_of(mean: float) -> float:
        share = (mean - average.expected + reach) / (2 * reach) if average.expected else 0.5
        return low - (low - high) * min(1.0, max(0.0, share))

    chosen = _chosen(count)
    upper = [(x_of(n), y_of(average.expected + _SURE * sigma / math.sqrt(n))) for n in chosen]
    lower = [(x_of(n), y_of(average.expected - _SURE * sigma / math.sqrt(n))) for n in chosen]
    parts = [
        path("range", [*upper, *reversed(lower)], is_closed=True),
        line("expected", left, y_of(average.expected), right, y_of(average.expected)),
        path("mean", [(x_of(n), y_of(running[n - 1])) for n in chosen]),
        line("axis", left, low, right, low),
    ]
    for value in (average.expected - reach, average.expected, average.expected + reach):
        parts.append(text("label end", left - 6, y_of(value) + 4, f"{value:.2f}"))
    for n in _ticks(count):
        parts.append(line("axis", x_of(n), low, x_of(n), low + 4))
        parts.append(text("label", min(x_of(n), right - 8), low + 19, str(n)))
    parts.append(
        Markup('<circle class="dot" cx="{:.1f}" cy="{:.1f}" r="3.5"/>').format(
            x_of(count), y_of(running[-1])
        )
    )
    words = f"Mean after each of {count_words(count, 'result')}: {running[-1]:.2f} at the end, "
    return svg(parts, words + f"expected {average.expected:.2f}")


def _chosen(count: int) -> list[int]:
    """Return numbers from 1 to ``count``, evenly spread on the axis of square roots."""
    top = math.sqrt(count)
    spread = {round((1 + (top - 1) * i / (_POINTS - 1)) ** 2) for i in range(_POINTS)}
    return sorted({min(max(n, 1), count) for n in spread})


def _ticks(count: int) -> list[int]:
    steps = (1, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 50_000, 100_000, 500_000)
    ticks = [n for n in steps if n <= count * 0.8]
    while len(ticks) > 5:
        ticks = ticks[:1] + ticks[2:]
    return [*ticks, count]


def compared_means(groups: Sequence[Group], names: Sequence[str]) -> Markup | None:
    """Return one row for each group: how far its mean lies from expectation, in standard errors.

    So rolls of different dice stand on one scale. ``None`` unless two groups have an expectation.
    """
    rows = [
        (name, group.average)
        for name, group in zip(names, groups, strict=True)
        if group.average is not None and group.average.off_by is not None
    ]
    if len(rows) < 2:
        return None
    reach = max(3.0, *(abs(average.off_by or 0) + 0.4 for _, average in rows))
    left, right, step = 150.0, 620.0, 30.0
    height = 26 + step * len(rows) + 26

    def x_of(off: float) -> float:
        return left + (right - left) * (off + reach) / (2 * reach)

    bottom = 14 + step * len(rows)
    parts = [
        box("range", x_of(-_SURE), 10, x_of(_SURE) - x_of(-_SURE), bottom - 6),
        line("expected", x_of(0), 10, x_of(0), bottom + 4),
    ]
    for index, (name, average) in enumerate(rows):
        y = 14 + step * (index + 0.5)
        off = average.off_by or 0.0
        short = name if len(name) <= 20 else name[:19] + "…"
        parts.append(text("label end name", left - 14, y + 4, short))
        parts.append(line("stem", x_of(0), y, x_of(off), y))
        words = f"{name}: mean {average.mean:.2f}, expected {average.expected:.2f}"
        parts.append(
            Markup(
                '<g><title>{}</title><circle class="dot" cx="{:.1f}" cy="{:.1f}" r="5.5"/></g>'
            ).format(words, x_of(off), y)
        )
        parts.append(text("count start", right + 12, y + 4, f"{average.mean:.2f}"))
    for tick in range(-int(reach), int(reach) + 1):
        shown = "0" if tick == 0 else f"{tick:+d}".replace("-", "−")
        parts.append(text("label", x_of(tick), bottom + 20, shown))
    return svg(parts, "Means against expectation, in standard errors", 680, height)

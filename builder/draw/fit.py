"""Text that fits its box: shrunk to a stated minimum, then wrapped, else an error.

A line counts with its advance width and with the height of its capitals; accents of capitals and
descenders stand outside, as they do in print.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from builder.draw.fonts import face_metrics, text_width

__all__ = ["Fitted", "fit_text"]

_BREAK: Final = re.compile(r" +|(?<=[-–—/])(?=\S)")
"""A line may end at a space, which vanishes, and behind a dash or a slash."""
_SLACK: Final = 1e-9
_WORTH_A_LINE: Final = 0.85


@dataclass(frozen=True, slots=True)
class Fitted:
    """Lines of one size, and the heights of their baselines below the top of the first capitals."""

    lines: tuple[str, ...]
    size: float
    baselines: tuple[float, ...]

    @property
    def height(self) -> float:
        """From the top of the first line's capitals to the last baseline."""
        return self.baselines[-1]


def fit_text(
    text: str,
    font: str,
    width: float,
    height: float,
    size: float,
    *,
    min_size: float | None = None,
    max_lines: int = 1,
    leading: float = 1.0,
    spacing: float = 0.0,
) -> Fitted | None:
    """Return a text set in a box of ``width`` by ``height``, or ``None`` if it does not fit.

    The text is as large as it can be, from ``size`` down to ``min_size``, on up to ``max_lines``
    lines, broken where the longest line is shortest; a line more has to make it clearly larger.
    All lengths share one unit; ``leading`` is the distance of baselines as a share of the size,
    ``spacing`` the extra space between letters at full ``size``, which shrinks with it.
    """
    least = size if min_size is None else min_size
    cap = face_metrics(font).cap_height
    ratio = spacing / size
    choices: list[tuple[float, tuple[str, ...]]] = []
    for lines in _settings(text, font, max_lines, ratio):
        widest = max(text_width(line, font, 1.0, ratio) for line in lines)
        room = height / (cap + leading * (len(lines) - 1))
        if widest > 0:
            room = min(room, width / widest)
        if room >= least - _SLACK:
            choices.append((min(size, room), lines))
    if not choices:
        return None
    largest = max(choice[0] for choice in choices)
    fitted, lines = next(c for c in choices if c[0] >= _WORTH_A_LINE * largest)
    return Fitted(lines, fitted, tuple(fitted * (cap + leading * i) for i in range(len(lines))))


def _settings(text: str, font: str, most: int, spacing: float) -> Iterator[tuple[str, ...]]:
    yield (text,)
    starts = [(match.start(), match.end()) for match in _BREAK.finditer(text)]
    parts: list[str] = []
    glue: list[str] = []
    at = 0
    for end, start in starts:
        parts.append(text[at:end])
        glue.append(text[end:start])
        at = start
    parts.append(text[at:])
    for count in range(2, min(most, len(parts)) + 1):
        yield tuple(_balanced(parts, glue, font, count, spacing))


def _balanced(
    parts: list[str], glue: list[str], font: str, count: int, spacing: float
) -> list[str]:
    """Break parts into ``count`` lines so that the longest one is as short as can be."""

    def line(first: int, end: int) -> str:
        joined = parts[first]
        for index in range(first + 1, end):
            joined += glue[index - 1] + parts[index]
        return joined

    # best[k][i]: the least width of the widest of k lines that hold the parts from i on
    total = len(parts)
    best: list[dict[int, tuple[float, int]]] = [{total: (0.0, total)}]
    for lines_left in range(1, count + 1):
        row: dict[int, tuple[float, int]] = {}
        for first in range(total - lines_left + 1):
            choices = [
                (max(text_width(line(first, end), font, 1.0, spacing), best[-1][end][0]), end)
                for end in range(first + 1, total + 1)
                if end in best[-1]
            ]
            if choices:
                row[first] = min(choices)
        best.append(row)
    lines: list[str] = []
    at = 0
    for lines_left in range(count, 0, -1):
        end = best[lines_left][at][1]
        lines.append(line(at, end))
        at = end
    return lines

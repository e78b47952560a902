"""The text of a cell set in lines: words, symbols and tiles that break where a reader would."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from builder.draw.fonts import face_metrics, text_width
from builder.draw.scene import (
    Anchor,
    Element,
    Fill,
    Picture,
    Point,
    Stroke,
    Text,
    rounded_rectangle,
)
from builder.gamebox.charts import CHIP, Break, Mark, Words, parts_of

__all__ = [
    "Atom",
    "Line",
    "TextLook",
    "Tone",
    "Word",
    "least_width",
    "line_elements",
    "line_height",
    "line_width",
    "two_line_width",
    "words_of",
    "wrapped",
]

_BREAK: Final = re.compile(r"(?<=[^\W\d_][-/])(?=[^\W\d_])")
"""A word may end behind a hyphen or slash between letters."""
_CHIP: Final = 0.86
_BEHIND_MARK: Final = 0.34
"""Room behind a symbol, as a share of the size: more than a space, which looks cramped there."""
_EPS: Final = 1e-6


@dataclass(frozen=True, slots=True)
class TextLook:
    """How a text is set; ``mark`` is the color of the asterisk, shares as in the chart's style."""

    font: str
    strong: str
    size: float
    color: str
    mark: str
    leading: float
    tile: float
    symbol: float
    tile_color: str
    tile_edge: str


@dataclass(frozen=True, slots=True)
class Atom:
    """What is never broken: letters of one face, or a symbol (``mark``) of a width and height."""

    text: str
    font: str
    width: float
    height: float
    color: str
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Tone:
    """A color of a symbol, what is legible on it, and its edge, all ``#rrggbb``."""

    paint: str
    ink: str
    edge: str


Word: TypeAlias = tuple[Atom, ...]
Line: TypeAlias = tuple[Word, ...]


def words_of(text: str, look: TextLook, footmark: str = "") -> tuple[Line, ...]:
    """Return the words of a cell, as one long line for each of its forced lines.

    ``footmark`` is set behind the last word and never parted from it.
    """
    lines: list[list[list[Atom]]] = [[]]
    is_open = False
    for part in parts_of(text):
        match part:
            case Break():
                lines.append([])
                is_open = False
            case Mark():
                if not is_open:
                    lines[-1].append([])
                lines[-1][-1].append(_symbol(part, look))
                is_open = True
            case Words():
                font = look.strong if part.is_strong else look.font
                for piece in re.findall(r"[ \t\r\n]+|[^ \t\r\n]+", part.text):
                    if piece.isspace():
                        is_open = False
                        continue
                    for number, syllable in enumerate(_BREAK.split(piece)):
                        if number or not is_open:
                            lines[-1].append([])
                        width = text_width(syllable, font, look.size)
                        lines[-1][-1].append(Atom(syllable, font, width, 0.0, look.color))
                        is_open = True
    if footmark:
        if not lines[-1]:
            lines[-1].append([])
        width = text_width(footmark, look.strong, look.size)
        lines[-1][-1].append(Atom(footmark, look.strong, width, 0.0, look.mark))
    return tuple(_joined(line) for line in lines)


def _joined(line: Iterable[Iterable[Atom]]) -> Line:
    return tuple(tuple(word) for word in line)


def _symbol(mark: Mark, look: TextLook) -> Atom:
    if mark.name == CHIP:
        side = look.size * _CHIP
        return Atom("", "", side, side, look.color, mark)
    height = look.size * (look.tile if mark.is_tile else look.symbol)
    return Atom("", "", height, height, look.color, mark)


def _space(previous: Word, look: TextLook) -> float:
    """Return the room between a word and the next: none behind a hyphen that was a break."""
    last = previous[-1]
    if last.mark is not None:
        return look.size * _BEHIND_MARK
    if last.mark is None and last.text[-1:] in "-/" and last.text[-2:-1].isalpha():
        return 0.0
    return text_width(" ", look.font, look.size)


def _width(line: Sequence[Word], look: TextLook) -> float:
    own = sum(atom.width for word in line for atom in word)
    return own + sum(_space(word, look) for word in line[:-1])


def wrapped(lines: Iterable[Line], width: float, look: TextLook, *, even: bool) -> tuple[Line, ...]:
    """Break lines so that none is wider than ``width``, a single long word apart.

    With ``even`` the lines of a text are made about equally long, as for a centered heading.
    """
    found: list[Line] = []
    for line in lines:
        broken = _greedy(line, width, look)
        if even and len(broken) > 1:
            low, high = max(_width((word,), look) for word in line), width
            while high - low > look.size / 20:
                middle = (low + high) / 2
                trial = _greedy(line, middle, look)
                low, high = (low, middle) if len(trial) == len(broken) else (middle, high)
            broken = _greedy(line, high, look)
        found += broken
    return tuple(found)


def _greedy(line: Line, width: float, look: TextLook) -> list[Line]:
    done: list[Line] = []
    current: list[Word] = []
    used = 0.0
    for word in line:
        own = sum(atom.width for atom in word)
        room = used + _space(current[-1], look) if current else 0.0
        if current and room + own > width + _EPS:
            done.append(tuple(current))
            current, room = [], 0.0
        current.append(word)
        used = room + own
    return [*done, tuple(current)]


def line_width(line: Line, look: TextLook) -> float:
    """Return the width of a line in millimetres."""
    return _width(line, look)


def least_width(lines: Iterable[Line], look: TextLook) -> tuple[float, str]:
    """Return the width of the widest word, and its text: less room than that cannot hold it."""
    words = [word for line in lines for word in line]
    if not words:
        return 0.0, ""
    widest = max(words, key=lambda word: sum(atom.width for atom in word))
    text = "".join(f":{atom.mark.name}:" if atom.mark else atom.text for atom in widest)
    return sum(atom.width for atom in widest), text


def two_line_width(lines: Iterable[Line], look: TextLook) -> float:
    """Return the least width at which no line needs more than two."""
    return max(
        (
            min(
                max(_width(line[:end], look), _width(line[end:], look))
                for end in range(1, len(line) + 1)
            )
            for line in lines
            if line
        ),
        default=0.0,
    )


def line_height(line: Line, look: TextLook) -> float:
    """Return the distance that a line takes: that of its type, or of its tallest tile."""
    tallest = max((atom.height for word in line for atom in word), default=0.0)
    return max(look.size * look.leading, tallest * 1.08)


def line_elements(
    line: Line, look: TextLook, at: Point, anchor: Anchor, tones: Mapping[str, Tone]
) -> Iterator[Element]:
    """Yield a line as elements: its ``anchor`` and the middle of its capitals lie at a point.

    ``tones`` are the colors that symbols name. In a centered line the asterisk hangs beyond the
    figure, so that figures stand in a column.
    """
    width = _width(line, look)
    if anchor == "middle" and line and line[-1][-1].color == look.mark:
        width -= line[-1][-1].width
    x = at[0] - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
    baseline = at[1] + face_metrics(look.font).cap_height * look.size / 2
    run: list[Atom] = []
    begin = x
    for number, word in enumerate(line):
        for atom in word:
            if run and (atom.mark or (atom.font, atom.color) != (run[-1].font, run[-1].color)):
                yield _text(run, begin, baseline, look)
                run = []
            if atom.mark is not None:
                yield from _mark_elements(atom, atom.mark, x, at[1], look, tones)
            else:
                begin = begin if run else x
                run.append(atom)
            x += atom.width
        gap = _space(word, look) if number + 1 < len(line) else 0.0
        x += gap
        if gap and run and run[-1].font == look.font:
            run.append(Atom(" ", look.font, gap, 0.0, run[-1].color))
        elif gap and run:
            # the gap is a space of the regular face, so another face begins anew behind it
            yield _text(run, begin, baseline, look)
            run = []
    if run:
        yield _text(run, begin, baseline, look)


def _text(run: Sequence[Atom], x: float, baseline: float, look: TextLook) -> Text:
    text = "".join(atom.text for atom in run).rstrip()
    return Text(x, baseline, text, look.size, run[0].color, run[0].font, "start")


def _mark_elements(
    atom: Atom, mark: Mark, x: float, middle: float, look: TextLook, tones: Mapping[str, Tone]
) -> Iterator[Element]:
    tone = tones.get(mark.color)
    side = atom.height
    top = middle - side / 2
    if mark.name == CHIP:
        tone = tone or Tone(atom.color, atom.color, atom.color)
        box = rounded_rectangle(x, top, side, side, side / 5, 4)
        yield Fill((box,), tone.paint)
        yield Stroke((box,), tone.edge, look.size / 22, closed=True)
        return
    ink, inset = (tone.paint if tone else atom.color), 0.0
    if mark.is_tile:
        tone = tone or Tone(look.tile_color, atom.color, look.tile_edge)
        ink, inset = tone.ink, side * 0.17
        box = rounded_rectangle(x, top, side, side, side / 5, 5)
        yield Fill((box,), tone.paint)
        yield Stroke((box,), tone.edge, look.size / 16, closed=True)
    inner = side - 2 * inset
    colors = (("currentColor", ink),)
    yield Picture(mark.name, x + inset, top + inset, inner, inner, colors=colors)

"""Charts and rule summaries as values: tables that are printed, looked up and linked to.

A cell is text with a tiny markup, the same on paper and in a browser:

- ``:name:`` is a symbol of ``art/symbols``, ``:name|color:`` the same in a color of the palette;
- ``[:name:]`` and ``[:name|color:]`` show it on a small tile, like a face of a die;
- ``:chip|color:`` is a small square of a color;
- ``**words**`` are bold, ``//`` between blanks begins a new line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, Literal, TypeAlias

from builder.problems import Source

__all__ = [
    "CHIP",
    "Align",
    "Break",
    "Chart",
    "ChartCell",
    "ChartColumn",
    "ChartRow",
    "Mark",
    "Part",
    "RuleRow",
    "RuleStatus",
    "Words",
    "marks_of",
    "parts_of",
    "plain_text",
    "turn_box_notes",
]

Align = Literal["left", "center", "right"]
RuleStatus = Literal["enforced", "data", "note"]

CHIP: Final = "chip"
"""The name of the mark that is a square of color and no symbol."""
_COLOR: Final = r"#[0-9a-fA-F]{6}|[^:.|\s\[\]]+[.:][^:|\s\[\]]+"
_MARKUP: Final = re.compile(
    rf"(?P<tile>\[)?:(?P<name>[a-z][a-z0-9_]*)(?:\|(?P<color>{_COLOR}))?:(?(tile)\])"
    r"|\*\*(?P<strong>[^*]+)\*\*"
    r"|(?:^|\s+)//(?P<line>\s+|$)"
)
_FIGURE: Final = re.compile(r"([+-]?)(\d+)?(½)?")


@dataclass(frozen=True, slots=True)
class Words:
    """A run of text within a cell."""

    text: str
    is_strong: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A symbol within a cell, perhaps recolored, perhaps on a tile.

    ``color`` is empty, ``#rrggbb`` or a name of the palette such as ``side.Allied``.
    """

    name: str
    color: str = ""
    is_tile: bool = False


@dataclass(frozen=True, slots=True)
class Break:
    """A new line within a cell."""


Part: TypeAlias = Words | Mark | Break


@dataclass(frozen=True, slots=True)
class ChartColumn:
    """A column: what heads it, and how its cells stand.

    ``short`` heads it where there is little room; ``is_figure``: its cells hold figures, which
    are marked if they are not from the rulebook; ``is_head``: its cells name their rows;
    ``is_compact``: it is shown where there is little room.
    """

    name: str
    label: str
    short: str = ""
    align: Align = "left"
    is_figure: bool = False
    is_head: bool = False
    is_compact: bool = True


@dataclass(frozen=True, slots=True)
class ChartCell:
    """A cell's text in markup; ``is_marked`` if it is a figure of our own."""

    text: str
    is_marked: bool = False
    source: Source = field(default=Source(""), compare=False)

    @property
    def figure(self) -> Fraction | None:
        """The cell as a number, halves and signs included, or ``None`` if it is none.

        >>> ChartCell("1½").figure, ChartCell("−1").figure, ChartCell("none").figure
        (Fraction(3, 2), Fraction(-1, 1), None)
        """
        match = _FIGURE.fullmatch(self.text.strip().replace("−", "-"))
        if match is None or not (match[2] or match[3]):
            return None
        number = Fraction(int(match[2] or 0)) + (Fraction(1, 2) if match[3] else 0)
        return -number if match[1] == "-" else number


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A row: one cell for each column; ``group`` is the heading that it stands under."""

    cells: tuple[ChartCell, ...]
    group: str = ""
    source: Source = field(default=Source(""), compare=False)


@dataclass(frozen=True, slots=True)
class Chart:
    """A table that players read: on a page, in a window of the module, on the map's edge.

    ``notes`` stand under it, ``compact_notes`` where there is little room, where
    the headings between rows may be left out; ``mark_note`` explains
    the marked figures. ``box_lines`` are the templates of lines that are printed in boxes of the
    map, ``box`` that of the boxes' names; ``{column}`` stands for a row's own cell.
    ``width`` is its greatest width in millimetres, 0 for the style's. ``is_of_counters``: its rows
    are made of the counters and not typed.
    """

    name: str
    title: str
    subtitle: str
    columns: tuple[ChartColumn, ...]
    rows: tuple[ChartRow, ...]
    notes: tuple[str, ...] = ()
    compact_notes: tuple[str, ...] = ()
    has_compact_groups: bool = True
    mark: str = "*"
    mark_note: str = ""
    box: str = ""
    box_lines: tuple[str, ...] = ()
    width: float = 0.0
    is_of_counters: bool = False
    source: Source = field(default=Source(""), compare=False)

    @property
    def has_marks(self) -> bool:
        """Whether any figure is our own."""
        return any(cell.is_marked for row in self.rows for cell in row.cells)

    def column(self, name: str) -> int:
        """Return the index of a column; ``KeyError`` if there is none of that name."""
        for index, column in enumerate(self.columns):
            if column.name == name:
                return index
        raise KeyError(name)

    def row(self, head: str) -> Mapping[str, ChartCell]:
        """Return column name to cell of the row whose first cell reads ``head``; else ``KeyError``.

        Markup does not count: a row headed ``**1**`` is found as ``1``.
        """
        for row in self.rows:
            if row.cells and plain_text(row.cells[0].text) == head:
                return {c.name: cell for c, cell in zip(self.columns, row.cells, strict=True)}
        raise KeyError(head)


@dataclass(frozen=True, slots=True)
class RuleRow:
    """What the rulebook says in one place, in our own words.

    ``section`` is the number as the rulebook cites it; ``severity`` is ``E`` (a breach is an
    error), ``W`` (a warning), ``E/W`` (an error, but a warning if it rests on a figure of our own
    or on an inferred border) or ``N`` (nothing to breach); ``decidable`` lists what decides it:
    positions ``P``, dice ``D``, annotation ``A``, map or data ``M``, hidden knowledge ``H``,
    nothing in a log ``X``. ``same_as`` is the id of the row that says the same thing and is the
    one that is judged.
    """

    id: str
    section: str
    title: str
    text: str
    severity: str
    decidable: tuple[str, ...]
    status: RuleStatus
    same_as: str = ""
    source: Source = field(default=Source(""), compare=False)


def parts_of(text: str) -> tuple[Part, ...]:
    """Return a cell's markup as parts; what is no markup is text.

    >>> parts_of("hit :die_armor: or [:die_ffi|side.Allied:]")[1:]
    ... # doctest: +NORMALIZE_WHITESPACE
    (Mark(name='die_armor', color='', is_tile=False), Words(text=' or ', is_strong=False),
     Mark(name='die_ffi', color='side.Allied', is_tile=True))
    >>> parts_of("**one** // two")
    (Words(text='one', is_strong=True), Break(), Words(text='two', is_strong=False))
    """
    return tuple(_parts(text))


def _parts(text: str) -> Iterator[Part]:
    at = 0
    for match in _MARKUP.finditer(text):
        if match.start() > at:
            yield Words(text[at : match.start()])
        if match["strong"]:
            yield Words(match["strong"], True)
        elif match["name"]:
            yield Mark(match["name"], match["color"] or "", bool(match["tile"]))
        else:
            yield Break()
        at = match.end()
    if at < len(text):
        yield Words(text[at:])


def marks_of(text: str) -> tuple[Mark, ...]:
    """Return the symbols that a cell shows, in order."""
    return tuple(part for part in parts_of(text) if isinstance(part, Mark))


def plain_text(text: str) -> str:
    """Return a cell's words without symbols and emphasis.

    >>> plain_text("[:die_armor:] **Armor** // oval")
    'Armor oval'
    """
    words = [p.text if isinstance(p, Words) else " " for p in parts_of(text)]
    return " ".join("".join(words).split())


def turn_box_notes(charts: tuple[Chart, ...]) -> dict[str, tuple[str, ...]]:
    """Return box name to the short lines that are printed in it, from every chart that has some.

    A line with an empty figure is left out; one with a figure of our own ends with the mark.
    """
    notes: dict[str, tuple[str, ...]] = {}
    for chart in charts:
        if not chart.box:
            continue
        for row in chart.rows:
            cells = {c.name: cell for c, cell in zip(chart.columns, row.cells, strict=True)}
            lines: list[str] = []
            for template in chart.box_lines:
                used = [cells[name] for name in re.findall(r"\{(\w+)\}", template)]
                if all(plain_text(cell.text) not in {"", "–"} for cell in used):
                    line = _filled(template, cells)
                    lines.append(line + chart.mark if any(c.is_marked for c in used) else line)
            name = _filled(chart.box, cells)
            notes[name] = (*notes.get(name, ()), *lines)
    return notes


def _filled(template: str, cells: Mapping[str, ChartCell]) -> str:
    return re.sub(r"\{(\w+)\}", lambda m: plain_text(cells[m[1]].text), template)

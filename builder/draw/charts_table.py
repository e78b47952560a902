"""The setting of a chart: widths of columns, heights of rows, and then every element."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from builder.draw.charts_style import ChartStyle, TypeLook
from builder.draw.charts_text import (
    Line,
    TextLook,
    Tone,
    least_width,
    line_elements,
    line_height,
    line_width,
    two_line_width,
    words_of,
    wrapped,
)
from builder.draw.scene import (
    Anchor,
    Element,
    Fill,
    Point,
    Scene,
    Stroke,
    rectangle,
    rounded_rectangle,
)
from builder.gamebox.charts import Chart, ChartColumn, plain_text
from builder.problems import Problem, Source

__all__ = ["TableSetting"]

_ANCHORS: Mapping[str, Anchor] = {"left": "start", "center": "middle", "right": "end"}
_AIRY = 0.8
"""Rows grow by this share of their height at most, to fill a panel."""
_HAIR = 0.18
_BETWEEN_NOTES = 0.3


@dataclass(frozen=True, slots=True)
class _Row:
    """A measured row: its lines by column, how high it is, and how it is painted."""

    cells: tuple[tuple[Line, ...], ...]
    looks: tuple[TextLook, ...]
    height: float
    band: str = ""
    is_whole: bool = False
    is_rule: bool = False


class TableSetting:
    """One chart set in one style; ``problems`` holds what does not fit, found by :meth:`scene`."""

    def __init__(
        self, chart: Chart, style: ChartStyle, tones: Mapping[str, Tone], *, is_compact: bool
    ) -> None:
        """Measure every word of the chart."""
        self.chart = chart
        self.style = style
        self.tones = tones
        self.is_compact = is_compact
        self.problems: list[Problem] = []
        self.indexes = [i for i, c in enumerate(chart.columns) if c.is_compact or not is_compact]
        self.columns = [chart.columns[i] for i in self.indexes]
        color, kind = style.color, style.type
        self.cell = self._look(kind.cell, color.ink)
        self.head_cell = self._look(kind.strong, color.ink)
        self.head = self._look(kind.head, color.head_ink)
        self.group = self._look(kind.group, color.group_ink)
        self.headings = [
            words_of(c.short if is_compact else c.label, self.head) for c in self.columns
        ]
        self.body = [
            [
                words_of(
                    row.cells[i].text,
                    self._of(chart.columns[i]),
                    chart.mark if row.cells[i].is_marked else "",
                )
                for i in self.indexes
            ]
            for row in chart.rows
        ]

    def _look(self, kind: TypeLook, color: str) -> TextLook:
        space = self.style.space
        return TextLook(
            font=kind.font,
            strong=self.style.type.strong.font,
            size=kind.size,
            color=color,
            mark=self.style.color.mark,
            leading=space.leading,
            tile=space.tile,
            symbol=space.symbol,
            tile_color=self.style.color.tile,
            tile_edge=self.style.color.tile_edge,
        )

    def _of(self, column: ChartColumn) -> TextLook:
        return self.head_cell if column.is_head else self.cell

    # ------------------------------------------------------------------------------------- widths

    def natural_width(self) -> float:
        """Return the width at which no cell needs a second line, without the margins."""
        return sum(self._naturals()) + 2 * self._pad() * len(self.columns)

    def _pad(self) -> float:
        return self.style.space.column / 2

    def _naturals(self) -> list[float]:
        widths = []
        for number, column in enumerate(self.columns):
            look = self._of(column)
            own = [line_width(line, look) for row in self.body for line in row[number]]
            head = two_line_width(self.headings[number], self.head)
            widths.append(max([head, self._least(number)[0], *own]))
        return widths

    def _least(self, number: int) -> tuple[float, str, Source]:
        """Return the widest word of a column: its width, the word and where it stands."""
        look = self._of(self.columns[number])
        width, word = least_width(self.headings[number], self.head)
        found = (width, f"heading: {word!r}", self.chart.source)
        for row, source_row in zip(self.body, self.chart.rows, strict=True):
            width, word = least_width(row[number], look)
            if width > found[0]:
                head = plain_text(source_row.cells[0].text)
                source = source_row.cells[self.indexes[number]].source
                found = (width, f"row {head!r}: {word!r}", source)
        return found

    def widths(self, available: float) -> list[float]:
        """Return the columns' widths with their padding; notes a Problem if words are too wide."""
        pad = 2 * self._pad()
        naturals = [w + pad for w in self._naturals()]
        leasts = [self._least(n)[0] + pad for n in range(len(self.columns))]
        if sum(leasts) > available + 1e-6:
            number = max(range(len(leasts)), key=leasts.__getitem__)
            _, where, source = self._least(number)
            name = self.columns[number].name
            self.problems.append(
                Problem(
                    source,
                    f"chart {self.chart.name}, column {name!r}, {where} does not fit: "
                    f"the columns need {sum(leasts):.1f} mm and have {available:.1f}",
                )
            )
            return leasts
        spare = available - sum(naturals)
        if spare >= 0:
            texts = [n for n, c in enumerate(self.columns) if c.align == "left"]
            takers = texts[-1:] or list(range(len(naturals)))
            if self.is_compact:
                takers = list(range(len(naturals)))
            return [w + (spare / len(takers) if n in takers else 0) for n, w in enumerate(naturals)]
        # narrow columns keep their width as long as wide ones can give: the widest gives first
        widths = list(naturals)
        excess = sum(widths) - available
        while excess > 1e-6:
            givers = [n for n in range(len(widths)) if widths[n] > leasts[n] + 1e-9]
            top = max(widths[n] for n in givers)
            top_givers = [n for n in givers if widths[n] > top - 1e-9]
            below = [widths[n] for n in givers if widths[n] <= top - 1e-9]
            floor = max([*below, *(leasts[n] for n in top_givers)])
            step = min(top - floor, excess / len(top_givers))
            for n in top_givers:
                widths[n] -= step
            excess -= step * len(top_givers)
        return widths

    # -------------------------------------------------------------------------------------- scene

    def scene(self, most: float, *, is_fixed: bool, height: float | None = None) -> Scene:
        """Return the chart on a panel at most ``most`` mm wide, or just that if ``is_fixed``.

        With ``height`` the rows grow to fill it.
        """
        style = self.style
        inner = most - 2 * style.margin
        if not is_fixed:
            inner = min(inner, max(self.natural_width(), self._least_panel()))
        widths = self.widths(inner)
        top = self._top(inner)
        rows = [self._headings(widths), *self._rows(widths, inner)]
        notes = self._notes(inner)
        gap = style.type.note.size * 0.7
        own = sum(row.height for row in rows)
        head = _height(top) + style.type.note.size * 0.5
        total = 2 * style.margin + head + own + (gap + _height(notes) if notes else 0)
        grow = 1.0
        if height is not None and own:
            grow = min(1 + _AIRY, (own + max(0.0, height - total)) / own)
        full = (inner + 2 * style.margin, height if height is not None else total)
        elements = [*self._panel(*full)]
        y = style.margin
        elements += self._texts(top, style.margin, y)
        y += head
        start = y
        for row in rows:
            elements += self._row(row, widths, inner, y, row.height * grow)
            y += row.height * grow
        elements.append(
            Stroke(
                (rectangle(style.margin, start, inner, y - start),),
                style.color.edge,
                _HAIR * 1.4,
                closed=True,
                join="miter",
            )
        )
        if notes:
            elements += self._texts(notes, style.margin, y + gap)
        return Scene(*full, tuple(elements))

    def _least_panel(self) -> float:
        """Return the width that the title needs to stand in one line, and notes to be readable."""
        title = self._look(self.style.type.title, self.style.color.title)
        subtitle = self._look(self.style.type.subtitle, self.style.color.quiet)
        lines = [
            *((line, title) for line in words_of(self.chart.title, title)),
            *((line, subtitle) for line in words_of(self.chart.subtitle, subtitle)),
        ]
        return max(line_width(line, look) for line, look in lines)

    def _panel(self, width: float, height: float) -> Iterator[Element]:
        style = self.style
        edge = _HAIR * 2
        panel = rounded_rectangle(edge / 2, edge / 2, width - edge, height - edge, style.radius, 6)
        yield Fill((panel,), style.color.paper)
        yield Stroke((panel,), style.color.edge, edge, closed=True)

    def _texts_of(self, text: str, look: TextLook, inner: float) -> list[tuple[Line, TextLook]]:
        words = words_of(text, look)
        width, word = least_width(words, look)
        if width > inner:
            message = f"chart {self.chart.name}: {word!r} is wider than its panel"
            self.problems.append(Problem(self.chart.source, message))
        return [(line, look) for line in wrapped(words, inner, look, even=False)]

    def _top(self, inner: float) -> list[tuple[Line, TextLook]]:
        style = self.style
        title = self._look(style.type.title, style.color.title)
        lines = self._texts_of(self.chart.title, title, inner)
        if self.chart.subtitle and not self.is_compact:
            look = self._look(style.type.subtitle, style.color.quiet)
            lines += self._texts_of(self.chart.subtitle, look, inner)
        return lines

    def _notes(self, inner: float) -> list[tuple[Line, TextLook]]:
        style, chart = self.style, self.chart
        look = self._look(style.type.note, style.color.quiet)
        between: tuple[Line, TextLook] = ((), replace(look, size=look.size * _BETWEEN_NOTES))
        lines: list[tuple[Line, TextLook]] = []
        for note in chart.compact_notes if self.is_compact else chart.notes:
            lines += [between] if lines else []
            lines += self._texts_of(note, look, inner)
        if chart.has_marks and chart.mark_note:
            lines += [between] if lines else []
            red = self._look(style.type.note, style.color.mark)
            lines += self._texts_of(f"{chart.mark} {chart.mark_note}", red, inner)
        return lines

    def _texts(self, lines: list[tuple[Line, TextLook]], x: float, y: float) -> Iterator[Element]:
        for line, look in lines:
            height = line_height(line, look)
            yield from line_elements(line, look, (x, y + height / 2), "start", self.tones)
            y += height

    def _headings(self, widths: list[float]) -> _Row:
        cells = tuple(
            wrapped(lines, width - 2 * self._pad(), self.head, even=True)
            for lines, width in zip(self.headings, widths, strict=True)
        )
        looks = (self.head,) * len(cells)
        return _Row(cells, looks, self._height(cells, looks), self.style.color.head)

    def _rows(self, widths: list[float], inner: float) -> Iterator[_Row]:
        group = ""
        band = 0
        has_groups = self.chart.has_compact_groups or not self.is_compact
        looks = tuple(self._of(c) for c in self.columns)
        for row, words in zip(self.chart.rows, self.body, strict=True):
            if has_groups and row.group and row.group != group:
                lines = wrapped(
                    words_of(row.group, self.group), inner - 2 * self._pad(), self.group, even=False
                )
                height = self._height((lines,), (self.group,))
                yield _Row((lines,), (self.group,), height, self.style.color.group, is_whole=True)
                band = 0
            group = row.group
            cells = tuple(
                wrapped(lines, width - 2 * self._pad(), look, even=column.align == "center")
                for lines, width, look, column in zip(
                    words, widths, looks, self.columns, strict=True
                )
            )
            height = self._height(cells, looks)
            color = self.style.color.band if band % 2 else ""
            yield _Row(cells, looks, height, color, is_rule=band > 0)
            band += 1

    def _height(self, cells: tuple[tuple[Line, ...], ...], looks: tuple[TextLook, ...]) -> float:
        tallest = max(
            sum(line_height(line, look) for line in lines)
            for lines, look in zip(cells, looks, strict=True)
        )
        # the leading of a line already holds some air
        return tallest + 2 * self.style.space.row - (self.cell.leading - 1) * self.cell.size / 2

    def _row(
        self, row: _Row, widths: list[float], inner: float, y: float, height: float
    ) -> Iterator[Element]:
        style = self.style
        left = style.margin
        if row.band:
            yield Fill((rectangle(left, y, inner, height),), row.band)
        if row.is_rule:
            yield Stroke((((left, y), (left + inner, y)),), style.color.line, _HAIR, cap="butt")
        x = left
        spans = [inner] if row.is_whole else widths
        for column, (lines, look, width) in enumerate(
            zip(row.cells, row.looks, spans, strict=True)
        ):
            anchor: Anchor = "start" if row.is_whole else _ANCHORS[self.columns[column].align]
            at = {
                "start": x + self._pad(),
                "middle": x + width / 2,
                "end": x + width - self._pad(),
            }[anchor]
            below = y + (height - sum(line_height(line, look) for line in lines)) / 2
            for line in lines:
                own = line_height(line, look)
                point: Point = (at, below + own / 2)
                yield from line_elements(line, look, point, anchor, self.tones)
                below += own
            x += width


def _height(lines: list[tuple[Line, TextLook]]) -> float:
    return sum(line_height(line, look) for line, look in lines)

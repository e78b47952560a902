"""Rows of charts that are made of the counters, so that nothing is typed twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from builder.gamebox.charts import ChartCell, ChartRow
from builder.gamebox.charts_file import ChartTable, ColumnTable
from builder.gamebox.model import Counter, FieldValue, Game

__all__ = ["CounterRows"]

_CORE = ("id", "name", "side", "layout", "palette", "start", "steps", "count")
_SLOT = re.compile(r"\{(\w+)\}")
_NONE = "–"


class CounterRows:
    """The rows of one chart; iterate to make them.

    Rows stand in the order of their group's values: numbers ascending, choices as declared in
    ``game.toml``, anything else as it first comes in ``counters.csv``; no value comes last.
    """

    def __init__(self, game: Game, table: ChartTable) -> None:
        """Keep the counters and what the chart says of its rows."""
        self.game = game
        self.table = table
        self.fields = frozenset({*_CORE, *game.counter_fields})

    def unknown_fields(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        """Yield where the chart names a field that counters don't have, and that name."""
        counters = self.table.counters
        assert counters is not None
        for name in counters.where:
            if name not in self.fields:
                yield ("counters", "where", name), name
        for name in counters.group:
            if name not in self.fields:
                yield ("counters", "group"), name
        for name in _SLOT.findall(self.table.group):
            if name not in self.fields:
                yield ("group",), name
        for number, column in enumerate(self.table.column):
            for key, text in (("text", column.text), *(("otherwise", t) for t in column.otherwise)):
                for name in _SLOT.findall(text):
                    if name not in self.fields and name != "count":
                        yield ("column", number, key), name

    def __iter__(self) -> Iterator[ChartRow]:
        """Yield the rows."""
        counters = self.table.counters
        assert counters is not None
        groups: dict[tuple[FieldValue, ...], list[Counter]] = {}
        for counter in self.game.counters:
            if all(self._fits(counter, name, values) for name, values in counters.where.items()):
                key = tuple(counter.value(name) for name in counters.group)
                groups.setdefault(key, []).append(counter)
        firsts = {key: number for number, key in enumerate(groups)}
        seen: dict[tuple[FieldValue, ...], int] = {}
        for key in groups:
            for end in range(1, len(key) + 1):
                seen.setdefault(key[:end], len(seen))
        for key in sorted(groups, key=lambda k: (self._ranks(k, seen), firsts[k])):
            yield self._row(groups[key])

    def _fits(self, counter: Counter, name: str, values: tuple[str, ...]) -> bool:
        value = _shown(counter.value(name))
        return value in values if values else bool(value)

    def _ranks(
        self, key: tuple[FieldValue, ...], seen: Mapping[tuple[FieldValue, ...], int]
    ) -> list[tuple[int, int]]:
        assert self.table.counters is not None
        names = self.table.counters.group
        return [
            self._rank(names[end], value, seen[key[: end + 1]]) for end, value in enumerate(key)
        ]

    def _rank(self, name: str, value: FieldValue, first: int) -> tuple[int, int]:
        if value is None or value in ("", ()):
            return (1, 0)
        if isinstance(value, int):
            return (0, value)
        spec = self.game.counter_fields.get(name)
        if spec and value in spec.choices:
            return (0, spec.choices.index(str(value)))
        return (0, first)

    def _row(self, counters: list[Counter]) -> ChartRow:
        first = counters[0]
        # only a game that has a column "verified" says which figures are its rulebook's
        declared = "verified" in self.game.counter_fields
        verified = not declared or all(c.fields["verified"] is True for c in counters)
        cells = []
        for column in self.table.column:
            text = self._listed(column, counters) if column.list else self._text(column, counters)
            marked = column.figure and not verified and text not in {"", _NONE}
            cells.append(ChartCell(text or _NONE, marked, first.source))
        group = _SLOT.sub(lambda m: _shown(first.value(m[1])), self.table.group)
        return ChartRow(tuple(cells), self.table.group_words.get(group, group), first.source)

    def _text(self, column: ColumnTable, counters: list[Counter]) -> str:
        count = sum(c.count for c in counters)
        texts = dict.fromkeys(self._filled(column, c, count) for c in counters)
        return ", ".join(t for t in texts if t)

    def _listed(self, column: ColumnTable, counters: list[Counter]) -> str:
        """List every counter, equal texts counted: ``2 × Air Strike``."""
        counts: dict[str, int] = {}
        for counter in counters:
            text = self._filled(column, counter, counter.count)
            counts[text] = counts.get(text, 0) + counter.count
        return ", ".join(f"{n} × {text}" if n > 1 else text for text, n in counts.items() if text)

    def _filled(self, column: ColumnTable, counter: Counter, count: int) -> str:
        """Fill the first template that has all its values; else the last as far as it goes."""

        def value(name: str) -> str:
            return str(count) if name == "count" else _shown(counter.value(name))

        def slot(match: re.Match[str]) -> str:
            text = value(match[1])
            # within a symbol's markup a value is a name, and is not put in words
            is_name = match.string[: match.start()].endswith((".", "|", ":"))
            return text if is_name else column.words.get(text, text)

        templates = (column.text, *column.otherwise)
        full = (t for t in templates if all(value(name) for name in _SLOT.findall(t)))
        return " ".join(_SLOT.sub(slot, next(full, templates[-1])).split())


def _shown(value: FieldValue) -> str:
    match value:
        case None | False:
            return ""
        case True:
            return "yes"
        case tuple():
            return " ".join(map(str, value))
        case _:
            return str(value)

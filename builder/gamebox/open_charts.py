"""Opens a game's charts and rule summaries: ``charts.toml``, ``charts/*.csv``, ``rules.csv``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, cast, get_args

from builder.gamebox.charts import Chart, ChartCell, ChartColumn, ChartRow, RuleRow, RuleStatus
from builder.gamebox.charts_file import ChartsFile, ChartTable, ColumnTable
from builder.gamebox.counter_charts import CounterRows
from builder.gamebox.model import Game
from builder.problems import ProblemLog, Source, did_you_mean
from builder.reading import CsvRow, TomlFile, read_csv, read_toml, salvaged

__all__ = ["open_charts", "open_rules"]

_VERIFIED: Final = "verified"
_SEVERITIES: Final = frozenset({"E", "W", "E/W", "N"})
_RULE_COLUMNS: Final = (
    *("id", "section", "title", "text", "severity", "decidable", "status", "same_as"),
)


def open_charts(game: Game, log: ProblemLog) -> tuple[Chart, ...]:
    """Return the charts of a game in the order of ``charts.toml``; none if it has no such file.

    A column ``verified`` of a CSV file says which figures of its row the rulebook gives: ``yes``,
    ``no``, or the names of those columns. Notes every mistake with its place.
    """
    path = game.folder / "charts.toml"
    if not path.is_file():
        return ()
    toml = read_toml(path, log)
    file = salvaged(toml, ChartsFile, log)[0] if toml else None
    if file is None or toml is None:
        return ()
    charts: list[Chart] = []
    for number, table in enumerate(file.chart):
        source = toml.source("chart", number)
        if table.name in {c.name for c in charts}:
            log.add(toml.source("chart", number, "name"), f"chart {table.name!r} stands twice")
            continue
        if re.fullmatch(r"[a-z][a-z0-9_-]*", table.name) is None:
            log.add(
                toml.source("chart", number, "name"),
                f"name: expected small letters, digits, - and _, got {table.name!r}",
            )
            continue
        rows = _counter_rows(game, table, toml, number, log) if table.counters else None
        if rows is None:
            rows = _csv_rows(game.folder, table, toml, number, log)
        charts.append(_chart(file, table, rows, source))
        _check_templates(table, toml, number, log)
    _check_files(game.folder, file, log)
    return tuple(charts)


def _chart(file: ChartsFile, table: ChartTable, rows: Iterable[ChartRow], source: Source) -> Chart:
    return Chart(
        name=table.name,
        title=table.title,
        subtitle=table.subtitle,
        columns=tuple(
            ChartColumn(c.name, c.label, c.short or c.label, c.align, c.figure, c.head, c.compact)
            for c in table.column
        ),
        rows=tuple(rows),
        notes=table.notes,
        compact_notes=table.compact_notes or table.notes,
        has_compact_groups=table.compact_groups,
        mark=file.mark,
        mark_note=file.mark_note,
        box=table.box,
        box_lines=table.box_lines,
        width=table.width,
        is_of_counters=table.counters is not None,
        source=source,
    )


def _check_templates(table: ChartTable, toml: TomlFile, number: int, log: ProblemLog) -> None:
    names = {c.name for c in table.column}
    for key, texts in (("box", (table.box,)), ("box_lines", table.box_lines)):
        for text in texts:
            for name in re.findall(r"\{(\w+)\}", text):
                if name not in names:
                    log.add(
                        toml.source("chart", number, key),
                        f"{key}: no column {name!r}{did_you_mean(name, names)}",
                    )


def _check_files(folder: Path, file: ChartsFile, log: ProblemLog) -> None:
    known = {t.name for t in file.chart}
    for path in sorted((folder / "charts").glob("*.csv")):
        if path.stem not in known:
            hint = did_you_mean(path.stem, known)
            message = f"no chart of charts.toml uses this file{hint}"
            log.add(Source(f"charts/{path.name}"), message, "warning")


# ------------------------------------------------------------------------------------- CSV charts


def _csv_rows(
    folder: Path, table: ChartTable, toml: TomlFile, number: int, log: ProblemLog
) -> tuple[ChartRow, ...]:
    shown = f"charts/{table.name}.csv"
    path = folder / "charts" / f"{table.name}.csv"
    if not path.is_file():
        log.add(toml.source("chart", number, "name"), f"no file {shown}")
        return ()
    required = [c.name for c in table.column] + ([table.group] if table.group else [])
    if any(c.figure for c in table.column):
        required.append(_VERIFIED)
    csv = read_csv(path, log, required, shown)
    if csv is None:
        return ()
    known = {*required, _VERIFIED}
    for column in csv.columns:
        if column and column not in known:
            hint = did_you_mean(column, known)
            log.add(column.source, f"unknown column {str(column)!r}: no column of the chart{hint}")
    return tuple(_csv_row(row, table, log) for row in csv.rows)


def _csv_row(row: CsvRow, table: ChartTable, log: ProblemLog) -> ChartRow:
    verified = _verified(row, [c for c in table.column if c.figure], log)
    cells = tuple(
        ChartCell(
            str(row[c.name]),
            c.figure and bool(row[c.name]) and row[c.name] != "–" and c.name not in verified,
            row[c.name].source,
        )
        for c in table.column
    )
    group = str(row[table.group]) if table.group else ""
    return ChartRow(cells, table.group_words.get(group, group), row.source)


def _verified(row: CsvRow, figures: list[ColumnTable], log: ProblemLog) -> set[str]:
    names = {c.name for c in figures}
    cell = row[_VERIFIED]
    if not figures or cell == "yes":
        return names
    if cell == "no":
        return set()
    if not cell and _VERIFIED in row.cells:
        where = _place(row, _VERIFIED)
        log.add(where, "verified: expected yes, no or names of columns, found an empty cell")
    words = set(cell.split())
    for word in sorted(words - names):
        hint = did_you_mean(word, {*names, "yes", "no"})
        log.add(cell.source, f"verified: no column of figures {word!r}{hint}")
    return words


def _place(row: CsvRow, column: str) -> Source:
    """Return where a cell stands, also if it is empty; the row if it lacks the column."""
    return row.cells[column].source if column in row.cells else row.source


# --------------------------------------------------------------------------------- counter charts


def _counter_rows(
    game: Game, table: ChartTable, toml: TomlFile, number: int, log: ProblemLog
) -> tuple[ChartRow, ...]:
    rows = CounterRows(game, table)
    wrong = False
    for path, name in rows.unknown_fields():
        hint = did_you_mean(name, rows.fields)
        log.add(toml.source("chart", number, *path), f"no field {name!r} of counters{hint}")
        wrong = True
    return () if wrong else tuple(rows)


# ------------------------------------------------------------------------------------------ rules


def open_rules(folder: Path, log: ProblemLog) -> tuple[RuleRow, ...]:
    """Return the rows of ``rules.csv`` in the order of the file; none if there is no such file.

    Notes ids that stand twice, unknown words of ``severity``, ``decidable`` and ``status``, empty
    cells, and a ``same_as`` that names no row or a row that refers further.
    """
    path = folder / "rules.csv"
    if not path.is_file():
        return ()
    csv = read_csv(path, log, _RULE_COLUMNS)
    if csv is None:
        return ()
    rules: dict[str, RuleRow] = {}
    for row in csv.rows:
        if row["id"] in rules:
            line = rules[row["id"]].source.line
            log.add(row["id"].source, f"rule {str(row['id'])!r} stands already in line {line}")
            continue
        rules[str(row["id"])] = _rule(row, log)
    for message, source in _same_problems(rules, {str(r["id"]): r for r in csv.rows}):
        log.add(source, message)
    return tuple(rules.values())


def _rule(row: CsvRow, log: ProblemLog) -> RuleRow:
    for column in ("id", "section", "title", "text"):
        if not row[column]:
            log.add(_place(row, column), f"{column}: expected a text, found an empty cell")
    decidable = tuple(row["decidable"].split())
    statuses = get_args(RuleStatus)
    for column, words, known in (
        ("severity", (row["severity"],), _SEVERITIES),
        ("decidable", decidable, frozenset("PDAMHX")),
        ("status", (row["status"],), frozenset(statuses)),
    ):
        for word in words:
            if word not in known:
                hint = did_you_mean(word, known)
                log.add(row[column].source, f"{column}: got {str(word)!r}{hint}")
    return RuleRow(
        id=str(row["id"]),
        section=str(row["section"]),
        title=str(row["title"]),
        text=str(row["text"]),
        severity=str(row["severity"]),
        decidable=decidable,
        # a wrong word was noted above, and then nothing is built
        status=cast(RuleStatus, str(row["status"])),
        same_as=str(row["same_as"]),
        source=row.source,
    )


def _same_problems(
    rules: Mapping[str, RuleRow], rows: Mapping[str, CsvRow]
) -> Iterator[tuple[str, Source]]:
    for rule in rules.values():
        if not rule.same_as:
            continue
        source = rows[rule.id]["same_as"].source
        other = rules.get(rule.same_as)
        if other is None:
            yield f"same_as: no rule {rule.same_as!r}{did_you_mean(rule.same_as, rules)}", source
        elif other.same_as:
            yield f"same_as: {other.id} itself refers to {other.same_as}: name that one", source

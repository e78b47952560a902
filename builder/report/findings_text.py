"""A report of the referee as text: a table of findings for a terminal, a table of many logs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from builder.gamebox.events import on_one_line
from builder.report.findings import CheckReport, Finding, worst_of
from builder.rules.core import Ruling

__all__ = ["many_lines", "report_lines"]

_MARKS = {
    Ruling.ILLEGAL: "illegal",
    Ruling.WARNING: "warning",
    Ruling.UNDECIDED: "undecided",
    Ruling.NOTE: "note",
}


def report_lines(report: CheckReport, *, width: int = 100) -> Iterator[str]:
    """Yield the lines of a report; nothing in them is obeyed by a terminal."""
    for text in _lines(report, width):
        yield on_one_line(text)


def _lines(report: CheckReport, width: int) -> Iterator[str]:
    names = ", ".join(f.name for f in report.files)
    yield f"{names}: {report.module or 'a module without a name'}"
    people = ", ".join(f"{name} ({side})" if side else name for name, side in report.players)
    if people:
        yield f"  players: {people}"
    for file in report.files:
        for warning in file.warnings:
            yield f"  {file.name}: {warning}"
    for warning in report.warnings:
        yield f"  {warning}"
    if not report.game:
        return
    yield f"  {report.steps} steps, {report.actions} actions judged by the rules of {report.game}"
    for finding in report.findings:
        yield ""
        yield from _finding(
            finding, width, len(report.files) > 1 and report.files[finding.file].name
        )
    yield ""
    yield from (f"  {line}" for line in report.summary)
    yield _counts(report)


def _finding(finding: Finding, width: int, file: str | bool) -> Iterator[str]:
    where = f"{file} " if file else ""
    way = ""
    if finding.end:
        way = f"{finding.start}→{finding.end}" if finding.start else finding.end
    words = [
        f"{where}step {finding.step}",
        f"turn {finding.turn}",
        finding.activation,
        finding.side,
        finding.unit,
        way,
    ]
    head = "  ".join(w for w in words if w)
    yield f"{head}  {_MARKS[finding.ruling]} {finding.rule} ({finding.row})"
    yield from textwrap.wrap(
        finding.message, width - 4, initial_indent="    ", subsequent_indent="    "
    )
    if finding.rests_on:
        yield f"    rests on figures that the rulebook does not give: {', '.join(finding.rests_on)}"
    if finding.is_settled:
        yield "    both sides have ruled on it"
    if finding.legal:
        yield from textwrap.wrap(
            "legal: " + ", ".join(finding.legal),
            width - 4,
            initial_indent="    ",
            subsequent_indent="      ",
        )


def _counts(report: CheckReport) -> str:
    if not report.findings:
        return "nothing broke a rule"
    parts = [f"{n} {word}" for ruling, word in _MARKS.items() if (n := report.count(ruling))]
    return ", ".join(parts)


def many_lines(rows: Sequence[tuple[str, CheckReport | str]]) -> Iterator[str]:
    """Yield a table of several games: one line each, an error in its place."""
    rows = [(_short(name), report) for name, report in rows]
    width = max((len(name) for name, _ in rows), default=4)
    yield f"{'log':{width}}  steps  illegal  warning  undecided  note  "
    for name, report in rows:
        if isinstance(report, str):
            yield on_one_line(f"{name:{width}}  {report}")
            continue
        if not report.game:
            text = "; ".join(report.warnings)
            yield on_one_line(f"{name:{width}}  {report.steps:5}  {text}")
            continue
        counts = [report.count(r) for r in _MARKS]
        worst = worst_of(report.findings)
        cells = f"{counts[0]:7}  {counts[1]:7}  {counts[2]:9}  {counts[3]:4}"
        yield on_one_line(f"{name:{width}}  {report.steps:5}  {cells}  {worst.value}")


def _short(name: str) -> str:
    """Return the names of the logs of one game, if they are many by the first and the last.

    >>> _short("a-1.vlog, a-2.vlog, a-3.vlog")
    'a-1.vlog … a-3.vlog (3 logs)'
    """
    names = name.split(", ")
    return f"{names[0]} … {names[-1]} ({len(names)} logs)" if len(names) > 2 else name

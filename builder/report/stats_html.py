"""A report on dice as one HTML page: inline drawings, no scripts, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from markupsafe import Markup

from builder.report.dice_report import (
    DiceReport,
    bars_of,
    count_words,
    drawn_groups,
    drawn_tallies,
    group_facts,
    heading_of,
    p_words,
    shown_name,
    size_words,
)
from builder.report.dice_stats import EVERYONE, ChiSquared, Group, Tally
from builder.report.sandbox import filled_in
from builder.report.stats_plots import column_plot, compared_means, mean_plot

__all__ = ["stats_page"]

_MAX_PLOTS: Final = 80
"""Groups beyond these stand in the tables only, so that no log makes the page burst."""


@dataclass(frozen=True, slots=True)
class _Plot:
    caption: str
    drawing: Markup


@dataclass(frozen=True, slots=True)
class _Panel:
    name: str
    size: str
    facts: tuple[tuple[str, str], ...]
    plots: tuple[_Plot, ...]


@dataclass(frozen=True, slots=True)
class _Row:
    name: str
    scope: str
    rolls: int
    undone: int
    mean: str
    expected: str
    faces: str
    totals: str


@dataclass(frozen=True, slots=True)
class _Section:
    anchor: str
    heading: str
    rows: tuple[_Row, ...]
    panels: tuple[_Panel, ...]


def stats_page(report: DiceReport, template: str, *, title: str = "Dice") -> str:
    """Return the page; ``template`` is the text of ``templates/report/stats.html``.

    The template may be a user's own: it runs in a sandbox, and every text is escaped. Raises
    :class:`~builder.problems.UnreadableError` if it cannot be used.
    """
    sections, left_out = _sections(report)
    groups, names = _compared(report)
    values = {
        "title": title,
        "report": report,
        "total": sum(log.rolls for log in report.logs),
        "count_words": count_words,
        "shown_name": shown_name,
        "sections": sections,
        "left_out": left_out,
        "comparison": compared_means(groups, names),
    }
    return filled_in(template, "templates/report/stats.html", values)


def _sections(report: DiceReport) -> tuple[tuple[_Section, ...], int]:
    sections: list[_Section] = []
    room, left_out = _MAX_PLOTS, 0
    for heading, members in groupby(report.groups, key=heading_of):
        groups = list(members)
        drawn = [group for group in drawn_groups(groups) if group.rolls or group.undone]
        panels = tuple(_panel(group, drawn) for group in drawn[:room])
        left_out += len(drawn) - len(panels)
        room -= len(panels)
        anchor = f"part-{len(sections) + 1}"
        sections.append(_Section(anchor, heading, tuple(map(_row, groups)), panels))
    return tuple(sections), left_out


def _row(group: Group) -> _Row:
    average = group.average
    return _Row(
        shown_name(group.name),
        group.scope,
        group.rolls,
        len(group.undone),
        f"{average.mean:.2f}" if average else "",
        f"{average.expected:.2f}" if average and average.expected is not None else "",
        _verdict(group.faces),
        _verdict(group.totals),
    )


def _verdict(tally: Tally | None) -> str:
    if tally is None or tally.test is None:
        return ""
    return p_words(tally.test.p) if isinstance(tally.test, ChiSquared) else "too few"


def _panel(group: Group, beside: Sequence[Group]) -> _Panel:
    plots = []
    name = f"{heading_of(group)}, {shown_name(group.name)}"
    for noun, tally in drawn_tallies(group, beside):
        words = _bars_in_words(tally)
        plots.append(_Plot(noun, column_plot(tally, f"{noun} of {name}: {words}")))
    mean = mean_plot(group)
    if mean is not None:
        plots.append(_Plot("Mean as the rolls go on", mean))
    return _Panel(shown_name(group.name), size_words(group), group_facts(group), tuple(plots))


def _bars_in_words(tally: Tally) -> str:
    return ", ".join(f"{shown_name(label)} {count} times" for label, count, _ in bars_of(tally))


def _compared(report: DiceReport) -> tuple[list[Group], list[str]]:
    """Return each player's most telling group: all dice of one sort, or the kind rolled most."""
    found: dict[str, Group] = {}
    for group in report.groups:
        if group.player == EVERYONE or group.is_typed or group.average is None:
            continue
        best = found.get(group.player)
        if best is None or len(group.values) > len(best.values):
            found[group.player] = group
    groups = list(found.values())
    return groups, [f"{heading_of(group)}, {shown_name(group.name)}" for group in groups]

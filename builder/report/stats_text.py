"""A report on dice as text for a terminal: tables and bars that fit 80 columns, in any encoding."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from builder.report.dice_report import (
    DiceReport,
    bars_of,
    count_words,
    drawn_groups,
    drawn_tallies,
    even_expectation,
    group_facts,
    heading_of,
    p_words,
    shown_name,
    size_words,
)
from builder.report.dice_stats import ChiSquared, Group, Tally

__all__ = ["WIDTH", "histogram", "text_report"]

WIDTH: Final = 80
_EIGHTHS: Final = " ▏▎▍▌▋▊▉█"
_LABEL: Final = 20
_ASCII: Final = {"²": "2", "×": "x", "…": "~", "·": ".", "│": "|", "█": "#", "─": "-"}


def text_report(report: DiceReport, *, is_ascii: bool = False) -> str:
    """Return the whole report, at most :data:`WIDTH` columns wide, ending in a newline.

    ``is_ascii`` is for terminals that cannot show bars of blocks; other characters of names become
    question marks there.
    """
    lines = list(_lines(report, is_ascii))
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    return "".join(map(_plain, text)) if is_ascii else text


def _plain(character: str) -> str:
    """Return ASCII that takes as many columns."""
    if character.isascii():
        return character
    return _ASCII.get(character, "?" * _columns(character))


def _lines(report: DiceReport, is_ascii: bool) -> Iterator[str]:
    yield from _head(report)
    for heading, groups in groupby(report.groups, key=heading_of):
        members = list(groups)
        yield ""
        yield _cut(heading, WIDTH)
        yield "─" * min(_columns(heading), WIDTH)
        yield from _table(members)
        drawn = drawn_groups(members)
        for group in drawn:
            yield ""
            yield from _details(group, drawn, is_ascii)


def _head(report: DiceReport) -> Iterator[str]:
    total = sum(log.rolls for log in report.logs)
    yield f"{count_words(total, 'roll')} in {count_words(len(report.logs), 'log')}"
    for log in report.logs:
        again = f", {log.repeated} more repeated" if log.repeated else ""
        name = _padded(_cut(shown_name(log.name), 36), 36)
        yield f"  {name} {log.rolls:>5} rolls in {count_words(log.steps, 'step')}{again}"
    for player, side in report.seats:
        yield _cut(f"  {shown_name(player)} sits as {shown_name(side)}", WIDTH)
    if report.typed_left_out:
        texts = count_words(report.typed_left_out, "typed text")
        looks = "looks" if report.typed_left_out == 1 else "look"
        yield f"  {texts} {looks} like a roll: left out (--typed lists them)"
    for note in (*report.notes, report.advice):
        yield from _wrapped(note, "  ", "  ")


# ------------------------------------------------------------------------------------------ table


def _table(groups: list[Group]) -> Iterator[str]:
    has_undone = any(group.undone for group in groups)
    undone = "  undone" if has_undone else ""
    yield f"  {_padded('', _LABEL)} rolls{undone}    mean  expected  faces        totals"
    for group in groups:
        average = group.average
        mean = f"{average.mean:.2f}" if average else ""
        expected = f"{average.expected:.2f}" if average and average.expected is not None else ""
        taken = f"  {len(group.undone):>6}" if has_undone else ""
        cells = f"{group.rolls:>6}{taken}  {mean:>6}    {expected:>6}"
        tests = f"  {_test(group.faces):<11}  {_test(group.totals)}"
        yield f"  {_padded(_cut(shown_name(group.name), _LABEL), _LABEL)}{cells}{tests}"


def _test(tally: Tally | None) -> str:
    """Return a test as one word of a table."""
    if tally is None or tally.test is None:
        return ""
    return p_words(tally.test.p) if isinstance(tally.test, ChiSquared) else "too few"


def _details(group: Group, beside: Sequence[Group], is_ascii: bool) -> Iterator[str]:
    yield _cut(f"  {shown_name(group.name)}: {size_words(group)}", WIDTH)
    for name, text in group_facts(group):
        yield from _wrapped(text, f"    {name:<9}", " " * 13)
    tallies = drawn_tallies(group, beside)
    for title, tally in tallies:
        if len(tallies) > 1:
            yield f"    {title}"
        yield from histogram(tally, is_ascii=is_ascii)


def histogram(tally: Tally, *, width: int = WIDTH, is_ascii: bool = False) -> Iterator[str]:
    """Yield a line for each bar: label, bar with the expectation marked in it, count, share.

    The mark stands where a bar of the expected length would end.
    """
    bars = bars_of(tally)
    even = even_expectation(bars)
    labels = [_cut(shown_name(label), 16) for label, _, _ in bars]
    label_width = max(map(_columns, labels))
    digits = len(str(max(count for _, count, _ in bars)))
    tails = []
    for _, count, expected in bars:
        tail = f"{count:>{digits}} {count / tally.count * 100:5.1f} %"
        is_told = expected is not None and even is None
        tails.append(tail + (f"  (expected {expected:.1f})" if is_told else ""))
    room = width - 4 - label_width - 3 - max(map(len, tails))
    longest = max(max(count, expected or 0) for _, count, expected in bars) or 1
    for label, (_, count, expected), tail in zip(labels, bars, tails, strict=True):
        mark = None if expected is None else expected / longest * room
        bar = _bar(count / longest * room, mark, room, is_ascii)
        yield f"    {' ' * (label_width - _columns(label))}{label} {bar} {tail}"
    if even is not None:
        yield f"    {' ' * label_width} │ = {even:.1f} expected of each"


def _bar(length: float, mark: float | None, room: int, is_ascii: bool) -> str:
    if is_ascii:
        cells = ["#"] * round(length)
    else:
        whole, eighths = divmod(round(length * 8), 8)
        cells = ["█"] * whole + ([_EIGHTHS[eighths]] if eighths else [])
    shown = len(cells)
    cells += [" "] * (room + 1 - len(cells))
    if mark is not None:
        at = min(round(mark), room)
        for index in range(shown, at):
            cells[index] = "·"
        cells[at] = "│"
    return "".join(cells)


# ---------------------------------------------------------------------------------------- columns


def _columns(text: str) -> int:
    """Return how many columns a terminal gives a text."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _cut(text: str, width: int) -> str:
    if _columns(text) <= width:
        return text
    taken = 0
    for index, character in enumerate(text):
        taken += _columns(character)
        if taken > width - 1:
            return text[:index] + "…"
    return text


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _columns(text))


def _wrapped(text: str, first: str, further: str) -> Iterable[str]:
    """Wrap a text at blanks; a word longer than the line is cut."""
    if not text:
        return
    line = first
    for word in text.split():
        word = _cut(word, WIDTH - len(further) - 1)
        if _columns(line) + 1 + _columns(word) > WIDTH and line.strip():
            yield line
            line = further
        line += ("" if line in (first, further) else " ") + word
    yield line

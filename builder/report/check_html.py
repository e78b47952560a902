"""A report of the referee as one HTML page: findings with pictures, story, graphs over time.

The page asks for nothing from outside: pictures are in it, its one script is named by its hash in
the page's policy, and every text is escaped.
"""

from __future__ import annotations

import base64
import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from builder.gamebox.events import on_one_line
from builder.report.check_plots import held_plot, hits_plot, points_plot, side_totals
from builder.report.findings import CheckReport, Finding
from builder.report.sandbox import filled_in
from builder.rules.core import Ruling
from builder.rules.insight import Standing, Thrown

__all__ = ["Board", "Card", "CheckPage", "StoryLine", "check_html"]

_RULINGS: Final = (Ruling.ILLEGAL, Ruling.WARNING, Ruling.UNDECIDED, Ruling.NOTE)
_NO_SIDE: Final = "neither side"


@dataclass(frozen=True, slots=True)
class Board:
    """A picture of the board as a PNG file's bytes, and its size as shown, in pixels."""

    png: bytes
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A step of the story: who did it, what happened; ``is_here`` if the finding is of it."""

    step: int
    actor: str
    lines: tuple[str, ...]
    is_here: bool = False
    undone_by: int | None = None


@dataclass(frozen=True, slots=True)
class Card:
    """A finding with what is shown beside it.

    ``title`` and ``text`` are of the rule, in our own words; ``boards`` are before and after, one
    alone if they are the same, none if no hex is concerned.
    """

    finding: Finding
    title: str = ""
    text: str = ""
    boards: tuple[Board, ...] = ()
    story: tuple[StoryLine, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckPage:
    """Everything on the page; ``sides`` in the order of their colors in the graphs.

    ``story`` and ``dice`` are lines and text of a game without rules, of which no more can be told.
    """

    report: CheckReport
    cards: tuple[Card, ...] = ()
    sides: tuple[str, ...] = ()
    standings: tuple[Standing, ...] = ()
    rolls: tuple[Thrown, ...] = ()
    notes: tuple[str, ...] = ()
    story: tuple[str, ...] = ()
    dice: str = ""


@dataclass(frozen=True, slots=True)
class _RuleRow:
    """A rule in the table of the summary: its findings by ruling, and the first one's number."""

    key: str
    rule: str
    title: str
    counts: tuple[int, ...]
    first: int

    @property
    def total(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class _Picture:
    """A picture on a card: its data, or the name of the shared one."""

    caption: str
    words: str
    width: int
    height: int
    data: str = ""
    shared: str = ""


def check_html(page: CheckPage, template: str) -> str:
    """Return the page; ``template`` is the text of ``templates/report/check.html``.

    The template may be a user's own: it runs in a sandbox, and every text is escaped. Raises
    :class:`~builder.problems.UnreadableError` if it cannot be used.
    """
    pictures, shared = _pictures(page.cards)
    report = page.report
    values = {
        "report": report,
        "page": page,
        "rulings": [(r.value, report.count(r)) for r in _RULINGS],
        "sides": _sides_of(report.findings),
        "side_of": side_of,
        "key_of": key_of,
        "way_of": _way,
        "rules": _rule_rows(page.cards),
        "pictures": pictures,
        "shared": shared,
        "plots": list(_each_plot(page)),
        "totals": [(side, *side_totals(page.rolls, side)) for side in page.sides],
    }
    filters = {"shown": on_one_line, "sha256": _sha256}
    return filled_in(template, "templates/report/check.html", values, filters)


def key_of(finding: Finding) -> str:
    """Return what a filter calls a finding's rule: its number, or the row of the log's rules."""
    return finding.row if finding.rule in ("", "log") else finding.rule


def side_of(finding: Finding) -> str:
    """Return the side of a finding in words."""
    return finding.side or _NO_SIDE


def _sha256(text: str) -> str:
    """Return how a page's policy names a script."""
    return base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")


def _way(finding: Finding) -> str:
    if not finding.end:
        return ""
    return f"{finding.start} → {finding.end}" if finding.start else finding.end


def _sides_of(findings: Sequence[Finding]) -> list[tuple[str, int]]:
    counts = Counter(side_of(f) for f in findings)
    return sorted(counts.items(), key=lambda item: (item[0] == _NO_SIDE, item[0]))


def _rule_rows(cards: Sequence[Card]) -> list[_RuleRow]:
    """Return the rules that were broken, most often broken first."""
    found: dict[str, list[tuple[int, Card]]] = {}
    for number, card in enumerate(cards, 1):
        found.setdefault(key_of(card.finding), []).append((number, card))
    rows = []
    for key, members in found.items():
        titles = list(dict.fromkeys(card.title for _, card in members if card.title))
        more = f" and {len(titles) - 2} more" if len(titles) > 2 else ""
        counts = Counter(card.finding.ruling for _, card in members)
        rows.append(
            _RuleRow(
                key,
                members[0][1].finding.rule,
                ", ".join(titles[:2]) + more,
                tuple(counts[r] for r in _RULINGS),
                members[0][0],
            )
        )
    return sorted(rows, key=lambda row: (*(-n for n in row.counts), row.first))


def _pictures(cards: Sequence[Card]) -> tuple[list[list[_Picture]], Mapping[str, _Picture]]:
    """Return the pictures of each card; those that occur again stand in the page once."""
    often = Counter(board.png for card in cards for board in card.boards)
    shared: dict[str, _Picture] = {}
    names: dict[bytes, str] = {}
    found: list[list[_Picture]] = []
    for card in cards:
        row = []
        for caption, board in zip(_captions(card), card.boards, strict=True):
            data = "data:image/png;base64," + base64.b64encode(board.png).decode("ascii")
            where = _way(card.finding) or ", ".join(card.finding.hexes)
            words = f"The board {caption.lower()} step {card.finding.step}"
            words += f", around {where}" if where else ""
            if often[board.png] > 1:
                name = names.setdefault(board.png, f"board-{len(names) + 1}")
                shared[name] = _Picture("", "", board.width, board.height, data)
                row.append(_Picture(caption, words, board.width, board.height, "", name))
            else:
                row.append(_Picture(caption, words, board.width, board.height, data))
        found.append(row)
    return found, shared


def _captions(card: Card) -> tuple[str, ...]:
    return (
        ("Before", "After") if len(card.boards) == 2 else ("Before and after",)[: len(card.boards)]
    )


def _each_plot(page: CheckPage) -> Iterator[tuple[str, str, Markup]]:
    """Yield the graphs with their captions, and which key stands under each."""
    points = points_plot(page.standings)
    if points is not None:
        yield "Points, as the rules count them at the end of each turn", "", points
    held = held_plot(page.standings, page.sides)
    if held is not None:
        yield "Objectives held at the end of each turn", "sides", held
    hits = hits_plot(page.rolls, page.sides)
    if hits is not None:
        yield "Hits as the rolls go on: thrown, and to be expected of fair dice", "hits", hits

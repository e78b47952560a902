"""Every row of the rulebook has its place: judged and shown, in the data, or truly a note."""

from pathlib import Path
from typing import Any

import pytest

from builder.gamebox.open import open_game
from builder.jobs.list_rules import RuleListing, RulesReport, list_rules
from builder.rules.core import RuleBook
from builder.rulesets.registry import ruleset_of

MAPDATA = Path(__file__).parents[2] / "mapdata"
FIXTURES = Path(__file__).parents[1] / "fixtures"
COUNTS = {"airdrop": 95, "dropzone": 172}
"""Rows of each game's rulebook."""


@pytest.fixture(scope="module", params=sorted(COUNTS))
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def catalogued(game: str) -> list[str]:
    """The rows by which the rulebook was catalogued, typed once, never derived from rules.csv."""
    text = (FIXTURES / f"{game}-rule-ids.txt").read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


@pytest.fixture(scope="module")
def book(game: str) -> RuleBook[Any, Any]:
    found: RuleBook[Any, Any] = ruleset_of(open_game(MAPDATA / game)).book
    return found


@pytest.fixture(scope="module")
def report(game: str) -> RulesReport:
    return list_rules(MAPDATA / game)


def _own(report: RulesReport, status: str) -> list[RuleListing]:
    return [r for r in report.rows if r.row.status == status and not r.row.same_as]


def test_every_row_is_there(game: str, report: RulesReport, catalogued: list[str]) -> None:
    assert len(catalogued) == COUNTS[game]
    assert [r.row.id for r in report.rows] == catalogued


def test_what_is_enforced_is_stated_and_shown_both_ways(
    report: RulesReport, book: RuleBook[Any, Any]
) -> None:
    missing = {}
    for listing in _own(report, "enforced"):
        lacks = []
        if not listing.functions:
            lacks.append("function")
        if not any(e.is_legal for e in listing.examples):
            lacks.append("legal example")
        broken = [e for e in listing.examples if not e.is_legal]
        judged = listing.row.id in book.judging
        if not any(listing.row.id in e.breaks for e in broken) if judged else not broken:
            lacks.append("illegal example")
        if lacks:
            missing[listing.row.id] = lacks
    assert missing == {}


def test_what_is_checked_in_the_data_is_stated_and_shown_both_ways(report: RulesReport) -> None:
    missing = {}
    for listing in _own(report, "data"):
        lacks = [] if listing.functions else ["function"]
        if not any(e.is_legal for e in listing.data_examples):
            lacks.append("example of right data")
        if all(e.is_legal for e in listing.data_examples):
            lacks.append("example of wrong data")
        if lacks:
            missing[listing.row.id] = lacks
    assert missing == {}


def test_a_note_is_what_neither_log_nor_data_decides(report: RulesReport) -> None:
    notes = {r.row.id: r.row.decidable for r in _own(report, "note")}
    assert {k: d for k, d in notes.items() if set(d) - {"X", "H"}} == {}


def test_what_says_the_same_has_the_same_status(report: RulesReport) -> None:
    for listing in report.rows:
        if listing.row.same_as:
            assert listing.row.status == report.find(listing.row.same_as).row.status


def test_the_book_knows_only_rows_of_the_rulebook(
    book: RuleBook[Any, Any], catalogued: list[str]
) -> None:
    assert {*book.judging, *book.stating} <= set(catalogued)

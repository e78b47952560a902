"""Every row of the rulebook has its place: judged and shown, in the data, or truly a note."""

from pathlib import Path

import pytest

from builder.jobs.list_rules import RuleListing, RulesReport, list_rules
from builder.rulesets.airdrop.book import book

FOLDER = Path(__file__).parents[2] / "mapdata" / "airdrop"
# the rows by which the rulebook was catalogued, typed once and never derived from rules.csv
CATALOGUED = [
    line
    for line in (FOLDER.parents[1] / "tests" / "fixtures" / "airdrop-rule-ids.txt")
    .read_text("utf-8")
    .splitlines()
    if not line.startswith("#")
]


@pytest.fixture(scope="module")
def report() -> RulesReport:
    return list_rules(FOLDER)


def _own(report: RulesReport, status: str) -> list[RuleListing]:
    return [r for r in report.rows if r.row.status == status and not r.row.same_as]


def test_every_row_is_there(report: RulesReport) -> None:
    assert len(CATALOGUED) == 95
    assert [r.row.id for r in report.rows] == CATALOGUED


def test_what_is_enforced_is_stated_and_shown_both_ways(report: RulesReport) -> None:
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


def test_the_book_knows_only_rows_of_the_rulebook() -> None:
    assert {*book.judging, *book.stating} <= set(CATALOGUED)

"""Nothing is missed: logs in which one thing is wrong, and the row that the referee must name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from airdrop_logs import findings, log_of

from builder.gamebox.open import open_game
from builder.gamebox.open_charts import open_rules
from builder.problems import ProblemLog
from builder.rules.core import Ruling
from builder.rules.examples import Example, open_examples
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.ruleset import AirDrop

FOLDER = Path(__file__).parents[2] / "mapdata" / "airdrop"
EXAMPLES = open_examples(FOLDER, ProblemLog())
UNSEEN: dict[str, str] = {}
"""Examples that no log can show, and why."""

ON_TABLES = [e for e in EXAMPLES if e.id not in UNSEEN]


@pytest.fixture(scope="module")
def rules() -> AirDrop:
    return AirDrop.of(open_game(FOLDER))


def shown(example: Example) -> set[str]:
    """Return the rows that the log of an example catches."""
    rows = {r for r in example.rows if example.breaks and r not in book.judging}
    return {*example.breaks} | rows


def test_what_no_log_shows_are_examples_that_there_are() -> None:
    assert {*UNSEEN} <= {e.id for e in EXAMPLES}


@pytest.mark.parametrize("example", ON_TABLES, ids=lambda e: e.id)
def test_a_log_of_an_example_is_ruled_as_the_example(
    example: Example, rules: AirDrop, record_property: Callable[[str, object], None]
) -> None:
    log, first = log_of(example, rules)
    found = [f for f in findings(log) if f.step >= first]
    assert {f.breach.row for f in found} == {*example.breaks}, [f.breach.message for f in found]
    worst = max((f.ruling for f in found), key=lambda r: r.rank, default=Ruling.LEGAL)
    assert worst.value == example.ruling
    for row in sorted(shown(example)):
        record_property("row caught", row)


def test_there_is_a_log_for_every_row(record_property: Callable[[str, object], None]) -> None:
    listed = open_rules(FOLDER, ProblemLog())
    due = {r.id for r in listed if r.status == "enforced" and not r.same_as}
    for row in sorted(due):
        record_property("row due", row)
    assert due - set[str]().union(*(shown(e) for e in ON_TABLES)) == set()

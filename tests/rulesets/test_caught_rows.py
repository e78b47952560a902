"""What the end of a test run says of rows that mutants of logs have shown to be found."""

from __future__ import annotations

from conftest import caught_lines


def test_each_rulebook_has_a_line() -> None:
    due = {"DZ-5.1h", "DZ-5.1a", "E9.2b", "E9.12c"}
    assert caught_lines(due, {"DZ-5.1h", "E9.2b", "E9.12c", "LOG-ROLL"}) == [
        "DZ rows caught: 1 of 2; missing: DZ-5.1a",
        "E9 rows caught: 2 of 2",
    ]


def test_without_rows_nothing_is_said() -> None:
    assert caught_lines(set(), {"DZ-5.1h"}) == []

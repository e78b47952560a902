"""Numbers of piece slots: given once, kept for ever."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from builder.gamebox.numbers import gpids_csv, read_gpids, with_new_gpids
from builder.problems import ProblemLog

IDS = st.lists(st.text("abcXYZ-@.", min_size=1, max_size=5), unique=True, max_size=8)


@given(IDS, IDS, st.randoms(use_true_random=False))
def test_adding_removing_and_reordering_never_renumbers(
    first: list[str], second: list[str], order: object
) -> None:
    before = with_new_gpids({}, first)
    after = with_new_gpids(before, list(reversed(second)))
    assert {k: after[k] for k in before} == before
    assert set(after) == set(first) | set(second)
    assert len(set(after.values())) == len(after)


def test_a_removed_counter_keeps_its_number_from_being_given_again() -> None:
    before = with_new_gpids({}, ["a", "b", "c"])
    assert with_new_gpids(before, ["a", "b", "d"])["d"] == 4


def test_the_file_comes_back_as_written(tmp_path: Path) -> None:
    numbers = {"b@start": 12, "a": 3}
    path = tmp_path / "gpids.csv"
    path.write_text(gpids_csv(numbers), encoding="utf-8")
    log = ProblemLog()
    assert read_gpids(path, log) == numbers
    assert not log.problems


def test_doubled_numbers_and_ids_are_told(tmp_path: Path) -> None:
    path = tmp_path / "gpids.csv"
    path.write_text("gpid,id\n1,a\n1,b\nx,c\n2,a\n", encoding="utf-8")
    log = ProblemLog()
    read_gpids(path, log)
    assert [str(p) for p in log.problems] == [
        "gpids.csv:3:1: gpid 1 stands already in line 2",
        "gpids.csv:4:1: gpid: expected a whole number, got 'x'",
        "gpids.csv:5:3: id 'a' has two numbers",
    ]

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from builder.report.log_repeats import Repeat, StepKey, find_repeats


def moves(*names: int) -> list[StepKey]:
    return [StepKey((f"M/{name}",), 12.0) for name in names]


def dice(faces: str) -> list[StepKey]:
    return [StepKey((f"CHAT*** d6 = {face} *** <A>",), 2.585) for face in faces]


def test_a_replayed_log_is_the_beginning_of_the_next() -> None:
    found = find_repeats([moves(1, 2, 3), moves(1, 2, 3, 4)])
    assert found.runs == (Repeat(2, 1, 3, 1, 1, 3),)
    assert found.origin == {(2, 1): (1, 1), (2, 2): (1, 2), (2, 3): (1, 3)}


def test_a_part_may_come_from_the_middle_and_the_longer_log_may_come_last() -> None:
    found = find_repeats([moves(3, 4, 5), moves(1, 2, 3, 4, 5)])
    assert found.runs == (Repeat(2, 3, 5, 1, 1, 3),)


def test_a_third_log_leads_back_to_the_first() -> None:
    found = find_repeats([moves(1, 2, 3), moves(1, 2, 3), moves(1, 2, 3)])
    assert set(found.origin.values()) == {(1, 1), (1, 2), (1, 3)}


def test_a_few_equal_rolls_are_chance_and_said_to_be_doubtful() -> None:
    found = find_repeats([dice("3151"), dice("3154")])
    assert found.runs == ()
    assert found.doubtful == (Repeat(2, 1, 3, 1, 1, 3),)


def test_many_equal_rolls_are_no_chance() -> None:
    found = find_repeats([dice("31526164"), dice("3152616452")])
    assert found.runs == (Repeat(2, 1, 8, 1, 1, 8),)


def test_equal_rolls_in_the_midst_of_long_logs_are_chance() -> None:
    same = "31526"
    one, two = dice("4" * 30 + same + "1" * 30), dice("2" * 30 + same + "6" * 30)
    assert find_repeats([one, two]).runs == ()


def test_steps_that_leave_nothing_when_recorded_again_are_passed_over() -> None:
    nothing = StepKey((), 0.0)
    first = [*moves(1), nothing, *moves(2, 3)]
    found = find_repeats([first, moves(1, 2, 3, 4)])
    assert found.origin == {(2, 1): (1, 1), (2, 2): (1, 3), (2, 3): (1, 4)}


@given(st.lists(st.integers(0, 10**6), unique=True, min_size=6, max_size=30), st.data())
def test_any_cut_of_a_log_is_found(names: list[int], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(names) - 5))
    end = data.draw(st.integers(start + 5, len(names)))
    found = find_repeats([moves(*names), moves(*names[start:end])])
    assert found.runs == (Repeat(2, 1, end - start, 1, start + 1, end),)


def test_logs_of_nothing_but_equal_steps_end() -> None:
    same = [StepKey(("CHAT ",), 1.0)] * 3000
    found = find_repeats([same, same, same])
    assert {place[0] for place in found.origin} == {2, 3}

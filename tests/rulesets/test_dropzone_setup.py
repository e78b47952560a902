"""The drop by hand: where each roll leads from each aim point, typed as differences of hexes."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_dropzone import facts, rules, states

from builder.rules.core import Ruling
from builder.rulesets.dropzone.actions import Drop, Phase
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.candidates_flow import drop_candidates, drop_target
from builder.rulesets.dropzone.setup import landing_choices
from builder.rulesets.dropzone.state import State

# one, two and three hexes from 1211 (even columns lie lower): north, then clockwise
FROM_1211 = {
    1: ("1210", "1209", "1208"),
    2: ("1311", "1410", "1510"),
    3: ("1312", "1412", "1513"),
    4: ("1212", "1213", "1214"),
    5: ("1112", "1012", "0913"),
    6: ("1111", "1010", "0910"),
}


def empty() -> State:
    """Return the start without garrisons, so that every hex is free."""
    start = rules().start()
    garrisons = {k: g._replace(steps=0) for k, g in start.garrisons.items()}
    return start.but(garrisons=garrisons)


@pytest.mark.parametrize(("white", "red"), list(product(range(1, 7), range(1, 7))))
def test_white_is_the_direction_and_half_of_red_the_distance(white: int, red: int) -> None:
    hexes = {1: 0, 2: 0, 3: 1, 4: 1, 5: 2, 6: 2}
    expected = FROM_1211[white][hexes[red]]
    choices = landing_choices(empty(), "A-1-517", white, red)
    assert [facts().label(h) for h in choices] == [expected]
    for h in facts().ground.neighbors_of:
        action = Drop("A-1-517", white, red, h)
        told = [(b.row, b.ruling) for b in book.judge(empty(), action)]
        wrong = [("DZ-2c", Ruling.WARNING)]
        assert told == ([] if facts().label(h) == expected else wrong)


def test_nobody_lands_on_the_aim_point() -> None:
    for white, red in product(range(1, 7), range(1, 7)):
        assert facts().units["A-1-517"].aim not in landing_choices(empty(), "A-1-517", white, red)


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), min_size=20, max_size=20))
def test_a_whole_drop_by_the_candidates_breaks_nothing(dice: list[tuple[int, int]]) -> None:
    state = rules().start()
    units = tuple(drop_candidates(state))
    assert len(units) == 20
    for unit, (white, red) in zip(units, dice, strict=True):
        to = drop_target(state, unit, white, red)
        assert to in landing_choices(state, unit, white, red)
        action = Drop(unit, white, red, to)
        assert not tuple(book.judge(state, action))
        state = applied(state, action)
    assert all(len(keys) == 1 for keys in state.units_at.values())
    assert not tuple(drop_candidates(state))
    assert not tuple(book.judge(state, Phase(1, "INIT")))


@given(states(), st.sampled_from(sorted(facts().units)), st.integers(0, 7), st.integers(0, 7))
def test_choices_are_on_the_map_and_free_of_the_enemy(
    state: State, unit: str, white: int, red: int
) -> None:
    for h in landing_choices(state, unit, white, red):
        assert h in facts().sheet
        assert not state.is_held(h, "German")

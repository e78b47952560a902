"""Whole fights: what is offered is legal, judging never raises, one mistake is one finding."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from strategies_combat import combat_states, fights
from strategies_dropzone import actions, facts

from builder.rulesets.dropzone.actions import (
    Action,
    Advance,
    Attack,
    Commit,
    Join,
    Leave,
    Liberate,
    Lose,
    Phase,
    Reveal,
    Roll,
    Use,
)
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.candidates_combat import loss_candidates
from builder.rulesets.dropzone.state import State

FIGHTING = (Attack, Join, Leave, Commit, Use, Reveal, Roll, Lose, Advance, Phase)


@given(fights())
def test_what_is_offered_is_legal(case: tuple[State, tuple[Action, ...]]) -> None:
    state, done = case
    for action in done:
        told = [(b.row, b.message) for b in book.judge(state, action)]
        assert told == [], action
        state = applied(state, action)


@given(combat_states(), st.lists(actions(FIGHTING), max_size=8))
def test_judging_never_raises(state: State, done: list[Action]) -> None:
    for action in done:
        told = tuple(book.judge(state, action))
        assert all(b.message and b.row for b in told)
        before = state
        state = applied(state, action)
        assert tuple(book.judge(before, action)) == told


@given(fights(), st.data())
def test_judging_never_raises_amid_a_fight(
    case: tuple[State, tuple[Action, ...]], data: st.DataObject
) -> None:
    state, done = case
    for action in done[: data.draw(st.integers(0, len(done)))]:
        state = applied(state, action)
    for action in data.draw(st.lists(actions(FIGHTING), max_size=5)):
        assert all(b.message and b.row for b in book.judge(state, action))
        state = applied(state, action)


COUNTS = {"DZ-5.2.5", "DZ-5.2.5b", "DZ-5.2.4d", "DZ-1.2j", "DZ-1.2s"}
FIRE_COUNTS = {"DZ-1.4d", "DZ-5.2.4b", "DZ-5.2.4c"}
HITS = {
    *("DZ-1.2b", "DZ-1.2e", "DZ-1.2f", "DZ-1.2g", "DZ-1.2o", "DZ-1.2x", "DZ-1.2l"),
    *("DZ-5.2.4c", "DZ-5.2.6a", "DZ-5.2.6b"),
}


def told_in(state: State, done: tuple[Action, ...]) -> list[str]:
    """Return every row that is broken while actions are taken one after the other."""
    told = []
    for action in done:
        told += [b.row for b in book.judge(state, action)]
        state = applied(state, action)
    return told


@given(fights(), st.data())
def test_a_die_more_is_one_finding(
    case: tuple[State, tuple[Action, ...]], data: st.DataObject
) -> None:
    state, done = case
    rolls = [i for i, a in enumerate(done) if isinstance(a, Roll)]
    if not rolls:
        return
    at = data.draw(st.sampled_from(rolls))
    roll = done[at]
    assert isinstance(roll, Roll)
    more = Roll(roll.side, roll.kind, (*roll.faces, "miss"), roll.attack)
    told = told_in(state, (*done[:at], more, *done[at + 1 :]))
    assert len(told) == 1
    assert told[0] in (FIRE_COUNTS if roll.kind in ("IF", "AT") else COUNTS)


@given(fights(), st.data())
def test_a_hit_that_is_withheld_is_found_at_once(
    case: tuple[State, tuple[Action, ...]], data: st.DataObject
) -> None:
    state, done = case
    last = [
        i for i, a in enumerate(done) if isinstance(a, Lose) and not isinstance(done[i + 1], Lose)
    ]
    if not last or any(isinstance(a, Liberate) for a in done):
        return  # a garrison that is placed for a loss that was not is a mistake of its own
    at = data.draw(st.sampled_from(last))
    told = told_in(state, (*done[:at], *done[at + 1 :]))
    lost = done[at]
    assert isinstance(lost, Lose)
    assert told[0] in {"DZ-5.2.4d", "DZ-5.2.6a"}


@given(fights(), st.data())
def test_a_loss_too_many_is_one_finding(
    case: tuple[State, tuple[Action, ...]], data: st.DataObject
) -> None:
    state, done = case
    at = data.draw(st.integers(0, len(done) - 1))
    for action in done[:at]:
        state = applied(state, action)
    offered = set(loss_candidates(state))
    alive = sorted(k for k in (*state.units, *state.garrisons) if state.steps_of(k) > 0)
    cause = data.draw(st.sampled_from(("IF", "AT", "COMBAT")))
    extra = Lose(data.draw(st.sampled_from(alive)), cause)
    told = [b.row for b in book.judge(state, extra)]
    if extra.unit in {a.unit for a in offered if a.cause == cause}:
        assert told == []
    elif not offered:
        assert len(told) == 1
        assert told[0] in HITS


@given(fights(), st.data())
def test_an_attacker_out_of_reach_is_one_finding(
    case: tuple[State, tuple[Action, ...]], data: st.DataObject
) -> None:
    state, done = case
    for action in done:
        if isinstance(action, Join):
            far = data.draw(st.sampled_from(sorted(facts().ground.neighbors_of)))
            target = state.fight.target if state.fight is not None else far
            if far != target and far not in facts().ground.neighbors_of[target]:
                moved = state.with_unit(action.unit, place=far)
                assert [b.row for b in book.judge(moved, action)] == ["DZ-5.2a"]
            return
        state = applied(state, action)

"""Rule 1.2: steps change for a cause; judging never fails, applying changes no state."""

import copy

from hypothesis import given
from strategies_dropzone import actions, actions_of, facts, rules, states

from builder.rulesets.dropzone.actions import (
    Action,
    Alter,
    BuyGarrison,
    Gain,
    Liberate,
    Lose,
    Relocate,
    Return,
)
from builder.rulesets.dropzone.state import State

CAUSES = (Lose, Gain, Return, Liberate, BuyGarrison, Alter)


@given(states(), actions())
def test_judging_never_fails(state: State, action: Action) -> None:
    for breach in rules().judge(state, action):
        assert breach.row.startswith("DZ-")
        assert breach.message


@given(states(), actions())
def test_applying_is_pure(state: State, action: Action) -> None:
    before = copy.copy(state.__dict__)
    once, twice = rules().apply(state, action), rules().apply(state, action)
    assert once == twice
    assert {k: before[k] for k in before} == {k: state.__dict__[k] for k in before}


@given(states(), actions())
def test_steps_change_by_what_may_change_them(state: State, action: Action) -> None:
    after = rules().apply(state, action)
    pieces = (*facts().units, *facts().garrisons)
    changed = {k for k in pieces if state.steps_of(k) != after.steps_of(k)}
    assert len(changed) <= 1
    assert not changed or isinstance(action, CAUSES)


@given(states(), actions_of(Alter))
def test_steps_that_are_altered_break_a_rule(state: State, action: Action) -> None:
    assert isinstance(action, Alter)
    changes = state.steps_of(action.piece) != rules().apply(state, action).steps_of(action.piece)
    assert bool(list(rules().judge(state, action))) is changes


@given(states(), actions_of(Lose))
def test_a_loss_without_fight_landing_or_price_breaks_a_rule(state: State, action: Action) -> None:
    assert isinstance(action, Lose)
    if state.fight is not None or action.cause in ("GARRISON", "LAND"):
        return
    known = action.unit in facts().units or action.unit in facts().garrisons
    assert known is ("DZ-1.2l" in {b.row for b in rules().judge(state, action)})


@given(states(), actions_of(Relocate))
def test_garrisons_stay(state: State, action: Action) -> None:
    assert isinstance(action, Relocate)
    after = rules().apply(state, action)
    assert after.garrisons == state.garrisons
    assert after.garrison_at == state.garrison_at

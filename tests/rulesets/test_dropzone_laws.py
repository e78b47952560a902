"""Laws over all rules and all actions: nothing raises, nothing is changed, rows are known."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies_combat import combat_states
from strategies_dropzone import actions, actions_of, facts, rules, states

from builder.rules.core import Ruling
from builder.rulesets.dropzone.actions import ACTIONS, Action
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.sequence import COMMANDS
from builder.rulesets.dropzone.state import State

ROWS = {
    line
    for line in (Path(__file__).parents[1] / "fixtures" / "dropzone-rule-ids.txt")
    .read_text("utf-8")
    .splitlines()
    if not line.startswith("#")
}
ROSTERS = st.dictionaries(
    st.sampled_from(("Ann", "Ben", "Cid")),
    st.lists(st.sampled_from((*COMMANDS, "nobody")), max_size=4).map(tuple),
)
# for what is tried on each of thirty-odd kinds of action
each = settings(max_examples=max(40, settings().max_examples // 3))


def fields(state: State) -> dict[str, object]:
    """Return a copy of what a state says, without facts and without what is derived.

    Its values are frozen: only the tables that hold them could be written to.
    """
    values = {f.name: getattr(state, f.name) for f in dataclasses.fields(state)}
    return {k: dict(v) if isinstance(v, Mapping) else v for k, v in values.items() if k != "facts"}


@pytest.mark.parametrize("kind", ACTIONS, ids=lambda k: k.__name__)
@each
@given(data=st.data())
def test_no_rule_raises_and_every_breach_can_be_told(kind: type, data: st.DataObject) -> None:
    state = data.draw(states()).but(roster=data.draw(ROSTERS))
    action = data.draw(actions_of(kind))
    breaches = tuple(book.judge(state, action))
    for breach in breaches:
        assert breach.row in ROWS
        assert breach.message.strip() == breach.message
        assert breach.message
        assert breach.row not in breach.message
        assert all(facts().label(h) for h in breach.hexes)
    assert tuple(book.judge(state, action)) == breaches


@pytest.mark.parametrize("kind", ACTIONS, ids=lambda k: k.__name__)
@each
@given(data=st.data())
def test_applying_never_raises_and_changes_nothing_that_was(
    kind: type, data: st.DataObject
) -> None:
    state = data.draw(states())
    action = data.draw(actions_of(kind))
    before = fields(state)
    after = applied(state, action)
    tuple(book.judge(state, action))
    assert fields(state) == before
    assert applied(state, action) == after
    assert after.facts is state.facts
    assert set(after.units) == set(state.units)
    assert set(after.garrisons) == set(state.garrisons)
    assert set(after.assets) == set(state.assets)


@given(states(), st.lists(actions(), max_size=12))
def test_a_senseless_game_can_be_followed_to_its_end(state: State, deeds: list[Action]) -> None:
    for action in deeds:
        tuple(book.judge(state, action))
        state = applied(state, action)
    assert rules().position_lines(state)


@given(actions())
def test_every_action_is_written_and_read_back(action: Action) -> None:
    line = rules().write_action(action)
    if all(" " not in word for word in dataclasses.astuple(action) if isinstance(word, str)):
        assert rules().write_action(rules().read_action(line)) == line


@given(st.one_of(states(), combat_states()), actions())
def test_what_is_kept_with_a_state_is_never_that_of_another(state: State, action: Action) -> None:
    tuple(book.judge(state, action))  # zones, holders and paths are worked out and kept
    after = applied(state, action)
    fresh = State(**{f.name: getattr(after, f.name) for f in dataclasses.fields(after)})
    assert (after.units_at, after.held_by, after.zones) == (
        fresh.units_at,
        fresh.held_by,
        fresh.zones,
    )
    assert tuple(book.judge(after, action)) == tuple(book.judge(fresh, action))


@given(st.one_of(states(), combat_states()), actions())
def test_what_rests_on_our_own_figures_is_no_error(state: State, action: Action) -> None:
    for breach in book.judge(state, action):
        assert not (breach.rests_on and breach.ruling is Ruling.ILLEGAL)
        assert breach.ruling is not Ruling.LEGAL

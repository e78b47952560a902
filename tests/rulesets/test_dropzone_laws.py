"""Laws over all rules and all actions: nothing raises, nothing is changed, rows are known."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_dropzone import actions, actions_of, facts, rules, states

from builder.rulesets.dropzone.actions import ACTIONS, Action
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.sequence import COMMANDS
from builder.rulesets.dropzone.state import State

ROWS = set(Path(__file__).with_name("dropzone_rows.txt").read_text().split())
ROSTERS = st.dictionaries(
    st.sampled_from(("Ann", "Ben", "Cid")),
    st.lists(st.sampled_from((*COMMANDS, "nobody")), max_size=4).map(tuple),
)


def fields(state: State) -> dict[str, object]:
    """Return a copy of what a state says, without facts and without what is derived.

    Its values are frozen: only the tables that hold them could be written to.
    """
    values = {f.name: getattr(state, f.name) for f in dataclasses.fields(state)}
    return {k: dict(v) if isinstance(v, Mapping) else v for k, v in values.items() if k != "facts"}


@pytest.mark.parametrize("kind", ACTIONS, ids=lambda k: k.__name__)
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

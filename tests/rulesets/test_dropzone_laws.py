"""Laws of the whole rule set: judges never raise, nothing is changed by judging or applying."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies_combat import combat_states
from strategies_dropzone import actions, actions_of, facts, positions, rules, states

from builder.hexes.grid import Hex
from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import ACTIONS, Action, Drop
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.candidates_flow import (
    chit_candidates,
    draw_candidates,
    draw_unit_candidates,
    drop_candidates,
    drop_target,
    first_asset_candidates,
    next_phase,
    pool_late,
    receive_candidates,
    return_chits,
)
from builder.rulesets.dropzone.sequence import SEQUENCE
from builder.rulesets.dropzone.state import State

ROWS = frozenset(Path(__file__).with_name("dropzone_rows.txt").read_text().split())
slow = settings(suppress_health_check=[HealthCheck.too_slow])
each = settings(slow, max_examples=max(30, slow.max_examples // 3))
"""For tests that run once for each class of action."""


def _told(state: State, action: Action) -> tuple[Breach, ...]:
    return tuple(rules().judge(state, action))


def _snapshot(state: State) -> dict[str, Any]:
    """Return a copy of every field that nothing can reach, the facts apart."""
    return {
        f.name: _copied(getattr(state, f.name)) for f in fields(state) if f.name not in ("facts",)
    }


def _copied(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else copy.copy(value)


# --------------------------------------------------------------------------------------- judging


@pytest.mark.parametrize("kind", ACTIONS, ids=[k.__name__ for k in ACTIONS])
@each
@given(st.data())
def test_no_action_is_too_odd_to_be_judged(kind: type, data: st.DataObject) -> None:
    state = data.draw(st.one_of(states(), combat_states()))
    action = data.draw(actions_of(kind))
    for breach in _told(state, action):
        assert breach.row in ROWS
        assert breach.ruling is not Ruling.LEGAL
        assert breach.message == breach.message.strip()
        assert len(breach.message) > 10
        assert all(isinstance(h, Hex) for h in breach.hexes)
        assert all(isinstance(p, str) for p in breach.pieces)


@slow
@given(states(), actions())
def test_a_message_cites_no_row(state: State, action: Action) -> None:
    for breach in _told(state, action):
        assert "DZ-" not in breach.message
        assert not re.search(r"\[\d", breach.message)


@slow
@given(states(), actions())
def test_what_is_judged_twice_is_judged_alike(state: State, action: Action) -> None:
    assert _told(state, action) == _told(state.but(), action)


@slow
@given(states(), actions())
def test_a_breach_that_rests_on_our_figures_is_a_warning_at_most(
    state: State, action: Action
) -> None:
    for breach in _told(state, action):
        if breach.rests_on:
            assert breach.ruling is not Ruling.ILLEGAL


# -------------------------------------------------------------------------------------- applying


@slow
@given(states(), actions())
def test_applying_changes_nothing_that_was(state: State, action: Action) -> None:
    before = _snapshot(state)
    once = applied(state, action)
    assert _snapshot(state) == before
    assert applied(state, action) == once


@slow
@given(states(), actions())
def test_judging_changes_nothing(state: State, action: Action) -> None:
    before = _snapshot(state)
    _told(state, action)
    assert _snapshot(state) == before


@slow
@given(states(), st.lists(actions(), max_size=4))
def test_pieces_are_never_made_nor_lost(state: State, deeds: list[Action]) -> None:
    for action in deeds:
        state = applied(state, action)
    assert list(state.units) == list(facts().units)
    assert list(state.garrisons) == list(facts().garrisons)
    assert list(state.assets) == list(facts().assets)


@slow
@given(states(), actions())
def test_what_derives_from_positions_is_never_stale(state: State, action: Action) -> None:
    assert state.held_by is not None  # worked out before, and not to be carried along
    assert state.zones is not None
    after = applied(state, action)
    fresh = State(**{f.name: getattr(after, f.name) for f in fields(after)})
    assert after.held_by == fresh.held_by
    assert after.zones == fresh.zones
    assert after.units_at == fresh.units_at


# ------------------------------------------------------------------------------------ candidates


@slow
@given(positions())
def test_a_step_that_is_offered_follows_the_present_one(state: State) -> None:
    phase = next_phase(state)
    assert phase is not None or state.moment == SEQUENCE.moments()[-1]
    if phase is not None:
        # what was left undone in the step may be told, but not that the tracker went astray
        assert not {b.row for b in _told(state, phase)} & {"DZ-3a", "DZ-3.2c", "DZ-3.3d"}


@slow
@given(positions())
def test_draws_and_chits_that_are_offered_are_legal(state: State) -> None:
    offers: list[Action | None] = [pool_late(state), return_chits(state)]
    offers += chit_candidates(state)
    offers += draw_candidates(state)
    offers += draw_unit_candidates(state)
    offers += first_asset_candidates(state)
    offers += (a for k in state.units for a in receive_candidates(state, k))
    for action in offers:
        if action is not None:
            assert _told(state, action) == ()


@slow
@given(positions(("SETUP",)), st.integers(1, 6), st.integers(1, 6))
def test_a_drop_into_the_hex_that_is_offered_is_legal(state: State, white: int, red: int) -> None:
    for unit in drop_candidates(state):
        assert state.facts.units[unit].serial
        to = drop_target(state, unit, white, red)
        assert _told(state, Drop(unit, white, red, to)) == ()

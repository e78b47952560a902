"""What the sequence of play offers is legal in any position, and makes a game from end to end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_dropzone import facts, positions, rules

from builder.rules.turns import Moment
from builder.rulesets.dropzone.actions import (
    Action,
    Chit,
    DrawAsset,
    DrawUnit,
    Drop,
    Phase,
    PoolLate,
    Receive,
    ReturnChits,
)
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
from builder.rulesets.dropzone.position import read_position
from builder.rulesets.dropzone.sequence import SEQUENCE
from builder.rulesets.dropzone.state import State


def rows(state: State, action: Action) -> set[str]:
    return {b.row for b in rules().judge(state, action)}


# ------------------------------------------------------------------------------ in any position


@given(positions())
def test_a_step_that_is_offered_follows_the_present_one(state: State) -> None:
    phase = next_phase(state)
    assert phase is not None or state.moment == Moment(6, 0, "ENDTURN")
    if phase is not None:
        # what was left undone in the step may be told, but not that the tracker went astray
        assert not rows(state, phase) & {"DZ-3a", "DZ-3.2c", "DZ-3.3d"}
        if state.step != "INIT":  # before a chit is out nobody knows whose activation begins
            assert applied(state, phase).moment == SEQUENCE.following(state.moment)


@given(positions())
def test_draws_chits_and_reinforcements_that_are_offered_are_legal(state: State) -> None:
    offers: list[Action | None] = [pool_late(state), return_chits(state)]
    offers += chit_candidates(state)
    offers += draw_candidates(state)
    offers += draw_unit_candidates(state)
    offers += first_asset_candidates(state)
    offers += (a for k in state.units for a in receive_candidates(state, k))
    for action in offers:
        if action is not None:
            assert rows(state, action) == set(), action


@given(positions(("SETUP",)), st.integers(1, 6), st.integers(1, 6))
def test_a_drop_into_the_hex_that_is_offered_is_legal(state: State, white: int, red: int) -> None:
    for unit in drop_candidates(state):
        assert facts().units[unit].serial
        to = drop_target(state, unit, white, red)
        assert rows(state, Drop(unit, white, red, to)) == set()


# -------------------------------------------------------------------------------- reinforcements


def test_each_german_command_draws_one_unit_in_a_turn_while_the_cup_has_its_units() -> None:
    # the cup: two companies of the 148 and one of the 189
    state = rules().start().but(moment=Moment(2, 1, "RU"))
    drawn: list[tuple[int, str]] = []
    for turn in (2, 3, 4):
        for number, command in enumerate(("148RD", "KGVS"), 1):
            state = state.but(moment=Moment(turn, number, "RU"), command=command)
            while draw := next(iter(draw_unit_candidates(state)), None):
                assert rows(state, draw) == set()
                state = applied(state, draw)
                drawn.append((turn, draw.unit))
                assert [a.area for a in receive_candidates(state, draw.unit)] == list(
                    facts().units[draw.unit].areas
                )
        state = applied(state, Phase(turn, "ENDTURN"))
        state = applied(state, Phase(turn + 1, "ASSETDRAW"))
    assert drawn == [(2, "148-AP"), (2, "189-AP"), (3, "148-Alarm")]


@pytest.mark.parametrize("command", ["517PRCT", "2IPBG"])
def test_the_allies_draw_no_units(command: str) -> None:
    state = rules().start().but(moment=Moment(2, 1, "RU"), command=command)
    assert tuple(draw_unit_candidates(state)) == ()
    assert rows(state, DrawUnit("148-AP")) == {"DZ-4.2.2"}


def test_what_was_due_earlier_may_still_come() -> None:
    for turn in range(1, 7):
        state = rules().start().but(moment=Moment(turn, 1, "RU"), command="KGVS")
        offered = [a for k in state.units for a in receive_candidates(state, k)]
        assert (Receive("242-AG", "H") in offered) is (turn >= 2)
        assert (Receive("2-II-917", "H") in offered) is (turn >= 5)
        assert not any(facts().units[a.unit].command != "KGVS" for a in offered)
        assert not any(facts().units[a.unit].lands for a in offered)
        assert rows(state, Receive("2-II-917", "H")) == (set() if turn >= 5 else {"DZ-3.3b"})


# ------------------------------------------------------------------------------ a whole, empty game


def empty_game() -> tuple[list[Action], list[tuple[Action, set[str]]], State]:
    """Play six turns in which nobody does more than he must, as the sequence asks for it."""
    deeds: list[Action] = []
    broken: list[tuple[Action, set[str]]] = []
    state = rules().start()

    def do(action: Action) -> None:
        nonlocal state
        if told := rows(state, action):
            broken.append((action, told))
        deeds.append(action)
        state = applied(state, action)

    while True:
        for unit in tuple(drop_candidates(state)):
            do(Drop(unit, 1, 1, drop_target(state, unit, 1, 1)))
        while draw := next(iter(draw_candidates(state)), None):
            do(draw)
        if chit := next(iter(chit_candidates(state)), None):
            do(chit)
        if pooled := pool_late(state):
            do(pooled)
        if chits := return_chits(state):
            do(chits)
        if (phase := next_phase(state)) is None:
            return deeds, broken, state
        do(phase)


def test_what_the_sequence_offers_makes_a_game() -> None:
    deeds, broken, state = empty_game()
    # nobody counts points nor lands his gliders, which rows of other chapters tell
    kept = {"DZ-3a", "DZ-3.2b", "DZ-3.2c", "DZ-3.3d", "DZ-3.4a", "DZ-3.4b", "DZ-1.4b", "DZ-1.4g"}
    assert [(a, told & kept) for a, told in broken if told & kept] == []
    assert state.moment == Moment(6, 0, "ENDTURN")
    # from the set-up to the end of turn 6 there are 6 x (1 + 4 x 7 + 1) moments
    assert sum(isinstance(a, Phase) for a in deeds) == 180 - 1
    assert sum(isinstance(a, Chit) for a in deeds) == 24
    assert sum(isinstance(a, ReturnChits) for a in deeds) == 6
    assert sum(isinstance(a, PoolLate) for a in deeds) == 1
    # 12 Allied and 10 German assets, all of them drawn by the end
    draws = [a for a in deeds if isinstance(a, DrawAsset)]
    assert [sum(d.side == s for d in draws) for s in ("Allied", "German")] == [12, 10]
    assert len({d.asset for d in draws}) == 22


def test_the_chits_of_the_start_are_no_chits_that_were_forgotten() -> None:
    state = rules().start()
    for unit in tuple(drop_candidates(state)):
        state = applied(state, Drop(unit, 2, 2, drop_target(state, unit, 2, 2)))
    assert rows(state, Phase(1, "INIT")) == set()
    state = read_position(facts(), "turn 2 ENDTURN after KGVS 148RD 517PRCT 2IPBG")
    assert rows(state, Phase(3, "ASSETDRAW")) == {"DZ-3.4a"}

"""Rule 8: the four ways to share the Commands out, typed by hand."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from strategies_dropzone import actions, facts, states

from builder.rules.core import Ruling
from builder.rulesets.dropzone.actions import Action, Move
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.players import row_of_roster
from builder.rulesets.dropzone.position import read_position
from builder.rulesets.dropzone.state import State

ROSTERS: dict[str, dict[str, tuple[str, ...]]] = {
    "DZ-8a": {"Ann": ("517PRCT", "2IPBG"), "Ben": ("148RD", "KGVS")},
    "DZ-8b": {"Ann": ("517PRCT",), "Ben": ("2IPBG",)},
    "DZ-8c": {"Ann": ("517PRCT",), "Ben": ("2IPBG",), "Cid": ("148RD", "KGVS")},
    "DZ-8d": {"Ann": ("517PRCT",), "Ben": ("2IPBG",), "Cid": ("148RD",), "Dan": ("KGVS",)},
}
UNITS = {"517PRCT": "A-509", "2IPBG": "A-4Para", "148RD": "1-I-239", "KGVS": "1-I-933"}
ROWS = set(ROSTERS)


@pytest.mark.parametrize("row", ROSTERS)
def test_each_player_moves_his_own_units_only(row: str) -> None:
    roster = ROSTERS[row]
    assert row_of_roster(roster) == row
    for command, unit in UNITS.items():
        position = f"turn 2 MOVE {command}\n{unit} 1005"
        state = read_position(facts(), position).but(roster=roster)
        is_played = any(command in names for names in roster.values())
        to = facts().sheet.find("1006")
        assert to is not None
        for player, names in roster.items():
            told = [b for b in book.judge(state, Move(unit, to, by=player)) if b.row in ROWS]
            if command in names or not is_played:
                assert told == []
            else:
                assert [(b.row, b.ruling) for b in told] == [(row, Ruling.WARNING)]


@given(states(), actions())
def test_nothing_is_said_if_the_players_are_not_known(state: State, action: Action) -> None:
    assert not {b.row for b in book.judge(state, action)} & ROWS
    if hasattr(action, "by"):
        stranger = dataclasses.replace(action, by="Eva")
        known = state.but(roster=ROSTERS["DZ-8d"])
        assert not {b.row for b in book.judge(known, stranger)} & ROWS


def test_one_player_alone_may_do_everything() -> None:
    assert row_of_roster({"Ann": ("517PRCT", "2IPBG", "148RD", "KGVS")}) == ""
    assert row_of_roster({"Ann": ("517PRCT", "2IPBG"), "Ben": ()}) == ""

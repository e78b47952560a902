"""The program plays drops: same dice, same drop, all legal; it is told, and read back the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from airdrop_drops import played

from builder.gamebox.events import Changed, Said
from builder.gamebox.open import open_game
from builder.rules.dice import Thrower
from builder.rules.readings import LogMoment
from builder.rulesets.airdrop.actions import ACTIONS, Drift, Phase
from builder.rulesets.airdrop.policy import PlayTable, play_drop
from builder.rulesets.airdrop.ruleset import AirDrop
from builder.rulesets.airdrop.state import State

FOLDER = Path(__file__).parents[2] / "mapdata" / "airdrop"
SCENARIOS = ("us", "german", "russian", "british")
SOME = range(1, 41)
MANY = range(41, 341)


@pytest.fixture(scope="module")
def rules() -> AirDrop:
    return AirDrop.of(open_game(FOLDER))


def table_of(rules: AirDrop, seed: int) -> PlayTable:
    """Return a drop of one of the game's own set-ups."""
    table = PlayTable(rules.start(SCENARIOS[seed % 4]), Thrower(seed))
    play_drop(table)
    return table


def check_legal(table: PlayTable) -> None:
    assert table.refused == [], "whatever the program offers is legal"
    chutes = table.state.chutes.values()
    assert {c.status for c in chutes} & {"BOX", "AERIAL"} == set()
    assert not any(c.status == "LANDED" and not c.is_weapon for c in chutes)
    assert (table.state.turn, table.state.side, table.state.phase) == (3, "Defender", "CCPh")


def always(state: State) -> Callable[[], State]:
    return lambda: state


def check_read(rules: AirDrop, table: PlayTable) -> None:
    told = rules.reader()
    for number, deed in enumerate(table.deeds, 1):
        moment = LogMoment(number, rules.narrate(deed.state, deed.action))
        readings = list(told.feed(moment, always(deed.state)))
        assert [(r.action, r.breaches) for r in readings] == [(deed.action, ())]
    assert list(told.close(lambda: table.state)) == []


@pytest.mark.parametrize("seed", SOME)
def test_a_drop_is_legal(seed: int) -> None:
    check_legal(played(seed))


@pytest.mark.parametrize("seed", SOME)
def test_a_drop_is_told_and_read_back(seed: int, rules: AirDrop) -> None:
    table = table_of(rules, seed)
    check_legal(table)
    check_read(rules, table)


@pytest.mark.soak
@pytest.mark.parametrize("seed", MANY)
def test_many_drops_are_legal_and_read_back(seed: int, rules: AirDrop) -> None:
    check_legal(played(seed))
    table = table_of(rules, seed)
    check_legal(table)
    check_read(rules, table)


def test_the_same_dice_play_the_same_drop() -> None:
    assert [d.action for d in played(5).deeds] == [d.action for d in played(5).deeds]


def test_the_program_does_everything_that_a_drop_has() -> None:
    seen = {type(d.action).__name__ for seed in SOME for d in played(seed).deeds}
    never = {"Load", "Roll", "Rout", "Peek", "Relocate"}  # loaded already, or never called for
    assert seen | never == {kind.__name__ for kind in ACTIONS}
    assert not seen & never


def first_drift(rules: AirDrop) -> tuple[State, Drift]:
    return next(
        (d.state, d.action) for d in table_of(rules, 4).deeds if isinstance(d.action, Drift)
    )


def rows(rules: AirDrop, state: State, *events: Any, actor: str | None = None) -> list[str]:
    seat = actor if actor in ("Attacker", "Defender") else None
    moment = LogMoment(1, tuple(events), actor=actor, seat=seat)
    found = rules.reader().feed(moment, lambda: state)
    return [b.row for reading in found for b in reading.breaches]


def test_a_line_without_dice_is_found(rules: AirDrop) -> None:
    state, drift = first_drift(rules)
    line = [e for e in rules.narrate(state, drift) if isinstance(e, Said)]
    assert rows(rules, state, *line) == ["LOG-ROLL"]


def test_a_line_with_other_dice_is_found(rules: AirDrop) -> None:
    state, drift = first_drift(rules)
    events = [
        Changed(step=1, piece=e.piece, at=e.at, name=e.name, old=None, new=str(7 - drift.white))
        if isinstance(e, Changed) and e.name == "White"
        else e
        for e in rules.narrate(state, drift)
    ]
    assert rows(rules, state, *events) == ["LOG-ROLL"]


def test_an_observer_moves_nothing(rules: AirDrop) -> None:
    state, drift = first_drift(rules)
    assert rows(rules, state, *rules.narrate(state, drift), actor="Nobody") == ["LOG-OBSERVER"]


def test_the_other_side_moves_nothing(rules: AirDrop) -> None:
    state, drift = first_drift(rules)
    assert rows(rules, state, *rules.narrate(state, drift), actor="Defender") == ["LOG-SEAT"]


def test_dice_thrown_again_are_found(rules: AirDrop) -> None:
    state, drift = first_drift(rules)
    told, events = rules.reader(), rules.narrate(state, drift)
    assert list(told.feed(LogMoment(1, events, undone_by=2), lambda: state)) == []
    (again,) = told.feed(LogMoment(3, events), lambda: state)
    assert [b.row for b in again.breaches] == ["LOG-UNDONE"]


def test_the_tracker_tells_the_phase_without_a_line(rules: AirDrop) -> None:
    state, phase = rules.start(), Phase(1, "Attacker", "DRIFT")
    events = [e for e in rules.narrate(state, phase) if not isinstance(e, Said)]
    (found,) = rules.reader().feed(LogMoment(1, tuple(events)), lambda: state)
    assert found.action == phase

"""The program plays drops: same dice, same drop; all of it is told, and read back the same."""

from __future__ import annotations

from typing import Any

import pytest
from airdrop_drops import made_narrator, played, reader

from builder.gamebox.events import Changed, Said
from builder.hexes.grid import Hex
from builder.rules.readings import LogMoment
from builder.rulesets.airdrop.actions import Drift, Phase
from builder.rulesets.airdrop.narrate import Narrator

SOME = range(1, 41)
MANY = range(41, 341)


@pytest.fixture(scope="module")
def narrator() -> Narrator:
    return made_narrator()


def check(seed: int, narrator: Narrator) -> None:
    table = played(seed)
    assert table.refused == [], "whatever the program offers is legal"
    told = reader(narrator)
    for number, deed in enumerate(table.deeds, 1):
        moment = LogMoment(number, narrator.narrate(number, deed.action))
        readings = list(told.feed(moment, lambda: None))
        assert [(r.action, r.breaches) for r in readings] == [(deed.action, ())]
    assert list(told.close(lambda: table.state)) == []
    assert {c.status for c in table.state.chutes.values()} & {"AERIAL"} == set()
    assert table.state.turn == 3


@pytest.mark.parametrize("seed", SOME)
def test_a_drop_is_told_and_read_back(seed: int, narrator: Narrator) -> None:
    check(seed, narrator)


@pytest.mark.soak
@pytest.mark.parametrize("seed", MANY)
def test_many_drops_are_told_and_read_back(seed: int, narrator: Narrator) -> None:
    check(seed, narrator)


def test_the_same_dice_play_the_same_drop() -> None:
    assert [d.action for d in played(5).deeds] == [d.action for d in played(5).deeds]


def a_drift(narrator: Narrator) -> tuple[Any, ...]:
    return narrator.narrate(3, Drift("PA", 5, 3, Hex(21, 19)))


def rows(narrator: Narrator, *events: Any, actor: str | None = None) -> list[str]:
    seat = actor if actor in ("Attacker", "Defender") else None
    moment = LogMoment(1, tuple(events), actor=actor, seat=seat)
    found = reader(narrator).feed(moment, lambda: None)
    return [b.row for reading in found for b in reading.breaches]


def test_a_line_without_dice_is_found(narrator: Narrator) -> None:
    line = [e for e in a_drift(narrator) if isinstance(e, Said)]
    assert rows(narrator, *line) == ["LOG-ROLL"]


def test_a_line_with_other_dice_is_found(narrator: Narrator) -> None:
    events = [
        Changed(step=1, piece=e.piece, at=e.at, name=e.name, old=None, new="1")
        if isinstance(e, Changed) and e.name == "White"
        else e
        for e in a_drift(narrator)
    ]
    assert rows(narrator, *events) == ["LOG-ROLL"]


def test_a_typed_line_with_dice_is_found(narrator: Narrator) -> None:
    words = "E9: DRIFT chute=PA colored=5 white=3 to=1H6"
    typed = Said(step=1, words=words, speaker="Rosa")
    assert rows(narrator, typed) == ["LOG-ROLL"]


def test_an_observer_moves_nothing(narrator: Narrator) -> None:
    assert rows(narrator, *a_drift(narrator), actor="Nobody") == ["LOG-OBSERVER"]


def test_the_other_side_moves_nothing(narrator: Narrator) -> None:
    assert rows(narrator, *a_drift(narrator), actor="Defender") == ["LOG-SEAT"]


def test_dice_thrown_again_are_found(narrator: Narrator) -> None:
    told = reader(narrator)
    first = LogMoment(1, a_drift(narrator), undone_by=2)
    assert list(told.feed(first, lambda: None)) == []
    (again,) = told.feed(LogMoment(3, a_drift(narrator)), lambda: None)
    assert [b.row for b in again.breaches] == ["LOG-UNDONE"]


def test_the_tracker_tells_the_phase_without_a_line(narrator: Narrator) -> None:
    events = narrator.narrate(0, Phase(1, "Attacker", "DRIFT"))[1:]
    (found,) = reader(narrator).feed(LogMoment(1, events), lambda: None)
    assert found.action == Phase(1, "Attacker", "DRIFT")

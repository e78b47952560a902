"""Legal drops with one thing wrong, told and read back: the row that it breaks is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from airdrop_drops import made_narrator, played, reader

from builder.hexes.grid import Hex
from builder.rules.readings import LogMoment
from builder.rulesets.airdrop.actions import (
    Adjust,
    Advance,
    Attack,
    Blow,
    Chain,
    Deploy,
    Drift,
    Elim,
    Fire,
    Land,
    Loss,
    Mark,
    Mc,
    Move,
    Open,
    Peek,
    Phase,
    Place,
    Roll,
    Rout,
    Tc,
    Wing,
)
from builder.rulesets.airdrop.apply import applied
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.facts import step
from builder.rulesets.airdrop.narrate import Narrator
from builder.rulesets.airdrop.state import Chute, State

Change = Callable[[State, Any], tuple[State, Any]]


def further(state: State, action: Any) -> tuple[State, Any]:
    return state, replace(action, to=step(action.to, 1, 2))


def plain(state: State, action: Any) -> tuple[State, Any]:
    start = state.chutes[action.chute].where
    assert start is not None
    white = 5
    return state, replace(action, white=white, to=step(start, action.colored, white))


def instead(make: Callable[[State, Any], Any]) -> Change:
    return lambda state, action: (state, make(state, action))


def fire_of(**changes: Any) -> Change:
    fire = Fire("ge", "PA", 4, colored=5, white=6, drm=("HAZARDOUS",), sum=-2)
    return instead(lambda state, action: replace(fire, **changes))


def again(state: State, action: Any) -> tuple[State, Any]:
    fire = Fire("ge", action.chute, 4, colored=5, white=6, drm=("HAZARDOUS",), sum=-2)
    return applied(state, fire), fire


def deployed(state: State, action: Any) -> tuple[State, Any]:
    return applied(state, Deploy(action.chute)), Tc(action.chute, 0, 3, 3, True)


def flown(state: State) -> State:
    return replace(state, chutes={**state.chutes, "WA": Chute("WA", Hex(20, 20), "LANDED")})


MUTANTS: list[tuple[str, type, int, Change]] = [
    ("E9.1a", Place, 0, lambda s, a: (replace(s, weather="RAIN"), a)),
    ("E9.1b", Drift, 0, lambda s, a: (replace(s, wind_dir=0), a)),
    ("E9.2a", Drift, 0, lambda s, a: (replace(s, phase="PFPh"), a)),
    ("E9.2b", Drift, 0, further),
    ("E9.2c", Drift, 1, plain),
    ("E9.2d", Drift, 2, plain),
    ("E9.2h", Blow, 0, further),
    ("E9.3a", Drift, 0, fire_of()),
    ("E9.3c", Land, 0, fire_of(drm=("LV",))),
    ("E9.3d", Land, 0, fire_of(drm=("HAZARDOUS", "TEM"))),
    ("E9.11k", Land, 0, fire_of(drm=("HAZARDOUS", "CONCEALED"))),
    ("E9.32a", Land, 0, fire_of(weapon="ORDNANCE")),
    ("E9.1d", Land, 0, instead(lambda s, a: Move("ldB", Hex(20, 20)))),
    ("E9.5b", Land, 0, instead(lambda s, a: Rout("ldB", Hex(20, 20)))),
    ("E9.12a", Wing, 0, instead(lambda s, a: replace(a, dp=Hex(14, 18)))),
    ("E9.12g", Place, 0, instead(lambda s, a: replace(a, hex=step(a.hex, 1, 6)))),
    ("E9.11a", Wing, 0, instead(lambda s, a: replace(a, sticks=tuple("ABCDEF")))),
    ("E9.12d", Place, 0, instead(lambda s, a: Phase(1, "Attacker", "PFPh"))),
    ("E9.4d", Elim, 1, instead(lambda s, a: Phase(1, "Attacker", "CHECKS"))),
    ("E9.6b", Open, 0, instead(lambda s, a: Phase(1, "Attacker", "CCPh"))),
    ("E9.11e", Open, 0, instead(lambda s, a: replace(a, units=("ldZ",)))),
    ("E9.33c", Open, 0, instead(lambda s, a: replace(a, broken=not a.broken))),
    ("E9.5a", Open, 0, lambda s, a: (replace(s, phase="AFPh"), Attack("ldB", a.hex))),
    ("E9.6a", Phase, 0, instead(lambda s, a: Advance("ldB", Hex(20, 20)))),
    ("E9.4f", Open, 0, lambda s, a: (flown(s), Peek("WA", "Attacker"))),
    ("E9.3f", Land, 0, fire_of(hit=("PA", "PB"))),
    ("E9.3g", Adjust, 0, lambda s, a: again(s, a)),
    ("E9.31a", Land, 0, fire_of(drm=("HAZARDOUS", "SMOKE"), sum=4)),
    ("E9.3h", Adjust, 0, lambda s, a: (replace(s, phase="FIRSTFIRE"), Mark("RESIDUAL", "ge"))),
    ("E9.32d", Adjust, 0, lambda s, a: (replace(s, phase="FIRSTFIRE"), Mark("FIRELANE", "ge"))),
    ("E9.3i", Land, 0, instead(lambda s, a: Roll("PTC", a.chute, 3, 4))),
    ("E9.32b", Land, 0, instead(lambda s, a: Roll("TH", a.chute, 3, 4))),
    ("E9.32c", Land, 0, instead(lambda s, a: Roll("SNIPER", a.chute, 3, 4))),
    ("E9.6c", Land, 0, instead(lambda s, a: Roll("LLMC", a.chute, 3, 4))),
    ("E9.11l", Land, 0, instead(lambda s, a: Mark("CONCEALED", a.chute))),
    ("E9.33d", Land, 0, instead(lambda s, a: Loss(a.chute, ("ldB",), "ELIM"))),
    ("E9.2e", Blow, 0, instead(lambda s, a: Drift(a.chute, 1, 1, a.to))),
    ("E9.33a", Open, 0, instead(lambda s, a: Mc(a.chute, 0, 3, 3, True))),
    ("E9.42f", Deploy, 0, further),
    ("E9.42e", Deploy, 0, instead(lambda s, a: replace(a, revealed=()))),
    ("E9.42g", Open, 0, lambda s, a: deployed(s, a)),
    ("E9.4a", Adjust, 0, further),
    ("E9.4b", Land, 0, instead(lambda s, a: replace(a, place="UPPER"))),
    ("E9.33b", Tc, 0, instead(lambda s, a: replace(a, passed=not a.passed))),
    ("E9.42a", Mc, 0, instead(lambda s, a: Tc(a.chute, a.plus, a.colored, a.white, a.passed))),
    ("E9.42c", Tc, 0, instead(lambda s, a: Mc(a.chute, a.plus, a.colored, a.white, a.passed))),
    ("E9.42b", Tc, 0, instead(lambda s, a: Chain(a.chute, Hex(20, 20)))),
    ("E9.42d", Tc, 0, instead(lambda s, a: Deploy(a.chute))),
    ("E9.42i", Tc, 0, instead(lambda s, a: replace(a, plus=a.plus + 1))),
]


@pytest.fixture(scope="module")
def narrator() -> Narrator:
    return made_narrator()


def caught(row: str, kind: type, nation: int, change: Change, narrator: Narrator) -> bool:
    for seed in range(nation, 40, 4):
        for number, deed in enumerate(played(seed).deeds, 1):
            if not isinstance(deed.action, kind):
                continue
            state, wrong = change(deed.state, deed.action)
            moment = LogMoment(number, narrator.narrate(number, wrong))
            (reading,) = reader(narrator).feed(moment, lambda: None)
            if any(b.row == row for b in book.judge(state, reading.action)):
                return True
    return False


@pytest.mark.parametrize(("row", "kind", "nation", "change"), MUTANTS)
def test_a_mutant_is_caught(
    row: str,
    kind: type,
    nation: int,
    change: Change,
    narrator: Narrator,
    record_property: Callable[[str, object], None],
) -> None:
    assert caught(row, kind, nation, change, narrator)
    record_property("row caught", row)


def test_every_row_with_a_judge_is_due(record_property: Callable[[str, object], None]) -> None:
    for row in book.judging:
        record_property("row due", row)
    assert {row for row, *_ in MUTANTS} <= set(book.judging)

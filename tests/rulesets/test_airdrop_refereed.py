"""No false alarm: legal drops refereed with lines, without any, and with verified figures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from airdrop_logs import Log, findings

from builder.gamebox.open import open_game
from builder.rules.dice import Thrower
from builder.rulesets.airdrop.facts import Figures
from builder.rulesets.airdrop.policy import PlayTable, play_drop
from builder.rulesets.airdrop.ruleset import AirDrop

FOLDER = Path(__file__).parents[2] / "mapdata" / "airdrop"
SCENARIOS = ("us", "german", "russian", "british")
SOME = range(1, 41)
MANY = range(41, 341)
OF_SIDE = {"Attacker": "Ann", "Defender": "Dora"}


@pytest.fixture(scope="module")
def rules() -> AirDrop:
    return AirDrop.of(open_game(FOLDER))


def log_of(rules: AirDrop, seed: int, figures: Figures) -> Log:
    start = replace(rules.start(SCENARIOS[seed % 4]), figures=figures)
    table = PlayTable(start, Thrower(seed))
    play_drop(table)
    log = Log(rules, start)
    for deed in table.deeds:
        log.act(deed.action, OF_SIDE[rules.actor(deed.state, deed.action)])
    return log


def check(rules: AirDrop, seed: int) -> None:
    ours = rules.facts.figures
    assert ours.ours, "nobody has verified them yet"
    log = log_of(rules, seed, ours)
    assert [f"{f.step} {f.breach.row} {f.breach.message}" for f in findings(log)] == []
    silent = log.without_lines()
    assert [f"{f.step} {f.breach.row} {f.breach.message}" for f in findings(silent)] == []
    verified = log_of(rules, seed, replace(ours, ours=frozenset()))
    assert [f"{f.step} {f.breach.row} {f.breach.message}" for f in findings(verified)] == []


@pytest.mark.parametrize("seed", SOME)
def test_a_legal_drop_raises_no_alarm(seed: int, rules: AirDrop) -> None:
    check(rules, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", MANY)
def test_many_legal_drops_raise_no_alarm(seed: int, rules: AirDrop) -> None:
    check(rules, seed)

"""A legal game gives no finding: read from its events, with the module's lines and without them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from builder.gamebox.events import Event, Said, TurnChanged
from builder.gamebox.open import open_game
from builder.rules.core import Ruling
from builder.rules.playthrough import Playthrough
from builder.rules.readings import LogMoment
from builder.rules.referee import Judged, refereed
from builder.rulesets.dropzone.actions import Action
from builder.rulesets.dropzone.facts import Facts
from builder.rulesets.dropzone.ruleset import DropZone
from builder.rulesets.dropzone.state import State

FOLDER = Path(__file__).parents[2] / "mapdata" / "dropzone"

Game = Playthrough[State, Action]


@pytest.fixture(scope="module")
def rules() -> DropZone:
    return DropZone.of(open_game(FOLDER))


@pytest.fixture(scope="module")
def verified(rules: DropZone) -> DropZone:
    """The same rules as if the rulebook gave every figure: nothing hides behind "unverified"."""
    return replace(rules, facts=_verified(rules.facts))


def _verified(facts: Facts) -> Facts:
    figures = {
        key: row._replace(move_is_ours=False, attacker_is_ours=False, defender_is_ours=False)
        for key, row in facts.ground.figures.items()
    }
    turns = {
        number: replace(
            turn,
            rp=turn.rp._replace(is_ours=False),
            assets={s: f._replace(is_ours=False) for s, f in turn.assets.items()},
        )
        for number, turn in facts.turns.items()
    }
    return replace(
        facts,
        ground=type(facts.ground).of(facts.sheet, figures),
        units={k: replace(u, is_ours=False) for k, u in facts.units.items()},
        assets={k: replace(a, is_ours=False) for k, a in facts.assets.items()},
        turns=turns,
        dice_is_ours=dict.fromkeys(facts.dice_is_ours, False),
    )


def _moments(rules: DropZone, game: Game, *, lines: bool = True) -> Iterator[LogMoment]:
    number = 0
    for state, action in game.deeds:
        for _, group in groupby(rules.narrate(state, action), key=lambda e: e.step):
            events: tuple[Event, ...] = tuple(group)
            if not lines:
                events = tuple(e for e in events if not isinstance(e, Said | TurnChanged))
            if events:
                number += 1
                yield LogMoment(number, events)


def _judged(
    rules: DropZone, game: Game, scenario: str, *, lines: bool = True
) -> Judged[State, Action]:
    moments = _moments(rules, game, lines=lines)
    return refereed(rules, rules.start(scenario), moments, has_tracker=lines)


def _written(rules: DropZone, actions: list[Action]) -> list[str]:
    # who typed the result is known only to the log; the marks of attackers mean nothing
    lines = [rules.write_action(a) for a in actions]
    return [line.split(" by=")[0] for line in lines if not line.startswith("RESET")]


def _seeds(scenario: str, count: int) -> list[tuple[str, int]]:
    return [(scenario, seed) for seed in range(1, count + 1)]


GAMES = [*_seeds("standard", 28), *_seeds("ghost", 12)]
MANY = [*_seeds("standard", 220), *_seeds("ghost", 80)]
WITHOUT_LINES = {"DZ-3.2b", "DZ-5.2.6a", "DZ-5.2.5", "DZ-5.2.1a", "DZ-1.2aa", "DZ-5.2.2d"}
"""Rows that may warn where no line says which hex was attacked, or which Command passed."""


def _check(rules: DropZone, verified: DropZone, scenario: str, seed: int) -> None:
    game = rules.play(scenario, seed)
    with_lines = _judged(rules, game, scenario)
    assert [(f.step, f.breach) for f in with_lines.found] == []
    expected = _written(rules, [d.action for d in game.deeds])
    assert _written(rules, [a for _, a, _ in with_lines.actions]) == expected
    assert with_lines.state.units == game.end.units
    assert with_lines.state.garrisons == game.end.garrisons
    assert _judged(verified, game, scenario).found == []
    without = _judged(rules, game, scenario, lines=False)
    assert [f for f in without.found if f.ruling is Ruling.ILLEGAL] == []
    assert {f.breach.row for f in without.found} <= WITHOUT_LINES
    assert {k: u.place for k, u in without.state.units.items()} == {
        k: u.place for k, u in game.end.units.items()
    }


@pytest.mark.parametrize(("scenario", "seed"), GAMES)
def test_a_legal_game_gives_no_finding(
    rules: DropZone, verified: DropZone, scenario: str, seed: int
) -> None:
    _check(rules, verified, scenario, seed)


@pytest.mark.soak
@pytest.mark.parametrize(("scenario", "seed"), MANY[len(GAMES) :])
def test_many_legal_games_give_no_finding(
    rules: DropZone, verified: DropZone, scenario: str, seed: int
) -> None:
    _check(rules, verified, scenario, seed)


def test_logs_without_lines_are_read_nearly_as_well(rules: DropZone) -> None:
    findings: Counter[str] = Counter()
    for scenario, seed in GAMES[:12]:
        game = rules.play(scenario, seed)
        findings.update(f.breach.row for f in _judged(rules, game, scenario, lines=False).found)
    assert findings.total() <= 6

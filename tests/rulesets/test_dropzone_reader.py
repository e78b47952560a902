"""A legal game gives no finding: read from its events, with the module's lines and without them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from builder.gamebox.events import Said, TurnChanged
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


def _moments(rules: DropZone, game: Game) -> list[LogMoment]:
    found: list[LogMoment] = []
    for state, action in game.deeds:
        for _, group in groupby(rules.narrate(state, action), key=lambda e: e.step):
            found.append(LogMoment(len(found) + 1, tuple(group)))
    return found


def _without_lines(moments: list[LogMoment]) -> Iterator[LogMoment]:
    for moment in moments:
        events = tuple(e for e in moment.events if not isinstance(e, Said | TurnChanged))
        if events:
            yield replace(moment, events=events)


def _judged(
    rules: DropZone, scenario: str, moments: list[LogMoment], *, lines: bool = True
) -> Judged[State, Action]:
    seen = moments if lines else list(_without_lines(moments))
    return refereed(rules, rules.start(scenario), seen, has_tracker=lines)


def _written(rules: DropZone, actions: list[Action]) -> list[str]:
    # who typed the result is known only to the log; the marks of attackers mean nothing
    lines = [rules.write_action(a) for a in actions]
    return [line.split(" by=")[0] for line in lines if not line.startswith("RESET")]


def _seeds(scenario: str, count: int) -> list[tuple[str, int]]:
    return [(scenario, seed) for seed in range(1, count + 1)]


GAMES = [*_seeds("standard", 28), *_seeds("ghost", 12)]
MANY = [*GAMES, *_seeds("standard", 220)[28:], *_seeds("ghost", 80)[12:]]
WITHOUT_LINES = {"DZ-1.4m"}
"""Rows that may warn where no line says in which step a point of Regroup was spent."""


def _check(rules: DropZone, verified: DropZone, scenario: str, seed: int) -> None:
    game = rules.play(scenario, seed)
    moments = _moments(rules, game)
    with_lines = _judged(rules, scenario, moments)
    assert [(f.step, f.breach) for f in with_lines.found] == []
    expected = _written(rules, [d.action for d in game.deeds])
    assert _written(rules, [a for _, a, _ in with_lines.actions]) == expected
    assert with_lines.state.units == game.end.units
    assert with_lines.state.garrisons == game.end.garrisons
    assert _judged(verified, scenario, moments).found == []
    without = _judged(rules, scenario, moments, lines=False)
    assert [f for f in without.found if f.ruling is Ruling.ILLEGAL] == []
    assert {f.breach.row for f in without.found} <= WITHOUT_LINES
    assert len(without.found) <= 1
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

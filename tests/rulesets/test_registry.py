"""Which rule set a game has, and what is said if nobody offers it."""

import dataclasses
from pathlib import Path

import pytest

from builder.gamebox.model import Game
from builder.gamebox.open import open_game
from builder.problems import DataError
from builder.rules.core import Ruleset
from builder.rulesets.dropzone.actions import Action
from builder.rulesets.dropzone.ruleset import DropZone
from builder.rulesets.dropzone.state import State
from builder.rulesets.registry import known_rulesets, rules_problems, ruleset_of

FOLDER = Path(__file__).parents[2] / "mapdata" / "dropzone"


@pytest.fixture(scope="module")
def game() -> Game:
    return open_game(FOLDER)


def test_the_game_finds_its_rules(game: Game) -> None:
    assert "dropzone" in known_rulesets()
    found = ruleset_of(game)
    assert isinstance(found, DropZone)
    rules: Ruleset[State, Action] = found  # mypy holds it against what every rule set answers
    assert rules.name == "dropzone"
    assert rules_problems(game) == ()


def test_a_game_without_rules_has_none(game: Game) -> None:
    bare = dataclasses.replace(game, ruleset="")
    assert ruleset_of(bare) is None
    assert rules_problems(bare) == ()


def test_rules_that_nobody_offers_are_told_with_place_and_hint(game: Game) -> None:
    other = dataclasses.replace(game, ruleset="dropzones")
    line = 1 + [t.split(" ")[0] for t in (FOLDER / "game.toml").read_text().split("\n")].index(
        "ruleset"
    )
    (problem,) = rules_problems(other)
    assert str(problem).startswith(f"game.toml:{line}:")
    assert "'dropzones'" in problem.message
    assert "dropzone" in problem.message.split("'dropzones'")[1]
    with pytest.raises(DataError):
        ruleset_of(other)

"""Every example of a game's rules comes out as it says, also those of what its data must hold."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from builder.gamebox.open import open_game, read_game
from builder.problems import Problem, ProblemLog
from builder.rules.data_examples import DataExample, data_failures_of, open_data_examples
from builder.rules.examples import Example, failures_of, open_examples
from builder.rulesets.registry import rules_problems, ruleset_of

MAPDATA = Path(__file__).parents[2] / "mapdata"
GAMES = ("airdrop", "dropzone")
_LOGS = {game: ProblemLog() for game in GAMES}
EXAMPLES = [(game, e) for game in GAMES for e in open_examples(MAPDATA / game, _LOGS[game])]
DATA = [(game, e) for game in GAMES for e in open_data_examples(MAPDATA / game, _LOGS[game])]


@cache
def rules_of(game: str) -> Any:
    return ruleset_of(open_game(MAPDATA / game))


def problems_of(folder: Path) -> list[Problem]:
    game, problems = read_game(folder)
    assert game is not None
    return [*problems, *rules_problems(game)]


@pytest.mark.parametrize("game", GAMES)
def test_examples_can_be_read(game: str) -> None:
    assert not _LOGS[game].problems
    assert any(g == game for g, _ in EXAMPLES)
    assert any(g == game for g, _ in DATA)


@pytest.mark.parametrize(("game", "example"), EXAMPLES, ids=[f"{g}/{e.id}" for g, e in EXAMPLES])
def test_example(game: str, example: Example) -> None:
    assert failures_of(example, rules_of(game)) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_game_itself_is_in_order(game: str) -> None:
    assert problems_of(MAPDATA / game) == []


@pytest.mark.parametrize(("game", "example"), DATA, ids=[f"{g}/{e.id}" for g, e in DATA])
def test_data_example(game: str, example: DataExample) -> None:
    assert data_failures_of(example, MAPDATA / game, problems_of) == []

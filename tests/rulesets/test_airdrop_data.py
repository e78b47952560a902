"""The air drop's own files are in order, and every change of them that breaks a row is told."""

from pathlib import Path

import pytest

from builder.gamebox.open import read_game
from builder.problems import Problem, ProblemLog
from builder.rules.data_examples import DataExample, data_failures_of, open_data_examples
from builder.rulesets.registry import rules_problems

FOLDER = Path(__file__).parents[2] / "mapdata" / "airdrop"
_LOG = ProblemLog()
EXAMPLES = open_data_examples(FOLDER, _LOG)


def problems_of(folder: Path) -> list[Problem]:
    game, problems = read_game(folder)
    assert game is not None
    return [*problems, *rules_problems(game)]


def test_examples_can_be_read() -> None:
    assert not _LOG.problems
    assert EXAMPLES


def test_the_game_itself_is_in_order() -> None:
    assert problems_of(FOLDER) == []


@pytest.mark.parametrize("example", EXAMPLES, ids=[e.id for e in EXAMPLES])
def test_example(example: DataExample) -> None:
    assert data_failures_of(example, FOLDER, problems_of) == []

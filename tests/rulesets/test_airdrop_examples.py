"""Every example of the air drop's rules comes out as it says."""

from pathlib import Path

import pytest

from builder.gamebox.open import open_game
from builder.problems import ProblemLog
from builder.rules.examples import Example, failures_of, open_examples
from builder.rulesets.airdrop.ruleset import AirDrop

FOLDER = Path(__file__).parents[2] / "mapdata" / "airdrop"
_LOG = ProblemLog()
EXAMPLES = open_examples(FOLDER, _LOG)


@pytest.fixture(scope="module")
def rules() -> AirDrop:
    return AirDrop.of(open_game(FOLDER))


def test_examples_can_be_read() -> None:
    assert not _LOG.problems
    assert EXAMPLES


@pytest.mark.parametrize("example", EXAMPLES, ids=[e.id for e in EXAMPLES])
def test_example(example: Example, rules: AirDrop) -> None:
    assert failures_of(example, rules) == []

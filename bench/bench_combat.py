"""Judging combat in Drop Zone: run with ``pytest bench/bench_combat.py --benchmark-enable``.

The rulebook's examples 1 to 3, and a crowded fight, taken action by action.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from builder.gamebox.open import open_game
from builder.rulesets.dropzone.actions import Action
from builder.rulesets.dropzone.candidates_combat import (
    attack_candidates,
    attack_sets,
    commit_candidates,
    join_candidates,
)
from builder.rulesets.dropzone.hits import allocations
from builder.rulesets.dropzone.ruleset import DropZone
from builder.rulesets.dropzone.state import State, Volley

GAME = Path(__file__).parents[1] / "mapdata" / "dropzone"

EXAMPLES = """
ATTACK n=1 target=0811
JOIN n=1 unit=242-AG
JOIN n=1 unit=1-I-933
JOIN n=1 unit=2-I-933
COMMIT side=German attack=1 asset=GA-3
COMMIT side=Allied attack=1 asset=AA-9
USE asset=GA-3 mode=IF attack=1
USE asset=AA-9 mode=IF attack=1
ROLL side=German kind=IF attack=1 faces=airborne,ffi,ffi
LOSE unit=A-1-517 cause=IF attack=1
ROLL side=Allied kind=IF attack=1 faces=infantry
LOSE unit=1-I-933 cause=IF attack=1
ROLL side=German kind=COMBAT attack=1 faces=armor,ffi,ffi,miss,miss
ROLL side=Allied kind=COMBAT attack=1 faces=armor,infantry,miss
LOSE unit=A-1-517 cause=COMBAT attack=1
LOSE unit=G-Roche-Rousse cause=COMBAT attack=1
LOSE unit=242-AG cause=COMBAT attack=1
LOSE unit=1-I-933 cause=COMBAT attack=1
ADVANCE unit=2-I-933 to=0811 attack=1
"""
START = "242-AG 0810\n1-I-933 0911\n2-I-933 0912\nA-1-517 0811\nG-Roche-Rousse Allied"


@pytest.fixture(scope="module")
def rules() -> DropZone:
    return DropZone.of(open_game(GAME))


def _whole_game(rules: DropZone) -> State:
    """Return the position of the examples among all the garrisons and units of a real game."""
    state = rules.position((), f"start\n{START}\nGA-3 HAND\nAA-9 HAND")
    return rules.position((), "turn 2 COMBAT KGVS").but(
        units=state.units, garrisons=state.garrisons, assets=state.assets
    )


def test_judge_and_apply_examples(benchmark: BenchmarkFixture, rules: DropZone) -> None:
    """19 actions: every one is judged, then applied."""
    start = _whole_game(rules)
    actions: list[Action] = [rules.read_action(line) for line in EXAMPLES.split("\n") if line]

    def judge_all() -> int:
        state, told = start, 0
        for action in actions:
            told += sum(1 for _ in rules.judge(state, action))
            state = rules.apply(state, action)
        return told

    assert benchmark(judge_all) == 0


def test_offers_of_an_attack(benchmark: BenchmarkFixture, rules: DropZone) -> None:
    """All targets, all sets of attackers, who may join, and the assets of both sides."""
    start = _whole_game(rules)
    announced = rules.apply(start, rules.read_action("ATTACK n=1 target=0811"))
    joined = rules.apply(announced, rules.read_action("JOIN n=1 unit=242-AG"))

    def offer() -> int:
        fresh = start.but(command=start.command)
        count = len(list(attack_candidates(fresh))) + len(list(attack_sets(fresh)))
        count += sum(len(list(join_candidates(announced, k))) for k in announced.units)
        return count + sum(len(list(commit_candidates(joined, s))) for s in ("German", "Allied"))

    assert benchmark(offer) > 5


def test_every_allocation_of_a_crowded_roll(benchmark: BenchmarkFixture, rules: DropZone) -> None:
    """Six units of three kinds, eight faces that score: all ways of losing steps."""
    state = rules.position((), START)
    targets = (("191-Tank", 1), ("A-509", 2), ("B-509", 2), ("FFI-4", 2), ("FFI-7", 2))
    faces = ("armor", "armor", "airborne", "airborne", "ffi", "ffi", "ffi", "miss")
    volley = Volley("COMBAT", "German", faces, targets)
    assert benchmark(lambda: len(list(allocations(state, volley)))) > 3

"""Judging Drop Zone: run with ``pytest bench/bench_rules.py --benchmark-enable``.

Goals: all legal moves of all units of a Command in 50 ms, and 4,000 judged actions a second, both
on positions and actions of a game that the program has played; and such a game in 2 s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from builder.gamebox.open import open_game
from builder.rulesets.dropzone.actions import Action, Move
from builder.rulesets.dropzone.candidates_moves import move_candidates, why_not
from builder.rulesets.dropzone.ruleset import DropZone
from builder.rulesets.dropzone.state import State

GAME = Path(__file__).parents[1] / "mapdata" / "dropzone"
SEED = 1
Note = Callable[[str, float], None]


@cache
def rules() -> DropZone:
    return DropZone.of(open_game(GAME))


@cache
def deeds() -> Sequence[tuple[State, Action]]:
    """Return every action of a whole game, with the state before it."""
    return tuple((d.state, d.action) for d in rules().play("standard", SEED).deeds)


def fresh(state: State) -> State:
    """Return a state with nothing worked out yet: positions, zones, reach."""
    return state.but(marker=state.marker)


def legal_moves(state: State) -> Iterator[Move]:
    """Yield every legal move of every unit of the active Command."""
    for unit in state.command_units(state.command):
        for move in move_candidates(state, unit):
            if not any(True for _ in rules().judge(state, move)):
                yield move


def test_legal_moves_of_a_command(benchmark: Any, figure: Note) -> None:
    """The position of the game with most moves; goal 50 ms."""
    first = {id(s): s for s, a in deeds() if isinstance(a, Move)}.values()
    state = max(first, key=lambda s: sum(1 for _ in legal_moves(s)))
    count = benchmark(lambda: sum(1 for _ in legal_moves(fresh(state))))
    figure("legal moves", count)
    if benchmark.stats is not None:
        figure("ms for all of them (goal 50)", 1000 * benchmark.stats.stats.median)


def test_judged_actions(benchmark: Any, figure: Note) -> None:
    """A whole game judged and followed from its start; goal 4,000 actions a second."""
    actions = [action for _, action in deeds()]

    def referee() -> int:
        state, told = rules().start(), 0
        for action in actions:
            told += sum(1 for _ in rules().judge(state, action))
            state = rules().apply(state, action)
        return told

    benchmark(referee)
    if benchmark.stats is not None:
        figure("actions a second (goal 4,000)", len(actions) / benchmark.stats.stats.median)


def test_judged_moves(benchmark: Any, figure: Note) -> None:
    """Only the moves of that game, each in a state of which nothing is known yet."""
    moves = [(s, a) for s, a in deeds() if isinstance(a, Move)]

    def judge() -> int:
        return sum(1 for s, a in moves for _ in rules().judge(fresh(s), a))

    benchmark(judge)
    if benchmark.stats is not None:
        figure("judged moves a second", len(moves) / benchmark.stats.stats.median)


def test_a_game_that_plays_itself(benchmark: Any, figure: Note) -> None:
    """A whole game, every action of which is found legal before it is taken; goal 2 s."""
    played = benchmark(lambda: rules().play("standard", SEED))
    figure("actions of the game", len(played.deeds))
    if benchmark.stats is not None:
        figure("seconds for the game (goal 2)", benchmark.stats.stats.median)


def test_moves_that_are_too_far(benchmark: Any, figure: Note) -> None:
    """Why a unit cannot go to each hex of the map: with ways, sums and reasons."""
    state = rules().position((), "start\nturn 2 MOVE 517PRCT\nA-509 1613\nB-509 1512\n1-I-765 1713")
    hexes = tuple(state.facts.sheet.hexes())
    told = benchmark(lambda: sum(bool(why_not(state, "A-509", h)) for h in hexes))
    figure("hexes that are told of", told)


@pytest.mark.parametrize("command", ["148RD", "KGVS"])
def test_offers_of_the_first_turn(benchmark: Any, command: str) -> None:
    """The offers of turn 1, before anybody has dropped."""
    state = rules().position((), f"start\nturn 1 MOVE {command}")
    assert benchmark(lambda: sum(1 for _ in legal_moves(fresh(state)))) > 0

"""Whole games as text in ``tests/playthroughs``: what the program plays, and what it comes to.

A change of rules or players shows here as a diff of a game. After reading it:
``pytest tests/rulesets/test_playthroughs.py --update-golden``.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from builder.gamebox.open import open_game
from builder.jobs.play_game import play_game
from builder.report.playthrough import action_lines
from builder.rulesets.registry import known_rulesets, ruleset_of
from builder.workspace import open_workspace

FOLDER = Path(__file__).parents[1] / "playthroughs"

GAMES = [
    ("dropzone", "standard", 1944),
    ("dropzone", "ghost", 1945),
    ("airdrop", "us", 1944),
    ("airdrop", "british", 1945),
    ("airdrop", "russian", 1943),
    ("airdrop", "german", 1941),
]

KEPT = sorted(path.stem for path in FOLDER.glob("*.txt"))


def of_game(name: str) -> Any:
    return ruleset_of(open_game(open_workspace().game_folder(name)))


@pytest.mark.parametrize(("game", "scenario", "seed"), GAMES)
def test_the_game_is_played_as_before(golden: Any, game: str, scenario: str, seed: int) -> None:
    golden.folder = FOLDER
    played = play_game(open_workspace().game_folder(game), scenario=scenario, seed=seed)
    golden.text(f"{game}-{scenario}", "\n".join(played.lines))


@pytest.mark.parametrize(("game", "scenario", "seed"), GAMES)
def test_its_lines_are_replayed_to_the_same_end(game: str, scenario: str, seed: int) -> None:
    text = (FOLDER / f"{game}-{scenario}.txt").read_text(encoding="utf-8")
    assert f"seed {seed}" in text.splitlines()[0]
    rules = of_game(game)
    state = rules.start(scenario)
    for line in action_lines(text):
        action = rules.read_action(line)
        assert rules.write_action(action) == line
        assert [f"{b.row} {b.message}" for b in rules.judge(state, action)] == [], line
        state = rules.apply(state, action)
    assert getattr(state, "result", "a drop is won by no rule of its section")
    told = " ".join(text[text.index("# --- The end") :].replace("#", " ").split())
    assert told == " ".join(("--- The end", *" ".join(rules.summary(state)).split()))


def test_every_rule_set_has_a_playthrough() -> None:
    offered = {point.name for point in entry_points(group="builder.rulesets")}
    assert set(known_rulesets()) == offered
    missing = {n for n in offered if not any(k.startswith(f"{n}-") for k in KEPT)}
    assert missing == set(), f"no playthrough in {FOLDER} of: {missing}"


def test_every_playthrough_is_played() -> None:
    assert sorted(f"{game}-{scenario}" for game, scenario, _ in GAMES) == KEPT

"""Boxes in private windows: where counters start in them, and what is wrong with a file of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from builder.gamebox.open import open_game, read_game
from builder.vassal.game_map import start_spot

AIRDROP = Path(__file__).parents[2] / "mapdata" / "airdrop"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    copied = tmp_path / "airdrop"
    shutil.copytree(AIRDROP, copied)
    return copied


def changed(folder: Path, name: str, old: str, new: str) -> list[str]:
    path = folder / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return [str(p) for p in read_game(folder)[1]]


def test_a_counter_starts_in_a_box_of_a_private_window() -> None:
    game = open_game(AIRDROP)
    (hand,) = game.module.hand
    window, x, y = start_spot(game, "BoxF")
    assert window == hand.name
    # the sixth box begins the second row of five
    rows = hand.boxes[0]
    assert rows.x < x < rows.x + rows.width
    assert rows.y + rows.height < y < rows.y + 2 * rows.height + rows.gap
    assert start_spot(game, "1K5")[0] == game.map.name
    with pytest.raises(KeyError):
        start_spot(game, "BoxZ")


def test_a_box_outside_of_its_window_is_told(folder: Path) -> None:
    (problem,) = changed(folder, "module.toml", "height = 680", "height = 600")
    assert problem.startswith("module.toml:")
    assert "'Reserve' lies outside" in problem


def test_a_name_that_stands_twice_is_told(folder: Path) -> None:
    problems = changed(folder, "module.toml", '"BoxB"', '"BoxA"')
    assert any("there is a box 'BoxA' already" in p for p in problems)
    # what starts in the box that is gone is told at its own place
    assert any(p.startswith("scenarios/us.toml:") and "'BoxB'" in p for p in problems)


def test_labels_must_fit_the_names(folder: Path) -> None:
    (problem,) = changed(folder, "module.toml", 'labels = ["A", "B", ', 'labels = ["B", ')
    assert "as many labels as names" in problem


def test_a_scenario_needs_a_slot_for_its_counter(folder: Path) -> None:
    (problem,) = changed(folder, "counters.csv", "US-DC,DC,Attacker,US,sw", "US-DC,DC,Attacker,,sw")
    assert problem.startswith("scenarios/us.toml:")
    assert "'US-DC' needs a palette" in problem

"""Cups, hands, buttons and set-ups of the Drop Zone module, for both sides and for one player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from engine.vassal import EngineRun

from builder.gamebox.model import Game
from builder.gamebox.module_file import DeckTable

pytestmark = pytest.mark.engine

Vassal = Callable[..., EngineRun]

SEATS = ("Allied", "German", "Solo")


def _own_cups(game: Game, seat: str) -> list[DeckTable]:
    """The cups that a seat may draw from: the real mouse at others' is in test_lines.py."""
    return [deck for deck in game.module.deck if seat == "Solo" or deck.side in ("", seat)]


@pytest.fixture(scope="module")
def runs(vassal: Vassal, dropzone_module: Any, dropzone: Game) -> EngineRun:
    """For every seat: both hands, every deck's menu, every button, a card from every cup."""
    module = dropzone.module
    lines: list[str] = []
    for seat in SEATS:
        lines += [f'newgame "{seat}"', "deckmenus"]
        for hand in module.hand:  # closed at first
            lines += [f'press "{hand.name}"', f'showing "{hand.name}"']
        lines += ["press ChitsBack"]
        lines += [f'draw "{deck.name}" 1010' for deck in _own_cups(dropzone, seat)]
        lines += ["turn next"] * 31
        lines += [f'press "{button.name}"' for button in module.button]
        lines += ["turn prev", "hotkey Unmove", "undo"]
    for setup in module.setup:
        lines += [f'setup "{setup.name}"', "join Solo", "pieces", "prop Scenario", "deckmenus"]
    return vassal(dropzone_module, lines, size=(1600, 1000))


def test_nothing_is_complained_of(runs: EngineRun) -> None:
    assert runs.problem_texts == []


def test_each_hand_opens_for_its_own_side_only(runs: EngineRun, dropzone: Game) -> None:
    shown = [r.data for r in runs.all("showing")]
    hands = [hand.side for hand in dropzone.module.hand]
    assert hands == ["Allied", "German"]
    assert shown == [True, False, False, True, True, True]


def test_every_button_does_something_for_somebody(runs: EngineRun, dropzone: Game) -> None:
    names = [b.name for b in dropzone.module.button]
    presses = runs.all("press")
    each = len(dropzone.module.hand) + 1 + len(names)
    assert len(presses) == len(SEATS) * each
    worked: set[str] = set()
    for start in range(0, len(presses), each):
        for name, press in zip(names, presses[start + each - len(names) :], strict=False):
            assert press.changes is not None
            if press.changes["changed"] or press.chat:
                worked.add(name)
    assert worked == set(names)


def test_a_card_from_every_cup_goes_onto_the_map(runs: EngineRun, dropzone: Game) -> None:
    draws = runs.all("draw")
    assert len(draws) == sum(len(_own_cups(dropzone, seat)) for seat in SEATS)
    for draw in draws:
        assert draw.changes is not None
        assert [c["after"]["location"] for c in draw.changes["changed"]].count("1010") >= 1


def test_a_card_of_a_closed_cup_is_named_in_no_chat(runs: EngineRun, dropzone: Game) -> None:
    decks = [deck for seat in SEATS for deck in _own_cups(dropzone, seat)]
    for deck, draw in zip(decks, runs.all("draw"), strict=True):
        if not deck.open:
            assert draw.chat[0].startswith("* Asset moves "), draw.chat


def test_each_set_up_has_all_counters_where_the_data_says(runs: EngineRun, dropzone: Game) -> None:
    setups = dropzone.module.setup
    expected = {str(dropzone.gpids[f"{c.id}@start"]): c.start for c in dropzone.counters if c.start}
    tables = [r.data for r in runs.all("pieces")][-len(setups) :]
    for setup, pieces in zip(setups, tables, strict=True):
        starts = {s.name: s.starts for s in dropzone.scenarios}[setup.scenario]
        moved = {str(dropzone.gpids[f"{i}@start"]): place for i, place in starts.items()}
        assert {p["gpid"]: p["location"] for p in pieces} == {**expected, **moved}
    scenarios = [r.data for r in runs.all("prop")]
    assert scenarios == [setup.properties.get("Scenario", "STANDARD") for setup in setups]


def test_each_set_up_has_every_cup(runs: EngineRun, dropzone: Game) -> None:
    names = {deck.name for deck in dropzone.module.deck}
    for result in runs.all("deckmenus"):
        assert set(result.data) == names

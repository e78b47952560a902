"""What real logs leave out: whatever stands as it stood before, and what nobody says."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from builder.gamebox.events import (
    Changed,
    Drawn,
    Event,
    Place,
    PropertyChanged,
    Said,
    Thing,
)
from builder.gamebox.open import open_game
from builder.gamebox.table import TablePiece, TableView
from builder.hexes.grid import Hex
from builder.rules.core import Ruling
from builder.rules.readings import LogMoment
from builder.rules.referee import Judged, refereed
from builder.rulesets.dropzone.actions import Action, Attack, Chit, Join, Phase
from builder.rulesets.dropzone.ruleset import DropZone
from builder.rulesets.dropzone.state import State

FOLDER = Path(__file__).parents[2] / "mapdata" / "dropzone"


@pytest.fixture(scope="module")
def rules() -> DropZone:
    return DropZone.of(open_game(FOLDER))


def _thing(key: str) -> Thing:
    return Thing(id=key, name=key)


def _changed(key: str, name: str, new: str) -> Changed:
    return Changed(step=1, piece=_thing(key), at=Place(), name=name, old=None, new=new)


def _tray(side: str, **properties: str) -> TableView:
    values = {"Unit": f"Dice-{side}", **properties}
    return TableView((TablePiece(_thing(f"Dice-{side}"), Place(), values),))


def _read(
    rules: DropZone,
    state: State,
    steps: Iterable[tuple[Event, ...]],
    view: TableView | None = None,
    *,
    has_tracker: bool = True,
) -> Judged[State, Action]:
    moments = [
        LogMoment(n, events, view=lambda: view or TableView(()))
        for n, events in enumerate(steps, 1)
    ]
    return refereed(rules, state, moments, has_tracker=has_tracker)


def _written(rules: DropZone, judged: Judged[State, Action]) -> list[str]:
    return [rules.write_action(action) for _, action, _ in judged.actions]


def _after(rules: DropZone, *actions: Action) -> State:
    state = rules.start()
    for action in actions:
        state = rules.apply(state, action)
    return state


def _attacking(rules: DropZone) -> State:
    return _after(
        rules,
        Phase(1, "INIT"),
        Chit("148RD", "fixed"),
        *(Phase(1, step, "148RD") for step in ("RP", "RU", "LAND", "MOVE", "COMBAT")),
        Attack(1, Hex(19, 13)),
        Join(1, "1-I-765"),
    )


@pytest.mark.parametrize("lines", [True, False])
def test_dice_that_fall_as_they_lay_are_a_roll(rules: DropZone, lines: bool) -> None:
    """VASSAL logs what changes, and such dice change nothing but the count of throws."""
    line = Said(step=1, words="* DZ: ROLL kind=COMBAT side=German attack=1 n=2 faces=miss,ffi")
    step = (_changed("Dice-German", "Thrown", "8"), *([line] if lines else []))
    view = _tray("German", Faces="miss,ffi", Kind="COMBAT")
    judged = _read(rules, _attacking(rules), [step], view)
    assert _written(rules, judged) == ["ROLL side=German kind=COMBAT faces=miss,ffi attack=1"]


@pytest.mark.parametrize("lines", [True, False])
def test_a_direction_that_falls_again_is_a_roll(rules: DropZone, lines: bool) -> None:
    line = Said(step=1, words="* DZ: ROLL kind=DIR side=Allied n=1 faces=4")
    step = (_changed("Dice-Allied", "Spun", "3"), *([line] if lines else []))
    judged = _read(rules, rules.start(), [step], _tray("Allied", Direction="4"))
    assert _written(rules, judged) == ["ROLL side=Allied kind=DIR faces=4"]


def test_a_direction_of_an_older_module_is_told_by_its_line(rules: DropZone) -> None:
    line = Said(step=1, words="* DZ: ROLL kind=DIR side=Allied n=1 faces=4")
    judged = _read(rules, rules.start(), [(line,)])
    assert _written(rules, judged) == ["ROLL side=Allied kind=DIR faces=4"]


def test_dice_taken_back_and_thrown_alike_are_found(rules: DropZone) -> None:
    view = _tray("German", Faces="miss,ffi", Kind="COMBAT")
    throw = (_changed("Dice-German", "Thrown", "8"),)
    moments = [
        LogMoment(1, throw, view=lambda: view, undone_by=2),
        LogMoment(2, ()),
        LogMoment(3, throw, view=lambda: view),
    ]
    judged = refereed(rules, _attacking(rules), moments)
    assert "LOG-UNDONE" in {f.breach.row for f in judged.found}


def test_a_mark_taken_off_before_the_dice_is_a_second_thought(rules: DropZone) -> None:
    judged = _read(
        rules, _attacking(rules), [(_changed("1-I-765", "Joined", "0"),)], has_tracker=False
    )
    assert _written(rules, judged) == ["LEAVE n=1 unit=1-I-765"]


def test_marks_reset_by_the_module_are_none(rules: DropZone) -> None:
    step = (Said(step=1, words="*DZ: RESET"), _changed("1-I-765", "Joined", "0"))
    judged = _read(rules, _attacking(rules), [step])
    assert _written(rules, judged) == ["RESET"]


def test_who_draws_the_other_commands_unit_is_still_the_active_command(rules: DropZone) -> None:
    """One cup holds the random units of both German Commands."""
    state = _after(rules, Phase(2, "INIT"), Chit("KGVS", "draw"))
    box = Place(map="Main", label="GermanT2")
    draws = [
        (Drawn(step=1, piece=_thing(key), deck="CupGerman", end=box),)
        for key in ("148-AP", "189-AP")
    ]
    judged = _read(rules, state, draws, has_tracker=False)
    assert _written(rules, judged) == [
        "PHASE turn=2 step=RP command=KGVS",
        "PHASE turn=2 step=RU command=KGVS",
        "DRAW_UNIT unit=148-AP",
        "DRAW_UNIT unit=189-AP",
    ]


def test_a_garrison_that_returns_in_a_german_activation_comes_at_its_end(rules: DropZone) -> None:
    state = _after(
        rules,
        Phase(1, "INIT"),
        Chit("148RD", "fixed"),
        *(Phase(1, step, "148RD") for step in ("RP", "RU", "LAND", "MOVE")),
    )
    lost = state.garrisons["G-Les-Arcs"]._replace(side="Allied", steps=0)
    state = state.but(garrisons={**state.garrisons, "G-Les-Arcs": lost})
    step = (_changed("G-Les-Arcs", "Cause", "RETURN"), _changed("G-Les-Arcs", "Steps", "1"))
    judged = _read(rules, state, [step], has_tracker=False)
    assert _written(rules, judged) == [
        "PHASE turn=1 step=COMBAT command=148RD",
        "PHASE turn=1 step=ENDACT command=148RD",
        "LIBERATE garrison=G-Les-Arcs cause=RETURN",
    ]


def test_a_cause_that_stands_on_the_table_is_the_cause(rules: DropZone) -> None:
    """A second loss for the same reason changes the steps alone, also at a log's beginning."""
    values = {"Unit": "G-Le-Muy", "Cause": "IF", "Steps": "1"}
    view = TableView((TablePiece(_thing("G-Le-Muy"), Place(), values),))
    judged = _read(rules, _attacking(rules), [(_changed("G-Le-Muy", "Steps", "1"),)], view)
    assert _written(rules, judged) == ["LOSE unit=G-Le-Muy cause=IF attack=1"]
    assert [f.ruling for f in judged.found][:1] == [Ruling.ILLEGAL]


def test_an_active_command_that_stays_changes_nothing(rules: DropZone) -> None:
    """The last Command of a turn may be the first of the next one."""
    chit = Drawn(
        step=1,
        piece=_thing("Chit-KGVS"),
        deck="ChitCup",
        end=Place(map="Main", label="Initiative1"),
    )
    number = PropertyChanged(step=1, name="ChitNo", old="0", new="1", container="Module")
    state = _after(rules, Phase(2, "INIT")).but(chits=())
    judged = _read(rules, state, [(number, chit)])
    assert _written(rules, judged) == ["CHIT command=KGVS means=draw"]


@pytest.mark.parametrize("lines", [True, False])
def test_an_asset_names_the_command_that_was_active_last(rules: DropZone, lines: bool) -> None:
    said = (
        "* DZ: ASSET id=AA-1 side=Allied kind=INITIATIVE mode=FIRST attack=0",
        "* DZ: CHIT cmd=517PRCT by=asset n=1",
    )
    step = (
        _changed("AA-1", "Used", "1"),
        _changed("AA-1", "Mode", "FIRST"),
        _changed("Chit-517PRCT", "By", "asset"),
        Drawn(
            step=1,
            piece=_thing("Chit-517PRCT"),
            deck="ChitCup",
            end=Place(map="Main", label="Initiative1"),
        ),
        *(Said(step=1, words=words) for words in said if lines),
    )
    state = _after(rules, Phase(2, "INIT")).but(chits=())
    judged = _read(rules, state, [step])
    assert _written(rules, judged) == [
        "USE asset=AA-1 mode=FIRST command=517PRCT",
        "CHIT command=517PRCT means=asset",
    ]

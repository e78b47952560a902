"""Rule 7 and 10.2 number by number (V-DZ-8), and points against an independent count."""

import csv
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_dropzone import FOLDER, facts, positions, rules

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.actions import Action, Declare, Phase, SetVP
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.candidates_points import declare_candidates, vp_candidates
from builder.rulesets.dropzone.state import State
from builder.rulesets.dropzone.victory import (
    due_points,
    final_points,
    is_sudden_death,
    level_of,
    outcome,
    red_points,
    track_box,
)

# typed from places.csv as printed, not read by the code under test
RED = {
    "G-Le-Muy": 0,
    "G-Les-Arcs": 2,
    "G-Trans-en-Provence": 2,
    "G-Hill-212": 2,
    "G-Roche-Rousse": 2,
    "G-La-Motte": 1,
    "G-Le-Mitan": 1,
    "G-St-Rosaline": 1,
    "G-Junction-N7-D25": 1,
    "G-Junction-N555-D54": 1,
}
YELLOW = {
    "G-Draguignan-town": 2,
    "G-Draguignan-village": 1,
    "G-Vidauban": 2,
    "G-Figanieres": 1,
    "G-Flayosc": 1,
    "G-Taradeau": 1,
    "G-Callas": 1,
    "G-Roquebrune-sur-Argens": 1,
    "G-Junction-N7-D10": 1,
}


def _at_end(turn: int, allied: set[str], more: str = "") -> State:
    lines = [f"turn {turn} ENDTURN after KGVS 148RD 517PRCT 2IPBG", more]
    lines += [f"{k} {'Allied' if k in allied else 'German'}" for k in (*RED, *YELLOW)]
    return rules().position((), "\n".join(lines))


@pytest.mark.parametrize(
    ("scenario", "points", "level"),
    [
        ("standard", 25, "Allied Total Victory"),
        ("standard", 24, "Allied Decisive Victory"),
        ("standard", 22, "Allied Decisive Victory"),
        ("standard", 21, "Allied Marginal Victory"),
        ("standard", 19, "Allied Marginal Victory"),
        ("standard", 18, "Draw"),
        ("standard", 17, "German Marginal Victory"),
        ("standard", 15, "German Marginal Victory"),
        ("standard", 14, "German Decisive Victory"),
        ("standard", 9, "German Decisive Victory"),
        ("standard", 8, "German Crushing Victory"),
        ("standard", 0, "German Crushing Victory"),
        ("standard", -13, "German Crushing Victory"),
        ("ghost", 24, "Allied Decisive Victory"),
        ("ghost", 23, "Allied Decisive Victory"),
        ("ghost", 16, "Allied Decisive Victory"),
        ("ghost", 15, "Allied Marginal Victory"),
        ("ghost", 13, "Allied Marginal Victory"),
        ("ghost", 12, "Draw"),
        ("ghost", 11, "German Marginal Victory"),
        ("ghost", 9, "German Marginal Victory"),
        ("ghost", 8, "German Decisive Victory"),
        ("ghost", 6, "German Decisive Victory"),
        ("ghost", 5, "German Crushing Victory"),
        ("ghost", 0, "German Crushing Victory"),
        ("ghost", -1, "German Crushing Victory"),
    ],
)
def test_levels(scenario: str, points: int, level: str) -> None:
    assert level_of(facts(), scenario, points) == level


@pytest.mark.parametrize(
    ("red", "yellow", "is_sudden"),
    [
        (set(RED), 2, True),
        (set(RED), 1, False),
        (set(RED) - {"G-La-Motte"}, 9, False),
        (set(RED) - {"G-Le-Muy"}, 9, False),
        (set(RED), 9, True),
    ],
)
def test_sudden_death(red: set[str], yellow: int, is_sudden: bool) -> None:
    state = _at_end(3, red | set(list(YELLOW)[:yellow]))
    assert is_sudden_death(state) is is_sudden
    assert outcome(state).is_over is is_sudden
    said = [c.level for c in declare_candidates(state)]
    assert said == (["Allied_Sudden_Death_Victory"] if is_sudden else [])


def test_a_game_of_24_points() -> None:
    state = _at_end(3, set(RED) | {"G-Callas"})
    assert red_points(state) == 13
    state = applied(state, SetVP(13))
    assert (state.recorded, state.marker) == (13, 13)
    assert final_points(_at_end(6, set(RED) | set(YELLOW), "recorded 13")) == 24
    assert outcome(_at_end(6, set(RED) | set(YELLOW), "recorded 13")).level == (
        "Allied Decisive Victory"
    )


def test_a_game_of_21_points() -> None:
    allied = (set(RED) | set(YELLOW)) - {"G-La-Motte", "G-Draguignan-town"}
    now = outcome(_at_end(6, allied, "recorded 13"))
    assert (now.points, now.level, now.is_over) == (21, "Allied Marginal Victory", True)
    assert now.words == "13 recorded + 9 yellow − 1 red lost = 21 VP"


def test_germans_in_le_muy_have_won() -> None:
    state = _at_end(6, (set(RED) | set(YELLOW)) - {"G-Le-Muy"}, "recorded 13")
    assert outcome(state).level == "German Automatic Victory"
    assert not list(rules().judge(state, Declare("German_Automatic")))


def test_everything_lost_again() -> None:
    state = _at_end(6, {"G-Callas", "G-Le-Muy"}, "recorded 0")
    assert final_points(state) == 1 - 13
    assert track_box(final_points(state)) == 0
    assert outcome(state).level == "German Crushing Victory"
    assert [c.value for c in vp_candidates(state)] == [0]


def test_ghost_division_has_21_points() -> None:
    state = _at_end(6, set(RED) | set(YELLOW), "recorded 13\nscenario ghost")
    assert final_points(state) == 13 + 11 - 3


def test_a_wrong_record_is_one_mistake() -> None:
    state = applied(_at_end(3, set(RED)), SetVP(14))
    assert state.recorded == 14
    later = _at_end(6, set(RED) | set(YELLOW), "recorded 14")
    assert not list(rules().judge(later, SetVP(25)))


def test_the_record_is_kept_without_a_marker() -> None:
    state = applied(_at_end(3, set(RED)), Phase(4, "ASSETDRAW"))
    assert state.recorded == 13


def _held(state: State, where: Hex) -> set[str]:
    """Return the sides in a hex, counted piece by piece."""
    known = state.facts
    found = {
        known.units[k].side for k, u in state.units.items() if u.place == where and u.steps > 0
    }
    for key, garrison in state.garrisons.items():
        if known.garrisons[key].hex == where and garrison.steps > 0:
            found.add(garrison.side)
    return found


@cache
def _rows() -> tuple[dict[str, str], ...]:
    with (FOLDER / "places.csv").open(encoding="utf-8", newline="") as file:
        return tuple(row for row in csv.DictReader(file) if row["color"])


def _points(state: State) -> tuple[int, int, int]:
    """Return red points held, yellow points held, red points not held, from the file itself."""
    red = yellow = lost = 0
    for row in _rows():
        where = state.facts.sheet.find(row["hex"])
        assert where is not None
        value = 0 if row["vp"] == "star" else int(row["vp"])
        if state.scenario == "ghost" and row["name"].startswith("Draguignan"):
            value = 0
        is_allied = _held(state, where) == {"Allied"}
        red += value * (is_allied and row["color"] == "red")
        yellow += value * (is_allied and row["color"] == "yellow")
        lost += value * (not is_allied and row["color"] == "red")
    return red, yellow, lost


@given(positions())
def test_points_are_those_of_an_independent_count(state: State) -> None:
    red, yellow, lost = _points(state)
    assert red_points(state) == red
    assert final_points(state) == (state.recorded or 0) + yellow - lost
    assert due_points(state) == (red if state.turn <= 3 else final_points(state))


@given(positions(steps=("ENDTURN",)))
def test_what_is_offered_is_legal(state: State) -> None:
    offered: list[Action] = [*vp_candidates(state), *declare_candidates(state)]
    for action in offered:
        assert not list(rules().judge(state, action))


@given(positions(steps=("ENDTURN",)), st.integers(-25, 25))
def test_a_marker_on_a_wrong_box_breaks_one_row(state: State, by: int) -> None:
    for action in vp_candidates(state):
        value = action.value + by
        rows = {b.row for b in rules().judge(state, SetVP(value))}
        counted = {"DZ-7d"} if state.turn == 3 else {"DZ-7g"}
        assert len(rows) == bool(by)
        assert rows <= counted | {"DZ-7e", "DZ-10d"}


@given(positions(steps=("ENDTURN",)))
def test_a_wrong_result_breaks_one_row(state: State) -> None:
    said = {"Draw", "German_Automatic", "Allied_Sudden_Death", "Allied_Marginal_Victory", "x"}
    for action in declare_candidates(state):
        for level in sorted(said):
            rows = {b.row for b in rules().judge(state, Declare(level))}
            assert len(rows) == (level.split("_")[:2] != action.level.split("_")[:2])
            assert rows <= {"DZ-7c", "DZ-7f", "DZ-7h", "DZ-10e"}

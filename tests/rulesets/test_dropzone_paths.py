"""Rule 5.1: how far units come, counted in five positions and checked by a slow reading."""

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from dropzone_ways import BESIDE, POINTS, Board, Table
from hypothesis import given, settings
from strategies_dropzone import facts, positions, rules

from builder.rules.core import Ruling, worst
from builder.rulesets.dropzone.actions import Move
from builder.rulesets.dropzone.candidates_moves import move_candidates, reach_of
from builder.rulesets.dropzone.state import State

FOLDER = Path(__file__).parents[2] / "mapdata" / "dropzone"

SKETCH = (
    "all .",
    *("w 1005 1105 1106 1205", "m 0906 0907", "t 1008"),
    *("river 1004 1005", "river 1004 1105", "river 1104 1105"),
    "road 0804 0904 1004 1005 1006 1007 1008",
)
GIVEN = {
    "the real start": "start\nturn 1 MOVE KGVS",
    "zones in turn 4": """
        turn 4 MOVE 517PRCT
        A-1-517 1212
        B-1-517 1111 1
        D-2-517 1009
        A-509 1613
        FFI-1 0912
        A-4Para 1511
        1-I-933 0913
        2-I-933 1010 1
        242-AG 1112
        1-I-765 1614
        148-Recon 1510 3
        G-Le-Muy German
        G-La-Motte Allied
        G-Les-Arcs German
        G-Trans-en-Provence Allied
        G-St-Rosaline Allied
        """,
    "armor on roads": """
        turn 5 MOVE KGVS
        242-AG 0716
        3-I-933 0616
        191-Tank 1513
        B-509 1114
        G-Vidauban German
        G-Junction-N7-D10 Allied
        """,
    "beside entry areas": """
        turn 2 MOVE KGVS
        242-AG EntryH
        1-I-933 EntryH
        2-I-933 EntryI
        189-AP EntryA
        entered 0118 2
        FFI-4 0110
        FFI-7 0111
        A-509 0112
        B-509 0107
        """,
    "sketch": """
        turn 2 MOVE 148RD
        148-Recon 1004 4
        148-AG 0804
        1-I-239 1007
        2-I-239 1205
        A-509 1006
        B-509 1204
        """,
}

# for each unit: the hexes that it comes to, its own included, and the points that they cost in all
COUNTS: dict[str, dict[str, tuple[int, str]]] = {
    "the real start": {
        "189-Assault": (81, "483/2"),
        "LXII-Alarm": (86, "507/2"),
    },
    "zones in turn 4": {
        "A-1-517": (19, "115/2"),
        "B-1-517": (16, "46"),
        "D-2-517": (31, "195/2"),
        "A-509": (5, "14"),
        "FFI-1": (8, "45/2"),
    },
    "armor on roads": {
        "242-AG": (89, "707/2"),
        "3-I-933": (25, "145/2"),
    },
    "beside entry areas": {
        "242-AG": (58, "240"),
        "1-I-933": (29, "85"),
        "2-I-933": (12, "39"),
        "189-AP": (11, "61/2"),
    },
    "sketch": {
        "148-AG": (97, "386"),
        "148-Recon": (43, "235/2"),
        "1-I-239": (25, "155/2"),
        "2-I-239": (19, "62"),
    },
}


@cache
def board() -> Board:
    return Board.read(FOLDER)


def _ground(name: str) -> tuple[str, ...]:
    return SKETCH if name == "sketch" else ()


def _state(name: str) -> State:
    return rules().position(_ground(name), GIVEN[name])


def _slow(state: State, key: str, map_: Board) -> dict[str, Fraction]:
    """Return what the slow reading says of a unit that has not moved in this activation."""
    side, place = facts().units[key].side, state.units[key].place
    enemies = {u.place for k, u in state.units.items() if facts().units[k].side != side and u.steps}
    for g, garrison in state.garrisons.items():
        if garrison.side != side and garrison.steps:
            enemies.add(facts().garrisons[g].hex)
    held = frozenset(facts().label(h) for h in enemies if not isinstance(h, str))
    entered = {facts().label(h): n for h, n in state.entered.items()}
    start = facts().label(place).removeprefix("Entry")
    points = POINTS["armor" if facts().units[key].is_armor else "infantry"]
    return Table(map_, held, entered).reach(start, points)


def _quick(state: State, key: str) -> dict[str, Fraction]:
    return {facts().label(h): Fraction(n, 2) for h, n in reach_of(state, key).items()}


def _movers(state: State) -> list[str]:
    """Return the units that can move at all: on the map, or waiting beside it."""
    return [
        k
        for k in state.command_units(state.command)
        if state.units[k].is_on_map or str(state.units[k].place).startswith("Entry")
    ]


@pytest.mark.parametrize("name", GIVEN)
def test_reach_is_that_of_the_slow_reading(name: str) -> None:
    state = _state(name)
    ground = board().sketched(_ground(name))
    assert _movers(state)
    for key in _movers(state):
        assert _quick(state, key) == _slow(state, key, ground), key


@pytest.mark.parametrize("name", GIVEN)
def test_reach_has_not_changed(name: str) -> None:
    state = _state(name)
    ground = board().sketched(_ground(name))
    slow = {k: _slow(state, k, ground) for k in _movers(state)}
    counted = {k: (len(found), str(sum(found.values()))) for k, found in slow.items()}
    assert counted == COUNTS[name]
    quick = {k: _quick(state, k) for k in _movers(state)}
    assert {k: (len(q), str(sum(q.values()))) for k, q in quick.items()} == COUNTS[name]


@pytest.mark.parametrize("name", GIVEN)
def test_exactly_what_is_in_reach_is_legal(name: str) -> None:
    state = _state(name)
    ground = board().sketched(_ground(name))
    for key in _movers(state):
        here = facts().label(state.units[key].place)
        offered = {facts().label(m.to) for m in move_candidates(state, key)}
        expected = set(_slow(state, key, ground)) - {here}
        # and what lies about it, two hexes wide
        near = {m for h in expected for n in BESIDE[h] for m in BESIDE[n]} | expected
        legal = set()
        for hex_name in sorted(near):
            to = facts().sheet.find(hex_name)
            assert to is not None
            if hex_name != here and worst(rules().judge(state, Move(key, to))) is Ruling.LEGAL:
                legal.add(hex_name)
        assert legal == offered == expected, key


@given(positions(("MOVE",)))
@settings(max_examples=25)
def test_reach_is_that_of_the_slow_reading_anywhere(state: State) -> None:
    movers = _movers(state)
    for key in movers[:2]:
        assert _quick(state, key) == _slow(state, key, board())
    for key in state.command_units(state.command):
        if key not in movers:
            assert reach_of(state, key) == {}


def test_a_unit_of_another_command_is_offered_nothing() -> None:
    state = _state("zones in turn 4")
    assert not list(move_candidates(state, "A-4Para"))
    assert not list(move_candidates(state, "nobody"))
    assert not list(move_candidates(state.but(moment=state.moment._replace(step="RP")), "A-509"))

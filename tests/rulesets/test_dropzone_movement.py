"""Rule 5.1: the rulebook's sums one by one, drags that add up, and what people are told."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies_dropzone import facts, positions, rules

from builder.hexes.grid import Hex
from builder.rules.core import Ruling, worst
from builder.rulesets.dropzone.actions import Action, Move
from builder.rulesets.dropzone.apply_moves import allowance, way_of
from builder.rulesets.dropzone.candidates_moves import move_candidates, reach_of, why_not
from builder.rulesets.dropzone.state import State

ROAD = ("area D 1001", "exit 1001", "road 1001 1002 1003 1004 1005")
ASSAULT_GUN = "turn 2 MOVE 148RD\n148-AG EntryD\nA-509 1102\nB-509 1006"

RIVER = ("all .", "w 1005", "river 1004 1005")
BOTH_IN_ZONES = "A-509 1104\nB-509 0906"


def _hex(name: str) -> Hex:
    found = facts().sheet.find(name)
    assert found is not None
    return found


def _after(state: State, *lines: str) -> State:
    for line in lines:
        action: Action = rules().read_action(line)
        state = rules().apply(state, action)
    return state


def _rows(state: State, action: Action) -> list[str]:
    return [b.row for b in rules().judge(state, action)]


# ------------------------------------------------------------------------- V-DZ-1: the assault gun


@pytest.mark.parametrize("letter", [".", "w"])
def test_the_assault_gun_pays_what_the_rulebook_says(letter: str) -> None:
    state = rules().position((f"all {letter}", *ROAD), ASSAULT_GUN)
    way = way_of(state, Move("148-AG", _hex("1005")))
    assert way is not None
    assert [facts().label(h) for h in way.hexes] == ["1001", "1002", "1003", "1004", "1005"]
    assert [leg.step.cost for leg in way.legs] == [1, 1, 1, 1, 1]
    assert [leg.zoc for leg in way.legs] == [0, 4, 2, 0, 0]
    assert [leg.cost for leg in way.legs] == [1, 5, 3, 1, 1]
    assert way.cost == 11


@pytest.mark.parametrize("letter", [".", "w"])
def test_the_assault_gun_gets_cheaper_nowhere_on_the_way(letter: str) -> None:
    reach = reach_of(rules().position((f"all {letter}", *ROAD), ASSAULT_GUN), "148-AG")
    along = [reach[_hex(h)] for h in ("1001", "1002", "1003", "1004", "1005")]
    assert along == [1, 6, 9, 10, 11]


@pytest.mark.parametrize("letter", [".", "w"])
def test_the_assault_gun_has_half_a_point_left_and_goes_no_farther(letter: str) -> None:
    state = rules().position((f"all {letter}", *ROAD), ASSAULT_GUN)
    state = _after(state, "MOVE unit=148-AG to=1005")
    assert allowance(state, "148-AG") - state.units["148-AG"].spent == 1
    # but back to where it came on, which takes the rest of its move back
    trail = state.units["148-AG"].trail
    assert [h for h in reach_of(state, "148-AG") if h not in trail] == [_hex("1005")]
    for name in ("1004", "1105", "1106", "0906", "0905"):
        assert _rows(state, Move("148-AG", _hex(name))) == ["DZ-5.1a"]


def test_what_the_rulebook_says_of_the_assault_gun_in_words() -> None:
    state = rules().position(("all .", *ROAD), ASSAULT_GUN)
    way = way_of(state, Move("148-AG", _hex("1005")))
    assert way is not None
    assert way.words(state) == (
        "1001 road ½, 1002 road ½ + from ZOC to ZOC 2, 1003 road ½ + out of a ZOC 1, "
        "1004 road ½, 1005 road ½"
    )


# --------------------------------------------------------------------- V-DZ-2: one hex, five points


@pytest.mark.parametrize(
    ("ground", "enemies", "halves"),
    [
        (RIVER, "A-509 1104\nB-509 0906", 10),
        (RIVER[:2], "A-509 1104\nB-509 0906", 8),
        (RIVER, "B-509 0906", 6),
        (RIVER, "A-509 1104", 8),
    ],
)
def test_the_sum_over_one_hexside(ground: tuple[str, ...], enemies: str, halves: int) -> None:
    state = rules().position(ground, f"turn 2 MOVE KGVS\n1-I-933 1004\n242-AG 1004\n{enemies}")
    step = Move("1-I-933", _hex("1005"))
    way = way_of(state, step)
    assert way is not None
    assert way.cost == halves
    assert _rows(state, step) == (["DZ-5.1f"] if halves > 8 else [])
    assert _rows(state, Move("242-AG", _hex("1005"))) == []
    assert reach_of(state, "242-AG")[_hex("1005")] == halves


def test_no_hex_is_free() -> None:
    """The five points are four more than are there, though it is the unit's only move."""
    state = rules().position(RIVER, f"turn 2 MOVE KGVS\n1-I-933 1004\n{BOTH_IN_ZONES}")
    assert _hex("1005") not in reach_of(state, "1-I-933")
    assert Move("1-I-933", _hex("1005")) not in list(move_candidates(state, "1-I-933"))


# ------------------------------------------------------------------------------- movement points


def test_four_points_for_infantry_and_six_for_armor() -> None:
    state = rules().start()
    found = {k: allowance(state, k) for k in facts().units}
    armor = {"148-AG", "242-AG", "191-Tank"}
    assert {k for k, halves in found.items() if halves == 12} == armor
    assert {halves for k, halves in found.items() if k not in armor} == {8}


def test_drags_add_up_and_are_taken_back() -> None:
    state = rules().position(("all w",), "turn 2 MOVE KGVS\n1-I-933 1004")
    once = _after(state, "MOVE unit=1-I-933 to=1005")
    twice = _after(once, "MOVE unit=1-I-933 to=1006")
    assert [s.units["1-I-933"].spent for s in (state, once, twice)] == [0, 4, 8]
    assert twice.units["1-I-933"].legs == (4, 4)
    assert _after(twice, "MOVE unit=1-I-933 to=1005") == once
    assert _after(twice, "MOVE unit=1-I-933 to=1004") == state
    assert _after(twice, "MOVE unit=1-I-933 to=1006") == twice


def test_a_third_leg_is_a_warning_only_if_the_straight_way_would_have_fit() -> None:
    state = rules().position(("all w",), "turn 2 MOVE KGVS\n1-I-933 1004")
    state = _after(state, "MOVE unit=1-I-933 to=1006")
    there, beyond = Move("1-I-933", _hex("1005")), Move("1-I-933", _hex("1007"))
    assert worst(rules().judge(state, there)) is Ruling.WARNING
    assert worst(rules().judge(state, beyond)) is Ruling.ILLEGAL
    assert _rows(state, there) == _rows(state, beyond) == ["DZ-5.1a"]


def test_who_went_too_far_is_told_once() -> None:
    state = rules().position(("all w",), "turn 2 MOVE KGVS\n1-I-933 1004")
    state = _after(state, "MOVE unit=1-I-933 to=1007")
    assert state.units["1-I-933"].spent == 12
    assert _rows(state, Move("1-I-933", _hex("1008"))) == []
    assert _rows(state, Move("1-I-933", _hex("1004"))) == []


def test_no_unit_moves_once_one_has_fought_even_if_the_tracker_says_so() -> None:
    state = rules().position(
        ("all .",), "turn 2 COMBAT KGVS\n1-I-933 1004\n2-I-933 1009\n3-I-933 EntryH\nA-509 1005"
    )
    before = _after(state, "PHASE turn=2 step=MOVE command=KGVS")
    move, enter = Move("2-I-933", _hex("1010")), Move("3-I-933", _hex("0118"))
    assert _rows(before, move) == _rows(before, enter) == []
    fought = _after(
        state,
        "ATTACK n=1 target=1005",
        "JOIN n=1 unit=1-I-933",
        "ROLL side=German kind=COMBAT attack=1 faces=miss,miss",
        "ROLL side=Allied kind=COMBAT attack=1 faces=miss,miss",
        "PHASE turn=2 step=MOVE command=KGVS",
    )
    assert _rows(fought, move) == _rows(fought, enter) == ["DZ-3.3c"]


def test_a_figure_of_ours_makes_a_warning_only_while_it_matters() -> None:
    state = rules().position(("all .",), "turn 2 MOVE KGVS\n1-I-933 1004")
    rulings = {
        name: worst(rules().judge(state, Move("1-I-933", _hex(name))))
        for name in ("1008", "1009", "1012", "1013")
    }
    # eight hexes cost four points if a clear hex is as cheap as a road: nine never do
    assert rulings == {
        "1008": Ruling.LEGAL,
        "1009": Ruling.WARNING,
        "1012": Ruling.WARNING,
        "1013": Ruling.ILLEGAL,
    }


def test_off_the_map_is_no_move() -> None:
    state = rules().position((), "turn 2 MOVE KGVS\n1-I-933 0105")
    for away in (Hex(-1, 4), Hex(500, 500)):
        assert _rows(state, Move("1-I-933", away)) == ["DZ-5.1c"]


# ---------------------------------------------------------------------------- what people are told


def test_why_not_names_the_way_its_sum_and_the_points() -> None:
    state = rules().position(RIVER, f"turn 2 MOVE KGVS\n1-I-933 1004\n{BOTH_IN_ZONES}")
    assert why_not(state, "1-I-933", _hex("1005")) == (
        "1 Co I/933 moved 1004→1005: the cheapest way costs 5 MP "
        "(1005 woods 2 + river 1 + from ZOC to ZOC 2), it has 4"
    )


def test_why_not_tells_of_a_unit_that_went_too_far_already() -> None:
    state = rules().position(("all w",), "turn 2 MOVE KGVS\n1-I-933 1004")
    state = _after(state, "MOVE unit=1-I-933 to=1007")
    assert why_not(state, "1-I-933", _hex("1008")) == "1 Co I/933 has spent 6 MP already, of 4"
    assert why_not(state, "1-I-933", _hex("1004")) == ""


def test_why_not_says_nothing_of_a_legal_move() -> None:
    state = rules().position(("all .",), "turn 2 MOVE KGVS\n1-I-933 1004")
    assert why_not(state, "1-I-933", _hex("1008")) == ""
    assert why_not(state, "nobody", _hex("1008")) == ""


def test_a_dear_move_is_told_how_far_it_could_have_gone() -> None:
    state = rules().position(("all w",), "turn 2 MOVE KGVS\n1-I-933 1004")
    (breach,) = rules().judge(state, Move("1-I-933", _hex("1008")))
    assert breach.legal == ("as far as 1006",)
    assert [facts().label(h) for h in breach.hexes] == ["1005", "1006", "1007", "1008"]


# --------------------------------------------------------------------------------------------- laws


@st.composite
def marches(draw: st.DrawFn) -> tuple[State, str, list[Hex]]:
    """Return a position, one of its units, and hexes to which it goes one after the other."""
    state = draw(positions(("MOVE",)))
    movers = [k for k in state.command_units(state.command) if state.units[k].is_on_map]
    assume(movers)
    key = draw(st.sampled_from(movers))
    at, stops = state, []
    for _ in range(draw(st.integers(1, 3))):
        options = [m.to for m in move_candidates(at, key)]
        if not options:
            break
        stops.append(draw(st.sampled_from(options)))
        at = rules().apply(at, Move(key, stops[-1]))
    assume(stops)
    return state, key, stops


@given(marches())
def test_a_march_costs_no_less_than_the_straight_way(march: tuple[State, str, list[Hex]]) -> None:
    state, key, stops = march
    straight = reach_of(state, key)
    at = state
    for h in stops:
        at = rules().apply(at, Move(key, h))
        assert straight[h] <= at.units[key].spent <= allowance(at, key)


@given(marches())
def test_going_home_takes_a_march_back(march: tuple[State, str, list[Hex]]) -> None:
    state, key, stops = march
    home = state.units[key].place
    assert isinstance(home, Hex)
    at = state
    for h in stops:
        at = rules().apply(at, Move(key, h))
    assert _rows(at, Move(key, home)) == []
    assert rules().apply(at, Move(key, home)) == state


@given(marches())
def test_what_is_offered_is_legal(march: tuple[State, str, list[Hex]]) -> None:
    state, key, stops = march
    at = state
    for h in stops:
        assert _rows(at, Move(key, h)) == []
        at = rules().apply(at, Move(key, h))
    for move in list(move_candidates(at, key))[::7]:
        assert _rows(at, move) == []

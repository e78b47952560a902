"""Rule 4.2.3: entering the map (V-DZ-6), areas that are held, and attacks from off the map."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_dropzone import facts, positions, rules

from builder.hexes.grid import Hex
from builder.rules.core import Ruling, worst
from builder.rulesets.dropzone.actions import Action, Join, Move, Receive, Relocate
from builder.rulesets.dropzone.apply_moves import allowance, entrance_of, open_entries
from builder.rulesets.dropzone.candidates_combat import attack_candidates
from builder.rulesets.dropzone.candidates_moves import move_candidates, reach_of, why_not
from builder.rulesets.dropzone.entry import may_attack_from_box
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.state import State, UnitState

WOODS = ("all w", "area H 1001 1101", "exit 1001")
CLEAR = ("all .", "area H 1001 1101", "exit 1001")


def _state(ground: tuple[str, ...], *lines: str) -> State:
    return rules().position(ground, "\n".join(("turn 2 MOVE KGVS", *lines)))


def _hex(label: str) -> Hex:
    found = facts().sheet.find(label)
    assert found is not None
    return found


def _broken(state: State, action: Action) -> list[str]:
    return [b.row for b in rules().judge(state, action)]


def _costs(state: State, unit: str) -> dict[str, int]:
    return {facts().label(h): cost for h, cost in reach_of(state, unit).items()}


# ------------------------------------------------------------------------------------- V-DZ-6


def test_infantry_one_behind_another_through_the_same_hex() -> None:
    """V-DZ-6: 4, 3½, 3 and 2½ points."""
    keys = ("1-I-933", "2-I-933", "3-I-933", "1-II-917")
    state = _state(CLEAR, *(f"{k} EntryH" for k in keys))
    left = []
    for key in keys:
        state = rules().apply(state, Move(key, _hex("1001"), _hex("1001")))
        left.append(allowance(state, key))
    assert left == [8, 7, 6, 5]
    assert [state.units[k].spent for k in keys] == [1, 1, 1, 1]
    assert state.entered == {_hex("1001"): 4}


def test_armor_one_behind_another_through_the_same_hex() -> None:
    """V-DZ-6: 6 and 5½ points."""
    state = _state(CLEAR, "242-AG EntryH")
    first = rules().apply(state, Move("242-AG", _hex("1001")))
    second = rules().apply(state.but(entered={_hex("1001"): 1}), Move("242-AG", _hex("1001")))
    assert (allowance(first, "242-AG"), allowance(second, "242-AG")) == (12, 11)


def test_the_order_counts_by_hex_and_whoever_came_before() -> None:
    state = _state(CLEAR, "242-AG EntryH", "1-I-933 EntryH", "2-I-933 EntryH")
    state = rules().apply(state, Move("242-AG", _hex("1001")))
    assert open_entries(state, "1-I-933") == {_hex("1001"): 1, _hex("1101"): 0}
    state = rules().apply(state, Move("1-I-933", _hex("1101"), _hex("1101")))
    assert open_entries(state, "2-I-933") == {_hex("1001"): 1, _hex("1101"): 1}
    assert allowance(state, "1-I-933") == 8


def test_the_cheapest_way_counts_what_the_order_costs() -> None:
    # the road onto 1001 costs ½, woods onto 1101 cost 2: the fourth by the road still prefers it
    state = _state(WOODS, "1-I-933 EntryH")
    assert _costs(state, "1-I-933")["1001"] == 1
    crowded = state.but(entered={_hex("1001"): 5})
    assert _costs(crowded, "1-I-933")["1001"] == 6
    moved = rules().apply(crowded, Move("1-I-933", _hex("1102")))
    assert moved.entered == {_hex("1001"): 5, _hex("1101"): 1}
    assert moved.units["1-I-933"].penalty == 0


def test_the_cost_of_entry_is_that_of_the_road_or_of_the_hex() -> None:
    assert _costs(_state(WOODS, "1-I-933 EntryH"), "1-I-933") == {
        # by the road ½ onto 1001, and 2 more for each hex of woods beyond; 2 straight onto 1101,
        # and 2 more onto 1201
        "1001": 1,
        "1101": 4,
        "0901": 5,
        "0902": 5,
        "1002": 5,
        "1102": 5,
        "1201": 8,
    }


def test_no_zone_of_control_costs_anything_from_off_the_map() -> None:
    free = _costs(_state(CLEAR, "1-I-933 EntryH"), "1-I-933")
    beside = _costs(_state(CLEAR, "1-I-933 EntryH", "A-509 1002"), "1-I-933")
    assert beside["1001"] == free["1001"] == 1
    # 1101 lies in no zone of 1002, and 1102 does: leaving 1001 costs 1, going on in the zone 2
    assert free["1102"] == 3
    assert beside["1102"] == min(1 + 2 + 4, 2 + 2)


def test_a_unit_goes_on_after_it_has_entered() -> None:
    state = _state(WOODS, "1-I-933 EntryH")
    entered = rules().apply(state, Move("1-I-933", _hex("1001")))
    assert _broken(entered, Move("1-I-933", _hex("1002"))) == []
    went = rules().apply(entered, Move("1-I-933", _hex("1002")))
    assert (went.units["1-I-933"].spent, len(went.units["1-I-933"].legs)) == (5, 2)
    back = rules().apply(went, Move("1-I-933", _hex("1001")))
    assert back.units["1-I-933"].spent == 1


def test_entering_is_taken_back_by_dragging_beside_the_map() -> None:
    start = _state(WOODS, "1-I-933 EntryH", "2-I-933 EntryH")
    for stops in (("1002",), ("1001", "1002"), ("1001",), ("1101", "1102")):
        state = start
        for label in stops:
            state = rules().apply(state, Move("1-I-933", _hex(label)))
        assert state.entered
        assert rules().apply(state, Relocate("1-I-933", "EntryH")) == start
    both = rules().apply(
        rules().apply(start, Move("1-I-933", _hex("1001"))), Move("2-I-933", _hex("1001"))
    )
    assert allowance(both, "2-I-933") == 7
    again = rules().apply(both, Relocate("2-I-933", "EntryH"))
    assert open_entries(again, "2-I-933")[_hex("1001")] == 1


def test_dragging_back_to_the_hex_of_entry_gives_points_back() -> None:
    state = rules().apply(_state(WOODS, "1-I-933 EntryH"), Move("1-I-933", _hex("1002")))
    assert state.units["1-I-933"].spent == 5
    back = rules().apply(state, Move("1-I-933", _hex("1001")))
    assert back.units["1-I-933"].spent == 1


def test_dragged_about_after_entering_is_a_warning() -> None:
    state = _state(WOODS, "1-I-933 EntryH")
    state = rules().apply(state, Move("1-I-933", _hex("1101")))
    onto = Move("1-I-933", _hex("1002"))
    assert [(b.row, b.ruling) for b in rules().judge(state, onto)] == [("DZ-5.1a", Ruling.WARNING)]


# ----------------------------------------------------------------------------- areas that are held


def test_beside_an_area_only_if_the_enemy_holds_it_all() -> None:
    state = _state(CLEAR, "1-I-933 EntryH", "A-509 1001")
    assert entrance_of(state, "H", GERMAN) == (_hex("1101"),)
    state = _state(CLEAR, "1-I-933 EntryH", "A-509 1001", "B-509 1101")
    # north of both lies nothing; of the hexes beside them only those of the edge give a way in
    assert set(entrance_of(state, "H", GERMAN)) == {_hex("0901"), _hex("1201")}
    assert entrance_of(state, "H", ALLIED) == (_hex("1001"), _hex("1101"))
    state = _state(CLEAR, "1-I-933 EntryH", "A-509 1001", "B-509 1101", "C-509 0901")
    assert entrance_of(state, "H", GERMAN) == (_hex("1201"),)
    assert reach_of(state, "1-I-933")
    held = ("A-509 1001", "B-509 1101", "C-509 0901", "A-1-517 1201")
    state = _state(CLEAR, "1-I-933 EntryH", *held)
    assert reach_of(state, "1-I-933") == {}
    assert "cannot enter at area H" in why_not(state, "1-I-933", _hex("1003"))


def test_an_attack_from_off_the_map_needs_all_hexes_held() -> None:
    lines = ("turn 2 COMBAT KGVS", "1-I-933 EntryH", "A-509 1001", "B-509 1101")
    held = rules().position(CLEAR, "\n".join(lines))
    assert may_attack_from_box(held, "1-I-933", _hex("1001"))
    assert may_attack_from_box(held, "1-I-933", _hex("1101"))
    assert not may_attack_from_box(held, "1-I-933", _hex("1002"))
    assert not may_attack_from_box(held, "nobody", _hex("1001"))
    assert not may_attack_from_box(held, "2-I-933", _hex("1001"))
    attacks = list(attack_candidates(held))
    assert {a.target for a in attacks} == {_hex("1001"), _hex("1101")}
    state = rules().apply(held, attacks[0])
    assert _broken(state, Join(attacks[0].n, "1-I-933")) == []
    half = rules().position(CLEAR, "\n".join(lines[:-1]))
    assert not may_attack_from_box(half, "1-I-933", _hex("1001"))
    assert list(attack_candidates(half)) == []


# ---------------------------------------------------------------------------------- mutations


@pytest.mark.parametrize("area", sorted(facts().entries))
def test_a_unit_is_laid_beside_its_own_areas(area: str) -> None:
    state = rules().position((), "turn 2 RU KGVS\n1-I-933 GermanT2")
    expected = [] if area in ("H", "I") else ["DZ-4.2.3b"]
    assert _broken(state, Receive("1-I-933", area)) == expected


@pytest.mark.parametrize("label", ["0101", "0118", "2401", "1201", "0901", "1318"])
def test_a_drag_onto_a_hex_of_the_edge_shows_where_it_came_on(label: str) -> None:
    state = rules().position(("all w", "area H 1001"), "turn 2 MOVE KGVS\n1-I-933 EntryH")
    state = state.but(entered={_hex("1001"): 1})
    row = "DZ-4.2.3c" if label in ("0901",) else "DZ-4.2.3b"
    assert _broken(state, Move("1-I-933", _hex(label))) == [row]


@given(positions(("MOVE",)), st.sampled_from("ABCDEFGHI"), st.data())
def test_what_is_offered_from_beside_an_area_is_legal(
    state: State, area: str, data: st.DataObject
) -> None:
    units = sorted(state.command_units(state.command))
    key = data.draw(st.sampled_from(units))
    steps = facts().units[key].steps
    state = state.but(units={**state.units, key: UnitState(f"Entry{area}", steps)})
    offers = list(move_candidates(state, key))
    for move in offers:
        assert worst(rules().judge(state, move)) is Ruling.LEGAL, move
        assert why_not(state, key, move.to) == ""
    for move in offers[:3]:
        moved = rules().apply(state, move)
        assert moved.units[key].spent + moved.units[key].penalty == reach_of(state, key)[move.to]
        assert sum(moved.entered.values()) == sum(state.entered.values()) + 1
    late = state.but(moment=state.moment._replace(step="COMBAT"))
    for move in offers[:3]:
        assert _broken(late, move) == ["DZ-4.2.3a"]

"""Rule 4.1: replacement points against slow definitions, and the list of V-DZ-9."""

from dataclasses import replace

import pytest
from hypothesis import given
from strategies_dropzone import facts, positions, rules

from builder.hexes.grid import Hex
from builder.rules.core import Ruling, worst
from builder.rulesets.dropzone.actions import (
    Action,
    BuyGarrison,
    Gain,
    Lose,
    Phase,
    Return,
    Use,
)
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.candidates_points import (
    buy_garrison_candidates,
    gain_candidates,
    regroup_use_candidates,
    return_candidates,
)
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.regroup import regroup_left
from builder.rulesets.dropzone.replacement import points_left, return_hexes
from builder.rulesets.dropzone.state import State
from builder.rulesets.dropzone.surround import is_surrounded


def _state(*lines: str) -> State:
    return rules().position((), "\n".join(lines))


def _broken(state: State, action: Action) -> set[str]:
    return {b.row for b in rules().judge(state, action)}


def _hex(label: str) -> Hex:
    found = facts().sheet.find(label)
    assert found is not None
    return found


def _labels(hexes: tuple[Hex, ...]) -> set[str]:
    return {facts().label(h) for h in hexes}


def test_where_units_return() -> None:
    # the zone, the headquarters' hex, and its six neighbors, read off the map
    assert _labels(return_hexes(facts(), "DZ C")) == {
        *("1613", "1714", "1713", "1813", "1814", "1715", "1614"),
    }
    assert _labels(return_hexes(facts(), "DZ A")) == {
        *("1211", "1212", "1312", "1313", "1213", "1113", "1112"),
    }
    assert _labels(return_hexes(facts(), "LZ O")) == {
        *("1510", "1609", "1608", "1709", "1710", "1610", "1509"),
    }
    assert return_hexes(facts(), "") == ()


@pytest.mark.parametrize(("turn", "points"), [(1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (6, 1)])
def test_points_of_the_track(turn: int, points: int) -> None:
    assert points_left(_state(f"turn {turn} RP 2IPBG")) == points
    assert points_left(_state(f"turn {turn} RP KGVS")) == 0


def test_points_are_spent_one_by_one() -> None:
    state = _state("turn 4 RP 517PRCT", "A-509 0505 1", "B-509 ElimAllied 0", "C-509 0507 1")
    state = applied(state, Gain("A-509", "RP"))
    state = applied(state, Return("B-509", _hex("1613")))
    assert points_left(state) == 0
    assert state.gained == {"A-509", "B-509"}
    assert _broken(state, Gain("C-509", "RP")) == {"DZ-4.1a"}


def test_points_lapse_with_the_activation() -> None:
    state = _state("turn 2 RP 517PRCT", "A-509 0505 1")
    state = applied(state, Phase(2, "INIT"))
    assert state.lapsed == {"517PRCT"}
    state = applied(applied(state, Phase(3, "ASSETDRAW")), Phase(3, "RP", "517PRCT"))
    assert points_left(state) == 1


def test_a_regroup_from_its_play_to_its_end() -> None:
    state = _state("turn 2 RP KGVS", "1-I-933 1410 1", "2-I-933 1612 1", "GA-1 HAND")
    assert [u.asset for u in regroup_use_candidates(state)] == ["GA-1"]
    state = applied(state, Use("GA-1", "RP"))
    assert regroup_left(state) == 2
    assert list(gain_candidates(state, "1-I-933")) == [Gain("1-I-933", "REGROUP")]
    state = applied(state, Gain("1-I-933", "REGROUP"))
    moving = applied(state, Phase(2, "MOVE", "KGVS"))
    assert list(gain_candidates(moving, "2-I-933")) == []
    assert _broken(moving, Gain("2-I-933", "REGROUP")) == {"DZ-1.4m"}
    ending = applied(moving, Phase(2, "ENDACT", "KGVS"))
    assert BuyGarrison("G-Le-Muy", "REGROUP") in list(buy_garrison_candidates(ending))
    ending = applied(ending, BuyGarrison("G-Le-Muy", "REGROUP"))
    assert regroup_left(ending) == 0
    assert _broken(ending, Gain("2-I-933", "REGROUP")) == {"DZ-1.4n"}
    after = applied(ending, Phase(2, "INIT"))
    assert after.lapsed == frozenset()


def test_a_garrison_for_a_step() -> None:
    state = _state("turn 2 MOVE KGVS", "1-I-933 1410 2", "2-I-933 0811 1")
    assert list(buy_garrison_candidates(state)) == [Lose("1-I-933", "GARRISON")]
    state = applied(state, Lose("1-I-933", "GARRISON"))
    bought = BuyGarrison("G-La-Motte", "STEP", "1-I-933")
    assert list(buy_garrison_candidates(state)) == [bought]
    state = applied(state, bought)
    assert (state.steps_of("1-I-933"), state.steps_of("G-La-Motte")) == (1, 1)
    assert state.garrison_paid == ()
    assert _broken(state, BuyGarrison("G-Roche-Rousse", "STEP")) == {"DZ-6c"}


def test_the_last_step_for_a_garrison_is_a_warning() -> None:
    state = _state("turn 2 MOVE KGVS", "1-I-933 1410 1")
    found = list(rules().judge(state, Lose("1-I-933", "GARRISON")))
    assert worst(found) is Ruling.WARNING
    state = applied(state, Lose("1-I-933", "GARRISON"))
    assert not _broken(state, BuyGarrison("G-La-Motte", "STEP"))
    state = applied(state, BuyGarrison("G-La-Motte", "STEP"))
    assert state.garrison_paid == ()


# ------------------------------------------------------------------------------ slow definitions


def _neighbors(h: Hex) -> list[Hex]:
    """Return the hexes of the map at distance one, found by measuring all of them."""
    grid = facts().sheet.grid
    x, y = grid.center(h)
    near = []
    for other in facts().ground.neighbors_of:
        ox, oy = grid.center(other)
        if other != h and (ox - x) ** 2 + (oy - y) ** 2 < 1.3 * grid.dy**2:
            near.append(other)
    return near


def _enemies(state: State, side: str) -> set[Hex]:
    known = state.facts
    found = {
        u.place
        for k, u in state.units.items()
        if known.units[k].side != side and u.steps > 0 and isinstance(u.place, Hex)
    }
    for key, garrison in state.garrisons.items():
        if garrison.side != side and garrison.steps > 0:
            found.add(known.garrisons[key].hex)
    return found


@given(positions())
def test_surrounded_is_what_a_slow_look_finds(state: State) -> None:
    for key, unit in state.units.items():
        if not isinstance(unit.place, Hex):
            continue
        side = state.facts.units[key].side
        enemies = _enemies(state, side)
        free = [
            n
            for n in _neighbors(unit.place)
            if n not in enemies and not any(e in enemies for e in _neighbors(n))
        ]
        assert is_surrounded(state, unit.place, side) is (not free)


@given(positions(steps=("RP", "ENDACT")))
def test_what_is_offered_is_legal(state: State) -> None:
    for unit, known in state.facts.units.items():
        if known.command != state.command:
            assert not list(gain_candidates(state, unit))
        offered: list[Action] = [*gain_candidates(state, unit), *return_candidates(state, unit)]
        for action in offered:
            assert not _broken(state, action)


@given(positions(steps=("RP", "ENDACT")))
def test_garrisons_that_are_offered_are_legal(state: State) -> None:
    offered: list[Action] = [*regroup_use_candidates(state), *buy_garrison_candidates(state)]
    for action in offered:
        assert not _broken(state, action)


@given(positions())
def test_points_are_never_below_zero(state: State) -> None:
    assert points_left(state) >= 0
    assert regroup_left(state) >= 0
    assert not (state.side == GERMAN and points_left(state))
    assert not (state.side == ALLIED and regroup_left(state))


# ------------------------------------------------------------------------ with one thing wrong


@given(positions(steps=("RP",)))
def test_a_gain_with_one_thing_wrong_breaks_one_row(state: State) -> None:
    for unit in state.units:
        for gain in gain_candidates(state, unit):
            own = state.facts.units[unit]
            assert _broken(state, replace(gain, by_steps=2)) == {"DZ-4.1b"}
            full = state.with_unit(unit, steps=own.steps)
            assert _broken(full, gain) == {"DZ-4.1x"}
            away = state.with_unit(unit, place="EntryD")
            assert _broken(away, gain) == {"DZ-4.1.2a"}
            again = state.but(gained=frozenset({unit}))
            assert _broken(again, gain) == {"DZ-4.1.1"}
            late = state.but(moment=state.moment._replace(step="COMBAT"))
            assert _broken(late, gain) == {"DZ-4.1c" if own.side == ALLIED else "DZ-1.4m"}


@given(positions(steps=("RP",)))
def test_a_return_with_one_thing_wrong_breaks_one_row(state: State) -> None:
    dead = next((k for k in state.command_units(state.command)), "")
    state = state.with_unit(dead, place="ElimAllied", steps=0) if dead else state
    for back in return_candidates(state, dead):
        assert isinstance(back.to, Hex)
        assert _broken(state, replace(back, steps=2)) == {"DZ-4.1.4a"}
        alive = state.with_unit(dead, place=_hex("0101"), steps=1)
        assert _broken(alive, back) == {"DZ-4.1.4a"}
        held = state.with_unit("1-I-933", place=back.to, steps=1)
        assert _broken(held, back) == {"DZ-4.1.4c"}
        assert _broken(state, replace(back, to=_hex("0101"))) == {"DZ-4.1.4b"}
        assert _broken(state, replace(back, to="EntryA")) == {"DZ-4.1.4b"}


@given(positions(steps=("RP", "ENDACT")))
def test_a_garrison_with_one_thing_wrong_breaks_one_row(state: State) -> None:
    for bought in buy_garrison_candidates(state):
        if not isinstance(bought, BuyGarrison):
            continue
        is_hq = bought.garrison in ("G-Le-Muy", "G-Draguignan-town")
        assert _broken(state, replace(bought, steps=2)) == {"DZ-6e" if is_hq else "DZ-1.2p"}
        assert _broken(state, replace(bought, pay="")) == {"DZ-6c"}
        if bought.pay == "REGROUP":
            spent = state.but(regroup_used=state.regroup)
            assert _broken(spent, bought) == {"DZ-1.4n"}
            assert _broken(state.but(regroup=0, lapsed=frozenset()), bought) == {"DZ-4.1.5a"}

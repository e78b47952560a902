"""Rule 4.2.4: the daylight landing, number by number (V-DZ-10), and against slow definitions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_dropzone import facts, positions, rules

from builder.hexes.grid import Hex
from builder.rules.core import Ruling, worst
from builder.rulesets.dropzone.actions import Action, Displace, Land, Lose, Phase, Roll
from builder.rulesets.dropzone.candidates_moves import landing_candidates
from builder.rulesets.dropzone.landing import direction_hexes, due_units, friends_at, room_for
from builder.rulesets.dropzone.state import State, UnitState

OPEN = ("all .",)
LANDING = "turn 3 LAND 517PRCT\nA-551 AlliedT3\nB-551 AlliedT3"
MOVES = Phase(3, "MOVE", "517PRCT")


def _state(*lines: str) -> State:
    return rules().position(OPEN, "\n".join(lines))


def _hex(label: str) -> Hex:
    found = facts().sheet.find(label)
    assert found is not None
    return found


def _labels(hexes: tuple[Hex, ...]) -> set[str]:
    return {facts().label(h) for h in hexes}


def _broken(state: State, action: Action) -> list[str]:
    return [b.row for b in rules().judge(state, action)]


def _after(state: State, *lines: str) -> State:
    """Return the state after actions, each of which must be legal."""
    for line in lines:
        action = rules().read_action(line)
        assert _broken(state, action) == [], line
        state = rules().apply(state, action)
    return state


def _offers(state: State, unit: str) -> set[tuple[str, str, str]]:
    return {
        (type(a).__name__, a.unit, facts().label(a.to)) for a in landing_candidates(state, unit)
    }


# ------------------------------------------------------------------------------------ V-DZ-10


def test_a_free_zone_costs_nothing() -> None:
    """V-DZ-10a."""
    state = _after(_state(LANDING), "LAND unit=A-551 to=1211")
    assert (state.units["A-551"].hex, state.steps_of("A-551")) == (_hex("1211"), 2)
    assert state.landing == {}


def test_the_zones_of_three_germans_cost_one_step() -> None:
    """V-DZ-10b."""
    state = _state(LANDING, "1-I-765 1210", "2-I-765 1212", "148-Recon 1111")
    state = _after(state, "LAND unit=A-551 to=1211", "LOSE unit=A-551 cause=LAND")
    assert state.steps_of("A-551") == 1
    assert _broken(state, Lose("A-551", "LAND")) == ["DZ-4.2.4d"]
    assert _broken(state, MOVES) == []


def test_an_enemy_in_the_zone_is_attacked_with_one_die() -> None:
    """V-DZ-10c: two steps to one, an attack with DRC 1, and the enemy eliminated."""
    state = _state(LANDING, "1-I-765 1211 1")
    state = _after(
        state,
        "LAND unit=A-551 to=1211",
        "LOSE unit=A-551 cause=LAND",
        "ATTACK n=1 target=1211",
        "JOIN n=1 unit=A-551",
    )
    assert "DZ-5.2.5" in _broken(state, Roll("Allied", "LAND", ("miss", "miss"), 1))
    state = _after(
        state,
        "ROLL side=Allied kind=LAND attack=1 faces=infantry",
        "ROLL side=German kind=LAND attack=1 faces=miss",
        "LOSE unit=1-I-765 cause=COMBAT attack=1",
    )
    assert state.landing == {}
    assert state.units["A-551"].hex == _hex("1211")
    assert _broken(state, MOVES) == []


def test_both_survive_and_a_die_decides() -> None:
    """V-DZ-10c: the neighbor of the die, with no further step for the zone there (C-22)."""
    state = _after(
        _state(LANDING, "1-I-765 1211"),
        "LAND unit=A-551 to=1211",
        "LOSE unit=A-551 cause=LAND",
        "ATTACK n=1 target=1211",
        "JOIN n=1 unit=A-551",
        "ROLL side=Allied kind=LAND attack=1 faces=miss",
        "ROLL side=German kind=LAND attack=1 faces=miss,miss",
        "ROLL side=Allied kind=DIR faces=2",
        "LAND unit=A-551 to=1311",
        "PHASE turn=3 step=MOVE command=517PRCT",
    )
    assert (state.units["A-551"].hex, state.steps_of("A-551")) == (_hex("1311"), 1)
    assert (state.landing, state.direction) == ({}, 0)


def test_a_friend_makes_room_as_near_as_it_can() -> None:
    """V-DZ-10d: beside the zone; with no free hex there two hexes away, and no farther."""
    near = {"1111", "1112", "1210", "1212", "1311", "1312"}
    state = _state(LANDING, "A-509 1211")
    assert _labels(room_for(state, _hex("1211"))) == near
    assert _offers(state, "A-551") == {("Displace", "A-509", h) for h in near}
    # three Germans beyond take four of the six by their zones, two friends stand in the others
    state = _state(
        *(LANDING, "A-509 1211", "1-I-765 1209", "2-I-765 1113", "148-Recon 1412"),
        *("B-509 1111", "C-509 1311"),
    )
    assert _labels(room_for(state, _hex("1211"))) == {"1010", "1011", "1410"}
    assert _broken(state, Displace("A-509", _hex("1214"))) == ["DZ-4.2.4e"]


# -------------------------------------------------------------------------------- directions


@pytest.mark.parametrize(
    ("die", "label"),
    [(1, "1210"), (2, "1311"), (3, "1312"), (4, "1212"), (5, "1112"), (6, "1111")],
)
def test_directions_run_clockwise_from_the_north(die: int, label: str) -> None:
    state = _state(LANDING, "A-551 1211 1", "1-I-765 1211", "owes A-551 direction")
    state = state.but(direction=die)
    assert _labels(direction_hexes(state, "A-551")) == {label}
    assert _offers(state, "A-551") == {("Land", "A-551", label)}


@pytest.mark.parametrize(
    ("die", "label"),
    [(1, "0902"), (2, "0902"), (3, "0902"), (4, "0902"), (5, "0801"), (6, "0902")],
)
def test_what_is_off_the_map_or_held_is_passed_over(die: int, label: str) -> None:
    # at the top of the map: north, northeast and northwest of 0901 lie outside, 1001 is held
    state = _state(
        *("turn 3 LAND 517PRCT", "A-551 0901 1", "1-I-765 0901", "2-I-765 1001"),
        *("owes A-551 direction", f"direction {die}"),
    )
    assert _labels(direction_hexes(state, "A-551")) == {label}
    elsewhere = _hex("0802")
    assert _broken(state, Land("A-551", _hex(label))) == []
    assert _broken(state, Land("A-551", elsewhere)) == ["DZ-4.2.4c"]


def test_a_friend_in_the_hex_of_the_die_is_passed_over_or_makes_room() -> None:
    lines = ("turn 3 LAND 517PRCT", "A-551 1211 1", "1-I-765 1211", "A-509 1210")
    state = _state(*lines, "owes A-551 direction", "direction 1")
    assert _labels(direction_hexes(state, "A-551")) == {"1311"}
    room = room_for(state, _hex("1210"))
    moved = _after(state, f"DISPLACE unit=A-509 to={facts().label(room[0])}")
    assert _labels(direction_hexes(moved, "A-551")) == {"1210"}


def test_with_no_hex_free_nothing_is_owed() -> None:
    keys = ("A-509", "B-509", "C-509", "A-1-517", "B-1-517", "C-1-517")
    around = ("1210", "1311", "1312", "1212", "1112", "1111")
    friends = [f"{k} {h}" for k, h in zip(keys, around, strict=True)]
    lines = ("turn 3 LAND 517PRCT", "A-551 1211 1", "1-I-765 1211", "owes A-551 direction")
    state = _state(*lines, *friends, "direction 1")
    assert direction_hexes(state, "A-551") == ()
    assert _broken(state, MOVES) == []
    assert _broken(state.with_unit("A-509", place="Off"), MOVES) == ["DZ-4.2.4c"]


@pytest.mark.parametrize("faces", [(), ("7",), ("0",), ("armor",), ("1", "2"), ("",)])
def test_one_die_of_six_sides_decides(faces: tuple[str, ...]) -> None:
    state = _state("turn 3 LAND 517PRCT", "A-551 1211 1", "1-I-765 1211", "owes A-551 direction")
    roll = Roll("Allied", "DIR", faces)
    assert _broken(state, roll) == ["DZ-4.2.4c"]
    assert worst(rules().judge(state, roll)) is Ruling.WARNING
    # of two dice the first is taken for what follows, so that one error stays one
    known = len(faces) == 2
    assert bool(direction_hexes(rules().apply(state, roll), "A-551")) is known


# ------------------------------------------------------------------------- one error, one finding


@pytest.mark.parametrize("owed", ["loss", "loss attack", "attack", "direction"])
def test_what_is_owed_is_missed_once(owed: str) -> None:
    row = {"loss": "DZ-4.2.4d", "direction": "DZ-4.2.4c"}.get(owed, "DZ-4.2.4b")
    enemy = "1210" if owed == "loss" else "1211"
    state = _state("turn 3 LAND 517PRCT", "A-551 1211", f"1-I-765 {enemy}", f"owes A-551 {owed}")
    assert _broken(state, MOVES) == [row]
    state = rules().apply(state, MOVES)
    later = [r for r in _broken(state, Phase(3, "COMBAT", "517PRCT")) if r.startswith("DZ-4")]
    assert later == []


def test_the_others_wait_until_a_landing_is_settled() -> None:
    for owed, row in (("attack", "DZ-4.2.4b"), ("direction", "DZ-4.2.4c")):
        state = _state(LANDING, "A-551 1211 1", "1-I-765 1211", f"owes A-551 {owed}")
        assert _broken(state, Land("B-551", _hex("1211"))) == [row]
        assert friends_at(state, _hex("1211")) == ()
    state = _state(LANDING, "A-551 1211 1", "1-I-765 1210", "owes A-551 loss")
    assert friends_at(state, _hex("1211")) == ("A-551",)


@pytest.mark.parametrize(
    ("lines", "action"),
    [
        (("turn 2 LAND 517PRCT", "A-551 AlliedT3"), Land("A-551", _hex("1211"))),
        (("turn 3 RU 517PRCT", "A-551 AlliedT3"), Land("A-551", _hex("1211"))),
        (("turn 3 LAND 148RD", "A-551 AlliedT3"), Land("A-551", _hex("1211"))),
        (("turn 3 LAND 517PRCT", "A-551 AlliedT3 1"), Land("A-551", _hex("1211"))),
        (("turn 3 LAND 517PRCT", "A-551 AlliedT3"), Land("A-551", _hex("1210"))),
        (("turn 3 LAND 517PRCT", "A-551 AlliedT3"), Land("A-551", _hex("1613"))),
        (("turn 3 LAND 517PRCT", "A-509 Off"), Land("A-509", _hex("1613"))),
        (("turn 3 LAND 517PRCT", "A-551 ElimAllied 0"), Land("A-551", _hex("1211"))),
    ],
)
def test_who_lands_when_where_and_how_strong_is_one_row(
    lines: tuple[str, ...], action: Land
) -> None:
    assert _broken(_state(*lines), action) == ["DZ-4.2.4a"]


# --------------------------------------------------------------------------- slow definitions


def _neighbors(h: Hex) -> list[Hex]:
    return [n for n in facts().sheet.grid.neighbors(h) if n in facts().sheet]


def _rooms(state: State, zone: Hex, *, garrisons_too: bool) -> set[Hex]:
    """Return the nearest vacant hexes out of German zones, ring by ring from the zone."""
    known = state.facts
    units = {u.place for u in state.units.values() if u.steps > 0}
    held = {known.garrisons[k].hex: g.side for k, g in state.garrisons.items() if g.steps > 0}
    german = {
        u.place for k, u in state.units.items() if u.steps > 0 and known.units[k].side == "German"
    } | {h for h, side in held.items() if side == "German"}
    zone_of = {n for h in german if isinstance(h, Hex) for n in _neighbors(h)}
    seen, ring = {zone}, {zone}
    while ring:
        ring = {n for h in ring for n in _neighbors(h)} - seen
        seen |= ring
        taken = units | {h for h, side in held.items() if garrisons_too or side == "German"}
        free = {h for h in ring if h not in taken and h not in zone_of}
        if free:
            return free
    return set()


@given(positions(("LAND",)), st.sampled_from(("DZ A", "LZ O")))
def test_room_is_the_nearest_there_is(state: State, name: str) -> None:
    zone = facts().zones[name]
    strictly = _rooms(state, zone, garrisons_too=True)
    assert set(room_for(state, zone)) == strictly | _rooms(state, zone, garrisons_too=False)


@given(positions(("LAND",)), st.sampled_from(("517PRCT", "2IPBG")))
def test_what_is_offered_is_legal(state: State, command: str) -> None:
    moment = state.moment._replace(turn=3)
    units = dict(state.units)
    landing = [k for k in state.command_units(command) if facts().units[k].lands]
    units[landing[0]] = UnitState("AlliedT3", 2)
    state = state.but(moment=moment, command=command, units=units)
    zone = facts().zones[facts().units[landing[0]].affiliation]
    assert landing[0] in due_units(state, zone)
    offers = list(landing_candidates(state, landing[0]))
    assert offers or friends_at(state, zone)
    for action in offers:
        assert _broken(state, action) == [], action


@given(positions(("LAND",)), st.integers(1, 6))
def test_a_displaced_unit_leaves_the_zone_for_the_one_that_lands(state: State, die: int) -> None:
    state = state.but(
        moment=state.moment._replace(turn=3),
        command="517PRCT",
        direction=0,
        units={
            **state.units,
            "A-551": UnitState("AlliedT3", 2),
            "B-551": UnitState(facts().zones["DZ A"], 2),
        },
    )
    for _ in range(20):
        offers = list(landing_candidates(state, "A-551"))
        assert offers, "there is always room on the map"
        action = offers[die % len(offers)]
        state = rules().apply(state, action)
        if isinstance(action, Land):
            break
    assert state.units["A-551"].hex == facts().zones["DZ A"]
    assert state.units["B-551"].hex != facts().zones["DZ A"]

"""Vectors of the drop's rules, and laws that hold for every action."""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import replace
from functools import cache, reduce
from random import Random
from typing import Any, get_type_hints

import pytest
from airdrop_drops import NATIONS, played, start
from hypothesis import given
from hypothesis import strategies as st

from builder.hexes.grid import Hex
from builder.hexes.measure import distance
from builder.rules.core import Ruling
from builder.rulesets.airdrop import actions as a
from builder.rulesets.airdrop.apply import applied
from builder.rulesets.airdrop.arming import canister_drm, finds_arms
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.drift import drift_end, drift_length, wind_end
from builder.rulesets.airdrop.effects import passes
from builder.rulesets.airdrop.facts import (
    FORCES,
    Figures,
    Ground,
    is_onboard,
    is_whole,
    label,
    mirrored,
    offboard_distance,
    step,
)
from builder.rulesets.airdrop.landing import bridge_holds, check_level
from builder.rulesets.airdrop.offboard import casualty_points
from builder.rulesets.airdrop.policy_fire import result_of
from builder.rulesets.airdrop.state import PHASES, Chute, State, Unit
from builder.rulesets.airdrop.wings import board_selected, line_of, lost_point

K5 = Hex(24, 18)
BLANK = State(Ground({}, {}), wind_dir=2, wind_force="MILD", phase="DRIFT")
FLYING = applied(BLANK, a.Place("PA", K5))


def rows(state: State, action: a.Action) -> set[str]:
    return {b.row for b in book.judge(state, action)}


def after(state: State, *actions: a.Action) -> State:
    return reduce(applied, actions, state)


def boxed(*units: Unit, **fields: Any) -> State:
    """Return a table with units in box A, its parachute in the air over K5."""
    inside = {u.id: replace(u, stick="A") for u in units}
    state = State(Ground({}, {}), units=inside, wind_dir=2, **fields)
    return applied(state, a.Place("PA", K5))


def landed(state: State, h: Hex = K5, place: str = "GROUND") -> State:
    chute = replace(state.chutes["PA"], where=h, drift=(1, 1), blown=True)
    state = replace(state, chutes={**state.chutes, "PA": chute}, phase="LAND")
    return replace(applied(state, a.Land("PA", place)), phase="CHECKS")


def man(name: str, kind: str, **fields: Any) -> Unit:
    return Unit(name, kind, "Attacker", **fields)


# --- V-E9-1 to V-E9-5: drift and lines ---------------------------------------------------------


@pytest.mark.parametrize(
    ("dice", "drifted", "blown"), [((5, 3), "1H6", "1J5"), ((6, 2), "1I4", "1K3")]
)
def test_the_rulebooks_drift(dice: tuple[int, int], drifted: str, blown: str) -> None:
    # the rulebook prints J4 for the second, which its own end K3 excludes
    end = drift_end(BLANK, K5, *dice)
    assert (label(end), label(wind_end(BLANK, end))) == (drifted, blown)


def test_the_printed_slip_is_told() -> None:
    state = after(BLANK, a.Place("PA", K5), a.Place("WA", K5))
    assert rows(state, a.Drift("WA", 6, 2, Hex(23, 17))) == {"E9.2b"}


def test_directions() -> None:
    assert [label(step(K5, d, 3)) for d in range(1, 7)] == [
        "1K2",
        "1N3",
        "1N6",
        "1K8",
        "1H6",
        "1H3",
    ]
    assert [label(step(K5, d)) for d in range(1, 7)] == ["1K4", "1L4", "1L5", "1K6", "1J5", "1J4"]


@pytest.mark.parametrize(
    ("nationality", "lengths"),
    [
        ("GERMAN", [1, 1, 2, 2, 3, 3]),
        ("RUSSIAN", [1, 3, 4, 6, 7, 9]),
        ("US", [1, 2, 3, 4, 5, 6]),
        ("BRITISH", [1, 2, 3, 4, 5, 6]),
    ],
)
def test_drift_by_nationality(nationality: str, lengths: list[int]) -> None:
    assert [drift_length(nationality, w) for w in range(1, 7)] == lengths


def test_the_wind_comes_after_the_half() -> None:
    german = replace(BLANK, nationality="GERMAN")
    end = wind_end(german, drift_end(german, K5, 5, 5))
    assert end == step(step(K5, 5, 3), 2, 2)


@pytest.mark.parametrize(
    ("force", "where"), [("NONE", "1H6"), ("MILD", "1J5"), ("GUST", "1K5"), ("HEAVY", "1L4")]
)
def test_wind_by_force(force: str, where: str) -> None:
    assert label(wind_end(replace(BLANK, wind_force=force), step(K5, 5, 3))) == where


@pytest.mark.parametrize(
    ("grain", "line"), [(1, "K3 K4 K5 K6 K7"), (2, "M4 L4 K5 J5 I6"), (3, "M6 L5 K5 J4 I4")]
)
def test_lines_of_wings(grain: int, line: str) -> None:
    assert sorted(label(h)[1:] for h in line_of(K5, grain, 5)) == sorted(line.split())


def line_rows(wing: a.Wing, *hexes: Hex) -> set[str]:
    state = after(replace(BLANK, phase="RPh"), wing, a.Dproll("1", 2, wing.dp))
    told: set[str] = set()
    for letter, h in zip(wing.sticks, hexes, strict=True):
        told |= rows(state, a.Place(f"P{letter}", h))
        state = applied(state, a.Place(f"P{letter}", h))
    return told


def test_a_crooked_line_is_told() -> None:
    wing = a.Wing("1", K5, 3, tuple("ABCDE"))
    right = line_of(K5, 3, 5)
    assert line_rows(wing, *right) == set()
    # J4 J5 K5 K6 L6
    crooked = Hex(23, 17), Hex(23, 18), K5, Hex(24, 19), Hex(25, 19)
    assert line_rows(wing, *crooked) == {"E9.12g"}


def test_a_short_line_may_begin_on_either_side() -> None:
    wing = a.Wing("1", K5, 1, tuple("ABCD"))
    north, south = line_of(K5, 1, 4), line_of(K5, 4, 4)
    assert north != south
    assert line_rows(wing, *north) == set()
    assert line_rows(wing, *south) == set()
    gap = K5, step(K5, 1), step(K5, 1, 2), step(K5, 1, 3)
    assert line_rows(wing, *gap) == {"E9.12g"}


@pytest.mark.parametrize(
    ("other", "told"), [(Hex(29, 20), set()), (Hex(23, 14), {"E9.12c"})], ids=["P7", "J1"]
)
def test_points_apart(other: Hex, told: set[str]) -> None:
    state = applied(BLANK, a.Wing("1", K5, 1, tuple("ABCDE")))
    assert rows(state, a.Wing("2", other, 1, tuple("FGHIJ"))) == told


# --- V-E9-6: the rulebook's fire ---------------------------------------------------------------


def test_the_rulebooks_fire() -> None:
    crew, half = man("crew", "crew"), man("half", "hs")
    leader = man("leader", "leader", leadership=-1)
    firer = Unit("d", "squad", "Defender", where=step(K5, 1, 2), strength="4-6-7", fp=4)
    state = boxed(crew, half, leader, wind_force="NONE")
    state = replace(state, units={**state.units, "d": firer}, phase="DRIFT")
    fire = a.Fire("d", "PA", 1, 3, 4, drm=("HAZARDOUS",), sum=-2)
    mc = a.Mc("PA", 2, 2, 3, True, "FIRE")
    play: list[a.Action] = [
        a.Drift("PA", 1, 1, step(K5, 1)),
        a.Phase(1, "Attacker", "FIRSTFIRE"),
        fire,
        a.Rs("CASUALTY", "crew", 5),
        a.Rs("CASUALTY", "half", 3),
        a.Rs("CASUALTY", "leader", 5),
        a.Loss("PA", "crew"),
        a.Loss("PA", "leader", "WOUND"),
        a.Loss("PA", "leader"),
        mc,
        a.Cvp(4),
    ]
    assert result_of(1 + 3 - 2) == "K/2"
    for action in play:
        assert rows(state, action) == set(), action
        if action == fire:
            assert rows(state, replace(fire, drm=(), sum=0)) == {"E9.3c"}
            assert rows(state, mc) == {"E9.3f"}
        if action == mc:
            assert rows(state, a.Loss("PA", "half")) == set(), "the last one needs no selection"
        state = applied(state, action)
    assert casualty_points(state) == 4
    assert rows(state, mc) == {"E9.33e"}
    assert [u.id for u in state.units_of("A")] == ["half"]
    state = replace(landed(state), phase="APh")
    assert rows(state, a.Open("PA", ("half",), K5)) == set()
    assert rows(state, a.Open("PA", ("half", "crew"), K5)) == {"E9.11e"}
    assert rows(state, a.Roll("LLMC", "half", 3, 4)) == {"E9.6c"}


def test_a_squad_loses_a_half() -> None:
    halves = [Unit(f"s{x}", "hs", "Attacker", half_of="s") for x in "ab"]
    state = boxed(man("s", "squad"), man("l", "leader"))
    state = replace(state, units={**state.units, **{u.id: u for u in halves}})
    state = after(state, a.Fire("d", "PA", 1, 3, drm=("HAZARDOUS",), sum=-2))
    assert rows(state, a.Loss("PA", "sa")) == {"E9.33d"}
    for name, die in (("sa", 6), ("sb", 2), ("l", 3)):
        state = applied(state, a.Rs("CASUALTY", name, die))
    assert rows(state, a.Loss("PA", "sb")) == {"E9.33d"}
    assert rows(state, a.Loss("PA", "sa")) == set()
    state = applied(state, a.Loss("PA", "sa"))
    assert [u.id for u in state.units_of("A")] == ["l", "sb"]
    opened = replace(landed(state), phase="APh")
    assert rows(opened, a.Open("PA", ("l", "sb"), K5)) == set()


def test_two_parachutes_need_a_selection() -> None:
    state = after(boxed(man("s", "squad")), a.Place("PB", K5))
    state = replace(state, phase="FIRSTFIRE")
    state = applied(state, a.Fire("d", "PA", 3, 3, drm=("HAZARDOUS",), sum=-2))
    mc = a.Mc("PA", 1, 3, 3, True, "FIRE")
    assert rows(state, mc) == {"E9.3f"}
    state = after(state, a.Rs("TARGET", "PA", 2), a.Rs("TARGET", "PB", 5))
    assert rows(state, mc) == {"E9.3f"}
    assert rows(state, replace(mc, chute="PB")) == set()
    tied = applied(state, a.Rs("TARGET", "PA", 5))
    assert rows(tied, mc) == rows(tied, replace(mc, chute="PB")) == set()
    # by the selection the attack was one on PB, which the same firer may not attack again
    again = a.Fire("d", "PB", 3, 3, drm=("HAZARDOUS",), sum=-2)
    drifted = {k: replace(c, drift=(1, 1)) for k, c in state.chutes.items()}
    state = replace(state, chutes=drifted)
    assert rows(state, again) == set()
    assert rows(applied(state, replace(mc, chute="PB")), again) == {"E9.3g"}


def test_a_weapon_is_only_destroyed() -> None:
    state = after(boxed(man("s", "squad")), a.Place("WA", step(K5, 1)))
    state = applied(state, a.Fire("d", "WA", 1, 2, drm=("HAZARDOUS",), sum=-2))
    (told,) = book.judge(state, a.Mc("WA", 2, 1, 2, True, "FIRE"))
    assert (told.row, told.ruling) == ("E9.3e", Ruling.WARNING)
    assert rows(state, a.Elim("WA")) == set()


def test_unverified_hazard_warns_and_a_verified_one_forbids() -> None:
    fire = a.Fire("d", "PA", 1, 2, drm=("HAZARDOUS",), sum=-1)
    state = replace(FLYING, phase="FIRSTFIRE")
    state = applied(replace(state, phase="DRIFT"), a.Drift("PA", 1, 1, step(K5, 1)))
    state = replace(applied(state, a.Blow("PA", step(step(K5, 1), 2, 2))), phase="FIRSTFIRE")
    assert [b.ruling for b in book.judge(state, fire)] == [Ruling.WARNING]
    sure = replace(state, figures=Figures(ours=frozenset()))
    assert [b.ruling for b in book.judge(sure, fire)] == [Ruling.ILLEGAL]


@pytest.mark.parametrize(
    ("bases", "told"),
    [
        (["woods", "woods"], {"E9.31a"}),
        (["woods", "crag"], set()),
        (["building", "jungle"], {"E9.31a"}),
    ],
)
def test_blind_hexes_between(bases: list[str], told: set[str]) -> None:
    # two hexes on, around a corner: L4 and L5 lie between K5 and M5
    ground = Ground(dict(zip((step(K5, 2), step(K5, 3)), bases, strict=True)), {})
    far = step(step(K5, 2), 3)
    firer = Unit("d", "squad", "Defender", where=K5)
    state = State(ground, phase="FIRSTFIRE", units={"d": firer})
    state = replace(state, chutes={"PA": Chute("PA", far, "AERIAL", drift=(1, 1))})
    assert rows(state, a.Fire("d", "PA", 3, 4, drm=("HAZARDOUS",), sum=-2)) == told


def test_a_sniper_waits_for_the_next_turn() -> None:
    sniper = a.Roll("SNIPER", "Sniper-Attacker", 1, 1)
    state = replace(landed(boxed(man("s", "squad"))), phase="APh")
    assert rows(state, sniper) == {"E9.32e"}
    assert rows(state, replace(sniper, piece="Sniper-Defender")) == set()
    state = applied(state, a.Open("PA", ("s",), K5))
    assert rows(state, sniper) == {"E9.32e"}
    assert rows(applied(state, a.Phase(2, "Attacker", "RPh")), sniper) == set()


# --- V-E9-7 and V-E9-8: checks and bridges -----------------------------------------------------


@pytest.mark.parametrize(
    ("force", "most", "ways"), [("NONE", 7, 21), ("MILD", 6, 15), ("HEAVY", 5, 10), ("GUST", 5, 10)]
)
def test_landing_checks(force: str, most: int, ways: int) -> None:
    plus = check_level(force)
    dice = [(c, w) for c in range(1, 7) for w in range(1, 7)]
    assert sum(passes(c, w, plus) for c, w in dice) == ways
    assert all(passes(c, w, plus) == (c + w <= most) for c, w in dice)


def test_a_stick_that_fails_in_a_breeze_deploys() -> None:
    halves = [Unit(f"s{x}", "hs", "Attacker", half_of="s") for x in "ab"]
    state = boxed(man("s", "squad"), man("l", "leader"), wind_force="MILD")
    state = landed(replace(state, units={**state.units, **{u.id: u for u in halves}}))
    tc = a.Tc("PA", 1, 3, 4, False)
    assert rows(state, tc) == set()
    state = applied(state, tc)
    end = a.Phase(1, "Attacker", "DFPh")
    assert rows(state, end) == {"E9.42d"}
    assert rows(state, a.Deploy("PA", ("s", "l"), K5)) == {"E9.42d"}
    assert rows(state, a.Deploy("PA", ("sa", "l"), K5)) == {"E9.42d"}
    assert rows(state, a.Deploy("PA", ("sa", "sb"), K5)) == {"E9.42e"}
    deploy = a.Deploy("PA", ("sa", "sb", "l"), K5)
    assert rows(state, deploy) == set()
    state = applied(state, deploy)
    assert rows(state, end) == {"E9.42f"}
    downwind = a.Displace("sb", step(K5, 2))
    assert rows(state, downwind) == set()
    assert rows(state, a.Displace("sb", step(K5, 3))) == {"E9.42f"}
    assert rows(state, a.Displace("l", step(K5, 2))) == {"E9.42f"}
    state = applied(state, downwind)
    assert rows(state, a.Displace("sa", step(K5, 2))) == {"E9.42f"}
    assert rows(state, end) == set()
    state = after(state, a.Rs("DEPLOY", "sb", 3), a.Rs("DEPLOY", "l", 3))
    assert rows(state, a.Displace("l", step(K5, 2))) == set()
    assert {u.id: u.where for u in state.units.values()}["s"] is None
    assert state.units["s"].stick == ""


@pytest.mark.parametrize(
    ("kinds", "moves"),
    [(("hs", "crew"), "hs0"), (("crew", "crew"), "crew1"), (("hs", "leader"), "")],
)
def test_who_goes_downwind(kinds: tuple[str, ...], moves: str) -> None:
    units = [man(f"{kind}{n}", kind) for n, kind in enumerate(kinds)]
    state = after(landed(boxed(*units)), a.Tc("PA", 0, 6, 6, False))
    deploy = a.Deploy("PA", tuple(u.id for u in units), K5)
    assert rows(state, deploy) == set()
    state = applied(state, deploy)
    end = a.Phase(1, "Attacker", "DFPh")
    assert rows(state, end) == ({"E9.42f"} if moves else set())
    for unit in units:
        told = rows(state, a.Displace(unit.id, step(K5, 2)))
        right = unit.id == moves or kinds == ("crew", "crew")
        assert told == (set() if right else {"E9.42f"})


def test_a_lone_half_squad_has_nothing_to_deploy() -> None:
    state = after(landed(boxed(man("h", "hs"))), a.Tc("PA", 0, 6, 6, False))
    assert rows(state, a.Phase(1, "Attacker", "DFPh")) == set()
    assert rows(state, a.Deploy("PA", ("h",), K5)) == {"E9.42d"}


def test_a_displaced_half_squad_survives_in_a_deep_stream() -> None:
    to = step(K5, 2)
    for base, told in (("deep_stream", set[str]()), ("flooded_stream", {"E9.42h"})):
        state = landed(boxed(man("h", "hs"), man("i", "hs")))
        state = replace(state, ground=Ground({to: base}, {}))
        state = after(state, a.Tc("PA", 0, 6, 6, False), a.Deploy("PA", ("h", "i"), K5))
        state = applied(state, a.Displace("i", to))
        assert rows(state, a.Phase(1, "Attacker", "DFPh")) == told


def test_inside_a_building_a_stick_goes_on() -> None:
    inside, outer = step(K5, 2), step(K5, 2, 2)
    flags = {K5: frozenset(["interior"]), inside: frozenset(["interior"])}
    ground = Ground(dict.fromkeys((K5, inside, outer), "building"), flags)
    state = landed(replace(boxed(man("s", "squad")), ground=ground))
    end = a.Phase(1, "Attacker", "DFPh")
    assert rows(state, a.Chain("PA", inside)) == {"E9.42b"}, "first the MC"
    for h in (inside, outer):
        assert rows(state, end) == {"E9.42a"}
        state = applied(state, a.Mc("PA", 0, 2, 2, True))
        assert rows(state, end) == {"E9.42b"}
        assert rows(state, a.Chain("PA", h)) == set()
        state = applied(state, a.Chain("PA", h))
    assert rows(state, a.Chain("PA", step(outer, 2))) == {"E9.42b"}
    state = applied(state, a.Mc("PA", 0, 2, 2, True))
    assert rows(state, end) == set()


@pytest.mark.parametrize(
    ("kind", "broken", "most"),
    [
        ("wide", False, 3),
        ("wide", True, 2),
        ("one_lane", False, 2),
        ("one_lane", True, 1),
        ("foot", False, 0),
        ("", False, 0),
    ],
)
def test_bridges(kind: str, broken: bool, most: int) -> None:
    assert [d for d in range(1, 7) if bridge_holds(kind, d, broken=broken)] == [*range(1, most + 1)]


@pytest.mark.parametrize(("name", "dr", "on"), [("PA", 3, True), ("WA", 3, False), ("WA", 2, True)])
def test_a_weapon_is_no_unbroken_unit(name: str, dr: int, on: bool) -> None:
    ground = Ground({K5: "deep_stream"}, {K5: frozenset(["bridge"])})
    chute = Chute(name, K5, "AERIAL", drift=(1, 1))
    state = State(ground, phase="LAND", chutes={name: chute})
    assert rows(state, a.Land(name, "BRIDGE", dr)) == (set() if on else {"E9.4c"})


@pytest.mark.parametrize(
    ("base", "flag", "told"),
    [
        ("water", "bridge", {"E9.4d"}),
        ("deep_stream", "", {"E9.4d"}),
        ("water", "frozen", set()),
        ("shallow_stream", "", set()),
        ("open", "blaze", {"E9.4d"}),
    ],
)
def test_who_drowns(base: str, flag: str, told: set[str]) -> None:
    ground = Ground({K5: base}, {K5: frozenset([flag])})
    state = replace(landed(replace(boxed(man("s", "squad")), ground=ground), place="IN"))
    assert rows(replace(state, phase="LAND"), a.Phase(1, "Attacker", "CHECKS")) == told
    on = landed(replace(boxed(man("s", "squad")), ground=ground), place="BRIDGE")
    assert not on.is_drowned(on.chutes["PA"])


def test_no_roll_on_a_foot_bridge() -> None:
    ground = Ground({K5: "deep_stream"}, {K5: frozenset(["bridge_foot"])})
    state = replace(boxed(man("s", "squad")), ground=ground, wind_force="NONE")
    state = replace(applied(replace(state, phase="DRIFT"), a.Drift("PA", 1, 1, K5)), phase="LAND")
    assert rows(state, a.Land("PA", "IN")) == set()
    assert rows(state, a.Land("PA", "BRIDGE", 1)) == {"E9.4c"}


# --- V-E9-9: Wings and Sticks ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "told"), [((5, 5, 2), set()), ((4, 4, 4), {"E9.11b"}), ((5, 4, 3), {"E9.11b"})]
)
def test_sizes_of_wings(sizes: tuple[int, ...], told: set[str]) -> None:
    state, found, letters = BLANK, set[str](), iter("ABCDEFGHIJKL")
    for number, size in enumerate(sizes):
        sticks = tuple(next(letters) for _ in range(size))
        wing = a.Wing(str(number), Hex(20 + 6 * number, 18), 1, sticks)
        found |= rows(state, wing)
        state = applied(state, wing)
    assert found == told


LMG = man("lmg", "sw", sw="LMG")
HMG = man("hmg", "sw", sw="HMG", can_dm=True)
MORTAR = man("mortar", "sw", sw="LIGHT_MTR", can_dm=True)


@pytest.mark.parametrize(
    ("units", "told"),
    [
        ((man("s", "squad"), man("l", "leader"), LMG), set()),
        ((man("h", "hs"), man("i", "hs"), man("l", "leader")), set()),
        ((man("s", "squad"), man("h", "hs")), {"E9.11d"}),
        ((man("s", "squad"), man("l", "leader"), man("o", "hero")), {"E9.11d"}),
        ((man("s", "squad"), LMG, HMG), {"E9.11d"}),
    ],
)
def test_contents_of_sticks(units: tuple[Unit, ...], told: set[str]) -> None:
    state = replace(landed(boxed(*units)), phase="APh")
    names = tuple(u.id for u in units if not state.is_separate(u))
    assert rows(state, a.Open("PA", names, K5)) == told


@pytest.mark.parametrize(
    ("nationality", "weapon", "kept"),
    [
        ("BRITISH", LMG, True),
        ("BRITISH", MORTAR, True),
        ("BRITISH", HMG, False),
        ("US", MORTAR, True),
        ("US", LMG, False),
        ("GERMAN", MORTAR, False),
    ],
)
def test_weapons_that_are_kept(nationality: str, weapon: Unit, kept: bool) -> None:
    state = boxed(man("s", "squad"), weapon, nationality=nationality)
    assert rows(state, a.Place("WA", K5)) == ({"E9.1i"} if kept else set())
    state = replace(landed(state), phase="APh")
    opened = rows(state, a.Open("PA", ("s", weapon.id), K5))
    assert opened == (set() if kept else {"E9.2g"})
    under = {**state.chutes, "WA": Chute("WA", K5, "LANDED")}
    told = rows(replace(state, chutes=under), a.Recover("s", "WA", weapon.id, dm=True))
    assert ("E9.2g" in told) == kept


def test_one_parachute_for_a_weapon() -> None:
    state = applied(boxed(man("s", "squad"), HMG), a.Place("WA", K5))
    assert rows(state, a.Place("WA", K5, copy=True)) == {"E9.11c", "E9.1i"}
    both = applied(boxed(man("s", "squad"), HMG, LMG), a.Place("WA", K5))
    assert rows(both, a.Place("WA", K5, copy=True)) == {"E9.11c"}


def test_a_weapon_comes_out_dismantled() -> None:
    state = applied(boxed(man("s", "squad"), HMG), a.Place("WA", K5))
    chutes = {**state.chutes, "WA": replace(state.chutes["WA"], status="LANDED")}
    state = replace(state, chutes=chutes, phase="RPh", turn=2)
    assert rows(state, a.Recover("s", "WA", "hmg", dm=True)) == set()
    assert rows(state, a.Recover("s", "WA", "hmg")) == {"E9.11h"}


# --- V-E9-10: arms canisters -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entered", "tired", "most"), [(1, False, 2), (2, False, 3), (4, False, 5), (2, True, 2)]
)
def test_canisters(entered: int, tired: bool, most: int) -> None:
    unit = Unit("s", "squad", "Attacker", where=K5, partially_armed=True, exhausted=tired)
    state = State(Ground({}, {}), turn=2, phase="CHECKS", units={"s": unit})
    state = reduce(applied, (a.Move("s", step(K5, 1, n + 1)) for n in range(entered)), state)
    drm = canister_drm(state, "s")
    assert [d for d in range(1, 7) if finds_arms(d, drm)] == [*range(1, most + 1)]
    for die in range(1, 7):
        assert rows(state, a.Canister("s", die, drm, die <= most)) == set()
        assert rows(state, a.Canister("s", die, drm, die > most)) == {"E9.7e"}


def test_canisters_need_a_move_and_count_hexes_once() -> None:
    unit = Unit("s", "squad", "Attacker", where=K5, partially_armed=True)
    state = State(Ground({}, {}), turn=2, phase="CHECKS", units={"s": unit})
    assert rows(state, a.Canister("s", 1, 0, True)) == {"E9.7c"}
    state = after(state, *(a.Move("s", step(K5, d)) for d in (1, 2, 1)))
    assert canister_drm(state, "s") == -2
    for wrong in (replace(state, phase="APh"), replace(state, side="Defender")):
        assert rows(wrong, a.Canister("s", 1, -2, True)) == {"E9.7c"}
    found = applied(state, a.Canister("s", 1, -2, True))
    assert not found.units["s"].partially_armed
    assert rows(found, a.Canister("s", 1, -2, True)) == {"E9.7c"}


# --- V-E9-11: the drop point -------------------------------------------------------------------


def test_the_drop_point() -> None:
    state = applied(replace(BLANK, phase="RPh"), a.Wing("1", K5, 1, tuple("ABCDE")))
    assert rows(state, a.Dproll("1", 3, K5)) == set()
    assert rows(state, a.Dproll("1", 3, step(K5, 1))) == {"E9.12e"}
    assert [board_selected(d) for d in ((5, 5), (6, 2), (2, 6))] == [0, 1, 2]
    point = lost_point(1, 3, 2)
    assert label(point) == "1S6"
    right = a.Dproll("1", 4, point, 1, (6, 2), 3, 2)
    assert rows(state, right) == set()
    assert rows(state, replace(right, dice=(5, 5))) == {"E9.12f"}
    assert rows(state, replace(right, board=2)) == {"E9.12f"}
    assert [b.ruling for b in book.judge(state, replace(right, hex=K5))] == [Ruling.ILLEGAL]
    near = replace(right, hex=step(point, 1))
    assert [b.ruling for b in book.judge(state, near)] == [Ruling.WARNING]


# --- V-E9-12: off the boards -------------------------------------------------------------------


def test_a_walk_from_outside() -> None:
    b1 = Hex(15, 14)
    off = step(b1, 1, 2)
    assert (offboard_distance(step(b1, 1)), offboard_distance(off)) == (0, 1)
    far = step(off, 1)
    unit = Unit("s", "squad", "Attacker", where=far, offboard=True)
    state = State(Ground({}, {}), turn=2, phase="DRIFT", units={"s": unit})
    assert rows(state, a.Move("s", step(b1, 1))) == {"E9.41f"}
    assert rows(state, a.Move("s", step(far, 2))) == {"E9.41e"}, "not along the edge"
    assert rows(state, a.Move("s", off)) == set()
    state = applied(state, a.Move("s", off))
    assert rows(state, a.Move("s", step(b1, 1))) == {"E9.41f"}, "only in its next MPh or APh"
    aph = replace(state, phase="APh")
    assert rows(aph, a.Advance("s", step(b1, 1))) == set()
    assert rows(aph, a.Advance("s", far)) == {"E9.41g"}
    later = applied(state, a.Phase(3, "Attacker", "DRIFT"))
    assert rows(later, a.Move("s", step(b1, 1))) == set()
    broken = replace(later, units={"s": replace(unit, where=off, broken=True)})
    for action in (a.Move("s", b1), a.Advance("s", b1), a.Rout("s", b1)):
        assert rows(broken, action) == {"E9.41h"}


def test_offboard_ground_is_mirrored() -> None:
    off = Hex(15, 12)
    ground = Ground({mirrored(off): "woods"}, {})
    state = landed(replace(boxed(man("s", "squad")), ground=ground), off)
    end = a.Phase(1, "Attacker", "DFPh")
    assert [(b.row, b.ruling) for b in book.judge(state, end)] == [("E9.41b", Ruling.WARNING)]
    assert rows(state, a.Mc("PA", 0, 2, 2, True)) == set()
    (told,) = book.judge(state, a.Tc("PA", 0, 2, 2, True))
    assert (told.row, told.rests_on) == ("E9.42a", ("terrain off the boards",))
    assert rows(applied(state, a.Mc("PA", 0, 2, 2, True)), end) == set()
    for action in (a.Elim("PA", "OTHER"), a.Relocate("PA", "ElimAttacker")):
        assert rows(state, action) == {"E9.41a"}
    assert rows(state, a.Cvp(2)) == {"E9.41c"}
    assert rows(applied(state, a.Elim("PA", "LAND")), a.Cvp(2)) == set()


# --- Final Fire and what follows ---------------------------------------------------------------


def test_final_fire_among_enemies() -> None:
    enemy = Unit("d", "squad", "Defender", where=K5)
    state = landed(boxed(man("s", "squad")))
    state = replace(state, units={**state.units, "d": enemy}, phase="DFPh")
    end = a.Phase(1, "Attacker", "AFPh")
    assert [b.row for b in book.judge(state, end)] == ["E9.43b", "E9.43b"]
    state = applied(state, a.Attack("d", K5, "TPBF"))
    assert [b.row for b in book.judge(state, end)] == ["E9.43b"]
    state = applied(state, a.Mark("CC", "PA"))
    assert rows(state, end) == set()
    early = replace(state, phase="CHECKS")
    assert rows(early, a.Attack("d", K5, "TPBF")) == {"E9.43a"}
    retreat = replace(state, phase="RtPh")
    assert rows(retreat, a.Rout("PA", step(K5, 1))) == {"E9.43c"}
    assert rows(retreat, a.Rout("d", step(K5, 1))) == set()


def test_close_combat_is_normal_in_the_drop_turn() -> None:
    state = after(replace(landed(boxed(man("s", "squad"))), phase="APh"), a.Open("PA", ("s",), K5))
    state = replace(state, phase="CCPh")
    assert rows(state, a.Attack("s", K5, "CC")) == set()


def test_early_germans_are_partially_armed() -> None:
    units = man("s", "squad", strength="5-4-8"), man("h", "hs", strength="2-3-8")
    for unit in units:
        state = boxed(unit, nationality="GERMAN", date=1941)
        state = replace(landed(state), phase="APh")
        opened = a.Open("PA", (unit.id,), K5)
        assert rows(state, opened) == set()
        state = applied(state, opened)
        end = a.Phase(1, "Attacker", "CCPh")
        assert rows(state, end) == {"E9.7b"}
        state = applied(state, a.Mark("SYSTEMS", unit.id))
        assert rows(state, end) == set()
        assert rows(state, a.Mark("SYSTEMS", unit.id, on=False)) == {"E9.7e"}
        late = replace(state, date=1942)
        assert rows(late, end) == set()


# --- laws --------------------------------------------------------------------------------------


def test_drift_is_distributed_as_the_dice() -> None:
    dice, seen = Random(9), Counter[Hex]()
    for _ in range(10_000):
        seen[drift_end(BLANK, K5, dice.randint(1, 6), dice.randint(1, 6))] += 1
    assert len(seen) == 36
    assert {distance(K5, h) for h in seen} == set(range(1, 7))
    chi = sum((n - 10_000 / 36) ** 2 / (10_000 / 36) for n in seen.values())
    assert chi < 66.6  # 35 degrees of freedom, 0.1 percent


DIE = st.integers(1, 6)
HEXES = st.builds(Hex, st.integers(0, 92), st.integers(0, 36))


@given(HEXES, DIE, DIE, st.sampled_from(NATIONS), DIE, st.sampled_from(sorted(FORCES)))
def test_only_one_end_of_a_drift_is_legal(
    h: Hex, colored: int, white: int, nation: str, wind: int, force: str
) -> None:
    fields: dict[str, Any] = {"nationality": nation, "wind_dir": wind, "wind_force": force}
    state = applied(State(Ground({}, {}), phase="DRIFT", **fields), a.Place("PA", h))
    end = drift_end(state, h, colored, white)
    assert distance(h, end) == drift_length(nation, white)
    blown = wind_end(state, end)
    assert distance(end, blown) == FORCES[force]
    assert rows(state, a.Drift("PA", colored, white, end)) == set()
    wrong = rows(state, a.Drift("PA", colored, white, step(end, wind)))
    assert len(wrong & {"E9.2b", "E9.2c", "E9.2d"}) == 1
    drifted = applied(state, a.Drift("PA", colored, white, end))
    if force != "NONE":
        assert rows(drifted, a.Blow("PA", blown)) == set()
    assert rows(drifted, a.Blow("PA", step(blown, colored))) == {"E9.2h"}


@given(HEXES, st.integers(1, 3), st.integers(1, 5))
def test_a_line_has_no_gap(point: Hex, grain: int, count: int) -> None:
    line = line_of(point, grain, count)
    assert len(set(line)) == count
    assert line[0] == point
    assert all(min(distance(h, g) for g in line[:n]) == 1 for n, h in enumerate(line) if n)
    assert max(distance(h, g) for h in line for g in line) == count - 1


@given(HEXES)
def test_a_mirrored_hex_is_on_the_boards(h: Hex) -> None:
    found = mirrored(h)
    assert is_onboard(found)
    assert (found == h) == is_onboard(h)
    assert found.column % 2 == h.column % 2
    assert is_onboard(h) == (offboard_distance(h) == 0)
    assert is_onboard(h) or not is_whole(h)


@given(DIE, DIE, st.integers(0, 2), st.booleans())
def test_a_check_has_one_result(colored: int, white: int, plus: int, broken: bool) -> None:
    state = landed(boxed(man("s", "squad")))
    chute = replace(state.chutes["PA"], broken=broken)
    state = replace(state, chutes={"PA": chute})
    told = [
        "E9.33b" in rows(state, a.Tc("PA", plus, colored, white, passed))
        for passed in (True, False)
    ]
    assert operator.xor(*told)


@cache
def moments() -> tuple[State, ...]:
    """Return states of four drops, of every part of the play."""
    return tuple(deed.state for seed in range(4, 8) for deed in played(seed).deeds[::9])


NAMES = [
    "PA",
    "WD",
    "PB",
    "d1",
    "squadB0",
    "squadB0a",
    "leaderB1",
    "hsC0",
    "crewA0",
    "MMGD1",
    "gun",
]
WORDS = ["", "A", "1", "LAND", "FIRE", "DEPLOYED", "HAZARDOUS", "OTHER", "CC", "TPBF", "BRIDGE"]
WORDS += ["SNIPER", "LLMC", "PTC", "SYSTEMS", "DM", "PIN", "TARGET", "CASUALTY", "DEPLOY", "ELIM"]
WORDS += ["Attacker", "Defender", "Sniper-Attacker", *PHASES]


def _values(hint: object) -> st.SearchStrategy[object]:
    names = st.sampled_from([*NAMES, *WORDS])
    known: dict[object, st.SearchStrategy[object]] = {
        str: names,
        int: st.integers(-6, 12),
        bool: st.booleans(),
        Hex: HEXES,
        Hex | None: st.none() | HEXES,
        Hex | str: names | HEXES,
        tuple[str, ...]: st.lists(names, max_size=3).map(tuple),
        tuple[int, ...]: st.lists(DIE, max_size=3).map(tuple),
    }
    return known[hint]


ANY = st.one_of(
    *(st.builds(k, **{n: _values(h) for n, h in get_type_hints(k).items()}) for k in a.ACTIONS)
)


@given(st.data(), st.lists(ANY, max_size=6))
def test_any_action_is_judged_and_applied(data: st.DataObject, actions: list[a.Action]) -> None:
    state = data.draw(st.sampled_from(moments()))
    for action in actions:
        for breach in book.judge(state, action):
            assert breach.row in book.judging
            assert breach.message
        before = repr(state)
        changed = applied(state, action)
        assert repr(state) == before
        state = changed


def test_a_drop_is_its_actions() -> None:
    table = played(3)
    assert reduce(applied, (d.action for d in table.deeds), start(NATIONS[3])) == table.state


def test_a_stick_that_gets_dm_has_it_in_its_box() -> None:
    unit = Unit("u1", "squad", "Attacker", stick="A")
    start = State(Ground({}, {}), chutes={"PA": Chute("PA", K5, "AERIAL")}, units={"u1": unit})
    by_check = applied(start, a.Mc("PA", 0, 6, 6, passed=False, cause="FIRE"))
    by_kia = applied(start, a.Mark("DM", "PA"))
    for state in (by_check, by_kia):
        assert state.chutes["PA"].broken
        assert ("DM", "u1") in state.markers

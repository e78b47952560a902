"""Legal drops with one thing wrong, for every row that is enforced: its rule says so."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, TypeAlias

import pytest
from airdrop_drops import FOLDER, NATIONS, played

from builder.hexes.grid import Hex
from builder.hexes.measure import distance
from builder.rules.core import Breach, Ruling
from builder.rulesets.airdrop import actions as a
from builder.rulesets.airdrop.apply import applied
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.effects import casualties, chosen
from builder.rulesets.airdrop.facts import is_onboard, mirrored, step
from builder.rulesets.airdrop.policy import PlayTable
from builder.rulesets.airdrop.state import State

Wrong: TypeAlias = "tuple[State, a.Action] | None"
Change: TypeAlias = Callable[[State, Any], Wrong]

SEEDS = range(1, 121)
FAR = Hex(20, 20)


def changed(**changes: Any) -> Change:
    """Change fields of the action itself."""
    return lambda state, action: (state, replace(action, **changes))


def altered(**changes: Any) -> Change:
    """Change fields of the state in which the action is taken."""
    return lambda state, action: (replace(state, **changes), action)


def instead(make: Callable[[State, Any], a.Action | None]) -> Change:
    """Do something else in its place, or nothing if that does not fit."""

    def change(state: State, action: Any) -> Wrong:
        made = make(state, action)
        return None if made is None else (state, made)

    return change


def when(fits: Callable[[State, Any], object], change: Change) -> Change:
    """Change only what fits."""
    return lambda state, action: change(state, action) if fits(state, action) else None


def twice(state: State, action: a.Action) -> Wrong:
    return applied(state, action), action


def with_chute(state: State, name: str, **changes: Any) -> State:
    return replace(state, chutes={**state.chutes, name: replace(state.chutes[name], **changes)})


def with_unit(state: State, name: str, **changes: Any) -> State:
    return replace(state, units={**state.units, name: replace(state.units[name], **changes)})


def someone(state: State, chute: str, kinds: tuple[str, ...] = ()) -> str:
    units = state.units_of(chute[1:]) if chute[0] == "P" else ()
    return next((u.id for u in units if not kinds or u.kind in kinds), "")


def separate(state: State, letter: str) -> str:
    return next((u.id for u in state.in_box(letter) if state.is_separate(u)), "")


def on_map(state: State, **fields: Any) -> str:
    """Return a dropped unit on the map that has some fields."""
    return next(
        (
            u.id
            for u in state.units.values()
            if u.stick
            and u.where is not None
            and u.kind != "sw"
            and not u.eliminated
            and all(getattr(u, name) == value for name, value in fields.items())
        ),
        "",
    )


def leaving(phase: str) -> Callable[[State, a.Phase], bool]:
    """Tell whether the drop's player turn leaves a phase."""
    return lambda state, action: state.phase == phase and state.is_drop_turn


def next_phase(phase: str) -> Change:
    return instead(lambda s, x: a.Phase(s.turn, s.side, phase))


def by_somebody(make: Callable[[State, Any, str], a.Action], *kinds: str) -> Change:
    """Let somebody in the box of the action's parachute do something."""

    def of(state: State, action: Any) -> a.Action | None:
        unit = someone(state, action.chute, kinds)
        return make(state, action, unit) if unit else None

    return instead(of)


def by_dropped(make: Callable[[State, Any, str], a.Action | None], **fields: Any) -> Change:
    """Let a dropped unit on the map do something."""

    def of(state: State, action: Any) -> a.Action | None:
        unit = on_map(state, **fields)
        return make(state, action, unit) if unit else None

    return instead(of)


def plain_drift(state: State, action: a.Drift) -> Wrong:
    start = state.chutes[action.chute].where
    assert start is not None
    return state, replace(action, to=step(start, action.colored, action.white))


def other_loss(state: State, action: a.Loss) -> Wrong:
    letter = action.chute[1:]
    able = {u.id for u in casualties(state, letter)} - {*chosen(state, "CASUALTY", letter)}
    return (state, replace(action, unit=min(able))) if able else None


def other_target(state: State, action: a.Mc) -> Wrong:
    assert state.fire is not None
    hurt = state.chutes[action.chute]
    others = [c.id for c in state.aerial() if c.where != hurt.where and not c.is_weapon]
    return (state, replace(action, chute=others[0])) if others else None


def loser(state: State, action: a.Mc) -> Wrong:
    losers = {*state.dice.get("TARGET", {})} - {*state.selected("TARGET")}
    return (state, replace(action, chute=min(losers))) if losers else None


def short_wings(state: State, action: a.Wing) -> Wrong:
    wings = {k: replace(w, sticks=w.sticks[:4]) for k, w in state.wings.items()}
    return (replace(state, wings=wings), action) if len(action.sticks) < 5 and wings else None


def unrolled(state: State, action: a.Phase) -> Wrong:
    wings = {k: replace(w, dr=0) if k == "1" else w for k, w in state.wings.items()}
    return replace(state, wings=wings), action


def too_much(state: State, action: a.Open) -> Wrong:
    stick = state.sticks[action.chute[1:]]
    more = replace(stick, units=(*stick.units, "squadB0", "leaderB1"))
    return replace(state, sticks={**state.sticks, stick.letter: more}), action


def outside(state: State, action: a.Land) -> Wrong:
    landed = applied(state, action)
    chute = landed.chutes[action.chute]
    return (landed, a.Relocate(chute.id, "ElimAttacker")) if chute.offboard else None


def outside_weapon(state: State, action: a.Move) -> Wrong:
    for chute in state.chutes.values():
        if chute.is_weapon and chute.offboard and chute.status == "LANDED":
            sw = separate(state, chute.letter)
            onboard = [c.letter for c in state.chutes.values() if not c.offboard]
            unit = state.units[action.unit]
            if unit.stick in onboard and not unit.offboard:
                return state, a.Recover(unit.id, chute.id, sw, dm=True)
    return None


def is_outside(state: State, name: str) -> bool:
    return state.units[name].offboard


def is_far(state: State, action: a.Move) -> bool:
    unit = state.units[action.unit]
    return unit.offboard and not is_onboard(action.to)


def two_off(state: State, action: a.Move) -> Wrong:
    at = state.units[action.unit].where
    assert at is not None
    ways = [step(step(at, d), e) for d in range(1, 7) for e in range(1, 7)]
    return state, replace(
        action, to=next(h for h in ways if distance(at, h) == 2 and not is_onboard(h))
    )


def off_again(state: State, action: a.Advance) -> Wrong:
    at = state.units[action.unit].where
    assert at is not None
    return state, replace(
        action, to=next(h for d in range(1, 7) if not is_onboard(h := step(at, d)))
    )


def jumped(state: State, action: a.Move) -> Wrong:
    at = state.units[action.unit].where
    assert at is not None
    return state, replace(action, to=mirrored(at))


def in_shared_hex(state: State, action: a.Mark) -> Wrong:
    return state, a.Rout(action.piece, FAR)


def old_strength(state: State, action: a.Open) -> Wrong:
    squad = someone(state, action.chute, ("squad",))
    return (with_unit(state, squad, strength="4-6-7"), action) if squad else None


def is_land(state: State, action: a.Mc) -> bool:
    return action.cause == "LAND"


def is_fire(state: State, action: a.Mc) -> bool:
    return action.cause == "FIRE"


def is_chute_out(state: State, action: Any) -> bool:
    return state.chutes[action.chute].offboard and not state.chutes[action.chute].checks


def is_weapon(state: State, action: Any) -> bool:
    return bool(action.chute[0] == "W")


def is_men(state: State, action: Any) -> bool:
    return bool(action.chute[0] == "P")


def chute_drowned(state: State, action: a.Elim) -> bool:
    chute = state.chutes.get(action.piece)
    return state.phase == "LAND" and chute is not None and not chute.offboard


def unit_drowned(state: State, action: a.Elim) -> bool:
    return action.piece in state.units and state.phase == "CHECKS"


def letter_with(state: State, action: a.Open) -> str:
    return separate(state, action.chute[1:])


def weapon_down(state: State, action: Any) -> str:
    down = (c.id for c in state.chutes.values() if c.is_weapon and c.status == "LANDED")
    return next(down, "")


MUTANTS: list[tuple[str, type, str, Change]] = [
    ("E9.1a", a.Place, "", altered(weather="FALLING_SNOW")),
    ("E9.1b", a.Drift, "", altered(wind_dir=0)),
    ("E9.1c", a.Displace, "", instead(lambda s, x: a.Move(x.unit, FAR))),
    ("E9.1c", a.Displace, "", instead(lambda s, x: a.Rally(x.unit))),
    ("E9.1c", a.Land, "", by_somebody(lambda s, x, u: a.Rally(u))),
    ("E9.1d", a.Land, "", by_somebody(lambda s, x, u: a.Move(u, FAR))),
    ("E9.1d", a.Tc, "", by_somebody(lambda s, x, u: a.Attack(u, FAR))),
    ("E9.1e", a.Land, "", by_somebody(lambda s, x, u: a.Relocate(u, FAR))),
    (
        "E9.1i",
        a.Place,
        "",
        when(
            lambda s, x: is_men(s, x) and not separate(s, x.chute[1:]),
            instead(lambda s, x: replace(x, chute="W" + x.chute[1:])),
        ),
    ),
    ("E9.11a", a.Wing, "", changed(sticks=tuple("ABCDEF"))),
    ("E9.11b", a.Wing, "", short_wings),
    ("E9.11c", a.Place, "", when(is_weapon, changed(copy=True))),
    ("E9.11d", a.Open, "", too_much),
    ("E9.11e", a.Open, "", instead(lambda s, x: replace(x, units=(*x.units, "d1")))),
    ("E9.11e", a.Open, "", changed(units=())),
    (
        "E9.11g",
        a.Land,
        "",
        by_somebody(lambda s, x, u: a.Attack("d1", FAR, "FIRE", u), "leader"),
    ),
    ("E9.11h", a.Recover, "", when(lambda s, x: x.dm, changed(dm=False))),
    ("E9.11i", a.Place, "", when(is_weapon, instead(lambda s, x: replace(x, hex=FAR)))),
    (
        "E9.11j",
        a.Land,
        "",
        when(is_weapon, instead(lambda s, x: a.Recover("d1", x.chute, "MMGD1"))),
    ),
    (
        "E9.11j",
        a.Flip,
        "",
        instead(lambda s, x: a.Relocate(separate(s, x.chute[1:]), FAR)),
    ),
    ("E9.11k", a.Fire, "", changed(drm=("HAZARDOUS", "CONCEALED"))),
    ("E9.11l", a.Fire, "", instead(lambda s, x: a.Mark("CONCEALED", x.chute))),
    (
        "E9.11l",
        a.Phase,
        "",
        when(leaving("APh"), by_dropped(lambda s, x, u: a.Mark("CONCEALED", u), offboard=False)),
    ),
    ("E9.12a", a.Wing, "", changed(dp=Hex(14, 18))),
    (
        "E9.12b",
        a.Wing,
        "",
        when(lambda s, x: s.wings, instead(lambda s, x: replace(x, grain=x.grain % 3 + 1))),
    ),
    (
        "E9.12c",
        a.Wing,
        "",
        when(
            lambda s, x: s.wings,
            instead(lambda s, x: replace(x, dp=step(s.wings["1"].planned, 2))),
        ),
    ),
    ("E9.12d", a.Phase, "", when(leaving("RPh"), unrolled)),
    ("E9.12e", a.Dproll, "", when(lambda s, x: x.dr <= 3, changed(hex=FAR))),
    ("E9.12f", a.Dproll, "", when(lambda s, x: x.dr > 3, changed(board=0, dice=()))),
    (
        "E9.12f",
        a.Dproll,
        "",
        when(
            lambda s, x: x.dr > 3,
            instead(lambda s, x: replace(x, hex=s.wings[x.wing].planned)),
        ),
    ),
    ("E9.12f", a.Dproll, "", when(lambda s, x: x.dr > 3, changed(hex=Hex(1, 1)))),
    ("E9.12g", a.Place, "", when(is_men, instead(lambda s, x: replace(x, hex=step(x.hex, 1, 6))))),
    ("E9.2a", a.Land, "", lambda s, x: (with_chute(s, x.chute, drift=None), x)),
    ("E9.2a", a.Drift, "", altered(phase="PFPh")),
    ("E9.2b", a.Drift, "", instead(lambda s, x: replace(x, to=step(x.to, 1, 2)))),
    ("E9.2c", a.Drift, "GERMAN", when(lambda s, x: x.white > 1, plain_drift)),
    ("E9.2d", a.Drift, "RUSSIAN", when(lambda s, x: x.white > 1, plain_drift)),
    ("E9.2e", a.Blow, "", instead(lambda s, x: a.Drift(x.chute, 1, 1, step(x.to, 1)))),
    ("E9.2f", a.Drift, "", when(is_weapon, instead(lambda s, x: a.Blow(x.chute, x.to)))),
    (
        "E9.2g",
        a.Open,
        "",
        when(letter_with, instead(lambda s, x: replace(x, units=(*x.units, letter_with(s, x))))),
    ),
    ("E9.2g", a.Recover, "BRITISH", instead(lambda s, x: replace(x, sw="LMGG1"))),
    ("E9.2h", a.Blow, "", instead(lambda s, x: replace(x, to=step(x.to, 1)))),
    (
        "E9.2h",
        a.Land,
        "",
        when(
            lambda s, x: s.wind_force != "NONE",
            lambda s, x: (with_chute(s, x.chute, blown=False), x),
        ),
    ),
    (
        "E9.3a",
        a.Drift,
        "",
        instead(lambda s, x: a.Fire("d1", x.chute, 5, 6, 4, drm=("HAZARDOUS",), sum=-2)),
    ),
    ("E9.3b", a.Fire, "", lambda s, x: (with_chute(s, x.chute, status="LANDED"), x)),
    ("E9.3c", a.Fire, "", changed(drm=("LV",))),
    ("E9.3c", a.Fire, "", changed(drm=("HAZARDOUS",), sum=0)),
    ("E9.3d", a.Fire, "", changed(drm=("HAZARDOUS", "TEM"))),
    (
        "E9.3e",
        a.Elim,
        "",
        when(
            lambda s, x: x.piece[0] == "W" and x.cause == "FIRE",
            instead(lambda s, x: a.Mc(x.piece, 1, 2, 2, True, "FIRE")),
        ),
    ),
    ("E9.3f", a.Mc, "", when(is_fire, other_target)),
    ("E9.3f", a.Mc, "", when(is_fire, loser)),
    ("E9.3g", a.Fire, "", twice),
    ("E9.3h", a.Fire, "", instead(lambda s, x: a.Mark("RESIDUAL", hex=s.chutes[x.chute].where))),
    ("E9.3i", a.Fire, "", instead(lambda s, x: a.Roll("PTC", x.chute, 3, 4))),
    ("E9.3i", a.Fire, "", instead(lambda s, x: a.Mark("PIN", x.chute))),
    ("E9.31a", a.Fire, "", changed(hindrance=6)),
    (
        "E9.31a",
        a.Fire,
        "",
        lambda s, x: (replace(s, markers=s.markers | {("PILLBOX", x.firer)}), x),
    ),
    ("E9.32a", a.Fire, "", changed(weapon="ORDNANCE")),
    ("E9.32a", a.Fire, "", changed(firer="gun")),
    ("E9.32b", a.Fire, "", instead(lambda s, x: a.Roll("TH", x.chute, 3, 4))),
    ("E9.32c", a.Fire, "", instead(lambda s, x: a.Roll("SNIPER", x.chute, 3, 4))),
    ("E9.32d", a.Fire, "", instead(lambda s, x: a.Mark("FIRELANE", hex=FAR))),
    ("E9.32e", a.Fire, "", instead(lambda s, x: a.Roll("SNIPER", "Sniper-Attacker", 1, 1))),
    ("E9.33a", a.Tc, "", twice),
    ("E9.33a", a.Mc, "", when(lambda s, x: is_fire(s, x) and not s.reduced, twice)),
    ("E9.33b", a.Tc, "", instead(lambda s, x: replace(x, passed=not x.passed))),
    ("E9.33c", a.Open, "", instead(lambda s, x: replace(x, broken=not x.broken))),
    ("E9.33d", a.Loss, "", other_loss),
    ("E9.33e", a.Mc, "", when(lambda s, x: is_fire(s, x) and x.chute in s.reduced, twice)),
    ("E9.4a", a.Adjust, "", instead(lambda s, x: replace(x, to=step(x.to, 1, 2)))),
    ("E9.4a", a.Land, "GERMAN", lambda s, x: (replace(s, phase="ADJUST"), a.Adjust(x.chute, FAR))),
    ("E9.4b", a.Land, "", changed(place="UPPER")),
    ("E9.4b", a.Land, "", next_phase("CHECKS")),
    ("E9.4c", a.Land, "", when(lambda s, x: x.dr and x.place == "IN", changed(place="BRIDGE"))),
    ("E9.4c", a.Land, "", when(lambda s, x: x.dr and x.place == "BRIDGE", changed(place="IN"))),
    ("E9.4c", a.Land, "", when(lambda s, x: x.dr, changed(dr=0))),
    ("E9.4d", a.Elim, "", when(chute_drowned, next_phase("CHECKS"))),
    ("E9.4e", a.Flip, "", next_phase("CHECKS")),
    (
        "E9.4f",
        a.Phase,
        "",
        when(weapon_down, instead(lambda s, x: a.Peek(weapon_down(s, x), "Attacker"))),
    ),
    ("E9.41a", a.Land, "", outside),
    ("E9.41b", a.Mc, "", when(is_chute_out, next_phase("DFPh"))),
    ("E9.41b", a.Tc, "", when(is_chute_out, next_phase("DFPh"))),
    ("E9.41c", a.Cvp, "", instead(lambda s, x: replace(x, points=x.points + 1))),
    ("E9.41d", a.Land, "", lambda s, x: (with_chute(s, x.chute, where=None), x)),
    ("E9.41e", a.Move, "", when(is_far, two_off)),
    ("E9.41e", a.Move, "", when(is_far, twice)),
    ("E9.41f", a.Move, "", when(is_far, jumped)),
    ("E9.41g", a.Advance, "", off_again),
    (
        "E9.41h",
        a.Move,
        "",
        when(
            lambda s, x: is_outside(s, x.unit),
            lambda s, x: (with_unit(s, x.unit, broken=True), x),
        ),
    ),
    (
        "E9.41h",
        a.Move,
        "",
        when(lambda s, x: is_outside(s, x.unit), instead(lambda s, x: a.Rout(x.unit, x.to))),
    ),
    ("E9.41i", a.Move, "", outside_weapon),
    (
        "E9.42a",
        a.Mc,
        "",
        when(is_land, instead(lambda s, x: a.Tc(x.chute, x.plus, x.colored, x.white, x.passed))),
    ),
    (
        "E9.42a",
        a.Mc,
        "",
        when(
            lambda s, x: is_land(s, x) and not s.chutes[x.chute].offboard,
            next_phase("DFPh"),
        ),
    ),
    ("E9.42b", a.Chain, "", instead(lambda s, x: replace(x, to=step(x.to, 1)))),
    ("E9.42b", a.Chain, "", next_phase("DFPh")),
    ("E9.42b", a.Tc, "", instead(lambda s, x: a.Chain(x.chute, FAR))),
    (
        "E9.42c",
        a.Tc,
        "",
        instead(lambda s, x: a.Mc(x.chute, x.plus, x.colored, x.white, x.passed)),
    ),
    ("E9.42c", a.Tc, "", next_phase("DFPh")),
    ("E9.42d", a.Deploy, "", next_phase("DFPh")),
    ("E9.42d", a.Deploy, "", instead(lambda s, x: replace(x, hex=step(x.hex, 1)))),
    ("E9.42d", a.Tc, "", instead(lambda s, x: a.Deploy(x.chute, (), FAR))),
    ("E9.42e", a.Deploy, "", changed(units=())),
    ("E9.42f", a.Displace, "", instead(lambda s, x: replace(x, to=step(x.to, s.wind_dir)))),
    ("E9.42f", a.Displace, "", next_phase("DFPh")),
    (
        "E9.42g",
        a.Displace,
        "",
        instead(lambda s, x: a.Tc(f"P{s.units[x.unit].stick}", 0, 3, 3, True)),
    ),
    ("E9.42h", a.Elim, "", when(unit_drowned, next_phase("DFPh"))),
    ("E9.42i", a.Tc, "", instead(lambda s, x: replace(x, plus=x.plus + 1))),
    (
        "E9.43a",
        a.Tc,
        "",
        instead(lambda s, x: a.Attack("d1", s.chutes[x.chute].where or FAR)),
    ),
    ("E9.43b", a.Attack, "", when(lambda s, x: x.kind == "TPBF", next_phase("AFPh"))),
    ("E9.43b", a.Mark, "", when(lambda s, x: x.kind == "CC", next_phase("AFPh"))),
    ("E9.43c", a.Mark, "", when(lambda s, x: x.kind == "CC", in_shared_hex)),
    ("E9.5a", a.Open, "", lambda s, x: (replace(s, phase="AFPh"), a.Attack(x.units[0], FAR))),
    ("E9.5b", a.Open, "", lambda s, x: (replace(s, phase="RtPh"), a.Rout(x.chute, FAR))),
    ("E9.5b", a.Open, "", lambda s, x: (replace(s, phase="RtPh"), a.Elim(x.chute, "OTHER"))),
    (
        "E9.6a",
        a.Phase,
        "",
        when(
            leaving("APh"),
            by_dropped(lambda s, x, u: a.Advance(u, FAR), offboard=False, deployed=False),
        ),
    ),
    ("E9.6b", a.Open, "", next_phase("CCPh")),
    ("E9.6b", a.Open, "", instead(lambda s, x: replace(x, hex=step(x.hex, 1)))),
    ("E9.6c", a.Open, "", instead(lambda s, x: a.Roll("LLMC", x.chute, 3, 4))),
    ("E9.7a", a.Open, "GERMAN", old_strength),
    ("E9.7b", a.Mark, "GERMAN", when(lambda s, x: x.kind == "SYSTEMS", next_phase("CCPh"))),
    ("E9.7c", a.Canister, "GERMAN", altered(entered={})),
    ("E9.7c", a.Canister, "GERMAN", twice),
    ("E9.7d", a.Canister, "GERMAN", instead(lambda s, x: replace(x, drm=x.drm + 1))),
    ("E9.7e", a.Canister, "GERMAN", instead(lambda s, x: replace(x, passed=not x.passed))),
    ("E9.7e", a.Canister, "GERMAN", instead(lambda s, x: a.Mark("SYSTEMS", x.unit, on=False))),
]


@cache
def drop(seed: int) -> PlayTable:
    return played(seed)


@cache
def listed() -> dict[str, tuple[str, str]]:
    """Return severity and status by row of the list of rules."""
    text = (FOLDER / "rules.csv").read_text(encoding="utf-8").splitlines()
    return {r["id"]: (r["severity"], r["status"]) for r in csv.DictReader(text[1:])}


def found(row: str, kind: type, nation: str, change: Change) -> Iterator[Breach]:
    """Yield what the rules say of the first deed that the change fits, in every drop."""
    for seed in SEEDS:
        if nation and NATIONS[seed % 4] != nation:
            continue
        for deed in drop(seed).deeds:
            wrong = change(deed.state, deed.action) if isinstance(deed.action, kind) else None
            if wrong is not None:
                yield from (b for b in book.judge(*wrong) if b.row == row)


@pytest.mark.parametrize(("row", "kind", "nation", "change"), MUTANTS)
def test_a_mutant_is_caught(
    row: str,
    kind: type,
    nation: str,
    change: Change,
    record_property: Callable[[str, object], None],
) -> None:
    breach = next(found(row, kind, nation, change), None)
    assert breach is not None
    record_property("row caught", row)
    severity, _ = listed()[row]
    if severity == "E":
        assert breach.ruling is Ruling.ILLEGAL or breach.rests_on
    if severity == "W":
        assert breach.ruling is Ruling.WARNING
    assert len(breach.message.split()) > 3


def test_every_enforced_row_is_due(record_property: Callable[[str, object], None]) -> None:
    enforced = {row for row, (_, status) in listed().items() if status == "enforced"}
    for row in enforced:
        record_property("row due", row)
    assert enforced == set(book.judging)
    assert enforced == {row for row, *_ in MUTANTS}


def test_nothing_legal_is_caught() -> None:
    for seed in range(1, 13):
        for deed in drop(seed).deeds:
            assert list(book.judge(deed.state, deed.action)) == []

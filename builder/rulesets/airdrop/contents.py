"""Rules 9.1, 9.11, 9.2, 9.6 and 9.7: what Cloaking Boxes hold, and how it comes to the map."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from builder.hexes.grid import Hex
from builder.rules.core import Breach, Ruling
from builder.rulesets.airdrop.actions import Deploy, Open, Phase, Recover, Relocate
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.facts import label
from builder.rulesets.airdrop.state import MMC, SMC, State, Unit, halves_of

__all__ = ["PARTLY", "contents_now", "is_early"]

Reveal: TypeAlias = Open | Deploy

PARTLY: Final = {"squad": "5-4-8", "hs": "2-3-8", "crew": "2-2-8"}
"""Rule 9.7: the only MMC of German drops before 1942."""


@book.states("E9.7a", "E9.7b")
def is_early(state: State) -> bool:
    """Rule 9.7: tell whether this is a German drop before 1942."""
    return state.nationality == "GERMAN" and state.date < 1942


@book.states("E9.11e")
def contents_now(state: State, letter: str) -> tuple[str, ...]:
    """Rule 9.11: what a Stick that was placed holds by now: what it held, losses taken off."""
    stick = state.sticks.get(letter)
    found: list[str] = []
    for name in stick.units if stick is not None else ():
        unit = state.units.get(name)
        halves = [u for u in state.units.values() if u.half_of == name]
        if unit is None or unit.eliminated:
            continue
        if unit.kind == "squad" and any(u.eliminated for u in halves):
            found += [u.id for u in halves if not u.eliminated]
        else:
            found.append(name)
    return tuple(found)


@book.rule("E9.6b", on=Open)
def opening(state: State, action: Open) -> Iterator[Breach]:
    """Rule 9.6: in the APh the units of a landed Stick are placed in its parachute's hex."""
    chute = state.chutes.get(action.chute)
    if chute is None or chute.where is None:
        return
    one = (action.chute,)
    if state.phase != "APh":
        text = f"{action.chute} is removed in the APh, not in {state.phase}"
        yield Breach("E9.6b", text, pieces=one)
    elif chute.status != "LANDED" or chute.is_weapon:
        text = f"{action.chute} is no landed Stick and has nobody to place"
        yield Breach("E9.6b", text, pieces=one)
    elif action.hex != chute.where:
        text = f"place the units of box {chute.letter} in {label(chute.where)}, not in "
        text += label(action.hex)
        yield Breach("E9.6b", text, pieces=one, legal=(label(chute.where),))


@book.rule("E9.33c", on=Open)
def broken_side(state: State, action: Open) -> Iterator[Breach]:
    """Rule 9.33: the units of a broken Stick are placed broken, others not."""
    chute = state.chutes.get(action.chute)
    if chute is None or chute.broken == action.broken:
        return
    how = "broken, with DM" if chute.broken else "not broken"
    text = f"box {chute.letter}: the Stick is {how}"
    yield Breach("E9.33c", text, pieces=(action.chute,))


@book.rule("E9.6b", on=Phase)
def all_opened(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 9.6: no landed parachute of Personnel outlasts the APh of its drop."""
    if not state.ends(action, "APh"):
        return
    for chute in state.chutes.values():
        if chute.status == "LANDED" and not chute.is_weapon and chute.where is not None:
            text = f"place the units of box {chute.letter} in {label(chute.where)}"
            yield Breach("E9.6b", text, pieces=(chute.id,))


@book.rule("E9.11e", on=(Open, Deploy))
def same_as_placed(state: State, action: Reveal) -> Iterator[Breach]:
    """Rule 9.11: what comes out of a box is what went in, except for losses."""
    letter = action.chute[1:]
    if letter not in state.sticks:
        return
    due = set(contents_now(state, letter))
    shown = _whole(state, action) if isinstance(action, Deploy) else set(action.units)
    shown = {name for name in shown if not _is_separate(state, name)}
    # what a Deploying Stick keeps back is told by rule 9.42
    missing = due - shown
    if isinstance(action, Deploy):
        missing = {i for i in missing if (u := state.units.get(i)) and u.kind not in (*MMC, *SMC)}
    if extra := sorted(shown - due):
        text = f"box {letter} did not hold {', '.join(extra)} when its parachute was placed"
        yield Breach("E9.11e", text, Ruling.WARNING, (action.chute, *extra))
    elif missing:
        names = sorted(missing)
        text = f"box {letter} also held {', '.join(names)} when its parachute was placed"
        yield Breach("E9.11e", text, Ruling.WARNING, (action.chute, *names))


def _whole(state: State, action: Deploy) -> set[str]:
    """Return what was in a box of which units appear: squads for their Half-Squads."""
    squads = {u.id for u in state.units_of(action.chute[1:]) if u.kind == "squad"}
    found = set()
    for name in action.units:
        unit = state.units.get(name)
        found.add(unit.half_of if unit is not None and unit.half_of in squads else name)
    return found


def _is_separate(state: State, name: str) -> bool:
    unit = state.units.get(name)
    return unit is not None and state.is_separate(unit)


@book.rule("E9.11d", on=(Open, Deploy))
def size_of_stick(state: State, action: Reveal) -> Iterator[Breach]:
    """Rule 9.11: a Stick holds a squad's worth, one SMC and one separate weapon at most."""
    stick = state.sticks.get(action.chute[1:])
    if stick is None:
        return
    units = [u for i in stick.units if (u := state.units.get(i))]
    halves, smcs = halves_of(units), [u.id for u in units if u.kind in SMC]
    much = []
    if halves > 2:
        much.append(f"{halves} Half-Squads' worth of MMC")
    if len(smcs) > 1:
        much.append(f"the SMC {', '.join(smcs)}")
    if len(stick.sw) > 1:
        much.append(f"the separate weapons {', '.join(stick.sw)}")
    if much:
        text = (
            f"Stick {stick.letter} holds {' and '.join(much)}: a squad, a SMC and a weapon at most"
        )
        yield Breach("E9.11d", text, pieces=(action.chute,))


@book.rule("E9.2g", on=(Open, Deploy, Recover))
def weapon_kept_or_not(state: State, action: Reveal | Recover) -> Iterator[Breach]:
    """Rule 9.2: some weapons drop with their possessor, all others by their own parachutes."""
    recovers = isinstance(action, Recover)
    for name in (action.sw,) if isinstance(action, Recover) else action.units:
        unit = state.units.get(name)
        if unit is None or unit.kind != "sw" or state.is_separate(unit) == recovers:
            continue
        how = "with its possessor" if recovers else "by its own parachute"
        text = f"{name} of Stick {action.chute[1:]} drops {how}"
        yield Breach("E9.2g", text, pieces=(name,))


@book.rule("E9.7a", on=(Open, Deploy))
def partly_armed_units(state: State, action: Reveal) -> Iterator[Breach]:
    """Rule 9.7: a German drop before 1942 has 5-4-8 squads, 2-3-8 HS and 2-2-8 crews."""
    if not is_early(state):
        return
    for name in action.units:
        unit = state.units.get(name)
        due = PARTLY.get(unit.kind, "") if unit is not None else ""
        if unit is not None and due and unit.strength and unit.strength != due:
            text = f"{name} is a {unit.strength}, and German drops before 1942 have {due}"
            yield Breach("E9.7a", text, pieces=(name,), legal=(due,))


@book.rule("E9.11h", on=Recover)
def dropped_dm(state: State, action: Recover) -> Iterator[Breach]:
    """Rule 9.11: a weapon that can be dismantled is dropped so."""
    unit = state.units.get(action.sw)
    if unit is not None and unit.can_dm and not action.dm:
        yield Breach("E9.11h", f"{action.sw} must be dropped dm", pieces=(action.sw,))


@book.rule("E9.11e", "E9.11j", on=Recover)
def out_of_its_box(state: State, action: Recover) -> Iterator[Breach]:
    """Rule 9.11: what is recovered hung on a parachute that has landed, since it was placed."""
    chute, unit = state.chutes.get(action.chute), state.units.get(action.sw)
    if chute is None:
        return
    if chute.status != "LANDED" or not chute.is_weapon:
        text = f"{action.sw or action.chute} cannot be recovered: {action.chute} is no weapon's "
        yield Breach("E9.11j", text + "parachute that has landed", pieces=(action.chute,))
        return
    stick = state.sticks.get(chute.letter)
    if stick is None or unit is None or unit.id in stick.sw or not state.is_separate(unit):
        return
    text = f"{unit.id} did not hang on {action.chute} when it was placed"
    yield Breach("E9.11e", text, Ruling.WARNING, (unit.id, action.chute))


@book.rule("E9.1e", "E9.11j", on=Relocate)
def not_on_the_map(state: State, action: Relocate) -> Iterator[Breach]:
    """Rules 9.1, 9.11: Personnel stay off the map until the APh, weapons until recovered."""
    unit = state.units.get(action.piece)
    if unit is None or not isinstance(action.to, Hex):
        return
    here = label(action.to)
    if state.is_under_parachute(unit.id):
        text = f"{unit.id} is in Cloaking Box {unit.stick} and not in {here}"
        yield Breach("E9.1e", text, pieces=(unit.id,), hexes=(action.to,))
    elif _hangs(state, unit):
        text = f"{unit.id} of box {unit.stick} is not recovered yet and not in {here}"
        yield Breach("E9.11j", text, pieces=(unit.id,), hexes=(action.to,))


def _hangs(state: State, unit: Unit) -> bool:
    chute = state.chutes.get(f"W{unit.stick}")
    up = chute is not None and chute.status in ("AERIAL", "LANDED")
    return up and unit.where is None and state.is_separate(unit)

"""Rules 9.1, 9.41, 9.43, 9.5, 9.6 and 9.7: what dropped units may do, and when."""

from __future__ import annotations

from collections.abc import Iterator

from builder.hexes.measure import distance
from builder.rules.core import Breach, Ruling
from builder.rulesets.airdrop.actions import (
    Advance,
    Attack,
    Canister,
    Move,
    Open,
    Phase,
    Recover,
    Rout,
)
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.facts import is_onboard, label, offboard_distance
from builder.rulesets.airdrop.state import State

__all__ = ["canister_drm"]


@book.states("E9.7d")
def canister_drm(state: State, unit: str) -> int:
    """Rule 9.7: -1 for each different hex entered in this MPh, +1 if exhausted."""
    found = state.units.get(unit)
    tired = found is not None and found.exhausted
    return int(tired) - len(state.entered.get(unit, ()))


@book.rule("E9.1d", "E9.5a", "E9.11g", on=Attack)
def no_attack(state: State, action: Attack) -> Iterator[Breach]:
    """Rules 9.1, 9.5, 9.11: who hangs on a parachute neither attacks nor leads."""
    if state.is_under_parachute(action.unit):
        row = "E9.5a" if state.phase == "AFPh" else "E9.1d"
        text = f"{action.unit} is still under its parachute and cannot attack"
        yield Breach(row, text, pieces=(action.unit,))
    if action.leader and state.is_under_parachute(action.leader):
        text = f"leader {action.leader} is under a parachute and has no leadership yet"
        yield Breach("E9.11g", text, pieces=(action.leader,))


@book.rule("E9.1d", "E9.41e", "E9.41f", "E9.41h", on=Move)
def movement(state: State, action: Move) -> Iterator[Breach]:
    """Rules 9.1, 9.41: none under a parachute; offboard one hex a MPh, none while broken."""
    unit = state.units.get(action.unit)
    if unit is None:
        return
    one = (unit.id,)
    if state.is_under_parachute(unit.id):
        text = f"{unit.id} is still under its parachute and cannot move"
        yield Breach("E9.1d", text, pieces=one)
    elif unit.offboard and unit.where is not None:
        far = distance(unit.where, action.to)
        if unit.broken:
            yield Breach("E9.41h", f"broken {unit.id} stays offboard until it rallies", pieces=one)
        elif is_onboard(action.to) and offboard_distance(unit.where) > 1:
            text = f"{unit.id} is not yet at the edge and cannot enter {label(action.to)}"
            yield Breach("E9.41f", text, pieces=one)
        elif far > 1 or state.entered.get(unit.id):
            text = f"{unit.id} moves one offboard hex in a MPh, not to {label(action.to)}"
            yield Breach("E9.41e", text, pieces=one)


@book.rule("E9.6a", "E9.41g", on=Advance)
def advance(state: State, action: Advance) -> Iterator[Breach]:
    """Rules 9.6, 9.41: none in the drop's own APh; offboard units advance only onto a board."""
    unit = state.units.get(action.unit)
    if unit is None:
        return
    chute = state.chutes.get(f"P{unit.stick}")
    if unit.offboard:
        if not is_onboard(action.to):
            text = f"{unit.id} advances only onto the board, not to {label(action.to)}"
            yield Breach("E9.41g", text, pieces=(unit.id,))
    elif chute is not None and state.turn == 1 and state.side == unit.side:
        text = f"{unit.id} was dropped in this player turn and does not advance"
        yield Breach("E9.6a", text, pieces=(unit.id,))


@book.rule("E9.5b", "E9.43c", "E9.41h", on=Rout)
def rout(state: State, action: Rout) -> Iterator[Breach]:
    """Rules 9.5, 9.43, 9.41: parachutes and broken offboard units do not rout."""
    unit = state.units.get(action.unit)
    if action.unit in state.chutes or state.is_under_parachute(action.unit):
        text = f"{action.unit} is a parachute and does not rout"
        shared = unit is not None and any(
            u.where == unit.where for u in state.units.values() if u.side != unit.side
        )
        row = "E9.43c" if unit is not None and unit.where and shared else "E9.5b"
        yield Breach(row, text, pieces=(action.unit,))
    elif unit is not None and unit.offboard:
        text = f"broken {unit.id} stays offboard until it rallies"
        yield Breach("E9.41h", text, pieces=(unit.id,))


@book.rule("E9.6b", "E9.11e", "E9.33c", on=Open)
def opening(state: State, action: Open) -> Iterator[Breach]:
    """Rules 9.6, 9.33: in the APh the box's units are placed in the parachute's hex as they are."""
    chute = state.chutes.get(action.chute)
    if chute is None or chute.where is None:
        return
    one = (action.chute,)
    if state.phase != "APh":
        text = f"{action.chute} is removed in the APh, not in {state.phase}"
        yield Breach("E9.6b", text, pieces=one)
    elif action.hex != chute.where:
        text = f"place the units of box {chute.letter} in {label(chute.where)}"
        yield Breach("E9.6b", text, pieces=one, legal=(label(chute.where),))
    stick = state.sticks.get(chute.letter)
    known = {u.id for u in state.units_of(chute.letter)}
    if stick is not None and known != set(action.units):
        text = f"box {chute.letter} holds other units than those placed"
        yield Breach("E9.11e", text, Ruling.WARNING, one)
    if chute.broken and not action.broken:
        text = f"box {chute.letter}: the Stick is broken, with DM"
        yield Breach("E9.33c", text, pieces=one)


@book.rule("E9.6b", on=Phase)
def all_opened(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 9.6: no landed parachute of Personnel outlasts the APh of its drop."""
    if state.phase != "APh" or action.phase == "APh" or state.side != "Attacker":
        return
    for chute in state.chutes.values():
        if chute.status == "LANDED" and not chute.is_weapon and chute.where is not None:
            text = f"place the units of box {chute.letter} in {label(chute.where)}"
            yield Breach("E9.6b", text, pieces=(chute.id,))


@book.rule("E9.41i", "E9.11j", on=Recover)
def recovery(state: State, action: Recover) -> Iterator[Breach]:
    """Rules 9.41, 9.11: a weapon has landed; one offboard is for units that landed offboard."""
    chute, unit = state.chutes.get(action.chute), state.units.get(action.unit)
    if chute is None:
        return
    if chute.status != "LANDED":
        text = f"{action.sw or action.chute} cannot be recovered: it has not landed"
        yield Breach("E9.11j", text, pieces=(action.chute,))
    elif chute.offboard and unit is not None and not unit.offboard:
        text = f"{action.sw or action.chute} is recovered only by units that landed offboard"
        yield Breach("E9.41i", text, pieces=(unit.id,))


@book.rule("E9.7c", "E9.7d", "E9.7e", on=Canister)
def canister(state: State, action: Canister) -> Iterator[Breach]:
    """Rule 9.7: a Good Order, partially armed unit that moved tries dr and drm of 1 at most."""
    unit = state.units.get(action.unit)
    if unit is None:
        return
    one, drm = (unit.id,), canister_drm(state, unit.id)
    if not unit.partially_armed or unit.broken or not state.entered.get(unit.id):
        text = f"no canister attempt for {unit.id}: fully armed, broken, or unmoved"
        yield Breach("E9.7c", text, pieces=one)
    elif action.drm != drm:
        text = f"the canister drm of {unit.id} is {drm}, not {action.drm}"
        yield Breach("E9.7d", text, pieces=one, legal=(str(drm),))
    elif action.passed != (action.dr + drm <= 1):
        word = "succeeds" if action.dr + drm <= 1 else "fails"
        text = f"canister dr {action.dr} with drm {drm}: {unit.id} {word}"
        yield Breach("E9.7e", text, pieces=one)

"""Rules 9.1, 9.43, 9.5 and 9.6: what paratroops may not do yet, and Final Fire at them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from builder.hexes.grid import Hex
from builder.rules.core import Breach, Ruling
from builder.rulesets.airdrop.actions import (
    Advance,
    Attack,
    Elim,
    Move,
    Phase,
    Rally,
    Recover,
    Rout,
)
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.facts import label
from builder.rulesets.airdrop.state import PHASES, State, Unit

__all__ = ["down_in", "point_blank"]

Deed: TypeAlias = Attack | Move | Rout | Advance | Recover | Rally


@book.states("E9.43b")
def down_in(state: State, h: Hex) -> tuple[str, ...]:
    """Rule 9.43: the landed Sticks in a hex, and the units that have Deployed there."""
    chutes = (
        c.id
        for c in state.chutes.values()
        if c.where == h and c.status == "LANDED" and not c.is_weapon
    )
    units = (
        u.id
        for u in state.units.values()
        if u.where == h and u.deployed and u.side == state.side and not u.eliminated
    )
    return (*chutes, *units)


@book.states("E9.43b")
def point_blank(state: State) -> dict[Hex, tuple[Unit, ...]]:
    """Rule 9.43: the hexes in which landed paratroops meet enemies, and who must fire there.

    Broken units and leaders by themselves cannot fire.
    """
    places = [c.where for c in state.chutes.values() if c.status == "LANDED"]
    places += [u.where for u in state.units.values() if u.deployed and u.side == state.side]
    found: dict[Hex, tuple[Unit, ...]] = {}
    for h in places:
        if h is not None and down_in(state, h) and (enemies := state.enemies_in(h)):
            found[h] = tuple(u for u in enemies if not u.broken and u.kind != "leader")
    return found


@book.rule("E9.1d", "E9.5a", on=Attack)
def no_attack(state: State, action: Attack) -> Iterator[Breach]:
    """Rules 9.1, 9.5: who hangs on a parachute does not attack, but for the CCPh."""
    if state.phase == "CCPh" and action.kind == "CC":
        return
    if state.is_under_parachute(action.unit):
        row = "E9.5a" if state.phase == "AFPh" else "E9.1d"
        text = f"{action.unit} is still under its parachute and cannot attack"
        yield Breach(row, text, pieces=(action.unit,))


@book.rule("E9.11g", on=Attack)
def no_leadership(state: State, action: Attack) -> Iterator[Breach]:
    """Rule 9.11: a leader does not direct anybody before the APh of its drop."""
    leader = state.units.get(action.leader)
    if leader is None:
        return
    before = state.phase in PHASES[: PHASES.index("APh")]
    early = leader.deployed and state.is_drop_turn and leader.side == state.side and before
    if early or state.is_under_parachute(leader.id):
        text = f"leader {leader.id} has dropped and has no leadership before the APh"
        yield Breach("E9.11g", text, pieces=(leader.id,))


@book.rule("E9.1d", on=(Move, Advance))
def no_step(state: State, action: Move | Advance) -> Iterator[Breach]:
    """Rule 9.1: who hangs on a parachute neither moves nor advances."""
    if state.is_under_parachute(action.unit):
        word = "move" if isinstance(action, Move) else "advance"
        text = f"{action.unit} is still under its parachute and cannot {word}"
        yield Breach("E9.1d", text, pieces=(action.unit,))


@book.rule("E9.1c", on=(Attack, Move, Rout, Advance, Recover, Rally))
def no_capabilities(state: State, action: Deed) -> Iterator[Breach]:
    """Rule 9.1: in the player turn of the drop its units do nothing of their own but in the CCPh.

    What a parachute may not do by rules of its own, and rout among enemies, stand elsewhere.
    """
    unit = state.units.get(action.unit)
    if unit is None or not state.is_drop_turn or state.phase == "CCPh" or unit.side != state.side:
        return
    if isinstance(action, Advance) and state.phase == "APh":
        return  # rule 9.6
    hangs = state.is_under_parachute(unit.id) and isinstance(action, (Recover, Rally))
    routs = isinstance(action, Rout) and unit.where is not None and state.enemies_in(unit.where)
    if hangs or (unit.deployed and not routs):
        word = type(action).__name__.lower()
        text = f"{unit.id} cannot {word} in the player turn of its drop"
        yield Breach("E9.1c", text, pieces=(unit.id,))


@book.rule("E9.6a", on=Advance)
def no_advance(state: State, action: Advance) -> Iterator[Breach]:
    """Rule 9.6: units that were dropped in this player turn do not advance in its APh."""
    unit = state.units.get(action.unit)
    if unit is None or not unit.stick or unit.where is None or unit.offboard:
        return
    if state.is_drop_turn and state.side == unit.side:
        text = f"{unit.id} was dropped in this player turn and does not advance"
        yield Breach("E9.6a", text, pieces=(unit.id,))


@book.rule("E9.5b", "E9.43c", on=Rout)
def no_rout(state: State, action: Rout) -> Iterator[Breach]:
    """Rules 9.5, 9.43: parachutes do not rout, nor do paratroops from among enemies."""
    unit = state.units.get(action.unit)
    hangs = state.is_under_parachute(action.unit)
    if not hangs and (unit is None or not unit.deployed or not state.is_drop_turn):
        return
    chute = state.chutes.get(f"P{unit.stick}" if unit is not None else action.unit)
    where = unit.where if unit is not None and not hangs else chute.where if chute else None
    if where is not None and state.enemies_in(where):
        text = f"only broken units of the Defender rout from {label(where)}, not {action.unit}"
        yield Breach("E9.43c", text, pieces=(action.unit,))
    elif hangs:
        yield Breach(
            "E9.5b", f"{action.unit} is a parachute and does not rout", pieces=(action.unit,)
        )


@book.rule("E9.5b", on=Elim)
def no_surrender(state: State, action: Elim) -> Iterator[Breach]:
    """Rule 9.5: nothing of the rout rules eliminates or takes a parachute in the RtPh."""
    chute = state.chutes.get(action.piece)
    if chute is None or chute.is_weapon or chute.status != "LANDED" or state.phase != "RtPh":
        return
    text = f"{action.piece} neither surrenders nor is eliminated for failure to rout"
    yield Breach("E9.5b", text, pieces=(action.piece,))


@book.rule("E9.43a", on=Attack)
def final_fire_waits(state: State, action: Attack) -> Iterator[Breach]:
    """Rule 9.43: landed paratroops are fired at when all landing checks have been made."""
    unit = state.units.get(action.unit)
    if unit is None or unit.side == state.side or not state.is_drop_turn or action.kind == "CC":
        return
    if state.phase not in PHASES[: PHASES.index("DFPh")]:
        return
    if down := down_in(state, action.hex):
        text = f"{unit.id} attacks {', '.join(down)} in {label(action.hex)} before the DFPh: "
        text += "landing checks are not finished"
        yield Breach("E9.43a", text, pieces=(unit.id,), hexes=(action.hex,))


@book.rule("E9.43b", on=Phase)
def point_blank_fire(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 9.43: enemies fire TPBF at paratroops in their Location; survivors get a CC counter."""
    if not state.ends(action, "DFPh"):
        return
    spent = {firer for c in state.chutes.values() for firer, _ in c.fired_by}
    for h, firers in point_blank(state).items():
        due = tuple(u.id for u in firers if (u.id, h, "TPBF") not in state.attacked)
        some = len(due) < len(firers)
        if some:
            # one of them may tell for a fire group, and who has fired before may have no fire left
            due = tuple(name for name in due if name not in spent)
        if due:
            text = f"TPBF is due in {label(h)}: {', '.join(due)} must attack "
            text += ", ".join(down_in(state, h))
            ruling = Ruling.WARNING if some else Ruling.ILLEGAL
            yield Breach("E9.43b", text, ruling, hexes=(h,), pieces=due)
        for name in down_in(state, h):
            if ("CC", name) not in state.markers:
                text = f"{name} in {label(h)} with enemies has no CC counter"
                yield Breach("E9.43b", text, pieces=(name,), hexes=(h,))

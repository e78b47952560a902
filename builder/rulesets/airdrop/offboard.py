"""Rule 9.41: what lands off the boards, and how it comes onto them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from builder.hexes.measure import distance
from builder.rules.core import Breach, Ruling
from builder.rulesets.airdrop.actions import (
    Advance,
    Cvp,
    Elim,
    Land,
    Move,
    Phase,
    Recover,
    Relocate,
    Rout,
)
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.facts import is_onboard, label, offboard_distance
from builder.rulesets.airdrop.state import State, Unit

__all__ = ["casualty_points", "landed_offboard"]

Step: TypeAlias = Move | Advance | Rout


@book.states("E9.41c")
def casualty_points(state: State) -> int:
    """Rules 9.3, 9.41: what the dropped side's eliminated units count, offboard or not."""
    return sum(_points(state, u) for u in _lost(state))


def _lost(state: State) -> list[Unit]:
    side = state.dropped_side
    return [u for u in state.units.values() if u.side == side and u.eliminated]


def _points(state: State, unit: Unit) -> int:
    figures = state.figures
    smc = figures.smc + figures.leadership * max(0, -unit.leadership)
    counts = {"squad": figures.squad, "crew": figures.crew, "hs": figures.half_squad}
    return {**counts, "leader": smc, "hero": figures.smc}.get(unit.kind, 0)


@book.states("E9.41i")
def landed_offboard(state: State, unit: Unit) -> bool:
    """Rule 9.41: tell whether a unit landed off the boards."""
    chute = state.chutes.get(f"P{unit.stick}")
    return unit.offboard or (chute is not None and chute.offboard)


@book.rule("E9.41d", on=Land)
def measured(state: State, action: Land) -> Iterator[Breach]:
    """Rule 9.41: where a parachute lands off the boards is measured."""
    chute = state.chutes.get(action.chute)
    if chute is not None and chute.where is None:
        text = f"the offboard hex in which {action.chute} lands is not known"
        yield Breach("E9.41d", text, Ruling.WARNING, (action.chute,))


@book.rule("E9.41b", on=Phase)
def result_offboard(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 9.41: ground in reversed order tells how a Stick lands off the boards."""
    if not state.ends(action, "CHECKS"):
        return
    for chute in state.chutes.values():
        if chute.status != "LANDED" or chute.is_weapon or not chute.offboard or chute.checks:
            continue
        if not state.is_drowned(chute):
            text = f"offboard landing result of {chute.id} by the reversed terrain order is missing"
            rests = ("terrain off the boards",)
            yield Breach("E9.41b", text, Ruling.WARNING, (chute.id,), rests_on=rests)


@book.rule("E9.41a", on=(Elim, Relocate))
def stays_in_play(state: State, action: Elim | Relocate) -> Iterator[Breach]:
    """Rule 9.41: who has landed off the boards is not removed for that."""
    chute, unit = state.chutes.get(action.piece), state.units.get(action.piece)
    if unit is not None and unit.offboard and isinstance(getattr(action, "to", None), str):
        # it may have been exchanged for others, by rules of other chapters
        text = f"{unit.id} landed offboard and stays in play"
        yield Breach("E9.41a", text, Ruling.WARNING, (unit.id,))
    if chute is None or chute.status != "LANDED" or not chute.offboard:
        return
    removed = action.cause == "OTHER" if isinstance(action, Elim) else isinstance(action.to, str)
    if removed:
        text = f"{action.piece} landed offboard and stays in play"
        yield Breach("E9.41a", text, pieces=(action.piece,))


@book.rule("E9.41c", on=Cvp)
def counted_if_eliminated(state: State, action: Cvp) -> Iterator[Breach]:
    """Rule 9.41: units off the boards count as casualties only if they are eliminated."""
    due = casualty_points(state)
    if action.points <= due:
        return
    outside = sorted(
        u.id
        for u in state.units.values()
        if u.side == state.dropped_side and not u.eliminated and _is_outside(state, u)
    )
    if outside:
        names = {"squad": "squad", "crew": "crew", "hs": "half_squad"}
        used = {names.get(u.kind, "smc") for u in _lost(state)}
        used |= {"leadership" for u in _lost(state) if u.leadership < 0}
        text = f"casualties come to {due}, not to {action.points}: {', '.join(outside)} landed "
        text += "offboard and count only if eliminated"
        rests = state.figures.rests_on(*sorted(used))
        yield Breach("E9.41c", text, pieces=tuple(outside), rests_on=rests)


def _is_outside(state: State, unit: Unit) -> bool:
    chute = state.chutes.get(f"P{unit.stick}") if unit.stick else None
    hidden = unit.where is None and chute is not None and chute.status == "LANDED"
    return unit.offboard or (hidden and chute is not None and chute.offboard)


@book.rule("E9.41h", on=(Move, Advance, Rout))
def broken_stays(state: State, action: Step) -> Iterator[Breach]:
    """Rule 9.41: a broken unit off the boards neither moves nor routs before it rallies."""
    unit = state.units.get(action.unit)
    if unit is None or not unit.offboard:
        return
    if unit.broken or isinstance(action, Rout):
        text = f"broken {unit.id} stays offboard until it rallies"
        yield Breach("E9.41h", text, pieces=(unit.id,))


@book.rule("E9.41e", "E9.41f", on=Move)
def walk(state: State, action: Move) -> Iterator[Breach]:
    """Rule 9.41: a unit goes one offboard hex in a MPh toward the edge, and enters from there."""
    unit = state.units.get(action.unit)
    if unit is None or unit.where is None or not unit.offboard or unit.broken:
        return
    one, here = (unit.id,), label(action.to)
    far, out = offboard_distance(unit.where), offboard_distance(action.to)
    if not out:
        if far > 1 or state.entered.get(unit.id):
            text = f"{unit.id} is not yet at the edge and cannot enter {here}"
            yield Breach("E9.41f", text, pieces=one)
    elif distance(unit.where, action.to) > 1 or state.entered.get(unit.id):
        text = f"{unit.id} moves one offboard hex in a MPh, not to {here}"
        yield Breach("E9.41e", text, pieces=one)
    elif out >= far:
        text = f"{unit.id} moves toward the edge of the boards, and {here} is {out} hexes off"
        yield Breach("E9.41e", text, Ruling.WARNING, one)


@book.rule("E9.41f", "E9.41g", on=Advance)
def enters(state: State, action: Advance) -> Iterator[Breach]:
    """Rule 9.41: a unit off the boards advances only to enter them, from next to the edge."""
    unit = state.units.get(action.unit)
    if unit is None or unit.where is None or not unit.offboard or unit.broken:
        return
    if not is_onboard(action.to):
        text = f"{unit.id} advances only onto the board, not to {label(action.to)}"
        yield Breach("E9.41g", text, pieces=(unit.id,))
    elif distance(unit.where, action.to) > 1:
        text = f"{unit.id} is not yet at the edge and cannot enter {label(action.to)}"
        yield Breach("E9.41f", text, pieces=(unit.id,))


@book.rule("E9.41i", on=Recover)
def recovered_outside(state: State, action: Recover) -> Iterator[Breach]:
    """Rule 9.41: a weapon off the boards is for units that landed off them."""
    chute, unit = state.chutes.get(action.chute), state.units.get(action.unit)
    if chute is None or chute.status != "LANDED" or not chute.offboard:
        return
    if unit is not None and not landed_offboard(state, unit):
        text = f"{action.sw or action.chute} is recovered only by units that landed offboard"
        yield Breach("E9.41i", text, pieces=(unit.id,))

"""Rule 5.1, stacking: one unit a hex when movement is over, one garrison, and only one's own."""

from __future__ import annotations

from collections.abc import Iterator

from builder.hexes.grid import Hex
from builder.rules.core import Breach
from builder.rulesets.dropzone.actions import Move, Phase, Relocate
from builder.rulesets.dropzone.apply_moves import is_moving
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import enemy_of
from builder.rulesets.dropzone.state import State

__all__ = ["joins_a_garrison"]


def _ends_movement(state: State, action: Phase) -> bool:
    return state.step == "MOVE" and (
        action.step != "MOVE" or action.command not in ("", state.command)
    )


def _came_by_moving(state: State, h: Hex) -> bool:
    """Tell whether a unit moved into a hex among enemies: said when it did."""
    sides = {state.facts.units[k].side for k in state.units_at.get(h, ()) if state.units[k].trail}
    return any(h in state.closed_to(side) for side in sides)


@book.rule("DZ-5.1l", on=Phase)
def one_unit_a_hex(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 5.1: when a Command has moved, no hex with one of its units holds another unit.

    Whosever it is. The two counters of the German reconnaissance are one unit here.
    """
    if not _ends_movement(state, action):
        return
    facts = state.facts
    for h, keys in state.units_at.items():
        if len(keys) < 2 or not any(facts.units[k].command == state.command for k in keys):
            continue
        if _came_by_moving(state, h):
            continue
        yield Breach(
            "DZ-5.1l",
            f"{state.command} ended its movement with {len(keys)} units in {facts.label(h)}: "
            + ", ".join(facts.title(k) for k in keys),
            pieces=keys,
            hexes=(h,),
            legal=("one unit in a hex",),
        )


@book.rule("DZ-5.1o", on=Phase)
def unit_with_enemy_garrison(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 5.1: a unit shares its hex with a garrison of its own side only."""
    if not _ends_movement(state, action):
        return
    facts = state.facts
    for h, key in state.garrison_at.items():
        enemy = enemy_of(state.garrisons[key].side)
        units = tuple(k for k in state.units_at.get(h, ()) if facts.units[k].side == enemy)
        mine = any(facts.units[k].command == state.command for k in units)
        if mine and not _came_by_moving(state, h):
            yield _shared(state, h, key, units)


@book.rule("DZ-5.1o", on=Move)
def move_onto_enemy_garrison(state: State, action: Move) -> Iterator[Breach]:
    """Rule 5.1: a unit never stops in a hex that only a garrison of the enemy holds."""
    if not is_moving(state, action):
        return
    facts, key = state.facts, action.unit
    garrison = state.garrison_at.get(action.to)
    if garrison is None or state.garrisons[garrison].side == facts.units[key].side:
        return
    enemy = state.garrisons[garrison].side
    if any(facts.units[k].side == enemy for k in state.units_at.get(action.to, ())):
        return  # a unit of the enemy is there too: said by the row on its hexes
    if action.to not in state.units[key].trail:
        yield _shared(state, action.to, garrison, (key,))


def _shared(state: State, h: Hex, garrison: str, units: tuple[str, ...]) -> Breach:
    facts = state.facts
    name = facts.garrisons[garrison].name(state.garrisons[garrison].side)
    who = " and ".join(facts.title(k) for k in units)
    return Breach(
        "DZ-5.1o",
        f"{who} shares {facts.label(h)} with the {name}, an enemy",
        pieces=(*units, garrison),
        hexes=(h,),
    )


def joins_a_garrison(state: State, piece: str, to: object) -> bool:
    """Tell whether a garrison counter that is off the map is put beside a live garrison."""
    if piece not in state.garrisons or not isinstance(to, Hex):
        return False
    return state.garrisons[piece].steps <= 0 and state.garrison_at.get(to, piece) != piece


@book.rule("DZ-5.1n", on=Relocate)
def one_garrison_a_hex(state: State, action: Relocate) -> Iterator[Breach]:
    """Rule 5.1: no hex ever holds two garrisons."""
    if not isinstance(action.to, Hex) or not joins_a_garrison(state, action.piece, action.to):
        return
    facts = state.facts
    there = state.garrison_at[action.to]
    yield Breach(
        "DZ-5.1n",
        f"the {facts.title(action.piece)} was put into {facts.label(action.to)}, where the "
        f"{facts.title(there)} stands: a hex holds one garrison",
        pieces=(action.piece, there),
        hexes=(action.to,),
    )

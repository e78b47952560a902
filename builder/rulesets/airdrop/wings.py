"""Rules 9.1, 9.11 and 9.12: Sticks, Wings, drop points, and the lines on which they stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.hexes.grid import Hex
from builder.hexes.measure import distance
from builder.rules.core import Breach, Ruling
from builder.rulesets.airdrop.actions import Dproll, Load, Phase, Place, Recover, Wing
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.facts import board_of, is_whole, label, step
from builder.rulesets.airdrop.state import State, halves_of

__all__ = ["line_of"]

_MOST: Final = 5
_KEPT: Final = {"BRITISH": ("LMG", "MTR50", "RADIO"), "US": ("MTR60",)}
"""Rule 9.2: weapons that drop with their possessor."""


@book.states("E9.12g")
def line_of(point: Hex, grain: int, count: int) -> tuple[Hex, ...]:
    """Rule 9.12: the hexes of a Wing's Sticks: on the point, then outward to either side.

    >>> line_of(Hex(24, 18), 1, 3)
    (Hex(column=24, row=18), Hex(column=24, row=17), Hex(column=24, row=19))
    """
    steps = [(0, 0), (grain, 1), (grain + 3, 1), (grain, 2), (grain + 3, 2)]
    return tuple(step(point, direction, n) for direction, n in steps[:count])


@book.rule("E9.11a", "E9.11b", on=Wing)
def size_of_wing(state: State, action: Wing) -> Iterator[Breach]:
    """Rule 9.11: five Sticks make a Wing; one Wing of the drop may have fewer."""
    count = len(action.sticks)
    if not 1 <= count <= _MOST:
        yield Breach("E9.11a", f"Wing {action.id} has {count} Sticks, and may have 1 to 5")
    short = [w.id for w in state.wings.values() if w.id != action.id and len(w.sticks) < _MOST]
    if count < _MOST and short:
        text = f"Wings {short[0]} and {action.id} have fewer than five Sticks: only one may"
        yield Breach("E9.11b", text)


@book.rule("E9.12a", "E9.12b", "E9.12c", on=Wing)
def planned_point(state: State, action: Wing) -> Iterator[Breach]:
    """Rule 9.12: a whole hex, the grain that the drop shares, five hexes from other points."""
    here = label(action.dp)
    if not is_whole(action.dp):
        text = f"the drop point {here} of Wing {action.id} is not a whole hex of the boards"
        yield Breach("E9.12a", text, hexes=(action.dp,))
    for other in state.wings.values():
        if other.id == action.id:
            continue
        if other.grain != action.grain:
            text = f"Wings {other.id} and {action.id} do not share a hexgrain"
            yield Breach("E9.12b", text, Ruling.WARNING)
        count = distance(other.planned, action.dp)
        if count < _MOST:
            text = f"the drop points {label(other.planned)} and {here} are {count} hexes apart"
            yield Breach("E9.12c", text, hexes=(action.dp,), legal=("5 hexes or more",))


@book.rule("E9.12e", "E9.12f", on=Dproll)
def point_by_dr(state: State, action: Dproll) -> Iterator[Breach]:
    """Rule 9.12: with 1 to 3 the planned point is used, else a board is selected."""
    plan = state.wings.get(action.wing)
    if plan is None:
        return
    if action.dr <= 3:
        if action.hex is not None and action.hex != plan.planned:
            text = f"dr {action.dr}: Wing {plan.id} uses {label(plan.planned)}"
            yield Breach("E9.12e", text, hexes=(action.hex,), legal=(label(plan.planned),))
    elif action.hex is None or len(action.dice) < 2 or not action.board:
        text = f"dr {action.dr}: Wing {plan.id} selects a board and is placed on or near it"
        yield Breach("E9.12f", text)
    elif action.dice.count(max(action.dice)) > 1 or action.dice.index(max(action.dice)) + 1 != (
        action.board
    ):
        faces = ",".join(str(d) for d in action.dice)
        text = f"dice {faces} do not select board {action.board} for Wing {plan.id}"
        yield Breach("E9.12f", text)
    elif board_of(action.hex) not in (action.board, 0):
        text = f"Wing {plan.id} stands in {label(action.hex)}, not on or near board {action.board}"
        yield Breach("E9.12f", text, hexes=(action.hex,), rests_on=("Random Location of a drop",))


@book.rule("E9.12d", on=Phase)
def dr_of_each_wing(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 9.12: one dr for each Wing in the RPh of the drop."""
    if state.phase == "RPh" and action.phase != "RPh" and state.side == "Attacker":
        for wing in state.wings.values():
            if not wing.dr and any(f"P{s}" not in state.chutes for s in wing.sticks):
                yield Breach("E9.12d", f"no drop point dr has been made for Wing {wing.id}")


@book.rule("E9.12g", "E9.11i", on=Place)
def place_in_line(state: State, action: Place) -> Iterator[Breach]:
    """Rules 9.12, 9.11: a Stick stands on its Wing's line, its weapon's parachute above it."""
    letter, one = action.chute[1:], (action.chute,)
    if action.chute.startswith("W"):
        stick = state.chutes.get(f"P{letter}")
        if stick is not None and stick.where is not None and stick.where != action.hex:
            text = f"{action.chute} starts with Stick {letter} in {label(stick.where)}"
            yield Breach("E9.11i", text, pieces=one, legal=(label(stick.where),))
        return
    for wing in state.wings.values():
        if letter in wing.sticks and wing.point is not None:
            line = line_of(wing.point, wing.grain, len(wing.sticks))
            taken = {
                c.where
                for c in state.chutes.values()
                if c.letter in wing.sticks and not c.is_weapon and c.id != action.chute
            }
            if action.hex not in line or action.hex in taken:
                legal = tuple(label(h) for h in line)
                text = f"Wing {wing.id} must stand on {', '.join(legal)}: not {label(action.hex)}"
                yield Breach("E9.12g", text, pieces=one, hexes=(action.hex,), legal=legal)


@book.rule("E9.11c", "E9.11d", "E9.1i", "E9.2g", on=Load)
def contents(state: State, action: Load) -> Iterator[Breach]:
    """Rules 9.11, 9.1, 9.2: a squad's worth, one SMC, one separate weapon; some weapons stay in."""
    units = [u for i in action.units if (u := state.units.get(i))]
    kinds = [u.kind for u in units]
    halves = halves_of(units)
    smcs = kinds.count("leader") + kinds.count("hero")
    if halves > 2 or smcs > 1:
        text = f"Stick {action.stick} holds {halves}/2 squads and {smcs} SMC: at most 1 and 1"
        yield Breach("E9.11d", text, pieces=action.units)
    if len(set(action.sw)) != len(action.sw):
        text = f"Stick {action.stick}: one weapon's parachute for each item"
        yield Breach("E9.1i", text, pieces=action.sw)
    elif len(action.sw) > 1:
        text = f"Stick {action.stick} has {len(action.sw)} weapons' parachutes, and may have 1"
        yield Breach("E9.11c", text, pieces=action.sw)
    kept = _KEPT.get(state.nationality, ())
    for name in (*action.sw, *action.units):
        unit = state.units.get(name)
        if unit is None or unit.kind != "sw" or (unit.sw in kept) == (name in action.units):
            continue
        how = "drops with its possessor" if unit.sw in kept else "drops by its own parachute"
        yield Breach("E9.2g", f"{name} of Stick {action.stick} {how}", pieces=(name,))


@book.rule("E9.11h", on=Recover)
def dropped_dm(state: State, action: Recover) -> Iterator[Breach]:
    """Rule 9.11: a weapon that can be dismantled is dropped so."""
    unit = state.units.get(action.sw)
    if unit is not None and unit.can_dm and not action.dm:
        yield Breach("E9.11h", f"{action.sw} must be dropped dm", pieces=(action.sw,))

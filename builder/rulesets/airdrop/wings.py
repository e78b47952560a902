"""Rules 9.1, 9.11 and 9.12: Sticks, Wings, drop points, and the lines on which they stand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.hexes.grid import Hex
from builder.hexes.measure import distance
from builder.rules.core import Breach, Ruling
from builder.rulesets.airdrop.actions import Dproll, Phase, Place, Wing
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.facts import is_whole, label, step
from builder.rulesets.airdrop.state import State, WingPlan

__all__ = ["board_selected", "line_of", "lost_point"]

_MOST: Final = 5
_CENTERS: Final = {1: Hex(30, 18), 2: Hex(62, 18)}
"""The hexes Q5 of both boards, from which a lost drop point is found."""


@book.states("E9.12g")
def line_of(point: Hex, grain: int, count: int) -> tuple[Hex, ...]:
    """Rule 9.12: the hexes of a Wing's Sticks: on the point, then outward to either side.

    >>> line_of(Hex(24, 18), 1, 3)
    (Hex(column=24, row=18), Hex(column=24, row=17), Hex(column=24, row=19))
    """
    back = (grain + 2) % 6 + 1
    steps = [(0, 0), (grain, 1), (back, 1), (grain, 2), (back, 2)]
    return tuple(step(point, direction, n) for direction, n in steps[:count])


@book.states("E9.12f")
def board_selected(dice: tuple[int, ...]) -> int:
    """Rule 9.12: the board that two dice select; 0 for a tie, which is rolled again.

    >>> board_selected((6, 2)), board_selected((2, 3)), board_selected((5, 5))
    (1, 2, 0)
    """
    if len(dice) != 2 or dice[0] == dice[1]:
        return 0
    return 1 if dice[0] > dice[1] else 2


@book.states("E9.12f")
def lost_point(board: int, colored: int, white: int) -> Hex:
    """Rule 9.12: a displaced drop point: so far from the middle of its board.

    >>> label(lost_point(1, 3, 2))
    '1S6'
    """
    return step(_CENTERS.get(board, _CENTERS[1]), colored, white)


@book.rule("E9.11a", "E9.11b", on=Wing)
def size_of_wing(state: State, action: Wing) -> Iterator[Breach]:
    """Rule 9.11: five Sticks make a Wing, none is in two; one Wing of the drop may have fewer."""
    count = len(action.sticks)
    if not 1 <= count <= _MOST:
        yield Breach("E9.11a", f"Wing {action.id} has {count} Sticks, and may have 1 to 5")
    for wing in state.wings.values():
        for letter in wing.sticks:
            if wing.id != action.id and letter in action.sticks:
                text = f"Stick {letter} of Wing {action.id} is in Wing {wing.id} already"
                yield Breach("E9.11a", text)
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
    who, here, at = f"dr {action.dr}: Wing {plan.id}", label(action.hex), (action.hex,)
    if action.dr <= 3:
        if action.hex != plan.planned:
            text = f"{who} uses {label(plan.planned)}, not {here}"
            yield Breach("E9.12e", text, hexes=at, legal=(label(plan.planned),))
        return
    board = board_selected(action.dice)
    if not board or board != action.board:
        faces = ",".join(str(d) for d in action.dice) or "none"
        text = f"{who} selects a board, and its dice ({faces}) do not select {action.board}"
        yield Breach("E9.12f", text, hexes=at)
        return
    point = lost_point(board, action.colored, action.white)
    if point == action.hex:
        return
    dice = f"DR {action.colored},{action.white} from the middle of board {board}"
    if action.hex == plan.planned:
        text = f"{who} does not use its planned point {here}: {dice} leads to {label(point)}"
        yield Breach("E9.12f", text, hexes=at, legal=(label(point),))
    else:
        text = f"{who}: {dice} leads to {label(point)}, not to {here}"
        rests = ("Random Location of a drop point",)
        yield Breach("E9.12f", text, hexes=at, rests_on=rests, legal=(label(point),))


@book.rule("E9.12d", on=Dproll)
def dr_in_its_time(state: State, action: Dproll) -> Iterator[Breach]:
    """Rule 9.12: the dr of a Wing is made in the RPh."""
    if state.phase != "RPh":
        text = f"the drop point dr of Wing {action.wing} is made in {state.phase}, not in the RPh"
        yield Breach("E9.12d", text)


@book.rule("E9.12d", on=Phase)
def dr_of_each_wing(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 9.12: one dr for each Wing in the RPh of the drop."""
    if state.phase not in ("SETUP", "RPh") or action.phase in ("SETUP", "RPh"):
        return
    if state.is_drop_turn or any(wing.dr for wing in state.wings.values()):
        for wing in state.wings.values():
            if not wing.dr:
                yield Breach("E9.12d", f"no drop point dr has been made for Wing {wing.id}")


@book.rule("E9.12g", "E9.1i", on=Phase)
def all_placed(state: State, action: Phase) -> Iterator[Breach]:
    """Rules 9.12, 9.1: when the RPh of the drop ends, all Sticks and weapons have their places."""
    if state.phase != "RPh" or action.phase in ("SETUP", "RPh") or not state.is_drop_turn:
        return
    for wing in state.wings.values():
        lacks = [f"P{i}" for i in wing.sticks if f"P{i}" not in state.chutes]
        if wing.point is not None and lacks:
            line = ", ".join(label(h) for h in line_of(wing.point, wing.grain, len(wing.sticks)))
            text = f"Wing {wing.id} must stand on {line}: {', '.join(lacks)} have not been placed"
            yield Breach("E9.12g", text, pieces=tuple(lacks))
    for stick in state.sticks.values():
        if stick.sw and f"W{stick.letter}" not in state.chutes:
            text = f"the weapon of Stick {stick.letter} has no parachute"
            yield Breach("E9.1i", text, pieces=(f"P{stick.letter}",))


@book.rule("E9.11i", on=Place)
def weapon_above_stick(state: State, action: Place) -> Iterator[Breach]:
    """Rule 9.11: a weapon's parachute starts above its Stick's."""
    letter = action.chute[1:]
    other = state.chutes.get(f"P{letter}" if action.chute.startswith("W") else f"W{letter}")
    if other is None or other.start is None or other.start == action.hex or action.copy:
        return
    text = f"{action.chute} starts with {other.id} in {label(other.start)}, not in "
    text += label(action.hex)
    yield Breach("E9.11i", text, pieces=(action.chute,), legal=(label(other.start),))


@book.rule("E9.12g", on=Place)
def place_in_line(state: State, action: Place) -> Iterator[Breach]:
    """Rule 9.12: a Stick stands on its Wing's line, without a gap and each in a hex of its own."""
    letter = action.chute[1:]
    if action.chute.startswith("W") or action.copy:
        return
    for wing in state.wings.values():
        if letter not in wing.sticks or wing.point is None:
            continue
        taken = {
            c.start
            for c in state.chutes.values()
            if c.letter in wing.sticks and not c.is_weapon and c.id != action.chute
        }
        lines = _lines(wing, wing.point)
        fits = action.hex not in taken
        if not fits or not any({action.hex, *taken} <= {*line} for line in lines):
            legal = tuple(label(h) for h in lines[0])
            text = f"Wing {wing.id} must stand on {', '.join(legal)}: {action.chute} may not be "
            text += f"in {label(action.hex)}"
            one = (action.chute,)
            yield Breach("E9.12g", text, pieces=one, hexes=(action.hex,), legal=legal)


def _lines(wing: WingPlan, point: Hex) -> tuple[tuple[Hex, ...], tuple[Hex, ...]]:
    """Return a Wing's line outward from either side first; the same hexes for an odd count."""
    count = len(wing.sticks)
    return line_of(point, wing.grain, count), line_of(point, wing.grain + 3, count)


@book.rule("E9.11c", "E9.1i", on=Place)
def one_parachute_each(state: State, action: Place) -> Iterator[Breach]:
    """Rules 9.11, 9.1: one weapon's parachute in a Stick, and one for each item in its box."""
    if not action.chute.startswith("W"):
        return
    letter, one = action.chute[1:], (action.chute,)
    known = state.chutes.get(action.chute)
    count = known.copies + 1 if known is not None and action.copy else 1
    if action.copy:
        text = f"Stick {letter} has {max(count, 2)} weapons' parachutes, and may have 1"
        yield Breach("E9.11c", text, pieces=one)
    box = state.in_box(letter)
    items = sum(state.is_separate(u) for u in box)
    if box and count > items:
        text = f"Stick {letter} has {count} weapons' parachutes for {items} weapons in its box"
        yield Breach("E9.1i", text, pieces=one)

"""Rules 3.3 and 5.1: movement: who may move, when, how far, and by which hexes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from builder.hexes.grid import Hex
from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import Move
from builder.rulesets.dropzone.apply_moves import (
    allowance,
    area_of,
    is_moving,
    open_entries,
    reach_by,
    total_of,
    way_of,
    would_fit,
)
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.entry import enters_wrongly
from builder.rulesets.dropzone.facts import GERMAN
from builder.rulesets.dropzone.ground import points_text
from builder.rulesets.dropzone.participants import spent_units
from builder.rulesets.dropzone.paths import Way, least, reach
from builder.rulesets.dropzone.replacement import is_eliminated
from builder.rulesets.dropzone.state import Place, State

__all__ = ["cost_of_way"]

_CLOSED = "hexes of the enemy are closed"
"""What the rulebook never says, and stacking and combat from beside a hex suggest (G-20)."""


# ------------------------------------------------------------------------------ who moves, and when


@book.rule("DZ-1.3a", on=Move)
def unit_of_active_command(state: State, action: Move) -> Iterator[Breach]:
    """Rules 1.3 and 5.1: only units of the active Command move."""
    unit = state.facts.units.get(action.unit)
    if unit is None or state.units[action.unit].steps <= 0:
        return
    if state.command and unit.command != state.command:
        yield Breach(
            "DZ-1.3a",
            f"{unit.title} of {unit.command} cannot move: {state.command} is active",
            pieces=(action.unit,),
            hexes=(action.to,),
        )


@book.rule("DZ-3.3c", on=Move)
def movement_step(state: State, action: Move) -> Iterator[Breach]:
    """Rule 3.3: all movement comes before all combat, in its own step."""
    unit = state.facts.units.get(action.unit)
    if unit is None or state.command not in ("", unit.command):
        return
    has_fought = bool(spent_units(state))  # a tracker that goes back takes no attack back
    if state.step == "MOVE" and not has_fought:
        return
    known = state.units[action.unit]
    if known.steps <= 0 or action.to == known.place:
        return
    if state.step != "MOVE" and area_of(state, action.unit):
        return  # said by the row on entering
    if not state.command:
        when = "while no Command was active"
    elif has_fought or state.step in ("COMBAT", "ENDACT"):
        when = "after combat had begun"
    else:
        when = f"in the step {state.step}, before its movement"
    yield Breach(
        "DZ-3.3c",
        f"{unit.title} moved {state.facts.label(known.place)}→{state.facts.label(action.to)} "
        f"{when}",
        pieces=(action.unit,),
        hexes=(action.to,),
        legal=(f"in the MOVE step of {unit.command}",),
    )


@book.rule("DZ-1.2q", on=Move)
def garrison_moves(state: State, action: Move) -> Iterator[Breach]:
    """Rules 1.2 and 5.1: a garrison has no movement points and never moves."""
    garrison = state.facts.garrisons.get(action.unit)
    if garrison is None or action.unit not in state.garrisons or action.to == garrison.hex:
        return
    yield Breach(
        "DZ-1.2q",
        f"the {garrison.name(state.garrisons[garrison.id].side)} cannot move to "
        f"{state.facts.label(action.to)}: garrisons have no movement points",
        pieces=(garrison.id,),
        hexes=(garrison.hex, action.to),
    )


@book.rule("DZ-4.1.5b", "DZ-4.1.4a", "DZ-5.2.6c", on=Move)
def eliminated_moves(state: State, action: Move) -> Iterator[Breach]:
    """Rules 4.1 and 5.2: an eliminated unit is off the map and does not come back by moving."""
    unit = state.facts.units.get(action.unit)
    if unit is None or not is_eliminated(state, action.unit):
        return
    known = state.units[action.unit]
    row = "DZ-4.1.5b" if unit.side == GERMAN else "DZ-4.1.4a"
    if isinstance(known.place, Hex):
        row = "DZ-5.2.6c"
    elif known.steps > 0:
        return  # it was taken off with steps left: said when that was done
    yield Breach(
        row,
        f"{unit.title} is eliminated and cannot move to {state.facts.label(action.to)}",
        pieces=(action.unit,),
        hexes=(action.to,),
    )


# ------------------------------------------------------------------------------------- how far


@book.rule(
    *("DZ-5.1a", "DZ-5.1c", "DZ-5.1f", "DZ-5.1h", "DZ-5.1i", "DZ-4.2.3d"),
    on=Move,
)
def cost_of_way(state: State, action: Move) -> Iterator[Breach]:
    """Rules 5.1 and 4.2.3: the cheapest way must not cost more than the unit has.

    Not even over a single hex. Which row a move breaks that is too dear is a matter of what makes
    it so: hexes of the enemy that are in the way, the order of entry, zones of control, earlier
    moves in the same activation, or the way as such.
    """
    key = action.unit
    if not is_moving(state, action):
        return
    unit, facts = state.units[key], state.facts
    if action.to not in facts.sheet:
        yield Breach("DZ-5.1c", f"{facts.title(key)} moved off the map", pieces=(key,))
        return
    if action.to in unit.trail or action.to in reach_by(state, key, action.entry):
        return
    if action.to in state.closed_to(facts.units[key].side) or unit.spent > allowance(state, key):
        return  # it ends among enemies; or that it went too far has been said
    if not isinstance(unit.place, Hex) and enters_wrongly(state, action) is not None:
        return
    way = way_of(state, action)
    if would_fit(state, action, through=True):
        yield _through_enemies(state, action, way)
        return
    way = way or way_of(state, action, through=True)
    if way is not None:
        yield _too_dear(state, action, way)


def _through_enemies(state: State, action: Move, around: Way | None) -> Breach:
    """Return the breach of a move that has enough points only through what the enemy holds."""
    facts = state.facts
    opened = way_of(state, action, through=True)
    assert opened is not None, "it was found to fit"
    closed = state.closed_to(facts.units[action.unit].side)
    held = tuple(h for h in opened.hexes if h in closed)
    labels = ", ".join(facts.label(h) for h in held)
    if around is None:
        other = "there is no way around"
    else:
        other = f"the way around costs {points_text(around.cost)} MP ({around.words(state)})"
    return Breach(
        "DZ-5.1i",
        f"{_moved(state, action)} through {labels}, held by the enemy: {other}, "
        f"it has {_left(state, action)}",
        Ruling.WARNING,
        pieces=(action.unit,),
        hexes=(*held, action.to),
        legal=_as_far(state, action, around or opened),
    )


def _too_dear(state: State, action: Move, way: Way) -> Breach:
    key, facts = action.unit, state.facts
    unit, title = state.units[key], state.facts.title(key)
    full = 2 * facts.units[key].ma
    row = _row(state, action, way)
    lost = unit.penalty or total_of(state, key, way) - unit.spent - way.cost
    notes = [f"{points_text(unit.spent)} spent before"] if unit.legs else []
    if lost:
        notes.append(f"number {lost + 1} to enter by that hex: {points_text(full - lost)} MP")
    has = points_text(max(0, full - lost - unit.spent))
    ruling = Ruling.ILLEGAL
    message = (
        f"{_moved(state, action)}: the cheapest way costs {points_text(way.cost)} MP "
        f"({way.words(state)}), it has {has}"
    )
    if notes:
        message += f" ({', '.join(notes)})"
    if row == "DZ-5.1h":
        message += "; the zones of control make it too dear"
    if unit.legs and _fits_straight(state, action):
        # players may have dragged it about before they made up their minds
        ruling = Ruling.WARNING
        start = facts.label(unit.trail[0])
        message += f"; straight from {start} {title} could have gone there"
    return Breach(
        row,
        message,
        ruling,
        pieces=(key,),
        hexes=way.hexes,
        rests_on=_figures(state, action, way),
        legal=_as_far(state, action, way),
    )


def _moved(state: State, action: Move) -> str:
    facts = state.facts
    start = facts.label(state.units[action.unit].place)
    return f"{facts.title(action.unit)} moved {start}→{facts.label(action.to)}"


def _left(state: State, action: Move) -> str:
    return points_text(allowance(state, action.unit) - state.units[action.unit].spent)


def _row(state: State, action: Move, way: Way) -> str:
    """Return the row that says best why a move is too dear."""
    key = action.unit
    unit = state.units[key]
    full = 2 * state.facts.units[key].ma
    if unit.spent + way.cost <= full:
        return "DZ-4.2.3d"
    if unit.legs:
        return "DZ-5.1a"
    if _is_next(state, unit.place, way):
        return "DZ-5.1f"
    if would_fit(state, action, free=True):
        return "DZ-5.1h"
    return "DZ-5.1c"


def _is_next(state: State, start: Place, way: Way) -> bool:
    """Tell whether a move goes over one hex only, however its cheapest way would lead."""
    if isinstance(start, Hex):
        return way.hexes[-1] in state.facts.ground.neighbors_of.get(start, ())
    return len(way.legs) == 1


def _as_far(state: State, action: Move, way: Way) -> tuple[str, ...]:
    """Return the farthest hex of a way that the unit could have reached."""
    near = reach_by(state, action.unit, action.entry)
    last = next((h for h in reversed(way.hexes) if h in near), None)
    return () if last is None else (f"as far as {state.facts.label(last)}",)


def _fits_straight(state: State, action: Move) -> bool:
    """Tell whether a unit that was dragged several times could have gone there at once."""
    unit, facts = state.units[action.unit], state.facts
    side, start = facts.units[action.unit].side, unit.trail[0]
    sources = {start: 0} if isinstance(start, Hex) else _entries(state, start, floor=False)
    return action.to in reach(state, side, sources, max(0, allowance(state, action.unit)))


def _entries(state: State, box: str, *, floor: bool) -> dict[Hex, int]:
    """Return the hexes of an entry area and what the first step onto each costs."""
    facts = state.facts
    steps = facts.ground.entries
    hexes = facts.entries.get(box.removeprefix("Entry"), ())
    return {h: steps[h].floor if floor else steps[h].cost for h in hexes if h in steps}


# --------------------------------------------------------------------------- what it rests on


def _figures(state: State, action: Move, way: Way) -> tuple[str, ...]:
    """Return the figures without which a move might not be too dear; nothing if it is anyway."""
    key, facts = action.unit, state.facts
    unit, side = state.units[key], facts.units[key].side
    if isinstance(unit.place, Hex):
        sources = {unit.place: _least_spent(state, key)}
    else:
        entries = open_entries(state, key)
        if action.entry is not None:
            entries = {action.entry: state.entered.get(action.entry, 0)}
        steps = facts.ground.entries
        sources = {h: steps[h].floor + lost for h, lost in entries.items() if h in steps}
    within = reach(state, side, sources, allowance(state, key), floor=True, through=True)
    return way.ours or (_CLOSED,) if action.to in within else ()


def _least_spent(state: State, key: str) -> int:
    """Return the least that the earlier moves of a unit could have cost."""
    unit, side = state.units[key], state.facts.units[key].side
    total = 0
    for (start, end), cost in zip(pairwise((*unit.trail, unit.place)), unit.legs, strict=False):
        if start == end or not isinstance(end, Hex):
            total += cost  # its way is not known
            continue
        sources = {start: 0} if isinstance(start, Hex) else _entries(state, start, floor=True)
        total += min(cost, least(state, side, sources, end, through=True))
    return total


# ------------------------------------------------------------------------- where the enemy stands


@book.rule("DZ-5.1i", on=Move)
def ends_among_enemies(state: State, action: Move) -> Iterator[Breach]:
    """Rule 5.1: no move ends in a hex where an enemy unit stands (G-20).

    Of a hex that only an enemy garrison holds, stacking speaks plainly (see :mod:`stacking`).
    """
    if not is_moving(state, action):
        return
    facts = state.facts
    side = facts.units[action.unit].side
    enemies = tuple(k for k in state.units_at.get(action.to, ()) if facts.units[k].side != side)
    if enemies and action.to not in state.units[action.unit].trail:
        yield Breach(
            "DZ-5.1i",
            f"{_moved(state, action)}, where {facts.title(enemies[0])} of the enemy stands",
            Ruling.WARNING,
            pieces=(action.unit, *enemies),
            hexes=(action.to,),
        )

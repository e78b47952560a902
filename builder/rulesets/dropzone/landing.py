"""Rule 4.2.4: the daylight landing of turn 3: where, with what losses, and who makes room.

What a unit that has landed still owes stands in the state: *loss*, *attack*, *direction*. All of
it is due in the landing step, before the Command moves.
"""

from __future__ import annotations

from collections.abc import Iterator

from builder.hexes.grid import Hex
from builder.hexes.measure import ring
from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import Displace, Land, Lose, Phase, Roll
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, UnitFacts
from builder.rulesets.dropzone.participants import participants
from builder.rulesets.dropzone.state import State

__all__ = ["direction_hexes", "due_units", "friends_at", "room_for"]

_TURN = 3
"""Rule 4.2.4: the turn of the daylight landing."""
_WIDEST = 40
"""No ring about a hex of the map is wider."""


# ------------------------------------------------------------------------------ what is possible


def due_units(state: State, zone: Hex) -> tuple[str, ...]:
    """Return the units of the active Command that may land on a zone now and have not yet."""
    if state.step != "LAND" or state.turn != _TURN:
        return ()
    zones = state.facts.zones
    return tuple(
        k
        for k in state.command_units(state.command)
        if (unit := state.facts.units[k]).lands
        and zones.get(unit.affiliation) == zone
        and str(state.units[k].place).startswith(f"{ALLIED}T")  # a box of the turn track
        and state.units[k].steps > 0
    )


def friends_at(state: State, h: Hex) -> tuple[str, ...]:
    """Return the Allied units in a hex that make room for one that lands.

    One that still fights for the hex, or waits for its direction, has not landed there.
    """
    units = state.facts.units
    return tuple(
        k
        for k in state.units_at.get(h, ())
        if units[k].side == ALLIED and not _is_unsettled(state, k)
    )


def _is_unsettled(state: State, key: str) -> bool:
    owed = state.landing.get(key, "").split()
    return "attack" in owed or "direction" in owed


@book.states("DZ-4.2.4e")
def room_for(state: State, zone: Hex) -> tuple[Hex, ...]:
    """Return the hexes to which a unit may be displaced from a landing hex.

    Rule 4.2.4: the nearest vacant hexes outside of enemy zones of control: beside it, or else two
    hexes away, and so on. Whether a hex with nothing but a garrison of one's own is vacant is not
    said: it may be taken, and need not be.
    """
    found: dict[Hex, None] = {}
    for strictly in (True, False):
        for radius in range(1, _WIDEST):
            free = [h for h in ring(zone, radius) if _is_vacant(state, h, strictly=strictly)]
            if free:
                found.update(dict.fromkeys(free))
                break
    return tuple(found)


def _is_vacant(state: State, h: Hex, *, strictly: bool) -> bool:
    if h not in state.facts.sheet or state.in_enemy_zoc(h, ALLIED) or state.units_at.get(h):
        return False
    return not (state.held_by.get(h) if strictly else state.is_held(h, GERMAN))


@book.states("DZ-4.2.4c")
def direction_hexes(state: State, unit: str) -> tuple[Hex, ...]:
    """Return where a unit may come down after a landing combat without decision.

    Rule 4.2.4, and G-14 for what it does not say: the neighbor of the direction roll, 1 for north
    and on clockwise; if it is off the map or taken, the next one clockwise that is free. Empty if
    nothing was rolled, or if no neighbor is free.
    """
    place = state.units[unit].place
    if not isinstance(place, Hex) or not 1 <= state.direction <= 6:
        return ()
    grid, sheet = state.facts.sheet.grid, state.facts.sheet
    around = (grid.neighbor(place, (state.direction - 1 + n) % 6) for n in range(6))
    free = next((h for h in around if h in sheet and not _is_taken(state, h)), None)
    return () if free is None else (free,)


def _is_taken(state: State, h: Hex) -> bool:
    return bool(state.units_at.get(h)) or state.is_held(h, GERMAN)


# ------------------------------------------------------------------------------------ the landing


@book.rule("DZ-4.2.4a", "DZ-4.2.4b", "DZ-4.2.4c", "DZ-4.2.4e", on=Land)
def lands(state: State, action: Land) -> Iterator[Breach]:
    """Rule 4.2.4: turn 3, before movement, on the unit's zone, at full strength, one by one."""
    facts, key = state.facts, action.unit
    unit = facts.units.get(key)
    if unit is None:
        return
    if state.landing.get(key) == "direction":
        yield from _by_direction(state, action)
        return
    row, why, rests_on = _not_landing(state, unit, action.to)
    if not row:
        row, why, rests_on = _not_now(state, unit, action.to)
    if row:
        zone = facts.zones.get(unit.affiliation)
        yield Breach(
            row,
            f"{unit.title} cannot land in {facts.label(action.to)}: {why}",
            pieces=(key,),
            hexes=(action.to,),
            rests_on=rests_on,
            legal=(facts.label(zone),) if zone is not None and unit.lands else (),
        )


def _not_landing(state: State, unit: UnitFacts, to: Hex) -> tuple[str, str, tuple[str, ...]]:
    """Return row, reason and figures of a landing that turn, unit, strength or hex forbid."""
    facts, known, row = state.facts, state.units[unit.id], "DZ-4.2.4a"
    ours = (f"arrival of {unit.title}",) if unit.is_ours else ()
    if known.steps <= 0:
        return row, "it is eliminated", ()
    if isinstance(known.place, Hex):
        return row, f"it is in {facts.label(known.place)} already", ()
    if unit.side != ALLIED or not unit.lands:
        return row, "it is no unit of the daylight landing", ours if unit.side == ALLIED else ()
    if state.turn != _TURN:
        return row, f"the daylight landing is in turn {_TURN}", ()
    if state.command != unit.command:
        active = f", and {state.command} is active" if state.command else ""
        return row, f"it lands in the activation of {unit.command}{active}", ()
    if state.step != "LAND":
        return row, f"it lands just before movement, not in the step {state.step}", ()
    if known.steps != unit.steps:
        return row, f"it arrives with {unit.steps} steps, not {known.steps}", ()
    zone = facts.zones.get(unit.affiliation)
    if to != zone:
        other = next((z for z, h in facts.zones.items() if h == to), "")
        # that a unit lands on a zone is the rulebook's, on which of them is not
        figures = (f"zone of {unit.title}",) if other in _landing_zones(state) else ()
        return row, f"its zone is {unit.affiliation}, {facts.label(zone)}", figures
    return "", "", ()


def _landing_zones(state: State) -> frozenset[str]:
    return frozenset(u.affiliation for u in state.facts.units.values() if u.lands)


def _not_now(state: State, unit: UnitFacts, to: Hex) -> tuple[str, str, tuple[str, ...]]:
    """Return row, reason and figures if others have to make room or to settle first."""
    facts = state.facts
    for key, owed in state.landing.items():
        words = owed.split()
        if key == unit.id or key not in facts.units or state.units[key].steps <= 0:
            continue
        if "attack" in words:
            return "DZ-4.2.4b", f"{facts.title(key)} has landed among enemies and attacks first", ()
        if "direction" in words:
            return "DZ-4.2.4c", f"{facts.title(key)} first lands where a die says", ()
    there = friends_at(state, to)
    if there:
        return "DZ-4.2.4e", f"{facts.title(there[0])} is there and makes room first", ()
    return "", "", ()


def _by_direction(state: State, action: Land) -> Iterator[Breach]:
    """Yield the breach of a landing elsewhere than the die says; its numbers are ours (G-14)."""
    facts, key = state.facts, action.unit
    may = direction_hexes(state, key)
    if action.to in may:
        return
    title, where = facts.title(key), facts.label(action.to)
    if not state.direction:
        message = f"{title} came down in {where}, and no direction was rolled"
    elif not may:
        return  # nothing is said of a landing with no hex free
    else:
        message = f"direction {state.direction}: {title} comes down in {facts.label(may[0])}, "
        message += f"not in {where}"
    yield Breach(
        "DZ-4.2.4c",
        message,
        Ruling.WARNING,
        pieces=(key,),
        hexes=(action.to, *may),
        legal=tuple(facts.label(h) for h in may),
    )


@book.rule("DZ-4.2.4e", on=Displace)
def makes_room(state: State, action: Displace) -> Iterator[Breach]:
    """Rule 4.2.4: only for one that lands, and no farther than it must be."""
    facts, key = state.facts, action.unit
    unit = facts.units.get(key)
    if unit is None:
        return
    known, title, where = state.units[key], facts.title(key), facts.label(action.to)
    legal: tuple[Hex, ...] = ()
    if unit.side != ALLIED or known.steps <= 0 or not isinstance(known.place, Hex):
        why = "only an Allied unit on the map makes room"
    elif not due_units(state, known.place) and not _is_rolled(state, known.place):
        why = f"no unit lands in {facts.label(known.place)} now"
    else:
        legal = room_for(state, known.place)
        if action.to in legal or not legal:
            return
        why = _why_no_room(state, action.to)
    yield Breach(
        "DZ-4.2.4e",
        f"{title} cannot be displaced to {where}: {why}",
        pieces=(key,),
        hexes=(action.to,),
        legal=tuple(facts.label(h) for h in legal),
    )


def _is_rolled(state: State, h: Hex) -> bool:
    """Tell whether a direction roll sends a unit into a hex, if nobody were there."""
    if not 1 <= state.direction <= 6:
        return False
    neighbor = state.facts.sheet.grid.neighbor
    waiting = (state.units[k] for k, owed in state.landing.items() if owed == "direction")
    return any(
        isinstance(u.place, Hex) and neighbor(u.place, state.direction - 1) == h for u in waiting
    )


def _why_no_room(state: State, h: Hex) -> str:
    if h not in state.facts.sheet:
        return "it is off the map"
    if state.units_at.get(h) or state.is_held(h, GERMAN):
        return "it is not vacant"
    if state.in_enemy_zoc(h, ALLIED):
        return "it lies in an enemy zone of control"
    return "there is a free hex nearer by"


# ------------------------------------------------------------------------------ losses and rolls


@book.rule("DZ-4.2.4d", on=Lose)
def one_step_at_most(state: State, action: Lose) -> Iterator[Breach]:
    """Rule 4.2.4: a bad landing costs one step, however many enemies there are (C-22)."""
    facts, key = state.facts, action.unit
    unit = facts.units.get(key)
    if action.cause != "LAND" or unit is None or state.units[key].steps <= 0:
        return
    if not unit.lands or state.step != "LAND" or "loss" in state.landing.get(key, "").split():
        return  # a loss without any landing has no cause: said by the row on steps
    at = state.units[key].place
    if not isinstance(at, Hex):
        why = "it has not landed yet"
    elif state.units[key].steps < unit.steps:
        why = "it has lost its step already"
    else:
        why = f"{facts.label(at)} is in no enemy zone of control"
    yield Breach(
        "DZ-4.2.4d",
        f"{unit.title} loses no step by its landing: {why}",
        pieces=(key,),
        hexes=(at,) if isinstance(at, Hex) else (),
    )


@book.rule("DZ-4.2.4b", on=Roll)
def loses_before_it_attacks(state: State, action: Roll) -> Iterator[Breach]:
    """Rule 4.2.4: a unit that lands on an enemy first loses a step, then attacks."""
    fight = state.fight
    if fight is None or fight.kind != "landing" or fight.has_dice or action.kind == "DIR":
        return
    whole = tuple(
        k
        for k in participants(state, fight, fight.side)
        if "loss" in state.landing.get(k, "").split()
    )
    for key in whole:
        yield Breach(
            "DZ-4.2.4b",
            f"{state.facts.title(key)} has to lose a step for landing on an enemy before it "
            f"attacks {state.facts.label(fight.target)}",
            pieces=(key,),
            hexes=(fight.target,),
        )


@book.rule("DZ-4.2.4c", on=Roll)
def direction_roll(state: State, action: Roll) -> Iterator[Breach]:
    """Rule 4.2.4: one die of six sides, once, for a landing that no combat has decided."""
    if action.kind != "DIR":
        return
    face = action.faces[0] if len(action.faces) == 1 else ""
    waiting = [k for k, owed in state.landing.items() if owed == "direction"]
    if face not in tuple("123456"):
        why = f"one die from 1 to 6 decides, not {', '.join(action.faces) or 'nothing'}"
    elif not waiting:
        why = "no landing waits for one"
    elif state.direction:
        why = f"it was {state.direction} already"
    else:
        return
    yield Breach(
        "DZ-4.2.4c",
        f"the roll for a direction does not count: {why}",
        Ruling.WARNING,
        pieces=tuple(waiting),
    )


# ------------------------------------------------------------------------------------- the end


@book.rule("DZ-4.2.4b", "DZ-4.2.4c", "DZ-4.2.4d", on=Phase)
def nothing_owed(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 4.2.4: losses, fights and directions of a landing are over before movement begins."""
    if state.step != "LAND" or action.step == "LAND":
        return
    facts = state.facts
    for key, owed in state.landing.items():
        if key not in facts.units or state.units[key].steps <= 0:
            continue
        at = state.units[key].place
        words, title, where = owed.split(), facts.title(key), facts.label(at)
        if "direction" in words:
            if _has_no_way(state, key):
                continue
            row, why = "DZ-4.2.4c", f"{title} and its enemy in {where} live: a die says where it"
            why += " comes down"
        elif "attack" in words:
            row, why = "DZ-4.2.4b", f"{title} landed on the enemy in {where} and did not attack"
            if "loss" in words:
                why += ", nor lose a step"
        elif words:
            row = "DZ-4.2.4d"
            why = f"{title} landed in {where}, in an enemy zone of control, and lost no step"
        else:
            continue
        yield Breach(
            row,
            why,
            Ruling.WARNING if row == "DZ-4.2.4c" else Ruling.ILLEGAL,
            pieces=(key,),
            hexes=(at,) if isinstance(at, Hex) else (),
        )


def _has_no_way(state: State, key: str) -> bool:
    """Tell whether all neighbors of a unit that waits for its direction are taken (G-14)."""
    place = state.units[key].place
    near = state.facts.ground.neighbors_of.get(place, ()) if isinstance(place, Hex) else ()
    return all(_is_taken(state, h) for h in near)

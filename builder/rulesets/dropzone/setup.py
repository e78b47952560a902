"""Rule 2: garrisons, the German units that begin on the map, and the Allied drop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.hexes.grid import Hex
from builder.hexes.measure import ring
from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import Drop, Phase
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.state import State

__all__ = ["DROPPED", "drop_point", "landing_choices", "nearest_free"]

DROPPED: Final = 20
"""Rule 1.2: so many Allied units begin hidden on the map."""
_SIDES: Final = 6


def _ends_setup(state: State, action: Phase) -> bool:
    return state.step == "SETUP" and (action.turn, action.step) != (state.turn, state.step)


# ----------------------------------------------------------------------------------- the Germans


@book.rule("DZ-2a", "DZ-1.2u", on=Phase)
def garrisons_stand(state: State, action: Phase) -> Iterator[Breach]:
    """Rules 1.2 and 2.A: when turn 1 begins, each objective has its German garrison."""
    if not _ends_setup(state, action):
        return
    facts = state.facts
    for key, garrison in facts.garrisons.items():
        now = state.garrisons.get(key)
        if now is None or (now.side == GERMAN and now.steps > 0):
            continue
        yield Breach(
            "DZ-2a",
            f"the game began, and {garrison.objective} has no German garrison",
            pieces=(key,),
            hexes=(garrison.hex,),
            legal=(f"the {garrison.name(GERMAN)} in {facts.label(garrison.hex)}",),
        )


@book.rule("DZ-2b", on=Phase)
def charted_units(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 2.B: the German units of the set-up chart stand on its hexes.

    The chart is not in the rulebook (G-4): our own hexes stand in for it, hence a warning.
    """
    if not _ends_setup(state, action):
        return
    facts = state.facts
    for key, unit in facts.units.items():
        if unit.side != GERMAN or not isinstance(unit.start, Hex) or key not in state.units:
            continue
        place = state.units[key].place
        if place == unit.start:
            continue
        yield Breach(
            "DZ-2b",
            f"the game began with {unit.title} in {facts.label(place)}: it starts in "
            f"{facts.label(unit.start)}",
            Ruling.WARNING,
            pieces=(key,),
            hexes=(unit.start,),
            legal=(facts.label(unit.start),),
        )


# -------------------------------------------------------------------------------------- the drop


def drop_point(state: State, unit: str, white: int, red: int) -> Hex | None:
    """Return the hex to which the dice drive a unit, perhaps off the map; ``None`` without aim.

    The white die is the direction, clockwise from the north, half of the red one, rounded up, the
    distance from the aim point (rule 2.C; the card is not in the rulebook, G-5).
    """
    facts = state.facts.units.get(unit)
    if facts is None or facts.aim is None or not 1 <= white <= _SIDES or not 1 <= red <= _SIDES:
        return None
    h = facts.aim
    for _ in range((red + 1) // 2):
        h = state.facts.sheet.grid.neighbor(h, white - 1)
    return h


def nearest_free(state: State, h: Hex, *, but: str = "") -> tuple[Hex, ...]:
    """Return the nearest hexes of the map where nobody is, all at the same distance.

    ``but`` names a unit that does not count, because it is the one that looks for a place.
    """
    sheet = state.facts.sheet
    for radius in range(sheet.columns + sheet.rows):
        found = tuple(n for n in ring(h, radius) if n in sheet and not _taken(state, n, but))
        if found:
            return found
    return ()


def _taken(state: State, h: Hex, but: str) -> bool:
    return any(p.id != but for p in state.pieces_at(h)) if state.held_by.get(h) else False


@book.states("DZ-2c")
def landing_choices(state: State, unit: str, white: int, red: int) -> tuple[Hex, ...]:
    """Rule 2.C: return the hexes into which a unit may come down with these dice.

    From off the map, or from a hex that the enemy holds, to the nearest free hex; several may be
    equally near. Nothing is said of a hex with a friendly unit, so that both are let pass: to
    share it, or to go to the nearest free one.
    """
    h = drop_point(state, unit, white, red)
    if h is None:
        return ()
    on_map = h in state.facts.sheet
    if on_map and not _taken(state, h, unit):
        return (h,)
    shared = (h,) if on_map and not state.is_held(h, GERMAN) else ()
    return (*shared, *nearest_free(state, h, but=unit))


@book.rule("DZ-2c", on=Drop)
def dropped(state: State, action: Drop) -> Iterator[Breach]:
    """Rule 2.C: a unit of a serial comes down once, where its dice say; a warning (G-5)."""
    key = action.unit
    unit = state.facts.units.get(key)
    if unit is None or key not in state.units:
        return
    label = state.facts.label
    dice = f"white {action.white}, red {action.red}"
    legal: tuple[str, ...] = ()
    if not unit.serial:
        message = f"{unit.title} belongs to no serial, and does not drop"
    elif isinstance(state.units[key].place, Hex):
        message = f"{unit.title} is in {label(state.units[key].place)} already, and drops once"
    elif not (1 <= action.white <= _SIDES and 1 <= action.red <= _SIDES):
        message = f"{unit.title} dropped with {dice}: dice show 1 to {_SIDES}"
    else:
        choices = landing_choices(state, key, action.white, action.red)
        if not choices or action.to in choices:
            return
        legal = tuple(label(h) for h in choices)
        point = drop_point(state, key, action.white, action.red)
        blown = label(point) if point is not None and point in state.facts.sheet else "off the map"
        message = (
            f"{unit.title} came down in {label(action.to)}: {dice} is {blown}"
            if isinstance(action.to, Hex)
            else f"{unit.title} came down in no hex: {dice} is {blown}"
        )
        if legal != (blown,):
            message += f", where it cannot stay: {' or '.join(legal[:6])} is nearest"
    hexes = (action.to,) if isinstance(action.to, Hex) else ()
    yield Breach("DZ-2c", message, Ruling.WARNING, pieces=(key,), hexes=hexes, legal=legal)


@book.rule("DZ-1.2z", on=Phase)
def twenty_hidden(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 1.2: after the drop exactly 20 Allied units lie hidden on the map."""
    if not _ends_setup(state, action):
        return
    facts = state.facts
    allied = [k for k, f in facts.units.items() if f.side == ALLIED and k in state.units]
    hidden = [k for k in allied if state.units[k].hidden and state.units[k].is_on_map]
    if len(hidden) == DROPPED:
        return
    missing = tuple(k for k in allied if facts.units[k].serial and k not in hidden)
    yield Breach(
        "DZ-1.2z",
        f"the game began with {len(hidden)} hidden units on the map, and {DROPPED} drop",
        pieces=missing,
        legal=tuple(f"drop {facts.title(k)}" for k in missing[:6]),
    )

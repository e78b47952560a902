"""Rule 1.2: steps change for a cause, garrisons stay in their hexes, the eliminated stay away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.hexes.grid import Hex
from builder.rules.core import Breach
from builder.rulesets.dropzone.actions import Alter, Gain, Lose, Phase, Relocate, Return
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.hits import volley_of
from builder.rulesets.dropzone.liberation import ends_activation
from builder.rulesets.dropzone.replacement import is_eliminated
from builder.rulesets.dropzone.stacking import joins_a_garrison
from builder.rulesets.dropzone.state import State

__all__ = ["has_cause"]

_CAUSES: Final = {
    "IF": "indirect fire",
    "AT": "anti-tank fire",
    "COMBAT": "combat",
    "LAND": "its landing",
}


def has_cause(state: State, action: Lose) -> bool:
    """Tell whether something has happened that a loss can come from.

    Whether it may be so large, and fall on this piece, is for the rules of combat and landings.
    """
    match action.cause:
        case "GARRISON":
            return True  # a price that is paid of one's own will; judged with the garrisons
        case "LAND":
            unit = state.facts.units.get(action.unit)
            owes = state.landing.get(action.unit, "").startswith("loss")
            return owes or (unit is not None and unit.lands and state.step == "LAND")
        case _:
            return volley_of(state, action) is not None


@book.rule("DZ-1.2l", on=Lose)
def causeless_loss(state: State, action: Lose) -> Iterator[Breach]:
    """Rule 1.2: a step is lost to a hit, a bad landing, or as the price of a garrison."""
    key = action.unit
    if key not in state.units and key not in state.garrisons:
        return
    title = _named(state, key)
    if state.steps_of(key) <= 0:
        message = f"{title} has no step left to lose"
    elif has_cause(state, action):
        return
    else:
        cause = _CAUSES.get(action.cause)
        what = f"no {cause} that it could be from" if cause != "its landing" else "no bad landing"
        message = f"{title} lost a step, and there was {what if cause else 'no cause for it'}"
    yield Breach("DZ-1.2l", message, pieces=(key,), hexes=_hexes(state, key))


@book.rule("DZ-1.2l", "DZ-6c", "DZ-6f", on=Alter)
def altered_steps(state: State, action: Alter) -> Iterator[Breach]:
    """Rules 1.2 and 6: no steps come or go, and no garrison comes back, without a cause."""
    key = action.piece
    if key not in state.units and key not in state.garrisons:
        return
    now, then = state.steps_of(key), max(action.steps, 0)
    if now == then or _returns_german(state, key, then):
        return
    row = "DZ-1.2l"
    if key in state.garrisons and now == 0:
        row = "DZ-6f" if state.garrisons[key].side == ALLIED else "DZ-6c"
    yield Breach(
        row,
        f"{_named(state, key)} went from {now} to {then} steps without a hit, a point, or "
        "anything else that changes steps",
        pieces=(key,),
        hexes=_hexes(state, key),
    )


@book.rule("DZ-1.2l", on=Relocate)
def removed_alive(state: State, action: Relocate) -> Iterator[Breach]:
    """Rule 1.2: a unit that has steps does not go into the box of the eliminated."""
    key = action.piece
    if key not in state.units or is_eliminated(state, key):
        return
    if action.to == state.elimination_box(state.facts.units[key].side):
        steps = state.steps_of(key)
        yield Breach(
            "DZ-1.2l",
            f"{state.facts.title(key)} was taken off with {steps} step{'s' * (steps > 1)} left, "
            "and nothing had hit it",
            pieces=(key,),
            hexes=_hexes(state, key),
        )


@book.rule("DZ-1.2l", on=Phase)
def paid_for_nothing(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 1.2: a step is given for a garrison only if the garrison comes back."""
    if not state.garrison_paid or not ends_activation(state, action):
        return
    facts = state.facts
    for key in state.garrison_paid:
        unit = facts.units.get(key)
        if unit is None or unit.side != GERMAN or unit.is_armor:
            continue  # that it may not pay was said when it did
        yield Breach(
            "DZ-1.2l",
            f"{unit.title} gave a step for a garrison, and none came back",
            pieces=(key,),
            hexes=_hexes(state, key),
        )


# ------------------------------------------------------------------------------ who does not return


def _returns_german(state: State, key: str, steps: int) -> bool:
    unit = state.facts.units.get(key)
    return unit is not None and unit.side == GERMAN and is_eliminated(state, key) and steps > 0


@book.rule("DZ-4.1.5b", on=(Return, Gain, Alter, Relocate))
def germans_return(state: State, action: Return | Gain | Alter | Relocate) -> Iterator[Breach]:
    """Rule 4.1.5: eliminated German units never return, in whatever way it is tried."""
    key = action.piece if isinstance(action, Alter | Relocate) else action.unit
    unit = state.facts.units.get(key)
    if unit is None or unit.side != GERMAN:
        return
    if isinstance(action, Alter) and not _returns_german(state, key, action.steps):
        return
    if not isinstance(action, Return) and not is_eliminated(state, key):
        return
    if isinstance(action, Relocate) and action.to == state.elimination_box(GERMAN):
        return
    yield Breach(
        "DZ-4.1.5b",
        f"{unit.title} cannot come back: eliminated German units never return"
        if is_eliminated(state, key)
        else f"{unit.title} is not eliminated, and no German unit ever returns",
        pieces=(key,),
    )


@book.rule("DZ-4.1.4a", on=Relocate)
def allied_return_unpaid(state: State, action: Relocate) -> Iterator[Breach]:
    """Rule 4.1.4: an eliminated Allied unit comes back for a point, and not by itself."""
    key = action.piece
    unit = state.facts.units.get(key)
    if unit is None or unit.side != ALLIED or not is_eliminated(state, key):
        return
    if action.to != state.elimination_box(ALLIED):
        yield Breach(
            "DZ-4.1.4a",
            f"{unit.title} is eliminated: "
            + (
                "it comes back for a replacement point only"
                if unit.is_airborne
                else "only airborne units come back"
            ),
            pieces=(key,),
            hexes=(action.to,) if isinstance(action.to, Hex) else (),
        )


# ------------------------------------------------------------------------------- garrison counters


@book.rule("DZ-1.2q", "DZ-1.2t", on=Relocate)
def garrison_elsewhere(state: State, action: Relocate) -> Iterator[Breach]:
    """Rule 1.2: a garrison never moves, and can stand only in the objective that it names."""
    garrison = state.facts.garrisons.get(action.piece)
    if garrison is None or garrison.id not in state.garrisons or action.to == garrison.hex:
        return
    facts, stands = state.facts, state.garrisons[garrison.id].steps > 0
    if not stands and not isinstance(action.to, Hex):
        return  # a counter that is off the map may lie anywhere
    if joins_a_garrison(state, garrison.id, action.to):
        return  # two garrisons in a hex: said by stacking
    name = garrison.name(state.garrisons[garrison.id].side)
    yield Breach(
        "DZ-1.2q" if stands else "DZ-1.2t",
        f"the {name} cannot move from {facts.label(garrison.hex)}"
        if stands
        else f"the {name} belongs in {facts.label(garrison.hex)}, not in {facts.label(action.to)}",
        pieces=(garrison.id,),
        hexes=(garrison.hex, action.to) if isinstance(action.to, Hex) else (garrison.hex,),
        legal=(facts.label(garrison.hex),),
    )


def _named(state: State, key: str) -> str:
    title = state.facts.title(key)
    return f"the {title}" if key in state.garrisons else title


def _hexes(state: State, key: str) -> tuple[Hex, ...]:
    at = state.hex_of(key)
    return () if at is None else (at,)

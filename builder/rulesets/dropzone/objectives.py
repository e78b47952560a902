"""Rule 6: who controls an objective, and what German garrisons that come back cost."""

from __future__ import annotations

from collections.abc import Iterator

from builder.hexes.grid import Hex
from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import BuyGarrison, Lose
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, Side
from builder.rulesets.dropzone.state import State

__all__ = ["can_pay", "controller_of", "payer_of"]


@book.states("DZ-6b")
def controller_of(state: State, objective: str) -> Side | None:
    """Rule 6: the side whose unit or garrison is in the hex; ``None`` if nobody is, or both are."""
    sides = state.held_by.get(state.facts.objectives[objective].hex, frozenset())
    return next(iter(sides)) if len(sides) == 1 else None


def payer_of(state: State, action: BuyGarrison) -> str:
    """Return the unit that gave a step for a garrison, or an empty text if none did.

    Who is not named is the unit in the objective, or else the one that paid first: a unit that
    paid with its last step is gone.
    """
    for name in (action.unit, action.pay):
        if name in state.facts.units:
            return name
    here = state.facts.garrisons[action.garrison].hex
    paid = state.garrison_paid
    return next((k for k in paid if state.units[k].place == here), paid[0] if paid else "")


# ------------------------------------------------------------------------- the step that is paid


def _not_payable(state: State, key: str) -> str:
    """Return why a unit cannot give a step for a garrison, in words; nothing if it can."""
    facts = state.facts
    unit = facts.units.get(key)
    if unit is None or unit.side != GERMAN or unit.is_armor:
        return "only German infantry pays for a garrison with a step"
    at = state.hex_of(key)
    garrison = facts.garrison_at.get(at) if at is not None else None
    if garrison is None:
        return f"it stands in no objective, but at {facts.label(state.units[key].place)}"
    if state.garrisons[garrison].steps > 0:
        return f"the {facts.title(garrison)} still stands"
    if not state.is_german_activation:
        return "a garrison is bought in an activation of the Germans only"
    return ""


def can_pay(state: State, key: str) -> bool:
    """Tell whether a unit may give a step for the garrison of the objective where it stands.

    At any time of a German activation, movement included, whichever Command is active (C-11).
    """
    return state.steps_of(key) > 0 and not _not_payable(state, key)


@book.rule("DZ-6d", on=Lose)
def step_for_garrison(state: State, action: Lose) -> Iterator[Breach]:
    """Rule 6: the infantry in the objective pays, in a German activation.

    Nothing is said of a unit's last step, which would leave the garrison alone: a warning.
    """
    key = action.unit
    if action.cause != "GARRISON" or state.steps_of(key) <= 0:
        return
    title, where = state.facts.title(key), state.hex_of(key)
    hexes = (where,) if where is not None else ()
    why = _not_payable(state, key)
    if why:
        message = f"{title} gave a step for a garrison: {why}"
        yield Breach("DZ-6d", message, pieces=(key,), hexes=hexes)
    elif state.steps_of(key) == 1:
        yield Breach(
            "DZ-6d",
            f"{title} gave its last step for a garrison; the rulebook does not say that it may",
            Ruling.WARNING,
            pieces=(key,),
            hexes=hexes,
        )


# -------------------------------------------------------------------------- the garrison itself


@book.rule("DZ-6c", "DZ-6d", "DZ-4.1.5a", "DZ-4.1.3", on=BuyGarrison)
def price_of_garrison(state: State, action: BuyGarrison) -> Iterator[Breach]:
    """Rules 4.1.5 and 6: a point of a Regroup, or a step of the infantry there; never free.

    A point brings a garrison back and never gives one that stands another step (C-12). Which
    points there are is judged with those of Regroup.
    """
    facts, key = state.facts, action.garrison
    if key not in state.garrisons:
        return
    garrison, now = facts.garrisons[key], state.garrisons[key]
    name = garrison.name(GERMAN)
    row = ""
    if now.side == GERMAN and now.steps > 0:
        row = "DZ-4.1.3" if action.pay == "REGROUP" else "DZ-6d" if action.pay else "DZ-6c"
        why = "it still stands, and gains no step"
    elif not action.pay:
        row, why = "DZ-6c", "nobody has paid for it"
    elif action.pay == "REGROUP":
        if controller_of(state, garrison.objective) != GERMAN:
            holder = "the Allies hold" if state.is_held(garrison.hex, ALLIED) else "nobody is in"
            row, why = "DZ-4.1.5a", f"{holder} {garrison.objective}"
    else:
        row, why = _wrongly_paid(state, action)
    if row:
        yield Breach(
            row,
            f"the {name} cannot come back now: {why}",
            pieces=(key,),
            hexes=(garrison.hex,),
            legal=("a step of the infantry in the objective", "a point of a Regroup"),
        )


def _wrongly_paid(state: State, action: BuyGarrison) -> tuple[str, str]:
    """Return the row that a garrison bought for a step breaks, and why; empty if none."""
    facts = state.facts
    garrison = facts.garrisons[action.garrison]
    payer = payer_of(state, action)
    if payer not in state.garrison_paid:
        return "DZ-6c", "no unit has given a step for it"
    place = state.units[payer].place
    if state.is_held(garrison.hex, ALLIED):
        return "DZ-6d", f"the Allies hold {garrison.objective}"
    # a payer that stands in no objective was found when it paid
    if isinstance(place, Hex) and place != garrison.hex and place in facts.garrison_at:
        there = facts.garrisons[facts.garrison_at[place]].objective
        return "DZ-6d", f"{facts.title(payer)}, which paid, stands in {there}"
    return "", ""


@book.rule("DZ-6e", "DZ-1.2w", "DZ-1.2p", on=BuyGarrison)
def steps_of_garrison(state: State, action: BuyGarrison) -> Iterator[Breach]:
    """Rules 1.2 and 6: a German garrison comes back with one step, a headquarters too."""
    garrison = state.facts.garrisons.get(action.garrison)
    if garrison is None or action.steps in (0, 1):
        return
    yield Breach(
        "DZ-6e" if garrison.is_hq(GERMAN) else "DZ-1.2p",
        f"the {garrison.name(GERMAN)} comes back with 1 step, not {action.steps}",
        pieces=(action.garrison,),
        hexes=(garrison.hex,),
        legal=("1 step",),
    )

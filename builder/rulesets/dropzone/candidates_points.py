"""What may be done about points, garrisons, objectives and victory: pseudo-legal, to be judged.

Everything offered comes from the same functions by which rules judge; it is few and quick.
"""

from __future__ import annotations

from collections.abc import Iterator

from builder.rulesets.dropzone.actions import (
    BuyGarrison,
    Declare,
    Gain,
    Liberate,
    Lose,
    Return,
    SetVP,
    Use,
)
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.liberation import duties
from builder.rulesets.dropzone.objectives import can_pay, controller_of
from builder.rulesets.dropzone.regroup import can_spend, regroup_left
from builder.rulesets.dropzone.replacement import (
    is_eliminated,
    place_is_free,
    points_left,
    return_hexes,
)
from builder.rulesets.dropzone.state import State
from builder.rulesets.dropzone.surround import is_surrounded
from builder.rulesets.dropzone.victory import due_points, is_sudden_death, outcome, track_box

__all__ = [
    "buy_garrison_candidates",
    "declare_candidates",
    "gain_candidates",
    "liberate_candidates",
    "regroup_use_candidates",
    "return_candidates",
    "vp_candidates",
]


def _has_point(state: State) -> bool:
    """Tell whether the active Command has a point that it may spend now."""
    if state.side == ALLIED:
        return state.step == "RP" and points_left(state) > 0
    return can_spend(state) and regroup_left(state) > 0


def gain_candidates(state: State, unit: str) -> Iterator[Gain]:
    """Yield the step that a unit of the active Command may gain by a point (rule 4.1)."""
    facts = state.facts.units.get(unit)
    if facts is None or facts.command != state.command or not _has_point(state):
        return
    now = state.units[unit]
    if facts.is_armor or facts.is_ffi or unit in state.gained or not now.is_on_map:
        return
    at = now.hex
    if now.steps < facts.steps and at is not None and not is_surrounded(state, at, facts.side):
        yield Gain(unit, "RP" if facts.side == ALLIED else "REGROUP")


def return_candidates(state: State, unit: str) -> Iterator[Return]:
    """Yield the hexes where an eliminated unit of the active Command may return (rule 4.1.4)."""
    facts = state.facts.units.get(unit)
    if facts is None or not facts.is_airborne or facts.command != state.command:
        return
    if unit in state.gained or not is_eliminated(state, unit) or not _has_point(state):
        return
    for h in return_hexes(state.facts, facts.affiliation):
        if not place_is_free(state, h):
            yield Return(unit, h)


def regroup_use_candidates(state: State) -> Iterator[Use]:
    """Yield the Regroup assets that the active German Command may play now (rule 1.4)."""
    if state.step != "RP" or not state.is_german_activation:
        return
    for key, asset in state.facts.assets.items():
        if asset.kind == "REGROUP" and state.assets[key].place == "HAND":
            yield Use(key, "RP")


def buy_garrison_candidates(state: State) -> Iterator[Lose | BuyGarrison]:
    """Yield what brings a German garrison back (rules 4.1.5 and 6).

    For a step it takes two actions: the loss first, and then, as long as somebody has paid, only
    the garrison for which he did. No unit is offered that would pay with its last step.
    """
    if not state.is_german_activation:
        return
    facts = state.facts
    if state.garrison_paid:
        for payer in state.garrison_paid:
            at = state.hex_of(payer)
            key = facts.garrison_at.get(at) if at is not None else None
            if key is not None and state.garrisons[key].steps == 0:
                yield BuyGarrison(key, "STEP", payer)
        return
    has_point = can_spend(state) and regroup_left(state) > 0
    for key, garrison in facts.garrisons.items():
        if state.garrisons[key].steps > 0 or controller_of(state, garrison.objective) != GERMAN:
            continue
        if has_point:
            yield BuyGarrison(key, "REGROUP")
        for unit in state.units_at.get(garrison.hex, ()):
            if state.units[unit].steps > 1 and can_pay(state, unit):
                yield Lose(unit, "GARRISON")


def liberate_candidates(state: State) -> Iterator[Liberate]:
    """Yield the Allied garrisons that are to be placed now (rule 6): duties, not choices."""
    for duty in duties(state):
        yield Liberate(duty.garrison, duty.cause)


def vp_candidates(state: State) -> Iterator[SetVP]:
    """Yield the marker's box, at the moments when points are counted (rule 7)."""
    if state.step == "ENDTURN" and state.turn in (3, 6):
        yield SetVP(track_box(due_points(state)))


def declare_candidates(state: State) -> Iterator[Declare]:
    """Yield the result of the game when it is decided (rules 7 and 10.2)."""
    if state.step == "ENDTURN" and (
        state.turn == 6 or (state.turn == 3 and is_sudden_death(state))
    ):
        yield Declare(outcome(state).level.replace(" ", "_"))

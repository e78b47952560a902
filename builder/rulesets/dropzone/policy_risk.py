"""How safe a hex is: the chance that the enemy's next attacks empty it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from builder.hexes.grid import Hex
from builder.hexes.measure import distance
from builder.rulesets.dropzone.facts import GERMAN, Side, enemy_of
from builder.rulesets.dropzone.odds import at_least, chance_of_hit, terrain_change
from builder.rulesets.dropzone.sequence import COMMANDS_OF
from builder.rulesets.dropzone.state import State

__all__ = ["Foe", "Strength", "chance_to_empty", "foes_of", "risk_at", "strength_at"]

_NEAR: Final = 4
"""From so many hexes away infantry comes to attack, more or less."""

_MOST: Final = 4
"""So many units of a Command attack a hex together, more or less."""


class Foe(NamedTuple):
    """An enemy unit as a threat: its Command, where it stands, and its dice."""

    command: str
    hex: Hex
    dice: int


class Strength(NamedTuple):
    """Steps that must fall before a hex is empty: of armor, hit by few faces, and of others."""

    armor: int
    soft: int


def foes_of(state: State, side: Side) -> tuple[Foe, ...]:
    """Return the units on the map of a side's enemy."""
    facts = state.facts
    return tuple(
        Foe(facts.units[k].command, h, facts.units[k].dice(state.units[k].steps))
        for h, keys in state.units_at.items()
        for k in keys
        if facts.units[k].side != side
    )


def strength_at(state: State, h: Hex, side: Side, units: Sequence[str]) -> Strength:
    """Return the steps of some units and of a side's garrison in a hex."""
    garrison = state.garrison_at.get(h)
    armor = sum(state.units[k].steps for k in units if state.facts.units[k].is_armor)
    soft = sum(state.units[k].steps for k in units) - armor
    if garrison is not None and state.garrisons[garrison].side == side:
        soft += state.garrisons[garrison].steps
    return Strength(armor, soft)


@lru_cache(maxsize=8192)
def chance_to_empty(held: Strength, dice: int, soft: float, armor: float) -> float:
    """Return the chance that dice take all steps.

    ``armor`` is the chance of a face that hits armor, ``soft`` of one that hits the others; what
    armor does not need of the former counts for the others too.

    >>> chance_to_empty(Strength(0, 1), 1, 0.5, 0.25), chance_to_empty(Strength(1, 0), 1, 0.5, 0.25)
    (0.5, 0.25)
    """
    if not held.armor:
        return at_least(held.soft, dice, soft)
    total = 0.0
    other = (soft - armor) / (1 - armor)
    for hits in range(held.armor, dice + 1):
        chance = at_least(hits, dice, armor) - at_least(hits + 1, dice, armor)
        total += chance * at_least(held.soft - (hits - held.armor), dice - hits, other)
    return total


def risk_at(
    state: State, h: Hex, side: Side, foes: Sequence[Foe], held: Strength, *, lasts: bool = False
) -> float:
    """Return the chance that the enemy empties a hex held by some steps before it counts.

    Each enemy Command attacks by itself, with its best units from near enough. In turns 3 and 6
    only those that are still to come can, unless it ``lasts`` beyond turn 3.
    """
    if held.armor + held.soft <= 0:
        return 1.0
    facts, enemy = state.facts, enemy_of(side)
    soft = chance_of_hit(facts, enemy, "german_inf" if side == GERMAN else "airborne")
    armor = chance_of_hit(facts, enemy, "armor")
    terrain, _ = terrain_change(state, h)
    kept = 1.0
    for command in COMMANDS_OF[enemy]:
        if command in state.done and (state.turn == 6 or (state.turn == 3 and not lasts)):
            continue
        near = sorted(
            (f.dice for f in foes if f.command == command and distance(f.hex, h) <= _NEAR),
            reverse=True,
        )
        dice = sum(near[:_MOST]) + terrain
        if near and dice > 0:
            kept *= 1 - chance_to_empty(held, dice, soft, armor)
    return 1 - kept

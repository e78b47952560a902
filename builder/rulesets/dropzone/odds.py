"""What an attack is likely to bring: chances by binomials, for players and for self-play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.facts import FACES, Facts, Side, Target
from builder.rulesets.dropzone.state import State

__all__ = ["Odds", "at_least", "chance_of_hit", "expected_dice"]


def chance_of_hit(facts: Facts, side: Side, target: Target) -> float:
    """Return the chance that one die of a side scores on a kind of target."""
    die = facts.dice[side]
    return sum(face in FACES[target] for face in die) / len(die)


def expected_dice(state: State, target: Hex, attackers: Sequence[str], side: Side) -> int:
    """Return how many combat dice units would roll against a hex (rule 5.2.5)."""
    facts = state.facts
    rows = [facts.ground.figures[f] for f in facts.ground.features(target)]
    dice = sum(facts.units[k].dice(state.units[k].steps) for k in attackers if k in facts.units)
    dice += sum(row.attacker for row in rows)
    places = [h for k in attackers if (h := state.hex_of(k)) is not None]
    if places and all(facts.ground.side_kind(h, target) for h in places):
        dice += facts.ground.figures["river"].attacker
    return max(0, dice)


@lru_cache(maxsize=4096)
def at_least(hits: int, dice: int, chance: float) -> float:
    """Return the chance of so many hits or more.

    >>> at_least(1, 2, 0.5)
    0.75
    """
    if hits <= 0:
        return 1.0
    return sum(
        comb(dice, k) * chance**k * (1 - chance) ** (dice - k) for k in range(hits, dice + 1)
    )


@dataclass(frozen=True, slots=True)
class Odds:
    """What an attack promises: chance to empty the hex, and steps lost on average."""

    win: float
    enemy_loss: float
    own_loss: float

"""What an attack is likely to bring: chances by binomials, for players and for self-play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.facts import FACES, Facts, Side, Target
from builder.rulesets.dropzone.state import State

__all__ = ["Odds", "at_least", "chance_of_hit", "expected_dice", "terrain_change"]


def chance_of_hit(facts: Facts, side: Side, target: Target) -> float:
    """Return the chance that one die of a side scores on a kind of target."""
    die = facts.dice[side]
    return sum(face in FACES[target] for face in die) / len(die)


def terrain_change(state: State, target: Hex, places: Sequence[Hex] = ()) -> tuple[int, int]:
    """Return what terrain does to the dice of attackers from some places, and of the defender.

    Before an attack is announced, as :func:`~builder.rulesets.dropzone.combat_dice.terrain_dice`
    counts it afterwards; the river is taken for one if all are across it (rule 5.2.5, G-2).
    """
    ground = state.facts.ground
    rows = [ground.figures[f] for f in ground.features(target)]
    attack, defense = sum(r.attacker for r in rows), sum(r.defender for r in rows)
    if places and all(ground.side_kind(h, target) for h in places):
        attack += ground.figures["river"].attacker
    return attack, defense


def expected_dice(state: State, target: Hex, attackers: Sequence[str], side: Side) -> int:
    """Return how many combat dice units would roll against a hex (rule 5.2.5)."""
    facts = state.facts
    dice = sum(facts.units[k].dice(state.units[k].steps) for k in attackers if k in facts.units)
    places = [h for k in attackers if (h := state.hex_of(k)) is not None]
    return max(0, dice + terrain_change(state, target, places)[0])


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

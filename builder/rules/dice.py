"""Chance for self-play: a seeded source of dice and draws, the same on every machine.

Rules never throw dice, they judge what was thrown; only a player of the program itself needs them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

__all__ = ["Thrower"]

T = TypeVar("T")


class Thrower:
    """Dice and draws from a seed; equal seeds give equal sequences.

    >>> Thrower(7).faces(("hit", "miss"), 3) == Thrower(7).faces(("hit", "miss"), 3)
    True
    """

    def __init__(self, seed: int) -> None:
        """Start the sequence of a seed."""
        # Mersenne Twister's randbelow is the same in every Python that we support
        self._random = random.Random(seed)

    def die(self, sides: int = 6) -> int:
        """Return a number from 1 to ``sides``."""
        return self._random.randrange(sides) + 1

    def faces(self, die: Sequence[str], count: int) -> tuple[str, ...]:
        """Return what ``count`` dice with these faces show."""
        return tuple(die[self._random.randrange(len(die))] for _ in range(count))

    def draw(self, things: Sequence[T]) -> T:
        """Return one of several things; ``IndexError`` if there are none."""
        return things[self._random.randrange(len(things))]

    def mood(self) -> float:
        """Return a number from 0 up to 1, for a player's whims."""
        return self._random.random()

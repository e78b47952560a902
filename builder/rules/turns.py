"""The sequence of play as a type of its own: an order of moments, and what may follow what.

A game's turns consist of an opening, some rounds (activations, player turns) and a closing, each a
list of steps. A step may be empty but is never left out nor taken out of order, so exactly one
moment follows each. Which steps a turn has may differ from turn to turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

__all__ = ["Moment", "SequenceOfPlay"]


class Moment(NamedTuple):
    """A place in the sequence: turn from 1, round within the turn (0 outside), and step."""

    turn: int
    round: int
    step: str


@dataclass(frozen=True, slots=True)
class SequenceOfPlay:
    """The moments of a game in order.

    ``turns`` is the number of turns, ``rounds`` that of rounds in each. ``opening``, ``round`` and
    ``closing`` are names of steps; ``opening_of`` replaces the opening of single turns.

    >>> s = SequenceOfPlay(turns=2, rounds=1, opening=("DRAW",), round=("MOVE", "FIGHT"),
    ...                    closing=("END",), opening_of={1: ("SETUP",)})
    >>> [m.step for m in s.moments()]
    ['SETUP', 'MOVE', 'FIGHT', 'END', 'DRAW', 'MOVE', 'FIGHT', 'END']
    """

    turns: int
    rounds: int
    opening: tuple[str, ...]
    round: tuple[str, ...]
    closing: tuple[str, ...]
    opening_of: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    _order: tuple[Moment, ...] = field(init=False, repr=False)
    _index: Mapping[Moment, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Lay the moments out once."""
        order = tuple(self._laid_out())
        object.__setattr__(self, "_order", order)
        object.__setattr__(self, "_index", {m: i for i, m in enumerate(order)})

    def _laid_out(self) -> Iterator[Moment]:
        for turn in range(1, self.turns + 1):
            for step in self.opening_of.get(turn, self.opening):
                yield Moment(turn, 0, step)
            for number in range(1, self.rounds + 1):
                for step in self.round:
                    yield Moment(turn, number, step)
            for step in self.closing:
                yield Moment(turn, 0, step)

    def moments(self) -> tuple[Moment, ...]:
        """Return all moments in order."""
        return self._order

    @property
    def first(self) -> Moment:
        """The moment at which a game starts."""
        return self._order[0]

    def __contains__(self, moment: object) -> bool:
        """Tell whether the sequence has such a moment."""
        return moment in self._index

    def following(self, moment: Moment) -> Moment | None:
        """Return the one moment that may follow, or ``None`` after the last.

        Raises ``KeyError`` for a moment that the sequence does not have.
        """
        index = self._index[moment] + 1
        return self._order[index] if index < len(self._order) else None

    def skipped(self, start: Moment, end: Moment) -> tuple[Moment, ...] | None:
        """Return the moments left out between two, or ``None`` if the second is not later.

        Raises ``KeyError`` for a moment that the sequence does not have.
        """
        first, last = self._index[start], self._index[end]
        return self._order[first + 1 : last] if last > first else None

    def position(self, moment: Moment) -> int:
        """Return how many moments come before; ``KeyError`` if there is no such moment."""
        return self._index[moment]

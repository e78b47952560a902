"""A table at which the engine plays: the state, what was done, and the dice."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from builder.rules.core import Ruling, worst
from builder.rules.dice import Thrower
from builder.rules.playthrough import Deed
from builder.rulesets.dropzone.actions import Action
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import Facts, Side
from builder.rulesets.dropzone.state import State

__all__ = ["PlayTable"]

A = TypeVar("A", bound=Action)


class PlayTable:
    """Where players of the program take their actions, one after the other.

    ``only`` names the Commands that the program plays; empty for all.
    """

    def __init__(self, state: State, thrower: Thrower, only: Iterable[str] = ()) -> None:
        """Begin at a state."""
        self.state = state
        self.thrower = thrower
        self.deeds: list[Deed[State, Action]] = []
        self.only = frozenset(only)

    @property
    def facts(self) -> Facts:
        """The game's facts."""
        return self.state.facts

    def do(self, action: Action) -> None:
        """Take an action."""
        self.deeds.append(Deed(self.state, action))
        self.state = applied(self.state, action)

    def is_legal(self, action: Action) -> bool:
        """Tell whether no rule forbids an action now, not even with a warning."""
        return worst(book.judge(self.state, action)).rank < Ruling.WARNING.rank

    def legal(self, actions: Iterable[A]) -> list[A]:
        """Return the actions that no rule forbids now."""
        return [a for a in actions if self.is_legal(a)]

    def try_to(self, action: Action) -> bool:
        """Take an action if no rule forbids it; tell whether it was taken."""
        if not self.is_legal(action):
            return False
        self.do(action)
        return True

    def roll(self, side: Side, count: int) -> tuple[str, ...]:
        """Return what a side's combat dice show."""
        return self.thrower.faces(self.facts.dice[side], count)

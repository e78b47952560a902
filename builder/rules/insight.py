"""What a rule set can show beside its rulings: boards, the score, and how dice fell.

Optional: a report asks for it (:func:`insight_of`) and goes without where a rule set has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from builder.gamebox.boards import BoardView
from builder.rules.referee import Found

__all__ = ["Eyes", "Insight", "Standing", "Thrown", "insight_of"]

S = TypeVar("S")
A = TypeVar("A")


class Eyes(NamedTuple):
    """Who looks: one side (empty: neither), or after the game, when everything is shown."""

    viewer: str = ""
    is_full: bool = False

    def see(self, side: str) -> bool:
        """Tell whether what a side hides is seen."""
        return self.is_full or (bool(self.viewer) and self.viewer == side)


class Standing(NamedTuple):
    """How a game stands in a turn: points, and how many objectives each side holds."""

    turn: int
    points: int
    held: Mapping[str, int]


class Thrown(NamedTuple):
    """A roll: who threw how many dice in which turn, how many hit, and how many should have."""

    turn: int
    side: str
    dice: int
    hits: int
    expected: float


@runtime_checkable
class Insight(Protocol[S, A]):
    """What a rule set may offer to a report."""

    def pictured(self, found: Found[S, A], eyes: Eyes) -> tuple[BoardView, BoardView] | None:
        """Return the board before and after what broke a rule; ``None`` if no hex is concerned."""
        ...

    def standing(self, state: S) -> Standing:
        """Return how a game stands."""
        ...

    def thrown(self, action: A, after: S) -> Thrown | None:
        """Return a roll for hits as counted, ``None`` for any other action."""
        ...


def insight_of(rules: Any) -> Insight[Any, Any] | None:
    """Return what a rule set can show, or ``None`` if it shows nothing."""
    return rules if isinstance(rules, Insight) else None

"""A game that the program played: every action with the state before it, and how it ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from builder.gamebox.events import Event
from builder.gamebox.table import TableView
from builder.rules.core import Breach

__all__ = ["Deed", "Player", "Playthrough"]

S = TypeVar("S")
A = TypeVar("A")


class Deed(NamedTuple, Generic[S, A]):
    """An action and the state in which it was taken."""

    state: S
    action: A


@dataclass(frozen=True, slots=True)
class Playthrough(Generic[S, A]):
    """What was played: the deeds in order, and the state after the last of them."""

    deeds: tuple[Deed[S, A], ...]
    end: S


class Player(Protocol):
    """What a rule set offers that can play by itself, whatever its State and Action are."""

    @property
    def commands(self) -> Mapping[str, str]:
        """The groups of units that a player can take over, and the side of each."""
        ...

    def play(self, scenario: str, seed: int) -> Playthrough[Any, Any]:
        """Play a whole game."""
        ...

    def play_command(self, table: TableView, command: str, seed: int) -> Playthrough[Any, Any]:
        """Play one command's next activation from a table; UsageError if it is not its turn."""
        ...

    def judge(self, state: Any, action: Any) -> Iterable[Breach]:
        """Return the breaches of an action."""
        ...

    def write_action(self, action: Any) -> str:
        """Return an action as one line."""
        ...

    def heading(self, state: Any, action: Any) -> str:
        """Return a heading that begins with an action, or an empty text."""
        ...

    def remark(self, state: Any, action: Any) -> str:
        """Return what a reader wants to know of an action besides, or an empty text."""
        ...

    def summary(self, state: Any) -> Sequence[str]:
        """Return how a game stands, in a few lines."""
        ...

    def narrate(self, state: Any, action: Any) -> Iterable[Event]:
        """Return what a table shows when a player takes an action."""
        ...

    def actor(self, state: Any, action: Any) -> str:
        """Return the side whose player takes an action."""
        ...

    def is_dragged(self, action: Any) -> bool:
        """Tell whether an action is done by dragging a counter."""
        ...

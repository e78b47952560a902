"""From the steps of a log to the actions of a rule set: what a reader is given and gives.

A log does not come as actions. A reader is fed one step at a time and answers when it knows: a
roll waits for its losses, a unit that is back waits for its hex, a missing step of the sequence is
inferred from what follows. What nobody may do with a log, whatever the game, are the rows of
:data:`LOG_ROWS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Generic, Protocol, TypeVar

from builder.gamebox.events import Event
from builder.gamebox.table import TableView
from builder.rules.core import Breach

__all__ = ["LOG_ROWS", "LogMoment", "Reader", "Reading"]

S_contra = TypeVar("S_contra", contravariant=True)
A_co = TypeVar("A_co", covariant=True)

LOG_ROWS: Final[Mapping[str, str]] = {
    "LOG-ROLL": "Dice count only if the log holds the dice themselves; a typed roll is none.",
    "LOG-CHANGE": "A typed loss, gain or other change counts only if the piece changes with it.",
    "LOG-UNDONE": "A roll is not taken back and thrown again.",
    "LOG-TWICE": "Dice are thrown once for one purpose.",
    "LOG-BACK": "What was done before dice fell is not taken back after them.",
    "LOG-OBSERVER": "Who only watches moves nothing.",
    "LOG-SEAT": "A player moves the pieces of his own side.",
    "LOG-LINE": "A line that says what the acting side does is typed by nobody else.",
    "LOG-RULING": "A ruling is typed by both sides.",
    "LOG-TABLE": "Pieces are not taken from the table, or put onto it, without a reason.",
}
"""Rules of playing with a log, by row; findings cite them with the rule *log*."""


@dataclass(frozen=True, slots=True)
class LogMoment:
    """One step of a log as a reader sees it.

    ``actor`` is the player's name and ``seat`` the side that he took in VASSAL, both ``None`` if
    the log does not say. ``undone_by`` is the later step that takes this one back; ``view`` gives
    the table after the step and is asked only when needed.
    """

    number: int
    events: tuple[Event, ...]
    actor: str | None = None
    seat: str | None = None
    turn: str = ""
    undone_by: int | None = None
    view: Callable[[], TableView] = field(default=lambda: TableView(()), compare=False)


@dataclass(frozen=True, slots=True)
class Reading(Generic[A_co]):
    """An action that a reader has seen, or a breach of the log's own rules, or both.

    ``steps`` are the steps that showed it, the last one last. ``is_inferred``: no line and no
    piece of the log says so, it follows from what comes later, so breaches that rest on it are
    warnings. ``is_judged`` is false if ``breaches`` say all that is wrong with the action.
    """

    action: A_co | None
    steps: tuple[int, ...]
    is_inferred: bool = False
    breaches: tuple[Breach, ...] = ()
    ruling_of: str = ""
    """The row that both sides have ruled on (``RULING``), if that is what was seen."""
    is_judged: bool = True


class Reader(Protocol[S_contra, A_co]):
    """Reads the steps of one game, in order."""

    def feed(self, moment: LogMoment, state: Callable[[], S_contra]) -> Iterator[Reading[A_co]]:
        """Yield what a step shows. ``state`` gives the state after everything yielded so far."""
        ...

    def close(self, state: Callable[[], S_contra]) -> Iterator[Reading[A_co]]:
        """Yield what still waited for something that never came."""
        ...

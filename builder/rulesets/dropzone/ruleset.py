"""The rule set of Drop Zone as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from builder.gamebox.model import Game
from builder.rules.core import Breach, RuleBook
from builder.rules.notation import Notation
from builder.rules.sketch import sketched
from builder.rulesets.dropzone import chapters
from builder.rulesets.dropzone.actions import ACTIONS, Action
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import Facts
from builder.rulesets.dropzone.open_facts import open_facts
from builder.rulesets.dropzone.position import position_lines, read_position
from builder.rulesets.dropzone.start import start_state
from builder.rulesets.dropzone.state import State

__all__ = ["DropZone"]

assert chapters.ALL, "the chapters put their rules into the book when they are imported"


@dataclass(frozen=True)
class DropZone:
    """The rules of Drop Zone over one game's data; made by :meth:`of`.

    Not slotted, so that the facts of sketched maps can be kept.
    """

    game: Game
    facts: Facts
    _sketches: dict[tuple[str, ...], Facts] = field(default_factory=dict, repr=False, compare=False)
    name: str = "dropzone"

    @classmethod
    def of(cls, game: Game) -> DropZone:
        """Return the rules for a game; DataError if its files do not say what rules need."""
        return cls(game, open_facts(game))

    @property
    def book(self) -> RuleBook[Any, Any]:
        """The rules by row and by kind of action."""
        return book

    @cached_property
    def notation(self) -> Notation:
        """How actions are written."""
        return Notation(Notation.verbs(ACTIONS), self.facts.sheet)

    def start(self, scenario: str = "standard") -> State:
        """Return the state before anything has happened."""
        return start_state(self.facts, scenario)

    def judge(self, state: State, action: Action) -> Iterator[Breach]:
        """Yield the breaches of an action."""
        return book.judge(state, action)

    def apply(self, state: State, action: Action) -> State:
        """Return the state after an action, legal or not."""
        return applied(state, action)

    # --- examples -------------------------------------------------------------------------------

    def position(self, ground: Iterable[str], given: str) -> State:
        """Return the state that a text describes, on a map sketched over the game's own."""
        key = tuple(ground)
        if key not in self._sketches:
            self._sketches[key] = (
                open_facts(self.game, sketched(self.game.map, key)) if key else self.facts
            )
        return read_position(self._sketches[key], given)

    def read_action(self, line: str) -> Action:
        """Return the action of a line."""
        action: Action = self.notation.read(line)
        return action

    def position_lines(self, state: State) -> Mapping[str, str]:
        """Return a position as lines by their first word."""
        return position_lines(state)

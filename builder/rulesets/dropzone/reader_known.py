"""What a reader of Drop Zone knows of counters and people beside the step that it reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from builder.gamebox.lines import Grammar
from builder.rules.readings import LogMoment, Reading
from builder.rulesets.dropzone.actions import (
    Action,
    Drop,
    Return,
)
from builder.rulesets.dropzone.facts import Facts
from builder.rulesets.dropzone.reader_digest import Digest
from builder.rulesets.dropzone.state import State

__all__ = ["KnownTable", "Read", "StateNow", "number_of"]

Read = Reading[Action]
StateNow = Callable[[], State]


@dataclass
class KnownTable:
    """Counters and people of one log.

    ``counters`` maps gpids to counters, ``seats`` a side taken in VASSAL to the side of the game
    (empty for one who plays both), ``has_tracker`` tells whether the log uses the turn tracker
    anywhere: if it does, nothing of the sequence is inferred.
    """

    facts: Facts
    grammar: Grammar
    counters: Mapping[str, str]
    seats: Mapping[str, str]
    has_tracker: bool = True
    _drop: tuple[Drop, int] | None = None
    """A drop that may have to be corrected, and its step."""
    _return: tuple[Return, int] | None = None
    """A unit that is back and needs a hex, or is in a hex and needs a step; and the step."""
    _known: dict[tuple[str, str], str] = field(default_factory=dict)
    """The last value of each property of a counter: a log has only what changes."""

    # --- what is known of counters --------------------------------------------------------------

    def value(self, digest: Digest, counter: str, name: str) -> str:
        """Return a property's value after a step, empty if nothing has told it."""
        new = digest.new(counter, name)
        if new is not None:
            return new
        if (counter, name) not in self._known:
            # a log tells only what changes; the table with which it began has the rest
            piece = digest.moment.view().by_property("Unit").get(counter)
            self._known[counter, name] = piece.properties.get(name, "") if piece is not None else ""
        return self._known[counter, name]

    def cause(self, digest: Digest, counter: str, among: tuple[str, ...]) -> str:
        """Return why a counter changed, by its own property, if that is a cause of this kind."""
        found = self.value(digest, counter, "Cause")
        return found if found in among else ""

    # --- people and names -----------------------------------------------------------------------

    def side_of(self, moment: LogMoment, name: str | None) -> str | None:
        """Return the side of a player: empty for one who plays both, ``None`` if unknown."""
        if name is not None and name == moment.actor and moment.seat is not None:
            return self.seats.get(moment.seat)
        players = moment.view().players
        seat = players.get(name or "")
        return self.seats.get(seat) if seat else None

    def named(self, state: State, name: str) -> str | None:
        """Return what a line calls by its id, or a unit by its alias while it is hidden."""
        if name in self.facts.units or name in self.facts.garrisons:
            return name
        return next((k for k, u in state.units.items() if u.known_as == name), None)


def number_of(state: State) -> int:
    """Return the number of the attack that goes on, 0 if there is none."""
    return state.fight.n if state.fight is not None else 0

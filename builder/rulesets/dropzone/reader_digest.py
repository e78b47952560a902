"""What one step of a log shows of Drop Zone's counters, sorted by kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from builder.gamebox.events import (
    Changed,
    Concealed,
    Drawn,
    Moved,
    Place,
    Placed,
    PropertyChanged,
    Removed,
    Said,
    Thing,
    TurnChanged,
)
from builder.gamebox.lines import Grammar, Line, parse_line
from builder.rules.readings import LogMoment

__all__ = ["Digest", "Travel", "digest_of"]


class Travel(NamedTuple):
    """Where a counter was before the step, and where it is after it."""

    start: Place
    end: Place


@dataclass(slots=True)
class Digest:
    """A step by kinds of facts; counters are named by their ids in ``counters.csv``.

    ``changes`` maps a counter to its properties' new values, ``travels`` to its way, ``uncovered``
    lists counters whose mask was taken off, ``covered`` those that got one, ``drawn`` those that
    came out of a cup. ``typed`` are lines that players typed, ``lines`` the module's own.
    """

    moment: LogMoment
    changes: dict[str, dict[str, str]] = field(default_factory=dict)
    travels: dict[str, Travel] = field(default_factory=dict)
    drawn: dict[str, str] = field(default_factory=dict)
    covered: list[str] = field(default_factory=list)
    uncovered: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    placed: dict[str, Place] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    typed: list[Line] = field(default_factory=list)
    turn: str | None = None

    def line(self, verb: str, **wanted: str) -> Line | None:
        """Return the module's own line of a verb, with given values of some keys."""
        for line in self.lines:
            if line.verb == verb and all(line.fields.get(k) == v for k, v in wanted.items()):
                return line
        return None

    def new(self, counter: str, name: str) -> str | None:
        """Return the new value of a property of a counter, or ``None`` if it did not change."""
        return self.changes.get(counter, {}).get(name)

    @property
    def has_dice(self) -> bool:
        """Whether dice fell on a tray."""
        return any(
            k.startswith("Dice-") and {"Faces", "Direction", "N"} & set(changes)
            for k, changes in self.changes.items()
        )


def digest_of(moment: LogMoment, grammar: Grammar, counters: Mapping[str, str]) -> Digest:
    """Sort the events of a step.

    ``counters`` maps gpids to the ids of counters; a piece that is none of ours is left out.
    """
    found = Digest(moment)

    def counter(thing: Thing) -> str | None:
        return counters.get(thing.gpid) if thing.gpid else (thing.id or None)

    for event in moment.events:
        match event:
            case Said(words=words, speaker=speaker):
                text = words if speaker is None else f"<{speaker}> - {words}"
                line = parse_line(text, grammar)
                if isinstance(line, Line):
                    (found.lines if line.is_own else found.typed).append(line)
            case PropertyChanged(name=name, new=new):
                found.properties[name] = new
            case TurnChanged(new=new):
                found.turn = new
            case Changed(piece=piece, name=name, new=new) if new is not None:
                key = counter(piece)
                if key is not None:
                    found.changes.setdefault(key, {})[name] = new
            case Drawn(piece=piece, deck=deck, end=end):
                key = counter(piece)
                if key is not None:
                    found.drawn[key] = deck
                    found.travels[key] = Travel(Place(label=deck, deck=deck), end)
            case Moved(piece=piece, start=start, end=end):
                key = counter(piece)
                if key is not None:
                    first = found.travels[key].start if key in found.travels else start
                    found.travels[key] = Travel(first, end)
            case Concealed(piece=piece, how="mask", is_on=is_on):
                key = counter(piece)
                if key is not None:
                    (found.covered if is_on else found.uncovered).append(key)
            case Removed(piece=piece):
                key = counter(piece)
                if key is not None:
                    found.removed.append(key)
            case Placed(piece=piece, at=at):
                key = counter(piece)
                if key is not None:
                    found.placed[key] = at
            case _:
                pass
    return found

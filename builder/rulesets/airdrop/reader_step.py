"""What one step of a log shows, sorted: changes and ways of counters, dice, lines, the tracker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from builder.gamebox.events import (
    Changed,
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
from builder.rulesets.airdrop.actions import (
    Action,
    Adjust,
    Advance,
    Blow,
    Chain,
    Cvp,
    Deploy,
    Displace,
    Elim,
    Flip,
    Land,
    Loss,
    Mark,
    Move,
    Open,
    Rally,
    Recover,
    Rout,
)
from builder.rulesets.airdrop.actions import Place as Put
from builder.rulesets.airdrop.dice import DICE

__all__ = ["Step", "StepReader", "changed_pieces"]

_THROWN = frozenset({*DICE, "Thrown"})


@dataclass(slots=True)
class Step:
    """What a step shows: changes and ways of counters by id, pieces with dice, and lines."""

    changes: dict[str, dict[str, str]] = field(default_factory=dict)
    ways: dict[str, Place] = field(default_factory=dict)
    hops: dict[str, list[Place]] = field(default_factory=dict)
    """Every end of a counter's ways, in order; ``ways`` has the last one."""
    starts: dict[str, Place] = field(default_factory=dict)
    placed: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    dice: set[str] = field(default_factory=set)
    own: list[Line] = field(default_factory=list)
    typed: list[Line] = field(default_factory=list)
    turn: str = ""
    values: dict[str, str] = field(default_factory=dict)
    """Global properties that changed."""

    def touches(self, piece: str) -> bool:
        """Tell whether a counter changed, moved or vanished."""
        return piece in self.changes or piece in self.ways or piece in self.gone


class StepReader(NamedTuple):
    """Sorts the events of steps; ``counters`` maps gpids to counters."""

    grammar: Grammar
    counters: Mapping[str, str]

    def read(self, moment: LogMoment) -> Step:
        """Return what a step shows."""
        step = Step()
        for event in moment.events:
            match event:
                case Said(words=words, speaker=speaker):
                    self._said(step, words, speaker)
                case Changed(piece=piece, name=name, new=new) if new is not None:
                    key = self._counter(piece)
                    step.changes.setdefault(key, {})[name] = new
                    if name in _THROWN:
                        step.dice.add(key)
                case Moved(piece=piece, start=start, end=end):
                    step.ways[self._counter(piece)] = end
                    step.hops.setdefault(self._counter(piece), []).append(end)
                    step.starts.setdefault(self._counter(piece), start)
                case Placed(piece=piece, at=end):
                    step.ways[self._counter(piece)] = end
                    step.placed.add(self._counter(piece))
                case Removed(piece=piece, start=start):
                    step.gone.add(self._counter(piece))
                    step.starts.setdefault(self._counter(piece), start)
                case TurnChanged(new=new):
                    step.turn = new
                case PropertyChanged(name=name, new=new):
                    step.values[name] = new
                case _:
                    pass
        for kept in (step.changes, step.ways, step.hops, step.starts):
            kept.pop("", None)
        step.dice.discard("")
        return step

    def _said(self, step: Step, words: str, speaker: str | None) -> None:
        text = words if speaker is None else f"<{speaker}> - {words}"
        line = parse_line(text, self.grammar)
        if isinstance(line, Line):
            (step.own if line.is_own else step.typed).append(line)

    def _counter(self, thing: Thing) -> str:
        return self.counters.get(thing.gpid, "") if thing.gpid else thing.id


def changed_pieces(action: Action) -> tuple[str, ...]:
    """Return the counters of which one at least changes with an action; empty where none must."""
    match action:
        case (
            Put(chute=piece)
            | Blow(chute=piece)
            | Adjust(chute=piece)
            | Chain(chute=piece)
            | Land(chute=piece)
            | Flip(chute=piece)
            | Recover(chute=piece)
            | Elim(piece=piece)
        ):
            return (piece,)
        case Deploy(chute=piece, units=units) | Open(chute=piece, units=units):
            return units or (piece,)
        case Move(unit=piece) | Rout(unit=piece) | Advance(unit=piece) | Displace(unit=piece):
            return (piece,)
        case Loss(unit=piece) | Rally(unit=piece):
            return (piece,)
        case Mark(piece=piece, kind=kind):
            return (piece or kind,)
        case Cvp():
            return ("CVP",)
        case _:
            return ()

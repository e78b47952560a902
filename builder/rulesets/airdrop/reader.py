"""Reads the actions of an air drop from the steps of a log: lines, held against what changed.

A line has the fields of its action. It counts with its evidence in the same step: the dice of the
tray for one with dice, a change of the counter for one that needs it. Without lines the way of a
counter tells what was done, by the phase that the tracker shows; dice without a line tell nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from builder.gamebox.events import Changed, Moved, Place, Placed, Removed, Said, Thing, TurnChanged
from builder.gamebox.lines import Grammar, Line, parse_line
from builder.hexes.grid import Hex
from builder.rules.core import Breach, Ruling
from builder.rules.notation import Notation, NotationError
from builder.rules.readings import LogMoment, Reading
from builder.rules.typed_rulings import Rulings
from builder.rulesets.airdrop.actions import Action, Adjust, Advance, Move, Phase, Rout
from builder.rulesets.airdrop.actions import Place as Put
from builder.rulesets.airdrop.narrate import changed_piece, dice_of, tray_of

__all__ = ["AirdropReader"]

Read: TypeAlias = Reading[Action]
SIDES: Final = ("Attacker", "Defender")
_TYPED: Final = "own_or_typed"


@dataclass(slots=True)
class _Step:
    """What a step shows: changes and ways of counters by id, and lines."""

    changes: dict[str, dict[str, str]] = field(default_factory=dict)
    ways: dict[str, Place] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    own: list[Line] = field(default_factory=list)
    typed: list[Line] = field(default_factory=list)
    turn: str = ""

    def touches(self, piece: str) -> bool:
        return piece in self.changes or piece in self.ways or piece in self.gone


@dataclass
class AirdropReader:
    """A reader of one log.

    ``counters`` maps gpids to counters, ``seats`` a seat to the side that it plays (empty for one
    who plays both), ``side_of`` tells whose a counter is, ``find`` reads the printed name of a hex.
    """

    grammar: Grammar
    notation: Notation
    counters: Mapping[str, str]
    seats: Mapping[str, str]
    find: Callable[[str], Hex | None]
    side_of: Callable[[str], str | None]
    has_tracker: bool = True
    rulings: Rulings = field(default_factory=lambda: Rulings(SIDES))
    _phase: str = "SETUP"
    _active: str = ""
    _dice: dict[tuple[str, str], str] = field(default_factory=dict)
    _undone: dict[tuple[str, str], int] = field(default_factory=dict)

    def feed(self, moment: LogMoment, state: Callable[[], Any]) -> Iterator[Read]:
        """Yield what a step shows."""
        step = self._sorted(moment)
        if moment.undone_by is not None:
            for line in step.own:
                action = self._action(line)
                if action is not None and tray_of(action):
                    self._undone[tray_of(action), line.verb + _subject(action)] = moment.number
            return
        for line in step.own:
            action = self._action(line)
            if action is None:
                continue
            yield self._judged_line(moment, step, line, action)
            self._note(action)
        for line in step.typed:
            yield from self._typed(moment, line)
        if step.turn and not any(line.verb == "PHASE" for line in step.own):
            yield from self._tracker(moment, step.turn)
        if not step.own:
            yield from self._untold(moment, step)
        yield from self.rulings.expired(moment.number)
        yield from self._mover(moment, step)
        for piece, changes in step.changes.items():
            self._dice.update({(piece, name): value for name, value in changes.items()})

    def close(self, state: Callable[[], Any]) -> Iterator[Read]:
        """Yield what still waited at the end."""
        yield from self.rulings.expired()

    # --- lines --------------------------------------------------------------------------------

    def _judged_line(self, moment: LogMoment, step: _Step, line: Line, action: Action) -> Read:
        """Return the reading of the module's own line, with what its evidence says against it."""
        breaches = []
        tray = tray_of(action)
        if tray:
            shown = step.changes.get(tray, {})
            if not shown:
                breaches.append(Breach("LOG-ROLL", f"a {line.verb} line without dice on {tray}"))
            for name, value in dice_of(action).items():
                face = shown.get(name) or self._dice.get((tray, name), "")
                if shown and face and face != str(value):
                    words = f"the {line.verb} line says {name} {value}, and the dice show {face}"
                    breaches.append(Breach("LOG-ROLL", words))
            key = tray, line.verb + _subject(action)
            if key in self._undone:
                words = f"the dice of step {self._undone.pop(key)} were taken back and thrown again"
                breaches.append(Breach("LOG-UNDONE", words))
        piece = changed_piece(action)
        if piece and not step.touches(piece):
            words = f"a {line.verb} line, and {piece} did not change with it"
            breaches.append(Breach("LOG-CHANGE", words, pieces=(piece,)))
        is_judged = not any(b.row in ("LOG-ROLL", "LOG-CHANGE") for b in breaches)
        return Reading(action, (moment.number,), breaches=tuple(breaches), is_judged=is_judged)

    def _typed(self, moment: LogMoment, line: Line) -> Iterator[Read]:
        """Yield what a line comes to that a player typed."""
        who = line.typist or "a player"
        seat = moment.seat if line.typist == moment.actor else None
        side = self.seats.get(seat or "", "")
        number = moment.number
        if line.verb == "RULING":
            rule = str(line.fields["rule"])
            if self.rulings.typed(rule, side or who, number):
                yield Reading(None, (number,), ruling_of=rule)
            return
        verb = self.grammar.verbs[line.verb]
        if verb.trust == "needs_dice":
            words = f"{who} typed a {line.verb} line: no dice were thrown"
            yield Reading(None, (number,), breaches=(Breach("LOG-ROLL", words),))
        elif verb.trust == "needs_change":
            words = f"{who} typed a {line.verb} line: no counter changed with it"
            yield Reading(None, (number,), breaches=(Breach("LOG-CHANGE", words),))
        elif verb.trust == _TYPED:
            if side and self._active and side != self._active:
                words = f"{who} typed a {line.verb} line, and the {self._active} side is active"
                breach = Breach("LOG-LINE", words, Ruling.WARNING)
                yield Reading(None, (number,), breaches=(breach,))
                return
            action = self._action(line)
            if action is not None:
                yield Reading(action, (number,))
                self._note(action)

    def _action(self, line: Line) -> Action | None:
        """Return the action of a line; ``None`` for one that tells none."""
        words = [line.verb]
        for name, value in line.fields.items():
            text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
            words.append(f"{name}={text}")
        try:
            action: Action = self.notation.read(" ".join(words))
        except NotationError:
            return None
        return action

    def _note(self, action: Action) -> None:
        if isinstance(action, Phase):
            self._phase, self._active = action.phase, action.side

    # --- without lines ------------------------------------------------------------------------

    def _tracker(self, moment: LogMoment, turn: str) -> Iterator[Read]:
        """Yield the phase that the tracker shows without a line."""
        words = turn.split()
        if len(words) == 4 and words[1].isdecimal() and words[2] in SIDES:
            action = Phase(int(words[1]), words[2], words[3])
            self._note(action)
            yield Reading(action, (moment.number,))

    def _untold(self, moment: LogMoment, step: _Step) -> Iterator[Read]:
        """Yield what counters did in a step without a line: breaches of it are warnings."""
        for piece, end in step.ways.items():
            to = self.find(end.label or "")
            if to is None or end.map is None:
                continue
            action = self._walked(piece, to)
            if action is not None:
                yield Reading(action, (moment.number,), is_inferred=True)

    def _walked(self, piece: str, to: Hex) -> Action | None:
        is_chute = len(piece) == 2 and piece[0] in "PW" and piece[1].isalpha()
        match self._phase, is_chute:
            case (("SETUP" | "RPh"), True):
                return Put(piece, to)
            case "ADJUST", True:
                return Adjust(piece, to)
            case _, True:
                return None
            case "RtPh", False:
                return Rout(piece, to)
            case "APh", False:
                return Advance(piece, to)
            case "DRIFT", False if self.side_of(piece):
                return Move(piece, to)
            case _:
                return None

    # --- people -------------------------------------------------------------------------------

    def _mover(self, moment: LogMoment, step: _Step) -> Iterator[Read]:
        """Judge whose hand moved the counters of a step, if the log says so."""
        if moment.actor is None or not step.ways:
            return
        if moment.seat is None:
            breach = Breach("LOG-OBSERVER", f"{moment.actor} watches the game and moved counters")
            yield Reading(None, (moment.number,), breaches=(breach,))
            return
        side = self.seats.get(moment.seat)
        others = [p for p in step.ways if side and self.side_of(p) not in (None, side)]
        if others:
            words = f"{moment.actor} plays the {side} side and moved {', '.join(others)}"
            breach = Breach("LOG-SEAT", words, Ruling.WARNING, pieces=tuple(others))
            yield Reading(None, (moment.number,), breaches=(breach,))

    # --- the step -----------------------------------------------------------------------------

    def _sorted(self, moment: LogMoment) -> _Step:
        step = _Step()
        for event in moment.events:
            match event:
                case Said(words=words, speaker=speaker):
                    text = words if speaker is None else f"<{speaker}> - {words}"
                    line = parse_line(text, self.grammar)
                    if isinstance(line, Line):
                        (step.own if line.is_own else step.typed).append(line)
                case Changed(piece=piece, name=name, new=new) if new is not None:
                    step.changes.setdefault(self._counter(piece), {})[name] = new
                case Moved(piece=piece, end=end) | Placed(piece=piece, at=end):
                    step.ways[self._counter(piece)] = end
                case Removed(piece=piece):
                    step.gone.add(self._counter(piece))
                case TurnChanged(new=new):
                    step.turn = new
                case _:
                    pass
        step.changes.pop("", None)
        step.ways.pop("", None)
        return step

    def _counter(self, thing: Thing) -> str:
        return self.counters.get(thing.gpid, "") if thing.gpid else thing.id


def _subject(action: Action) -> str:
    """Return whom dice are for, so that a second throw for the same is known."""
    names = ("chute", "wing", "unit", "piece", "firer")
    return next((f" {getattr(action, n)}" for n in names if hasattr(action, n)), "")

"""Reads the actions of an air drop from the steps of a log: lines, held against what changed.

A line has the fields of its action. It counts with its evidence: the dice on the piece for which
they were thrown, in the same step or in one before that no line has told; a change of the counter
for a line that needs one. What has no line is read from the counters themselves
(:mod:`builder.rulesets.airdrop.reader_table`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from builder.gamebox.lines import Grammar, Line
from builder.hexes.grid import Hex
from builder.rules.core import Breach, Ruling
from builder.rules.notation import Notation, NotationError
from builder.rules.readings import LogMoment, Reading
from builder.rules.typed_rulings import Rulings
from builder.rulesets.airdrop.actions import Action, Phase, Rs
from builder.rulesets.airdrop.actions import Place as Put
from builder.rulesets.airdrop.dice import dice_of, thrown_for
from builder.rulesets.airdrop.reader_step import Step, StepReader, changed_pieces
from builder.rulesets.airdrop.reader_table import untold
from builder.rulesets.airdrop.state import State
from builder.rulesets.airdrop.tracker import SIDES, read_turn

__all__ = ["AirdropReader"]

Read: TypeAlias = Reading[Action]
StateNow: TypeAlias = Callable[[], State]


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
    _known: dict[tuple[str, str], str] = field(default_factory=dict)
    _fresh: set[str] = field(default_factory=set)
    """Pieces with dice that no line has told yet."""
    _undone: dict[tuple[str, str], int] = field(default_factory=dict)
    _back: dict[str, int] = field(default_factory=dict)
    """Counters whose way was taken back after dice had fallen, with the step."""
    _last_dice: int = 0
    _is_primed: bool = False

    def feed(self, moment: LogMoment, state: StateNow) -> Iterator[Read]:
        """Yield what a step shows."""
        self._prime(moment)
        step = StepReader(self.grammar, self.counters).read(moment)
        if moment.undone_by is not None:
            self._take_back(moment, step)
            return
        told = [(line, action) for line in step.own if (action := self._action(line, step))]
        for line, action in told:
            yield self._judged_line(moment, step, line, action, state)
        for line in step.typed:
            yield from self._typed(moment, line, state)
        if step.turn and not any(isinstance(action, Phase) for _, action in told):
            shown = read_turn(step.turn)
            if shown is not None:
                yield Reading(shown, (moment.number,))
        if not told:
            yield from untold(step, state, self.find, self._value, moment.number)
        if step.dice:
            self._last_dice = moment.number
        yield from self.rulings.expired(moment.number)
        yield from self._mover(moment, step)
        self._note(step, told)

    def close(self, state: StateNow) -> Iterator[Read]:
        """Yield what still waited at the end."""
        yield from self.rulings.expired()

    # --- what the table has shown -----------------------------------------------------------------

    def _prime(self, moment: LogMoment) -> None:
        """Learn what counters show at the start, so that a change that is none is not missed."""
        if self._is_primed:
            return
        self._is_primed = True
        for key, piece in moment.view().by_property("Unit").items():
            for name, value in piece.properties.items():
                self._known[key, name] = value
        for name, value in moment.view().properties.items():
            self._known["", name] = value

    def _value(self, piece: str, name: str, step: Step) -> str:
        """Return what a counter shows after a step; a global property for an empty piece."""
        if not piece and name in step.values:
            return step.values[name]
        return step.changes.get(piece, {}).get(name) or self._known.get((piece, name), "")

    def _note(self, step: Step, told: list[tuple[Line, Action]]) -> None:
        claimed = {thrown_for(action) for _, action in told}
        self._fresh |= step.dice - claimed
        self._fresh -= claimed
        for piece, changes in step.changes.items():
            for name, value in changes.items():
                self._known[piece, name] = value
        for name, value in step.values.items():
            self._known["", name] = value

    def _take_back(self, moment: LogMoment, step: Step) -> None:
        for line in step.own:
            action = self._action(line, step)
            if action is not None and thrown_for(action):
                self._undone[thrown_for(action), line.verb] = moment.number
        if moment.undone_by is not None and not step.dice:
            # whether dice fell in between is known when the step that takes it back has come
            for piece in step.ways:
                self._back[piece] = moment.number

    # --- lines --------------------------------------------------------------------------------

    def _judged_line(
        self, moment: LogMoment, step: Step, line: Line, action: Action, state: StateNow
    ) -> Read:
        """Return the reading of the module's own line, with what its evidence says against it."""
        if isinstance(action, Put) and action.chute in step.placed:
            # a counter that is new to the table, though one of this letter and size lay there
            action = replace(action, copy=action.chute in state().chutes)
        breaches = list(self._dice_against(step, line, action, state))
        pieces = changed_pieces(action)
        missing = [p for p in pieces if not step.touches(p)]
        if pieces and missing == list(pieces):
            words = f"a {line.verb} line, and {missing[0]} did not change with it"
            breaches.append(Breach("LOG-CHANGE", words, pieces=(missing[0],)))
        is_judged = not any(b.row in ("LOG-ROLL", "LOG-CHANGE") for b in breaches)
        return Reading(action, (moment.number,), breaches=tuple(breaches), is_judged=is_judged)

    def _dice_against(
        self, step: Step, line: Line, action: Action, state: StateNow
    ) -> Iterator[Breach]:
        """Yield what the dice say against a line that tells them."""
        piece = thrown_for(action)
        if not piece:
            return
        if piece not in step.dice and piece not in self._fresh:
            words = f"a {line.verb} line without dice on {piece}"
            yield Breach("LOG-ROLL", words, pieces=(piece,))
            return
        for name, value in dice_of(action).items():
            face = self._value(piece, name, step)
            if face and face != str(value):
                words = f"the {line.verb} line says {name} {value}, and the die shows {face}"
                yield Breach("LOG-ROLL", words, pieces=(piece,))
        undone = self._undone.pop((piece, line.verb), None)
        if undone is not None:
            words = f"the dice of step {undone} were taken back and thrown again"
            yield Breach("LOG-UNDONE", words, pieces=(piece,))
        yield from _thrown_twice(action, state())

    def _typed(self, moment: LogMoment, line: Line, state: StateNow) -> Iterator[Read]:
        """Yield what a line comes to that a player typed."""
        who = line.typist or "a player"
        seat = moment.seat if line.typist == moment.actor else None
        side = self.seats.get(seat or "", "")
        number = moment.number
        if line.verb == "RULING":
            rule = str(line.fields["rule"])
            alone = seat is not None and not side and self._plays_alone(moment)
            if alone or self.rulings.typed(rule, side or who, number):
                yield Reading(None, (number,), ruling_of=rule)
            return
        trust = self.grammar.verbs[line.verb].trust
        if trust in ("needs_dice", "needs_change"):
            what = "no dice were thrown" if trust == "needs_dice" else "no counter changed with it"
            row = "LOG-ROLL" if trust == "needs_dice" else "LOG-CHANGE"
            words = f"{who} typed a {line.verb} line: {what}"
            yield Reading(None, (number,), breaches=(Breach(row, words),))
            return
        active = state().side
        if side and active and side != active:
            words = f"{who} typed a {line.verb} line, and the {active} side is active"
            breach = Breach("LOG-LINE", words, Ruling.WARNING)
            yield Reading(None, (number,), breaches=(breach,))
            return
        action = self._action(line, Step())
        if action is not None:
            yield Reading(action, (number,))

    def _plays_alone(self, moment: LogMoment) -> bool:
        """Tell whether nobody at the table has taken one of the two sides."""
        return not any(self.seats.get(seat) for seat in moment.view().players.values())

    def _action(self, line: Line, step: Step) -> Action | None:
        """Return the action of a line; ``None`` for one that tells none."""
        words = [line.verb]
        for name, value in line.fields.items():
            text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
            words.append(f"{name}={text}")
        try:
            action: Action = self.notation.read(" ".join(words))
        except NotationError:
            return None
        if isinstance(action, Rs) and action.piece.startswith("Box"):
            # the line names the box alone: whose die fell, the counter shows
            thrown = [p for p, c in step.changes.items() if "Pick" in c or "Thrown" in c]
            action = replace(action, piece=thrown[0] if thrown else action.piece)
        return action

    # --- people -------------------------------------------------------------------------------

    def _mover(self, moment: LogMoment, step: Step) -> Iterator[Read]:
        """Judge whose hand moved the counters of a step, if the log says so."""
        if moment.actor is None or not step.ways:
            return
        number = (moment.number,)
        if moment.seat is None:
            breach = Breach("LOG-OBSERVER", f"{moment.actor} watches the game and moved counters")
            yield Reading(None, number, breaches=(breach,))
            return
        again = [p for p in step.ways if self._back.pop(p, self._last_dice) < self._last_dice]
        if again:
            words = f"{', '.join(again)} was taken back after dice had fallen, and moved anew"
            breach = Breach("LOG-BACK", words, Ruling.WARNING, pieces=tuple(again))
            yield Reading(None, number, breaches=(breach,))
        side = self.seats.get(moment.seat)
        others = [p for p in step.ways if side and self.side_of(p) not in (None, side)]
        if others:
            words = f"{moment.actor} plays the {side} side and moved {', '.join(others)}"
            breach = Breach("LOG-SEAT", words, Ruling.WARNING, pieces=tuple(others))
            yield Reading(None, number, breaches=(breach,))


def _thrown_twice(action: Action, state: State) -> Iterator[Breach]:
    """Yield a breach for a Random Selection or a drop point whose die has fallen already.

    Drift, checks and fire thrown twice break rules of their own.
    """
    unit = state.units.get(getattr(action, "piece", ""))
    # a second casualty of the same attack is selected anew
    is_second = unit is not None and f"P{unit.stick}" in state.reduced
    known = state.dice.get(action.cause, {}) if isinstance(action, Rs) else {}
    if isinstance(action, Rs) and action.piece in known and not is_second:
        words = f"the Random Selection die of {action.piece} was thrown twice"
        yield Breach("LOG-TWICE", words, pieces=(action.piece,))
    wing = getattr(action, "wing", "")
    plan = state.wings.get(wing) if wing else None
    if plan is not None and plan.dr:
        yield Breach("LOG-TWICE", f"the drop point dr of Wing {wing} was thrown twice")

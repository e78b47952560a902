"""Reads Drop Zone's actions from the steps of a log: counters first, lines for what they mean.

A change of a counter, a die on a tray, a chit in a box are what was done; the module's lines say
why. Without lines the why is inferred (``reader_infer``). A line without its counter is nothing
but words, and words that claim dice or changes are breaches of the log's own rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field, replace

from builder.hexes.grid import Hex
from builder.rules.core import Breach
from builder.rules.readings import LogMoment, Reading
from builder.rules.typed_rulings import Rulings
from builder.rulesets.dropzone.actions import (
    Action,
    Attack,
    Drop,
    Phase,
    Relocate,
    Return,
    Roll,
)
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, THROW_COUNTS
from builder.rulesets.dropzone.follow import place_of
from builder.rulesets.dropzone.players import is_owned_by_roster
from builder.rulesets.dropzone.reader_actions import ActionReader
from builder.rulesets.dropzone.reader_attack import HeldAttack, is_unnamed_attack
from builder.rulesets.dropzone.reader_digest import Digest, digest_of
from builder.rulesets.dropzone.reader_infer import Inference
from builder.rulesets.dropzone.reader_known import Read, StateNow
from builder.rulesets.dropzone.reader_table import swapped, unasked
from builder.rulesets.dropzone.reader_trust import trust_readings
from builder.rulesets.dropzone.state import State

__all__ = ["DropZoneReader"]


@dataclass
class DropZoneReader(ActionReader):
    """A reader of one game: what a step shows, what waits for the next one, what nobody may do."""

    _infer: Inference = field(default_factory=Inference)
    _held: HeldAttack | None = None
    rulings: Rulings = field(default_factory=lambda: Rulings((ALLIED, GERMAN)))
    _rolled: dict[tuple[str, str, int], int] = field(default_factory=dict)
    _undone: dict[tuple[str, str, int], int] = field(default_factory=dict)
    _back: dict[int, int] = field(default_factory=dict)
    """Steps without dice that are taken back, and the steps that do so."""
    _is_told: bool = False

    # --- the steps ------------------------------------------------------------------------------

    def feed(self, moment: LogMoment, state: StateNow) -> Iterator[Read]:
        """Yield what a step shows."""
        digest = digest_of(moment, self.grammar, self.counters)
        self._show_dice(digest)
        yield from self._taken_back(digest)
        if moment.undone_by is not None:
            self._note_undone(digest, state())
            return
        if self._held is not None or is_unnamed_attack(digest):
            yield from self._holding(digest, state)
            return
        yield from self._fed(digest, state)

    def _show_dice(self, digest: Digest) -> None:
        """Add the faces of dice that fell as they lay: only the count of throws has changed."""
        for side in (ALLIED, GERMAN):
            tray = digest.changes.get(f"Dice-{side}", {})
            for faces, count in THROW_COUNTS.items():
                if count in tray and faces not in tray:
                    tray[faces] = self.value(digest, f"Dice-{side}", faces)

    def _holding(self, digest: Digest, state: StateNow) -> Iterator[Read]:
        """Keep the steps of an attack that no line names, until its target is known."""
        if self._held is not None and self._held.ends_with(digest, state()):
            yield from self._released(state)
            yield from self.feed(digest.moment, state)
            return
        if self._held is None:
            self._held = HeldAttack()
        self._held.add(digest)
        if self._held.is_known(state()):
            yield from self._released(state)

    def _released(self, state: StateNow) -> Iterator[Read]:
        """Yield what the steps of a held attack show, its target inferred."""
        held = self._held
        self._held = None
        if held is None:
            return
        target = self._likeliest(held, state())
        for digest in held.digests:
            yield from self._fed(digest, state, target)

    def _likeliest(self, held: HeldAttack, state: State) -> Hex | None:
        """Return the target with which the steps of an attack break the fewest rules."""
        targets = held.targets(state)
        if len(targets) < 2:
            return targets[0] if targets else None
        return min(targets, key=lambda h: self._oddities(held, state, h))

    def _oddities(self, held: HeldAttack, state: State, target: Hex) -> int:
        """Count what rules would say if an attack had been on a hex, its end included."""
        scratch = copy(self)
        now, count = applied(state, Attack(state.attacks + 1, target)), 0
        for digest in held.digests:
            for action in scratch.actions(digest, lambda: now):  # noqa: B023 # used at once
                count += sum(1 for _ in book.judge(now, action))
                now = applied(now, action)
        end = Phase(now.turn, "ENDACT", now.command)
        return count + sum(1 for _ in book.judge(now, end))

    def _fed(self, digest: Digest, state: StateNow, target: Hex | None = None) -> Iterator[Read]:
        moment = digest.moment
        yield from self._waiting(digest, state)
        if not self.has_tracker:
            for action in self._infer.before(digest, state):
                yield Reading(action, (moment.number,), is_inferred=True)
        if target is not None and "AttackNo" in digest.properties:
            number = digest.properties["AttackNo"]
            attack = Attack(int(number) if number.isdecimal() else 0, target, moment.actor or "")
            yield Reading(attack, (moment.number,), is_inferred=True)
        yield from swapped(digest, state())
        owned = False
        for action in self.actions(digest, state):
            owned = owned or is_owned_by_roster(state(), action)
            reading = self._reading(action, moment.number)
            if isinstance(action, Relocate):
                yield unasked(reading, action, state())
            else:
                yield self._with_undone(reading, state())
        yield from trust_readings(self, digest, state, is_owned=owned)
        for key, changes in digest.changes.items():
            self._known.update({(key, name): value for name, value in changes.items()})

    def _reading(self, action: Action, *steps: int) -> Read:
        """Return the reading of an action, which without the tracker rests on inferred borders."""
        return Reading(action, steps, is_inferred=not self.has_tracker)

    def close(self, state: StateNow) -> Iterator[Read]:
        """Yield what still waited at the end."""
        yield from self._released(state)
        yield from self._flushed_drop()
        yield from self._flushed_return(state)
        yield from self.rulings.expired()

    def _with_undone(self, reading: Read, state: State) -> Read:
        """Add the breach of a roll that was taken back and thrown again."""
        action = reading.action
        if not isinstance(action, Roll):
            return reading
        key = (action.side, action.kind, action.attack)
        breaches, is_again = [], False
        if key in self._undone:
            breaches.append(
                Breach(
                    "LOG-UNDONE",
                    f"the {action.side} {action.kind} dice of step {self._undone.pop(key)} were "
                    "taken back and thrown again",
                )
            )
        elif action.faces and key in self._rolled and action.kind != "DIR":
            is_again = True  # whatever else is wrong with such a roll comes of that
            breaches.append(
                Breach(
                    "LOG-TWICE",
                    f"the {action.side} {action.kind} dice of attack {action.attack} were thrown "
                    f"before, in step {self._rolled[key]}",
                )
            )
        if action.faces:
            self._rolled[key] = reading.steps[-1]
        return replace(reading, breaches=tuple(breaches), is_judged=not is_again)

    def _taken_back(self, digest: Digest) -> Iterator[Read]:
        """Yield the breach of what is taken back although dice have fallen since."""
        number, until = digest.moment.number, digest.moment.undone_by
        if not digest.has_dice:
            is_done = bool(digest.travels or digest.changes or digest.properties)
            if until is not None and is_done:
                self._back[number] = until
            return
        spans = [(s, end) for s, end in self._back.items() if s < number < end]
        if spans:
            first, end = spans[-1]
            breach = Breach(
                "LOG-BACK",
                f"what was done in step {first} was taken back after the dice of step {number}",
            )
            yield Reading(None, (number, end), breaches=(breach,))
        for step, _ in spans:
            del self._back[step]
        self._is_told = bool(spans)

    def _note_undone(self, digest: Digest, state: State) -> None:
        if self._is_told:
            self._is_told = False
            return  # that these dice count no more was said with what they were thrown for
        for side in (ALLIED, GERMAN):
            tray = digest.changes.get(f"Dice-{side}", {})
            if {"Faces", "N", "Direction"} & set(tray):
                action = self.roll(digest, side, state)
                key = (action.side, action.kind, action.attack)
                self._undone[key] = digest.moment.number

    # --- what waits for the next step -----------------------------------------------------------

    def _waiting(self, digest: Digest, state: StateNow) -> Iterator[Read]:
        """Settle a drop that may be corrected, and a unit that is back and needs a hex."""
        if self._drop is not None:
            drop, number = self._drop
            travel = digest.travels.get(drop.unit)
            if travel is not None and not digest.changes.get(drop.unit):
                to = place_of(self.facts, travel.end, drop.to)
                self._drop = None
                del digest.travels[drop.unit]
                corrected = Drop(drop.unit, drop.white, drop.red, to, drop.by)
                yield self._reading(corrected, number, digest.moment.number)
            elif digest.travels or digest.changes or digest.turn:
                yield from self._flushed_drop()
        if self._return is not None:
            back, number = self._return
            travel = digest.travels.get(back.unit)
            if travel is not None and back.steps > 0:
                to = place_of(self.facts, travel.end, back.to)
                self._return = None
                del digest.travels[back.unit]
                again = Return(back.unit, to, back.steps, back.by)
                yield self._reading(again, number, digest.moment.number)
            elif digest.turn or (back.steps == 0 and _is_about_others(digest, back.unit)):
                yield from self._flushed_return(state)

    def _flushed_drop(self) -> Iterator[Read]:
        if self._drop is not None:
            drop, number = self._drop
            self._drop = None
            yield self._reading(drop, number)

    def _flushed_return(self, state: StateNow) -> Iterator[Read]:
        if self._return is not None:
            back, number = self._return
            self._return = None
            if back.steps > 0:
                yield self._reading(back, number)
            else:
                put = Relocate(back.unit, back.to, back.by)
                yield unasked(self._reading(put, number), put, state())


def _is_about_others(digest: Digest, key: str) -> bool:
    """Tell whether a step does something to counters other than one."""
    return any(k != key for k in (*digest.travels, *digest.changes))

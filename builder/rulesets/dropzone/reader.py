"""Reads Drop Zone's actions from the steps of a log: counters first, lines for what they mean.

A change of a counter, a die on a tray, a chit in a box are what was done; the module's lines say
why. Without lines the why is inferred (``reader_infer``). A line without its counter is nothing
but words, and words that claim dice or changes are breaches of the log's own rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace

from builder.gamebox.lines import Grammar
from builder.hexes.grid import Hex
from builder.rules.core import Breach
from builder.rules.readings import LogMoment, Reading
from builder.rulesets.dropzone.actions import (
    Action,
    Advance,
    Alter,
    Attack,
    BuyGarrison,
    Chit,
    Commit,
    Declare,
    Discard,
    Displace,
    DrawAsset,
    DrawUnit,
    Drop,
    Gain,
    Join,
    Land,
    Leave,
    Liberate,
    Lose,
    Move,
    Peek,
    Phase,
    Place,
    PoolLate,
    Receive,
    Relocate,
    Reset,
    Return,
    ReturnChits,
    Reveal,
    Roll,
    SetVP,
    Use,
)
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.candidates_flow import drop_target
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, Facts
from builder.rulesets.dropzone.follow import place_of
from builder.rulesets.dropzone.players import is_owned_by_roster
from builder.rulesets.dropzone.reader_attack import HeldAttack, is_unnamed_attack
from builder.rulesets.dropzone.reader_digest import Digest, Travel, digest_of
from builder.rulesets.dropzone.reader_infer import Inference, inferred_cause, inferred_gain
from builder.rulesets.dropzone.reader_table import swapped, unasked
from builder.rulesets.dropzone.reader_trust import Rulings, one_sided, trust_readings
from builder.rulesets.dropzone.reinforcement import why_not_due
from builder.rulesets.dropzone.sequence import COMMANDS
from builder.rulesets.dropzone.state import State

__all__ = ["DropZoneReader"]

Read = Reading[Action]
StateNow = Callable[[], State]


@dataclass
class DropZoneReader:
    """A reader of one game.

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
    _return: tuple[Return, int] | None = None
    _infer: Inference = field(default_factory=Inference)
    _known: dict[tuple[str, str], str] = field(default_factory=dict)
    """The last value of each property of a counter: a log has only what changes."""
    _held: HeldAttack | None = None
    rulings: Rulings = field(default_factory=Rulings)
    _rolled: dict[tuple[str, str, int], int] = field(default_factory=dict)
    _undone: dict[tuple[str, str, int], int] = field(default_factory=dict)
    _back: dict[int, int] = field(default_factory=dict)
    """Steps without dice that are taken back, and the steps that do so."""
    _is_told: bool = False

    # --- the steps ------------------------------------------------------------------------------

    def feed(self, moment: LogMoment, state: StateNow) -> Iterator[Read]:
        """Yield what a step shows."""
        digest = digest_of(moment, self.grammar, self.counters)
        yield from self._taken_back(digest)
        if moment.undone_by is not None:
            self._note_undone(digest, state())
            return
        if self._held is not None or is_unnamed_attack(digest):
            yield from self._holding(digest, state)
            return
        yield from self._fed(digest, state)

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
            for action in scratch._actions(digest, lambda: now):  # noqa: B023 # used at once
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
        for action in self._actions(digest, state):
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
        yield from one_sided(self)

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
                action = self._roll(digest, side, state)
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

    # --- actions --------------------------------------------------------------------------------

    def _actions(self, digest: Digest, state: StateNow) -> Iterator[Action]:
        by = digest.moment.actor or ""
        yield from self._phase(digest, state, by)
        yield from self._announced(digest, state, by)
        yield from self._assets(digest, state, by)
        yield from self._chits(digest, state, by)
        for side in (ALLIED, GERMAN):
            tray = digest.changes.get(f"Dice-{side}", {})
            is_none = digest.line("ROLL", side=side) is not None and "Faces" not in tray
            if {"Faces", "Direction"} & set(tray) or is_none:
                yield self._roll(digest, side, state(), by)
        yield from self._revealed(digest, state, by)
        yield from self._steps(digest, state, by)
        yield from self._garrisons(digest, state, by)
        yield from self._travels(digest, state, by)
        yield from self._gone_and_new(digest, state, by)
        yield from self._typed(digest, state)

    def _phase(self, digest: Digest, state: StateNow, by: str) -> Iterator[Action]:
        line = digest.line("PHASE")
        if digest.turn is not None or line is not None:
            turn, step = _turn_and_step(digest.turn or "")
            if line is not None:
                turn, step = int(str(line.fields["turn"])), str(line.fields["step"])
            if step:
                command = str(line.fields.get("cmd", "none")) if line is not None else ""
                command = state().command if not command else command.replace("none", "")
                if step in ("SETUP", "ASSETDRAW", "INIT", "ENDTURN"):
                    command = ""
                yield Phase(turn or state().turn, step, command, by)
        if digest.line("RESET") is not None:
            yield Reset(by)

    def _announced(self, digest: Digest, state: StateNow, by: str) -> Iterator[Action]:
        for line in digest.lines:
            if line.verb == "ATTACK" and "AttackNo" in digest.properties:
                target = self.facts.sheet.find(str(line.fields["target"]))
                if target is not None:
                    yield Attack(int(str(line.fields["n"])), target, by)
        for counter, changes in digest.changes.items():
            known = counter in self.facts.units or counter in self.facts.garrisons
            if "Joined" not in changes or not known:
                continue  # a garrison joins nothing, but its counter may be marked
            number = changes["Joined"]
            if number.isdecimal() and number != "0":
                yield Join(int(number), counter, by)
            elif digest.line("LEAVE") is not None:
                yield Leave(_number(state()), counter, by)

    def _assets(self, digest: Digest, state: StateNow, by: str) -> Iterator[Action]:
        late: list[str] = []
        for asset, travel in digest.travels.items():
            facts = self.facts.assets.get(asset)
            if facts is None:
                continue
            known = state().assets[asset].place
            end = travel.end
            label = end.deck or end.label or ""
            if (end.map or "").endswith(" hand"):
                # one that was laid face down may be taken up again
                side = (end.map or "").removesuffix(" hand")
                if known not in ("HAND", "COMMIT") or side != facts.side:
                    yield DrawAsset(side, asset, asset in digest.drawn, by)
            elif label == f"Pool{facts.side}":
                if known == "LATE":
                    late.append(asset)
                elif known != "POOL":
                    yield Relocate(asset, label, by)
            elif label.startswith("Commit") and known != "COMMIT":
                yield Commit(label.removeprefix("Commit"), state().attacks, asset, by)
            elif label == f"Used{facts.side}":
                yield Discard(asset, by)
        if late:
            yield PoolLate(tuple(late), by)
        for asset, changes in digest.changes.items():
            if asset not in self.facts.assets or changes.get("Used") != "1":
                continue
            mode = self.value(digest, asset, "Mode")
            line = digest.line("ASSET", id=asset)
            if line is not None:
                mode = str(line.fields.get("mode") or mode)
            command = digest.properties.get("ActiveCmd", "") if mode == "FIRST" else ""
            fight = state().fight
            target = fight.target if fight is not None and mode.startswith("INTERDICT") else None
            attack = 0 if mode in ("FIRST", "RP") else state().attacks
            yield Use(asset, mode, attack, target, command, by)

    def _chits(self, digest: Digest, state: StateNow, by: str) -> Iterator[Action]:
        back = []
        for chit, travel in digest.travels.items():
            command = chit.removeprefix("Chit-")
            if command in COMMANDS and (travel.end.deck or travel.end.label) == "ChitCup":
                back.append(command)
        if back:
            yield ReturnChits(tuple(back), by)
        active = digest.properties.get("ActiveCmd")
        line = digest.line("CHIT")
        if active in COMMANDS or line is not None:
            command = active if active in COMMANDS else str(line.fields["cmd"]) if line else ""
            by_chit = self.value(digest, f"Chit-{command}", "By")
            means = str(line.fields["by"]) if line is not None else by_chit
            if not means:
                means = "fixed" if state().turn == 1 else "draw"
            if command in COMMANDS:
                yield Chit(command, means, by)
        elif active is None:
            for command in COMMANDS:
                way = digest.travels.get(f"Chit-{command}")
                label = (way.end.label or "") if way is not None else ""
                if label.startswith("Initiative") and command not in state().chits:
                    yield Chit(command, "draw", by)

    def _roll(self, digest: Digest, side: str, state: State, by: str = "") -> Roll:
        tray = digest.changes.get(f"Dice-{side}", {})
        line = digest.line("ROLL", side=side)
        if "Direction" in tray or (line is not None and line.fields.get("kind") == "DIR"):
            return Roll(side, "DIR", (tray.get("Direction", ""),), 0, by)
        kind = self.value(digest, f"Dice-{side}", "Kind") or "COMBAT"
        kind = str(line.fields["kind"]) if line is not None else kind
        faces = tuple(f for f in tray.get("Faces", "").split(",") if f)
        if not faces and line is not None and line.fields.get("n") not in (0, "0"):
            # the same faces fell again: the tray does not change, and the line is its own witness
            told = line.fields.get("faces") or ()
            faces = tuple(map(str, told)) if isinstance(told, tuple) else (str(told),)
        return Roll(side, kind, faces, _number(state), by)

    def _revealed(self, digest: Digest, state: StateNow, by: str) -> Iterator[Action]:
        for unit in self.facts.units:
            if digest.new(unit, "Revealed") == "1":
                cause = self.value(digest, unit, "Cause")
                line = digest.line("REVEAL", unit=unit)
                if line is not None:
                    cause = str(line.fields["cause"])
                yield Reveal(unit, cause, by=by)
            elif unit in digest.uncovered and state().units[unit].hidden:
                yield Peek(unit, by)

    def _steps(self, digest: Digest, state: StateNow, by: str) -> Iterator[Action]:
        for key, changes in digest.changes.items():
            new = changes.get("Steps")
            if new is None or not new.isdecimal():
                continue
            is_unit = key in self.facts.units
            if not is_unit and (key not in self.facts.garrisons or "Holder" in changes):
                continue
            before, after = state().steps_of(key), int(new)
            if not is_unit and before == 0:
                continue  # it comes back: a matter of garrisons
            if after < before:
                yield from self._losses(digest, state, key, before - after, by)
            elif after > before:
                yield from self._gains(digest, state, key, before, after, by)

    def _losses(
        self, digest: Digest, state: StateNow, key: str, count: int, by: str
    ) -> Iterator[Action]:
        line = digest.line("LOSS")
        cause = self.cause(digest, key, ("COMBAT", "IF", "AT", "LAND", "GARRISON"))
        cause = str(line.fields["cause"]) if line is not None else cause
        for _ in range(count):
            why = cause or inferred_cause(state(), key)
            if why:
                # a landing and the price of a garrison have nothing to do with an attack
                number = 0 if why in ("LAND", "GARRISON") else _number(state())
                yield Lose(key, why, number, by)
            else:
                yield Alter(key, state().steps_of(key) - 1, by)

    def _gains(
        self, digest: Digest, state: StateNow, key: str, before: int, after: int, by: str
    ) -> Iterator[Action]:
        line = digest.line("GAIN")
        cause = self.cause(digest, key, ("RP", "REGROUP", "RETURN"))
        cause = str(line.fields["cause"]) if line is not None else cause
        if key in self.facts.units and (cause == "RETURN" or (not cause and before == 0)):
            if self._return is not None and self._return[0].unit == key:
                back, self._return = self._return[0], None
                yield Return(key, back.to, after, by)
                return
            place = state().units[key].place
            self._return = (Return(key, place, after, by), digest.moment.number)
            return
        cause = cause or inferred_gain(state(), key)
        if cause in ("RP", "REGROUP") and key in self.facts.units:
            yield Gain(key, cause, after - before, by)
        else:
            yield Alter(key, after, by)

    def _garrisons(self, digest: Digest, state: StateNow, by: str) -> Iterator[Action]:
        for key in self.facts.garrisons:
            changes = digest.changes.get(key, {})
            was = state().garrisons[key]
            holder = {"GERMAN": GERMAN, "ALLIED": ALLIED}.get(changes.get("Holder", ""), was.side)
            new = changes.get("Steps")
            steps = int(new) if new is not None and new.isdecimal() else was.steps
            is_back = was.steps == 0 and steps > 0
            if holder == was.side and not is_back:
                continue
            # as many as there should be go without saying
            full = self.facts.garrisons[key].full_steps(holder, returns=True)
            steps = 0 if steps == full else steps
            if holder == ALLIED:
                line = digest.line("LIB", objective=key)
                cause = self.cause(digest, key, ("COMBAT", "VACANT", "RETURN"))
                cause = str(line.fields["cause"]) if line is not None else cause
                yield Liberate(key, cause or _liberation(state(), key), steps, by)
            else:
                line = digest.line("GARRISON", objective=key)
                pay = self.cause(digest, key, ("STEP", "REGROUP"))
                pay = str(line.fields["pay"]) if line is not None else pay
                if not pay:
                    pay = "STEP" if state().garrison_paid else "REGROUP" if state().regroup else ""
                now, home = state(), self.facts.garrisons[key].hex
                payers = [k for k in now.garrison_paid if now.units[k].place == home]
                unit = payers[0] if payers and pay == "STEP" else ""
                yield BuyGarrison(key, pay, unit, steps, by)

    # --- ways of counters -----------------------------------------------------------------------

    def _travels(self, digest: Digest, state: StateNow, by: str) -> Iterator[Action]:
        for key, travel in digest.travels.items():
            if key == "VP":
                value = (travel.end.label or "").removeprefix("VP")
                if value.isdecimal():
                    yield SetVP(int(value), by)
            elif key in self.facts.units:
                yield from self._unit_travel(digest, state, key, travel, by)
            elif key in self.facts.garrisons:
                yield from self._garrison_travel(digest, state(), key, travel, by)

    def _garrison_travel(
        self, digest: Digest, state: State, key: str, travel: Travel, by: str
    ) -> Iterator[Action]:
        home = self.facts.garrisons[key].hex
        to = place_of(self.facts, travel.end, home)
        if {"Steps", "Holder"} & set(digest.changes.get(key, {})):
            return  # eliminated, or back: told already
        is_gone = state.steps_of(key) == 0
        if to != home and (isinstance(to, Hex) or not is_gone):
            yield Relocate(key, to, by)

    def _unit_travel(
        self, digest: Digest, state: StateNow, key: str, travel: Travel, by: str
    ) -> Iterator[Action]:
        now = state()
        unit, facts = now.units[key], self.facts.units[key]
        to = place_of(self.facts, travel.end, unit.place)
        if to == unit.place:
            return
        white, red = digest.new(key, "White"), digest.new(key, "Red")
        if facts.serial and (white or red or digest.new(key, "Alias")):
            yield from self._dropped(digest, now, key, to, by)
        elif not isinstance(to, Hex):
            yield from self._to_box(digest, now, key, to, by)
        elif isinstance(unit.place, str) and unit.place.startswith("Entry"):
            yield Move(key, to, by=by)
        elif unit.steps == 0 and _is_advance(now, key, to) and _fought(now, key):
            yield Advance(key, to, _number(now), by)
        elif unit.steps == 0:
            # the step that it gains may follow its way; without one nothing has brought it back
            self._return = (Return(key, to, 0, by), digest.moment.number)
        elif (
            now.step == "LAND"
            and facts.lands
            and (key in now.landing or not isinstance(unit.place, Hex))
        ):
            yield Land(key, to, by)
        elif (
            now.step == "LAND" and facts.side == ALLIED and unit.place in self.facts.zones.values()
        ):
            yield Displace(key, to, by)
        elif isinstance(unit.place, str) and facts.lands:
            yield Land(key, to, by)
        elif (
            isinstance(unit.place, str)
            and unit.place.startswith(f"{facts.side}T")
            and facts.areas
            and now.command == facts.command
            and now.step in ("RU", "LAND", "MOVE")
            and not why_not_due(now, facts)
        ):
            # laid beside an area and moved in, in one drag
            areas = [a for a in facts.areas if to in self.facts.entries.get(a, ())]
            yield Receive(key, (areas or list(facts.areas))[0], by)
            yield Move(key, to, by=by)
        elif isinstance(unit.place, str):
            yield Relocate(key, to, by)
        elif _is_advance(now, key, to):
            yield Advance(key, to, _number(now), by)
        else:
            yield Move(key, to, by=by)

    def _dropped(
        self, digest: Digest, state: State, key: str, to: Place, by: str
    ) -> Iterator[Action]:
        dice = [self.value(digest, key, name) for name in ("White", "Red")]
        white, red = (int(d) if d.isdecimal() and len(d) < 3 else 0 for d in dice)
        drop = Drop(key, white, red, to, by)
        is_fine = (
            self.facts.units[key].aim is None or drop_target(state, key, drop.white, drop.red) == to
        )
        if is_fine:
            yield drop
        else:
            # somebody has to move it from a hex in which it cannot stay
            self._drop = (drop, digest.moment.number)

    def _to_box(self, digest: Digest, state: State, key: str, to: str, by: str) -> Iterator[Action]:
        unit, facts = state.units[key], self.facts.units[key]
        if to == state.elimination_box(facts.side) and unit.steps == 0:
            return
        if to.startswith("Entry") and to not in unit.trail:
            yield Receive(key, to.removeprefix("Entry"), by)
        elif digest.drawn.get(key, "").startswith("Cup"):
            yield DrawUnit(key, by)
        else:
            yield Relocate(key, to, by)

    def _gone_and_new(self, digest: Digest, state: StateNow, by: str) -> Iterator[Action]:
        for key in digest.removed:
            if key in digest.placed:
                continue
            if state().steps_of(key) > 0:
                yield from self._losses(digest, state, key, state().steps_of(key), by)
                if key in self.facts.units:
                    yield Relocate(key, state().elimination_box(self.facts.units[key].side), by)
        for key, at in digest.placed.items():
            if key in self.facts.units:
                yield Relocate(key, place_of(self.facts, at, "Off"), by)

    def _typed(self, digest: Digest, state: StateNow) -> Iterator[Action]:
        """Yield what counts although it is typed: who won, and the acting side's own words."""
        for line in digest.typed:
            side = self.side_of(digest.moment, line.typist)
            acting = state().side
            counts = side in ("", acting) or acting is None
            match line.verb:
                case "RESULT":
                    yield Declare(str(line.fields["level"]), line.typist or "")
                case "PHASE" if counts:
                    command = str(line.fields.get("cmd") or "none").replace("none", "")
                    turn, step = int(str(line.fields["turn"])), str(line.fields["step"])
                    yield Phase(turn, step, command, line.typist or "")
                case "ATTACK" if counts:
                    target = self.facts.sheet.find(str(line.fields["target"]))
                    if target is not None:
                        yield Attack(int(str(line.fields["n"])), target, line.typist or "")
                case "JOIN" | "LEAVE" if counts:
                    kind = Join if line.verb == "JOIN" else Leave
                    unit = self.named(state(), str(line.fields["unit"]))
                    if unit is not None:
                        yield kind(int(str(line.fields["attack"])), unit, line.typist or "")
                case _:
                    pass

    # --- what is known of counters --------------------------------------------------------------

    def value(self, digest: Digest, counter: str, name: str) -> str:
        """Return a property's value after a step, empty if the log never told it."""
        new = digest.new(counter, name)
        return self._known.get((counter, name), "") if new is None else new

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


def _number(state: State) -> int:
    """Return the number of the attack that goes on, 0 if there is none."""
    return state.fight.n if state.fight is not None else 0


def _is_advance(state: State, key: str, to: Hex) -> bool:
    """Tell whether a way leads into the hex of the attack whose dice have fallen."""
    fight = state.fight
    return (
        state.step in ("COMBAT", "LAND")
        and fight is not None
        and fight.target == to
        and fight.has_dice
        and state.facts.units[key].side == fight.side
    )


def _fought(state: State, key: str) -> bool:
    return state.fight is not None and key in state.fight.attackers


def _is_about_others(digest: Digest, key: str) -> bool:
    """Tell whether a step does something to counters other than one."""
    return any(k != key for k in (*digest.travels, *digest.changes))


def _liberation(state: State, key: str) -> str:
    """Return why an Allied garrison is placed, for a log that does not say it."""
    if state.garrisons[key].side == ALLIED:
        return "RETURN"
    return "VACANT" if state.step == "ENDACT" else "COMBAT"


def _turn_and_step(text: str) -> tuple[int, str]:
    """Return turn and step of what the tracker shows: ``Turn 2 3rd MOVE``.

    >>> _turn_and_step("Turn 2 3rd MOVE"), _turn_and_step("Turn 1 Start"), _turn_and_step("?")
    ((2, 'MOVE'), (1, 'SETUP'), (0, ''))
    """
    words = text.split()
    if len(words) < 3 or words[0] != "Turn" or not words[1].isdecimal():
        return (0, "")
    turn = int(words[1])
    if words[2] == "Start":
        return (turn, "SETUP" if turn == 1 else "ASSETDRAW")
    return (turn, "ENDTURN" if words[2] == "End" else words[-1])

"""Reads what a step shows as actions, in the order in which a table does them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from builder.rulesets.dropzone.actions import (
    Action,
    Alter,
    Attack,
    BuyGarrison,
    Chit,
    Commit,
    Declare,
    Discard,
    DrawAsset,
    Gain,
    Join,
    Leave,
    Liberate,
    Lose,
    Peek,
    Phase,
    PoolLate,
    Relocate,
    Reset,
    Return,
    ReturnChits,
    Reveal,
    Roll,
    Use,
)
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.follow import place_of
from builder.rulesets.dropzone.reader_digest import Digest
from builder.rulesets.dropzone.reader_infer import inferred_cause, inferred_gain
from builder.rulesets.dropzone.reader_known import StateNow, number_of
from builder.rulesets.dropzone.reader_ways import WayReader
from builder.rulesets.dropzone.sequence import COMMANDS
from builder.rulesets.dropzone.state import State

__all__ = ["ActionReader"]


@dataclass
class ActionReader(WayReader):
    """Reads one step at a time: counters first, lines for what they mean."""

    def actions(self, digest: Digest, state: StateNow) -> Iterator[Action]:
        """Yield the actions that a step shows."""
        by = digest.moment.actor or ""
        yield from self._phase(digest, state, by)
        yield from self._announced(digest, state, by)
        yield from self._assets(digest, state, by)
        yield from self._chits(digest, state, by)
        for side in (ALLIED, GERMAN):
            tray = digest.changes.get(f"Dice-{side}", {})
            is_none = digest.line("ROLL", side=side) is not None and "Faces" not in tray
            if {"Faces", "Direction"} & set(tray) or is_none:
                yield self.roll(digest, side, state(), by)
        yield from self._revealed(digest, state, by)
        yield from self._steps(digest, state, by)
        yield from self._garrisons(digest, state, by)
        yield from self.travels(digest, state, by)
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
            elif digest.line("LEAVE") is not None or _leaves(digest, state(), counter):
                yield Leave(number_of(state()), counter, by)

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
                side = (end.map or "").removesuffix(" hand")
                if known == "COMMIT" and side == facts.side:
                    yield Relocate(asset, f"Hand{side}", by)
                elif known != "HAND" or side != facts.side:
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
            # a cup has no order that anybody could know
            yield PoolLate(tuple(k for k in self.facts.assets if k in late), by)
        for asset, changes in digest.changes.items():
            if asset not in self.facts.assets or changes.get("Used") != "1":
                continue
            mode = self.value(digest, asset, "Mode")
            line = digest.line("ASSET", id=asset)
            if line is not None:
                mode = str(line.fields.get("mode") or mode)
            command = _activated(digest) if mode == "FIRST" else ""
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
                    is_named = self.value(digest, f"Chit-{command}", "By") == "asset"
                    yield Chit(command, "asset" if is_named else "draw", by)

    def roll(self, digest: Digest, side: str, state: State, by: str = "") -> Roll:
        """Return the dice of a side that a step shows."""
        tray = digest.changes.get(f"Dice-{side}", {})
        line = digest.line("ROLL", side=side)
        told = line.fields.get("faces") or () if line is not None else ()
        told = tuple(map(str, told)) if isinstance(told, tuple) else (str(told),)
        if "Direction" in tray or (line is not None and line.fields.get("kind") == "DIR"):
            direction = tray.get("Direction")
            return Roll(side, "DIR", told if direction is None else (direction,), 0, by)
        kind = self.value(digest, f"Dice-{side}", "Kind") or "COMBAT"
        kind = str(line.fields["kind"]) if line is not None else kind
        faces = tuple(f for f in tray.get("Faces", "").split(",") if f)
        if not faces and line is not None and line.fields.get("n") not in (0, "0"):
            # the same faces fell again: the tray does not change, and the line is its own witness
            faces = told
        return Roll(side, kind, faces, number_of(state), by)

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
                number = 0 if why in ("LAND", "GARRISON") else number_of(state())
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


def _activated(digest: Digest) -> str:
    """Return the Command that a step makes the active one, which it may have been before."""
    found = digest.properties.get("ActiveCmd", "")
    if found:
        return found
    drawn = (c for c in COMMANDS if digest.drawn.get(f"Chit-{c}") == "ChitCup")
    return next(drawn, "")


def _leaves(digest: Digest, state: State, key: str) -> bool:
    """Tell whether a mark that is taken off, without any line, is a second thought."""
    fight = state.fight
    is_open = fight is not None and not fight.has_dice and key in fight.attackers
    return is_open and not digest.lines and "Steps" not in digest.changes.get(key, {})


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

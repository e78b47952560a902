"""What counters show of themselves in a step that has no line of the module.

A player may drag instead of using menus, and an older module may write no lines. The property
``Status`` of a parachute tells what became of it; for the rest the phase says what a way is.
Dice without a line tell only what their piece shows beside them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from builder.hexes.grid import Hex
from builder.rules.core import Breach, Ruling
from builder.rules.readings import Reading
from builder.rulesets.airdrop.actions import (
    HEX_MARKS,
    PIECE_MARKS,
    Action,
    Adjust,
    Advance,
    Attack,
    Blow,
    Canister,
    Chain,
    Cvp,
    Deploy,
    Displace,
    Drift,
    Elim,
    Fire,
    Flip,
    Land,
    Load,
    Loss,
    Mark,
    Mc,
    Move,
    Open,
    Rally,
    Recover,
    Relocate,
    Rout,
    Rs,
    Tc,
    Weather,
    Wind,
)
from builder.rulesets.airdrop.actions import Place as Put
from builder.rulesets.airdrop.arming import canister_drm, finds_arms
from builder.rulesets.airdrop.effects import passes
from builder.rulesets.airdrop.facts import terrain_hex
from builder.rulesets.airdrop.landing import lands_on_bridge
from builder.rulesets.airdrop.narrate import BOXES, MAP
from builder.rulesets.airdrop.reader_step import Step
from builder.rulesets.airdrop.state import Chute, State, Unit, is_parachute, place_of

__all__ = ["untold"]

Read: TypeAlias = Reading[Action]
Value: TypeAlias = Callable[[str, str, Step], str]


def untold(
    step: Step,
    state: Callable[[], State],
    find: Callable[[str], Hex | None],
    value: Value,
    number: int,
) -> Iterator[Read]:
    """Yield what counters did in a step without a line.

    ``find`` reads the name of a hex, ``value`` what a counter shows after the step.
    """
    table = _Table(step, state, find, value)
    for action in table.actions():
        # what a firer claims, no counter shows: the attack counts, and nothing is said of it
        yield Reading(action, (number,), is_judged=not isinstance(action, Fire))
    for breach in table.unasked():
        yield Reading(None, (number,), breaches=(breach,))


class _Table:
    """One step, taken apart: what an action explains is taken out of it."""

    def __init__(
        self,
        step: Step,
        state: Callable[[], State],
        find: Callable[[str], Hex | None],
        value: Value,
    ) -> None:
        self.step = step
        self.state = state
        self.find = find
        self.value = value
        self.explained: set[str] = set()

    def actions(self) -> Iterator[Action]:
        """Yield what the step comes to, the state following each."""
        yield from self.globals()
        for piece, changes in tuple(self.step.changes.items()):
            at = place_of(self.state(), piece)
            firer = self.value("", "Firer", self.step)
            if "Attacks" in changes and at is not None and firer:
                yield Attack(firer, at, self.value(piece, "How", self.step) or "FIRE")
            if is_parachute(piece):
                yield from self.chute_changes(piece, changes)
            else:
                yield from self.unit_changes(piece, changes)
        # who is eliminated first: a Half-Squad explains what its squad and its other half do
        for piece in sorted(self.step.ways, key=lambda p: not self.is_elim(p)):
            if piece not in self.explained:
                yield from self.way(piece)
        for piece in self.step.gone & set(HEX_MARKS):
            yield Mark(piece, hex=self.find(self.step.starts[piece].label or ""), on=False)

    def globals(self) -> Iterator[Action]:
        """Yield what global properties tell: weather and wind."""
        values = self.step.values
        if "Weather" in values:
            yield Weather(values["Weather"])
        if "WindDir" in values or "WindForce" in values:
            direction = self.value("", "WindDir", self.step)
            force = self.value("", "WindForce", self.step) or "NONE"
            yield Wind(int(direction) if direction in tuple("123456") else 0, force)

    # --- changes ------------------------------------------------------------------------------

    def chute_changes(self, piece: str, changes: dict[str, str]) -> Iterator[Action]:
        """Yield what a parachute's own properties tell."""
        state = self.state()
        at = place_of(state, piece)
        match changes.get("Status"):
            case "LANDED":
                die = int(changes["Die"]) if changes.get("Die", "").isdecimal() else 0
                yield Land(piece, self.landed(piece, die), die)
            case "DEPLOYED" if at is not None:
                units = self.came_out()
                yield Deploy(piece, units, self.opened_in(units, at))
            case "REMOVED" if at is not None:
                broken = self.value(piece, "Broken", self.step) == "1"
                units = self.came_out()
                yield Open(piece, units, self.opened_in(units, at), broken)
            case "RECOVERED":
                weapons = self.came_out()
                weapon = weapons[0] if weapons else ""
                is_dm = self.value(weapon, "Dismantled", self.step)
                unit = state.units.get(weapon)
                dm = is_dm == "1" if is_dm else unit is not None and unit.dm
                yield Recover(self.value("", "Firer", self.step), piece, weapon, dm)
            case "ELIMINATED":
                cause = self.value(piece, "Cause", self.step) or "FIRE"
                yield Elim(piece, cause)
                self.explained |= {u for u in self.step.ways if self.is_elim(u)}
            case _:
                yield from self.checked(piece, changes)
        if changes.get("Flipped") == "1":
            yield Flip(piece)
        yield from self.marked(piece, changes)
        if "Status" in changes and changes["Status"] != "AERIAL":
            self.explained.add(piece)

    def checked(self, piece: str, changes: dict[str, str]) -> Iterator[Action]:
        """Yield the check or the drift that dice on a parachute show."""
        if piece not in self.step.dice or "Pick" in changes:
            if "Pick" in changes and changes["Pick"].isdecimal():
                yield Rs("TARGET", piece, int(changes["Pick"]))
            return
        faces = [self.value(piece, name, self.step) for name in ("Colored", "White")]
        if not all(s in tuple("123456") for s in faces):
            return
        colored, white = map(int, faces)
        if self.state().phase == "DRIFT":
            hops = [h for p in self.step.hops.get(piece, ()) if (h := self.find(p.label or ""))]
            if hops:
                self.explained.add(piece)
                yield Drift(piece, colored, white, hops[0])
                yield from (Blow(piece, to) for to in hops[1:])
            return
        if "RollKind" in changes:
            return
        cause = self.value(piece, "CheckCause", self.step)
        level = self.value(piece, "Plus", self.step)
        plus = int(level) if level.isdecimal() and len(level) == 1 else 0
        is_check = "Plus" in changes or "CheckCause" in changes or self.state().phase == "CHECKS"
        if not is_check:
            firer = self.value("", "Firer", self.step)
            if self.state().phase == "FIRSTFIRE" and firer:
                yield Fire(firer, piece, colored, white)
            return
        passed = passes(colored, white, plus)
        if cause == "TASK":
            yield Tc(piece, plus, colored, white, passed)
        else:
            yield Mc(piece, plus, colored, white, passed, cause or "LAND")

    def unit_changes(self, piece: str, changes: dict[str, str]) -> Iterator[Action]:
        """Yield what a unit's own properties tell."""
        state = self.state()
        unit = state.units.get(piece)
        if "Pick" in changes and changes["Pick"].isdecimal():
            cause = self.value(piece, "PickFor", self.step) or "CASUALTY"
            yield Rs(cause, piece, int(changes["Pick"]))
        if changes.get("Wounded") == "1" and unit is not None:
            yield Loss(f"P{unit.stick}", piece, "WOUND")
        if changes.get("Broken") == "0" and unit is not None and unit.broken:
            yield Rally(piece)
        if "Die" in changes and unit is not None and changes["Die"].isdecimal():
            die = int(changes["Die"])
            drm = canister_drm(state, piece)
            passed = changes.get("SYSTEMS") == "0" or finds_arms(die, drm)
            yield Canister(piece, die, drm, passed)
        elif "Broken" not in changes:
            yield from self.marked(piece, changes)

    def marked(self, piece: str, changes: dict[str, str]) -> Iterator[Action]:
        for kind in PIECE_MARKS:
            if kind in changes:
                yield Mark(kind, piece, on=changes[kind] == "1")

    # --- ways ---------------------------------------------------------------------------------

    def way(self, piece: str) -> Iterator[Action]:
        """Yield what the way of a counter is, by the phase."""
        end = self.step.ways[piece]
        label = end.label or ""
        unit = self.state().units.get(piece)
        if piece == "CVP":
            points = label.removeprefix("CVP")
            if points.isdecimal() and len(points) < 4:
                yield Cvp(int(points))
        elif unit is not None and end.map == BOXES:
            yield Load(piece, label.removeprefix("Box") if label.startswith("Box") else "")
        elif end.map == MAP and (to := self.find(label)) is not None:
            yield from self.into_hex(piece, to)
        elif end.map == MAP and label.startswith("Elim") and unit is not None:
            whole = self.state().units.get(unit.half_of)
            if whole is not None and whole.id in self.step.ways and whole.stick:
                halves = {u.id for u in self.state().units.values() if u.half_of == whole.id}
                self.explained |= halves | {whole.id}
                yield Loss(f"P{whole.stick}", piece)
            elif unit.stick and unit.where is None:
                yield Loss(f"P{unit.stick}", piece)
            else:
                yield Elim(piece, "OTHER")
        elif end.map == MAP and label and (piece in self.state().chutes or _is_outside(unit)):
            yield Relocate(piece, label)

    def into_hex(self, piece: str, to: Hex) -> Iterator[Action]:
        state = self.state()
        chute, unit = state.chutes.get(piece), state.units.get(piece)
        if piece in HEX_MARKS:
            yield Mark(piece, hex=to)
        elif unit is not None:
            yield self.walked(piece, to)
        elif is_parachute(piece):
            if state.phase in ("SETUP", "RPh"):
                yield Put(piece, to, copy=piece in self.step.placed and chute is not None)
            elif chute is not None and chute.where != to:
                yield self.flown(chute, to)

    def flown(self, chute: Chute, to: Hex) -> Action:
        match self.state().phase:
            case "DRIFT" if chute.drift is not None:
                return Blow(chute.id, to)
            case "ADJUST":
                return Adjust(chute.id, to)
            case "LAND" | "CHECKS" if chute.status == "LANDED":
                return Chain(chute.id, to)
            case "DRIFT":
                return Relocate(chute.id, to)
            case "RtPh" if chute.status == "LANDED" and not chute.is_weapon:
                return Rout(chute.id, to)
            case _:
                return Adjust(chute.id, to)

    def walked(self, piece: str, to: Hex) -> Action:
        state = self.state()
        unit = state.units[piece]
        if unit.where is None or state.phase == "SETUP":
            return Relocate(piece, to)
        match state.phase:
            case "CHECKS" if unit.deployed:
                return Displace(piece, to)
            case "RtPh":
                return Rout(piece, to)
            case "APh":
                return Advance(piece, to)
            case _:
                return Move(piece, to)

    def unasked(self) -> Iterator[Breach]:
        """Yield counters that were taken off the table, or put onto it, for no reason."""
        state = self.state()
        for piece in sorted(self.step.gone):
            if piece in state.units or piece in state.chutes:
                words = f"{piece} was taken from the table, and nothing in the rules does so"
                yield Breach("LOG-TABLE", words, pieces=(piece,))
        for piece in sorted(self.step.placed):
            if piece in state.units and state.phase != "SETUP":
                words = f"another {piece} was put onto the table, and nothing in the rules does so"
                yield Breach("LOG-TABLE", words, Ruling.WARNING, pieces=(piece,))

    # --- helps --------------------------------------------------------------------------------

    def came_out(self) -> tuple[str, ...]:
        """Return the units that came into a hex, and explain the ways of the whole step."""
        ways = tuple(self.step.ways.items())
        self.explained |= {piece for piece, _ in ways}
        return tuple(
            piece
            for piece, end in ways
            if piece in self.state().units and self.find(end.label or "") is not None
        )

    def opened_in(self, units: tuple[str, ...], at: Hex) -> Hex:
        """Return where units came out of a box: another hex than their parachute's counts."""
        found = {self.find(self.step.ways[unit].label or "") for unit in units}
        return min((h for h in found if h is not None and h != at), default=at)

    def landed(self, piece: str, die: int) -> str:
        """Return where a parachute with a bridge's dr came down, by the module's own words."""
        chute = self.state().chutes.get(piece)
        if chute is None or chute.where is None:
            return "GROUND"
        kind = self.state().ground.bridge(terrain_hex(chute.where))
        if not die:
            return "IN" if kind else "GROUND"
        told = "one_lane" if self.value(piece, "Lanes", self.step) == "1" else "wide"
        return "BRIDGE" if lands_on_bridge(chute, told, die) else "IN"

    def is_elim(self, piece: str) -> bool:
        return (self.step.ways[piece].label or "").startswith("Elim")


def _is_outside(unit: Unit | None) -> bool:
    return unit is not None and unit.offboard

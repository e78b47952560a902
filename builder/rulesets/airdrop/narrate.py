"""What a table shows when a player takes an action: the module's own changes and lines.

A line of ``lines.toml`` has the fields of its action, so it is the action as text; the changes are
those that the module's menus and drags cause (``prototypes.toml``), without what follows of
itself, such as the face that a layer shows. Names of units in a Cloaking Box stand in no line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from builder.gamebox.events import (
    Changed,
    Concealed,
    Event,
    Moved,
    Place,
    Placed,
    PropertyChanged,
    Removed,
    Said,
    Thing,
    TurnChanged,
)
from builder.gamebox.lines import Grammar
from builder.hexes.grid import Hex
from builder.rules.notation import Notation
from builder.rulesets.airdrop.actions import (
    HEX_MARKS,
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
    Dproll,
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
    Phase,
    Rally,
    Recover,
    Relocate,
    Rout,
    Rs,
    Tc,
    Weather,
    Wind,
    Wing,
)
from builder.rulesets.airdrop.actions import Place as Put
from builder.rulesets.airdrop.dice import attacked_piece, dice_of, thrown_for, wing_piece
from builder.rulesets.airdrop.facts import label, terrain_hex
from builder.rulesets.airdrop.state import State, place_of
from builder.rulesets.airdrop.tracker import shown_turn

__all__ = ["BOXES", "MAP", "Narrator", "is_dragged"]

MAP: Final = "Main"
BOXES: Final = "Cloaking Boxes"
"""The names of the module's map, and of its private window."""


class Narrator(NamedTuple):
    """Tells actions as events; made once for a game's line grammar and its notation."""

    grammar: Grammar
    notation: Notation

    def narrate(self, state: State, action: Action) -> tuple[Event, ...]:
        """Return the events of an action taken in a state."""
        telling = _Telling(state)
        line = () if isinstance(action, Load | Relocate) else (self._line(state, action),)
        match action:
            case Phase():
                return (*line, *telling.phase(action))
            case Open(chute=piece) | Deploy(chute=piece) | Elim(piece=piece) | Recover(chute=piece):
                # a parachute leaves when its line is written, which names its hex
                return (*telling.before(action), *line, *telling.leaves(piece, action))
            case _:
                return (*telling.before(action), *line)

    def _line(self, state: State, action: Action) -> Said:
        told = action
        if isinstance(action, Rs) and (unit := state.units.get(action.piece)) and not unit.where:
            told = replace(action, piece=f"Box{unit.stick}")
        if isinstance(action, Put):
            told = replace(action, copy=False)
        return Said(step=1, words=f"* {self.grammar.prefix}: {self.notation.write(told)}")


def is_dragged(action: Action) -> bool:
    """Tell whether a player does an action by dragging a counter, and not by a command."""
    return isinstance(action, Move | Rout | Advance | Adjust | Cvp | Load | Relocate)


class _Telling:
    """The changes of one action."""

    def __init__(self, state: State) -> None:
        self.state = state

    def before(self, action: Action) -> Iterator[Event]:
        """Yield what changes before the line is written."""
        yield from self.dice(action)
        match action:
            case Weather(state=weather):
                yield self.valued("Weather", self.state.weather, weather)
            case Wind(dir=direction, force=force):
                yield self.valued("WindDir", self.state.wind_dir, direction)
                yield self.valued("WindForce", self.state.wind_force, force)
            case Wing(id=wing, dp=to, grain=grain, sticks=sticks):
                yield self.changed(wing_piece(wing), "Grain", grain)
                yield self.changed(wing_piece(wing), "Count", len(sticks))
                yield self.moved(wing_piece(wing), to)
            case Dproll(wing=wing, hex=to):
                plan = self.state.wings.get(wing)
                if plan is None or (plan.point or plan.planned) != to:
                    yield self.moved(wing_piece(wing), to)
            case Mark(kind=kind, hex=at, on=on) if kind in HEX_MARKS:
                where = self.place(at)
                thing = _thing(kind)
                yield (
                    Placed(step=1, piece=thing, at=where)
                    if on
                    else Removed(step=1, piece=thing, start=where)
                )
            case Mark(kind=kind, piece=piece, on=on):
                yield self.changed(piece, kind, int(on))
                if kind == "DM" and on and piece in self.state.chutes:
                    yield from self.broken(piece)
            case Load(unit=unit, stick=stick):
                box = f"Box{stick}" if stick else "Reserve"
                yield self.moved(unit, Place(map=BOXES, label=box))
            case Cvp(points=points):
                yield self.moved("CVP", Place(map=MAP, label=f"CVP{points}"))
            case Rally(unit=unit):
                yield self.changed(unit, "Broken", 0)
                yield self.changed(unit, "DM", 0)
            case Attack(unit=unit, kind=kind, leader=leader):
                yield from self.aimed(unit, leader)
                target = attacked_piece(self.state, action)
                if target:
                    yield self.changed(target, "How", kind)
                    yield self.changed(target, "Attacks", self.state.attacks.get(target, 0) + 1)
            case Relocate(piece=piece, to=to):
                yield self.moved(piece, to if isinstance(to, Hex) else Place(map=MAP, label=to))
            case _:
                yield from self.parachute(action)
                yield from self.unit(action)

    def dice(self, action: Action) -> Iterator[Event]:
        piece = thrown_for(action)
        if isinstance(action, Rs) and action.cause != "TARGET":
            yield self.changed(piece, "PickFor", action.cause)
        if piece:
            for name, value in dice_of(action).items():
                yield self.changed(piece, name, value)
            # dice may fall as they lay: the count alone always changes
            yield self.changed(piece, "Thrown", self.state.throws.get(piece, 0) + 1)

    def parachute(self, action: Action) -> Iterator[Event]:
        """Yield what a parachute shows."""
        match action:
            case Put(chute=chute, hex=to, copy=copy):
                if copy:
                    yield Placed(step=1, piece=_thing(chute), at=self.place(to))
                    return
                yield self.changed(chute, "Status", "AERIAL")
                yield self.moved(chute, to)
            case Drift(chute=chute, to=to):
                yield self.changed(chute, "Drifted", 2)
                yield from self.flown(chute, to)
            case Blow(chute=chute, to=to):
                yield self.changed(chute, "Drifted", 3)
                yield from self.flown(chute, to)
            case Fire(firer=firer, drm=drm):
                yield from self.aimed(firer, "" if "LEADER" not in drm else None)
            case Mc(chute=chute, plus=plus, cause=cause, passed=passed):
                yield self.changed(chute, "CheckCause", cause)
                yield self.changed(chute, "Plus", plus)
                if not passed:
                    yield from self.broken(chute)
            case Tc(chute=chute, plus=plus):
                yield self.changed(chute, "CheckCause", "TASK")
                yield self.changed(chute, "Plus", plus)
            case Adjust(chute=chute, to=to) | Chain(chute=chute, to=to):
                yield from self.flown(chute, to)
            case Land(chute=chute, dr=dr):
                at = place_of(self.state, chute)
                if dr and at is not None:
                    kind = self.state.ground.bridge(terrain_hex(at))
                    yield self.changed(chute, "Lanes", 1 if kind == "one_lane" else 2)
                yield self.changed(chute, "Status", "LANDED")
            case Flip(chute=chute):
                yield self.changed(chute, "Flipped", 1)
            case _:
                return

    def broken(self, chute: str) -> Iterator[Event]:
        """Yield how a Stick and all that hangs on it breaks."""
        yield self.changed(chute, "Broken", 1)
        for unit in self.state.men_of(chute[1:]):
            yield self.changed(unit.id, "Broken", 1)
            yield self.changed(unit.id, "DM", 1)

    def unit(self, action: Action) -> Iterator[Event]:
        """Yield what units show."""
        match action:
            case Deploy(chute=chute, units=units, hex=to) | Open(chute=chute, units=units, hex=to):
                status = "DEPLOYED" if isinstance(action, Deploy) else "REMOVED"
                yield self.changed(chute, "Status", status)
                for unit in units:
                    yield from self.out(unit, to)
                if isinstance(action, Deploy):
                    for whole in self.state.units_of(chute[1:]):
                        if whole.kind == "squad":
                            yield self.moved(whole.id, Place(map=MAP, label="Removed"))
            case Recover(unit=unit, chute=chute, sw=sw):
                yield from self.aimed(unit, None)
                yield self.changed(chute, "Status", "RECOVERED")
                found = self.state.units.get(unit)
                if sw and found is not None and found.where is not None:
                    yield from self.out(sw, found.where)
            case Elim(piece=piece) if piece in self.state.chutes:
                yield self.changed(piece, "Status", "ELIMINATED")
            case Loss(unit=unit, kind="WOUND"):
                yield self.changed(unit, "Wounded", 1)
            case Loss(unit=unit):
                yield from self.out(unit, self.graveyard(unit))
                yield from self.halved(unit)
            case Canister(unit=unit, passed=True):
                yield self.changed(unit, "SYSTEMS", 0)
            case Displace(unit=unit, to=to) | Rout(unit=unit, to=to) | Advance(unit=unit, to=to):
                yield self.moved(unit, to)
            case Move(unit=unit, to=to):
                yield self.moved(unit, to)
                ways = (*self.state.entered.get(unit, ()), to)
                yield self.changed(unit, "Ways", ",".join(dict.fromkeys(map(label, ways))))
            case _:
                return

    def out(self, unit: str, to: Hex | Place) -> Iterator[Event]:
        """Yield how a unit comes out of its Cloaking Box, face up."""
        found = self.state.units.get(unit)
        if found is not None and found.where is None:
            at = Place(map=BOXES)
            yield Concealed(step=1, piece=_thing(unit), at=at, how="mask", is_on=False)
        yield self.moved(unit, to)

    def halved(self, lost: str) -> Iterator[Event]:
        """Yield how the other Half-Squad of a squad takes its place in the Cloaking Box."""
        half = self.state.units.get(lost)
        whole = self.state.units.get(half.half_of) if half is not None else None
        if whole is None or whole.where is not None or not whole.stick:
            return
        for other in self.state.units.values():
            if other.half_of == whole.id and other.id != lost:
                yield self.moved(other.id, Place(map=BOXES, label=f"Box{whole.stick}"))
        yield self.moved(whole.id, Place(map=MAP, label="Removed"))

    def leaves(self, piece: str, action: Action) -> Iterator[Event]:
        """Yield how a parachute that is no longer needed leaves the map, or what dies with it."""
        if not isinstance(action, Elim):
            yield self.moved(piece, Place(map=MAP, label="Removed"))
            return
        chute = self.state.chutes.get(piece)
        for unit in self.state.hanging_on(chute) if chute is not None else ():
            yield from self.out(unit.id, self.graveyard(unit.id))
        yield self.moved(piece, self.graveyard(piece))

    def phase(self, action: Phase) -> Iterator[Event]:
        """Yield where the turn tracker goes."""
        yield TurnChanged(step=1, tracker="Turn", old="", new=shown_turn(action))

    def aimed(self, unit: str, leader: str | None) -> Iterator[Event]:
        """Yield which unit acts, and who leads it; ``None`` for a leader whom no line names."""
        yield self.valued("Firer", "", unit)
        if leader is not None:
            yield self.valued("LeadId", "", leader)

    def graveyard(self, piece: str) -> Place:
        found = self.state.units.get(piece)
        return Place(map=MAP, label=f"Elim{found.side if found is not None else 'Attacker'}")

    def flown(self, chute: str, to: Hex) -> Iterator[Event]:
        found = self.state.chutes.get(chute)
        if found is None or found.where != to:
            yield self.moved(chute, to)

    def moved(self, piece: str, to: Hex | Place) -> Moved:
        end = to if isinstance(to, Place) else self.place(to)
        return Moved(step=1, piece=_thing(piece), start=Place(), end=end)

    def place(self, at: Hex | None) -> Place:
        return Place(map=MAP, label=label(at)) if at is not None else Place()

    def changed(self, piece: str, name: str, new: object) -> Changed:
        at = Place(map=MAP)
        return Changed(step=1, piece=_thing(piece), at=at, name=name, old=None, new=str(new))

    def valued(self, name: str, old: object, new: object) -> PropertyChanged:
        return PropertyChanged(step=1, name=name, old=str(old), new=str(new), container="Module")


def _thing(piece: str) -> Thing:
    return Thing(id=piece, name=piece)

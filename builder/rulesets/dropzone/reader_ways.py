"""Reads the ways of Drop Zone's counters: moves, entries, landings, advances, and odd ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.actions import (
    Action,
    Advance,
    Displace,
    DrawUnit,
    Drop,
    Land,
    Move,
    Place,
    Receive,
    Relocate,
    Return,
    SetVP,
)
from builder.rulesets.dropzone.facts import ALLIED
from builder.rulesets.dropzone.follow import place_of
from builder.rulesets.dropzone.reader_digest import Digest, Travel
from builder.rulesets.dropzone.reader_known import KnownTable, StateNow, number_of
from builder.rulesets.dropzone.reinforcement import why_not_due
from builder.rulesets.dropzone.setup import landing_choices
from builder.rulesets.dropzone.state import State

__all__ = ["WayReader"]


@dataclass
class WayReader(KnownTable):
    """Reads where the counters of a step went."""

    def travels(self, digest: Digest, state: StateNow, by: str) -> Iterator[Action]:
        """Yield the actions of all ways of a step."""
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
            yield Advance(key, to, number_of(now), by)
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
            yield Advance(key, to, number_of(now), by)
        else:
            yield Move(key, to, by=by)

    def _dropped(
        self, digest: Digest, state: State, key: str, to: Place, by: str
    ) -> Iterator[Action]:
        dice = [self.value(digest, key, name) for name in ("White", "Red")]
        white, red = (int(d) if d.isdecimal() and len(d) < 3 else 0 for d in dice)
        drop = Drop(key, white, red, to, by)
        choices = landing_choices(state, key, drop.white, drop.red)
        is_free = isinstance(to, Hex) and not state.held_by.get(to)
        is_fine = self.facts.units[key].aim is None or (is_free and to in choices)
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

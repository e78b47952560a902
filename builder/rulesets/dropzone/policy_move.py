"""How the program's players move: first whom to attack and with what, then where the rest goes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from builder.hexes.grid import Hex
from builder.hexes.measure import distance
from builder.rulesets.dropzone.actions import Move
from builder.rulesets.dropzone.candidates_moves import reach_of
from builder.rulesets.dropzone.facts import GERMAN, Side, enemy_of
from builder.rulesets.dropzone.playing import PlayTable
from builder.rulesets.dropzone.policy_plan import (
    Prospect,
    danger,
    objective_worth,
    worth_of_attack,
)
from builder.rulesets.dropzone.state import State

__all__ = ["move_command"]

_MOST_ATTACKERS: Final = 5
_LEAST_WORTH: Final = 0.35
"""What an attack must promise to be planned; what happens on the way may still change it."""


def move_command(table: PlayTable, command: str) -> None:
    """Move the units of a Command in its movement step."""
    plan = _Plan(table, command)
    for unit, to in plan.attackers():
        plan.go(unit, to)
    for unit in plan.rest():
        plan.go_well(unit)


class _Plan:
    """Where every unit of a Command may go, and what is spoken for."""

    def __init__(self, table: PlayTable, command: str) -> None:
        self.table = table
        state = table.state
        self.side: Side = state.facts.side_of_command(command) or GERMAN
        self.units = [
            k
            for k in state.command_units(command)
            if state.units[k].steps > 0
            and (state.units[k].is_on_map or str(state.units[k].place).startswith("Entry"))
        ]
        self.reach: dict[str, Mapping[Hex, int]] = {k: reach_of(state, k) for k in self.units}
        self.taken: set[Hex] = {
            h for h, keys in state.units_at.items() if any(k not in self.units for k in keys)
        }
        self.enemies = [
            (k, h)
            for k, u in state.units.items()
            if (h := u.hex) is not None and u.steps > 0 and state.facts.units[k].side != self.side
        ]
        self.done: set[str] = set()
        self.goals = [
            (o.hex, objective_worth(state, o.hex, self.side))
            for o in state.facts.objectives.values()
            if not state.is_held(o.hex, self.side)
        ]
        for key in self.units:
            if self._must_stay(state, key):
                self._settle(key, state.hex_of(key))

    def _must_stay(self, state: State, key: str) -> bool:
        """A German unit alone in an objective loses it to the FFI when it leaves (rule 6)."""
        h = state.units[key].hex
        if h is None or h not in state.facts.garrison_at or self.side != GERMAN:
            return False
        return h not in state.garrison_at and objective_worth(state, h, self.side) >= 1

    def _settle(self, key: str, h: Hex | None) -> None:
        self.done.add(key)
        if h is not None:
            self.taken.add(h)

    # --- attackers ------------------------------------------------------------------------------

    def attackers(self) -> list[tuple[str, Hex]]:
        """Return units and the hexes from which they will attack, best attack first."""
        state = self.table.state
        found: list[tuple[str, Hex]] = []
        targets = [h for h, sides in state.held_by.items() if enemy_of(self.side) in sides]
        while True:
            best: tuple[Prospect, list[tuple[str, Hex]]] | None = None
            for target in targets:
                group = self._group(state, target)
                if not group:
                    continue
                prospect = worth_of_attack(state, target, group, self.side)
                rank = prospect.worth - 0.12 * len(group)
                if rank > _LEAST_WORTH and (
                    best is None or rank > best[0].worth - 0.12 * len(best[1])
                ):
                    best = (prospect, group)
            if best is None:
                return found
            targets.remove(best[0].target)
            for key, h in best[1]:
                self._settle(key, h)
                found.append((key, h))

    def _group(self, state: State, target: Hex) -> list[tuple[str, Hex]]:
        """Return the units that would attack a hex, added while they make it better."""
        around = [n for n in state.facts.ground.neighbors_of[target] if n not in self.taken]
        around = [n for n in around if not state.is_held(n, enemy_of(self.side))]
        river = {n: state.facts.ground.side_kind(n, target) != "" for n in around}
        free = sorted(around, key=lambda n: (river[n], n))
        able = [
            k for k in self.units if k not in self.done and any(n in self.reach[k] for n in free)
        ]
        able.sort(
            key=lambda k: (-state.facts.units[k].dice(state.units[k].steps), self.units.index(k))
        )
        group: list[tuple[str, Hex]] = []
        worth = 0.0
        for key in able:
            here = state.units[key].hex
            spots = [n for n in free if n in self.reach[key]]
            if not spots:
                continue
            spot = here if here in spots else spots[0]
            longer = [*group, (key, spot)]
            better = worth_of_attack(state, target, longer, self.side).worth
            if group and better < worth + 0.1:
                continue
            group, worth = longer, better
            free.remove(spot)
            if len(group) == _MOST_ATTACKERS:
                break
        return group

    # --- the others -----------------------------------------------------------------------------

    def rest(self) -> list[str]:
        """Return the units without a task."""
        return [k for k in self.units if k not in self.done]

    def go_well(self, key: str) -> None:
        """Move a unit to the best place for it."""
        state = self.table.state
        here = state.units[key].hex
        best = max(
            (h for h in self.reach[key] if h not in self.taken),
            key=lambda h: (self._merit(state, key, h) + 0.05 * (h == here), -h.column, -h.row),
            default=None,
        )
        if best is None or not self.go(key, best):
            self._settle(key, here)

    def _merit(self, state: State, key: str, h: Hex) -> float:
        pull = max((w / (1.5 + distance(h, goal)) for goal, w in self.goals), default=0.0)
        threat = danger(state, h, self.side, self.enemies)
        held = objective_worth(state, h, self.side) if state.is_held(h, self.side) else 0.0
        guard = 0.35 * held * min(threat, 3.0)
        weak = 0.04 * threat * (state.units[key].steps == 1)
        hill = 0.05 if "hill" in state.facts.ground.features(h) else 0.0
        return pull + guard + hill - weak

    def go(self, key: str, to: Hex) -> bool:
        """Move a unit; tell whether it is there."""
        state = self.table.state
        if state.units[key].hex != to and not self.table.try_to(Move(key, to)):
            self._settle(key, state.units[key].hex)
            return False
        self._settle(key, to)
        return True

"""How the program's players move: whom to attack, which objectives to hold, where the rest goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from builder.hexes.grid import Hex
from builder.hexes.measure import distance
from builder.rulesets.dropzone.actions import Move
from builder.rulesets.dropzone.candidates_moves import reach_of
from builder.rulesets.dropzone.facts import GERMAN, Side, enemy_of
from builder.rulesets.dropzone.playing import PlayTable
from builder.rulesets.dropzone.policy_plan import (
    danger,
    objective_worth,
    worth_of_attack,
)
from builder.rulesets.dropzone.policy_risk import Strength, foes_of, risk_at, strength_at
from builder.rulesets.dropzone.policy_style import STYLES
from builder.rulesets.dropzone.state import State

__all__ = ["move_command"]

_MOST_ATTACKERS: Final = 5
_LEAST_HOLD: Final = 0.3
"""What a unit must do for an objective of its side to be sent there."""


def move_command(table: PlayTable, command: str) -> None:
    """Move the units of a Command in its movement step."""
    plan = _Plan(table, command)
    for unit, to in plan.tasks():
        plan.go(unit, to)
    for unit in plan.rest():
        plan.go_well(unit)
    plan.part()


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
        self.style = STYLES[self.side]
        self.foes = foes_of(state, self.side)
        self.views: dict[Hex, tuple[float, float]] = {}
        self.risks: dict[tuple[Hex, Strength, bool], float] = {}
        self.done: set[str] = set()
        self.goals = [
            (o.hex, objective_worth(state, o.hex, self.side))
            for o in state.facts.objectives.values()
            if not state.is_held(o.hex, self.side)
        ]

    def _settle(self, key: str, h: Hex | None) -> None:
        self.done.add(key)
        if h is not None:
            self.taken.add(h)

    # --- tasks ----------------------------------------------------------------------------------

    def tasks(self) -> list[tuple[str, Hex]]:
        """Return units and where they go, to attack from there or to hold it; best first."""
        state = self.table.state
        found: list[tuple[str, Hex]] = []
        targets = [h for h, sides in state.held_by.items() if enemy_of(self.side) in sides]
        while True:
            worth, target, group = self._best_attack(state, targets)
            gain, key, post = self._best_post(state)
            if post is not None and gain > max(worth, _LEAST_HOLD):
                group = [(key, post)]
            elif target is not None:
                targets.remove(target)
            else:
                return found
            for unit, h in group:
                self._settle(unit, h)
            found += group

    def _best_attack(
        self, state: State, targets: Sequence[Hex]
    ) -> tuple[float, Hex | None, list[tuple[str, Hex]]]:
        """Return the attack that promises most: its worth, the target, and who goes where."""
        best: tuple[float, Hex | None, list[tuple[str, Hex]]] = (0.0, None, [])
        for target in targets:
            group = self._group(state, target)
            if not group:
                continue
            worth = worth_of_attack(state, target, group, self.side).worth
            worth -= self.style.crowd * len(group)
            if worth > max(best[0], self.style.least):
                best = (worth, target, group)
        return best

    def _best_post(self, state: State) -> tuple[float, str, Hex | None]:
        """Return the unit that does most by standing in an objective of its side, and which."""
        best: tuple[float, str, Hex | None] = (0.0, "", None)
        for objective in state.facts.objectives.values():
            h = objective.hex
            if h in self.taken or not state.is_held(h, self.side):
                continue
            worth = self.style.hold * objective_worth(state, h, self.side)
            # without a unit a German objective that has no garrison falls to the FFI (rule 6)
            before = self._risk(state, h, ())
            for key in self.units:
                if key in self.done or h not in self.reach[key]:
                    continue
                gain = worth * (before - self._risk(state, h, (key,)))
                gain += self.style.stay * (state.units[key].hex == h)
                gain -= 0.14 * self._exposure(state, key, h)
                if gain > best[0]:
                    best = (gain, key, h)
        return best

    def _risk(self, state: State, h: Hex, units: Sequence[str]) -> float:
        return self._kept(state, h, strength_at(state, h, self.side, units), lasts=False)

    def _kept(self, state: State, h: Hex, held: Strength, *, lasts: bool) -> float:
        """Return the risk at a hex, worked out once: while a Command moves, its enemy does not."""
        key = (h, held, lasts)
        if key not in self.risks:
            self.risks[key] = risk_at(state, h, self.side, self.foes, held, lasts=lasts)
        return self.risks[key]

    def _exposure(self, state: State, key: str, h: Hex) -> float:
        """Return what a unit risks by standing in a hex, in points."""
        if not self.style.caution:
            return 0.0
        held = strength_at(state, h, self.side, (key,))
        risk = self._kept(state, h, held, lasts=True)
        return self.style.caution * state.units[key].steps * risk

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
            if self.style.caution:
                spot = min(spots, key=lambda n: (river[n], self._exposure(state, key, n), n))
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

    def part(self) -> None:
        """Part units that stand together, since one could not leave for the other (rule 5.1).

        Who finds no free hex goes back to where it came from, and if somebody is there by now, he
        goes back in his turn.
        """
        for _ in self.units * 2:
            stacks = self.table.state.units_at.items()
            stacked = [k for _, keys in stacks if len(keys) > 1 for k in keys if k in self.units]
            if not stacked or not (self._aside(stacked) or self._back(stacked)):
                return

    def _aside(self, stacked: Sequence[str]) -> bool:
        """Let one of some units go to a free hex within what is left of its points."""
        state = self.table.state
        for key in reversed(stacked):
            free = [h for h in reach_of(state, key) if h not in state.units_at]
            free.sort(key=lambda h: (-self._merit(state, key, h), h))
            if any(self.table.try_to(Move(key, h)) for h in free):
                return True
        return False

    def _back(self, stacked: Sequence[str]) -> bool:
        """Let one of some units go back to where its moves began."""
        units = self.table.state.units
        starts = [(k, units[k].trail[0]) for k in stacked if units[k].trail]
        return any(self.table.try_to(Move(k, h)) for k, h in starts if isinstance(h, Hex))

    def _merit(self, state: State, key: str, h: Hex) -> float:
        if h not in self.views:
            pull = max((w / (1.5 + distance(h, goal)) for goal, w in self.goals), default=0.0)
            self.views[h] = pull, danger(state, h, self.side, self.enemies)
        pull, threat = self.views[h]
        held = objective_worth(state, h, self.side) if state.is_held(h, self.side) else 0.0
        guard = 0.35 * held * min(threat, 3.0)
        weak = 0.04 * threat * (state.units[key].steps == 1)
        hill = 0.05 if "hill" in state.facts.ground.features(h) else 0.0
        return pull + guard + hill - weak - self._exposure(state, key, h)

    def go(self, key: str, to: Hex) -> bool:
        """Move a unit; tell whether it is there."""
        state = self.table.state
        if state.units[key].hex != to and not self.table.try_to(Move(key, to)):
            self._settle(key, state.units[key].hex)
            return False
        self._settle(key, to)
        return True

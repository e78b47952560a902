"""Rule 5.1: cheapest ways over the map: terrain, roads, hexsides, zones of control, enemies.

All sums are in half points. A way is found over everything that a unit may enter: hexes held by
the enemy are closed, hexes of friends are open; where it may stop is for the rules to say.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import Side, enemy_of
from builder.rulesets.dropzone.ground import StepCost, points_text
from builder.rulesets.dropzone.state import State

__all__ = ["Leg", "Way", "cheapest", "entry_way", "reach", "zoc_cost"]


class Leg(NamedTuple):
    """One step of a way: where from (``None`` from off the map), the ground, and the ZOC."""

    start: Hex | None
    step: StepCost
    zoc: int

    @property
    def cost(self) -> int:
        """Its half points."""
        return self.step.cost + self.zoc


@dataclass(frozen=True, slots=True)
class Way:
    """A way over the map, and what it costs.

    ``cost`` in half points as the chart has it, ``floor`` the least that any way could cost
    whatever the figures that the rulebook does not give (see :mod:`ground`).
    """

    legs: tuple[Leg, ...]
    floor: int

    @property
    def cost(self) -> int:
        """Half points in all."""
        return sum(leg.cost for leg in self.legs)

    @property
    def hexes(self) -> tuple[Hex, ...]:
        """The hexes entered, in order."""
        return tuple(leg.step.to for leg in self.legs)

    @property
    def ours(self) -> tuple[str, ...]:
        """The figures in its sum that the rulebook does not give, each once."""
        return tuple(dict.fromkeys(name for leg in self.legs for name in leg.step.ours))

    def words(self, state: State) -> str:
        """Return the sum as a finding prints it.

        Such as ``1204 clear 1, 1205 road ½ + out of a ZOC 1``.
        """
        names = {0: "", 2: " + out of a ZOC 1", 4: " + from ZOC to ZOC 2"}
        return ", ".join(
            f"{state.facts.label(leg.step.to)} {leg.step.words}"
            + names.get(leg.zoc, f" + ZOC {points_text(leg.zoc)}")
            for leg in self.legs
        )


@book.states("DZ-5.1h")
def zoc_cost(state: State, side: Side, start: Hex | None, end: Hex) -> int:
    """Rule 5.1: half points that zones of control add to a step of a side's unit.

    Nothing to enter one or to come from off the map, the chart's cost to leave one, and its cost
    from one to another.
    """
    enemy = state.zones[enemy_of(side)]
    if start is None or start not in enemy:
        return 0
    figures = state.facts.ground.figures
    return (figures["between"] if end in enemy else figures["leave"]).move


def reach(
    state: State, side: Side, sources: Mapping[Hex, int], limit: int, *, floor: bool = False
) -> dict[Hex, int]:
    """Return what it costs at least to come to each hex, in half points.

    ``sources`` maps hexes to what it cost to be there; dearer than ``limit`` is left out, and so
    are hexes held by the enemy. With ``floor`` the least possible costs are taken.
    """
    costs, _ = _search(state, side, sources, limit, None, floor=floor)
    return costs


def cheapest(state: State, side: Side, start: Hex, end: Hex, limit: int = 400) -> Way | None:
    """Return the cheapest way between two hexes, or ``None`` if there is none within a limit.

    Of ways of the same cost the one with fewest hexes is taken, then the one found first in the
    order of the neighbors.
    """
    costs, came = _search(state, side, {start: 0}, limit, end)
    if end not in costs:
        return None
    floors, _ = _search(state, side, {start: 0}, limit, end, floor=True)
    return Way(_legs(state, side, came, end), floors[end])


def entry_way(state: State, side: Side, entries: Mapping[Hex, int], end: Hex) -> Way | None:
    """Return the cheapest way from off the map to a hex.

    ``entries`` maps the hexes by which the map may be entered to half points that are lost there
    by the order of entry; these count when ways are compared, and not in the way's cost.
    """
    ground = state.facts.ground
    sources = {
        h: ground.entries[h].cost + lost
        for h, lost in entries.items()
        if h in ground.entries and not state.is_held(h, enemy_of(side))
    }
    costs, came = _search(state, side, sources, 400, end)
    if end not in costs:
        return None
    floors, _ = _search(
        state, side, {h: ground.entries[h].floor for h in sources}, 400, end, floor=True
    )
    first = Leg(None, ground.entries[_root(came, end)], 0)
    return Way((first, *_legs(state, side, came, end)), floors[end])


def _root(came: Mapping[Hex, Hex], end: Hex) -> Hex:
    while end in came:
        end = came[end]
    return end


def _search(
    state: State,
    side: Side,
    sources: Mapping[Hex, int],
    limit: int,
    goal: Hex | None,
    *,
    floor: bool = False,
) -> tuple[dict[Hex, int], dict[Hex, Hex]]:
    """Dijkstra's search; returns costs, and for each hex the one before it."""
    ground = state.facts.ground
    enemy = enemy_of(side)
    held, zone = state.held_by, state.zones[enemy]
    leave, between = ground.figures["leave"].move, ground.figures["between"].move
    costs: dict[Hex, int] = {}
    came: dict[Hex, Hex] = {}
    best = {h: (cost, 0) for h, cost in sources.items() if cost <= limit}
    queue = [(cost, 0, n, h) for n, (h, (cost, _)) in enumerate(best.items())]
    heapq.heapify(queue)
    count = len(queue)
    while queue:
        cost, hops, _, h = heapq.heappop(queue)
        if h in costs:
            continue
        costs[h] = cost
        if h == goal:
            break
        leaves = h in zone
        for step in ground.steps[h]:
            n = step.to
            if n in costs or enemy in held.get(n, ()):
                continue
            total = cost + (step.floor if floor else step.cost)
            if leaves:
                total += between if n in zone else leave
            if total <= limit and (n not in best or (total, hops + 1) < best[n]):
                best[n] = (total, hops + 1)
                came[n] = h
                heapq.heappush(queue, (total, hops + 1, count, n))
                count += 1
    return costs, came


def _legs(state: State, side: Side, came: Mapping[Hex, Hex], end: Hex) -> tuple[Leg, ...]:
    legs: list[Leg] = []
    while end in came:
        start = came[end]
        step = state.facts.ground.step(start, end)
        assert step is not None, "a way goes from neighbor to neighbor"
        legs.append(Leg(start, step, zoc_cost(state, side, start, end)))
        end = start
    return tuple(reversed(legs))

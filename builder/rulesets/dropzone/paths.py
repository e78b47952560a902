"""Rule 5.1: cheapest ways over the map: terrain, roads, hexsides, zones of control, enemies.

All sums are in half points. A way is found over everything that a unit may enter: hexes held by
the enemy are closed, hexes of friends are open; where it may stop is for the rules to say. To tell
why a move is too dear, ways can also be found as if the enemy's hexes were open (``through``), or
as if zones of control cost nothing (``free``).
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import Side, enemy_of
from builder.rulesets.dropzone.ground import StepCost, points_text
from builder.rulesets.dropzone.state import State

__all__ = ["Leg", "Way", "cheapest", "entry_way", "least", "reach", "zoc_cost"]

_FAR: Final = 400
"""More half points than any way over the map costs."""


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
    """A way over the map, and what it costs."""

    legs: tuple[Leg, ...]

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


@book.states("DZ-5.1m")
def reach(
    state: State,
    side: Side,
    sources: Mapping[Hex, int],
    limit: int,
    *,
    floor: bool = False,
    through: bool = False,
    free: bool = False,
) -> dict[Hex, int]:
    """Return what it costs at least to come to each hex, in half points, nearest first.

    ``sources`` maps hexes to what it cost to be there; dearer than ``limit`` is left out, and so
    are hexes held by the enemy; those of friends are open (rule 5.1). With ``floor`` the least
    possible costs are taken (see :mod:`ground`).
    """
    ground = state.facts.ground
    around = ground.floors if floor else ground.costs
    zone = frozenset[Hex]() if free else state.zones[enemy_of(side)]
    closed = frozenset[Hex]() if through else state.closed_to(side)
    leave, between = ground.figures["leave"].move, ground.figures["between"].move
    # costs are small whole numbers: a list for each sum is quicker than a queue that sorts
    waiting: list[list[Hex]] = [[] for _ in range(limit + 1)]
    for h, cost in sources.items():
        if cost <= limit and h in around:
            waiting[cost].append(h)
    best = {h: cost for h, cost in sources.items() if cost <= limit and h in around}
    found: dict[Hex, int] = {}
    for cost, row in enumerate(waiting):
        for h in row:
            if h in found:
                continue
            found[h] = cost
            leaves = h in zone
            for n, step in around[h]:
                if n in found or n in closed:
                    continue
                total = cost + step
                if leaves:
                    total += between if n in zone else leave
                if total <= limit and best.get(n, limit + 1) > total:
                    best[n] = total
                    waiting[total].append(n)
    return found


def least(
    state: State, side: Side, sources: Mapping[Hex, int], end: Hex, *, through: bool = False
) -> int:
    """Return the least that any way could cost, whatever the figures that are our own.

    A great number if there is no way at all.
    """
    return reach(state, side, sources, _FAR, floor=True, through=through).get(end, _FAR)


def cheapest(
    state: State, side: Side, start: Hex, end: Hex, *, through: bool = False, free: bool = False
) -> Way | None:
    """Return the cheapest way between two hexes, or ``None`` if there is none.

    Of ways of the same cost the one with fewest hexes is taken, then the one found first in the
    order of the neighbors.
    """
    came = _search(state, side, {start: 0}, end, through=through, free=free)
    return None if came is None else Way(_legs(state, side, came, end, free=free))


def entry_way(
    state: State,
    side: Side,
    entries: Mapping[Hex, int],
    end: Hex,
    *,
    through: bool = False,
    free: bool = False,
) -> Way | None:
    """Return the cheapest way from off the map to a hex.

    ``entries`` maps the hexes by which the map may be entered to half points that are lost there
    by the order of entry; these count when ways are compared, and not in the way's cost.
    """
    ground = state.facts.ground
    sources = {
        h: ground.entries[h].cost + lost
        for h, lost in entries.items()
        if h in ground.entries and (through or h not in state.closed_to(side))
    }
    came = _search(state, side, sources, end, through=through, free=free)
    if came is None:
        return None
    first = Leg(None, ground.entries[_root(came, end)], 0)
    return Way((first, *_legs(state, side, came, end, free=free)))


def _root(came: Mapping[Hex, Hex], end: Hex) -> Hex:
    while end in came:
        end = came[end]
    return end


def _search(
    state: State,
    side: Side,
    sources: Mapping[Hex, int],
    goal: Hex,
    *,
    through: bool,
    free: bool,
) -> dict[Hex, Hex] | None:
    """Dijkstra's search: for each hex the one before it, or ``None`` if the goal is not reached."""
    ground = state.facts.ground
    zone = frozenset[Hex]() if free else state.zones[enemy_of(side)]
    closed = frozenset[Hex]() if through else state.closed_to(side)
    leave, between = ground.figures["leave"].move, ground.figures["between"].move
    done: set[Hex] = set()
    came: dict[Hex, Hex] = {}
    best = {h: (cost, 0) for h, cost in sources.items()}
    queue = [(cost, 0, n, h) for n, (h, cost) in enumerate(sources.items())]
    heapq.heapify(queue)
    count = len(queue)
    while queue:
        cost, hops, _, h = heapq.heappop(queue)
        if h in done:
            continue
        if h == goal:
            return came
        done.add(h)
        leaves = h in zone
        for n, step in ground.costs.get(h, ()):
            if n in done or n in closed:
                continue
            total = cost + step
            if leaves:
                total += between if n in zone else leave
            if n not in best or (total, hops + 1) < best[n]:
                best[n] = (total, hops + 1)
                came[n] = h
                heapq.heappush(queue, (total, hops + 1, count, n))
                count += 1
    return None


def _legs(
    state: State, side: Side, came: Mapping[Hex, Hex], end: Hex, *, free: bool
) -> tuple[Leg, ...]:
    legs: list[Leg] = []
    while end in came:
        start = came[end]
        step = state.facts.ground.step(start, end)
        assert step is not None, "a way goes from neighbor to neighbor"
        legs.append(Leg(start, step, 0 if free else zoc_cost(state, side, start, end)))
        end = start
    return tuple(reversed(legs))

"""Roads as links from hex to hex, in the order in which the road's line runs.

As with rivers, the cheapest walk wins: the node of the search is (hex, distance along the line).
Being in a hex that the line is not in costs by distance, and every hop costs, so that a road along
a hex edge stays on one side of it and a clipped corner gives no hop of its own. A hop across a
river costs dearly unless the road's line crosses the river's line thereabouts.
"""

from __future__ import annotations

import dataclasses
import heapq
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import shapely
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry

from builder.hexes.arrays import FloatArray
from builder.hexes.field import HexField
from builder.hexes.lattice import Hex, Hexside
from builder.hexes.riverlines import Chain, side_of_line

__all__ = ["Crossing", "Road", "RoadLinks", "link_roads"]

_HOP = 0.35
"""What a hop costs by itself."""
_OFF_CENTER = 0.04
"""What the distance from the center costs: decides between two hexes whose edge is the road."""
_WRONG_BANK = 1.0
"""What being on the other bank than the line costs, for each side length of it."""
_NEEDLESS_BRIDGE = 12.0
"""What a hop costs that crosses a river where the road does not."""
_REACH = 1.3
"""How far, in side lengths, a hex may lie from the part of the line that it stands for."""
_NEAR_CROSSING = 2.2
"""How far along the road, in side lengths, a hop may lie from the crossing that it stands for."""
_PACES = 6
_FINE = 1_000_000


@dataclass(frozen=True, slots=True)
class Road:
    """A named line in board pixels; ``kind`` is the class of the road."""

    name: str
    line: BaseGeometry
    kind: str


@dataclass(frozen=True, slots=True)
class Crossing:
    """A hop across a river that stands for no crossing of the two lines."""

    road: str
    river: str
    start: Hex
    end: Hex


@dataclass(frozen=True, slots=True)
class RoadLinks:
    """The hexes that one piece of a road runs through, in its order.

    ``enters`` and ``leaves`` are the directions in which the road comes from beyond the map's edge
    and goes there again; ``None`` where it begins or ends on the map. ``needless`` are its hops
    across a river that its line does not cross there; ``crossings`` says of each river how often
    the line crosses it, and how often the links do.
    """

    road: Road
    hexes: tuple[Hex, ...]
    enters: int | None
    leaves: int | None
    needless: tuple[Crossing, ...] = ()
    crossings: Mapping[str, tuple[int, int]] = dataclasses.field(default_factory=dict)


def link_roads(
    field: HexField,
    roads: Sequence[Road],
    nodes: Iterable[tuple[float, float]] = (),
    chains: Sequence[Chain] = (),
    *,
    join: float = 0.05,
) -> tuple[RoadLinks, ...]:
    """Return the links of all roads, in the order of the roads.

    ``nodes`` are points (places) through whose own hex a road must run if its line passes them
    (within ``join`` side lengths); ends of roads that lie on another road are nodes too, so that
    roads which meet on the map meet in a hex.
    """
    near = join * field.side_length
    pieces = [(road, piece) for road in roads for piece in field.visits(road.line)]
    ends = [p for _, piece in pieces for p in (piece.coords[0], piece.coords[-1])]
    pins = [Point(p) for p in dict.fromkeys([*nodes, *((e[0], e[1]) for e in ends)])]
    inner = [p for p in pins if not field.leaves_at(p)]
    river_of = {side: chain for chain in reversed(chains) for side in chain.sides}
    banks = [(chain, *chain.banks(field)) for chain in chains]
    found = []
    for road, piece in pieces:
        links = _link(field, road, piece, inner, river_of, banks, near)
        if links is not None:
            found.append(links)
    return tuple(found)


def _link(
    field: HexField,
    road: Road,
    piece: LineString,
    pins: Sequence[Point],
    river_of: Mapping[Hexside, Chain],
    banks: Sequence[_Banks],
    near: float,
) -> RoadLinks | None:
    unit = field.side_length
    pinned = sorted(
        {
            (float(piece.project(p)), field.hex_near(p.x, p.y))
            for p in pins
            if piece.distance(p) <= near
        }
    )
    count = max(2, math.ceil(piece.length / unit * _PACES) + 1)
    spots: dict[float, Hex | None] = dict.fromkeys(
        float(d) for d in np.linspace(0, piece.length, count)
    )
    spots.update(dict(pinned))
    along = sorted(spots)
    crossings = _crossings(piece, river_of)
    walk = None
    reach = _REACH
    while walk is None and reach < 40:
        walk = _walk(field, piece, along, spots, river_of, crossings, banks, reach * unit)
        reach *= 2
    if walk is None:
        return None
    hexes = tuple(hex_ for hex_, _ in walk)
    enters = _exit(field, hexes[0], piece, 0)
    leaves = _exit(field, hexes[-1], piece, -1)
    if len(hexes) == 1 and enters is None and leaves is None:
        return None
    hops = [
        chain.river.name
        for a, b in itertools.pairwise(hexes)
        if (chain := river_of.get(field.grid.side_between(a, b)))
    ]
    # A road that ends on a river does not cross it.
    real = {
        name: sum(near < spot < piece.length - near for spot in spots_of_river)
        for name, spots_of_river in crossings.items()
    }
    counts = {name: (real.get(name, 0), hops.count(name)) for name in sorted({*crossings, *hops})}
    needless = _needless(field, road, walk, river_of, crossings)
    return RoadLinks(road, hexes, enters, leaves, needless, counts)


def _crossings(piece: LineString, river_of: Mapping[Hexside, Chain]) -> dict[str, list[float]]:
    """Return, for each river, how far along the road it is crossed or touched."""
    found: dict[str, list[float]] = {}
    for chain in dict.fromkeys(river_of.values()):
        meeting = piece.intersection(chain.piece)
        for part in shapely.get_parts(meeting):
            if not part.is_empty:
                spot = (
                    part.interpolate(0.5, normalized=True) if isinstance(part, LineString) else part
                )
                found.setdefault(chain.river.name, []).append(float(piece.project(spot)))
    return found


_Walk: TypeAlias = list[tuple[Hex, float]]
_Banks: TypeAlias = tuple[Chain, frozenset[Hex], frozenset[Hex]]


def _walk(
    field: HexField,
    piece: LineString,
    along: Sequence[float],
    spots: Mapping[float, Hex | None],
    river_of: Mapping[Hexside, Chain],
    crossings: Mapping[str, Sequence[float]],
    banks: Sequence[_Banks],
    reach: float,
) -> _Walk | None:
    """Return the cheapest walk as (hex, distance along the line at which it was entered)."""
    unit = field.side_length
    hexes = [
        h
        for h in field.overlapping(piece.buffer(reach))
        if piece.distance(field.polygons[h]) <= reach
    ]
    number = {h: i for i, h in enumerate(hexes)}
    paces = [piece.interpolate(distance) for distance in along]
    polygons = np.array([field.polygons[h] for h in hexes], dtype=object)
    centers = shapely.points([field.grid.center(h) for h in hexes])
    points = np.array(paces, dtype=object)
    outside: FloatArray = shapely.distance(polygons[:, None], points[None, :])
    # In the notches at the edge of the sheet no hex holds the line: there the nearest one does.
    outside -= outside.min(axis=0)
    off_center: FloatArray = shapely.distance(centers[:, None], points[None, :])
    steps: FloatArray = np.diff(np.array(along), prepend=along[0], append=along[-1])
    weight: FloatArray = (steps[:-1] + steps[1:]) / 2 / unit
    badness: FloatArray = 4 * (outside / unit) ** 2 + outside / unit
    badness += _OFF_CENTER * (off_center / unit) ** 2
    badness += _WRONG_BANK * _wrong_banks(hexes, paces, banks, unit)
    cost_at = np.rint(_FINE * weight * badness).astype(np.int64)
    allowed = outside <= reach
    for k, distance in enumerate(along):
        pin = spots[distance]
        if pin is not None:
            only = number.get(pin)
            allowed[:, k] = False
            if only is not None:
                allowed[only, k] = True
    # A road that goes on beyond the sheet must end in a hex at its edge.
    for k, at in ((0, 0), (len(along) - 1, -1)):
        if field.leaves_at(Point(piece.coords[at])):
            allowed[:, k] &= np.array([field.is_edge(h) for h in hexes])

    # Where each hex leads: itself, and its neighbors with the river between, if any.
    ways: dict[Hex, list[tuple[Hex, int, Chain | None]]] = {
        h: [
            (h, number[h], None),
            *(
                (other, number[other], river_of.get(field.grid.hexside(h, direction)))
                for direction, other in enumerate(field.grid.neighbors(h))
                if other in number
            ),
        ]
        for h in hexes
    }
    heap: list[tuple[int, int, Hex]] = []
    best: dict[tuple[int, Hex], int] = {}
    came: dict[tuple[int, Hex], tuple[int, Hex]] = {}

    def offer(cost: int, pace: int, hex_: Hex, origin: tuple[int, Hex] | None) -> None:
        known = best.get((pace, hex_))
        if known is None or cost < known:
            best[pace, hex_] = cost
            if origin:
                came[pace, hex_] = origin
            heapq.heappush(heap, (cost, pace, hex_))

    for i, hex_ in enumerate(hexes):
        if allowed[i, 0]:
            offer(int(cost_at[i, 0]), 0, hex_, None)
    while heap:
        cost, pace, hex_ = heapq.heappop(heap)
        if cost > best[pace, hex_]:
            continue
        if pace == len(along) - 1:
            return _traced((pace, hex_), came, along)
        for other, i, chain in ways[hex_]:
            if not allowed[i, pace + 1]:
                continue
            hop = 0
            if other != hex_:
                hop = _hop_cost(chain, along[pace + 1], crossings, unit)
            offer(cost + hop + int(cost_at[i, pace + 1]), pace + 1, other, (pace, hex_))
    return None


def _wrong_banks(
    hexes: Sequence[Hex], paces: Sequence[Point], banks: Sequence[_Banks], unit: float
) -> FloatArray:
    """Return, by hex and pace, on how many rivers the hex has the bank that the line has not."""
    wrong = np.zeros((len(hexes), len(paces)))
    for chain, left, right in banks:
        of_hex = np.array([(h in right) - (h in left) for h in hexes])
        if not of_hex.any():
            continue
        of_pace = np.array(
            [
                side_of_line(chain.piece, p.x, p.y) if chain.piece.distance(p) < 2 * unit else 0
                for p in paces
            ]
        )
        wrong += of_hex[:, None] * of_pace[None, :] < 0
    return wrong


def _hop_cost(
    chain: Chain | None,
    distance: float,
    crossings: Mapping[str, Sequence[float]],
    unit: float,
) -> int:
    if chain is None or _is_crossed(chain, distance, crossings, unit):
        return round(_FINE * _HOP)
    return round(_FINE * (_HOP + _NEEDLESS_BRIDGE))


def _is_crossed(
    chain: Chain, distance: float, crossings: Mapping[str, Sequence[float]], unit: float
) -> bool:
    spots = crossings.get(chain.river.name, ())
    return any(abs(distance - spot) <= _NEAR_CROSSING * unit for spot in spots)


def _traced(
    node: tuple[int, Hex],
    came: Mapping[tuple[int, Hex], tuple[int, Hex]],
    along: Sequence[float],
) -> _Walk:
    walk: _Walk = [(node[1], along[node[0]])]
    while node in came:
        before = came[node]
        if before[1] == walk[-1][0]:
            walk[-1] = (before[1], along[before[0]])
        else:
            walk.append((before[1], along[before[0]]))
        node = before
    return walk[::-1]


def _exit(field: HexField, hex_: Hex, piece: LineString, at: int) -> int | None:
    """Return the direction in which the road leaves the sheet from its last hex."""
    if not field.leaves_at(Point(piece.coords[at])):
        return None
    x, y = piece.coords[at][:2]
    outward = [d for d in range(6) if field.grid.neighbor(hex_, d) not in field]

    def away(direction: int) -> tuple[float, int]:
        ends = field.grid.corner(hex_, direction), field.grid.corner(hex_, direction + 1)
        return round(LineString(ends).distance(Point(x, y)), 6), direction

    return min(outward, key=away, default=None)


def _needless(
    field: HexField,
    road: Road,
    walk: _Walk,
    river_of: Mapping[Hexside, Chain],
    crossings: Mapping[str, Sequence[float]],
) -> tuple[Crossing, ...]:
    found = []
    for (start, _), (end, distance) in itertools.pairwise(walk):
        chain = river_of.get(field.grid.side_between(start, end))
        if chain and not _is_crossed(chain, distance, crossings, field.side_length):
            found.append(Crossing(road.name, chain.river.name, start, end))
    return tuple(found)

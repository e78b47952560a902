"""River linework snapped to hexsides: chains that follow a line without gaps or spurs.

A chain is the cheapest walk along hexsides that keeps pace with the river's line from one end to
the other: the pair (corner, distance along the line) is the node of the search, so that a meander
is followed in its order and never cut short because its far bank happens to be near. A step costs
more the farther it lies from the line, and more again if it puts places or roads on the wrong bank.
"""

from __future__ import annotations

import dataclasses
import heapq
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import shapely
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry

from builder.hexes.field import HexField, Joint, SideStep, line_parts
from builder.hexes.lattice import Hex, Hexside

__all__ = ["Anchor", "Chain", "River", "side_of_line", "snap_rivers"]

_DETOUR = 0.22
"""What a side costs by itself: small enough to follow bends, large enough to go straight."""
_REACH = 1.6
"""How far, in side lengths, a corner may lie from the part of the line that it stands for."""
_PACES = 4
"""Points per side length at which the line is followed."""
_WRONG_BANK = 0.5
"""What it costs to pass, on the wrong side, an anchor of weight 1."""
_FINE = 1_000_000
"""Costs are whole millionths, so that ties are ties on every machine."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A point that should keep its bank: a place, or a piece of road; ``weight`` 1 is a place."""

    x: float
    y: float
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class River:
    """A named line in board pixels; ``kind`` is the word of the hexside feature."""

    name: str
    line: BaseGeometry
    kind: str = "river"


@dataclass(frozen=True, slots=True)
class Chain:
    """A run of hexsides, each beginning at the corner where the one before it ends."""

    river: River
    joints: tuple[Joint, ...]
    sides: tuple[Hexside, ...]
    piece: LineString = dataclasses.field(compare=False)

    def banks(self, field: HexField) -> tuple[frozenset[Hex], frozenset[Hex]]:
        """Return the hexes that touch the chain on its left and on its right, seen downstream."""
        left: set[Hex] = set()
        right: set[Hex] = set()
        for joint, side in zip(self.joints, self.sides, strict=False):
            step = next(s for s in field.steps[joint] if s.side == side)
            left.add(step.left)
            right.add(step.right)
        return frozenset(left), frozenset(right)


def side_of_line(line: LineString, x: float, y: float) -> int:
    """Tell on which side of a directed line a point lies: -1 left, 1 right, 0 on it or past an end.

    Left and right are those of the screen (y runs down), walking along the line.

    >>> flow = LineString([(0, 0), (10, 0)])
    >>> side_of_line(flow, 5, -3), side_of_line(flow, 5, 3), side_of_line(flow, 14, 3)
    (-1, 1, 0)
    """
    here = Point(x, y)
    along = float(line.project(here))
    if not 0 < along < line.length:
        return 0
    on = line.interpolate(along)
    nearest = (on.x, on.y)
    off = (x - nearest[0], y - nearest[1])
    if math.hypot(*off) <= 1e-9 * max(1.0, line.length):
        return 0
    # At a bend the direction is taken across it, which is the bisector on either side of the tip.
    reach = min(1e-6 * line.length, along, line.length - along)
    before, after = line.interpolate(along - reach), line.interpolate(along + reach)
    turn = (after.x - before.x) * off[1] - (after.y - before.y) * off[0]
    return (turn > 0) - (turn < 0)


def snap_rivers(
    field: HexField,
    rivers: Sequence[River],
    anchors: Iterable[Anchor] = (),
    *,
    join: float = 0.25,
) -> tuple[Chain, ...]:
    """Return the chains of all rivers, in the order of the rivers.

    A river that leaves the sheet and comes back gives one chain for each visit. Where the end of
    one river's line lies on another river's line (within ``join`` side lengths), its chain ends on
    the other's chain: tributaries connect. Pieces too short for a hexside give no chain.
    """
    kept = tuple(anchors)
    pieces = [
        (number, piece) for number, river in enumerate(rivers) for piece in field.visits(river.line)
    ]
    near = join * field.side_length
    done: dict[int, list[Chain]] = {}
    waiting = dict.fromkeys(range(len(rivers)))
    while waiting:
        ready = [
            n
            for n in waiting
            if not any(
                m != n and m in waiting and _ends_on(rivers[n].line, rivers[m].line, near)
                for m in range(len(rivers))
            )
        ]
        # Rivers that end on each other in a circle are taken in their order.
        for n in ready or list(waiting)[:1]:
            del waiting[n]
            drawn = [chain for chains in done.values() for chain in chains]
            done[n] = [
                chain
                for number, piece in pieces
                if number == n and (chain := _snap(field, rivers[n], piece, drawn, kept, near))
            ]
    return tuple(chain for n in range(len(rivers)) for chain in done[n])


def _ends_on(line: BaseGeometry, other: BaseGeometry, near: float) -> bool:
    ends = [Point(p) for part in line_parts(line) for p in (part.coords[0], part.coords[-1])]
    return any(other.distance(end) <= near for end in ends)


def _snap(
    field: HexField,
    river: River,
    piece: LineString,
    drawn: Sequence[Chain],
    anchors: Sequence[Anchor],
    near: float,
) -> Chain | None:
    starts, joins_start = _ends(field, piece, 0, drawn, near)
    goals, joins_end = _ends(field, piece, -1, drawn, near)
    wrong = _wrong_banks(field, piece, anchors)
    walk = None
    reach = _REACH
    while walk is None and reach < 40:
        walk = _walk(field, piece, starts, goals, wrong, reach * field.side_length)
        reach *= 2
    if walk is None:
        return None
    walk = _without_loops(walk)
    joints = [joint for joint, _ in walk]
    first = max((i for i, j in enumerate(joints) if j in joins_start), default=0)
    last = min((i for i, j in enumerate(joints) if j in joins_end and i >= first), default=None)
    walk = walk[first : len(walk) if last is None else last + 1]
    sides = tuple(side for _, side in walk[1:] if side is not None)
    if not sides:
        return None
    return Chain(river, tuple(joint for joint, _ in walk), sides, piece)


def _ends(
    field: HexField, piece: LineString, at: int, drawn: Sequence[Chain], near: float
) -> tuple[frozenset[Joint] | None, frozenset[Joint]]:
    """Return the corners at which an end may lie (``None``: any), and those of joined chains."""
    end = Point(piece.coords[at])
    for chain in drawn:
        if chain.piece.distance(end) <= near:
            # Only the part of the other chain that lies about here, else the walk may join early.
            close = sorted(chain.joints, key=lambda j: (end.distance(Point(j.point)), j))[:3]
            return frozenset(close), frozenset(chain.joints)
    # An end at the rim of the sheet is where the river leaves, any other is a spring or a mouth.
    if field.leaves_at(end):
        return field.edge_joints, frozenset()
    return None, frozenset()


def _wrong_banks(
    field: HexField, piece: LineString, anchors: Sequence[Anchor]
) -> Mapping[Hex, tuple[int, int]]:
    """Return what it costs to have a hex on the left of the chain, and on its right."""
    zone = piece.buffer(3 * field.side_length)
    shapely.prepare(zone)
    costs: dict[Hex, tuple[int, int]] = {}
    for anchor in anchors:
        if not zone.contains(Point(anchor.x, anchor.y)):
            continue
        side = side_of_line(piece, anchor.x, anchor.y)
        if side:
            hex_ = field.hex_near(anchor.x, anchor.y)
            cost = round(_FINE * _WRONG_BANK * anchor.weight)
            left, right = costs.get(hex_, (0, 0))
            costs[hex_] = (left + cost, right) if side > 0 else (left, right + cost)
    return costs


_Walk: TypeAlias = list[tuple[Joint, Hexside | None]]


def _walk(
    field: HexField,
    piece: LineString,
    starts: frozenset[Joint] | None,
    goals: frozenset[Joint] | None,
    wrong: Mapping[Hex, tuple[int, int]],
    reach: float,
) -> _Walk | None:
    """Return the cheapest walk as (corner, side that led to it), or ``None`` if there is none."""
    unit = field.side_length
    count = max(2, math.ceil(piece.length / unit * _PACES) + 1)
    fractions = np.linspace(0, 1, count)
    paces = shapely.get_coordinates(
        shapely.line_interpolate_point(piece, fractions, normalized=True)
    )
    weight = piece.length / (count - 1) / unit
    zone = piece.buffer(reach)
    shapely.prepare(zone)
    joints = [j for j in field.steps if zone.contains(Point(j.point))]
    if not joints:
        return None
    places = np.array([j.point for j in joints])
    apart = np.hypot(places[:, None, 0] - paces[None, :, 0], places[:, None, 1] - paces[None, :, 1])
    pace_cost = np.rint(_FINE * weight * (apart / unit) ** 2).astype(np.int64)
    allowed = apart <= reach
    number = {joint: i for i, joint in enumerate(joints)}
    step_cost = {
        (joint, step): _step_cost(joint, step, piece, wrong, unit)
        for joint in joints
        for step in field.steps[joint]
        if step.end in number
    }

    heap: list[tuple[int, int, Joint]] = []
    best: dict[tuple[int, Joint], int] = {}
    came: dict[tuple[int, Joint], tuple[int, Joint, Hexside | None]] = {}

    def offer(
        cost: int, pace: int, joint: Joint, origin: tuple[int, Joint, Hexside | None] | None
    ) -> None:
        known = best.get((pace, joint))
        if known is None or cost < known:
            best[pace, joint] = cost
            if origin:
                came[pace, joint] = origin
            heapq.heappush(heap, (cost, pace, joint))

    for i, joint in enumerate(joints):
        if allowed[i, 0] and (starts is None or joint in starts):
            offer(int(pace_cost[i, 0]), 0, joint, None)
    while heap:
        cost, pace, joint = heapq.heappop(heap)
        if cost > best[pace, joint]:
            continue
        if pace == count - 1 and (goals is None or joint in goals):
            return _traced((pace, joint), came)
        i = number[joint]
        if pace + 1 < count and allowed[i, pace + 1]:
            offer(cost + int(pace_cost[i, pace + 1]), pace + 1, joint, (pace, joint, None))
        for step in field.steps[joint]:
            if step.end in number and allowed[number[step.end], pace]:
                offer(cost + step_cost[joint, step], pace, step.end, (pace, joint, step.side))
    return None


def _step_cost(
    start: Joint,
    step: SideStep,
    piece: LineString,
    wrong: Mapping[Hex, tuple[int, int]],
    unit: float,
) -> int:
    (ax, ay), (bx, by) = start.point, step.end.point
    middle = Point((ax + bx) / 2, (ay + by) / 2)
    away = piece.distance(middle) / unit
    length = math.hypot(bx - ax, by - ay) / unit
    banks = wrong.get(step.left, (0, 0))[0] + wrong.get(step.right, (0, 0))[1]
    return round(_FINE * length * (_DETOUR + away**2)) + banks


def _traced(
    node: tuple[int, Joint], came: Mapping[tuple[int, Joint], tuple[int, Joint, Hexside | None]]
) -> _Walk:
    walk: _Walk = []
    while node in came:
        pace, joint, side = came[node]
        if side is not None:
            walk.append((node[1], side))
        node = (pace, joint)
    walk.append((node[1], None))
    return walk[::-1]


def _without_loops(walk: _Walk) -> _Walk:
    """Cut out every detour that comes back to a corner where the walk has been."""
    kept: _Walk = []
    seen: dict[Joint, int] = {}
    for joint, side in walk:
        if joint in seen:
            for gone, _ in kept[seen[joint] + 1 :]:
                del seen[gone]
            del kept[seen[joint] + 1 :]
            continue
        seen[joint] = len(kept)
        kept.append((joint, side))
    return kept

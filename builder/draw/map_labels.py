"""Placing labels: each takes the best of several positions, none covers another or a mark.

The measure is cost. A position costs what its maker says (how far it is from the ideal one) and
what it covers of roads and rivers; a position that touches a mark, a number or another label is
out of the question. Labels are placed by rank, then every label looks once more for a better
position among all others, until nothing improves.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from shapely import STRtree
from shapely.geometry.base import BaseGeometry

from builder.draw.fonts import face_metrics, text_origin, text_width
from builder.draw.map_plan import Floats, points_of, polygons_of
from builder.draw.scene import Element, Fill, Point, Repeat, Ring, Stroke, Text

__all__ = ["Candidate", "Label", "Obstacles", "place_labels", "text_outline"]

ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """One position of a label: what to draw (around the origin), the place of that origin, the
    quadrilaterals it fills (n, 4, 2) there, and its cost."""

    elements: tuple[Element, ...]
    at: Point
    outlines: Floats
    cost: float

    def drawn(self) -> tuple[Element, ...]:
        """Return the elements in their place."""
        return tuple(_moved(e, *self.at) for e in self.elements)


def _moved(element: Element, dx: float, dy: float) -> Element:
    match element:
        case Text():
            x, y = round(element.x + dx, 3), round(element.y + dy, 3)
            return dataclasses.replace(element, x=x, y=y)
        case Fill():
            return dataclasses.replace(element, rings=_shifted(element.rings, dx, dy))
        case Stroke():
            return dataclasses.replace(element, lines=_shifted(element.lines, dx, dy))
        case _:
            return Repeat((element,), ((dx, dy),))


def _shifted(rings: tuple[Ring, ...], dx: float, dy: float) -> tuple[Ring, ...]:
    return tuple(tuple((round(x + dx, 3), round(y + dy, 3)) for x, y in r) for r in rings)


@dataclass(frozen=True, slots=True)
class Label:
    """A label with its possible positions; labels of lower ``rank`` are placed first.

    ``key`` tells it from all others of the map.
    """

    key: str
    name: str
    rank: int
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Obstacles:
    """What labels keep off: ``marks`` are polygons never to be touched, ``points`` (n, 2) lie
    densely on lines that a label should not cover, at ``point_cost`` each."""

    marks: NDArray[np.object_]
    points: Floats
    point_cost: float

    def with_marks(self, more: Iterable[BaseGeometry]) -> Obstacles:
        """Return these obstacles with more marks."""
        marks = np.array([*self.marks, *more], dtype=object)
        return dataclasses.replace(self, marks=marks)


def text_outline(text: Text, margin: float = 0.0) -> Floats:
    """Return the corners (4, 2) of a line of text in millimetres: from the capitals' height to
    just below the baseline, widened by ``margin``."""
    x, y = text_origin(text)
    width = text_width(text.text, text.font, text.size, text.spacing)
    top = face_metrics(text.font).cap_height * text.size + margin
    bottom = -0.2 * text.size - margin
    cos, sin = math.cos(math.radians(text.angle)), math.sin(math.radians(text.angle))
    corners = [(-margin, bottom), (width + margin, bottom), (width + margin, top), (-margin, top)]
    return np.array([(x + cos * a + sin * u, y + sin * a - cos * u) for a, u in corners])


def place_labels(
    labels: Sequence[Label], obstacles: Obstacles
) -> tuple[list[Candidate], list[Label]]:
    """Return the chosen positions, by rank of their labels, and the labels without room."""
    order = sorted(range(len(labels)), key=lambda i: (labels[i].rank, i))
    flat = [(i, c) for i in order for c in labels[i].candidates]
    if not flat:
        return [], list(labels)
    owner = np.repeat(np.arange(len(flat)), [len(c.outlines) for _, c in flat])
    polygons = polygons_of(np.concatenate([c.outlines for _, c in flat]))
    blocked = np.zeros(len(flat), dtype=bool)
    if len(obstacles.marks):
        hit, _ = STRtree(obstacles.marks).query(polygons, predicate="intersects")
        blocked[owner[hit]] = True
    cost = np.array([c.cost for _, c in flat], dtype=float)
    if len(obstacles.points):
        tree = STRtree(points_of(obstacles.points))
        hit, _ = tree.query(polygons, predicate="intersects")
        cost += obstacles.point_cost * np.bincount(owner[hit], minlength=len(flat))
    rivals = _rivals(polygons, owner, [i for i, _ in flat])
    positions: dict[int, list[int]] = {i: [] for i in order}
    for number, (i, _) in enumerate(flat):
        if not blocked[number]:
            positions[i].append(number)
    chosen: dict[int, int] = {}
    for _ in range(ROUNDS):
        before = dict(chosen)
        for i in order:
            others = {number for j, number in chosen.items() if j != i}
            free = [n for n in positions[i] if not (rivals.get(n, set()) & others)]
            if free:
                chosen[i] = min(free, key=lambda n: (cost[n], n))
        if chosen == before:
            break
    placed = [flat[chosen[i]][1] for i in order if i in chosen]
    return placed, [labels[i] for i in order if i not in chosen]


def _rivals(
    polygons: NDArray[np.object_], owner: NDArray[np.int64], label: Sequence[int]
) -> dict[int, set[int]]:
    """Return for each candidate those of other labels that it would touch."""
    one, two = STRtree(polygons).query(polygons, predicate="intersects")
    rivals: dict[int, set[int]] = {}
    for a, b in zip(owner[one].tolist(), owner[two].tolist(), strict=True):
        if label[a] != label[b]:
            rivals.setdefault(a, set()).add(b)
    return rivals

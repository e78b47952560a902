"""The paper around the hexes: neat line, title, scale, north arrow, legend, credits.

Boxes stand where the map's data says (``map_boxes``). The rest looks for free paper by itself, in
a preferred direction, and shrinks if it must; what finds no room is left out and told.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from builder.draw.fonts import face_metrics
from builder.draw.map_boxes import wrapped
from builder.draw.map_legend import legends
from builder.draw.map_marks import Mark
from builder.draw.map_plan import Plan
from builder.draw.map_shapes import ring_of, rings_of
from builder.draw.map_style import MapStyle
from builder.draw.scene import (
    Element,
    Fill,
    Repeat,
    Stroke,
    Text,
    bounds,
    rectangle,
)

__all__ = ["FreePaper", "decorations", "neat_line", "surround"]


class _Block(Protocol):
    """Something to put on free paper, drawn from its own top left corner."""

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in millimetres."""

    def elements(self) -> tuple[Element, ...]:
        """Return what is drawn."""


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A block that is drawn already."""

    drawn: tuple[Element, ...]
    size: tuple[float, float]

    def elements(self) -> tuple[Element, ...]:
        return self.drawn


class FreePaper:
    """Which parts of the paper are still free, on a raster of small squares."""

    def __init__(self, plan: Plan, margin: float) -> None:
        """Start with the paper inside ``margin`` millimetres, all of it free."""
        self.cell = plan.unit / 10
        shape = math.ceil(plan.height / self.cell), math.ceil(plan.width / self.cell)
        self.taken: NDArray[np.bool_] = np.ones(shape, dtype=bool)
        edge = math.ceil(margin / self.cell)
        # the last row and column may lie partly beyond the paper
        self.taken[edge : shape[0] - edge - 1, edge : shape[1] - edge - 1] = False
        self._total: NDArray[np.int64] | None = None

    def take(self, left: float, top: float, right: float, bottom: float, gap: float = 0) -> None:
        """Mark a rectangle and ``gap`` millimetres around it as taken."""
        x0, y0 = (max(math.floor((v - gap) / self.cell), 0) for v in (left, top))
        x1, y1 = (max(math.ceil((v + gap) / self.cell), 0) for v in (right, bottom))
        self.taken[y0:y1, x0:x1] = True
        self._total = None

    def find(
        self, width: float, height: float, prefer: Callable[[float, float], float]
    ) -> tuple[float, float] | None:
        """Return the top left corner of free paper of that size with the least ``prefer``.

        ``prefer`` gets a corner as shares of the paper's width and height; ties go to the top left.
        """
        columns, rows = math.ceil(width / self.cell), math.ceil(height / self.cell)
        if not columns or not rows:
            return None
        if self._total is None:
            sums = np.cumsum(np.cumsum(self.taken, axis=0), axis=1, dtype=np.int64)
            self._total = np.pad(sums, ((1, 0), (1, 0)))
        total = self._total
        if rows >= total.shape[0] or columns >= total.shape[1]:
            return None
        inside = (
            total[rows:, columns:]
            - total[:-rows, columns:]
            - total[rows:, :-columns]
            + total[:-rows, :-columns]
        )
        j, i = np.nonzero(inside == 0)
        if not len(j):
            return None
        high, wide = self.taken.shape
        costs = [prefer(x / wide, y / high) for x, y in zip(i.tolist(), j.tolist(), strict=True)]
        best = int(np.argmin(costs))
        return float(i[best]) * self.cell, float(j[best]) * self.cell


def surround(plan: Plan, style: MapStyle) -> Iterator[Element]:
    """Yield the paper that covers what was drawn beyond the hexes."""
    page = rectangle(-1, -1, plan.width + 2, plan.height + 2)
    yield Fill((page, *rings_of(plan.field)), style.ink(style.sheet.paper))


def neat_line(plan: Plan, style: MapStyle) -> Iterator[Element]:
    """Yield the outline of all hexes, and a fine double line at the edge of the paper."""
    ink = style.ink(style.sheet.frame)
    yield Stroke(rings_of(plan.field), ink, plan.size(2.4), closed=True, join="round")
    for inset, width in ((6, 2.2), (9.5, 0.7)):
        d = plan.size(inset)
        frame = rectangle(d, d, plan.width - 2 * d, plan.height - 2 * d)
        yield Stroke((ring_of(frame),), ink, plan.size(width), closed=True, join="miter")


# ------------------------------------------------------------------------------------ decorations


def decorations(
    plan: Plan, style: MapStyle, marks: Sequence[Mark]
) -> tuple[list[Element], list[str]]:
    """Return title, scale, north arrow and legend on free paper, and what found no room."""
    free = FreePaper(plan, plan.size(20))
    left, top, right, bottom = plan.field.bounds if plan.hexes else (0.0, 0.0, 0.0, 0.0)
    free.take(left, top, right, bottom, plan.size(9))
    for box in plan.sheet.boxes:
        x, y, s = box.x * plan.scale, box.y * plan.scale, plan.scale
        above = plan.size(style.text["heading"].size + 8) if box.group else 0.0
        free.take(x, y - above, x + box.width * s, y + box.height * s, plan.size(6))
    for panel in plan.sheet.panels:
        x, y, s = panel.x * plan.scale, panel.y * plan.scale, plan.scale
        free.take(x, y, x + panel.width * s, y + panel.height * s, plan.size(6))
    for mark in marks:
        if mark.ground is not None:
            free.take(*mark.ground.bounds, plan.size(3))
    drawn: list[Element] = []
    missing: list[str] = []

    def put(name: str, blocks: Iterable[_Block], prefer: Callable[[float, float], float]) -> None:
        block: _Block | None = None
        for block in blocks:
            width, height = block.size
            at = free.find(width, height, prefer)
            if at:
                free.take(at[0], at[1], at[0] + width, at[1] + height, plan.size(8))
                drawn.append(Repeat(block.elements(), ((round(at[0], 3), round(at[1], 3)),)))
                return
        if block is not None:
            missing.append(name)

    put("title", _titles(plan, style), lambda x, y: y + 0.1 * x)
    put("legend", legends(plan, style), lambda x, y: -y - 0.2 * x)
    put("scale", _scales(plan, style), lambda x, y: -y - 0.2 * x)
    put("credits", _credits(plan, style), lambda x, y: -y - 0.2 * x)
    return drawn, missing


def _boxed(elements: Sequence[Element]) -> _Drawn:
    """Return a block of elements, moved so that it begins at its origin."""
    left, top, right, bottom = bounds(elements)
    moved = Repeat(tuple(elements), ((round(-left, 3), round(-top, 3)),))
    return _Drawn((moved,), (right - left, bottom - top))


def _titles(plan: Plan, style: MapStyle) -> list[_Drawn]:
    """The title over the subtitle, in sizes from the style's down to a third of it."""
    frame = plan.sheet.frame
    found = []
    for share in (1.0, 0.85, 0.7, 0.55, 0.45, 0.35):
        title, small = style.text["title"], style.text["subtitle"]
        size, small_size = plan.size(title.size * share), plan.size(small.size * max(share, 0.6))
        elements: list[Element] = []
        y = face_metrics(title.font).cap_height * size
        if frame.title:
            spacing = plan.size(title.spacing * share)
            ink = style.ink(title.color)
            elements.append(
                Text(0, y, frame.title, size, ink, title.font, "start", spacing=spacing)
            )
        if frame.subtitle:
            y += small_size * 1.35
            ink = style.ink(small.color)
            elements.append(Text(0, y, frame.subtitle, small_size, ink, small.font, "start"))
        if elements:
            found.append(_boxed(elements))
    return found


def _scales(plan: Plan, style: MapStyle) -> list[_Drawn]:
    """A north arrow beside a bar of whole kilometres and the words about the scale."""
    frame = plan.sheet.frame
    look = style.text["note"]
    found = []
    roses = [kind for kind, place in style.place.items() if place.mark == "rose"]
    if any(place.kind in roses for place in plan.sheet.places) and frame.km_per_hex <= 0:
        return []  # a rose of directions tells where north is
    for share in (1.0, 0.8, 0.65):
        u = plan.size(share)
        ink, paper = style.ink(style.sheet.frame), style.ink(style.sheet.paper)
        elements: list[Element] = list(_north(u, ink, paper, style))
        x, size = 36 * u, look.size * u
        if frame.km_per_hex > 0:
            elements += _bar(plan, x, 34 * u, u, frame.km_per_hex, style)
        if frame.scale_text:
            words = frame.scale_text
            elements.append(Text(x, 72 * u, words, size, style.ink(look.color), look.font, "start"))
        found.append(_boxed(elements))
    return found


def _north(u: float, ink: str, paper: str, style: MapStyle) -> Iterator[Element]:
    """Yield a needle, one half dark, with an N above it; ``u`` is a hundredth of a hex."""
    look = style.text["heading"]
    tip, left, right, heel = (12 * u, 20 * u), (3 * u, 74 * u), (21 * u, 74 * u), (12 * u, 66 * u)
    yield Fill((ring_of([tip, left, heel]),), ink)
    yield Fill((ring_of([tip, right, heel]),), paper)
    yield Stroke((ring_of([tip, left, heel, right]),), ink, 1.1 * u, closed=True, join="miter")
    yield Text(12 * u, 15 * u, "N", look.size * u, ink, look.font)


def _bar(
    plan: Plan, x: float, y: float, u: float, km_per_hex: float, style: MapStyle
) -> list[Element]:
    """Return a bar of alternating kilometres, about four hexes long."""
    per_km = plan.unit / km_per_hex
    steps = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
    step = min(steps, key=lambda s: abs(s * per_km - plan.unit))
    look = style.text["note"]
    ink, paper = style.ink(style.sheet.frame), style.ink(style.sheet.paper)
    size, height = look.size * u, 7 * u
    elements: list[Element] = []
    for number in range(4):
        part = rectangle(x + number * step * per_km, y, step * per_km, height)
        elements.append(Fill((ring_of(part),), ink if number % 2 == 0 else paper))
    whole = rectangle(x, y, 4 * step * per_km, height)
    elements.append(Stroke((ring_of(whole),), ink, 1.0 * u, closed=True, join="miter"))
    for number in range(5):
        value = f"{number * step:g}" + (" km" if number == 4 else "")
        at = x + number * step * per_km
        elements.append(Text(at, y - 4 * u, value, size, style.ink(look.color), look.font))
    return elements


def _credits(plan: Plan, style: MapStyle) -> list[_Drawn]:
    look = style.text["note"]
    words = plan.sheet.frame.credits
    if not words:
        return []
    found = []
    for share, room in ((0.8, 60), (0.8, 12), (0.8, 6), (0.65, 5), (0.65, 3.5)):
        size = plan.size(look.size * share)
        lines = wrapped(words, look.font, size, room * plan.unit)
        ink = style.ink(look.color)
        texts = [
            Text(0, (n + 1) * size * 1.2, line, size, ink, look.font, "start")
            for n, line in enumerate(lines)
        ]
        found.append(_boxed(texts))
    return found

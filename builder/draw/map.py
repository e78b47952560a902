"""The map: a game's :class:`MapSheet` becomes one :class:`Scene` in millimetres.

Layers from the ground up: open ground, woods and waters, hills, towns, rivers, hex outlines,
roads, bridges, marks, numbers, names; then the paper around the hexes.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import numpy as np

from builder.draw.map_beside import beside, center_dots
from builder.draw.map_boxes import boxes
from builder.draw.map_bridges import decks
from builder.draw.map_ground import terrain_elements
from builder.draw.map_labels import Candidate, Label, place_labels
from builder.draw.map_lines import Linework, bridges, linework, rivers, roads
from builder.draw.map_marks import Mark, grounds, marks
from builder.draw.map_names import names, obstacles
from builder.draw.map_numbers import numbers
from builder.draw.map_paper import decorations, neat_line, surround
from builder.draw.map_plan import KeepOff, Plan, plan_of, polygons_of
from builder.draw.map_shapes import ring_of, rings_from, rings_of
from builder.draw.map_style import MapStyle, map_style, style_problems
from builder.draw.scene import Element, Fill, Scene, Stroke, Text
from builder.gamebox.model import MapSheet
from builder.problems import DataError

__all__ = ["map_scene", "unplaced_labels"]

LINES_PER_STROKE = 40
SMALLER = (0.86, 0.72)
"""Shares of its size in which a name may still be set: better smaller than not at all."""


def map_scene(map: MapSheet, palette: Mapping[str, str], *, style: MapStyle | None = None) -> Scene:
    """Return the whole board as a scene of ``frame.width`` by ``frame.height`` board pixels.

    ``palette`` gives ``#rrggbb`` for names of colors. The look is ``style``, or the template that
    the map's ``[style]`` table names and changes. Raises :class:`DataError` for mistakes in the
    style and for terrain, hexsides or routes that the style does not know.
    """
    look = style if style is not None else map_style(map.style, palette)
    problems = style_problems(map, look)
    if problems:
        raise DataError(problems)
    plan = plan_of(map)
    with _collector_at_rest():
        elements = tuple(_elements(plan, look))
    return Scene(plan.width, plan.height, elements, look.ink(look.sheet.paper))


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Keep the garbage collector from walking over a growing scene, in which it finds nothing.

    That was a fifth of the time.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def unplaced_labels(
    map: MapSheet, palette: Mapping[str, str], *, style: MapStyle | None = None
) -> tuple[str, ...]:
    """Return the names, and the parts of the paper's furniture, for which the map has no room."""
    look = style if style is not None else map_style(map.style, palette)
    plan = plan_of(map)
    lines = linework(plan, look)
    found = list(marks(plan, look, lines))
    left = _lettering(plan, look, lines, found, list(numbers(plan, look, lines, grounds(found))))[1]
    return (*(label.name for label in left), *decorations(plan, look, found)[1])


def _elements(plan: Plan, style: MapStyle) -> Iterator[Element]:
    lines = linework(plan, style)
    found = list(marks(plan, style, lines))
    printed = list(numbers(plan, style, lines, grounds(found)))
    placed, _ = _lettering(plan, style, lines, found, printed)
    ground = [p for c in placed for p in polygons_of(c.outlines)]
    keep_off = KeepOff([lines.road_shape, lines.river_shape], [*grounds(found), *ground])
    yield Fill(rings_of(plan.field), style.ink(style.sheet.ground))
    yield from terrain_elements(plan, style, lines, keep_off)
    yield from _outlines(plan, style)
    yield from rivers(plan, style, lines)
    for mark in found:
        if mark.below:
            yield from mark.elements
    yield from roads(plan, style, lines)
    yield from bridges(plan, style, lines)
    yield from decks(plan, style, lines)
    yield from center_dots(plan, style)
    yield from beside(plan, style)
    yield from surround(plan, style)
    yield from neat_line(plan, style)
    yield from boxes(plan, style)
    for mark in found:
        if not mark.below:
            yield from mark.elements
    yield from printed
    # Low ranks last: where halos meet, the more important name is whole.
    for candidate in reversed(placed):
        yield from candidate.drawn()
    yield from decorations(plan, style, found)[0]


def _lettering(
    plan: Plan, style: MapStyle, lines: Linework, found: list[Mark], printed: list[Text]
) -> tuple[list[Candidate], list[Label]]:
    """Return the chosen positions, and the labels for which there is no room.

    Labels without room at their size are tried again smaller, around those that have theirs.
    """
    keep_off = obstacles(plan, style, lines, grounds(found), printed)
    placed, left = place_labels(names(plan, style, lines), keep_off)
    for share in SMALLER:
        if not left:
            break
        taken = [p for c in placed for p in polygons_of(c.outlines)]
        again = [n for n in names(plan, style, lines, share) if n.key in {x.key for x in left}]
        more, left = place_labels(again, keep_off.with_marks(taken))
        placed += more
    return placed, left


def _outlines(plan: Plan, style: MapStyle) -> Iterator[Element]:
    """Yield every hexside once: three sides of each hex, and the rest at the map's edge."""
    sheet = plan.sheet
    lines = rings_from(plan.corners[:, :4])
    column, row = np.array(plan.hexes).T
    edge = (column == 0) | (row == 0) | (column == sheet.columns - 1) | (row == sheet.rows - 1)
    for number in np.flatnonzero(edge).tolist():
        h, corners = plan.hexes[number], plan.corners[number]
        for direction in (3, 4, 5):
            if sheet.grid.neighbor(h, direction) not in sheet:
                lines.append(ring_of(corners[[direction, (direction + 1) % 6]]))
    ink, width = style.ink(style.sheet.grid), plan.size(style.sheet.grid_width)
    for start in range(0, len(lines), LINES_PER_STROKE):
        part = tuple(lines[start : start + LINES_PER_STROKE])
        yield Stroke(part, ink, width, opacity=style.sheet.grid_opacity)

"""The map: a game's :class:`MapSheet` becomes one :class:`Scene` in millimetres.

Layers from the ground up: open ground, woods and waters, hills, towns, rivers, hex outlines,
roads, bridges, marks, numbers, names; then the paper around the hexes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from builder.draw.map_ground import terrain_elements
from builder.draw.map_labels import Candidate, Label, place_labels
from builder.draw.map_lines import Linework, bridges, linework, rivers, roads
from builder.draw.map_marks import Mark, grounds, marks
from builder.draw.map_names import names, obstacles
from builder.draw.map_paper import boxes, decorations, neat_line, surround
from builder.draw.map_plan import Plan, plan_of
from builder.draw.map_shapes import ring_of, rings_of
from builder.draw.map_style import MapStyle, map_style, style_problems
from builder.draw.scene import Element, Fill, Scene, Stroke, Text
from builder.gamebox.model import MapSheet
from builder.problems import DataError

__all__ = ["map_scene", "unplaced_labels"]

LINES_PER_STROKE = 40


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
    return Scene(plan.width, plan.height, tuple(_elements(plan, look)), look.ink(look.sheet.paper))


def unplaced_labels(
    map: MapSheet, palette: Mapping[str, str], *, style: MapStyle | None = None
) -> tuple[str, ...]:
    """Return the names, and the parts of the paper's furniture, for which the map has no room."""
    look = style if style is not None else map_style(map.style, palette)
    plan = plan_of(map)
    lines = linework(plan, look)
    found = list(marks(plan, look, lines))
    _, left = _lettering(plan, look, lines, found)
    return (*(label.name for label in left), *decorations(plan, look, found)[1])


def _elements(plan: Plan, style: MapStyle) -> Iterator[Element]:
    lines = linework(plan, style)
    found = list(marks(plan, style, lines))
    yield Fill(rings_of(plan.field), style.ink(style.sheet.ground))
    yield from terrain_elements(plan, style, lines)
    yield from rivers(plan, style, lines)
    yield from _outlines(plan, style)
    yield from roads(plan, style, lines)
    yield from bridges(plan, style, lines)
    yield from surround(plan, style)
    yield from neat_line(plan, style)
    yield from boxes(plan, style)
    for mark in found:
        yield from mark.elements
    yield from _numbers(plan, style)
    placed, _ = _lettering(plan, style, lines, found)
    # Low ranks last: where halos meet, the more important name is whole.
    for _, candidate in reversed(placed):
        yield from candidate.elements
    yield from decorations(plan, style, found)[0]


def _lettering(
    plan: Plan, style: MapStyle, lines: Linework, found: list[Mark]
) -> tuple[list[tuple[Label, Candidate]], list[Label]]:
    numbers = list(_numbers(plan, style))
    keep_off = obstacles(plan, style, lines, grounds(found), numbers)
    return place_labels(names(plan, style, lines), keep_off)


def _outlines(plan: Plan, style: MapStyle) -> Iterator[Element]:
    """Yield every hexside once: three sides of each hex, and the rest at the map's edge."""
    sheet = plan.sheet
    lines = []
    for h, corners in zip(plan.hexes, plan.corners.tolist(), strict=True):
        lines.append(ring_of(corners[:4]))
        for direction in (3, 4, 5):
            if sheet.grid.neighbor(h, direction) not in sheet:
                lines.append(ring_of([corners[direction], corners[(direction + 1) % 6]]))
    ink, width = style.ink(style.sheet.grid), plan.size(style.sheet.grid_width)
    for start in range(0, len(lines), LINES_PER_STROKE):
        part = tuple(lines[start : start + LINES_PER_STROKE])
        yield Stroke(part, ink, width, opacity=style.sheet.grid_opacity)


def number_places(plan: Plan) -> Iterator[tuple[str, float, float]]:
    """Yield each hex's label, with the middle of its top edge in millimetres."""
    if plan.sheet.grid.numbering is None:
        return
    labels = plan.sheet.grid.labels(plan.sheet.columns, plan.sheet.rows)
    depth = plan.size(13 if plan.sheet.grid.sideways else 3.2)
    tops = plan.corners[:, :, 1].min(axis=1) + depth
    for label, (x, _), top in zip(labels, plan.centers.tolist(), tops.tolist(), strict=True):
        yield label, x, top


def _numbers(plan: Plan, style: MapStyle) -> Iterator[Element]:
    ink = style.text["number"]
    for label, x, top in number_places(plan):
        yield Text(
            x, top, label, plan.size(ink.size), style.ink(ink.color), ink.font, baseline="top"
        )

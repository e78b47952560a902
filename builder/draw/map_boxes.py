"""Printed boxes beside the hexes: tracks with a title, holding boxes with a strip for the label."""

from __future__ import annotations

from collections.abc import Iterator

from builder.draw.fonts import face_metrics, text_width
from builder.draw.map_plan import Plan
from builder.draw.map_shapes import ring_of
from builder.draw.map_style import MapStyle
from builder.draw.scene import Element, Fill, Stroke, Text, rounded_rectangle
from builder.gamebox.model import Box

__all__ = ["boxes", "wrapped"]


def boxes(plan: Plan, style: MapStyle) -> Iterator[Element]:
    """Yield all boxes, and above each track its title."""
    seen: set[str] = set()
    for box in plan.sheet.boxes:
        if box.group and box.group not in seen:
            seen.add(box.group)
            yield _group_title(plan, style, box)
        yield from _box(plan, style, box)


def _group_title(plan: Plan, style: MapStyle, first: Box) -> Text:
    look = style.text["heading"]
    track = [b for b in plan.sheet.boxes if b.group == first.group]
    left, top = min(b.x for b in track), min(b.y for b in track)
    right = max(b.x + b.width for b in track)
    size = _fitting(first.group, look.font, plan.size(look.size), (right - left) * plan.scale)
    return Text(
        left * plan.scale,
        top * plan.scale - plan.size(8),
        first.group,
        size,
        style.ink(look.color),
        look.font,
        "start",
    )


def _fitting(text: str, font: str, size: float, width: float) -> float:
    """Return the size, made smaller if the text would be wider than ``width``."""
    wide = text_width(text, font, size)
    return size if wide <= width else size * width / wide


def wrapped(text: str, font: str, size: float, width: float) -> list[str]:
    """Return a text in lines no wider than ``width``, as far as its words allow."""
    lines: list[str] = []
    for word in text.split():
        joined = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(joined, font, size) <= width:
            lines[-1] = joined
        else:
            lines.append(word)
    return lines


def _box(plan: Plan, style: MapStyle, box: Box) -> Iterator[Element]:
    look = style.box_of(box.kind)
    lettering = style.text[look.text]
    side = style.sides.get(box.side)
    edge = style.ink(side or look.edge)
    x, y, width, height = (v * plan.scale for v in (box.x, box.y, box.width, box.height))
    outer = rounded_rectangle(x, y, width, height, plan.size(5), 4)
    yield Fill((ring_of(outer),), style.ink(look.fill))
    if side:
        yield Fill((ring_of(outer),), edge, 0.1)
    ink = edge if side else style.ink(lettering.color)
    size, room = plan.size(lettering.size), width - plan.size(7)
    if look.centered:
        size = _fitting(box.label, lettering.font, min(size, 0.62 * height), room)
        # what is written at the bottom leaves the label the top: the middle is for a counter
        middle = 0.14 if box.notes else 0.5
        size = min(size, 0.26 * height) if box.notes else size
        yield Text(
            x + width / 2,
            y + height * middle,
            box.label,
            size,
            ink,
            lettering.font,
            baseline="middle",
            opacity=0.6,
        )
    elif box.label:
        yield from _heading(plan, box, (x, y, width), size, lettering.font, edge, style)
    yield from _notes(plan, style, box, (x, y + height, width))
    yield Stroke((ring_of(outer),), edge, plan.size(1.4), closed=True)


def _notes(
    plan: Plan, style: MapStyle, box: Box, place: tuple[float, float, float]
) -> Iterator[Element]:
    """Yield the short lines at the bottom of a box, the last one lowest."""
    if not box.notes:
        return
    look = style.text["box-note"]
    x, bottom, width = place
    room = width - plan.size(6)
    size = min(_fitting(note, look.font, plan.size(look.size), room) for note in box.notes)
    for number, note in enumerate(reversed(box.notes)):
        y = bottom - plan.size(5) - number * 1.08 * size
        yield Text(x + width / 2, y, note, size, style.ink(look.color), look.font)


def _heading(
    plan: Plan,
    box: Box,
    place: tuple[float, float, float],
    size: float,
    font: str,
    edge: str,
    style: MapStyle,
) -> Iterator[Element]:
    """Yield a box's label on a strip of its own color, in two lines if one would be tiny."""
    x, y, width = place
    room = width - plan.size(7)
    size = min(size, 0.2 * box.height * plan.scale)
    lines = [box.label]
    if text_width(box.label, font, size) > 1.25 * room:
        lines = wrapped(box.label, font, size, room)
        size *= 0.92
    size = min(_fitting(line, font, size, room) for line in lines)
    leading = size * 1.02
    strip = leading * len(lines) + plan.size(4.5)
    radius = plan.size(5)
    tall = rounded_rectangle(x, y, width, 2 * strip, radius, 4)
    head = [(px, min(py, y + strip)) for px, py in tall]
    yield Fill((ring_of(head),), edge)
    paper = style.ink(style.sheet.paper)
    cap = face_metrics(font).cap_height * size
    first = y + (strip - leading * (len(lines) - 1) + cap) / 2
    for number, line in enumerate(lines):
        yield Text(x + width / 2, first + number * leading, line, size, paper, font)

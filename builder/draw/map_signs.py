"""Signs beside boards: the plate with a board's name, the rose of the six directions."""

from __future__ import annotations

import math
from collections.abc import Iterator

import shapely

from builder.draw.fonts import face_metrics, text_width
from builder.draw.map_names import printed_name
from builder.draw.map_plan import Plan
from builder.draw.map_shapes import ring_of
from builder.draw.map_style import MapStyle, PlaceStyle
from builder.draw.scene import Element, Fill, Point, Stroke, Text, circle, rounded_rectangle
from builder.gamebox.model import Place

__all__ = ["board_plate", "direction_rose"]

ROSE = 215.0
"""Radius of a rose in hundredths of a hex."""

Sign = tuple[tuple[Element, ...], shapely.Polygon]
"""What is drawn, and the ground on which nothing else is written."""


def board_plate(plan: Plan, style: MapStyle, place: Place, look: PlaceStyle) -> Sign:
    """Return the plate with a name in the middle of a hex."""
    x, y = plan.center(place.hex)
    lettering = style.text["plate"]
    size, words = plan.size(lettering.size), printed_name(place)
    spacing = plan.size(lettering.spacing)
    half = text_width(words, lettering.font, size, spacing) / 2 + 0.7 * size
    high = face_metrics(lettering.font).cap_height * size + 0.9 * size
    plate = rounded_rectangle(x - half, y - high / 2, 2 * half, high, 0.25 * size, 4)
    ink = style.ink(lettering.color)
    elements = (
        Fill((ring_of(plate),), style.ink(look.color)),
        Stroke((ring_of(plate),), style.ink(style.sheet.frame), plan.size(1.8), closed=True),
        Text(x, y, words, size, ink, lettering.font, baseline="middle", spacing=spacing),
    )
    return elements, shapely.Polygon(plate)


def direction_rose(plan: Plan, style: MapStyle, place: Place, look: PlaceStyle) -> Sign:
    """Return a rose around the middle of a hex: its six sides numbered clockwise from the first."""
    x, y = plan.center(place.hex)
    reach = plan.size(ROSE)
    disc = circle(x, y, reach, 72)
    frame, paper = style.ink(style.sheet.frame), style.ink(style.sheet.panel)
    elements: list[Element] = [
        Fill((ring_of(disc),), paper, 0.92),
        Stroke((ring_of(disc),), frame, plan.size(2.2), closed=True),
        Stroke((ring_of(circle(x, y, 0.95 * reach, 72)),), frame, plan.size(0.9), closed=True),
    ]
    lettering = style.text["plate"]
    for direction in range(6):
        ahead = plan.center(plan.sheet.grid.neighbor(place.hex, direction))
        angle = math.atan2(ahead[1] - y, ahead[0] - x)
        # the first direction stands out
        ink = style.ink(look.color) if direction else frame
        elements += _point(plan, (x, y), angle, reach, (ink, paper, frame))
        at = x + 0.8 * reach * math.cos(angle), y + 0.8 * reach * math.sin(angle)
        size, number = plan.size(1.25 * lettering.size), str(direction + 1)
        elements.append(Text(*at, number, size, frame, lettering.font, baseline="middle"))
    return tuple(elements), shapely.Polygon(disc)


def _point(
    plan: Plan, middle: Point, angle: float, reach: float, inks: tuple[str, str, str]
) -> Iterator[Element]:
    """Yield one point of the rose, a half of it dark; ``inks``: dark half, light half, outline."""
    cos, sin = math.cos(angle) * reach, math.sin(angle) * reach
    dark, light, outline = inks

    def at(ahead: float, aside: float) -> Point:
        return (
            middle[0] + ahead * cos - aside * sin,
            middle[1] + ahead * sin + aside * cos,
        )

    tip, heel, right, left = at(0.66, 0), at(0.06, 0), at(0.2, 0.105), at(0.2, -0.105)
    yield Fill((ring_of([tip, right, heel]),), dark)
    yield Fill((ring_of([tip, left, heel]),), light)
    shape = (ring_of([tip, right, heel, left]),)
    yield Stroke(shape, outline, plan.size(1.3), closed=True, join="miter")

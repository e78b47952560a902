"""The picture of a private window: its boxes with their labels."""

from __future__ import annotations

from collections.abc import Iterator

from builder.draw.palette import legible_on, mixed
from builder.draw.scene import Element, Fill, Scene, Stroke, Text, rounded_rectangle
from builder.gamebox.hands import hand_boxes
from builder.gamebox.module_file import HandTable

__all__ = ["hand_scene"]

_LABEL = 18.0
"""Height of the letters in pixels."""


def hand_scene(hand: HandTable, px_per_mm: float) -> Scene:
    """Return the ground of a private window with its boxes, in millimetres at a scale."""
    scale = 1 / px_per_mm
    elements = tuple(_boxes(hand, scale))
    return Scene(hand.width * scale, hand.height * scale, elements, hand.color)


def _boxes(hand: HandTable, scale: float) -> Iterator[Element]:
    ink = legible_on(hand.color)
    for box in hand_boxes(hand):
        x, y = box.x * scale, box.y * scale
        ring = rounded_rectangle(x, y, box.width * scale, box.height * scale, 6 * scale, 4)
        yield Fill((ring,), mixed(hand.color, "#ffffff", 0.5))
        yield Stroke((ring,), mixed(hand.color, ink, 0.6), 1.5 * scale, closed=True)
        left, top = x + 6 * scale, y + (5 + _LABEL) * scale
        yield Text(left, top, box.label, _LABEL * 1.25 * scale, ink, "bold", "start", opacity=0.7)

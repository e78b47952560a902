"""Plain shapes of SVG with classes that a page's style colors, for light and dark.

A text that comes from a log is escaped by the markup library.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

__all__ = ["HEIGHT", "WIDTH", "box", "line", "path", "svg", "text"]

WIDTH: Final = 460
HEIGHT: Final = 220


def svg(
    parts: Sequence[Markup], title: str, width: float = WIDTH, height: float = HEIGHT
) -> Markup:
    """Return a drawing; ``title`` is what it says to those who do not see it."""
    return Markup('<svg viewBox="0 0 {:.0f} {:.0f}" role="img" aria-label="{}">{}</svg>').format(
        width, height, title, Markup("").join(parts)
    )


def box(kind: str, x: float, y: float, width: float, height: float) -> Markup:
    """Return a rectangle; one of less than no height has none."""
    return Markup('<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"/>').format(
        kind, x, y, width, max(height, 0.0)
    )


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> Markup:
    """Return a straight line."""
    return Markup('<line class="{}" x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}"/>').format(
        kind, x1, y1, x2, y2
    )


def path(kind: str, points: Sequence[tuple[float, float]], *, is_closed: bool = False) -> Markup:
    """Return a line through points, or the area within."""
    way = "L".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return Markup('<path class="{}" d="M{}{}"/>').format(kind, way, "Z" if is_closed else "")


def text(kind: str, x: float, y: float, words: str) -> Markup:
    """Return a text at a point."""
    return Markup('<text class="{}" x="{:.1f}" y="{:.1f}">{}</text>').format(kind, x, y, words)

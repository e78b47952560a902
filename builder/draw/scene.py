"""Scenes: what to draw, independent of how. A scene is a tuple of elements in millimetres.

The origin is the top left corner, x runs right, y runs down. Elements are painted in order, later
ones on top. A scene prints as readable text, one element a line, which is what most tests compare.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = [
    "Anchor",
    "Baseline",
    "Element",
    "Fill",
    "Halo",
    "Picture",
    "Point",
    "Repeat",
    "Ring",
    "Scene",
    "Stroke",
    "Text",
    "bounds",
    "circle",
    "rectangle",
    "rounded_rectangle",
    "scene_text",
]

Point: TypeAlias = tuple[float, float]
Ring: TypeAlias = tuple[Point, ...]
"""Points in millimetres; a filled ring closes itself."""

Anchor = Literal["start", "middle", "end"]
Baseline = Literal["baseline", "middle", "top", "bottom"]
Cap = Literal["butt", "round", "square"]
Join = Literal["miter", "round", "bevel"]


@dataclass(frozen=True, slots=True)
class Fill:
    """Filled rings under the even-odd rule: outlines and their holes in any order.

    ``color`` is ``#rrggbb``; ``opacity`` 0 to 1.
    """

    rings: tuple[Ring, ...]
    color: str
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Stroke:
    """Lines of one pen; ``width`` and ``dash`` in millimetres.

    The painter may split long ones: PDFium drops part of a path with very many segments.
    """

    lines: tuple[Ring, ...]
    color: str
    width: float
    closed: bool = False
    dash: tuple[float, ...] = ()
    cap: Cap = "round"
    join: Join = "round"
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Halo:
    """A stroked copy of a text underneath it; ``width`` is the visible margin in millimetres."""

    color: str
    width: float


@dataclass(frozen=True, slots=True)
class Text:
    """One line of text.

    ``size`` is the font's em in millimetres; ``angle`` in degrees, clockwise on the page, about
    (x, y); ``font`` names a face of ``draw/fonts.py`` (``regular``, ``semibold``, ``bold``,
    ``black``, ``italic``, ``bold-italic``); ``spacing`` is extra space between letters in
    millimetres; ``baseline`` says which height of the text lies on y (``middle`` is the middle
    of the capitals).
    """

    x: float
    y: float
    text: str
    size: float
    color: str = "#000000"
    font: str = "regular"
    anchor: Anchor = "middle"
    baseline: Baseline = "baseline"
    angle: float = 0.0
    spacing: float = 0.0
    halo: Halo | None = None
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Picture:
    """A symbol of ``art/symbols`` by its name, fitted into a box of millimetres, centered.

    ``colors`` recolors named paints of the drawing (pairs of the SVG's paint and its replacement,
    both ``#rrggbb`` or ``currentColor``), so that one drawing serves both sides.
    """

    name: str
    x: float
    y: float
    width: float
    height: float
    angle: float = 0.0
    colors: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Repeat:
    """The same few elements at many places: painted as a form that the page refers to.

    ``elements`` are drawn around their own origin; ``at`` holds the places of that origin.
    """

    elements: tuple[Element, ...]
    at: tuple[Point, ...]


Element: TypeAlias = Fill | Stroke | Text | Picture | Repeat


@dataclass(frozen=True, slots=True)
class Scene:
    """A page of ``width`` by ``height`` millimetres; without ``background`` it is transparent."""

    width: float
    height: float
    elements: tuple[Element, ...]
    background: str | None = None

    def __str__(self) -> str:
        """Return the scene as text; see :func:`scene_text`."""
        return scene_text(self)


def rectangle(x: float, y: float, width: float, height: float) -> Ring:
    """Return a rectangle's corners, from its top left one clockwise."""
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))


def circle(x: float, y: float, radius: float, sides: int = 64) -> Ring:
    """Return a polygon that stands for a circle; 64 sides are round on paper up to a coin's size.

    >>> [(round(x, 3), round(y, 3)) for x, y in circle(5, 5, 2, sides=4)]
    [(7.0, 5.0), (5.0, 7.0), (3.0, 5.0), (5.0, 3.0)]
    """
    steps = [2 * math.pi * i / sides for i in range(sides)]
    return tuple((x + radius * math.cos(a), y + radius * math.sin(a)) for a in steps)


def rounded_rectangle(
    x: float, y: float, width: float, height: float, radius: float, steps: int = 8
) -> Ring:
    """Return a rectangle with round corners of ``steps`` segments each, clockwise.

    >>> rounded_rectangle(0, 0, 4, 2, 0) == rectangle(0, 0, 4, 2)
    True
    """
    radius = min(radius, width / 2, height / 2)
    if radius <= 0:
        return rectangle(x, y, width, height)
    centers = (
        (x + radius, y + radius, 180),
        (x + width - radius, y + radius, 270),
        (x + width - radius, y + height - radius, 0),
        (x + radius, y + height - radius, 90),
    )
    return tuple(
        (cx + radius * math.cos(angle), cy + radius * math.sin(angle))
        for cx, cy, start in centers
        for angle in (math.radians(start + 90 * i / steps) for i in range(steps + 1))
    )


def bounds(elements: Iterable[Element]) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of all that the elements may ink, in millimetres.

    Text counts with its whole line from ascender to descender; a miter join, which may reach
    farther than its pen, is counted as round. Without elements everything is 0.

    >>> bounds([Stroke((((0, 0), (4, 0)),), "#000000", width=2)])
    (-1.0, -1.0, 5.0, 1.0)
    """
    boxes = [box for element in elements for box in _boxes(element)]
    if not boxes:
        return (0.0, 0.0, 0.0, 0.0)
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def _boxes(element: Element) -> Iterable[tuple[float, float, float, float]]:
    match element:
        case Fill():
            yield from (_around(ring, 0) for ring in element.rings if ring)
        case Stroke():
            yield from (_around(line, element.width / 2) for line in element.lines if line)
        case Text():
            from builder.draw.fonts import text_box

            yield text_box(element)
        case Picture():
            middle = (element.x + element.width / 2, element.y + element.height / 2)
            cos, sin = _cos_sin(element.angle)
            yield _around(
                [
                    (
                        middle[0] + cos * dx - sin * dy,
                        middle[1] + sin * dx + cos * dy,
                    )
                    for dx in (-element.width / 2, element.width / 2)
                    for dy in (-element.height / 2, element.height / 2)
                ],
                0,
            )
        case Repeat():
            left, top, right, bottom = bounds(element.elements)
            for x, y in element.at:
                yield (x + left, y + top, x + right, y + bottom)


def _around(points: Iterable[Point], margin: float) -> tuple[float, float, float, float]:
    xs, ys = zip(*points, strict=True)
    return (min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin)


def _cos_sin(degrees: float) -> tuple[float, float]:
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


def scene_text(scene: Scene) -> str:
    """Return a scene as text, one element a line, numbers cut to hundredths of a millimetre.

    >>> print(scene_text(Scene(10, 5, (Fill((((0, 0), (1, 0), (0, 2)),), "#ff0000"),))))
    scene 10 x 5
    fill #ff0000 0,0 1,0 0,2
    """
    head = f"scene {_num(scene.width)} x {_num(scene.height)}"
    if scene.background:
        head += f" on {scene.background}"
    return "\n".join([head, *_lines(scene.elements, "")])


def _num(value: float) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def _points(ring: Ring) -> str:
    return " ".join(f"{_num(x)},{_num(y)}" for x, y in ring)


def _paths(rings: Iterable[Ring]) -> str:
    return " / ".join(map(_points, rings))


def _lines(elements: Iterable[Element], indent: str) -> Iterable[str]:
    for element in elements:
        match element:
            case Fill():
                opacity = "" if element.opacity == 1 else f" opacity={_num(element.opacity)}"
                yield f"{indent}fill {element.color}{opacity} {_paths(element.rings)}"
            case Stroke():
                extras = [f"width={_num(element.width)}"]
                if element.closed:
                    extras.append("closed")
                if element.dash:
                    extras.append("dash=" + ",".join(map(_num, element.dash)))
                if element.cap != "round":
                    extras.append(element.cap)
                if element.join != "round":
                    extras.append(element.join)
                if element.opacity != 1:
                    extras.append(f"opacity={_num(element.opacity)}")
                yield f"{indent}stroke {element.color} {' '.join(extras)} {_paths(element.lines)}"
            case Text():
                extras = [f"{element.font} {_num(element.size)}", element.color, element.anchor]
                if element.baseline != "baseline":
                    extras.append(f"on-{element.baseline}")
                if element.angle:
                    extras.append(f"angle={_num(element.angle)}")
                if element.spacing:
                    extras.append(f"spacing={_num(element.spacing)}")
                if element.halo:
                    extras.append(f"halo={element.halo.color}/{_num(element.halo.width)}")
                if element.opacity != 1:
                    extras.append(f"opacity={_num(element.opacity)}")
                place = f"{_num(element.x)},{_num(element.y)}"
                yield f"{indent}text {place} {' '.join(extras)} {element.text!r}"
            case Picture():
                extras = [] if not element.angle else [f"angle={_num(element.angle)}"]
                extras += [f"{a}={b}" for a, b in element.colors]
                box = f"{_num(element.x)},{_num(element.y)} {_num(element.width)}x"
                yield " ".join(
                    [f"{indent}picture {element.name} {box}{_num(element.height)}", *extras]
                )
            case Repeat():
                yield f"{indent}repeat {len(element.at)} at {_points(element.at)}"
                yield from _lines(element.elements, indent + "  ")

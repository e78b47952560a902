"""Scenes: what to draw, independent of how. A scene is a tuple of elements in millimetres.

The origin is the top left corner, x runs right, y runs down. Elements are painted in order, later
ones on top. A scene prints as readable text, one element a line, which is what most tests compare.
"""

from __future__ import annotations

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

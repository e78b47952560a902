"""The typeface of everything we draw, and its measures.

One family, Source Sans Pro (SIL Open Font License), in six faces, from the wheel
``font-source-sans-pro``. Faces are read and registered with reportlab when first asked for. Text
is set without kerning or ligatures, so its width is the sum of its letters' advances; that is what
:func:`text_width` returns and what the painter paints.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from builder.draw.scene import Point, Text
from builder.problems import BuilderError, did_you_mean

if TYPE_CHECKING:
    from reportlab.pdfbase.ttfonts import TTFont

__all__ = [
    "FACES",
    "FaceMetrics",
    "UnknownFontError",
    "face_metrics",
    "missing_glyphs",
    "registered_font",
    "text_box",
    "text_origin",
    "text_width",
]

FACES: Final = {
    "regular": "SourceSansPro-Regular.ttf",
    "semibold": "SourceSansPro-Semibold.ttf",
    "bold": "SourceSansPro-Bold.ttf",
    "black": "SourceSansPro-Black.ttf",
    "italic": "SourceSansPro-It.ttf",
    "bold-italic": "SourceSansPro-BoldIt.ttf",
}
"""Name of a face in scenes and layouts -> its file in the font package."""


class UnknownFontError(BuilderError):
    """A scene names a face that the family does not have."""


@dataclass(frozen=True, slots=True)
class FaceMetrics:
    """Heights of a face as shares of its em; ``descent`` is negative."""

    ascent: float
    descent: float
    cap_height: float


@cache
def registered_font(font: str) -> TTFont:
    """Return the reportlab font of a face, registered under its own name.

    Raises :class:`UnknownFontError` for a name that is not in :data:`FACES`.
    """
    import font_source_sans_pro
    from reportlab.pdfbase import pdfmetrics, ttfonts

    if font not in FACES:
        raise UnknownFontError(f"unknown font {font!r}{did_you_mean(font, FACES)}")
    path = Path(font_source_sans_pro.font_directory) / FACES[font]
    face = ttfonts.TTFont(f"hexwright-{font}", str(path))
    pdfmetrics.registerFont(face)
    return face


@cache
def face_metrics(font: str) -> FaceMetrics:
    """Return the heights of a face.

    >>> round(face_metrics("regular").cap_height, 2)
    0.66
    """
    face = registered_font(font).face
    return FaceMetrics(face.ascent / 1000, face.descent / 1000, face.capHeight / 1000)


@cache
def _advances(font: str) -> tuple[dict[int, float], float]:
    face = registered_font(font).face
    return {code: width / 1000 for code, width in face.charWidths.items()}, face.defaultWidth / 1000


def text_width(text: str, font: str, size: float, spacing: float = 0.0) -> float:
    """Return the width of one line of text in the unit of ``size`` (its em) and ``spacing``.

    ``spacing`` is added between letters, not after the last one.

    >>> text_width("", "regular", 3)
    0.0
    >>> text_width("517", "bold", 2) == 2 * text_width("517", "bold", 1)
    True
    """
    if not text:
        return 0.0
    widths, default = _advances(font)
    em = sum([widths.get(ord(letter), default) for letter in text])
    return em * size + spacing * (len(text) - 1)


def text_origin(text: Text) -> Point:
    """Return where the baseline of a text of a scene begins, in millimetres of the page."""
    width = text_width(text.text, text.font, text.size, text.spacing)
    back = {"start": 0.0, "middle": width / 2, "end": width}[text.anchor]
    metrics = face_metrics(text.font)
    drop = {
        "baseline": 0.0,
        "middle": metrics.cap_height / 2,
        "top": metrics.cap_height,
        "bottom": metrics.descent,
    }[text.baseline]
    cos, sin = math.cos(math.radians(text.angle)), math.sin(math.radians(text.angle))
    drop *= text.size
    return text.x - back * cos - drop * sin, text.y - back * sin + drop * cos


def text_box(text: Text) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a text with its halo, in millimetres of the page.

    The line counts from ascender to descender, whatever its letters.
    """
    x, y = text_origin(text)
    width = text_width(text.text, text.font, text.size, text.spacing)
    metrics = face_metrics(text.font)
    cos, sin = math.cos(math.radians(text.angle)), math.sin(math.radians(text.angle))
    corners = [
        (x + cos * along + sin * up, y + sin * along - cos * up)
        for along in (0.0, width)
        for up in (metrics.ascent * text.size, metrics.descent * text.size)
    ]
    margin = text.halo.width if text.halo else 0.0
    xs, ys = zip(*corners, strict=True)
    return min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin


def missing_glyphs(text: str, font: str) -> str:
    """Return the characters of ``text`` that the face cannot show, each once, in order.

    >>> missing_glyphs("2★½●★", "bold")
    '★●'
    """
    known = registered_font(font).face.charToGlyph
    # reportlab writes a no-break space as a space
    return "".join(dict.fromkeys(c for c in text if ord(c) not in known and c != "\xa0"))

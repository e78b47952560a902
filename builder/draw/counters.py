"""Counter x face layout -> scenes: one for every face and step level of a counter."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from builder.draw.fit import fit_text
from builder.draw.fonts import missing_glyphs
from builder.draw.layouts import ElementLayout, FaceLayout, Layout, Role, When
from builder.draw.palette import SHAPES, ColorPalette, UnknownColorError
from builder.draw.scene import (
    Anchor,
    Element,
    Fill,
    Halo,
    Picture,
    Ring,
    Scene,
    Stroke,
    Text,
    circle,
    rectangle,
    rounded_rectangle,
)
from builder.gamebox.model import Counter
from builder.problems import ProblemLog, Source, did_you_mean

__all__ = ["FaceArt", "counter_faces"]

_FIELD: Final = re.compile(r"\{([^{}]*)\}")
_OWN_FIELDS: Final = ("step", "steps", "level", "reduced")
_CORE_FIELDS: Final = ("id", "name", "side", "layout", "palette", "start", "steps", "count")


@dataclass(frozen=True, slots=True)
class FaceArt:
    """A painted face. ``file`` ends in ``.png``; ``level`` is the step level shown, 0 for none."""

    file: str
    role: Role
    level: int
    scene: Scene
    face: str


def counter_faces(
    counter: Counter,
    layout: Layout,
    palette: ColorPalette,
    *,
    symbols: Collection[str],
    log: ProblemLog | None = None,
) -> tuple[FaceArt, ...]:
    """Return the faces of a counter in the order of the layout, full strength first.

    Mistakes (an unknown field, color or symbol, a character that the font lacks, a text that does
    not fit) are noted in ``log`` and what they concern is left out; without a log they are raised
    as :class:`~builder.problems.DataError`.
    """
    noted = ProblemLog() if log is None else log
    faces: dict[str, FaceArt] = {}
    for face in layout.faces:
        for level, of in _levels(counter, face, noted):
            painter = _FacePainter(counter, layout, face, palette, symbols, noted, level, of)
            art = painter.paint()
            if art is None:
                continue
            if art.file in faces:
                noted.add(face.source, f"{counter.id}: two faces are both called {art.file!r}")
            faces[art.file] = art
    if log is None:
        noted.check()
    return tuple(faces.values())


def _levels(counter: Counter, face: FaceLayout, log: ProblemLog) -> Iterator[tuple[int, int]]:
    """Pairs of a step level and the number of levels, for each painting of a face."""
    if not face.each:
        yield 0, max(1, counter.steps)
        return
    try:
        count = counter.value(face.each)
    except KeyError:
        hint = did_you_mean(face.each, (*_CORE_FIELDS, *counter.fields))
        log.add(face.source, f"each: unknown field {face.each!r}{hint}")
        return
    if count is not None and (isinstance(count, bool) or not isinstance(count, int)):
        log.add(face.source, f"each: {face.each!r} is not a whole number")
        return
    if face.each == "steps":
        count = max(1, count or 0)
    for step in range(count or 0, 0, -1):
        yield step, count or 0


def _file_safe(name: str) -> str:
    """A name that every file system takes: plain letters, digits, ``.``, ``-`` and ``_``."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9.-]+", "_", plain).strip("._") or "face"


class _FacePainter:
    """Fills one face with one counter at one step level (0: the face shows no level)."""

    def __init__(
        self,
        counter: Counter,
        layout: Layout,
        face: FaceLayout,
        palette: ColorPalette,
        symbols: Collection[str],
        log: ProblemLog,
        step: int,
        of: int,
    ) -> None:
        self.counter, self.layout, self.face = counter, layout, face
        self.palette, self.symbols, self.log = palette, symbols, log
        self.of = of
        self.step = step or of
        self.shows_level = bool(step)

    def paint(self) -> FaceArt | None:
        if not self.holds(self.face.when, self.face.source):
            return None
        elements: list[Element] = []
        for element in self.face.elements:
            if self.holds(element.table.when or {}, element.source):
                elements.extend(self.element(element))
        scene = Scene(self.layout.width, self.layout.height, tuple(elements))
        template = self.face.file or ("{id}_{step}" if self.face.each else "{id}")
        if not self.face.file and self.face.role in {"back", "hidden"}:
            template += f"_{self.face.role}"
        file = _file_safe(self.filled(template, self.face.source)) + ".png"
        level = self.step if self.shows_level else 0
        return FaceArt(file, self.face.role, level, scene, self.face.name)

    # ------------------------------------------------------------------------------- fields

    def holds(self, when: When, source: Source) -> bool:
        for name, wanted in when.items():
            found = self.value(name, source)
            for choice in (wanted,) if isinstance(wanted, str) else wanted:
                if (choice == "*" and found) or choice.casefold() == found.casefold():
                    break
            else:
                return False
        return True

    def filled(self, template: str, source: Source) -> str:
        """A text with the fields in braces replaced by the counter's."""
        return _FIELD.sub(lambda match: self.first(match[1], source), template)

    def first(self, choices: str, source: Source) -> str:
        """The first of ``a|b?|'text'`` that is not empty; ``?`` allows for a missing column."""
        for choice in choices.split("|"):
            choice = choice.strip()
            if len(choice) > 1 and choice[0] == choice[-1] == "'":
                return choice[1:-1]
            optional = choice.endswith("?")
            name = choice.removesuffix("?")
            if optional and name not in self.counter.fields and name not in _CORE_FIELDS:
                continue
            found = self.value(name, source)
            if found:
                return found
        return ""

    def value(self, name: str, source: Source) -> str:
        """A field as text; of several figures the one of the step level."""
        match name:
            case "step":
                return str(self.step)
            case "steps" if self.shows_level:
                return str(self.of)
            case "level":
                return str(self.of - self.step + 1)
            case "reduced":
                return "yes" if self.step < self.of else ""
        try:
            found = self.counter.value(name)
        except KeyError:
            hint = did_you_mean(name, (*_OWN_FIELDS, *_CORE_FIELDS, *self.counter.fields))
            self.log.add(source, f"unknown field {name!r}{hint}")
            return ""
        if found is None:
            return ""
        if isinstance(found, bool):
            return "yes" if found else ""
        if isinstance(found, tuple):
            figures = [v for v in found if isinstance(v, int)]
            if len(figures) < len(found) or not figures:
                return ", ".join(map(str, found))
            if self.shows_level and len(figures) != self.of:
                self.note(
                    f"{name}: expected {self.of} figures, one for each step, got {len(found)}"
                )
            return str(figures[min(self.of - self.step, len(figures) - 1)])
        return str(found)

    def note(self, message: str) -> None:
        """A mistake that lies in the counter's row."""
        self.log.add(self.counter.source, f"{self.counter.id}: {message}")

    def color(self, reference: str, element: ElementLayout) -> str:
        name = self.filled(reference, element.source)
        try:
            return self.palette.color(name)
        except UnknownColorError as error:
            self.note(f"{element.name}: {error}")
            return "#ff00ff"

    # ----------------------------------------------------------------------------- elements

    def element(self, element: ElementLayout) -> Iterator[Element]:
        match element.table.kind:
            case "box":
                yield from self.box(element)
            case "line":
                yield from self.line(element)
            case "text":
                yield from self.text(element)
            case "symbol":
                yield from self.symbol(element)

    def place(self, element: ElementLayout) -> tuple[float, float, float, float]:
        """Left, top, width and height in millimetres."""
        table, unit = element.table, self.layout.unit
        x, y = (table.x or 0.0) * unit, (table.y or 0.0) * unit
        width = self.layout.width - x if table.width is None else table.width * unit
        height = self.layout.height - y if table.height is None else table.height * unit
        return x, y, width, height

    def box(self, element: ElementLayout) -> Iterator[Element]:
        table = element.table
        x, y, width, height = self.place(element)
        opacity = 1.0 if table.opacity is None else table.opacity
        corner = (table.corner or 0.0) * self.layout.unit
        shape = self.shape(element)
        if table.fill is not None:
            ring = _outline(shape, x, y, width, height, corner)
            yield Fill((ring,), self.color(table.fill, element), opacity)
        if table.stroke is not None:
            pen = (table.stroke_width or 1.0) * self.layout.unit
            half = pen / 2
            inner = _outline(shape, x + half, y + half, width - pen, height - pen, corner - half)
            color = self.color(table.stroke, element)
            yield Stroke((inner,), color, pen, closed=True, join="miter", opacity=opacity)

    def shape(self, element: ElementLayout) -> str:
        shape = self.filled(element.table.shape or "round", element.source)
        if shape in SHAPES:
            return shape
        try:
            return self.palette.paint(shape).shape
        except UnknownColorError as error:
            self.note(f"{element.name}: {error}")
            return "round"

    def line(self, element: ElementLayout) -> Iterator[Element]:
        table, unit = element.table, self.layout.unit
        x, y, _, _ = self.place(element)
        points = tuple((x + px * unit, y + py * unit) for px, py in table.points or ())
        yield Stroke(
            (points,),
            self.color(table.stroke or "#000000", element),
            (table.stroke_width or 1.0) * unit,
            dash=tuple(d * unit for d in table.dash or ()),
            cap="butt",
            join="miter",
            opacity=1.0 if table.opacity is None else table.opacity,
        )

    def symbol(self, element: ElementLayout) -> Iterator[Element]:
        table = element.table
        wanted = self.filled(table.symbol or "", element.source)
        if not wanted:
            return
        names = {name.casefold(): name for name in self.symbols}
        name = wanted if wanted in self.symbols else names.get(wanted.casefold())
        if name is None:
            self.note(f"unknown symbol {wanted!r}{did_you_mean(wanted, self.symbols)}")
            return
        colors = tuple(
            (paint, self.color(reference, element))
            for paint, reference in sorted((table.colors or {}).items())
        )
        x, y, width, height = self.place(element)
        yield Picture(name, x, y, width, height, table.angle or 0.0, colors)

    def text(self, element: ElementLayout) -> Iterator[Element]:
        table, unit = element.table, self.layout.unit
        text = " ".join(self.filled(table.text or "", element.source).split())
        font = table.font or "regular"
        lacking = missing_glyphs(text, font)
        if lacking:
            listed = ", ".join(f"{c!r} (U+{ord(c):04X})" for c in lacking)
            self.note(f"{element.name}: the font {font!r} has no {listed}")
            return
        if not text:
            return
        x, y, width, height = self.place(element)
        size = (table.size or 0.0) * unit
        fitted = fit_text(
            text,
            font,
            width,
            height,
            size,
            min_size=None if table.min_size is None else table.min_size * unit,
            max_lines=table.lines or 1,
            leading=table.leading or 1.0,
            spacing=(table.spacing or 0.0) * unit,
        )
        if fitted is None:
            least = table.min_size or table.size or 0.0
            self.note(
                f"{element.name}: {text!r} does not fit its box of {width / unit:g} x "
                f"{height / unit:g}, even at size {least:g} in {table.lines or 1} line(s)"
            )
            return
        slack = height - fitted.height
        top = y + {"top": 0.0, "middle": slack / 2, "bottom": slack}[table.valign or "middle"]
        align = table.align or "center"
        at = x + {"left": 0.0, "center": width / 2, "right": width}[align]
        halo = None
        if table.halo is not None:
            halo = Halo(self.color(table.halo, element), (table.halo_width or 1.0) * unit)
        for line, baseline in zip(fitted.lines, fitted.baselines, strict=True):
            yield Text(
                at,
                top + baseline,
                line,
                fitted.size,
                self.color(table.color or "#000000", element),
                font,
                _ANCHORS[align],
                angle=table.angle or 0.0,
                spacing=(table.spacing or 0.0) * unit * fitted.size / size,
                halo=halo,
                opacity=1.0 if table.opacity is None else table.opacity,
            )


_ANCHORS: Final[Mapping[str, Anchor]] = {"left": "start", "center": "middle", "right": "end"}


def _outline(shape: str, x: float, y: float, width: float, height: float, corner: float) -> Ring:
    corner = max(0.0, min(corner, width / 2, height / 2))
    match shape:
        case "disc":
            return circle(x + width / 2, y + height / 2, min(width, height) / 2)
        case "cut" if corner:
            # as much of the corner goes as with a round one, to the eye
            cut = corner * 0.85
            right, bottom = x + width, y + height
            return (
                (x + cut, y),
                (right - cut, y),
                (right, y + cut),
                (right, bottom - cut),
                (right - cut, bottom),
                (x + cut, bottom),
                (x, bottom - cut),
                (x, y + cut),
            )
        case "round" if corner:
            return rounded_rectangle(x, y, width, height, corner)
        case _:
            return rectangle(x, y, width, height)

"""Face layouts: what stands where on a counter, as data (``templates/counters/*.toml``).

A layout extends another one: faces and elements of the same name are completed or replaced key by
key, new ones come on top. A face may begin as a copy of another face (``like``). Reading notes
every mistake with its place; :mod:`builder.draw.counters` then fills layouts with counters.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeAlias

from builder.draw.fonts import FACES
from builder.draw.palette import SHAPES, ColorPalette, UnknownColorError
from builder.problems import Problem, ProblemLog, Source, did_you_mean
from builder.reading import TomlFile, read_toml, validated

__all__ = [
    "ElementLayout",
    "ElementTable",
    "FaceLayout",
    "FaceTable",
    "Layout",
    "LayoutFile",
    "Role",
    "read_layouts",
]

Kind: TypeAlias = Literal["box", "line", "text", "symbol"]
Role: TypeAlias = Literal["front", "back", "step", "hidden"]
When: TypeAlias = dict[str, str | tuple[str, ...]]

_PLACE: Final = ("kind", "x", "y", "width", "height", "when", "opacity")
_KEYS_OF: Final[Mapping[Kind, frozenset[str]]] = {
    "box": frozenset({*_PLACE, "fill", "stroke", "stroke_width", "corner", "shape"}),
    "line": frozenset({*_PLACE, "points", "stroke", "stroke_width", "dash"}),
    "text": frozenset(
        {
            *_PLACE,
            *("text", "font", "size", "min_size", "lines", "leading", "spacing"),
            *("align", "valign", "color", "halo", "halo_width", "angle"),
        }
    ),
    "symbol": frozenset({*_PLACE, "symbol", "colors", "angle"}) - {"opacity"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementTable:
    """One element of a face, painted in the order of the file. What is not said is inherited.

    ``x``, ``y``, ``width``, ``height`` are its box (default: the whole face) in the units of the
    layout, as are all sizes. Texts in braces are fields of the counter. ``when`` names fields and
    the values (one or several; ``*`` any, an empty text none) for which the element is painted.

    *box*: ``fill``, ``stroke`` (drawn inside the box), ``corner`` (radius), ``shape`` (round, cut,
    square, disc, or a color that has a shape). *line*: ``points`` from the box's top left,
    ``stroke``, ``dash``. *text*: shrinks from ``size`` to ``min_size`` until it fits, then wraps
    into at most ``lines`` lines; ``align``, ``valign`` in its box. *symbol*: a drawing of
    ``art/symbols``; ``colors`` replaces its paints.
    """

    kind: Kind
    x: float | None = None
    y: float | None = None
    width: float | None = None
    height: float | None = None
    when: When | None = None
    opacity: float | None = None
    fill: str | None = None
    stroke: str | None = None
    stroke_width: float | None = None
    corner: float | None = None
    shape: str | None = None
    points: tuple[tuple[float, float], ...] | None = None
    dash: tuple[float, ...] | None = None
    text: str | None = None
    font: str | None = None
    size: float | None = None
    min_size: float | None = None
    lines: int | None = None
    leading: float | None = None
    spacing: float | None = None
    align: Literal["left", "center", "right"] | None = None
    valign: Literal["top", "middle", "bottom"] | None = None
    color: str | None = None
    halo: str | None = None
    halo_width: float | None = None
    angle: float | None = None
    symbol: str | None = None
    colors: dict[str, str] | None = None

    __pydantic_config__: ClassVar = {"extra": "forbid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceTable:
    """One face, or one for each step level.

    ``role`` says what the face is for; ``each`` names a whole-number field of the counter: the
    face is painted once for every level from that number down to 1. ``file`` is the picture's
    name without ``.png``; ``like`` names a face of this layout to begin with; ``when`` paints the
    face only for some counters; ``remove`` drops inherited elements.
    """

    role: Role | None = None
    each: str | None = None
    file: str | None = None
    like: str | None = None
    when: When | None = None
    remove: tuple[str, ...] = ()
    elements: dict[str, ElementTable] = field(default_factory=dict)

    __pydantic_config__: ClassVar = {"extra": "forbid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutFile:
    """A file of ``templates/counters``: a layout, named after the file.

    ``size`` is width and height in millimetres. Places and sizes are millimetres as well, or, with
    ``grid``, that many parts of the width: a grid of 76 is crisp on pictures 76 pixels wide.
    """

    extends: str | None = None
    size: tuple[float, float] | None = None
    grid: float | None = None
    faces: dict[str, FaceTable] = field(default_factory=dict)

    __pydantic_config__: ClassVar = {"extra": "forbid"}


@dataclass(frozen=True, slots=True)
class ElementLayout:
    """An element with all that it inherited, and where it was last written."""

    name: str
    table: ElementTable
    source: Source


@dataclass(frozen=True, slots=True)
class FaceLayout:
    """A face with all that it inherited. ``each`` and ``file`` may be empty."""

    name: str
    role: Role
    each: str
    file: str
    when: When
    elements: tuple[ElementLayout, ...]
    source: Source


@dataclass(frozen=True, slots=True)
class Layout:
    """A complete layout: ``width`` and ``height`` in millimetres, ``unit`` millimetres per unit."""

    name: str
    width: float
    height: float
    unit: float
    faces: tuple[FaceLayout, ...]
    source: Source


@dataclass(slots=True)
class _Draft:
    """A layout while it is put together."""

    size: tuple[float, float] = (12.7, 12.7)
    grid: float | None = None
    faces: dict[str, FaceTable] = field(default_factory=dict)
    sources: dict[tuple[str, ...], Source] = field(default_factory=dict)


def read_layouts(
    paths: Mapping[str, Path],
    log: ProblemLog,
    *,
    palette: ColorPalette,
    symbols: Collection[str],
) -> dict[str, Layout]:
    """Read layouts by name, those they extend among them; leave out those with mistakes.

    Fonts, colors and symbols that do not depend on a counter are checked here.
    """
    return _Reader(paths, log, palette, symbols).layouts()


class _Reader:
    def __init__(
        self,
        paths: Mapping[str, Path],
        log: ProblemLog,
        palette: ColorPalette,
        symbols: Collection[str],
    ) -> None:
        self.paths, self.log, self.palette, self.symbols = paths, log, palette, symbols
        self.files: dict[str, tuple[TomlFile, LayoutFile] | None] = {}
        self.drafts: dict[str, _Draft | None] = {}

    def layouts(self) -> dict[str, Layout]:
        found: dict[str, Layout] = {}
        for name in sorted(self.paths):
            draft = self.draft(name, ())
            if draft is None:
                continue
            before = len(self.log.errors)
            layout = self.complete(name, draft)
            if len(self.log.errors) == before:
                found[name] = layout
        return found

    def file(self, name: str) -> tuple[TomlFile, LayoutFile] | None:
        if name not in self.files:
            file = read_toml(self.paths[name], self.log)
            checked = file and validated(file, LayoutFile, self.log)
            self.files[name] = (file, checked) if file and checked else None
        return self.files[name]

    def draft(self, name: str, below: tuple[str, ...]) -> _Draft | None:
        """A layout with what it extends, or ``None`` after a noted mistake."""
        if name in self.drafts:
            return self.drafts[name]
        self.drafts[name] = None
        found = self.file(name)
        if found is None:
            return None
        file, table = found
        draft = _Draft()
        if table.extends is not None:
            place = file.source("extends")
            if table.extends in (*below, name):
                self.log.add(
                    place, f"extends: {' > '.join((*below, name, table.extends))}: a circle"
                )
                return None
            if table.extends not in self.paths:
                hint = did_you_mean(table.extends, self.paths)
                self.log.add(place, f"extends: unknown layout {table.extends!r}{hint}")
                return None
            parent = self.draft(table.extends, (*below, name))
            if parent is None:
                return None
            draft = _Draft(parent.size, parent.grid, dict(parent.faces), dict(parent.sources))
        draft.size = table.size or draft.size
        draft.grid = table.grid or draft.grid
        if min(draft.size) <= 0 or (draft.grid or 1) <= 0:
            self.log.add(file.source("size"), "size and grid: expected more than 0")
            return None
        before = len(self.log.errors)
        for face_name, face in table.faces.items():
            self.add_face(draft, file, face_name, face)
        self.drafts[name] = draft if len(self.log.errors) == before else None
        return self.drafts[name]

    def add_face(self, draft: _Draft, file: TomlFile, name: str, face: FaceTable) -> None:
        here = file.source("faces", name)
        base = draft.faces.get(name, FaceTable())
        if face.like is not None:
            other = draft.faces.get(face.like)
            if other is None:
                hint = did_you_mean(face.like, draft.faces)
                place = file.source("faces", name, "like")
                self.log.add(place, f"like: no face {face.like!r} before this one{hint}")
                return
            base = other
            for key, source in list(draft.sources.items()):
                if key[0] == face.like:
                    draft.sources[name, *key[1:]] = source
        elements = dict(base.elements)
        for removed in face.remove:
            if removed not in elements:
                hint = did_you_mean(removed, elements)
                place = file.source("faces", name, "remove")
                self.log.add(place, f"remove: no element {removed!r}{hint}")
            elements.pop(removed, None)
        for label, element in face.elements.items():
            old = elements.get(label)
            same = old is not None and old.kind == element.kind
            elements[label] = _completed(old, element) if same else element
            draft.sources[name, label] = file.source("faces", name, "elements", label)
        draft.sources[(name,)] = here
        merged = _completed(base, face)
        draft.faces[name] = dataclasses.replace(merged, elements=elements, remove=())

    def complete(self, name: str, draft: _Draft) -> Layout:
        faces = tuple(
            FaceLayout(
                name=face_name,
                role=face.role or "front",
                each=face.each or "",
                file=face.file or "",
                when=face.when or {},
                elements=tuple(
                    ElementLayout(key, element, draft.sources[face_name, key])
                    for key, element in face.elements.items()
                ),
                source=draft.sources[(face_name,)],
            )
            for face_name, face in draft.faces.items()
        )
        for face in faces:
            for element in face.elements:
                self.log.problems.extend(self.mistakes(element))
        width, height = draft.size
        unit = width / draft.grid if draft.grid else 1.0
        return Layout(name, width, height, unit, faces, Source(self.paths[name].name))

    def mistakes(self, element: ElementLayout) -> Iterator[Problem]:
        """What can be told of an element without a counter."""
        table, source = element.table, element.source
        allowed = _KEYS_OF[table.kind]
        for key in _said(table) - allowed:
            message = f"{element.name}: a {table.kind} has no {key!r}{did_you_mean(key, allowed)}"
            yield Problem(source, message)
        if table.font is not None and table.font not in FACES:
            yield Problem(
                source,
                f"{element.name}: unknown font {table.font!r}{did_you_mean(table.font, FACES)}",
            )
        for reference in (
            table.fill,
            table.stroke,
            table.color,
            table.halo,
            *(table.colors or {}).values(),
        ):
            if reference and "{" not in reference:
                try:
                    self.palette.color(reference)
                except UnknownColorError as error:
                    yield Problem(source, f"{element.name}: {error}")
        shape = table.shape
        if shape and "{" not in shape and shape not in SHAPES and ":" not in shape:
            yield Problem(
                source, f"{element.name}: unknown shape {shape!r}{did_you_mean(shape, SHAPES)}"
            )
        symbol = table.symbol
        if symbol and "{" not in symbol and symbol not in self.symbols:
            yield Problem(
                source,
                f"{element.name}: unknown symbol {symbol!r}{did_you_mean(symbol, self.symbols)}",
            )
        size, least = table.size or 0.0, table.min_size
        if table.kind == "text" and (size <= 0 or (least is not None and not 0 < least <= size)):
            yield Problem(source, f"{element.name}: expected 0 < min_size <= size")
        if table.kind == "text" and table.lines is not None and table.lines < 1:
            yield Problem(source, f"{element.name}: expected lines of 1 or more")


def _said(table: ElementTable | FaceTable) -> set[str]:
    return {f.name for f in dataclasses.fields(table) if getattr(table, f.name) is not None}


def _completed(base: Any, change: Any) -> Any:
    """A table with what another one of its kind says in place of its own."""
    return dataclasses.replace(base, **{key: getattr(change, key) for key in _said(change)})

"""The look of maps as data: ``templates/map/*.toml``, changed by a map's own ``[style]`` table.

All sizes are in hundredths of a hex's height from flat side to flat side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Literal

from builder.draw.fonts import FACES
from builder.draw.palette import is_color
from builder.gamebox.model import MapSheet
from builder.problems import DataError, Problem, ProblemLog, Source, did_you_mean
from builder.reading import TomlFile, read_toml, validated
from builder.workspace import Workspace, open_workspace

__all__ = [
    "AreaStyle",
    "BoxStyle",
    "LineStyle",
    "MapStyle",
    "ObjectiveStyle",
    "PlaceStyle",
    "SheetStyle",
    "TextStyle",
    "is_objective",
    "map_style",
    "style_problems",
]

AreaKind = Literal[
    "plain",
    "woods",
    "houses",
    "hamlet",
    "water",
    "hill",
    "junction",
    "bamboo",
    "beyond",
    "blaze",
    "bridge",
    "building",
    "cactus",
    "crag",
    "frozen",
    "interior",
    "jungle",
    "lane",
    "marsh",
    "orchard",
    "paddy",
    "rows",
    "storeys",
    "stream",
    "swamp",
]
PlaceMark = Literal["none", "zone", "aim", "entry", "plate", "rose"]
_DETAILS: Mapping[str, int] = {
    "woods": 3,
    "houses": 2,
    "hamlet": 2,
    "hill": 2,
    "bamboo": 2,
    "blaze": 3,
    "bridge": 2,
    "building": 3,
    "cactus": 2,
    "crag": 3,
    "frozen": 1,
    "jungle": 4,
    "marsh": 2,
    "orchard": 3,
    "paddy": 3,
    "rows": 3,
    "storeys": 1,
    "swamp": 3,
}
"""How many colors of what stands on the ground each kind needs; others need none."""
_WIDE = ("bridge", "stream")
"""Kinds that need a width."""
_STRICT: dict[str, Any] = {"extra": "forbid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetStyle:
    """Paper, open ground, and the lines between hexes.

    ``dot`` is the radius of a dot in the middle of each hex, ``legend`` how much larger than usual
    the legend is.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    paper: str
    panel: str
    ground: str
    field: str
    furrow: str
    frame: str
    grid: str
    grid_width: float = 1.0
    grid_opacity: float = 0.5
    dot: float = 0.0
    legend: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaStyle:
    """A terrain base or flag: how its hexes are filled; ``detail`` holds the colors of what
    stands on it (shade, body and light of trees; walls and outlines of houses; shadow and light
    of hills); ``width`` is that of a stream or of a bridge's deck."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    kind: AreaKind
    color: str = ""
    edge: str = ""
    opacity: float = 1.0
    detail: tuple[str, ...] = ()
    width: float = 0.0
    legend: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LineStyle:
    """A river or a class of road: body, and a casing that shows ``border`` on both sides.

    A road leaves the middle of a hex by the share ``ease`` of what would make it straight there.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    color: str
    casing: str
    width: float
    border: float
    ease: float = 0.0
    bridge: bool = False
    legend: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextStyle:
    """One kind of lettering; without ``halo`` there is none."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    font: str
    size: float
    color: str
    halo: str = ""
    halo_width: float = 0.0
    spacing: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceStyle:
    """A kind of place: its mark, and the lettering of its name (none if ``text`` is empty).

    ``open_text`` is the lettering on open ground, if it is another one.
    """

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    text: str = ""
    open_text: str = ""
    mark: PlaceMark = "none"
    color: str = ""
    legend: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectiveStyle:
    """Which field makes a place an objective (``star`` is the word for a star in place of a
    number), which holds its color, and the disc and ink of each color."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    value: str
    color: str
    star: str
    colors: Mapping[str, tuple[str, str]]
    legends: Mapping[str, str] = field(default_factory=dict)
    star_legend: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxStyle:
    """A kind of printed box; its label stands at the top, or large and pale in the middle."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    fill: str
    edge: str
    text: str = "box"
    centered: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MapStyle:
    """Everything that can be said about the look of a map."""

    __pydantic_config__: ClassVar[dict[str, Any]] = _STRICT
    colors: Mapping[str, str]
    sheet: SheetStyle
    terrain: Mapping[str, AreaStyle]
    hexside: Mapping[str, LineStyle]
    route: Mapping[str, LineStyle]
    text: Mapping[str, TextStyle]
    place: Mapping[str, PlaceStyle]
    objective: ObjectiveStyle
    box: Mapping[str, BoxStyle]
    sides: Mapping[str, str] = field(default_factory=dict)

    def ink(self, color: str) -> str:
        """Return ``#rrggbb`` for a color of the style; ``KeyError`` for an unknown name."""
        return color if color.startswith("#") else self.colors[color]

    def box_of(self, kind: str) -> BoxStyle:
        """Return the style of a kind of box, or that of ``default``."""
        return self.box.get(kind, self.box["default"])


@lru_cache(maxsize=8)
def _template(workspace: Workspace, name: str) -> TomlFile:
    known = workspace.files("templates/map", ".toml")
    log = ProblemLog()
    if name not in known:
        log.add(Source("map.toml"), f"style: unknown map style {name!r}{did_you_mean(name, known)}")
        raise DataError(log.problems)
    file = read_toml(known[name], log, f"templates/map/{name}.toml")
    log.check()
    if file is None:  # read_toml notes a problem whenever it returns nothing
        raise DataError(log.problems)
    return file


def map_style(
    changes: Mapping[str, Any],
    palette: Mapping[str, str],
    workspace: Workspace | None = None,
) -> MapStyle:
    """Return a style: a template (``base``, else ``standard``), changed by a ``[style]`` table.

    Colors of ``palette`` replace those of the template that have the same name, and ``changes``
    win over both. Raises :class:`DataError` with every mistake.
    """
    file = _template(workspace or open_workspace(), str(changes.get("base", "standard")))
    data = dict(file.data)
    data["colors"] = {k: palette.get(k, v) for k, v in dict(data.get("colors", {})).items()}
    own = {k: v for k, v in changes.items() if k != "base"}
    data = _merged(data, own)
    places = {} if own else file.places
    log = ProblemLog()
    style = validated(TomlFile("map.toml" if own else file.name, data, places), MapStyle, log)
    if style is None:
        raise DataError(log.problems)
    problems = list(_own_problems(style, Source("map.toml" if own else file.name), palette))
    if problems:
        raise DataError(problems)
    return MapStyle(
        colors={**palette, **style.colors},
        **{n: getattr(style, n) for n in MapStyle.__slots__ if n != "colors"},
    )


def _merged(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in changes.items():
        old = merged.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            value = _merged(old, value)
        merged[key] = value
    return merged


def _own_problems(style: MapStyle, source: Source, palette: Mapping[str, str]) -> list[Problem]:
    """Names within the style that lead nowhere."""
    problems = []
    known = {**palette, **style.colors}

    def check(where: str, word: str, words: Mapping[str, object], what: str) -> None:
        if word and word not in words:
            hint = did_you_mean(word, words)
            problems.append(Problem(source, f"style: {where}: unknown {what} {word!r}{hint}"))

    def colors(where: str, *names: str) -> None:
        for name in names:
            if not is_color(name):
                check(where, name, known, "color")

    for name, color in style.colors.items():
        if not is_color(color):
            text = f"style: colors.{name}: expected '#rrggbb', got {color!r}"
            problems.append(Problem(source, text))
    sheet = style.sheet
    colors(
        "sheet",
        sheet.paper,
        sheet.panel,
        sheet.ground,
        sheet.field,
        sheet.furrow,
        sheet.frame,
        sheet.grid,
    )
    for name, area in style.terrain.items():
        colors(f"terrain.{name}", area.color, area.edge, *area.detail)
        needed = _DETAILS.get(area.kind, 0)
        if len(area.detail) < needed or (area.kind != "plain" and not area.color):
            text = f"style: terrain.{name}: {area.kind} needs a color and {needed} in detail"
            problems.append(Problem(source, text))
        if area.kind in _WIDE and area.width <= 0:
            problems.append(Problem(source, f"style: terrain.{name}: {area.kind} needs a width"))
    for table, lines in (("hexside", style.hexside), ("route", style.route)):
        for name, line in lines.items():
            colors(f"{table}.{name}", line.color, line.casing)
    for name, text_style in style.text.items():
        check(f"text.{name}", text_style.font, FACES, "font")
        colors(f"text.{name}", text_style.color, text_style.halo)
    for name in (
        "number",
        "river",
        "road",
        "mark",
        "plate",
        "title",
        "subtitle",
        "heading",
        "note",
    ):
        check("text", name, style.text, "lettering")
    for name, place in style.place.items():
        check(f"place.{name}", place.text, style.text, "lettering")
        check(f"place.{name}", place.open_text, style.text, "lettering")
        colors(f"place.{name}", place.color)
    for name, pair in style.objective.colors.items():
        colors(f"objective.colors.{name}", *pair)
    check("box", "default", style.box, "kind")
    for name, box in style.box.items():
        check(f"box.{name}", box.text, style.text, "lettering")
        colors(f"box.{name}", box.fill, box.edge)
    for name, color in style.sides.items():
        colors(f"sides.{name}", color)
    return problems


def style_problems(sheet: MapSheet, style: MapStyle) -> list[Problem]:
    """Return what the map names and the style cannot draw: bases, hexsides, routes."""
    problems: list[Problem] = []
    where = Source("map.toml")

    def check(source: Source, what: str, word: str, known: Mapping[str, object]) -> None:
        if word not in known:
            hint = did_you_mean(word, known)
            text = f"the map style has no {what} {word!r}{hint}"
            problems.append(Problem(source, text))

    for terrain in sheet.terrains.values():
        for feature in terrain.features:
            check(where, "terrain", feature, style.terrain)
    for side in sheet.sides.values():
        check(side.source, "hexside", side.kind, style.hexside)
    for route in sheet.routes:
        check(route.source, "route", route.kind, style.route)
    for place in sheet.places:
        color = place.fields.get(style.objective.color)
        if isinstance(color, str) and color and is_objective(place.fields, style):
            check(place.source, "objective color", color, style.objective.colors)
    return sorted(set(problems))


def is_objective(fields: Mapping[str, Any], style: MapStyle) -> bool:
    """Tell whether a place's fields make it an objective."""
    return fields.get(style.objective.value) not in (None, "")

"""How charts look: ``templates/pages/*.toml`` checked and resolved."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar

from builder.draw.fonts import FACES
from builder.draw.palette import ColorPalette, UnknownColorError
from builder.problems import ProblemLog, did_you_mean
from builder.reading import read_toml, salvaged

__all__ = ["ChartColors", "ChartSpace", "ChartStyle", "ChartType", "TypeLook", "read_chart_style"]

_STRICT = {"extra": "forbid"}

ColorText = Annotated[str, "a color as #rrggbb or a name of art/palette.toml"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartColors:
    """The colors of a chart, by what they paint."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    paper: ColorText
    edge: ColorText
    title: ColorText
    quiet: ColorText
    head: ColorText
    head_ink: ColorText
    group: ColorText
    group_ink: ColorText
    band: ColorText
    line: ColorText
    ink: ColorText
    mark: ColorText
    tile: ColorText
    tile_edge: ColorText


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeLook:
    """A face of :mod:`~builder.draw.fonts` and its em in millimetres."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    font: str
    size: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartType:
    """The type of a chart's parts."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    title: TypeLook
    subtitle: TypeLook
    head: TypeLook
    group: TypeLook
    cell: TypeLook
    strong: TypeLook
    note: TypeLook


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartSpace:
    """Distances: ``column`` and ``row`` in millimetres, the others as shares of a text's size.

    ``compact`` is the share of the air in rows that compact charts keep, and of their title.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    column: float
    row: float
    leading: float
    tile: float
    symbol: float
    compact: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartStyle:
    """A whole style; ``width`` is a chart's greatest width, ``margin`` lies around it, in mm."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    width: float
    margin: float
    radius: float
    color: ChartColors
    type: ChartType
    space: ChartSpace

    def compacted(self) -> ChartStyle:
        """Return the style of compact charts: less air in rows, a smaller title."""
        share = self.space.compact
        title = dataclasses.replace(self.type.title, size=self.type.title.size * (1 + share) / 2)
        return dataclasses.replace(
            self,
            type=dataclasses.replace(self.type, title=title),
            space=dataclasses.replace(self.space, row=self.space.row * share),
        )

    def scaled(self, share: float) -> ChartStyle:
        """Return the style with every length made larger or smaller, but for ``width``."""
        looks = {
            f.name: dataclasses.replace(look, size=look.size * share)
            for f in dataclasses.fields(self.type)
            if isinstance(look := getattr(self.type, f.name), TypeLook)
        }
        space = dataclasses.replace(
            self.space, column=self.space.column * share, row=self.space.row * share
        )
        return dataclasses.replace(
            self,
            margin=self.margin * share,
            radius=self.radius * share,
            type=ChartType(**looks),
            space=space,
        )


def read_chart_style(path: Path, palette: ColorPalette, log: ProblemLog) -> ChartStyle | None:
    """Read a style with its colors resolved; ``None`` with every mistake noted if it has any."""
    toml = read_toml(path, log, f"pages/{path.name}")
    before = len(log.errors)
    style = salvaged(toml, ChartStyle, log)[0] if toml else None
    if style is None or toml is None or len(log.errors) > before:
        return None
    for part in dataclasses.fields(style.type):
        look: TypeLook = getattr(style.type, part.name)
        if look.font not in FACES:
            hint = did_you_mean(look.font, FACES)
            log.add(toml.source("type", part.name, "font"), f"unknown font {look.font!r}{hint}")
        if not 0 < look.size < 100:
            log.add(
                toml.source("type", part.name, "size"),
                f"size: expected millimetres from 0 to 100, got {look.size}",
            )
    for name in ("column", "row", "leading", "tile", "symbol", "compact"):
        value: float = getattr(style.space, name)
        if not 0 < value < 100:
            log.add(toml.source("space", name), f"{name}: expected a number above 0, got {value}")
    colors: dict[str, str] = {}
    for part in dataclasses.fields(style.color):
        try:
            colors[part.name] = palette.color(getattr(style.color, part.name))
        except UnknownColorError as error:
            log.add(toml.source("color", part.name), f"{part.name}: {error}")
    if len(log.errors) > before:
        return None
    return dataclasses.replace(style, color=ChartColors(**colors))

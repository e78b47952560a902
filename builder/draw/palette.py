"""Named colors: ``art/palette.toml``, in groups, with what goes with a color.

A reference is ``group:name`` (``group.name`` is read as well), or ``#rrggbb`` itself; behind it
``.ink``, ``.dark`` or ``.light`` asks for the companion instead of the color.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args

from builder.problems import BuilderError, ProblemLog, did_you_mean
from builder.reading import TomlFile, read_toml

__all__ = ["ColorPalette", "Paint", "Shape", "UnknownColorError", "is_color", "read_palette"]

Shape: TypeAlias = Literal["round", "cut", "square", "disc"]
SHAPES: Final = frozenset(get_args(Shape))

_HEX: Final = re.compile(r"#[0-9a-fA-F]{6}")
_REFERENCE: Final = re.compile(
    r"(?P<group>[^:.]+)[:.](?P<name>.+?)(?:\.(?P<part>ink|dark|light))?", re.DOTALL
)
_KEYS: Final = ("color", "ink", "dark", "light", "shape", "cmyk")
_BLACK: Final = "#161513"
_WHITE: Final = "#ffffff"


class UnknownColorError(BuilderError):
    """A color reference names a group or a name that the palette does not have."""


@dataclass(frozen=True, slots=True)
class Paint:
    """A color with its companions, all ``#rrggbb``: a legible ink, a darker edge, a tint.

    ``shape`` is the outline of counters of that color; ``cmyk`` four percentages for a press.
    """

    color: str
    ink: str
    dark: str
    light: str
    shape: Shape = "round"
    cmyk: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class ColorPalette:
    """Group -> name -> paint; names are found whatever their case."""

    groups: Mapping[str, Mapping[str, Paint]]

    def paint(self, reference: str) -> Paint:
        """Return the paint of ``group:name``; raises :class:`UnknownColorError`."""
        return self._found(reference)[0]

    def color(self, reference: str) -> str:
        """Return ``#rrggbb`` for a reference or for ``#rrggbb`` itself.

        Raises :class:`UnknownColorError` with the nearest known name.
        """
        if is_color(reference):
            return reference.lower()
        paint, part = self._found(reference)
        return {"ink": paint.ink, "dark": paint.dark, "light": paint.light}.get(part, paint.color)

    def flat(self) -> dict[str, str]:
        """Return ``group.name`` -> ``#rrggbb`` of every color."""
        return {
            f"{group}.{name}": paint.color
            for group, paints in self.groups.items()
            for name, paint in paints.items()
        }

    def _found(self, reference: str) -> tuple[Paint, str]:
        match = _REFERENCE.fullmatch(reference)
        if match is None:
            raise UnknownColorError(f"expected '#rrggbb' or 'group:name', got {reference!r}")
        paints = _folded(self.groups, match["group"])
        if paints is None:
            hint = did_you_mean(match["group"], self.groups)
            raise UnknownColorError(f"unknown color group {match['group']!r}{hint}")
        paint = _folded(paints, match["name"])
        if paint is None:
            hint = did_you_mean(match["name"], paints)
            raise UnknownColorError(f"unknown color {match['name']!r} of {match['group']!r}{hint}")
        return paint, match["part"] or ""


def is_color(text: str) -> bool:
    """Tell whether a text is ``#rrggbb``.

    >>> is_color("#a0b1c2"), is_color("red")
    (True, False)
    """
    return _HEX.fullmatch(text) is not None


def read_palette(path: Path, log: ProblemLog) -> ColorPalette:
    """Read a palette; notes every mistake with its place and leaves that color out."""
    file = read_toml(path, log)
    groups: dict[str, dict[str, Paint]] = {}
    if file is None:
        return ColorPalette(groups)
    for group, entries in file.data.items():
        if not isinstance(entries, dict):
            log.add(file.source(group), f"{group}: expected a table of colors, got {entries!r}")
            continue
        groups[group] = {}
        for name, entry in entries.items():
            paint = _paint(file, (group, name), entry, log)
            if paint is not None:
                groups[group][name] = paint
    return ColorPalette(groups)


def _paint(file: TomlFile, place: tuple[str, str], entry: Any, log: ProblemLog) -> Paint | None:
    table = {"color": entry} if isinstance(entry, str) else entry
    if not isinstance(table, dict):
        log.add(file.source(*place), f"{place[1]}: expected '#rrggbb' or a table, got {entry!r}")
        return None
    before = len(log.errors)
    for key, value in table.items():
        spot = file.source(*place, key)
        if key not in _KEYS:
            log.add(spot, f"unknown key {key!r}{did_you_mean(key, _KEYS)}")
        elif key == "shape" and value not in SHAPES:
            log.add(spot, f"shape: got {value!r}{did_you_mean(str(value), SHAPES)}")
        elif key == "cmyk" and not _is_cmyk(value):
            log.add(spot, f"cmyk: expected four percentages, got {value!r}")
        elif key in _KEYS[:4] and not (isinstance(value, str) and is_color(value)):
            log.add(spot, f"{key}: expected a color '#rrggbb', got {value!r}")
    if "color" not in table:
        log.add(file.source(*place), f"{place[1]}: expected a key 'color'")
    if len(log.errors) > before:
        return None
    color = table["color"].lower()
    return Paint(
        color,
        table.get("ink", legible_on(color)).lower(),
        table.get("dark", mixed(color, "#000000", 0.35)).lower(),
        table.get("light", mixed(color, "#ffffff", 0.55)).lower(),
        table.get("shape", "round"),
        tuple(map(float, table.get("cmyk", ()))),
    )


def mixed(color: str, other: str, share: float) -> str:
    """Return a color mixed with a share of another one.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = [(int(color[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def contrast(color: str, other: str) -> float:
    """Return the contrast of two colors, 1 to 21, as WCAG 2 defines it.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    light, dark = sorted((_luminance(color), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def legible_on(color: str) -> str:
    """Return near-black or white, whichever has more contrast to a color."""
    # white looks stronger on a color than its figure says, so black has to win clearly
    return _BLACK if contrast(color, _BLACK) > 1.35 * contrast(color, _WHITE) else _WHITE


def _luminance(color: str) -> float:
    levels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in levels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _is_cmyk(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 4
        and all(type(v) in {int, float} and 0 <= v <= 100 for v in value)
    )


def _folded(table: Mapping[str, Any], name: str) -> Any:
    if name in table:
        return table[name]
    return next((v for k, v in table.items() if k.casefold() == name.casefold()), None)

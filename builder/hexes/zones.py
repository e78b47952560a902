"""Boards and their zones: which grid names and snaps a pixel.

Sources: VASSAL ``board.ZonedGrid``, ``mapgrid.Zone``, ``boardPicker.Board``, ``Map.snapTo`` and
``Map.locationName``. All pixels are board pixels: a map's edge padding and the boards to the left
and above are taken off before.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from builder.hexes.grid import HexGrid
from builder.hexes.regions import RegionGrid
from builder.hexes.snapping import polygon_contains
from builder.hexes.square import SquareGrid
from builder.problems import UsageError

__all__ = ["OFFBOARD", "AnyGrid", "Board", "RegularGrid", "Zone", "ZonedGrid"]

RegularGrid = HexGrid | SquareGrid
"""A grid whose places are computed, not listed."""

AnyGrid = RegularGrid | RegionGrid
"""A grid that a board or a zone can have."""

OFFBOARD: Final = "offboard"
"""VASSAL's untranslated name of a place without a name."""

_PLACEHOLDER: Final = re.compile(r"\$(name|gridLocation)\$")
_LONGEST: Final = 1000
"""Names and their formats come from files of others; longer ones are refused or cut."""
_MOST_CELLS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A named polygon of a board, with a grid of its own, the board's grid, or none.

    ``grid`` is measured in board pixels like any other; its extent becomes the bounds of the
    polygon, from which VASSAL counts descending numbers.
    """

    name: str
    path: tuple[tuple[int, int], ...]
    location_format: str = "$name$"
    use_parent_grid: bool = False
    grid: AnyGrid | None = None

    def __post_init__(self) -> None:
        """Refuse a polygon without area and let the grid lie in the polygon's bounds."""
        if len(self.path) < 3:
            raise UsageError(f"zone {self.name!r}: a polygon needs three points or more")
        if max(len(self.name), len(self.location_format)) > _LONGEST:
            raise UsageError(f"zone {self.name[:40]!r}: its name or format is too long")
        if isinstance(self.grid, HexGrid | SquareGrid):
            left, top, width, height = self.bounds
            fitted = replace(self.grid, extent=(width, height), extent_at=(left, top))
            object.__setattr__(self, "grid", fitted)  # the way dataclasses leave to frozen ones

    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """Left, top, width and height of the polygon, in pixels."""
        xs, ys = zip(*self.path, strict=True)
        return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)

    def contains(self, x: int, y: int) -> bool:
        """Return whether VASSAL counts a pixel to the zone: left and top edges belong to it."""
        return polygon_contains(self.path, x, y)

    def grid_in(self, background: AnyGrid | None) -> AnyGrid | None:
        """Return the grid in force, given the grid of the board around the zone."""
        return background if self.use_parent_grid else self.grid

    def name_at(self, x: int, y: int, background: AnyGrid | None) -> str:
        """Return the location name of a pixel in the zone; it may be empty, as in VASSAL."""
        grid = self.grid_in(background)
        place = None if grid is None else grid.name_at(x, y)
        texts = {"name": self.name, "gridLocation": place or ""}
        return _PLACEHOLDER.sub(lambda found: texts[found[1]], self.location_format)[:_LONGEST]

    def point_of(self, label: str, background: AnyGrid | None) -> tuple[int, int] | None:
        """Return the pixel that VASSAL finds for a name in this zone; None if it refuses it."""
        grid = self.grid_in(background)
        pattern = ""
        # A cell that is named several times leaves more and more ways to read a name.
        if len(label) > _LONGEST or self.location_format.count("$gridLocation$") > _MOST_CELLS:
            return None
        tokens = self.location_format.split("$")
        for place, token in enumerate(tokens):
            if place % 2 == 0 or place == len(tokens) - 1:
                pattern += re.escape(token)
            elif token == "name":
                pattern += re.escape(self.name)
            elif token == "gridLocation" and grid is not None:
                pattern += "(.*)"
        if not pattern or (found := re.fullmatch(pattern, label)) is None:
            return None
        if grid is None or not found.groups():
            return self._middle()
        point = grid.point_of(found[found.re.groups])
        return point if point is not None and self.contains(*point) else None

    def _middle(self) -> tuple[int, int]:
        """Return the mean of the corners, or the first corner if the mean lies outside."""
        xs, ys = zip(*self.path, strict=True)
        mean = int(sum(xs) / len(xs)), int(sum(ys) / len(ys))
        return mean if self.contains(*mean) else self.path[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class ZonedGrid:
    """Zones, tried in order, over a background grid."""

    zones: tuple[Zone, ...]
    background: AnyGrid | None = None

    def zone_at(self, x: int, y: int) -> Zone | None:
        """Return the first zone that contains a pixel."""
        return next((zone for zone in self.zones if zone.contains(x, y)), None)

    def grid_at(self, x: int, y: int) -> AnyGrid | None:
        """Return the grid in force at a pixel."""
        zone = self.zone_at(x, y)
        return self.background if zone is None else zone.grid_in(self.background)

    def name_at(self, x: int, y: int) -> str | None:
        """Return VASSAL's location name of a pixel; None if it has none."""
        zone = self.zone_at(x, y)
        if zone is not None:
            return zone.name_at(x, y, self.background)
        return None if self.background is None else self.background.name_at(x, y)

    def snap(self, x: int, y: int) -> tuple[int, int]:
        """Return where VASSAL puts a piece that is dropped on a pixel."""
        grid = self.grid_at(x, y)
        return (x, y) if grid is None else grid.snap(x, y)

    def point_of(self, label: str) -> tuple[int, int] | None:
        """Return the pixel that VASSAL finds for a name; None if VASSAL refuses the name."""
        for zone in self.zones:
            point = zone.point_of(label, self.background)
            if point is not None and zone.contains(*point):
                return point
        return None if self.background is None else self.background.point_of(label)


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A board on a map: its size in pixels, its grid, and whether it is turned by half.

    Points are pixels of the board as it lies on the map, turned or not.
    """

    extent: tuple[int, int]
    grid: AnyGrid | ZonedGrid | None = None
    rotated: bool = False

    def contains(self, x: int, y: int) -> bool:
        """Return whether a pixel lies on the board."""
        return 0 <= x < self.extent[0] and 0 <= y < self.extent[1]

    def name_at(self, x: int, y: int) -> str:
        """Return the location name that VASSAL's map reports, ``offboard`` where there is none."""
        if self.grid is None or not self.contains(x, y):
            return OFFBOARD
        name = self.grid.name_at(*self._turned(x, y))
        return OFFBOARD if name is None else name

    def zone_at(self, x: int, y: int) -> Zone | None:
        """Return the zone of a pixel, if the board has zones and one is there."""
        if not isinstance(self.grid, ZonedGrid) or not self.contains(x, y):
            return None
        return self.grid.zone_at(*self._turned(x, y))

    def snap(self, x: int, y: int) -> tuple[int, int]:
        """Return where VASSAL's map puts a piece that is dropped on a pixel.

        A place that is exactly one pixel off the board is pulled back onto its edge.
        """
        if self.grid is None or not self.contains(x, y):
            return x, y
        x, y = self._turned(*self.grid.snap(*self._turned(x, y)))
        if not self.contains(x, y):
            x, y = _pulled(x, self.extent[0]), _pulled(y, self.extent[1])
        return x, y

    def point_of(self, label: str) -> tuple[int, int] | None:
        """Return the pixel that VASSAL finds for a name; None if VASSAL refuses the name."""
        point = None if self.grid is None else self.grid.point_of(label)
        return None if point is None else self._turned(*point)

    def _turned(self, x: int, y: int) -> tuple[int, int]:
        # Width minus x and not width minus one minus x: VASSAL's mirror is a pixel off.
        return (self.extent[0] - x, self.extent[1] - y) if self.rotated else (x, y)


def _pulled(value: int, size: int) -> int:
    if value == size:
        return size - 1
    return 0 if value == -1 else value

"""Irregular grids: named points, of which the nearest one names a pixel.

Source: VASSAL ``board.RegionGrid``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["Region", "RegionGrid"]


class Region(NamedTuple):
    """A named point of a board, in board pixels."""

    name: str
    x: int
    y: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RegionGrid:
    """Points with names; of two points equally near the earlier one counts."""

    regions: tuple[Region, ...]
    snap_to: bool = True

    def region_at(self, x: int, y: int) -> Region | None:
        """Return the nearest region point; None if there is none at all.

        >>> grid = RegionGrid(regions=(Region("Malta", 10, 10), Region("Crete", 90, 10)))
        >>> grid.name_at(40, 500), RegionGrid(regions=()).name_at(0, 0)
        ('Malta', None)
        """
        return min(self.regions, key=lambda r: (r.x - x) ** 2 + (r.y - y) ** 2, default=None)

    def name_at(self, x: int, y: int) -> str | None:
        """Return the name of a pixel; None if the grid has no regions."""
        region = self.region_at(x, y)
        return None if region is None else region.name

    def snap(self, x: int, y: int) -> tuple[int, int]:
        """Return where VASSAL puts a piece that is dropped on a pixel."""
        region = self.region_at(x, y) if self.snap_to else None
        return (x, y) if region is None else (region.x, region.y)

    def point_of(self, label: str) -> tuple[int, int] | None:
        """Return the point of a name; None if no region has it."""
        return next(((r.x, r.y) for r in self.regions if r.name == label), None)

"""The outer border of a block of hexes, as VASSAL's zones and a map's frame need it."""

from __future__ import annotations

from collections.abc import Iterable

from builder.hexes.grid import Hex, HexGrid, Point

__all__ = ["outline"]


def outline(grid: HexGrid, hexes: Iterable[Hex]) -> tuple[tuple[Point, ...], ...]:
    """Return the rings around a set of hexes, outer ones clockwise, holes the other way round.

    Rings begin at their first corner in the order of the hexes given; points in the grid's pixels.

    >>> from builder.hexes.grid import HexGrid
    >>> grid = HexGrid(dx=30, dy=34, x0=20, y0=17, extent=(100, 100))
    >>> [len(ring) for ring in outline(grid, [Hex(0, 0), Hex(1, 0)])]
    [10]
    """
    members = list(dict.fromkeys(hexes))
    inside = set(members)
    # Each border side goes from corner to corner with its hex on the right. At most two sides leave
    # one corner (hexes that touch at it alone do not exist), so the next one is unambiguous.
    following: dict[Point, Point] = {}
    for member in members:
        for direction, neighbor in enumerate(grid.neighbors(member)):
            if neighbor not in inside:
                start = grid.corner(member, direction)
                following[start] = grid.corner(member, (direction + 1) % 6)
    rings: list[tuple[Point, ...]] = []
    while following:
        first = next(iter(following))
        ring, point = [first], following.pop(first)
        while point != first:
            ring.append(point)
            point = following.pop(point)
        rings.append(tuple(ring))
    return tuple(rings)

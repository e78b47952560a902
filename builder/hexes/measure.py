"""Ranges over hexes: discs, rings and straight lines.

Everything here counts hexes and holds for both orientations. Orders are fixed, so that results can
be printed and compared: column by column, or along the line.
"""

from __future__ import annotations

from collections.abc import Iterator

from builder.hexes.lattice import Hex, distance

__all__ = ["disc", "distance", "line", "ring", "spiral"]


def disc(center: Hex, radius: int) -> Iterator[Hex]:
    """Yield all hexes within a range, the center included, column by column.

    >>> sum(1 for _ in disc(Hex(7, 3), 2))
    19
    """
    for across in range(-radius, radius + 1):
        column = center.column + across
        # Slanted row, as in cube coordinates: constant along one of the diagonals.
        slant = center.row - center.column // 2 + column // 2
        for along in range(max(-radius, -across - radius), min(radius, radius - across) + 1):
            yield Hex(column, slant + along)


def ring(center: Hex, radius: int) -> Iterator[Hex]:
    """Yield all hexes at exactly a range, column by column; radius 0 is the center.

    >>> len(list(ring(Hex(0, 0), 3)))
    18
    """
    return (h for h in disc(center, radius) if distance(center, h) == radius)


def spiral(center: Hex, radius: int) -> Iterator[Hex]:
    """Yield all hexes within a range by growing distance."""
    for size in range(radius + 1):
        yield from ring(center, size)


def line(a: Hex, b: Hex) -> tuple[Hex, ...]:
    """Return the hexes along the straight line from one center to another, both included.

    Where the line runs along a hexside, the hex on one fixed side is taken, so that the way back
    is the same hexes reversed. Every two in a row are neighbors.

    >>> line(Hex(0, 0), Hex(2, 1))
    (Hex(column=0, row=0), Hex(column=1, row=0), Hex(column=2, row=1))
    """
    steps = distance(a, b)
    if steps == 0:
        return (a,)
    # Whole numbers in units of 1/(16 steps), pushed off hexsides by one such unit and by two.
    unit = 16
    start, end = (a.column, a.row - a.column // 2), (b.column, b.row - b.column // 2)
    found = [a]
    for step in range(1, steps):
        q = (start[0] * (steps - step) + end[0] * step) * unit + 1
        r = (start[1] * (steps - step) + end[1] * step) * unit + 2
        found.append(_rounded(q, r, unit * steps))
    return (*found, b)


def _rounded(q: int, r: int, whole: int) -> Hex:
    """Return the hex around cube coordinates given in parts of a whole."""
    s = -q - r
    near = [(2 * value + whole) // (2 * whole) for value in (q, r, s)]
    off = [abs(n * whole - value) for n, value in zip(near, (q, r, s), strict=True)]
    if off[0] > off[1] and off[0] > off[2]:
        near[0] = -near[1] - near[2]
    elif off[1] > off[2]:
        near[1] = -near[0] - near[2]
    return Hex(near[0], near[1] + near[0] // 2)

"""Made-up maps for the tests of map drawing."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from builder.gamebox.model import (
    Box,
    Frame,
    HexsideFeature,
    MapSheet,
    Place,
    Route,
    Terrain,
)
from builder.hexes.grid import Hex, HexGrid, Hexside, Numbering
from builder.problems import Source

TERRAINS = {
    t.letter: t
    for t in (
        Terrain(".", "Clear", "clear"),
        Terrain("w", "Woods", "woods"),
        Terrain("h", "Hill", "clear", ("hill",)),
        Terrain("m", "Wooded hill", "woods", ("hill",)),
        Terrain("t", "Town", "town"),
        Terrain("v", "Village", "village"),
        Terrain("j", "Road junction", "clear", ("junction",)),
        Terrain("l", "Lake", "lake"),
    )
}


def make_grid(
    dx: float, dy: float, x0: int, y0: int, size: tuple[int, int], *, sideways: bool = False
) -> HexGrid:
    numbering = Numbering(sep="", stagger=False)
    return HexGrid(dx=dx, dy=dy, x0=x0, y0=y0, extent=size, sideways=sideways, numbering=numbering)


def make_sheet(
    rows: Sequence[str],
    *,
    sides: Mapping[Hexside, tuple[str, str]] | None = None,
    routes: Iterable[Route] = (),
    places: Iterable[Place] = (),
    boxes: Iterable[Box] = (),
    frame: Frame | None = None,
    grid: HexGrid | None = None,
    style: Mapping[str, Any] | None = None,
) -> MapSheet:
    """A sheet whose terrain is written as letters, one text a row."""
    columns = len(rows[0])
    width, height = 104 * columns + 160, 120 * len(rows) + 300
    frame = frame or Frame(width, height, 6, "Sample", "A map of nowhere", km_per_hex=1.2)
    grid = grid or make_grid(104, 120, 130, 190, (frame.width, frame.height))
    return MapSheet(
        name="Main",
        grid=grid,
        columns=columns,
        rows=len(rows),
        terrains=TERRAINS,
        terrain={
            Hex(c, r): TERRAINS[letter]
            for r, line in enumerate(rows)
            for c, letter in enumerate(line)
        },
        sides={
            side: HexsideFeature(side, kind, name, Source("hexsides.csv", i + 2))
            for i, (side, (kind, name)) in enumerate((sides or {}).items())
        },
        routes=tuple(routes),
        places=tuple(places),
        boxes=tuple(boxes),
        panels=(),
        frame=frame,
        style=style or {},
    )


def place(name: str, column: int, row: int, kind: str, **fields: Any) -> Place:
    return Place(name, Hex(column, row), kind, fields, Source("places.csv", 2))


def road(
    hexes: Sequence[tuple[int, int]], kind: str = "road", name: str = "", out: int | None = None
) -> list[Route]:
    """A road through these hexes; ``out`` is the direction in which it leaves the map."""
    path = [Hex(*h) for h in hexes]
    links = [Route(a, b, kind, name) for a, b in itertools.pairwise(path)]
    return links + ([] if out is None else [Route(path[-1], None, kind, name, out)])


def small_sheet() -> MapSheet:
    """Four by four hexes with one of everything."""
    sides = {
        Hexside(Hex(1, 0), 1): ("river", "Argens"),
        Hexside(Hex(1, 0), 2): ("river", "Argens"),
        Hexside(Hex(1, 1), 1): ("bridge", "Argens"),
        Hexside(Hex(1, 1), 2): ("river", "Argens"),
        Hexside(Hex(1, 2), 1): ("bridge", "Argens"),
    }
    boxes = [Box("T1", "1", "turn", 420, 60, 60, 60), Box("T2", "2", "turn", 490, 60, 60, 60)]
    return make_sheet(
        ["wm.v", "wtj.", "h..w", "..lw"],
        sides=sides,
        routes=[
            *road([(3, 0), (2, 1), (1, 1), (0, 1)], "highway", "N7", 5),
            *road([(1, 1), (2, 2), (2, 3)], "road", "D25", 3),
        ],
        places=[
            place("Le Muy", 1, 1, "town", vp="star", color="red"),
            place("La Motte", 3, 0, "village", vp="1", color="yellow"),
            place("Hill 212", 0, 2, "hill", vp="2", color="red"),
            place("A", 0, 1, "entry"),
            place("DZ_A", 2, 2, "dz"),
            place("S-4", 3, 2, "aim"),
        ],
        boxes=boxes,
    )


def _noise(x: float, y: float) -> float:
    return math.sin(x * 0.9 + 1) + math.sin(y * 0.7 - 0.4) + math.sin((x + y) * 0.45)


def large_sheet(columns: int = 40, rows: int = 30) -> MapSheet:
    """A wide landscape of 3650 by 3189 pixels: the one that the benchmark draws."""
    dy = 3060 / (rows + 0.5)
    dx = min(dy * math.sqrt(3) / 2, 3560 / (columns + 1 / 3))
    size = (3650, 3189)
    grid = make_grid(dx, dy, 45 + round(dx * 2 / 3), 90 + round(dy / 2), size)
    letters = []
    for r in range(rows):
        line = ""
        for c in range(columns):
            high = _noise(c * 0.8, r) > 1.1
            wood = _noise(r * 0.9 + 7, c * 0.9) > 0.5
            line += "m" if high and wood else "h" if high else "w" if wood else "."
        letters.append(line)
    places, routes = [], []
    for i, (c, r) in enumerate((c, r) for c in range(3, columns, 7) for r in range(3, rows, 6)):
        kind, letter = ("town", "t") if i % 3 == 0 else ("village", "v")
        letters[r] = letters[r][:c] + letter + letters[r][c + 1 :]
        names = ("Arcs", "Trans", "La Motte", "Flayosc", "Vidauban", "Roquebrune-sur-Argens")
        places.append(place(f"{names[i % 6]} {i}", c, r, kind, vp=str(1 + i % 2), color="red"))
    for r in range(3, rows, 6):
        routes += road([(c, r) for c in range(columns)], "highway", f"N{r}")
    for c in range(3, columns, 7):
        routes += road([(c, r) for r in range(rows)], "road", f"D{c}")
    sides: dict[Hexside, tuple[str, str]] = {}
    for c in range(5, columns - 1, 12):
        for r in range(rows):
            kind = "bridge" if r % 6 == 3 else "river"
            sides[Hexside(Hex(c, r), 1)] = kind, f"River {c}"
            if r < rows - 1:
                sides[Hexside(Hex(c, r), 2)] = "river", f"River {c}"
    frame = Frame(*size, 6, "Sample", "A map of nowhere", km_per_hex=1.2)
    return make_sheet(letters, sides=sides, routes=routes, places=places, frame=frame, grid=grid)

"""What the painter's benchmarks paint: a terrain map of 40 x 30 hexes, and counter faces."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random

from builder.draw.counters import counter_faces
from builder.draw.layouts import read_layouts
from builder.draw.palette import read_palette
from builder.draw.scene import (
    Element,
    Fill,
    Halo,
    Repeat,
    Ring,
    Scene,
    Stroke,
    Text,
    circle,
)
from builder.draw.symbols import installed_symbols
from builder.gamebox.model import Counter, FieldValue
from builder.problems import ProblemLog, Source

__all__ = ["MAP_PIXELS", "counter_scenes", "terrain_map"]

MAP_PIXELS = (3650, 3189)
WIDTH, HEIGHT = 610.0, 532.96
COLUMN, ROW = WIDTH / 40.34, HEIGHT / 30.5


def _center(column: int, row: int) -> tuple[float, float]:
    return (column + 0.67) * COLUMN, (row + 0.5 + 0.5 * (column % 2)) * ROW


def _hexagon(column: int, row: int, grow: float = 1.0) -> Ring:
    x, y = _center(column, row)
    side, half = grow * COLUMN * 2 / 3, grow * ROW / 2
    return (
        (x - side, y),
        (x - side / 2, y - half),
        (x + side / 2, y - half),
        (x + side, y),
        (x + side / 2, y + half),
        (x - side / 2, y + half),
    )


def _wander(random: Random, x: float, y: float, heading: float) -> Ring:
    points = []
    while -5 < x < WIDTH + 5 and -5 < y < HEIGHT + 5 and len(points) < 900:
        points.append((x, y))
        heading += random.uniform(-0.25, 0.25)
        x, y = x + 1.5 * math.cos(heading), y + 1.5 * math.sin(heading)
    return tuple(points)


def terrain_map() -> Scene:
    """A map with woods, hills, towns, rivers, roads, names, numbers and outlines."""
    random = Random(1944)
    cells = [(column, row) for column in range(40) for row in range(30)]
    woods = [cell for cell in cells if random.random() < 0.35]
    hills = [cell for cell in cells if random.random() < 0.15]
    towns = [cell for cell in cells if random.random() < 0.04]
    tree: tuple[Element, ...] = tuple(
        Fill((circle(x, y, r, 12),), color)
        for x, y, r, color in (
            (
                random.uniform(-6, 6),
                random.uniform(-6, 6),
                0.9,
                random.choice(["#5d7f45", "#6d8f50"]),
            )
            for _ in range(20)
        )
    )
    rivers = tuple(_wander(random, 0, random.uniform(0, HEIGHT), 0.2) for _ in range(6))
    roads = tuple(_wander(random, random.uniform(0, WIDTH), 0, 1.5) for _ in range(14))
    houses = tuple(
        (
            (x + dx, y + dy),
            (x + dx + 1.4, y + dy),
            (x + dx + 1.4, y + dy + 1.1),
            (x + dx, y + dy + 1.1),
        )
        for x, y in (_center(*town) for town in towns)
        for dx, dy in ((random.uniform(-5, 4), random.uniform(-5, 4)) for _ in range(14))
    )
    numbers = tuple(
        Text(
            _center(*cell)[0],
            _center(*cell)[1] - ROW * 0.36,
            f"{cell[0] + 1:02}{cell[1] + 1:02}",
            2.1,
            "#6b6a55",
        )
        for cell in cells
    )
    names = tuple(
        Text(
            _center(*town)[0],
            _center(*town)[1] + 5,
            random.choice(["Le Muy", "Draguignan", "La Motte", "Les Arcs", "Trans"]),
            3.4,
            "#2b2420",
            "semibold",
            halo=Halo("#f4efdc", 0.5),
        )
        for town in towns
    )
    return Scene(
        WIDTH,
        HEIGHT,
        (
            Fill(tuple(_hexagon(*cell, 1.02) for cell in hills), "#ddc9a0"),
            *(Fill((_hexagon(*cell, 1.02),), "#a9bf86") for cell in woods),
            Repeat(tree, tuple(_center(*cell) for cell in woods)),
            Fill(houses, "#7a3b2e"),
            Stroke(rivers, "#4f86a8", 1.5),
            Stroke(rivers, "#7fb2cf", 0.9),
            Stroke(roads, "#5d4a3a", 1.1),
            Stroke(roads, "#f3d98b", 0.7),
            Stroke(tuple(_hexagon(*cell) for cell in cells), "#8b8a72", 0.18, closed=True),
            *numbers,
            *names,
        ),
        "#efe8cf",
    )


def counter_scenes(count: int) -> list[Scene]:
    """Faces of counters with the shipped layouts, no two alike."""
    root = Path(__file__).parents[1]
    log = ProblemLog()
    palette = read_palette(root / "art" / "palette.toml", log)
    symbols = installed_symbols().paths
    layouts = read_layouts(
        {path.stem: path for path in (root / "templates" / "counters").glob("*.toml")},
        log,
        palette=palette,
        symbols=symbols,
    )
    kinds = ["parachute_infantry", "glider_infantry", "tank", "infantry", "recon_infantry", "ffi"]
    scenes: list[Scene] = []
    for number in range(count // 2):
        fields: dict[str, FieldValue] = {
            "command": ["517PRCT", "2IPBG", "148RD", "KGVS"][number % 4],
            "formation": f"{number % 9}/{100 + number}",
            "center": ["blue", "gold", "grey", "maroon", "red"][number % 5],
            "symbol": kinds[number % 6],
            "drc": (2, 1),
            "ma": 4 + 2 * (number % 2),
            "serial": None,
        }
        counter = Counter(
            *(
                f"C{number}",
                f"{number} Co",
                ["Allied", "German"][number % 4 // 2],
                "unit",
                "tab",
                "",
            ),
            *(2, 1, (), fields, Source("bench")),
        )
        faces = counter_faces(counter, layouts["unit"], palette, symbols=symbols, log=log)
        scenes += [face.scene for face in faces]
    log.check()
    return scenes

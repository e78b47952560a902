"""What the painter's benchmarks paint: a terrain map of 40 x 30 hexes, and counter faces."""

from __future__ import annotations

import math
from random import Random

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

__all__ = ["MAP_PIXELS", "terrain_map"]

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
            (random.uniform(-6, 6), random.uniform(-6, 6), 0.9, random.choice(["#5d7f45", "#6d8f50"]))
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
        Text(_center(*cell)[0], _center(*cell)[1] - ROW * 0.36, f"{cell[0] + 1:02}{cell[1] + 1:02}", 2.1, "#6b6a55")
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

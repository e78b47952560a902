"""How fast the grid is where a whole map is meant.

Run: ``python -m pytest bench/bench_grid.py --benchmark-enable``. The scalar fellows are measured
beside, since they are what one would write without numpy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from builder.hexes.grid import HexGrid, Numbering

# pytest-benchmark's fixture has no public type that mypy can see without the plug-in.
Benchmark = Any

GRID = HexGrid(
    dx=55.42562584220407,
    dy=64.0,
    x0=-19,
    y0=32,
    extent=(5600, 6450),
    numbering=Numbering(sep="."),
)


@pytest.fixture(scope="module")
def pixels() -> np.ndarray[Any, np.dtype[np.int64]]:
    random = np.random.default_rng(1944)
    return random.integers(0, (5600, 6450), size=(1_000_000, 2), dtype=np.int64)


def test_labels_and_polygons_of_100_by_100_hexes(benchmark: Benchmark) -> None:
    def whole_map() -> int:
        return len(GRID.labels(100, 100)) + len(GRID.corners(100, 100))

    assert benchmark(whole_map) == 20_000


def test_labels_and_polygons_one_by_one(benchmark: Benchmark) -> None:
    def hex_by_hex() -> int:
        found = [(GRID.label(h), GRID.polygon(h)) for h in GRID.hexes(100, 100)]
        return len(found)

    assert benchmark(hex_by_hex) == 10_000


def test_hexes_of_all_labels(benchmark: Benchmark) -> None:
    labels = GRID.labels(100, 100)

    def look_up() -> int:
        return sum(GRID.hex_of(label) is not None for label in labels)

    assert benchmark(look_up) == 10_000


def test_hexes_at_a_million_pixels(
    benchmark: Benchmark, pixels: np.ndarray[Any, np.dtype[np.int64]]
) -> None:
    assert benchmark(GRID.hexes_at, pixels).shape == (1_000_000, 2)


def test_hexes_at_ten_thousand_pixels_one_by_one(
    benchmark: Benchmark, pixels: np.ndarray[Any, np.dtype[np.int64]]
) -> None:
    some = pixels[:10_000].tolist()
    assert len(benchmark(lambda: [GRID.hex_at(x, y) for x, y in some])) == 10_000


def test_hexes_containing_a_million_points(
    benchmark: Benchmark, pixels: np.ndarray[Any, np.dtype[np.int64]]
) -> None:
    assert benchmark(GRID.hexes_containing, pixels + 0.5).shape == (1_000_000, 2)

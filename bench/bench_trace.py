"""Tracing the map of Drop Zone: run with ``pytest bench/bench_trace.py --benchmark-enable``."""

from __future__ import annotations

import shutil
from pathlib import Path

from pytest_benchmark.fixture import BenchmarkFixture

from builder.jobs.trace_map import trace_map

GAME = Path(__file__).parents[1] / "mapdata" / "dropzone"


def test_trace_dropzone(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    """All four files from geography: 432 hexes, 3 rivers, 13 roads, 8 areas."""
    for name in ("map.toml", "area.geojson"):
        shutil.copy(GAME / name, tmp_path / name)
    result = benchmark(trace_map, tmp_path, check=True)
    assert len(result.files) == 4

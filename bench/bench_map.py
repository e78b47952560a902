"""A 40 x 30 terrain map at 3650 x 3189 pixels: scene, PDF and PNG. Goal: 1.5 s on two cores.

    pytest bench/bench_map.py --benchmark-enable

protograf, the nearest peer, draws a plainer map of that size (flat colors, no relief, no placed
names); it is timed only where it is installed.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest
from map_sample import large_sheet

from builder.draw.map import map_scene
from builder.draw.to_pdf import scenes_to_pdf
from builder.draw.to_png import image_to_png, scene_to_image

SIZE = (3650, 3189)


def test_scene(benchmark: Any) -> None:
    sheet = large_sheet()
    benchmark.pedantic(map_scene, args=(sheet, {}), rounds=7, warmup_rounds=1)


def test_pdf(benchmark: Any) -> None:
    scene = map_scene(large_sheet(), {})
    benchmark.pedantic(scenes_to_pdf, args=([scene],), rounds=5, warmup_rounds=1)


def test_map_to_pixels(benchmark: Any) -> None:
    """From the sheet to the finished image, as a build does it."""
    sheet = large_sheet()

    def draw() -> None:
        image = scene_to_image(map_scene(sheet, {}), size=SIZE)
        assert image.size == SIZE

    benchmark.pedantic(draw, rounds=7, warmup_rounds=1)


def test_map_to_png_file(benchmark: Any) -> None:
    """The same with the PNG compressed."""
    sheet = large_sheet()

    def draw() -> None:
        assert image_to_png(scene_to_image(map_scene(sheet, {}), size=SIZE))

    benchmark.pedantic(draw, rounds=5, warmup_rounds=1)


@pytest.mark.skipif(not importlib.util.find_spec("protograf"), reason="protograf not installed")
def test_protograf(benchmark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import protograf

    monkeypatch.chdir(tmp_path)

    def draw() -> None:
        protograf.Create(filename="map.pdf", width=3650 / 6, height=3189 / 6, units="mm", margin=0)
        protograf.Hexagons(rows=30, cols=40, x=5, y=5, height=17, hex_layout="rectangle")
        protograf.Save(output="png", dpi=152)

    benchmark.pedantic(draw, rounds=1)

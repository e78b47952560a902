"""The painter's figures, on two cores: ``pytest bench/bench_painter.py --benchmark-enable``.

A 40 x 30 terrain map of 3650 x 3189 pixels to PNG: at most 1.5 s. 400 counter faces to PNG: at
most 0.6 s. The peer, protograf, draws as many hexes without any of the terrain when it is
installed.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from painter_scenes import MAP_PIXELS, counter_scenes, terrain_map

from builder.draw.to_pdf import scenes_to_pdf
from builder.draw.to_png import image_to_png, scene_to_image, scenes_to_images

# pytest-benchmark's fixture has no public type that mypy can see without the plug-in.
Benchmark = Any

PX_PER_MM = 76 / 12.7

PROTOGRAF = """
from protograf import *
Create(filename="map.pdf", paper="A1", margin=0.5)
Hexagons(cols=40, rows=30, height=1.3, hex_layout="even", coord_elevation="top",
         coord_type_x="upper", fill="#efe8cf", stroke="#8b8a72", coord_font_size=6)
Save(output="png", dpi=150)
"""


def test_map_to_png(benchmark: Benchmark) -> None:
    scene = terrain_map()

    def paint() -> bytes:
        return image_to_png(scene_to_image(scene, size=MAP_PIXELS))

    data = benchmark.pedantic(paint, rounds=5, warmup_rounds=1)
    assert data.startswith(b"\x89PNG")


def test_map_to_pdf(benchmark: Benchmark) -> None:
    scene = terrain_map()
    data = benchmark.pedantic(lambda: scenes_to_pdf([scene]), rounds=5, warmup_rounds=1)
    assert data.startswith(b"%PDF-")


def test_faces_to_png(benchmark: Benchmark) -> None:
    scenes = counter_scenes(400)
    assert len(scenes) == 400

    def paint() -> list[bytes]:
        return [image_to_png(image) for image in scenes_to_images(scenes, PX_PER_MM)]

    files = benchmark.pedantic(paint, rounds=5, warmup_rounds=1)
    assert len(files) == 400


@pytest.mark.skipif(
    importlib.util.find_spec("protograf") is None and "PROTOGRAF_PYTHON" not in os.environ,
    reason="protograf is not installed, and PROTOGRAF_PYTHON does not name an interpreter with it",
)
def test_peer_protograf(benchmark: Benchmark, tmp_path: Path) -> None:
    script = tmp_path / "peer.py"
    script.write_text(PROTOGRAF, encoding="utf-8")
    python = os.environ.get("PROTOGRAF_PYTHON", sys.executable)

    def paint() -> None:
        subprocess.run([python, str(script)], cwd=tmp_path, check=True, capture_output=True)

    benchmark.pedantic(paint, rounds=1)
    assert list(tmp_path.glob("*.png"))

"""The main game's module, built once for the tests that need a real one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from builder.jobs.build_module import build_module

MAPDATA = Path(__file__).parents[2] / "mapdata" / "dropzone"


@pytest.fixture(scope="session")
def dropzone_vmod(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dropzone")
    shutil.copytree(MAPDATA, folder / "data")
    path = folder / "dropzone.vmod"
    build_module(folder / "data", path)
    return path

"""Fixtures of the engine tests: skip without an engine, and the modules they open."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from engine.tiny_module import write_tiny
from engine.vassal import ROOT, EngineRun, engine_absence, run_vassal

from builder.gamebox.model import Game
from builder.gamebox.open import open_game

#: ``make engine && make test`` sets this: then a missing engine is a failure, not a skip.
REQUIRE = "HEXWRIGHT_REQUIRE_ENGINE"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs the engine where there is none."""
    absence = engine_absence()
    if absence is None or os.environ.get(REQUIRE) == "1":
        return
    for item in items:
        if item.get_closest_marker("engine") is not None:
            item.add_marker(pytest.mark.skip(reason=absence))


@pytest.fixture(scope="session")
def vassal() -> Callable[..., EngineRun]:
    """``run_vassal``; a run whose script was wrong or refused fails the test at once."""
    absence = engine_absence()
    if absence is not None:
        pytest.fail(f"{REQUIRE}=1, but {absence}")

    def run(module: Path, lines: list[str], **options: Any) -> EngineRun:
        result = run_vassal(module, lines, **options)
        assert result.error is None, result.error
        return result

    return run


@pytest.fixture(scope="session")
def tiny_module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small module of ``tiny_module.py``, unharmed."""
    return write_tiny(tmp_path_factory.mktemp("tiny") / "tiny.vmod")


@pytest.fixture(scope="session")
def dropzone_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the main game's data: a build may write new piece numbers beside it."""
    folder = tmp_path_factory.mktemp("data") / "dropzone"
    shutil.copytree(ROOT / "mapdata" / "dropzone", folder)
    return folder


@pytest.fixture(scope="session")
def dropzone_module(tmp_path_factory: pytest.TempPathFactory, dropzone_folder: Path) -> Path:
    """The module of the main game, built from its data."""
    from builder.jobs.build_module import build_module

    path = tmp_path_factory.mktemp("dropzone") / "dropzone.vmod"
    build_module(dropzone_folder, path)
    return path


@pytest.fixture(scope="session")
def dropzone(dropzone_module: Path, dropzone_folder: Path) -> Game:
    """What the module was built from, read after the build, so that every piece has its number."""
    assert dropzone_module.exists()
    return open_game(dropzone_folder)


@pytest.fixture(scope="session")
def airdrop_module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The module of the air drop, built from a copy of its data."""
    from builder.jobs.build_module import build_module

    folder = tmp_path_factory.mktemp("data") / "airdrop"
    shutil.copytree(ROOT / "mapdata" / "airdrop", folder)
    path = tmp_path_factory.mktemp("airdrop") / "airdrop.vmod"
    build_module(folder, path)
    return path


@pytest.fixture(scope="session")
def airdrop(airdrop_module: Path) -> Game:
    """The game of the air drop; all its counters have their numbers in its folder."""
    assert airdrop_module.exists()
    return open_game(ROOT / "mapdata" / "airdrop")

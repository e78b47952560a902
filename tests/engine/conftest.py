"""Fixtures of the engine tests: skip without an engine, and the modules they open."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from engine.tiny_module import write_tiny
from engine.vassal import ROOT, EngineRun, engine_absence, run_vassal

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
def dropzone_folder() -> Path:
    """The data of the main game."""
    return ROOT / "mapdata" / "dropzone"


@pytest.fixture(scope="session")
def dropzone_module(tmp_path_factory: pytest.TempPathFactory, dropzone_folder: Path) -> Path:
    """The module of the main game, built from its data."""
    from builder.jobs.build_module import build_module

    path = tmp_path_factory.mktemp("dropzone") / "dropzone.vmod"
    build_module(dropzone_folder, path)
    return path

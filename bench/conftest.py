"""Figures that a benchmark measures beside its time are shown at the end of the run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from builder.jobs.build_module import build_module

Note = Callable[[str, float], None]
_FIGURES = pytest.StashKey[list[str]]()


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Note:
    """Return a function that notes a number under a name, for the summary of this run."""
    lines = request.config.stash.setdefault(_FIGURES, [])

    def note(name: str, value: float) -> None:
        lines.append(f"{request.node.name:58} {name:44} {value:10.2f}")

    return note


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the module of Drop Zone, built for the benchmarks that play and check it."""
    path = tmp_path_factory.mktemp("module") / "dropzone.vmod"
    build_module(Path(__file__).parents[1] / "mapdata" / "dropzone", path)
    return path


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write the figures below the table of times."""
    lines = terminalreporter.config.stash.get(_FIGURES, [])
    if lines:
        terminalreporter.section("figures")
    for line in lines:
        terminalreporter.write_line(line)

"""Figures that a benchmark measures beside its time are shown at the end of the run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Note = Callable[[str, float], None]
_FIGURES = pytest.StashKey[list[str]]()


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Note:
    """Return a function that notes a number under a name, for the summary of this run."""
    lines = request.config.stash.setdefault(_FIGURES, [])

    def note(name: str, value: float) -> None:
        lines.append(f"{request.node.name:58} {name:44} {value:10.2f}")

    return note


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Write the figures below the table of times."""
    lines = terminalreporter.config.stash.get(_FIGURES, [])
    if lines:
        terminalreporter.section("figures")
    for line in lines:
        terminalreporter.write_line(line)

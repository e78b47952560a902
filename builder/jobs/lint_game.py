"""Checks a game's files without writing anything."""

from __future__ import annotations

from pathlib import Path

from builder.jobs.open_box import open_box
from builder.problems import DataError, Problem
from builder.workspace import Workspace

__all__ = ["lint_game"]


def lint_game(folder: Path, workspace: Workspace) -> tuple[Problem, ...]:
    """Return every mistake and warning of a game, sorted by place."""
    try:
        box = open_box(folder, workspace)
    except DataError as error:
        return error.problems
    return tuple(sorted(set(box.log.problems)))

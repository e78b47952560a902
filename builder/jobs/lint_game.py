"""Checks a game's files without writing anything."""

from __future__ import annotations

from pathlib import Path

from builder.draw.map import unplaced_labels
from builder.jobs.build_module import help_of
from builder.jobs.open_box import open_box
from builder.problems import DataError, Problem, Source
from builder.workspace import Workspace

__all__ = ["lint_game"]


def lint_game(folder: Path, workspace: Workspace) -> tuple[Problem, ...]:
    """Return every mistake and warning of a game, sorted by place."""
    try:
        box = open_box(folder, workspace)
    except DataError as error:
        return error.problems
    problems = set(box.log.problems)
    if not box.log.errors:
        try:
            help_of(box, workspace)
        except DataError as error:
            problems |= set(error.problems)
        for name in unplaced_labels(box.game.map, box.palette.flat()):
            where = Source("map.toml")
            problems.add(Problem(where, f"no room on the map for {name!r}", "warning"))
    return tuple(sorted(problems))

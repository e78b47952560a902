"""Many logs: which of them are one game, and each game checked, one bad file stopping none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from builder.jobs.check_log import check_logs
from builder.problems import BuilderError, UsageError
from builder.report.findings import CheckReport
from builder.vassal.command_tree import parse_tree
from builder.vassal.replay import replay
from builder.vassal.replay_module import module_name
from builder.vassal.savefile import read_save
from builder.workspace import Workspace

__all__ = ["Outcome", "check_many", "games_of"]

_SHARED = 0.5
"""The share of pieces in common from which on two logs are of one game."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game: its logs' names, and a report, or why there is none. ``page`` is HTML."""

    name: str
    report: CheckReport | None
    error: str = ""
    page: bytes | None = None


def check_many(
    paths: Sequence[Path],
    *,
    workspace: Workspace,
    game: Path | None = None,
    module: Path | None = None,
    viewer: str = "",
    is_full: bool = False,
    page: bool = False,
    jobs: int = 1,
    progress: Callable[[str, int, int], None] | None = None,
) -> list[Outcome]:
    """Check every game among some logs; the outcomes come in the order of the logs.

    Raises UsageError for what is wrong with the question itself (a side, a game).
    """
    groups = games_of(paths)
    one = partial(
        _checked,
        workspace=workspace,
        game=game,
        module=module,
        viewer=viewer,
        is_full=is_full,
        page=page and len(groups) == 1,
    )
    if len(groups) == 1:
        return [one(groups[0], progress=progress)]
    if jobs > 1:
        with ProcessPoolExecutor(max_workers=jobs) as pool:
            return list(pool.map(one, groups))
    outcomes = []
    for number, group in enumerate(groups):
        if progress is not None:
            progress(group[0].name, number, len(groups))
        outcomes.append(one(group))
    return outcomes


def games_of(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    """Group logs that are one game: each shares most of its pieces with the one before it.

    A file that cannot be read stands alone: checking it will say why.
    """
    groups: list[list[Path]] = []
    last: tuple[str, frozenset[str]] | None = None
    for path in paths:
        found = _pieces(path) if len(paths) > 1 else None
        if found is not None and last is not None and _is_same(last, found):
            groups[-1].append(path)
        else:
            groups.append([path])
        last = found
    return [tuple(group) for group in groups]


def _is_same(one: tuple[str, frozenset[str]], other: tuple[str, frozenset[str]]) -> bool:
    fewer = min(len(one[1]), len(other[1]))
    return one[0] == other[0] and fewer > 0 and len(one[1] & other[1]) >= _SHARED * fewer


def _pieces(path: Path) -> tuple[str, frozenset[str]] | None:
    """Return module and ids of the pieces with which a log begins, ``None`` if unreadable."""
    try:
        save = read_save(path)
        first = next(replay(parse_tree(save.text)))
    except (BuilderError, OSError):
        return None
    return module_name(save.members).text, frozenset(first.table.pieces)


def _checked(
    paths: tuple[Path, ...],
    *,
    workspace: Workspace,
    game: Path | None,
    module: Path | None,
    viewer: str,
    is_full: bool,
    page: bool,
    progress: Callable[[str, int, int], None] | None = None,
) -> Outcome:
    name = ", ".join(path.name for path in paths)
    try:
        checked = check_logs(
            paths,
            workspace=workspace,
            game=game,
            module=module,
            viewer=viewer,
            is_full=is_full,
            progress=progress,
        )
    except UsageError:
        raise
    except (BuilderError, OSError) as error:
        return Outcome(name, None, str(error))
    # states are large, and no part of what is told
    bare = tuple(replace(f, before=None, after=None, action=None) for f in checked.report.findings)
    html = None
    if page:
        from builder.jobs.check_page import check_page

        html = check_page(checked, workspace)
    return Outcome(name, replace(checked.report, findings=bare), page=html)

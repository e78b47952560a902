"""Many logs: which of them are one game, and each game checked, one bad file stopping none."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from builder.jobs.check_log import check_logs
from builder.problems import BuilderError, UsageError
from builder.report.findings import CheckReport
from builder.vassal.command_tree import parse_tree
from builder.vassal.replay import Step, replay
from builder.vassal.replay_module import module_name
from builder.vassal.replay_table import Spread
from builder.vassal.savefile import read_save
from builder.workspace import Workspace

if TYPE_CHECKING:
    from builder.jobs.tell_without_rules import ToldWithoutRules

__all__ = ["Outcome", "check_many", "games_of"]

_SHARED = 0.5
"""The share of pieces in common from which on two logs are of one game."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One game: its logs' names, and a report, or why there is none.

    ``page`` is HTML; ``told`` is what its page tells of a game without rules.
    """

    name: str
    report: CheckReport | None
    error: str = ""
    page: bytes | None = None
    told: ToldWithoutRules | None = None


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

    Raises UsageError for what is wrong with the question itself (a side, a game, a page for more
    than one game).
    """
    groups = games_of(paths)
    if page and len(groups) > 1:
        raise UsageError("--html is for one game; these logs are of several")
    one = partial(
        _checked,
        workspace=workspace,
        game=game,
        module=module,
        viewer=viewer,
        is_full=is_full,
        page=page,
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
    """Group logs that are one game: each begins where the one before it ends.

    Games that begin with the same saved set-up share all their pieces, so it is the position that
    counts: a log goes on with the one before it if it begins nearer to that one's end than to its
    beginning. A file that cannot be read stands alone: checking it will say why.
    """
    groups: list[list[Path]] = []
    last: _Ends | None = None
    for path in paths:
        found = _Ends.of(path) if len(paths) > 1 else None
        if found is not None and last is not None and found.goes_on_with(last):
            groups[-1].append(path)
        else:
            groups.append([path])
        last = found
    return [tuple(group) for group in groups]


@dataclass(frozen=True, slots=True)
class _Ends:
    """A log's module, and where each piece lies at its beginning; its end is found when asked."""

    path: Path
    module: str
    begins: Mapping[str, Spread]

    @classmethod
    def of(cls, path: Path) -> _Ends | None:
        try:
            save = read_save(path)
            first = next(replay(parse_tree(save.text)))
        except (BuilderError, OSError):
            return None
        return cls(path, module_name(save.members).text, _places(first))

    def ends(self) -> Mapping[str, Spread]:
        (last,) = deque(replay(parse_tree(read_save(self.path).text)), maxlen=1)
        return _places(last)

    def goes_on_with(self, other: _Ends) -> bool:
        shared = len(self.begins.keys() & other.begins.keys())
        fewer = min(len(self.begins), len(other.begins))
        if self.module != other.module or not fewer or shared < _SHARED * fewer:
            return False
        return _apart(self.begins, other.ends()) < _apart(self.begins, other.begins)


def _places(step: Step) -> dict[str, Spread]:
    return {ident: step.table.at(ident) for ident in step.table.pieces}


def _apart(one: Mapping[str, Spread], other: Mapping[str, Spread]) -> int:
    """Return how many pieces lie elsewhere, or are in one of the two only."""
    return sum(one.get(k) != other.get(k) for k in one.keys() | other.keys())


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
    html = told = None
    if page:
        from builder.jobs.check_page import check_page

        if checked.game is None:
            from builder.jobs.tell_without_rules import tell_without_rules

            told = tell_without_rules(paths, module, workspace)
        html = check_page(checked, workspace, told)
    return Outcome(name, replace(checked.report, findings=bare), page=html, told=told)

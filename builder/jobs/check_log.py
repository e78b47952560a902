"""Logs of a game -> what broke its rules: the referee.

.vlog -> log steps -> replay -> events -> reader -> actions -> judge, apply, follow -> findings
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from builder.gamebox.charts import RuleRow
from builder.gamebox.model import Game
from builder.gamebox.open import open_game
from builder.gamebox.open_charts import open_rules
from builder.jobs.tell_log import StoryStep, log_tree, read_log, story_step
from builder.problems import ProblemLog, UsageError
from builder.reading import read_toml
from builder.report.findings import CheckReport, Finding, LogFile, Masking
from builder.rules.insight import Eyes
from builder.rules.readings import LOG_ROWS, LogMoment
from builder.rules.referee import Found, Judged, refereed
from builder.rulesets.registry import ruleset_of
from builder.vassal.command_tree import CommandNode
from builder.vassal.commands import Chat, Turn
from builder.vassal.log_steps import steps
from builder.vassal.replay import Step, replay
from builder.vassal.replay_module import (
    ModuleFacts,
    ModuleName,
    find_module,
    module_name,
    read_module_facts,
)
from builder.vassal.replay_view import table_view
from builder.vassal.twin_secrets import hiding
from builder.workspace import Workspace

__all__ = ["CheckedGame", "check_logs", "rule_numbers"]

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class CheckedGame:
    """A report with what pictures and audits need: the game, its rules, and all that was judged.

    ``story`` has the steps of each log, in which nothing is masked or hidden yet; ``masking`` is
    that of the findings, ``eyes`` for whom the report is.
    """

    report: CheckReport
    game: Game | None = None
    rules: Any = None
    judged: tuple[Judged[Any, Any], ...] = ()
    paths: tuple[Path, ...] = ()
    story: tuple[tuple[StoryStep, ...], ...] = ()
    masking: Masking = field(default_factory=lambda: Masking({}))
    eyes: Eyes = field(default_factory=Eyes)


@dataclass(frozen=True, slots=True)
class _Log:
    """A log that was opened."""

    path: Path
    root: CommandNode
    name: ModuleName


def check_logs(
    paths: Sequence[Path],
    *,
    workspace: Workspace,
    game: Path | None = None,
    module: Path | None = None,
    viewer: str = "",
    is_full: bool = False,
    progress: Progress | None = None,
) -> CheckedGame:
    """Judge the logs of one game, in the order in which they were played.

    ``game`` is the folder of the rules; without it the game whose module has the logs' name is
    taken. ``module`` gives hexes their names; without it, the built module or one that lies beside
    the first log. ``viewer`` is the side for which the report is, ``is_full`` names everything.

    Raises UnreadableError for a file that cannot be read, and UsageError for sides and games that
    do not exist. A log of a module without rules gives a report without a game.
    """
    if not paths:
        raise UsageError("no log to check")
    logs = [_open(path) for path in paths]
    found = _game_of(logs[0].name, game, workspace)
    ids: set[str] = set()
    if found is None:
        return CheckedGame(_without_rules(logs))
    rules = _opened(found.folder)[1]
    if rules is None:
        return CheckedGame(_without_rules(logs), found)
    sides = [s.name for s in found.sides if s.is_player]
    if viewer and viewer not in sides:
        raise UsageError(f"no side {viewer!r} in {found.name}; sides: {', '.join(sides)}")
    facts = _facts(logs[0].name, found, module, workspace, paths[0].parent)
    numbers = rule_numbers(found.folder)
    state: Any = None
    judged: list[Judged[Any, Any]] = []
    files: list[LogFile] = []
    players: dict[str, str] = {}
    story: list[tuple[StoryStep, ...]] = []
    for log in logs:
        warnings = list(_version_warnings(log.name, found))
        run = replay(log.root, facts)
        first = next(run)
        view = table_view(first)
        if state is None:
            state = rules.state_of(view)
        else:
            followed = rules.follow(state, view)
            if followed != state:
                warnings.append("the table differs from the end of the log before it")
                state = followed
        total = first.steps
        tell = None if progress is None else _teller(progress, log.path.name, total)
        told: list[StoryStep] = []
        one = refereed(
            rules,
            state,
            _moments(_kept(run, log.path, told)),
            has_tracker=_has_tracker(log.root),
            progress=tell,
        )
        state = one.state
        judged.append(one)
        story.append(tuple(told))
        players |= {seat.name: seat.side or "" for seat in first.story.players()}
        # who takes his password for a name must not read it in a report
        ids |= {ident.reveal() for ident in first.story.seats}
        files.append(LogFile(log.path.name, total, tuple(warnings)))
    hide = hiding(sorted(ids)).text
    masking = Masking({} if is_full else rules.hidden_names(state, viewer))
    findings = tuple(
        masking.finding(_with_hidden(_finding(rules, numbers, f, number), hide))
        for number, one in enumerate(judged)
        for f in one.found
    )
    report = CheckReport(
        files=tuple(replace(f, warnings=tuple(map(hide, f.warnings))) for f in files),
        game=found.title,
        module=logs[0].name.text,
        players=tuple((hide(n), hide(s)) for n, s in players.items()),
        findings=findings,
        actions=sum(len(one.actions) for one in judged),
        summary=tuple(rules.summary(state)),
    )
    return CheckedGame(
        report,
        found,
        rules,
        tuple(judged),
        paths=tuple(paths),
        story=tuple(story),
        masking=masking,
        eyes=Eyes(viewer, is_full),
    )


def rule_numbers(folder: Path) -> dict[str, RuleRow]:
    """Return the rows of a game's rulebook by their ids."""
    return {row.id: row for row in open_rules(folder, ProblemLog())}


def _finding(rules: Any, numbers: dict[str, RuleRow], found: Found[Any, Any], file: int) -> Finding:
    place = rules.located(found)
    breach = found.breach
    row = numbers.get(breach.row)
    label = rules.label
    return Finding(
        step=found.step,
        turn=place.turn,
        activation=place.activation,
        side=place.side,
        unit=rules.title(place.unit) if place.unit else "",
        start=label(place.start) if place.start is not None else "",
        end=label(place.end) if place.end is not None else "",
        ruling=found.ruling,
        row=breach.row,
        rule=row.section if row is not None else "log" if breach.row in LOG_ROWS else "",
        message=breach.message[:1].upper() + breach.message[1:],
        legal=breach.legal,
        units=tuple(rules.title(p) for p in breach.pieces),
        hexes=tuple(label(h) for h in breach.hexes),
        steps=found.steps,
        rests_on=breach.rests_on,
        is_settled=found.is_settled,
        file=file,
        before=found.before,
        after=found.after,
        action=found.action,
    )


def _with_hidden(finding: Finding, hide: Callable[[str], str]) -> Finding:
    return replace(finding, message=hide(finding.message))


def _kept(run: Iterator[Step], path: Path, told: list[StoryStep]) -> Iterator[Step]:
    for step in run:
        told.append(story_step(path, step))
        yield step


def _moments(run: Iterator[Step]) -> Iterator[LogMoment]:
    for step in run:
        seats = {seat.text: seat for seat in step.story.players()}
        seat = seats.get(step.actor or "")
        yield LogMoment(
            number=step.number,
            events=step.events,
            actor=(seat.name if seat is not None else step.actor),
            seat=seat.side if seat is not None else None,
            turn=step.turn,
            undone_by=step.undone_by,
            view=lambda step=step: table_view(step),  # type: ignore[misc] # bound per step
        )


def _teller(progress: Progress, name: str, total: int) -> Callable[[int], None]:
    def tell(number: int) -> None:
        if number % 25 == 0:
            progress(name, number, total)

    return tell


def _has_tracker(root: CommandNode) -> bool:
    """Tell whether the turn tracker was used, or a player typed the steps of the sequence."""
    return any(
        isinstance(command, Turn) or (isinstance(command, Chat) and "PHASE turn=" in command.text)
        for step in steps(root)
        for command in step.commands
    )


def _open(path: Path) -> _Log:
    save = read_log(path)
    return _Log(path, log_tree(path, save), module_name(save.members))


def _game_of(name: ModuleName, folder: Path | None, workspace: Workspace) -> Game | None:
    if folder is not None:
        return _opened(folder)[0]
    for path in workspace.games().values():
        # a game that the log is not of may be large, or half written: its name alone is read
        toml = read_toml(path / "module.toml", ProblemLog())
        if toml is not None and toml.data.get("name") == name.name:
            return _opened(path)[0]
    return None


def _opened(folder: Path) -> tuple[Game, Any]:
    """Return a game and its rules, kept while none of its files changes."""
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    return _opened_once(folder, tuple((p, p.stat().st_mtime_ns) for p in files))


@lru_cache(maxsize=4)
def _opened_once(folder: Path, _stamps: tuple[tuple[Path, int], ...]) -> tuple[Game, Any]:
    game = open_game(folder)
    return game, ruleset_of(game)


@lru_cache(maxsize=4)
def _facts_once(path: Path, _stamp: int) -> ModuleFacts:
    return read_module_facts(path)


def _version_warnings(name: ModuleName, game: Game) -> Iterator[str]:
    if name.name and name.name != game.module.name:
        yield f"the log is of the module {name.text!r}, the rules of {game.module.name!r}"
    elif name.version and name.version != game.version:
        yield f"the log is of version {name.version}, the rules of version {game.version}"


def _facts(
    name: ModuleName, game: Game, module: Path | None, workspace: Workspace, beside: Path
) -> ModuleFacts:
    if module is not None:
        return _facts_once(module, module.stat().st_mtime_ns)
    found = find_module(name, [workspace.dist, beside, Path()])
    if found is not None:
        return _facts_once(found[0], found[0].stat().st_mtime_ns)
    raise UsageError(
        f"the module {name.text!r} is not at hand: build it with `hexwright build {game.name}`, "
        "or name it with --module"
    )


def _without_rules(logs: Sequence[_Log]) -> CheckReport:
    files = tuple(LogFile(log.path.name, len(steps(log.root))) for log in logs)
    name = logs[0].name.text
    return CheckReport(files, "", name, warnings=(f"no rule set is known for {name}",))

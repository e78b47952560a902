"""Compare two modules, or two saves or logs, and tell what differs, one thing a line.

Of saves and logs positions are compared; that at the end of a log is replayed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from builder.gamebox.events import on_one_line
from builder.problems import UnreadableError, UsageError
from builder.vassal.archive import Members, buildfile_name, read_archive
from builder.vassal.command_tree import CommandNode, parse_tree
from builder.vassal.differences import Difference
from builder.vassal.module_diff import diff_modules
from builder.vassal.replay_module import ModuleFacts, read_module_facts
from builder.vassal.save_diff import diff_positions, diff_steps, log_entries
from builder.vassal.save_position import Moment, position_at
from builder.vassal.savefile import read_save
from builder.vassal.twin_secrets import hide_ids

__all__ = ["At", "Compared", "DiffResult", "diff_files"]

At: TypeAlias = Literal["start", "end", "next"]
"""Which moments of logs to compare; ``next`` is the end of A and the start of B."""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two moments that were compared: the start or the end of each file, and after which step."""

    old: Moment
    new: Moment
    old_step: int
    new_step: int


@dataclass(frozen=True, slots=True)
class DiffResult:
    """What differs; nothing if the files say the same."""

    kind: Literal["module", "save"]
    differences: tuple[Difference, ...]
    compared: tuple[Compared, ...] = ()
    """The moments, if a log is among the files."""
    warnings: tuple[str, ...] = ()
    """What in the logs or in the module did not make sense, so that differences may mislead."""

    @property
    def is_same(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    def as_data(self) -> list[dict[str, str | None]]:
        """Return the differences for JSON."""
        return [
            {
                "moment": item.moment, "area": item.area, "where": item.where, "sign": item.sign,
                "what": item.what or None, "old": item.old, "new": item.new,
            }
            for item in self.differences
        ]  # fmt: skip

    def compared_data(self) -> list[dict[str, Any]]:
        """Return the moments for JSON."""
        return [
            {
                "old": {"moment": item.old, "step": item.old_step},
                "new": {"moment": item.new, "step": item.new_step},
            }
            for item in self.compared
        ]


def diff_files(
    old: Path, new: Path, *, module: Path | None = None, at: At | None = None
) -> DiffResult:
    """Return what differs between two files of one kind; no player id is among it.

    ``module`` is the module of two saves or logs, to tell places by name. ``at`` chooses the
    moments to compare; else two logs are compared at both ends and by their steps, and a log with
    a save by the log's end. Raises :class:`UsageError` for a module beside a save,
    :class:`UnreadableError` for what is damaged or no file of VASSAL.
    """
    a, b = (_open(path) for path in (old, new))
    if isinstance(a, CommandNode) and isinstance(b, CommandNode):
        facts = ModuleFacts() if module is None else _facts(module)
        return _diff_saves(_Side(old, a), _Side(new, b), facts, at)
    if isinstance(a, Members) and isinstance(b, Members):
        if at is not None or module is not None:
            raise UsageError("--at and --module are for saves and logs, not for two modules")
        return DiffResult("module", tuple(diff_modules(a, b)))
    kinds = ["a save or log" if isinstance(side, CommandNode) else "a module" for side in (a, b)]
    raise UsageError(f"{old} is {kinds[0]}, {new} is {kinds[1]}: compare two of one kind")


class _Side:
    """One of the two files."""

    def __init__(self, path: Path, root: CommandNode) -> None:
        self.path = path
        self.root = root
        self.steps = len(log_entries(root))


def _diff_saves(a: _Side, b: _Side, facts: ModuleFacts, at: At | None) -> DiffResult:
    secrets = hide_ids(CommandNode("", (a.root, b.root)))
    warnings = dict.fromkeys(facts.warnings)
    compared = [
        Compared(old, new, a.steps if old == "end" else 0, b.steps if new == "end" else 0)
        for old, new in _moments(a, b, at)
    ]
    found: list[Difference] = []
    for pair in compared:
        sides = (a, pair.old), (b, pair.new)
        try:
            before, after = (position_at(m, s.root, facts, secrets) for s, m in sides)
        except UnreadableError as error:
            raise UnreadableError(f"{a.path} or {b.path}: {error}") from None
        for (side, _), position in zip(sides, (before, after), strict=True):
            if side.steps:
                warnings |= dict.fromkeys(f"{side.path.name}: {note}" for note in position.notes)
        moment = pair.old if len(compared) > 1 else None
        found += [replace(item, moment=moment) for item in diff_positions(before, after)]
        if pair is compared[0] and len(compared) > 1:
            found += diff_steps(a.root, b.root)
    is_logged = bool(a.steps or b.steps)
    return DiffResult(
        "save",
        tuple(found),
        tuple(compared) if is_logged else (),
        # What a log holds must not be obeyed by a terminal.
        tuple(on_one_line(secrets.text(text)) for text in warnings),
    )


def _moments(a: _Side, b: _Side, at: At | None) -> Iterator[tuple[Moment, Moment]]:
    """Yield the moments to compare; a save has only one, its start."""
    if at is None and a.steps and b.steps:
        yield "start", "start"
    old: Moment = "start" if at == "start" or not a.steps else "end"
    new: Moment = "start" if at in ("start", "next") or not b.steps else "end"
    yield old, new


def _open(path: Path) -> Members | CommandNode:
    is_archive = path.is_dir()
    if not is_archive:
        try:
            with path.open("rb") as file:
                is_archive = file.read(2) == b"PK"
        except FileNotFoundError:
            raise UnreadableError(f"{path}: no such file") from None
        except OSError as error:
            raise UnreadableError(f"{path}: unreadable: {error}") from None
    if is_archive:
        members = read_archive(path)
        if "savedGame" not in members:
            try:
                buildfile_name(members)
            except UnreadableError as error:
                raise UnreadableError(f"{path}: {error}") from None
            return members
    return parse_tree(read_save(path).text)


def _facts(path: Path) -> ModuleFacts:
    try:
        return read_module_facts(path)
    except UnreadableError as error:
        message = str(error)
        raise UnreadableError(message if str(path) in message else f"{path}: {message}") from None

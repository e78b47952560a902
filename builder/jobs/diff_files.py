"""Compare two modules, or two saves or logs, and tell what differs, one thing a line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from builder.problems import UnreadableError, UsageError
from builder.vassal.archive import Members, buildfile_name, read_archive
from builder.vassal.buildfile import read_buildfile
from builder.vassal.command_tree import CommandNode, parse_tree
from builder.vassal.differences import Difference
from builder.vassal.module_diff import diff_modules
from builder.vassal.replay_maps import MapNames, map_names
from builder.vassal.save_diff import diff_saves
from builder.vassal.savefile import read_save

__all__ = ["DiffResult", "diff_files"]


@dataclass(frozen=True, slots=True)
class DiffResult:
    """What differs; nothing if the files say the same."""

    kind: Literal["module", "save"]
    differences: tuple[Difference, ...]

    @property
    def is_same(self) -> bool:
        """Whether nothing differs."""
        return not self.differences

    def as_data(self) -> list[dict[str, str | None]]:
        """Return the differences for JSON."""
        return [
            {
                "area": item.area, "where": item.where, "sign": item.sign,
                "what": item.what or None, "old": item.old, "new": item.new,
            }
            for item in self.differences
        ]  # fmt: skip


def diff_files(old: Path, new: Path, *, module: Path | None = None) -> DiffResult:
    """Return what differs between two files of one kind; no player id is among it.

    ``module`` is the module of two saves, to tell places by name. Raises :class:`UsageError` for
    a module beside a save, :class:`UnreadableError` for what is damaged or no file of VASSAL.
    """
    sides = [_open(path) for path in (old, new)]
    a, b = sides
    if isinstance(a, CommandNode) and isinstance(b, CommandNode):
        names = None if module is None else _names(module)
        return DiffResult("save", tuple(diff_saves(a, b, names)))
    if isinstance(a, Members) and isinstance(b, Members):
        return DiffResult("module", tuple(diff_modules(a, b)))
    kinds = ["a save or log" if isinstance(side, CommandNode) else "a module" for side in sides]
    raise UsageError(f"{old} is {kinds[0]}, {new} is {kinds[1]}: compare two of one kind")


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


def _names(path: Path) -> MapNames:
    members = read_archive(path)
    try:
        root = read_buildfile(members[buildfile_name(members)])
    except UnreadableError as error:
        raise UnreadableError(f"{path}: {error}") from None
    return map_names(root, lambda name: members.get(f"images/{name}"))

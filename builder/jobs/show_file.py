"""Show a VASSAL file as its text twin, on the terminal or as a folder that can be packed again."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from builder.problems import UnreadableError, UsageError
from builder.vassal.twin import TEXT_NAME, Twin, make_twin

__all__ = ["ShowResult", "show_file", "show_text"]

_PARTS = {TEXT_NAME, "files", "saves", "kept"}


@dataclass(frozen=True, slots=True)
class ShowResult:
    """What was written."""

    folder: Path
    lines: int
    """Lines of the text."""
    files: int
    """Files beside it."""


def show_text(path: Path, *, with_ids: bool = False) -> str:
    """Return the text of the twin of a module, extension, save or log.

    Without ``with_ids`` placeholders stand for player ids, which are passwords. Raises
    :class:`UnreadableError` for what is damaged, hostile or no file of VASSAL.
    """
    return make_twin(path, with_ids=with_ids).text


def show_file(path: Path, folder: Path, *, with_ids: bool = False) -> ShowResult:
    """Write the twin into a folder: completely, or nothing; an older twin there is replaced.

    Raises :class:`UsageError` if the folder holds anything that is no part of a twin, else as
    :func:`show_text` does.
    """
    _check_target(folder)
    twin = make_twin(path, with_ids=with_ids)
    _write(twin, folder)
    return ShowResult(folder, twin.text.count("\n"), len(twin.files))


def _check_target(folder: Path) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise UsageError(f"{folder} is no folder")
    if not folder.exists():
        return
    names = {path.name for path in folder.iterdir()}
    if names and (TEXT_NAME not in names or names - _PARTS):
        strange = ", ".join(sorted(names - _PARTS)[:5]) or "files, but no twin"
        raise UsageError(f"folder {folder} holds {strange}; give an empty or a new one")


def _write(twin: Twin, folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    # The new twin is complete before the old one goes.
    new = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".part", dir=folder.parent))
    try:
        _write_files(twin.all_files(), new)
        if folder.exists():
            shutil.rmtree(folder)
        new.chmod(0o755)
        new.rename(folder)
    except BaseException:
        shutil.rmtree(new, ignore_errors=True)
        raise


def _write_files(files: Mapping[str, bytes], folder: Path) -> None:
    for name, data in files.items():
        target = folder.joinpath(*name.split("/"))
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            # Mode "x": two names that one system takes for one file must not overwrite each other.
            with target.open("xb") as file:
                file.write(data)
        except (OSError, ValueError) as error:
            raise UnreadableError(f"cannot write {name!r} of the twin: {error}") from None

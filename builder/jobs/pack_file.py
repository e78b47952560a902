"""Pack a text twin, the folder or its text alone, into the VASSAL file that it says."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from builder.problems import Problem, UnreadableError
from builder.vassal.archive import read_archive
from builder.vassal.twin import TEXT_NAME
from builder.vassal.twin_packing import pack_twin
from builder.workspace import atomic_write

__all__ = ["pack_file"]


def pack_file(twin: Path, target: Path) -> tuple[Problem, ...]:
    """Write the module, save or log of a twin, and return warnings.

    ``twin`` is the folder, or a text without files beside it. Raises :class:`DataError` with
    every mistake of an edited twin, and :class:`UnreadableError` for what is no twin or hostile:
    links, names that leave the folder. Nothing is written then.
    """
    if twin.is_dir():
        files: Mapping[str, bytes] = read_archive(twin)
        label = str(twin)
    else:
        files, label = _text_alone(twin)
    packed = pack_twin(files, label)
    atomic_write(target, packed.data)
    return packed.warnings


def _text_alone(path: Path) -> tuple[Mapping[str, bytes], str]:
    if path.name == TEXT_NAME and not path.is_symlink():
        folder = path.parent
        return read_archive(folder), "" if folder == Path() else str(folder)
    try:
        return {TEXT_NAME: path.read_bytes()}, str(path)
    except FileNotFoundError:
        raise UnreadableError(f"{path}: no such file") from None
    except OSError as error:
        raise UnreadableError(f"{path}: unreadable: {error}") from None

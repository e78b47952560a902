"""Finds the folders that a command works with: art, mapdata, templates, dist. Knows no game.

A designer's own project wins: folders in the current directory (or a parent that has a
``mapdata`` folder) come first; what they lack is taken from the package's own data.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from builder.problems import UsageError, did_you_mean

__all__ = ["Workspace", "atomic_write", "open_workspace", "writing"]

_PACKAGE = Path(__file__).resolve().parent


def _own_data() -> Path:
    """Return the folder with the shipped data: in a wheel, or the root of a source checkout."""
    packed = _PACKAGE / "_data"
    return packed if packed.is_dir() else _PACKAGE.parent


@dataclass(frozen=True, slots=True)
class Workspace:
    """The search path of one run: the user's project, then the shipped data."""

    project: Path
    shipped: Path

    @property
    def roots(self) -> tuple[Path, ...]:
        """The folders to search, most specific first."""
        return (self.project,) if self.project == self.shipped else (self.project, self.shipped)

    @property
    def dist(self) -> Path:
        """The folder for output; made when something is written."""
        return self.project / "dist"

    def find(self, *parts: str) -> Path | None:
        """Return the first existing file or folder of that relative name."""
        for root in self.roots:
            path = root.joinpath(*parts)
            if path.exists():
                return path
        return None

    def folders(self, *parts: str) -> tuple[Path, ...]:
        """Return every existing folder of that relative name, most specific first."""
        return tuple(p for root in self.roots if (p := root.joinpath(*parts)).is_dir())

    def files(self, folder: str, suffix: str) -> dict[str, Path]:
        """Return stem to path of the files in a folder; the user's own win over shipped ones."""
        found: dict[str, Path] = {}
        for path in reversed(self.folders(*folder.split("/"))):
            found.update({p.stem: p for p in sorted(path.glob(f"*{suffix}"))})
        return dict(sorted(found.items()))

    def games(self) -> dict[str, Path]:
        """Return name to folder of every game that can be named on the command line."""
        found: dict[str, Path] = {}
        for folder in reversed(self.folders("mapdata")):
            for path in sorted(folder.iterdir()):
                if (path / "game.toml").is_file():
                    found[path.name] = path
        return dict(sorted(found.items()))

    def game_folder(self, game: str) -> Path:
        """Return the folder of a game given by its name or by a path.

        Raises :class:`UsageError` naming the known games.
        """
        path = Path(game)
        if (path / "game.toml").is_file():
            return path
        games = self.games()
        if game in games:
            return games[game]
        if path.is_file() and path.name == "game.toml":
            return path.parent
        if path.is_dir():
            raise UsageError(f"no game.toml in folder {game!r}")
        raise UsageError(f"no game {game!r}{did_you_mean(game, games)}")


def open_workspace(start: Path | None = None) -> Workspace:
    """Find the project around ``start`` (default: the current directory)."""
    here = (start or Path.cwd()).resolve()
    shipped = _own_data()
    for folder in (here, *here.parents):
        if (folder / "mapdata").is_dir():
            return Workspace(folder, shipped)
    return Workspace(here, shipped)


@contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing that appears under its name only when all went well.

    Writes to a temporary file in the same folder, then renames it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        # mkstemp makes files private; give the rights that a plain open would have given
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise


def atomic_write(path: Path, data: bytes | str) -> None:
    """Write a whole file at once; text is UTF-8 with plain newlines."""
    with writing(path) as file:
        file.write(data.encode() if isinstance(data, str) else data)

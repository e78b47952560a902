"""What stands in a file of examples, ``mapdata/GAME/examples/*.toml``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from builder.problems import ProblemLog
from builder.reading import TomlFile, read_toml, salvaged

__all__ = ["DataExampleTable", "ExampleTable", "ExamplesFile", "example_files"]


@dataclass(frozen=True)
class ExampleTable:
    """One ``[[example]]``: a position, an action, and the rows that it breaks."""

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}

    name: str
    action: str
    rows: tuple[str, ...] = ()
    ground: tuple[str, ...] = ()
    given: str = ""
    before: tuple[str, ...] = ()
    breaks: tuple[str, ...] = ()
    ruling: str = ""
    says: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    vector: str = ""
    note: str = ""


@dataclass(frozen=True)
class DataExampleTable:
    """One ``[[data]]``: a change of one of the game's files, and words of what is said then."""

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}

    name: str
    file: str
    find: str
    put: str
    rows: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    vector: str = ""
    note: str = ""


@dataclass(frozen=True)
class ExamplesFile:
    """A file of examples."""

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}

    example: tuple[ExampleTable, ...] = ()
    data: tuple[DataExampleTable, ...] = ()


def example_files(folder: Path, log: ProblemLog) -> Iterator[tuple[str, TomlFile, ExamplesFile]]:
    """Yield the stem, the file and the content of each file of examples of a game, by name.

    Notes everything that is no example.
    """
    for path in sorted((folder / "examples").glob("*.toml")):
        toml = read_toml(path, log, f"examples/{path.name}")
        file = salvaged(toml, ExamplesFile, log)[0] if toml else None
        if toml is not None and file is not None:
            yield path.stem, toml, file

"""What stands in a file of examples, ``mapdata/GAME/examples/*.toml``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

__all__ = ["DataExampleTable", "ExampleTable", "ExamplesFile"]


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

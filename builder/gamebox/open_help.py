"""Opens ``help.toml``: what a game's help pages say beyond its data."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from builder.problems import ProblemLog
from builder.reading import read_toml, salvaged

__all__ = ["HelpFile", "TopicTable", "open_help"]

_STRICT = {"extra": "forbid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicTable:
    """A topic of the first page: its paragraphs, in the markup of charts."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    title: str
    text: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HelpFile:
    """``help.toml``: how to play, names of the rulebook's chapters by number, and a glossary."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    lead: str = ""
    notice: str = ""
    topic: tuple[TopicTable, ...] = ()
    chapters: dict[str, str] = field(default_factory=dict)
    glossary: dict[str, str] = field(default_factory=dict)


def open_help(folder: Path, log: ProblemLog) -> HelpFile:
    """Return the texts of a game's help pages; empty ones if it has no ``help.toml``."""
    path = folder / "help.toml"
    toml = read_toml(path, log) if path.is_file() else None
    file = salvaged(toml, HelpFile, log)[0] if toml else None
    return file or HelpFile()

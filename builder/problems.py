"""Errors for three audiences: data problems with a place, and the exceptions that carry them.

A *data author* gets :class:`Problem` values, all of them at once. A *programmer* gets subclasses of
:class:`BuilderError`. Only ``cli.py`` turns either into words and exit codes.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

__all__ = [
    "BuilderError",
    "DataError",
    "Problem",
    "ProblemLog",
    "Source",
    "UnreadableError",
    "UsageError",
    "did_you_mean",
]

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """A place in hand-edited text; line and column count from 1, 0 means "the whole file"."""

    path: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        """Return ``path:line:column``, shortened to what is known.

        >>> str(Source("counters.csv", 41, 7)), str(Source("game.toml"))
        ('counters.csv:41:7', 'game.toml')
        """
        if not self.line:
            return self.path
        return f"{self.path}:{self.line}:{self.column or 1}"


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One mistake in hand-edited data, in words its author understands."""

    source: Source
    message: str
    severity: Severity = "error"

    def __str__(self) -> str:
        """Return the line that a terminal shows."""
        note = "warning: " if self.severity == "warning" else ""
        return f"{self.source}: {note}{self.message}"


class BuilderError(Exception):
    """Base of all errors that this package raises on purpose; knows its exit code."""

    exit_code: ClassVar[int] = 2


class UsageError(BuilderError):
    """A command was asked for something that does not exist or cannot be done."""


class UnreadableError(BuilderError):
    """A file is missing, damaged, hostile, or of a kind that cannot be read."""


class DataError(BuilderError):
    """Hand-edited data holds mistakes; carries every one of them, sorted by place."""

    exit_code: ClassVar[int] = 1

    def __init__(self, problems: Iterable[Problem]) -> None:
        """Keep the problems, sorted and without duplicates."""
        self.problems: tuple[Problem, ...] = tuple(sorted(set(problems)))
        super().__init__("\n".join(map(str, self.problems)))


@dataclass(slots=True)
class ProblemLog:
    """Collects problems while reading goes on, so that all are told at once."""

    problems: list[Problem] = field(default_factory=list)

    def add(self, source: Source, message: str, severity: Severity = "error") -> None:
        """Note one problem."""
        self.problems.append(Problem(source, message, severity))

    @property
    def errors(self) -> list[Problem]:
        """The problems that stop a build."""
        return [p for p in self.problems if p.severity == "error"]

    @property
    def warnings(self) -> list[Problem]:
        """The problems that are told and do not stop a build."""
        return [p for p in self.problems if p.severity == "warning"]

    def check(self) -> None:
        """Raise :class:`DataError` if any error was noted."""
        if self.errors:
            raise DataError(self.problems)


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint naming the nearest known word, or the known words if few, or nothing.

    >>> did_you_mean("wods", ["woods", "clear"])
    "; did you mean 'woods'?"
    >>> did_you_mean("xyz", ["a", "b"])
    '; known: a, b'
    """
    words: Sequence[str] = sorted(set(known))
    near = difflib.get_close_matches(word, words, n=1, cutoff=0.6)
    if not near:
        folded = {w.casefold(): w for w in words}
        near = [folded[word.casefold()]] if word.casefold() in folded else []
    if near:
        return f"; did you mean {near[0]!r}?"
    if words and len(words) <= 12:
        return "; known: " + ", ".join(words)
    return ""

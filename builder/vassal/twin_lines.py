"""Lines of a text twin: numbered, indented by two blanks a level.

Comments, which begin with ``#``, and blank lines are left out. A block is a line with the lines
below it that are indented deeper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from builder.problems import Problem, Source
from builder.vassal.twin_values import TwinSyntaxError

__all__ = ["INDENT", "Block", "Mistakes", "read_blocks"]

INDENT = "  "


class Mistakes:
    """Collects what is wrong in one twin, with file, line and column."""

    def __init__(self, path: str) -> None:
        """Begin with none; ``path`` is how messages name the file."""
        self.path = path
        self.problems: list[Problem] = []

    def add(self, block: Block | None, error: TwinSyntaxError) -> None:
        """Note a mistake in a line; None is the whole file."""
        if block is None:
            self.say(0, 0, str(error))
        else:
            self.say(block.number, error.column, str(error))

    def say(self, line: int, column: int, message: str) -> None:
        """Note a mistake at a place."""
        self.problems.append(Problem(Source(self.path, line, column), message))


@dataclass(slots=True)
class Block:
    """One line, and the blocks inside it."""

    number: int
    """Counted from 1."""
    line: str
    """The whole line, so that columns are indices plus 1."""
    start: int
    """Index of the first character that is no blank."""
    inner: list[Block]

    @property
    def body(self) -> str:
        """The line without its indentation."""
        return self.line[self.start :]


def read_blocks(text: str, mistakes: Mistakes) -> list[Block]:
    """Return the outermost blocks of a text; wrong indentation is noted, and read as best it can.

    >>> a, = read_blocks("a\\n  b\\n  # c\\n  d", Mistakes("x"))
    >>> [inner.body for inner in a.inner]
    ['b', 'd']
    """
    outermost: list[Block] = []
    open_levels: list[list[Block]] = [outermost]
    for number, line in _meaningful(text):
        start = len(line) - len(line.lstrip(" "))
        if line[start] == "\t":
            mistakes.say(number, start + 1, "a TAB in the indentation; indent by two blanks")
            start = len(line) - len(line.lstrip(" \t"))
        elif start % 2:
            mistakes.say(number, 1, f"indented by {start} blanks, which is no whole level of two")
        depth = start // 2
        if depth >= len(open_levels):
            mistakes.say(number, 1, "indented deeper than one level below the line above")
            depth = len(open_levels) - 1
        del open_levels[depth + 1 :]
        block = Block(number, line, start, [])
        open_levels[depth].append(block)
        open_levels.append(block.inner)
    return outermost


def _meaningful(text: str) -> Iterator[tuple[int, str]]:
    lines: Iterable[str] = text.split("\n")
    for number, line in enumerate(lines, 1):
        clean = line.rstrip("\r \t")
        bare = clean.lstrip(" \t")
        if bare and bare[0] != "#":
            yield number, clean

"""Where in a row of a CSV file a problem lies: at the cell whose column its message names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from builder.problems import Problem, ProblemLog, Source
from builder.reading import read_csv

__all__ = ["pointed"]

_TABLES: Final = ("counters.csv", "places.csv")
_NAMED: Final = re.compile(r"[^:]+: (?P<column>[a-z_]+): ")
"""How the checks begin a message on one cell: the row's name, the column, then what is wrong."""


def pointed(folder: Path, problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield problems of a game's files with the place of the cell that they speak of.

    What is read from a row keeps only the row's place. The files are read again for a problem
    alone, so that data in order costs nothing.
    """
    tables: dict[str, Mapping[int, Mapping[str, Source]]] = {}
    for problem in problems:
        name, told = problem.source.path, _NAMED.match(problem.message)
        if told is None or name not in _TABLES:
            yield problem
            continue
        if name not in tables:
            tables[name] = _cells(folder / name)
        cells = tables[name].get(problem.source.line, {})
        yield replace(problem, source=cells.get(told["column"], problem.source))


def _cells(path: Path) -> Mapping[int, Mapping[str, Source]]:
    # its own mistakes were noted when the game was opened
    table = read_csv(path, ProblemLog())
    rows = table.rows if table is not None else ()
    return {r.source.line: {name: c.source for name, c in r.cells.items()} for r in rows}

"""The piece-slot numbers (gpids) of a game: given once, kept for ever in ``gpids.csv``.

A saved game knows its pieces by these numbers, so adding, renaming or re-ordering counters must
never change one. A counter that is taken out keeps its row: its number is not given again.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

from builder.problems import ProblemLog
from builder.reading import read_csv

__all__ = ["gpids_csv", "next_gpid", "read_gpids", "with_new_gpids"]


def read_gpids(path: Path, log: ProblemLog) -> dict[str, int]:
    """Return counter id to number; empty if the file does not exist yet."""
    if not path.exists():
        return {}
    table = read_csv(path, log, ("gpid", "id"))
    found: dict[str, int] = {}
    lines: dict[int, int] = {}
    for row in table.rows if table else ():
        cell = row["gpid"]
        if not (cell.isascii() and cell.isdigit()):
            log.add(cell.source, f"gpid: expected a whole number, got {str(cell)!r}")
            continue
        number = int(cell)
        if number in lines:
            log.add(cell.source, f"gpid {number} stands already in line {lines[number]}")
        if row["id"] in found:
            log.add(row["id"].source, f"id {str(row['id'])!r} has two numbers")
        lines.setdefault(number, row.source.line)
        found.setdefault(str(row["id"]), number)
    return found


def next_gpid(gpids: Mapping[str, int]) -> int:
    """Return the number that the next new counter gets.

    >>> next_gpid({"a": 3, "b": 7}), next_gpid({})
    (8, 1)
    """
    return max(gpids.values(), default=0) + 1


def with_new_gpids(gpids: Mapping[str, int], ids: Iterable[str]) -> dict[str, int]:
    """Return the numbers with new ones for the ids that have none, in the order given.

    >>> with_new_gpids({"b": 4}, ["a", "b", "c"])
    {'b': 4, 'a': 5, 'c': 6}
    """
    numbers = dict(gpids)
    for identity in ids:
        if identity not in numbers:
            numbers[identity] = next_gpid(numbers)
    return numbers


def gpids_csv(gpids: Mapping[str, int]) -> str:
    """Return the text of ``gpids.csv``, by number."""
    out = io.StringIO()
    out.write(
        "# Numbers of VASSAL's piece slots. Saved games refer to them: never edit or re-use.\n"
    )
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("gpid", "id"))
    writer.writerows(sorted((number, identity) for identity, number in gpids.items()))
    return out.getvalue()

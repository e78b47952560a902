"""The four files of a traced map as tables: rows with keys, so that two versions can be compared
and hand corrections survive.

A table knows how to write itself, how to read itself back from a hand-edited file, and what a row
is called in a message. :func:`merged` joins three versions: what the tracer wrote last time, what
the file says today, and what the tracer says today.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from builder.hexes.grid import HexGrid
from builder.hexes.lattice import Hex
from builder.reading import CsvTable

__all__ = [
    "REORDERED",
    "Key",
    "Merge",
    "Row",
    "Table",
    "key_of",
    "merged",
    "table_of_csv",
    "terrain_table",
]

REORDERED = "rows in another order, or named from the other end"
"""The only difference between two tables that say the same."""

Key: TypeAlias = tuple[str, ...]
Row: TypeAlias = Mapping[str, str]


# A side or link has one key, whichever of its two hexes the row begins with.
_ENDS: Mapping[str, frozenset[str]] = {
    "hexsides.csv": frozenset({"hex", "side"}),
    "routes.csv": frozenset({"from", "to"}),
}


@dataclass(frozen=True, slots=True)
class Table:
    """A file's content: ``columns`` in order, rows by key in order, and comment lines before them.

    ``terrain.txt`` is a table with one row a hex and the single column ``terrain``.
    """

    name: str
    columns: tuple[str, ...]
    rows: Mapping[Key, Row]
    comments: tuple[str, ...] = ()

    def text(self) -> str:
        """Return the file's text, ending in a newline."""
        lines = "".join(f"{line}\n" for line in self.comments)
        if self.columns == ("terrain",):
            return lines + _letters(self.rows)
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([row.get(c, "") for c in self.columns] for row in self.rows.values())
        return lines + out.getvalue()

    def differences(self, new: Table, names: Mapping[str, str]) -> tuple[str, ...]:
        """Return in words what would have to be done to this table to have the new one.

        ``names`` gives the names of terrain letters.
        """
        found: list[str] = []
        for key in dict.fromkeys([*self.rows, *new.rows]):
            old_row, new_row = self.rows.get(key), new.rows.get(key)
            if old_row is None and new_row is not None:
                found.append(f"+ {_words(new, new_row)}")
            elif new_row is None and old_row is not None:
                found.append(f"- {_words(self, old_row)}")
            elif old_row is not None and new_row is not None:
                found.extend(_cells(self, key, old_row, new_row, new.columns, names))
        if not found and list(self.rows.items()) != list(new.rows.items()):
            found.append(REORDERED)
        if not found and self.columns != new.columns:
            found.append("columns: " + ",".join(new.columns))
        return tuple(found)


def _words(table: Table, row: Row) -> str:
    return " ".join(row[c] for c in table.columns if row.get(c))


def _cells(
    table: Table, key: Key, old: Row, new: Row, columns: Sequence[str], names: Mapping[str, str]
) -> list[str]:
    if columns == ("terrain",):
        before, after = old["terrain"], new["terrain"]
        if before == after:
            return []
        return [f"{key[0]}: {names.get(before, before)} -> {names.get(after, after)}"]
    what = " ".join(k for k in (old.get(c, "") for c in table.columns[:2]) if k)
    return [
        f"{what}: {column} {old.get(column, '') or 'empty'} -> {new.get(column, '') or 'empty'}"
        for column in dict.fromkeys([*table.columns, *columns])
        if old.get(column, "") != new.get(column, "") and column not in _ENDS.get(table.name, ())
    ]


def terrain_table(letters: Mapping[Hex, str], grid: HexGrid, comments: Sequence[str] = ()) -> Table:
    """Return ``terrain.txt`` as a table; rows run through the hexes line by line."""
    order = sorted(letters, key=lambda h: (h.row, h.column))
    rows: dict[Key, Row] = {
        (grid.label(h),): {"terrain": letters[h], "line": str(h.row)} for h in order
    }
    return Table("terrain.txt", ("terrain",), rows, tuple(comments))


def _letters(rows: Mapping[Key, Row]) -> str:
    lines: dict[str, str] = {}
    for row in rows.values():
        lines[row["line"]] = lines.get(row["line"], "") + row["terrain"]
    return "".join(f"{line}\n" for line in lines.values())


def key_of(name: str, row: Row, grid: HexGrid) -> Key:
    """Return by what a row is known: the same for a hexside or link named from its other end."""
    match name:
        case "hexsides.csv":
            hex_, direction = grid.hex_of(row.get("hex", "")), row.get("side", "").upper()
            if hex_ is not None and direction in grid.direction_names:
                side = grid.hexside(hex_, grid.direction_names.index(direction))
                return (grid.label(side.hex), grid.direction_names[side.direction])
            return (row.get("hex", ""), direction)
        case "routes.csv":
            ends = (row.get("from", ""), row.get("to", ""))
            if ends[1].upper() in grid.direction_names:
                return (ends[0], ends[1].upper())
            return tuple(sorted(ends))
        case _:
            place = (row.get("kind", ""), row.get("name", ""))
            # an entry area has several rows, one for each hex
            return (*place, row.get("hex", "")) if place[0] == "entry" else place


def table_of_csv(table: CsvTable, grid: HexGrid, name: str, comments: Sequence[str] = ()) -> Table:
    """Return a read CSV file as the table of that name; of rows with one key the first counts."""
    rows: dict[Key, Row] = {}
    columns = tuple(str(c) for c in table.columns)
    for row in table.rows:
        cells = {column: str(row[column]) for column in columns}
        rows.setdefault(key_of(name, cells, grid), cells)
    return Table(name, columns, rows, tuple(comments))


@dataclass(frozen=True, slots=True)
class Merge:
    """The joined table, what in it is by hand, and where hand and tracer both changed something."""

    table: Table
    by_hand: tuple[str, ...]
    conflicts: tuple[str, ...]


def merged(base: Table, mine: Table, new: Table, names: Mapping[str, str]) -> Merge:
    """Join three versions: hand corrections (``base`` to ``mine``) are laid over ``new``.

    A cell, row or deletion by hand stays, also where the tracer has meanwhile come to something
    else; such places are conflicts and are told.
    """
    columns = (*new.columns, *(c for c in mine.columns if c not in new.columns))
    rows: dict[Key, Row] = {}
    conflicts: list[str] = []
    for key in dict.fromkeys([*new.rows, *mine.rows]):
        was, hand, now = base.rows.get(key), mine.rows.get(key), new.rows.get(key)
        if hand is None and now is not None:
            if was is None:
                rows[key] = now
            elif was != now:
                conflicts.append(f"deleted by hand, and changed since: {_words(new, now)}")
        elif now is None and hand is not None:
            if was is None:
                rows[key] = hand
            elif any(hand.get(c, "") != was.get(c, "") for c in columns):
                rows[key] = hand
                conflicts.append(
                    f"changed by hand, and gone from the geography: {_words(mine, hand)}"
                )
        elif hand is not None and now is not None:
            rows[key] = _joined(new.name, key, was or {}, hand, now, columns, conflicts, names)
    table = replace(new, columns=columns, rows=rows, comments=mine.comments)
    return Merge(table, new.differences(table, names), tuple(conflicts))


def _joined(
    name: str,
    key: Key,
    was: Row,
    hand: Row,
    now: Row,
    columns: Sequence[str],
    conflicts: list[str],
    names: Mapping[str, str],
) -> Row:
    cells = dict(now)
    for column in columns:
        old, mine, new = was.get(column, ""), hand.get(column, ""), now.get(column, "")
        if mine in (old, new):
            continue
        cells[column] = mine
        if old != new and was and column not in _ENDS.get(name, ()):
            shown = [names.get(v, v) if column == "terrain" else v for v in (mine, new)]
            what = key[0] if column == "terrain" else f"{' '.join(key)}: {column}"
            conflicts.append(f"{what}: {shown[0]} by hand, {shown[1]} by the tracer")
    return cells

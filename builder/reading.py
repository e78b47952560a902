"""Hand-edited text to frozen dataclasses, every mistake with its file, line and column.

TOML files are checked by pydantic against a plain dataclass; a line index of our own says where a
value stands, since no library knows that. CSV and letter grids are cut into cells that carry their
place. Nothing here stops at the first mistake: problems go into a :class:`ProblemLog`.
"""

from __future__ import annotations

import dataclasses
import json
import re
import tomllib
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from builder.problems import ProblemLog, Source, did_you_mean
from builder.toml_places import TomlPath, toml_places

__all__ = [
    "Cell",
    "CsvRow",
    "CsvTable",
    "TomlFile",
    "json_schema",
    "read_csv",
    "read_letter_grid",
    "read_text",
    "read_toml",
    "salvaged",
    "validated",
]

T = TypeVar("T")
MAX_BYTES = 64 * 1024 * 1024
"""No hand-edited file is larger; a larger one is refused before it is read."""


def read_text(path: Path, log: ProblemLog, shown: str | None = None) -> str | None:
    """Return the text of a UTF-8 file without byte-order mark; note a problem and return ``None``.

    ``shown`` is the name that problems use for the file.
    """
    name = shown or path.name
    try:
        if path.stat().st_size > MAX_BYTES:
            log.add(Source(name), f"file is larger than {MAX_BYTES // 1024 // 1024} MB")
            return None
        data = path.read_bytes()
    except FileNotFoundError:
        log.add(Source(name), f"file not found: {path}")
        return None
    except OSError as error:
        log.add(Source(name), f"cannot be read: {error.strerror or error}")
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = error.start - (before.rfind(b"\n") + 1) + 1
        log.add(
            Source(name, line, column),
            f"wrong encoding: byte 0x{data[error.start]:02X} is not UTF-8; save the file as UTF-8",
        )
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")


# ---------------------------------------------------------------------------------------- TOML


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A parsed TOML file that knows where each value stands."""

    name: str
    data: Mapping[str, Any]
    places: Mapping[TomlPath, tuple[int, int]]

    def source(self, *path: str | int) -> Source:
        """Return the place of a value, or of its nearest known container."""
        for end in range(len(path), -1, -1):
            place = self.places.get(tuple(path[:end]))
            if place:
                return Source(self.name, *place)
        return Source(self.name, 1, 1)


_DECODE_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)\s*$")


def read_toml(path: Path, log: ProblemLog, shown: str | None = None) -> TomlFile | None:
    """Parse a TOML file; note a problem with its place and return ``None`` if it is not TOML."""
    name = shown or path.name
    text = read_text(path, log, name)
    if text is None:
        return None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        found = _DECODE_PLACE.search(message)
        lines = text.count("\n") + 1
        line, column = (int(found[1]), int(found[2])) if found and found[1] else (lines, 1)
        log.add(Source(name, line, column), "not valid TOML: " + _DECODE_PLACE.sub("", message))
        return None
    except RecursionError:
        log.add(Source(name, 1, 1), "not valid TOML: nested too deeply")
        return None
    return TomlFile(name, data, toml_places(text))


def validated(file: TomlFile, kind: type[T], log: ProblemLog) -> T | None:
    """Check a TOML file against a dataclass with pydantic; note every mistake with its place.

    The dataclass says ``__pydantic_config__ = {"extra": "forbid"}`` to refuse unknown keys.
    Returns ``None`` if there was any mistake.
    """
    from pydantic import TypeAdapter, ValidationError

    try:
        # JSON in strict mode: "2" is no number, True is no number, a list may become a tuple
        text = json.dumps(file.data, default=str)
        return TypeAdapter(kind).validate_json(text, strict=True)
    except ValidationError as error:
        for item in error.errors(include_url=False):
            path = tuple(p for p in item["loc"])
            log.add(_place_of(file, path), _in_words(kind, item, path))
        return None


def salvaged(file: TomlFile, kind: type[T], log: ProblemLog) -> tuple[T | None, frozenset[str]]:
    """Check like :func:`validated`, but go on with what is right, so that more can be checked.

    Returns the dataclass with wrong values left out (required ones empty), and the names of the
    top-level tables that had mistakes; of those a caller should not trust what it can't check.
    """
    from pydantic import TypeAdapter, ValidationError

    adapter = TypeAdapter(kind)
    data = json.loads(json.dumps(file.data, default=str))
    wrong: set[str] = set()
    for attempt in range(4):
        try:
            return adapter.validate_json(json.dumps(data), strict=True), frozenset(wrong)
        except ValidationError as error:
            items = error.errors(include_url=False)
        # from the back, so that taking an element out of a list does not shift the others
        for item in reversed(items):
            path = tuple(item["loc"])
            if attempt == 0:
                log.add(_place_of(file, path), _in_words(kind, item, path))
            wrong |= {str(p) for p in path[:1]}
            _mend(data, path, kind, is_missing=item["type"] == "missing")
    return None, frozenset(wrong)


def _mend(data: Any, path: tuple[str | int, ...], kind: Any, *, is_missing: bool) -> None:
    if not path:
        return
    parent = _value(data, path[:-1])
    if is_missing and isinstance(parent, dict):
        parent[path[-1]] = _empty(_fields(kind, path[:-1]).get(str(path[-1])))
    elif isinstance(parent, dict):
        parent.pop(path[-1], None)
    elif isinstance(parent, list) and isinstance(path[-1], int) and path[-1] < len(parent):
        parent.pop(path[-1])


def _empty(kind: Any) -> Any:
    kind = _strip(kind)
    if dataclasses.is_dataclass(kind) or typing.get_origin(kind) is dict:
        return {}
    if typing.get_origin(kind) is tuple:
        return []
    return {int: 1, float: 1.0, bool: False}.get(kind, "")


def json_schema(kind: type[Any], title: str, description: str) -> dict[str, Any]:
    """Return the JSON Schema of a TOML file's dataclass, for editors."""
    from pydantic import TypeAdapter

    schema = TypeAdapter(kind).json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": title,
        "description": description,
    }


def _place_of(file: TomlFile, path: tuple[str | int, ...]) -> Source:
    known: list[str | int] = []
    for step in path:
        if (*known, step) not in file.places and not (
            isinstance(_value(file.data, [*known, step]), (dict, list))
        ):
            break
        known.append(step)
    return file.source(*known)


def _value(data: Any, path: Iterable[str | int]) -> Any:
    for step in path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def _fields(kind: Any, path: Sequence[str | int]) -> dict[str, Any]:
    """Return field name to type of the dataclass that lies at ``path`` under ``kind``."""
    for step in path:
        kind = _strip(kind)
        if dataclasses.is_dataclass(kind) and isinstance(step, str):
            kind = typing.get_type_hints(kind).get(step)
            continue
        arguments = typing.get_args(kind)
        if not arguments:
            return {}
        kind = arguments[1] if len(arguments) > 1 and isinstance(step, str) else arguments[0]
    kind = _strip(kind)
    if not dataclasses.is_dataclass(kind):
        return {}
    hints = typing.get_type_hints(kind)  # these have class variables too, which are no keys
    return {f.name: hints[f.name] for f in dataclasses.fields(kind)}


def _strip(kind: Any) -> Any:
    """Take the one real type out of ``X | None`` and of ``Annotated``."""
    if typing.get_origin(kind) is typing.Annotated:
        kind = typing.get_args(kind)[0]
    arguments = [a for a in typing.get_args(kind) if a is not type(None)]
    if type(None) in typing.get_args(kind) and len(arguments) == 1:
        return arguments[0]
    return kind


_EXPECTED = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "string_type": "a text in quotes",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "dict_type": "a table",
    "mapping_type": "a table",
    "dataclass_type": "a table",
}


def _in_words(kind: Any, item: Any, path: tuple[str | int, ...]) -> str:
    code, value = item["type"], item.get("input")
    name = ".".join(str(p) if isinstance(p, str) else f"{p + 1}" for p in path)
    last = str(path[-1]) if path else ""
    if code == "missing":
        return f"required key {last!r} is missing"
    if code in {"unexpected_keyword_argument", "extra_forbidden"}:
        return f"unknown key {last!r}" + did_you_mean(last, _fields(kind, path[:-1]))
    context = item.get("ctx") or {}
    if code in {"literal_error", "enum"}:
        words = re.findall(r"'([^']*)'", str(context.get("expected", "")))
        return f"{name}: {value!r} is not allowed" + did_you_mean(str(value), words)
    if code in _EXPECTED:
        return f"{name}: expected {_EXPECTED[code]}, got {_shown(value)}"
    return f"{name}: {str(item['msg'])[:1].lower()}{str(item['msg'])[1:]}, got {_shown(value)}"


def _shown(value: Any) -> str:
    text = "a table" if isinstance(value, Mapping) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


# ----------------------------------------------------------------------------------------- CSV


class Cell(str):
    """A cell's text, stripped, which knows where it stands."""

    __slots__ = ("source",)

    source: Source

    def __new__(cls, text: str, source: Source) -> Cell:
        """Make a cell of a text and its place."""
        cell = super().__new__(cls, text)
        cell.source = source
        return cell


@dataclass(frozen=True, slots=True)
class CsvRow:
    """One row: column name to cell, every column of the header present."""

    source: Source
    cells: Mapping[str, Cell]

    def __getitem__(self, column: str) -> Cell:
        """Return the cell of a column; an empty cell if the file lacks the column."""
        cell = self.cells.get(column)
        return Cell("", self.source) if cell is None else cell


@dataclass(frozen=True, slots=True)
class CsvTable:
    """A whole CSV file: its columns in order and its rows."""

    name: str
    columns: tuple[Cell, ...]
    rows: tuple[CsvRow, ...]


def _cells(text: str, delimiter: str) -> Iterator[list[tuple[str, int, int]]]:
    """Cut CSV text into records of (text, line, column); quoted cells may span lines.

    The standard reader cannot say in which column a cell began, hence our own.
    """
    line_number = 0
    lines = iter(text.split("\n"))
    for line in lines:
        line_number += 1
        if '"' not in line:
            column, record = 1, []
            for part in line.split(delimiter):
                record.append((part, line_number, column))
                column += len(part) + 1
            yield record
            continue
        record, position, start_line = [], 0, line_number
        while True:
            start = position
            if line[position : position + 1] == '"':
                parts, position = [], position + 1
                begun = (start_line, start + 1)
                while True:
                    end = line.find('"', position)
                    if end < 0:
                        parts.append(line[position:] + "\n")
                        following = next(lines, None)
                        if following is None:
                            position, line = 0, ""
                            break
                        line, position = following, 0
                        line_number += 1
                        start_line = line_number
                        continue
                    parts.append(line[position:end])
                    if line[end + 1 : end + 2] == '"':
                        parts.append('"')
                        position = end + 2
                        continue
                    position = end + 1
                    break
                rest_end = line.find(delimiter, position)
                rest_end = len(line) if rest_end < 0 else rest_end
                record.append(("".join(parts) + line[position:rest_end].strip(), *begun))
                position = rest_end
            else:
                end = line.find(delimiter, position)
                end = len(line) if end < 0 else end
                record.append((line[position:end], start_line, start + 1))
                position = end
            if position >= len(line):
                break
            position += 1
        yield record


def read_csv(
    path: Path, log: ProblemLog, required: Sequence[str] = (), shown: str | None = None
) -> CsvTable | None:
    """Read a CSV file with a header line; comma or semicolon, as the header shows.

    Lines that are empty or begin with ``#`` are skipped. Notes: missing or doubled columns, rows
    that are too long, a wrong encoding. Short rows are filled with empty cells.
    """
    name = shown or path.name
    text = read_text(path, log, name)
    if text is None:
        return None
    first = next((ln for ln in text.split("\n") if ln.strip() and not ln.startswith("#")), "")
    delimiter = max(",;\t", key=first.count) if any(d in first for d in ",;\t") else ","
    header: tuple[Cell, ...] = ()
    rows: list[CsvRow] = []
    for record in _cells(text, delimiter):
        cells = [Cell(t.strip(), Source(name, ln, col)) for t, ln, col in record]
        if not any(cells) or cells[0].startswith("#"):
            continue
        if not header:
            header = tuple(cells)
            while header and not header[-1]:
                header = header[:-1]
            _check_header(header, required, log)
            continue
        for extra in cells[len(header) :]:
            if extra:
                log.add(extra.source, f"{extra!s:.40}: more cells than the header has columns")
        source = cells[0].source
        filled = [*cells, *(Cell("", source) for _ in range(len(header) - len(cells)))]
        rows.append(CsvRow(source, dict(zip(map(str, header), filled, strict=False))))
    if not header:
        log.add(Source(name, 1, 1), "the file is empty: expected a header line")
        return None
    return CsvTable(name, header, tuple(rows))


def _check_header(header: Sequence[Cell], required: Sequence[str], log: ProblemLog) -> None:
    seen: set[str] = set()
    for cell in header:
        if not cell:
            log.add(cell.source, "column without a name")
        elif cell in seen:
            log.add(cell.source, f"column {str(cell)!r} stands twice")
        seen.add(str(cell))
    for column in required:
        if column not in seen:
            log.add(
                header[0].source,
                f"required column {column!r} is missing" + did_you_mean(column, seen),
            )


# ----------------------------------------------------------------------------------- letter grid


def read_letter_grid(
    path: Path,
    columns: int,
    rows: int,
    letters: Iterable[str],
    log: ProblemLog,
    shown: str | None = None,
) -> dict[tuple[int, int], Cell]:
    """Read ``terrain.txt``: one letter a hex, one line a row; ``(column, row)`` to letter.

    Empty lines and lines that begin with ``#`` are skipped. Notes unknown letters, short and long
    lines, missing and surplus rows.
    """
    name = shown or path.name
    text = read_text(path, log, name)
    if text is None:
        return {}
    known = set(letters)
    grid: dict[tuple[int, int], Cell] = {}
    row = 0
    line_number = 0
    for line_number, raw in enumerate(text.split("\n"), 1):
        line = raw.rstrip()
        if not line or line.startswith("#"):
            continue
        if row >= rows:
            log.add(Source(name, line_number, 1), f"more than the map's {rows} rows")
            break
        if len(line) != columns:
            log.add(
                Source(name, line_number, min(len(line), columns) + 1),
                f"row {row + 1}: expected {columns} letters, found {len(line)}",
            )
        for column, letter in enumerate(line[:columns]):
            source = Source(name, line_number, column + 1)
            if letter not in known:
                log.add(source, f"unknown terrain letter {letter!r}" + did_you_mean(letter, known))
            grid[column, row] = Cell(letter, source)
        row += 1
    if row < rows:
        log.add(Source(name, line_number, 1), f"expected {rows} rows, found {row}")
    return grid

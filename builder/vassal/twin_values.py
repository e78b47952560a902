"""Values in a text twin: quoted texts, bare words, numbers, lists and tables on one line.

The form is TOML's inline form: ``name="Step" images=["a.png", "b.png"] size={x=1, y=-2.5}``, with
texts escaped as in JSON. Reading knows the column of each value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from builder.problems import BuilderError

__all__ = [
    "Entry",
    "Masking",
    "TwinSyntaxError",
    "fields_text",
    "quoted",
    "read_entries",
    "read_quoted",
    "read_word",
    "value_text",
    "word_text",
]

Masking = Callable[[str], str]
"""What is done to a text before it is shown: player ids are put out of sight."""


class TwinSyntaxError(BuilderError):
    """A line of a twin that cannot be read; knows its column, counted from 1."""

    def __init__(self, column: int, message: str) -> None:
        """Keep the column beside the message."""
        super().__init__(message)
        self.column = column


class Entry(NamedTuple):
    """One ``key=value`` of a line."""

    value: object
    """Text, number, truth value, list, or table."""
    column: int
    is_bare: bool = False
    """Whether the value stood there as a bare word."""


_MAX_NESTING = 40
_BARE_KEY = re.compile(r"[A-Za-z0-9_\-]+")
_BARE_WORD = re.compile(r'[^\s"=,|\[\]{}#~]+')
_BLANKS = (" ", "\t")
_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_encode: Callable[[str], str] = json.JSONEncoder(ensure_ascii=False).encode
_decode = json.JSONDecoder().raw_decode
_BREAKING = {
    code: f"\\u{code:04x}"
    for code in (*range(0x7F, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F), 0xFEFF)
}
"""Characters that would break a line, or that a terminal obeys."""


def quoted(text: str) -> str:
    r"""Return a text in quotation marks, on one line whatever it holds.

    >>> print(quoted('say "no"\n'))
    "say \"no\"\n"
    """
    encoded = _encode(text)
    return encoded if encoded.isascii() and "\x7f" not in encoded else encoded.translate(_BREAKING)


def word_text(text: str) -> str:
    """Return a text without quotation marks where it can do without.

    >>> word_text("1700000000001"), word_text("Main Map")
    ('1700000000001', '"Main Map"')
    """
    return text if _BARE_WORD.fullmatch(text) else quoted(text)


def value_text(value: object) -> str:
    """Return any value of a trait's field.

    >>> value_text({"key": "ctrl S", "choices": ["a", 1, True]})
    '{key="ctrl S", choices=["a", 1, true]}'
    """
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        pairs = [f"{_key_text(str(key))}={value_text(item)}" for key, item in value.items()]
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, Sequence):
        return "[" + ", ".join(map(value_text, value)) + "]"
    raise TypeError(f"no value of a twin: {value!r}")


def _key_text(key: str) -> str:
    return key if _BARE_KEY.fullmatch(key) else quoted(key)


def fields_text(values: Mapping[str, object]) -> str:
    """Return fields as they follow a trait's name, each with a blank before it."""
    return "".join([f" {_key_text(key)}={value_text(value)}" for key, value in values.items()])


def skip_blanks(line: str, at: int) -> int:
    """Return the index of what follows the blanks."""
    while line[at : at + 1] in _BLANKS:
        at += 1
    return at


def read_quoted(line: str, at: int) -> tuple[str, int]:
    """Return the quoted text that begins at an index, and the index behind it."""
    try:
        found, end = _decode(line, at)
    except json.JSONDecodeError as error:
        column = min(error.pos, len(line)) + 1
        what = "the text has no closing quotation mark"
        if "terminated" not in error.msg:
            what = 'a backslash in a text stands before n, t, r, u and four digits, \\ or " only'
        raise TwinSyntaxError(at + 1 if "terminated" in error.msg else column, what) from None
    text = str(found)
    if _SURROGATE.search(text):
        raise TwinSyntaxError(at + 1, "the text holds half a character (\\ud800 to \\udfff)")
    return text, end


_ESCAPES = 'a backslash in a text stands before n, t, r, ", \\, or u and four digits only'
_SURROGATE = re.compile("[\ud800-\udfff]")


def read_word(line: str, at: int) -> tuple[str, int]:
    """Return the bare or quoted text at an index, and the index behind it."""
    if line[at : at + 1] == '"':
        return read_quoted(line, at)
    found = _BARE_WORD.match(line, at)
    if found is None:
        got = repr(line[at]) if at < len(line) else "the end of the line"
        raise TwinSyntaxError(at + 1, f"expected a word or a quoted text, got {got}")
    return found[0], found.end()


def read_entries(line: str, at: int) -> tuple[dict[str, Entry], int]:
    """Return the ``key=value`` entries from an index on, and the index of what is none.

    >>> read_entries('x=1 name="a b"', 0)[0]["name"].value
    'a b'
    """
    entries: dict[str, Entry] = {}
    while True:
        at = skip_blanks(line, at)
        if at >= len(line) or line[at] in "|~":
            return entries, at
        key, value_at = _read_key(line, at)
        if key in entries:
            raise TwinSyntaxError(at + 1, f"{key!r} is said twice")
        value, end, is_bare = _read_value(line, value_at, 0)
        entries[key] = Entry(value, value_at + 1, is_bare)
        at = end
        if at < len(line) and line[at] not in " \t":
            raise TwinSyntaxError(at + 1, f"expected a blank before {line[at]!r}")


def _read_key(line: str, at: int) -> tuple[str, int]:
    key, end = read_word(line, at)
    end = skip_blanks(line, end)
    if line[end : end + 1] != "=":
        raise TwinSyntaxError(end + 1, f"expected '=' behind {key!r}")
    return key, skip_blanks(line, end + 1)


def _read_value(line: str, at: int, depth: int) -> tuple[object, int, bool]:
    if depth > _MAX_NESTING:
        raise TwinSyntaxError(at + 1, "lists and tables are nested too deeply")
    first = line[at : at + 1]
    if first == '"':
        return *read_quoted(line, at), False
    if first == "[":
        return *_read_list(line, at, depth), False
    if first == "{":
        return *_read_table(line, at, depth), False
    word, end = read_word(line, at)
    return _bare_value(word), end, True


def _bare_value(word: str) -> object:
    if word in ("true", "false"):
        return word == "true"
    if len(word) <= 30:
        if _INTEGER.fullmatch(word):
            return int(word)
        if _DECIMAL.fullmatch(word):
            return float(word)
    return word


def _read_list(line: str, at: int, depth: int) -> tuple[list[object], int]:
    items: list[object] = []
    at = skip_blanks(line, at + 1)
    while line[at : at + 1] != "]":
        value, at, _ = _read_value(line, at, depth + 1)
        items.append(value)
        at = _next_item(line, at, "]")
    return items, at + 1


def _read_table(line: str, at: int, depth: int) -> tuple[dict[str, object], int]:
    table: dict[str, object] = {}
    at = skip_blanks(line, at + 1)
    while line[at : at + 1] != "}":
        start = at
        key, at = _read_key(line, at)
        if key in table:
            raise TwinSyntaxError(start + 1, f"{key!r} is said twice")
        table[key], at, _ = _read_value(line, at, depth + 1)
        at = _next_item(line, at, "}")
    return table, at + 1


def _next_item(line: str, at: int, closing: str) -> int:
    at = skip_blanks(line, at)
    if line[at : at + 1] == ",":
        return skip_blanks(line, at + 1)
    if line[at : at + 1] != closing:
        got = repr(line[at]) if at < len(line) else "the end of the line"
        raise TwinSyntaxError(at + 1, f"expected ',' or {closing!r}, got {got}")
    return at

"""Where each value of a TOML text stands: a scanner beside the standard parser.

``tomllib`` gives values without places. This walks over the same (already accepted) text and notes
the line and column of every key, table and list element, so that a problem can name its place.
"""

from __future__ import annotations

import re
from typing import TypeAlias

__all__ = ["TomlPath", "toml_places"]

TomlPath: TypeAlias = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_BLANK_IN_LINE = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}\n#]+")
_STRINGS = (
    re.compile(r'"""(?:\\.|[^\\])*?"{3,5}', re.S),
    re.compile(r"'''.*?'{3,5}", re.S),
    re.compile(r'"(?:\\.|[^"\\\n])*"'),
    re.compile(r"'[^'\n]*'"),
)


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.places: dict[TomlPath, tuple[int, int]] = {}
        self.lists: dict[TomlPath, int] = {}
        self.line_starts = [0] + [i + 1 for i, c in enumerate(text) if c == "\n"]
        self._line = 0

    def place(self, offset: int) -> tuple[int, int]:
        while self._line + 1 < len(self.line_starts) and self.line_starts[self._line + 1] <= offset:
            self._line += 1
        while self.line_starts[self._line] > offset:
            self._line -= 1
        return self._line + 1, offset - self.line_starts[self._line] + 1

    def note(self, path: TomlPath, offset: int) -> None:
        self.places.setdefault(path, self.place(offset))

    def blank(self) -> None:
        found = _BLANK.match(self.text, self.at)
        if found:
            self.at = found.end()

    def blank_in_line(self) -> None:
        found = _BLANK_IN_LINE.match(self.text, self.at)
        if found:
            self.at = found.end()

    def key(self) -> tuple[str, ...]:
        parts: list[str] = []
        while True:
            self.blank_in_line()
            character = self.text[self.at : self.at + 1]
            if character in {'"', "'"}:
                raw = self.string()
                parts.append(_unquoted(raw))
            else:
                found = _BARE_KEY.match(self.text, self.at)
                if not found:
                    raise ValueError(self.at)
                parts.append(found[0])
                self.at = found.end()
            self.blank_in_line()
            if self.text[self.at : self.at + 1] != ".":
                return tuple(parts)
            self.at += 1

    def string(self) -> str:
        for pattern in _STRINGS:
            found = pattern.match(self.text, self.at)
            if found and (pattern is not _STRINGS[2] or not self.text.startswith('"""', self.at)):
                self.at = found.end()
                return found[0]
        raise ValueError(self.at)

    def value(self, path: TomlPath) -> None:
        character = self.text[self.at : self.at + 1]
        if character in {'"', "'"}:
            self.string()
        elif character == "[":
            self.at += 1
            index = 0
            while True:
                self.blank()
                if self.text[self.at : self.at + 1] == "]":
                    self.at += 1
                    return
                self.note((*path, index), self.at)
                self.value((*path, index))
                index += 1
                self.blank()
                if self.text[self.at : self.at + 1] == ",":
                    self.at += 1
        elif character == "{":
            self.at += 1
            while True:
                self.blank()
                if self.text[self.at : self.at + 1] in {"}", ""}:
                    self.at += 1
                    return
                self.assignment(path)
                self.blank()
                if self.text[self.at : self.at + 1] == ",":
                    self.at += 1
        else:
            found = _SCALAR.match(self.text, self.at)
            if not found:
                raise ValueError(self.at)
            self.at = found.end()

    def assignment(self, table: TomlPath) -> None:
        start = self.at
        key = self.key()
        self.at += 1  # the equals sign
        self.blank_in_line()
        for end in range(1, len(key) + 1):
            self.note((*table, *key[:end]), start)
        self.value((*table, *key))

    def resolved(self, key: tuple[str, ...]) -> TomlPath:
        """Turn a header's key into a path through the newest element of each list of tables."""
        path: TomlPath = ()
        for part in key:
            path = (*path, part)
            if path in self.lists:
                path = (*path, self.lists[path])
        return path

    def header(self) -> TomlPath:
        start = self.at
        is_list = self.text.startswith("[[", self.at)
        self.at += 2 if is_list else 1
        key = self.key()
        self.at += 2 if is_list else 1
        if is_list:
            path: TomlPath = (*self.resolved(key[:-1]), key[-1])
            self.lists[path] = self.lists.get(path, -1) + 1
            self.note(path, start)
            path = (*path, self.lists[path])
        else:
            path = self.resolved(key)
        for end in range(1, len(path) + 1):
            self.note(path[:end], start)
        return path

    def run(self) -> None:
        table: TomlPath = ()
        self.note((), 0)
        while True:
            self.blank()
            if self.at >= len(self.text):
                return
            if self.text[self.at] == "[":
                table = self.header()
            else:
                self.assignment(table)


def _unquoted(raw: str) -> str:
    inner = raw[1:-1]
    if raw[0] == "'" or "\\" not in inner:
        return inner
    import tomllib

    return str(tomllib.loads(f"k = {raw}")["k"])


def toml_places(text: str) -> dict[TomlPath, tuple[int, int]]:
    """Return path to (line, column), both from 1, for every key, table and list element.

    ``text`` must be valid TOML; of text that is not, the places found so far are returned.

    >>> toml_places('a = 1\\n[[b]]\\nc = [2, 3]\\n')[("b", 0, "c", 1)]
    (3, 9)
    """
    scanner = _Scanner(text)
    try:
        scanner.run()
    except (ValueError, IndexError, RecursionError):
        # places are a courtesy: a form that the scanner does not know must not stop a build
        return scanner.places
    return scanner.places

"""Where each value of a JSON text stands: a scanner beside the standard parser.

``json`` gives values without places. This walks over the same (already accepted) text and notes
line and column of every value down to a depth, so that a problem can name its place.
"""

from __future__ import annotations

import bisect
import json
import re
from typing import TypeAlias

__all__ = ["JsonPath", "json_places"]

JsonPath: TypeAlias = tuple[str | int, ...]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+', re.S)


def json_places(text: str, depth: int = 6) -> dict[JsonPath, tuple[int, int]]:
    """Return path to (line, column), both from 1, of every value at most ``depth`` steps deep.

    A member of an object is placed at its key, an element of a list at its value. Of text that is
    not JSON, the places found so far are returned.

    >>> json_places('{"a":\\n [1, {"b": 2}]}')[("a", 1, "b")]
    (2, 7)
    """
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    places: dict[JsonPath, tuple[int, int]] = {}

    def note(path: list[str | int], offset: int) -> None:
        line = bisect.bisect_right(starts, offset)
        places.setdefault(tuple(path), (line, offset - starts[line - 1] + 1))

    path: list[str | int] = []
    # True for an object; in objects the next token may be a key, and then its value follows
    containers: list[bool] = []
    expects_key = False
    note(path, len(text) - len(text.lstrip()))
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign in "{[":
            if containers and not containers[-1] and len(path) <= depth:
                note(path, token.start())
            containers.append(sign == "{")
            expects_key = sign == "{"
            path.append("" if sign == "{" else 0)
        elif sign in "}]":
            if not containers:
                return places
            containers.pop()
            path.pop()
            expects_key = False
        elif sign == ",":
            if not containers:
                return places
            last = path[-1]
            expects_key = containers[-1]
            if isinstance(last, int):
                path[-1] = last + 1
        elif sign == ":":
            continue
        elif expects_key:
            try:
                path[-1] = str(json.loads(sign)) if sign.startswith('"') else sign
            except ValueError:
                return places
            expects_key = False
            if len(path) <= depth:
                note(path, token.start())
        elif containers and not containers[-1] and len(path) <= depth:
            note(path, token.start())
    return places

"""The turn in words back into the state of a turn tracker.

Sources: VASSAL classes ``build.module.turn.TurnTracker``, ``CounterTurnLevel``, ``ListTurnLevel``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from builder.vassal.record_pieces import RecordError
from builder.vassal.replay_module import TurnLevel, TurnTracker
from builder.vassal.sequence import join, split

__all__ = ["first_state", "tracker_id", "turn_state"]

_PLACEHOLDER: Final = re.compile(r"\$(\w+)\$")
_MAX_WAYS: Final = 64


def tracker_id(trackers: Mapping[str, TurnTracker], named: str) -> str:
    """Return the id by which a log calls a tracker, given its id or name; empty: the only one.

    Raises :class:`RecordError` if there is no such tracker, or no single one.
    """
    if named in trackers:
        return named
    found = [key for key, tracker in trackers.items() if named in ("", tracker.name)]
    if len(found) != 1:
        raise RecordError(f"the module has no turn tracker {named!r}")
    return found[0]


def turn_state(tracker: TurnTracker, present: str, words: str) -> str:
    """Return the state in which a tracker shows these words, ``present`` being that of now.

    Levels that the words do not tell stay as they are. Raises :class:`RecordError` if the tracker
    never shows them.
    """
    wanted = " ".join(words.split())
    if tracker.text(present) == wanted:
        return present
    _, *states = split(present, "|")
    for index, path in _paths(tracker):
        values = _read(tracker.format, path, wanted)
        if values is None or index >= len(states):
            continue
        changed = list(states)
        changed[index] = _with_values(states[index], path, values)
        found = join([str(index), *changed], "|")
        if tracker.text(found) == wanted:
            return found
    raise RecordError(f"turn tracker {tracker.name!r} never shows {wanted!r}")


def first_state(tracker: TurnTracker) -> str:
    """Return the state of a tracker that nobody has touched: counters at 1, lists at the start."""
    return join(["0", *[_first(level) for level in tracker.levels]], "|")


def _first(level: TurnLevel) -> str:
    if level.words is None:
        own = ["1", "0", "false", "-1"]
    else:
        own = ["0", "0", "0", join(["true"] * len(level.words), ",")]
    return join([*own, *[_first(inner) for inner in level.inner]], ";")


_Path = tuple[tuple[int, TurnLevel], ...]
"""Levels from the outermost to the innermost, each with its index in the level around it."""


def _paths(tracker: TurnTracker) -> Iterator[tuple[int, _Path]]:
    """Yield every way from a level of the tracker down to a level without sub-levels."""
    pending: list[_Path] = [((index, level),) for index, level in enumerate(tracker.levels)]
    pending.reverse()
    for _ in range(_MAX_WAYS):
        if not pending:
            return
        path = pending.pop()
        inner = path[-1][1].inner
        if inner:
            pending += [(*path, (index, level)) for index, level in enumerate(inner)][::-1]
        else:
            yield path[0][0], path


def _read(form: str, path: _Path, words: str) -> list[int] | None:
    """Return the value of each level in words of this form, -1 where they do not tell it."""
    pattern = ""
    last = 0
    for found in _PLACEHOLDER.finditer(" ".join(form.split())):
        pattern += _spaced(found.string[last : found.start()])
        number = found[1].removeprefix("level")
        if number.isdigit() and 0 < int(number) <= len(path):
            if f"(?P<v{number}>" in pattern:
                pattern += f"(?P=v{number})"
            else:
                pattern += f"(?P<v{number}>{_shown(path[int(number) - 1][1])})"
        last = found.end()
    pattern += _spaced(" ".join(form.split())[last:])
    read = re.fullmatch(rf"\s*{pattern}\s*", words)
    if read is None:
        return None
    texts = read.groupdict()
    return [
        _index(level, texts.get(f"v{number}")) for number, (_, level) in enumerate(path, start=1)
    ]


def _spaced(text: str) -> str:
    return r"\s*".join(re.escape(part) for part in text.split(" "))


def _shown(level: TurnLevel) -> str:
    """Return the pattern of all that a level can show."""
    values = [r"-?\d{1,9}"] if level.words is None else [re.escape(word) for word in level.words]
    return "|".join(_formatted(level, value, escape=True) for value in values)


def _formatted(level: TurnLevel, value: str, *, escape: bool) -> str:
    parts = level.format.split("$value$")
    return value.join(re.escape(part) if escape else part for part in parts)


def _index(level: TurnLevel, text: str | None) -> int:
    """Return the number of a counter, or the index of a word, behind what a level shows."""
    if text is None:
        return -1
    if level.words is not None:
        shown = [_formatted(level, word, escape=False) for word in level.words]
        return shown.index(text) if text in shown else -1
    found = re.search(r"-?\d+", text)
    return int(found[0]) if found else -1


def _with_values(state: str, path: _Path, values: list[int]) -> str:
    tokens = split(state, ";")
    if values[0] >= 0:
        tokens[0] = str(values[0])
    if len(path) > 1:
        index = path[1][0]
        tokens[1] = str(index)
        if len(tokens) > 4 + index:
            tokens[4 + index] = _with_values(tokens[4 + index], path[1:], values[1:])
    return join(tokens, ";")

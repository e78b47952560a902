"""Compares the lines in a log's chat with what a recording should have written."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from dropzone_recordings import Recording

from builder.gamebox.lines import Grammar, Line, LineProblem, LineValue, parse_line


def _text(value: LineValue) -> str:
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def differences(recording: Recording, chat: Sequence[str], grammar: Grammar) -> list[str]:
    """What was expected and not read, or read and not expected, in order."""
    lines: list[Line] = []
    found: list[str] = []
    for text in chat:
        line = parse_line(text, grammar)
        if isinstance(line, LineProblem):
            found.append(f"{text!r}: {line.message}")
        elif line is not None:
            lines.append(line)
    for got, wanted in zip_longest(lines, recording.expected()):
        if got is None or wanted is None:
            found.append(f"got {got}, wanted {wanted}")
            continue
        typist, verb, fields = wanted
        values = {k: _text(v) for k, v in got.fields.items()}
        same = (got.typist, got.verb) == (typist, verb) and fields.items() <= values.items()
        if not same or got.unknown:
            found.append(f"got {got}, wanted {wanted}")
    return found

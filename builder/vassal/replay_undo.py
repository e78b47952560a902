"""Which step of a log took back which: an undo is a step like others, nothing is deleted.

Newer versions of VASSAL put marks around what an undo does. Older ones only repeat the chat line
of the step behind ``UNDO:``, and an undo of a step without a line cannot be told from a change.
Source: VASSAL class ``build.module.BasicLogger.undo``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from builder.vassal.commands import (
    AddPiece,
    ChangePiece,
    Chat,
    Command,
    MovePiece,
    MutableProperty,
    RemovePiece,
    Turn,
    Undo,
)
from builder.vassal.log_steps import LogStep
from builder.vassal.replay_chat import read_chat

__all__ = ["UndoLink", "undo_links"]

_HAS_INVERSE: Final = (
    AddPiece, ChangePiece, Chat, MovePiece, MutableProperty, RemovePiece, Turn,
)  # fmt: skip


class UndoLink(NamedTuple):
    """A step that undoes, and the step that it took back; None if the log does not show which."""

    step: int
    undone: int | None


def undo_links(steps: Sequence[LogStep]) -> dict[int, UndoLink]:
    """Return the undoing steps by number.

    An undo cancels the latest step that is not cancelled yet and had an inverse; by chat line
    alone the latest one with that very line.
    """
    links: dict[int, UndoLink] = {}
    done: list[LogStep] = []
    with_line: dict[str, list[LogStep]] = {}
    cancelled: set[int] = set()
    for step in steps:
        if any(isinstance(command, Undo) for command in step.commands):
            undone = _latest(done, cancelled)
            links[step.number] = UndoLink(step.number, None if undone is None else undone.number)
            continue
        repeated = [line for line in map(_undone_line, step.commands) if line is not None]
        if repeated:
            undone = _latest(with_line.get(repeated[0], []), cancelled)
            links[step.number] = UndoLink(step.number, None if undone is None else undone.number)
        elif any(isinstance(command, _HAS_INVERSE) for command in step.commands):
            done.append(step)
            for line in {c.text for c in step.commands if isinstance(c, Chat)}:
                with_line.setdefault(line, []).append(step)
    return links


def _undone_line(command: Command) -> str | None:
    return read_chat(command.text).undone if isinstance(command, Chat) else None


def _latest(done: list[LogStep], cancelled: set[int]) -> LogStep | None:
    """Take the latest step that is not cancelled yet, and cancel it."""
    while done:
        step = done.pop()
        if step.number not in cancelled:
            cancelled.add(step.number)
            return step
    return None

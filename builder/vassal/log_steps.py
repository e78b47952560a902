r"""What a save or a log does: the commands of its initial state, and the steps behind them.

A step is what one outermost ``LOG`` holds: one action of a player. Sub-commands of a step carry
marks of their own, which are taken off here. Source: VASSAL class ``build.module.BasicLogger``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from builder.vassal.codec_base import unfrozen
from builder.vassal.command_tree import CommandNode, parse_tree, uncollected
from builder.vassal.commands import LOG, Command, decode_command, unlogged
from builder.vassal.savefile import SaveFile

__all__ = ["LogStep", "initial_commands", "steps"]


@dataclass(frozen=True, slots=True)
class LogStep:
    """One action: its number, counted from 1, and its commands in the order of execution."""

    number: int
    commands: tuple[Command, ...]


_new = object.__new__
_Draft: Any = unfrozen(LogStep)


def initial_commands(save: SaveFile | CommandNode) -> list[Command]:
    """Return what VASSAL executes when it loads the file: all commands outside of log entries.

    The initial state ends with :class:`~builder.vassal.commands.EndSave`; old logs may have chat
    behind it. Raises as :func:`~builder.vassal.command_tree.parse_tree` does.
    """
    with uncollected():
        return [node.command for node in _outside(_root(save))]


def _root(save: SaveFile | CommandNode) -> CommandNode:
    return parse_tree(save.text) if isinstance(save, SaveFile) else save


def _outside(root: CommandNode) -> Iterator[CommandNode]:
    pending = [root]
    while pending:
        node = pending.pop()
        if node.text[:4] != LOG:
            yield node
            if node.children:
                pending.extend(reversed(node.children))


def _entries(root: CommandNode) -> Iterator[CommandNode]:
    pending = [root]
    while pending:
        node = pending.pop()
        if node.text[:4] == LOG:
            yield node
        elif node.children:
            pending.extend(reversed(node.children))


def steps(save: SaveFile | CommandNode) -> list[LogStep]:
    """Return the steps of a log, oldest first; a save has none.

    A command without a text of its own stays as
    :class:`~builder.vassal.commands.Null`. Raises as :func:`initial_commands` does.
    """
    found = []
    with uncollected():
        for number, entry in enumerate(_entries(_root(save)), start=1):
            step = _new(_Draft)
            step.number = number
            step.commands = _logged(entry)
            step.__class__ = LogStep
            found.append(step)
    return found


def _logged(entry: CommandNode) -> tuple[Command, ...]:
    """Return the commands of an entry and below it, in the order of execution."""
    found = [decode_command(unlogged(entry.text))]
    pending = [iter(entry.children)] if entry.children else []
    while pending:
        for node in pending[-1]:
            found.append(decode_command(unlogged(node.text)))
            if node.children:
                pending.append(iter(node.children))
                break
        else:
            pending.pop()
    return tuple(found)

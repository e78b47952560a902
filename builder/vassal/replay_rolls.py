"""Dice in a step: what the log has beside the chat line, else what the line tells.

VASSAL writes no seed and no command for ordinary dice, only a report and properties named after
the button. Source: VASSAL class ``build.module.DiceButton``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from builder.gamebox.events import Event, PropertyChanged, Rolled, Said
from builder.vassal.commands import Chat, Command, MutableProperty
from builder.vassal.replay_chat import read_chat, told_roll

__all__ = ["rolled"]

_ENDINGS: Final = ("result", "total", "keep", "summary")
_RESULT: Final = re.compile(r"[-+\d][-+\d, ]*")
_WHOLE: Final = re.compile(r"-?\d{1,9}")


@dataclass(slots=True)
class _Throw:
    """What the properties of one button say in one step."""

    values: dict[str, str]
    after_report: bool


def rolled(
    commands: Sequence[Command],
    events: Sequence[Event],
    dice: Collection[str],
    *,
    step: int,
    actor: str | None,
) -> list[Event]:
    """Return the events of a step with the rolls among them, each with the line that told it.

    ``dice`` are the names of the module's buttons; without them a property is taken for dice that
    comes with another one of the button, or right behind a report and looks like dice.
    """
    throws = _throws(commands, dice)
    found = [event for event in events if not _is_of(event, throws)]
    for name, throw in throws.items():
        found.append(_roll(step, actor, name, throw.values))
    if not throws and not any(isinstance(event, Rolled) for event in found):
        found += _told(commands, step, actor)
    return _with_reports(found)


def _throws(commands: Sequence[Command], dice: Collection[str]) -> dict[str, _Throw]:
    throws: dict[str, _Throw] = {}
    previous: Command | None = None
    for command in commands:
        if isinstance(command, MutableProperty):
            name, _, ending = command.name.rpartition("_")
            if name and ending in _ENDINGS:
                after = isinstance(previous, Chat) and read_chat(previous.text).speaker is None
                throw = throws.setdefault(name, _Throw({}, after))
                throw.values[ending] = command.new
        previous = command
    return {name: throw for name, throw in throws.items() if _is_dice(name, throw, dice)}


def _is_dice(name: str, throw: _Throw, dice: Collection[str]) -> bool:
    result = throw.values.get("result")
    if result is None:
        return False
    if name in dice:
        return True
    looks = _RESULT.fullmatch(result) is not None
    return looks and ("total" in throw.values or "keep" in throw.values or throw.after_report)


def _is_of(event: Event, throws: Collection[str]) -> bool:
    if not isinstance(event, PropertyChanged):
        return False
    name, _, ending = event.name.rpartition("_")
    return ending in _ENDINGS and name in throws


def _roll(step: int, actor: str | None, name: str, values: dict[str, str]) -> Rolled:
    return Rolled(
        step=step,
        actor=actor,
        dice=name,
        result=values["result"],
        total=_whole(values.get("total")),
        kept=_whole(values.get("keep")),
        summary=values.get("summary", ""),
    )


def _whole(text: str | None) -> int | None:
    return int(text) if text is not None and _WHOLE.fullmatch(text) else None


def _told(commands: Sequence[Command], step: int, actor: str | None) -> list[Event]:
    found: list[Event] = []
    for command in commands:
        if isinstance(command, Chat):
            line = read_chat(command.text)
            roll = told_roll(line)
            if roll is not None:
                found.append(
                    Rolled(
                        step=step,
                        actor=actor or roll.by,
                        dice=roll.dice,
                        result=roll.result,
                        report=line.words,
                    )
                )
    return found


def _with_reports(events: list[Event]) -> list[Event]:
    """Give each roll without a line the report of its step: one is all that a step has."""
    reports = [event.words for event in events if isinstance(event, Said) and event.is_report]
    if not reports:
        return events
    return [
        replace(event, report=reports[0])
        if isinstance(event, Rolled) and not event.report
        else event
        for event in events
    ]

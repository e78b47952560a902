"""Commands that tell what happens in play: log entries, undo, chat, dice, sounds, signals.

Each class names the VASSAL class that encodes it. Fields are in the order of the wire.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from builder.vassal.commands_base import Command, UnreadableCommandError
from builder.vassal.sequence import join, split_first

__all__ = [
    "Audio", "Chat", "DeckFile", "Events", "Flare", "LosThread", "Mail", "Null", "ShowResults",
    "Traffic", "Undo",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Null(Command):
    """A mere container, or in a log the word ``null`` for a command without text.

    Source: ``command.NullCommand``, ``build.module.BasicLogger``.
    """

    word: str = ""

    delimiter: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Undo(Command):
    """The beginning and the end of a step taken back (``build.module.BasicLogger``)."""

    begins: bool

    prefix: ClassVar[str] = "UNDO\t"


@dataclass(frozen=True, slots=True)
class Chat(Command):
    """A line of the chat window, as HTML (``build.module.Chatter``)."""

    text: str

    prefix: ClassVar[str] = "CHAT"
    delimiter: ClassVar[str] = ""

    @classmethod
    def _read(cls, rest: str) -> Chat:
        return cls(rest)


@dataclass(frozen=True, slots=True)
class Audio(Command):
    """A sound that is played (``command.PlayAudioClipCommand``)."""

    clip: str

    prefix: ClassVar[str] = "AUDIO\t"
    delimiter: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class ShowResults(Command):
    """A throw of symbol dice (``build.module.SpecialDiceButton``); make one with :meth:`of`."""

    button: str
    results: str = ""
    """The index of each die's face, as text."""

    prefix: ClassVar[str] = "SHOW_RESULTS\t"

    @classmethod
    def of(cls, button: str, faces: Iterable[int]) -> ShowResults:
        """Return the command of a throw."""
        return cls(button, "\t".join(map(str, faces)))

    @property
    def faces(self) -> tuple[int, ...]:
        """The index of each die's face, from 0, read when asked for."""
        return tuple(map(int, self.results.split("\t"))) if self.results else ()

    @classmethod
    def _read(cls, rest: str) -> ShowResults:
        button, results = split_first(rest, "\t")
        if results and not _FACES.fullmatch(results):
            raise UnreadableCommandError("ShowResults with a face that is no number")
        return cls(button, results or "")

    def _write(self) -> str:
        head = self.prefix + join([self.button, ""], "\t")
        return head + self.results if self.results else head.removesuffix("\t")


_FACES = re.compile(r"[+-]?[0-9]{1,9}(?:\t[+-]?[0-9]{1,9})*")


@dataclass(frozen=True, slots=True)
class Flare(Command):
    """A signal at a point of a map (``build.module.map.Flare``)."""

    id: str
    x: int
    y: int

    prefix: ClassVar[str] = "FLARE\t"


@dataclass(frozen=True, slots=True)
class LosThread(Command):
    """A line of sight between two points (``build.module.map.LOS_Thread``)."""

    id: str
    anchor_x: int
    anchor_y: int
    arrow_x: int
    arrow_y: int
    persisting: bool = False
    mirroring: bool = False
    reset: bool = False

    prefix: ClassVar[str] = "LOS\t"


@dataclass(frozen=True, slots=True)
class Events(Command):
    """An entry of the old event log (``build.module.EventLog``)."""

    text: str = field(repr=False)

    prefix: ClassVar[str] = "Events"
    delimiter: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Mail(Command):
    """The mail address of an old dice server (``build.module.InternetDiceButton``)."""

    text: str = field(repr=False)

    prefix: ClassVar[str] = "SEMAIL\t"
    delimiter: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class DeckFile(Command):
    """The root of a file that holds a saved deck (``counters.Deck``)."""

    prefix: ClassVar[str] = "DECK\t"


@dataclass(frozen=True, slots=True)
class Traffic(Command):
    """What players' computers say to each other, no part of a game (``chat`` encoders)."""

    text: str = field(repr=False)

    delimiter: ClassVar[str] = ""
    words: ClassVar[tuple[str, ...]] = ("INVITE\t", "PLAY\t", "PRIV_CHAT/", "SYNC")

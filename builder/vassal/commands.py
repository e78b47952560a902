r"""Commands of saves and logs as typed values: one class for each row of VASSAL's catalogue.

:func:`decode_command` never fails: what no class knows, or what its class cannot read, is an
:class:`Opaque`. The law: ``decode_command(text).encode() == text`` for every text.

>>> decode_command("PLAYER\tsecret\tAlice\tGerman")
Player(id=PlayerId(***), name='Alice', side='German')
>>> decode_command("LOG\tUNDO\ttrue").command
Undo(begins=True)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from builder.vassal.commands_base import (
    Command,
    Opaque,
    PlayerId,
    UnreadableCommandError,
)
from builder.vassal.commands_game import (
    BeginSave,
    BoardPicker,
    Clock,
    ClockControl,
    EndSave,
    Extension,
    GlobalProperty,
    Lock,
    MutableProperty,
    PlacedBoard,
    Player,
    PlayerRemoved,
    Plugin,
    PrivateNote,
    PublicNote,
    ScenarioNote,
    SecretNote,
    SetupStack,
    StartupKey,
    Turn,
    Unmask,
)
from builder.vassal.commands_pieces import AddPiece, ChangePiece, MovePiece, RemovePiece
from builder.vassal.commands_play import (
    Audio,
    Chat,
    DeckFile,
    Events,
    Flare,
    LosThread,
    Mail,
    Null,
    ShowResults,
    Traffic,
    Undo,
)

__all__ = [
    "AddPiece", "Audio", "BeginSave", "BoardPicker", "ChangePiece", "Chat", "Clock",
    "ClockControl", "Command", "DeckFile", "EndSave", "Events", "Extension", "Flare",
    "GlobalProperty", "Lock", "Log", "LosThread", "Mail", "MovePiece", "MutableProperty", "Null",
    "Opaque", "PlacedBoard", "Player", "PlayerId", "PlayerRemoved", "Plugin", "PrivateNote",
    "PublicNote", "RemovePiece", "ScenarioNote", "SecretNote", "SetupStack", "ShowResults",
    "StartupKey", "Traffic", "Turn", "Undo", "Unmask", "command_classes", "decode_command",
]  # fmt: skip

LOG = "LOG\t"
MAX_FIELDS_LENGTH = 4 * 2**20
"""A command with fields that is longer than this is not taken apart; one piece of a real save has
some hundred thousand characters at most.
"""


@dataclass(frozen=True, slots=True)
class Log(Command):
    """An entry of a log, which holds one command (``build.module.BasicLogger``)."""

    inner: str = field(repr=False)
    """The text of the logged command."""

    prefix: ClassVar[str] = LOG
    delimiter: ClassVar[str] = ""

    @classmethod
    def _read(cls, rest: str) -> Log:
        return cls(rest)

    @property
    def command(self) -> Command:
        """The logged command; entries inside entries are unwrapped."""
        return decode_command(unlogged(self.inner))


def unlogged(text: str) -> str:
    r"""Return the text of a command without the marks of a log entry, however many.

    >>> unlogged("LOG\tLOG\tCHAT hi")
    'CHAT hi'
    """
    if not text.startswith(LOG):
        return text
    start = len(LOG)
    while text.startswith(LOG, start):
        start += len(LOG)
    return text[start:]


_BY_TWO: dict[str, type[Command]] = {
    cls.prefix: cls for cls in (AddPiece, RemovePiece, ChangePiece, MovePiece)
}
_BY_WORD: dict[str, type[Command]] = {
    cls.prefix.partition("\t")[0]: cls
    for cls in (
        Audio, Clock, ClockControl, DeckFile, Extension, Flare, GlobalProperty, Lock, Log,
        LosThread, Mail, MutableProperty, Player, PlayerRemoved, Plugin, PrivateNote, PublicNote,
        ScenarioNote, SecretNote, SetupStack, ShowResults, StartupKey, Undo, Unmask,
    )
}  # fmt: skip
# Values do not change, so one of each is enough for all the containers of a log.
_FIXED: dict[str, Command] = {
    text: cls.decode(text)
    for text, cls in (
        ("", Null), ("null", Null), ("begin_save", BeginSave), ("end_save", EndSave),
    )
}  # fmt: skip
_NO_FIELDS = (DeckFile, SetupStack)

_LONGEST_FIXED = max(map(len, _FIXED))


def command_classes() -> tuple[type[Command], ...]:
    """Return every class of commands, in alphabetical order."""
    known = {*_BY_TWO.values(), *_BY_WORD.values(), *map(type, _FIXED.values())}
    known |= {BoardPicker, Chat, Events, Opaque, Traffic, Turn}
    return tuple(sorted(known, key=lambda cls: cls.__name__))


def decode_command(text: str) -> Command:
    """Return the command of a text without sub-commands."""
    if len(text) <= _LONGEST_FIXED and text in _FIXED:
        return _FIXED[text]
    cls = _BY_TWO.get(text[:2]) or _class_of(text)
    if cls is None:
        return Opaque(text)
    if len(text) > MAX_FIELDS_LENGTH and cls.delimiter:
        return Opaque(text, f"{cls.__name__} of {len(text)} characters")
    try:
        return cls.decode(text)
    except UnreadableCommandError as error:
        return Opaque(text, str(error))


def _class_of(text: str) -> type[Command] | None:
    if text[:4] == Chat.prefix:
        return Chat
    word, tab, rest = text[:4096].partition("\t")
    if not tab:
        return _of_word(text)
    cls = _BY_WORD.get(word)
    if cls is not None and text.startswith(cls.prefix) and not (cls in _NO_FIELDS and rest):
        return cls
    if word.endswith(BoardPicker.suffix):
        return BoardPicker
    if word.startswith(Turn.prefix):
        return Turn
    return _of_word(text)


def _of_word(text: str) -> type[Command] | None:
    if text.startswith(Traffic.words):
        return Traffic
    if text.startswith(Events.prefix):
        return Events
    if text.endswith(BoardPicker.suffix):
        return BoardPicker
    return None

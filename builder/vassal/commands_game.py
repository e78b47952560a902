"""Commands about the game as a whole: its beginning, players, boards, properties, turns, notes.

Each class names the VASSAL class that encodes it. Fields are in the order of the wire.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from builder.vassal.codecs import Bool, Int
from builder.vassal.commands_base import (
    Command,
    Long,
    MaybeText,
    Note,
    PlayerId,
    PlayerIdText,
    UnreadableCommandError,
    masked_join,
)
from builder.vassal.sequence import join, split

__all__ = [
    "BeginSave", "BoardPicker", "Clock", "ClockControl", "EndSave", "Extension", "GlobalProperty",
    "Lock", "MutableProperty", "PlacedBoard", "Player", "PlayerRemoved", "Plugin", "PrivateNote",
    "PublicNote", "ScenarioNote", "SecretNote", "SetupStack", "StartupKey", "Turn", "Unmask",
]  # fmt: skip

_INT = Int()
_NO_PASSWORD = PlayerId("")


@dataclass(frozen=True, slots=True)
class BeginSave(Command):
    """Closes any game and clears the table (``build.module.GameState``)."""

    prefix: ClassVar[str] = "begin_save"


@dataclass(frozen=True, slots=True)
class EndSave(Command):
    """Starts the game that was set up (``build.module.GameState``)."""

    prefix: ClassVar[str] = "end_save"


@dataclass(frozen=True, slots=True)
class Player(Command):
    """A seat that is taken (``build.module.PlayerRoster``); a second entry of an id replaces it."""

    id: Annotated[PlayerId, PlayerIdText()]
    name: str
    side: str
    """The literal ``<observer>`` for a player without a side."""

    prefix: ClassVar[str] = "PLAYER\t"


@dataclass(frozen=True, slots=True)
class PlayerRemoved(Command):
    """A seat that is free again (``build.module.PlayerRoster``)."""

    id: Annotated[PlayerId, PlayerIdText()]

    prefix: ClassVar[str] = "PYREMOVE\t"


@dataclass(frozen=True, slots=True)
class PlacedBoard:
    """A board in its cell of the map window; cells count from 0."""

    name: str
    column: int
    row: int
    is_reversed: bool = False
    """Turned by 180 degrees."""


@dataclass(frozen=True, slots=True)
class BoardPicker(Command):
    """The boards of a map window (``build.module.map.BoardPicker``).

    ``map`` is the map's name, or its automatic id ``Map0`` and so on; make one with :meth:`of`.
    """

    map: str
    layout: str | None = None
    """The boards as text, None for no board at all."""

    suffix: ClassVar[str] = "BoardPicker"

    @classmethod
    def of(cls, map_name: str, boards: Iterable[PlacedBoard]) -> BoardPicker:
        """Return the command that lays these boards out."""
        tokens: list[str] = []
        for board in boards:
            name = [board.name, "rev"] if board.is_reversed else [board.name]
            tokens += [join(name, "/"), str(board.column), str(board.row)]
        return cls(map_name, join(tokens, "\t") if tokens else None)

    @property
    def boards(self) -> tuple[PlacedBoard, ...]:
        """The boards, read when asked for; a cell that is no number is 0, as for VASSAL."""
        tokens = [] if self.layout is None else split(self.layout, "\t")
        boards = []
        for at in range(0, len(tokens) - 2, 3):
            name, *flags = split(tokens[at], "/")
            boards.append(
                PlacedBoard(name, _int(tokens[at + 1]), _int(tokens[at + 2]), "rev" in flags)
            )
        return tuple(boards)

    @classmethod
    def _read(cls, rest: str) -> BoardPicker:
        head, tab, layout = rest.partition("\t")
        return cls(head.removesuffix(cls.suffix), layout if tab else None)

    def _write(self) -> str:
        head = self.map + self.suffix
        return head if self.layout is None else f"{head}\t{self.layout}"


def _int(token: str) -> int:
    try:
        return _INT.read(token)
    except ValueError:
        return 0


@dataclass(frozen=True, slots=True)
class SetupStack(Command):
    """Says that stacks and decks were dealt (``build.module.map.SetupStack``)."""

    prefix: ClassVar[str] = "SETUP_STACK\t"


@dataclass(frozen=True, slots=True)
class MutableProperty(Command):
    """A change of a property (``build.module.properties.ChangePropertyCommandEncoder``).

    ``container`` is ``Module``, a map's name, or ``map:zone``; None in old files.
    """

    name: str
    old: str
    new: str
    container: Annotated[str | None, MaybeText()] = None

    prefix: ClassVar[str] = "MutableProperty\t"


@dataclass(frozen=True, slots=True)
class GlobalProperty(Command):
    """The value of a property in a save (``build.module.properties.GlobalProperty``)."""

    name: str
    value: str
    container: Annotated[str | None, MaybeText()] = None

    prefix: ClassVar[str] = "GlobalProperty\t;"
    delimiter: ClassVar[str] = ";"

    @property
    def path(self) -> tuple[str, ...]:
        """The name alone, or property, zone, board and map of a property of a zone."""
        return tuple(split(self.name, "\t"))


@dataclass(frozen=True, slots=True)
class Turn(Command):
    """The state of a turn tracker (``build.module.turn.TurnTracker``).

    ``state`` is a sequence with ``|``: the index of the current level, then each level's state.
    """

    tracker: str
    """``TurnTracker0`` and so on, in the order of the module."""
    state: str

    prefix: ClassVar[str] = "TURN"

    @classmethod
    def _read(cls, rest: str) -> Turn:
        tracker, tab, state = rest.partition("\t")
        if not tab:
            raise UnreadableCommandError("Turn without a state")
        return cls(tracker, state)

    def _write(self) -> str:
        return f"TURN{self.tracker}\t{self.state}"


@dataclass(frozen=True, slots=True)
class ScenarioNote(Command):
    """The scenario's description (``build.module.NotesWindow``)."""

    text: Annotated[str, Note()]

    prefix: ClassVar[str] = "NOTES\t"
    delimiter: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class PublicNote(Command):
    """The notes that all players share (``build.module.NotesWindow``)."""

    text: Annotated[str, Note()]

    prefix: ClassVar[str] = "PNOTES\t"
    delimiter: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class PrivateNote(Command):
    """A player's own notes (``build.module.noteswindow.PrivateNotesController``)."""

    owner: Annotated[PlayerId, PlayerIdText()]
    text: Annotated[str, Note()] = field(default="", repr=False)

    prefix: ClassVar[str] = "PNOTE\t"


@dataclass(frozen=True, slots=True)
class SecretNote(Command):
    """A note that can be shown later (``build.module.noteswindow.SecretNotesController``)."""

    name: str
    owner: Annotated[PlayerId, PlayerIdText()]
    hidden: bool
    text: Annotated[str, Note()] = field(default="", repr=False)
    date: Annotated[str | None, MaybeText()] = None
    """As ``MM/dd/yyyy h:mm a``."""
    handle: Annotated[str | None, MaybeText()] = None

    prefix: ClassVar[str] = "SNOTE\t"


@dataclass(frozen=True, slots=True)
class ClockControl(Command):
    """Whether chess clocks are in use (``build.module.ChessClockControl``)."""

    showing: bool
    online: bool = False

    prefix: ClassVar[str] = "CLOCKCONTROL\t"


@dataclass(frozen=True, slots=True)
class Clock(Command):
    """A side's clock, in milliseconds (``build.module.chessclockcontrol.ChessClock``)."""

    who: str
    """The side that reports."""
    name: str
    """The side whose time it is."""
    elapsed: Annotated[int, Long()] = 0
    verified: Annotated[int, Long()] = 0
    ticking: bool = False
    restore: bool = False
    """True in saves."""

    prefix: ClassVar[str] = "CLOCK\t"


@dataclass(frozen=True, slots=True)
class StartupKey(Command):
    """Whether a start-up key command was applied (``build.module.StartupGlobalKeyCommand``)."""

    id: str
    applied: Annotated[bool, Bool()] = False

    prefix: ClassVar[str] = "SGKC\t"


@dataclass(frozen=True, slots=True)
class Lock(Command):
    """A locked tab of options (``build.module.properties.ScenarioPropertiesOptionTab``)."""

    tab: str
    locked_by: str = field(default="", repr=False)
    password: Annotated[PlayerId, PlayerIdText()] = _NO_PASSWORD
    date: str = ""

    prefix: ClassVar[str] = "LOCKSPOTAB\t"


@dataclass(frozen=True, slots=True)
class Unmask(Command):
    """Players whose pieces others may unmask (``build.module.ObscurableOptions``)."""

    listed: PlayerId = _NO_PASSWORD
    """All ids in one text, which is as secret as each of them; make one with :meth:`of`."""

    prefix: ClassVar[str] = "UNMASK\t"

    @classmethod
    def of(cls, players: Iterable[PlayerId]) -> Unmask:
        """Return the command for these players."""
        ids = [player.reveal() for player in players]
        return cls(PlayerId(masked_join(ids, cls) if ids else ""))

    @property
    def players(self) -> tuple[PlayerId, ...]:
        """The players, read when asked for."""
        return tuple(map(PlayerId, split(self.listed.reveal(), "\t"))) if self.listed else ()

    @classmethod
    def _read(cls, rest: str) -> Unmask:
        return cls(PlayerId(rest))

    def _write(self) -> str:
        return self.prefix + self.listed.reveal()


@dataclass(frozen=True, slots=True)
class Extension(Command):
    """An extension that was loaded (``build.module.ExtensionsLoader``)."""

    name: str
    version: Annotated[str | None, MaybeText()] = None

    prefix: ClassVar[str] = "EXT\t"


@dataclass(frozen=True, slots=True)
class Plugin(Command):
    """A plugin that was loaded (``build.module.PluginsLoader``)."""

    name: str
    version: Annotated[str | None, MaybeText()] = None

    prefix: ClassVar[str] = "PLUGIN\t"

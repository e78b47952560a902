"""Commands about pieces, stacks and decks: add, remove, change and move.

Their fields are separated by ``/``. Source: VASSAL classes ``build.module.BasicCommandEncoder``,
``command.AddPiece``, ``RemovePiece``, ``ChangePiece``, ``MovePiece``.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar

from builder.vassal.codec_base import unfrozen
from builder.vassal.codecs import Int
from builder.vassal.commands_base import Command, PlayerId, UnreadableCommandError
from builder.vassal.decks import Deck
from builder.vassal.pieces import Piece, Stack, decode
from builder.vassal.sequence import join, split

__all__ = ["AddPiece", "ChangePiece", "MovePiece", "RemovePiece"]

_INT = Int()

_new = object.__new__

_player = lru_cache(maxsize=256)(PlayerId)
"""The few players of a log are named in each move."""


def _wrapped(text: str | None) -> str:
    return "null" if text is None else text


@lru_cache(maxsize=1 << 14)
def _place(token: str) -> int:
    """Return a coordinate; the pieces of a game stand on some thousand different ones at most."""
    try:
        return _INT.read(token)
    except ValueError:
        raise UnreadableCommandError("MovePiece with a place that is no whole number") from None


@dataclass(frozen=True, slots=True)
class AddPiece(Command):
    """A piece, a stack or a deck that comes into the game (VASSAL ``AddPiece``).

    ``id`` is None for a piece that VASSAL has yet to number.
    """

    id: str | None
    type: str = field(repr=False)
    state: str = field(repr=False)
    """Type and state as text; a state may hold the id of the piece's owner."""

    prefix: ClassVar[str] = "+/"
    delimiter: ClassVar[str] = "/"

    @property
    def piece(self) -> Piece | Stack | Deck:
        """What the texts say; each distinct type is decoded once.

        Raises :class:`~builder.problems.UnreadableError` where VASSAL gives up as well.
        """
        return decode(self.type, self.state)

    @classmethod
    def decode(cls, text: str) -> AddPiece:
        """Return the command of a text that begins with ``+/``; errors as for the base class."""
        tokens = split(text, "/")
        if len(tokens) < 4:
            raise UnreadableCommandError(f"AddPiece with {len(tokens) - 1} of 3 fields")
        ident = tokens[1]
        command = _new(_AddDraft)
        command._raw = text
        command.id = None if ident == "null" else ident
        # One text for the many pieces of one type: less memory, and its hash is known.
        command.type = sys.intern(tokens[2])
        command.state = tokens[3]
        command.__class__ = cls
        done: AddPiece = command
        return done

    def _write(self) -> str:
        return "+/" + join([_wrapped(self.id), self.type, self.state], "/")


@dataclass(frozen=True, slots=True)
class RemovePiece(Command):
    """A piece that leaves the game (VASSAL ``RemovePiece``)."""

    id: str | None

    prefix: ClassVar[str] = "-/"

    @classmethod
    def _read(cls, rest: str) -> RemovePiece:
        return cls(None if rest == "null" else rest)

    def _write(self) -> str:
        return "-/" + _wrapped(self.id)


@dataclass(frozen=True, slots=True)
class ChangePiece(Command):
    """A new state for a piece; the old one is None in old files (VASSAL ``ChangePiece``)."""

    id: str | None
    state: str = field(repr=False)
    old_state: str | None = field(default=None, repr=False)

    prefix: ClassVar[str] = "D/"
    delimiter: ClassVar[str] = "/"

    def piece(self, type_text: str) -> Piece | Stack | Deck:
        """Return the piece of this type in the new state; errors as for :class:`AddPiece`."""
        return decode(type_text, self.state)

    def old_piece(self, type_text: str) -> Piece | Stack | Deck | None:
        """Return the piece in the old state, None if the command does not tell it."""
        return None if self.old_state is None else decode(type_text, self.old_state)

    @classmethod
    def decode(cls, text: str) -> ChangePiece:
        """Return the command of a text that begins with ``D/``; errors as for the base class."""
        tokens = split(text, "/")
        if len(tokens) < 3:
            raise UnreadableCommandError("ChangePiece without a state")
        ident = tokens[1]
        command = _new(_ChangeDraft)
        command._raw = text
        command.id = None if ident == "null" else ident
        command.state = tokens[2]
        command.old_state = tokens[3] if len(tokens) > 3 else None
        command.__class__ = cls
        done: ChangePiece = command
        return done

    def _write(self) -> str:
        tokens = [_wrapped(self.id), self.state]
        if self.old_state is not None:
            tokens.append(self.old_state)
        return "D/" + join(tokens, "/")


@dataclass(frozen=True, slots=True)
class MovePiece(Command):
    """A piece or a stack that goes to another place (VASSAL ``MovePiece``).

    Places are pixels of the map; a map of None is off all maps. ``under`` is the id of the piece
    directly below in the stack, None at the bottom or outside of stacks. ``player`` is None in
    logs of old versions.
    """

    id: str | None
    map: str | None
    x: int
    y: int
    under: str | None = None
    old_map: str | None = None
    old_x: int = 0
    old_y: int = 0
    old_under: str | None = None
    player: PlayerId | None = None

    prefix: ClassVar[str] = "M/"
    delimiter: ClassVar[str] = "/"

    @classmethod
    def decode(cls, text: str) -> MovePiece:
        """Return the command of a text that begins with ``M/``; errors as for the base class."""
        tokens = split(text, "/")
        if len(tokens) < 10:
            raise UnreadableCommandError(f"MovePiece with {len(tokens) - 1} of 9 fields")
        _, ident, map_name, x, y, under, old_map, old_x, old_y, old_under = tokens[:10]
        # Written out, without calls: a log is mostly moves.
        command = _new(_MoveDraft)
        command._raw = text
        command.id = None if ident == "null" else ident
        command.map = None if map_name == "null" else map_name
        command.x = _place(x)
        command.y = _place(y)
        command.under = None if under == "null" else under
        command.old_map = None if old_map == "null" else old_map
        command.old_x = _place(old_x)
        command.old_y = _place(old_y)
        command.old_under = None if old_under == "null" else old_under
        command.player = _player(tokens[10]) if len(tokens) > 10 else None
        command.__class__ = cls
        done: MovePiece = command
        return done

    def _write(self) -> str:
        tokens = [
            _wrapped(self.id),
            _wrapped(self.map),
            str(self.x),
            str(self.y),
            _wrapped(self.under),
            _wrapped(self.old_map),
            str(self.old_x),
            str(self.old_y),
            _wrapped(self.old_under),
        ]
        if self.player is not None:
            tokens.append(self.player.reveal())
        return "M/" + join(tokens, "/")


_AddDraft: Any = unfrozen(AddPiece)
_ChangeDraft: Any = unfrozen(ChangePiece)
_MoveDraft: Any = unfrozen(MovePiece)

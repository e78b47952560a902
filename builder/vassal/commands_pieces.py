"""Commands about pieces, stacks and decks: add, remove, change and move.

Their fields are separated by ``/``. Source: VASSAL classes ``build.module.BasicCommandEncoder``,
``command.AddPiece``, ``RemovePiece``, ``ChangePiece``, ``MovePiece``.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar

from builder.vassal.codecs import Int
from builder.vassal.commands_base import Command, PlayerId, UnreadableCommandError
from builder.vassal.decks import Deck
from builder.vassal.pieces import Piece, Stack, decode
from builder.vassal.sequence import join, split

__all__ = ["AddPiece", "ChangePiece", "MovePiece", "RemovePiece"]

_INT = Int()


_player = lru_cache(maxsize=256)(PlayerId)
"""The few players of a log are named in each move."""


def _unwrapped(token: str) -> str | None:
    return None if token == "null" else token


def _wrapped(text: str | None) -> str:
    return "null" if text is None else text


def _int(token: str) -> int:
    if token.isdigit() and token.isascii() and len(token) < 10:
        return int(token)
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
    def _read(cls, rest: str) -> AddPiece:
        tokens = split(rest, "/")
        if len(tokens) < 3:
            raise UnreadableCommandError(f"AddPiece with {len(tokens)} of 3 fields")
        # One text for the many pieces of one type: less memory, and its hash is known.
        return cls(_unwrapped(tokens[0]), sys.intern(tokens[1]), tokens[2])

    def _write(self) -> str:
        return "+/" + join([_wrapped(self.id), self.type, self.state], "/")


@dataclass(frozen=True, slots=True)
class RemovePiece(Command):
    """A piece that leaves the game (VASSAL ``RemovePiece``)."""

    id: str | None

    prefix: ClassVar[str] = "-/"

    @classmethod
    def _read(cls, rest: str) -> RemovePiece:
        return cls(_unwrapped(rest))

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
    def _read(cls, rest: str) -> ChangePiece:
        tokens = split(rest, "/")
        if len(tokens) < 2:
            raise UnreadableCommandError("ChangePiece without a state")
        return cls(_unwrapped(tokens[0]), tokens[1], tokens[2] if len(tokens) > 2 else None)

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
    def _read(cls, rest: str) -> MovePiece:
        tokens = split(rest, "/")
        if len(tokens) < 9:
            raise UnreadableCommandError(f"MovePiece with {len(tokens)} of 9 fields")
        ident, map_name, x, y, under, old_map, old_x, old_y, old_under = tokens[:9]
        # Written out, without calls: a log is mostly moves.
        return cls(
            None if ident == "null" else ident,
            None if map_name == "null" else map_name,
            _int(x),
            _int(y),
            None if under == "null" else under,
            None if old_map == "null" else old_map,
            _int(old_x),
            _int(old_y),
            None if old_under == "null" else old_under,
            _player(tokens[9]) if len(tokens) > 9 else None,
        )

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

"""What all commands share: the class is the format, and the text that was read is kept.

A command class is a frozen dataclass; its fields in order are the tokens behind its prefix in
order. The text is kept beside the fields, so that writing a command that was read gives the same
text; a changed copy is written in VASSAL's own form. Source: VASSAL class ``command.Command`` and
the encoders that formats name in the docstring of each class.

A player id is the password of a VASSAL user in clear. It is held as a :class:`PlayerId`, which
shows itself to nobody: no ``repr`` and no error here holds one.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

from builder.vassal.codecs import Codec, TextLines, Version
from builder.vassal.fields import fields_of
from builder.vassal.sequence import UnencodableError, join, split

__all__ = [
    "UNWIRED", "Command", "Long", "MaybeText", "Note", "Opaque", "PlayerId", "PlayerIdText",
    "UnreadableCommandError", "masked_join",
]  # fmt: skip

CommandT = TypeVar("CommandT", bound="Command")

UNWIRED = {"wire": False}
_MAX_VERB = 24
_ANY_VERSION: Version = (10**6,)


class UnreadableCommandError(ValueError):
    """A known command with tokens that VASSAL cannot read; the message holds none of them."""


class PlayerId:
    """The id of a player, which is a password: comparable, and masked wherever it is shown.

    >>> PlayerId("secret"), str(PlayerId("secret")), PlayerId("a") == PlayerId("a")
    (PlayerId(***), 'PlayerId(***)', True)
    """

    __slots__ = ("_secret",)

    def __init__(self, secret: str) -> None:
        """Take the id in clear."""
        object.__setattr__(self, "_secret", secret)

    def __setattr__(self, name: str, value: object) -> None:
        """Refuse: an id does not change."""
        raise AttributeError("a player id does not change")

    def reveal(self) -> str:
        """Return the id in clear, for writers of saves only."""
        secret: str = object.__getattribute__(self, "_secret")
        return secret

    def __eq__(self, other: object) -> bool:
        """Return whether both are one player, as far as VASSAL can tell."""
        return isinstance(other, PlayerId) and self.reveal() == other.reveal()

    def __hash__(self) -> int:
        """Return the hash of the id."""
        return hash(("player id", self.reveal()))

    def __bool__(self) -> bool:
        """Return whether the id is not empty."""
        return bool(self.reveal())

    def __repr__(self) -> str:
        """Return a mask."""
        return "PlayerId(***)"

    def __format__(self, spec: str) -> str:
        """Return the mask."""
        return format(repr(self), spec)

    def __reduce__(self) -> tuple[type[PlayerId], tuple[str]]:
        """Allow copies."""
        return PlayerId, (self.reveal(),)


class PlayerIdText(Codec[PlayerId]):
    """A player id or another password."""

    def read(self, token: str) -> PlayerId:
        """Return the id, masked."""
        return PlayerId(token)

    def write(self, value: PlayerId, version: Version) -> str:
        """Return the id in clear."""
        return value.reveal()


class MaybeText(Codec[str | None]):
    """Text that old versions leave out, then None."""

    def read(self, token: str) -> str | None:
        """Return the token."""
        return token

    def write(self, value: str | None, version: Version) -> str:
        """Return the text."""
        return value or ""


class Long(Codec[int]):
    """A whole number of 64 bits."""

    expected = "a whole number"

    def read(self, token: str) -> int:
        """Return the number; :class:`ValueError` if Java would not parse it."""
        digits = token[1:] if token[:1] in ("+", "-") else token
        if not (digits.isascii() and digits.isdigit() and len(digits) < 40):
            raise ValueError("no whole number")
        number = int(token)
        if not -(2**63) <= number < 2**63:
            raise ValueError("a whole number of more than 64 bits")
        return number

    def write(self, value: int, version: Version) -> str:
        """Return decimal digits."""
        return str(value)


Note = TextLines
"""Text of several lines, whose line ends VASSAL writes as ``|``."""


def _masked(cls: type[Command]) -> UnencodableError:
    """Return the error without the text: it may be a password, and that of ``join`` shows it."""
    return UnencodableError(
        f"a text of {cls.__name__} ends in a backslash, which VASSAL cannot carry"
    )


def masked_join(tokens: Sequence[str], cls: type[Command]) -> str:
    """Return tokens of a command as one text; its errors show none of them."""
    try:
        return join(tokens, cls.delimiter)
    except UnencodableError:
        raise _masked(cls) from None


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a save or a log, without its sub-commands."""

    _raw: str | None = field(default=None, init=False, repr=False, compare=False, metadata=UNWIRED)

    prefix: ClassVar[str] = ""
    """How the text begins."""
    delimiter: ClassVar[str] = "\t"
    """Delimiter of the tokens behind the prefix; empty if they are one bare text."""

    def encode(self) -> str:
        """Return the text as it was read, else in VASSAL's own form.

        Raises :class:`UnencodableError`, without the text, for what VASSAL cannot carry.
        """
        if self._raw is not None:
            return self._raw
        try:
            return self._write()
        except UnencodableError:
            raise _masked(type(self)) from None

    def canonical(self: CommandT) -> CommandT:
        """Return an equal command that forgot the text it was read from."""
        return dataclasses.replace(self)

    @classmethod
    def decode(cls: type[CommandT], text: str) -> CommandT:
        """Return the command of a text that begins with the prefix.

        Raises :class:`UnreadableCommandError` if tokens that VASSAL needs are missing.
        """
        command = cls._read(text[len(cls.prefix) :])
        object.__setattr__(command, "_raw", text)
        return command

    @classmethod
    def _read(cls: type[CommandT], rest: str) -> CommandT:
        """Return the command of what stands behind the prefix."""
        tokens = split(rest, cls.delimiter) if cls.delimiter else [rest]
        values: dict[str, Any] = {}
        for index, spec in enumerate(fields_of(cls)):
            is_needed = spec.default is dataclasses.MISSING
            try:
                values[spec.name] = spec.codec.read(tokens[index])
            except (IndexError, ValueError):
                if is_needed:
                    raise UnreadableCommandError(
                        f"{cls.__name__} without a readable {spec.name.replace('_', ' ')}"
                    ) from None
        return cls(**values)

    def _write(self) -> str:
        """Return the text in VASSAL's own form; optional tokens at the end may be left out."""
        specs = fields_of(type(self))
        keep = len(specs)
        while keep and specs[keep - 1].default is None and self._is_left_out(specs[keep - 1].name):
            keep -= 1
        tokens = [s.codec.write(getattr(self, s.name), _ANY_VERSION) for s in specs[:keep]]
        if not tokens:
            return self.prefix
        return self.prefix + (join(tokens, self.delimiter) if self.delimiter else tokens[0])

    def _is_left_out(self, name: str) -> bool:
        return getattr(self, name) is None


@dataclass(frozen=True, slots=True, repr=False)
class Opaque(Command):
    """A command of a module's own class, of an old VASSAL, or unreadable: it goes back untouched.

    ``problem`` says what is wrong with a known command that could not be read; it is empty for a
    command that nobody here knows, and those VASSAL skips as well.
    """

    text: str
    problem: str = ""

    @property
    def verb(self) -> str:
        """The letters that the text begins with, at most 24: a name for the kind, not the content.

        >>> Opaque("CHECK" + chr(9) + "runningVassalVersion<2.7").verb
        'CHECK'
        """
        head = self.text[: _MAX_VERB + 1].partition("\t")
        # Without a TAB behind it the word may be anything that somebody typed.
        return head[0] if head[1] and head[0].isalnum() else ""

    def _write(self) -> str:
        return self.text

    def __repr__(self) -> str:
        """Return the kind and the size: the content may hold a password."""
        note = f", problem={self.problem!r}" if self.problem else ""
        return f"Opaque({self.verb!r}, {len(self.text)} characters{note})"

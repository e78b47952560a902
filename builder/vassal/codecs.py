"""Wire types: one small class for each way in which VASSAL writes a value into a token.

A codec knows three directions: ``read`` a token, ``write`` a value, and ``convert`` what an author
wrote in TOML. ``read`` raises :class:`ValueError` where VASSAL falls back to the field's default.
How a class declares its fields by codecs is told in :mod:`builder.vassal.fields`.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Mapping, Sequence
from typing import Generic, TypeVar

from builder.problems import did_you_mean
from builder.vassal.codec_base import Codec, Path, Version, WrongDataError, version_of
from builder.vassal.keys import keystroke, notation
from builder.vassal.sequence import join, split

__all__ = [
    "Access", "Bool", "Choice", "Codec", "Color", "Expression", "Float", "Image", "Int", "Key",
    "KeyList", "NullText", "Pairs", "Path", "Seq", "Str", "TextLines", "Version", "Words",
    "WrongDataError", "version_of",
]  # fmt: skip

T = TypeVar("T")


class Str(Codec[str]):
    """Plain text."""

    def read(self, token: str) -> str:
        """Return the token."""
        return token

    def write(self, value: str, version: Version) -> str:
        """Return the text."""
        return value

    def convert(self, value: object) -> str:
        """Take text only."""
        if not isinstance(value, str):
            raise self.wrong(value)
        if "\x1b" in value:
            raise WrongDataError([((), f"VASSAL cannot carry an escape character: {value!r}")])
        return value


class Image(Str):
    """Name of a picture in the archive's ``images`` folder, without that prefix."""

    expected = "the name of a picture"


class Expression(Str):
    """Text or a number, where VASSAL takes either a value or an expression ``{...}``."""

    expected = "a number or an expression"

    def convert(self, value: object) -> str:
        """Take text and numbers."""
        if isinstance(value, bool):
            raise self.wrong(value)
        if isinstance(value, int | float):
            return str(value)
        return super().convert(value)

    def schema(self) -> dict[str, object]:
        """Text or number."""
        return {"type": ["string", "number"]}


class Choice(Str):
    """One of a few words; reading takes any word, for newer ones."""

    def __init__(self, *words: str) -> None:
        """Name the words."""
        self.words = words
        self.expected = "one of " + ", ".join(map(repr, words))

    def convert(self, value: object) -> str:
        """Take one of the words only."""
        if not isinstance(value, str) or value not in self.words:
            hint = did_you_mean(value, self.words) if isinstance(value, str) else ""
            raise WrongDataError([((), f"expected {self.expected}, got {value!r}{hint}")])
        return value

    def schema(self) -> dict[str, object]:
        """An enumeration."""
        return {"enum": list(self.words)}


class Words(Choice):
    """One of a few words of ours that each stand for VASSAL's own word."""

    def __init__(self, words: Mapping[str, str]) -> None:
        """Map our words to VASSAL's."""
        super().__init__(*words)
        self._wire = dict(words)
        self._ours = {wire: ours for ours, wire in words.items()}

    def read(self, token: str) -> str:
        """Return our word; an unknown one as it is."""
        return self._ours.get(token, token)

    def write(self, value: str, version: Version) -> str:
        """Return VASSAL's word."""
        return self._wire.get(value, value)


class NullText(Codec[str | None]):
    """Text, or None written as the word ``null``."""

    def read(self, token: str) -> str | None:
        """Return the text or None."""
        return None if token == "null" else token

    def write(self, value: str | None, version: Version) -> str:
        """Return the text or ``null``."""
        return "null" if value is None else value

    def convert(self, value: object) -> str | None:
        """Take text, the word ``null`` for none."""
        return self.read(Str().convert(value))


class Bool(Codec[bool]):
    """``true`` or ``false``; on reading everything else is false."""

    expected = "true or false"

    def read(self, token: str) -> bool:
        """Return whether the token is the very word ``true``."""
        return token == "true"

    def write(self, value: bool, version: Version) -> str:
        """Return the lower-case word."""
        return "true" if value else "false"

    def convert(self, value: object) -> bool:
        """Take a boolean only."""
        if not isinstance(value, bool):
            raise self.wrong(value)
        return value

    def schema(self) -> dict[str, object]:
        """A boolean."""
        return {"type": "boolean"}


class Int(Codec[int]):
    """A whole number of 32 bits."""

    expected = "a whole number"

    def read(self, token: str) -> int:
        """Return the number; :class:`ValueError` if Java would not parse it."""
        if len(token) < 10 and token.isdecimal() and token.isascii():
            return int(token)
        if not _INTEGER.fullmatch(token):
            raise ValueError(token)
        number = int(token)
        if not -(2**31) <= number < 2**31:
            raise ValueError(token)
        return number

    def write(self, value: int, version: Version) -> str:
        """Return decimal digits."""
        return str(value)

    def convert(self, value: object) -> int:
        """Take a whole number of 32 bits only."""
        if isinstance(value, bool) or not isinstance(value, int) or not -(2**31) <= value < 2**31:
            raise self.wrong(value)
        return value

    def schema(self) -> dict[str, object]:
        """An integer."""
        return {"type": "integer"}


_INTEGER = re.compile(r"[+-]?[0-9]+")
_DECIMAL = re.compile(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[dDfF]?\s*")


class Float(Codec[float]):
    """A decimal number, written as Java does for the usual sizes (``1.0``, ``90.0``, ``0.3``)."""

    expected = "a number"

    def read(self, token: str) -> float:
        """Return the number; :class:`ValueError` if Java would not parse it."""
        if not _DECIMAL.fullmatch(token):
            raise ValueError(token)
        return float(token.strip().rstrip("dDfF"))

    def write(self, value: float, version: Version) -> str:
        """Return the shortest decimal form."""
        return repr(float(value)).replace("e+", "E").replace("e", "E")

    def convert(self, value: object) -> float:
        """Take any finite number."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(value)
        if value != value or value in (float("inf"), float("-inf")):
            raise self.wrong(value)
        return float(value)

    def schema(self) -> dict[str, object]:
        """A number."""
        return {"type": "number"}


class Key(Codec[str]):
    """A key stroke, held in the author's notation (see :mod:`builder.vassal.keys`)."""

    expected = "a key stroke such as 'ctrl D' or '<Name>'"

    def read(self, token: str) -> str:
        """Return the notation."""
        return notation(token)

    def write(self, value: str, version: Version) -> str:
        """Return VASSAL's numbers."""
        return keystroke(value)

    def convert(self, value: object) -> str:
        """Take a notation that can be written."""
        if not isinstance(value, str):
            raise self.wrong(value)
        try:
            return notation(keystroke(value))
        except ValueError as error:
            raise WrongDataError([((), str(error))]) from None


class KeyList(Codec[tuple[str, ...]]):
    """Several key strokes; without any comma each letter of the token means Ctrl + letter."""

    expected = "a list of key strokes"

    def read(self, token: str) -> tuple[str, ...]:
        """Return the notations; empty strokes are dropped, as VASSAL drops them."""
        tokens = split(token, ",") if token.find(",") > 0 else list(token)
        return tuple(text for text in map(notation, tokens) if text)

    def write(self, value: tuple[str, ...], version: Version) -> str:
        """Return the strokes as one sequence."""
        return join([keystroke(text) for text in value], ",") if value else ""

    def convert(self, value: object) -> tuple[str, ...]:
        """Take a list of notations."""
        return Seq(",", Key()).convert(value)

    def schema(self) -> dict[str, object]:
        """A list of texts."""
        return {"type": "array", "items": {"type": "string"}}


class Color(Codec[str]):
    """A color, held as ``#rrggbb`` or ``#rrggbbaa``, or an empty text for none.

    >>> Color().read("255,0,0"), Color().write("#00ff0080", ())
    ('#ff0000', '0,255,0,128')
    """

    expected = "a color such as '#c0c0c0', or '' for none"

    def read(self, token: str) -> str:
        """Return the hexadecimal form; unreadable text is black, as for VASSAL."""
        if token in ("", "null"):
            return ""
        parts = [part for part in token.split(",") if part]
        try:
            if token[:2] in ("0x", "0X"):
                return f"#{int(token, 16) & 0xFFFFFF:06x}"
            levels = [Int().read(part) for part in (parts[:4] if len(parts) > 3 else parts[:3])]
        except ValueError:
            return "#000000"
        if len(levels) < 3 or not all(0 <= level <= 255 for level in levels):
            return "#000000"
        if levels[3:] == [255]:
            levels.pop()
        return "#" + "".join(f"{level:02x}" for level in levels)

    def write(self, value: str, version: Version) -> str:
        """Return decimal levels joined with commas."""
        return ",".join(str(int(value[at : at + 2], 16)) for at in range(1, len(value), 2))

    def convert(self, value: object) -> str:
        """Take hexadecimal forms of three, six or eight digits."""
        if not isinstance(value, str):
            raise self.wrong(value)
        if not value:
            return ""
        if not _HEX_COLOR.fullmatch(value):
            raise self.wrong(value)
        if len(value) == 4:
            value = "#" + "".join(digit * 2 for digit in value[1:])
        return value.lower().removesuffix("ff") if len(value) == 9 else value.lower()

    def schema(self) -> dict[str, object]:
        """A text of this form."""
        return {"type": "string", "pattern": f"^({_HEX_COLOR.pattern})?$"}


_HEX_COLOR = re.compile(r"#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})")


class Seq(Codec[tuple[T, ...]], Generic[T]):
    """A list in one token. Empty text is the empty list, which a single empty item equals."""

    def __init__(self, delimiter: str, inner: Codec[T] | None = None) -> None:
        """Take the delimiter and the codec of the items, plain text if none is given."""
        self.delimiter = delimiter
        # The default is only right for T = str, which no signature can say.
        self.inner: Codec[T] = inner if inner is not None else typing.cast("Codec[T]", Str())
        self.expected = f"a list of {self.inner.expected}"

    def read(self, token: str) -> tuple[T, ...]:
        """Return the items."""
        if not token:
            return ()
        read = self.inner.read
        return tuple([read(part) for part in split(token, self.delimiter)])

    def write(self, value: tuple[T, ...], version: Version) -> str:
        """Return the items as one sequence."""
        if not value:
            return ""
        write = self.inner.write
        return join([write(item, version) for item in value], self.delimiter)

    def convert(self, value: object) -> tuple[T, ...]:
        """Take a list of items."""
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise self.wrong(value)
        items: list[T] = []
        errors: list[tuple[Path, str]] = []
        for index, item in enumerate(value):
            try:
                items.append(self.inner.convert(item))
            except WrongDataError as error:
                errors += [((index, *path), text) for path, text in error.errors]
        if errors:
            raise WrongDataError(errors)
        return tuple(items)

    def schema(self) -> dict[str, object]:
        """A list."""
        return {"type": "array", "items": self.inner.schema()}


class Pairs(Codec[tuple[tuple[str, str], ...]]):
    """Names and values, each pair a sequence of its own; entries without a value are dropped."""

    expected = "a table of names and values"

    def __init__(self, delimiter: str, inner: str) -> None:
        """Take the delimiters between pairs and inside a pair."""
        self.delimiter = delimiter
        self.inner = inner

    def read(self, token: str) -> tuple[tuple[str, str], ...]:
        """Return the pairs in order."""
        if not token:
            return ()
        parts = [split(part, self.inner) for part in split(token, self.delimiter)]
        return tuple([(part[0], part[1]) for part in parts if len(part) > 1])

    def write(self, value: tuple[tuple[str, str], ...], version: Version) -> str:
        """Return the pairs as one sequence."""
        if not value:
            return ""
        return join([join(pair, self.inner) for pair in value], self.delimiter)

    def convert(self, value: object) -> tuple[tuple[str, str], ...]:
        """Take a table whose values are texts or numbers."""
        if not isinstance(value, Mapping):
            raise self.wrong(value)
        pairs = []
        errors: list[tuple[Path, str]] = []
        for name, item in value.items():
            try:
                pairs.append((str(name), Expression().convert(item)))
            except WrongDataError as error:
                errors += [((str(name), *path), text) for path, text in error.errors]
        if errors:
            raise WrongDataError(errors)
        return tuple(pairs)

    def schema(self) -> dict[str, object]:
        """A table of texts and numbers."""
        return {"type": "object", "additionalProperties": {"type": ["string", "number"]}}


class TextLines(Codec[str]):
    r"""Text of several lines, in one token with ``|`` for each line end.

    >>> TextLines().write("one|two\nthree", ())
    'one\\|two|three'
    """

    def read(self, token: str) -> str:
        """Return the text with its line ends."""
        return "\n".join(split(token, "|"))

    def write(self, value: str, version: Version) -> str:
        """Return the token; carriage returns are dropped."""
        return join(value.replace("\r", "").split("\n"), "|")

    def convert(self, value: object) -> str:
        """Take text."""
        return Str().convert(value)


class Access(Codec[tuple[str, ...]]):
    """Who may hide or mask: ``("player:",)``, ``("side:",)``, or the names of sides.

    An author writes ``"player"``, ``"side"`` or a list of sides.

    >>> Access().read("sides:Allied:Solo"), Access().write(("side:",), ())
    (('Allied', 'Solo'), 'side:')
    """

    expected = "'player', 'side', or a list of sides"

    def read(self, token: str) -> tuple[str, ...]:
        """Return the sides; what is unknown means the owner only."""
        if token == "side:":
            return ("side:",)
        if token.startswith("sides:"):
            return tuple(split(token.removeprefix("sides:"), ":"))
        return ("player:",)

    def write(self, value: tuple[str, ...], version: Version) -> str:
        """Return VASSAL's rule."""
        if value in (("side:",), ("player:",)):
            return value[0]
        return "sides:" + (join(value, ":") if value else "")

    def convert(self, value: object) -> tuple[str, ...]:
        """Take a word or a list of sides."""
        if isinstance(value, str):
            if value.rstrip(":") not in ("player", "side"):
                raise self.wrong(value)
            return (value.rstrip(":") + ":",)
        return Seq[str](",").convert(value)

    def schema(self) -> dict[str, object]:
        """A word or a list."""
        return {
            "oneOf": [
                {"enum": ["player", "side"]},
                {"type": "array", "items": {"type": "string"}, "minItems": 1},
            ]
        }

"""Printed numbers of hexes and squares, in VASSAL's arithmetic, and back.

Sources: VASSAL ``mapgrid.RegularGridNumbering``, ``HexGridNumbering``, ``SquareGridNumbering`` and
``ObliqueHexGridNumbering`` (3.7.26 and 3.8). A position goes through three forms: *raw* index,
*printed number* (turned round, staggered, offset) and *text*.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from builder.problems import UnreadableError, UsageError

__all__ = ["IndexKind", "Maxima", "Numbering", "Order", "index_text"]

IndexKind = Literal["N", "A"]
"""How an index is written: N as a number, A as a letter that repeats after Z."""

Order = Literal["H", "V"]
"""Which part of a name comes first: H the column, V the row."""

_PLACEHOLDER: Final = re.compile(r"\$(gridLocation|row|column)\$")
_LONGEST_NAME: Final = 400  # names come from files of others; letters repeat, so some are long
_LONGEST_FORMAT: Final = 1000
_MOST_DIGITS: Final = 100
_LARGEST: Final = 2**31 - 1
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LETTER_RUN: Final = "-?(?:" + "|".join(f"{letter}+" for letter in _LETTERS) + ")"


class Maxima(NamedTuple):
    """What descending numbers count down from: ``maximum - raw``."""

    column: int
    row: int


class _Reader(NamedTuple):
    """A compiled reverse pattern and which of its groups hold the two parts."""

    pattern: re.Pattern[str]
    column: int
    row: int


def index_text(value: int, kind: IndexKind, leading: int) -> str:
    """Return one index as VASSAL prints it.

    >>> [index_text(v, "N", 1) for v in (5, 100, -1)], [index_text(v, "A", 1) for v in (0, 27)]
    (['05', '100', '-01'], ['A', 'BB'])
    """
    sign, size = ("-", -value) if value < 0 else ("", value)
    if kind == "A":
        # A name that is longer than any that is read back need not be whole.
        return sign + _LETTERS[size % 26] * min(size // 26 + 1, _LONGEST_NAME + 1)
    return sign + str(size).zfill(max(leading, 0) + 1)


def _index_value(text: str, kind: IndexKind) -> int:
    """Return the number that VASSAL reads in text which matched its pattern."""
    if kind == "N":
        return int(text)
    letters = text.removeprefix("-")
    value = 26 * (len(letters) - 1) + _LETTERS.index(letters[0])
    return -value if len(letters) < len(text) else value


def _index_pattern(kind: IndexKind, leading: int) -> str:
    return _LETTER_RUN if kind == "A" else f"-?[0-9]{{{max(leading, 0) + 1},}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbering:
    """VASSAL's numbering attributes with VASSAL's defaults.

    ``h_type``, ``h_off``, ``h_leading`` belong to the column index and ``v_...`` to the row index
    even on a sideways grid, while ``h_descend`` and ``v_descend`` speak of the screen's directions.
    ``oblique`` chooses VASSAL 3.8's slanted rows (``ObliqueHexGridNumbering``).
    """

    first: Order = "H"
    sep: str = ""
    h_type: IndexKind = "N"
    v_type: IndexKind = "N"
    h_leading: int = 1
    v_leading: int = 1
    h_off: int = 1
    v_off: int = 1
    h_descend: bool = False
    v_descend: bool = False
    stagger: bool = True
    location_format: str = "$gridLocation$"
    oblique: bool = False

    def __post_init__(self) -> None:
        """Refuse kinds that VASSAL would read as something else."""
        for name, value, known in (
            ("first", self.first, "HV"),
            ("h_type", self.h_type, "NA"),
            ("v_type", self.v_type, "NA"),
        ):
            if value not in tuple(known):
                raise UsageError(f"numbering: {name} is {' or '.join(known)}, not {value!r}")

    def descends(self, sideways: bool) -> tuple[bool, bool]:
        """Return whether the column and the row index count down."""
        if sideways:
            return self.v_descend, self.h_descend
        return self.h_descend, self.v_descend

    def printed(self, column: int, row: int, maxima: Maxima, sideways: bool) -> tuple[int, int]:
        """Return the printed numbers, offsets included, of a raw hex position."""
        column_down, row_down = self.descends(sideways)
        is_odd = column % 2 != 0
        if column_down:
            column = maxima.column - column
        if row_down:
            row = maxima.row - row
        if self.stagger and is_odd:
            row += -1 if row_down else 1
        if self.oblique:
            # Java's division cuts towards zero.
            half = abs(column) // 2 * (-1 if column < 0 else 1)
            row = row + half if self.stagger else row - half + 1
        return column + self.h_off, row + self.v_off

    def raw(self, column: int, row: int, maxima: Maxima, sideways: bool) -> tuple[int, int]:
        """Return the raw position of printed numbers: the exact inverse of :meth:`printed`."""
        column_down, row_down = self.descends(sideways)
        column -= self.h_off
        row -= self.v_off
        if self.oblique:
            half = abs(column) // 2 * (-1 if column < 0 else 1)
            row = row - half if self.stagger else row + half - 1
        if column_down:
            column = maxima.column - column
        if self.stagger and column % 2 != 0:
            row += 1 if row_down else -1
        if row_down:
            row = maxima.row - row
        return column, row

    def raw_as_vassal(
        self, column: int, row: int, maxima: Maxima, sideways: bool
    ) -> tuple[int, int]:
        """Return the raw position that VASSAL's own reverse lookup computes.

        It takes the parity before the column is turned round and knows nothing of slanted rows
        (VASSAL ``HexGridNumbering.getCenterPoint``), so it is a row off for some numberings.
        """
        column_down, row_down = self.descends(sideways)
        column -= self.h_off
        row -= self.v_off
        if self.stagger and column % 2 != 0:
            row += 1 if row_down else -1
        if column_down:
            column = maxima.column - column
        if row_down:
            row = maxima.row - row
        return column, row

    def column_text(self, number: int) -> str:
        """Return the text of a printed column number."""
        return index_text(number, self.h_type, self.h_leading)

    def row_text(self, number: int) -> str:
        """Return the text of a printed row number."""
        return index_text(number, self.v_type, self.v_leading)

    def join(self, column_text: str, row_text: str) -> str:
        """Return the location name made of the two texts."""
        if self.first == "H":
            both = column_text + self.sep + row_text
        else:
            both = row_text + self.sep + column_text
        if self.location_format == "$gridLocation$":
            return both
        parts = {"gridLocation": both, "row": row_text, "column": column_text}
        return _PLACEHOLDER.sub(lambda found: parts[found[1]], self.location_format)

    def text(self, column: int, row: int) -> str:
        """Return the location name of two printed numbers.

        >>> Numbering(h_type="A", v_leading=0).text(7, 3)
        'H3'
        """
        return self.join(self.column_text(column), self.row_text(row))

    def numbers_as_vassal(self, name: str) -> tuple[int, int] | None:
        """Return the printed numbers that VASSAL reads in a name; None if it refuses the name.

        VASSAL takes the longest first part, so names whose parts cannot be told apart come back
        as other numbers (``RegularGridNumbering.getLocation``).
        """
        reader = _reader(self, False) if len(name) <= _LONGEST_NAME else None
        if reader is None or (found := reader.pattern.fullmatch(name)) is None:
            return None
        return self._values(found[reader.column], found[reader.row])

    def readings(self, name: str) -> Iterator[tuple[int, int]]:
        """Yield every pair of printed numbers that prints exactly this name.

        More than one pair means that the numbering is ambiguous there: ``111`` without leading
        zeros is column 1 row 11 and column 11 row 1.
        """
        greedy, lazy = _reader(self, False), _reader(self, True)
        if greedy is None or lazy is None or len(name) > _LONGEST_NAME:
            return
        long, short = greedy.pattern.fullmatch(name), lazy.pattern.fullmatch(name)
        if long is None or short is None:
            return
        pair = self._values(long[greedy.column], long[greedy.row])
        if long.regs == short.regs:
            if self.text(*pair) == name:
                yield pair
            return
        seen: set[tuple[int, int]] = set()
        for pair in self._pairs(name):
            if pair not in seen and self.text(*pair) == name:
                seen.add(pair)
                yield pair

    def _pairs(self, name: str) -> Iterator[tuple[int, int]]:
        """Yield the values of all pieces of a name that can be a column and a row."""
        column = re.compile(_index_pattern(self.h_type, self.h_leading))
        row = re.compile(_index_pattern(self.v_type, self.v_leading))
        pieces = sorted(
            {name[i:j] for i in range(len(name)) for j in range(i + 1, len(name) + 1)},
        )
        rows = [piece for piece in pieces if row.fullmatch(piece)]
        for piece in pieces:
            if column.fullmatch(piece):
                for other in rows:
                    yield self._values(piece, other)

    def _values(self, column_text: str, row_text: str) -> tuple[int, int]:
        return _index_value(column_text, self.h_type), _index_value(row_text, self.v_type)

    @property
    def tag(self) -> str:
        """Name of VASSAL's class for a hex grid's numbering."""
        return "ObliqueHexGridNumbering" if self.oblique else "HexGridNumbering"

    def xml_attributes(self) -> dict[str, str]:
        """Return VASSAL's attribute texts, in VASSAL's order.

        ``visible`` is always written as false: a map that has its numbers painted on it must not
        get VASSAL's on top. A square grid's numbering has the same attributes without ``stagger``.
        """
        return {
            "first": self.first,
            "sep": self.sep,
            "hType": self.h_type,
            "hLeading": str(self.h_leading),
            "hOff": str(self.h_off),
            "hDescend": _flag(self.h_descend),
            "vType": self.v_type,
            "vLeading": str(self.v_leading),
            "vOff": str(self.v_off),
            "vDescend": _flag(self.v_descend),
            "locationFormat": self.location_format,
            "visible": "false",
            "fontSize": "9",
            "color": "0,0,0",
            "rotateText": "0",
            "hDrawOff": "0",
            "vDrawOff": "0",
            "stagger": _flag(self.stagger),
        }

    @classmethod
    def from_xml_attributes(cls, texts: Mapping[str, str], *, oblique: bool = False) -> Numbering:
        """Return the numbering that VASSAL makes of attribute texts; absent ones get its defaults.

        Raises UnreadableError for texts with which VASSAL refuses the module, and for those that
        make names without end.
        """
        # Only the first letter counts, and an empty text stops VASSAL from loading the module.
        first, h_type, v_type = (texts.get(k, d)[:1] for k, d in _LETTER_DEFAULTS)
        if not (first and h_type and v_type):
            raise UnreadableError("numbering: first, hType and vType must not be empty")
        location_format = texts.get("locationFormat", "$gridLocation$")
        sep = texts.get("sep", "")
        if max(len(location_format), len(sep)) > _LONGEST_FORMAT:
            raise UnreadableError("numbering: locationFormat or sep is too long")
        return cls(
            first="H" if first == "H" else "V",
            sep=sep,
            h_type="A" if h_type == "A" else "N",
            v_type="A" if v_type == "A" else "N",
            h_leading=_whole(texts, "hLeading", _MOST_DIGITS),
            v_leading=_whole(texts, "vLeading", _MOST_DIGITS),
            h_off=_whole(texts, "hOff"),
            v_off=_whole(texts, "vOff"),
            h_descend=texts.get("hDescend") == "true",
            v_descend=texts.get("vDescend") == "true",
            stagger=texts.get("stagger", "true") == "true",
            location_format=location_format,
            oblique=oblique,
        )


_LETTER_DEFAULTS: Final = (("first", "H"), ("hType", "N"), ("vType", "N"))


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _whole(texts: Mapping[str, str], name: str, most: int = _LARGEST) -> int:
    text = texts.get(name, "1")
    try:
        number = int(text)
    except ValueError:
        message = f"numbering: {name} must be a whole number, got {text[:40]!r}"
        raise UnreadableError(message) from None
    if not -_LARGEST - 1 <= number <= most:
        raise UnreadableError(f"numbering: {name} is at most {most}, got {text[:40]!r}")
    return number


@lru_cache(maxsize=128)
def _reader(numbering: Numbering, lazy: bool) -> _Reader | None:
    """Return the reverse pattern of a numbering; None if its names lack a part.

    The pattern is VASSAL's; the lazy one takes the shortest first part instead of the longest, so
    that a name both match alike can be read in one way only.
    """
    column, row = (
        _index_pattern(kind, leading).replace("?", "??", 1).replace("+", "+?").replace(",}", ",}?")
        if lazy
        else _index_pattern(kind, leading)
        for kind, leading in (
            (numbering.h_type, numbering.h_leading),
            (numbering.v_type, numbering.v_leading),
        )
    )
    pattern = ""
    groups = {"column": 0, "row": 0}
    count = 0
    # Tokens between dollar signs are literal and property by turns; the last is literal.
    tokens = numbering.location_format.split("$")
    for place, token in enumerate(tokens):
        if place % 2 == 0 or place == len(tokens) - 1:
            pattern += re.escape(token)
            continue
        parts: tuple[str, ...] = ("column", "row") if numbering.first == "H" else ("row", "column")
        if token != "gridLocation":
            parts = tuple(part for part in parts if part == token)
        texts = []
        for part in parts:
            count += 1
            groups[part] = count
            texts.append(f"({column if part == 'column' else row})")
        pattern += re.escape(numbering.sep).join(texts)
    if not (groups["column"] and groups["row"]):
        return None
    return _Reader(re.compile(pattern), groups["column"], groups["row"])

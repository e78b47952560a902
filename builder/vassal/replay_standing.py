"""Where a piece or a pile stands: the values that a table holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from builder.vassal.decks import Deck
from builder.vassal.pieces import Piece
from builder.vassal.traits import BasicPiece

__all__ = ["OFF", "Pile", "Spread", "Standing", "shown_id"]

_SHOWN: Final = 24


class Spread(NamedTuple):
    """A pixel of a map; off all maps if ``map`` is None."""

    map: str | None
    x: int
    y: int


OFF: Final = Spread(None, 0, 0)


@dataclass(frozen=True, slots=True)
class Standing:
    """A piece on the table. ``pile`` is the id of its stack or deck, whose place is its own then.

    ``piece`` is None if its state could not be read.
    """

    id: str
    type: str
    piece: Piece | None
    own: Spread = OFF
    pile: str | None = None

    @property
    def basic(self) -> BasicPiece | None:
        """The innermost part, if it is VASSAL's."""
        basic = None if self.piece is None else self.piece.basic
        return basic if isinstance(basic, BasicPiece) else None


@dataclass(frozen=True, slots=True)
class Pile:
    """A stack or a deck: ids from bottom to top. An emptied one stays behind, as in VASSAL."""

    id: str
    at: Spread = OFF
    members: tuple[str, ...] = ()
    deck: Deck | None = None
    layer: int | None = None

    @property
    def is_deck(self) -> bool:
        """Whether it is a deck."""
        return self.deck is not None

    @property
    def name(self) -> str | None:
        """The name of a deck, None for a stack."""
        return None if self.deck is None else self.deck.name


def shown_id(ident: str | None) -> str:
    """Return an id for a message: a hostile one may have thousands of digits.

    >>> shown_id("17"), shown_id("9" * 4000), shown_id(None)
    ('17', '999999999999999999999999… (4000 characters)', 'null')
    """
    if ident is None:
        return "null"
    text = ident if len(ident) <= _SHOWN else f"{ident[:_SHOWN]}… ({len(ident)} characters)"
    return "".join(c if c.isprintable() else "?" for c in text)

"""What pieces, places and players are called at a moment, and what one may see of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from builder.gamebox.events import Place, Thing
from builder.vassal.commands import PlayerId
from builder.vassal.replay_module import ModuleFacts
from builder.vassal.replay_names import UNKNOWN, Viewer, piece_name
from builder.vassal.replay_table import Spread, Standing, Table, shown_id
from builder.vassal.traits import Invisible, Mask

__all__ = ["Seat", "Story"]

_SOMEONE: Final = "another player"
_NOBODY: Final = "nobody"
"""VASSAL's dummy owner of cards from a face-down deck."""


class Seat(NamedTuple):
    """A player at the table; without a side he watches."""

    name: str
    side: str | None

    @property
    def text(self) -> str:
        """Return name and side, the side only once."""
        if not self.name or not self.side or self.side in self.name:
            return self.name or self.side or "a player"
        return f"{self.name} ({self.side})"


@dataclass(slots=True)
class Story:
    """The names of things on the table at the moment: pieces, places, players.

    ``viewer`` is the player or the side whose eyes look; None sees all.
    """

    facts: ModuleFacts
    table: Table
    viewer: str | None = None
    seats: dict[PlayerId, Seat] = field(default_factory=dict)
    _missing_maps: dict[str, bool] = field(default_factory=dict)

    def players(self) -> tuple[Seat, ...]:
        """Return the players by their order of joining."""
        return tuple(self.seats.values())

    def thing(self, ident: str) -> Thing:
        """Return a piece as events name it."""
        standing = self.table.pieces.get(ident)
        if standing is None or standing.piece is None:
            return Thing(shown_id(ident), UNKNOWN)
        basic = standing.basic
        name = piece_name(standing.piece, self.lookup, self._viewer())
        if self.viewer is not None and (self.is_hidden(ident) or name != self._true_name(standing)):
            return Thing(shown_id(ident), UNKNOWN if self.is_hidden(ident) else name)
        return Thing(
            shown_id(ident),
            name.strip() or _nameless(standing),
            standing.piece.name,
            "" if basic is None else basic.gpid,
        )

    def _true_name(self, standing: Standing) -> str:
        return "" if standing.piece is None else piece_name(standing.piece, self.lookup)

    def is_hidden(self, ident: str) -> bool:
        """Return whether the viewer does not know what piece this is, or that it is there."""
        if self.viewer is None:
            return False
        pile = self.table.pile_of(ident)
        if pile is not None and pile.deck is not None and pile.deck.face_down:
            return True
        return self.is_invisible(ident)

    def is_masked(self, ident: str) -> bool:
        """Return whether the viewer sees the piece, but only its mask."""
        viewer = self._viewer()
        standing = self.table.pieces.get(ident)
        if viewer is None or standing is None or standing.piece is None:
            return False
        return any(
            isinstance(trait, Mask)
            and trait.masked_by
            and not viewer.owns(trait.masked_by, trait.access)
            for trait in standing.piece.traits
        )

    def is_invisible(self, ident: str) -> bool:
        """Return whether the viewer does not see that the piece is there at all."""
        viewer = self._viewer()
        standing = self.table.pieces.get(ident)
        if viewer is None or standing is None or standing.piece is None:
            return False
        return any(
            isinstance(trait, Invisible)
            and trait.hidden_by
            and not viewer.owns(trait.hidden_by, trait.access)
            for trait in standing.piece.traits
        )

    def place(self, ident: str) -> Place:
        """Return where a piece is, in the words of its map."""
        pile = self.table.pile_of(ident)
        return self.place_at(self.table.at(ident), None if pile is None else pile.name)

    def place_at(self, at: Spread, deck: str | None = None) -> Place:
        """Return a pixel of a map in the words of that map."""
        if at.map is None:
            return Place()
        layout = self.table.boards.get(at.map)
        spot = self.facts.maps.spot(at.map, layout, at.x, at.y)
        deck_there = self.table.deck_at(at)
        label = spot.label if deck_there is None else deck_there.name
        if self.facts.is_known and at.map not in self.facts.maps.maps:
            self._missing_maps.setdefault(at.map, False)
        return Place(at.map, at.x, at.y, label, spot.zone, spot.board, deck)

    def lookup(self, name: str) -> str | None:
        """Return the value of a global property, whatever holds it; the module's own first."""
        found = self.table.properties.get(("Module", name))
        if found is not None:
            return found
        return next((v for (_, key), v in self.table.properties.items() if key == name), None)

    def owner(self, text: str) -> str:
        """Return a text that may be a player's id, in words if it is one."""
        seat = self.seats.get(PlayerId(text)) if text else None
        return text if seat is None else seat.text

    def hider(self, text: str) -> str:
        """Return by whom something was hidden: a player, a side, or someone not at the table."""
        sides = {seat.side for seat in self.seats.values()}
        if not text or text == _NOBODY:
            return _NOBODY
        named = self.owner(text)
        # An id of a player who is not at the table would be shown as it stands.
        return named if named != text or text in sides else _SOMEONE

    def take_missing_maps(self) -> tuple[str, ...]:
        """Return the maps, asked for since the last time, that the module does not have."""
        found = tuple(name for name, is_told in self._missing_maps.items() if not is_told)
        self._missing_maps.update(dict.fromkeys(found, True))
        return found

    def _viewer(self) -> Viewer | None:
        if self.viewer is None:
            return None
        wanted = [
            (ident, seat)
            for ident, seat in self.seats.items()
            if self.viewer in (seat.name, seat.side)
        ]
        side = next((seat.side for _, seat in wanted if seat.side), self.viewer)
        return Viewer(frozenset(ident.reveal() for ident, _ in wanted), side)


def _nameless(standing: Standing) -> str:
    """Return what to call a piece without a name: by its picture, if it has one."""
    image = "" if standing.basic is None else standing.basic.image
    return f"a piece without a name ({image})" if image else "a piece without a name"

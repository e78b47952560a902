"""A table at one moment, in words of the game: what lies where, and what it says of itself.

The still picture beside the events of :mod:`builder.gamebox.events`: a rule set makes its state
from it, or follows it after something that the rules forbid.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from builder.gamebox.events import Place, Thing

__all__ = ["TablePiece", "TableView"]


@dataclass(frozen=True, slots=True)
class TablePiece:
    """A piece on the table.

    ``properties`` are what it says of itself: markers, properties that commands change, and for
    a layer *NAME_Level*. ``is_masked`` if it lies face down.
    """

    thing: Thing
    place: Place
    properties: Mapping[str, str]
    is_masked: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """A table: its pieces in the order in which they came onto it, and what holds for all.

    ``properties`` are the module's global properties by name, ``turn`` what the turn tracker
    shows, ``players`` maps names to sides.
    """

    pieces: tuple[TablePiece, ...]
    properties: Mapping[str, str] = field(default_factory=dict)
    turn: str = ""
    players: Mapping[str, str] = field(default_factory=dict)

    def by_property(self, name: str) -> dict[str, TablePiece]:
        """Return pieces by the value of one of their properties; the first of several counts."""
        found: dict[str, TablePiece] = {}
        for piece in self.pieces:
            value = piece.properties.get(name)
            if value:
                found.setdefault(value, piece)
        return found

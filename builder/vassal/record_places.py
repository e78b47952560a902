"""Places by name, and what lies there: where a piece comes to lie, and on top of what.

Sources: VASSAL classes ``build.module.Map`` (``snapTo``, ``placeOrMerge``),
``build.module.map.StackMetrics``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.gamebox.events import Place, Thing
from builder.vassal.record_pieces import RecordError
from builder.vassal.replay_names import is_stackable, property_of
from builder.vassal.replay_story import Story
from builder.vassal.replay_table import Pile, Spread, Table

__all__ = ["Surroundings", "last_place", "pieces_by_property"]

_OFFBOARD: Final = "offboard"


def pieces_by_property(table: Table, name: str) -> dict[str, str]:
    """Return the value of a property of the pieces, such as a Marker's, to the piece's id.

    Values that several pieces have are left out, since they name none of them.
    """
    found: dict[str, str] = {}
    ambiguous: set[str] = set()
    for ident, standing in table.pieces.items():
        if standing.piece is None:
            continue
        value = property_of(name, standing.piece, _nothing)
        if value:
            if value in found:
                ambiguous.add(value)
            found[value] = ident
    return {value: ident for value, ident in found.items() if value not in ambiguous}


def _nothing(_name: str) -> None:
    return None


class Surroundings:
    """The table as those see it who give events: things by id or number, places by name."""

    def __init__(self, story: Story, naming: str) -> None:
        """Take the table of a story; ``naming`` is the property that names pieces."""
        self._story = story
        self._naming = naming
        self._by_value: dict[str, str] | None = None
        self._by_gpid: dict[str, str] | None = None
        self._aliases: dict[str, str] = {}
        self._points: dict[tuple[str, str | None], Place | None] = {}

    @property
    def table(self) -> Table:
        """The table."""
        return self._story.table

    # --- things -------------------------------------------------------------------------------

    def ident(self, thing: Thing) -> str:
        """Return the id of a piece on the table.

        A thing is named by that id, by the value of the naming property (``A-1-517``), or by its
        gpid if no other piece has it. Raises :class:`RecordError` if there is no such piece.
        """
        ident = self.find(thing)
        if ident is None:
            named = thing.id or thing.gpid or thing.name
            raise RecordError(f"no piece on the table is {named!r}")
        return ident

    def find(self, thing: Thing) -> str | None:
        """Return the id of a piece on the table, None if there is none."""
        named = self._aliases.get(thing.id, thing.id)
        if named in self.table.pieces:
            return named
        if self._by_value is None:
            self._by_value = pieces_by_property(self.table, self._naming)
            self._by_gpid = dict(self._gpids())
        found = self._by_value.get(named)
        if found is None and not thing.id and self._by_gpid is not None:
            found = self._by_gpid.get(thing.gpid)
        return found if found in self.table.pieces else None

    def came(self, ident: str, name: str) -> None:
        """Note that a piece came onto the table, by which name events call it."""
        if name and name != ident:
            self._aliases[name] = ident
        self._by_value = None

    def _gpids(self) -> Iterator[tuple[str, str]]:
        seen: dict[str, list[str]] = {}
        for ident, standing in self.table.pieces.items():
            if standing.basic is not None and standing.basic.gpid:
                seen.setdefault(standing.basic.gpid, []).append(ident)
        return ((gpid, idents[0]) for gpid, idents in seen.items() if len(idents) == 1)

    # --- places -------------------------------------------------------------------------------

    def resolved(self, place: Place) -> Place:
        """Return a place with its pixel: one that has none is found by its deck or its label."""
        if place.deck is not None:
            return self._deck(place.deck)
        if place.label is None or place.x or place.y:
            return place
        if place.map is not None and self._label_at(place) == place.label:
            return place
        return self.named(place.label, place.map)

    def named(self, label: str, map_name: str | None = None) -> Place:
        """Return the place of a hex, a box, a zone or a deck; a map of None looks on all maps.

        The pixel is where VASSAL puts a piece that it sends there: the snapped center of a hex, the
        middle of a zone. Raises :class:`RecordError` for a name that no map knows.
        """
        key = label, map_name
        if key not in self._points:
            self._points[key] = self._found(label, map_name)
        place = self._points[key]
        if place is None:
            where = f"on map {map_name!r}" if map_name is not None else "on any map"
            raise RecordError(f"no place {label!r} {where}")
        return place

    def snapped(self, map_name: str, x: int, y: int) -> Place:
        """Return where VASSAL puts a piece that is dropped on a pixel of a map."""
        maps, layout = self._story.facts.maps, self.table.boards.get(map_name)
        return self._story.place_at(Spread(map_name, *maps.snapped(map_name, layout, x, y)))

    def _found(self, label: str, map_name: str | None) -> Place | None:
        for pile in self.table.decks():
            if pile.name == label and map_name in (None, pile.at.map):
                return self._deck(label)
        maps = self._story.facts.maps
        for name in maps.maps if map_name is None else (map_name,):
            point = maps.point(name, self.table.boards.get(name), label)
            if point is not None:
                return self._story.place_at(Spread(name, *point))
        return None

    def _deck(self, name: str) -> Place:
        for pile in self.table.decks():
            if pile.name == name:
                return self._story.place_at(pile.at, name)
        raise RecordError(f"no deck {name!r} on the table")

    def _label_at(self, place: Place) -> str | None:
        return self._story.place_at(Spread(place.map, place.x, place.y)).label

    # --- what lies there ----------------------------------------------------------------------

    def docking(self, ident: str, stacks: bool, target: Spread) -> Pile | str | None:
        """Return the deck or stack, or the id of a loose piece, that a piece merges with.

        A deck takes anything, a stack only what ``stacks``. None means that it lies alone.
        """
        found: Pile | None = None
        for pile in self.table.piles.values():
            if pile.at != target:
                continue
            if pile.is_deck:
                return pile
            if found is None and stacks and any(member != ident for member in pile.members):
                found = pile
        if found is not None or not stacks:
            return found
        for other, standing in self.table.pieces.items():
            is_there = standing.own == target and standing.pile is None
            if is_there and other != ident and is_stackable(standing.piece):
                return other
        return None

    def below(self, ident: str) -> str | None:
        """Return the id of the piece directly below in the same stack or deck."""
        members = self.table.neighbors(ident)
        at = members.index(ident)
        return members[at - 1] if at else None


def last_place(story: Story, ident: str) -> dict[str, str]:
    """Return what VASSAL notes of the place that a piece leaves; nothing if it is on no map."""
    at = story.table.at(ident)
    if at.map is None:
        return {}
    place = story.place(ident)
    return {
        "OldX": str(at.x),
        "OldY": str(at.y),
        "OldMap": at.map,
        "OldBoard": place.board or "",
        "OldZone": place.zone or "",
        "OldLocationName": place.label or _OFFBOARD,
    }

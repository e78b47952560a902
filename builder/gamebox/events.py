"""What happens on a table, in words of the game: placed, moved, flipped, removed, rolled, said.

Events know no VASSAL: people are names and sides, never ids; places have the names that the map
gives them. A log gives them step by step (``vassal.replay``), a rule set reads actions from them.
Everything is frozen and has one text form (:func:`describe`) and one form as data
(:func:`event_data`).
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any, ClassVar

__all__ = [
    "BoardsChanged",
    "Changed",
    "Concealed",
    "Drawn",
    "Event",
    "Flipped",
    "Joined",
    "Left",
    "Marked",
    "Moved",
    "Noted",
    "Place",
    "Placed",
    "PropertyChanged",
    "Removed",
    "Replaced",
    "Rolled",
    "Said",
    "Shuffled",
    "Thing",
    "TurnChanged",
    "Turned",
    "Undone",
    "describe",
    "event_data",
    "on_one_line",
]


@dataclass(frozen=True, slots=True)
class Thing:
    """A piece as an event names it.

    ``id`` is its number on this table; ``name`` what it is called at that moment, ``basic`` what
    its definition calls it; ``gpid`` its kind in the module, empty in old files.
    """

    id: str
    name: str
    basic: str = ""
    gpid: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a piece is: a map and its pixel, and what the map calls it.

    ``label`` is the location name that VASSAL would show, ``zone`` the zone around it. ``deck``
    names the deck that the piece lies in. Without a map the piece is off the table.
    """

    map: str | None = None
    x: int = 0
    y: int = 0
    label: str | None = None
    zone: str | None = None
    board: str | None = None
    deck: str | None = None

    @property
    def is_off(self) -> bool:
        """Whether this is no place on any map."""
        return self.map is None

    def text(self, *, other: Place | None = None) -> str:
        """Return the place in a few words; the map is left out if ``other`` is on the same one.

        >>> Place("Main Map", 337, 419, "G7").text(), Place("Main Map", 337, 419).text()
        ('G7 (Main Map)', '337,419 (Main Map)')
        >>> Place("Main Map", 337, 419, "G7").text(other=Place("Main Map", 1, 1)), Place().text()
        ('G7', 'off the map')
        """
        if self.map is None:
            return "off the map"
        name = f"deck {self.deck}" if self.deck else self.label or f"{self.x},{self.y}"
        return name if other is not None and other.map == self.map else f"{name} ({self.map})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened in a step; ``actor`` is the player's name or side if known."""

    kind: ClassVar[str] = "event"
    step: int
    actor: str | None = None

    def text(self) -> str:
        """Return what happened, in plain words."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed(Event):
    """A piece came onto the table; ``copy_of`` names nothing, since a log does not say it."""

    kind: ClassVar[str] = "placed"
    piece: Thing
    at: Place

    def text(self) -> str:
        """Return what happened, in plain words."""
        return f"{self.piece.name} placed at {self.at.text()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Event):
    """A piece went from a place to another; ``from_deck`` cards are :class:`Drawn` instead.

    ``recorded`` is where the log says that it started, if the table knew better.
    """

    kind: ClassVar[str] = "moved"
    piece: Thing
    start: Place
    end: Place
    recorded: Place | None = None

    def text(self) -> str:
        """Return what happened, in plain words."""
        start, end = self.start.text(other=self.end), self.end.text(other=self.start)
        suffix = f" ({self.end.map})" if self.start.map == self.end.map is not None else ""
        return f"{self.piece.name}  {start} → {end}{suffix}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn(Event):
    """A card left a deck."""

    kind: ClassVar[str] = "drawn"
    piece: Thing
    deck: str
    end: Place

    def text(self) -> str:
        """Return what happened, in plain words."""
        return f"{self.piece.name} drawn from {self.deck} to {self.end.text()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Removed(Event):
    """A piece left the game."""

    kind: ClassVar[str] = "removed"
    piece: Thing
    start: Place

    def text(self) -> str:
        """Return what happened, in plain words."""
        return f"{self.piece.name} removed from {self.start.text()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flipped(Event):
    """A layer shows another level; level 0 or less is switched off, names may be empty."""

    kind: ClassVar[str] = "flipped"
    piece: Thing
    at: Place
    layer: str
    old: int
    new: int
    old_name: str = ""
    new_name: str = ""

    def text(self) -> str:
        """Return what happened, in plain words."""
        layer = f" {self.layer}" if self.layer else ""
        old = self.old_name or _level(self.old)
        new = self.new_name or _level(self.new)
        return f"{self.piece.name} flipped:{layer} {old} → {new}, at {self.at.text()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned(Event):
    """A piece faces another way; angles in degrees, clockwise on the screen."""

    kind: ClassVar[str] = "turned"
    piece: Thing
    at: Place
    old: float
    new: float

    def text(self) -> str:
        """Return what happened, in plain words."""
        return f"{self.piece.name} turned {self.old:g}° → {self.new:g}°, at {self.at.text()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Concealed(Event):
    """A piece was masked or made invisible by a player, or shown again.

    ``how`` is *mask* or *invisible*; ``by`` is the player or side, also of what ends.
    """

    kind: ClassVar[str] = "concealed"
    piece: Thing
    at: Place
    how: str
    is_on: bool
    by: str | None = None

    def text(self) -> str:
        """Return what happened, in plain words."""
        verb = {
            ("mask", True): "turned face down",
            ("mask", False): "turned face up",
            ("invisible", True): "made invisible",
            ("invisible", False): "made visible",
        }[self.how, self.is_on]
        by = f" by {self.by}" if self.by and self.is_on else ""
        return f"{self.piece.name} {verb}{by}, at {self.at.text()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed(Event):
    """A property or a text of a piece changed; both values are None if they are not ours to tell.

    Traits of a module's own code are told without values, since these may hold players' ids.
    """

    kind: ClassVar[str] = "changed"
    piece: Thing
    at: Place
    name: str
    old: str | None
    new: str | None

    def text(self) -> str:
        """Return what happened, in plain words."""
        values = "" if self.new is None else f" {_quoted(self.old or '')} → {_quoted(self.new)}"
        return f"{self.piece.name} changed: {self.name}{values}, at {self.at.text()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked(Event):
    """A piece got its mark "has moved", or lost it."""

    kind: ClassVar[str] = "marked"
    piece: Thing
    is_on: bool

    def text(self) -> str:
        """Return what happened, in plain words."""
        return f"{self.piece.name} {'marked as moved' if self.is_on else 'no longer marked'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shuffled(Event):
    """The cards of a deck lie in another order, or the pieces of a stack do."""

    kind: ClassVar[str] = "shuffled"
    deck: str
    cards: int
    is_deck: bool = True

    def text(self) -> str:
        """Return what happened, in plain words."""
        if self.is_deck:
            return f"deck {self.deck}: another order of {self.cards} cards"
        return f"stack at {self.deck}: another order of {self.cards} pieces"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled(Event):
    """Dice were rolled: what the log has beside the report, or the faces of symbol dice.

    ``result`` is the text that VASSAL wrote (a total, or faces with commas), ``total`` its sum,
    ``faces`` the indexes from 0 of symbol dice. ``report`` is the line that all saw, empty if none.
    """

    kind: ClassVar[str] = "rolled"
    dice: str
    result: str = ""
    total: int | None = None
    kept: int | None = None
    summary: str = ""
    faces: tuple[int, ...] = ()
    report: str = ""

    def text(self) -> str:
        """Return what happened, in plain words."""
        shown = self.result or ", ".join(map(str, self.faces))
        return f"{self.dice} rolled: {shown}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Said(Event):
    """A line in the chat, as text; a line with a speaker was typed by a player.

    Never take a line alone for evidence: anyone can type anything.
    """

    kind: ClassVar[str] = "said"
    words: str
    speaker: str | None = None

    @property
    def is_report(self) -> bool:
        """Whether the program wrote the line, and nobody typed it."""
        return self.speaker is None

    def text(self) -> str:
        """Return what happened, in plain words."""
        return self.words if self.speaker is None else f"{self.speaker}: {self.words}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnChanged(Event):
    """A turn tracker shows something else; texts as far as the module tells them."""

    kind: ClassVar[str] = "turn"
    tracker: str
    old: str
    new: str

    def text(self) -> str:
        """Return what happened, in plain words."""
        return f"turn: {self.old or '?'} → {self.new}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertyChanged(Event):
    """A global property changed; ``container`` is the module, a map, or map and zone."""

    kind: ClassVar[str] = "property"
    name: str
    old: str
    new: str
    container: str = ""

    def text(self) -> str:
        """Return what happened, in plain words."""
        inside = f" ({self.container})" if self.container and self.container != "Module" else ""
        return f"{self.name}{inside}: {_quoted(self.old)} → {_quoted(self.new)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined(Event):
    """A player took a side; without a side he watches."""

    kind: ClassVar[str] = "joined"
    player: str
    side: str | None

    def text(self) -> str:
        """Return what happened, in plain words."""
        return f"{self.player} plays {self.side}" if self.side else f"{self.player} watches"


@dataclass(frozen=True, slots=True, kw_only=True)
class Left(Event):
    """A player gave up a side."""

    kind: ClassVar[str] = "left"
    player: str
    side: str | None

    def text(self) -> str:
        """Return what happened, in plain words."""
        return f"{self.player} leaves {self.side or 'the game'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardsChanged(Event):
    """A map shows other boards."""

    kind: ClassVar[str] = "boards"
    map: str
    boards: tuple[str, ...]

    def text(self) -> str:
        """Return what happened, in plain words."""
        return f"{self.map} shows board {', '.join(self.boards) or 'none'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted(Event):
    """A note was written; the words of private and secret ones are not told."""

    kind: ClassVar[str] = "noted"
    where: str
    words: str | None = None

    def text(self) -> str:
        """Return what happened, in plain words."""
        return f"{self.where} written" + ("" if self.words is None else f": {self.words}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone(Event):
    """A step was taken back; None if the log does not show which."""

    kind: ClassVar[str] = "undone"
    undone_step: int | None

    def text(self) -> str:
        """Return what happened, in plain words."""
        return "undo" if self.undone_step is None else f"undo of step {self.undone_step}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Replaced(Event):
    """The whole table was put anew, as when a game is loaded."""

    kind: ClassVar[str] = "replaced"
    pieces: int

    def text(self) -> str:
        """Return what happened, in plain words."""
        return f"the whole table was put anew: {self.pieces} pieces"


def describe(event: Event) -> str:
    r"""Return an event as one line of text, whatever is in its names.

    >>> describe(Said(step=1, words="a\nb", speaker="Rosa"))
    'Rosa: a b'
    """
    return on_one_line(event.text())


def event_data(event: Event) -> dict[str, Any]:
    """Return an event as plain data for JSON, keys in a fixed order, empty ones left out.

    >>> event_data(Said(step=3, actor="Rosa", words="hello", speaker="Rosa"))
    {'step': 3, 'event': 'said', 'actor': 'Rosa', 'words': 'hello', 'speaker': 'Rosa'}
    """
    data: dict[str, Any] = {"step": event.step, "event": event.kind}
    for field in dataclasses.fields(event):
        value = getattr(event, field.name)
        if field.name == "step" or value is None or value == "":
            continue
        data[field.name] = _plain(value)
    return data


def _plain(value: object) -> object:
    if isinstance(value, (Thing, Place)):
        found = {f.name: getattr(value, f.name) for f in dataclasses.fields(value)}
        return {name: part for name, part in found.items() if part not in (None, "")}
    return list(value) if isinstance(value, tuple) else value


def on_one_line(text: str) -> str:
    """Return a text without line breaks and control characters, for terminals.

    Anything that a terminal might obey, escape sequences first, becomes a blank.
    """
    return "".join(c if c.isprintable() else " " for c in text)


def _quoted(text: str) -> str:
    return text or "(empty)"


def _level(level: int) -> str:
    return f"level {level}" if level > 0 else "off"

"""A piece on its way to another state: what each event does to its traits.

The inverse of ``replay_changes``, with what VASSAL notes beside and no event tells: the last place,
the trail, where a piece was sent from. Sources: VASSAL classes ``counters.DynamicProperty``,
``Obscurable``, ``MovementMarkable``, ``Footprint``, ``SendToLocation``, ``BasicPiece``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from builder.gamebox.events import Changed, Concealed, Flipped, Turned
from builder.problems import BuilderError
from builder.vassal.pieces import Piece
from builder.vassal.replay_names import Lookup, level_of
from builder.vassal.replay_table import Spread
from builder.vassal.sequence import split
from builder.vassal.traits import (
    BasicPiece,
    CanRotate,
    DynamicProperty,
    Invisible,
    Layer,
    MarkWhenMoved,
    Mask,
    MovementTrail,
    OldLayer,
    PropertySheet,
    SendToLocation,
    TextLabel,
    Trait,
)

__all__ = ["Draft", "RecordError", "has_trait", "is_masked", "is_moved"]

_PROPERTY_ORDER: Final = (
    "OldZone", "ClickedX", "OldLocationName", "ClickedY", "OldX", "OldY", "OldBoard", "OldMap",
)  # fmt: skip
"""The order in which VASSAL writes persistent properties, that of Java's hash table."""

Hider = Callable[[tuple[str, ...], str | None], str]
"""Gives the id or side that a mask of this access notes for a player or side, None the actor."""


class RecordError(BuilderError):
    """An event that no log of this table can show; the message names piece and event."""


def has_trait(piece: Piece | None, kind: type[Trait]) -> bool:
    """Return whether a piece has a trait of this class."""
    return piece is not None and any(isinstance(trait, kind) for trait in piece.traits)


def is_moved(piece: Piece | None) -> bool:
    """Return whether a piece bears the mark "has moved"."""
    return piece is not None and any(
        isinstance(trait, MarkWhenMoved) and trait.moved for trait in piece.traits
    )


def is_masked(piece: Piece | None) -> bool:
    """Return whether a piece lies face down for somebody."""
    return piece is not None and any(
        isinstance(trait, Mask) and trait.masked_by is not None for trait in piece.traits
    )


class Draft:
    """The traits of one piece while a step changes them; :meth:`piece` is what they are then."""

    def __init__(self, piece: Piece, label: str) -> None:
        """Begin with a piece; ``label`` names it in errors."""
        self._before = piece
        self._traits = list(piece.traits)
        self._basic = piece.basic
        self._label = label
        self._flips: list[Flipped] = []

    def piece(self, lookup: Lookup) -> Piece:
        """Return the piece as it is now, the very same one if nothing changed.

        Raises :class:`RecordError` if a layer that follows a property does not show what a
        :class:`Flipped` event says.
        """
        for event in self._flips:
            self._follow(event, lookup)
        self._flips.clear()
        return self._piece()

    def _piece(self) -> Piece:
        same = all(new is old for new, old in zip(self._traits, self._before.traits, strict=True))
        if same and self._basic is self._before.basic:
            return self._before
        return Piece(tuple(self._traits), self._basic)

    # --- what events say ----------------------------------------------------------------------

    def change(self, event: Changed) -> None:
        """Set a property or a text; an old value that is told must be the present one."""
        if event.new is None:
            raise self._wrong(f"{event.name} changes to a value that is not told")
        found = [
            (at, value) for at, trait in enumerate(self._traits)
            for value in _held(trait, event.name)
        ]  # fmt: skip
        if not found:
            raise self._wrong(f"it has no property {event.name!r}")
        fitting = [at for at, value in found if event.old in (None, value)]
        if not fitting:
            raise self._wrong(f"{event.name} is {found[0][1]!r}, and not {event.old!r}")
        self._traits[fitting[0]] = _with_value(self._traits[fitting[0]], event.name, event.new)

    def flip(self, event: Flipped) -> None:
        """Set the level of a layer; one that follows a property is only compared."""
        for at, trait in enumerate(self._traits):
            if not _is_layer(trait, event.layer):
                continue
            if isinstance(trait, Layer) and trait.follow:
                self._flips.append(event)
                return
            if isinstance(trait, Layer | OldLayer) and trait.level == event.old:
                self._traits[at] = trait.restated(level=event.new)
                return
        raise self._wrong(f"it has no layer {event.layer!r} at level {event.old}")

    def turn(self, event: Turned) -> None:
        """Set the angle, given in degrees clockwise on the screen."""
        for at, trait in enumerate(self._traits):
            if isinstance(trait, CanRotate):
                if trait.facings == 1:
                    self._traits[at] = trait.restated(angle=-event.new % -360.0)
                else:
                    facing = round(event.new * trait.facings / 360) % max(1, trait.facings)
                    self._traits[at] = trait.restated(facing=facing)
                return
        raise self._wrong("it cannot be turned")

    def conceal(self, event: Concealed, hider: Hider) -> None:
        """Put a mask on or take it off, or make the piece invisible or visible, unless it is so."""
        kind = Mask if event.how == "mask" else Invisible
        found = [at for at, trait in enumerate(self._traits) if isinstance(trait, kind)]
        if not found:
            raise self._wrong(f"it has no trait for {event.how!r}")
        for at in found:
            trait = self._traits[at]
            if isinstance(trait, Mask) and event.is_on == (trait.masked_by is None):
                self._traits[at] = _masked(trait, event, hider)
                return
            if isinstance(trait, Invisible) and event.is_on == (trait.hidden_by is None):
                owner = hider(trait.access, event.by) if event.is_on else None
                self._traits[at] = trait.restated(hidden_by=owner)
                return

    # --- what VASSAL does by itself -----------------------------------------------------------

    def mark(self, is_on: bool, at: Spread, map_id: str) -> None:
        """Set or clear the mark of a moved piece; its trail grows, or begins anew where it is."""
        for index, trait in enumerate(self._traits):
            if isinstance(trait, MarkWhenMoved) and trait.moved != is_on:
                self._traits[index] = trait.restated(moved=is_on)
            elif isinstance(trait, MovementTrail):
                self._traits[index] = _trail(trait, is_on, f"{at.x},{at.y}", map_id)

    def note_sent(self, start: Spread) -> None:
        """Note in all traits that send the piece where it came from; they share that memory."""
        values = {"back_map": start.map or "", "back_x": str(start.x), "back_y": str(start.y)}
        for index, trait in enumerate(self._traits):
            if isinstance(trait, SendToLocation):
                sent = trait.restated(**values)
                if sent != trait:
                    self._traits[index] = sent

    def stand(self, at: Spread) -> None:
        """Put the place into the innermost part; a map of None says that a stack holds it."""
        basic = self._basic
        if isinstance(basic, BasicPiece) and (basic.map, basic.x, basic.y) != at:
            self._basic = basic.restated(map=at.map, x=at.x, y=at.y)

    def note_last_place(self, values: Mapping[str, str]) -> int:
        """Set persistent properties; return how many of them changed."""
        basic = self._basic
        if not isinstance(basic, BasicPiece):
            return 0
        known = dict(basic.properties)
        changed = sum(known.get(name) != value for name, value in values.items())
        if changed:
            self._basic = basic.restated(properties=_in_order((known | dict(values)).items()))
        return changed

    # --- inside -------------------------------------------------------------------------------

    def _follow(self, event: Flipped, lookup: Lookup) -> None:
        """Compare a layer that follows a property; one of an expression too clever is set."""
        for at, trait in enumerate(self._traits):
            if not (isinstance(trait, Layer) and trait.follow and _is_layer(trait, event.layer)):
                continue
            piece = self._piece()
            if level_of(trait, piece, lookup) == event.new:
                return
            told = trait.restated(level=event.new)
            if level_of(told, piece, lookup) == event.new:
                self._traits[at] = told
                return
        raise self._wrong(f"layer {event.layer!r} follows a property that does not show that level")

    def _wrong(self, what: str) -> RecordError:
        return RecordError(f"{self._label}: {what}")


def _held(trait: Trait, name: str) -> Iterable[str]:
    """Yield the value of the property of this name, as ``replay_changes`` tells it."""
    if isinstance(trait, DynamicProperty):
        return [trait.value] if trait.name == name else []
    if isinstance(trait, TextLabel):
        return [trait.label] if name == (trait.description or "label") else []
    if isinstance(trait, PropertySheet):
        fields = [text[1:] for text in trait.definition]
        if name in fields:
            at = fields.index(name)
            return [trait.values[at] if at < len(trait.values) else ""]
    return []


def _with_value(trait: Trait, name: str, value: str) -> Trait:
    if isinstance(trait, DynamicProperty):
        return trait if trait.value == value else trait.restated(value=value)
    if isinstance(trait, TextLabel):
        return trait if trait.label == value else trait.restated(label=value)
    assert isinstance(trait, PropertySheet), "no other trait holds a property of that name"
    at = [text[1:] for text in trait.definition].index(name)
    values = [*trait.values, *[""] * (at + 1 - len(trait.values))]
    values[at] = value
    return trait.restated(values=tuple(values))


def _is_layer(trait: Trait, name: str) -> bool:
    if isinstance(trait, Layer):
        return name == (trait.name or trait.description)
    return isinstance(trait, OldLayer) and not name


def _masked(trait: Mask, event: Concealed, hider: Hider) -> Mask:
    if not event.is_on:
        return trait.restated(masked_by=None, options="")
    return trait.restated(masked_by=hider(trait.access, event.by), options="false|0")


def _trail(trait: MovementTrail, is_on: bool, here: str, map_id: str) -> MovementTrail:
    if is_on and trait.points[-1:] == (here,):
        points = trait.points
    else:
        points = (*trait.points, here) if is_on else (here,)
    # A trail that was cleared is invisible again if it was so at first.
    visible = trait.visible if is_on else trait.initially_visible
    head = ["true" if visible else "false", map_id if is_on else trait.map, str(len(points))]
    # What a newer VASSAL writes behind the points is kept, and left out where 3.6 wrote none.
    rest = split(trait.state_string(), ";")[3 + len(trait.points) :]
    text = ";".join([*head, *points, *rest])
    return trait if text == trait.state_string() else trait.with_state(text)


def _in_order(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    known = {name: at for at, name in enumerate(_PROPERTY_ORDER)}
    return tuple(sorted(pairs, key=lambda pair: known.get(pair[0], -1)))

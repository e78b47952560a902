"""What a piece is called at a moment, the properties that it shows, and who may see it.

VASSAL asks the outermost trait for the name, and each trait passes the question inwards and changes
the answer: layers, labels, masks. Sources: VASSAL classes ``counters.Embellishment``, ``Labeler``,
``Obscurable``, ``Hideable``, ``BasicName``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from builder.vassal.pieces import Piece
from builder.vassal.replay_expressions import evaluate
from builder.vassal.sequence import split
from builder.vassal.traits import (
    BasicName,
    BasicPiece,
    CalculatedProperty,
    CanRotate,
    DoesNotStack,
    DynamicProperty,
    Invisible,
    Layer,
    Marker,
    Mask,
    Mat,
    OldLayer,
    PropertySheet,
    TextLabel,
    Trait,
)

__all__ = [
    "Lookup",
    "Viewer",
    "is_stackable",
    "level_name",
    "level_of",
    "piece_name",
    "property_of",
]

Lookup = Callable[[str], str | None]
"""Gives the value of a global property by its name, None if there is none."""

_PLACEHOLDER: Final = re.compile(r"\$([^$]+)\$")
_WHOLE: Final = re.compile(r"[+-]?\d{1,9}")
_MAX_QUESTIONS: Final = 100
_MAX_NAME: Final = 300
UNKNOWN: Final = "?"
"""VASSAL's name of what one may not see."""


class Viewer(NamedTuple):
    """Whose eyes look at the table: all that VASSAL compares an owner with."""

    ids: frozenset[str]
    side: str | None

    def owns(self, owner: str, access: tuple[str, ...]) -> bool:
        """Return whether what ``owner`` hid is this player's own."""
        return owner in self.ids if access[:1] == ("player:",) else owner == self.side


def is_stackable(piece: Piece | None) -> bool:
    """Return whether the piece lies in stacks at all."""
    if piece is None:
        return True
    return not any(
        isinstance(trait, Mat) or (isinstance(trait, DoesNotStack) and not trait.stack)
        for trait in piece.traits
    )


def level_of(trait: Layer | OldLayer, piece: Piece, lookup: Lookup) -> int:
    """Return the level that the layer shows; 0 or less is off.

    A layer that follows a property has a state too, but a stale one: VASSAL takes the property.
    """
    if isinstance(trait, OldLayer) or not trait.follow:
        return trait.level
    value = _value_of(trait.follow_expression, piece, lookup)
    if value is None or not _WHOLE.fullmatch(value):
        return trait.level
    return min(max(int(value) - trait.first_level_value + 1, 1), max(1, len(trait.images)))


def level_name(trait: Layer | OldLayer, level: int) -> str:
    """Return the name of a level as the module has it, with its plus sign; empty if none."""
    if level < 1:
        return ""
    if isinstance(trait, OldLayer):
        texts = trait.levels[level - 1][1:2] if level <= len(trait.levels) else ()
        return texts[0] if texts else ""
    return trait.names[level - 1] if level <= len(trait.names) else ""


def piece_name(piece: Piece, lookup: Lookup, viewer: Viewer | None = None) -> str:
    """Return what VASSAL calls the piece; ``viewer`` None sees everything as it is.

    For a viewer, what others masked has the mask's name, what they made invisible is ``?``.
    """
    name = piece.name
    for trait in reversed(piece.traits):
        if isinstance(trait, Layer | OldLayer):
            # what a property says is worked out only for layers that can change the name
            if isinstance(trait, Layer) and not any(trait.names):
                continue
            name = _with_level(name, level_name(trait, level_of(trait, piece, lookup)))
        elif isinstance(trait, TextLabel):
            if trait.label or trait.always_use_format:
                name = _labelled(name, trait)
        elif isinstance(trait, BasicName):
            name = _value_of(trait.name, piece, lookup) or name
        elif isinstance(trait, Mask):
            if viewer and trait.masked_by and not viewer.owns(trait.masked_by, trait.access):
                name = trait.mask_name or UNKNOWN
        elif (
            isinstance(trait, Invisible)
            and viewer
            and trait.hidden_by
            and not viewer.owns(trait.hidden_by, trait.access)
        ):
            name = UNKNOWN
        # Labels that repeat the name twice would double it with each of them.
        name = name[:_MAX_NAME]
    return name


def _with_level(name: str, level: str) -> str:
    if not level:
        return name
    first, *rest = split(level, "+")
    if not rest:
        return first
    return first + name if first else name + rest[0]


def _labelled(name: str, trait: TextLabel) -> str:
    if trait.name_format.startswith("{"):
        return name
    texts = {"pieceName": name, "label": trait.label, "propertyName": trait.property}
    return _PLACEHOLDER.sub(lambda found: texts.get(found[1], found[0]), trait.name_format).strip()


def property_of(name: str, piece: Piece, lookup: Lookup) -> str | None:
    """Return the value that VASSAL's piece gives for a property, else the global one's.

    Plain expressions are computed, cleverer ones have no value.
    """
    return _Asker(piece, lookup).property_of(name)


def _value_of(expression: str, piece: Piece, lookup: Lookup) -> str | None:
    return _Asker(piece, lookup).value_of(expression)


class _Asker:
    """One question to a piece, which may lead to others, but not without end."""

    def __init__(self, piece: Piece, lookup: Lookup) -> None:
        self._piece = piece
        self._lookup = lookup
        self._left = _MAX_QUESTIONS

    def property_of(self, name: str) -> str | None:
        """Return the value of a property."""
        self._left -= 1
        if self._left < 0:
            return None
        found = _own_values(self._piece).get(name)
        if found is not None:
            value, is_expression = found
            return self.value_of(value) if is_expression else value
        basic = self._piece.basic
        if isinstance(basic, BasicPiece):
            if name == "BasicName":
                return basic.name
            for key, text in basic.properties:
                if key == name:
                    return text
        return self._lookup(name)

    def value_of(self, expression: str) -> str | None:
        """Return the value of a property's name, of ``$name$`` or of a plain ``{expression}``."""
        text = expression.strip()
        if text.startswith("{") and text.endswith("}"):
            return evaluate(text[1:-1], self.property_of)
        found = _PLACEHOLDER.fullmatch(text)
        if found:
            return self.property_of(found[1])
        if "{" in text or "$" in text:
            return None
        return self.property_of(text) or text


_values: dict[int, tuple[Piece, dict[str, tuple[str, bool]]]] = {}
"""What pieces say of themselves, by their identity; the piece is kept so that it stays its own."""
_MAX_VALUES: Final = 1024


def _own_values(piece: Piece) -> Mapping[str, tuple[str, bool]]:
    """Return property to value, and whether it is an expression; the outermost trait counts."""
    known = _values.get(id(piece))
    if known is not None and known[0] is piece:
        return known[1]
    found: dict[str, tuple[str, bool]] = {}
    for trait in piece.traits:
        for name, value, is_expression in _told(trait):
            found.setdefault(name, (value, is_expression))
    if len(_values) >= _MAX_VALUES:
        _values.clear()
    _values[id(piece)] = (piece, found)
    return found


def _told(trait: Trait) -> Iterator[tuple[str, str, bool]]:
    """Yield name and value of each property of a trait, and whether the value is an expression."""
    if isinstance(trait, DynamicProperty):
        yield trait.name, trait.value, False
    elif isinstance(trait, Marker):
        for key, value in trait.properties:
            yield key, value, False
    elif isinstance(trait, TextLabel):
        yield trait.property, trait.label, False
    elif isinstance(trait, Layer):
        if trait.name:
            yield f"{trait.name}_Level", str(abs(trait.level)), False
    elif isinstance(trait, CanRotate):
        if trait.name:
            yield f"{trait.name}_Facing", str(trait.facing + 1), False
    elif isinstance(trait, PropertySheet):
        for field, value in zip(trait.definition, trait.values, strict=False):
            yield field[1:], value, False
    elif isinstance(trait, CalculatedProperty):
        yield trait.name, trait.expression, True

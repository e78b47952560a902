"""Pieces: traits nested around a BasicPiece, stacks, decks, and the texts that define them.

Type and state of a piece are two parallel nestings, outermost trait first: the k-th TAB carries
k - 1 backslashes. Sources: VASSAL classes ``counters.Decorator``, ``counters.Stack``,
``counters.Deck``, ``counters.PieceCloner``, ``build.module.BasicCommandEncoder``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import Any

from builder.problems import BuilderError, UnreadableError, did_you_mean
from builder.vassal.codec_base import unfrozen
from builder.vassal.codecs import Int
from builder.vassal.decks import Deck
from builder.vassal.sequence import UnencodableError, join, split
from builder.vassal.traits import (
    MODULE_VERSION,
    BasicPiece,
    Comment,
    Opaque,
    PlaceMarker,
    Prototype,
    Trait,
)
from builder.vassal.traits_base import parse_type

__all__ = [
    "Deck",
    "Piece",
    "Stack",
    "decode",
    "decode_piece",
    "encode_piece",
    "expand",
    "gpids_of",
    "parse_slot",
    "pictures_of",
    "slot_text",
    "unresolved_prototypes",
]

_MAX_TRAITS = 2000
_MAX_PLAIN = 200
"""More texts are peeled one by one."""
_MAX_WORK = 8 * 2**20
"""Characters that nesting or peeling one piece may copy where it cannot be done in one pass."""
_MAX_DEPTH = 50
_MAX_VISITS = 100_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece: its traits, outermost first, and the BasicPiece in the middle.

    The middle is an :class:`~builder.vassal.traits.Opaque` if a module brought its own.
    """

    traits: tuple[Trait, ...] = ()
    basic: BasicPiece | Opaque = dataclasses.field(default_factory=BasicPiece)
    _read: tuple[str, str] | None = dataclasses.field(
        default=None, init=False, compare=False, repr=False
    )

    @property
    def name(self) -> str:
        """The basic name."""
        return self.basic.name if isinstance(self.basic, BasicPiece) else ""

    def parts(self) -> tuple[Trait, ...]:
        """All traits, and the BasicPiece at the end."""
        return (*self.traits, self.basic)


_INT = Int()
_new = object.__new__
_Draft: Any = unfrozen(Piece)


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack, whose type is the bare word ``stack``; members are ids from bottom to top."""

    map: str | None = None
    x: int = 0
    y: int = 0
    members: tuple[str, ...] = ()
    layer: int | None = -1
    """Index of the game piece layer; -1 is not set, None is absent as in old files."""

    @staticmethod
    def parse(state: str) -> Stack:
        """Return the stack of a state.

        >>> Stack.parse("Main Map;138;90;17;18;@@0")
        Stack(map='Main Map', x=138, y=90, members=('17', '18'), layer=0)
        """
        map_name, *rest = split(state, ";")
        layer = None
        members = rest[2:]
        if "@@" in state:
            layers = [token for token in members if token[:2] == "@@"]
            members = [token for token in members if token[:2] != "@@"]
            layer = _int(layers[-1][2:], -1) if layers else None
        x = _int(rest[0], 0) if rest else 0
        y = _int(rest[1], 0) if len(rest) > 1 else 0
        return Stack(None if map_name == "null" else map_name, x, y, tuple(members), layer)

    def state_string(self) -> str:
        """Return the state in VASSAL's own form."""
        tokens = ["null" if self.map is None else self.map, str(self.x), str(self.y), *self.members]
        if self.layer is not None:
            tokens.append(f"@@{self.layer}")
        return join(tokens, ";")


@lru_cache(maxsize=1 << 14)
def _int(token: str, default: int) -> int:
    try:
        return _INT.read(token)
    except ValueError:
        return default


def encode_piece(piece: Piece, version: str = MODULE_VERSION) -> tuple[str, str]:
    """Return type and state of a piece.

    >>> from builder.vassal.traits import Marker
    >>> unit = Piece(
    ...     (Marker(properties=(("Side", "German"),)), Prototype(name="Unit")),
    ...     BasicPiece(image="inf.png", name="Infantry", gpid="12"),
    ... )
    >>> encode_piece(unit)[0].split(chr(9))
    ['mark;Side', 'prototype;Unit\\\\', 'piece;;;inf.png;Infantry']
    """
    if piece._read is not None:
        return piece._read
    parts = piece.parts()
    texts = _nest([part.type_string(version) for part in parts])
    states = _nest([part.state_string() for part in parts])
    if "\x1b" in texts or "\x1b" in states:
        raise UnencodableError(f"VASSAL cannot carry an escape character, in piece {piece.name!r}")
    return texts, states


def _nest(texts: list[str]) -> str:
    """Return the texts nested by TAB."""
    for text in texts:
        if text and (text[0] in "\\'" or text[-1] == "\\" or "\t" in text):
            break
    else:
        # No text needs quotes or escapes of its own: only the TABs between them deepen.
        return "".join(
            [text if at == 0 else _tab(at) + text for at, text in enumerate(texts)],
        )
    nested = texts[-1]
    work = 0
    for text in reversed(texts[:-1]):
        work += len(nested)
        if work > _MAX_WORK:
            raise UnencodableError("a piece is nested too deeply for its length")
        nested = join([text, nested], "\t")
    return nested


@lru_cache(maxsize=_MAX_TRAITS)
def _tab(depth: int) -> str:
    return "\\" * (depth - 1) + "\t"


def decode_piece(type_text: str, state_text: str) -> Piece:
    """Return the piece; encoding it again gives the same two texts.

    Raises :class:`UnreadableError` if the state has fewer parts than the type, where VASSAL gives
    up too.
    """
    parts, is_canonical = _decode_type(type_text)
    states = _peel_plain(state_text, len(parts))
    if states is None:
        is_canonical = False
        states = _peel(state_text, len(parts))
    if len(states) < len(parts):
        raise UnreadableError(
            f"the state of a piece has {len(states)} parts, its type {len(parts)}: {type_text!r}"
        )
    *traits, basic = [part.with_state(text) for part, text in zip(parts, states, strict=True)]
    if not isinstance(basic, BasicPiece):
        is_canonical = False
        basic = Opaque(raw_type=basic.type_string(), raw_state=basic.state_string())
    piece = _new(_Draft)
    piece.traits = tuple(traits)
    piece.basic = basic
    piece._read = None
    piece.__class__ = Piece
    done: Piece = piece
    if not is_canonical and not _is_encoded_as(done, type_text, state_text):
        # Surplus parts, or quotes where VASSAL itself would write none.
        object.__setattr__(done, "_read", (type_text, state_text))
    return done


def _is_encoded_as(piece: Piece, type_text: str, state_text: str) -> bool:
    try:
        return encode_piece(piece) == (type_text, state_text)
    except UnencodableError:
        return False


def _peel_plain(text: str, count: int) -> list[str] | None:
    """Return so many nested texts if they stand as VASSAL nests texts without a need for quotes."""
    parts = text.split("\t")
    if len(parts) != count or count > _MAX_PLAIN or "'" in text or "\x1b" in text:
        return None
    last = parts[-1]
    parts = [part.rstrip("\\") for part in parts]
    parts[-1] = last
    together = "\t".join(parts)
    if together[:1] == "\\" or "\t\\" in together or _template(count) % tuple(parts) != text:
        return None
    return parts


@lru_cache(maxsize=_MAX_PLAIN)
def _template(count: int) -> str:
    """Return how so many texts are nested: the TAB behind part k has k backslashes."""
    return "".join(["%s" if at == 0 else _tab(at) + "%s" for at in range(count)])


def _peel(text: str, limit: int) -> list[str]:
    """Return the nested texts, outermost first, at most so many; surplus parts are no one's."""
    parts = text.split("\t")
    if len(parts) <= limit and text[:1] != "'" and "\t'" not in text:
        # As VASSAL nests them, the TAB behind part k has k backslashes: one pass is enough.
        for depth, part in enumerate(parts[:-1]):
            bare = part.rstrip("\\")
            if len(part) - len(bare) != depth:
                break
            parts[depth] = bare
        else:
            return parts
    peeled: list[str] = []
    work = 0
    while len(peeled) < limit - 1:
        work += len(text)
        if work > _MAX_WORK:
            raise UnreadableError("a piece is nested too deeply for its length")
        outer, *inner = split(text, "\t")
        peeled.append(outer)
        if not inner:
            return peeled
        text = inner[0]
    peeled.append(text)
    return peeled


@lru_cache(maxsize=1 << 14)
def _decode_type(text: str) -> tuple[tuple[Trait, ...], bool]:
    """Return the traits of a type, and whether they are nested as VASSAL does it."""
    texts = _peel(text, _MAX_TRAITS) if text.count("\t") < _MAX_TRAITS else []
    if not 0 < len(texts) < _MAX_TRAITS:
        raise UnreadableError(f"a piece with more than {_MAX_TRAITS} traits: {text[:80]!r}")
    try:
        is_canonical = "\x1b" not in text and _nest(texts) == text
    except UnencodableError:
        is_canonical = False
    return tuple([parse_type(part) for part in texts]), is_canonical


def decode(type_text: str, state_text: str) -> Piece | Stack | Deck:
    """Return whatever a type and a state say: a piece, a stack or a deck."""
    if type_text == "stack":
        return Stack.parse(state_text)
    if type_text.startswith(Deck.trait_id):
        deck = Trait.parse(type_text, state_text)
        assert isinstance(deck, Deck)
        return deck
    return decode_piece(type_text, state_text)


def slot_text(piece: Piece, version: str = MODULE_VERSION) -> str:
    r"""Return the definition ``+/null/type/state`` of a piece slot or a prototype.

    >>> slot_text(Piece(basic=BasicPiece(image="inf.png", name="Inf/Arm", gpid="1")))
    '+/null/piece;;;inf.png;Inf\\/Arm/null;0;0;1;0'
    """
    return "+/" + join(["null", *encode_piece(piece, version)], "/")


def parse_slot(text: str) -> Piece:
    """Return the piece of a definition; :class:`UnreadableError` if it is none."""
    tokens = split(text[2:], "/") if text.startswith("+/") else []
    if len(tokens) < 3:
        raise UnreadableError(f"no piece definition '+/null/type/state': {text[:80]!r}")
    return decode_piece(tokens[1], tokens[2])


def expand(piece: Piece, prototypes: Mapping[str, Piece]) -> Piece:
    """Return the piece as VASSAL makes it for play: prototypes replaced, comments dropped.

    A prototype that does not exist is silently no traits, as for VASSAL; see
    :func:`unresolved_prototypes`. Raises :class:`BuilderError` if prototypes go round in a circle.
    """
    return Piece(tuple(_expanded(piece.traits, prototypes, (), count(1))), piece.basic)


def _expanded(
    traits: Iterable[Trait],
    prototypes: Mapping[str, Piece],
    inside: tuple[str, ...],
    visits: Iterator[int],
) -> Iterator[Trait]:
    for trait in traits:
        # Without a circle, definitions that use each other twice still grow without bound.
        if next(visits) > _MAX_VISITS:
            raise BuilderError(f"prototypes expand to more than {_MAX_VISITS} traits")
        if isinstance(trait, Prototype):
            definition = prototypes.get(trait.name)
            if definition is None:
                continue
            if trait.name in inside:
                raise BuilderError(
                    "prototypes go in a circle: " + " > ".join((*inside, trait.name))
                )
            if trait.parameters:
                definition = _with_parameters(definition, dict(trait.parameters))
            yield from _expanded(definition.traits, prototypes, (*inside, trait.name), visits)
        elif not isinstance(trait, Comment):
            yield trait


def _with_parameters(definition: Piece, values: Mapping[str, str]) -> Piece:
    """Return the definition with ``$key$`` replaced in its text.

    VASSAL's formatter also takes the dollar signs off every other ``$name$`` in that text.
    """
    tokens = split(slot_text(definition, "999"), "$")
    last = len(tokens) - 1
    return parse_slot(
        "".join(
            values.get(token, token) if index % 2 and index < last else token
            for index, token in enumerate(tokens)
        )
    )


def unresolved_prototypes(
    pieces: Iterable[Piece], prototypes: Mapping[str, Piece]
) -> list[tuple[str, str]]:
    """Return what pieces and definitions ask for in vain: the missing name, and who asks.

    >>> unit = Piece((Prototype(name="Unti"),), BasicPiece(name="Infantry"))
    >>> unresolved_prototypes([unit], {"Unit": Piece()})
    [('Unti', "piece 'Infantry'; did you mean 'Unit'?")]
    """
    users = [(f"piece {piece.name!r}", piece) for piece in pieces]
    users += [(f"prototype {name!r}", piece) for name, piece in prototypes.items()]
    return [
        (trait.name, user + did_you_mean(trait.name, prototypes))
        for user, piece in users
        for trait in piece.traits
        if isinstance(trait, Prototype) and trait.name not in prototypes
    ]


def pictures_of(piece: Piece) -> tuple[str, ...]:
    """Return the pictures that a piece and the markers it places show, without VASSAL's own."""
    names = [
        name
        for member in _with_markers(piece)
        for part in member.parts()
        for name in part.pictures()
        if not name.startswith("/")
    ]
    return tuple(dict.fromkeys(names))


def gpids_of(piece: Piece) -> tuple[str, ...]:
    """Return the gpids of a piece, its own first, then those of its markers (VASSAL PR 253)."""
    own = piece.basic.gpid if isinstance(piece.basic, BasicPiece) else ""
    marks = [
        trait.gpid
        for member in _with_markers(piece)
        for trait in member.traits
        if isinstance(trait, PlaceMarker) and trait.gpid
    ]
    return (own, *marks)


def _with_markers(piece: Piece, depth: int = 0) -> Iterator[Piece]:
    yield piece
    if depth > _MAX_DEPTH:
        raise UnreadableError("markers place markers too deeply")
    for trait in piece.traits:
        if isinstance(trait, PlaceMarker) and (trait.marker or "").startswith("+/"):
            yield from _with_markers(parse_slot(trait.marker or ""), depth + 1)

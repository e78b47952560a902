"""Pieces in a text twin: a ``+`` line with the id, and below it one ``*`` line for each part.

``+ 17`` begins a piece, ``+ 18 stack map="Main Map" x=3 y=4 members=["17"]`` is a stack; a deck is
a piece of one part. The parts stand outermost first, BasicPiece last. What does not come back
exactly is ``+ 17 "type" "state"``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from builder.problems import BuilderError, UnreadableError
from builder.vassal.pieces import Piece, Stack, decode, encode_piece
from builder.vassal.sequence import UnencodableError, join, split
from builder.vassal.traits import (
    BasicPiece,
    Invisible,
    Mask,
    Opaque,
    RestrictedAccess,
    Trait,
)
from builder.vassal.twin_lines import INDENT, Block, Mistakes
from builder.vassal.twin_traits import read_trait, trait_line
from builder.vassal.twin_values import (
    Masking,
    TwinSyntaxError,
    quoted,
    read_entries,
    read_word,
    skip_blanks,
    value_text,
    word_text,
)

__all__ = [
    "AddedPiece",
    "Secrets",
    "add_lines",
    "has_player_id",
    "masked_state",
    "read_add",
    "split_add",
    "unmasked",
]


class AddedPiece(NamedTuple):
    """What a ``+/`` text says: the id, and type and state of a piece, a stack, or a deck."""

    id: str
    type: str
    state: str

    def text(self) -> str:
        """Return the command's text."""
        return "+/" + join(self, "/")


class Secrets(NamedTuple):
    """How player ids are put out of sight."""

    text: Masking
    """In any text: every id that occurs in it."""
    player: Callable[[str], str]
    """In a place that holds nothing but an id."""
    is_hiding: bool = True


def unmasked(text: str) -> str:
    """Return a text as it is, for twins that keep ids."""
    return text


def split_add(text: str) -> AddedPiece | None:
    """Return what a ``+/`` text says, None if joining it would not give the same text."""
    tokens = split(text[2:], "/")
    if not text.startswith("+/") or len(tokens) != 3:
        return None
    added = AddedPiece(*tokens)
    try:
        return added if added.text() == text else None
    except UnencodableError:
        return None


def add_lines(added: AddedPiece, secrets: Secrets, indent: str, word: str = "+") -> list[str]:
    """Return the lines of a piece, stack or deck."""
    head = f"{indent}{word} {word_text(added.id)}"
    try:
        found = decode(added.type, added.state)
    except UnreadableError:
        return [f"{head} {quoted(secrets.text(added.type))} {quoted(secrets.text(added.state))}"]
    if isinstance(found, Stack):
        if found.state_string() == added.state:
            return [head + " stack" + _stack_text(found, secrets)]
    else:
        parts: tuple[Trait, ...] = found.parts() if isinstance(found, Piece) else (found,)
        piece = found if isinstance(found, Piece) else None
        if piece is None or secrets.is_hiding or _is_plain(piece, added):
            begin = f"{indent}{INDENT}* "
            return [head, *[begin + _part_line(part, secrets) for part in parts]]
    return [f"{head} {quoted(secrets.text(added.type))} {quoted(secrets.text(added.state))}"]


def _is_plain(piece: Piece, added: AddedPiece) -> bool:
    try:
        return encode_piece(Piece(piece.traits, piece.basic)) == (added.type, added.state)
    except UnencodableError:
        return False


def _stack_text(stack: Stack, secrets: Secrets) -> str:
    """Return the fields of a stack; written out, since a save may hold 65,000 empty ones."""
    text = "" if stack.map is None else f" map={quoted(secrets.text(stack.map))}"
    text += f" x={stack.x} y={stack.y}"
    if stack.members:
        text += f" members={value_text(stack.members)}"
    return text if stack.layer is None else f"{text} layer={stack.layer}"


def _part_line(part: Trait, secrets: Secrets) -> str:
    if not secrets.is_hiding:
        return trait_line(part.type_string(), part.state_string())
    state = part.state_string()
    masked = masked_state(state, secrets) if has_player_id(part) else secrets.text(state)
    return trait_line(secrets.text(part.type_string()), masked)


def has_player_id(part: Trait) -> bool:
    """Return whether the state of a trait may hold the id of a player."""
    if isinstance(part, Invisible | Mask):
        return part.access == ("player:",)
    return isinstance(part, RestrictedAccess)


def masked_state(state: str, secrets: Secrets) -> str:
    """Return the state of a trait with its ids out of sight: the owner's, and behind a ``|`` and
    a count those of players who may unmask.
    """
    first, *options = split(state, ";")
    kept = []
    for option in options:
        tokens = split(option, "|")
        kept.append(join([*tokens[:2], *map(secrets.player, tokens[2:])], "|"))
    return join([secrets.player(first), *map(secrets.text, kept)], ";")


def read_add(block: Block, at: int, mistakes: Mistakes) -> tuple[AddedPiece | None, list[Block]]:
    """Return the piece whose id stands at an index of the block's line, and the blocks that are
    no parts of it; None for the piece if something is wrong, which is noted.
    """
    parts = [inner for inner in block.inner if inner.line.startswith("* ", inner.start)]
    others = [inner for inner in block.inner if not inner.line.startswith("* ", inner.start)]
    try:
        return _read_add(block, at, parts, mistakes), others
    except TwinSyntaxError as error:
        mistakes.add(block, error)
        return None, others


def _read_add(block: Block, at: int, parts: list[Block], mistakes: Mistakes) -> AddedPiece | None:
    line = block.line
    at = skip_blanks(line, at)
    name, at = read_word(line, at)
    at = skip_blanks(line, at)
    if at >= len(line):
        return _read_parts(name, block, parts, mistakes)
    if parts:
        raise TwinSyntaxError(at + 1, "a piece with parts below has nothing behind its id")
    if line[at] == '"':
        type_text, at = read_word(line, at)
        at = skip_blanks(line, at)
        state, at = read_word(line, at)
        _end(line, at)
        return AddedPiece(name, type_text, state)
    word, at = read_word(line, at)
    if word != "stack":
        raise TwinSyntaxError(at - len(word) + 1, f"expected 'stack', got {word!r}")
    entries, at = read_entries(line, at)
    _end(line, at)
    return AddedPiece(
        name, "stack", _read_stack({k: (e.value, e.column) for k, e in entries.items()}, block)
    )


_STACK_KINDS: dict[str, type] = {"map": str, "x": int, "y": int, "members": list, "layer": int}


def _read_stack(fields: dict[str, tuple[object, int]], block: Block) -> str:
    for key, (value, column) in fields.items():
        kind = _STACK_KINDS.get(key)
        if kind is None:
            known = ", ".join(_STACK_KINDS)
            raise TwinSyntaxError(column, f"no field {key!r} of a stack; known: {known}")
        if not isinstance(value, kind) or isinstance(value, bool):
            raise TwinSyntaxError(column, f"{key}: expected {_KIND_WORDS[kind]}, got {value!r}")
    values = {key: value for key, (value, _) in fields.items()}
    members = values.get("members", [])
    assert isinstance(members, list)
    stack = Stack(
        map=values.get("map"),  # type: ignore[arg-type]  # its kind was checked above
        x=values.get("x", 0),  # type: ignore[arg-type]  # its kind was checked above
        y=values.get("y", 0),  # type: ignore[arg-type]  # its kind was checked above
        members=tuple(map(str, members)),
        layer=values.get("layer"),  # type: ignore[arg-type]  # its kind was checked above
    )
    try:
        return stack.state_string()
    except UnencodableError as error:
        raise TwinSyntaxError(block.start + 1, str(error)) from None


_KIND_WORDS: dict[type, str] = {str: "a text", int: "a whole number", list: "a list"}


def _read_parts(
    name: str, block: Block, parts: list[Block], mistakes: Mistakes
) -> AddedPiece | None:
    traits: list[Trait] = []
    has_failed = False
    for part in parts:
        try:
            type_text, state = read_trait(part.line, part.start + 2)
            traits.append(Trait.parse(type_text, state))
        except TwinSyntaxError as error:
            mistakes.add(part, error)
            has_failed = True
        if part.inner:
            mistakes.say(part.inner[0].number, 1, "nothing can stand below a trait")
            has_failed = True
    if has_failed:
        return None
    if not traits:
        raise TwinSyntaxError(block.start + 1, "a piece without parts; its last is a BasicPiece")
    if len(traits) == 1 and not isinstance(traits[0], BasicPiece):
        return AddedPiece(name, traits[0].type_string(), traits[0].state_string())
    *outer, basic = traits
    if not isinstance(basic, BasicPiece):
        basic = Opaque(raw_type=basic.type_string(), raw_state=basic.state_string())
    try:
        return AddedPiece(name, *encode_piece(Piece(tuple(outer), basic)))
    except BuilderError as error:
        raise TwinSyntaxError(block.start + 1, str(error)) from None


def _end(line: str, at: int) -> None:
    at = skip_blanks(line, at)
    if at < len(line):
        raise TwinSyntaxError(at + 1, f"unexpected {line[at:]!r}")

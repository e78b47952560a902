"""Player ids out of sight: VASSAL stores a user's password as the id of the player.

Every id of a save is found where VASSAL writes one, and gets a placeholder, ``player-1`` and so
on in the order of first mention. The placeholder stands in all those places; and in any other
text too wherever the id occurs in it, since modules of their own write ids in ways of their own.
An id of one or two characters is replaced in its own places only: elsewhere it tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from builder.problems import UnreadableError
from builder.vassal.command_tree import CommandNode, walk
from builder.vassal.commands import (
    AddPiece,
    ChangePiece,
    Lock,
    Player,
    PlayerId,
    PlayerRemoved,
    PrivateNote,
    SecretNote,
    Unmask,
    decode_command,
    unlogged,
)
from builder.vassal.pieces import Piece
from builder.vassal.sequence import split
from builder.vassal.traits import Mask, Trait
from builder.vassal.twin_pieces import Secrets, has_player_id, masked_state, unmasked
from builder.vassal.words import any_of

__all__ = ["KEEP_IDS", "StateMasks", "hide_ids", "hiding", "peel", "player_ids"]

KEEP_IDS = Secrets(unmasked, unmasked, is_hiding=False)
"""Ids are shown as they are."""

_NO_IDS = frozenset({"", "null", "nobody", "noMat"})
"""Words that stand where an id could, and are none."""
_WITH_IDS = ("PLAYER\t", "PYREMOVE\t", "PNOTE\t", "SNOTE\t", "LOCKSPOTAB\t", "UNMASK\t")
_TRAITS_WITH_IDS = ("hide;", "obs;", "restrict;")
_SHORT = 3
_LONG = 6


def player_ids(root: CommandNode) -> tuple[str, ...]:
    """Return the ids of a save, each once, in the order of first mention. They are secret."""
    return tuple([name for name in dict.fromkeys(_ids(root)) if name not in _NO_IDS])


def hide_ids(root: CommandNode) -> Secrets:
    """Return how the ids of a save are put out of sight."""
    return hiding(player_ids(root))


def hiding(ids: Iterable[str]) -> Secrets:
    """Return how these ids are put out of sight: ``player-1`` stands for the first one."""
    found = {name: f"player-{number}" for number, name in enumerate(dict.fromkeys(ids), 1)}
    pattern = _pattern(found)
    loose: dict[str, str] = {}
    for name, mark in found.items():
        loose.setdefault(name.replace("\\", ""), mark)

    def text(value: str) -> str:
        return pattern.sub(lambda match: _placeholder(match[0], found, loose), value)

    def player(value: str) -> str:
        return value if value in _NO_IDS else found.get(value, "player-0")

    return Secrets(text, player)


def _pattern(ids: Iterable[str]) -> re.Pattern[str]:
    anywhere, words = [], []
    for name in ids:
        # Inside nested sequences a delimiter or an apostrophe of the id has backslashes before it.
        spelled = [re.escape(char) if char.isalnum() else rf"\\*{re.escape(char)}" for char in name]
        if len(name) >= _LONG:
            anywhere.append(spelled)
        elif len(name) >= _SHORT:
            words.append(spelled)
    return re.compile(rf"{any_of(anywhere)}|(?<![A-Za-z0-9]){any_of(words)}(?![A-Za-z0-9])")


def _placeholder(spelled: str, found: dict[str, str], loose: dict[str, str]) -> str:
    plain = found.get(spelled)
    return plain or loose.get(spelled.replace("\\", ""), "player-0")


def _ids(root: CommandNode) -> Iterator[str]:
    """Yield every text that stands where VASSAL writes a player's id, again and again."""
    masks = StateMasks()
    for node in walk(root):
        text = unlogged(node.text)
        if text.startswith("M/"):
            tokens = split(text[2:], "/")
            yield from tokens[9:10]
        elif text.startswith(_WITH_IDS):
            yield from _ids_of(text)
        elif text.startswith("+/"):
            if not any(word in text for word in _TRAITS_WITH_IDS):
                continue
            command = decode_command(text)
            if isinstance(command, AddPiece):
                masks.note(command)
                yield from masks.ids(command.id, command.state)
        elif text.startswith("D/"):
            command = decode_command(text)
            if isinstance(command, ChangePiece):
                for state in (command.state, command.old_state):
                    yield from masks.ids(command.id, state or "")


def _ids_of(text: str) -> Iterator[str]:
    command = decode_command(text)
    ids: tuple[PlayerId, ...] = ()
    if isinstance(command, Player | PlayerRemoved):
        ids = (command.id,)
    elif isinstance(command, PrivateNote | SecretNote):
        ids = (command.owner,)
    elif isinstance(command, Lock):
        ids = (command.password,)
    elif isinstance(command, Unmask):
        ids = command.players
    else:
        # A damaged command of this kind: whatever stands first may be an id.
        yield from split(text, "\t")[1:2]
    for player in ids:
        yield player.reveal()


class StateMasks:
    """Knows of each piece which parts of its state hold ids, for commands that change states."""

    def __init__(self) -> None:
        """Begin with no pieces."""
        self._places: dict[str | None, tuple[tuple[int, type[Trait]], ...]] = {}

    def note(self, command: AddPiece) -> None:
        """Note a piece that comes into the game."""
        if not any(word in command.type for word in _TRAITS_WITH_IDS):
            return
        try:
            piece = command.piece
        except UnreadableError:
            return
        if isinstance(piece, Piece):
            self._places[command.id] = tuple(
                [(at, type(part)) for at, part in enumerate(piece.traits) if has_player_id(part)]
            )

    def ids(self, name: str | None, state: str) -> Iterator[str]:
        """Yield the ids in the state of a piece."""
        places = self._places.get(name)
        if not places:
            return
        parts = peel(state)
        for at, kind in places:
            if at < len(parts):
                yield from _ids_in(kind, parts[at])

    def mask(self, name: str | None, parts: list[str], secrets: Secrets) -> list[str]:
        """Return the parts of a state with ids replaced."""
        places = dict(self._places.get(name, ()))
        return [
            masked_state(part, secrets) if at in places else secrets.text(part)
            for at, part in enumerate(parts)
        ]


def _ids_in(kind: type[Trait], state: str) -> Iterator[str]:
    if kind is not Mask:
        yield split(state, ";")[0]
        return
    by, *options = split(state, ";")
    yield by
    for option in options:
        yield from split(option, "|")[2:]


def peel(state: str) -> list[str]:
    """Return the parts of a state nested by TAB, outermost first."""
    parts = []
    while "\t" in state:
        outer, *inner = split(state, "\t")
        parts.append(outer)
        if not inner:
            return parts
        state = inner[0]
    return [*parts, state]

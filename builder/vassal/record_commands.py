"""Commands that a step is made of, with what takes each of them back.

Sources: VASSAL classes ``command.Command`` (``getUndoCommand``), ``build.module.BasicLogger.undo``,
``build.module.Chatter``.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from builder.vassal.command_tree import CommandNode
from builder.vassal.commands import (
    LOG,
    AddPiece,
    ChangePiece,
    Chat,
    Command,
    MovePiece,
    MutableProperty,
    Null,
    Player,
    PlayerRemoved,
    RemovePiece,
    Turn,
    Undo,
)
from builder.vassal.decks import Deck
from builder.vassal.pieces import Stack
from builder.vassal.record_pieces import RecordError
from builder.vassal.replay_chat import read_chat
from builder.vassal.replay_story import Seat, Story
from builder.vassal.replay_table import Pile

__all__ = ["NULL", "Deed", "Ledger", "applied", "chat", "log_entry", "pile_state", "undoing"]

NULL: Final = Null("null")
"""How a log shows a command without text: VASSAL's note of the last place."""
_OBSERVER: Final = "<observer>"


@dataclass(frozen=True, slots=True)
class Deed:
    """A command and the commands that take it back, none for those that stay.

    ``last_place`` is, for the note of a last place, the piece and the properties it had before.
    """

    command: Command
    inverse: tuple[Command, ...] = ()
    last_place: tuple[str, tuple[tuple[str, str], ...]] | None = field(default=None, repr=False)


def applied(story: Story, command: Command) -> None:
    """Execute a command on the table of a story, as ``replay`` does."""
    table = story.table
    if isinstance(command, AddPiece):
        table.add(command)
    elif isinstance(command, MovePiece):
        table.move(command)
    elif isinstance(command, ChangePiece):
        table.change(command)
    elif isinstance(command, RemovePiece):
        table.remove(command)
    elif isinstance(command, MutableProperty):
        table.properties[command.container or "", command.name] = command.new
    elif isinstance(command, Turn):
        table.turns[command.tracker] = command.state
    elif isinstance(command, Player):
        side = None if command.side == _OBSERVER else command.side
        story.seats[command.id] = Seat(command.name, side)
    elif isinstance(command, PlayerRemoved):
        story.seats.pop(command.id, None)


@dataclass(slots=True)
class Ledger:
    """The commands of a step so far, each executed on the table of the story."""

    story: Story
    deeds: list[Deed] = field(default_factory=list)

    def do(self, command: Command, *inverse: Command) -> None:
        """Execute a command and note it, with what takes it back."""
        applied(self.story, command)
        self.deeds.append(Deed(command, inverse))

    def chat(self, words: str, speaker: str | None) -> None:
        """Note a line of the chat; errors are those of :func:`chat`."""
        self.deeds.append(chat(words, speaker))

    def nulls(self, count: int) -> None:
        """Note commands that have no text."""
        self.deeds += [Deed(NULL, (NULL,))] * count


def undoing(deeds: Sequence[Deed], *, marks: bool) -> list[Command]:
    """Return what takes a step back, last command first, between VASSAL's marks.

    Without ``marks``, as VASSAL 3.6.0 wrote it, an undo is known by a repeated chat line alone; a
    step without a line gets the marks of later versions all the same.
    """
    inverse = [command for deed in reversed(deeds) for command in deed.inverse]
    has_line = any(isinstance(command, Chat) for command in inverse)
    if not marks and has_line:
        return inverse
    return [Undo(begins=True), *inverse, Undo(begins=False)]


def log_entry(commands: Sequence[Command]) -> CommandNode:
    """Return a step of a log: the first command, and the others below it."""
    first, *rest = (CommandNode(LOG + command.encode()) for command in commands)
    return CommandNode(first.text, tuple(rest))


def chat(words: str, speaker: str | None) -> Deed:
    """Return the command of a line in the chat; an undo repeats it behind ``UNDO:``.

    Raises :class:`RecordError` for words that a reader would take for something else: a report
    that looks typed or like an undo, a name that cannot stand in angle brackets.
    """
    for text in _chat_texts(words, speaker):
        line = read_chat(text)
        if (line.words, line.speaker, line.undone) == (words, speaker, None):
            return Deed(Chat(text), (Chat(f"* UNDO: {text}"),))
    kind = "a report" if speaker is None else "a typed line"
    raise RecordError(f"{kind} cannot have the words {words[:80]!r}")


def _chat_texts(words: str, speaker: str | None) -> Iterator[str]:
    """Yield the line as VASSAL 3.6 writes it, and with entities where that would be misread."""
    named = "" if speaker is None else f"<{speaker}> - "
    yield named + words
    escaped = html.escape(words, quote=False)
    yield ("" if speaker is None else f"&lt;{html.escape(speaker, quote=False)}&gt; - ") + escaped


def pile_state(pile: Pile) -> str:
    """Return the state of a stack or a deck as it lies on the table."""
    at = pile.at
    if pile.deck is None:
        layer = -1 if pile.layer is None else pile.layer
        return Stack(at.map, at.x, at.y, pile.members, layer).state_string()
    deck: Deck = pile.deck
    return deck.restated(map=at.map, x=at.x, y=at.y, cards=pile.members).state_string()

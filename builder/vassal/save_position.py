"""The position at the beginning of a save or log, and the one at the end of a log, by replay."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from builder.vassal.command_tree import CommandNode
from builder.vassal.commands import AddPiece, Command, PlayerId
from builder.vassal.decks import Deck
from builder.vassal.log_steps import initial_commands, steps
from builder.vassal.pieces import Piece
from builder.vassal.replay import Step, replay
from builder.vassal.replay_module import ModuleFacts
from builder.vassal.replay_standing import Pile
from builder.vassal.replay_story import Seat, Story
from builder.vassal.save_facts import Facts
from builder.vassal.traits import BasicName
from builder.vassal.twin_pieces import Secrets
from builder.vassal.twin_values import quoted

__all__ = ["Moment", "Position", "PositionThing", "position_at"]

Moment: TypeAlias = Literal["start", "end"]
PositionThing: TypeAlias = Piece | Deck | None
"""A piece or a deck on the table; None if it is unreadable."""

_MAX_NOTES = 20


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of a game: what stands where, who plays, what is said. No text holds a player id."""

    story: Story
    facts: Facts
    secrets: Secrets
    told: frozenset[tuple[str, str]]
    """Properties that a save would tell: others, such as the last roll, live in logs only."""
    texts: dict[str, tuple[str, str]]
    """Type and state of pieces that cannot be read."""
    is_replayed: bool = False
    """Whether this is the end of a log: a table that only replay has seen."""
    notes: tuple[str, ...] = ()
    """What on the way to this moment did not make sense."""

    @property
    def seats(self) -> dict[PlayerId, Seat]:
        """The players."""
        return self.story.seats

    def things(self) -> dict[str, PositionThing]:
        """Return pieces and decks by id, decks with the cards that lie in them now."""
        table = self.story.table
        found: dict[str, PositionThing] = {i: s.piece for i, s in table.pieces.items()}
        found |= {pile.id: _deck(pile) for pile in table.decks()}
        return found

    def piles(self) -> list[Pile]:
        """Return the stacks of two and more."""
        table = self.story.table
        return [p for p in table.piles.values() if not p.is_deck and len(p.members) > 1]

    def place(self, ident: str) -> str:
        """Return where a piece is, in words."""
        place = self.story.place(ident)
        if place.deck is not None:
            return self.secrets.text(f"deck {place.deck!r}")
        if place.is_off:
            return "off the maps"
        pixel = f"{place.map} {place.x},{place.y}"
        return self.secrets.text(f"{place.label} ({pixel})" if place.label else pixel)

    def title(self, ident: str) -> str:
        """Return what a piece or a deck is called, and its id."""
        standing = self.story.table.pieces.get(ident)
        pile = self.story.table.piles.get(ident)
        label = ""
        if standing is None:
            label = "" if pile is None else pile.name or ""
        elif standing.piece is not None:
            named = [part.name for part in standing.piece.traits if isinstance(part, BasicName)]
            label = (named or [standing.piece.name])[0]
        return self.secrets.text(f"{label} [{ident}]" if label else f"[{ident}]")

    def area(self, name: str) -> dict[str, str]:
        """Return what the game says in one area besides pieces, by name."""
        table = self.story.table
        hide = self.secrets.text
        if name == "boards":
            return {
                hide(map_name): hide(
                    "; ".join(
                        f"{c.name} at {c.column},{c.row}{' turned' * c.rotated}" for c in cells
                    )
                    or "(none)"
                )
                for map_name, cells in table.boards.items()
            }
        if name == "property":
            return {
                hide(_property_label(*key)): hide(quoted(value))
                for key, value in table.properties.items()
                if key in self.told
            }
        if name == "turn":
            return dict(self._turn(*item) for item in table.turns.items())
        return self.facts.area(name)

    def _turn(self, name: str, state: str) -> tuple[str, str]:
        tracker = self.story.facts.trackers.get(name)
        words = None if tracker is None else tracker.text(state)
        if tracker is None or words is None:
            return self.secrets.text(name), self.secrets.text(quoted(state))
        return self.secrets.text(tracker.name or name), self.secrets.text(quoted(words))


def position_at(
    moment: Moment, root: CommandNode, module: ModuleFacts, secrets: Secrets
) -> Position:
    """Return the position with which a save or log begins, or the one after a log's last step.

    Raises as :func:`~builder.vassal.replay.replay` does.
    """
    run = replay(root, module)
    step = next(run)
    told = frozenset(step.table.properties)
    notes = _Notes(secrets)
    facts = Facts(secrets)
    begun = initial_commands(root)
    facts.begin(begun)
    texts = _unreadable(step, begun)
    notes.add(step)
    if moment == "end":
        for step in run:
            notes.add(step)
            told |= step.table.properties.keys() if _is_reset(step) else frozenset()
        for logged in steps(root):
            facts.go_on(logged.commands)
    return Position(step.story, facts, secrets, told, texts, moment == "end", notes.all())


class _Notes:
    """What did not make sense, not more than a reader wants to see."""

    def __init__(self, secrets: Secrets) -> None:
        self._secrets = secrets
        self._notes: list[str] = []
        self._more = 0

    def add(self, step: Step) -> None:
        room = max(0, _MAX_NOTES - len(self._notes))
        where = f"step {step.number}: " if step.number else ""
        self._notes += [self._secrets.text(where + text) for text in step.problems[:room]]
        self._more += len(step.problems[room:])

    def all(self) -> tuple[str, ...]:
        more = (f"{self._more} more of this kind",) if self._more else ()
        return (*self._notes, *more)


def _is_reset(step: Step) -> bool:
    return bool(step.events) and step.events[0].kind == "replaced"


def _unreadable(step: Step, commands: list[Command]) -> dict[str, tuple[str, str]]:
    unread = {ident for ident, s in step.table.pieces.items() if s.piece is None}
    return {
        command.id: (command.type, command.state)
        for command in commands
        if isinstance(command, AddPiece) and command.id is not None and command.id in unread
    }


def _property_label(container: str, name: str) -> str:
    """Return a property's name and what holds it, from the inside outwards."""
    return " > ".join([name, *reversed(container.split(":"))] if container else [name])


def _deck(pile: Pile) -> Deck | None:
    if pile.deck is None:
        return None
    return replace(pile.deck, map=pile.at.map, x=pile.at.x, y=pile.at.y, cards=pile.members)

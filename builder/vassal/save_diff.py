"""How two saves or logs differ: players by side, boards, properties, pieces by id, steps of logs.

A log is compared by the position that it begins with, and by its steps. No player id is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from builder.problems import UnreadableError
from builder.vassal.command_tree import CommandNode, encode_tree, walk
from builder.vassal.commands import (
    AddPiece,
    BoardPicker,
    Clock,
    Command,
    Extension,
    GlobalProperty,
    Opaque,
    Player,
    PlayerId,
    PrivateNote,
    PublicNote,
    ScenarioNote,
    SecretNote,
    StartupKey,
    Turn,
    decode_command,
)
from builder.vassal.decks import Deck
from builder.vassal.differences import Difference, compare_fields, compare_traits
from builder.vassal.pieces import Piece, Stack
from builder.vassal.replay_maps import BoardCell, MapNames
from builder.vassal.traits import BasicName, BasicPiece
from builder.vassal.twin_pieces import Secrets
from builder.vassal.twin_secrets import hide_ids
from builder.vassal.twin_values import quoted

__all__ = ["diff_saves"]

_LOG = "LOG\t"


def diff_saves(
    old: CommandNode, new: CommandNode, names: MapNames | None = None
) -> list[Difference]:
    """Return what differs between the trees of two saves or logs.

    With the places of their module, ``names``, places are told by name, else in pixels.
    """
    secrets = hide_ids(CommandNode("", (old, new)))
    before, after = _Game(old, secrets, names), _Game(new, secrets, names)
    found: list[Difference] = []
    found += _players(before, after)
    for area in (
        "boards",
        "extension",
        "property",
        "turn",
        "note",
        "clock",
        "start-up key",
        "other",
    ):
        found += compare_fields(area, "", before.facts.get(area, {}), after.facts.get(area, {}))
    found += _pieces(before, after)
    found += _steps(before, after)
    return found


@dataclass(slots=True)
class _Placed:
    """A piece, and where it is."""

    added: AddPiece
    thing: Piece | Stack | Deck | None
    """None if it is unreadable."""


class _Game:
    """The position with which a save or log begins, and its steps."""

    def __init__(self, root: CommandNode, secrets: Secrets, names: MapNames | None) -> None:
        self.secrets = secrets
        self.names = names
        self.players: dict[PlayerId, Player] = {}
        self.facts: dict[str, dict[str, str]] = {}
        self.said: dict[tuple[str, str], int] = {}
        self.pieces: dict[str, _Placed] = {}
        self.homes: dict[str, Stack | Deck] = {}
        self.layouts: dict[str, tuple[BoardCell, ...]] = {}
        self.steps: list[CommandNode] = []
        for node in (root, *root.children):
            if node.text.startswith(_LOG):
                self.steps.append(node)
            elif node is root:
                self._note(decode_command(node.text))
            else:
                for inner in walk(node):
                    self._note(decode_command(inner.text))

    def _note(self, command: Command) -> None:
        if isinstance(command, AddPiece):
            self._add(command)
        elif isinstance(command, Player):
            self.players[command.id] = command
        else:
            fact = _fact(command)
            if fact is not None:
                area, name, value = fact
                of_area = self.facts.setdefault(area, {})
                label = self.secrets.text(name)
                if area == "other" or (area == "note" and isinstance(command, PrivateNote)):
                    label = self._numbered(area, label)
                of_area[label] = self.secrets.text(value)
            if isinstance(command, BoardPicker):
                self.layouts[command.map] = tuple(
                    [BoardCell(b.name, b.column, b.row, b.is_reversed) for b in command.boards]
                )

    def _numbered(self, area: str, name: str) -> str:
        """Return the name, with a number if it was there before: some are said several times."""
        facts = self.facts.setdefault(area, {})
        label = name
        while label in facts:
            number = self.said[area, name] = self.said.get((area, name), 1) + 1
            label = f"{name} no. {number}"
        return label

    def _add(self, command: AddPiece) -> None:
        try:
            thing = command.piece
        except UnreadableError:
            thing = None
        name = command.id or "null"
        self.pieces[name] = _Placed(command, thing)
        if isinstance(thing, Stack):
            self.homes.update(dict.fromkeys(thing.members, thing))
        elif isinstance(thing, Deck):
            self.homes.update(dict.fromkeys(thing.cards, thing))

    def place(self, name: str) -> str:
        """Return where a piece is, in words."""
        thing = self.pieces[name].thing
        home = self.homes.get(name)
        if isinstance(home, Deck):
            return f"deck {home.name!r}"
        if home is None and isinstance(thing, Piece):
            basic = thing.basic
            if not isinstance(basic, BasicPiece):
                return "unknown"
            return self._spot(basic.map, basic.x, basic.y)
        at = home or thing
        if isinstance(at, Stack | Deck):
            return self._spot(at.map, at.x, at.y)
        return "unknown"

    def _spot(self, map_name: str | None, x: int, y: int) -> str:
        if map_name is None:
            return "off the maps"
        pixel = f"{map_name} {x},{y}"
        if self.names is None:
            return self.secrets.text(pixel)
        spot = self.names.spot(map_name, self.layouts.get(map_name), x, y)
        return self.secrets.text(f"{spot.label} ({pixel})" if spot.label else pixel)

    def title(self, name: str) -> str:
        """Return what a piece is called."""
        thing = self.pieces[name].thing
        label = ""
        if isinstance(thing, Deck):
            label = thing.name
        elif isinstance(thing, Piece):
            named = [part.name for part in thing.traits if isinstance(part, BasicName)]
            label = (named or [thing.name])[0]
        return self.secrets.text(f"{label} [{name}]" if label else f"[{name}]")


def _fact(command: Command) -> tuple[str, str, str] | None:
    """Return area, name and value of what a save says once."""
    fact: tuple[str, str, str] | None = None
    if isinstance(command, GlobalProperty):
        name = " > ".join([*command.path, *([command.container] if command.container else [])])
        fact = "property", name, quoted(command.value)
    elif isinstance(command, Turn):
        fact = "turn", command.tracker, quoted(command.state)
    elif isinstance(command, BoardPicker):
        boards = [
            f"{b.name} at {b.column},{b.row}{' turned' * b.is_reversed}" for b in command.boards
        ]
        fact = "boards", command.map, "; ".join(boards) or "(none)"
    elif isinstance(command, Extension):
        fact = "extension", command.name, command.version or "(no version)"
    elif isinstance(command, ScenarioNote | PublicNote):
        name = "scenario" if isinstance(command, ScenarioNote) else "public"
        fact = "note", name, quoted(command.text)
    elif isinstance(command, PrivateNote):
        # Whose it is must not be told, and what it says is its owner's only.
        fact = "note", "private", f"({len(command.text)} characters)"
    elif isinstance(command, SecretNote):
        shown = "hidden" if command.hidden else "shown"
        fact = "note", f"secret {command.name}", f"({shown}, {len(command.text)} characters)"
    elif isinstance(command, StartupKey):
        fact = "start-up key", command.id, str(command.applied).lower()
    elif isinstance(command, Clock):
        fact = "clock", command.name, f"{command.elapsed} ms"
    elif isinstance(command, Opaque) and command.text:
        fact = "other", command.verb or "command", quoted(command.text)
    return fact


def _players(before: _Game, after: _Game) -> Iterator[Difference]:
    for player, old in before.players.items():
        new = after.players.get(player)
        hide = after.secrets.text
        name = hide(old.name) or "(no name)"
        if new is None:
            yield Difference("player", name, "removed", "side", old=hide(old.side))
        else:
            if old.side != new.side:
                sides = hide(old.side), hide(new.side)
                yield Difference("player", name, "changed", "side", *sides)
            if old.name != new.name:
                names = hide(old.name), hide(new.name)
                yield Difference("player", name, "changed", "name", *names)
    for player, new in after.players.items():
        if player not in before.players:
            name = after.secrets.text(new.name) or "(no name)"
            yield Difference("player", name, "added", "side", new=after.secrets.text(new.side))


def _pieces(before: _Game, after: _Game) -> Iterator[Difference]:
    for name, old in before.pieces.items():
        if isinstance(old.thing, Stack):
            continue
        if name not in after.pieces:
            where = before.title(name)
            yield Difference("piece", where, "removed", "place", old=before.place(name))
            continue
        yield from _piece(name, before, after)
    for name, new in after.pieces.items():
        if name not in before.pieces and not isinstance(new.thing, Stack):
            yield Difference("piece", after.title(name), "added", "place", new=after.place(name))
    yield from _stacks(before, after)


def _piece(name: str, before: _Game, after: _Game) -> Iterator[Difference]:
    old, new = before.pieces[name], after.pieces[name]
    where = after.title(name)
    places = before.place(name), after.place(name)
    if places[0] != places[1]:
        yield Difference("piece", where, "changed", "place", *places)
    if (old.added.type, old.added.state) == (new.added.type, new.added.state):
        return
    parts = []
    for thing in (old.thing, new.thing):
        if isinstance(thing, Piece):
            parts.append(thing.parts())
        elif isinstance(thing, Deck):
            parts.append((thing,))
    if len(parts) == 2:
        yield from compare_traits("piece", where, parts[0], parts[1], after.secrets)
    else:
        yield Difference("piece", where, "changed", "definition")


def _stacks(before: _Game, after: _Game) -> Iterator[Difference]:
    """Yield stacks whose members lie in another order; empty stacks are noise."""
    for name, old in before.pieces.items():
        new = after.pieces.get(name)
        if new is None or not isinstance(old.thing, Stack) or not isinstance(new.thing, Stack):
            continue
        a, b = old.thing.members, new.thing.members
        if a != b and sorted(a) == sorted(b):
            where = f"{after.place(name)} [{name}]"
            yield Difference("stack", where, "changed", "order", " ".join(a), " ".join(b))


def _steps(before: _Game, after: _Game) -> Iterator[Difference]:
    if not before.steps and not after.steps:
        return
    if len(before.steps) != len(after.steps):
        counts = str(len(before.steps)), str(len(after.steps))
        yield Difference("log", "", "changed", "number of steps", *counts)
    for number, (old, new) in enumerate(zip_longest(before.steps, after.steps), 1):
        if old is None or new is None or encode_tree(old) != encode_tree(new):
            yield Difference("log", f"step {number}", "changed", "the first that differs")
            return

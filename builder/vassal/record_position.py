"""A table as a saved game: where another log ends, a new one can begin.

Source: VASSAL class ``build.module.GameState`` (``getRestoreCommand``).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from builder.problems import UnreadableError
from builder.vassal.command_tree import CommandNode, container, encode_tree, parse_tree, walk
from builder.vassal.commands import (
    LOG,
    AddPiece,
    BoardPicker,
    Command,
    GlobalProperty,
    PlacedBoard,
    Player,
    Turn,
)
from builder.vassal.pieces import Piece, encode_piece
from builder.vassal.record_commands import pile_state
from builder.vassal.replay import Step, replay
from builder.vassal.replay_maps import BoardCell
from builder.vassal.replay_module import ModuleFacts
from builder.vassal.replay_table import Table
from builder.vassal.savefile import SaveFile
from builder.vassal.traits import BasicPiece

__all__ = ["board_picker", "end_of", "leaf"]

_OBSERVER: Final = "<observer>"


def leaf(command: Command) -> CommandNode:
    """Return a command without sub-commands."""
    return CommandNode(command.encode())


def board_picker(map_name: str, cells: tuple[BoardCell, ...]) -> BoardPicker:
    """Return the command that lays out the boards of a map."""
    boards = [PlacedBoard(cell.name, cell.column, cell.row, cell.rotated) for cell in cells]
    return BoardPicker.of(map_name, boards)


def end_of(log: SaveFile, facts: ModuleFacts | None = None) -> SaveFile:
    """Return the table that a log ends with as a saved game of its own."""
    root = parse_tree(log.text)
    last: Step | None = None
    for step in replay(root, facts):
        last = step
    assert last is not None, "replay yields the beginning at least"
    return replace(log, text=encode_tree(_position(root, last)))


def _position(root: CommandNode, step: Step) -> CommandNode:
    """Return the saved game of a table; what else the log began with stays as it was."""
    table, seats = step.table, step.story.seats
    kept: list[CommandNode] = []
    for child in root.children:
        told = [node.command for node in walk(child) if node.text]
        if child.text.startswith(LOG) or not told or child.text == "end_save":
            continue
        known = (AddPiece, BoardPicker, GlobalProperty, Player, Turn)
        if not any(isinstance(command, known) for command in told):
            kept.append(child)
    players = [Player(ident, seat.name, seat.side or _OBSERVER) for ident, seat in seats.items()]
    return CommandNode(
        "begin_save",
        (
            CommandNode(),
            container(_standing(table)),
            *(leaf(player) for player in players),
            *(leaf(prop) for prop in _values(root, table)),
            *(leaf(board_picker(name, cells)) for name, cells in table.boards.items() if cells),
            *kept,
            *(leaf(Turn(ident, state)) for ident, state in table.turns.items()),
            CommandNode("end_save"),
        ),
    )


def _values(root: CommandNode, table: Table) -> Iterator[GlobalProperty]:
    """Yield the properties that the log began with, at their last values."""
    for child in root.children:
        for node in () if child.text.startswith(LOG) else walk(child):
            command = node.command if node.text.startswith(GlobalProperty.prefix) else None
            if isinstance(command, GlobalProperty):
                where = ":".join(reversed(command.path[1:])) or command.container or ""
                value = table.properties.get((where, command.path[0]), command.value)
                yield replace(command, value=value)


def _standing(table: Table) -> Iterator[CommandNode]:
    """Yield pieces, stacks and decks: what lies in one before it, and all in VASSAL's order."""
    drawn = table.drawn()
    on_map = set(drawn)
    off = [i for i, s in table.pieces.items() if s.pile is None and i not in on_map]
    off += [i for i, pile in table.piles.items() if i not in on_map and pile.members]
    for ident in (*off, *drawn):
        pile = table.piles.get(ident)
        if pile is None:
            yield _piece_node(table, ident)
        elif pile.members or pile.is_deck:
            for member in pile.members:
                yield _piece_node(table, member)
            kind = "stack" if pile.deck is None else pile.deck.type_string()
            yield leaf(AddPiece(ident, kind, pile_state(pile)))


def _piece_node(table: Table, ident: str) -> CommandNode:
    standing, at = table.pieces[ident], table.at(ident)
    piece = standing.piece
    if piece is None:
        # VASSAL gives up such a saved game as well.
        raise UnreadableError("a piece whose state cannot be read cannot be saved again")
    if isinstance(piece.basic, BasicPiece) and tuple(at) != (
        piece.basic.map,
        piece.basic.x,
        piece.basic.y,
    ):
        piece = Piece(piece.traits, piece.basic.restated(map=at.map, x=at.x, y=at.y))
    return leaf(AddPiece(ident, standing.type, encode_piece(piece)[1]))

"""The table of a replay as a still picture in words of the game (``gamebox.table``)."""

from __future__ import annotations

from builder.gamebox.table import TablePiece, TableView
from builder.vassal.pieces import Piece
from builder.vassal.replay import Step
from builder.vassal.traits import DynamicProperty, Layer, Marker, Mask

__all__ = ["own_properties", "table_view"]


def own_properties(piece: Piece) -> dict[str, str]:
    """Return what a piece says of itself; of two traits with one name the outer one counts."""
    found: dict[str, str] = {}
    for trait in piece.traits:
        if isinstance(trait, DynamicProperty):
            found.setdefault(trait.name, trait.value)
        elif isinstance(trait, Marker):
            for name, value in trait.properties:
                found.setdefault(name, value)
        elif isinstance(trait, Layer) and trait.name:
            found.setdefault(f"{trait.name}_Level", str(abs(trait.level)))
    return found


def table_view(step: Step) -> TableView:
    """Return the table after a step; it must be the one that the replay has come to."""
    story, table = step.story, step.table
    pieces = []
    for ident, standing in table.pieces.items():
        piece = standing.piece
        if piece is None:
            continue
        masked = any(isinstance(t, Mask) and t.masked_by for t in piece.traits)
        pieces.append(
            TablePiece(story.thing(ident), story.place(ident), own_properties(piece), masked)
        )
    return TableView(
        pieces=tuple(pieces),
        properties={name: value for (_, name), value in table.properties.items()},
        turn=step.turn,
        players={seat.name: seat.side or "" for seat in story.players()},
    )

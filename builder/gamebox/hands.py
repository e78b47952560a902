"""The boxes of a game's private windows: where they are, and which window has a box of a name."""

from __future__ import annotations

from collections.abc import Iterator

from builder.gamebox.model import Box
from builder.gamebox.module_file import HandTable, ModuleFile

__all__ = ["box_in_hand", "hand_box_names", "hand_boxes"]


def hand_boxes(hand: HandTable) -> Iterator[Box]:
    """Yield the boxes of a private window, row by row; positions in its own pixels.

    >>> from builder.gamebox.module_file import HandBoxes
    >>> rows = HandBoxes(names=("A", "B", "C"), width=50, height=40, per_row=2)
    >>> [(b.name, b.x, b.y) for b in hand_boxes(HandTable(name="H", side="S", boxes=(rows,)))]
    [('A', 8, 8), ('B', 64, 8), ('C', 8, 54)]
    """
    for rows in hand.boxes:
        labels = rows.labels or rows.names
        across = rows.per_row or len(rows.names)
        for number, name in enumerate(rows.names):
            row, column = divmod(number, across)
            yield Box(
                name=name,
                label=labels[number] if number < len(labels) else name,
                kind="hand",
                x=rows.x + column * (rows.width + rows.gap),
                y=rows.y + row * (rows.height + rows.gap),
                width=rows.width,
                height=rows.height,
                side=hand.side,
            )


def box_in_hand(module: ModuleFile, name: str) -> tuple[HandTable, Box] | None:
    """Return the private window that has a box of a name, and the box; ``None`` if none has."""
    for hand in module.hand:
        for box in hand_boxes(hand):
            if box.name == name:
                return hand, box
    return None


def hand_box_names(module: ModuleFile) -> tuple[str, ...]:
    """Return the names of all boxes of private windows."""
    return tuple(box.name for hand in module.hand for box in hand_boxes(hand))

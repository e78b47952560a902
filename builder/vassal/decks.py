"""Decks: a pile of cards in play, linked to the module's DrawPile by its name.

Source: VASSAL class ``counters.Deck``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from builder.vassal.codecs import Choice, Color, Key, NullText, Seq
from builder.vassal.fields import STATE
from builder.vassal.traits_base import Trait

__all__ = ["Deck"]

_WHEN = ("Always", "Never", "Via right-click Menu")


@dataclass(frozen=True, kw_only=True)
class Deck(Trait, id="deck;", listed=False):
    """A deck, with the cards' ids from bottom to top; the last is drawn first."""

    draw_outline: bool = True
    outline_color: Annotated[str, Color()] = "#000000"
    width: int = 40
    height: int = 40
    face_down_option: Annotated[str, Choice(*_WHEN, "MenuDefaultUp")] = "Always"
    shuffle_option: Annotated[str, Choice(*_WHEN)] = "Always"
    allow_multiple: bool = True
    allow_select: bool = True
    reversible: bool = True
    reshuffle_command: str = ""
    reshuffle_target: str = ""
    reshuffle_format: str = ""
    name: str = ""
    shuffle_format: str = ""
    reverse_format: str = ""
    face_down_format: str = ""
    draw_face_up: bool = False
    persistable: bool = False
    shuffle_key: Annotated[str, Key()] = ""
    reshuffle_key: Annotated[str, Key()] = ""
    max_stack: int = 10
    count_expressions: Annotated[tuple[str, ...], Seq(",")] = ()
    expression_counting: bool = False
    global_commands: Annotated[tuple[str, ...], Seq(",")] = ()
    """Encoded commands ``DGKC|key|filter|...``."""
    hotkey_on_empty: bool = False
    empty_key: Annotated[str, Key()] = ""
    select_display: str = "$BasicName$"
    select_sort: str = ""
    restrict: bool = False
    restrict_expression: str = ""
    shuffle_command: str = ""
    reverse_command: str = ""
    reverse_key: Annotated[str, Key()] = ""
    draw_multiple_message: str = ""
    draw_specific_message: str = ""
    face_up_message: str = ""
    face_down_message: str = ""
    face_up_key: Annotated[str, Key()] = ""
    face_up_format: str = ""
    face_flip_key: Annotated[str, Key()] = ""
    face_down_key: Annotated[str, Key()] = ""
    save_message: str = ""
    save_key: Annotated[str, Key()] = ""
    save_report: str = ""
    load_message: str = ""
    load_key: Annotated[str, Key()] = ""
    load_report: str = ""
    restrict_access: bool = False
    owners: Annotated[tuple[str, ...], Seq(",")] = ()
    map: Annotated[str | None, NullText(), STATE] = None
    x: Annotated[int, STATE] = 0
    """Pixels of the map."""
    y: Annotated[int, STATE] = 0
    face_down: Annotated[bool, STATE] = False
    cards: Annotated[tuple[str, ...], Seq(","), STATE] = ()

    state_delimiter: ClassVar[str] = ";"

    def _write_state(self) -> str:
        text = super()._write_state()
        # An empty deck has no field of cards at all.
        return text if self.cards or self.state_surplus else text.removesuffix(";")

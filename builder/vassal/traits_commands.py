"""Traits that act: triggers, reports, global commands, movement, copies, menus."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from builder.vassal.codecs import Choice, Expression, Int, Key, KeyList, NullText, Pairs, Seq
from builder.vassal.codecs import Version as _Version
from builder.vassal.fields import STATE, Since, read_tokens, write_tokens
from builder.vassal.sequence import join, split
from builder.vassal.traits_base import Trait
from builder.vassal.traits_values import ANY_PIECE, TARGET, Target

__all__ = [
    "ActionButton",
    "Clone",
    "Delete",
    "Deselect",
    "GlobalHotkey",
    "GlobalKeyCommand",
    "MenuSeparator",
    "MoveFixedDistance",
    "MultiLocationCommand",
    "PlaceMarker",
    "PlaySound",
    "Replace",
    "ReportAction",
    "RestrictCommands",
    "ReturnToDeck",
    "SendToLocation",
    "SubMenu",
    "TriggerAction",
]

_LOOPS = Choice("counted", "while", "until")


@dataclass(frozen=True, kw_only=True)
class TriggerAction(Trait, id="macro;", aka=("Trigger",)):
    r"""A menu command, or an answer to keys, that sends further keys to its own piece.

    >>> TriggerAction(
    ...     command="Lose", key="<Loss>", match="{Steps>0}", keys=("<Down>", "<Rep>"),
    ... ).type_string()
    'macro;;Lose;57348,0,Loss;{Steps>0};;57348\\,0\\,Down,57348\\,0\\,Rep;false;;;counted;;;;false;;1;1'
    """

    name: str = ""
    command: str = ""
    key: Annotated[str, Key()] = "ctrl T"
    match: str = ""
    watch_keys: Annotated[tuple[str, ...], KeyList()] = ()
    keys: Annotated[tuple[str, ...], KeyList()] = ()
    loop: bool = False
    before_loop_key: Annotated[str, Key()] = ""
    after_loop_key: Annotated[str, Key()] = ""
    loop_type: Annotated[str, _LOOPS] = "counted"
    while_expression: str = ""
    until_expression: str = ""
    loop_count: Annotated[str, Expression()] = ""
    index: bool = False
    index_property: str = ""
    index_start: Annotated[str, Expression()] = "1"
    index_step: Annotated[str, Expression()] = "1"


@dataclass(frozen=True, kw_only=True)
class ReportAction(Trait, id="report;", aka=("ReportState",), needs=("keys",)):
    """Writes a line of chat when the piece gets one of the keys.

    >>> ReportAction(keys=("<Rep>",), format="DZ: LOSS unit=$Unit$", always=True).type_string()
    'report;57348\\\\,0\\\\,Rep;DZ: LOSS unit=$Unit$;;;;true'
    """

    keys: Annotated[tuple[str, ...], KeyList()] = ()
    format: str = "$location$: $newPieceName$ *"
    previous_keys: Annotated[tuple[str, ...], KeyList()] = ()
    cycle_formats: Annotated[tuple[str, ...], Seq(",")] = ()
    description: str = ""
    always: bool = False
    """Whether the line comes even when reports are muted."""
    cycle: Annotated[int, STATE] = -1


@dataclass(frozen=True, kw_only=True)
class GlobalKeyCommand(Trait, id="globalkey;", aka=("CounterGlobalKeyCommand",)):
    """Sends a key to other pieces."""

    command: str = ""
    key: Annotated[str, Key()] = "ctrl G"
    send: Annotated[str, Key()] = "ctrl K"
    filter: str = ""
    restrict_range: bool = False
    range: int = 1
    report_single: bool = True
    fixed_range: bool = True
    range_property: str = ""
    description: str = ""
    deck_count: Annotated[str, Expression()] = "-1"
    target: Annotated[Target, TARGET] = ANY_PIECE
    suppress_sounds: Annotated[bool, Since("3.7.0")] = False
    parameters: Annotated[tuple[tuple[str, str], ...], Pairs(",", ":"), Since("3.7.0")] = ()


@dataclass(frozen=True, kw_only=True)
class GlobalHotkey(Trait, id="globalhotkey;", aka=("GlobalHotKey",), needs=("hotkey",)):
    """Presses a toolbar button's key."""

    command: str = ""
    key: Annotated[str, Key()] = "ctrl H"
    hotkey: Annotated[str, Key()] = ""
    description: str = ""


@dataclass(frozen=True, kw_only=True)
class RestrictCommands(Trait, id="hideCmd;"):
    """Hides or disables the commands of some keys while an expression holds."""

    name: str = ""
    action: Annotated[str, Choice("Hide", "Disable")] = "Hide"
    match: str = ""
    keys: Annotated[tuple[str, ...], KeyList()] = ()


@dataclass(frozen=True, kw_only=True)
class PlaySound(Trait, id="playSound;"):
    """Plays a clip."""

    sound: str = ""
    command: str = ""
    key: Annotated[str, Key()] = "ctrl P"
    send_to_others: bool = False
    description: str = ""
    always: Annotated[bool, Since("3.7.0")] = False


@dataclass(frozen=True, kw_only=True)
class ActionButton(Trait, id="button;"):
    """An area of the picture that sends a key when clicked: a polygon, or the whole piece."""

    key: Annotated[str, Key()] = "ctrl A"
    x: int = 0
    y: int = 0
    width: int = 0
    height: int = 0
    description: str = ""
    popup_menu: bool = False
    whole_piece: bool = False
    points: Annotated[tuple[tuple[int, ...], ...], Seq(";", Seq(",", Int()))] = ()
    """Corners (x, y) in pixels from the piece's center."""

    @classmethod
    def _read_type(cls, text: str) -> dict[str, Any]:
        tokens = split(text, ";")
        values = read_tokens(cls.type_fields()[:-1], tokens)
        numbers = _numbers(tokens[8:])
        if next(numbers) < 1:
            # VASSAL turns the rectangle of old buttons into a polygon, or takes the whole piece.
            x, y, w, h = (values.get(name, 0) for name in ("x", "y", "width", "height"))
            if w > 0 and h > 0:
                values["points"] = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
            else:
                values["whole_piece"] = True
            return values
        count = max(0, next(numbers))
        values["points"] = tuple((next(numbers), next(numbers)) for _ in range(min(count, 10**4)))
        return values | {"surplus": tuple(tokens[10 + 2 * count :])}

    def _write_type(self, version: _Version) -> str:
        head = write_tokens(self.type_fields()[:-1], self, version)
        corners = [str(number) for point in self.points for number in point]
        return join([*head, "1", str(len(self.points)), *corners, *self.surplus], ";")


def _numbers(tokens: list[str]) -> Iterator[int]:
    """Yield the tokens as numbers, 0 for unreadable ones and for ever after the last."""
    for token in tokens:
        try:
            yield Int().read(token)
        except ValueError:
            yield 0
    while True:
        yield 0


@dataclass(frozen=True, kw_only=True)
class SubMenu(Trait, id="submenu;", needs=("name", "commands")):
    """Gathers menu commands of the piece under one entry."""

    name: str = ""
    commands: Annotated[tuple[str, ...], Seq(",")] = ()
    description: str = ""


@dataclass(frozen=True, kw_only=True)
class MenuSeparator(Trait, id="menuSeparator;"):
    """A line in the menu."""

    description: str = ""
    key: Annotated[str, Key()] = ""


@dataclass(frozen=True, kw_only=True)
class PlaceMarker(Trait, id="placemark;", needs=("marker",)):
    """Puts a new piece beside this one; its definition holds a gpid of its own."""

    command: str = ""
    key: Annotated[str, Key()] = ""
    marker: Annotated[str | None, NullText()] = None
    """The whole definition ``+/null/...``, or the path of a slot."""
    text: Annotated[str | None, NullText()] = None
    x: Annotated[str, Expression()] = "0"
    y: Annotated[str, Expression()] = "0"
    match_rotation: bool = False
    after_key: Annotated[str, Key()] = ""
    description: str = ""
    gpid: Annotated[str, Expression()] = ""
    placement: int = 0
    """0 on top of the stack, 1 at its bottom, 2 above the piece, 3 below."""
    above: bool = False
    copy_properties: Annotated[bool, Since("3.7.0")] = False
    parameters: Annotated[tuple[tuple[str, str], ...], Pairs(",", ":"), Since("3.7.0")] = ()
    version: Annotated[int, Since("3.7.0")] = 1


@dataclass(frozen=True, kw_only=True)
class Replace(PlaceMarker, id="replace;", needs=("marker",)):
    """Puts a new piece in the place of this one."""


@dataclass(frozen=True, kw_only=True)
class Clone(Trait, id="clone;", needs=("command", "key")):
    """Copies the piece."""

    command: str = ""
    key: Annotated[str, Key()] = "ctrl C"
    description: str = ""


@dataclass(frozen=True, kw_only=True)
class Delete(Trait, id="delete;", needs=("command", "key")):
    """Removes the piece from the game."""

    command: str = ""
    key: Annotated[str, Key()] = "ctrl D"
    description: str = ""


@dataclass(frozen=True, kw_only=True)
class ReturnToDeck(Trait, id="return;", needs=("key",)):
    """Sends the piece into a deck: a named one, or one that the player chooses."""

    command: str = ""
    key: Annotated[str, Key()] = ""
    deck: str = ""
    prompt: str = ""
    description: str = ""
    version: int = 2
    choose: bool = True
    expression: str = ""

    @classmethod
    def _read_type(cls, text: str) -> dict[str, Any]:
        values = {"version": 0} | super()._read_type(text)
        if values["version"] < 2:
            # Before version 2 the deck's name alone said both.
            surplus = tuple(split(text, ";")[6:])
            deck = values.get("deck", "")
            values |= {"choose": not deck, "expression": deck, "version": 2, "surplus": surplus}
        return values


@dataclass(frozen=True, kw_only=True)
class SendToLocation(Trait, id="sendto;", needs=("key",)):
    """Moves the piece to a place; ``destination`` says which of the fields count.

    ``L`` x and y of a board, ``G`` grid location, ``Z`` zone, ``R`` region, ``A`` counter, ``C``
    counters in turn, ``N`` nearest counter.
    """

    command: str = ""
    key: Annotated[str, Key()] = ""
    map: str = ""
    board: str = ""
    x: Annotated[str, Expression()] = "0"
    y: Annotated[str, Expression()] = "0"
    back_command: str = ""
    back_key: Annotated[str, Key()] = ""
    x_index: Annotated[str, Expression()] = "0"
    y_index: Annotated[str, Expression()] = "0"
    x_offset: Annotated[str, Expression()] = "1"
    y_offset: Annotated[str, Expression()] = "1"
    description: str = ""
    destination: Annotated[str, Choice("L", "G", "Z", "R", "A", "C", "N")] = "L"
    zone: str = ""
    region: str = ""
    filter: str = ""
    grid_location: str = ""
    back_map: Annotated[str, STATE] = ""
    back_x: Annotated[str, STATE] = ""
    back_y: Annotated[str, STATE] = ""

    state_delimiter = ";"


@dataclass(frozen=True, kw_only=True)
class MoveFixedDistance(Trait, id="translate;", aka=("Translate",), needs=("key",)):
    """Moves the piece by pixels; positive y is up."""

    command: str = ""
    key: Annotated[str, Key()] = "ctrl M"
    x: Annotated[str, Expression()] = "0"
    y: Annotated[str, Expression()] = "60"
    move_stack: bool = False
    x_index: Annotated[str, Expression()] = "0"
    y_index: Annotated[str, Expression()] = "0"
    x_offset: Annotated[str, Expression()] = "0"
    y_offset: Annotated[str, Expression()] = "0"
    description: str = ""


@dataclass(frozen=True, kw_only=True)
class Deselect(Trait, id="deselect;", needs=("key",)):
    """Takes the piece out of the selection."""

    command: str = ""
    key: Annotated[str, Key()] = "ctrl K"
    description: str = ""
    unstack: bool = False
    what: Annotated[str, Choice("D", "A", "S")] = "D"
    """``D`` this piece, ``A`` all, ``S`` all but this piece."""


@dataclass(frozen=True, kw_only=True)
class MultiLocationCommand(Trait, id="locCommand;", since="3.7.0"):
    """A menu entry for each zone or region that fits."""

    description: str = ""
    locations: Annotated[str, Choice("locRegions", "locZones")] = "locRegions"
    filter: str = ""
    command: str = ""
    key: Annotated[str, Key()] = ""
    current_map_only: bool = True
    sort: Annotated[str, Since("3.8.0")] = ""
    ascending: Annotated[bool, Since("3.8.0")] = True
    numeric: Annotated[bool, Since("3.8.0")] = False

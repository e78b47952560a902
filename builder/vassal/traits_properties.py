"""Traits that hold values, rights and ties, and the innermost BasicPiece."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, ClassVar

from builder.vassal.codecs import (
    Choice,
    Expression,
    Image,
    Int,
    Key,
    NullText,
    Pairs,
    Seq,
    Version,
)
from builder.vassal.fields import STATE, write_tokens
from builder.vassal.sequence import UnencodableError, join, split
from builder.vassal.traits_base import Trait
from builder.vassal.traits_values import (
    ANY_PIECE,
    LIMITS,
    NO_LIMITS,
    TARGET,
    Constraints,
    PropertyCommand,
    PropertyCommands,
    Target,
)

__all__ = [
    "Attachment",
    "BasicName",
    "BasicPiece",
    "CalculatedProperty",
    "Comment",
    "DoesNotStack",
    "DynamicProperty",
    "Marker",
    "Mat",
    "MatCargo",
    "PropertySheet",
    "Prototype",
    "RestrictedAccess",
    "SetGlobalProperty",
    "SetPieceProperty",
    "Spreadsheet",
    "TranslatableMessage",
]

_COMMANDS = PropertyCommands()


@dataclass(frozen=True, kw_only=True)
class Marker(Trait, id="mark;", needs=("properties",)):
    """Fixed properties: their names are the type, their values the state.

    >>> side = Marker(properties=(("Side", "German"), ("Steps", "2")))
    >>> side.type_string(), side.state_string()
    ('mark;Side,Steps', 'German,2')
    """

    properties: Annotated[tuple[tuple[str, str], ...], Pairs(",", "=")] = ()

    @classmethod
    def _read_type(cls, text: str) -> dict[str, Any]:
        # "mark;" alone holds one property without a name, which is none.
        return {"properties": tuple([(name, "") for name in split(text, ",")]) if text else ()}

    def _write_type(self, version: Version) -> str:
        if len(self.properties) == 1 and not self.properties[0][0]:
            raise UnencodableError("a marker whose only property has no name")
        return join([name for name, _ in self.properties], ",") if self.properties else ""

    def _read_state(self, text: str) -> dict[str, Any]:
        values = split(text, ",")
        values += [""] * (len(self.properties) - len(values))
        pairs = zip([name for name, _ in self.properties], values, strict=False)
        return {"properties": tuple(pairs)}

    def _write_state(self) -> str:
        return join([value for _, value in self.properties], ",") if self.properties else ""


@dataclass(frozen=True, kw_only=True)
class DynamicProperty(Trait, id="PROP;", needs=("name",)):
    r"""A property that commands change.

    >>> from builder.vassal.traits import trait_from_data
    >>> steps = trait_from_data({
    ...     "trait": "DynamicProperty", "name": "Steps", "value": "2",
    ...     "constraints": {"numeric": True, "max": 2},
    ...     "commands": [{"key": "<StepDown>", "add": -1}, {"key": "<StepUp>", "add": 1}],
    ... })
    >>> steps.type_string(), steps.state_string()
    ('PROP;Steps;true,0,2,false;:57348\\,0\\,StepDown:I\\,-1,:57348\\,0\\,StepUp:I\\,1;', '2')
    """

    name: str = "name"
    constraints: Annotated[Constraints, LIMITS] = NO_LIMITS
    commands: Annotated[tuple[PropertyCommand, ...], _COMMANDS] = ()
    description: str = ""
    value: Annotated[str, Expression(), STATE] = ""


@dataclass(frozen=True, kw_only=True)
class CalculatedProperty(Trait, id="calcProp;", needs=("name", "expression")):
    """A property computed anew at each reading; never put Random() into it."""

    name: str = ""
    expression: Annotated[str, Expression()] = ""
    description: str = ""


@dataclass(frozen=True, kw_only=True)
class SetGlobalProperty(Trait, id="setprop;", needs=("name", "commands")):
    r"""Commands that change a global property, which must exist.

    >>> from builder.vassal.traits import trait_from_data
    >>> trait_from_data({
    ...     "trait": "SetGlobalProperty", "name": "AttackNo",
    ...     "constraints": {"numeric": True, "max": 99},
    ...     "commands": [{"key": "<Inc>", "add": 1}],
    ... }).type_string()
    'setprop;AttackNo;true,0,99,false;:57348\\,0\\,Inc:I\\,1;;Current Zone/Current Map/Module;'
    """

    name: str = "name"
    constraints: Annotated[Constraints, LIMITS] = NO_LIMITS
    commands: Annotated[tuple[PropertyCommand, ...], _COMMANDS] = ()
    description: str = ""
    level: Annotated[str, Choice("Current Zone/Current Map/Module", "Named Zone", "Named Map")] = (
        "Current Zone/Current Map/Module"
    )
    search_name: str = ""


@dataclass(frozen=True, kw_only=True)
class SetPieceProperty(Trait, id="setpieceprop;", since="3.7.0", needs=("name", "commands")):
    """Commands that change a Dynamic Property of other pieces."""

    name: str = "name"
    constraints: Annotated[Constraints, LIMITS] = NO_LIMITS
    commands: Annotated[tuple[PropertyCommand, ...], _COMMANDS] = ()
    description: str = ""
    target: Annotated[Target, TARGET] = ANY_PIECE
    filter: str = ""
    restrict_range: bool = False
    range: int = 1
    fixed_range: bool = True
    range_property: str = ""
    deck_count: Annotated[str, Expression()] = "-1"
    override_constraints: bool = False


@dataclass(frozen=True, kw_only=True)
class PropertySheet(Trait, id="propertysheet;", needs=("definition", "menu")):
    """A form of fields: a definition is one digit, the kind of field, and a name.

    0 text, 1 lines of text, 2 label, 3 ticks, 4 ticks of a maximum, 5 ticks with value, 6 value of
    a maximum, 7 spinner.
    """

    definition: Annotated[tuple[str, ...], Seq("~")] = ()
    menu: str = ""
    launch_letter: str = ""
    """The key in old modules; it counts if ``launch_key`` is absent."""
    commit: int = 0
    """0 at once, 1 on "apply", 2 on closing."""
    red: str = ""
    green: str = ""
    blue: str = ""
    launch_key: Annotated[str, Key()] = "ctrl P"
    description: str = ""
    values: Annotated[tuple[str, ...], Seq("~"), STATE] = ()


@dataclass(frozen=True, kw_only=True)
class Spreadsheet(Trait, id="table;", aka=("TableInfo",)):
    """A table of texts, row by row."""

    rows: int = 2
    columns: int = 2
    command: str = ""
    key: Annotated[str, Key()] = ""
    description: str = ""
    cells: Annotated[tuple[str, ...], Seq(","), STATE] = ()


@dataclass(frozen=True, kw_only=True)
class TranslatableMessage(Trait, id="locmsg;"):
    """A text that translations of the module replace."""

    key: str = "name"
    description: str = ""
    message: str = ""


@dataclass(frozen=True, kw_only=True)
class RestrictedAccess(Trait, id="restrict;", aka=("Restricted",), needs=("sides",)):
    """Lets only some sides use and move the piece.

    >>> RestrictedAccess(sides=("Allied", "Solo"), movement=True).type_string()
    'restrict;Allied,Solo;false;true;'
    """

    sides: Annotated[tuple[str, ...], Seq(",")] = ()
    by_player: bool = False
    movement: bool = True
    description: str = ""
    owner: Annotated[str, STATE] = ""
    """Player id; ids are passwords, never show them."""


@dataclass(frozen=True, kw_only=True)
class Prototype(Trait, id="prototype;", aka=("UsePrototype",), needs=("name",)):
    """Stands for the traits of a named definition."""

    name: str = ""
    parameters: Annotated[tuple[tuple[str, str], ...], Pairs(",", "=")] = ()

    def _write_type(self, version: Version) -> str:
        tokens = write_tokens(self.type_fields(), self, version)
        # VASSAL's own form has no second token unless there are parameters.
        keep = tokens if tokens[1] or self.surplus else tokens[:1]
        return join([*keep, *self.surplus], ";")


@dataclass(frozen=True, kw_only=True)
class Comment(Trait, id="cmt;", since="3.7.0", needs=("text",)):
    """A note to the author; pieces in play lose it."""

    text: str = ""


@dataclass(frozen=True, kw_only=True)
class BasicName(Trait, id="basicName;", needs=("name",)):
    """Another basic name for the piece."""

    name: str = ""


@dataclass(frozen=True, kw_only=True)
class Mat(Trait, id="mat;", needs=("name",)):
    """A piece that carries others along."""

    name: str = ""
    description: str = ""
    cargo: Annotated[tuple[str, ...], Seq(";"), STATE] = ()
    """Ids of the pieces on it."""

    def _read_state(self, text: str) -> dict[str, Any]:
        return {"cargo": _read_ids(text)}

    def _write_state(self) -> str:
        return join([str(len(self.cargo)), *self.cargo], ";")


def _read_ids(text: str) -> tuple[str, ...]:
    count, *ids = split(text, ";")
    try:
        return tuple(ids[: max(0, Int().read(count))])
    except ValueError:
        return ()


@dataclass(frozen=True, kw_only=True)
class MatCargo(Trait, id="matPiece;"):
    """A piece that can be carried by a mat."""

    description: str = ""
    keep_facing: bool = True
    detection_x: int = 0
    detection_y: int = 0
    find_key: Annotated[str, Key()] = ""
    detach_key: Annotated[str, Key()] = ""
    mat: Annotated[str, STATE] = "noMat"

    state_delimiter: ClassVar[str] = ";"


@dataclass(frozen=True, kw_only=True)
class Attachment(Trait, id="attach;", since="3.7.0", needs=("name",)):
    """Ties the piece to others."""

    name: str = ""
    description: str = ""
    attach_command: str = ""
    attach_key: Annotated[str, Key()] = ""
    clear_command: str = ""
    clear_key: Annotated[str, Key()] = ""
    filter: str = ""
    restrict_range: bool = False
    range: int = 1
    fixed_range: bool = True
    range_property: str = ""
    deck_count: Annotated[str, Expression()] = "-1"
    target: Annotated[Target, TARGET] = ANY_PIECE
    clear_matching_command: str = ""
    clear_matching_key: Annotated[str, Key()] = ""
    clear_matching_filter: str = ""
    on_attach: Annotated[str, Choice("nothing", "follow", "attachAll")] = "nothing"
    on_detach: Annotated[str, Choice("nothing", "remove")] = "nothing"
    before_attach: Annotated[str, Choice("clear", "nothing")] = "clear"
    allow_self: bool = False
    auto_attach: bool = True
    attached: Annotated[tuple[str, ...], Seq(";"), STATE] = ()
    """Ids of the attached pieces."""

    def _read_state(self, text: str) -> dict[str, Any]:
        return {"attached": _read_ids(text)}

    def _write_state(self) -> str:
        return join([str(len(self.attached)), *self.attached], ";")


@dataclass(frozen=True, kw_only=True)
class DoesNotStack(Trait, id="immob;", aka=("Immobilized",)):
    """Rules of selecting, moving and stacking the piece.

    A marker printed on the map, and one that nobody moves:

    >>> DoesNotStack(ignore_grid=True).type_string(), DoesNotStack(
    ...     select="never", move="never").type_string()
    ('immob;g;N;R;', 'immob;n;V;R;')
    """

    select: Annotated[str, Choice("normal", "shift", "ctrl", "alt", "never")] = "normal"
    ignore_grid: bool = False
    band_select: Annotated[str, Choice("normal", "never", "alt", "alt shift")] = "normal"
    move: Annotated[str, Choice("normal", "selected", "never")] = "normal"
    stack: bool = False
    description: str = ""

    @classmethod
    def _read_type(cls, text: str) -> dict[str, Any]:
        tokens = split(text, ";")
        letters, move, stack, note = (tokens + ["", "", "R", ""][len(tokens) :])[:4]
        select = next((word for letter, word in _SELECT.items() if letter in letters), "normal")
        band = next((word for letter, word in _BAND.items() if letter in letters), "normal")
        return {
            "select": select,
            "ignore_grid": "g" in letters,
            "band_select": band,
            "move": _moving(move, select),
            "stack": stack.startswith("L"),
            "description": note,
            "surplus": tuple(tokens[4:]),
        }

    def _write_type(self, version: Version) -> str:
        letters = _LETTER[self.select] + ("g" if self.ignore_grid else "")
        letters += _BAND_LETTER[self.band_select]
        move = {"normal": "N", "selected": "I", "never": "V"}[self.move]
        # VASSAL itself writes the description raw, and loses what stands behind a semicolon.
        tokens = [letters, move, "L" if self.stack else "R", self.description, *self.surplus]
        return join(tokens, ";")


_SELECT = {"n": "never", "i": "shift", "t": "ctrl", "c": "alt"}
_BAND = {"Z": "never", "A": "alt", "B": "alt shift"}
_LETTER = {"normal": ""} | {word: letter for letter, word in _SELECT.items()}
_BAND_LETTER = {"normal": ""} | {word: letter for letter, word in _BAND.items()}


def _moving(move: str, select: str) -> str:
    if not move:
        return {"never": "never", "normal": "normal"}.get(select, "selected")
    return {"V": "never", "I": "selected"}.get(move[0], "normal")


@lru_cache(maxsize=1 << 14)
def _number(token: str) -> int:
    """Return a place or a count; 0 for what is none, as for VASSAL."""
    try:
        return _INT.read(token)
    except ValueError:
        return 0


_INT = Int()


@dataclass(frozen=True, kw_only=True)
class BasicPiece(Trait, id="piece;", listed=False):
    """The innermost part of a piece: its picture and name, its place and persistent properties."""

    clone_key: str = ""
    delete_key: str = ""
    image: Annotated[str, Image()] = ""
    name: str = ""
    map: Annotated[str | None, NullText(), STATE] = None
    x: Annotated[int, STATE] = 0
    """Pixels of the map."""
    y: Annotated[int, STATE] = 0
    gpid: Annotated[str, STATE] = ""
    properties: Annotated[tuple[tuple[str, str], ...], Pairs(";", ";"), STATE] = ()

    state_delimiter: ClassVar[str] = ";"
    # A piece stands in many places.
    keeps_states: ClassVar[bool] = False

    def _read_state(self, text: str) -> dict[str, Any]:
        # Written out, as each piece of a save has its own state.
        tokens = split(text, ";")
        known = len(tokens)
        count = max(0, _number(tokens[4])) if known > 4 else 0
        pairs = tokens[5 : 5 + 2 * count] if count else ()
        return {
            "map": None if tokens[0] == "null" else tokens[0],
            "x": _number(tokens[1]) if known > 1 else 0,
            "y": _number(tokens[2]) if known > 2 else 0,
            "gpid": tokens[3] if known > 3 else "",
            "properties": tuple(zip(pairs[::2], pairs[1::2], strict=False)),
            "state_surplus": tuple(tokens[5 + 2 * count :]),
        }

    def _write_state(self) -> str:
        head = write_tokens(self.state_fields()[:-1], self, ())
        pairs = [text for pair in self.properties for text in pair]
        tokens = [*head, str(len(self.properties)), *pairs, *self.state_surplus]
        text = join(tokens, ";")
        if "\t" in text:
            raise UnencodableError(f"VASSAL loses a piece whose state holds a TAB: {text!r}")
        return text

    def _write_type(self, version: Version) -> str:
        text = super()._write_type(version)
        if "\t" in text:
            raise UnencodableError(f"VASSAL loses a piece whose name holds a TAB: {text!r}")
        return text

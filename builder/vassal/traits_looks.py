"""Traits that show: layers, masks, labels, shapes, facings, marks of movement."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar

from builder.vassal.codecs import (
    Access,
    Color,
    Expression,
    Image,
    Int,
    Key,
    NullText,
    Seq,
    Version,
)
from builder.vassal.fields import STATE, FieldSpec, Since, read_tokens, write_tokens
from builder.vassal.keys import notation
from builder.vassal.sequence import join, split, split_first
from builder.vassal.traits_base import UNWIRED, Trait

__all__ = [
    "AreaOfEffect",
    "Border",
    "CanPivot",
    "CanRotate",
    "Invisible",
    "Layer",
    "MarkWhenMoved",
    "Mask",
    "MovementTrail",
    "NonRectangular",
    "OldLayer",
    "OldNonRectangular",
    "TextLabel",
]

_CTRL = 128


@dataclass(frozen=True, kw_only=True)
class Layer(Trait, id="emb2;", aka=("Embellishment",), needs=("images",)):
    """Pictures in levels: ``level`` 1 shows the first, a negative one is switched off.

    The one-letter fields and modifiers are those of old modules; the three ``..._key`` fields
    count. A counter with two sides:

    >>> Layer(
    ...     name="Step", images=("inf.png", "inf_step.png"), names=("", ""),
    ...     increase_command="Flip", increase_key="ctrl F",
    ... ).type_string()
    'emb2;;128;;Flip;128;;;128;;;;1;false;0;0;inf.png,inf_step.png;,;true;Step;;;false;;1;1;true;;70,130;;;1.0'
    """

    activate_command: str = ""
    activate_modifiers: int = _CTRL
    activate_letter: str = ""
    increase_command: str = ""
    increase_modifiers: int = _CTRL
    increase_letter: str = ""
    decrease_command: str = ""
    decrease_modifiers: int = _CTRL
    decrease_letter: str = ""
    reset_command: str = ""
    reset_key: Annotated[str, Key()] = ""
    reset_level: Annotated[str, Expression()] = "1"
    underneath_when_selected: bool = False
    x: int = 0
    y: int = 0
    images: Annotated[tuple[str, ...], Seq(",", Image())] = ()
    names: Annotated[tuple[str, ...], Seq(",")] = ()
    loop: bool = True
    name: str = ""
    random_key: Annotated[str, Key()] = ""
    random_command: str = ""
    follow: bool = False
    follow_expression: Annotated[str, Expression()] = ""
    first_level_value: int = 1
    version: int = 1
    always_active: bool = True
    activate_key: Annotated[str, Key()] = ""
    increase_key: Annotated[str, Key()] = ""
    decrease_key: Annotated[str, Key()] = ""
    description: str = ""
    scale: float = 1.0
    only_property: Annotated[str, Since("3.7.0")] = ""
    only_value: Annotated[str, Since("3.7.0")] = "true"
    level: Annotated[int, STATE] = 1

    state_delimiter: ClassVar[str] = ";"

    @classmethod
    def _read_type(cls, text: str) -> dict[str, Any]:
        values: dict[str, Any] = {"version": 0, "activate_letter": "A"}
        values |= super()._read_type(text)
        letters = [values.get(f"{word}_letter", "") for word in _LAYER_WORDS]
        if values["version"] == 0 and max(map(len, letters)) <= 1:
            # VASSAL converts one-letter keys, and then calls the layer always active if none.
            for word, letter in zip(_LAYER_WORDS, letters, strict=True):
                mask = values.get(f"{word}_modifiers", _CTRL)
                values[f"{word}_key"] = notation(f"{ord(letter)},{mask}") if letter else ""
            values["version"] = 1
            values["always_active"] = not letters[0]
        return values

    def _read_state(self, text: str) -> dict[str, Any]:
        return super()._read_state(text) | _level_of(text)


def _level_of(text: str) -> dict[str, int]:
    """Return the level if VASSAL does not read one: its default here differs from a new layer's."""
    try:
        Int().read(split(text, ";")[0])
    except ValueError:
        return {"level": -1}
    return {}


_LAYER_WORDS = ("activate", "increase", "decrease")


@dataclass(frozen=True, kw_only=True)
class OldLayer(Trait, id="emb;", listed=False):
    """The layer of modules before VASSAL 3.0: letters for keys, a name beside each picture."""

    activate_letter: str = field(default="", metadata=UNWIRED)
    reset: tuple[str, ...] = field(default=(), metadata=UNWIRED)
    """Command, key and level of the reset, as far as they are given."""
    activate_command: str = ""
    """A leading ``_`` means "drawn underneath when selected"."""
    increase_letter: str = ""
    increase_command: str = ""
    decrease_letter: str = ""
    decrease_command: str = ""
    x: int = 0
    y: int = 0
    levels: tuple[tuple[str, ...], ...] = field(default=(), metadata=UNWIRED)
    """Picture, and perhaps a name, of each level."""
    level: Annotated[int, STATE] = 1

    state_delimiter: ClassVar[str] = ";"

    @classmethod
    def _read_type(cls, text: str) -> dict[str, Any]:
        head, *tokens = split(text, ";")
        letter, *reset = split(head, ";")
        specs = cls.type_fields()
        levels = [tuple(split(token, ",")) for token in tokens[len(specs) :]]
        return {
            "activate_letter": letter, "reset": tuple(reset), "levels": tuple(levels),
            **read_tokens(specs, tokens),
        }  # fmt: skip

    def _write_type(self, version: Version) -> str:
        head = join([self.activate_letter, *self.reset], ";")
        middle = write_tokens(self.type_fields(), self, version)
        return join([head, *middle, *[join(level, ",") for level in self.levels]], ";")

    def _read_state(self, text: str) -> dict[str, Any]:
        return super()._read_state(text) | _level_of(text)

    def pictures(self) -> tuple[str, ...]:
        """Return the names of the pictures of the levels."""
        return tuple(dict.fromkeys(level[0] for level in self.levels if level and level[0]))


@dataclass(frozen=True, kw_only=True)
class Invisible(Trait, id="hide;", aka=("Hideable",)):
    """Lets a player hide the piece from the others."""

    key: Annotated[str, Key()] = "ctrl I"
    command: str = ""
    background: Annotated[str, Color()] = ""
    access: Annotated[tuple[str, ...], Access()] = ("player:",)
    transparency: float = 0.3
    description: str = ""
    no_move_report: bool = False
    hidden_by: Annotated[str | None, NullText(), STATE] = None
    """Player id or side of the hider; ids are passwords, never show them."""


@dataclass(frozen=True, kw_only=True)
class Mask(Trait, id="obs;", aka=("Obscurable",), needs=("image", "display")):
    """Lets a player turn the piece face down.

    ``display`` is a letter with its argument: ``B`` background, ``I`` inset, ``2`` second inset,
    ``P`` peek and perhaps a key, ``G`` and the picture that the others see.
    """

    key: Annotated[str, Key()] = ""
    image: Annotated[str, Image()] = ""
    """The picture that the masking player sees."""
    command: str = ""
    display: str = "I"
    mask_name: str = "?"
    access: Annotated[tuple[str, ...], Access()] = ("player:",)
    peek_command: str = ""
    description: str = ""
    peek_on_mouse_over: bool = False
    deal_key: Annotated[str, Key()] = ""
    deal_expression: str = ""
    masked_by: Annotated[str | None, NullText(), STATE] = None
    """Player id or side; None is face up, an empty text is masked by nobody."""
    options: Annotated[str, STATE] = ""

    state_delimiter: ClassVar[str] = ";"

    def pictures(self) -> tuple[str, ...]:
        """Return both pictures of the mask."""
        others = self.display[1:] if self.display.startswith("G") else ""
        return tuple(dict.fromkeys(name for name in (self.image, others) if name))


@dataclass(frozen=True, kw_only=True)
class TextLabel(Trait, id="label;", aka=("Labeler",)):
    """Text drawn on or beside the piece."""

    key: Annotated[str, Key()] = ""
    command: str = ""
    font_size: int = 10
    background: Annotated[str, Color()] = ""
    foreground: Annotated[str, Color()] = "#000000"
    vertical_position: str = "t"
    vertical_offset: int = 0
    horizontal_position: str = "c"
    horizontal_offset: int = 0
    vertical_justification: str = "b"
    horizontal_justification: str = "c"
    name_format: str = "$pieceName$ ($label$)"
    font: str = "Dialog"
    font_style: int = 0
    """0 plain, 1 bold, 2 italic, 3 both."""
    rotation: int = 0
    """Degrees."""
    property: str = "TextLabel"
    description: str = ""
    always_use_format: Annotated[bool, Since("3.6.1")] = False
    label: Annotated[str, STATE] = ""


@dataclass(frozen=True, kw_only=True)
class NonRectangular(Trait, id="nonRect2;"):
    """The outline in which a click hits the piece, a path of ``M``, ``L``, ``Q``, ``C``, ``Z``."""

    scale: float = 1.0
    shape: str = ""

    @classmethod
    def _read_type(cls, text: str) -> dict[str, Any]:
        scale, shape = split_first(text, ";")
        values = read_tokens(cls.type_fields()[:1], [scale])
        # The shape is the raw rest of the text: no sequence, no quotes.
        return values | {"shape": shape or ""}

    def _write_type(self, version: Version) -> str:
        return f"{write_tokens(self.type_fields()[:1], self, version)[0]};{self.shape}"


@dataclass(frozen=True, kw_only=True)
class OldNonRectangular(Trait, id="nonRect;", listed=False):
    """The outline of a piece in its older form, without a scale."""

    shape: str = ""

    @classmethod
    def _read_type(cls, text: str) -> dict[str, Any]:
        return {"shape": text}

    def _write_type(self, version: Version) -> str:
        return self.shape


@dataclass(frozen=True, kw_only=True)
class Border(Trait, id="border;", aka=("BorderOutline",), since="3.7.0"):
    """A colored outline while a property is true."""

    property: str = ""
    description: str = ""
    thickness: int = 2
    color: Annotated[str, Color()] = "#ff0000"
    property2: str = ""
    compare: str = "AND"


@dataclass(frozen=True, kw_only=True)
class AreaOfEffect(Trait, id="AreaOfEffect;"):
    """A shaded area around the piece."""

    color: Annotated[str, Color()] = "#808080"
    opacity: int = 30
    """Percent."""
    radius: int = 1
    always_active: bool = True
    command: str = ""
    key: Annotated[str, Key()] = ""
    map_shader: str = ""
    fixed_radius: bool = True
    radius_property: str = ""
    description: str = ""
    name: Annotated[str, Since("3.7.0")] = ""
    on_command: Annotated[str, Since("3.7.0")] = ""
    on_key: Annotated[str, Key(), Since("3.7.0")] = ""
    off_command: Annotated[str, Since("3.7.0")] = ""
    off_key: Annotated[str, Key(), Since("3.7.0")] = ""
    globally_visible: Annotated[bool, Since("3.7.0")] = True
    active: Annotated[bool, STATE] = False


@dataclass(frozen=True, kw_only=True)
class CanRotate(Trait, id="rotate;", aka=("FreeRotator",), needs=("facings",)):
    """Turns the piece: one facing means any angle, more mean steps of a full turn.

    Fields for any angle (``angle_...``) and for steps (``clockwise_...``) exclude each other on the
    wire; the state is the angle in degrees, or the index of the facing.
    """

    facings: int = 6
    angle_key: Annotated[str, Key()] = ""
    angle_command: str = ""
    clockwise_key: Annotated[str, Key()] = ""
    counterclockwise_key: Annotated[str, Key()] = ""
    clockwise_command: str = ""
    counterclockwise_command: str = ""
    random_key: Annotated[str, Key()] = ""
    random_command: str = ""
    name: str = ""
    description: str = ""
    direct_key: Annotated[str, Key()] = ""
    direct_command: str = ""
    direct_expression: str = ""
    direct_by_facing: bool = True
    facing: Annotated[int, STATE] = 0
    angle: Annotated[float, STATE] = 0.0

    @classmethod
    def _layout(cls, facings: int) -> tuple[FieldSpec, ...]:
        count, *rest = cls.type_fields()
        return (count, *(rest[:2] if facings == 1 else rest[2:6]), *rest[6:])

    @classmethod
    def _read_type(cls, text: str) -> dict[str, Any]:
        tokens = split(text, ";")
        facings = read_tokens(cls.type_fields()[:1], tokens).get("facings", 0)
        specs = cls._layout(facings)
        return {"surplus": tuple(tokens[len(specs) :]), **read_tokens(specs, tokens)}

    def _write_type(self, version: Version) -> str:
        return join([*write_tokens(self._layout(self.facings), self, version), *self.surplus], ";")

    def _read_state(self, text: str) -> dict[str, Any]:
        facing, angle = self.state_fields()
        used, other = (angle, facing) if self.facings == 1 else (facing, angle)
        return {used.name: used.default, other.name: other.default} | read_tokens([used], [text])

    def _write_state(self) -> str:
        facing, angle = self.state_fields()
        return write_tokens([angle if self.facings == 1 else facing], self, ())[0]


@dataclass(frozen=True, kw_only=True)
class CanPivot(Trait, id="pivot;", aka=("Pivot",)):
    """Turns the piece about a point other than its center."""

    command: str = ""
    key: Annotated[str, Key()] = ""
    x: int = 0
    y: int = 0
    fixed_angle: bool = True
    angle: float = 90.0
    description: str = ""
    command2: Annotated[str, Since("3.7.0")] = ""
    key2: Annotated[str, Key(), Since("3.7.0")] = ""
    angle2: Annotated[float, Since("3.7.0")] = 270.0


@dataclass(frozen=True, kw_only=True)
class MarkWhenMoved(Trait, id="markmoved;", aka=("MovementMarkable",), needs=("image",)):
    """A picture on a piece that was moved.

    >>> MarkWhenMoved(image="/images/moved.gif", command="Mark Moved").type_string()
    'markmoved;/images/moved.gif;0;0;Mark Moved;77,130;'
    """

    image: Annotated[str, Image()] = ""
    x: int = 0
    y: int = 0
    command: str = ""
    key: Annotated[str, Key()] = "ctrl M"
    description: str = ""
    ignore_same_location: Annotated[bool, Since("3.7.0")] = False
    command_true: Annotated[str, Since("3.7.0")] = ""
    key_true: Annotated[str, Key(), Since("3.7.0")] = ""
    command_false: Annotated[str, Since("3.7.0")] = ""
    key_false: Annotated[str, Key(), Since("3.7.0")] = ""
    moved: Annotated[bool, STATE] = False


@dataclass(frozen=True, kw_only=True)
class MovementTrail(Trait, id="footprint;", aka=("Footprint",)):
    """Lines and dots where the piece was."""

    key: Annotated[str, Key()] = "ctrl T"
    command: str = ""
    initially_visible: bool = False
    globally_visible: bool = False
    radius: int = 10
    fill_color: Annotated[str, Color()] = "#ffffff"
    line_color: Annotated[str, Color()] = "#000000"
    selected_opacity: int = 100
    """Percent."""
    unselected_opacity: int = 50
    """Percent."""
    edge_point_buffer: int = 20
    edge_display_buffer: int = 30
    line_width: float = 1.0
    on_key: Annotated[str, Key()] = ""
    off_key: Annotated[str, Key()] = ""
    clear_key: Annotated[str, Key()] = ""
    description: str = ""
    ignore_same_location: Annotated[bool, Since("3.8.0")] = False
    visible: Annotated[bool, STATE] = False
    map: Annotated[str, STATE] = ""
    points: Annotated[tuple[str, ...], Seq(";"), STATE] = ()
    """Pixels ``x,y`` of the map, in order."""
    initialized: Annotated[bool, STATE] = False
    rest: Annotated[tuple[str, ...], Seq(";"), STATE] = ()
    """What 3.8 writes behind: the last number of points."""

    def _read_state(self, text: str) -> dict[str, Any]:
        tokens = split(text, ";")
        try:
            count = max(0, Int().read(tokens[2]))
        except (ValueError, IndexError):
            count = 0
        after = tokens[3 + count :]
        return {
            "visible": tokens[0] == "true",
            "map": tokens[1] if tokens[1:] else "",
            "points": tuple(tokens[3 : 3 + count]),
            "initialized": after[:1] == ["true"],
            "rest": tuple(after[1:]),
        }

    def _write_state(self) -> str:
        visible, initialized = (
            "true" if on else "false" for on in (self.visible, self.initialized)
        )
        head = [visible, self.map, str(len(self.points)), *self.points, initialized]
        return join([*head, *self.rest], ";")

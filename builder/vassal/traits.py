"""All traits by one import, and the way from an author's TOML to a trait.

A trait in ``prototypes.toml`` is a table: ``trait`` names the class (ours or VASSAL's name), the
other keys are the fields of that class. A key stroke that is not named is none.
"""

from __future__ import annotations

from collections.abc import Mapping

from builder.problems import did_you_mean
from builder.vassal.codecs import Key, Path, WrongDataError
from builder.vassal.fields import convert_fields, fields_of, schema_of
from builder.vassal.traits_base import (
    MODULE_VERSION,
    Opaque,
    Trait,
    registered_traits,
    trait_classes,
)
from builder.vassal.traits_commands import (
    ActionButton,
    Clone,
    Delete,
    Deselect,
    GlobalHotkey,
    GlobalKeyCommand,
    MenuSeparator,
    MoveFixedDistance,
    MultiLocationCommand,
    PlaceMarker,
    PlaySound,
    Replace,
    ReportAction,
    RestrictCommands,
    ReturnToDeck,
    SendToLocation,
    SubMenu,
    TriggerAction,
)
from builder.vassal.traits_looks import (
    AreaOfEffect,
    Border,
    CanPivot,
    CanRotate,
    Invisible,
    Layer,
    MarkWhenMoved,
    Mask,
    MovementTrail,
    NonRectangular,
    OldLayer,
    OldNonRectangular,
    TextLabel,
)
from builder.vassal.traits_properties import (
    Attachment,
    BasicName,
    BasicPiece,
    CalculatedProperty,
    Comment,
    DoesNotStack,
    DynamicProperty,
    Marker,
    Mat,
    MatCargo,
    PropertySheet,
    Prototype,
    RestrictedAccess,
    SetGlobalProperty,
    SetPieceProperty,
    Spreadsheet,
    TranslatableMessage,
)
from builder.vassal.traits_values import Change, Constraints, PropertyCommand, Target

__all__ = [
    "MODULE_VERSION",
    "ActionButton",
    "AreaOfEffect",
    "Attachment",
    "BasicName",
    "BasicPiece",
    "Border",
    "CalculatedProperty",
    "CanPivot",
    "CanRotate",
    "Change",
    "Clone",
    "Comment",
    "Constraints",
    "Delete",
    "Deselect",
    "DoesNotStack",
    "DynamicProperty",
    "GlobalHotkey",
    "GlobalKeyCommand",
    "Invisible",
    "Layer",
    "MarkWhenMoved",
    "Marker",
    "Mask",
    "Mat",
    "MatCargo",
    "MenuSeparator",
    "MoveFixedDistance",
    "MovementTrail",
    "MultiLocationCommand",
    "NonRectangular",
    "OldLayer",
    "OldNonRectangular",
    "Opaque",
    "PlaceMarker",
    "PlaySound",
    "PropertyCommand",
    "PropertySheet",
    "Prototype",
    "Replace",
    "ReportAction",
    "RestrictCommands",
    "RestrictedAccess",
    "ReturnToDeck",
    "SendToLocation",
    "SetGlobalProperty",
    "SetPieceProperty",
    "Spreadsheet",
    "SubMenu",
    "Target",
    "TextLabel",
    "Trait",
    "TranslatableMessage",
    "TriggerAction",
    "WrongDataError",
    "registered_traits",
    "trait_classes",
    "trait_from_data",
    "trait_schema",
]


def trait_from_data(data: Mapping[str, object], version: str = MODULE_VERSION) -> Trait:
    """Return the trait that an author wrote.

    Raises :class:`WrongDataError` with every mistake: unknown traits and fields with the nearest
    known word, values of the wrong kind, fields that are missing, and traits that a VASSAL of this
    version does not know.

    >>> trait_from_data({"trait": "Delete", "command": "Eliminate", "key": "ctrl D"}).type_string()
    'delete;Eliminate;68,130;'
    >>> trait_from_data({"trait": "Markr", "properties": {}})
    Traceback (most recent call last):
        ...
    builder.vassal.codec_base.WrongDataError: trait: no trait 'Markr'; did you mean 'Marker'?
    """
    known = trait_classes()
    name = data.get("trait")
    cls = known.get(name) if isinstance(name, str) else None
    if cls is None:
        if not isinstance(name, str):
            raise WrongDataError([(("trait",), f"expected the name of a trait, got {name!r}")])
        raise WrongDataError([(("trait",), f"no trait {name!r}" + did_you_mean(name, known))])
    errors: list[tuple[Path, str]] = []
    if cls.trait_since and cls().newer_than(version):
        since = ".".join(map(str, cls.trait_since))
        errors.append((("trait",), f"{name} exists since VASSAL {since}, not yet in {version}"))
    specs = fields_of(cls)
    rest = {key: value for key, value in data.items() if key != "trait"}
    errors += [((key,), "is missing") for key in cls.trait_needs if key not in rest]
    values: dict[str, object] = {spec.name: "" for spec in specs if isinstance(spec.codec, Key)}
    try:
        values |= convert_fields(specs, rest)
    except WrongDataError as error:
        errors += error.errors
    if errors:
        raise WrongDataError(errors)
    return cls(**values)  # type: ignore[arg-type]  # converted by the codecs of these fields


def trait_schema() -> dict[str, object]:
    """Return the JSON schema of one authored trait: a choice among all classes."""
    options = []
    for name, cls in trait_classes().items():
        if name != cls.__name__:
            continue
        option = schema_of(fields_of(cls))
        properties = {"trait": {"enum": list(cls.trait_names)}, **_mapping(option["properties"])}
        options.append(option | {"properties": properties, "required": ["trait", *cls.trait_needs]})
    return {"oneOf": options}


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}

"""Tables of fields: a dataclass whose annotations say how each field is written.

A field names its codec in its annotation, ``Annotated[str, Key()]``; plain ``str``, ``bool``,
``int`` and ``float`` need none. The fields in order are the tokens in order; the default is what
VASSAL takes when a token is absent. :func:`fields_of` makes the table of a class.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from builder.problems import did_you_mean
from builder.vassal.codecs import (
    Bool,
    Codec,
    Float,
    Int,
    Path,
    Str,
    Version,
    WrongDataError,
    version_of,
)  # fmt: skip
from builder.vassal.sequence import join, split

__all__ = [
    "STATE", "FieldSpec", "Record", "Since", "State", "convert_fields", "fields_of", "read_tokens",
    "schema_of", "write_tokens",
]  # fmt: skip

T = TypeVar("T")


class State:
    """Marks a field that belongs to a trait's state, not to its type."""


STATE = State()
"""The one marker of state fields: ``owner: Annotated[str, STATE] = ""``."""


@dataclass(frozen=True, slots=True)
class Since:
    """The VASSAL version that first reads a field; writers for older ones leave it out."""

    version: str


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """One row of a class's table: the field, its codec and its place."""

    name: str
    codec: Codec[Any]
    default: object
    is_state: bool = False
    since: Version = ()
    read: Callable[[str], Any] | None = None
    """How the codec reads a token; None if the token itself is the value."""


_PLAIN: dict[object, Codec[Any]] = {str: Str(), bool: Bool(), int: Int(), float: Float()}


_TABLES: dict[type[Any], tuple[FieldSpec, ...]] = {}


def fields_of(cls: type[Any]) -> tuple[FieldSpec, ...]:
    """Return the table of a dataclass, in wire order, without fields of metadata ``wire=False``."""
    table = _TABLES.get(cls)
    if table is None:
        table = _TABLES[cls] = _make_table(cls)
    return table


def _make_table(cls: type[Any]) -> tuple[FieldSpec, ...]:
    hints = typing.get_type_hints(cls, include_extras=True)
    specs = []
    for field in dataclasses.fields(cls):
        if not field.metadata.get("wire", True):
            continue
        hint = hints[field.name]
        notes = typing.get_args(hint)[1:] if typing.get_origin(hint) is typing.Annotated else ()
        base = typing.get_args(hint)[0] if notes else hint
        codec = next((note for note in notes if isinstance(note, Codec)), _PLAIN.get(base))
        if codec is None:
            raise TypeError(f"{cls.__name__}.{field.name} needs a codec in its annotation")
        since = next((note.version for note in notes if isinstance(note, Since)), "")
        read = None if type(codec).read is Str.read else codec.read
        specs.append(
            FieldSpec(field.name, codec, field.default, STATE in notes, version_of(since), read)
        )
    return tuple(specs)


def read_tokens(specs: Sequence[FieldSpec], tokens: Sequence[str]) -> dict[str, Any]:
    """Return the values of the tokens; where VASSAL takes its default there is no entry."""
    values: dict[str, Any] = {}
    for spec, token in zip(specs, tokens, strict=False):
        read = spec.read
        try:
            values[spec.name] = token if read is None else read(token)
        except ValueError:
            continue
    return values


def write_tokens(specs: Sequence[FieldSpec], value: object, version: Version) -> list[str]:
    """Return the tokens of an object; trailing fields newer than the version are left out, unless
    one of them says something other than its default.
    """
    keep = len(specs)
    while keep and specs[keep - 1].since > version:
        if getattr(value, specs[keep - 1].name) != specs[keep - 1].default:
            break
        keep -= 1
    return [spec.codec.write(getattr(value, spec.name), version) for spec in specs[:keep]]


def convert_fields(specs: Sequence[FieldSpec], data: Mapping[str, object]) -> dict[str, Any]:
    """Return the values of authored data; raise :class:`WrongDataError` with all mistakes."""
    by_name = {spec.name: spec for spec in specs}
    values: dict[str, Any] = {}
    errors: list[tuple[Path, str]] = []
    for name, item in data.items():
        spec = by_name.get(name)
        if spec is None:
            errors.append(((name,), f"no field {name!r} here" + did_you_mean(name, by_name)))
            continue
        try:
            values[name] = spec.codec.convert(item)
        except WrongDataError as error:
            errors += [((name, *path), text) for path, text in error.errors]
    if errors:
        raise WrongDataError(errors)
    return values


class Record(Codec[T], Generic[T]):
    """A dataclass in one token, its fields in order; an author writes a table."""

    expected = "a table"

    def __init__(self, cls: type[T], delimiter: str, **authored: object) -> None:
        """Take the dataclass, all of whose fields have defaults, the delimiter, and values that
        stand where an author says nothing.
        """
        self.cls = cls
        self.authored = authored
        self.delimiter = delimiter

    def read(self, token: str) -> T:
        """Return the record."""
        return self.cls(**read_tokens(fields_of(self.cls), split(token, self.delimiter)))

    def write(self, value: T, version: Version) -> str:
        """Return the fields as one sequence."""
        return join(write_tokens(fields_of(self.cls), value, version), self.delimiter)

    def convert(self, value: object) -> T:
        """Take a table of the fields."""
        if not isinstance(value, Mapping):
            raise self.wrong(value)
        return self.cls(**{**self.authored, **convert_fields(fields_of(self.cls), value)})

    def schema(self) -> dict[str, object]:
        """A table of the fields."""
        return schema_of(fields_of(self.cls))


def schema_of(specs: Sequence[FieldSpec]) -> dict[str, object]:
    """Return the JSON schema of a table with these fields."""
    return {
        "type": "object",
        "properties": {spec.name: spec.codec.schema() for spec in specs},
        "additionalProperties": False,
    }

"""What all traits share: the class is the format.

A trait class is a frozen dataclass; its fields in order are the tokens of its type in order,
fields marked :data:`~builder.vassal.fields.STATE` those of its state. A handful of irregular traits
override the two halves of reading and writing together. Texts that were read are kept, so that
writing them again gives the same bytes; a changed copy is written in VASSAL's own form.
Source: VASSAL class ``counters.Decorator`` and its subclasses.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Annotated, Any, ClassVar, TypeVar

from builder.vassal.codecs import Image, Version, version_of
from builder.vassal.fields import STATE, FieldSpec, fields_of, read_tokens, write_tokens
from builder.vassal.sequence import UnencodableError, join, split

__all__ = [
    "MODULE_VERSION",
    "UNWIRED",
    "Opaque",
    "Trait",
    "parse_type",
    "registered_traits",
    "trait_classes",
]

MODULE_VERSION = "3.6"
"""The VASSAL version that our modules declare; newer fields are left out for it."""

UNWIRED = {"wire": False}
"""Metadata of a field that is no token of its own."""

TraitT = TypeVar("TraitT", bound="Trait")

_BY_ID: dict[str, type[Trait]] = {}
_BY_NAME: dict[str, type[Trait]] = {}


@dataclass(frozen=True, kw_only=True)
class Trait:
    """One trait of a piece, or its innermost BasicPiece: a type, and a state."""

    surplus: tuple[str, ...] = field(default=(), metadata=UNWIRED)
    """Tokens behind the known ones of the type, from a newer or changed VASSAL."""
    state_surplus: tuple[str, ...] = field(default=(), metadata=UNWIRED)
    """Tokens behind the known ones of the state."""

    trait_id: ClassVar[str] = ""
    """How the type begins, up to and with its first semicolon."""
    trait_since: ClassVar[Version] = ()
    """The VASSAL version that brought the trait; empty for those of 3.6 and before."""
    trait_names: ClassVar[tuple[str, ...]] = ()
    """What authors may call it: our class name, then VASSAL's."""
    trait_needs: ClassVar[tuple[str, ...]] = ()
    """Fields that an author must give."""
    type_delimiter: ClassVar[str] = ";"
    state_delimiter: ClassVar[str] = ""
    """Delimiter of the state's tokens; empty if the state is one bare text."""
    keeps_states: ClassVar[bool] = True
    """Whether a type is met with the same few states again and again."""

    # What was read, and what was written, is kept beside the fields: no part of the value.
    _raw_type: ClassVar[str | None] = None
    _raw_state: ClassVar[str | None] = None
    _written: ClassVar[Mapping[str, str]] = {}
    # The traits of the first few states that a type was met with; set where a type is decoded.
    _stated: ClassVar[dict[str, Any] | None] = None

    def __init_subclass__(
        cls, *, id: str = "", aka: tuple[str, ...] = (), since: str = "",
        needs: tuple[str, ...] = (), listed: bool = True,
    ) -> None:  # fmt: skip
        """Register the class under its id and names; one not listed is no trait for authors."""
        super().__init_subclass__()
        if not id:
            return
        cls.trait_id = id
        cls.trait_names = (cls.__name__, *aka)
        cls.trait_since = version_of(since)
        cls.trait_needs = needs
        _BY_ID[id] = cls
        if listed:
            _BY_NAME.update(dict.fromkeys(cls.trait_names, cls))

    @classmethod
    def type_fields(cls) -> tuple[FieldSpec, ...]:
        """The table of the type's tokens."""
        return _halves(cls)[0]

    @classmethod
    def state_fields(cls) -> tuple[FieldSpec, ...]:
        """The table of the state's tokens."""
        return _halves(cls)[1]

    def type_string(self, version: str = MODULE_VERSION) -> str:
        """Return the type as it was read, else as a VASSAL of this version knows it."""
        if self._raw_type is not None:
            return self._raw_type
        text = self._written.get(version)
        if text is None:
            text = self.trait_id + self._write_type(version_of(version))
            self.__dict__["_written"] = {**self._written, version: text}
        return text

    def state_string(self) -> str:
        """Return the state as it was read, else in VASSAL's own form."""
        if self._raw_state is not None:
            return self._raw_state
        return self._write_state()

    @staticmethod
    def parse(type_text: str, state_text: str = "") -> Trait:
        """Return the trait; what no class knows becomes an :class:`Opaque`.

        >>> Trait.parse("clone;Clone;67,130;", "").type_string()
        'clone;Clone;67,130;'
        """
        return parse_type(type_text).with_state(state_text)

    def with_state(self: TraitT, text: str) -> TraitT:
        """Return the same trait in the state that the text says; the type is kept as read."""
        stated: dict[str, TraitT] | None = self.__dict__.get("_stated")
        if stated is not None and text in stated:
            return stated[text]
        known = self._raw_state
        if known == text or (not text and known is None and _is_stateless(type(self))):
            return self
        values = self.__dict__ | self._read_state(text)
        values["_raw_state"] = text
        values.pop("_stated", None)
        copy = object.__new__(type(self))
        copy.__dict__.update(values)
        if stated is not None and len(stated) < _MAX_STATES:
            stated[text] = copy
        return copy

    def restated(self: TraitT, **changes: object) -> TraitT:
        """Return the same trait with other values of state fields; the type is kept as read."""
        specs = {spec.name: spec for spec in self.state_fields()}
        unknown = changes.keys() - specs.keys()
        if unknown:
            raise TypeError(f"{type(self).__name__} has no state field {sorted(unknown)}")
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.__dict__.update(changes)
        copy.__dict__.pop("_raw_state", None)
        copy.__dict__.pop("_stated", None)
        return copy

    def canonical(self: TraitT) -> TraitT:
        """Return an equal trait that forgot the text it was read from."""
        return dataclasses.replace(self)

    def newer_than(self, version: str = MODULE_VERSION) -> tuple[str, ...]:
        """Return what a VASSAL of this version does not know: the trait, or fields that are set."""
        limit = version_of(version)
        if self.trait_since > limit:
            return (type(self).__name__,)
        return tuple(
            spec.name
            for spec in self.type_fields()
            if spec.since > limit and getattr(self, spec.name) != spec.default
        )

    def pictures(self) -> tuple[str, ...]:
        """Return the names of the pictures that the trait shows."""
        found: list[str] = []
        for spec in fields_of(type(self)):
            value = getattr(self, spec.name)
            if isinstance(spec.codec, Image):
                found.append(value)
            elif isinstance(getattr(spec.codec, "inner", None), Image):
                found += value
        return tuple(dict.fromkeys(name for name in found if name))

    def _write_type(self, version: Version) -> str:
        """Return the type behind the id."""
        specs = self.type_fields()
        if self.surplus:
            version = max(version, *(spec.since for spec in specs))
        return join([*write_tokens(specs, self, version), *self.surplus], self.type_delimiter)

    @classmethod
    def _read_type(cls, text: str) -> dict[str, Any]:
        """Return the fields of the type behind the id; absent ones keep their default."""
        tokens = split(text, cls.type_delimiter)
        specs = cls.type_fields()
        values = read_tokens(specs, tokens)
        if len(tokens) > len(specs):
            values["surplus"] = tuple(tokens[len(specs) :])
        return values

    def _write_state(self) -> str:
        """Return the state."""
        specs = self.state_fields()
        if not specs:
            return ""
        tokens = write_tokens(specs, self, _ANY_VERSION)
        if not self.state_delimiter:
            return tokens[0]
        return join([*tokens, *self.state_surplus], self.state_delimiter)

    def _read_state(self, text: str) -> dict[str, Any]:
        """Return the fields of the state, defaults included."""
        specs = self.state_fields()
        values = {spec.name: spec.default for spec in specs}
        if self.state_delimiter:
            tokens = split(text, self.state_delimiter)
            values["state_surplus"] = tuple(tokens[len(specs) :])
        else:
            tokens = [text]
        return values | read_tokens(specs, tokens)


_ANY_VERSION: Version = (10**6,)
_MAX_STATES = 8
_HALVES: dict[type[Any], tuple[tuple[FieldSpec, ...], tuple[FieldSpec, ...]]] = {}


def _halves(cls: type[Any]) -> tuple[tuple[FieldSpec, ...], tuple[FieldSpec, ...]]:
    halves = _HALVES.get(cls)
    if halves is None:
        specs = fields_of(cls)
        halves = _HALVES[cls] = (
            tuple(spec for spec in specs if not spec.is_state),
            tuple(spec for spec in specs if spec.is_state),
        )
    return halves


def _is_stateless(cls: type[Trait]) -> bool:
    return (
        not _halves(cls)[1]
        and cls._read_state is Trait._read_state
        and cls._write_state is Trait._write_state
    )


@lru_cache(maxsize=1 << 14)
def parse_type(text: str) -> Trait:
    """Return the trait of a type, in its default state; each distinct type is decoded once."""
    cut = text.find(";") + 1
    cls = _BY_ID.get(text[:cut])
    trait = Opaque(raw_type=text) if cls is None else cls(**cls._read_type(text[cut:]))
    trait.__dict__["_raw_type"] = text
    if trait.keeps_states:
        trait.__dict__["_stated"] = {"": trait} if _is_stateless(type(trait)) else {}
    return trait


@dataclass(frozen=True, kw_only=True)
class Opaque(Trait):
    """A trait that we do not know, perhaps a module's own; it goes back byte for byte.

    VASSAL itself turns an unknown trait into an empty Marker: never write one into a new module.
    """

    raw_type: str = ""
    raw_state: Annotated[str, STATE] = ""

    def _write_type(self, version: Version) -> str:
        if not self.raw_type:
            raise UnencodableError("an unknown trait without its text")
        return self.raw_type


def registered_traits() -> dict[str, type[Trait]]:
    """Return every trait class by its id, in the order of declaration, BasicPiece included."""
    return dict(_BY_ID)


def trait_classes() -> dict[str, type[Trait]]:
    """Return every trait class that an author may use by each of its names."""
    return dict(_BY_NAME)

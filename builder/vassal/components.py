"""The table of VASSAL's components: attributes in order, with kind and default, and children.

A declaration is a line of words ``name:kind=default``; the kind is text if none is said, the
default an empty text. The tables stand in ``components_module`` and ``components_map``; sources
are the classes that the tags name. A misspelt attribute is silently ignored, and a numeric one
that is empty drops its whole component, so :func:`problems_of` says so before.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal, cast, get_args

from builder.problems import did_you_mean
from builder.vassal.codecs import Color, Version, WrongDataError, version_of
from builder.vassal.keys import keystroke

__all__ = ["AttributeSpec", "ComponentSpec", "Kind", "declare", "problems_of", "spec_of", "specs"]

Kind = Literal["text", "int", "float", "bool", "color", "key", "image", "letter"]
"""``letter`` is a word of which the first letter counts: empty, it stops VASSAL."""

_BUILD = "VASSAL.build."


@dataclass(frozen=True, slots=True)
class AttributeSpec:
    """One attribute of a component."""

    name: str
    kind: Kind = "text"
    default: str = ""


@dataclass(frozen=True, slots=True)
class ComponentSpec:
    """One kind of component."""

    tag: str
    attributes: Mapping[str, AttributeSpec]
    children: frozenset[str]
    """Full tags; empty if it has none."""
    has_text: bool = False
    takes_any: bool = False
    """Whether unknown attributes are kept, as by GlobalOptions."""
    since: Version = ()


_SPECS: dict[str, ComponentSpec] = {}
_WORD = re.compile(r"(\w+)(?::(\w+))?(?:=(.*))?", re.DOTALL)


def full_tag(short: str) -> str:
    """Return the class name: ``module.Map`` is in ``VASSAL.build``; words without dot are tags.

    >>> full_tag("module.Map"), full_tag("VASSAL.i18n.Language"), full_tag("entry")
    ('VASSAL.build.module.Map', 'VASSAL.i18n.Language', 'entry')
    """
    if short.startswith("VASSAL.") or ("." not in short and short != "GameModule"):
        return short
    return _BUILD + short


def declare(
    tag: str, attributes: str = "", *, children: str = "", text: bool = False,
    any_attribute: bool = False, since: str = "",
) -> None:  # fmt: skip
    """Add a component to the table; attributes and children are words, tags shortened."""
    table: dict[str, AttributeSpec] = {}
    for word in shlex.split(attributes):
        match = _WORD.fullmatch(word)
        kind = (match[2] or "text") if match else ""
        if match is None or kind not in get_args(Kind):
            raise ValueError(f"bad declaration {word!r} of {tag}")
        table[match[1]] = AttributeSpec(match[1], cast("Kind", kind), match[3] or "")
    _SPECS[full_tag(tag)] = ComponentSpec(
        full_tag(tag),
        table,
        frozenset(map(full_tag, children.split())),
        text,
        any_attribute,
        version_of(since),
    )


@cache
def specs() -> Mapping[str, ComponentSpec]:
    """Return every declared component by its full tag."""
    # Imported here because the tables import this module.
    from builder.vassal import components_map, components_module

    components_module.declare_all()
    components_map.declare_all()
    return _SPECS


def spec_of(tag: str) -> ComponentSpec | None:
    """Return the declaration of a full tag, None for a component that is not VASSAL's own."""
    return specs().get(tag)


def problems_of(
    tag: str, attributes: Mapping[str, str], has_text: bool, version: Version = ()
) -> list[str]:
    """Return what is wrong with one component, children aside.

    >>> problems_of("VASSAL.build.module.map.SetupStack", {"nam": "x", "x": ""}, False)
    ["no attribute 'nam'; did you mean 'name'?", "attribute 'x' is empty; leave it out instead"]
    """
    spec = spec_of(tag)
    if spec is None:
        return [f"no component {tag!r}" + did_you_mean(tag, specs())]
    found = []
    if version and spec.since > version:
        found.append(f"exists since VASSAL {'.'.join(map(str, spec.since))}")
    if has_text and not spec.has_text:
        found.append("holds text, which VASSAL does not read there")
    for name, value in attributes.items():
        attribute = spec.attributes.get(name)
        if attribute is None:
            if not spec.takes_any:
                found.append(f"no attribute {name!r}" + did_you_mean(name, spec.attributes))
        else:
            problem = _value_problem(attribute.kind, value)
            if problem:
                found.append(f"attribute {name!r} {problem}")
    return found


_INT = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_RGB = re.compile(r"[0-9]+,[0-9]+,[0-9]+(,[0-9]+)?")


def _value_problem(kind: Kind, value: str) -> str:
    if kind in ("int", "float", "letter") and not value:
        return "is empty; leave it out instead"
    if kind == "int" and not _INT.fullmatch(value):
        return f"is no whole number: {value!r}"
    if kind == "float" and not _FLOAT.fullmatch(value):
        return f"is no number: {value!r}"
    if kind == "bool" and value not in ("true", "false"):
        return f"is neither 'true' nor 'false': {value!r}"
    if kind == "color" and value not in ("", "null") and not _RGB.fullmatch(value):
        try:
            Color().convert(value)
        except WrongDataError:
            return f"is no color 'R,G,B': {value!r}"
        return f"is written as 'R,G,B', not {value!r}"
    if kind == "key":
        try:
            if keystroke(value) != value:
                return f"is written {keystroke(value)!r}, not {value!r}"
        except ValueError as error:
            return f"is no key stroke: {error}"
    return ""

r"""Traits in a text twin, one a line, in the vocabulary of prototypes and as exact as the wire.

A line is ``Layer images=["a.png"] level=2``: the class of the trait, and the fields that differ
from what VASSAL takes by itself; a key stroke that is not named is none. ``Layer/31`` has only the
first 31 tokens of a Layer's type, ``BasicPiece//3`` the first 3 of its state, as older versions
wrote them. ``Delete@57738`` carries the number that a session of VASSAL gave to a named key
stroke, one for each in order. What does not come back exactly even so is written as it is:
``"type" | "state"``, or ``Layer ... | "state"`` if only the state is unusual.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import fields as dataclass_fields
from dataclasses import is_dataclass
from functools import cache, lru_cache
from typing import Any

from builder.problems import BuilderError, did_you_mean
from builder.vassal.codecs import Access, Codec, Key, NullText, Pairs, WrongDataError
from builder.vassal.fields import Record, convert_fields, fields_of
from builder.vassal.sequence import join, split
from builder.vassal.traits import Change, PropertyCommand, Trait, registered_traits
from builder.vassal.twin_values import (
    TwinSyntaxError,
    fields_text,
    quoted,
    read_entries,
    read_quoted,
    read_word,
    skip_blanks,
)

__all__ = [
    "TraitTexts",
    "authored_value",
    "read_trait",
    "trait_classes_by_name",
    "trait_fields",
    "trait_line",
]

TraitTexts = tuple[str, str]
"""The type and the state of one trait, as they stand inside a piece."""

_NEWEST = "1000000"
"""No VASSAL is as new as this: every field is written."""


@cache
def trait_classes_by_name() -> Mapping[str, type[Trait]]:
    """Return every registered class by its own name, decks and BasicPiece included."""
    return {cls.__name__: cls for cls in registered_traits().values()}


@lru_cache(maxsize=1 << 16)
def trait_line(type_text: str, state_text: str) -> str:
    """Return the line of a trait; :func:`read_trait` gives the two texts back exactly.

    >>> trait_line("delete;Eliminate;68,130;", "")
    'Delete command="Eliminate" key="ctrl D"'
    >>> trait_line("mark;Side", "German")
    'Marker properties={Side="German"}'
    >>> trait_line("VASL.Concealment;us", "x")
    '"VASL.Concealment;us" | "x"'
    """
    for line in _candidates(type_text, state_text):
        try:
            if read_trait(line, 0) == (type_text, state_text):
                return line
        except (BuilderError, ValueError):
            continue
    return _with_state(quoted(type_text), state_text)


def _with_state(line: str, state_text: str) -> str:
    return f"{line} | {quoted(state_text)}" if state_text else line


def _candidates(type_text: str, state_text: str) -> Iterator[str]:
    """Yield lines that may be exact, the most readable first."""
    cls = registered_traits().get(type_text[: type_text.find(";") + 1])
    if cls is None:
        return
    of_type, of_state = _vocabulary(Trait.parse(type_text, state_text))
    name = cls.__name__
    codes = _CODE.findall(type_text)
    at_end = "".join([f"@{code}" for code in codes]) if set(codes) - {_OUR_CODE} else ""
    limit = f"/{len(split(type_text[len(cls.trait_id) :], cls.type_delimiter))}"
    both = fields_text({**of_type, **of_state})
    for head in ("", limit):
        yield f"{name}{head}{at_end}{both}"
    if cls.state_delimiter:
        state_limit = f"/{len(split(state_text, cls.state_delimiter))}"
        for head in ("/", limit):
            yield f"{name}{head}{state_limit}{at_end}{both}"
    for head in ("", limit):
        yield f"{name}{head}{at_end}{fields_text(of_type)} | {quoted(state_text)}"


_OUR_CODE = "57348"
_CODE = re.compile(r"(?<![0-9])(5[7-9][0-9]{3}|6[0-3][0-9]{3})(?=\\*,0\\*,)")
"""VASSAL numbers named key strokes in its private range, anew in each session."""
_OURS = re.compile(rf"(?<![0-9]){_OUR_CODE}(?=\\*,0\\*,)")


def _vocabulary(trait: Trait) -> tuple[dict[str, object], dict[str, object]]:
    """Return the fields of type and state that are not what is taken without them."""
    of_type: dict[str, object] = {}
    of_state: dict[str, object] = {}
    specs = fields_of(type(trait))
    for spec in specs:
        value = getattr(trait, spec.name)
        default = "" if isinstance(spec.codec, Key) else spec.default
        if value != default:
            half = of_state if spec.is_state else of_type
            half[spec.name] = authored_value(spec.codec, value)
    wired = {spec.name for spec in specs}
    for item in dataclass_fields(trait):
        if item.name not in wired and getattr(trait, item.name) != item.default:
            half = of_state if item.name == "state_surplus" else of_type
            half[item.name] = getattr(trait, item.name)
    return of_type, of_state


def trait_fields(trait: Trait) -> dict[str, object]:
    """Return the fields of a trait that are not what is taken without them, state last."""
    of_type, of_state = _vocabulary(trait)
    return {**of_type, **of_state}


def authored_value(codec: Codec[Any], value: object) -> object:
    """Return a field's value as its author writes it: what the codec's ``convert`` takes."""
    if value is None and isinstance(codec, NullText):
        return "null"
    if isinstance(codec, Access) and value in (("player:",), ("side:",)):
        return "player" if value == ("player:",) else "side"
    if isinstance(codec, Pairs) and isinstance(value, tuple):
        return dict(value)
    if isinstance(codec, Record):
        plain = codec.convert({})
        return {
            spec.name: authored_value(spec.codec, getattr(value, spec.name))
            for spec in fields_of(codec.cls)
            if getattr(value, spec.name) != getattr(plain, spec.name)
        }
    if isinstance(value, PropertyCommand):
        return _authored_command(value)
    if isinstance(value, tuple):
        inner: Codec[Any] = getattr(codec, "inner", codec)
        return [authored_value(inner, item) for item in value]
    if is_dataclass(value):
        raise TypeError(f"no authored form of {value!r}")
    return value


_CHANGES = {"P": "set", "I": "add", "R": "prompt", "E": "prompt"}


def _authored_command(command: PropertyCommand) -> dict[str, object]:
    table: dict[str, object] = {}
    if command.menu:
        table["menu"] = command.menu
    if command.key:
        table["key"] = command.key
    change: Change = command.change
    table[_CHANGES[change.code]] = change.text
    if change.code == "E":
        table["choices"] = list(change.choices)
    return table


def read_trait(line: str, at: int) -> TraitTexts:
    """Return type and state of the trait whose line begins at an index.

    Raises :class:`TwinSyntaxError` with the column of the first mistake.

    >>> read_trait('Delete command="Eliminate" key="ctrl D"', 0)
    ('delete;Eliminate;68,130;', '')
    """
    if line[at : at + 1] == '"':
        type_text, end = read_quoted(line, at)
        state, end = _read_state(line, end)
        _expect_end(line, end)
        return type_text, state or ""
    head = _HEAD.match(line, at)
    name, end = (head["name"], head.end()) if head else read_word(line, at)
    cls = trait_classes_by_name().get(name)
    if cls is None or head is None:
        hint = did_you_mean(name, trait_classes_by_name())
        raise TwinSyntaxError(at + 1, f"no trait {name!r}{hint}")
    entries, end = read_entries(line, end)
    state, end = _read_state(line, end)
    _expect_end(line, end)
    values = {key: entry.value for key, entry in entries.items()}
    try:
        trait = _made(cls, values)
    except WrongDataError as error:
        path, message = error.errors[0]
        column = entries[str(path[0])].column if path and str(path[0]) in entries else at + 1
        inside = "".join(f"[{part!r}]" for part in path[1:])
        where = f"{path[0]}{inside}: " if path else ""
        raise TwinSyntaxError(column, f"{where}{message}") from None
    try:
        type_text = _type_text(trait, head["type"] or "", head["codes"] or "")
        if state is None:
            state = _cut(trait.state_string(), cls.state_delimiter, head["state"] or "")
        return type_text, state
    except (BuilderError, ValueError) as error:
        if isinstance(error, TwinSyntaxError):
            raise
        raise TwinSyntaxError(at + 1, str(error)) from None


def _read_state(line: str, at: int) -> tuple[str | None, int]:
    at = skip_blanks(line, at)
    if line[at : at + 1] != "|":
        return None, at
    at = skip_blanks(line, at + 1)
    if line[at : at + 1] != '"':
        raise TwinSyntaxError(at + 1, "expected the quoted state behind '|'")
    return read_quoted(line, at)


def _expect_end(line: str, at: int) -> None:
    at = skip_blanks(line, at)
    if at < len(line):
        raise TwinSyntaxError(at + 1, f"unexpected {line[at:]!r}")


def _made(cls: type[Trait], values: dict[str, object]) -> Trait:
    specs = fields_of(cls)
    wired = {spec.name for spec in specs}
    bare = {
        item.name: _tuples(values.pop(item.name), item.name, item.default)
        for item in dataclass_fields(cls)
        if item.name not in wired and item.name in values
    }
    keys: dict[str, object] = {spec.name: "" for spec in specs if isinstance(spec.codec, Key)}
    # Each value was converted by the codec of its field.
    return cls(**{**keys, **convert_fields(specs, values), **bare})


def _tuples(value: object, name: str, default: object) -> object:
    """Return lists of texts as tuples, in fields that no codec stands for."""
    if isinstance(default, str) and isinstance(value, str):
        return value
    if isinstance(default, tuple) and isinstance(value, list):
        return tuple([_tuples(item, name, () if isinstance(item, list) else "") for item in value])
    raise WrongDataError([((name,), f"expected texts, got {value!r}")])


_HEAD = re.compile(
    r"(?P<name>[A-Za-z]+)(?:/(?P<type>[0-9]{0,4})(?:/(?P<state>[0-9]{1,4}))?)?(?P<codes>(?:@[0-9]{5})*)"
    r"(?![^ \t])"
)


def _type_text(trait: Trait, limit: str, codes: str) -> str:
    cls = type(trait)
    body = _cut(trait.type_string(_NEWEST)[len(cls.trait_id) :], cls.type_delimiter, limit)
    if codes:
        numbers = iter(codes[1:].split("@"))
        body = _OURS.sub(lambda ours: next(numbers, ours[0]), body)
    return cls.trait_id + body


def _cut(text: str, delimiter: str, limit: str) -> str:
    """Return only so many tokens of a text."""
    if not limit or not delimiter:
        return text
    return join(split(text, delimiter)[: max(int(limit), 1)], delimiter)

"""What differs between two files, one thing at a time; and how two pieces differ.

Sources: none of VASSAL; the vocabulary of traits is that of text twins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from builder.vassal.fields import fields_of
from builder.vassal.traits import BasicPiece, Opaque, Trait
from builder.vassal.twin_pieces import Secrets, has_player_id, masked_state
from builder.vassal.twin_traits import authored_value, trait_fields, trait_line
from builder.vassal.twin_values import value_text

__all__ = ["Difference", "compare_fields", "compare_traits", "hidden"]

Sign = Literal["added", "removed", "changed"]
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
_PLACE = frozenset({"map", "x", "y"})


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference between two files A and B."""

    area: str
    """What kind of thing it is: component, piece, picture, player, ..."""
    where: str
    """Which one, in words."""
    sign: Sign
    """``added`` is in B only, ``removed`` in A only."""
    what: str = ""
    """Which part of it changed: an attribute, a field of a trait, the place."""
    old: str | None = None
    new: str | None = None
    moment: Literal["start", "end"] | None = None
    """Which positions of two logs are meant, where both are compared."""

    def __str__(self) -> str:
        """Return the line that a terminal shows.

        >>> str(Difference("piece", "Infantry", "changed", "place", "0304", "0305"))
        '~ piece Infantry: place: 0304 -> 0305'
        """
        mark = {"added": "+", "removed": "-", "changed": "~"}[self.sign]
        at = f"at the {self.moment}: " if self.moment else ""
        parts = [f"{mark} {at}{self.area} {self.where}".rstrip()]
        if self.what:
            parts.append(self.what)
        if self.old is not None and self.new is not None:
            parts.append(f"{self.old} -> {self.new}")
        elif self.old is not None or self.new is not None:
            parts.append(str(self.old if self.new is None else self.new))
        # Names come from files of others, and a terminal must not obey them.
        return _CONTROL.sub(_escaped, ": ".join(parts))


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}"


def compare_fields(
    area: str, where: str, old: Mapping[str, str], new: Mapping[str, str]
) -> Iterator[Difference]:
    """Yield the names whose values differ, in the order of the new ones."""
    for name in [*new, *[name for name in old if name not in new]]:
        before, after = old.get(name), new.get(name)
        if before != after:
            yield Difference(area, where, "changed", name, before or "(none)", after or "(none)")


def hidden(part: Trait, secrets: Secrets) -> Trait:
    """Return a trait whose state holds no player id."""
    if not secrets.is_hiding or not has_player_id(part):
        return part
    return part.with_state(masked_state(part.state_string(), secrets))


def compare_traits(
    area: str,
    where: str,
    old: tuple[Trait, ...],
    new: tuple[Trait, ...],
    secrets: Secrets,
    *,
    with_place: bool = False,
) -> Iterator[Difference]:
    """Yield how the parts of two pieces differ: traits added and removed, fields changed.

    Where the piece is, map and pixel, is told only ``with_place``.
    """
    if old == new and [_texts(p) for p in old] == [_texts(p) for p in new]:
        return
    before = [hidden(part, secrets) for part in old]
    after = [hidden(part, secrets) for part in new]
    matcher = SequenceMatcher(
        None, [part.type_string() for part in before], [part.type_string() for part in after], False
    )
    for tag, a1, a2, b1, b2 in matcher.get_opcodes():
        pairs = min(a2 - a1, b2 - b1) if tag in ("equal", "replace") else 0
        for at in range(pairs):
            yield from _pair(area, where, before[a1 + at], after[b1 + at], secrets, with_place)
        for part in before[a1 + pairs : a2]:
            yield Difference(area, where, "changed", "trait removed", old=_line(part, secrets))
        for part in after[b1 + pairs : b2]:
            yield Difference(area, where, "changed", "trait added", new=_line(part, secrets))


def _texts(part: Trait) -> tuple[str, str]:
    return part.type_string(), part.state_string()


def _line(part: Trait, secrets: Secrets) -> str:
    return secrets.text(trait_line(part.type_string(), part.state_string()))


def _pair(
    area: str, where: str, old: Trait, new: Trait, secrets: Secrets, with_place: bool
) -> Iterator[Difference]:
    if _texts(old) == _texts(new):
        return
    if type(old) is not type(new) or isinstance(old, Opaque):
        yield Difference(area, where, "changed", "trait", _line(old, secrets), _line(new, secrets))
        return
    before, after = trait_fields(old), trait_fields(new)
    if before == after:
        yield Difference(area, where, "changed", f"{type(old).__name__} written another way")
    title = _title(new)
    for name in [*after, *[name for name in before if name not in after]]:
        if before.get(name) == after.get(name):
            continue
        if isinstance(new, BasicPiece) and name in _PLACE and not with_place:
            continue
        values = _value(old, before, name), _value(new, after, name)
        yield from _field(area, where, f"{title}.{name}", *values, secrets)


def _field(
    area: str, where: str, what: str, old: object, new: object, secrets: Secrets
) -> Iterator[Difference]:
    if not (isinstance(old, Mapping) or isinstance(new, Mapping)):
        yield Difference(area, where, "changed", what, _shown(old, secrets), _shown(new, secrets))
        return
    olds, news = (value if isinstance(value, Mapping) else {} for value in (old, new))
    for key in [*news, *[key for key in olds if key not in news]]:
        if olds.get(key) != news.get(key):
            name = secrets.text(f"{what}.{key}")
            texts = _shown(olds.get(key), secrets), _shown(news.get(key), secrets)
            yield Difference(area, where, "changed", name, *texts)


def _shown(value: object, secrets: Secrets) -> str:
    return "(none)" if value is None else secrets.text(value_text(value))


def _value(part: Trait, fields: Mapping[str, object], name: str) -> object:
    """Return the value of a field, also of one that has its default."""
    if name in fields:
        return fields[name]
    for spec in fields_of(type(part)):
        if spec.name == name:
            return authored_value(spec.codec, getattr(part, name))
    return getattr(part, name)


def _title(part: Trait) -> str:
    name = getattr(part, "name", "")
    kind = type(part).__name__
    return f"{kind} {name!r}" if name and not isinstance(part, BasicPiece) else kind

"""Hypothesis strategies for VASSAL's values: texts, key strokes, traits of every class, pieces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from builder.vassal import codecs, traits_values
from builder.vassal.fields import FieldSpec, Record, fields_of
from builder.vassal.pieces import Piece
from builder.vassal.traits import BasicPiece, Opaque, Trait, registered_traits

__all__ = ["KEYS", "TEXTS", "TOKENS", "pieces", "traits", "traits_of"]

# Every delimiter of the formats, the two characters with a meaning of their own, and some others.
_ALPHABET = st.sampled_from([*"aB0;,:|/~=${}", "\\", "'", " ", "ü", "—", "\n", "\t"])
TOKENS = st.text(_ALPHABET, max_size=8)
"""Any text, also such as cannot be encoded."""
TEXTS = TOKENS.filter(lambda text: not text.endswith("\\"))
"""Text that every level carries."""

KEYS = st.one_of(
    st.just(""),
    st.sampled_from(["ctrl D", "F2", "ctrl alt shift Enter", "<Drop>", "<Two words>", "meta 7"]),
    st.builds("<{}>".format, st.text("abZ9é_", min_size=1, max_size=4)),
)
_INTS = st.integers(-(2**31), 2**31 - 1) | st.integers(-9, 9)
_FLOATS = st.floats(allow_nan=False, allow_infinity=False)
_COLORS = st.from_regex(r"#[0-9a-f]{6}|#[0-9a-f]{6}(?!ff)[0-9a-f]{2}|", fullmatch=True)
# A single empty item equals the empty list on the wire, so it is not made.
_LISTS = st.lists(TEXTS, max_size=4).filter(lambda items: items != [""]).map(tuple)
_PAIRS = st.lists(st.tuples(TEXTS, TEXTS), max_size=3).map(tuple)
_CHANGES = st.one_of(
    st.builds(traits_values.Change, st.sampled_from("PIR"), TEXTS),
    st.builds(traits_values.Change, st.just("E"), TEXTS, _LISTS),
)
_COMMANDS = st.lists(st.builds(traits_values.PropertyCommand, TEXTS, KEYS, _CHANGES), max_size=3)


def _values(codec: codecs.Codec[Any]) -> st.SearchStrategy[Any]:
    if isinstance(codec, Record):
        specs = fields_of(codec.cls)
        return st.fixed_dictionaries({s.name: _values(s.codec) for s in specs}).map(
            lambda values: codec.cls(**values)
        )
    if isinstance(codec, codecs.Seq):
        if isinstance(codec.inner, codecs.Str):
            return _LISTS
        return st.lists(st.tuples(_INTS, _INTS), max_size=4).map(tuple)
    for kind, strategy in _BY_CODEC:
        if isinstance(codec, kind):
            return strategy
    raise NotImplementedError(codec)


_BY_CODEC: list[tuple[type[Any], st.SearchStrategy[Any]]] = [
    (codecs.Bool, st.booleans()),
    (codecs.Int, _INTS),
    (codecs.Float, _FLOATS),
    (codecs.Key, KEYS),
    (codecs.KeyList, st.lists(KEYS.filter(bool), max_size=4).map(tuple)),
    (codecs.Color, _COLORS),
    (codecs.Access, st.sampled_from([("player:",), ("side:",)]) | _LISTS.filter(
        lambda sides: bool(sides) and sides not in (("player:",), ("side:",))
    )),
    (codecs.NullText, st.none() | TEXTS.filter(lambda text: text != "null")),
    (codecs.Pairs, _PAIRS),
    (traits_values.PropertyCommands, _COMMANDS.map(tuple)),
    (codecs.Str, TEXTS),
]  # fmt: skip


def _layer(fields: dict[str, Any]) -> dict[str, Any]:
    # A version below 1 is converted when it is read, as VASSAL does; it has tests of its own.
    return fields | {"version": max(1, fields["version"])}


def _rotate(fields: dict[str, Any]) -> dict[str, Any]:
    unused = (
        ["clockwise_key", "counterclockwise_key", "clockwise_command", "counterclockwise_command"]
        if fields["facings"] == 1
        else ["angle_key", "angle_command"]
    )
    other = {"facing": 0} if fields["facings"] == 1 else {"angle": 0.0}
    return fields | dict.fromkeys(unused, "") | other


def _basic(fields: dict[str, Any]) -> dict[str, Any]:
    def clean(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace("\t", ".")
        return tuple(clean(item) for item in value) if isinstance(value, tuple) else value

    return {name: clean(value) for name, value in fields.items()}


def _marker(fields: dict[str, Any]) -> dict[str, Any]:
    pairs = fields["properties"]
    return fields | {"properties": (("x", pairs[0][1]),) if len(pairs) == 1 else pairs}


_ADJUST: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "emb2;": _layer, "rotate;": _rotate, "piece;": _basic, "mark;": _marker,
}  # fmt: skip
_SPECIAL: dict[tuple[str, str], st.SearchStrategy[Any]] = {
    ("emb;", "levels"): st.lists(
        st.tuples(TEXTS) | st.tuples(TEXTS, TEXTS), max_size=3
    ).map(tuple),
    ("emb;", "reset"): st.lists(TEXTS, max_size=3).map(tuple),
    ("emb;", "activate_letter"): TEXTS,
    ("rotate;", "facings"): st.integers(1, 3),
    ("return;", "version"): st.integers(2, 5),
    ("immob;", "select"): st.sampled_from(["normal", "shift", "ctrl", "alt", "never"]),
    ("immob;", "band_select"): st.sampled_from(["normal", "never", "alt", "alt shift"]),
    ("immob;", "move"): st.sampled_from(["normal", "selected", "never"]),
}  # fmt: skip


def _field(trait_id: str, spec: FieldSpec) -> st.SearchStrategy[Any]:
    special = _SPECIAL.get((trait_id, spec.name))
    return _values(spec.codec) if special is None else special


def traits_of(cls: type[Trait]) -> st.SearchStrategy[Trait]:
    """Traits of one class with any values; the state of a piece fresh or in play."""
    parts = {spec.name: _field(cls.trait_id, spec) for spec in fields_of(cls)}
    parts |= {name: part for (ident, name), part in _SPECIAL.items() if ident == cls.trait_id}
    adjust = _ADJUST.get(cls.trait_id, dict)
    return st.fixed_dictionaries(parts).map(lambda fields: cls(**adjust(fields)))


_CLASSES = [cls for ident, cls in registered_traits().items() if ident not in ("piece;", "deck;")]


def traits() -> st.SearchStrategy[Trait]:
    """Traits of any class, and unknown ones."""
    unknown = st.builds(Opaque, raw_type=TEXTS.map("custom;{}".format), raw_state=TEXTS)
    return st.one_of(*map(traits_of, _CLASSES), unknown)


def pieces() -> st.SearchStrategy[Piece]:
    """Pieces with a few traits."""
    basic = traits_of(BasicPiece)
    return st.builds(Piece, st.lists(traits(), max_size=5).map(tuple), basic)

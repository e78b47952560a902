"""Hypothesis strategies for VASSAL's values: texts, key strokes, traits of every class, pieces."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from builder.vassal import codecs, traits_values
from builder.vassal import commands as cmd
from builder.vassal.command_tree import CommandNode
from builder.vassal.commands import Command, PlayerId
from builder.vassal.commands_base import Long, MaybeText, PlayerIdText
from builder.vassal.fields import FieldSpec, Record, fields_of
from builder.vassal.pieces import Piece
from builder.vassal.traits import BasicPiece, Opaque, Trait, registered_traits

__all__ = [
    "KEYS", "TEXTS", "TOKENS", "WIRE_KEYS", "command_nodes", "commands_of", "pieces", "traits",
    "traits_of",
]  # fmt: skip

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
WIRE_KEYS = st.builds("{},{},{}".format, st.integers(0, 70000), st.integers(0, 9000), TOKENS)
"""Key strokes as VASSAL writes them, their names any text."""
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


def command_nodes(texts: st.SearchStrategy[str] = TOKENS) -> st.SearchStrategy[CommandNode]:
    """Command trees, by default of texts with every character that has a meaning."""
    return st.recursive(
        st.builds(CommandNode, texts),
        lambda nodes: st.builds(CommandNode, texts, st.lists(nodes, max_size=4).map(tuple)),
        max_leaves=12,
    )


_IDS = st.integers(0, 10**13).map(str) | TEXTS.filter(lambda text: text != "null")
_MAYBE = st.none() | TEXTS
_SECRETS = st.builds(PlayerId, TEXTS)
_NOTES = st.lists(TEXTS.filter(lambda text: text.isprintable()), max_size=3).map("\n".join)


def _command_values(cls: type[Command]) -> st.SearchStrategy[Command]:
    """Values of the fields of a class that says them in its table."""
    by_codec: list[tuple[type[Any], st.SearchStrategy[Any]]] = [
        (PlayerIdText, _SECRETS),
        (Long, st.integers(-(2**63), 2**63 - 1)),
        (codecs.TextLines, _NOTES),
        (MaybeText, _MAYBE),
    ]
    parts = {}
    for spec in fields_of(cls):
        found = [part for kind, part in by_codec if isinstance(spec.codec, kind)]
        parts[spec.name] = found[0] if found else _values(spec.codec)
    return st.fixed_dictionaries(parts).map(lambda fields: cls(**_filled(cls, fields)))


def _filled(cls: type[Command], fields: dict[str, Any]) -> dict[str, Any]:
    # What is left out at the end cannot be told from an empty text further in front.
    specs = [spec for spec in fields_of(cls) if isinstance(spec.codec, MaybeText)]
    is_after = False
    for spec in reversed(specs):
        if is_after and fields[spec.name] is None:
            fields[spec.name] = ""
        is_after = is_after or fields[spec.name] is not None
    return fields


_BOARDS = st.lists(
    st.builds(cmd.PlacedBoard, TEXTS, st.integers(0, 9), st.integers(0, 9), st.booleans()),
    max_size=3,
).map(tuple)
_NULL_OR_ID = st.none() | _IDS
_WORDS = st.text("abcXYZ 09", max_size=8)
_SPECIAL_COMMANDS: dict[type[Command], st.SearchStrategy[Command]] = {
    cmd.AddPiece: st.builds(cmd.AddPiece, _NULL_OR_ID, TEXTS, TEXTS),
    cmd.RemovePiece: st.builds(cmd.RemovePiece, _NULL_OR_ID),
    cmd.ChangePiece: st.builds(cmd.ChangePiece, _NULL_OR_ID, TEXTS, _MAYBE),
    cmd.MovePiece: st.builds(
        cmd.MovePiece, _NULL_OR_ID, _NULL_OR_ID, _INTS, _INTS, _NULL_OR_ID, _NULL_OR_ID, _INTS,
        _INTS, _NULL_OR_ID, st.none() | _SECRETS,
    ),
    cmd.BoardPicker: st.builds(cmd.BoardPicker.of, _WORDS.map("Map {}".format), _BOARDS),
    cmd.Unmask: st.builds(
        cmd.Unmask.of, st.lists(_SECRETS, max_size=3).map(tuple).filter(
            lambda players: players != (PlayerId(""),)
        ),
    ),
    cmd.ShowResults: st.builds(
        cmd.ShowResults.of, TEXTS, st.lists(st.integers(-1, 10**9 - 1), max_size=4)
    ),
    cmd.Turn: st.builds(cmd.Turn, st.integers(0, 9).map("TurnTracker{}".format), TEXTS),
    cmd.Null: st.sampled_from([cmd.Null(), cmd.Null("null")]),
    cmd.Traffic: st.builds(cmd.Traffic, TEXTS.map("PRIV_CHAT/{}".format)),
    cmd.Opaque: st.builds(cmd.Opaque, TEXTS.map("bd\t{}".format)),
}  # fmt: skip


def commands_of(cls: type[Command]) -> st.SearchStrategy[Command]:
    """Commands of one class with any values that VASSAL can carry."""
    special = _SPECIAL_COMMANDS.get(cls)
    return _command_values(cls) if special is None else special

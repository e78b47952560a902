"""Hypothesis strategies for lines in chat."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from builder.gamebox.lines import Grammar, LineKey, LineValue

_WORDS = st.text(
    st.characters(exclude_characters="<>&,=", exclude_categories=("C", "Z")), min_size=1, max_size=8
)
_HEXES = st.from_regex(r"[0-9]{4}", fullmatch=True).filter(str.isascii)
_BOXES = st.from_regex(r"[A-Za-z][A-Za-z0-9]{0,9}", fullmatch=True)


def _values(key: LineKey) -> st.SearchStrategy[LineValue]:
    one: st.SearchStrategy[str | int]
    match key.kind:
        case "integer":
            low = 0 if key.minimum is None else key.minimum
            one = st.integers(low, 99 if key.maximum is None else key.maximum)
        case "hex":
            one = _HEXES
        case "place":
            one = _HEXES | _BOXES
        case "choice":
            one = st.sampled_from(key.choices)
        case "rest":
            one = st.lists(_WORDS, min_size=1, max_size=4).map(" ".join)
        case "word":
            one = _WORDS
    if key.is_list:
        several: st.SearchStrategy[list[Any]] = st.lists(one, min_size=1, max_size=5)
        return several.map(tuple)
    return one


@st.composite
def spoken(draw: st.DrawFn, grammar: Grammar) -> tuple[str, dict[str, LineValue]]:
    """A verb and fields that a line of it may have."""
    verb = grammar.verbs[draw(st.sampled_from(sorted(grammar.verbs)))]
    return verb.name, {
        key.name: draw(_values(key))
        for key in verb.keys.values()
        if not key.is_optional or draw(st.booleans())
    }


def chat_noise() -> st.SearchStrategy[str]:
    """Texts that are nearly lines: pieces of them in any order, and anything at all."""
    pieces = ("* ", "*", "<Al>", "&lt;Al&gt;", " - ", "DZ:", "UNDO: ", " ATTACK", " n=1", "\n", "=")
    nearly = st.lists(st.sampled_from(pieces) | st.text(max_size=4), max_size=9).map("".join)
    return nearly | st.text()

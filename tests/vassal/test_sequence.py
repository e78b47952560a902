from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_vassal import TOKENS

from builder.vassal.sequence import UnencodableError, join, split, split_first

# Written down from the description of VASSAL's encoder, not computed.
TABLE = [
    (["a", "b;c", ""], r"a;b\;c;"),
    ([r"\x", "y"], r"'\x';y"),
    (["'q'"], "''q''"),
    (["'"], "'''"),
    (["", ";x", "y"], r";\;x;y"),
    ([""], ""),
    (["", ""], ";"),
    (["'quoted'", "\\start", "a/b;c,d", ""], r"''quoted'';'\start';a/b\;c,d;"),
    (["it's"], "it's"),
    (["'open"], "'open"),
    (["a\\b"], "a\\b"),
    (["a\\;b"], "a\\\\;b"),
    (["\\;"], "'\\\\;'"),
    (["last\\"], "last\\"),
    (["one\ntwo", "Ñandú"], "one\ntwo;Ñandú"),
]


@pytest.mark.parametrize(("tokens", "text"), TABLE)
def test_the_table_both_ways(tokens: list[str], text: str) -> None:
    assert join(tokens, ";") == text
    assert split(text, ";") == tokens


def reference_split(text: str, delimiter: str) -> list[str]:
    """The decoder, character by character."""
    tokens: list[str] = []
    current: list[str] = []
    previous = ""
    for char in text:
        if char == delimiter and previous == "\\":
            current[-1] = delimiter
        elif char == delimiter:
            tokens.append("".join(current))
            current = []
        else:
            current.append(char)
        previous = char
    tokens.append("".join(current))
    return [t[1:-1] if len(t) > 1 and t[0] == t[-1] == "'" else t for t in tokens]


@given(TOKENS, st.sampled_from(";,\t"))
def test_split_agrees_with_the_character_by_character_decoder(text: str, delimiter: str) -> None:
    assert split(text, delimiter) == reference_split(text, delimiter)


@given(st.lists(TOKENS, min_size=1, max_size=5), st.sampled_from(";,\t"))
def test_what_join_accepts_comes_back(tokens: list[str], delimiter: str) -> None:
    try:
        text = join(tokens, delimiter)
    except UnencodableError:
        # Refused only if an inner token swallows the delimiter behind it.
        assert any(t.endswith("\\") and not t.startswith("\\") for t in tokens[:-1])
        return
    assert reference_split(text, delimiter) == tokens


@given(st.lists(TOKENS, min_size=1, max_size=4))
def test_nesting_comes_back(tokens: list[str]) -> None:
    try:
        outer = join(["x", join(tokens, ","), "y"], ",")
    except UnencodableError:
        return
    assert split(split(outer, ",")[1], ",") == tokens


def test_a_delimiter_k_levels_down_has_k_backslashes() -> None:
    level2 = join(["c", "d"], "\t")
    level1 = join(["b", level2], "\t")
    assert join(["a", level1], "\t") == "a\tb\\\tc\\\\\td"


def test_an_inner_token_may_not_end_in_a_backslash() -> None:
    with pytest.raises(UnencodableError, match=r"ends in a backslash"):
        join(["a\\", "b"], ";")
    with pytest.raises(UnencodableError, match=r"empty list"):
        join([], ";")


@given(st.lists(TOKENS, min_size=2, max_size=4))
def test_split_first_takes_one_token_and_leaves_the_rest_raw(tokens: list[str]) -> None:
    try:
        text = join(tokens, ";")
    except UnencodableError:
        return
    first, rest = split_first(text, ";")
    assert first == tokens[0]
    assert rest is not None
    assert split(rest, ";") == tokens[1:]

"""Values on the lines of text twins, and the lines themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_twin import texts

from builder.vassal.twin_lines import Mistakes, read_blocks
from builder.vassal.twin_values import (
    TwinSyntaxError,
    fields_text,
    quoted,
    read_entries,
    read_quoted,
    read_word,
    word_text,
)

values = st.recursive(
    st.one_of(texts, st.integers(-(2**60), 2**60), st.booleans(), st.floats(-1e9, 1e9)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)


@given(texts)
def test_a_quoted_text_is_one_line_and_comes_back(text: str) -> None:
    line = quoted(text)
    assert len(line.splitlines()) == 1
    assert read_quoted(line, 0) == (text, len(line))


@given(texts)
def test_a_word_comes_back_with_or_without_quotes(text: str) -> None:
    line = word_text(text)
    assert read_word(line, 0) == (text, len(line))


@given(st.dictionaries(texts, values, max_size=4))
def test_fields_come_back(fields: dict[str, object]) -> None:
    line = "x" + fields_text(fields)
    entries, end = read_entries(line, 1)
    assert {key: entry.value for key, entry in entries.items()} == fields
    assert end == len(line)


@pytest.mark.parametrize(
    ("line", "column", "words"),
    [
        ('a="x', 3, "no closing quotation mark"),
        (r'a="\x"', 4, "a backslash in a text"),
        (r'a="\ud800"', 3, "half a character"),
        ("a=1 a=2", 5, "'a' is said twice"),
        ("a 1", 3, "expected '=' behind 'a'"),
        ("a=", 3, "got the end of the line"),
        ("a=[1, 2", 8, "expected ',' or ']'"),
        ("a={b=1 c=2}", 8, "expected ',' or '}'"),
        ('a="x"b=1', 6, "expected a blank"),
        ("a=" + "[" * 100, 44, "nested too deeply"),
    ],
)
def test_mistakes_have_their_column(line: str, column: int, words: str) -> None:
    with pytest.raises(TwinSyntaxError) as caught:
        read_entries(line, 0)
    assert words in str(caught.value)
    assert caught.value.column == column


def test_wrong_indentation_is_told_line_by_line() -> None:
    mistakes = Mistakes("twin.txt")
    blocks = read_blocks("a\n    too deep\n b\n\tc\n# note\n\n  d\n", mistakes)
    assert [str(problem).partition(": ")[0] for problem in mistakes.problems] == [
        "twin.txt:2:1",
        "twin.txt:3:1",
        "twin.txt:4:1",
    ]
    assert [block.body for block in blocks] == ["a", "b", "c"]
    assert [block.body for block in blocks[-1].inner] == ["d"]

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_vassal import TEXTS, TOKENS

from builder.vassal.codecs import (
    Access,
    Bool,
    Codec,
    Color,
    Float,
    Int,
    KeyList,
    NullText,
    Pairs,
    Seq,
    TextLines,
    version_of,
)


@pytest.mark.parametrize(
    ("token", "color"),
    [
        ("255,0,16", "#ff0010"),
        ("0,0,0,128", "#00000080"),
        ("1,2,3,255", "#010203"),
        ("0xFF8000", "#ff8000"),
        ("", ""),
        ("null", ""),
        ("red", "#000000"),
        ("1,2", "#000000"),
        ("1,2,300", "#000000"),
        ("0xzz", "#000000"),
    ],
)
def test_colors_are_read_as_vassal_reads_them(token: str, color: str) -> None:
    assert Color().read(token) == color


@pytest.mark.parametrize(
    ("color", "token"), [("#ff0010", "255,0,16"), ("#00000080", "0,0,0,128"), ("", "")]
)
def test_colors_are_written_in_decimal(color: str, token: str) -> None:
    assert Color().write(color, ()) == token


@pytest.mark.parametrize(("token", "number"), [("12", 12), ("-3", -3), ("+4", 4), ("007", 7)])
def test_whole_numbers(token: str, number: int) -> None:
    assert Int().read(token) == number


@pytest.mark.parametrize("token", ["", " 1", "1.0", "x", "2147483648", "1_000"])
def test_what_java_does_not_parse_is_no_whole_number(token: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(token) + "$"):
        Int().read(token)


@pytest.mark.parametrize(
    ("token", "number"), [("1.0", 1.0), (" 2 ", 2.0), (".5", 0.5), ("1e3", 1000.0), ("3f", 3.0)]
)
def test_decimal_numbers(token: str, number: float) -> None:
    assert Float().read(token) == number


@pytest.mark.parametrize("token", ["", "x", "1_0", "--1"])
def test_what_java_does_not_parse_is_no_number(token: str) -> None:
    with pytest.raises(ValueError, match="^" + re.escape(token) + "$"):
        Float().read(token)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_come_back(number: float) -> None:
    token = Float().write(number, ())
    assert Float().read(token) == number
    assert "e" not in token


@pytest.mark.parametrize(
    ("token", "value"),
    [("true", True), ("false", False), ("TRUE", False), ("", False), ("1", False)],
)
def test_only_the_very_word_is_true(token: str, value: bool) -> None:
    assert Bool().read(token) is value


def test_key_lists_of_letters_and_of_strokes() -> None:
    assert KeyList().read("AB") == ("ctrl A", "ctrl B")
    assert KeyList().read(r"65\,130,66\,195") == ("ctrl A", "ctrl shift B")
    assert KeyList().read(r"65\,130,,") == ("ctrl A",)
    assert KeyList().write(("ctrl A", "<Go>"), ()) == r"65\,130,57348\,0\,Go"
    assert KeyList().write((), ()) == ""


def test_access() -> None:
    assert Access().read("sides:A:B") == ("A", "B")
    assert Access().read("anything") == ("player:",)
    assert Access().write(("A", "B"), ()) == "sides:A:B"
    assert Access().convert("side") == ("side:",)
    assert Access().convert(["A"]) == ("A",)


def test_null_is_a_word() -> None:
    assert NullText().read("null") is None
    assert NullText().read("") == ""
    assert NullText().write(None, ()) == "null"


def test_parameters() -> None:
    codec = Pairs(",", ":")
    assert codec.read("key1:val1,key2:val2") == (("key1", "val1"), ("key2", "val2"))
    assert codec.write((("a", "x,y"), ("b", "1:2")), ()) == r"a:x\,y,b:1\:2"
    assert codec.read("alone,b:2") == (("b", "2"),)


@given(st.lists(TEXTS).map(tuple).filter(lambda items: items != ("",)))
def test_lists_come_back(items: tuple[str, ...]) -> None:
    codec = Seq[str](",")
    assert codec.read(codec.write(items, ())) == items


@given(st.text("ab|\\'\n", max_size=9).filter(lambda s: "\\\n" not in s))
def test_lines_come_back(text: str) -> None:
    assert TextLines().read(TextLines().write(text, ())) == text


@pytest.mark.parametrize(
    "codec", [Color(), KeyList(), Access(), NullText(), Pairs(",", ":"), TextLines(), Seq[str]("~")]
)
@given(token=TOKENS)
def test_any_token_is_read(codec: Codec[object], token: str) -> None:
    codec.read(token)


def test_versions_compare_as_numbers() -> None:
    assert version_of("3.10.2") > version_of("3.9") > version_of("3")
    assert not math.isnan(sum(version_of("3.8.0-beta1")))

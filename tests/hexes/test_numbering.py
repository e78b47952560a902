"""Printed numbers: texts, slants, and reading them back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_hexes import NUMBERINGS

from builder.hexes.numbering import Maxima, Numbering, index_text
from builder.problems import UnreadableError, UsageError

RAW = st.integers(-200, 200)
MAXIMA = st.builds(Maxima, st.integers(0, 99), st.integers(0, 99))


@pytest.mark.parametrize(
    ("value", "leading", "text"),
    [(5, 1, "05"), (12, 1, "12"), (100, 1, "100"), (5, 2, "005"), (5, 0, "5"), (-3, 1, "-03")],
)
def test_numbers_are_filled_up_with_zeros(value: int, leading: int, text: str) -> None:
    assert index_text(value, "N", leading) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "A"), (25, "Z"), (26, "AA"), (27, "BB"), (51, "ZZ"), (52, "AAA"), (-2, "-C")],
)
def test_letters_repeat_after_z(value: int, text: str) -> None:
    assert index_text(value, "A", 3) == text


@given(NUMBERINGS, RAW, RAW, MAXIMA, st.booleans())
def test_printed_numbers_come_back_as_raw_ones(
    numbering: Numbering, column: int, row: int, maxima: Maxima, sideways: bool
) -> None:
    printed = numbering.printed(column, row, maxima, sideways)
    assert numbering.raw(*printed, maxima, sideways) == (column, row)


@given(NUMBERINGS, RAW, RAW)
def test_a_name_can_be_read_as_what_it_was_made_of(
    numbering: Numbering, column: int, row: int
) -> None:
    assert (column, row) in set(numbering.readings(numbering.text(column, row)))


@given(NUMBERINGS, st.integers(0, 400), st.integers(0, 400))
def test_no_reading_is_missed(numbering: Numbering, column: int, row: int) -> None:
    narrow = replace(numbering, sep="", location_format="$gridLocation$")
    name = narrow.text(column, row)
    # Every way to cut the name in two, tried without any pattern.
    possible = set()
    for cut in range(1, len(name)):
        parts = name[:cut], name[cut:]
        texts = parts if narrow.first == "H" else parts[::-1]
        kinds = narrow.h_type, narrow.v_type
        if all(
            (len(set(text)) == 1 and text.isalpha() if kind == "A" else text.isdigit())
            for text, kind in zip(texts, kinds, strict=True)
        ):
            numbers = [
                int(text) if kind == "N" else 26 * len(text) - 26 + ord(text[0]) - ord("A")
                for text, kind in zip(texts, kinds, strict=True)
            ]
            if narrow.text(numbers[0], numbers[1]) == name:
                possible.add((numbers[0], numbers[1]))
    assert set(narrow.readings(name)) == possible


def test_slanted_rows_go_on_along_the_diagonal() -> None:
    # VASSAL 3.8: row + column / 2 where staggered, else row - column / 2 + 1.
    none = Maxima(0, 0)
    slanted = Numbering(oblique=True, stagger=False, h_off=0, v_off=0)
    assert [slanted.printed(c, 4, none, False)[1] for c in range(-3, 5)] == [
        6, 6, 5, 5, 5, 4, 4, 3,
    ]  # fmt: skip
    staggered = replace(slanted, stagger=True)
    assert [staggered.printed(c, 4, none, False)[1] for c in range(-3, 5)] == [
        4, 3, 5, 4, 5, 5, 6, 6,
    ]  # fmt: skip


def test_the_engines_lookup_is_a_row_off_for_staggered_descending_columns() -> None:
    numbering = Numbering(h_descend=True)
    odd = Maxima(17, 15)
    printed = numbering.printed(3, 4, odd, False)
    assert numbering.raw(*printed, odd, False) == (3, 4)
    assert numbering.raw_as_vassal(*printed, odd, False) == (3, 5)


def test_a_format_without_row_or_column_cannot_be_read_back() -> None:
    for text in ("$row$", "$column$", "$gridLocation", "$other$", ""):
        numbering = Numbering(location_format=text)
        assert numbering.numbers_as_vassal("0101") is None
        assert list(numbering.readings("0101")) == []


def test_placeholders_stand_anywhere_in_a_format() -> None:
    numbering = Numbering(location_format="row $row$, column $column$ (a+b)", first="V")
    assert numbering.text(3, 14) == "row 14, column 03 (a+b)"
    assert list(numbering.readings("row 14, column 03 (a+b)")) == [(3, 14)]
    assert numbering.numbers_as_vassal("row 14, column 03 (a+b)") == (3, 14)


def test_unknown_kinds_are_refused_by_name() -> None:
    kind: Any = "X"  # what untyped callers may pass
    with pytest.raises(UsageError, match="first is H or V, not 'X'"):
        Numbering(first=kind)
    with pytest.raises(UsageError, match="h_type is N or A"):
        Numbering(h_type=kind)
    with pytest.raises(UsageError, match="v_type is N or A"):
        Numbering(v_type=kind)


@pytest.mark.parametrize(
    "texts", [{"first": ""}, {"hType": ""}, {"vType": ""}, {"hOff": "one"}, {"vLeading": ""}]
)
def test_attributes_that_stop_the_engine_are_refused(texts: dict[str, str]) -> None:
    with pytest.raises(UnreadableError):
        Numbering.from_xml_attributes(texts)


def test_only_the_first_letter_of_a_kind_counts() -> None:
    read = Numbering.from_xml_attributes({"first": "Horizontal", "hType": "Alpha", "vType": "Num"})
    assert (read.first, read.h_type, read.v_type) == ("H", "A", "N")


def test_numbers_are_never_drawn_by_the_engine() -> None:
    # Left out, VASSAL would guess; a map with painted numbers would show them twice.
    assert Numbering().xml_attributes()["visible"] == "false"
    assert Numbering().tag == "HexGridNumbering"
    assert Numbering(oblique=True).tag == "ObliqueHexGridNumbering"

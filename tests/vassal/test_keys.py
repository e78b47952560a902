from __future__ import annotations

import pytest
from hypothesis import given
from strategies_vassal import KEYS, TOKENS, WIRE_KEYS

from builder.vassal.keys import keystroke, notation

# VASSAL writes both of Java's modifier numberings: shift 64+1, ctrl 128+2, meta 256+4, alt 512+8.
TABLE = [
    ("ctrl D", "68,130"),
    ("ctrl shift F", "70,195"),
    ("shift F2", "113,65"),
    ("alt Enter", "10,520"),
    ("meta X", "88,260"),
    ("Space", "32,0"),
    ("<Drop>", "57348,0,Drop"),
    ("<Lose a step>", "57348,0,Lose a step"),
    ("F13", "61440,0"),
    ("ctrl key 999", "999,130"),
    ("", ""),
]


@pytest.mark.parametrize(("text", "wire"), TABLE)
def test_the_table_both_ways(text: str, wire: str) -> None:
    assert keystroke(text) == wire
    assert notation(wire) == text


@pytest.mark.parametrize(
    ("wire", "text"),
    [
        ("70,128", "ctrl F"),  # the new numbering alone
        ("70,2", "ctrl F"),  # the old numbering alone
        ("57411,0,Drop", "<Drop>"),
        ("M", "ctrl M"),  # a bare letter
        ("70,130,", "ctrl F"),
        ("x,y", ""),
        ("70,8322", "70,8322"),  # AltGraph, which has no word
        ("57348,0,a\tb", "57348,0,a\tb"),  # a name that no author can write
        ("57348,0, Drop", "57348,0, Drop"),
    ],
)
def test_other_spellings_are_read(wire: str, text: str) -> None:
    assert notation(wire) == text


def test_words_are_read_in_any_case_and_order() -> None:
    assert keystroke("SHIFT Ctrl f") == keystroke("ctrl+shift+F") == "70,195"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ctl D", r"no modifier 'ctl' in 'ctl D'; did you mean 'ctrl'\?"),
        ("ctrl Entre", r"no key 'Entre'.*did you mean 'Enter'\?"),
        ("Drop", r"named keys are '<Name>'"),
        ("<a,b>", "comma"),
        ("< >", "empty"),
    ],
)
def test_mistakes_name_the_nearest_word(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        keystroke(text)


@given(KEYS)
def test_what_is_written_is_read_back(key: str) -> None:
    assert keystroke(notation(keystroke(key))) == keystroke(key)


@given(TOKENS)
def test_any_wire_text_has_a_notation_that_can_be_written(wire: str) -> None:
    keystroke(notation(wire))


@given(WIRE_KEYS)
def test_every_stroke_that_is_read_can_be_written(wire: str) -> None:
    assert notation(keystroke(notation(wire))) == notation(wire)

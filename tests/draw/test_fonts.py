from __future__ import annotations

from pathlib import Path

import font_source_sans_pro
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageFont
from strategies_draw import fonts, letters

from builder.draw.fonts import (
    FACES,
    UnknownFontError,
    face_metrics,
    missing_glyphs,
    text_box,
    text_width,
)
from builder.draw.scene import Halo, Text


def pillow_font(font: str) -> ImageFont.FreeTypeFont:
    path = Path(font_source_sans_pro.font_directory) / FACES[font]
    return ImageFont.truetype(str(path), 1000, layout_engine=ImageFont.Layout.BASIC)


@settings(deadline=None)
@given(st.data(), fonts)
def test_widths_are_those_of_another_reader_of_fonts(data: st.DataObject, font: str) -> None:
    text = data.draw(letters(font))
    # FreeType rounds every advance to a pixel, of a thousand to the em
    assert text_width(text, font, 1000) == pytest.approx(
        pillow_font(font).getlength(text), abs=1 + len(text)
    )


def test_spacing_stands_between_letters_only() -> None:
    assert text_width("abc", "bold", 2, 0.5) == pytest.approx(text_width("abc", "bold", 2) + 1)
    assert text_width("a", "bold", 2, 0.5) == text_width("a", "bold", 2)


@pytest.mark.parametrize("font", sorted(FACES))
def test_capitals_are_as_high_as_an_h(font: str) -> None:
    _, top, _, bottom = pillow_font(font).getbbox("H", anchor="ls")
    assert face_metrics(font).cap_height * 1000 == pytest.approx(bottom - top, abs=12)


def test_missing_characters_are_listed_once_in_order() -> None:
    assert missing_glyphs("2★½ ●★\u3042é", "regular") == "★●\u3042"
    assert missing_glyphs("no-break\u00a0space", "regular") == ""


def test_an_unknown_face_names_the_nearest() -> None:
    with pytest.raises(UnknownFontError, match="did you mean 'semibold'"):
        text_width("x", "semi-bold", 1)


def test_a_box_turns_with_its_text() -> None:
    flat = Text(10, 10, "Argens", 4, anchor="start")
    left, top, right, bottom = text_box(flat)
    turned = text_box(Text(10, 10, "Argens", 4, anchor="start", angle=90))
    assert turned == pytest.approx((20 - bottom, left, 20 - top, right))
    haloed = text_box(Text(10, 10, "Argens", 4, anchor="start", halo=Halo("#ffffff", 0.5)))
    assert haloed == pytest.approx((left - 0.5, top - 0.5, right + 0.5, bottom + 0.5))

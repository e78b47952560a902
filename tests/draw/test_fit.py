from __future__ import annotations

from pathlib import Path

import font_source_sans_pro
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageFont
from strategies_draw import fonts, letters, words

from builder.draw.fit import fit_text
from builder.draw.fonts import FACES


def pillow_width(text: str, font: str, size: float) -> float:
    path = Path(font_source_sans_pro.font_directory) / FACES[font]
    reader = ImageFont.truetype(str(path), 1000, layout_engine=ImageFont.Layout.BASIC)
    return reader.getlength(text) * size / 1000


@settings(deadline=None)
@given(
    st.data(),
    fonts,
    st.floats(1, 60),
    st.floats(1, 30),
    st.floats(1, 20),
    st.floats(0.2, 1),
    st.integers(1, 3),
)
def test_text_never_overflows_its_box(
    data: st.DataObject,
    font: str,
    width: float,
    height: float,
    size: float,
    least: float,
    lines: int,
) -> None:
    text = data.draw(letters(font) | words)
    fitted = fit_text(text, font, width, height, size, min_size=size * least, max_lines=lines)
    if fitted is None:
        return
    assert len(fitted.lines) == len(fitted.baselines) <= lines
    assert size * least * 0.999999 <= fitted.size <= size
    rounding = 0.0015 * fitted.size * (len(text) + 1)
    for line in fitted.lines:
        assert pillow_width(line, font, fitted.size) <= width + rounding
    assert fitted.height <= height * 1.000001
    assert fitted.baselines[0] == pytest.approx(0.66 * fitted.size)


@settings(deadline=None)
@given(words, st.floats(5, 60), st.integers(1, 3))
def test_lines_hold_the_text_in_order(text: str, width: float, lines: int) -> None:
    text = " ".join(text.split())
    fitted = fit_text(text, "bold", width, 99, 8, min_size=0.01, max_lines=lines)
    assert fitted is not None
    assert "".join("".join(fitted.lines).split()) == "".join(text.split())


def test_what_fits_keeps_its_size_and_line() -> None:
    fitted = fit_text("A Co", "bold", 40, 15, 13, min_size=9, max_lines=2)
    assert fitted is not None
    assert (fitted.lines, fitted.size) == (("A Co",), 13)


def test_a_long_name_breaks_where_its_lines_are_shortest() -> None:
    fitted = fit_text("Roquebrune-sur-Argens", "regular", 60, 30, 12, min_size=6, max_lines=2)
    assert fitted is not None
    assert fitted.lines == ("Roquebrune-", "sur-Argens")
    three = fit_text("Junction N555/D54 crossing", "regular", 45, 40, 12, min_size=6, max_lines=3)
    assert three is not None
    assert three.lines == ("Junction", "N555/D54", "crossing")


def test_one_line_is_kept_while_a_second_gains_little() -> None:
    one = fit_text("Hill 212", "regular", 42, 30, 12, min_size=6, max_lines=2)
    assert one is not None
    assert one.lines == ("Hill 212",)


@pytest.mark.parametrize(("width", "height"), [(10, 20), (200, 4)])
def test_too_small_a_box_is_refused(width: float, height: float) -> None:
    assert fit_text("Draguignan", "regular", width, height, 12, min_size=8) is None

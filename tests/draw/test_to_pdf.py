from __future__ import annotations

import re

import numpy as np
import pypdfium2
import pytest
from hypothesis import given, settings
from strategies_draw import scenes

from builder.draw import to_pdf
from builder.draw.fonts import UnknownFontError
from builder.draw.scene import (
    Element,
    Fill,
    Halo,
    Picture,
    Repeat,
    Scene,
    Stroke,
    Text,
    circle,
    rectangle,
)
from builder.draw.symbols import SymbolError
from builder.draw.to_pdf import scenes_to_pdf
from builder.draw.to_png import scene_to_image


def ink(
    *elements: Element, side: float = 300, px: float = 6
) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """How much of each pixel is covered, 0 to 1, by black elements on white."""
    image = scene_to_image(Scene(side, side, elements, "#ffffff"), px).convert("L")
    return 1 - np.asarray(image, dtype=np.float64) / 255


@settings(max_examples=40, deadline=None)
@given(scenes)
def test_the_same_scene_gives_the_same_bytes(scene: Scene) -> None:
    first = scenes_to_pdf([scene, scene], title="Map")
    assert first == scenes_to_pdf([scene, scene], title="Map")
    assert first.startswith(b"%PDF-")


def test_pages_have_the_sizes_of_their_scenes() -> None:
    pdf = pypdfium2.PdfDocument(scenes_to_pdf([Scene(210, 297, ()), Scene(12.7, 12.7, ())]))
    sizes = [(page.get_width(), page.get_height()) for page in pdf]
    assert sizes == [pytest.approx((595.28, 841.89), abs=0.01), pytest.approx((36, 36))]


def test_metadata_is_what_was_said_and_no_clock() -> None:
    data = scenes_to_pdf([Scene(9, 9, ())], title="Drop Zone", author="A", subject="Counters")
    meta = pypdfium2.PdfDocument(data).get_metadata_dict()
    assert (meta["Title"], meta["Author"], meta["Subject"]) == ("Drop Zone", "A", "Counters")
    assert meta["Creator"] == "Hexwright"
    assert meta["CreationDate"].startswith("D:2000")


def test_text_is_text_in_embedded_subset_fonts() -> None:
    words = [Text(5, 8, "Le Muy", 3), Text(5, 16, "Trans-en-Provence é½", 3, font="bold")]
    data = scenes_to_pdf([Scene(60, 20, tuple(words))], compress=False)
    page = pypdfium2.PdfDocument(data)[0]
    said = page.get_textpage().get_text_range()
    assert "Le Muy" in said
    assert "Trans-en-Provence é½" in said
    named = set(re.findall(rb"/BaseFont /([A-Z]{6}\+\S+)", data))
    assert len(named) == 2
    assert data.count(b"/FontFile2") == 2
    # the whole family is over a megabyte
    assert len(data) < 60_000


def test_a_halo_is_the_text_stroked_below_the_text_filled() -> None:
    haloed = Text(15, 15, "H", 20, "#000000", "bold", baseline="middle", halo=Halo("#ff0000", 2))
    image = np.asarray(scene_to_image(Scene(30, 30, (haloed,), "#ffffff"), 4))
    plain = np.asarray(
        scene_to_image(
            Scene(
                30, 30, (Text(15, 15, "H", 20, "#000000", "bold", baseline="middle"),), "#ffffff"
            ),
            4,
        )
    )
    letter = plain[..., 0] < 20
    assert (image[letter] < 30).all()
    red = (image[..., 0] > 200) & (image[..., 1] < 60)
    rows, columns = np.nonzero(letter)
    halo_rows, halo_columns = np.nonzero(red)
    assert halo_rows.min() == pytest.approx(rows.min() - 8, abs=1)
    assert halo_columns.max() == pytest.approx(columns.max() + 8, abs=1)


def test_holes_are_holes() -> None:
    cover = ink(Fill((rectangle(50, 50, 200, 200), circle(150, 150, 50)), "#000000"))
    assert cover[900, 900] == 0
    assert cover[400, 400] == 1


def test_opacity_lets_the_ground_through_once() -> None:
    both = (
        Fill((rectangle(0, 0, 200, 200),), "#000000", 0.5),
        Stroke((((0, 250), (300, 250)),), "#000000", 20, opacity=0.25),
    )
    cover = ink(*both)
    assert cover[600, 600] == pytest.approx(0.5, abs=0.01)
    assert cover[1500, 900] == pytest.approx(0.25, abs=0.01)


def test_very_many_long_strokes_are_all_there() -> None:
    # in one path PDFium drops most of these
    lines = tuple(((0, i * 0.1), (300, i * 0.2 + 60)) for i in range(1200))
    together = ink(Stroke(lines, "#000000", 0.03), px=10)
    apart = [Stroke(lines[i : i + 20], "#000000", 0.03) for i in range(0, len(lines), 20)]
    assert together.mean() == pytest.approx(ink(*apart, px=10).mean(), rel=0.02)


def test_fills_with_endless_outlines_are_all_there() -> None:
    rings = tuple(
        ((0, y), (300, y + 60), (300, y + 60.05), (0, y + 0.05))
        for y in (i * 0.2 for i in range(1200))
    )
    together = ink(Fill(rings, "#000000"), px=10)
    apart = [Fill(rings[i : i + 20], "#000000") for i in range(0, len(rings), 20)]
    assert together.mean() == pytest.approx(ink(*apart, px=10).mean(), rel=0.02)


def test_dashes_run_on_where_a_long_line_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    line = tuple((i * 0.5, 150 + 20 * ((i // 10) % 2)) for i in range(600))
    dashed = Stroke((line,), "#000000", 2, dash=(7, 5), cap="butt")
    whole = ink(dashed)
    monkeypatch.setattr(to_pdf, "POINTS_PER_PATH", 37)
    cut = ink(dashed)
    # joins at the cuts are ends, which shows within the pen's width only
    assert np.abs(whole - cut).mean() < 0.0005


def test_a_closed_line_stays_closed_when_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    ring = Stroke((circle(150, 150, 100, 200),), "#000000", 4, closed=True)
    whole = ink(ring)
    monkeypatch.setattr(to_pdf, "POINTS_PER_PATH", 30)
    assert np.abs(whole - ink(ring)).max() < 0.6
    assert np.abs(whole - ink(ring)).mean() < 0.0005


def test_what_repeats_is_one_form() -> None:
    tree = (Fill((circle(0, 0, 2),), "#000000"), Picture("tank", -2, -2, 4, 4))
    scene = Scene(60, 60, (Repeat(tree, tuple((i, i) for i in range(5, 55, 5))),))
    data = scenes_to_pdf([scene, scene], compress=False)
    assert data.count(b"/Subtype /Form") == 2  # the tree and, inside of it, the tank
    image = np.asarray(scene_to_image(Scene(60, 60, scene.elements, "#ffffff"), 4).convert("L"))
    for place in range(5, 55, 5):
        assert image[place * 4 - 6, place * 4] < 128


def test_a_repeat_equals_its_elements_drawn_one_by_one() -> None:
    tile = (Fill((rectangle(-3, -2, 6, 4),), "#2255aa"), Text(0, 1, "gÉ", 4, "#ffffff"))
    at = ((10.0, 10.0), (20.3, 14.1), (9.7, 25.0))
    singly = tuple(
        element
        for x, y in at
        for element in (
            Fill((rectangle(x - 3, y - 2, 6, 4),), "#2255aa"),
            Text(x, y + 1, "gÉ", 4, "#ffffff"),
        )
    )
    repeated = np.asarray(scene_to_image(Scene(30, 30, (Repeat(tile, at),), "#ffffff"), 8))
    expected = np.asarray(scene_to_image(Scene(30, 30, singly, "#ffffff"), 8))
    assert np.abs(repeated.astype(int) - expected).max() <= 8


@pytest.mark.parametrize("place", [(10.0, 10.0), (20.3, 14.1), (9.7, 25.0), (10.06, 9.94)])
def test_rectangles_lie_where_they_were_put(place: tuple[float, float]) -> None:
    # PDFium would move upright rectangles to whole pixels
    x, y = place
    cover = ink(Fill((rectangle(x - 3, y - 2, 6, 4),), "#000000"), side=30, px=8)
    assert cover.sum() == pytest.approx(6 * 4 * 64, rel=0.01)
    rows, columns = np.indices(cover.shape)
    assert (cover * (columns + 0.5)).sum() / cover.sum() == pytest.approx(x * 8, abs=0.03)
    assert (cover * (rows + 0.5)).sum() / cover.sum() == pytest.approx(y * 8, abs=0.03)


@pytest.mark.parametrize("angle", [0, 30, 90, 180, -45])
def test_angles_turn_clockwise_about_the_place(angle: float) -> None:
    text = Text(150, 150, "I" * 40, 8, anchor="start", angle=angle)
    rows, columns = np.nonzero(ink(text, px=2) > 0.5)
    direction = np.degrees(np.arctan2(rows.mean() - 300, columns.mean() - 300))
    # the middle of the letters is a little above the baseline, to its left
    assert abs((direction - angle + 180) % 360 - 180) < 12


def test_unknown_names_are_errors() -> None:
    with pytest.raises(SymbolError, match="unknown symbol 'tnak'; did you mean 'tank'"):
        scenes_to_pdf([Scene(9, 9, (Picture("tnak", 0, 0, 5, 5),))])
    with pytest.raises(UnknownFontError, match="unknown font 'heavy'"):
        scenes_to_pdf([Scene(9, 9, (Text(1, 1, "x", 3, font="heavy"),))])


def test_numbers_never_use_exponents() -> None:
    tiny = Fill((((0, 0), (1e-7, 3e-9), (1e-12, 1e3)),), "#000000")
    data = scenes_to_pdf([Scene(9, 9, (tiny, Text(1e-9, 1, "x", 1e-6)))], compress=False)
    assert not re.search(rb"\de-\d", data)

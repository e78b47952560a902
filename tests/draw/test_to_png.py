from __future__ import annotations

import io

import numpy as np
import pytest
from conftest import Golden
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from strategies_draw import scenes

from builder.draw.scene import (
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
from builder.draw.to_pdf import scenes_to_pdf
from builder.draw.to_png import (
    RenderError,
    image_to_png,
    pdf_to_images,
    scene_to_image,
    scenes_to_images,
)


@settings(max_examples=30, deadline=None)
@given(scenes, st.integers(1, 90), st.integers(1, 90))
def test_an_image_has_exactly_the_pixels_asked_for(scene: Scene, width: int, height: int) -> None:
    image = scene_to_image(scene, size=(width, height))
    assert image.size == (width, height)
    assert image.mode == ("RGB" if scene.background else "RGBA")


@settings(max_examples=30, deadline=None)
@given(scenes)
def test_the_same_scene_gives_the_same_file(scene: Scene) -> None:
    files = {image_to_png(scene_to_image(scene, 5)) for _ in range(2)}
    assert len(files) == 1


@pytest.mark.parametrize("size", [(76, 76), (75, 75), (152, 152), (77, 51), (301, 200)])
def test_no_edge_pixel_is_partly_covered(size: tuple[int, int]) -> None:
    full = Scene(12.7, 12.7, (Fill((rectangle(-1, -1, 15, 15),), "#336699"),))
    pixels = np.asarray(scene_to_image(full, size=size))
    assert (pixels == (0x33, 0x66, 0x99, 255)).all()
    plain = np.asarray(scene_to_image(Scene(12.7, 12.7, (), "#336699"), size=size))
    assert (plain == (0x33, 0x66, 0x99)).all()


def test_a_page_does_not_bleed_into_the_next() -> None:
    over = Fill((rectangle(-50, -50, 100, 100),), "#ff0000")
    images = scenes_to_images([Scene(10, 10, (over,)), Scene(10, 10, ())], 6)
    assert np.asarray(images[0])[..., 3].min() == 255
    assert np.asarray(images[1]).max() == 0


def test_transparency_is_straight_and_smooth() -> None:
    disc = Scene(20, 20, (Fill((circle(10, 10, 8),), "#cc2200"),))
    pixels = np.asarray(scene_to_image(disc, 5)).astype(int)
    alpha = pixels[..., 3]
    assert alpha[50, 50] == 255
    assert alpha[2, 2] == 0
    assert alpha.sum() / 255 == pytest.approx(np.pi * 40**2, rel=0.01)
    # straight, not premultiplied: a half covered pixel keeps the paint's color
    half = (alpha > 60) & (alpha < 200)
    assert half.any()
    assert np.abs(pixels[half][:, :3] - (0xCC, 0x22, 0)).max() <= 6


def test_a_scale_is_rounded_to_whole_pixels() -> None:
    pdf = scenes_to_pdf([Scene(12.7, 25.4, ())])
    assert pdf_to_images(pdf, px_per_mm=76 / 12.7)[0].size == (76, 152)
    assert pdf_to_images(pdf)[0].size == (36, 72)


def test_what_is_no_pdf_is_refused() -> None:
    with pytest.raises(RenderError, match="cannot read the PDF"):
        pdf_to_images(b"%PDF-1.4 and no more")
    with pytest.raises(RenderError, match="0 x 5"):
        scene_to_image(Scene(5, 5, ()), size=(0, 5))


def test_a_file_is_indexed_only_where_asked() -> None:
    image = scene_to_image(Scene(20, 10, (Text(10, 6, "Argens", 5),), "#f0e0c0"), 8)
    modes = {
        palette: Image.open(io.BytesIO(image_to_png(image, palette=palette))).mode
        for palette in (True, False)
    }
    assert modes == {True: "P", False: "RGB"}
    full = Image.open(io.BytesIO(image_to_png(image, palette=False)))
    assert full.tobytes() == image.tobytes()
    gray = image.convert("L")
    assert Image.open(io.BytesIO(image_to_png(gray))).tobytes() == gray.tobytes()


def test_a_picture_of_everything_that_the_painter_paints(golden: Golden) -> None:
    tree = (Fill((circle(0, 0, 1),), "#226622", 0.7), Fill((circle(0.8, 0.3, 0.7),), "#447722"))
    scene = Scene(
        60,
        40,
        (
            Fill((rectangle(2, 2, 20, 10), circle(10, 7, 3)), "#cc3333"),
            Stroke((((2, 20), (30, 25), (50, 15)),), "#0000aa", 1, dash=(3, 2)),
            Stroke((circle(50, 7, 4),), "#aa7700", 0.8, closed=True, opacity=0.5),
            Text(30, 30, "Le Muy é½", 4, halo=Halo("#ffff00", 0.5), angle=-20),
            Text(26, 8, "ARGENS", 4, font="black", anchor="start", spacing=0.5),
            Picture("panzergrenadier_halftrack", 2, 26, 15, 10, 10, (("#ffffff", "#dfa92a"),)),
            Repeat(tree, ((40, 30), (45, 33), (50, 28))),
        ),
        "#eeeedd",
    )
    golden.image("painter", scene_to_image(scene, 4))

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from builder.draw.indexed import MAX_ERROR, MEAN_ERROR, indexed
from builder.draw.scene import Fill, Scene, Text, circle
from builder.draw.to_png import scene_to_image


def drawing(px_per_mm: float, background: str | None = "#efe8cf") -> Image.Image:
    discs = tuple(
        Fill((circle(7 + 11 * (i % 9), 6 + 9 * (i // 9), 6),), color)
        for i, color in enumerate(
            ["#93b573", "#cdb67c", "#a9adb0", "#565c62", "#2f62ad", "#dfa92a", "#c43a31"] * 7
        )
    )
    names = tuple(Text(15 + 20 * i, 25, "Argens", 6, "#161513", "bold") for i in range(5))
    return scene_to_image(Scene(100, 50, discs + names, background), px_per_mm)


def error(image: Image.Image, reduced: Image.Image) -> tuple[float, int]:
    difference = np.abs(
        np.asarray(image).astype(int) - np.asarray(reduced.convert(image.mode)).astype(int)
    )
    return float(difference.mean()), int(difference.max())


@pytest.mark.parametrize("px_per_mm", [2, 5, 12, 20])
@pytest.mark.parametrize("background", ["#efe8cf", None])
def test_drawings_lose_nothing_that_an_eye_sees(px_per_mm: float, background: str | None) -> None:
    image = drawing(px_per_mm, background)
    reduced = indexed(image)
    if reduced is None:
        assert background is None  # more kinds of edges than colors
        return
    assert reduced.mode == "P"
    if background:
        mean, worst = error(image, reduced)
        assert mean <= MEAN_ERROR
        assert worst <= MAX_ERROR


def test_flat_areas_keep_their_color_exactly() -> None:
    image = drawing(20)
    reduced = indexed(image)
    assert reduced is not None
    colors = image.getcolors(1 << 24)
    assert colors is not None
    large = {color for count, color in colors if count > 3000}
    assert len(large) >= 8
    again = {color for count, color in reduced.convert("RGB").getcolors(1 << 24) or ()}
    assert large <= again


def test_few_colors_come_through_unchanged() -> None:
    image = Image.new("RGBA", (40, 30), (10, 20, 30, 255))
    image.paste((200, 100, 50, 128), (5, 5, 20, 20))
    image.paste((0, 0, 0, 0), (25, 5, 30, 20))
    reduced = indexed(image)
    assert reduced is not None
    buffer = io.BytesIO()
    reduced.save(buffer, "PNG")
    again = Image.open(io.BytesIO(buffer.getvalue())).convert("RGBA")
    assert again.tobytes() == image.tobytes()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(4, 60), st.booleans())
def test_noise_is_kept_or_within_the_bound(seed: int, side: int, alpha: bool) -> None:
    mode = "RGBA" if alpha else "RGB"
    noise = np.random.default_rng(seed).integers(0, 256, (side, side, len(mode)), np.uint8)
    image = Image.fromarray(noise)
    reduced = indexed(image)
    if reduced is None:
        assert len(np.unique(noise.reshape(-1, len(mode)), axis=0)) > 256
        return
    again = np.asarray(reduced.convert(mode)).astype(int)
    shown = noise[..., 3] > 0 if alpha else np.ones((side, side), bool)
    assert np.abs(again[shown] - noise[shown]).max(initial=0) <= MAX_ERROR
    if alpha:
        assert (again[..., 3] == noise[..., 3]).all()


def test_large_noise_is_left_alone() -> None:
    noise = np.random.default_rng(7).integers(0, 256, (500, 400, 3), np.uint8)
    assert indexed(Image.fromarray(noise)) is None


def test_an_opaque_large_image_with_alpha_is_reduced() -> None:
    image = drawing(20).convert("RGBA")
    reduced = indexed(image)
    assert reduced is not None
    assert "transparency" not in reduced.info


def test_other_modes_are_refused() -> None:
    with pytest.raises(ValueError, match="expected an RGB or RGBA image, got L"):
        indexed(Image.new("L", (4, 4)))

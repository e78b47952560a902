from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from strategies_draw import scenes, simple

from builder.draw.scene import (
    Element,
    Fill,
    Halo,
    Picture,
    Repeat,
    Scene,
    Stroke,
    Text,
    bounds,
    circle,
    rectangle,
    rounded_rectangle,
    scene_text,
)
from builder.draw.to_png import scene_to_image


def test_every_kind_of_element_prints_as_one_line() -> None:
    scene = Scene(
        30,
        20.5,
        (
            Fill((rectangle(0, 0, 2, 1), rectangle(0.5, 0.25, 1, 0.5)), "#ff0000", 0.5),
            Stroke((((0, 0), (5, 5)),), "#00ff00", 0.3, True, (1, 0.5), "butt", "miter", 0.25),
            Text(
                1,
                2,
                "Le Muy",
                3,
                "#0000ff",
                "bold",
                "start",
                "middle",
                15,
                0.1,
                Halo("#ffffff", 0.2),
            ),
            Picture("tank", 1, 2, 6, 4, 90, (("currentColor", "#123456"),)),
            Repeat((Fill((((0, 0), (1, 0), (0, 1)),), "#000000"),), ((1, 1), (2, 2))),
        ),
        "#eeeeee",
    )
    assert scene_text(scene).split("\n") == [
        "scene 30 x 20.5 on #eeeeee",
        "fill #ff0000 opacity=0.5 0,0 2,0 2,1 0,1 / 0.5,0.25 1.5,0.25 1.5,0.75 0.5,0.75",
        "stroke #00ff00 width=0.3 closed dash=1,0.5 butt miter opacity=0.25 0,0 5,5",
        "text 1,2 bold 3 #0000ff start on-middle angle=15 spacing=0.1 halo=#ffffff/0.2 'Le Muy'",
        "picture tank 1,2 6x4 angle=90 currentColor=#123456",
        "repeat 2 at 1,1 2,2",
        "  fill #000000 0,0 1,0 0,1",
    ]
    assert str(scene) == scene_text(scene)


@given(scenes)
def test_equal_scenes_print_equally(scene: Scene) -> None:
    assert scene_text(scene).count("\n") >= len(scene.elements)


def test_a_round_rectangle_touches_its_sides_and_leaves_its_corners() -> None:
    ring = rounded_rectangle(1, 2, 8, 4, 1.5)
    xs, ys = zip(*ring, strict=True)
    assert (min(xs), max(xs), min(ys), max(ys)) == pytest.approx((1, 9, 2, 6))
    corners = [(1, 2), (9, 2), (9, 6), (1, 6)]
    nearest = [min(math.dist(corner, point) for point in ring) for corner in corners]
    assert nearest == pytest.approx([1.5 * (math.sqrt(2) - 1)] * 4, abs=0.01)


def test_a_radius_beyond_half_the_side_is_cut() -> None:
    xs, ys = zip(*rounded_rectangle(0, 0, 4, 2, 9), strict=True)
    assert (min(xs), max(xs), min(ys), max(ys)) == pytest.approx((0, 4, 0, 2))


def test_a_circle_has_its_radius_everywhere() -> None:
    assert {round(math.dist((3, 4), point), 9) for point in circle(3, 4, 2.5)} == {2.5}


@settings(max_examples=60, deadline=None)
@given(simple)
def test_ink_stays_within_the_bounds(element: Element) -> None:
    # letters of this sample have no ink outside of ascender and descender but accents
    left, top, right, bottom = bounds([element])
    accents = element.size * 0.35 if isinstance(element, Text) else 0
    margin = 0.15 + accents
    image = scene_to_image(Scene(20, 20, (element,)), 10)
    rows, columns = np.nonzero(np.asarray(image)[..., 3] > 40)
    if rows.size:
        assert columns.min() / 10 >= left - margin
        assert (columns.max() + 1) / 10 <= right + margin
        assert rows.min() / 10 >= top - margin
        assert (rows.max() + 1) / 10 <= bottom + margin


def test_bounds_of_nothing_and_of_repeats() -> None:
    assert bounds([]) == (0, 0, 0, 0)
    tile = (Fill((rectangle(-1, -1, 2, 2),), "#000000"),)
    assert bounds([Repeat(tile, ((10, 5), (3, 8)))]) == (2, 4, 11, 9)


def test_bounds_of_a_turned_picture() -> None:
    turned = bounds([Picture("tank", 0, 0, 6, 2, angle=90)])
    assert turned == pytest.approx((2, -2, 4, 4))

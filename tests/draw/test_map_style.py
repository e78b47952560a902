from __future__ import annotations

import pytest

from builder.draw.map_style import map_style
from builder.problems import DataError


def test_a_maps_own_style_wins_over_palette_and_template() -> None:
    style = map_style(
        {"colors": {"map-woods": "#010203"}, "hexside": {"river": {"width": 11}}},
        {"map-woods": "#ffffff", "map-hill": "#040506"},
    )
    assert style.ink("map-woods") == "#010203"
    assert style.ink("map-hill") == "#040506"
    assert style.hexside["river"].width == 11
    assert style.hexside["river"].color == "map-water"


def test_colors_of_the_palette_can_be_named() -> None:
    style = map_style({"sides": {"Allied": "side.Allied"}}, {"side.Allied": "#55733f"})
    assert style.ink(style.sides["Allied"]) == "#55733f"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"base": "standrad"}, "unknown map style 'standrad'; did you mean 'standard'?"),
        ({"hexside": {"river": {"widht": 3}}}, "did you mean 'width'?"),
        ({"hexside": {"river": {"width": "wide"}}}, "expected a number"),
        ({"terrain": {"woods": {"color": "map-wods"}}}, "did you mean 'map-woods'?"),
        ({"terrain": {"woods": {"color": "#12"}}}, "unknown color '#12'"),
        ({"terrain": {"woods": {"color": "#gggggg"}}}, "unknown color '#gggggg'"),
        ({"terrain": {"woods": {"detail": []}}}, "needs a color and 3 in detail"),
        ({"text": {"town": {"font": "boldd"}}}, "did you mean 'bold'?"),
        ({"place": {"town": {"text": "twon"}}}, "did you mean 'town'?"),
        ({"terrain": {"woods": {"kind": "wods"}}}, "did you mean 'woods'?"),
        ({"terrain": {"crag": {"kind": "crags"}}}, "did you mean 'crag'?"),
        ({"terrain": {"crag": {"detail": ["map-rock"]}}}, "crag needs a color and 3 in detail"),
        ({"terrain": {"jungle": {"color": ""}}}, "jungle needs a color and 4 in detail"),
        ({"terrain": {"deep_stream": {"width": 0}}}, "deep_stream: stream needs a width"),
        ({"terrain": {"bridge": {"width": 0}}}, "bridge: bridge needs a width"),
        ({"place": {"rose": {"mark": "rosa"}}}, "did you mean 'rose'?"),
        ({"colors": {"map-woods": "green"}}, "colors.map-woods"),
    ],
)
def test_mistakes_are_told_in_words(changes: dict[str, object], said: str) -> None:
    with pytest.raises(DataError) as caught:
        map_style(changes, {})
    assert any(said in str(p) for p in caught.value.problems), caught.value

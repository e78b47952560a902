"""The faces of an air drop's counters."""

from __future__ import annotations

from itertools import combinations

import pytest
from conftest import Golden
from PIL import Image
from strategies_draw import counter, shipped_layouts, shipped_palette

from builder.draw.counters import FaceArt, counter_faces
from builder.draw.palette import contrast
from builder.draw.scene import Picture, Text
from builder.draw.symbols import installed_symbols
from builder.draw.to_png import scene_to_image
from builder.gamebox.model import Counter, FieldValue

LAYOUTS = shipped_layouts()
PALETTE = shipped_palette()
SYMBOLS = installed_symbols().paths
NATIONS = ("US", "BRITISH", "RUSSIAN", "GERMAN", "DEFENDER")

COLUMNS: dict[str, FieldValue] = dict.fromkeys(
    (
        *("letter", "wing", "letters", "nationality", "strength", "broken_morale", "elite"),
        *("fp", "sw", "fires", "dm", "words"),
    )
)


def piece(id_: str, name: str, layout: str, *, steps: int = 0, **fields: FieldValue) -> Counter:
    side = "Defender" if fields.get("nationality") == "DEFENDER" else "Attacker"
    return counter(id_, name, side=side, layout=layout, steps=steps, **(COLUMNS | fields))


def faces(of: Counter) -> tuple[FaceArt, ...]:
    """Paint a counter; mistakes are raised."""
    return counter_faces(of, LAYOUTS[of.layout], PALETTE, symbols=SYMBOLS)


def squad(nation: str, elite: bool = True) -> Counter:
    return piece(
        *("Sq1", "Squad 1", "mmc"),
        kind="squad",
        nationality=nation,
        strength="7-4-7",
        broken_morale=8,
        elite=elite,
        symbol="men_three",
    )


def weapon(dm: bool, sw: str = "MMG", fires: str = "SMALL") -> Counter:
    return piece(
        *("MMG", "MMG", "sw"),
        kind="sw",
        nationality="US",
        fp=4,
        sw=sw,
        fires=fires,
        dm=dm,
        symbol="machine_gun",
    )


def words(art: FaceArt) -> list[str]:
    return [element.text for element in art.scene.elements if isinstance(element, Text)]


def symbols(art: FaceArt) -> list[str]:
    return [element.name for element in art.scene.elements if isinstance(element, Picture)]


SAMPLES = {
    "squads": tuple(squad(nation) for nation in NATIONS),
    "weapons": (weapon(True), weapon(False, "DC", "OTHER")),
    "men": (
        piece(
            *("L91", "Leader 9-1", "smc"),
            kind="leader",
            nationality="GERMAN",
            strength="9-1",
            broken_morale=8,
            symbol="leader",
        ),
        piece(
            *("Hero", "Hero", "smc"),
            kind="hero",
            nationality="BRITISH",
            strength="1-4-9",
            broken_morale=9,
            symbol="leader",
        ),
    ),
    "parachutes": (
        piece("PA", "Stick A", "chute", letter="A", wing=1, symbol="parachute"),
        piece("WQ", "Weapon Q", "sw_chute", letter="Q", wing=4, symbol="parachute"),
        piece("Wing-2", "Wing 2", "wing", wing=2, letters="F,G,H,I,J", symbol="drop_zone"),
    ),
    "markers": (
        piece("Turn", "Turn", "track", symbol="turn"),
        piece("RESIDUAL", "Residual FP", "hexmark", symbol="indirect"),
        piece("Sniper", "Sniper", "plain", symbol="target"),
    ),
    "weather": (
        piece("Weather", "Weather", "weather", steps=8),
        piece("Wind", "Wind", "wind", steps=7),
        piece("Force", "Force", "force", steps=4),
    ),
}


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_pictures_of_the_counters(name: str, golden: Golden) -> None:
    arts = [art for of in SAMPLES[name] for art in faces(of)]
    columns = 5
    sheet = Image.new("RGBA", (56 * min(columns, len(arts)), 56 * -(-len(arts) // columns)))
    for index, art in enumerate(arts):
        at = (56 * (index % columns) + 2, 56 * (index // columns) + 2)
        sheet.paste(scene_to_image(art.scene, size=(52, 52)), at)
    golden.image(f"airdrop-{name}", sheet)


def test_the_back_of_men_is_broken_with_its_morale() -> None:
    front, back = faces(squad("US"))
    assert (front.file, front.role) == ("Sq1.png", "front")
    assert (back.file, back.role) == ("Sq1_back.png", "back")
    assert words(front) == ["Squad 1", "E", "7-4-7"]
    assert words(back) == ["Squad 1", "E", "8"]
    assert words(faces(squad("US", elite=False))[0]) == ["Squad 1", "7-4-7"]


def test_only_weapons_that_come_apart_have_a_back() -> None:
    front, back = faces(weapon(True))
    assert (words(front), words(back)) == (["MMG", "4"], ["MMG", "dm"])
    assert [art.role for art in faces(weapon(False))] == ["front"]


@pytest.mark.parametrize(
    ("sw", "fires", "drawing"),
    [
        ("HMG", "SMALL", "machine_gun"),
        ("ATR", "SMALL", "rifle"),
        ("DC", "OTHER", "charge"),
        ("FT", "OTHER", "flamethrower"),
        ("AA", "LIGHT_AA", "gun"),
        ("GUN", "ORDNANCE", "gun"),
    ],
)
def test_every_weapon_shows_one_drawing(sw: str, fires: str, drawing: str) -> None:
    assert symbols(faces(weapon(False, sw, fires))[0]) == [drawing]


def test_a_landed_container_does_not_show_a_parachute() -> None:
    front, back = faces(SAMPLES["parachutes"][1])
    assert (symbols(front), symbols(back)) == (["container"], ["container_down"])
    assert "Q" in words(front)
    assert "Q" in words(back)


def test_levels_of_weather_and_wind_go_down_from_the_first_word() -> None:
    weather, wind, force = (faces(of) for of in SAMPLES["weather"])
    assert [(art.level, *words(art)) for art in weather] == [
        *((8, "Clear"), (7, "Mud"), (6, "Mist"), (5, "Gusty")),
        *((4, "Snow"), (3, "Snowfall"), (2, "Rain"), (1, "Other")),
    ]
    assert [words(art) for art in force] == [
        [word] for word in ("No wind", "Mild breeze", "Heavy wind", "Gust")
    ]
    angles = [
        element.angle
        for art in wind
        for element in art.scene.elements
        if isinstance(element, Picture) and element.name == "wind"
    ]
    assert angles == [0, 60, 120, 180, 240, 300]
    assert [art.file for art in wind] == [f"Wind_{n}.png" for n in range(7, 0, -1)]


def test_a_tray_has_room_for_three_dice_of_ten_millimetres() -> None:
    scene = faces(piece("Dice-Attacker", "Dice", "airtray"))[0].scene
    assert (scene.width, scene.height) == (50, 25.4)


def test_nationalities_differ_in_color_and_wings_too() -> None:
    for group in ("nation", "wing"):
        for one, other in combinations(PALETTE.groups[group].values(), 2):
            pairs = zip(bytes.fromhex(one.color[1:]), bytes.fromhex(other.color[1:]), strict=True)
            assert sum(abs(a - b) for a, b in pairs) >= 60, (one.color, other.color)


def test_nationalities_of_one_outline_differ_in_lightness() -> None:
    nations = PALETTE.groups["nation"]
    for one, other in combinations(nations.values(), 2):
        if one.shape == other.shape:
            assert contrast(one.color, other.color) >= 2, (one.color, other.color)

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from conftest import Golden

from builder.draw.scene import Picture, Scene
from builder.draw.symbols import SymbolError, SymbolLibrary, installed_symbols
from builder.draw.to_png import scene_to_image

ROOT = Path(__file__).parents[2]
SYMBOLS = sorted((ROOT / "art" / "symbols").glob("*.svg"))
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10" viewBox="0 0 10 10">{}</svg>'

# rule 1.2: five kinds of armor, two German infantry, three airborne, one FFI
UNITS = {
    *("armored_car", "recon_halftrack", "assault_gun", "tank", "panzergrenadier_halftrack"),
    *("infantry", "recon_infantry"),
    *("parachute_infantry", "glider_infantry", "parachute_artillery"),
    "ffi",
}
# rule 9: men, weapons, weather, marks and dice of an air drop
AIRDROP = {
    *("men_three", "men_two", "leader", "machine_gun", "mortar", "radio", "weapon"),
    *("rifle", "charge", "flamethrower", "gun"),
    *("canopy", "canopy_down", "container", "container_down"),
    *("wind", "wind_none", "breeze", "gale", "gust"),
    *("weather_clear", "weather_mud", "weather_mist", "weather_snow"),
    *("weather_snowfall", "weather_rain", "weather_other"),
    *("mark_broken", "mark_dm", "mark_cc", "mark_pin", "mark_cx", "mark_systems"),
    *("mark_concealed", "mark_pillbox", "mark_wounded", "mark_landed"),
    *(f"dice_{die}_{n}" for die in ("white", "colored") for n in range(1, 7)),
}


def test_every_unit_symbol_of_the_rules_is_there() -> None:
    assert set(installed_symbols().paths) >= UNITS
    assert {"parachute", "star", "arrow", "indirect", "antitank", "airstrike"} <= set(
        installed_symbols().paths
    )


@pytest.mark.parametrize("path", SYMBOLS, ids=lambda p: p.stem)
def test_a_symbol_is_ours_shows_something_and_stays_in_its_box(path: Path) -> None:
    assert "Drawn for Hexwright. SPDX-License-Identifier: MIT" in path.read_text(encoding="utf-8")
    scene = Scene(14, 14, (Picture(path.stem, 2, 2, 10, 10),))
    alpha = np.asarray(scene_to_image(scene, 10))[..., 3]
    inside = alpha[20:120, 20:120]
    assert (inside > 128).mean() > 0.02
    assert alpha.sum() == inside.sum()


def sheet(names: list[str], width: float, height: float) -> Scene:
    columns = 6
    rows = -(-len(names) // columns)
    pictures = tuple(
        Picture(
            name, (i % columns) * (width + 6) + 3, (i // columns) * (height + 6) + 3, width, height
        )
        for i, name in enumerate(names)
    )
    return Scene(columns * (width + 6), rows * (height + 6), pictures, "#e8dfc8")


def test_pictures_of_the_unit_symbols(golden: Golden) -> None:
    golden.image("symbols-units", scene_to_image(sheet(sorted(UNITS), 42, 28), 1))


def test_pictures_of_the_other_symbols(golden: Golden) -> None:
    others = sorted({path.stem for path in SYMBOLS} - UNITS - AIRDROP)
    golden.image("symbols-others", scene_to_image(sheet(others, 38, 38), 1))


def test_pictures_of_the_symbols_of_an_air_drop(golden: Golden) -> None:
    assert set(installed_symbols().paths) >= AIRDROP
    golden.image("symbols-airdrop", scene_to_image(sheet(sorted(AIRDROP), 26, 26), 1))


@pytest.mark.parametrize("name", sorted(UNITS))
def test_unit_symbols_differ_from_each_other(name: str) -> None:
    def pixels(symbol: str) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        scene = Scene(7, 14 / 3, (Picture(symbol, 0, 0, 7, 14 / 3),), "#ffffff")
        image = scene_to_image(scene, size=(42, 28)).convert("L")
        return np.asarray(image).astype(np.int64)

    mine = pixels(name)
    for other in UNITS - {name}:
        assert (np.abs(mine - pixels(other)) > 100).sum() >= 12, other


def test_paints_are_replaced_by_name() -> None:
    colors = (("#ffffff", "#ff0000"), ("currentColor", "#0000ff"), ("#000000", "#00ff00"))
    scene = Scene(12, 8, (Picture("tank", 0, 0, 12, 8, colors=colors),))
    pixels = np.asarray(scene_to_image(scene, 10))[..., :3].reshape(-1, 3)
    for paint in ((255, 0, 0), (0, 0, 255), (0, 255, 0)):
        assert (pixels == paint).all(axis=1).sum() > 50


def test_a_drawing_keeps_its_proportions_in_any_box() -> None:
    for box in ((0.0, 0.0, 20.0, 6.0), (0.0, 0.0, 5.0, 20.0)):
        alpha = np.asarray(scene_to_image(Scene(20, 20, (Picture("tank", *box),)), 10))[..., 3]
        rows, columns = np.nonzero(alpha > 128)
        width, height = np.ptp(columns) + 1, np.ptp(rows) + 1
        assert width / height == pytest.approx(42 / 28, rel=0.04)
        assert (columns.mean() / 10, rows.mean() / 10) == pytest.approx(
            (box[2] / 2, box[3] / 2), abs=0.1
        )


def test_a_drawing_without_a_size_takes_that_of_its_view_box(tmp_path: Path) -> None:
    path = tmp_path / "plain.svg"
    view = SVG.replace(' width="10" height="10" viewBox="0 0 10 10"', ' viewBox="0 0 30 20"')
    path.write_text(view.format('<rect width="30" height="20" fill="#ff0000"/>'))
    scene = Scene(30, 20, (Picture("plain", 0, 0, 30, 20),))
    image = scene_to_image(scene, 2, symbols=SymbolLibrary({"plain": path}))
    assert image.getcolors() == [(60 * 40, (255, 0, 0, 255))]


def test_the_same_question_gives_the_same_drawing() -> None:
    library = installed_symbols()
    assert library.drawing("tank") is library.drawing("tank")
    assert library.drawing("tank") is not library.drawing("tank", (("#ffffff", "#ff0000"),))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('<!DOCTYPE svg [<!ENTITY a "aa">]>' + SVG.format(""), "document type"),
        (
            '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + SVG.format("<g>&a;</g>"),
            "document type",
        ),
        (SVG.format('<image width="5" height="5" href="http://example.com/a.png"/>'), "<image>"),
        (SVG.format("<script>1</script>"), "<script>"),
        (SVG.format("<style>@import 'a.css';</style>"), "<style>"),
        (SVG.format('<use href="other.svg#a"/>'), "reference to 'other.svg#a'"),
        (SVG.format('<rect width="3" height="3" fill="url(http://example.com)"/>'), "url("),
        (SVG.format('<rect width="3" height="3" style="fill:red"/>'), "style"),
        (SVG.format("<?php 1 ?>"), "instructions"),
        (SVG.format("<g>"), "mismatch"),
        ("", "empty"),
        ('<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"/>', "no size"),
        ("<html/>", "expected <svg>, got <html>"),
        (SVG.format('<path d="M 1"/>'), "cannot be drawn"),
        (SVG.format('<rect width="wide" height="3"/>'), "cannot be drawn"),
        (SVG.format('<g opacity="0.5"><rect width="3" height="3"/></g>'), "opacity of a group"),
        (SVG.format('<g transform="rotate(a)"/>'), "cannot be drawn"),
    ],
)
def test_unsafe_and_damaged_files_are_refused(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "bad.svg"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SymbolError) as caught:
        SymbolLibrary({"bad": path}).drawing("bad")
    assert complaint in str(caught.value)
    assert "bad.svg" in str(caught.value)


def test_a_missing_file_and_a_missing_name_are_told_apart(tmp_path: Path) -> None:
    library = SymbolLibrary({"tank": tmp_path / "tank.svg"})
    assert "tank" in library
    assert "tnk" not in library
    with pytest.raises(SymbolError, match=r"tank\.svg"):
        library.drawing("tank")
    with pytest.raises(SymbolError, match="unknown symbol 'tnk'; did you mean 'tank'"):
        library.drawing("tnk")

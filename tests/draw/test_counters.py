from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from conftest import Golden
from hypothesis import given, settings
from PIL import Image
from strategies_draw import counter, letters, shipped_layouts, shipped_palette

from builder.draw.counters import FaceArt, counter_faces
from builder.draw.fonts import text_width
from builder.draw.layouts import read_layouts
from builder.draw.scene import Picture, Text
from builder.draw.symbols import installed_symbols
from builder.draw.to_png import image_to_png, scene_to_image
from builder.gamebox.model import Counter, FieldValue
from builder.problems import DataError, ProblemLog

LAYOUTS = shipped_layouts()
PALETTE = shipped_palette()
SYMBOLS = installed_symbols().paths

SAMPLES = {
    "airborne": counter(serial="S-9"),
    "ffi": counter(
        "FFI-1",
        "FFI 1",
        layout="ffi",
        steps=1,
        formation="Choc",
        center="ffi",
        symbol="ffi",
        drc=(1,),
    ),
    "recon": counter(
        "148-Recon",
        "148 Recon",
        side="German",
        command="148RD",
        formation="148",
        center="red",
        symbol="recon_infantry",
        steps=4,
        drc=(3, 3, 2, 1),
    ),
    "assault-gun": counter(
        "242-AG",
        "242 AG Co",
        side="German",
        command="KGVS",
        formation="242",
        center="brown",
        symbol="assault_gun",
        steps=1,
        drc=(3,),
        ma=6,
    ),
    "garrison": counter(
        "G-Draguignan",
        "Draguignan town",
        side="German",
        layout="garrison",
        objective="Draguignan town",
        hq="HQ LXII",
        symbol="hq",
        liberator="FFI",
        liberator_kind="ffi",
        liberator_steps=2,
    ),
    "asset": counter(
        "AA-9",
        "442 Anti-Tank",
        layout="asset",
        steps=0,
        kind="ANTITANK",
        if_value=1,
        at_value=3,
        drc=(),
    ),
    "chit": counter(
        "Chit",
        "KGr von Schwerin",
        side="German",
        layout="chit",
        command="KGVS",
        symbol="initiative",
    ),
    "marker": counter("VP", "VP", side="", layout="marker", symbol="star"),
}


def faces(piece: Counter, log: ProblemLog | None = None) -> tuple[FaceArt, ...]:
    return counter_faces(piece, LAYOUTS[piece.layout], PALETTE, symbols=SYMBOLS, log=log)


def words(art: FaceArt) -> list[str]:
    return [element.text for element in art.scene.elements if isinstance(element, Text)]


def problems(piece: Counter) -> list[str]:
    log = ProblemLog()
    faces(piece, log)
    return [str(problem) for problem in log.problems]


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_scenes_of_every_kind_of_counter(name: str, golden: Golden) -> None:
    text = "\n\n".join(
        f"{art.file} {art.face} {art.role} level {art.level}\n{art.scene}"
        for art in faces(SAMPLES[name])
    )
    golden.text(f"counter-{name}", text)


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_pictures_of_every_kind_of_counter(name: str, golden: Golden) -> None:
    arts = faces(SAMPLES[name])[:3]
    sheet = Image.new("RGBA", (80 * len(arts), 80))
    for index, art in enumerate(arts):
        sheet.paste(scene_to_image(art.scene, size=(76, 76)), (80 * index + 2, 2))
    golden.image(f"counter-{name}", sheet)


def test_a_face_at_twice_the_size_for_sharp_screens(golden: Golden) -> None:
    golden.image("counter-2x", scene_to_image(faces(SAMPLES["airborne"])[0].scene, size=(152, 152)))


def test_one_face_for_each_step_full_strength_first() -> None:
    arts = faces(SAMPLES["recon"])
    assert [art.file for art in arts] == [f"148-Recon_{n}.png" for n in (4, 3, 2, 1)]
    assert [art.level for art in arts] == [4, 3, 2, 1]
    assert [words(art) for art in arts] == [
        ["148 Recon", f"{n}/4", dice, "148", "4"]
        for n, dice in ((4, "3"), (3, "3"), (2, "2"), (1, "1"))
    ]


def test_the_hidden_face_shows_command_and_serial_but_not_the_unit() -> None:
    hidden = [
        faces(piece)[-1]
        for piece in (SAMPLES["airborne"], replace_fields(SAMPLES["ffi"], serial="S-9"))
    ]
    assert [art.role for art in hidden] == ["hidden", "hidden"]
    assert hidden[0].scene == hidden[1].scene
    assert words(hidden[0]) == ["S-9"]
    assert [e.name for e in hidden[0].scene.elements if isinstance(e, Picture)] == ["parachute"]
    assert all(art.role != "hidden" for art in faces(SAMPLES["recon"]))


def replace_fields(piece: Counter, **changes: FieldValue) -> Counter:
    return replace(piece, fields={**piece.fields, **changes})


def test_garrisons_have_an_allied_back_and_dice_in_parentheses() -> None:
    arts = faces(SAMPLES["garrison"])
    assert [(art.role, art.level) for art in arts] == [
        ("step", 2),
        ("step", 1),
        ("back", 2),
        ("back", 1),
    ]
    assert [words(art)[-1] for art in arts] == ["(2)", "(1)", "(2)", "(1)"]
    assert [words(art)[0] for art in arts] == ["HQ LXII", "HQ LXII", "FFI", "FFI"]
    german, allied = (
        np.asarray(scene_to_image(arts[i].scene, size=(76, 76)))[70, 60] for i in (0, 2)
    )
    assert tuple(german) == (0xD9, 0xDB, 0xDC, 255)
    assert tuple(allied) == (0x9D, 0xBF, 0xE0, 255)


def test_assets_show_their_kind_in_front_and_only_the_side_behind() -> None:
    front, back = faces(SAMPLES["asset"])
    assert (front.file, back.file) == ("AA-9.png", "AA-9_back.png")
    assert {"IF", "1", "AT", "3"} <= set(words(front))
    assert words(back) == ["Allied"]
    regroup = replace_fields(SAMPLES["asset"], kind="REGROUP", if_value=None, at_value=None)
    assert words(faces(regroup)[0]) == ["442 Anti-Tank"]
    assert faces(regroup)[1].scene == back.scene


def test_file_names_suit_every_file_system() -> None:
    art = faces(counter("1./Königs Jg: «Ü»?"))[0]
    assert art.file == "1._Konigs_Jg_U_2.png"


def test_sides_differ_in_outline() -> None:
    allied = faces(SAMPLES["airborne"])[0].scene
    german = faces(replace(SAMPLES["airborne"], side="German"))[0].scene
    shapes = [
        np.asarray(scene_to_image(scene, size=(76, 76)))[..., 3] for scene in (allied, german)
    ]
    assert shapes[0][0, 0] == shapes[1][0, 0] == 0
    assert (shapes[0] != shapes[1]).sum() > 10


@pytest.mark.parametrize(
    ("piece", "complaint"),
    [
        (counter(center="bleu"), "symbol: unknown color 'bleu' of 'center'; did you mean 'blue'?"),
        (counter(symbol="tnak"), "unknown symbol 'tnak'; did you mean 'tank'?"),
        (counter(name="3★ Co"), "name: the font 'bold' has no '★' (U+2605)"),
        (counter(drc=(3, 2, 1)), "drc: expected 2 figures, one for each step, got 3"),
        (
            counter(name="Fallschirmjägerbataillon"),
            "name: 'Fallschirmjägerbataillon' does not fit its box of 42 x 14, even at size 9 in 2",
        ),
        (
            counter(command="517PCRT"),
            "unknown color '517PCRT' of 'command'; did you mean '517PRCT'",
        ),
        (counter(side="Alied"), "ground: unknown color 'Alied' of 'side'; did you mean 'Allied'?"),
    ],
)
def test_mistakes_of_a_row_are_told_with_counter_and_place(piece: Counter, complaint: str) -> None:
    told = problems(piece)
    assert any(complaint in line for line in told), told
    assert all(line.startswith("counters.csv:7:1: A-1-517: ") for line in told)
    with pytest.raises(DataError):
        faces(piece)


def test_an_unknown_field_is_told_at_the_layout(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(
        "[faces.front.elements]\n"
        'a = { kind = "text", text = "{nmae}", size = 2 }\n'
        'b = { kind = "text", text = "{rank?|name}", size = 2 }\n'
        'c = { kind = "text", text = "{serial|\'none\'}", size = 2 }\n'
        'd = { kind = "text", text = "gone", size = 2, when = { serial = "*" } }\n'
        'e = { kind = "text", text = "here", size = 2, when = { side = ["German", "allied"] } }\n'
        '[faces.other]\neach = "stpes"\n[faces.worse]\neach = "formation"\n'
    )
    log = ProblemLog()
    layout = read_layouts({"odd": path}, log, palette=PALETTE, symbols=SYMBOLS)["odd"]
    arts = counter_faces(counter(), layout, PALETTE, symbols=SYMBOLS, log=log)
    assert words(arts[0]) == ["A Co", "none", "here"]
    assert [str(problem) for problem in log.problems] == [
        "odd.toml:2:1: unknown field 'nmae'; did you mean 'name'?",
        "odd.toml:7:1: each: unknown field 'stpes'; did you mean 'steps'?",
        "odd.toml:9:1: each: 'formation' is not a whole number",
    ]


def test_two_faces_of_one_name_are_a_mistake(tmp_path: Path) -> None:
    path = tmp_path / "twice.toml"
    path.write_text("[faces.front]\n[faces.other]\n")
    log = ProblemLog()
    layout = read_layouts({"twice": path}, log, palette=PALETTE, symbols=SYMBOLS)["twice"]
    counter_faces(counter(), layout, PALETTE, symbols=SYMBOLS, log=log)
    assert [p.message for p in log.problems] == ["A-1-517: two faces are both called 'A-1-517.png'"]


def test_lines_and_frames_are_painted_in_units_of_the_grid(tmp_path: Path) -> None:
    path = tmp_path / "lined.toml"
    path.write_text(
        "size = [20, 10]\ngrid = 40\n[faces.front.elements]\n"
        'l = { kind = "line", x = 4, y = 6, points = [[0, 0], [10, 0]], stroke = "#ff0000", '
        "stroke_width = 2, dash = [2, 2] }\n"
        'f = { kind = "box", x = 20, y = 4, width = 10, height = 8, stroke = "#0000ff", '
        'stroke_width = 2, shape = "square" }\n'
    )
    log = ProblemLog()
    layout = read_layouts({"lined": path}, log, palette=PALETTE, symbols=SYMBOLS)["lined"]
    art = counter_faces(counter(), layout, PALETTE, symbols=SYMBOLS)[0]
    assert str(art.scene).split("\n") == [
        "scene 20 x 10",
        "stroke #ff0000 width=1 dash=1,1 butt miter 2,3 7,3",
        # the pen stays inside of the box
        "stroke #0000ff width=1 closed miter 10.5,2.5 14.5,2.5 14.5,5.5 10.5,5.5",
    ]


def test_faces_become_small_indexed_pictures() -> None:
    for piece in SAMPLES.values():
        for art in faces(piece):
            data = image_to_png(scene_to_image(art.scene, size=(76, 76)))
            assert Image.open(io.BytesIO(data)).mode == "P"
            assert len(data) < 4000


@settings(max_examples=60, deadline=None)
@given(letters("bold"))
def test_any_name_stays_in_its_box_or_is_a_mistake(name: str) -> None:
    piece = counter(name=name)
    log = ProblemLog()
    art = faces(piece, log)[0]
    unit = 12.7 / 76
    # the name's box in templates/counters/unit.toml, left aligned
    lines = [e for e in art.scene.elements if isinstance(e, Text) and e.x == 6 * unit]
    lines = [e for e in lines if e.font == "bold"]
    if log.problems:
        assert all("does not fit its box" in problem.message for problem in log.problems)
        assert lines == []
        return
    assert "".join("".join(e.text for e in lines).split()) == "".join(name.split())
    for line in lines:
        assert text_width(line.text, line.font, line.size) <= 42 * unit + 1e-6
        assert 9 * unit - 1e-9 <= line.size <= 13 * unit
        assert (4 + 0.6 * 9) * unit <= line.y <= 18 * unit + 1e-6

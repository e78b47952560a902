from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from strategies_draw import shipped_palette

from builder.draw.palette import (
    ColorPalette,
    UnknownColorError,
    contrast,
    legible_on,
    mixed,
    read_palette,
)
from builder.problems import ProblemLog


def read(tmp_path: Path, text: str) -> tuple[ColorPalette, list[str]]:
    path = tmp_path / "palette.toml"
    path.write_text(text, encoding="utf-8")
    log = ProblemLog()
    palette = read_palette(path, log)
    return palette, [str(problem) for problem in sorted(log.problems)]


def test_references_by_either_mark_any_case_and_companion(tmp_path: Path) -> None:
    palette, problems = read(
        tmp_path,
        '[side]\nAllied = "#55733F"\n'
        '"SS.Pz" = { color = "#202020", ink = "#ffee00", shape = "cut" }\n',
    )
    assert problems == []
    assert palette.color("side:Allied") == palette.color("side.allied") == "#55733f"
    assert palette.color("side:SS.Pz.ink") == "#ffee00"
    assert palette.color("side:SS.Pz") == "#202020"
    assert palette.paint("side:ss.pz").shape == "cut"
    assert palette.color("#ABCDEF") == "#abcdef"
    assert palette.flat() == {"side.Allied": "#55733f", "side.SS.Pz": "#202020"}


def test_unknown_names_tell_the_nearest(tmp_path: Path) -> None:
    palette, _ = read(tmp_path, '[center]\nmaroon = "#842740"\n')
    for reference, complaint in [
        ("center:marroon", "unknown color 'marroon' of 'center'; did you mean 'maroon'"),
        ("centre:maroon", "unknown color group 'centre'; did you mean 'center'"),
        ("maroon", "expected '#rrggbb' or 'group:name', got 'maroon'"),
        ("center:", "expected '#rrggbb' or 'group:name', got 'center:'"),
    ]:
        with pytest.raises(UnknownColorError) as caught:
            palette.color(reference)
        assert complaint in str(caught.value)


def test_every_mistake_is_told_with_its_place(tmp_path: Path) -> None:
    palette, problems = read(
        tmp_path,
        "\n".join(
            [
                "[side]",
                'Allied = "green"',
                'German = { colour = "#59636b" }',
                'Third = { color = "#59636b", shape = "ronud", cmyk = [1, 2, 300, 4] }',
                'Good = "#010203"',
                "Number = 7",
                "[loose]",
            ]
        )
        + "\n",
    )
    assert [problem.partition(": ")[2] for problem in problems] == [
        "color: expected a color '#rrggbb', got 'green'",
        "German: expected a key 'color'",
        "unknown key 'colour'; did you mean 'color'?",
        "shape: got 'ronud'; did you mean 'round'?",
        "cmyk: expected four percentages, got [1, 2, 300, 4]",
        "Number: expected '#rrggbb' or a table, got 7",
    ]
    lines = [int(problem.split(":")[1]) for problem in problems]
    assert lines == [2, 3, 3, 4, 4, 6]
    assert palette.flat() == {"side.Good": "#010203"}


def test_contrast_is_that_of_the_standard() -> None:
    # figures of the contrast definition of WCAG 2.1 as commonly quoted
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#0000ff", "#ffffff") == pytest.approx(8.59, abs=0.01)
    assert (legible_on("#ffff00"), legible_on("#000080")) == ("#161513", "#ffffff")
    assert mixed("#102030", "#ffffff", 1) == "#ffffff"


def test_all_inks_of_the_shipped_palette_are_legible() -> None:
    for group, paints in shipped_palette().groups.items():
        for name, paint in paints.items():
            assert contrast(paint.color, paint.ink) >= 3.6, f"{group}:{name}"


def test_commands_and_formations_can_be_told_apart() -> None:
    palette = shipped_palette()
    for group in ("command", "center"):
        for one, other in combinations(palette.groups[group].values(), 2):
            pairs = zip(bytes.fromhex(one.color[1:]), bytes.fromhex(other.color[1:]), strict=True)
            assert sum(abs(a - b) for a, b in pairs) >= 60, (one.color, other.color)


def test_sides_differ_in_shape_as_well_as_in_color() -> None:
    sides = shipped_palette().groups["side"]
    assert len({paint.shape for paint in sides.values()}) == len(sides)

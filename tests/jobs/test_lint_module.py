"""Modules of others: each planted mistake is told, a clean module is silent, damage is no crash."""

from __future__ import annotations

import contextlib
import random
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from engine.tiny_module import BUILD_FILE, pictures, png, write_module, write_tiny

from builder.jobs.lint_module import lint_module
from builder.problems import BuilderError, UnreadableError


def lines(path: Path) -> list[str]:
    return [f"{p.severity}: {p.message}" for p in lint_module(path)]


def test_a_clean_module_is_silent(tmp_path: Path) -> None:
    assert lines(write_tiny(tmp_path / "tiny.vmod")) == []


SLOT = 'SetupStack name="At start" owningBoard="Board" useGridLocation="false" x="138" y="90"'
REGIONS = "VASSAL.build.module.map.boardPicker.board."
PLANTED: list[tuple[Sequence[tuple[str, str]], str]] = [
    ([("inf.png;Infantry", "Inf.PNG;Infantry")],
     "error: Map 'Main Map' > SetupStack 'At start' > PieceSlot 'Infantry': "
     "no picture 'Inf.PNG'; the file is called 'inf.png'"),
    ([("inf.png;Infantry", "tank.png;Infantry")],
     "error: Map 'Main Map' > SetupStack 'At start' > PieceSlot 'Infantry': "
     "no picture 'tank.png'"),
    ([('gpid="2"', 'gpid="1"')],
     "error: PieceWindow 'Pieces' > PanelWidget 'All' > PieceSlot 'Armor': gpid 1 is used 2 times"),
    ([('nextPieceSlotId="4"', 'nextPieceSlotId="3"')],
     "error: Map 'Main Map' > SetupStack 'By name' > PieceSlot 'Guns': "
     "gpid 3 is not below nextPieceSlotId 3"),
    ([("prototype;Unit{TAB}piece;;;inf.png;Guns", "prototype;Unti{TAB}piece;;;inf.png;Guns")],
     "error: Map 'Main Map' > SetupStack 'By name' > PieceSlot 'Guns': "
     "no prototype 'Unti'; did you mean 'Unit'?"),
    ([(SLOT, SLOT.replace('"Board"', '"Bord"'))],
     "error: Map 'Main Map' > SetupStack 'At start': "
     "no board 'Bord' on its map; did you mean 'Board'?"),
    ([(SLOT, SLOT.replace('x="138"', 'x="1380"'))],
     "warning: Map 'Main Map' > SetupStack 'At start': "
     "1380,90 lies off board 'Board' of 1000 × 800 pixels"),
    ([('location="0201"', 'location="A1"')],
     "error: Map 'Main Map' > SetupStack 'By name': board 'Board' has no place called 'A1'"),
    ([('location="0201"', 'location="9901"')],
     "warning: Map 'Main Map' > SetupStack 'By name': '9901' lies off board 'Board'"),
    ([('sep=""', 'sep=""'), ('hLeading="1"', 'hLeading="0"'), ('vLeading="1"', 'vLeading="0"'),
      ('location="0201"', 'location="21"')],
     "error: Map 'Main Map' > Board 'Board': '111' is the name of two places, at "
     "34,630 and 554,30, and 2 more names"),
    ([('stagger="false"', 'stagger="true"'), ('hDescend="false"', 'hDescend="true"'),
      ('location="0201"', 'location="0202"')],
     "warning: Map 'Main Map' > Board 'Board': VASSAL finds another place of the name"),
    ([("VASSAL.build.module.map.Flare", "my.own.Flare")],
     "warning: Map 'Main Map' > Flare: no component 'my.own.Flare'"),
    ([("prototype;Unit{TAB}piece;;;inf.png;Guns", "vasl.Thing;x{TAB}piece;;;inf.png;Guns")],
     "warning: Map 'Main Map' > SetupStack 'By name' > PieceSlot 'Guns': "
     "a trait 'vasl.Thing' that VASSAL does not bring"),
    ([('version="1.0">', 'version="1.1">')],
     "error: moduledata: version is '1.0' here and '1.1' in buildFile.xml"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "expected"), PLANTED, ids=lambda value: str(value)[:40])
def test_a_planted_mistake_is_told(
    changes: Sequence[tuple[str, str]], expected: str, tmp_path: Path
) -> None:
    found = lines(write_tiny(tmp_path / "tiny.vmod", changes))
    assert any(line.startswith(expected) for line in found), found


def test_zones_and_regions_of_one_name_are_told(tmp_path: Path) -> None:
    region = '<{0}Region name="Paris" originx="{1}" originy="9"/>'
    zone = '<{0}mapgrid.Zone name="North" path="0,0;9,0;9,9"/>'
    old = BUILD_FILE[BUILD_FILE.index(f"<{REGIONS}HexGrid") :]
    old = old[: old.index("</VASSAL.build.module.map.boardPicker.Board>")]
    new = (
        f"<{REGIONS}ZonedGrid>{zone.format(REGIONS)}{zone.format(REGIONS)}<{REGIONS}RegionGrid>"
        f"{region.format(REGIONS, 5)}{region.format(REGIONS, 500)}</{REGIONS}RegionGrid>"
        f"</{REGIONS}ZonedGrid>"
    )
    found = lines(write_tiny(tmp_path / "tiny.vmod", [(old, new)]))
    assert "error: Map 'Main Map' > Board 'Board': 2 zones are called 'North'" in found
    assert "error: Map 'Main Map' > Board 'Board': 2 regions are called 'Paris'" in found


def test_unused_pictures_are_told_and_used_ones_are_not(tmp_path: Path) -> None:
    images = {**pictures(), "spare.png": png(4, 4, "red"), "page.png": png(4, 4, "red")}
    path = write_module(tmp_path / "tiny.vmod", BUILD_FILE, images)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("help.html", '<img src="images/page.png">')
    assert lines(path) == [
        "warning: images/spare.png: is shown by nothing, unless an expression makes its name"
    ]


def test_a_file_for_versions_before_is_told(tmp_path: Path) -> None:
    path = tmp_path / "old.vmod"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("buildFile", '<VASSAL.launch.BasicModule VassalVersion="3.0"/>')
    found = "\n".join(lines(path))
    assert "is named as before VASSAL 3.5" in found
    assert "was written by VASSAL 3.0" in found
    assert "moduledata: is missing" in found


def test_a_save_is_no_module(tmp_path: Path) -> None:
    path = tmp_path / "x.vsav"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("savedGame", "begin_save")
    with pytest.raises(UnreadableError, match="no module"):
        lint_module(path)


def test_damaged_modules_end_in_problems_or_our_errors(tmp_path: Path) -> None:
    chance = random.Random(4)
    path = tmp_path / "bad.vmod"
    for _ in range(60):
        text = list(BUILD_FILE)
        for _ in range(chance.randint(1, 30)):
            at = chance.randrange(len(text))
            text[at] = chance.choice(["", '"', "9" * 30, "-", "/", ";", "x", "{TAB}", "e", "&lt;"])
        write_module(path, "".join(text), pictures())
        with contextlib.suppress(BuilderError):
            lint_module(path)


@pytest.mark.parametrize("value", ["1e-9", "1e309", "0", "-5", "nan", "1e300"])
def test_absurd_grids_end_in_a_problem(value: str, tmp_path: Path) -> None:
    changes = [('dx="52.0"', f'dx="{value}"')]
    assert lines(write_tiny(tmp_path / "bad.vmod", changes))

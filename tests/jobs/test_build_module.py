"""Building a whole module: what is in it, that it is the same bytes, that numbers never change."""

from __future__ import annotations

import csv
import io
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree
from PIL import Image

from builder.jobs.build_module import BuildResult, build_module
from builder.problems import DataError

DROPZONE = Path(__file__).parents[2] / "mapdata" / "dropzone"
SLOT = "VASSAL.build.widget.PieceSlot"


@pytest.fixture(scope="module")
def built(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[BuildResult, zipfile.ZipFile]]:
    folder = tmp_path_factory.mktemp("built")
    game = shutil.copytree(DROPZONE, folder / "dropzone")
    result = build_module(game, folder / "out" / "dropzone.vmod", map_picture=True)
    with zipfile.ZipFile(result.module) as archive:
        yield result, archive


def root_of(path: Path) -> etree._Element:
    with zipfile.ZipFile(path) as archive:
        return etree.fromstring(archive.read("buildFile.xml"))


def slots(root: etree._Element) -> dict[tuple[str, str], int]:
    """Slot by place (at start or palette) and piece definition's own name, to gpid."""
    found = {}
    for slot in root.iter(SLOT):
        parent = slot.getparent()
        assert parent is not None
        where = "start" if str(parent.tag).endswith("SetupStack") else "palette"
        found[where, str(slot.text).split("mark;Unit")[-1]] = int(str(slot.get("gpid")))
    return found


def test_the_members_and_their_order(built: tuple[BuildResult, zipfile.ZipFile]) -> None:
    _, archive = built
    names = archive.namelist()
    assert names == sorted(names)
    assert {"buildFile.xml", "moduledata", "images/map.png", "images/about.png"} <= set(names)
    for info in archive.infolist():
        is_packed = info.filename.endswith((".png", ".vsav"))
        assert info.compress_type == (zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED)
        assert info.date_time == (1980, 1, 1, 0, 0, 0)


def test_pictures_have_the_sizes_that_the_module_counts_on(
    built: tuple[BuildResult, zipfile.ZipFile],
) -> None:
    result, archive = built
    with Image.open(io.BytesIO(archive.read("images/map.png"))) as board:
        assert board.size == (3990, 2560)
    with Image.open(io.BytesIO(archive.read("images/A-1-517_2.png"))) as face:
        assert face.size == (76, 76)
    assert result.map_picture is not None
    assert result.map_picture.read_bytes() == archive.read("images/map.png")


def test_every_counter_has_a_slot_and_every_starting_one_stands_on_its_place(
    built: tuple[BuildResult, zipfile.ZipFile],
) -> None:
    result, archive = built
    root = etree.fromstring(archive.read("buildFile.xml"))
    lines = (DROPZONE / "counters.csv").read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert result.counters == len(rows)
    stacks = root.findall(".//VASSAL.build.module.map.SetupStack")
    cups = root.findall(".//VASSAL.build.module.map.DrawPile")
    at_start = {str(s.get("name")): len(s) for s in (*stacks, *cups) if len(s)}
    expected: dict[str, int] = {}
    for row in rows:
        if row["start"]:
            expected[row["start"]] = expected.get(row["start"], 0) + 1
    assert at_start == expected
    garrison = next(s for s in stacks if s.get("name") == "1612")
    # by hand: column 16 is raw 15, x = 219 + 15 * 104; row 12 is raw 11 of an odd raw column
    assert (garrison.get("x"), garrison.get("y")) == ("1779", str(250 + 11 * 120 + 60))


def test_gpids_are_unique_and_below_the_next_one(
    built: tuple[BuildResult, zipfile.ZipFile],
) -> None:
    _, archive = built
    root = etree.fromstring(archive.read("buildFile.xml"))
    numbers = [int(str(slot.get("gpid"))) for slot in root.iter(SLOT)]
    assert len(set(numbers)) == len(numbers) > 150
    assert max(numbers) < int(str(root.get("nextPieceSlotId")))


def test_two_builds_give_the_same_bytes(tmp_path: Path) -> None:
    game = shutil.copytree(DROPZONE, tmp_path / "dropzone")
    build_module(game, tmp_path / "a.vmod")
    build_module(game, tmp_path / "b.vmod")
    assert (tmp_path / "a.vmod").read_bytes() == (tmp_path / "b.vmod").read_bytes()


def test_adding_renaming_and_reordering_never_renumbers(tmp_path: Path) -> None:
    game = shutil.copytree(DROPZONE, tmp_path / "dropzone")
    # another unit is no longer the game that its rules know
    toml = game / "game.toml"
    text = toml.read_text(encoding="utf-8").replace('ruleset = "dropzone"', 'ruleset = ""')
    toml.write_text(text, encoding="utf-8")
    build_module(game, tmp_path / "a.vmod")
    before = slots(root_of(tmp_path / "a.vmod"))
    path = game / "counters.csv"
    comment, header, *rows = path.read_text(encoding="utf-8").splitlines()
    rows = [row.replace("A Co,Allied", "Able Company,Allied", 1) for row in reversed(rows)]
    new = rows[-1].replace("A-1-517", "A-1-518", 1)
    assert new.startswith("A-1-518,")
    rows.insert(3, new)
    path.write_text("\n".join([comment, header, *rows]) + "\n", encoding="utf-8")
    result = build_module(game, tmp_path / "b.vmod")
    assert result.new_gpids == ("A-1-518", "A-1-518@start")
    after = slots(root_of(tmp_path / "b.vmod"))
    renamed = {key: number for key, number in after.items() if number in before.values()}
    assert sorted(renamed.values()) == sorted(before.values())
    assert set(after.values()) - set(before.values()) == {
        max(before.values()) + 1,
        max(before.values()) + 2,
    }
    # what is taken out again keeps its numbers to itself
    path.write_text("\n".join([comment, header, *rows[5:]]) + "\n", encoding="utf-8")
    assert build_module(game, tmp_path / "c.vmod").new_gpids == ()


def test_a_mistake_in_the_template_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    game = shutil.copytree(DROPZONE, tmp_path / "mapdata" / "dropzone")
    template = DROPZONE.parents[1] / "templates" / "module" / "buildFile.xml"
    own = tmp_path / "templates" / "module" / "buildFile.xml"
    own.parent.mkdir(parents=True)
    text = template.read_text(encoding="utf-8")
    own.write_text(text.replace('useArrows="never"', 'useArows="never"'), encoding="utf-8")
    from builder.workspace import open_workspace

    with pytest.raises(DataError, match="useArows"):
        build_module(game, tmp_path / "out" / "x.vmod", workspace=open_workspace(game))
    assert not (tmp_path / "out").exists()


def test_only_new_numbers_are_written_into_the_game(tmp_path: Path) -> None:
    game = shutil.copytree(DROPZONE, tmp_path / "dropzone")
    before = {p.name: p.stat().st_mtime_ns for p in game.iterdir()}
    result = build_module(game, tmp_path / "a.vmod")
    assert result.new_gpids == ()
    assert {p.name: p.stat().st_mtime_ns for p in game.iterdir()} == before

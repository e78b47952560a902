"""Corrections by hand survive the tracer; mistakes stop it before anything is written."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from builder.jobs.trace_map import TracedFile, trace_map
from builder.problems import DataError, UnreadableError

FIXTURE = Path(__file__).parents[1] / "fixtures" / "geography"
FILES = ("terrain.txt", "hexsides.csv", "routes.csv", "places.csv")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    target = tmp_path / "halvar"
    shutil.copytree(FIXTURE, target)
    return target


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (old, text.count(old))
    path.write_text(text.replace(old, new), encoding="utf-8")


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def outcome(folder: Path, name: str, *, check: bool = False, overwrite: bool = False) -> TracedFile:
    result = trace_map(folder, check=check, overwrite=overwrite)
    return next(f for f in result.files if f.name == name)


def test_check_writes_nothing(folder: Path) -> None:
    before = files(folder)
    result = trace_map(folder, check=True)
    assert [f.status for f in result.files] == ["new"] * 4
    assert not result.is_current
    assert files(folder) == before


def test_correction_by_hand_stays_and_is_told(folder: Path) -> None:
    trace_map(folder)
    edit(folder / "terrain.txt", "..l.l...\n..lll.t.", "..lwl...\n..lll.t.")
    found = outcome(folder, "terrain.txt")
    assert (found.status, found.changes) == ("unchanged", ())
    assert found.by_hand == ("0405: Meadow -> Woods",)
    assert "..lwl..." in (folder / "terrain.txt").read_text()
    assert outcome(folder, "terrain.txt").by_hand == ("0405: Meadow -> Woods",)


def test_new_geography_comes_in_beside_corrections(folder: Path) -> None:
    trace_map(folder)
    edit(folder / "terrain.txt", "..l.l...\n..lll.t.", "..lwl...\n..lll.t.")
    edit(folder / "area.geojson", '"town", "name": "Osthof", "size": 3', '"sign", "name": "Osthof"')
    found = outcome(folder, "terrain.txt", check=True)
    assert found.changes == ("0706: Town -> Meadow",)
    assert "..lll.t." in (folder / "terrain.txt").read_text()
    assert outcome(folder, "terrain.txt") == found
    text = (folder / "terrain.txt").read_text()
    assert "..lwl..." in text
    assert "t" not in "".join(text.splitlines()[1:])


def test_conflict_is_told_and_the_hand_wins(folder: Path) -> None:
    trace_map(folder)
    edit(folder / "terrain.txt", "..lll.t.", "..lll.w.")
    edit(folder / "area.geojson", '"town", "name": "Osthof"', '"sign", "name": "Osthof"')
    found = outcome(folder, "terrain.txt")
    assert found.conflicts == ("0706: Woods by hand, Meadow by the tracer",)
    assert "..lll.w." in (folder / "terrain.txt").read_text()


def test_rows_added_changed_and_deleted_by_hand(folder: Path) -> None:
    trace_map(folder)
    sides = folder / "hexsides.csv"
    edit(sides, "0603,E,river,Bak\n", "")
    edit(sides, "0301,E,river,Wend", "0301,E,bridge,Wend")
    sides.write_text(sides.read_text() + "0210,W,river,Hand\n")
    before = sides.read_bytes()
    found = outcome(folder, "hexsides.csv")
    assert found.changes == ()
    assert set(found.by_hand) == {
        "- 0603 E river Bak",
        "+ 0210 W river Hand",
        "0301 E: kind river -> bridge",
    }
    assert sides.read_bytes() == before


def test_the_same_side_from_its_other_hex_is_no_correction(folder: Path) -> None:
    trace_map(folder)
    edit(folder / "hexsides.csv", "0603,E,river,Bak", "0604,W,river,Bak")
    found = outcome(folder, "hexsides.csv")
    assert (found.changes, found.by_hand) == ((), ())


def test_own_column_and_comment_survive(folder: Path) -> None:
    trace_map(folder)
    places = folder / "places.csv"
    lines = places.read_text().splitlines()
    places.write_text("\n".join([lines[0] + ",mood", lines[1] + ",grim", *lines[2:]]) + "\n")
    edit(folder / "terrain.txt", "......w.\n........", "# mine\n......w.\n........")
    edit(folder / "routes.csv", "from,to", "# my roads\nfrom,to")
    edit(folder / "area.geojson", '"Insel", "size": 1', '"Insel", "size": 7')
    assert outcome(folder, "places.csv").changes == ("Insel 0405: size 1 -> 7",)
    head, first, second, *_ = places.read_text().splitlines()
    assert head.endswith(",mood")
    assert first.endswith(",grim")
    assert second.startswith("Insel,0405,sign,7,")
    edit(folder / "area.geojson", '"town", "name": "Osthof"', '"sign", "name": "Osthof"')
    assert outcome(folder, "terrain.txt").status == "changed"
    assert "# mine\n" in (folder / "terrain.txt").read_text()
    edit(folder / "area.geojson", '"pike", "name": "Cross"', '"pike", "name": "High Street"')
    assert outcome(folder, "routes.csv").status == "changed"
    assert (folder / "routes.csv").read_text().startswith("# my roads\nfrom,to")


def test_files_that_the_tracer_never_wrote_are_by_hand(folder: Path) -> None:
    trace_map(folder)
    shutil.rmtree(folder / "traced")
    edit(folder / "terrain.txt", "..lll.t.", "..lll.w.")
    found = outcome(folder, "terrain.txt")
    assert found.by_hand == ("0706: Town -> Woods",)
    assert "..lll.w." in (folder / "terrain.txt").read_text()


def test_overwrite_keeps_a_copy(folder: Path) -> None:
    trace_map(folder)
    before = (folder / "terrain.txt").read_bytes()
    edit(folder / "terrain.txt", "..lll.t.", "..lll.w.")
    by_hand = (folder / "terrain.txt").read_bytes()
    found = outcome(folder, "terrain.txt", overwrite=True)
    assert found.changes == ("0706: Woods -> Town",)
    assert (folder / found.backup).read_bytes() == by_hand
    assert (folder / "terrain.txt").read_bytes() == before


def test_windows_line_ends_are_no_correction(folder: Path) -> None:
    trace_map(folder)
    for name in FILES:
        path = folder / name
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    result = trace_map(folder)
    assert result.is_current
    assert not any(f.by_hand for f in result.files)


def test_a_mistake_in_a_corrected_file_stops_before_writing(folder: Path) -> None:
    trace_map(folder)
    edit(folder / "terrain.txt", "..lll.t.", "..lll.q.")
    edit(folder / "area.geojson", '"Insel", "size": 1', '"Insel", "size": 7')
    before = files(folder)
    with pytest.raises(DataError) as caught:
        trace_map(folder)
    assert [str(p) for p in caught.value.problems if p.severity == "error"] == [
        "terrain.txt:7:7: unknown terrain letter 'q'; known: ., l, t, w"
    ]
    assert files(folder) == before


def test_no_such_folder(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="no folder"):
        trace_map(tmp_path / "missing")


def test_progress_counts_to_the_end(folder: Path) -> None:
    steps: list[tuple[str, int, int]] = []
    trace_map(folder, progress=lambda *step: steps.append(step))
    assert [s[0] for s in steps] == [
        *("reading", "places", "terrain", "rivers", "roads", "files", "files")
    ]
    assert steps[-1][1] == steps[-1][2]


def test_settings_are_checked_with_their_lines(folder: Path) -> None:
    toml = folder / "map.toml"
    edit(toml, 'default = "meadow"', 'default = "medow"\nthreshold = 1.5')
    edit(toml, 'roads = ["pike", "track"]', 'roads = ["pike", "trak"]')
    edit(toml, 'river = "bridge"', 'river = "brige"')
    edit(toml, "sign = {", 'sing = { terrain = "x" }\nsign = {')
    edit(toml, "entry = { edge = 3 }", "entry = { edge = 2 }")
    with pytest.raises(DataError) as caught:
        trace_map(folder)
    lines = toml.read_text().splitlines()

    def line(start: str) -> int:
        return next(n for n, text in enumerate(lines, 1) if text.startswith(start))

    assert {(p.source.line, p.message.split(";")[-1].strip()) for p in caught.value.problems} == {
        (line("threshold"), "threshold: expected a share over 0 and up to 1"),
        (line("default"), "did you mean 'meadow'?"),
        (line('roads = ["pike", "trak'), "did you mean 'track'?"),
        (line('river = "brige'), "did you mean 'bridge'?"),
        (line("sing"), "did you mean 'sign'?"),
        (line("sing"), "known: ., l, t, w"),
        (line("entry"), "edge: expected an odd number of hexes, got 2"),
    }

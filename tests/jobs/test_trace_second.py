"""An invented country on pointy-topped hexes; what is expected was read off a drawing by eye."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from builder.jobs.trace_map import TraceResult, trace_map

FIXTURE = Path(__file__).parents[1] / "fixtures" / "geography"

# A line of the file is a column of the screen, since raw columns of a pointy grid are screen rows.
TERRAIN = """\
......w.
........
......w.
..lll...
..l.l...
..lll.t.
..l.l...
........
w......w
......ww
"""


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TraceResult]:
    folder = tmp_path_factory.mktemp("second") / "halvar"
    shutil.copytree(FIXTURE, folder)
    return folder, trace_map(folder)


def rows(folder: Path, name: str) -> list[list[str]]:
    return [line.split(",") for line in (folder / name).read_text().splitlines()[1:]]


def test_lake_island_bow_tie_hole_and_parts(traced: tuple[Path, TraceResult]) -> None:
    # the lake leaves hex 0405 (line 5, column 4) as an island and drowns the small one in 0504;
    # the bow tie takes two hexes and not the one where its loops meet; 0709 lies in a hole
    text = (traced[0] / "terrain.txt").read_text()
    assert [ln for ln in text.splitlines() if not ln.startswith("#")] == TERRAIN.splitlines()


def test_river_leaves_and_comes_back(traced: tuple[Path, TraceResult]) -> None:
    sides = rows(traced[0], "hexsides.csv")
    first = {"0101 E", "0201 NE", "0201 E", "0201 SE", "0301 E", "0401 NE", "0401 E", "0401 SE"}
    first |= {"0501 NE"}
    second = {"0501 SE", "0601 NE", "0502 SE", "0602 NE", "0602 E", "0603 SE", "0703 NE"}
    second |= {"0604 SE", "0704 NE", "0705 NE", "0705 E", "0805 NE", "0805 E"}
    found = {f"{hex_} {side}" for hex_, side, _, name in sides if name == "Wend"}
    assert found - first - second == set()
    assert first - found == set()
    assert {"0501 SE", "0602 E", "0705 E", "0805 E"} <= found


def test_tributary_joins_the_river(traced: tuple[Path, TraceResult]) -> None:
    sides = rows(traced[0], "hexsides.csv")
    assert [row for row in sides if row[3] == "Bak"] == [["0603", "E", "river", "Bak"]]
    # the lower corner of 0603 E is an end of 0603 SE, which is the river
    assert ["0603", "SE", "river", "Wend"] in sides


def test_one_bridge_where_the_pike_crosses(traced: tuple[Path, TraceResult]) -> None:
    sides = rows(traced[0], "hexsides.csv")
    assert [row for row in sides if row[2] == "bridge"] == [["0705", "E", "bridge", "Wend"]]


def test_road_along_hex_edges_takes_one_hex_a_row(traced: tuple[Path, TraceResult]) -> None:
    track = [row for row in rows(traced[0], "routes.csv") if row[3] == "Edge"]
    assert track[0] == ["0108", "NE", "track", "Edge"]
    assert track[-1] == ["0808", "SE", "track", "Edge"]
    visited = [row[0] for row in track[1:-1]] + [track[-2][1]]
    assert visited == ["0108", "0208", "0308", "0408", "0508", "0608", "0708", "0808"]


def test_pike_runs_from_edge_to_edge_through_the_town(traced: tuple[Path, TraceResult]) -> None:
    pike = [row for row in rows(traced[0], "routes.csv") if row[3] == "Cross"]
    assert [row[0] for row in pike] == [
        *("0701", "0701", "0702", "0703", "0704", "0705", "0706"),
        *("0707", "0607", "0608", "0609", "0610"),
    ]
    assert (pike[0][1], pike[-1][1]) == ("W", "E")


def test_places(traced: tuple[Path, TraceResult]) -> None:
    assert rows(traced[0], "places.csv") == [
        ["Osthof", "0706", "town", "3", "10.11", "49.94227"],
        ["Insel", "0405", "sign", "1", "10.1", "49.96825"],
        ["Nordstadt", "0107", "sign", "", "10.124", "50.04"],
        ["West", "0701", "entry", "", "9.988", "49.941"],
        ["West", "0601", "entry", "", "9.988", "49.941"],
        ["West", "0801", "entry", "", "9.988", "49.941"],
    ]


def test_what_was_odd_is_told_with_its_line(traced: tuple[Path, TraceResult]) -> None:
    lines = (FIXTURE / "area.geojson").read_text().splitlines()

    def line_of(name: str) -> int:
        return next(n for n, text in enumerate(lines, 1) if f'"name": "{name}"' in text)

    told = {(w.source.path, w.source.line, w.message) for w in traced[1].warnings}
    area = "area.geojson"
    assert told == {
        (
            area,
            line_of("Tie"),
            "terrain 'Tie' repaired: its outline crosses itself at 10.03, 49.939",
        ),
        (
            area,
            line_of("Twins"),
            "terrain 'Twins' repaired: its outline crosses itself at 10.16, 49.9365",
        ),
        (area, line_of("Far away"), "terrain 'Far away' lies outside the map and is left out"),
        (area, line_of("Nowhere"), "place 'Nowhere' lies outside the map and is left out"),
    }

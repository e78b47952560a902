"""The map of Drop Zone, traced from real geography; hexes typed from the rule catalogue."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from builder.jobs.trace_map import trace_map

GAME = Path(__file__).parents[2] / "mapdata" / "dropzone"
FILES = ("terrain.txt", "hexsides.csv", "routes.csv", "places.csv")

OBJECTIVES = """
Le Muy|1612|town|star|red|t        Les Arcs|0914|town|2|red|t
Trans-en-Provence|1009|town|2|red|t        Hill 212|1714|hill|2|red|h
Roche Rousse|0811|hill|2|red|h        La Motte|1410|village|1|red|v
Le Mitan|1609|village|1|red|v        St Rosaline|1212|village|1|red|v
Junction N7/D25|1513|junction|1|red|j        Junction N555/D54|1111|junction|1|red|j
Draguignan town|0806|town|2|yellow|t        Draguignan village|0907|village|1|yellow|v
Vidauban|0616|town|2|yellow|t        Figanieres|1103|village|1|yellow|v
Flayosc|0206|village|1|yellow|v        Taradeau|0514|village|1|yellow|v
Callas|1301|village|1|yellow|v        Roquebrune-sur-Argens|2115|village|1|yellow|v
Junction N7/D10|0716|junction|1|yellow|j
"""
EXPECTED = [
    part.split("|") for line in OBJECTIVES.strip().splitlines() for part in line.split("        ")
]


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder traced from geography alone, without the shipped results."""
    folder = tmp_path_factory.mktemp("trace") / "dropzone"
    folder.mkdir()
    for name in ("map.toml", "area.geojson"):
        shutil.copy(GAME / name, folder / name)
    result = trace_map(folder)
    assert not result.warnings
    return folder


def table(folder: Path, name: str) -> list[dict[str, str]]:
    head, *rows = (folder / name).read_text(encoding="utf-8").splitlines()
    return [dict(zip(head.split(","), row.split(","), strict=True)) for row in rows]


def letter(folder: Path, label: str) -> str:
    lines = [ln for ln in (folder / "terrain.txt").read_text().splitlines() if ln[0] != "#"]
    return lines[int(label[2:]) - 1][int(label[:2]) - 1]


def test_nineteen_objectives_lie_where_the_catalogue_has_them(fresh: Path) -> None:
    places = {
        (r["name"], r["hex"], r["kind"], r["vp"], r["color"]) for r in table(fresh, "places.csv")
    }
    assert len(EXPECTED) == 19
    for name, hex_, kind, vp, color, sign in EXPECTED:
        assert (name, hex_, kind, vp, color) in places
        assert letter(fresh, hex_) == sign


def test_landing_hexes_and_aim_points(fresh: Path) -> None:
    at = {
        r["name"]: r["hex"] for r in table(fresh, "places.csv") if r["kind"] in {"dz", "lz", "aim"}
    }
    assert at == {
        "DZ A": "1211",
        "DZ C": "1613",
        "LZ O": "1510",
        "S-4": "1613",
        "S-6": "1211",
        "S-9": "1211",
        "S-10": "1510",
        "S-12": "1510",
    }


def test_entry_areas_are_three_neighbors_on_the_edge(fresh: Path) -> None:
    areas: dict[str, list[str]] = {}
    for row in table(fresh, "places.csv"):
        if row["kind"] == "entry":
            areas.setdefault(row["name"], []).append(row["hex"])
    assert areas == {
        "A": ["0106", "0107", "0105"],
        "B": ["0901", "0801", "1001"],
        "C": ["1301", "1201", "1401"],
        "D": ["2408", "2407", "2409"],
        "E": ["2414", "2413", "2415"],
        "F": ["2218", "2318", "2118"],
        "G": ["1818", "1918", "1718"],
        "H": ["0118", "0218", "0117"],
        "I": ["0111", "0112", "0110"],
    }


def test_every_entry_area_has_a_road_that_leaves_the_map(fresh: Path) -> None:
    named = {"N", "NE", "SE", "S", "SW", "NW"}
    exits = {r["from"] for r in table(fresh, "routes.csv") if r["to"] in named}
    areas: dict[str, set[str]] = {}
    for row in table(fresh, "places.csv"):
        if row["kind"] == "entry":
            areas.setdefault(row["name"], set()).add(row["hex"])
    assert {name for name, hexes in areas.items() if hexes & exits} == set("ABCDEFGHI")


def test_roads_join_all_objectives_but_the_two_hills(fresh: Path) -> None:
    links: dict[str, set[str]] = {}
    for row in table(fresh, "routes.csv"):
        if row["to"].isdigit():
            links.setdefault(row["from"], set()).add(row["to"])
            links.setdefault(row["to"], set()).add(row["from"])
    reached, waiting = {"1612"}, ["1612"]
    while waiting:
        new = links[waiting.pop()] - reached
        reached |= new
        waiting += new
    assert {hex_ for _, hex_, kind, *_ in EXPECTED if kind != "hill"} <= reached
    assert set(links) == reached


def corners(label: str) -> list[tuple[int, int]]:
    """Corners of a hex in thirds of a column and half rows, worked out apart from the grid."""
    column, row = int(label[:2]) - 1, int(label[2:]) - 1
    x, y = 3 * column, 2 * row + column % 2
    return [(x + a, y + b) for a, b in ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))]


def side_ends(row: dict[str, str]) -> frozenset[tuple[int, int]]:
    at = ("N", "NE", "SE", "S", "SW", "NW").index(row["side"])
    around = corners(row["hex"])
    return frozenset((around[at], around[(at + 1) % 6]))


@pytest.mark.parametrize(("river", "loose"), [("Argens", 2), ("Nartuby", 2), ("Endre", 2)])
def test_rivers_are_unbroken_lines_without_spurs(fresh: Path, river: str, loose: int) -> None:
    sides = [side_ends(r) for r in table(fresh, "hexsides.csv") if r["name"] == river]
    degree: dict[tuple[int, int], int] = {}
    for corner in (c for side in sides for c in side):
        degree[corner] = degree.get(corner, 0) + 1
    assert sorted(degree.values()) == [1] * loose + [2] * (len(sides) - 1)


@pytest.mark.parametrize("river", ["Nartuby", "Endre"])
def test_tributaries_end_on_the_argens(fresh: Path, river: str) -> None:
    rows = table(fresh, "hexsides.csv")
    main = {c for r in rows if r["name"] == "Argens" for c in side_ends(r)}
    assert len({c for r in rows if r["name"] == river for c in side_ends(r)} & main) == 1


def test_bridges_are_just_the_river_sides_that_links_cross(fresh: Path) -> None:
    crossed = {
        frozenset(set(corners(r["from"])) & set(corners(r["to"])))
        for r in table(fresh, "routes.csv")
        if r["to"].isdigit()
    }
    assert all(len(side) == 2 for side in crossed)
    rows = table(fresh, "hexsides.csv")
    assert {side_ends(r) for r in rows if r["kind"] == "bridge"} == {
        side_ends(r) for r in rows
    } & crossed


def test_banks(fresh: Path) -> None:
    # Le Muy lies between Nartuby and Argens, the junction of the N7 south of both
    bridges = {r["name"] for r in table(fresh, "hexsides.csv") if r["kind"] == "bridge"}
    assert bridges == {"Argens", "Nartuby", "Endre"}
    names = {frozenset((r["from"], r["to"])): r["name"] for r in table(fresh, "routes.csv")}
    assert names[frozenset(("1512", "1513"))] == "N7"
    assert names[frozenset(("1612", "1512"))] == "N7/N555"


def test_woods_and_hills_lie_where_the_catalogue_has_them(fresh: Path) -> None:
    assert {letter(fresh, h) for h in ("1116", "1317", "1417", "1517")} == {"m"}
    assert {letter(fresh, h) for h in ("0904", "0903")} == {"m"}
    assert {letter(fresh, h) for h in ("2110", "1603", "0303", "0312")} == {"w"}
    assert letter(fresh, "1915") == letter(fresh, "0711") == "h"
    assert letter(fresh, "1313") == letter(fresh, "0601") == "."


def test_traced_twice_gives_the_same_bytes(fresh: Path, tmp_path: Path) -> None:
    again = tmp_path / "dropzone"
    again.mkdir()
    for name in ("map.toml", "area.geojson"):
        shutil.copy(GAME / name, again / name)
    trace_map(again)
    for name in FILES:
        assert (again / name).read_bytes() == (fresh / name).read_bytes()
    before = {p: p.stat().st_mtime_ns for p in again.rglob("*")}
    assert trace_map(again).is_current
    assert {p: p.stat().st_mtime_ns for p in again.rglob("*")} == before


def test_the_shipped_files_are_current() -> None:
    result = trace_map(GAME, check=True)
    assert [(f.name, f.changes, f.conflicts) for f in result.files if f.changes] == []

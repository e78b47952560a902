"""Mistakes in ``area.geojson``: all at once, each with its line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from builder.jobs.trace_map import trace_map
from builder.problems import DataError

FIXTURE = Path(__file__).parents[1] / "fixtures" / "geography"
POINT = '"geometry": {"type": "Point", "coordinates": [10.1, 49.95]}'
LINE = '"geometry": {"type": "LineString", "coordinates": [[10.0, 49.95], [10.2, 49.95]]}'

# one feature a line: what stands in it, and what must be said about it
MISTAKES = [
    ('"properties": {"layer": "plaice", "kind": "town", "name": "A"}, ' + POINT, "mean 'place'?"),
    ('"properties": {"layer": "place", "kind": "twon", "name": "B"}, ' + POINT, "mean 'town'?"),
    ('"properties": {"layer": "place", "kind": "town"}, ' + POINT, "'name' is missing"),
    ('"properties": {"layer": "place", "kind": "town", "nam": "D"}, ' + POINT, "mean 'nam'?"),
    ('"properties": {"layer": "place", "kind": 7, "name": "E"}, ' + POINT, "kind: expected a text"),
    ('"properties": {"layer": "road", "kind": "pike", "name": "F"}, ' + POINT, "got 'Point'"),
    ('"properties": {"layer": "river", "kind": "river", "name": "#G"}, ' + LINE, "# before it"),
    ('"properties": null, ' + LINE, "expected properties"),
    ('"properties": {"layer": "road", "kind": "pike", "name": "I"}', "expected a geometry"),
    (
        '"properties": {"layer": "place", "kind": "town", "name": "J"}, "geometry": '
        '{"type": "Point", "coordinates": [NaN, 49.95]}',
        "within ±180",
    ),
    (
        '"properties": {"layer": "place", "kind": "town", "name": "K"}, "geometry": '
        '{"type": "Point", "coordinates": [1e999, 49.95]}',
        "within ±180",
    ),
    (
        '"properties": {"layer": "place", "kind": "town", "name": "L"}, "geometry": '
        '{"type": "Point", "coordinates": [49.95, 100.1]}',
        "longitude comes first",
    ),
    (
        '"properties": {"layer": "place", "kind": "town", "name": "M"}, "geometry": '
        '{"type": "Point", "coordinates": ["10", 49.95]}',
        "expected a position",
    ),
    (
        '"properties": {"layer": "road", "kind": "pike", "name": "N"}, "geometry": '
        '{"type": "LineString", "coordinates": [[10.0, 49.95]]}',
        "at least 2 positions",
    ),
    (
        '"properties": {"layer": "road", "kind": "pike", "name": "O"}, "geometry": '
        '{"type": "LineString", "coordinates": [[10.0, 49.9], [10.0, 49.9]]}',
        "different positions",
    ),
    (
        '"properties": {"layer": "terrain", "kind": "woods"}, "geometry": '
        '{"type": "Polygon", "coordinates": [[[10.0, 49.9], [10.1, 49.9], [10.0, 49.9]]]}',
        "at least 4 positions",
    ),
    (
        '"properties": {"layer": "terrain", "kind": ["woods", 3]}, "geometry": '
        '{"type": "Polygon", "coordinates": [[[10, 49.9], [10.1, 49.9], [10, 49.8], [10, 49.9]]]}',
        "list of words",
    ),
    (
        '"properties": {"layer": "terrain", "kind": "woods"}, "geometry": '
        '{"type": "Polygone", "coordinates": []}',
        "mean 'Polygon'?",
    ),
]


def problems_of(folder: Path, text: str) -> list[str]:
    for name in ("map.toml",):
        shutil.copy(FIXTURE / name, folder / name)
    (folder / "area.geojson").write_text(text, encoding="utf-8")
    before = sorted(folder.iterdir())
    with pytest.raises(DataError) as caught:
        trace_map(folder)
    assert sorted(folder.iterdir()) == before
    return [str(p) for p in caught.value.problems]


def collection(features: list[str]) -> str:
    joined = ",\n".join('{"type": "Feature", ' + feature + "}" for feature in features)
    return '{"type": "FeatureCollection", "features": [\n' + joined + "\n]}"


def test_every_mistake_is_told_at_once_in_its_line(tmp_path: Path) -> None:
    # the unknown kind is told only when the file itself is sound, so it is left out here
    rows = [row for row in MISTAKES if "twon" not in row[0]]
    told = problems_of(tmp_path, collection([feature for feature, _ in rows]))
    for line, (_, words) in enumerate(rows, 2):
        of_line = [p for p in told if p.startswith(f"area.geojson:{line}:")]
        assert len(of_line) == 1, of_line
        assert words in of_line[0]
    assert len(told) == len(rows)


@pytest.mark.parametrize(("feature", "words"), MISTAKES)
def test_each_mistake_alone(tmp_path: Path, feature: str, words: str) -> None:
    told = problems_of(tmp_path, collection([feature]))
    assert len(told) == 1
    assert words in told[0]


def test_the_column_is_that_of_the_value(tmp_path: Path) -> None:
    feature = MISTAKES[0][0]
    (told,) = problems_of(tmp_path, collection([feature]))
    column = ('{"type": "Feature", ' + feature).index('"layer"') + 1
    assert told.startswith(f"area.geojson:2:{column}:")


def test_a_name_that_stands_twice(tmp_path: Path) -> None:
    feature = '"properties": {"layer": "place", "kind": "town", "name": "A"}, ' + POINT
    told = problems_of(tmp_path, collection([feature, feature]))
    assert told == ["area.geojson:3:1: town 'A' stands already in line 2"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "area.geojson:1:1: not valid JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"type": "FeatureCollection", "features": [\n{"type": }\n]}', "area.geojson:2:10: not"),
        ("9" * 5_000, "not valid JSON"),
        ("[]", "expected a GeoJSON FeatureCollection"),
        ('{"type": "Feature"}', "found 'Feature'"),
        ('{"type": "FeatureCollection"}', "expected a list of features"),
        ('{"type": "FeatureCollection", "features": [7]}', "expected a GeoJSON Feature"),
    ],
)
def test_files_that_are_no_geography(tmp_path: Path, text: str, words: str) -> None:
    told = problems_of(tmp_path, text)
    assert len(told) == 1
    assert words in told[0]


def test_both_files_missing(tmp_path: Path) -> None:
    with pytest.raises(DataError) as caught:
        trace_map(tmp_path)
    assert {p.source.path for p in caught.value.problems} == {"map.toml", "area.geojson"}

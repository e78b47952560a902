"""Reading hand-edited text: every mistake, each with its place."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.problems import ProblemLog
from builder.reading import (
    CsvTable,
    _cells,
    json_schema,
    read_csv,
    read_letter_grid,
    read_text,
    read_toml,
    salvaged,
    validated,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}
    size: int
    kind: Literal["wood", "steel"] = "wood"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cart:
    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}
    title: str
    speed: float = 1.0
    wheel: tuple[Wheel, ...] = ()
    tags: tuple[str, ...] = ()


def toml(tmp_path: Path, text: str) -> tuple[Cart | None, list[str]]:
    path = tmp_path / "cart.toml"
    path.write_text(text, encoding="utf-8")
    log = ProblemLog()
    file = read_toml(path, log)
    cart = validated(file, Cart, log) if file else None
    return cart, [str(p) for p in log.problems]


def test_a_good_file_gives_the_dataclass(tmp_path: Path) -> None:
    cart, problems = toml(
        tmp_path, 'title = "Ox"\nspeed = 2\ntags = ["a"]\n[[wheel]]\nsize = 3\nkind = "steel"\n'
    )
    assert not problems
    assert cart == Cart(title="Ox", speed=2.0, tags=("a",), wheel=(Wheel(size=3, kind="steel"),))


def test_all_mistakes_of_a_file_are_told_at_once_with_their_places(tmp_path: Path) -> None:
    cart, problems = toml(
        tmp_path,
        'titel = "Ox"\nspeed = "fast"\n\n[[wheel]]\nsize = "two"\n  kind = "steal"\n[[wheel]]\n',
    )
    assert cart is None
    assert problems == [
        "cart.toml:1:1: required key 'title' is missing",
        "cart.toml:2:1: speed: expected a number, got 'fast'",
        "cart.toml:5:1: wheel.1.size: expected a whole number, got 'two'",
        "cart.toml:6:3: wheel.1.kind: 'steal' is not allowed; did you mean 'steel'?",
        "cart.toml:7:1: required key 'size' is missing",
        "cart.toml:1:1: unknown key 'titel'; did you mean 'title'?",
    ]


def test_a_key_like_no_other_is_told_with_the_keys_there_are(tmp_path: Path) -> None:
    _, problems = toml(tmp_path, 'title = "x"\nzzz = 1\n')
    assert problems == ["cart.toml:2:1: unknown key 'zzz'; known: speed, tags, title, wheel"]


@pytest.mark.parametrize("value", ["true", '"3"', "3.5", "[3]", "1979-05-27"])
def test_only_a_whole_number_is_a_whole_number(tmp_path: Path, value: str) -> None:
    cart, problems = toml(tmp_path, f'title = "x"\n[[wheel]]\nsize = {value}\n')
    assert cart is None
    assert len(problems) == 1
    assert problems[0].startswith("cart.toml:3:1: wheel.1.size: expected a whole number")


def test_broken_toml_is_told_with_line_and_column(tmp_path: Path) -> None:
    _, problems = toml(tmp_path, 'title = "x"\nspeed = = 2\n')
    assert problems == ["cart.toml:2:9: not valid TOML: Invalid value"]


def test_absurd_nesting_is_no_crash(tmp_path: Path) -> None:
    _, problems = toml(tmp_path, "a = " + "[" * 100_000)
    assert len(problems) == 1
    assert "not valid TOML" in problems[0]


def test_what_is_right_beside_mistakes_is_kept_for_further_checks(tmp_path: Path) -> None:
    path = tmp_path / "cart.toml"
    path.write_text(
        'titel = "Ox"\ntags = ["a", 1]\n[[wheel]]\nsize = "x"\n[[wheel]]\nsize = 4\n',
        encoding="utf-8",
    )
    log = ProblemLog()
    file = read_toml(path, log)
    assert file is not None
    cart, wrong = salvaged(file, Cart, log)
    assert wrong == {"title", "titel", "tags", "wheel"}
    assert len(log.problems) == 4
    assert cart == Cart(title="", tags=("a",), wheel=(Wheel(size=1), Wheel(size=4)))


def test_the_schema_says_what_the_reader_checks() -> None:
    schema = json_schema(Cart, "cart.toml", "A cart.")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    assert validator.is_valid({"title": "Ox", "wheel": [{"size": 3}]})
    assert not validator.is_valid({"title": "Ox", "wheel": [{"size": "3"}]})
    assert not validator.is_valid({"title": "Ox", "weel": []})


# ------------------------------------------------------------------------------------------ CSV


def csv(tmp_path: Path, data: bytes, *required: str) -> tuple[CsvTable | None, list[str]]:
    path = tmp_path / "counters.csv"
    path.write_bytes(data)
    log = ProblemLog()
    return read_csv(path, log, required), [str(p) for p in log.problems]


def test_cells_know_their_places(tmp_path: Path) -> None:
    text = b'# note\nname,size\n\nOx,2\n"Big, ""old""\nox", 3 \n'
    table, problems = csv(tmp_path, text)
    assert not problems
    assert table is not None
    ox, old = table.rows
    assert (ox["name"], ox["size"]) == ("Ox", "2")
    assert (ox["size"].source.line, ox["size"].source.column) == (4, 4)
    assert old["name"] == 'Big, "old"\nox'
    assert (old["name"].source.line, old["name"].source.column) == (5, 1)
    assert old["size"] == "3"
    assert old["size"].source.line == 6


def test_byte_order_mark_and_semicolons_are_read(tmp_path: Path) -> None:
    table, problems = csv(tmp_path, "\ufeffname;nation\r\nÑandú;España\r\n".encode())
    assert not problems
    assert table is not None
    assert list(table.columns) == ["name", "nation"]
    assert table.rows[0]["name"] == "Ñandú"


def test_another_encoding_stops_with_file_line_and_the_word_encoding(tmp_path: Path) -> None:
    table, problems = csv(tmp_path, "name;nation\nox;x\nÑandú;España\n".encode("cp1252"))
    assert table is None
    assert problems == [
        "counters.csv:3:1: wrong encoding: byte 0xD1 is not UTF-8; save the file as UTF-8"
    ]


def test_header_and_row_mistakes(tmp_path: Path) -> None:
    _, problems = csv(tmp_path, b"nmae,size,size\nOx,2,3,4\n", "name")
    assert problems == [
        "counters.csv:1:11: column 'size' stands twice",
        "counters.csv:1:1: required column 'name' is missing; did you mean 'nmae'?",
        "counters.csv:2:8: 4: more cells than the header has columns",
    ]


def test_an_empty_file_and_a_missing_one(tmp_path: Path) -> None:
    assert csv(tmp_path, b"\n# only\n")[1] == [
        "counters.csv:1:1: the file is empty: expected a header line"
    ]
    log = ProblemLog()
    assert read_text(tmp_path / "none.csv", log) is None
    assert "file not found" in str(log.problems[0])


CELLS = st.text("ab \"',;\nñ", max_size=6)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), min_size=1, max_size=5))
def test_quoted_cells_come_back_as_the_standard_writer_wrote_them(rows: list[list[str]]) -> None:
    import csv as standard
    import io

    out = io.StringIO()
    standard.writer(out, lineterminator="\n", quoting=standard.QUOTE_ALL).writerows(rows)
    read = [[cell for cell, _, _ in record] for record in _cells(out.getvalue(), ",")]
    assert read[: len(rows)] == rows


# ---------------------------------------------------------------------------------- letter grid


def test_letter_grid_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "terrain.txt"
    path.write_text("# map\n..w\n.q\n....\n...\n", encoding="utf-8")
    log = ProblemLog()
    grid = read_letter_grid(path, 3, 3, "w.", log)
    assert grid[2, 0] == "w"
    assert [str(p) for p in log.problems] == [
        "terrain.txt:3:3: row 2: expected 3 letters, found 2",
        "terrain.txt:3:2: unknown terrain letter 'q'; known: ., w",
        "terrain.txt:4:4: row 3: expected 3 letters, found 4",
        "terrain.txt:5:1: more than the map's 3 rows",
    ]

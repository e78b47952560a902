from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from builder.cli import main

ROOT = Path(__file__).parents[1]

with (ROOT / "mapdata" / "dropzone" / "rules.csv").open(encoding="utf-8", newline="") as _file:
    ROWS = list(csv.DictReader(line for line in _file if not line.startswith("#")))


def run(*words: object) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    return result


@pytest.fixture(scope="module")
def listed() -> list[dict[str, Any]]:
    result = run("rules", "dropzone", "--json")
    assert result.exit_code == 0
    data = json.loads(result.stdout)
    rows: list[dict[str, Any]] = data["rows"]
    return rows


def test_json_has_every_row(listed: list[dict[str, Any]]) -> None:
    assert [r["row"] for r in listed] == [r["id"] for r in ROWS]
    for found, row in zip(listed, ROWS, strict=True):
        assert {"row", "rule", "status", "same_as", "function", "tests"} <= set(found)
        assert found["rule"] == row["section"]
        assert found["status"] == row["status"]
        assert found["same_as"] == (row["same_as"] or None)
        assert isinstance(found["tests"], list)


def test_what_is_enforced_has_a_function_and_examples(listed: list[dict[str, Any]]) -> None:
    for row in listed:
        if row["status"] == "note":
            assert row["function"] is None
            continue
        assert row["function"].startswith("dropzone."), row["row"]
        assert row["tests"], row["row"]


def test_the_list_fits_a_terminal() -> None:
    result = run("rules", "dropzone")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[0] == "Drop Zone: Southern France: 172 rows of its rulebook"
    for row in ROWS:
        assert sum(line.split()[:1] == [row["id"]] for line in lines) == 1
    counts = {s: sum(r["status"] == s for r in ROWS) for s in ("enforced", "data", "note")}
    told = ", ".join(f"{n} {status}" for status, n in counts.items())
    assert lines[-1].startswith(told)


@pytest.mark.parametrize("name", ["DZ-5.1h", "dz-5.1h", "5.1h"])
def test_one_row_is_shown_wholly(name: str) -> None:
    result = run("rules", "dropzone", "--row", name)
    assert result.exit_code == 0
    assert result.stdout.startswith("DZ-5.1h  rule 5.1: What zones cost\n")
    assert "stated by dropzone.paths.zoc_cost" in result.stdout
    assert "→ MOVE unit=148-AG to=1005" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 110


def test_one_row_as_json() -> None:
    result = run("rules", "dropzone", "--row", "DZ-1.2m", "--json")
    (row,) = json.loads(result.stdout)["rows"]
    assert (row["row"], row["rule"], row["same_as"]) == ("DZ-1.2m", "1.2", "DZ-4.1a")


@pytest.mark.parametrize("status", ["enforced", "data", "note"])
def test_rows_of_a_status(status: str) -> None:
    result = run("rules", "dropzone", "--status", status, "--json")
    found = [r["row"] for r in json.loads(result.stdout)["rows"]]
    assert found == [r["id"] for r in ROWS if r["status"] == status]
    assert found


def test_rows_of_a_section_and_below() -> None:
    result = run("rules", "dropzone", "--section", "4.1", "--json")
    sections = {r["rule"] for r in json.loads(result.stdout)["rows"]}
    assert sections == {"4.1", "4.1.1", "4.1.2", "4.1.3", "4.1.4", "4.1.5", "4.1.6"}


def test_quiet_prints_nothing() -> None:
    assert run("rules", "dropzone", "-q").output == ""


def test_every_example_comes_out_as_it_says() -> None:
    result = run("rules", "dropzone", "--check")
    assert result.exit_code == 0, result.output
    assert result.stdout.endswith("examples, 0 otherwise than they say\n")


def test_an_example_that_comes_out_otherwise_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "dropzone"
    shutil.copytree(ROOT / "mapdata" / "dropzone", folder)
    for path in (folder / "examples").glob("*.toml"):
        if path.name != "movement.toml":
            path.unlink()
    path = folder / "examples" / "movement.toml"
    text = path.read_text(encoding="utf-8")
    changed = text.replace('breaks = ["DZ-5.1f"]', 'breaks = ["DZ-5.1i"]', 1)
    assert changed != text
    path.write_text(changed, encoding="utf-8")
    result = run("rules", folder, "--check")
    assert result.exit_code == 1
    assert "movement/five points over one hexside" in result.stderr
    assert "1 otherwise than they say" in result.stdout
    data = json.loads(run("rules", folder, "--check", "--json").stdout)
    assert list(data["failures"]) == ["movement/five points over one hexside"]


# ------------------------------------------------------------------------------ what is refused


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("dropzon",), "dropzon"),
        (("dropzone", "--row", "DZ-5.1hh"), "no rule 'DZ-5.1hh'; did you mean 'DZ-5.1h'?"),
        (("dropzone", "--section", "99"), "no rows of section '99'"),
        (("dropzone", "--row", "5.1h", "--status", "note"), "--row shows one row"),
    ],
)
def test_what_is_not_there_is_told_in_a_line(words: tuple[str, ...], says: str) -> None:
    result = run("rules", *words)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert says in line
    assert result.stdout == ""


def test_an_unknown_status_is_refused() -> None:
    result = run("rules", "dropzone", "--status", "done")
    assert result.exit_code == 2
    assert "'enforced', 'data', 'note'" in result.stderr


def test_a_game_without_rules_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "dropzone"
    shutil.copytree(ROOT / "mapdata" / "dropzone", folder)
    (folder / "rules.csv").unlink()
    shutil.rmtree(folder / "examples")
    result = run("rules", folder)
    assert result.exit_code == 2
    assert result.stderr == "hexwright: dropzone has no rules.csv\n"

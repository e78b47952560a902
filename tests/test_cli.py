"""The command line as a newcomer, a script and a mistaken user meet it."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from builder.cli import main

DROPZONE = Path(__file__).parents[1] / "mapdata" / "dropzone"
DROPZONE_LOG = Path(__file__).parent / "fixtures" / "logs" / "dropzone-turns.vlog"


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the game that a test may break."""
    return shutil.copytree(DROPZONE, tmp_path / "mapdata" / "dropzone")


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1, f"{old!r} not in {path.name}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def line_of(path: Path, words: str) -> int:
    lines = path.read_text(encoding="utf-8").split("\n")
    return next(n for n, line in enumerate(lines, 1) if words in line)


COMMANDS = ["build", "lint", "trace", "schema", "show", "pack", "diff", "log", "stats"]


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)])
def test_every_command_explains_itself(command: list[str]) -> None:
    result = run(*command, "--help")
    assert result.exit_code == 0
    assert "Usage:" in result.output
    assert len(result.output.splitlines()) > 8
    if command:
        assert "--json" in result.output
        assert "--quiet" in result.output or command == ["log"]


def test_help_does_not_load_what_only_jobs_need() -> None:
    code = (
        "import sys; from click.testing import CliRunner; from builder.cli import main; "
        "CliRunner().invoke(main, ['--help']); "
        "heavy = {'reportlab', 'lxml', 'shapely', 'pydantic', 'numpy', 'PIL'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_misspelled_command_and_a_misspelled_game() -> None:
    result = run("biuld", "dropzone")
    assert result.exit_code == 2
    assert "did you mean 'build'?" in result.output
    result = run("build", "dropzne")
    assert result.exit_code == 2
    assert "no game 'dropzne'; did you mean 'dropzone'?" in result.output


def test_lint_of_the_shipped_games_is_clean() -> None:
    result = run("lint")
    assert result.exit_code == 0, result.output
    assert "dropzone: no mistakes found" in result.output


def test_ten_planted_mistakes_are_told_at_once_each_with_its_line(copy: Path) -> None:
    game, map_, counters = copy / "game.toml", copy / "map.toml", copy / "counters.csv"
    terrain, sides, places = copy / "terrain.txt", copy / "hexsides.csv", copy / "places.csv"
    prototypes, module = copy / "prototypes.toml", copy / "module.toml"
    edit(game, 'version = "0.1.0"', "version = 1")
    edit(map_, 'flags = ["hill"]', 'flags = "hill"')
    edit(counters, "A Co 1/517,Allied,517PRCT", "A Co 1/517,Allied,517PRTC")
    edit(counters, ",unit,1203,4,", ",unit,1203,four,")
    edit(counters, ",unit,0906,", ",unit,2906,")
    edit(terrain, "mm", "mq")
    edit(sides, ",river,", ",rivver,")
    edit(places, "Le Muy,1612,town,star,red", "Le Muy,1612,town,star,rde")
    edit(prototypes, 'command = "Drop"', 'comand = "Drop"')
    edit(module, "count = 1", 'count = "two"')
    expected = [
        (game, "version = 1", 1, "version: expected a text in quotes, got 1"),
        (map_, 'flags = "hill"', 1, "terrain.h.flags: expected a list, got 'hill'"),
        (counters, "517PRTC", 32, "unknown palette '517PRTC'; did you mean '517PRCT'?"),
        (counters, ",four,", 45, "steps: expected a whole number from 1 to 8, got 'four'"),
        (counters, ",2906,", 44, "start: no hex or box '2906'"),
        (terrain, "mq", 9, "unknown terrain letter 'q'"),
        (sides, "rivver", 8, "expected a kind of hexside, found 'rivver'; did you mean 'river'?"),
        (places, "rde", 23, "color: 'rde' is not known; did you mean 'red'?"),
        (prototypes, "comand", 30, "comand: no field 'comand' here; did you mean 'command'?"),
        (module, '"two"', 1, "dice.1.count: expected a whole number, got 'two'"),
    ]
    result = run("lint", str(copy))
    assert result.exit_code == 1
    assert "dropzone: 10 mistakes, 0 warnings" in result.output
    for path, planted, column, message in expected:
        start = f"{path.name}:{line_of(path, planted)}:{column}: {message}"
        assert any(line.startswith(start) for line in result.output.splitlines()), (
            start,
            result.output,
        )


def test_lint_speaks_json(copy: Path) -> None:
    edit(copy / "counters.csv", "A-1-517,A Co", "A 1,A Co")
    result = run("lint", str(copy), "--json")
    assert result.exit_code == 1
    (problem,) = [
        p for ps in json.loads(result.output)["games"].values() for p in ps if p["column"] == 1
    ]
    assert problem["file"] == "counters.csv"
    assert problem["line"] == 3
    assert problem["severity"] == "error"
    assert "no blanks" in problem["message"]


def test_a_build_with_mistakes_writes_nothing(copy: Path, tmp_path: Path) -> None:
    edit(copy / "counters.csv", ",unit,DropS9,2,", ",unit,DropS9,zwei,")
    before = {p: p.read_bytes() for p in copy.rglob("*") if p.is_file()}
    target = tmp_path / "out" / "game.vmod"
    result = run("build", str(copy), "-o", str(target))
    assert result.exit_code == 1
    assert "counters.csv:3:" in result.output
    assert "1 mistake; nothing was written" in result.output
    assert not target.parent.exists()
    assert {p: p.read_bytes() for p in copy.rglob("*") if p.is_file()} == before


def test_schemas_accept_the_shipped_files(tmp_path: Path) -> None:
    import tomllib

    assert run("schema", "-o", str(tmp_path)).exit_code == 0
    root = DROPZONE.parents[1]
    files = {
        "chart-style.toml": root / "templates" / "pages" / "chart.toml",
        "charts.toml": DROPZONE / "charts.toml",
        "counter-layout.toml": root / "templates" / "counters" / "unit.toml",
        "game.toml": DROPZONE / "game.toml",
        "help.toml": DROPZONE / "help.toml",
        "lines.toml": DROPZONE / "lines.toml",
        "map-style.toml": root / "templates" / "map" / "standard.toml",
        "map.toml": DROPZONE / "map.toml",
        "module.toml": DROPZONE / "module.toml",
        "prototypes.toml": DROPZONE / "prototypes.toml",
        "scenario.toml": DROPZONE / "scenarios" / "ghost.toml",
    }
    for name, path in files.items():
        schema = json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8"))
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        jsonschema.validate(data, schema)
        spoiled = {**data, "no_such_key": 1}
        assert not jsonschema.Draft202012Validator(schema).is_valid(spoiled), name
    assert set(run("schema").output.split()) == set(files)
    assert run("schema", "map").output == (tmp_path / "map.toml.json").read_text(encoding="utf-8")
    assert run("schema", "mop.toml").exit_code == 2


def test_a_reader_that_stops_reading_is_no_error() -> None:
    command = f"'{sys.executable}' -c 'from builder.cli import main; main()' show {DROPZONE_LOG}"
    done = subprocess.run(
        f"{command} | head -1", shell=True, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("hexwright-twin")
    assert done.stderr == ""


def test_an_unwritable_target_is_told_without_a_traceback(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("", encoding="utf-8")
    result = run("build", "dropzone", "-o", str(blocker / "game.vmod"))
    assert result.exit_code == 2
    assert "Traceback" not in result.output

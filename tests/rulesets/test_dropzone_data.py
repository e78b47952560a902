"""Every mistake in the game's own files that the rules find has its place, beside all others."""

import shutil
from pathlib import Path

from builder.gamebox.open import read_game
from builder.jobs.lint_game import lint_game
from builder.problems import Problem
from builder.rulesets.registry import rules_problems
from builder.workspace import open_workspace

PROJECT = Path(__file__).parents[2]
FOLDER = PROJECT / "mapdata" / "dropzone"


def problems_of(folder: Path) -> list[Problem]:
    game, problems = read_game(folder)
    assert game is not None
    return [*problems, *rules_problems(game)]


def changed(tmp_path: Path, file: str, find: str, put: str) -> Path:
    copy = tmp_path / "dropzone"
    shutil.copytree(FOLDER, copy)
    text = (copy / file).read_text(encoding="utf-8")
    assert text.count(find) == 1
    (copy / file).write_text(text.replace(find, put), encoding="utf-8")
    return copy


def test_a_problem_has_the_place_of_its_cell(tmp_path: Path) -> None:
    copy = changed(tmp_path, "counters.csv", "german_inf,LXII,blue", "german_inf,LXII,purple")
    lines = (copy / "counters.csv").read_text(encoding="utf-8").split("\n")
    line = next(n for n, text in enumerate(lines, 1) if text.startswith("LXII-Alarm,"))
    column = 1 + lines[line - 1].index("purple")
    told = {str(p.source): p.message for p in problems_of(copy)}
    assert "LXII of KGVS is blue, not purple" in told[f"counters.csv:{line}:{column}"]


def test_a_problem_of_a_whole_row_has_the_place_of_the_row(tmp_path: Path) -> None:
    copy = changed(tmp_path, "counters.csv", "Le Muy,HQ 765,FFI,ffi", "Le Muy,HQ 765,HQ,ffi")
    lines = (copy / "counters.csv").read_text(encoding="utf-8").split("\n")
    line = next(n for n, text in enumerate(lines, 1) if text.startswith("G-Le-Muy,"))
    (problem,) = problems_of(copy)
    assert str(problem.source) == f"counters.csv:{line}:1"


def test_an_empty_cell_has_a_place_too(tmp_path: Path) -> None:
    copy = changed(
        tmp_path,
        "counters.csv",
        "C-550,C Co,C Co 550,Allied,2IPBG,unit,AlliedT3,2,2IPBG,infantry",
        "C-550,C Co,C Co 550,Allied,2IPBG,unit,AlliedT3,2,2IPBG,",
    )
    lines = (copy / "counters.csv").read_text(encoding="utf-8").split("\n")
    line = next(n for n, text in enumerate(lines, 1) if text.startswith("C-550,"))
    column = 1 + lines[line - 1].index(",,airborne") + 1
    told = {str(p.source): p.message for p in problems_of(copy)}
    assert "armor or infantry" in told[f"counters.csv:{line}:{column}"]


def test_lint_tells_what_rules_find_beside_other_mistakes(tmp_path: Path) -> None:
    copy = changed(tmp_path, "places.csv", "Callas,1301,village,1", "Callas,1301,village,2")
    turns = copy / "charts" / "turns.csv"
    turns.write_text(turns.read_text().replace("2,D-Day,1,2,2", "2,D-Day,some,2,2"))
    told = "\n".join(map(str, lint_game(copy, open_workspace())))
    assert "a village gives 1, not 2" in told
    assert "charts/turns.csv:4" in told
    assert "expected a whole number, got 'some'" in told


def test_ground_that_the_rules_do_not_know_is_told_beside_the_rest(tmp_path: Path) -> None:
    copy = changed(tmp_path, "map.toml", 'base = "woods"\n\n', 'base = "swamp"\n\n')
    places = copy / "places.csv"
    places.write_text(places.read_text().replace("Callas,1301,village,1", "Callas,1301,village,2"))
    told = "\n".join(map(str, problems_of(copy)))
    assert "no ground 'swamp'; known: clear, town, village, woods" in told
    assert "a village gives 1, not 2" in told


def test_a_column_that_the_rules_need_is_told(tmp_path: Path) -> None:
    copy = changed(tmp_path, "charts.toml", '{ name = "rp",', '{ name = "points",')
    turns = copy / "charts" / "turns.csv"
    turns.write_text(turns.read_text().replace("turn,day,rp,", "turn,day,points,"))
    told = [str(p) for p in problems_of(copy)]
    assert any(
        line.startswith("charts.toml:") and "chart 'turns': the rules need a column 'rp'" in line
        for line in told
    )

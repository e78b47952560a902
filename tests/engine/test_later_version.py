"""A game saved with one version of Drop Zone opens in a later one, and its counters are refreshed.

The later version has counters added, renamed and put in another order, as an author would do who
edits the game's files. VASSAL's own *Refresh Counters* must find every piece by its number.
"""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from engine.vassal import EngineRun

from builder.gamebox.model import Game
from builder.gamebox.open import open_game
from builder.jobs.build_module import build_module

pytestmark = pytest.mark.engine

Vassal = Callable[..., EngineRun]

#: id of a counter to the name it gets.
RENAMED = {"A-1-517": "Able Co", "148-Recon": "Späher", "GA-3": "Coast guns"}


def _edit_counters(path: Path) -> None:
    """Reverse the rows, rename three counters, and put two new ones in front."""
    lines = [ln for ln in path.read_text(encoding="utf-8").splitlines() if not ln.startswith("#")]
    header, *rows = list(csv.reader(lines))
    name, title = header.index("name"), header.index("title")
    rows.reverse()
    for row in rows:
        if row[0] in RENAMED:
            row[name] = row[title] = RENAMED[row[0]]
    by_id = {row[0]: row for row in rows}
    news = []
    for model, new, start in (("1-I-765", "9-I-765", "2015"), ("GA-4", "GA-11", "PoolGerman")):
        row = list(by_id[model])
        row[0], row[header.index("start")] = new, start
        row[title] = f"New {new}" if row[title] else ""
        news.append(row)
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([header, *news, *rows])
    path.write_text(out.getvalue(), encoding="utf-8")


@pytest.fixture(scope="module")
def later_folder(tmp_path_factory: pytest.TempPathFactory, dropzone: Game) -> Path:
    folder = tmp_path_factory.mktemp("later") / "dropzone"
    shutil.copytree(dropzone.folder, folder)
    game = folder / "game.toml"
    text = game.read_text(encoding="utf-8")
    assert f'version = "{dropzone.version}"' in text
    text = text.replace(f'version = "{dropzone.version}"', 'version = "1.1"')
    # with other counters it is no longer the game that its rules know
    text = text.replace('ruleset = "dropzone"', 'ruleset = ""')
    game.write_text(text, encoding="utf-8")
    _edit_counters(folder / "counters.csv")
    return folder


@pytest.fixture(scope="module")
def later_module(tmp_path_factory: pytest.TempPathFactory, later_folder: Path) -> Path:
    path = tmp_path_factory.mktemp("module") / "dropzone-1.1.vmod"
    build_module(later_folder, path)
    return path


@pytest.fixture(scope="module")
def saved(
    vassal: Vassal, dropzone_module: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[EngineRun, Path]:
    """A game of the older module in the middle: dropped, hit, revealed, drawn, moved."""
    path = tmp_path_factory.mktemp("saved") / "older.vsav"
    run = vassal(
        dropzone_module,
        [
            "newgame Solo",
            'command "A Co 1/517" Drop',
            'command "B Co 1/517" Drop',
            'command "B Co 1/517" "in combat"',
            'command "A Co 1/517" "it attacks"',
            'move "148 Recon" 1204',
            'command "148 Recon" "in combat"',
            'command "Garrison Le Muy" "by combat"',
            'command "Allied dice" "4 dice"',
            "press DrawAllied",
            "press DrawGerman",
            "press ChitsBack",
            "press DrawChit",
            "turn next",
            "pieces",
            f"save {path}",
        ],
    )
    return run, path


@pytest.fixture(scope="module")
def later(vassal: Vassal, later_module: Path, saved: tuple[EngineRun, Path]) -> EngineRun:
    """The saved game in the later module: as it is, refreshed as a test, refreshed, saved again."""
    _, path = saved
    again = path.with_name("newer.vsav")
    return vassal(
        later_module,
        [
            *("answer yes", f"load {path}", "answer default", "pieces"),
            *("refresh test", "pieces", "refresh real", "pieces"),
            *('command "B Co 1/517" "it defends"', "press DrawGerman", "press DrawChit"),
            *(f"saveload {again}", "newgame Solo", "pieces"),
        ],
    )


def test_the_older_game_is_a_good_one(saved: tuple[EngineRun, Path]) -> None:
    run, _ = saved
    assert run.problem_texts == []


def test_numbers_stay_and_new_counters_get_new_ones(later_folder: Path, dropzone: Game) -> None:
    game = open_game(later_folder)
    build = {k: v for k, v in game.gpids.items() if k in dropzone.gpids}
    assert build == dropzone.gpids
    assert [c.id for c in game.counters[:2]] == ["9-I-765", "GA-11"]


def test_it_opens_with_a_question_about_the_version_only(later: EngineRun, dropzone: Game) -> None:
    assert later.problem_texts == []
    (question,) = later.dialogs
    assert f"was saved using module version '{dropzone.version}'" in question
    assert "module version '1.1'" in question
    load = later.one("load")
    assert load.data["metadata"] is True
    assert load.chat == ("- Loading older.vsav ...", "- Loaded older.vsav")


def _facts(pieces: list[dict[str, Any]]) -> dict[str, list[tuple[Any, ...]]]:
    """gpid to where each of its pieces is and what it knows."""
    facts: dict[str, list[tuple[Any, ...]]] = {}
    for p in pieces:
        fact = (p["map"], p["x"], p["y"], p.get("deck"), p["dynamic"])
        facts.setdefault(p["gpid"], []).append(fact)
    return facts


def test_all_pieces_are_there_with_what_they_know(
    saved: tuple[EngineRun, Path], later: EngineRun
) -> None:
    older = _facts(saved[0].one("pieces").data)
    assert len(older) > 100
    assert _facts(later.all("pieces")[0].data) == older


def test_the_refresher_finds_every_piece_by_its_number(
    saved: tuple[EngineRun, Path], later: EngineRun
) -> None:
    count = len(saved[0].one("pieces").data)
    for result in later.all("refresh"):
        data = result.data
        assert (data["notFound"], data["noMap"], data["absent"]) == (0, 0, [])
        assert data["updated"] == data["pieces"] == count


def test_a_refresh_renames_and_keeps_everything_else(later: EngineRun) -> None:
    loaded, tested, refreshed, *_ = (r.data for r in later.all("pieces"))
    assert _facts(tested) == _facts(loaded)
    assert _facts(refreshed) == _facts(loaded)
    old, new = ({p["gpid"]: p for p in pieces} for pieces in (loaded, refreshed))
    names = {old[g]["basic"]: new[g]["basic"] for g in old if old[g]["basic"] != new[g]["basic"]}
    assert names == {
        "A Co 1/517": "Able Co",
        "148 Recon": "Späher",
        "Coastal artillery": "Coast guns",
    }
    masks = ({g: p[g].get("obscured") for g in p} for p in (old, new))
    assert next(masks) == next(masks)


def test_the_refreshed_game_plays_on_and_saves(later: EngineRun) -> None:
    assert later.one("command").chat[0].startswith("* DZ: REVEAL unit=B-1-517 alias=H2")
    draw, chit = later.all("press")
    assert draw.chat == ("* DZ: DRAW side=German turn=1",)
    assert chit.chat[-1].startswith("* DZ: CHIT ")
    assert later.one("saveload").data["differences"] == 0


def test_the_later_module_starts_with_its_new_counters(later: EngineRun) -> None:
    start = {p["basic"]: p["location"] for p in later.all("pieces")[-1].data}
    assert start["New 9-I-765"] == "2015"
    assert start["Able Co"] == "DropS9"

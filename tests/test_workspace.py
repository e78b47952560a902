"""Finding folders, and writing files that are whole or not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder.problems import UsageError
from builder.workspace import Workspace, atomic_write, open_workspace, writing


def project(folder: Path, *games: str) -> Path:
    for game in games:
        (folder / "mapdata" / game).mkdir(parents=True)
        (folder / "mapdata" / game / "game.toml").write_text("", encoding="utf-8")
    return folder


def test_the_project_is_found_from_a_folder_inside_it(tmp_path: Path) -> None:
    project(tmp_path, "mine")
    inside = tmp_path / "notes" / "deep"
    inside.mkdir(parents=True)
    assert open_workspace(inside).project == tmp_path.resolve()


def test_own_files_win_over_shipped_ones(tmp_path: Path) -> None:
    own, shipped = tmp_path / "own", tmp_path / "shipped"
    for folder, names in ((own, ["unit"]), (shipped, ["unit", "asset"])):
        (folder / "templates" / "counters").mkdir(parents=True)
        for name in names:
            (folder / "templates" / "counters" / f"{name}.toml").write_text("", encoding="utf-8")
    found = Workspace(own, shipped).files("templates/counters", ".toml")
    assert found == {
        "asset": shipped / "templates" / "counters" / "asset.toml",
        "unit": own / "templates" / "counters" / "unit.toml",
    }


def test_games_by_name_and_by_path(tmp_path: Path) -> None:
    own, shipped = project(tmp_path / "a", "mine"), project(tmp_path / "b", "mine", "theirs")
    space = Workspace(own, shipped)
    assert space.games() == {
        "mine": own / "mapdata" / "mine",
        "theirs": shipped / "mapdata" / "theirs",
    }
    assert space.game_folder("theirs") == shipped / "mapdata" / "theirs"
    path = shipped / "mapdata" / "mine"
    assert space.game_folder(str(path)) == path
    with pytest.raises(UsageError, match=r"no game 'thiers'; did you mean 'theirs'\?"):
        space.game_folder("thiers")
    with pytest.raises(UsageError, match=r"no game\.toml in folder"):
        space.game_folder(str(tmp_path))


def test_the_shipped_game_is_found() -> None:
    assert (open_workspace().game_folder("dropzone") / "counters.csv").is_file()


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    atomic_write(path, "old")

    def write_half() -> None:
        with writing(path) as file:
            file.write(b"new")
            raise KeyError("broken off")

    with pytest.raises(KeyError):
        write_half()
    assert path.read_text(encoding="utf-8") == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out.txt"]


def test_text_is_written_as_utf8_with_plain_newlines(tmp_path: Path) -> None:
    atomic_write(tmp_path / "new" / "out.txt", "é\n")
    assert (tmp_path / "new" / "out.txt").read_bytes() == b"\xc3\xa9\n"

"""The tutorial's files, taken out of its text, make a game."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from builder.jobs.build_module import build_module
from builder.jobs.lint_game import lint_game
from builder.workspace import Workspace, open_workspace

DOCS = Path(__file__).parents[1] / "docs"
FILE = re.compile(r"^\*\*([\w./-]+)\*\*\n\n```\w*\n(.*?)^```$", re.M | re.S)


@pytest.fixture
def project(tmp_path: Path) -> Workspace:
    for name, text in FILE.findall((DOCS / "tutorial.md").read_text(encoding="utf-8")):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return open_workspace(tmp_path)


def test_the_tutorial_builds_what_it_shows(project: Workspace) -> None:
    folder = project.game_folder("crossing")
    assert lint_game(folder, project) == ()
    result = build_module(folder, project.dist / "crossing.vmod", workspace=project)
    assert result.counters == 2
    with zipfile.ZipFile(result.module) as archive:
        names = set(archive.namelist())
        assert {"images/red-1_2.png", "images/red-1_1.png", "images/blue-1_1.png"} <= names
        board = archive.read("images/map.png")
    with Image.open(io.BytesIO(board)) as drawn, Image.open(DOCS / "crossing.png") as shown:
        assert drawn.size == shown.size
        difference = ImageChops.difference(drawn.convert("RGB"), shown.convert("RGB"))
        assert max(ImageStat.Stat(difference).mean) < 1

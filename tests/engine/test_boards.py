"""Two boards side by side in the real VASSAL: it names every hex as we do, and finds it again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from board_sample import write_game
from engine.vassal import EngineRun

from builder.gamebox.open import open_game
from builder.jobs.build_module import build_module
from builder.workspace import open_workspace

pytestmark = pytest.mark.engine


def test_every_hex_has_the_name_of_its_board(
    vassal: Callable[..., EngineRun], tmp_path: Path
) -> None:
    folder = write_game(tmp_path)
    module = tmp_path / "boards.vmod"
    build_module(folder, module, workspace=open_workspace(tmp_path))
    sheet = open_game(folder).map
    pixels = [sheet.grid.snap_point(h) for h in sheet.hexes()]
    names = [sheet.label(h) for h in sheet.hexes()]
    (tmp_path / "pixels.json").write_text(json.dumps(pixels), encoding="utf-8")
    (tmp_path / "names.txt").write_text("\n".join(names), encoding="utf-8")
    run = vassal(
        module,
        [
            "newgame German",
            "pieces",
            'move "One" 1GG5',
            'move "One" 2B5',
            f'hexnames "{sheet.name}" {tmp_path}/pixels.json',
            f'hexpoints "{sheet.name}" {tmp_path}/names.txt',
        ],
    )
    assert run.problem_texts == []
    assert run.code == 0
    assert [p["location"] for p in run.one("pieces").data] == ["1K5", "2B0"]
    assert [name for _, _, name, *_ in run.one("hexnames").data] == names
    found = {name: (x, y) for name, x, y in run.one("hexpoints").data}
    assert [sheet.grid.hex_at(*found[name]) for name in names] == list(sheet.hexes())

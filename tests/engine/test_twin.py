"""What is packed from a text twin opens in the real VASSAL as the module itself does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from engine.vassal import EngineRun

from builder.gamebox.model import Game
from builder.jobs.pack_file import pack_file
from builder.jobs.show_file import show_file

pytestmark = pytest.mark.engine

Vassal = Callable[..., EngineRun]


def repacked(path: Path, folder: Path) -> Path:
    """The file after a way through its twin."""
    show_file(path, folder / "twin")
    target = folder / path.name
    assert pack_file(folder / "twin", target) == ()
    return target


def test_the_dropzone_module_opens_after_show_and_pack(
    vassal: Vassal, dropzone_module: Path, dropzone: Game, tmp_path: Path
) -> None:
    module = repacked(dropzone_module, tmp_path)
    seat = dropzone.module.seat[0].name
    run = vassal(module, [f'newgame "{seat}"', "audit", "pieces"])
    assert run.problem_texts == []
    dealt = run.one("pieces").data
    starters = [counter for counter in dropzone.counters if counter.start]
    assert len(dealt) >= len(starters) > 0


def test_a_save_made_by_vassal_opens_after_show_and_pack(
    vassal: Vassal, tiny_module: Path, tmp_path: Path
) -> None:
    saved = tmp_path / "first.vsav"
    first = vassal(tiny_module, ['newgame "German"', "pieces", f"saveload {saved}"])
    assert first.problem_texts == []
    (tmp_path / "again").mkdir()
    again = repacked(saved, tmp_path / "again")
    second = vassal(tiny_module, [f"load {again}", "pieces"])
    assert second.problem_texts == []
    assert second.one("pieces").data == first.one("pieces").data

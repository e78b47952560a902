"""A log that VASSAL recorded and saves that it wrote on the way: compared by replay."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from engine.vassal import EngineRun

from builder.jobs.diff_files import Compared, diff_files

pytestmark = pytest.mark.engine


def test_a_log_ends_where_the_save_says(
    vassal: Callable[..., EngineRun], tiny_module: Path, tmp_path: Path
) -> None:
    log, before, after = (tmp_path / name for name in ("game.vlog", "before.vsav", "after.vsav"))
    run = vassal(
        tiny_module,
        [
            "newgame German",
            f"save {before}",
            f"beginlog {log}",
            "move Infantry 0304",
            "move Guns 0304",
            "place Armor 0402",
            "turn next",
            "move Armor 0304",
            "undo",
            "dice 2d6",
            "chat done",
            f"endlog {log}",
            f"save {after}",
        ],
    )
    assert not run.problems, run.problem_texts
    result = diff_files(log, after, module=tiny_module)
    assert [str(item) for item in result.differences] == []
    (moments,) = result.compared
    assert (moments.old, moments.new) == ("end", "start")
    assert moments.old_step > 5
    assert diff_files(log, before, module=tiny_module, at="start").is_same

    moved = diff_files(before, log, module=tiny_module)
    assert moved.compared == (Compared("start", "end", 0, moments.old_step),)
    places = {
        item.where.partition(" [")[0]: (item.sign, (item.new or "").partition(" ")[0])
        for item in moved.differences
        if item.what == "place"
    }
    assert places == {
        "Infantry": ("changed", "0304"),
        "Guns": ("changed", "0304"),
        "Armor": ("added", "0402"),
    }
    assert [item.area for item in moved.differences if item.area == "turn"] == ["turn"]

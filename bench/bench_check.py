"""The referee: a whole game's log checked, from a cold start and step by step.

To hold: a six-turn log in 1.2 s with the start of the program, and 1,500 steps a second.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from builder.jobs.check_log import check_logs
from builder.jobs.play_game import play_game, recorded
from builder.workspace import open_workspace

FOLDER = Path(__file__).parents[1] / "mapdata" / "dropzone"
SEED = 1
"""A game that goes to the end of turn 6."""


@pytest.fixture(scope="module")
def log(module: Path) -> Path:
    played = play_game(FOLDER, seed=SEED)
    assert played.played.end.turn == 6
    path = module.with_name("game.vlog")
    path.write_bytes(recorded(played, module=module, workspace=open_workspace()))
    return path


def test_a_whole_game_from_a_cold_start(benchmark: Any, log: Path, module: Path) -> None:
    command = [
        *(sys.executable, "-c", "from builder.cli import main; main()"),
        *("check", str(log), "--game", str(FOLDER), "--module", str(module), "-q"),
    ]
    benchmark(lambda: subprocess.run(command, check=True))


def test_steps_of_a_game(benchmark: Any, log: Path, module: Path) -> None:
    workspace = open_workspace()

    def check() -> int:
        return check_logs([log], workspace=workspace, game=FOLDER, module=module).report.steps

    steps = benchmark(check)
    benchmark.extra_info["steps"] = steps
    if benchmark.stats is not None:
        benchmark.extra_info["steps_a_second"] = round(steps / benchmark.stats["median"])

"""The referee's page: 20 findings with pictures in at most 4 s, the page at most 5 MB.

The log is a game of the program's own in which many units jump too far.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from builder.jobs.check_log import CheckedGame, check_logs
from builder.jobs.check_page import check_page
from builder.jobs.play_game import play_game, recorded
from builder.rules.playthrough import Deed, Playthrough
from builder.rulesets.dropzone.actions import Move
from builder.rulesets.dropzone.apply import applied
from builder.workspace import open_workspace

GAME = Path(__file__).parents[1] / "mapdata" / "dropzone"
FINDINGS = 20


@pytest.fixture(scope="module")
def log(module: Path) -> Path:
    """A whole game in which every fourth move ends elsewhere."""
    what = play_game(GAME, seed=3)
    state = what.played.deeds[0][0]
    hexes = list(state.facts.sheet.hexes())
    choice = random.Random(1944)
    deeds: list[Deed[Any, Any]] = []
    for number, (_, action) in enumerate(what.played.deeds):
        told = action
        if isinstance(action, Move) and number % 4 == 0:
            told = replace(action, to=choice.choice(hexes))
        deeds.append(Deed(state, told))
        state = applied(state, told)
    spoiled = replace(what, played=Playthrough(tuple(deeds), state))
    path = module.with_name("spoiled.vlog")
    path.write_bytes(recorded(spoiled, module=module, workspace=open_workspace()))
    return path


def _first(checked: CheckedGame) -> CheckedGame:
    findings = checked.report.findings[:FINDINGS]
    assert len(findings) == FINDINGS
    return replace(checked, report=replace(checked.report, findings=findings))


def test_page(benchmark: Any, log: Path, figure: Callable[[str, float], None]) -> None:
    workspace = open_workspace()
    checked = _first(check_logs([log], workspace=workspace))
    page = benchmark.pedantic(lambda: check_page(checked, workspace), rounds=5, warmup_rounds=1)
    figure("megabytes (to hold: 5)", len(page) / 1e6)
    figure("pictures", page.count(b"<figure><img") + page.count(b"<use "))


def test_check_and_page(benchmark: Any, log: Path) -> None:
    workspace = open_workspace()

    def both() -> bytes:
        return check_page(_first(check_logs([log], workspace=workspace)), workspace)

    benchmark.pedantic(both, rounds=3)

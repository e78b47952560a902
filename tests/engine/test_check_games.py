"""Games played in the real VASSAL, judged by the referee: legal, and read as they were played.

Each run plays the beginning of a game anew. ``--update-recordings`` plays all games (some five
minutes) and keeps them for ``jobs/test_check_games.py``.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from engine.game_recordings import Recorder, keep
from real_games import GAMES, RealGame, real_games, tellable, told_by_lines

from builder.gamebox.model import Game
from builder.jobs.check_log import check_logs
from builder.rules.core import Ruling
from builder.rulesets.dropzone.ruleset import DropZone
from builder.workspace import open_workspace

pytestmark = pytest.mark.engine

SEED = 31


@pytest.fixture(scope="module")
def recorder(
    dropzone_module: Path, dropzone: Game, tmp_path_factory: pytest.TempPathFactory
) -> Recorder:
    folder = tmp_path_factory.mktemp("games")
    return Recorder(dropzone_module, DropZone.of(dropzone), folder, SEED)


@pytest.fixture(scope="module")
def games(recorder: Recorder, request: pytest.FixtureRequest) -> tuple[RealGame, ...]:
    """The games that were recorded in this run."""
    if request.config.getoption("--update-recordings"):
        recorder.turns(3)
        recorder.battle(2)
        recorder.breaches(1)
        recorder.players(1)
        keep(recorder.folder, GAMES)
    else:
        recorder.opening()
    return real_games(recorder.folder)


def test_vassal_complains_of_nothing(recorder: Recorder, games: tuple[RealGame, ...]) -> None:
    assert games
    assert recorder.problems == []


def test_the_chat_says_what_was_done(games: tuple[RealGame, ...]) -> None:
    for game in games:
        for log, actions in zip(game.logs, game.listed(), strict=True):
            assert told_by_lines(log) == tellable(actions)


def test_the_referee_reads_what_was_done_and_finds_it_legal(
    games: tuple[RealGame, ...], dropzone_module: Path, dropzone_folder: Path
) -> None:
    for game in games:
        checked = check_logs(
            game.logs,
            workspace=open_workspace(),
            game=dropzone_folder,
            module=dropzone_module,
            is_full=True,
        )
        rules: DropZone = checked.rules
        read = [
            [rules.write_action(replace(a, by="")) for _, a, _ in judged.actions]
            for judged in checked.judged
        ]
        assert read == game.listed()
        found = [f for f in checked.report.findings if f.ruling is not Ruling.NOTE]
        assert [f"{f.ruling.value} {f.row}" for f in found] == game.findings()

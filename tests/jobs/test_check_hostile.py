"""Damaged logs of our own games through the referee: words and an exit code, whatever is broken."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hostile_files import mutated_file, mutated_text

from builder.cli import main
from builder.jobs.build_module import build_module
from builder.jobs.play_game import play_game, recorded
from builder.rules.playthrough import Playthrough
from builder.vassal.savefile import read_save, write_save
from builder.workspace import open_workspace

MAPDATA = Path(__file__).parents[2] / "mapdata"
FOLDER = MAPDATA / "dropzone"
AIRDROP = MAPDATA / "airdrop"
BATCH = 25
CODES = {0, 1, 2}
WORDS = ["COMBAT", "Allied", "German", "H1", "0", "", "miss", "9999999", "<b>", "armor"]
DROP_WORDS = ["DRIFT", "CHECKS", "Attacker", "PA", "WC", "0", "", "BoxA", "9999999", "<b>", "1K5"]

Check = Callable[[int], int]


@pytest.fixture(scope="session")
def played(dropzone_vmod: Path) -> bytes:
    """The set-up and most of turn 1 of a game, as a log."""
    what = play_game(FOLDER, seed=6)
    short = Playthrough(what.played.deeds[:110], what.played.deeds[110].state)
    part = replace(what, played=short)
    return recorded(part, module=dropzone_vmod, workspace=open_workspace())


@pytest.fixture(scope="session")
def airdrop_vmod(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("airdrop") / "airdrop.vmod"
    build_module(AIRDROP, path)
    return path


@pytest.fixture(scope="session")
def dropped(airdrop_vmod: Path) -> bytes:
    """A drop player turn and the walks after it, as a log."""
    what = play_game(AIRDROP, scenario="german", seed=6)
    return recorded(what, module=airdrop_vmod, workspace=open_workspace())


@pytest.fixture
def check(
    played: bytes, dropzone_vmod: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Check:
    monkeypatch.chdir(tmp_path)
    return _checker(played, FOLDER, dropzone_vmod, "German", WORDS, tmp_path)


@pytest.fixture
def check_drop(
    dropped: bytes, airdrop_vmod: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Check:
    monkeypatch.chdir(tmp_path)
    return _checker(dropped, AIRDROP, airdrop_vmod, "Defender", DROP_WORDS, tmp_path)


def _checker(
    played: bytes, folder: Path, module: Path, side: str, words: list[str], tmp_path: Path
) -> Check:
    """Return what checks a damaged log by its number, and tells the exit code."""
    path = tmp_path / "game.vlog"
    path.write_bytes(played)
    save = read_save(path)
    runner = CliRunner()

    def run(number: int) -> int:
        path.write_bytes(_mutated(played, save.text, number, path))
        options = ["--json"] if number % 2 else ["--for", side] if number % 5 else ["--full"]
        arguments = ["check", str(path), "--game", str(folder), "--module", str(module)]
        result = runner.invoke(main, [*arguments, *options])
        told = f"number {number}"
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise AssertionError(told) from result.exception
        assert result.exit_code in CODES, told
        assert "Traceback" not in result.output, told
        assert result.output.strip(), f"{told}: not a word"
        if options == ["--json"]:
            json.loads(result.output)
        return result.exit_code

    def _mutated(data: bytes, text: str, number: int, at: Path) -> bytes:
        chance = random.Random(number)
        if number % 5 == 0:
            return mutated_file(data, chance)
        broken = text
        for _ in range(chance.randrange(1, 4)):
            broken = (
                _spoiled(broken, chance, words)
                if chance.random() < 0.7
                else mutated_text(broken, chance)
            )
        return write_save(replace(save, text=broken))

    return run


def _spoiled(text: str, chance: random.Random, words: list[str]) -> str:
    """Change something that still looks like the game: a number, a word, a step taken out."""
    steps = text.split("\x1bLOG\t")
    kind = chance.randrange(5)
    if len(steps) < 2:
        return text[: len(text) // 2]
    spot = chance.randrange(1, len(steps))
    if kind == 0:
        del steps[spot]
    elif kind == 1:
        steps.insert(chance.randrange(1, len(steps)), steps[spot])
    elif kind == 2:
        steps[spot] = steps[spot].replace(str(chance.randrange(10)), str(chance.randrange(99)))
    elif kind == 3:
        one, other = chance.sample(words, 2)
        steps[spot] = steps[spot].replace(one or "1", other)
    else:
        steps[spot] = steps[spot][: len(steps[spot]) // 2]
    return "\x1bLOG\t".join(steps)


@pytest.mark.parametrize("batch", range(12))
def test_a_damaged_log_ends_in_words(batch: int, check: Check) -> None:
    codes = {check(number) for number in range(batch * BATCH, (batch + 1) * BATCH)}
    assert len(codes) > 1, "some are read, some are not, or the damage is no good"


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(12, 200))
def test_many_damaged_logs_end_in_words(batch: int, check: Check) -> None:
    for number in range(batch * BATCH, (batch + 1) * BATCH):
        check(number)


@pytest.mark.parametrize("batch", range(6))
def test_a_damaged_log_of_a_drop_ends_in_words(batch: int, check_drop: Check) -> None:
    codes = {check_drop(number) for number in range(batch * BATCH, (batch + 1) * BATCH)}
    assert len(codes) > 1, "some are read, some are not, or the damage is no good"


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(6, 20))
def test_many_damaged_logs_of_drops_end_in_words(batch: int, check_drop: Check) -> None:
    for number in range(batch * BATCH, (batch + 1) * BATCH):
        check_drop(number)

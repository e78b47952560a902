from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from replay_logs import log as small_log
from replay_logs import unit

from builder.cli_log import log
from builder.vassal.buildfile import moduledata_xml, savedata_xml
from builder.vassal.savefile import save_bytes


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    monkeypatch.chdir(tmp_path)
    steps = [[f"CHAT&lt;Rosa&gt; - line {number}"] for number in range(1, 6)]
    data = save_bytes(
        small_log([unit("1", "Able", 1, 1)], *steps),
        savedata=savedata_xml("1", saved_ms=0),
        moduledata=moduledata_xml("River", "1", saved_ms=0),
    )
    (tmp_path / "a.vlog").write_bytes(data)
    return CliRunner()


@pytest.mark.parametrize(
    ("steps", "told"),
    [("2", [2]), ("2-3", [2, 3]), ("4-", [4, 5]), ("-1", [1]), ("9-", [])],
)
def test_steps_are_chosen(runner: CliRunner, steps: str, told: list[int]) -> None:
    result = runner.invoke(log, ["a.vlog", f"--steps={steps}", "--json"])
    assert result.exit_code == 0, result.output
    first, *events = (json.loads(line) for line in result.output.splitlines())
    assert first["event"] == "file"
    assert [event["step"] for event in events] == told


def test_a_story_is_printed(runner: CliRunner) -> None:
    result = runner.invoke(log, ["a.vlog"])
    assert result.exit_code == 0
    assert '    5  Rosa              "line 5"' in result.output.splitlines()


@pytest.mark.parametrize("steps", ["", "-", "a-b", "1-2-3"])
def test_wrong_steps_are_refused(runner: CliRunner, steps: str) -> None:
    result = runner.invoke(log, ["a.vlog", f"--steps={steps}"])
    assert result.exit_code == 2
    assert "--steps takes" in result.output


def test_a_missing_log_is_named(runner: CliRunner) -> None:
    result = runner.invoke(log, ["none.vlog"])
    assert result.exit_code == 2
    assert "none.vlog" in result.output

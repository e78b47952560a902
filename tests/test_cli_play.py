from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from replay_logs import log as small_log
from replay_logs import unit

from builder.cli import main
from builder.report.playthrough import action_lines
from builder.vassal.buildfile import moduledata_xml, savedata_xml
from builder.vassal.savefile import save_bytes


@pytest.fixture(scope="module")
def played(dropzone_vmod: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The log of a whole game."""
    path = tmp_path_factory.mktemp("played") / "game.vlog"
    result = run("play", "dropzone", "--seed", "6", "-o", path, "--module", dropzone_vmod)
    assert result.exit_code == 0, result.output
    return path


def run(*words: object) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert "Traceback" not in result.output
    return result


def refused(*words: object) -> str:
    """The single line with which a use of the command is refused."""
    result = run(*words)
    assert result.exit_code == 2, result.output
    (line,) = result.stderr.splitlines()
    assert line.startswith("hexwright: ")
    return line


def test_a_game_is_printed() -> None:
    result = run("play", "dropzone", "--seed", "6")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "# Drop Zone: Southern France, Standard, seed 6"
    assert sum(line.startswith("# --- Turn 1: German KGVS") for line in lines) == 1
    assert lines[-1].endswith("Victory") or lines[-1].endswith("Draw")
    assert len(list(action_lines(result.stdout))) > 300
    assert run("play", "dropzone", "--seed", "6").stdout == result.stdout
    assert run("play", "dropzone", "--seed", "7").stdout != result.stdout


def test_a_scenario_is_chosen() -> None:
    result = run("play", "dropzone", "--scenario", "ghost", "--seed", "6")
    assert result.stdout.startswith("# Drop Zone: Southern France, Ghost Division, seed 6\n")


def test_json_has_what_the_text_has() -> None:
    text = run("play", "dropzone", "--seed", "6").stdout
    result = run("play", "dropzone", "--seed", "6", "--json")
    assert result.exit_code == 0
    data: dict[str, Any] = json.loads(result.stdout)
    assert set(data) == {"game", "seed", "actions", "summary", "log"}
    assert (data["game"], data["seed"], data["log"]) == ("dropzone", 6, None)
    assert data["actions"] == list(action_lines(text))
    assert data["summary"][-1] in text


def test_quiet_prints_nothing(tmp_path: Path, dropzone_vmod: Path) -> None:
    assert run("play", "dropzone", "-q").output == ""
    path = tmp_path / "quiet.vlog"
    assert run("play", "dropzone", "-q", "-o", path, "--module", dropzone_vmod).output == ""
    assert path.is_file()


def test_a_log_is_written_and_can_be_told(played: Path, dropzone_vmod: Path) -> None:
    result = run("log", played, "--module", dropzone_vmod)
    assert result.exit_code == 0
    assert "Le Muy" in result.stdout


def test_what_was_written_is_said(tmp_path: Path, dropzone_vmod: Path) -> None:
    path = tmp_path / "said.vlog"
    result = run("play", "dropzone", "--seed", "6", "-o", path, "--module", dropzone_vmod)
    assert result.stdout.splitlines()[-1].startswith("wrote ")
    assert "said.vlog (" in result.stdout
    assert not [
        line for line in result.stdout.splitlines() if len(line) > 100 and "wrote" not in line
    ]


def test_one_activation_is_played_from_a_log(
    tmp_path: Path, dropzone_vmod: Path, halfway: tuple[Path, str]
) -> None:
    save, command = halfway
    answer = tmp_path / "answer.vlog"
    words = ("play", "dropzone", "--save", save, "--command", command, "--module", dropzone_vmod)
    result = run(*words, "--seed", "2")
    assert result.exit_code == 0, result.output
    assert (
        result.stdout.splitlines()[0] == f"# Drop Zone: Southern France: {command} after half.vlog"
    )
    assert f"step=ENDACT command={command}" in result.stdout
    written = run(*words, "--seed", "2", "-o", answer)
    assert written.exit_code == 0, written.output
    told = run("log", answer, "--module", dropzone_vmod)
    assert told.exit_code == 0


@pytest.fixture(scope="module")
def halfway(dropzone_vmod: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A log up to the draw of a chit in turn 2, and the Command that was drawn."""
    from dataclasses import replace

    from builder.jobs.play_game import play_game, recorded
    from builder.rules.playthrough import Playthrough
    from builder.rulesets.dropzone.actions import Chit
    from builder.workspace import open_workspace

    workspace = open_workspace()
    game = play_game(workspace.game_folder("dropzone"), seed=6)
    deeds = game.played.deeds
    n, drawn = next(
        (n, d.action.command)
        for n, d in enumerate(deeds)
        if isinstance(d.action, Chit) and d.state.turn == 2 and len(d.state.done) == 1
    )
    shorter = replace(game, played=Playthrough(deeds[: n + 1], deeds[n + 1].state))
    path = tmp_path_factory.mktemp("halfway") / "half.vlog"
    path.write_bytes(recorded(shorter, module=dropzone_vmod, workspace=workspace))
    return path, drawn


# ------------------------------------------------------------------------------ what is refused


def test_unknown_games_and_scenarios_are_refused() -> None:
    assert "dropzon" in refused("play", "dropzon")
    line = refused("play", "dropzone", "--scenario", "standart")
    assert line == "hexwright: no scenario 'standart' in dropzone; did you mean 'standard'?"


def test_a_refusal_as_json_is_json() -> None:
    result = run("play", "dropzone", "--scenario", "standart", "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["ok"] is False


def test_save_and_command_belong_together(halfway: tuple[Path, str]) -> None:
    save, command = halfway
    assert "belong together" in refused("play", "dropzone", "--save", save)
    assert "belong together" in refused("play", "dropzone", "--command", command)


def test_a_save_has_its_scenario(halfway: tuple[Path, str]) -> None:
    save, command = halfway
    words = ("--save", save, "--command", command, "--scenario", "ghost")
    assert "--scenario is for a new game" in refused("play", "dropzone", *words)


def test_the_save_is_not_written_over(halfway: tuple[Path, str]) -> None:
    save, command = halfway
    before = save.read_bytes()
    words = ("--save", save, "--command", command, "-o", save)
    assert "is the save itself" in refused("play", "dropzone", *words)
    assert save.read_bytes() == before


def test_an_unknown_command_is_refused(halfway: tuple[Path, str]) -> None:
    save, _ = halfway
    line = refused("play", "dropzone", "--save", save, "--command", "148RDD")
    assert line == "hexwright: no command '148RDD' in dropzone; did you mean '148RD'?"


def test_another_commands_turn_is_told(halfway: tuple[Path, str], dropzone_vmod: Path) -> None:
    save, command = halfway
    other = next(c for c in ("KGVS", "2IPBG") if c != command)
    words = ("--save", save, "--command", other, "--module", dropzone_vmod)
    line = refused("play", "dropzone", *words)
    assert f"the turn of {other}" in line or f"{other} was active already" in line


def test_files_that_are_no_saves_are_refused(tmp_path: Path, dropzone_vmod: Path) -> None:
    missing = run("play", "dropzone", "--save", tmp_path / "none.vsav", "--command", "KGVS")
    assert missing.exit_code == 2
    assert "none.vsav" in missing.output
    junk = tmp_path / "junk.vsav"
    junk.write_bytes(b"no save at all")
    words = ("--save", junk, "--command", "KGVS", "--module", dropzone_vmod)
    assert "junk.vsav" in refused("play", "dropzone", *words)


def test_a_save_of_another_module_is_refused(tmp_path: Path, dropzone_vmod: Path) -> None:
    path = tmp_path / "river.vsav"
    path.write_bytes(
        save_bytes(
            small_log([unit("1", "Able", 1, 1)]),
            savedata=savedata_xml("1", saved_ms=0),
            moduledata=moduledata_xml("River", "1", saved_ms=0),
        )
    )
    words = ("--save", path, "--command", "KGVS", "--module", dropzone_vmod)
    assert "river.vsav is of the module 'River'" in refused("play", "dropzone", *words)


def test_a_module_that_is_none_is_refused(tmp_path: Path) -> None:
    junk = tmp_path / "junk.vmod"
    junk.write_bytes(b"no module")
    words = ("-o", tmp_path / "x.vlog", "--module", junk)
    assert "junk.vmod" in refused("play", "dropzone", *words)
    assert not (tmp_path / "x.vlog").exists()


def test_help_shows_how_it_is_called() -> None:
    result = run("play", "--help")
    assert result.exit_code == 0
    assert "hexwright play dropzone --seed 7 -o game.vlog" in result.stdout

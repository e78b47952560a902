"""The referee's command on logs of our own: games, chains, many games, secrets, exit codes."""

from __future__ import annotations

import html
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from builder.cli import main
from builder.hexes.grid import Hex
from builder.jobs.check_log import check_logs
from builder.jobs.play_game import Played, play_game, recorded
from builder.rules.playthrough import Deed, Playthrough
from builder.rulesets.dropzone.actions import Action, Move
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.state import State
from builder.vassal.record_position import end_of
from builder.vassal.replay_module import read_module_facts
from builder.vassal.savefile import read_save
from builder.workspace import open_workspace

FOLDER = Path(__file__).parents[2] / "mapdata" / "dropzone"
SEED = 6


@pytest.fixture(scope="module")
def game() -> Played:
    return play_game(FOLDER, seed=SEED)


@pytest.fixture(scope="module")
def logs(game: Played, dropzone_vmod: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a whole game, the same in two logs, and one with two breaches."""
    folder = tmp_path_factory.mktemp("logs")
    _write(folder / "whole.vlog", game, game.played.deeds, dropzone_vmod)
    half = len(game.played.deeds) // 2
    _write(folder / "early.vlog", game, game.played.deeds[: half - 60], dropzone_vmod)
    _write(folder / "first.vlog", game, game.played.deeds[:half], dropzone_vmod)
    facts = read_module_facts(dropzone_vmod)
    start = end_of(read_save(folder / "first.vlog"), facts)
    rest = game.played.deeds[half:]
    _write(folder / "second.vlog", replace(game, start=start), rest, dropzone_vmod)
    _write(folder / "broken.vlog", game, _with_breaches(game), dropzone_vmod)
    (folder / "torn.vlog").write_bytes(b"PK\x03\x04 no log at all")
    return folder


def _write(path: Path, game: Played, deeds: Sequence[Deed[State, Action]], module: Path) -> None:
    played = Playthrough(tuple(deeds), deeds[-1].state)
    data = recorded(replace(game, played=played), module=module, workspace=open_workspace())
    path.write_bytes(data)


def _with_breaches(game: Played) -> list[Deed[State, Action]]:
    """The first turn of the game with a move that is much too long, and the rest as it was."""
    deeds: list[Deed[State, Action]] = []
    state: State = game.played.deeds[0].state
    is_spoiled = False
    for deed in game.played.deeds:
        action: Action = deed.action
        if state.turn == 2:
            break
        if isinstance(action, Move) and not is_spoiled and state.side == "German":
            # from one edge of the map to the other
            action, is_spoiled = Move(action.unit, Hex(22, 3)), True
        deeds.append(Deed(state, action))
        state = applied(state, action)
    assert is_spoiled
    return deeds


def _check(logs: Path, module: Path, *arguments: str) -> Result:
    options = ["--game", str(FOLDER), "--module", str(module)]
    names = [str(logs / a) if a.endswith(".vlog") else a for a in arguments]
    return CliRunner().invoke(main, ["check", *names, *options])


def _json(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(result.output)
    return found


def test_a_legal_game_is_clean(logs: Path, dropzone_vmod: Path) -> None:
    result = _check(logs, dropzone_vmod, "whole.vlog")
    assert result.exit_code == 0
    assert "nothing broke a rule" in result.output
    assert "Allied player (Allied), German player (German)" in result.output


def test_two_logs_of_one_game_are_one_game(logs: Path, dropzone_vmod: Path, game: Played) -> None:
    data = _json(_check(logs, dropzone_vmod, "first.vlog", "second.vlog", "--json"))
    assert data["logs"] == ["first.vlog", "second.vlog"]
    assert data["findings"] == []
    assert data["warnings"] == []
    whole = _json(_check(logs, dropzone_vmod, "whole.vlog", "--json"))
    assert data["actions"] == whole["actions"]
    assert data["summary"] == whole["summary"] == list(game.player.summary(game.played.end))


def test_a_log_that_is_missing_between_two_is_told(logs: Path, dropzone_vmod: Path) -> None:
    data = _json(_check(logs, dropzone_vmod, "early.vlog", "second.vlog", "--json"))
    assert data["logs"] == ["early.vlog", "second.vlog"]
    assert data["warnings"] == ["the table differs from the end of the log before it"]


def test_logs_out_of_order_are_games_of_their_own(logs: Path, dropzone_vmod: Path) -> None:
    data = _json(_check(logs, dropzone_vmod, "second.vlog", "first.vlog", "--json"))
    assert [g["logs"] for g in data["games"]] == [["second.vlog"], ["first.vlog"]]


def test_a_breach_is_one_finding_with_all_that_is_asked(logs: Path, dropzone_vmod: Path) -> None:
    result = _check(logs, dropzone_vmod, "broken.vlog", "--json", "--fail-on", "warning")
    assert result.exit_code == 1
    (finding, *others) = _json(result)["findings"]
    assert set(finding) >= {
        "step", "turn", "side", "unit", "from", "to", "ruling", "row", "rule", "message", "legal",
    }  # fmt: skip
    assert (finding["turn"], finding["side"], finding["to"]) == (1, "German", "2304")
    assert finding["row"].startswith("DZ-5.1")
    assert finding["rule"] == "5.1"
    assert "MP" in finding["message"]
    # what was far away cannot fight: only things that follow from its absence are told besides
    assert all(other["turn"] == 1 for other in others)


def test_what_reaches_the_limit_decides_the_exit_code(logs: Path, dropzone_vmod: Path) -> None:
    worst = {
        f["ruling"] for f in _json(_check(logs, dropzone_vmod, "broken.vlog", "--json"))["findings"]
    }
    expected = int("illegal" in worst)
    assert _check(logs, dropzone_vmod, "broken.vlog").exit_code == expected
    assert _check(logs, dropzone_vmod, "broken.vlog", "--fail-on", "never").exit_code == 0
    assert _check(logs, dropzone_vmod, "broken.vlog", "--fail-on", "note").exit_code == 1


def test_one_bad_file_does_not_stop_the_rest(logs: Path, dropzone_vmod: Path) -> None:
    result = _check(logs, dropzone_vmod, "whole.vlog", "torn.vlog", "broken.vlog")
    assert result.exit_code == 2
    lines = result.output.splitlines()
    assert [line.split()[0] for line in lines] == ["log", "whole.vlog", "torn.vlog", "broken.vlog"]
    assert "torn.vlog" in lines[2]
    assert _check(logs, dropzone_vmod, "torn.vlog").exit_code == 2


def test_many_games_in_two_processes(logs: Path, dropzone_vmod: Path) -> None:
    data = _json(_check(logs, dropzone_vmod, "whole.vlog", "broken.vlog", "--jobs", "2", "--json"))
    assert [g["logs"] for g in data["games"]] == [["whole.vlog"], ["broken.vlog"]]
    assert [bool(g["findings"]) for g in data["games"]] == [False, True]


def test_hidden_units_are_not_named(logs: Path, dropzone_vmod: Path, tmp_path: Path) -> None:
    game = play_game(FOLDER, seed=SEED)
    deeds = list(game.played.deeds)
    at = next(
        n
        for n, d in enumerate(deeds)
        if d.state.command == "517PRCT" and isinstance(d.action, Move)
    )
    state = deeds[at].state
    unit = next(k for k in state.command_units("517PRCT") if state.units[k].hidden)
    far: Deed[State, Action] = Deed(state, Move(unit, Hex(0, 0)))
    path = tmp_path / "hidden.vlog"
    _write(path, game, [*deeds[:at], far], dropzone_vmod)
    name = state.facts.units[unit].title
    alias = state.units[unit].known_as
    for options, named in (
        ((), False),
        (("--for", "German"), False),
        (("--for", "Allied"), True),
        (("--full",), True),
    ):
        output = _check(tmp_path, dropzone_vmod, "hidden.vlog", *options).output
        assert (name in output) is named, options
        assert (unit in output) is False
        if not named:
            assert alias in output


def test_a_question_that_makes_no_sense_is_refused(logs: Path, dropzone_vmod: Path) -> None:
    result = _check(logs, dropzone_vmod, "whole.vlog", "--for", "French")
    assert result.exit_code == 2
    assert "no side 'French'" in result.output
    result = _check(
        logs, dropzone_vmod, "whole.vlog", "broken.vlog", "--html", str(logs / "x.html")
    )
    assert result.exit_code == 2
    assert "--html is for one game" in result.output


def test_a_log_of_an_unknown_module_is_told_and_counted(tmp_path: Path) -> None:
    from hostile_files import save_of  # a save of no module at all

    path = tmp_path / "other.vsav"
    path.write_bytes(save_of())
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == 0
    assert "no rule set is known" in result.output
    told = result.output
    result = CliRunner().invoke(main, ["check", str(path), "--html", str(tmp_path / "page.html")])
    assert result.exit_code == 0
    page = html.unescape((tmp_path / "page.html").read_text("utf-8"))
    assert "no rule set is known" in page
    story = told.split("no rule set is known", 1)[1].splitlines()[1:]
    assert [line for line in story if line.strip() and line not in page] == []


def test_a_half_written_game_is_in_nobodys_way(
    logs: Path, dropzone_vmod: Path, tmp_path: Path
) -> None:
    begun = tmp_path / "mapdata" / "another"
    begun.mkdir(parents=True)
    (begun / "game.toml").write_text("title = ", encoding="utf-8")
    empty = tmp_path / "mapdata" / "begun"
    empty.mkdir()
    (empty / "game.toml").write_text('title = "Begun"\n', encoding="utf-8")
    (empty / "module.toml").write_text('name = "Begun"\n', encoding="utf-8")
    workspace = open_workspace(tmp_path)
    assert set(workspace.games()) >= {"another", "begun"}
    checked = check_logs([logs / "early.vlog"], workspace=workspace, module=dropzone_vmod)
    assert checked.report.game
    assert checked.report.actions > 0

"""Games that the program plays, as logs: they can be read, are the same twice, and be gone on."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from replay_logs import log as small_log
from replay_logs import unit

from builder.gamebox.events import Place, Placed, Thing
from builder.jobs.play_game import Played, play_command, play_game, recorded
from builder.problems import UsageError
from builder.report.playthrough import action_lines
from builder.rules.playthrough import Playthrough
from builder.rulesets.dropzone.actions import Chit, Phase
from builder.rulesets.dropzone.ruleset import DropZone
from builder.rulesets.dropzone.state import State
from builder.vassal.buildfile import moduledata_xml, savedata_xml
from builder.vassal.replay import replay
from builder.vassal.replay_module import ModuleFacts, read_module_facts
from builder.vassal.replay_view import table_view
from builder.vassal.savefile import read_save, save_bytes
from builder.workspace import Workspace, open_workspace

FOLDER = Path(__file__).parents[2] / "mapdata" / "dropzone"


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return open_workspace()


@pytest.fixture(scope="module")
def game() -> Played:
    return play_game(FOLDER, seed=4)


@pytest.fixture(scope="module")
def facts(dropzone_vmod: Path) -> ModuleFacts:
    return read_module_facts(dropzone_vmod)


def rules_of(game: Played) -> DropZone:
    assert isinstance(game.player, DropZone)
    return game.player


Cut = Callable[[Callable[[State, object], bool]], tuple[State, Path]]


@pytest.fixture
def cut(game: Played, dropzone_vmod: Path, workspace: Workspace, tmp_path: Path) -> Cut:
    """A log of the game up to the first moment at which something holds, and that moment."""

    def make(is_last: Callable[[State, object], bool]) -> tuple[State, Path]:
        deeds = game.played.deeds
        n = next(n for n, d in enumerate(deeds) if is_last(d.state, d.action)) + 1
        shorter = replace(game, played=Playthrough(deeds[:n], deeds[n].state))
        path = tmp_path / "before.vlog"
        path.write_bytes(recorded(shorter, module=dropzone_vmod, workspace=workspace))
        return deeds[n].state, path

    return make


def positions(state: State) -> dict[str, object]:
    """What a table shows of a state."""
    return {
        "units": {k: (u.place, u.steps, u.hidden) for k, u in state.units.items()},
        "garrisons": {k: g for k, g in state.garrisons.items() if g.steps},
        "assets": {k: a.place for k, a in state.assets.items()},
        "marker": state.marker,
        "attacks": state.attacks,
    }


# --------------------------------------------------------------------------------- a whole game


def test_a_scenario_is_chosen_and_named(game: Played) -> None:
    assert game.scenario == "standard"
    assert game.lines[0] == "# Drop Zone: Southern France, Standard, seed 4"
    ghost = play_game(FOLDER, scenario="ghost", seed=4)
    assert (ghost.scenario, ghost.played.end.scenario) == ("ghost", "ghost")


def test_an_unknown_scenario_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no scenario 'gost' in dropzone; did you mean 'ghost'\?"):
        play_game(FOLDER, scenario="gost")


def test_every_line_is_read_back(game: Played) -> None:
    read = [rules_of(game).read_action(line) for line in action_lines("\n".join(game.lines))]
    assert read == [deed.action for deed in game.played.deeds]
    assert max(len(line) for line in game.lines) <= 120


@pytest.mark.parametrize(("scenario", "seed"), [("standard", 4), ("ghost", 9)])
def test_its_log_tells_the_same_game(
    dropzone_vmod: Path,
    facts: ModuleFacts,
    workspace: Workspace,
    tmp_path: Path,
    scenario: str,
    seed: int,
) -> None:
    game = play_game(FOLDER, scenario=scenario, seed=seed)
    data = recorded(game, module=dropzone_vmod, workspace=workspace)
    assert data == recorded(
        play_game(FOLDER, scenario=scenario, seed=seed), module=dropzone_vmod, workspace=workspace
    )
    path = tmp_path / "game.vlog"
    path.write_bytes(data)
    told: list[str] = []
    last = None
    for step in replay(read_save(path), facts):
        told += list(step.problems)
        last = step
    assert told == []
    assert last is not None
    rules, end = rules_of(game), game.played.end
    followed = rules.follow(rules.start(scenario), table_view(last))
    assert positions(followed) == positions(end)
    assert followed.chits == end.chits
    # from the table alone, too
    assert positions(rules.state_of(table_view(last))) == positions(end)


# ------------------------------------------------------------------------- a person's own game


def init_of(turn: int, number: int) -> Callable[[State, object], bool]:
    return lambda state, action: (
        isinstance(action, Phase)
        and (action.turn, action.step) == (turn, "INIT")
        and len(state.done) == number
    )


def chit_of(turn: int, number: int) -> Callable[[State, object], bool]:
    return lambda state, action: (
        isinstance(action, Chit) and (state.turn, len(state.done)) == (turn, number)
    )


def step_of(turn: int, step: str, side: str) -> Callable[[State, object], bool]:
    return lambda state, action: (
        isinstance(action, Phase)
        and (action.turn, action.step) == (turn, step)
        and state.side == side
    )


@pytest.mark.parametrize(
    "moment",
    [
        init_of(1, 1),
        init_of(2, 2),
        init_of(4, 3),
        chit_of(3, 0),
        step_of(2, "RP", "German"),
        step_of(2, "MOVE", "Allied"),
        step_of(3, "COMBAT", "German"),
    ],
    ids=["init 1.2", "init 2.3", "init 4.4", "chit 3.1", "rp", "move", "combat"],
)
def test_an_activation_goes_on_from_the_end_of_a_log(
    game: Played,
    cut: Cut,
    dropzone_vmod: Path,
    facts: ModuleFacts,
    workspace: Workspace,
    tmp_path: Path,
    moment: Callable[[State, object], bool],
) -> None:
    state, path = cut(moment)
    left = [c for c in ("KGVS", "148RD", "517PRCT", "2IPBG") if c not in state.done]
    command = state.command or left[0]
    answer = play_command(FOLDER, path, command, module=dropzone_vmod, seed=7, workspace=workspace)
    deeds = answer.played.deeds
    assert deeds
    assert positions(deeds[0].state) == positions(state)
    assert deeds[0].state.moment == state.moment
    assert deeds[0].state.recorded == (state.recorded if state.turn > 3 else None)
    rules = rules_of(game)
    for at, action in deeds:
        assert not list(rules.judge(at, action)), rules.write_action(action)
        assert at.command in ("", command)
    end = answer.played.end
    assert command in end.done
    assert end.turn == state.turn
    assert (end.step, end.command) == ("ENDACT", command)
    # and as a log that begins where the other ends
    log = tmp_path / "answer.vlog"
    log.write_bytes(recorded(answer, module=dropzone_vmod, workspace=workspace))
    (last,) = deque(replay(read_save(log), facts), maxlen=1)
    assert positions(rules.follow(deeds[0].state, table_view(last))) == positions(end)


def test_whose_turn_it_is_not_is_told(cut: Cut, dropzone_vmod: Path, workspace: Workspace) -> None:
    state, path = cut(step_of(2, "MOVE", "German"))
    other = next(c for c in ("KGVS", "148RD") if c != state.command)
    words = f"the save stands at turn 2, MOVE {state.command}"
    if other in state.done:
        words = f"{other} was active already in turn 2"
    with pytest.raises(UsageError, match=words):
        play_command(FOLDER, path, other, module=dropzone_vmod, seed=1, workspace=workspace)


def test_an_activation_at_its_end_is_told(
    cut: Cut, dropzone_vmod: Path, workspace: Workspace
) -> None:
    state, path = cut(step_of(3, "ENDACT", "Allied"))
    with pytest.raises(UsageError, match=f"the end of what {state.command} does"):
        play_command(FOLDER, path, state.command, module=dropzone_vmod, seed=1, workspace=workspace)


def test_turn_1_has_its_order(cut: Cut, dropzone_vmod: Path, workspace: Workspace) -> None:
    _, path = cut(init_of(1, 1))
    with pytest.raises(UsageError, match="in turn 1 it is that of 148RD"):
        play_command(FOLDER, path, "2IPBG", module=dropzone_vmod, seed=1, workspace=workspace)


def test_nothing_is_played_after_the_end(
    game: Played, dropzone_vmod: Path, workspace: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "whole.vlog"
    path.write_bytes(recorded(game, module=dropzone_vmod, workspace=workspace))
    with pytest.raises(UsageError, match=r"KGVS|not the turn"):
        play_command(FOLDER, path, "KGVS", module=dropzone_vmod, seed=1, workspace=workspace)


def test_an_unknown_command_is_refused(dropzone_vmod: Path, workspace: Workspace) -> None:
    with pytest.raises(UsageError, match=r"no command '148' in dropzone"):
        play_command(FOLDER, Path("none"), "148", module=dropzone_vmod, seed=1, workspace=workspace)


def test_a_save_of_another_module_is_refused(
    dropzone_vmod: Path, workspace: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "river.vlog"
    path.write_bytes(
        save_bytes(
            small_log([unit("1", "Able", 1, 1)], ["CHAT<Rosa> - hello"]),
            savedata=savedata_xml("1", saved_ms=0),
            moduledata=moduledata_xml("River", "1", saved_ms=0),
        )
    )
    with pytest.raises(UsageError, match=r"river\.vlog is of the module 'River', and dropzone"):
        play_command(FOLDER, path, "KGVS", module=dropzone_vmod, seed=1, workspace=workspace)


def test_a_module_of_another_game_is_refused(
    cut: Cut, workspace: Workspace, tmp_path: Path, dropzone_vmod: Path
) -> None:
    _, path = cut(init_of(1, 1))
    with pytest.raises(UsageError, match="is of the module"):
        play_command(
            FOLDER, path, "148RD", module=_renamed(dropzone_vmod, tmp_path), seed=1,
            workspace=workspace,
        )  # fmt: skip


def _renamed(module: Path, folder: Path) -> Path:
    """The module under another name, as a folder of its members that matter."""
    import zipfile

    target = folder / "other.vmod"
    with zipfile.ZipFile(module) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name in ("moduledata", "buildFile.xml"):
                data = data.replace(b"Drop Zone - Southern France", b"Another Zone")
            new.writestr(name, data)
    return target


# ------------------------------------------------------------------------- games of other kinds


def test_a_piece_that_comes_out_of_its_slot_is_recorded(
    game: Played, dropzone_vmod: Path, facts: ModuleFacts, workspace: Workspace, tmp_path: Path
) -> None:
    gpid = next(str(n) for slot, n in game.game.gpids.items() if slot == "VP")
    placed = Placed(
        step=1, piece=Thing("", "VP", gpid=gpid), at=Place(map="Main", x=400, y=400, label=None)
    )
    player: Any = SimpleNamespace(
        narrate=lambda state, action: (placed,),
        actor=lambda state, action: "German",
        is_dragged=lambda action: False,
    )
    one = replace(game, player=player, played=Playthrough(game.played.deeds[:1], game.played.end))
    path = tmp_path / "placed.vlog"
    path.write_bytes(recorded(one, module=dropzone_vmod, workspace=workspace))
    (last,) = deque(replay(read_save(path), facts), maxlen=1)
    (event,) = (e for e in last.events if isinstance(e, Placed))
    assert event.piece.gpid == gpid


def test_a_game_without_commands_has_none_to_take_over(
    dropzone_vmod: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DropZone, "commands", {})
    with pytest.raises(UsageError, match="dropzone has no commands that the program could take"):
        play_command(
            FOLDER, dropzone_vmod, "148RD", module=dropzone_vmod, seed=1, workspace=workspace
        )

"""Games that the program played, as logs: the real VASSAL steps through them to the same end."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path

import pytest
from engine.test_replay import engine_tables, our_table, shown_steps
from engine.vassal import ROOT, EngineRun

from builder.gamebox.model import Game
from builder.jobs.play_game import play_command, play_game, recorded
from builder.rulesets.dropzone.ruleset import DropZone
from builder.vassal.replay import replay
from builder.vassal.replay_module import read_module_facts
from builder.vassal.replay_view import table_view
from builder.vassal.savefile import read_save
from builder.workspace import open_workspace

pytestmark = pytest.mark.engine

Vassal = Callable[..., EngineRun]
FOLDER = ROOT / "mapdata" / "dropzone"


@pytest.fixture(scope="module")
def rules(dropzone: Game) -> DropZone:
    return DropZone.of(dropzone)


@pytest.mark.parametrize(("scenario", "seed"), [("standard", 3), ("ghost", 2)])
def test_a_played_game_is_stepped_through_to_its_end(
    vassal: Vassal,
    dropzone_module: Path,
    rules: DropZone,
    tmp_path: Path,
    scenario: str,
    seed: int,
) -> None:
    played = play_game(FOLDER, scenario=scenario, seed=seed)
    log = tmp_path / "game.vlog"
    log.write_bytes(recorded(played, module=dropzone_module, workspace=open_workspace()))
    run = vassal(dropzone_module, [f"load {log}", "stepall", "pieces", "turntext"], timeout=400)
    assert run.problem_texts == []
    facts = read_module_facts(dropzone_module)
    (last,) = deque(replay(read_save(log), facts), maxlen=1)
    assert engine_tables(run)[-1] == our_table(last)
    # what the rules think is on the table lies on it, in the eyes of VASSAL
    state, end = rules.start(scenario), played.played.end
    state = rules.follow(state, table_view(last))
    assert {k: (u.place, u.steps) for k, u in state.units.items()} == {
        k: (u.place, u.steps) for k, u in end.units.items()
    }
    assert {k: g for k, g in state.garrisons.items() if g.steps} == {
        k: g for k, g in end.garrisons.items() if g.steps
    }
    assert {k: a.place for k, a in state.assets.items()} == {
        k: a.place for k, a in end.assets.items()
    }
    located = {p["id"]: p["location"] for p in run.all("pieces")[-1].data}
    ids = {k: p.thing.id for k, p in table_view(last).by_property("Unit").items()}
    assert {k: located[ids[k]] for k in end.units} == {
        k: rules.facts.label(u.place) for k, u in end.units.items()
    }


def test_an_answer_to_a_persons_save_is_stepped_through(
    vassal: Vassal, dropzone_module: Path, tmp_path: Path
) -> None:
    log = tmp_path / "before.vlog"
    played = play_game(FOLDER, seed=5)
    log.write_bytes(recorded(played, module=dropzone_module, workspace=open_workspace()))
    # a person's game: the first hundred steps, saved by VASSAL itself in the middle of a turn
    facts = read_module_facts(dropzone_module)
    turns = {s.number: s.turn for s in replay(read_save(log), facts)}
    wanted = next(n for n, turn in turns.items() if turn == "Turn 2 2nd INIT")
    shown = [n for n in shown_steps(log) if n <= wanted]
    save = tmp_path / "ours.vsav"
    vassal(dropzone_module, [f"load {log}", *["step"] * len(shown), f"save {save}"], timeout=400)
    done = DropZone.of(played.game)
    (first,) = [s for s in replay(read_save(save), facts) if s.number == 0]
    state = done.follow(done.start(), table_view(first))
    left = [c for c in done.commands if c not in state.chits]
    answer = tmp_path / "answer.vlog"
    what = play_command(
        FOLDER, save, left[0], module=dropzone_module, seed=3, workspace=open_workspace()
    )
    assert [d for d in what.played.deeds if type(d.action).__name__ == "Phase"]
    answer.write_bytes(recorded(what, module=dropzone_module, workspace=open_workspace()))
    run = vassal(dropzone_module, [f"load {answer}", "stepall", "pieces"], timeout=400)
    assert run.problem_texts == []
    (last,) = deque(replay(read_save(answer), facts), maxlen=1)
    assert engine_tables(run)[-1] == our_table(last)

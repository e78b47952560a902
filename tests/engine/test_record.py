"""What we record is stepped through in the real VASSAL: the same table, lines and properties."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dropzone_recordings import LOGS
from engine.test_replay import check, walk_script
from engine.vassal import EngineRun
from recorded_game import actions

from builder.vassal.command_tree import CommandNode, encode_tree, parse_tree
from builder.vassal.record import Recorder
from builder.vassal.record_start import module_start
from builder.vassal.replay import replay
from builder.vassal.replay_module import read_module_facts
from builder.vassal.replay_story import Seat
from builder.vassal.savefile import read_save, write_save

pytestmark = pytest.mark.engine

Vassal = Callable[..., EngineRun]
SEATS = (Seat("Alice", "Allied"), Seat("Gerd", "German"))
PROPERTIES = ("AttackNo", "DropNo", "ChitNo", "ActiveCmd", "TurnNo", "Phase", "Scenario")


@pytest.mark.parametrize("setup", ["Standard game", "Ghost Division"])
def test_a_game_of_our_own_is_played_to_its_end(
    vassal: Vassal, dropzone_module: Path, tmp_path: Path, setup: str
) -> None:
    facts = read_module_facts(dropzone_module)
    start = module_start(dropzone_module, setup, facts)
    recorder = Recorder(start, facts, player="Rosa", side="Solo", others=SEATS)
    for action in actions():
        recorder.step(action.events, by=action.by, dragged=action.dragged)
    log = tmp_path / "game.vlog"
    log.write_bytes(write_save(recorder.finish()))
    run = vassal(
        dropzone_module,
        [*walk_script(log), "turntext", *(f"prop {name}" for name in PROPERTIES[:4])],
        timeout=400,
    )
    assert run.problem_texts == []
    check(run, log, facts)
    said = [line for result in run.all("step") for line in result.chat]
    assert said == [line for action in actions() for line in action.lines]
    values = [result.data for result in run.all("prop")]
    assert values == [recorder.table.properties["Module", name] for name in PROPERTIES[:4]]
    by_unit = {p["basic"]: p for p in run.all("pieces")[-1].data}
    assert by_unit["A Co 1/517"]["name"] == "A Co 1/517 (2)"
    assert by_unit["B Co 1/517"]["obscured"]
    assert by_unit["Garrison Le Muy"]["name"] == "Garrison Le Muy (Step 1)"


@pytest.mark.parametrize("name", ["buttons", "secret"])
def test_a_log_recorded_again_ends_as_the_one_that_vassal_recorded(
    vassal: Vassal, dropzone_module: Path, tmp_path: Path, name: str
) -> None:
    log = LOGS / f"dropzone-{name}.vlog"
    facts = read_module_facts(dropzone_module)
    played = read_save(log)
    root = parse_tree(played.text)
    begun = [child for child in root.children if not child.text.startswith("LOG\t")]
    start = replace(played, text=encode_tree(CommandNode(root.text, tuple(begun))))
    steps = list(replay(played, facts))
    (seat,) = steps[0].story.players()
    recorder = Recorder(start, facts, player=seat.name, side=seat.side, is_exact=True)
    for step in steps[1:]:
        recorder.step(step.events)
    again = tmp_path / log.name
    again.write_bytes(write_save(recorder.finish()))
    looks = ["pieces", *(f"prop {name}" for name in PROPERTIES), "turntext"]
    run = vassal(
        dropzone_module, [f"load {log}", "stepall", *looks, f"load {again}", "stepall", *looks],
        timeout=400,
    )  # fmt: skip
    theirs, ours = ([_shown(p) for p in result.data] for result in run.all("pieces"))
    assert ours == theirs
    values = [result.data for result in (*run.all("prop"), *run.all("turntext"))]
    half = len(PROPERTIES)
    assert values[:half] == values[half : 2 * half]
    assert values[2 * half] == values[2 * half + 1]
    first, second = (result.chat for result in run.all("stepall"))
    assert second == first
    # Complaints about pictures that have changed since are those of both logs.
    lines = [result.line for result in run.all("load")]
    problems = [[p.text for p in run.problems if p.line >= at] for at in lines]
    assert set(problems[1]) <= set(problems[0])


def _shown(piece: dict[str, Any]) -> dict[str, Any]:
    """A piece without the id of its stack, which is new in each log."""
    return {key: value for key, value in piece.items() if key != "stack"}

"""Counters tell by themselves: logs of landings and later without a line of the module."""

from __future__ import annotations

from pathlib import Path

import pytest
from airdrop_logs import Log, findings, log_of

from builder.gamebox.events import Moved, Place, Thing, TurnChanged
from builder.gamebox.open import open_game
from builder.problems import ProblemLog
from builder.rules.examples import Example, open_examples
from builder.rules.referee import refereed
from builder.rulesets.airdrop.ruleset import AirDrop

FOLDER = Path(__file__).parents[2] / "mapdata" / "airdrop"
FILES = ("landing", "offboard", "checks", "ground", "arms")
UNSEEN = {
    "arms/a success counts as a failure": "the counter may still be taken off by hand",
    "arms/exhaustion is forgotten": "the drm stands in the line; its result is told as E9.7e",
    "arms/the same hex counts twice": "the drm stands in the line; its result is told as E9.7e",
    "ground/a LLMC for a Stick that has lost its leader": "what a roll is for stands in the line",
    "ground/a LLTC of a squad whose leader was lost under the parachute": "the same",
    "landing/a Stick that has landed moves": "a landed parachute's way is one out of a building",
    "landing/the Attacker looks what hangs on a landed parachute": "a look changes nothing",
    "landing/the Defender looks what hangs on a landed parachute": "a look changes nothing",
    "landing/upstairs": "the level stands in the line",
    "offboard/a Stick beside the boards is taken off": "why it was taken off stands in the line",
    "offboard/a weapon beside the boards is taken off": "why it was taken off stands in the line",
    **dict.fromkeys(
        [
            "landing/an unbroken Stick lands on a bridge with 4",
            "landing/an unbroken Stick misses a bridge with 3",
            "landing/a broken Stick lands on a bridge with 3",
            "landing/a broken Stick lands on a one-lane bridge with 2",
            "landing/an unbroken Stick lands on a one-lane bridge with 3",
            "landing/a Stick lands on a foot bridge",
            "landing/a weapon lands on a bridge with 3",
            "landing/a bridge where there is none",
        ],
        "where it came down stands in the line",
    ),
}
"""Examples that a log without lines does not show, and why."""


@pytest.fixture(scope="module")
def rules() -> AirDrop:
    return AirDrop.of(open_game(FOLDER))


def examples() -> list[Example]:
    found = [e for e in open_examples(FOLDER, ProblemLog()) if e.id.split("/")[0] in FILES]
    assert set(UNSEEN) <= {e.id for e in found}
    return [e for e in found if e.id not in UNSEEN]


@pytest.mark.parametrize("example", examples(), ids=lambda e: e.id)
def test_a_log_without_lines_is_ruled_the_same(example: Example, rules: AirDrop) -> None:
    log, first = log_of(example, rules)
    found = [f for f in findings(log.without_lines()) if f.step >= first]
    assert {f.breach.row for f in found} == {*example.breaks}, [f.breach.message for f in found]


@pytest.mark.parametrize(
    ("phase", "line", "row"),
    [
        ("FIRSTFIRE", "PA 1K5 AERIAL drift 5,3 blown", "E9.4a"),
        ("LAND", "PA 1K5 AERIAL drift 5,3 blown", "E9.4a"),
        ("DFPh", "PA 1K5 LANDED checks 1", "E9.4a"),
        ("RtPh", "PA 1K5 LANDED checks 1", "E9.5b"),
        ("APh", "PA 1K5 LANDED checks 1", "E9.4a"),
        ("DFPh", "WA 1K5 LANDED flipped", "E9.4a"),
    ],
)
def test_a_parachute_that_is_dragged_out_of_its_time(
    phase: str, line: str, row: str, rules: AirDrop
) -> None:
    given = f"phase 1 Attacker {phase}\nnation US 1944\nwind 2 MILD\n{line}"
    log = Log(rules, rules.position(("all .",), given))
    piece = Thing(id=line[:2], name=line[:2])
    log.show(Moved(step=1, piece=piece, start=Place(), end=Place(map="Main", label="1K4")))
    log.show(Moved(step=2, piece=piece, start=Place(), end=Place(map="Main", label="1K3")))
    judged = refereed(rules, log.start, log.steps)
    assert {f.breach.row for f in judged.found} == {row}
    assert judged.state.chutes[line[:2]].where == rules.facts.sheet.find("1K3")


@pytest.mark.parametrize("shown", ["Turn 1 Attacker MPh", "Turn 99999 Attacker RPh", "Turn x", ""])
def test_a_tracker_that_shows_no_phase_of_ours_tells_none(shown: str, rules: AirDrop) -> None:
    log = Log(rules, rules.position(("all .",), "phase 1 Attacker DRIFT\nPA 1K5 AERIAL"))
    log.show(TurnChanged(step=1, tracker="Turn", old="", new=shown))
    judged = refereed(rules, log.start, log.steps)
    assert (judged.actions, judged.found) == ([], [])

"""The air drop's lines as the real VASSAL writes them, and what the defender gets to see of it.

*Rosa* (solo) plays every verb; *Alice* (attacker) drops in secret; *Bob* (defender) plays her log
and tries what he must not. ``--update-recordings`` keeps the logs as fixtures.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from airdrop_recordings import OPEN, RECORDINGS, SECRET, SECRET_WORDS, piece
from dropzone_recordings import LOGS, Recording
from engine.vassal import ROOT, EngineRun
from line_checks import differences
from vlog_text import chat_texts

from builder.gamebox.lines import Grammar, open_lines
from builder.problems import ProblemLog

pytestmark = pytest.mark.engine

Vassal = Callable[..., EngineRun]
SCREEN = (1600, 1000)

UNIT_KEYS = (
    *("Out", "Show", "HideIt", "LossELIM", "AllDead", "GoOut", "GoElim", "RsCASUALTY", "Aim"),
    *("TurnOver", "Reducea", "Split", "IntoBox", "SetBroken"),
)
"""Private keys of a unit in a Cloaking Box: whatever of them works for an enemy is a leak."""

CHUTE_KEYS = (
    *("Drift", "Fly", "Open", "Deploy", "EmptyBox", "AllDead", "LandGround", "LandMC", "SetBroken"),
    *("ElimFIRE", "Line", "GoPoint", "GoRemoved", "BreakBox", "SplitBox"),
)


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    found = open_lines(ROOT / "mapdata" / "airdrop", ProblemLog())
    assert found is not None
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs")


def _record(vassal: Vassal, module: Path, folder: Path, recording: Recording) -> EngineRun:
    return vassal(
        module,
        [*recording.script(folder), "pieces"],
        user=recording.user,
        password=recording.password,
        size=SCREEN,
        timeout=200,
    )


@pytest.fixture(scope="module")
def rosa(vassal: Vassal, airdrop_module: Path, folder: Path) -> EngineRun:
    """Every verb."""
    return _record(vassal, airdrop_module, folder, OPEN)


@pytest.fixture(scope="module")
def alice(vassal: Vassal, airdrop_module: Path, folder: Path) -> EngineRun:
    """A drop of which the defender must learn nothing."""
    return _record(vassal, airdrop_module, folder, SECRET)


def _attempts() -> Iterator[str]:
    """What Bob tries on what is not his."""
    unit, chute = piece("US-Sq3"), piece("PB")
    for key in UNIT_KEYS:
        yield f"named {unit} {key}"
    for key in CHUTE_KEYS:
        yield f"named {chute} {key}"
    yield f"menu {unit}"
    yield 'press "Cloaking Boxes"'


@pytest.fixture(scope="module")
def bob(vassal: Vassal, airdrop_module: Path, folder: Path, alice: EngineRun) -> EngineRun:
    """Alice's log as the defender, and his attempts."""
    assert alice.code == 0, alice.problem_texts
    lines = [f"load {folder}/{SECRET.path.name}", "join Defender", "inventory", "pieces"]
    lines += ["stepall", "pieces", "chat begun", *_attempts()]
    lines += ['showing "Cloaking Boxes"', "pieces"]
    return vassal(
        airdrop_module, lines, user="Bob", password="rittersporn-9", size=SCREEN, timeout=200
    )


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda r: r.name)
def test_every_deed_writes_its_lines(
    recording: Recording,
    rosa: EngineRun,
    alice: EngineRun,
    folder: Path,
    grammar: Grammar,
    request: pytest.FixtureRequest,
) -> None:
    run = alice if recording is SECRET else rosa
    assert run.problem_texts == []
    path = folder / recording.path.name
    assert differences(recording, chat_texts(path), grammar) == []
    if request.config.getoption("--update-recordings"):
        LOGS.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, recording.path)


def test_every_verb_is_recorded(grammar: Grammar) -> None:
    assert {verb for _, verb, _ in OPEN.expected()} == set(grammar.verbs)


def _bobs_chat(bob: EngineRun) -> list[str]:
    load = bob.one("load").line
    return [line for r in bob.results if r.line > load for line in r.chat]


def test_the_defender_reads_nobodys_name_before_the_box_is_opened(bob: EngineRun) -> None:
    chat = _bobs_chat(bob)
    (opened,) = [i for i, line in enumerate(chat) if "E9: OPEN" in line]
    assert opened > 20
    said = "\n".join(chat[:opened])
    assert "chute=PA" in said
    assert [word for word in SECRET_WORDS if word in said] == []
    planned = next(i for i, line in enumerate(chat) if "E9: WING" in line)
    assert "1M6" not in "\n".join(chat[:planned])


def test_the_defender_finds_nothing_in_his_inventory_or_on_the_table(bob: EngineRun) -> None:
    listed = bob.one("inventory").data
    assert "Squad 1 (1Q6)" in listed, "his own are listed"
    boxes = [line for line in listed if "(Box" in line]
    assert boxes
    assert all(line.startswith("Something on a parachute") for line in boxes)
    pieces: list[dict[str, Any]] = bob.all("pieces")[0].data
    boxed = [p for p in pieces if p["map"] == "Cloaking Boxes"]
    assert len(boxed) > 20
    assert {p["name"] for p in boxed} == {"Something on a parachute"}


def test_the_defender_can_do_nothing_to_a_parachute_or_its_box(bob: EngineRun) -> None:
    assert bob.problem_texts == []
    before, after = (
        {p["id"]: (p["map"], p["x"], p["y"], p["dynamic"]) for p in r.data}
        for r in bob.all("pieces")[1:]
    )
    assert {k: (before[k], after[k]) for k in before if before[k] != after[k]} == {}
    begun = bob.one("chat").line
    assert [line for r in bob.results if r.line > begun for line in r.chat] == []
    assert bob.one("showing").data is False

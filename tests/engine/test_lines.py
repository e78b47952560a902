"""Drop Zone's lines as the real VASSAL writes them, and what an opponent gets to see of it.

Three sessions: *Rosa* (solo) plays every verb by menu, key, button and mouse, and two whole turns;
*Alice* (Allied) plays in secret; *Bob* (German) plays their logs and tries what he must not.
``--update-recordings`` keeps the logs as fixtures of the tests that have no engine.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from dropzone_recordings import LOGS, OPEN, SECRET, SECRET_UNITS, TURNS, Recording
from engine.vassal import ROOT, EngineRun
from line_checks import differences
from vlog_text import chat_texts, log_steps

from builder.gamebox.lines import Grammar, open_lines
from builder.gamebox.model import Game
from builder.problems import ProblemLog

pytestmark = pytest.mark.engine

Vassal = Callable[..., EngineRun]

SCREEN = (1600, 1000)


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    found = open_lines(ROOT / "mapdata" / "dropzone", ProblemLog())
    assert found is not None
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("logs")


def _record(
    vassal: Vassal, module: Path, folder: Path, recordings: tuple[Recording, ...], *after: str
) -> EngineRun:
    script = [line for r in recordings for line in r.script(folder)]
    player = recordings[0]
    return vassal(
        module,
        [*script, *after],
        user=player.user,
        password=player.password,
        size=SCREEN,
    )


@pytest.fixture(scope="module")
def rosa(vassal: Vassal, dropzone_module: Path, folder: Path) -> EngineRun:
    """Every verb by every way, and two turns; then her end position and a saved game."""
    return _record(vassal, dropzone_module, folder, OPEN, "pieces", f"save {folder}/turns.vsav")


@pytest.fixture(scope="module")
def alice(vassal: Vassal, dropzone_module: Path, folder: Path) -> EngineRun:
    """Hidden moves and losses, unseen assets; one unit is turned up at the end."""
    return _record(vassal, dropzone_module, folder, (SECRET,), "pieces")


#: Private keys of a hidden unit and of an asset: whatever of them works for an enemy is a leak.
UNIT_KEYS = (
    *("RevealATTACK", "HideIt", "Uncover", "SetRevealed", "LossCOMBAT", "StepDown", "GainRP"),
    *("Join", "Drop", "Fly", "SendDead", "RepReveal", "RepJoin", "SetAlias"),
)
ASSET_KEYS = (
    *("HideIt", "Uncover", "UseIF", "UseAT", "UseRP", "UseJOIN", "Commit", "Back", "GoCup"),
    *("GoHand", "GoUsed", "Discard", "RepUse", "SetUsed", "JoinPool"),
)


def _attempts() -> Iterator[str]:
    """What Bob tries on what is not his."""
    hidden = SECRET_UNITS[1]
    yield f'menu "{hidden}"'
    for key in UNIT_KEYS:
        yield f'named "{hidden}" {key}'
    yield f'key "{hidden}" "ctrl M"'
    yield "lookat 1713"
    yield "mousedrag 1713 1813"
    for place in ("CommitAllied", "Allied hand", "PoolAllied"):
        yield f'menu "at:{place}"'
        for key in ASSET_KEYS:
            yield f'named "at:{place}" {key}'
    yield "lookat CommitAllied"
    yield "mousedrag CommitAllied 1713"
    yield "lookat PoolAllied"
    yield "mousedrag PoolAllied CommitGerman"
    yield "press DrawAllied"
    yield 'press "Allied hand"'


@pytest.fixture(scope="module")
def bob(
    vassal: Vassal, dropzone_module: Path, folder: Path, rosa: EngineRun, alice: EngineRun
) -> EngineRun:
    """Rosa's turns played to their end; then Alice's log as the German, and his attempts."""
    assert rosa.code == alice.code == 0, rosa.problem_texts + alice.problem_texts
    lines = [f"load {folder}/{TURNS.path.name}", "stepall", "pieces"]
    lines += [f"load {folder}/{SECRET.path.name}", "join German", "stepall", "pieces", "inventory"]
    # his own unit first: what fails later does not fail for want of a mouse
    lines += ["zoom Main 0.35", "lookat 2014", "mousedrag 2014 2015", "pieces"]
    lines += ["chat begun", *_attempts(), 'showing "Allied hand"', "pieces"]
    return vassal(
        dropzone_module, lines, user="Bob", password="rittersporn-9", size=SCREEN, timeout=200
    )


# ------------------------------------------------------------------------------ the recordings


@pytest.mark.parametrize("recording", [*OPEN, SECRET], ids=lambda r: r.name)
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
    recorded = {verb for r in OPEN for _, verb, _ in r.expected()}
    assert recorded == set(grammar.verbs)


def test_a_loss_and_its_line_are_one_step(rosa: EngineRun, folder: Path) -> None:
    assert rosa.code == 0
    steps = log_steps(folder / "dropzone-menus.vlog")
    losses = [s for s in steps if any("DZ: LOSS" in c for c in s)]
    assert losses
    assert all(any(c.startswith("D/") for c in step) for step in losses)


def test_rolls_carry_their_evidence(rosa: EngineRun, folder: Path) -> None:
    assert rosa.code == 0
    rolls = 0
    for step in log_steps(folder / "dropzone-menus.vlog"):
        for line in (c for c in step if "faces=" in c and "kind=DIR" not in c):
            faces = line.split("faces=")[1]
            assert any(c.startswith("D/") and faces in c.replace("\\", "") for c in step)
            rolls += 1
    assert rolls > 30


# ------------------------------------------------------------------------------ the second player


def _position(pieces: list[dict[str, Any]]) -> dict[str, tuple[Any, ...]]:
    """Where every piece is and what it knows; not what its layers show: each has his own."""
    return {
        p["id"]: (p["basic"], p["map"], p["x"], p["y"], p.get("deck"), p["dynamic"]) for p in pieces
    }


def test_the_turns_played_again_end_alike(rosa: EngineRun, bob: EngineRun) -> None:
    played = bob.all("stepall")[0].data
    assert played["left"] == 0
    assert played["done"] > 100
    mine, theirs = _position(rosa.one("pieces").data), _position(bob.all("pieces")[0].data)
    assert len(mine) > 100
    assert {k: (mine[k], theirs.get(k)) for k in mine if mine[k] != theirs.get(k)} == {}
    assert mine.keys() == theirs.keys()


def test_two_turns_end_where_they_should(rosa: EngineRun) -> None:
    at = {p["basic"]: p for p in rosa.one("pieces").data}
    assert at["A Co 1/517"]["location"] == "1612"
    assert at["B Co 1/517"]["dynamic"]["Steps"] == "2"
    assert at["Garrison Le Muy"]["dynamic"]["Holder"] == "ALLIED"
    assert at["Garrison Le Muy"]["dynamic"]["Steps"] == "1"
    assert at["G Co 3/517"]["location"] == "2408"
    assert at["189 Assault Co"]["location"] == "0808"
    assert at["VP marker"]["location"] == "VP3"
    chits = [p for p in rosa.one("pieces").data if p["basic"].startswith("Chit ")]
    assert {p["deck"] for p in chits} == {"ChitCup"}
    assert at["460 PFAB"]["location"] == "UsedAllied"
    assert at["Coastal artillery"]["location"] == "UsedGerman"
    aliases = [p["dynamic"]["Alias"] for p in rosa.one("pieces").data if "Alias" in p["dynamic"]]
    assert sorted(a for a in aliases if a) == sorted(f"H{n}" for n in range(1, 21))


def _bobs_chat(bob: EngineRun) -> list[str]:
    """All that Bob reads from loading Alice's log on."""
    load = bob.all("load")[1].line
    return [line for r in bob.results if r.line > load for line in r.chat]


def _identities(game: Game) -> set[str]:
    """Words that give an Allied serial or asset away."""
    words = set()
    for counter in game.counters:
        if counter.side != "Allied" or not (counter.value("serial") or counter.value("kind")):
            continue
        words |= {counter.id, str(counter.value("title") or counter.name)}
        words |= {str(v) for n in ("formation", "kind") if (v := counter.value(n))}
    return words


def test_the_opponent_reads_no_identity_before_its_reveal(bob: EngineRun, dropzone: Game) -> None:
    chat = _bobs_chat(bob)
    assert len(chat) > 20
    (reveal,) = [i for i, line in enumerate(chat) if "DZ: REVEAL" in line]
    words = _identities(dropzone)
    assert {"D-2-517", "A-509", "AA-7", "460 PFAB", "INDIRECT", "2/517"} <= words
    leaks = [line for i, line in enumerate(chat) if i != reveal for w in words if w in line]
    assert leaks == []
    assert chat[reveal] == "* DZ: REVEAL unit=D-2-517 alias=H1 hex=1712 cause=ATTACK"


def test_the_opponent_sees_no_identity_on_the_table(bob: EngineRun, dropzone: Game) -> None:
    loaded = [p for r in bob.all("pieces")[1:] for p in r.data]
    hidden = [p for p in loaded if p["basic"] in SECRET_UNITS[1:]]
    assert {p["name"] for p in hidden} == {"Hidden unit"}
    assets = [p for p in loaded if p["map"] == "Allied hand" or p["location"] == "CommitAllied"]
    assert {p["name"] for p in assets} == {"Asset"}
    assert all(p["obscured"] for p in [*hidden, *assets])


def test_the_opponents_inventory_names_no_secret_and_no_card_of_a_cup(bob: EngineRun) -> None:
    """What is left in a cup would tell, by its absence, what was drawn."""
    listed = bob.one("inventory").data
    assert listed.count("Hidden unit (1713)") == 1
    assert any(line.startswith("1 Co I/765 ") for line in listed)
    names = {line.rpartition(" (")[0].removesuffix(" (2)") for line in listed}
    assert not names & set(SECRET_UNITS[1:])
    assert not names & {"460 PFAB", "Initiative", "Air Strike", "Regroup", "Artillery"}


def test_undo_says_again_what_was_safe(bob: EngineRun) -> None:
    undone = [line for line in _bobs_chat(bob) if "UNDO" in line]
    assert [line.split(" aim=")[0].split(" hex=")[0] for line in undone] == [
        "* UNDO: * DZ: DROP unit=H3",
        "* UNDO: * DZ: LOSS unit=H2",
    ]


def test_the_opponent_can_do_nothing_to_what_is_hidden(bob: EngineRun) -> None:
    assert bob.problem_texts == []
    (own,) = bob.all("mousedrag")[0].chat
    assert own == "* 1 Co I/765 (2) moves 2014 -> 2015"
    before, after = (_position(r.data) for r in bob.all("pieces")[2:])
    assert {k: (before[k], after[k]) for k in before if before[k] != after[k]} == {}
    begun = bob.one("chat").line
    said = [line for r in bob.results if r.line > begun for line in r.chat]
    assert said == []


def test_the_opponents_menus_offer_an_attack_at_most(bob: EngineRun) -> None:
    unit, *assets = (r.data for r in bob.all("menu"))
    assert [e["name"] for e in unit] == ["Attack this hex"]
    assert assets == [[], [], []]


def test_the_opponent_cannot_open_the_other_hand(bob: EngineRun) -> None:
    assert bob.one("showing").data is False

"""The harness on a small module: silent where all is well, and loud for every planted mistake."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from engine.tiny_module import write_tiny
from engine.vassal import PROBLEMS, REFUSED, SCRIPT_ERROR, EngineRun, run_vassal

pytestmark = pytest.mark.engine

Vassal = Callable[..., EngineRun]


@pytest.fixture(scope="module")
def played(
    vassal: Vassal, tiny_module: Path, tmp_path_factory: pytest.TempPathFactory
) -> EngineRun:
    """One long run, looked at by many tests."""
    folder = tmp_path_factory.mktemp("played")
    lines = [
        "newgame German",
        "audit",
        "players",
        f"beginlog {folder}/game.vlog",
        "move Infantry 0403",
        "place Armor 0303",
        "seed 7",
        "dice 2d6",
        "turn next",
        "turn next",
        "turn prev",
        "command Guns Remove",
        "undo",
        "expectcount 3",
        "endlog",
        f"saveload {folder}/game.vsav",
        "pieces CurrentMap,CurrentBoard",
        "runmenus 0505",
        f"windowshot {folder}/window.png",
        f'mapshot "Main Map" {folder}/map.png 0.5',
        f"load {folder}/game.vlog",
        "stepall",
        "expect Infantry 0403",
    ]
    return vassal(tiny_module, lines)


def test_a_sound_module_raises_no_problem(played: EngineRun) -> None:
    assert played.problem_texts == []
    assert played.code == 0
    assert played.vassal == "3.6.0"


def test_the_audit_finds_everything_in_its_place(played: EngineRun) -> None:
    audit = played.one("audit").data
    assert audit["module"] == "Tiny"
    assert audit["gpids"] == {"next": "4", "highest": 3, "count": 3, "duplicates": []}
    assert [s["gpid"] for s in audit["slots"]] == ["2", "1", "3"]
    assert audit["slots"][0]["prototypes"] == [{"name": "Unit", "defined": True, "computed": False}]
    assert set(audit["images"]["used"]) >= {"inf.png", "map.png", "/images/moved.gif"}
    dealt = {s["name"]: s["pieces"][0]["dealt"][0]["location"] for s in audit["setupStacks"]}
    assert dealt == {"At start": "0302", "By name": "0201"}


def test_a_side_is_taken(played: EngineRun) -> None:
    assert played.one("players").data["me"] == "German"


def test_a_move_snaps_and_is_reported(played: EngineRun) -> None:
    move = played.one("move")
    assert move.changes is not None
    (change,) = move.changes["changed"]
    assert change["before"]["location"] == "0302"
    after = change["after"]
    assert (after["x"], after["y"], after["location"]) == (190, 180, "0403")
    assert after["moved"] is True
    assert move.chat == ("* Infantry moves 0302 to 0403",)


def test_a_piece_comes_out_of_the_palette(played: EngineRun) -> None:
    place = played.one("place")
    assert place.changes is not None
    (created,) = place.changes["created"]
    assert (created["name"], created["gpid"], created["location"]) == ("Armor", "2", "0303")


def test_dice_are_rolled_in_the_chat(played: EngineRun) -> None:
    (report,) = played.one("dice").chat
    assert report.startswith("*** 2d6 = ")


def test_the_turn_goes_on_and_back(played: EngineRun) -> None:
    assert [r.data for r in played.all("turn")] == ["1 Allied", "2 German", "1 Allied"]


def test_a_removed_piece_comes_back_with_undo(played: EngineRun) -> None:
    removed, undone = played.one("command").changes, played.one("undo").changes
    assert removed is not None
    assert undone is not None
    assert [p["name"] for p in removed["removed"]] == ["Guns"]
    assert [p["name"] for p in undone["created"]] == ["Guns"]


def test_saving_and_loading_keeps_everything(played: EngineRun) -> None:
    data = played.one("saveload").data
    assert data["differences"] == 0
    # Type, state and place of three pieces and of their stacks; a property; the turn.
    assert data["compared"] >= 3 * 6 + 2
    names = {p["name"]: p["location"] for p in played.one("pieces").data}
    assert names == {"Infantry": "0403", "Armor": "0303", "Guns": "0201"}
    assert {p["properties"]["CurrentMap"] for p in played.one("pieces").data} == {"Main Map"}


def test_every_menu_command_of_every_type_runs(played: EngineRun) -> None:
    types = played.one("runmenus").data
    # all three have the same traits and the same menu: one type
    assert [t["gpids"] for t in types] == [["2", "1", "3"]]
    for piece in types:
        assert [r["entry"] for r in piece["runs"]] == ["Remove", "Mark Moved"]
        assert piece["neverEnabled"] == []


def test_the_log_plays_again(played: EngineRun) -> None:
    assert played.one("stepall").data["left"] == 0
    assert len(played.steps) >= 8


def test_pictures_are_taken(played: EngineRun) -> None:
    window = played.one("windowshot").data
    assert (window["width"], window["height"]) == (1400, 1000)
    board = played.one("mapshot").data
    assert (board["width"], board["height"]) == (500, 400)


@dataclass(frozen=True)
class Mistake:
    """Text planted in the build file, and what the harness must say about it."""

    old: str
    new: str
    kind: str
    says: str


SLOT = '<VASSAL.build.widget.PieceSlot entryName="Infantry" gpid="1" height="50" width="50">'
INFANTRY = "+/null/prototype;Unit{TAB}piece;;;inf.png;Infantry/{TAB}null;0;0;1;0"
MISTAKES = {
    "unknown prototype": Mistake(
        f"{SLOT}+/null/prototype;Unit",
        f"{SLOT}+/null/prototype;Unti",
        "audit",
        "unknown prototype 'Unti' in slot 'Infantry' (gpid 1)",
    ),
    "missing image of a piece": Mistake(
        "inf.png;Infantry", "Inf.png;Infantry", "audit", "image not in the archive: Inf.png"
    ),
    "missing image of a board": Mistake("map.png", "mpa.png", "audit", "mpa.png, used by [Board]"),
    "gpid given twice": Mistake('"Guns" gpid="3"', '"Guns" gpid="2"', "audit", "gpid 2 used by"),
    "next gpid too low": Mistake(
        'nextPieceSlotId="4"', 'nextPieceSlotId="3"', "audit", "nextPieceSlotId is '3'"
    ),
    "wrong board": Mistake(
        '"At start" owningBoard="Board"',
        '"At start" owningBoard="Borad"',
        "strict",
        "at-start stack 'At start' not placed: no board 'Borad'",
    ),
    "wrong board, seen by the audit": Mistake(
        '"At start" owningBoard="Board"',
        '"At start" owningBoard="Borad"',
        "audit",
        "piece 'Infantry' of at-start stack 'At start' is not in play",
    ),
    "location that is none": Mistake(
        'location="0201"', 'location="02x1"', "audit", "of at-start stack 'By name' lies at"
    ),
    "misspelled class": Mistake(
        "VASSAL.build.module.map.Flare/>",
        "VASSAL.build.module.map.Flair/>",
        "audit",
        "component dropped: 1 of VASSAL.build.module.map.Flair",
    ),
    "misspelled class, seen by VASSAL": Mistake(
        "VASSAL.build.module.map.Flare/>", "VASSAL.build.module.map.Flair/>", "bug", "Flair"
    ),
    "empty number": Mistake('dx="52.0"', 'dx=""', "audit", "component dropped: 1 of"),
    "at-start stack without a piece": Mistake(
        f"{SLOT}{INFANTRY}</VASSAL.build.widget.PieceSlot>",
        "",
        "audit",
        "at-start stack 'At start' holds no piece",
    ),
    "at-start piece without a definition": Mistake(
        f"{SLOT}{INFANTRY}", SLOT, "audit", "slot 'Infantry' (gpid 1)"
    ),
    "prototype defined twice": Mistake(
        "  </VASSAL.build.module.PrototypesContainer>",
        '<VASSAL.build.module.PrototypeDefinition description="" name="Unit">'
        "+/null/piece;;;;/null;0;0;;0</VASSAL.build.module.PrototypeDefinition>"
        "</VASSAL.build.module.PrototypesContainer>",
        "audit",
        "prototype defined twice: Unit",
    ),
}


@pytest.fixture(scope="module")
def harmed(tmp_path_factory: pytest.TempPathFactory, vassal: Vassal) -> dict[str, EngineRun]:
    """A run of one damaged copy per mistake, two at a time."""
    folder = tmp_path_factory.mktemp("harmed")
    changes = sorted({(m.old, m.new) for m in MISTAKES.values()})

    def run(number: int) -> EngineRun:
        module = write_tiny(folder / f"{number}.vmod", [changes[number]])
        return run_vassal(module, ["newgame German", "audit"])

    with ThreadPoolExecutor(2) as pool:
        runs = dict(zip(changes, pool.map(run, range(len(changes))), strict=True))
    return {name: runs[m.old, m.new] for name, m in MISTAKES.items()}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_planted_mistake_is_found(harmed: dict[str, EngineRun], name: str) -> None:
    run, mistake = harmed[name], MISTAKES[name]
    assert run.code == PROBLEMS
    found = [p for p in run.problems if p.kind == mistake.kind and mistake.says in p.text]
    assert found, run.problem_texts


def test_a_refused_module_says_so(tmp_path: Path, vassal: Vassal) -> None:
    module = write_tiny(tmp_path / "refused.vmod", [('nextPieceSlotId="4"', 'nextPieceSlotId="x"')])
    run = vassal(module, ["newgame"])
    assert run.code == REFUSED
    assert run.problems[0].kind == "refused"


@pytest.mark.usefixtures("vassal")
def test_a_wrong_script_is_told_from_a_wrong_module(tiny_module: Path) -> None:
    run = run_vassal(tiny_module, ["newgame German", "move Cavalry 0101"])
    assert run.code == SCRIPT_ERROR
    assert run.error is not None
    assert "no piece Cavalry" in run.error

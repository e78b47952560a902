"""The air drop in the real VASSAL: its module, its hexes, its drift, and drops played there."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from airdrop_recordings import piece
from engine.airdrop_driver import DrivenDrop
from engine.live import live_vassal
from engine.test_replay import engine_tables, our_table
from engine.vassal import ROOT, EngineRun
from PIL import Image

from builder.gamebox.model import Game
from builder.jobs.check_log import check_logs
from builder.jobs.play_game import play_game, recorded
from builder.rulesets.airdrop.actions import Action, Phase, Wind
from builder.rulesets.airdrop.drift import drift_end, wind_end
from builder.rulesets.airdrop.facts import LEFT, SHARED, label
from builder.rulesets.airdrop.policy import play_drop
from builder.rulesets.airdrop.ruleset import AirDrop
from builder.rulesets.airdrop.state import State, Unit
from builder.vassal.replay import replay
from builder.vassal.replay_module import read_module_facts
from builder.vassal.replay_view import table_view
from builder.vassal.savefile import read_save
from builder.workspace import open_workspace

pytestmark = pytest.mark.engine

Vassal = Callable[..., EngineRun]
FOLDER = ROOT / "mapdata" / "airdrop"
SHOTS = ROOT / "dist" / "engine"
SCREEN = (1600, 1000)


@pytest.fixture(scope="module")
def rules(airdrop: Game) -> AirDrop:
    return AirDrop.of(airdrop)


# ------------------------------------------------------------------------------------ the module


@pytest.fixture(scope="module")
def table(
    vassal: Vassal, airdrop_module: Path, airdrop: Game, tmp_path_factory: pytest.TempPathFactory
) -> EngineRun:
    """Every set-up and every seat; every name of the map; every menu of every piece."""
    folder = tmp_path_factory.mktemp("table")
    sheet = airdrop.map
    pixels = [sheet.grid.snap_point(h) for h in sheet.hexes()]
    (folder / "pixels.json").write_text(json.dumps(pixels), encoding="utf-8")
    names = "\n".join(sheet.label(h) for h in sheet.hexes())
    (folder / "names.txt").write_text(names, encoding="utf-8")
    lines = ["setups"]
    for seat in airdrop.module.seat:
        lines += [f'newgame "{seat.name}"', "audit", "players"]
    for setup in airdrop.module.setup:
        lines += [f'setup "{setup.name}"', "pieces Unit"]
    lines += [
        f'hexnames "{sheet.name}" {folder}/pixels.json',
        f'hexpoints "{sheet.name}" {folder}/names.txt',
        f"saveload {folder}/start.vsav",
        'newgame "Solo"',
        # the recordings try commands in a row
        "runmenus 1C5 1",
        'setup "US drop, 1944"',
        f"windowshot {SHOTS}/airdrop-window.png",
        f'mapshot "{sheet.name}" {SHOTS}/airdrop-map.png 0.5',
        f'mapshot "Cloaking Boxes" {SHOTS}/airdrop-boxes.png 1.0',
    ]
    SHOTS.mkdir(parents=True, exist_ok=True)
    return vassal(airdrop_module, lines, size=SCREEN, timeout=300)


def test_the_module_opens_and_offers_everything_without_a_word(table: EngineRun) -> None:
    assert table.problem_texts == []
    assert table.code == 0


def test_nothing_is_swallowed(table: EngineRun, airdrop: Game) -> None:
    assert [r.data["me"] for r in table.all("players")] == [s.name for s in airdrop.module.seat]
    for result in table.all("audit"):
        audit = result.data
        assert all(c["alive"] >= c["declared"] for c in audit["components"].values())
        assert set(audit["prototypes"]) == {p.name for p in airdrop.prototypes}
        used = [p for s in audit["slots"] for p in s["prototypes"]]
        assert all(p["defined"] and not p["computed"] for p in used)
        assert audit["images"]["missing"] == {}
        assert audit["gpids"]["duplicates"] == []
        assert audit["gpids"]["highest"] < int(audit["gpids"]["next"])
        assert {str(airdrop.gpids[c.id]) for c in airdrop.counters} <= {
            s["gpid"] for s in audit["slots"]
        }


def test_every_set_up_deals_each_counter_where_it_says(table: EngineRun, airdrop: Game) -> None:
    starts = {c.id: c.start for c in airdrop.counters if c.start}
    scenarios = {s.name: s for s in airdrop.scenarios}
    dealt = [r.data for r in table.all("pieces")]
    assert len(dealt) == len(airdrop.module.setup) == 4
    for setup, pieces in zip(airdrop.module.setup, dealt, strict=True):
        found = {p["properties"]["Unit"]: p["location"] for p in pieces}
        assert found == starts | dict(scenarios[setup.scenario].starts)
        assert len(pieces) == len(found), "nothing is dealt twice"


def test_every_hex_has_its_name_as_on_the_boards(table: EngineRun, airdrop: Game) -> None:
    names = [airdrop.map.label(h) for h in airdrop.map.hexes()]
    assert [name for _, _, name, *_ in table.one("hexnames").data] == names
    letters = [chr(65 + n % 26) * (1 + n // 26) for n in range(33)]
    printed = {
        f"{board}{letter}{number}"
        for board in (1, 2)
        for index, letter in enumerate(letters)
        for number in range(index % 2 == 0, 11)
        # the column that the boards share is the first one's
        if (board, index) != (2, 0)
    }
    assert printed == {n for n in names if not n.startswith("O")}
    assert label(airdrop.map.find("2B0") or next(airdrop.map.hexes())) == "2B0"
    assert SHARED - LEFT == 32
    found = {name: (x, y) for name, x, y in table.one("hexpoints").data}
    assert [airdrop.map.grid.hex_at(*found[n]) for n in names] == list(airdrop.map.hexes())


def test_the_pictures_of_the_table_show_something(table: EngineRun) -> None:
    assert table.code == 0
    for name in ("airdrop-window", "airdrop-map", "airdrop-boxes"):
        with Image.open(SHOTS / f"{name}.png") as image:
            colors = image.convert("RGB").resize((60, 40)).getcolors(2400)
        assert colors is not None
        assert len(colors) > 30


# ------------------------------------------------------------------------------------- the drift


@pytest.mark.parametrize(
    ("setup", "scenario", "force", "entry", "winds"),
    [
        ("US drop, 1944", "us", "MILD", "mild breeze", (1, 4)),
        ("German drop, 1941", "german", "HEAVY", "heavy wind", (2, 5)),
        ("Russian drop, 1943", "russian", "GUST", "gust", (3, 6)),
    ],
)
def test_one_command_drifts_as_the_rules_say(
    vassal: Vassal,
    airdrop_module: Path,
    rules: AirDrop,
    setup: str,
    scenario: str,
    force: str,
    entry: str,
    winds: tuple[int, ...],
) -> None:
    chutes = [f"P{letter}" for letter in "ABCDEFGHIJ"]
    lines = [f'setup "{setup}"', 'join "Solo"', "seed 7"]
    lines += [f'command {piece("Force")} "{entry}"']
    lines += [f"move {piece(chute)} 1P5" for chute in chutes]
    lines += ["turn next"] * 3
    for number in winds:
        lines += [f'command {piece("Wind")} "{number} {_NAMES[number - 1]}"']
        some = chutes[winds.index(number) * 5 :][:5]
        lines += [f'command {piece(chute)} "Drift"' for chute in some]
        lines += ["pieces Unit,Colored,White"]
    run = vassal(airdrop_module, lines, timeout=200)
    assert run.problem_texts == []
    start = rules.facts.sheet.find("1P5")
    assert start is not None
    faces = set()
    for number, result in zip(winds, run.all("pieces"), strict=True):
        state: State = rules.apply(rules.start(scenario), Wind(number, force))
        shown = {p["properties"]["Unit"]: p for p in result.data}
        for chute in chutes[winds.index(number) * 5 :][:5]:
            properties: dict[str, Any] = shown[chute]["properties"]
            colored, white = int(properties["Colored"]), int(properties["White"])
            faces.add((colored, white))
            end = wind_end(state, drift_end(state, start, colored, white))
            assert shown[chute]["location"] == label(end), (colored, white, number)
    assert len(faces) > 4


_NAMES = ("north", "north-east", "south-east", "south", "south-west", "north-west")


# ---------------------------------------------------------------------------------- played drops


@pytest.mark.parametrize("scenario", ["us", "german"])
def test_a_played_drop_is_stepped_through_to_its_end(
    vassal: Vassal, airdrop_module: Path, rules: AirDrop, tmp_path: Path, scenario: str
) -> None:
    played = play_game(FOLDER, scenario=scenario, seed=11)
    log = tmp_path / "drop.vlog"
    log.write_bytes(recorded(played, module=airdrop_module, workspace=open_workspace()))
    run = vassal(airdrop_module, [f"load {log}", "stepall", "pieces", "turntext"], timeout=300)
    assert run.problem_texts == []
    (last,) = deque(replay(read_save(log), read_module_facts(airdrop_module)), maxlen=1)
    assert engine_tables(run)[-1] == our_table(last)
    # what the rules think is on the table lies on it, in the eyes of VASSAL
    end: State = played.played.end
    state = rules.follow(end, table_view(last))
    assert {k: _lot(u) for k, u in state.units.items()} == {
        k: _lot(u) for k, u in end.units.items()
    }
    assert {k: c.status for k, c in state.chutes.items()} == {
        k: c.status for k, c in end.chutes.items()
    }


def test_a_drop_played_in_vassal_is_read_as_it_was_and_breaks_no_rule(
    airdrop_module: Path, airdrop: Game, rules: AirDrop, tmp_path: Path
) -> None:
    log = tmp_path / "drop.vlog"
    with live_vassal(airdrop_module, size=SCREEN) as vassal:
        vassal('setup "German drop, 1941"')
        vassal("join Solo")
        vassal("seed 1941")
        vassal(f"beginlog {log}")
        drop = DrivenDrop(vassal, rules.start("german"), 6)
        play_drop(drop, 1)
        vassal("endlog")
        assert vassal.problems == []
    assert drop.refused == []
    checked = check_logs(
        [log], workspace=open_workspace(), game=airdrop.folder, module=airdrop_module
    )
    assert [f"step {f.step} {f.row}: {f.message}" for f in checked.report.findings] == []
    (judged,) = checked.judged
    assert _settled([action for _, action, _ in judged.actions]) == _settled(drop.told)


def _lot(unit: Unit) -> tuple[Any, ...]:
    """Return where a unit is and how it is; of one that is out of the game that alone.

    With which Stick it dropped, the table does not tell once it is on the map.
    """
    stick = unit.stick if unit.where is None else ""
    if unit.eliminated or (unit.where is None and not stick):
        return (unit.eliminated,)
    return (unit.where, stick, unit.broken)


def _settled(actions: list[Action]) -> list[Action]:
    """Return actions without what VASSAL says besides: wind in two words, set-up of each turn."""
    heard = [x for x in actions if not (isinstance(x, Phase) and x.phase == "SETUP")]
    return [
        action
        for _, group in groupby(heard, key=lambda x: isinstance(x, Wind) or id(x))
        for action in list(group)[-1:]
    ]

"""A log stepped through in the real VASSAL, and by our replay: the same table after every step."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from dropzone_recordings import LOGS
from engine.vassal import EngineRun
from replay_logs import SAMPLES

from builder.vassal.buildfile import savedata_xml
from builder.vassal.command_tree import CommandNode, container
from builder.vassal.commands import Null
from builder.vassal.log_steps import steps
from builder.vassal.replay import Step, replay
from builder.vassal.replay_module import ModuleFacts, read_module_facts
from builder.vassal.savefile import read_save, save_bytes
from builder.vassal.sequence import join

pytestmark = pytest.mark.engine

Vassal = Callable[..., EngineRun]
Row = tuple[object, ...]


def walk_script(log: Path) -> list[str]:
    """The script that shows the pieces before the first step and after each."""
    return [f"load {log}", "pieces", *["step", "pieces"] * len(shown_steps(log))]


def shown_steps(log: Path) -> list[int]:
    """The steps that VASSAL stops at: it passes over those without any command."""
    return [
        s.number for s in steps(read_save(log)) if not all(isinstance(c, Null) for c in s.commands)
    ]


def engine_tables(run: EngineRun) -> list[dict[str, Row]]:
    return [
        {p["id"]: _engine_row(p, result.data) for p in result.data} for result in run.all("pieces")
    ]


def _engine_row(piece: dict[str, Any], others: list[dict[str, Any]]) -> Row:
    """Map, pixel, deck, and the ids that lie in the same stack up to this piece, from the bottom.

    The id of a stack is no part: VASSAL makes new ones for itself that no log names. A piece alone
    in a stack and one without a stack are the same for a reader.
    """
    together = sorted(
        (p["index"], p["id"])
        for p in others
        if p.get("stack") and p.get("stack") == piece.get("stack")
    )
    ids = tuple(ident for _, ident in together) or (piece["id"],)
    if piece["map"] is None:
        return (None, piece.get("deck"))
    return piece["map"], piece["x"], piece["y"], piece.get("deck"), ids


def our_table(step: Step) -> dict[str, Row]:
    rows: dict[str, Row] = {}
    for ident in step.table.pieces:
        at = step.table.at(ident)
        pile = step.table.pile_of(ident)
        deck = None if pile is None else pile.name
        if at.map is None:
            rows[ident] = (None, deck)
        else:
            rows[ident] = (at.map, at.x, at.y, deck, step.table.neighbors(ident))
    return rows


def check(run: EngineRun, log: Path, facts: ModuleFacts) -> None:
    # Pictures may have changed since the log was recorded: complaints about them say nothing here.
    tables = engine_tables(run)
    shown = {0, *shown_steps(log)}
    ours = (step for step in replay(read_save(log), facts) if step.number in shown)
    names = run.all("pieces")
    for step, table, result in zip(ours, tables, names, strict=True):
        assert our_table(step) == table, step.number
        for piece in result.data:
            place = step.story.place(piece["id"])
            if not place.is_off:
                assert (place.label or "offboard") == piece["location"], (step.number, piece)
            if not (piece.get("obscured") or piece.get("hidden")):
                # VASSAL adds what others see of a piece that I masked, in parentheses.
                name = step.story.thing(piece["id"]).name
                assert piece["name"] in (name, "") or piece["name"].startswith(f"{name}("), (
                    step.number
                )


@pytest.mark.parametrize("log", sorted(LOGS.glob("*.vlog")), ids=lambda path: path.stem)
def test_recorded_logs_give_the_same_table(
    vassal: Vassal, dropzone_module: Path, airdrop_module: Path, log: Path
) -> None:
    module = airdrop_module if log.stem.startswith("airdrop-") else dropzone_module
    run = vassal(module, walk_script(log), timeout=400)
    check(run, log, read_module_facts(module))


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="no recorded samples at hand")
@pytest.mark.parametrize(
    ("name", "module"),
    [("game-3.6", "test"), ("game-3.8", "test"), ("second36", "test"), ("special36", "test2")],
)
def test_recorded_samples_give_the_same_table(vassal: Vassal, name: str, module: str) -> None:
    log, path = SAMPLES / f"{name}.vlog", SAMPLES / f"{module}.vmod"
    run = vassal(path, walk_script(log), timeout=400)
    check(run, log, read_module_facts(path))


UNIT = "markmoved;/images/moved.gif;0;0;Mark Moved;77,130;\tpiece;;;inf.png;{name}"
LOOSE = "immob;g;N;R;\tpiece;;;inf.png;{name}"
SPOTS = ((138, 90), (190, 120), (34, 30))


def _added(ident: str, type_text: str, state: str) -> str:
    return "+/" + join([ident, type_text, state], "/")


def _state(mark: str, x: int, y: int, old_x: int = 0) -> str:
    return f"{mark}\tMain Map;{x};{y};;1;OldX;{old_x}"


def _wild_log(seed: int, count: int) -> CommandNode:
    """A log of commands in any order: moves with every ``under``, changes, ..."""
    dice = Random(seed)
    units, loose = [str(number) for number in range(101, 107)], ["201", "202"]
    start = [_added(u, UNIT.format(name=f"U{u}"), _state("false", *SPOTS[0])) for u in units]
    start += [_added(u, LOOSE.format(name=f"L{u}"), _state("", *SPOTS[1])) for u in loose]
    start += [
        _added("301", "stack", "Main Map;138;90;101;102;103;@@-1"),
        _added("302", "stack", "Main Map;138;90;104;105;106;@@-1"),
    ]
    stacks, gone = ["301", "302"], []

    def move(ident: str) -> str:
        x, y = dice.choice(SPOTS)
        under = dice.choice([*units, *loose, "null", "null", "null", "999"])
        return f"M/{ident}/Main Map/{x}/{y}/{under}/Main Map/1/1/null/somebody"

    def any_command() -> str:
        kind = dice.choice(["move", "move", "move", "drag", "stack", "change", "remove", "again"])
        if kind == "stack":
            return move(dice.choice([*stacks, "998"]))
        unit = dice.choice([*units, *loose])
        if kind == "drag":
            x, y = dice.choice(SPOTS)
            stacks.append(str(400 + len(stacks)))
            parts = [
                f"M/{unit}/Main Map/{x}/{y}/null/Main Map/1/1/null/somebody",
                _added(stacks[-1], "stack", f"Main Map;{x};{y};{unit};@@1"),
            ]
            return "\x1b\\LOG\t".join(parts)
        if kind == "change" and unit in units:
            old, new = (dice.choice(["true", "false"]) for _ in range(2))
            x, y = dice.choice(SPOTS)
            moved = dice.random() < 0.3
            states = [_state(new, x, y, 1 if moved else 0), _state(old, x, y)]
            return "D/" + join([unit, *states][: 2 if dice.random() < 0.3 else 3], "/")
        if kind == "remove" and dice.random() < 0.6:
            # No stacks: VASSAL loses sight of their members, which players' tables never did.
            removed = dice.choice([unit, unit, "997"])
            if removed == unit and unit not in gone:
                gone.append(unit)
            return f"-/{removed}"
        if kind == "again" and gone:
            # Never one that is there: VASSAL would have two pieces of one id, one of them a ghost.
            unit = gone.pop()
            x, y = dice.choice(SPOTS)
            form, mark = (UNIT, "false") if unit in units else (LOOSE, "")
            name = f"U{unit}" if unit in units else f"L{unit}"
            return _added(unit, form.format(name=name), _state(mark, x, y))
        return move(unit)

    children = [CommandNode(), container(map(CommandNode, start))]
    children += [CommandNode("Main MapBoardPicker\tBoard\t0\t0"), CommandNode("SETUP_STACK\t")]
    children.append(CommandNode("end_save"))
    for _ in range(count):
        first, *rest = any_command().split("\x1b\\LOG\t")
        parts = tuple(CommandNode(f"LOG\t{text}") for text in rest)
        children.append(CommandNode(f"LOG\t{first}", parts))
    return CommandNode("begin_save", tuple(children))


@pytest.mark.parametrize("seed", [1, 2])
def test_logs_of_any_commands_give_the_same_table(
    vassal: Vassal, tiny_module: Path, tmp_path: Path, seed: int
) -> None:
    log = tmp_path / "wild.vlog"
    with zipfile.ZipFile(tiny_module) as archive:
        moduledata = archive.read("moduledata")
    savedata = savedata_xml("1.0", saved_ms=0)
    log.write_bytes(save_bytes(_wild_log(seed, 60), savedata=savedata, moduledata=moduledata))
    run = vassal(tiny_module, walk_script(log), timeout=400)
    tables = engine_tables(run)
    for step, table in zip(replay(read_save(log)), tables, strict=True):
        assert our_table(step) == table, step.number


HERE, THERE = (138, 90), (190, 120)


def _drag(unit: str, to: tuple[int, int], under: str, made: str | None = None) -> str:
    x, y = to
    text = f"M/{unit}/Main Map/{x}/{y}/{under}/Main Map/1/1/null/somebody"
    if made is None:
        return text
    return text + "\x1b\\LOG\t" + _added(made, "stack", f"Main Map;{x};{y};{unit};@@-1")


def _undone_log() -> CommandNode:
    """Two pieces dragged away and back by undo, which makes a stack that no command names.

    Its id, 777 here, stands in the next move all the same: that of the player who undid. Then both
    pieces get a mark, in states that tell, old and new, the place where that player saw them.
    """
    start = [_added(u, UNIT.format(name=f"U{u}"), _state("false", *HERE)) for u in ("101", "102")]
    start.append(_added("301", "stack", f"Main Map;{HERE[0]};{HERE[1]};101;102;@@-1"))
    marks = [
        "D/" + join([u, _state("true", *THERE), _state("false", *THERE)], "/")
        for u in ("101", "102")
    ]
    steps_ = [
        [*_drag("101", THERE, "null", "302").split("\x1b\\LOG\t")],
        [_drag("102", THERE, "101")],
        [_drag("102", HERE, "null")],
        ["-/302", _drag("101", HERE, "null")],
        [_drag("777", THERE, "null")],
        marks,
    ]
    children = [CommandNode(), container(map(CommandNode, start))]
    children += [CommandNode("Main MapBoardPicker\tBoard\t0\t0"), CommandNode("SETUP_STACK\t")]
    children.append(CommandNode("end_save"))
    for first, *rest in steps_:
        parts = tuple(CommandNode(f"LOG\t{text}") for text in rest)
        children.append(CommandNode(f"LOG\t{first}", parts))
    return CommandNode("begin_save", tuple(children))


def test_a_stack_that_an_undo_made_is_not_moved(
    vassal: Vassal, tiny_module: Path, tmp_path: Path
) -> None:
    log = tmp_path / "undone.vlog"
    with zipfile.ZipFile(tiny_module) as archive:
        moduledata = archive.read("moduledata")
    savedata = savedata_xml("1.0", saved_ms=0)
    log.write_bytes(save_bytes(_undone_log(), savedata=savedata, moduledata=moduledata))
    tables = engine_tables(vassal(tiny_module, walk_script(log), timeout=400))
    ours = list(replay(read_save(log)))
    assert [row[:3] for row in tables[-1].values()] == [("Main Map", *HERE)] * 2
    assert "777" in ours[5].problems[0]
    for step, table in zip(replay(read_save(log)), tables, strict=True):
        assert our_table(step) == table, step.number

"""How fast a module is packed when the pictures are ready.

500 double-sided counters, each of four traits and a prototype of five, and a map of 40 by 30 hexes:
to hold, 0.08 s in the median on two cores. The peer pywargame 0.8.0 is timed beside where it can be
imported (it needs Python 3.12).

Run: ``python -m pytest bench/bench_archive.py --benchmark-enable``.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from builder.vassal.archive import read_archive, write_archive
from builder.vassal.buildfile import Component, moduledata_xml, read_buildfile, write_buildfile
from builder.vassal.module_check import check_module, pieces_in
from builder.vassal.pieces import Piece, slot_text
from builder.vassal.traits import (
    BasicPiece,
    Change,
    Constraints,
    Delete,
    DynamicProperty,
    Layer,
    Marker,
    MarkWhenMoved,
    PropertyCommand,
    Prototype,
    ReportAction,
    RestrictedAccess,
    TriggerAction,
)

COUNTERS = 500
_MODULE = "VASSAL.build.module."
_BOARD = _MODULE + "map.boardPicker."


def pictures() -> dict[str, bytes]:
    """Bytes that cannot be packed tighter, as those of real pictures."""
    source = random.Random(1944)
    faces = {
        f"images/u{n}{side}.png": source.randbytes(1500) for n in range(COUNTERS) for side in "fb"
    }
    return faces | {"images/map.png": source.randbytes(2_000_000)}


def prototype() -> Component:
    steps = DynamicProperty(
        name="Steps",
        constraints=Constraints(numeric=True, max=2),
        commands=(
            PropertyCommand("", "<StepDown>", Change("I", "-1")),
            PropertyCommand("", "<StepUp>", Change("I", "1")),
        ),
        value="2",
    )
    traits = (
        ReportAction(keys=("<Report>",), format="DZ: LOSS unit=$Unit$", always=True),
        TriggerAction(command="Lose a step", key="<Loss>", keys=("<StepDown>", "<Report>")),
        steps,
        MarkWhenMoved(image="/images/moved.gif", command="Moved"),
        Delete(command="Eliminate", key="ctrl D"),
    )
    text = slot_text(Piece(traits))
    return Component(_MODULE + "PrototypeDefinition", {"name": "Unit"}, (), text)


def counter(n: int) -> Component:
    side = "German" if n % 2 else "Allied"
    layer = Layer(
        name="Step",
        images=(f"u{n}f.png", f"u{n}b.png"),
        names=("", ""),
        increase_command="Flip",
        increase_key="ctrl F",
    )
    traits = (
        RestrictedAccess(sides=(side, "Solo", "Referee")),
        Marker(properties=(("Unit", f"1/{n}"), ("Side", side), ("Movement", "4"))),
        Prototype(name="Unit"),
        layer,
    )
    piece = Piece(traits, BasicPiece(name=f"1/{n}", gpid=str(n + 1)))
    attributes = {"entryName": f"1/{n}", "gpid": str(n + 1), "width": "60", "height": "60"}
    return Component("VASSAL.build.widget.PieceSlot", attributes, (), slot_text(piece))


def module() -> Component:
    grid = Component(
        _BOARD + "board.HexGrid",
        {"dx": "52.0", "dy": "60.0", "x0": "34", "y0": "30", "sideways": "false"},
        (Component(_BOARD + "board.mapgrid.HexGridNumbering", {"stagger": "false"}),),
    )
    board = Component(_BOARD + "Board", {"name": "Board", "image": "map.png"}, (grid,))
    slots = [counter(n) for n in range(COUNTERS)]
    starts = [
        Component(
            _MODULE + "map.SetupStack",
            {"name": slot.attributes["entryName"], "owningBoard": "Board", "x": "138", "y": "90"},
            (slot,),
        )
        for slot in slots
    ]
    parts = (Component(_MODULE + "map.BoardPicker", {}, (board,)), *starts)
    return Component(
        "VASSAL.build.GameModule",
        {"name": "Bench", "version": "1", "VassalVersion": "3.6.0", "nextPieceSlotId": "501"},
        (
            Component(_MODULE + "PrototypesContainer", {}, (prototype(),)),
            Component(_MODULE + "Map", {"mapName": "Main"}, parts),
        ),
    )


READY = pictures()


def pack(path: Path) -> None:
    members = dict(READY)
    members["buildFile.xml"] = write_buildfile(module())
    members["moduledata"] = moduledata_xml("Bench", "1", saved_ms=0)
    write_archive(path, members)


def test_packing_500_counters(benchmark: Any, tmp_path: Path) -> None:
    path = tmp_path / "bench.vmod"
    benchmark.pedantic(pack, args=(path,), rounds=15, warmup_rounds=2)
    assert len(read_archive(path)) == 2 * COUNTERS + 3


def test_checking_500_counters(benchmark: Any) -> None:
    root, names = module(), {name.removeprefix("images/") for name in READY}
    assert benchmark(check_module, root, names) == []


def test_reading_500_counters(benchmark: Any) -> None:
    data = write_buildfile(module())
    assert benchmark(lambda: sum(1 for _ in pieces_in(read_buildfile(data)))) == COUNTERS + 1


def test_packing_500_counters_by_the_peer(benchmark: Any, tmp_path: Path) -> None:
    vassal = pytest.importorskip("pywargame.vassal", exc_type=(ImportError, SyntaxError))
    benchmark.extra_info["peer"] = getattr(vassal, "__version__", "unknown")

    def pack_by_peer() -> None:
        build = vassal.BuildFile()
        game = build.addGame(name="Bench", version="1", description="")
        steps = vassal.DynamicPropertyTrait(
            ["", "", vassal.DynamicPropertyTrait.INCREMENT, "-1"],
            ["", "", vassal.DynamicPropertyTrait.INCREMENT, "1"],
            name="Steps", value=2, numeric=True, max=2,
        )  # fmt: skip
        unit = [
            vassal.ReportTrait("", report="DZ: LOSS unit=$Unit$"),
            vassal.TriggerTrait(name="", command="Lose a step", key="", actionKeys=[]),
            steps,
            vassal.MovedTrait(name="Moved"),
            vassal.DeleteTrait("Eliminate"),
            vassal.BasicTrait(),
        ]
        game.addPrototypes().addPrototype(name="Unit", traits=unit)
        game_map = game.addMap(mapName="Main")
        board = game_map.addBoardPicker().addBoard(name="Board", image="map.png")
        board.addHexGrid(dx=52, dy=60, x0=34, y0=30)
        for n in range(COUNTERS):
            start = game_map.addAtStart(name=f"1/{n}", owningBoard="Board", x=138, y=90)
            traits = [
                vassal.RestrictAccessTrait(sides=["German", "Solo", "Referee"]),
                vassal.MarkTrait(name="Unit", value=f"1/{n}"),
                vassal.MarkTrait(name="Side", value="German"),
                vassal.MarkTrait(name="Movement", value="4"),
                vassal.PrototypeTrait(name="Unit"),
                vassal.LayerTrait([f"u{n}f.png", f"u{n}b.png"], ["", ""], name="Step"),
                vassal.BasicTrait(name=f"1/{n}", filename="", gpid=n + 1),
            ]
            start.addPieceSlot(entryName=f"1/{n}", traits=traits)
        data = vassal.ModuleData()
        data.addData().addVersion(version="1")
        with vassal.VMod(str(tmp_path / "peer.vmod"), "w") as target:
            target.addFiles(
                **READY, **{"buildFile.xml": build.encode(), "moduledata": data.encode()}
            )

    benchmark.pedantic(pack_by_peer, rounds=5, warmup_rounds=1)

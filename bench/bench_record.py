"""How fast a log is written: 1,500 steps of a game of the main module, from events to the file.

To hold: 1 s for the 1,500 steps, start and file included, on an idle machine.

Run: ``python -m pytest bench/bench_record.py --benchmark-enable``.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from builder.gamebox.events import (
    Changed,
    Event,
    Moved,
    Place,
    PropertyChanged,
    Said,
    Thing,
    TurnChanged,
)
from builder.jobs.build_module import build_module
from builder.vassal.record import Recorder
from builder.vassal.record_start import module_start
from builder.vassal.replay_module import read_module_facts
from builder.vassal.savefile import write_save

ROOT = Path(__file__).parents[1]
STEPS = 1500
UNITS = ("1-I-765", "2-I-765", "148-Recon", "189-Assault", "A-1-517", "B-1-517", "G-3-517")
HEXES = ("1010", "1210", "1511", "1612", "1713", "1812", "2014")


def steps() -> Iterator[tuple[list[Event], bool]]:
    """Of ten steps: five drags, an attack, a join, a loss, a gain, a step of the turn."""
    attack = 0
    for number in range(STEPS):
        unit = UNITS[number // 10 % len(UNITS)]
        thing = Thing(unit, "")
        kind = number % 10
        if kind < 5:
            end = Place(label=HEXES[(number + number // 10) % len(HEXES)])
            yield [Moved(step=0, piece=thing, start=Place(), end=end)], True
            continue
        events: list[Event]
        if kind == 5:
            attack += 1
            told = {"old": str(attack - 1), "new": str(attack), "container": "Module"}
            events = [PropertyChanged(step=0, name="AttackNo", **told)]
        elif kind == 9:
            turn = f"Turn {1 + number // 200} 1st {('MOVE', 'COMBAT')[number // 10 % 2]}"
            events = [TurnChanged(step=0, tracker="Turn", old="", new=turn)]
        else:
            name, value = (
                ("Joined", str(attack)), ("Steps", "1"), ("Steps", "2"),
            )[kind - 6]  # fmt: skip
            events = [Changed(step=0, piece=thing, at=Place(), name=name, old=None, new=value)]
        yield [*events, Said(step=0, words=f"* DZ: LINE n={number}")], False


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dropzone")
    shutil.copytree(ROOT / "mapdata" / "dropzone", folder / "data")
    build_module(folder / "data", folder / "dropzone.vmod")
    return folder / "dropzone.vmod"


def test_a_long_log(benchmark: Any, module: Path) -> None:
    facts = read_module_facts(module)
    start = module_start(module, "", facts)
    told = list(steps())

    def record() -> bytes:
        recorder = Recorder(start, facts)
        for events, dragged in told:
            recorder.step(events, dragged=dragged)
        return write_save(recorder.finish())

    data = benchmark.pedantic(record, rounds=5, warmup_rounds=1)
    benchmark.extra_info["steps"] = STEPS
    benchmark.extra_info["kB"] = round(len(data) / 1000)

"""Every command that reads a foreign file, against thousands of mutated ones.

Each run ends with a documented exit code (0, 1 or 2) and words, never with a traceback, and never
writes beside the place that it was told.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner
from hostile_files import (
    TEXTS,
    mutated_log,
    mutated_module,
    mutated_twin,
    tiny_module,
)

from builder.cli import main
from builder.jobs.show_file import show_text
from builder.vassal.archive import archive_bytes
from builder.vassal.savefile import encoded

BATCH = 25
CODES = {"pack": {0, 1, 2}, "diff": {0, 1, 2}, "lint": {0, 1, 2}}
"""The others tell no mistakes and no differences: they can read a file, or they cannot."""


class Bench:
    """A folder with a good log, a good module and the mutated files of one number."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.members = tiny_module(folder)
        (folder / "good.vlog").write_bytes(archive_bytes({"savedGame": encoded(TEXTS[0])}))
        (folder / "good.vmod").write_bytes(archive_bytes(self.members))
        self.twins = [
            show_text(folder / "good.vlog", with_ids=True),
            show_text(folder / "good.vmod"),
        ]
        self.runner = CliRunner()
        self.codes: set[tuple[str, int]] = set()

    def commands(self, number: int) -> Iterator[list[str]]:
        """Write the files of a number, and give the commands that read them."""
        write = {
            "bad.vlog": mutated_log(number),
            "bad.vmod": mutated_module(number, self.members),
            "bad.txt": mutated_twin(self.twins[number % 2], number),
        }
        for name, data in write.items():
            (self.folder / name).write_bytes(data)
        # Each form of a command comes in turn, so that a number costs 20 ms and not 40.
        turn = [bool(number >> bit & 1) for bit in range(4)]
        if turn[0]:
            yield ["log", *(["good.vlog"] if turn[1] else []), "bad.vlog"]
        else:
            yield ["log", "bad.vlog", "--json", "-m", "bad.vmod" if turn[1] else "good.vmod"]
        if number % 3:
            yield ["stats", *(["good.vlog"] if turn[1] else []), "bad.vlog"]
        else:
            yield ["stats", "bad.vlog", "--html", "out/page.html", "-q", "--typed"]
        output = ["-o", f"out/twin-{number}"] if turn[2] else []
        yield ["show", "bad.vlog" if turn[3] else "bad.vmod", *output]
        yield ["pack", "bad.txt", "-o", "out/packed"]
        yield ["diff", "good.vlog", "bad.vlog"]
        if number % 3 == 0:
            yield ["diff", "bad.vmod", "good.vmod"]
        yield ["lint", "bad.vmod"]

    def check(self, number: int) -> None:
        """Run every command on the files of a number."""
        before: Mapping[str, bytes] | None = None
        for arguments in self.commands(number):
            if before is None:
                before = tree(self.folder)
            result = self.runner.invoke(main, arguments)
            told = f"number {number}: {' '.join(arguments)}"
            if result.exception is not None and not isinstance(result.exception, SystemExit):
                raise AssertionError(told) from result.exception
            assert result.exit_code in CODES.get(arguments[0], {0, 2}), told
            assert "Traceback" not in result.output, told
            if result.exit_code == 2:
                assert result.output.strip(), f"{told}: refused without a word"
                assert len(result.output) < 20_000, told
            self.codes.add((arguments[0], result.exit_code))
        assert tree(self.folder) == before, f"number {number}: a file outside the target"


def tree(folder: Path) -> dict[str, bytes]:
    """Every file of a folder and of the folder above it, but not what is in ``out``."""
    found = {entry.name: b"" for entry in os.scandir(folder.parent)}
    for at, folders, files in os.walk(folder):
        if "out" in folders:
            folders.remove("out")
        found |= {str(Path(at, name)): Path(at, name).read_bytes() for name in files}
    return found


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    folder = tmp_path / "games"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return Bench(folder)


@pytest.mark.parametrize("batch", range(20))
def test_mutated_files_end_in_words_and_an_exit_code(batch: int, bench: Bench) -> None:
    for number in range(batch * BATCH, (batch + 1) * BATCH):
        bench.check(number)
    for command in ("log", "stats", "show", "lint"):
        assert {(command, 0), (command, 2)} <= bench.codes, "some of both, or they are no good"


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(20, 300))
def test_many_mutated_files_end_in_words_and_an_exit_code(batch: int, bench: Bench) -> None:
    for number in range(batch * BATCH, (batch + 1) * BATCH):
        bench.check(number)

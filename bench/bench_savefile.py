"""How fast real logs are read: the typed tree, every piece, and the way back.

The 11 logs of one long game, and a log of 10 MB made from them where they are at hand; else of the
small logs in ``tests/fixtures/logs``. To hold, per MB of ``savedGame``: 25 ms for the typed tree
with piece types on demand, 100 ms with the traits of every piece; memory of at most 12 times the
decoded text; writing as fast as reading. Each figure per MB is in the extra information.

The peer pywargame 0.8.0 needs Python 3.12: it is timed beside if ``HEXWRIGHT_PEER_PYTHON`` names
an interpreter that has it. It is asked for the same thing, the decoded lines of the file, and for
the pieces of the file written back.

Run: ``python -m pytest bench/bench_savefile.py --benchmark-enable``.
"""

from __future__ import annotations

import os
import subprocess
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from builder.vassal import pieces, traits_base
from builder.vassal.archive import archive_bytes
from builder.vassal.command_tree import CommandNode, encode_tree, parse_tree
from builder.vassal.commands import AddPiece, ChangePiece, Command
from builder.vassal.log_steps import initial_commands, steps
from builder.vassal.savefile import decoded, encoded, read_save

ROOT = Path(__file__).parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
LONG_BYTES = 10_000_000


def sources() -> list[Path]:
    found = sorted(CORPUS.glob("tld-*.log")) if CORPUS.is_dir() else []
    return found or sorted((ROOT / "tests" / "fixtures" / "logs").glob("*.vlog"))


def long_log() -> bytes:
    """The ``savedGame`` of one log: the first set-up, then steps of all, again and again."""
    trees = [parse_tree(read_save(path).text) for path in sources()]
    entries = [c for tree in trees for c in tree.children if c.text.startswith("LOG\t")]
    children = list(trees[0].children)
    size = 2 * len(encode_tree(trees[0]))
    while size < LONG_BYTES:
        for entry in entries:
            children.append(entry)
            size += 2 * (len(encode_tree(entry)) + 1)
            if size >= LONG_BYTES:
                break
    return encoded(encode_tree(CommandNode(trees[0].text, tuple(children))))


@pytest.fixture(scope="module", params=["as played", "10 MB"])
def games(request: pytest.FixtureRequest) -> list[bytes]:
    if not sources():
        pytest.skip("no logs are at hand")
    if request.param == "10 MB":
        return [long_log()]
    return [encoded(read_save(path).text) for path in sources()]


def forget() -> None:
    """Start as a new process does, with no type decoded."""
    pieces._decode_type.cache_clear()
    traits_base.parse_type.cache_clear()


def measure(benchmark: Any, games: list[bytes], work: Callable[[bytes], object]) -> None:
    def all_of_them() -> None:
        for game in games:
            work(game)

    benchmark.pedantic(all_of_them, setup=forget, rounds=5, warmup_rounds=1)
    megabytes = sum(map(len, games)) / 1e6
    benchmark.extra_info["MB of savedGame"] = round(megabytes, 2)
    benchmark.extra_info["ms per MB"] = round(benchmark.stats["min"] * 1000 / megabytes, 2)


def typed(game: bytes) -> list[Command]:
    tree = parse_tree(decoded(game)[0])
    return [*initial_commands(tree), *(c for step in steps(tree) for c in step.commands)]


def with_pieces(game: bytes) -> int:
    types: dict[str | None, str] = {}
    count = 0
    for command in typed(game):
        if isinstance(command, AddPiece):
            types[command.id] = command.type
            count += command.piece is not None
        elif isinstance(command, ChangePiece) and command.id in types:
            count += command.piece(types[command.id]) is not None
    return count


def test_decoding_and_the_bare_tree(benchmark: Any, games: list[bytes]) -> None:
    measure(benchmark, games, lambda game: parse_tree(decoded(game)[0]))


def test_the_typed_tree(benchmark: Any, games: list[bytes]) -> None:
    measure(benchmark, games, typed)


def test_every_piece_with_its_traits(benchmark: Any, games: list[bytes]) -> None:
    measure(benchmark, games, with_pieces)


def test_writing(benchmark: Any, games: list[bytes]) -> None:
    trees = {id(game): parse_tree(decoded(game)[0]) for game in games}
    measure(benchmark, games, lambda game: encoded(encode_tree(trees[id(game)])))


def test_the_memory_of_the_typed_tree(benchmark: Any, games: list[bytes]) -> None:
    peaks = []
    for game in games:
        length = len(decoded(game)[0].encode())
        tracemalloc.start()
        with_pieces(game)
        peaks.append(tracemalloc.get_traced_memory()[1] / length)
        tracemalloc.stop()
    benchmark.extra_info["peak by decoded text"] = round(max(peaks), 2)
    assert max(peaks) <= 12
    benchmark.pedantic(lambda: None, rounds=1)


PEER = """
import sys, time, pywargame.vassal as vassal
start = time.perf_counter()
key, lines, *rest = vassal.SaveIO.readSave(sys.argv[1], alsometa=False)
print(time.perf_counter() - start, len(lines))
"""


def test_the_peer(benchmark: Any, games: list[bytes], tmp_path: Path) -> None:
    python = os.environ.get("HEXWRIGHT_PEER_PYTHON")
    if not python:
        pytest.skip("HEXWRIGHT_PEER_PYTHON names no interpreter with pywargame")
    seconds, lines = 0.0, 0
    for index, game in enumerate(games):
        path = tmp_path / f"{index}.vsav"
        path.write_bytes(archive_bytes({"savedGame": game}))
        result = subprocess.run(
            [python, "-c", PEER, str(path)], check=False, capture_output=True, text=True
        )
        if result.returncode:
            pytest.skip(f"the peer failed: {result.stderr.strip().splitlines()[-1]}")
        taken, count = result.stdout.split()
        seconds, lines = seconds + float(taken), lines + int(count)
    megabytes = sum(map(len, games)) / 1e6
    benchmark.extra_info["ms per MB of the peer"] = round(seconds * 1000 / megabytes, 2)
    benchmark.extra_info["lines of the peer"] = lines
    benchmark.pedantic(lambda: [typed(game) for game in games], setup=forget, rounds=3)

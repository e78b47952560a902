"""How fast real logs are read: the typed tree, every piece, and the way back.

The 11 logs of one long game, and a log of 10 MB made from them where they are at hand; else of the
small logs in ``tests/fixtures/logs``. To hold, per MB of ``savedGame``: 25 ms for the typed tree
with piece types on demand, 100 ms with the traits of every piece; memory of at most 12 times the
decoded text; writing as fast as reading. Times are processor times, the least of several rounds:
they hold on a machine that does something else as well. The figures are shown below the table.

The peer pywargame 0.8.0 needs Python 3.12: it is timed beside if ``HEXWRIGHT_PEER_PYTHON`` names
an interpreter that has it. It does on the same files what it can: the commands as
texts, the traits of the pieces among them, and both written back. To hold: 20 times its speed at
the same work, the commands read and written, and no piece changed. It neither nests nor types the
commands, and cuts traits into tokens only: what we do beyond that is told beside.

Run: ``python -m pytest bench/bench_savefile.py --benchmark-enable``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

from builder.vassal import pieces, traits_base
from builder.vassal.archive import archive_bytes, read_archive
from builder.vassal.command_tree import ESC, CommandNode, encode_tree, parse_tree, walk
from builder.vassal.commands import AddPiece, ChangePiece, Command, decode_command
from builder.vassal.log_steps import initial_commands, steps
from builder.vassal.pieces import Deck, Piece, Stack, encode_piece
from builder.vassal.savefile import decoded, encoded, read_save

ROOT = Path(__file__).parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
LONG_BYTES = 10_000_000
PEER = Path(__file__).with_name("peer_pywargame.py")
Note = Callable[[str, float], None]

pytestmark = pytest.mark.benchmark(timer=time.process_time)


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


def each_anew(games: list[bytes], work: Callable[[bytes], object]) -> None:
    """Do the work for each game as if it were the only one."""
    for game in games:
        forget()
        work(game)


def measure(
    benchmark: Any, figure: Note, games: list[bytes], work: Callable[[bytes], object]
) -> float:
    """Time the work on all games; note and return milliseconds per MB of ``savedGame``."""

    benchmark.pedantic(lambda: each_anew(games, work), rounds=7, warmup_rounds=1)
    megabytes = sum(map(len, games)) / 1e6
    if not benchmark.stats:
        return 0.0
    per_megabyte: float = benchmark.stats["min"] * 1000 / megabytes
    benchmark.extra_info["MB of savedGame"] = round(megabytes, 2)
    benchmark.extra_info["ms per MB"] = round(per_megabyte, 2)
    figure("ms per MB", per_megabyte)
    return per_megabyte


def typed(game: bytes) -> list[Command]:
    tree = parse_tree(decoded(game)[0])
    return [*initial_commands(tree), *(c for step in steps(tree) for c in step.commands)]


def with_pieces(game: bytes) -> list[Piece | Stack | Deck]:
    """Return every piece that a game tells of, each time that it is told, with all its traits."""
    types: dict[str | None, str] = {}
    found = []
    for command in typed(game):
        if isinstance(command, AddPiece):
            types[command.id] = command.type
            found.append(command.piece)
        elif isinstance(command, ChangePiece) and command.id in types:
            found.append(command.piece(types[command.id]))
    return found


def test_decoding_and_the_bare_tree(benchmark: Any, figure: Note, games: list[bytes]) -> None:
    measure(benchmark, figure, games, lambda game: parse_tree(decoded(game)[0]))


def test_the_typed_tree(benchmark: Any, figure: Note, games: list[bytes]) -> None:
    measure(benchmark, figure, games, typed)


def test_every_piece_with_its_traits(benchmark: Any, figure: Note, games: list[bytes]) -> None:
    measure(benchmark, figure, games, with_pieces)


def test_writing(benchmark: Any, figure: Note, games: list[bytes]) -> None:
    """To hold: at most the time that reading the same into the bare tree takes."""
    trees = {game: parse_tree(decoded(game)[0]) for game in games}
    measure(benchmark, figure, games, lambda game: encoded(encode_tree(trees[game])))
    writing = least_seconds(games, lambda game: encoded(encode_tree(trees[game])))
    reading = least_seconds(games, lambda game: parse_tree(decoded(game)[0]))
    figure("time of writing by time of reading", writing / reading)


def least_seconds(games: list[bytes], work: Callable[[bytes], object]) -> float:
    """Return the processor time of the work on all games, the least of some rounds."""
    seconds = []
    for _ in range(7):
        start = time.process_time()
        each_anew(games, work)
        seconds.append(time.process_time() - start)
    return min(seconds)


def test_the_memory_of_all_pieces(benchmark: Any, figure: Note, games: list[bytes]) -> None:
    """What Python itself allocates at most, while the file, its tree and all pieces are held."""
    peaks = []
    for game in games:
        length = len(decoded(game)[0].encode())
        forget()
        tracemalloc.start()
        with_pieces(game)
        peaks.append(tracemalloc.get_traced_memory()[1] / length)
        tracemalloc.stop()
    figure("peak by decoded text", max(peaks))
    assert max(peaks) <= 12
    benchmark.pedantic(lambda: None, rounds=1)


GROWTH = """
import re, sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
import bench_savefile

def peak():
    return int(re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())[1])

game = Path(sys.argv[1]).read_bytes()
bench_savefile.with_pieces(bench_savefile.encoded("begin_save"))
before = peak()
bench_savefile.with_pieces(game)
print((peak() - before) * 1024)
"""


def test_the_memory_of_the_process(
    benchmark: Any, figure: Note, games: list[bytes], tmp_path: Path
) -> None:
    """How much a process of its own grows at most by one file, by the operating system's count."""
    # What ``resource`` tells of a child begins with the size of its parent.
    if not Path("/proc/self/status").exists():
        pytest.skip("this system does not tell the peak of a process")
    path = tmp_path / "savedGame"
    growths = []
    for game in games:
        path.write_bytes(game)
        command = [sys.executable, "-c", GROWTH, str(path), str(ROOT), str(Path(__file__).parent)]
        result = subprocess.run(command, check=True, capture_output=True, text=True)
        growths.append(int(result.stdout) / len(decoded(game)[0].encode()))
    figure("growth by decoded text", max(growths))
    assert max(growths) <= 12
    benchmark.pedantic(lambda: None, rounds=1)


def written_back(game: bytes) -> tuple[bytes, int]:
    """Read and write every piece that stands in a command of its own outside of log entries.

    Returns the file, and the number of these pieces whose text is another one afterwards.
    """
    text, coding, key = decoded(game)
    root = parse_tree(text)
    changed = 0
    for node in walk(root):
        if node.text.startswith(AddPiece.prefix):
            command = decode_command(node.text)
            assert isinstance(command, AddPiece)
            changed += again(command) != (command.type, command.state)
    return encoded(encode_tree(root), coding, key), changed


def again(command: AddPiece) -> tuple[str, str]:
    piece = command.piece
    if isinstance(piece, Piece):
        return encode_piece(piece)
    if isinstance(piece, Deck):
        return piece.type_string(), piece.state_string()
    return command.type, piece.state_string()


def other_commands(before: bytes, after: bytes) -> int:
    """Return how many commands of a file are not the same, with the same level, in another."""
    pairs = zip_longest(decoded(before)[0].split(ESC), decoded(after)[0].split(ESC))
    return sum(a != b for a, b in pairs)


def run_peer(python: str, game: bytes, folder: Path) -> tuple[dict[str, float], bytes]:
    """Return what the peer measured, and the ``savedGame`` that it wrote."""
    source, target = folder / "in.vsav", folder / "out.vsav"
    source.write_bytes(archive_bytes({"savedGame": game}))
    command = [python, str(PEER), str(source), str(target)]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    if result.returncode:
        pytest.skip(f"the peer failed: {result.stderr.strip().splitlines()[-1]}")
    return json.loads(result.stderr.splitlines()[-1]), read_archive(target)["savedGame"]


def test_the_peer(benchmark: Any, figure: Note, games: list[bytes], tmp_path: Path) -> None:
    """To hold: 20 times its speed from file to commands and back; nothing changed by us."""
    python = os.environ.get("HEXWRIGHT_PEER_PYTHON")
    if not python:
        pytest.skip("HEXWRIGHT_PEER_PYTHON names no interpreter with pywargame")
    theirs: Counter[str] = Counter()
    for game in games:
        found, written = run_peer(python, game, tmp_path)
        theirs.update(found)
        theirs["commands"] += other_commands(game, written)
        ours, changed = written_back(game)
        assert changed == 0
        assert ours == game
    trees = {game: parse_tree(decoded(game)[0]) for game in games}
    reading = least_seconds(games, lambda game: parse_tree(decoded(game)[0]))
    writing = least_seconds(games, lambda game: encoded(encode_tree(trees[game])))
    benchmark.pedantic(lambda: each_anew(games, typed), rounds=7, warmup_rounds=1)
    per_megabyte = 1000 / (sum(map(len, games)) / 1e6)
    for name in ("read", "decode", "encode", "write"):
        figure(f"peer: {name}, ms per MB", theirs[name] * per_megabyte)
    figure("peer by us: commands read", theirs["read"] / reading)
    figure("peer by us: read, ours typed", theirs["read"] / least_seconds(games, typed))
    figure("peer by us: commands written", theirs["write"] / writing)
    figure("peer by us: read and written", (theirs["read"] + theirs["write"]) / (reading + writing))
    figure(
        "peer by us: all four, ours every field",
        sum(theirs[name] for name in ("read", "decode", "encode", "write"))
        / least_seconds(games, written_back),
    )
    figure("peer: pieces", theirs["pieces"])
    figure("peer: pieces that it cannot read", theirs["failed"])
    figure("peer: pieces of another text", theirs["changed"])
    figure("peer: commands of another text or level", theirs["commands"])

"""The text twin of a large save: shown in at most 3 s, packed again, and a module's twin.

The save is the largest of the corpus, 66,439 commands in 8 MB of text; where it is not at hand,
one of as many commands is made up.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from builder.vassal.savefile import obfuscated
from builder.vassal.twin import make_twin
from builder.vassal.twin_packing import pack_twin

CORPUS = Path(__file__).parents[2] / "shared" / "corpus"
PIECE = (
    "+/{0}/mark;Side\tlabel;76,130;Label;12;;0,0,0;t;0;c;0;b;c;$pieceName$;Dialog;0;0;;;\\\t"
    "piece;;;unit{1}.png;Unit {1}/German\tnote {0}\\\tMain Map;{0};{1};{1};1;UniqueID;{0}"
)


@pytest.fixture(scope="module")
def large() -> bytes:
    """A save of 66,000 commands, most of them empty stacks."""
    path = CORPUS / "ccn-A301.vsav"
    if path.exists():
        return path.read_bytes()
    commands = [PIECE.format(at, at % 97) for at in range(1000)]
    commands += [f"+/{at}/stack/Main Map;{at};{at}" for at in range(1000, 66_000)]
    return obfuscated("\x1b".join(["begin_save", *commands, "PLAYER\tsecret\tA\tB", "end_save"]))


def test_show(benchmark: Any, large: bytes) -> None:
    twin = benchmark.pedantic(lambda: make_twin(large), rounds=5, warmup_rounds=1)
    print(f"\n{twin.text.count(chr(10))} lines (to hold: 3 s)")


def test_show_with_ids(benchmark: Any, large: bytes) -> None:
    benchmark.pedantic(lambda: make_twin(large, with_ids=True), rounds=3, warmup_rounds=1)


def test_pack(benchmark: Any, large: bytes) -> None:
    files = make_twin(large, with_ids=True).all_files()
    benchmark.pedantic(lambda: pack_twin(files, "twin"), rounds=3, warmup_rounds=1)

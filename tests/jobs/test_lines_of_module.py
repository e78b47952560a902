"""Module and grammar say the same: every line that the built module can write is one of ours."""

from __future__ import annotations

import html
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from builder.gamebox.lines import Grammar, Line, LineKey, open_lines, parse_line
from builder.gamebox.model import Game
from builder.gamebox.open import open_game
from builder.jobs.build_module import build_module
from builder.problems import ProblemLog

ROOT = Path(__file__).resolve().parents[2]
DROPZONE = ROOT / "mapdata" / "dropzone"


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    found = open_lines(DROPZONE, ProblemLog())
    assert found is not None
    return found


@pytest.fixture(scope="module")
def game() -> Game:
    return open_game(DROPZONE)


@pytest.fixture(scope="module")
def formats(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """Every report format with our prefix in the build file, each once."""
    path = tmp_path_factory.mktemp("module") / "dropzone.vmod"
    build_module(DROPZONE, path)
    with zipfile.ZipFile(path) as archive:
        text = html.unescape(archive.read("buildFile.xml").decode("utf-8")).replace("\\", "")
    found = re.findall(r"DZ: [A-Z]+(?: [a-z]+=[^\s;\"]+)*", text)
    return tuple(dict.fromkeys(found))


def _sample(key: LineKey | None) -> str:
    """Some value that the key may have."""
    if key is None:
        return "x"
    match key.kind:
        case "integer":
            return str(key.minimum or 0)
        case "hex" | "place":
            return "0101"
        case "choice":
            return key.choices[0]
        case "word" | "rest":
            return "x"


def _filled(format_: str, grammar: Grammar) -> str:
    """A report format with a value for every ``$Property$``; what is written out stays."""
    head, pairs = format_.split(" ")[:2], format_.split(" ")[2:]
    verb = grammar.verbs.get(head[1])
    filled = []
    for pair in pairs:
        name, _, value = pair.partition("=")
        key = verb.keys.get(name) if verb else None
        filled.append(f"{name}={_sample(key) if value.startswith('$') else value}")
    return " ".join([*head, *filled])


def test_every_report_of_the_module_is_a_line(formats: tuple[str, ...], grammar: Grammar) -> None:
    plain = [f for f in formats if not f.startswith("DZ: PHASE")]  # an expression: below
    assert len(plain) > 20
    for format_ in plain:
        line = parse_line("* " + _filled(format_, grammar), grammar)
        assert isinstance(line, Line), (format_, line)
        assert line.unknown == {}, format_


def test_the_turn_tracker_writes_all_keys_and_steps_of_a_phase(
    game: Game, grammar: Grammar
) -> None:
    tracker = game.module.tracker
    assert tracker is not None
    verb = grammar.verbs["PHASE"]
    literals = re.findall(r'"([^"]*)"', tracker.report)
    assert literals[0].startswith("DZ: PHASE ")
    written = [t.split()[-1][:-1] for t in literals if t.endswith("=")]
    assert written == list(verb.keys)
    # a word of the inner list is the step, after its ordinal; the first and last are spelt out
    words = [w.split()[1] for w in tracker.level[1].list if " " in w]
    spelt = [t for t in literals if re.fullmatch(r"[A-Z]{2,}", t)]
    assert {*words, *spelt} == set(verb.keys["step"].choices)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _texts(inner)


def _writers(game: Game) -> dict[str, set[str]]:
    """Verb to what in the game's data writes it, in the words of ``lines.toml``."""
    sources: dict[str, list[str]] = {
        **{f"prototype {p.name}": list(_texts(list(p.traits))) for p in game.prototypes},
        **{f"piece {n}": list(_texts(list(p.traits))) for n, p in game.pieces.items()},
        **{f"button {b.name}": [b.report] for b in game.module.button},
        "tracker": [game.module.tracker.report if game.module.tracker else ""],
        "unmove": [game.module.unmove_report],
    }
    writers: dict[str, set[str]] = {}
    for writer, texts in sources.items():
        for text in texts:
            for verb in re.findall(r"DZ: ([A-Z]+)", text):
                writers.setdefault(verb, set()).add(writer)
    return writers


def test_every_verb_is_written_by_what_the_grammar_names(game: Game, grammar: Grammar) -> None:
    named = {v.name: set(v.writers) for v in grammar.verbs.values() if v.writers}
    assert _writers(game) == named
    assert {v.name for v in grammar.verbs.values()} - set(named) == {"RULING", "RESULT"}

"""The recorded logs of Drop Zone, read without the engine: every line parses as it was meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from dropzone_recordings import RECORDINGS, SECRET, SECRET_UNITS, Recording
from line_checks import differences
from vlog_text import chat_texts, log_steps, plain_text

from builder.gamebox.lines import Grammar, Line, open_lines, parse_line
from builder.problems import ProblemLog

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    found = open_lines(ROOT / "mapdata" / "dropzone", ProblemLog())
    assert found is not None
    return found


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda r: r.name)
def test_every_recorded_line_is_read_as_meant(recording: Recording, grammar: Grammar) -> None:
    assert differences(recording, chat_texts(recording.path), grammar) == []


def test_every_verb_of_the_grammar_is_recorded(grammar: Grammar) -> None:
    recorded = set()
    for recording in RECORDINGS:
        for text in chat_texts(recording.path):
            line = parse_line(text, grammar)
            if isinstance(line, Line):
                recorded.add(line.verb)
    assert recorded == set(grammar.verbs)


def test_an_undone_line_is_repeated_in_chat_and_is_no_line(grammar: Grammar) -> None:
    undone = [t for t in chat_texts(SECRET.path) if "UNDO" in t]
    assert len(undone) == 2
    assert all("DZ: " in t for t in undone)
    assert [parse_line(t, grammar) for t in undone] == [None, None]


def test_the_secret_log_names_no_hidden_unit_before_its_reveal() -> None:
    chat = chat_texts(SECRET.path)
    (reveal,) = [i for i, text in enumerate(chat) if "DZ: REVEAL" in text]
    said = "\n".join(chat[:reveal] + chat[reveal + 1 :])
    assert "H1" in said
    for secret in (*SECRET_UNITS, "D-2-517", "A-509", "C-6Para", "AA-", "PFAB", "INDIRECT"):
        assert secret not in said


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda r: r.name)
def test_a_log_is_a_saved_game_and_steps(recording: Recording) -> None:
    assert plain_text(recording.path).startswith("begin_save")
    steps = log_steps(recording.path)
    assert len(steps) >= len([t for t in chat_texts(recording.path) if "DZ: " in t]) / 2
    moves = [c for s in steps for c in s if c.startswith("M/")]
    assert moves
    assert {m.rsplit("/", 1)[1] for m in moves} == {recording.password}

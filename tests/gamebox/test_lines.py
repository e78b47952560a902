"""The grammar of lines: what is read out of chat, what may be written, and its data."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from strategies_lines import chat_noise, spoken

from builder.gamebox.lines import (
    Grammar,
    Line,
    LineError,
    LineProblem,
    LineValue,
    open_lines,
    parse_line,
    write_line,
)
from builder.problems import ProblemLog

ROOT = Path(__file__).resolve().parents[2]


def _dropzone() -> Grammar:
    log = ProblemLog()
    grammar = open_lines(ROOT / "mapdata" / "dropzone", log)
    assert log.problems == []
    assert grammar is not None
    return grammar


GRAMMAR = _dropzone()


def _read(text: str) -> Line:
    line = parse_line(text, GRAMMAR)
    assert isinstance(line, Line), line
    return line


@pytest.mark.parametrize("mark", ["* ", "*", "** ", " *  ", "*\u00a0"])
def test_the_modules_own_line_follows_a_star(mark: str) -> None:
    line = _read(f"{mark}DZ: JOIN attack=3 unit=H2 hex=1511")
    assert line == Line("DZ", "JOIN", {"attack": 3, "unit": "H2", "hex": "1511"})
    assert line.is_own


@pytest.mark.parametrize("name", ["Bob", "Bob Z", "X> - Y", "", "* DZ:", "a&amp;b"])
@pytest.mark.parametrize("mark", ["&lt;{}&gt; - ", "<{}> - ", "<{}> -", "<{}> - * "])
def test_a_typed_line_has_its_typist_and_is_never_the_modules(name: str, mark: str) -> None:
    line = _read(mark.format(name) + "DZ: ATTACK n=1 target=1612")
    assert line.typist == name.replace("&amp;", "&")
    assert not line.is_own


def test_fingers_may_be_careless_and_modules_may_not() -> None:
    assert _read("<Bob> - dz:  attack  n=1   target=1612 ").verb == "ATTACK"
    assert parse_line("* dz: ATTACK n=1 target=1612", GRAMMAR) is None
    assert isinstance(parse_line("* DZ: attack n=1 target=1612", GRAMMAR), LineProblem)


@pytest.mark.parametrize(
    "text",
    [
        "* UNDO: * DZ: ATTACK n=1 target=1612",
        "<Bob> - UNDO: * DZ: ATTACK n=1 target=1612",
        "* Hidden unit moves 0505 -> 0404",
        "DZ: ATTACK n=1 target=1612",  # neither a star nor a name
        "- DZ: ATTACK n=1 target=1612",
        "* AR: DRIFT unit=s1",
        "* DZX: ATTACK n=1 target=1612",
        "* he said DZ: ATTACK n=1 target=1612",
        "<Bob> - hello <b>DZ</b>: ATTACK n=1",
        "",
        "*",
    ],
)
def test_other_chat_is_none_of_ours(text: str) -> None:
    assert parse_line(text, GRAMMAR) is None


@pytest.mark.parametrize(
    ("tail", "message"),
    [
        ("ATACK n=1 target=1612", "unknown verb 'ATACK'; did you mean 'ATTACK'?"),
        ("", "unknown verb ''"),
        ("ATTACK n=1", "ATTACK: no value of target"),
        ("ATTACK n=1 target=", "ATTACK: no value of target"),
        ("ATTACK n=one target=1612", "n: expected a whole number from 1 up to 999, got 'one'"),
        ("ATTACK n=0 target=1612", "n: expected a whole number from 1 up to 999, got '0'"),
        ("ATTACK n=1 target=LeMuy", "target: expected the number of a hex, got 'LeMuy'"),
        ("ATTACK n=1 target=Le Muy", "expected key=value, got 'Muy'"),
        ("ATTACK n=1 n=2 target=1612", "'n' stands twice"),
        ("ATTACK 1 target=1612", "expected key=value, got '1'"),
        ("LIB objective=x to=GERMAN cause=VACANT", "to: expected one of ALLIED, got 'GERMAN'"),
        ("ATTACK n=1 target=1612\n* DZ: VP turn=1 value=25", "more than one line"),
        ("ATTACK n=1 target=1612 note=" + "x" * 3000, "longer than 2000 characters"),
    ],
)
def test_a_line_that_is_wrong_says_what(tail: str, message: str) -> None:
    problem = parse_line(f"* DZ: {tail}", GRAMMAR)
    assert isinstance(problem, LineProblem)
    assert problem.message.startswith(message)
    if "\n" not in tail and len(tail) < 100 and tail:
        typed = parse_line(f"<Bob> - DZ: {tail}", GRAMMAR)
        assert isinstance(typed, LineProblem)
        assert typed.typist == "Bob"


def test_unknown_keys_are_kept_and_missing_optional_ones_are_absent() -> None:
    line = _read("* DZ: CHIT cmd=KGVS by=draw weather=fair")
    assert line.fields == {"cmd": "KGVS", "by": "draw"}
    assert line.unknown == {"weather": "fair"}


def test_lists_places_and_the_rest() -> None:
    roll = _read("* DZ: ROLL kind=IF side=German attack=1 n=2 faces=miss,airborne")
    assert roll.fields["faces"] == ("miss", "airborne")
    assert _read("* DZ: LOSS unit=x hex=ElimGerman from=2 to=1 cause=IF").fields["hex"] == (
        "ElimGerman"
    )
    ruling = _read("<Bob> - DZ: RULING rule=5.2 text=we both say so, n=1")
    assert ruling.fields == {"rule": "5.2", "text": "we both say so, n=1"}


@given(spoken(GRAMMAR))
def test_what_is_written_is_read_back(case: tuple[str, dict[str, LineValue]]) -> None:
    verb, fields = case
    text = write_line(verb, fields, GRAMMAR)
    assert not set(text) & set("<>&\n")
    for mark, typist in (("* ", None), ("*", None), ("<Bob> - ", "Bob"), ("&lt;Al&gt; - ", "Al")):
        assert parse_line(mark + text, GRAMMAR) == Line("DZ", verb, fields, {}, typist)
    assert parse_line(f"* UNDO: * {text}", GRAMMAR) is None


@given(chat_noise())
@example("* DZ: RULING text=")
@example("<" * 3000 + "> - DZ: ")
def test_no_chat_upsets_the_reader(text: str) -> None:
    found = parse_line(text, GRAMMAR)
    if isinstance(found, Line) and found.is_own:
        assert re.match(r"[ \t\u00a0\u2007\u202f]*\*{1,2}", text)


@pytest.mark.parametrize(
    ("verb", "fields"),
    [
        ("ATACK", {}),
        ("ATTACK", {"n": 1}),
        ("ATTACK", {"n": 1, "target": "1612", "by": "x"}),
        ("ATTACK", {"n": "1", "target": "1612"}),
        ("ATTACK", {"n": 1, "target": "Le Muy"}),
        ("JOIN", {"attack": 1, "unit": "", "hex": "1612"}),
        ("JOIN", {"attack": 1, "unit": "a b", "hex": "1612"}),
        ("JOIN", {"attack": 1, "unit": "<b>", "hex": "1612"}),
        ("JOIN", {"attack": 1, "unit": "a&lt;", "hex": "1612"}),
        ("JOIN", {"attack": 1, "unit": "a\nb", "hex": "1612"}),
        ("ROLL", {"kind": "IF", "side": "German", "n": 2, "faces": ("a,b",)}),
        ("ROLL", {"kind": "IF", "side": "German", "n": 2, "faces": ()}),
        ("RULING", {"rule": "5", "text": " blanks around "}),
        ("RULING", {"rule": "5", "text": "two\nlines"}),
    ],
)
def test_what_the_chat_would_spoil_is_not_written(verb: str, fields: dict[str, LineValue]) -> None:
    with pytest.raises(LineError):
        write_line(verb, fields, GRAMMAR)


# --------------------------------------------------------------------------------- lines.toml


def _problems(folder: Path, text: str) -> list[str]:
    (folder / "lines.toml").write_text(text, encoding="utf-8")
    log = ProblemLog()
    open_lines(folder, log)
    return [str(p) for p in sorted(log.problems)]


def test_a_game_without_lines_has_no_grammar(tmp_path: Path) -> None:
    log = ProblemLog()
    assert open_lines(tmp_path, log) is None
    assert log.problems == []


def test_every_mistake_of_the_data_is_told_with_its_place(tmp_path: Path) -> None:
    text = """prefix = "dz"
hex = "[0-9"

[verb.roll]
help = "x"
trust = "needs_dice"
writers = ["prototype", "tracker"]
key.N = { type = "integer", min = 3, max = 1 }
key.kind = { type = "choice" }
key.a = { min = 1 }
key.b = { type = "choice", choices = ["a b"] }
key.c = { type = "rest" }
key.d = { choices = ["x"] }

[verb.RULING]
help = "x"
trust = "typed_by_both"
writers = ["tracker"]
"""
    assert _problems(tmp_path, text) == [
        "lines.toml:1:1: prefix: expected capitals and digits, got 'dz'",
        "lines.toml:2:1: hex: not a pattern: unterminated character set at position 0",
        "lines.toml:4:1: evidence: say what bears the line out, as it is needs_dice",
        "lines.toml:4:1: expected a verb in capitals, got 'roll'",
        "lines.toml:7:12: writers: expected prototype NAME, piece LAYOUT, button NAME, tracker "
        "or unmove, got 'prototype'",
        "lines.toml:8:1: expected a key in small letters, got 'N'",
        "lines.toml:8:29: min is above max",
        "lines.toml:9:1: choices: a choice has them, and nothing else does",
        "lines.toml:10:1: min and max are for integers",
        "lines.toml:11:28: choices: 'a b' cannot stand in a line",
        "lines.toml:12:1: the rest of a line is one text and its last key",
        "lines.toml:13:1: choices: a choice has them, and nothing else does",
        "lines.toml:18:1: writers: a line that both sides type has none",
    ]


def test_wrong_words_and_missing_keys_are_told_with_their_place(tmp_path: Path) -> None:
    text = """prefix = "DZ"

[verb.VP]
trust = "sometimes"
key.n = { typ = "integer" }
"""
    assert _problems(tmp_path, text) == [
        "lines.toml:3:1: required key 'help' is missing",
        "lines.toml:4:1: verb.VP.trust: 'sometimes' is not allowed; known: needs_change, "
        "needs_dice, own_or_typed, typed_by_both",
        "lines.toml:5:11: unknown key 'typ'; did you mean 'type'?",
    ]


def test_trust_follows_the_kind_of_the_fact() -> None:
    by_trust: dict[str, set[str]] = {}
    for verb in GRAMMAR.verbs.values():
        by_trust.setdefault(verb.trust, set()).add(verb.name)
    assert by_trust["typed_by_both"] == {"RULING"}
    assert by_trust["needs_dice"] == {"ROLL", "DROP"}
    assert by_trust["needs_change"] >= {"LOSS", "GAIN", "REVEAL", "LIB", "GARRISON"}
    assert by_trust["own_or_typed"] >= {"PHASE", "ATTACK", "JOIN", "LEAVE", "ASSET"}


@given(st.sampled_from(sorted(GRAMMAR.verbs)))
def test_every_verb_is_explained(name: str) -> None:
    assert GRAMMAR.verbs[name].help.endswith(".")

"""Every real save and log is read and written back to the same text; skipped where absent.

Counts are those of the corpus's own table, made by another program.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from builder.vassal.command_tree import encode_tree, parse_tree, walk
from builder.vassal.commands import Command, Log, Opaque, Player, decode_command
from builder.vassal.log_steps import initial_commands, steps
from builder.vassal.savefile import Coding, Kind, read_save, write_save

SHARED = Path(__file__).parents[3] / "shared"
FIXTURES = Path(__file__).parents[1] / "fixtures" / "logs"
SAVES = sorted(
    path
    for folder in (SHARED / "corpus", SHARED / "vassal-engine" / "samples", FIXTURES)
    if folder.is_dir()
    for path in folder.iterdir()
    if path.suffix in (".vsav", ".sav", ".vlog", ".log")
)
OF_A_MODULE = {"bd", "INFO", "CHECK"}
"""Commands of VASL's own classes, and the version checks of VASSAL 2."""

pytestmark = pytest.mark.skipif(not SAVES, reason="no real saves are at hand")


def table() -> dict[str, tuple[int, ...]]:
    """File name to top, all, steps, log."""
    readme = SHARED / "corpus" / "README.md"
    lines = readme.read_text(encoding="utf-8").splitlines() if readme.is_file() else []
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[0]: tuple(map(int, row[5:9])) for row in rows if len(row) > 8 and row[1].isdigit()}


COUNTS = table()


@pytest.mark.parametrize("path", SAVES, ids=lambda path: path.name)
def test_a_real_file_is_written_as_it_came(path: Path) -> None:
    save = read_save(path)
    tree = parse_tree(save.text)
    assert tree.is_canonical
    assert encode_tree(tree) == save.text
    written = write_save(save)
    assert read_save(written) == save
    if save.kind is Kind.BARE:
        assert written == path.read_bytes()
        return
    with zipfile.ZipFile(path) as before:
        stamps = {entry.filename: entry.date_time for entry in before.infolist()}
        members = {name: before.read(name) for name in before.namelist()}
    assert {note.name: note.date for note in save.notes} == stamps
    assert dict(save.members) == {n: d for n, d in members.items() if n != "savedGame"}


@pytest.mark.parametrize("path", SAVES, ids=lambda path: path.name)
def test_every_command_of_a_real_file_is_known_and_in_vassals_form(path: Path) -> None:
    for node in walk(parse_tree(read_save(path).text)):
        command: Command = node.command
        if isinstance(command, Log):
            assert command.encode() == node.text
            command = command.command
        assert command.canonical().encode() == command.encode()
        assert decode_command(command.encode()) == command
        if isinstance(command, Opaque):
            assert command.verb in OF_A_MODULE
            assert not command.problem


@pytest.mark.parametrize("name", COUNTS)
def test_the_counts_are_those_of_the_corpus(name: str) -> None:
    tree = parse_tree(read_save(SHARED / "corpus" / name).text)
    nodes = list(walk(tree))
    logged = [node for node in nodes if node.text.startswith("LOG\t")]
    found = steps(tree)
    assert (1 + len(tree.children), len(nodes), len(found), len(logged)) == COUNTS[name]
    assert [step.number for step in found] == list(range(1, len(found) + 1))
    outside = len(initial_commands(tree))
    assert outside + sum(len(step.commands) for step in found) == len(nodes)


def test_the_corpus_is_whole() -> None:
    if not COUNTS:
        pytest.skip("the corpus of real files is not at hand")
    assert len(COUNTS) == 47


def test_forms_of_the_corpus() -> None:
    if not COUNTS:
        pytest.skip("the corpus of real files is not at hand")
    forms = {
        name: (save.kind, save.coding)
        for name in ("tld-scenario_5.sav", "vassal-tour.log", "tld-0606-1.log")
        for save in [read_save(SHARED / "corpus" / name)]
    }
    assert forms == {
        "tld-scenario_5.sav": (Kind.BARE, Coding.PLAIN),
        "vassal-tour.log": (Kind.ZIP, Coding.PLAIN),
        "tld-0606-1.log": (Kind.ZIP, Coding.VCSK),
    }
    assert read_save(SHARED / "corpus" / "tld-scenario_5.sav").ending == "\n"


@pytest.mark.parametrize("path", SAVES, ids=lambda path: path.name)
def test_no_id_of_a_real_file_is_shown(path: Path) -> None:
    save = read_save(path)
    commands = initial_commands(save)
    secrets = {c.id.reveal() for c in commands if isinstance(c, Player) and len(c.id.reveal()) > 5}
    shown = repr(save) + "".join(
        repr(command)
        for command in [*commands, *(c for step in steps(save) for c in step.commands)]
        # Chat is what players said, and a name may be part of it.
        if type(command).__name__ not in ("Chat", "MutableProperty", "GlobalProperty")
    )
    assert not [secret for secret in secrets if secret in shown]

"""Real saves, logs and modules decode and encode to the same text; skipped where absent."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from builder.vassal.archive import buildfile_name, read_archive
from builder.vassal.buildfile import read_buildfile, walk, write_buildfile
from builder.vassal.decks import Deck
from builder.vassal.pieces import Piece, Stack, decode, encode_piece, parse_slot, slot_text
from builder.vassal.sequence import split
from builder.vassal.traits import Opaque, Trait

SHARED = Path(__file__).parents[3] / "shared"
SAVES = sorted(
    path
    for folder in (SHARED / "corpus", SHARED / "vassal-engine" / "samples")
    if folder.is_dir()
    for path in folder.iterdir()
    if path.suffix in (".vsav", ".sav", ".vlog", ".log")
)
MODULES = sorted((SHARED / "vassal-engine" / "samples").glob("*.vmod"))
pytestmark = pytest.mark.skipif(not SAVES, reason="the corpus of real files is not at hand")


def plain_text(path: Path) -> str:
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            data = archive.read("savedGame")
    else:
        data = path.read_bytes()
    if data.startswith(b"!VCSK"):
        key, *rest = bytes.fromhex(data[5:].decode("ascii"))
        data = bytes(byte ^ key for byte in rest)
    return data.decode("utf-8").rstrip("\n")


def commands(text: str) -> Iterator[str]:
    tokens = split(text, "\x1b")
    if tokens == [text]:
        yield text
        return
    for token in tokens:
        yield from commands(token)


def encoded(thing: Piece | Stack | Deck) -> tuple[str, str]:
    if isinstance(thing, Piece):
        return encode_piece(thing)
    if isinstance(thing, Stack):
        return "stack", thing.state_string()
    return thing.type_string(), thing.state_string()


CHECKED: set[tuple[str, str]] = set()


def check_traits(traits: tuple[Trait, ...]) -> None:
    for trait in traits:
        texts = (trait.type_string(), trait.state_string())
        if isinstance(trait, Opaque) or texts in CHECKED:
            continue
        CHECKED.add(texts)
        again = Trait.parse(trait.canonical().type_string("99"), trait.canonical().state_string())
        assert again == trait


@pytest.mark.parametrize("path", SAVES, ids=lambda path: path.name)
def test_every_piece_of_a_save_keeps_its_text(path: Path) -> None:
    types: dict[str, str] = {}
    seen = 0
    for command in commands(plain_text(path)):
        command = command.removeprefix("LOG\t")
        if command.startswith("+/"):
            ident, type_text, state = split(command[2:], "/")[:3]
            types[ident] = type_text
            states = [state]
        elif command.startswith("D/"):
            ident, *states = split(command[2:], "/")
        else:
            continue
        for state in states:
            if ident not in types:
                continue
            thing = decode(types[ident], state)
            assert encoded(thing) == (types[ident], state)
            seen += 1
            if isinstance(thing, Piece):
                check_traits(thing.parts())
            elif isinstance(thing, Deck):
                check_traits((thing,))
    assert seen or path.stat().st_size < 3000


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_every_definition_of_a_module_keeps_its_text(path: Path) -> None:
    members = read_archive(path)
    root = read_buildfile(members[buildfile_name(members)])
    assert read_buildfile(write_buildfile(root)) == root
    slots = [c for c, _ in walk(root) if c.text.startswith("+/")]
    assert slots
    for slot in slots:
        piece = parse_slot(slot.text)
        assert slot_text(piece) == slot.text
        check_traits(piece.parts())


def _one_code(text: str) -> str:
    """Named keys carry whatever code the engine allotted; we write one for all."""
    return re.sub(r"\b57[3-6]\d\d(?=\\*,0\\*,)", "57348", text)


def test_states_of_the_newest_engine_are_already_in_our_form() -> None:
    for path in SAVES:
        if not path.name.endswith("3.8.vlog"):
            continue
        for command in commands(plain_text(path)):
            if not command.startswith("+/"):
                continue
            thing = decode(*split(command[2:], "/")[1:3])
            parts = thing.parts() if isinstance(thing, Piece) else ()
            for part in parts:
                fresh = part.canonical()
                assert fresh.type_string("99") == _one_code(part.type_string())
                assert fresh.state_string() == part.state_string()

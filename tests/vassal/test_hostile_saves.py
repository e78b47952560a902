"""Damaged and hostile saves: an error that says what is wrong, or what can be read of them.

Mutations are made from two small logs of our own, always the same ones for a number. They hit the
file as it stands, and the text inside, so that they get as far as the commands and the pieces.
"""

from __future__ import annotations

import io
import random
import struct
import zipfile
import zlib
from pathlib import Path

import pytest
from hostile_files import ESC, TEXTS, T, mutated_file, mutated_text, save_of

from builder.problems import BuilderError, UnreadableError
from builder.vassal import savefile
from builder.vassal.archive import archive_bytes
from builder.vassal.command_tree import CommandNode, encode_tree, parse_tree, walk
from builder.vassal.commands import (
    AddPiece,
    ChangePiece,
    Chat,
    Command,
    Log,
    MovePiece,
    Opaque,
    Player,
    PlayerId,
)
from builder.vassal.log_steps import initial_commands, steps
from builder.vassal.pieces import Stack
from builder.vassal.savefile import Coding, decoded, encoded, read_save, write_save

BATCH = 50


def is_discreet(error: BuilderError) -> bool:
    """Check that an error says something, and no password; it is never a success: False."""
    assert str(error)
    assert "password" not in str(error)
    return False


def read_pieces(command: Command, types: dict[str | None, str]) -> None:
    if isinstance(command, AddPiece):
        types[command.id] = command.type
        assert command.piece is not None
    elif isinstance(command, ChangePiece) and command.id in types:
        assert command.piece(types[command.id]) is not None
        command.old_piece(types[command.id])


def survives(data: bytes) -> bool:
    """Read everything there is to read; only errors of ours may come. True if it was readable."""
    try:
        save = read_save(data)
        tree = parse_tree(save.text)
    except BuilderError as error:
        return is_discreet(error)
    assert encode_tree(tree) == save.text
    assert [node.command.encode() for node in walk(tree)] == [node.text for node in walk(tree)]
    types: dict[str | None, str] = {}
    commands = [*initial_commands(tree), *(c for step in steps(tree) for c in step.commands)]
    for command in commands:
        assert len(repr(command)) < 1_000_000
        try:
            read_pieces(command, types)
        except BuilderError as error:
            is_discreet(error)
    assert len(commands) == sum(1 for _ in walk(tree))
    assert decoded(encoded(save.text))[0] == save.text
    assert read_save(write_save(save)) == save
    return True


def mutation(number: int) -> bytes:
    chance = random.Random(number)
    text = chance.choice(TEXTS)
    coding = chance.choice(list(Coding))
    if number % 3:
        for _ in range(chance.randrange(1, 4)):
            text = mutated_text(text, chance) or "begin_save"
    game = encoded(text, coding, chance.randrange(256))
    if number % 6 == 1:
        return game
    if number % 6 == 3:
        return mutated_file(game, chance)
    members = {"savedGame": game, "savedata": b"<data/>", "moduledata": b"<data/>"}
    data = archive_bytes(members)
    return data if number % 3 else mutated_file(data, chance)


def check_batch(batch: int) -> int:
    return sum(survives(mutation(n)) for n in range(batch * BATCH, (batch + 1) * BATCH))


def test_what_is_mutated_is_readable() -> None:
    for text in TEXTS:
        assert survives(archive_bytes({"savedGame": encoded(text)}))


@pytest.mark.parametrize("batch", range(10))
def test_mutated_logs_give_an_error_or_what_can_be_read(batch: int) -> None:
    readable = check_batch(batch)
    assert 0 < readable < BATCH, "some of both, or the mutations are no good"


@pytest.mark.soak
@pytest.mark.parametrize("batch", range(10, 200))
def test_many_mutated_logs_give_an_error_or_what_can_be_read(batch: int) -> None:
    check_batch(batch)


def test_deep_nesting_is_read_or_refused() -> None:
    node = CommandNode("CHATx")
    for _ in range(6000):
        node = CommandNode(f"LOG{T}CHATx", (node,))
    data = save_of(node)
    assert survives(data)
    (step,) = steps(read_save(data))
    assert step.commands == (Chat("x"),) * 6001
    for _ in range(4000):
        node = CommandNode(f"LOG{T}CHATx", (node,))
    with pytest.raises(UnreadableError, match="longer than any"):
        read_save(save_of(node))


def test_a_piece_nested_too_deeply_is_an_error_of_that_piece_alone() -> None:
    deep = "".join(f"custom;x{chr(92) * level}{T}" for level in range(2500)) + "piece;;;a;b"
    data = save_of(CommandNode(f"+/1/{deep}/x"), CommandNode("+/2/stack/Main;1;2"))
    assert survives(data)
    first, second = [c for c in initial_commands(read_save(data)) if isinstance(c, AddPiece)]
    with pytest.raises(UnreadableError, match="traits"):
        _ = first.piece
    assert second.piece == Stack("Main", 1, 2, (), None)


def test_a_state_nested_in_a_way_of_its_own_has_an_end() -> None:
    kind = "".join(f"custom;x{chr(92) * level}{T}" for level in range(1500)) + "piece;;;a;b"
    state = "".join(f"'{chr(92) * level}{T}" for level in range(1500)) + "null;0;0;1;0"
    (piece,) = [
        c
        for c in initial_commands(read_save(save_of(CommandNode(f"+/1/{kind}/{state}"))))
        if isinstance(c, AddPiece)
    ]
    with pytest.raises(UnreadableError, match="too deeply"):
        _ = piece.piece


def test_an_id_of_4000_digits_is_an_id() -> None:
    long = "9" * 4000
    data = save_of(
        CommandNode(f"+/{long}/stack/Main;1;2;{long}"),
        CommandNode(f"LOG{T}M/{long}/Main/1/2/{long}/null/0/0/null/password"),
        CommandNode(f"LOG{T}M/1/Main/{long}/2/null/null/0/0/null/password"),
    )
    assert survives(data)
    save = read_save(data)
    (stack,) = [c.piece for c in initial_commands(save) if isinstance(c, AddPiece)]
    assert isinstance(stack, Stack)
    assert stack.members == (long,)
    move, broken = [step.commands[0] for step in steps(save)]
    assert isinstance(move, MovePiece)
    assert move.under == long
    assert isinstance(broken, Opaque)
    assert "no whole number" in broken.problem


def test_a_stack_in_itself_is_only_text_here() -> None:
    data = save_of(CommandNode("+/1/stack/Main;1;2;1;2"), CommandNode("+/2/stack/Main;1;2;1"))
    assert survives(data)


def test_a_zip_bomb_is_refused_before_it_is_inflated(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = archive_bytes({"savedGame": b"begin_save" + bytes(2 * savefile.MAX_TEXT_BYTES)})
    assert len(bomb) < 100_000
    with pytest.raises(UnreadableError, match="longer than any saved game"):
        read_save(bomb)
    beside = archive_bytes(
        {"savedGame": b"begin_save", "a.txt": bytes(savefile.MAX_OTHER_BYTES + 1)}
    )
    with pytest.raises(UnreadableError, match="other members"):
        read_save(beside)


def test_a_member_that_lies_about_its_size_is_refused() -> None:
    game = b"begin_save" + b"x" * 100_000
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = packed.compress(game) + packed.flush()
    crc = zlib.crc32(game)
    name = b"savedGame"
    head = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, crc, len(body), 20, len(name), 0)
    local = b"PK\x03\x04" + head + name + body
    central = b"PK\x01\x02" + b"\x14\x03" + head + bytes(14) + name
    end = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 1, 1, len(central), len(local), 0)
    with pytest.raises(UnreadableError, match="savedGame"):
        read_save(local + central + end)


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "a/../../b", "C:evil", "a\\b", "a\x00"])
def test_a_member_that_leaves_the_archive_is_refused(name: str) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("savedGame", b"begin_save")
        info = zipfile.ZipInfo("x")
        info.filename = name
        archive.writestr(info, b"")
    assert not survives(buffer.getvalue()) or name == "a\x00"


def test_entities_of_xml_in_other_members_stay_bytes() -> None:
    bomb = b'<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><data>&c;</data>'
    data = archive_bytes({"savedGame": b"begin_save", "savedata": bomb, "moduledata": bomb})
    assert read_save(data).members["savedata"] == bomb


def test_a_password_is_in_no_error(tmp_path: Path) -> None:
    path = tmp_path / "bad.vsav"
    for text in (f"PLAYER{T}secret{T}a{T}b", f"begin_save{ESC}PLAYER{T}secret\ud800"):
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        with pytest.raises(UnreadableError) as caught:
            read_save(path)
        assert "secret" not in str(caught.value)
    seat = Player(PlayerId("password"), "a", "b")
    assert "password" not in repr((seat, Log(seat.encode()), CommandNode(seat.encode())))

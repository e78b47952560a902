"""Twins of whole files: nothing is lost, ids are out of sight, hostile and wrong twins refused."""

from __future__ import annotations

import contextlib
import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_twin import command_trees, components

from builder.problems import BuilderError, DataError, UnreadableError
from builder.vassal.buildfile import Component
from builder.vassal.command_tree import CommandNode, encode_tree, parse_tree
from builder.vassal.twin import make_twin
from builder.vassal.twin_commands import command_lines, read_commands
from builder.vassal.twin_components import Layout, component_lines, read_component, xml_bytes
from builder.vassal.twin_lines import Mistakes, read_blocks
from builder.vassal.twin_packing import pack_twin
from builder.vassal.twin_secrets import KEEP_IDS, hide_ids

SECRET = "hunter/2\\x"
SAVE = "\x1b".join(
    [
        "begin_save",
        "",
        "\x1b+/17/hide;72,130;Hide;;player:;0.3;;false\tpiece;;;a.png;A/hunter\\/2\\x\tMap;3;4;5;0"
        "\x1b+/18/restrict;German;true;true;\tpiece;;;b.png;B/hunter\\/2\\x\tMap;3;4;6;0".replace(
            "\x1b", "\\\x1b"
        ).replace("\\\x1b", "\x1b", 1),
        "PLAYER\thunter/2\\x\tAnn\tGerman",
        "end_save",
        "LOG\tM/17/Map/5/6/null/Map/3/4/null/hunter\\/2\\x",
        "LOG\tD/17/null\tMap;5;6;5;0/hunter\\/2\\x\tMap;5;6;5;0",
        "LOG\tmodule.own:hunter/2\\x:does",
    ]
)


def zip_of(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def members_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@given(command_trees())
def test_commands_come_back(root: CommandNode) -> None:
    text = encode_tree(root)
    read = parse_tree(text)
    mistakes = Mistakes("x")
    again = read_commands(read_blocks("\n".join(command_lines(read, KEEP_IDS)), mistakes), mistakes)
    assert mistakes.problems == []
    assert again is not None
    assert encode_tree(again) == text


@given(command_trees())
def test_commands_without_ids_hold_none_and_can_be_read(root: CommandNode) -> None:
    read = parse_tree(encode_tree(root))
    lines = list(command_lines(read, hide_ids(read)))
    if any(node.text.startswith("PLAYER\t") for node in read.children):
        assert "password1" not in "\n".join(lines)
    mistakes = Mistakes("x")
    assert read_commands(read_blocks("\n".join(lines), mistakes), mistakes) is not None


def test_very_deep_commands_are_one_text() -> None:
    node = CommandNode("last")
    for _ in range(3000):
        node = CommandNode("", (node,))
    text = encode_tree(node)
    lines = list(command_lines(parse_tree(text), KEEP_IDS))
    assert len(lines) < 100
    mistakes = Mistakes("x")
    again = read_commands(read_blocks("\n".join(lines), mistakes), mistakes)
    assert again is not None
    assert encode_tree(again) == text


@given(components(), st.sampled_from(["\n", "\r\n"]), st.integers(-1, 4), st.booleans())
def test_components_come_back(root: Component, newline: str, indent: int, gt: bool) -> None:
    mistakes = Mistakes("x")
    blocks = read_blocks("\n".join(component_lines(root, KEEP_IDS, "")), mistakes)
    assert read_component(blocks[0], mistakes) == root
    assert mistakes.problems == []
    layout = Layout(newline=newline, indent=indent, escapes_gt=gt)
    data = xml_bytes(root, layout)
    files = make_twin(zip_of({"buildFile.xml": data})).all_files()
    assert members_of(pack_twin(files, "t").data) == {"buildFile.xml": data}


def test_xml_of_any_layout_comes_back_until_it_is_changed() -> None:
    odd = b"<a><!-- note --><b  x='1'/>\n\n\n</a>"
    files = make_twin(zip_of({"buildFile.xml": odd})).all_files()
    assert files["kept/buildFile.xml"] == odd
    assert members_of(pack_twin(files, "t").data)["buildFile.xml"] == odd
    files["twin.txt"] = files["twin.txt"].replace(b'x = "1"', b'x = "2"')
    assert b'<b x="2"/>' in members_of(pack_twin(files, "t").data)["buildFile.xml"]


def test_a_save_inside_a_module_is_a_twin_of_its_own() -> None:
    save = zip_of({"savedGame": SAVE.encode()})
    module = zip_of({"buildFile.xml": b"<a/>\n", "Start.vsav": save, "images/x.png": b"no picture"})
    kept = make_twin(module, with_ids=True).all_files()
    assert "saves/Start.vsav/twin.txt" in kept
    packed = members_of(pack_twin(kept, "t").data)
    assert members_of(packed["Start.vsav"])["savedGame"] == SAVE.encode()
    hidden = make_twin(module).all_files()
    assert not any(b"hunter" in data for data in hidden.values())


@pytest.mark.parametrize("header", [b"!VCSK", b"VOBS", b""])
def test_no_id_is_in_a_twin_or_in_what_is_packed_from_it(header: bytes) -> None:
    twin = make_twin(_coded(header))
    assert "hunter" not in twin.text
    assert twin.text.count("player-1") == 6
    packed = pack_twin(twin.all_files(), "t").data
    text = make_twin(packed, with_ids=True).text
    assert 'Player id="player-1" name="Ann" side="German"' in text
    assert "hunter" not in text


@pytest.mark.parametrize("header", [b"!VCSK", b"VOBS", b""])
def test_with_ids_the_coding_and_the_bytes_return(header: bytes) -> None:
    data = _coded(header)
    assert pack_twin(make_twin(data, with_ids=True).all_files(), "t").data == data


def _coded(header: bytes) -> bytes:
    if not header:
        return SAVE.encode() + b"\n"
    coded = bytes(byte ^ 7 for byte in SAVE.encode())
    return b"!VCSK07" + coded.hex().encode() if header == b"!VCSK" else header + b"\x07" + coded


def pack_text(text: str, **files: bytes) -> bytes:
    return pack_twin({"twin.txt": text.encode(), **files}, "my").data


def test_all_mistakes_of_an_edited_twin_are_told_at_once() -> None:
    text = """hexwright-twin 1 kind=module
file "images/gone.png"
xml "buildFile.xml"
  [VASSAL.build.GameModule]
    name = Tiny
    name2 = "x" y
    + null
      * Delet key="ctrl D"
      * BasicPiece nam="x"
game "savedGame" key=300
wrong line
"""
    with pytest.raises(DataError) as caught:
        pack_text(text)
    found = [str(problem) for problem in caught.value.problems]
    assert [line.split(": ")[0] for line in found] == [
        "my/twin.txt:2:1",
        "my/twin.txt:5:12",
        "my/twin.txt:6:16",
        "my/twin.txt:8:9",
        "my/twin.txt:9:24",
        "my/twin.txt:10:22",
        "my/twin.txt:11:1",
    ]


def test_mistakes_in_commands_are_told_at_once() -> None:
    text = """hexwright-twin 1 kind=save
game "savedGame"
  BeginSave
    Playr id="x"
    Player id="x" name=3 side="y"
    MovePiece id="1" map="M" x="3" y=4
    + 17 stak
    ChangePiece id="17"
      ~ "a" is "b"
    EndSave
"""
    with pytest.raises(DataError) as caught:
        pack_text(text)
    assert [str(p).split(": ", 1) for p in caught.value.problems] == [
        ["my/twin.txt:4:5", "no command 'Playr'; did you mean 'Player'?"],
        ["my/twin.txt:5:24", "name: expected a text, put 3 in quotes"],
        ["my/twin.txt:6:32", "x: expected a whole number, got '3'"],
        ["my/twin.txt:7:10", "expected 'stack', got 'stak'"],
        ["my/twin.txt:9:13", "expected 'was', got 'is'"],
    ]


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "C:x", "a\\b", ""])
def test_members_that_leave_the_folder_are_refused(name: str) -> None:
    for verb in ("file", "save", "xml"):
        line = f'{verb} "{name}"'.replace("\\", "\\\\")
        with pytest.raises(DataError, match=r"twin.txt:2:\d+"):
            pack_text(f"hexwright-twin 1\n{line}\n")


def test_a_changed_picture_is_taken_and_told_a_stray_one_refused() -> None:
    module = zip_of({"buildFile.xml": b"<a/>\n", "images/x.png": b"one"})
    files = make_twin(module).all_files()
    files["files/images/x.png"] = b"two"
    packed = pack_twin(files, "t")
    assert members_of(packed.data)["images/x.png"] == b"two"
    assert [problem.severity for problem in packed.warnings] == ["warning"]
    files["files/images/new.png"] = b"three"
    with pytest.raises(DataError, match=r'add a line: file "images/new\.png"'):
        pack_twin(files, "t")


@pytest.mark.parametrize("text", ["", "nothing", "hexwright-twine 1"])
def test_what_is_no_twin_is_refused(text: str) -> None:
    with pytest.raises((UnreadableError, DataError)):
        pack_text(text)
    with pytest.raises(UnreadableError):
        pack_twin({}, "t")


@given(st.binary(max_size=200), st.integers(0, 400))
def test_damaged_twins_end_in_our_errors(noise: bytes, at: int) -> None:
    good = make_twin(_coded(b"!VCSK")).text.encode()
    with_noise = good[:at] + noise + good[at + len(noise) :]
    with contextlib.suppress(BuilderError):
        pack_twin({"twin.txt": with_noise}, "t")

"""Command trees and the obfuscated member: against texts typed from VASSAL's formats."""

from __future__ import annotations

import io
import zipfile

from hypothesis import given
from hypothesis import strategies as st

from builder.vassal.command_tree import CommandNode, encode_tree
from builder.vassal.savefile import obfuscated, save_bytes

ESC, TAB = "\x1b", "\t"


def test_a_tree_is_nested_with_one_backslash_more_a_level() -> None:
    tree = CommandNode(
        "begin_save",
        (
            CommandNode(),
            CommandNode("", (CommandNode("+/1/a/b"), CommandNode("+/2/c/d"))),
            CommandNode("end_save"),
            CommandNode(
                f"LOG{TAB}M/1", (CommandNode(f"LOG{TAB}CHAT* hi", (CommandNode(f"LOG{TAB}D/x"),)),)
            ),
        ),
    )
    assert encode_tree(tree) == (
        f"begin_save{ESC}{ESC}\\{ESC}+/1/a/b\\{ESC}+/2/c/d{ESC}end_save"
        f"{ESC}LOG{TAB}M/1\\{ESC}LOG{TAB}CHAT* hi\\\\{ESC}LOG{TAB}D/x"
    )


@given(st.text(max_size=40), st.integers(0, 255))
def test_obfuscation_comes_back_with_its_own_key(text: str, key: int) -> None:
    data = obfuscated(text, key)
    assert data[:5] == b"!VCSK"
    found = int(data[5:7], 16)
    plain = bytes(byte ^ found for byte in bytes.fromhex(data[7:].decode()))
    assert found == key
    assert plain.decode() == text


def test_a_save_has_its_three_members() -> None:
    data = save_bytes(CommandNode("begin_save"), savedata=b"<s/>", moduledata=b"<m/>")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["moduledata", "savedGame", "savedata"]
        assert archive.read("moduledata") == b"<m/>"

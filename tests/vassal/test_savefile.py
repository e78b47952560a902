"""Files of saves and logs in every form: against bytes typed from VASSAL's formats."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.problems import BuilderError, UnreadableError
from builder.vassal import savefile
from builder.vassal.archive import MemberNote, archive_bytes
from builder.vassal.command_tree import CommandNode
from builder.vassal.savefile import (
    Coding,
    Kind,
    SaveFile,
    decoded,
    encoded,
    obfuscated,
    read_save,
    save_bytes,
    write_save,
)

ESC = "\x1b"
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


def zipped(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2007, 1, 8, 14, 6, 30)), data)
    return buffer.getvalue()


def member_of(data: bytes, name: str = "savedGame") -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name)


@given(TEXTS, st.integers(0, 255))
def test_obfuscation_comes_back_with_its_own_key(text: str, key: int) -> None:
    data = obfuscated(text, key)
    assert data[:5] == b"!VCSK"
    found = int(data[5:7], 16)
    plain = bytes(byte ^ found for byte in bytes.fromhex(data[7:].decode()))
    assert found == key
    assert plain.decode() == text


def test_the_examples_of_both_codings() -> None:
    assert encoded("begin_save", Coding.VCSK, 0x5A) == b"!VCSK5a383f3d333405293b2c3f"
    vobs = bytes.fromhex("564f42535a383f3d333405293b2c3f")
    assert encoded("begin_save", Coding.VOBS, 0x5A) == vobs
    assert decoded(vobs) == ("begin_save", Coding.VOBS, 0x5A)
    assert encoded("begin_save", Coding.PLAIN, None) == b"begin_save"


def test_digits_are_read_in_both_cases() -> None:
    upper = b"!VCSK5A383F3D333405293B2C3F"
    assert decoded(upper) == ("begin_save", Coding.VCSK, 0x5A)


@pytest.mark.parametrize("coding", Coding)
@pytest.mark.parametrize("kind", Kind)
def test_every_form_is_written_as_it_came(coding: Coding, kind: Kind) -> None:
    for key in range(256):
        text = f"begin_save{ESC}é—\x00{chr(key)}."
        used = None if coding is Coding.PLAIN else key
        game = encoded(text, coding, used)
        data = zipped({"savedata": b"<s/>", "savedGame": game}) if kind is Kind.ZIP else game
        save = read_save(data)
        assert (save.kind, save.coding, save.key, save.text) == (kind, coding, used, text)
        written = write_save(save)
        assert read_save(written) == save
        assert (member_of(written) if kind is Kind.ZIP else written) == game


@given(TEXTS, st.sampled_from(Coding), st.integers(0, 255), st.sampled_from(["", "\n", "\r\n"]))
def test_any_text_comes_back(text: str, coding: Coding, key: int, ending: str) -> None:
    is_plain = coding is Coding.PLAIN
    # a text of its own that ends in a newline cannot be told from one with the old final newline
    text = "begin_save" + text.rstrip("\r\n")
    save = SaveFile(
        Kind.ZIP, None if is_plain else key, text, {"x": b"1"}, coding,
        (MemberNote("savedGame", (1999, 12, 31, 23, 59, 58)),
         MemberNote("x", (2000, 1, 1, 0, 0, 0))),
        ending if is_plain else "",
    )  # fmt: skip
    assert read_save(write_save(save)) == save


@given(st.binary(max_size=60) | st.binary(max_size=40).map(b"PK\x03\x04".__add__)
       | st.binary(max_size=20).map(b"!VCSK".__add__) | st.binary(max_size=20).map(b"VOBS".__add__)
       | st.binary(max_size=20).map(b"begin_save".__add__))  # fmt: skip
def test_any_bytes_are_a_save_or_a_clear_error(data: bytes) -> None:
    try:
        save = read_save(data)
    except BuilderError:
        return
    assert read_save(write_save(save)) == save


def test_members_keep_order_dates_and_packing() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, how in (("savedata", 0), ("savedGame", 8), ("moduledata", 8), ("a", 0)):
            info = zipfile.ZipInfo(name, (2007, 1, 8, 14, 6, 30))
            info.compress_type = how
            archive.writestr(info, b"begin_save" if name == "savedGame" else name.encode())
    written = write_save(read_save(buffer.getvalue()))
    with zipfile.ZipFile(io.BytesIO(written)) as archive:
        found = [(i.filename, i.date_time, i.compress_type) for i in archive.infolist()]
        assert archive.read("moduledata") == b"moduledata"
    date = (2007, 1, 8, 14, 6, 30)
    assert found == [
        ("savedata", date, 0), ("savedGame", date, 8), ("moduledata", date, 8), ("a", date, 0),
    ]  # fmt: skip


def test_a_new_member_comes_last_and_a_lost_one_is_not_written() -> None:
    save = read_save(zipped({"z": b"", "savedGame": b"begin_save"}))
    changed = SaveFile(save.kind, save.key, save.text, {"b": b"1"}, save.coding, save.notes)
    with zipfile.ZipFile(io.BytesIO(write_save(changed))) as archive:
        assert [(i.filename, i.date_time[0]) for i in archive.infolist()] == [
            ("savedGame", 2007),
            ("b", 1980),
        ]


@pytest.mark.parametrize("ending", ["\n", "\r\n", ""])
def test_a_final_newline_of_a_plain_text_is_no_command(ending: str) -> None:
    data = f"begin_save{ESC}end_save{ending}".encode()
    save = read_save(data)
    assert save.text == f"begin_save{ESC}end_save"
    assert (save.kind, save.ending) == (Kind.BARE, ending)
    assert write_save(save) == data


def test_a_final_newline_of_an_obfuscated_text_is_kept() -> None:
    assert read_save(obfuscated("begin_save\n")).text == "begin_save\n"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"!VCSX5a38", "unknown header '!VCSX'"),
        (b"VOBZ\x5a38", "unknown header 'VOBZ"),
        (b"!\xff\xfe\x00\x01", r"unknown header '!\\xff\\xfe"),
        (b"!VCSK", "ends behind '!VCSK'"),
        (b"!VCSK5", "odd number"),
        (b"!VCSK5a3", "odd number"),
        (b"!VCSK5a38\n", "odd number"),
        (b"!VCSK5a 383", "something else"),
        (b"!VCSK00ff", "no UTF-8: invalid start byte at byte 0"),
        (b"!VCSK00eda080", "no UTF-8"),
        (b"VOBS", "ends behind 'VOBS'"),
        (b"begin_save\xff", "no UTF-8: invalid start byte at byte 10"),
        (b"# read me", "no save and no log"),
        (b"", "no save and no log"),
        (b"PK\x03\x04 and so on", "no readable ZIP file"),
    ],
)
def test_what_is_no_save_is_named(data: bytes, message: str) -> None:
    with pytest.raises(UnreadableError, match=message):
        read_save(data)
    if not data.startswith((b"PK", b"#")) and data:
        with pytest.raises(UnreadableError, match="member 'savedGame': .*" + message):
            read_save(zipped({"savedGame": data}))


def test_other_archives_are_named() -> None:
    with pytest.raises(UnreadableError, match="but a module"):
        read_save(zipped({"buildFile.xml": b"<x/>"}))
    with pytest.raises(UnreadableError, match="but no VASSAL file"):
        read_save(zipped({"readme": b""}))


def test_a_file_is_named_in_its_errors(tmp_path: Path) -> None:
    path = tmp_path / "game.vsav"
    with pytest.raises(UnreadableError, match=r"game\.vsav: no such file"):
        read_save(path)
    path.write_bytes(zipped({"savedGame": b"!NEW"}))
    with pytest.raises(UnreadableError, match=r"game\.vsav: member 'savedGame': unknown header"):
        read_save(path)
    with pytest.raises(UnreadableError, match="unreadable"):
        read_save(tmp_path)
    path.write_bytes(archive_bytes({"savedGame": b"begin_save"}))
    assert read_save(path) == read_save(path.read_bytes())


def test_too_much_of_anything_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(savefile, "MAX_TEXT_BYTES", 100)
    monkeypatch.setattr(savefile, "MAX_OTHER_BYTES", 100)
    assert read_save(b"begin_save" + b"x" * 90).text
    long = b"begin_save" + b"x" * 91
    packed = archive_bytes({"savedGame": encoded(long.decode())})
    for data in (long, encoded(long.decode()), encoded(long.decode(), Coding.VOBS), packed):
        with pytest.raises(UnreadableError, match=r"more than 100|longer than any"):
            read_save(data)
    with pytest.raises(UnreadableError, match="other members inflate to more than 100 bytes"):
        read_save(archive_bytes({"savedGame": b"begin_save", "a": b"x" * 51, "b": b"x" * 50}))


def test_nothing_of_the_text_is_shown() -> None:
    save = read_save(zipped({"savedGame": b"begin_save\x1bPLAYER\tsecret\ta\tb", "savedata": b"s"}))
    assert "secret" not in repr(save)


def test_a_key_is_one_byte() -> None:
    for key in (None, -1, 256):
        with pytest.raises(ValueError, match="one byte"):
            encoded("begin_save", Coding.VOBS, key)


def test_a_save_has_its_three_members() -> None:
    data = save_bytes(CommandNode("begin_save"), savedata=b"<s/>", moduledata=b"<m/>")
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["moduledata", "savedGame", "savedata"]
        assert archive.read("moduledata") == b"<m/>"

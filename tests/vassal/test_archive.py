from __future__ import annotations

import os
import stat
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.problems import BuilderError, UnreadableError
from builder.vassal import archive
from builder.vassal.archive import (
    ArchiveError,
    buildfile_name,
    read_archive,
    save_time_ms,
    write_archive,
)

PNG = bytes(range(256)) * 8
MEMBERS = {"buildFile.xml": b"<x/>" * 100, "moduledata": b"<data/>", "images/a.png": PNG}


@pytest.fixture(autouse=True)
def _no_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)


def test_members_come_back_sorted(tmp_path: Path) -> None:
    path = tmp_path / "a.vmod"
    write_archive(path, MEMBERS)
    members = read_archive(path)
    assert dict(members) == MEMBERS
    assert list(members) == ["buildFile.xml", "images/a.png", "moduledata"]
    assert members.pictures() == {"a.png"}
    # Another reader agrees, and the checksums are right.
    with zipfile.ZipFile(path) as other:
        assert other.testzip() is None
    assert sorted(os.listdir(tmp_path)) == ["a.vmod"]  # noqa: PTH208 -- names only


def test_the_order_of_the_mapping_does_not_matter(tmp_path: Path) -> None:
    write_archive(tmp_path / "a", MEMBERS)
    write_archive(tmp_path / "b", dict(reversed(MEMBERS.items())))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_pictures_are_stored_and_text_is_deflated(tmp_path: Path) -> None:
    names = {"a.png", "b.JPG", "c.gif", "d.ogg", "e.svg", "f.html"}
    write_archive(tmp_path / "a", {f"images/{name}": b"x" * 1000 for name in names})
    with zipfile.ZipFile(tmp_path / "a") as other:
        stored = {i.filename for i in other.infolist() if i.compress_type == zipfile.ZIP_STORED}
        assert all(i.external_attr >> 16 == stat.S_IFREG | 0o644 for i in other.infolist())
        assert all(i.create_system == 3 for i in other.infolist())
    assert stored == {"images/a.png", "images/b.JPG", "images/c.gif", "images/d.ogg"}


@pytest.mark.parametrize(
    ("epoch", "date", "milliseconds"),
    [
        (None, (1980, 1, 1, 0, 0, 0), 315532800000),
        ("0", (1980, 1, 1, 0, 0, 0), 315532800000),
        ("", (1980, 1, 1, 0, 0, 0), 315532800000),
        ("1700000000", (2023, 11, 14, 22, 13, 20), 1700000000000),
        ("99999999999999", (2107, 12, 31, 23, 59, 58), 4354819198000),
    ],
)
def test_dates(
    epoch: str | None, date: tuple[int, ...], milliseconds: int,
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    if epoch is not None:
        monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    write_archive(tmp_path / "a", MEMBERS)
    with zipfile.ZipFile(tmp_path / "a") as other:
        assert {info.date_time for info in other.infolist()} == {date}
    assert save_time_ms() == milliseconds


def test_an_epoch_that_is_no_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "yesterday")
    with pytest.raises(ArchiveError, match="'yesterday'"):
        write_archive(tmp_path / "a", MEMBERS)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("images/a.png", "images/A.png"), "one file where case is not told apart"),
        (("images/caf\u00e9.png", "images/cafe\u0301.png"), "one file where case"),
        (("images", "images/a.png"), "is also the folder"),
        (("../a",), "leaves its folder"),
        (("a//b",), "empty part"),
        (("/a",), "no relative path"),
        (("C:/a",), "no relative path"),
        (("a\\b",), "no relative path"),
        (("a\x00b",), "no file name"),
        (("",), "has no name"),
    ],
)
def test_conflicting_and_impossible_names_are_refused(
    names: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ArchiveError, match=message):
        write_archive(tmp_path / "a", dict.fromkeys(names, b""))
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a"
    write_archive(path, MEMBERS)
    before = path.read_bytes()
    with pytest.raises(TypeError):
        write_archive(path, {"a": b"", "b": None})  # type: ignore[dict-item]  # on purpose
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_a_folder_reads_like_an_archive(tmp_path: Path) -> None:
    for name, data in MEMBERS.items():
        file = tmp_path / "module" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
    assert dict(read_archive(tmp_path / "module")) == MEMBERS


def test_both_names_of_the_build_file_are_read() -> None:
    assert buildfile_name({"buildFile": b"", "moduledata": b""}) == "buildFile"
    assert buildfile_name({"buildFile": b"", "buildFile.xml": b""}) == "buildFile.xml"
    with pytest.raises(UnreadableError, match="no VASSAL module"):
        buildfile_name({"savedGame": b""})


def raw_zip(path: Path, *entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as made:
        for name, data in entries:
            made.writestr(zipfile.ZipInfo(name), data, method)
    return path


@pytest.mark.parametrize("name", ["../evil", "/etc/passwd", "a/../../b", "C:/x", "a\\b"])
def test_members_that_leave_the_archive(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=r"a\.zip: member "):
        read_archive(raw_zip(tmp_path / "a.zip", (name, b"")))


def test_members_of_one_name(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        path = raw_zip(tmp_path / "a", ("x", b"1"), ("x", b"2"))
    with pytest.raises(UnreadableError, match="'x' stands there twice"):
        read_archive(path)


def test_symbolic_links(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("link")
    info.create_system = 3
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(tmp_path / "a", "w") as made:
        made.writestr(info, "/etc/passwd")
    with pytest.raises(UnreadableError, match="symbolic link"):
        read_archive(tmp_path / "a")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "link").symlink_to("/etc/hostname")
    with pytest.raises(UnreadableError, match="symbolic link"):
        read_archive(tmp_path / "folder")


def test_encrypted_members(tmp_path: Path) -> None:
    path = raw_zip(tmp_path / "a", ("x", b"secret"))
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    path.write_bytes(data)
    with pytest.raises(UnreadableError, match="'x' is encrypted"):
        read_archive(path)


def test_bombs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zeros = bytes(3_000_000)
    assert read_archive(raw_zip(tmp_path / "a", ("zeros", zeros)))["zeros"] == zeros
    monkeypatch.setattr(archive, "MAX_RATIO", 10)
    with pytest.raises(UnreadableError, match="inflates from"):
        read_archive(tmp_path / "a")
    monkeypatch.setattr(archive, "MAX_MEMBER_BYTES", 1_000_000)
    with pytest.raises(UnreadableError, match="more than 1000000"):
        read_archive(tmp_path / "a")
    monkeypatch.setattr(archive, "MAX_MEMBERS", 0)
    with pytest.raises(UnreadableError, match="1 members are more than 0"):
        read_archive(tmp_path / "a")


def test_a_member_that_lies_about_its_size(tmp_path: Path) -> None:
    path = raw_zip(tmp_path / "a", ("x", bytes(100_000)))
    data = bytearray(path.read_bytes())
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = struct.pack("<I", 10)
    path.write_bytes(data)
    with pytest.raises(UnreadableError, match="'x'"):
        read_archive(path)["x"]


def test_foreign_packings(tmp_path: Path) -> None:
    path = raw_zip(tmp_path / "a", ("x", b"1" * 99), method=zipfile.ZIP_BZIP2)
    with pytest.raises(UnreadableError, match="packed in a way"):
        read_archive(path)


def test_missing_and_damaged_files(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match="no such file"):
        read_archive(tmp_path / "none")
    (tmp_path / "text").write_text("not a zip", encoding="utf-8")
    with pytest.raises(UnreadableError, match="no readable ZIP"):
        read_archive(tmp_path / "text")


@settings(max_examples=100)
@given(st.integers(0, 10**6), st.integers(0, 255))
def test_any_damage_is_an_error_of_ours_or_none(
    tmp_path_factory: pytest.TempPathFactory, at: int, byte: int
) -> None:
    path = tmp_path_factory.mktemp("zip") / "a"
    write_archive(path, MEMBERS)
    data = bytearray(path.read_bytes())
    data[at % len(data)] = byte
    path.write_bytes(data)
    try:
        dict(read_archive(path))
    except BuilderError:
        return

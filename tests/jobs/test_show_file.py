"""Showing and packing real files: every member's decoded text returns, and no player id leaks."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest
from engine.tiny_module import write_tiny

from builder.jobs.pack_file import pack_file
from builder.jobs.show_file import show_file, show_text
from builder.problems import BuilderError, UnreadableError, UsageError

SHARED = Path(__file__).parents[3] / "shared"
REAL = sorted(
    path
    for folder in (SHARED / "corpus", SHARED / "vassal-engine" / "samples")
    if folder.is_dir()
    for path in folder.iterdir()
    if path.suffix in (".vsav", ".sav", ".vlog", ".log", ".vmod")
)
real_files = pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
needs_corpus = pytest.mark.skipif(not REAL, reason="the corpus of real files is not at hand")


def decoded(data: bytes) -> bytes:
    if data.startswith(b"!VCSK"):
        key, *rest = bytes.fromhex(data[5:].decode("ascii"))
        return bytes(byte ^ key for byte in rest)
    return data


def contents(path: Path) -> dict[str, object]:
    """Every member, the game's text decoded; saves inside a module likewise."""
    if not zipfile.is_zipfile(path):
        return {"savedGame": decoded(path.read_bytes())}
    found: dict[str, object] = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            data = archive.read(name)
            if name.endswith(".vsav"):
                found[name] = _inner(data)
            elif not name.endswith("/"):
                found[name] = decoded(data)
    return found


def _inner(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: decoded(archive.read(name)) for name in archive.namelist()}


@needs_corpus
@real_files
def test_with_ids_every_decoded_text_returns(path: Path, tmp_path: Path) -> None:
    show_file(path, tmp_path / "twin", with_ids=True)
    assert pack_file(tmp_path / "twin", tmp_path / "again") == ()
    assert contents(tmp_path / "again") == contents(path)


def players(path: Path) -> set[str]:
    """The ids in the PLAYER commands of a save, found without any code of ours."""
    game = contents(path).get("savedGame", b"")
    assert isinstance(game, bytes)
    ids = re.findall(r"PLAYER\t([^\t\x1b]*)\t", game.decode("utf-8"))
    return {re.sub(r"\\(?=[\t\x1b])", "", name) for name in ids} - {""}


@needs_corpus
@real_files
def test_no_id_of_the_corpus_is_shown_or_packed(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "twin"
    show_file(path, folder)
    pack_file(folder, tmp_path / "packed")
    shown = {str(p): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    shown["packed"] = b"\0".join(
        data for data in contents(tmp_path / "packed").values() if isinstance(data, bytes)
    )
    text = (folder / "twin.txt").read_text("utf-8")
    for name in players(path):
        for key in ("id", "player", "owner", "hidden_by", "masked_by"):
            assert f'{key}="{name}"' not in text
        # One or two letters are everywhere; only their own places would tell them.
        if len(name) > 2:
            spelled = re.escape(name.encode())
            bounded = re.compile(rb"(?<![A-Za-z0-9])" + spelled + rb"(?![A-Za-z0-9])")
            leaks = [where for where, data in shown.items() if bounded.search(data)]
            assert leaks == [], f"an id of {path.name} is in its twin"
        if len(name) > 5:
            assert not any(name.encode() in data for data in shown.values()), path.name
    # Without ids the file is another one, but of the same shape.
    again = show_text(tmp_path / "packed")
    assert again.count("\n") == text.count("\n")


@needs_corpus
def test_the_corpus_has_ids_to_hide() -> None:
    assert sum(len(players(path)) for path in REAL) > 40


def test_a_small_module_shows_its_pieces_and_returns(tmp_path: Path) -> None:
    module = write_tiny(tmp_path / "tiny.vmod")
    result = show_file(module, tmp_path / "twin")
    lines = (tmp_path / "twin" / "twin.txt").read_text("utf-8").splitlines()
    assert result.lines == len(lines)
    assert '* BasicPiece image="inf.png" name="Armor" gpid="2"' in [line.strip() for line in lines]
    assert any(line.startswith('file "images/map.png" size=') for line in lines)
    assert any(line.endswith(" width=1000 height=800") for line in lines)
    pack_file(tmp_path / "twin", tmp_path / "again.vmod")
    assert contents(tmp_path / "again.vmod") == contents(module)


def test_an_edited_twin_gives_the_edited_module(tmp_path: Path) -> None:
    show_file(write_tiny(tmp_path / "tiny.vmod"), tmp_path / "twin")
    text = tmp_path / "twin" / "twin.txt"
    text.write_text(text.read_text("utf-8").replace('name="Armor"', 'name="Tanks"'), "utf-8")
    pack_file(text, tmp_path / "again.vmod")
    with zipfile.ZipFile(tmp_path / "again.vmod") as archive:
        assert b"piece;;;inf.png;Tanks/" in archive.read("buildFile.xml")


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    module = write_tiny(tmp_path / "tiny.vmod")
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "thesis.txt").write_text("dear", "utf-8")
    with pytest.raises(UsageError, match=r"thesis\.txt"):
        show_file(module, folder)
    assert [path.name for path in folder.iterdir()] == ["thesis.txt"]


def test_an_older_twin_is_replaced(tmp_path: Path) -> None:
    module = write_tiny(tmp_path / "tiny.vmod")
    show_file(module, tmp_path / "twin")
    (tmp_path / "twin" / "files" / "images" / "old.png").write_bytes(b"old")
    show_file(module, tmp_path / "twin")
    assert not (tmp_path / "twin" / "files" / "images" / "old.png").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tiny.vmod", "twin"]


def test_links_in_a_twin_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    show_file(write_tiny(tmp_path / "tiny.vmod"), tmp_path / "twin")
    picture = tmp_path / "twin" / "files" / "images" / "inf.png"
    picture.unlink()
    picture.symlink_to("/etc/hostname")
    with pytest.raises(UnreadableError, match="symbolic link"):
        pack_file(tmp_path / "twin", tmp_path / "again.vmod")
    assert not (tmp_path / "again.vmod").exists()


def test_members_that_leave_the_archive_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.vmod"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("buildFile.xml", "<a/>")
        archive.writestr("../outside", "x")
    with pytest.raises(UnreadableError, match="leaves its folder"):
        show_file(path, tmp_path / "twin")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["bad.vmod"]


@pytest.mark.parametrize("data", [b"", b"PK", b"nothing", b"!VCSK", b"PK\x03\x04" + bytes(99)])
def test_what_is_no_file_of_vassal_is_refused(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.vsav"
    path.write_bytes(data)
    with pytest.raises(BuilderError):
        show_text(path)

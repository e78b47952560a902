"""No command tells a player's id, which is a password: over recorded logs and all real files.

The ids are found here by a reading of the text of our own, from the format and not by the code
under test; ``--with-ids`` is the one way to see them.
"""

from __future__ import annotations

import io
import os
import re
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from dropzone_recordings import LOGS
from hostile_files import ESC, T

from builder.cli import main
from builder.vassal.archive import archive_bytes
from builder.vassal.savefile import encoded

SHARED = Path(__file__).parents[3] / "shared"
ENDINGS = (".vsav", ".sav", ".vlog", ".log")
REAL = sorted(
    path
    for folder in (SHARED / "corpus", SHARED / "vassal-engine" / "samples")
    if folder.is_dir()
    for path in folder.iterdir()
    if path.suffix in ENDINGS
)
RECORDED = sorted(LOGS.glob("*.vlog"))
NOBODY = {"", "null", "nobody", "noMat"}

_PLAYER = re.compile(r"(?:PLAYER|PYREMOVE|PNOTE)\t([^\t\x1b]*)")
_MOVE = re.compile(r"(?:(?<=\x1b)|(?<=LOG\t))M/(?:[^/\x1b]*/){9}([^/\x1b]*)")


def plain(data: bytes) -> str:
    """The text of a ``savedGame``, or of a member that holds none."""
    if data.startswith(b"!VCSK"):
        key, *rest = bytes.fromhex(data[5:].decode("ascii"))
        data = bytes([byte ^ key for byte in rest])
    return data.decode("utf-8", "replace")


def texts(data: bytes) -> str:
    """Everything that a file says: of a ZIP file each member, saves inside it too."""
    if not data.startswith(b"PK"):
        return plain(data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return "\0".join(f"{name}\0{texts(archive.read(name))}" for name in archive.namelist())


def ids_in(path: Path) -> set[str]:
    """The ids in the commands of players and of moves, without the escapes before them."""
    said = texts(path.read_bytes())
    found = [*_PLAYER.findall(said), *_MOVE.findall(said)]
    return {name.replace("\\", "") for name in found} - NOBODY


def leaked(ids: set[str], told: str) -> list[str]:
    """The ids in a text: long ones anywhere, short ones as words, one or two letters nowhere."""
    loose = _OWN_WORDS.sub("", told.replace("\\", ""))
    return [
        name
        for name in ids
        if len(name) > 2 and name in loose and (len(name) > 5 or _as_word(name).search(loose))
    ]


_OWN_WORDS = re.compile(r"\b(?:for a test|no test|A test is)\b")
"""What a report says itself: somebody's password is "test"."""


def _as_word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])")


def run_everything(path: Path, other: Path, folder: Path, skip: set[str]) -> dict[str, str]:
    """What every command says and writes about a file, by the command."""
    runs = {
        "log": ["log", str(path)],
        "log of two": ["log", str(other), str(path), "--marks"],
        "log --json": ["log", str(path), "--json"],
        "stats": ["stats", str(path), "--typed"],
        "stats --json": ["stats", str(path), "--json", "--typed"],
        "stats --html": ["stats", str(path), "--html", str(folder / "page.html")],
        "show": ["show", str(path)],
        "show --json": ["show", str(path), "--json"],
        "show -o": ["show", str(path), "-o", str(folder / "twin")],
        "pack": ["pack", str(folder / "twin"), "-o", str(folder / "packed")],
        "diff": ["diff", str(other), str(path)],
        "diff --json": ["diff", str(path), str(other), "--json"],
        "lint": ["lint", str(path.with_suffix(".vmod"))],
    }
    said = {}
    for name, arguments in runs.items():
        if name in skip:
            continue
        result = CliRunner().invoke(main, arguments)
        assert result.exception is None or isinstance(result.exception, SystemExit), name
        assert result.exit_code == {"diff": 1, "diff --json": 1, "lint": 2}.get(name, 0), name
        # the folder's own name may hold anything, such as the word "test"
        output = result.output.replace(os.path.relpath(folder), "the folder")
        said[name] = output.replace(str(folder), "the folder")
    for file in folder.rglob("*"):
        if file.is_file():
            said[f"file {file.name}"] = texts(file.read_bytes())
    return said


ALIKE = {"log of two", "stats", "stats --json", "show", "show --json", "diff --json"}
"""They say what another one of the commands says; enough if the recorded logs show it."""

OF_TWO = {"log of two", "diff", "diff --json"}


def check(
    path: Path, other: Path, folder: Path, *, least: int, skip: set[str] | None = None
) -> None:
    own, both = ids_in(path), ids_in(path) | ids_in(other)
    assert len(own) >= least, "no ids to look for"
    said = run_everything(path, other, folder, skip or set())
    assert set(said) >= {"file twin.txt", "file packed", "file page.html"}
    for where, told in said.items():
        # Which one must not be told here either.
        ids = both if where in OF_TWO else own
        assert not leaked(ids, told), f"{where} of {path.name} holds a player's id"


def other_than(path: Path, paths: list[Path]) -> Path:
    at = paths.index(path)
    return paths[at - 1 if at else 1]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.name)
def test_no_command_tells_an_id_of_a_recorded_log(path: Path, tmp_path: Path) -> None:
    check(path, other_than(path, RECORDED), tmp_path, least=1)


@pytest.mark.soak
@pytest.mark.skipif(not REAL, reason="the corpus of real files is not at hand")
@pytest.mark.parametrize("path", REAL, ids=lambda path: path.name)
def test_no_command_tells_an_id_of_a_real_file(path: Path, tmp_path: Path) -> None:
    check(path, other_than(path, REAL), tmp_path, least=0, skip=ALIKE)


@pytest.mark.skipif(not REAL, reason="the corpus of real files is not at hand")
def test_the_real_files_have_ids_to_look_for() -> None:
    assert sum(len(ids_in(path)) for path in REAL) > 60


def test_ids_are_told_to_who_asks_for_them() -> None:
    path = RECORDED[0]
    result = CliRunner().invoke(main, ["show", str(path), "--with-ids"])
    assert set(leaked(ids_in(path), result.output)) == ids_in(path)


EVIL = "<script>alert(1)</script><b>bold</b><img src=x onerror=alert(2)>"


def test_html_of_the_chat_is_text_in_every_report(tmp_path: Path) -> None:
    steps = [
        f"CHAT<{EVIL}> - {EVIL}",
        f"CHAT*** {EVIL} 2d6 = 3,4 *** <{EVIL}>",
        f"CHAT*** 2d6 = 3,4 *** <{EVIL}>",
        f"CHAT** {EVIL} = [{EVIL},x] *** <Ann>",
        f"SHOW_RESULTS{T}{EVIL}{T}1,2",
        f"MutableProperty{T}{EVIL}_result{T}1{T}{EVIL},2{T}Module",
        f"MutableProperty{T}{EVIL}{T}{EVIL}{T}x{T}Module",
    ]
    text = ESC.join(["begin_save", f"PLAYER{T}pw{T}{EVIL}{T}{EVIL}", "end_save"])
    text += "".join(f"{ESC}LOG{T}{step}" for step in steps)
    path = tmp_path / "evil.vlog"
    path.write_bytes(archive_bytes({"savedGame": encoded(text)}))
    page = tmp_path / "page.html"
    result = CliRunner().invoke(main, ["stats", str(path), "--html", str(page), "--typed"])
    assert result.exit_code == 0
    html = page.read_text("utf-8")
    assert "&lt;script&gt;alert(1)" in html
    for tag in ("<script>alert", "<b>bold", "<img", "onerror=alert(2)>"):
        assert tag not in html
    told = CliRunner().invoke(main, ["log", str(path)])
    assert told.exit_code == 0
    assert EVIL in told.output, "a tag stays as it was typed"


def test_what_a_terminal_would_obey_is_text_in_every_report(tmp_path: Path) -> None:
    evil = "\x9b2J\x07\u202e\rAnn"
    steps = [f"CHAT<{evil}> - {evil}", f"CHAT*** 2d6 = 3,4 *** <{evil}>"]
    text = ESC.join(["begin_save", f"PLAYER{T}pw{T}{evil}{T}Red", "end_save"])
    text += "".join(f"{ESC}LOG{T}{step}" for step in steps)
    path = tmp_path / "evil.vlog"
    path.write_bytes(archive_bytes({"savedGame": encoded(text)}))
    (tmp_path / "good.vlog").write_bytes(archive_bytes({"savedGame": encoded("begin_save")}))
    for arguments in (["log"], ["stats"], ["show"], ["diff", str(tmp_path / "good.vlog")]):
        result = CliRunner().invoke(main, [*arguments, str(path)])
        assert result.exit_code in (0, 1), arguments
        for character in "\x9b\x07\u202e\r\x1b":
            assert character not in result.output, (arguments, character)

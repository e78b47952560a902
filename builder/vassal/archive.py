"""VASSAL's container, a ZIP file or a folder of the same members: written alike, read with care.

Members are sorted, dated 1980-01-01 or by ``SOURCE_DATE_EPOCH``, and carry one fixed mode, so that
the same members give the same bytes. Pictures and sounds are stored as they are, since deflating
them again gains nothing.
"""

from __future__ import annotations

import io
import os
import re
import stat
import time
import unicodedata
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from builder.problems import BuilderError, UnreadableError
from builder.workspace import writing

__all__ = [
    "ArchiveError",
    "MemberNote",
    "Members",
    "archive_bytes",
    "buildfile_name",
    "member_notes",
    "name_problem",
    "read_archive",
    "save_time_ms",
    "write_archive",
]

_STORED = frozenset({"png", "jpg", "jpeg", "gif", "ogg", "mp3", "vsav", "vlog", "zip"})
_EARLIEST = 315_532_800
"""Seconds of 1980-01-01, before which no ZIP file can date anything."""
_LATEST = 4_354_819_198
_MODE = (stat.S_IFREG | 0o644) << 16
_UNIX = 3
_ENCRYPTED_FLAG = 0x1

MAX_MEMBERS = 100_000
"""More entries than this are refused."""
MAX_MEMBER_BYTES = 512 * 2**20
"""A member that inflates to more than this is refused."""
MAX_TOTAL_BYTES = 4 * 2**30
"""An archive that inflates to more than this is refused."""
MAX_RATIO = 2000
"""Deflate packs no honest text tighter than about 1000 : 1."""


class ArchiveError(BuilderError):
    """Members that cannot stand in one archive: conflicting or impossible names."""


def _epoch() -> int:
    text = os.environ.get("SOURCE_DATE_EPOCH", "").strip()
    try:
        seconds = int(text) if text else 0
    except ValueError:
        raise ArchiveError(f"SOURCE_DATE_EPOCH is no whole number: {text!r}") from None
    return min(max(seconds, _EARLIEST), _LATEST)


def save_time_ms() -> int:
    """Return the moment that metadata name as date of saving, in milliseconds since 1970 UTC.

    It is ``SOURCE_DATE_EPOCH``, or 1980-01-01 without it or before it: never the clock.
    """
    return _epoch() * 1000


@dataclass(frozen=True, slots=True)
class MemberNote:
    """How a member stood in a ZIP file that was read, to be written in the same way."""

    name: str
    date: tuple[int, int, int, int, int, int]
    """Year to second, as the ZIP file says it."""
    is_stored: bool = False


def archive_bytes(members: Mapping[str, bytes], notes: Iterable[MemberNote] = ()) -> bytes:
    """Return a ZIP file as bytes, for a file that is itself a member of another one.

    Members with a note come first, in the order of the notes and with their dates. Raises
    :class:`ArchiveError` as :func:`write_archive` does.
    """
    _check_names(members)
    date = time.gmtime(_epoch())[:6]
    noted = {note.name: note for note in notes if note.name in members}
    # Built in memory: zipfile seeks back for every member, which a file answers by flushing.
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in (*noted, *sorted(members.keys() - noted.keys())):
            note = noted.get(name)
            entry = _entry(name, note.date if note else date)
            if note:
                entry.compress_type = zipfile.ZIP_STORED if note.is_stored else zipfile.ZIP_DEFLATED
            archive.writestr(entry, members[name])
    return buffer.getvalue()


def write_archive(path: Path, members: Mapping[str, bytes]) -> None:
    """Write a ZIP file, completely or not at all.

    Raises :class:`ArchiveError` for names that are no plain relative paths, that differ only in
    case or in accents, or that need one name as file and as folder: some systems would put one
    over the other.
    """
    data = archive_bytes(members)
    with writing(path) as file:
        file.write(data)


def _entry(name: str, date: tuple[int, ...]) -> zipfile.ZipInfo:
    year, month, day, hour, minute, second = date
    info = zipfile.ZipInfo(name, (year, month, day, hour, minute, second))
    is_stored = name.rpartition(".")[2].lower() in _STORED
    info.compress_type = zipfile.ZIP_STORED if is_stored else zipfile.ZIP_DEFLATED
    info.create_system = _UNIX
    info.external_attr = _MODE
    return info


def _check_names(members: Mapping[str, bytes]) -> None:
    seen: dict[str, str] = {}
    folders: dict[str, str] = {}
    for name in sorted(members):
        problem = name_problem(name)
        if problem:
            raise ArchiveError(f"member {name!r} {problem}")
        key = _fold(name)
        if key in seen:
            raise ArchiveError(
                f"members {seen[key]!r} and {name!r} are one file where case is not told apart"
            )
        seen[key] = name
        folder = key.rpartition("/")[0]
        while folder and folder not in folders:
            folders[folder] = name
            folder = folder.rpartition("/")[0]
    for key in sorted(seen.keys() & folders.keys()):
        raise ArchiveError(f"member {seen[key]!r} is also the folder of {folders[key]!r}")


def _fold(name: str) -> str:
    return name.lower() if name.isascii() else unicodedata.normalize("NFC", name).casefold()


_NO_CHARACTER = re.compile("[\x00-\x1f\ud800-\udfff]")


def name_problem(name: str) -> str:
    """Return what makes a name no plain relative path, or nothing."""
    if not name:
        return "has no name"
    if name.startswith("/") or "\\" in name or name[1:2] == ":":
        return "is no relative path with slashes"
    if not {"", ".", ".."}.isdisjoint(name.split("/")):
        return "leaves its folder or has an empty part"
    if _NO_CHARACTER.search(name):
        return "holds a character that no file name can"
    return ""


class Members(Mapping[str, bytes]):
    """The members of an archive by name, in sorted order; each is read when it is asked for."""

    def __init__(self, path: Path | bytes, names: Mapping[str, int], is_folder: bool) -> None:
        """Keep the names and sizes; use :func:`read_archive`."""
        self._path = path
        self._sizes = dict(sorted(names.items()))
        self._is_folder = is_folder

    def __getitem__(self, name: str) -> bytes:
        """Return the bytes of a member; :class:`UnreadableError` if it is damaged."""
        size = self._sizes[name]
        if self._is_folder and isinstance(self._path, Path):
            return _read_file(self._path / name, size)
        return _read_entry(self._path, name)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._sizes)

    def __len__(self) -> int:
        """Return how many members there are."""
        return len(self._sizes)

    def size(self, name: str) -> int:
        """Return how many bytes a member has, without reading it."""
        return self._sizes[name]

    def pictures(self) -> frozenset[str]:
        """Return the names in the ``images`` folder, without that prefix."""
        return frozenset(n.removeprefix("images/") for n in self if n.startswith("images/"))


def read_archive(path: Path | bytes) -> Members:
    """Return the members of a ZIP file, given by path or as bytes, or of a folder of that layout.

    Raises :class:`UnreadableError`, naming file and member, for what is damaged, encrypted, or
    hostile: names that leave the archive, the same name twice, symbolic links, entries that would
    inflate beyond measure.
    """
    if isinstance(path, Path) and path.is_dir():
        return Members(path, _folder_names(path), is_folder=True)
    of_file = _label(path)
    entries = _entries(path)
    if len(entries) > MAX_MEMBERS:
        raise UnreadableError(f"{of_file}{len(entries)} members are more than {MAX_MEMBERS}")
    names: dict[str, int] = {}
    for entry in entries:
        problem = _entry_problem(entry, names)
        if problem:
            raise UnreadableError(f"{of_file}member {entry.filename!r} {problem}")
        if not entry.is_dir():
            names[entry.filename] = entry.file_size
    if sum(names.values()) > MAX_TOTAL_BYTES:
        raise UnreadableError(f"{of_file}inflates to more than {MAX_TOTAL_BYTES} bytes")
    return Members(path, names, is_folder=False)


def member_notes(path: Path | bytes) -> tuple[MemberNote, ...]:
    """Return how the members of a ZIP file stand there, in its own order.

    Raises :class:`UnreadableError` for no ZIP file; look at it with :func:`read_archive` first.
    """
    return tuple(
        MemberNote(entry.filename, entry.date_time, entry.compress_type == zipfile.ZIP_STORED)
        for entry in _entries(path)
        if not entry.is_dir()
    )


def _entries(path: Path | bytes) -> list[zipfile.ZipInfo]:
    try:
        with zipfile.ZipFile(path if isinstance(path, Path) else io.BytesIO(path)) as archive:
            return archive.infolist()
    except FileNotFoundError:
        raise UnreadableError(f"{path!s}: no such file") from None
    except (OSError, zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise UnreadableError(f"{_label(path)}no readable ZIP file: {error}") from None


def _label(path: Path | bytes) -> str:
    """Return how a message begins: with the file's name, if it has one."""
    return f"{path}: " if isinstance(path, Path) else ""


def _entry_problem(entry: zipfile.ZipInfo, names: Mapping[str, int]) -> str:
    # Not entry.is_dir(): it looks at the last character, and a name may have none.
    problem = name_problem(entry.filename.removesuffix("/"))
    if problem:
        return problem
    if entry.filename in names:
        return "stands there twice"
    if entry.flag_bits & _ENCRYPTED_FLAG:
        return "is encrypted"
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "is a symbolic link"
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "is packed in a way that VASSAL does not read"
    if entry.file_size > MAX_MEMBER_BYTES:
        return f"inflates to {entry.file_size} bytes, more than {MAX_MEMBER_BYTES}"
    if entry.file_size > MAX_RATIO * max(entry.compress_size, 512):
        return f"inflates from {entry.compress_size} to {entry.file_size} bytes"
    return ""


def _folder_names(path: Path) -> dict[str, int]:
    names: dict[str, int] = {}
    for folder, folders, files in os.walk(path):
        folders.sort()
        for inner in (*folders, *files):
            full = Path(folder, inner)
            name = full.relative_to(path).as_posix()
            if full.is_symlink():
                raise UnreadableError(f"{path}: member {name!r} is a symbolic link")
            if inner in folders:
                continue
            names[name] = full.stat().st_size
            if len(names) > MAX_MEMBERS:
                raise UnreadableError(f"{path}: more than {MAX_MEMBERS} members")
    return names


def _read_file(path: Path, size: int) -> bytes:
    if size > MAX_MEMBER_BYTES:
        raise UnreadableError(f"{path}: {size} bytes are more than {MAX_MEMBER_BYTES}")
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableError(f"{path}: unreadable: {error}") from None


def _read_entry(path: Path | bytes, name: str) -> bytes:
    file = path if isinstance(path, Path) else io.BytesIO(path)
    try:
        with zipfile.ZipFile(file) as archive, archive.open(name) as member:
            # The directory may lie about the size: never take more than was promised.
            promised = archive.getinfo(name).file_size
            data = member.read(promised + 1)
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError) as error:
        raise UnreadableError(
            f"{_label(path)}member {name!r} is damaged: {str(error)[:200]}"
        ) from None
    if len(data) != promised:
        raise UnreadableError(f"{_label(path)}member {name!r} is not as long as it says")
    return data


def buildfile_name(members: Mapping[str, bytes]) -> str:
    """Return the name of the component tree: ``buildFile.xml``, or ``buildFile`` before VASSAL 3.5.

    Raises :class:`UnreadableError` if there is neither: it is no module.
    """
    for name in ("buildFile.xml", "buildFile"):
        if name in members:
            return name
    raise UnreadableError("no buildFile.xml and no buildFile: this is no VASSAL module")

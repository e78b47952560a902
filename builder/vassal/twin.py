"""The text twin of a VASSAL file: a folder with ``twin.txt`` and the members that are no text.

``twin.txt`` lists the members and holds component trees, metadata and commands; ``files/`` holds
pictures, sounds and pages as they are, ``saves/NAME/`` the twins of saves inside a module, and
``kept/`` XML files whose layout no line can tell. A twin comes from anybody: names that leave the
folder and links are refused, and all mistakes are told with line and column.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from builder.problems import UnreadableError
from builder.vassal.archive import Members, read_archive
from builder.vassal.buildfile import read_buildfile
from builder.vassal.command_tree import parse_tree
from builder.vassal.replay_pictures import picture_size
from builder.vassal.savefile import Coding, Kind, SaveFile, read_save
from builder.vassal.twin_commands import command_lines
from builder.vassal.twin_components import component_lines, layout_of
from builder.vassal.twin_lines import INDENT
from builder.vassal.twin_pieces import Secrets
from builder.vassal.twin_secrets import KEEP_IDS, hide_ids
from builder.vassal.twin_values import fields_text, quoted

__all__ = ["FIRST_WORD", "TEXT_NAME", "XML_NAMES", "Twin", "make_twin"]

TEXT_NAME = "twin.txt"
FIRST_WORD = "hexwright-twin"
GAME = "savedGame"
XML_NAMES = ("buildFile.xml", "buildFile", "moduledata", "extensiondata", "savedata")
"""Members that are shown as trees."""
_SAVE_ENDINGS = (".vsav", ".vlog", ".sav", ".log")


@dataclass(frozen=True, slots=True)
class Twin:
    """The twin of one file."""

    text: str = field(repr=False)
    """What ``twin.txt`` holds."""
    files: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """The other files of the folder, by their path in it."""

    def all_files(self) -> dict[str, bytes]:
        """Return every file of the folder, the text too."""
        return {TEXT_NAME: self.text.encode("utf-8"), **self.files}


def make_twin(source: Path | bytes, *, with_ids: bool = False) -> Twin:
    """Return the twin of a module, an extension, a save or a log.

    Without ``with_ids`` placeholders stand for player ids, which are passwords. Raises
    :class:`UnreadableError` for what is damaged, hostile, or no file of VASSAL.
    """
    if _is_zip(source):
        members = read_archive(source)
        if GAME not in members:
            return _of_module(source, members, with_ids)
    return _of_save(read_save(source), with_ids)


def _is_zip(source: Path | bytes) -> bool:
    if isinstance(source, bytes):
        return source.startswith(b"PK")
    if source.is_dir():
        return True
    try:
        with source.open("rb") as file:
            return file.read(2) == b"PK"
    except FileNotFoundError:
        raise UnreadableError(f"{source}: no such file") from None
    except OSError as error:
        raise UnreadableError(f"{source}: unreadable: {error}") from None


def _of_module(source: Path | bytes, members: Members, with_ids: bool) -> Twin:
    label = str(source) if isinstance(source, Path) else "the archive"
    if not {"buildFile.xml", "buildFile"} & set(members):
        message = "no buildFile.xml, no buildFile and no savedGame: this is no file of VASSAL"
        raise UnreadableError(f"{label}: {message}")
    kind = "extension" if "extensiondata" in members else "module"
    files: dict[str, bytes] = {}
    lines = [f"{FIRST_WORD} 1 kind={kind}"]
    for name in members:
        if name not in XML_NAMES:
            lines += _member_lines(name, members[name], files, with_ids)
    for name in XML_NAMES:
        if name in members:
            lines += _xml_lines(name, members[name], files, KEEP_IDS)
    return Twin("\n".join(lines) + "\n", files)


def _of_save(save: SaveFile, with_ids: bool) -> Twin:
    root = parse_tree(save.text)
    secrets = KEEP_IDS if with_ids else hide_ids(root)
    files: dict[str, bytes] = {}
    is_log = "\x1bLOG\t" in save.text
    head: dict[str, object] = {"kind": "log" if is_log else "save"}
    if save.kind is Kind.BARE:
        head["archive"] = False
    if not with_ids:
        head["ids"] = "hidden"
    lines = [f"{FIRST_WORD} 1{fields_text(head)}"]
    for name, data in save.members.items():
        if name in XML_NAMES:
            lines += _xml_lines(name, data, files, secrets)
        else:
            lines += _file_lines(name, _masked(data, secrets), files)
    coding: dict[str, object] = {"coding": save.coding.value}
    if save.coding is not Coding.PLAIN:
        coding["key"] = save.key
    if save.ending:
        coding["ending"] = save.ending
    lines.append(f"game {quoted(GAME)}{fields_text(coding)}")
    lines += command_lines(root, secrets, INDENT)
    return Twin("\n".join(lines) + "\n", files)


def _masked(data: bytes, secrets: Secrets) -> bytes:
    try:
        return secrets.text(data.decode("utf-8")).encode("utf-8")
    except UnicodeDecodeError:
        return data


def _member_lines(name: str, data: bytes, files: dict[str, bytes], with_ids: bool) -> Iterator[str]:
    """Yield the line of a member: a save inside the module has a twin of its own."""
    if data.startswith(b"PK") or name.endswith(_SAVE_ENDINGS):
        try:
            inner = _of_save(read_save(data), with_ids)
        except UnreadableError:
            pass
        else:
            for path, content in inner.all_files().items():
                files[f"saves/{name}/{path}"] = content
            yield f"save {quoted(name)}"
            return
    yield from _file_lines(name, data, files)


def _file_lines(name: str, data: bytes, files: dict[str, bytes]) -> Iterator[str]:
    files[f"files/{name}"] = data
    facts: dict[str, object] = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    size = picture_size(data)
    if size:
        facts |= {"width": size[0], "height": size[1]}
    yield f"file {quoted(name)}{fields_text(facts)}"


def _xml_lines(name: str, data: bytes, files: dict[str, bytes], secrets: Secrets) -> Iterator[str]:
    try:
        root = read_buildfile(data)
    except UnreadableError:
        yield from _file_lines(name, _masked(data, secrets), files)
        return
    layout = layout_of(data, root)
    if layout is None:
        files[f"kept/{name}"] = _masked(data, secrets)
        yield f"xml {quoted(name)} kept=true"
    else:
        yield f"xml {quoted(name)}{layout.text()}"
    yield from component_lines(root, secrets, INDENT)

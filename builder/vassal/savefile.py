"""Saved games and logs as files: a ZIP file or bare text, plain or obfuscated.

All forms that VASSAL has ever written are read, and a file is written again in the form it came
in: the same text, key, and other members with their names and dates.
Sources: VASSAL classes ``tools.io.ObfuscatingOutputStream``, ``tools.io.DeobfuscatingInputStream``,
``build.module.GameState``.
"""

from __future__ import annotations

import binascii
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from builder.problems import UnreadableError
from builder.vassal.archive import MemberNote, archive_bytes, member_notes, read_archive
from builder.vassal.command_tree import CommandNode, encode_tree

__all__ = [
    "MAX_OTHER_BYTES", "MAX_TEXT_BYTES", "Coding", "Kind", "SaveFile", "decoded",
    "encoded", "obfuscated", "read_save", "save_bytes", "write_save",
]  # fmt: skip

MEMBER = "savedGame"
MAX_TEXT_BYTES = 32 * 2**20
"""A saved game of a longer text is refused; the longest real one known has 8 MB."""
MAX_OTHER_BYTES = 32 * 2**20
"""Other members that inflate to more than this together are refused."""
_HEX_HEADER = b"!VCSK"
_RAW_HEADER = b"VOBS"
_PLAIN_STARTS = ("begin_save", "DECK\t")
_LONGEST_FILE = 2 * MAX_TEXT_BYTES + MAX_OTHER_BYTES


class Kind(Enum):
    """What the file is: a ZIP file with a member ``savedGame``, or that member alone."""

    ZIP = "zip"
    BARE = "bare"


class Coding(Enum):
    """How the text is kept: in hexadecimal digits, as bytes, or as it is."""

    VCSK = "!VCSK"
    VOBS = "VOBS"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class SaveFile:
    """A saved game or a log. The text is the command tree's, without the final newline of old
    plain files, which is ``ending``.
    """

    kind: Kind
    key: int | None
    """The byte that the text is obfuscated with; None if it is plain."""
    text: str = field(repr=False)
    members: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """The other members of the ZIP file."""
    coding: Coding = Coding.VCSK
    notes: tuple[MemberNote, ...] = field(default=(), repr=False)
    """The members in the order of the file; empty for one that was not read."""
    ending: str = ""


def decoded(data: bytes) -> tuple[str, Coding, int | None]:
    """Return the text of a ``savedGame``, its coding and its key.

    Raises :class:`UnreadableError` for a header that nobody knows, damaged digits, text that is no
    UTF-8, or too much of it.

    >>> decoded(b"!VCSK5a383f3d333405293b2c3f")
    ('begin_save', <Coding.VCSK: '!VCSK'>, 90)
    """
    coding, key, content = _opened(data)
    if len(content) > MAX_TEXT_BYTES:
        raise UnreadableError(f"the text has {len(content)} bytes, more than {MAX_TEXT_BYTES}")
    if key is not None:
        content = content.translate(_table(key))
    try:
        return content.decode("utf-8"), coding, key
    except UnicodeDecodeError as error:
        raise UnreadableError(
            f"the text is no UTF-8: {error.reason} at byte {error.start}"
        ) from None


def _opened(data: bytes) -> tuple[Coding, int | None, bytes]:
    if data.startswith(_HEX_HEADER):
        if len(data) > 2 * MAX_TEXT_BYTES + len(_HEX_HEADER) + 2:
            raise UnreadableError(f"the text has more than {MAX_TEXT_BYTES} bytes")
        try:
            content = binascii.unhexlify(memoryview(data)[len(_HEX_HEADER) :])
        except binascii.Error:
            raise UnreadableError(
                "damaged behind '!VCSK': an odd number of hexadecimal digits, or something else"
                " between them"
            ) from None
        if not content:
            raise UnreadableError("ends behind '!VCSK', before the key")
        return Coding.VCSK, content[0], content[1:]
    if data.startswith(_RAW_HEADER):
        if len(data) == len(_RAW_HEADER):
            raise UnreadableError("ends behind 'VOBS', before the key")
        at = len(_RAW_HEADER)
        return Coding.VOBS, data[at], data[at + 1 :]
    if data.startswith((b"!", b"VOB")):
        header = repr(data[:5]).removeprefix("b")
        raise UnreadableError(
            f"unknown header {header}: neither '!VCSK' nor 'VOBS'; perhaps of a newer VASSAL"
        )
    return Coding.PLAIN, None, data


def encoded(text: str, coding: Coding = Coding.VCSK, key: int | None = 0x5A) -> bytes:
    """Return the ``savedGame`` of a text; a plain one has no key.

    >>> encoded("begin_save", Coding.VOBS).hex()
    '564f42535a383f3d333405293b2c3f'
    """
    content = text.encode("utf-8")
    if coding is Coding.PLAIN:
        return content
    if key is None or not 0 <= key <= 255:
        raise ValueError(f"an obfuscated text needs a key of one byte, not {key}")
    content = content.translate(_table(key))
    if coding is Coding.VOBS:
        return _RAW_HEADER + bytes([key]) + content
    return b"".join((_HEX_HEADER, b"%02x" % key, binascii.hexlify(content)))


def _table(key: int) -> bytes:
    return bytes([byte ^ key for byte in range(256)])


def obfuscated(text: str, key: int = 0x5A) -> bytes:
    """Return the ``savedGame`` member of a text; ``key`` is a byte, fixed for the same bytes.

    >>> obfuscated("begin_save")
    b'!VCSK5a383f3d333405293b2c3f'
    """
    return encoded(text, Coding.VCSK, key)


def read_save(source: Path | bytes) -> SaveFile:
    """Return a save or a log; bytes are the content of such a file.

    Raises :class:`UnreadableError`, naming the file, for what is damaged, hostile or no save.
    """
    data = _content(source) if isinstance(source, Path) else source
    try:
        if data.startswith(b"PK"):
            return _read_zip(data)
        return _read_bare(data)
    except UnreadableError as error:
        if isinstance(source, Path):
            raise UnreadableError(f"{source}: {error}") from None
        raise


def _content(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > _LONGEST_FILE:
            raise UnreadableError(f"{path}: {size} bytes are more than {_LONGEST_FILE}")
        return path.read_bytes()
    except FileNotFoundError:
        raise UnreadableError(f"{path}: no such file") from None
    except (OSError, ValueError) as error:
        raise UnreadableError(f"{path}: unreadable: {error}") from None


def _read_bare(data: bytes) -> SaveFile:
    text, coding, key = decoded(data)
    if coding is Coding.PLAIN and not text.startswith(_PLAIN_STARTS):
        raise UnreadableError("no save and no log: neither a ZIP file nor a text of 'begin_save'")
    text, ending = _cut(text) if coding is Coding.PLAIN else (text, "")
    return SaveFile(Kind.BARE, key, text, {}, coding, (), ending)


def _cut(text: str) -> tuple[str, str]:
    """Return the text without a final newline, and that newline."""
    for ending in ("\r\n", "\n"):
        if text.endswith(ending):
            return text[: -len(ending)], ending
    return text, ""


def _read_zip(data: bytes) -> SaveFile:
    members = read_archive(data)
    if MEMBER not in members:
        kind = "a module or an extension" if "buildFile.xml" in members else "no VASSAL file"
        raise UnreadableError(f"no save and no log, but {kind}: no member {MEMBER!r}")
    if members.size(MEMBER) > 2 * MAX_TEXT_BYTES + 7:
        raise UnreadableError(f"member {MEMBER!r} is longer than any saved game")
    others = [name for name in members if name != MEMBER]
    if sum(map(members.size, others)) > MAX_OTHER_BYTES:
        raise UnreadableError(f"the other members inflate to more than {MAX_OTHER_BYTES} bytes")
    try:
        text, coding, key = decoded(members[MEMBER])
    except UnreadableError as error:
        raise UnreadableError(f"member {MEMBER!r}: {error}") from None
    text, ending = _cut(text) if coding is Coding.PLAIN else (text, "")
    kept = {name: members[name] for name in others}
    return SaveFile(Kind.ZIP, key, text, kept, coding, member_notes(data), ending)


def write_save(save: SaveFile) -> bytes:
    """Return the content of the file, in the form that it came in.

    Members that were not in the file that was read come last, dated 1980-01-01. Raises
    :class:`~builder.vassal.archive.ArchiveError` for members that cannot stand in one archive.
    """
    game = encoded(save.text + save.ending, save.coding, save.key)
    if save.kind is Kind.BARE:
        return game
    members = {MEMBER: game, **save.members}
    return archive_bytes(members, save.notes)


def save_bytes(tree: CommandNode, *, savedata: bytes, moduledata: bytes) -> bytes:
    """Return a whole ``.vsav``: ``moduledata`` is a copy of the module's own."""
    return archive_bytes(
        {MEMBER: obfuscated(encode_tree(tree)), "savedata": savedata, "moduledata": moduledata}
    )

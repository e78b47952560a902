"""Saved games: the command tree as text, and that text as VASSAL's obfuscated member.

Sources: VASSAL classes ``tools.io.ObfuscatingOutputStream``, ``build.GameModule.encode``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from builder.vassal.archive import archive_bytes
from builder.vassal.sequence import join

__all__ = ["Command", "obfuscated", "save_bytes"]

ESC = "\x1b"
_HEADER = b"!VCSK"


@dataclass(frozen=True, slots=True)
class Command:
    """A command's own text and its sub-commands; an empty text is a mere container."""

    text: str = ""
    children: tuple[Command, ...] = ()

    def encoded(self) -> str:
        r"""Return the text of the whole tree, nested as VASSAL nests it.

        >>> Command("a", (Command(), Command("", (Command("b"), Command("c"))))).encoded()
        'a\x1b\x1b\\\x1bb\\\x1bc'
        """
        if not self.children:
            return self.text
        return join([self.text, *(child.encoded() for child in self.children)], ESC)


def obfuscated(text: str, key: int = 0x5A) -> bytes:
    """Return the ``savedGame`` member of a text; ``key`` is a byte, fixed for the same bytes.

    >>> obfuscated("begin_save")
    b'!VCSK5a383f3d333405293b2c3f'
    """
    table = bytes(byte ^ key for byte in range(256))
    return _HEADER + f"{key:02x}".encode() + text.encode().translate(table).hex().encode()


def save_bytes(tree: Command, *, savedata: bytes, moduledata: bytes) -> bytes:
    """Return a whole ``.vsav``: ``moduledata`` is a copy of the module's own."""
    return archive_bytes(
        {"savedGame": obfuscated(tree.encoded()), "savedata": savedata, "moduledata": moduledata}
    )


def container(commands: Sequence[Command]) -> Command:
    """Return commands as one, which has no text of its own."""
    return Command("", tuple(commands))

"""Lines of the chat as text: who typed one, what the program reported, what dice it tells of.

VASSAL's window shows HTML, and a log holds it. Here it stays text: entities become the characters
they stand for, tags stay as they were typed. Source: VASSAL class ``build.module.Chatter``.
"""

from __future__ import annotations

import html
import re
from typing import Final, NamedTuple

__all__ = ["ChatLine", "ToldRoll", "read_chat", "told_roll"]

_SPEAKER: Final = re.compile(r"[|!?~`]?\s*(?:&lt;|<)(.{1,200}?)(?:&gt;|>) - ?(.*)", re.DOTALL)
_UNDO: Final = re.compile(r"\* ?UNDO: (.*)", re.DOTALL)
_ROLL: Final = re.compile(
    r"\*\*\* ?(?P<dice>.{1,80}?) = (?P<result>[-+\d][-+\d, ()]*?) \*\*\*"
    r"(?: +<(?P<by>[^<>]{0,200})>)?.*",
    re.DOTALL,
)
_BY: Final = re.compile(r"<([^<>/]{1,200})>")


class ChatLine(NamedTuple):
    """A line: its words, who typed it (None: the program), and whether it tells of an undo.

    ``undone`` is the line that an undo repeats, as it stood in the log; ``named`` are the names in
    angle brackets of a report, one of which may be the player who made it.
    """

    words: str
    speaker: str | None = None
    undone: str | None = None
    named: tuple[str, ...] = ()


class ToldRoll(NamedTuple):
    """Dice that a report of VASSAL's usual form tells of."""

    dice: str
    result: str
    by: str | None


def read_chat(text: str) -> ChatLine:
    """Return the line of a chat command's text.

    >>> read_chat("&lt;Rosa&gt; - 3 &amp; <b>4</b>")
    ChatLine(words='3 & <b>4</b>', speaker='Rosa', undone=None, named=())
    >>> read_chat("* UNDO: <Rosa> - hello").undone
    '<Rosa> - hello'
    """
    undo = _UNDO.fullmatch(text)
    typed = None if undo else _SPEAKER.fullmatch(text)
    if typed:
        return ChatLine(html.unescape(typed[2]), html.unescape(typed[1]))
    words = html.unescape(text)
    named = tuple(_BY.findall(words[:2000]))
    return ChatLine(words, None, undo[1] if undo else None, named)


def told_roll(line: ChatLine) -> ToldRoll | None:
    """Return the roll of a report; None for anything else, and for what a player typed.

    >>> told_roll(read_chat("*** 2d6 = 5,4 *** &lt;Rosa&gt;"))
    ToldRoll(dice='2d6', result='5,4', by='Rosa')
    >>> told_roll(read_chat("&lt;Rosa&gt; - *** 2d6 = 6,6 ***")) is None
    True
    """
    if line.speaker is not None or line.undone is not None or len(line.words) > 2000:
        return None
    found = _ROLL.fullmatch(line.words)
    return ToldRoll(found["dice"], found["result"], found["by"] or None) if found else None

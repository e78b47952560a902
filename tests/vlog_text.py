"""A small reader of logs for tests: what VASSAL wrote, step by step, as plain command texts.

Written from the format and not from our reader, so that tests of the latter have something to
compare with.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

ESC = "\x1b"
STEP = "LOG\t"
CHAT = "CHAT"


def plain_text(path: Path) -> str:
    """The text of the member ``savedGame``: hex digits of bytes, all XORed with the same byte."""
    with zipfile.ZipFile(path) as archive:
        data = archive.read("savedGame")
    if not data.startswith(b"!VCSK"):
        return data.decode("utf-8")
    key = int(data[5:7], 16)
    return bytes(byte ^ key for byte in bytes.fromhex(data[7:].decode("ascii"))).decode("utf-8")


def _tokens(text: str) -> list[str]:
    """Cut at every ESC that no backslash stands before; an escaped one loses its backslash."""
    tokens, token = [], ""
    for index, character in enumerate(text):
        if character == ESC and not (index and text[index - 1] == "\\"):
            tokens.append(token)
            token = ""
        elif character == ESC:
            token = token[:-1] + ESC
        else:
            token += character
    tokens.append(token)
    return [t[1:-1] if len(t) > 1 and t[0] == t[-1] == "'" else t for t in tokens]


def _leaves(text: str) -> list[str]:
    if ESC not in text:
        return [text] if text else []
    return [leaf for token in _tokens(text) for leaf in _leaves(token)]


def log_steps(path: Path) -> list[list[str]]:
    """The commands of each step of a log, in order, without the mark of the log."""
    steps = []
    for token in _tokens(plain_text(path)):
        leaves = _leaves(token)
        if leaves and leaves[0].startswith(STEP):
            steps.append([leaf.removeprefix(STEP) for leaf in leaves])
    return steps


def chat_texts(path: Path) -> list[str]:
    """The text of every chat command in a log."""
    return [c.removeprefix(CHAT) for s in log_steps(path) for c in s if c.startswith(CHAT)]

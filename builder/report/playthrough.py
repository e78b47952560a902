"""A playthrough as text: headings, every action as a line that can be read back, and the score."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import Any, Final

from builder.rules.playthrough import Player, Playthrough

__all__ = ["action_lines", "playthrough_lines", "summary_lines"]

_WIDTH: Final = 96


def playthrough_lines(title: str, player: Player, played: Playthrough[Any, Any]) -> Iterator[str]:
    """Yield the lines of a playthrough: ``#`` begins a remark, all other lines are actions.

    Each heading stands after an empty line. At the end there is how the game stands.
    """
    yield f"# {title}"
    for deed in played.deeds:
        heading = player.heading(deed.state, deed.action)
        if heading:
            yield from ("", f"# --- {heading}")
        remark = player.remark(deed.state, deed.action)
        line = player.write_action(deed.action)
        yield f"{line}  # {remark}" if remark else line
    yield from ("", "# --- The end")
    yield from summary_lines(player.summary(played.end), "# ")


def summary_lines(summary: Iterable[str], begin: str = "") -> Iterator[str]:
    """Yield how a game stands, long lists over several lines.

    >>> list(summary_lines(["Allied: Le Muy"], "# "))
    ['# Allied: Le Muy']
    """
    for line in summary:
        yield from textwrap.wrap(
            line,
            _WIDTH,
            initial_indent=begin,
            subsequent_indent=f"{begin}    ",
            break_on_hyphens=False,
            break_long_words=False,
        )


def action_lines(text: str) -> Iterator[str]:
    """Yield the lines of a playthrough that are actions.

    >>> list(action_lines("# a game\\n\\nROLL side=Allied  # dice\\n"))
    ['ROLL side=Allied']
    """
    for line in text.splitlines():
        action = line.split("#")[0].strip()
        if action:
            yield action

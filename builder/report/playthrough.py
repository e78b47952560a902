"""A playthrough as text: headings, every action as a line that can be read back, and the score."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from builder.rules.playthrough import Player, Playthrough

__all__ = ["action_lines", "playthrough_lines"]


def playthrough_lines(title: str, player: Player, played: Playthrough[Any, Any]) -> Iterator[str]:
    """Yield the lines of a playthrough: ``#`` begins a remark, all other lines are actions."""
    yield f"# {title}"
    for deed in played.deeds:
        heading = player.heading(deed.state, deed.action)
        if heading:
            yield ""
            yield from (f"# {line}" for line in player.summary(deed.state))
            yield f"# --- {heading}"
        yield player.write_action(deed.action)
    yield ""
    yield from (f"# {line}" for line in player.summary(played.end))


def action_lines(text: str) -> Iterator[str]:
    """Yield the lines of a playthrough that are actions.

    >>> list(action_lines("# a game\\n\\nROLL side=Allied  # dice\\n"))
    ['ROLL side=Allied']
    """
    for line in text.splitlines():
        action = line.split("#")[0].strip()
        if action:
            yield action

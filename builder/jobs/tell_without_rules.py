"""What can be told of a log whose game has no rules here: its story, and its dice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from builder.jobs.dice_stats import dice_stats
from builder.jobs.tell_lines import story_lines
from builder.jobs.tell_log import tell_log
from builder.report.stats_text import text_report
from builder.workspace import Workspace

__all__ = ["ToldWithoutRules", "tell_without_rules"]


class ToldWithoutRules(NamedTuple):
    """The story line by line, and the statistics of the dice as text; no player id is in either."""

    story: tuple[str, ...]
    dice: str


def tell_without_rules(
    logs: Sequence[Path], module: Path | None, workspace: Workspace
) -> ToldWithoutRules:
    """Tell logs that no rules judge; the module, if it is at hand, gives the names of places.

    Raises :class:`~builder.problems.BuilderError` for what cannot be read.
    """
    folders = [workspace.dist, *dict.fromkeys(path.parent for path in logs)]
    story = story_lines(tell_log(tuple(logs), module, folders=folders))
    return ToldWithoutRules(tuple(story), text_report(dice_stats(tuple(logs), workspace=workspace)))

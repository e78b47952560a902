"""``hexwright stats``: what the logs of a game say about its dice."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder.cli_output import HexwrightCommand, echo_json, progress_bar
from builder.problems import UnreadableError
from builder.workspace import Workspace, atomic_write, open_workspace

if TYPE_CHECKING:
    from builder.report.dice_stats import Die

__all__ = ["stats"]


def _dice(texts: tuple[str, ...]) -> dict[str, Die]:
    """Return kind to die of the ``--die`` options."""
    from builder.jobs.dice_stats import die_of_text

    dice = {}
    for text in texts:
        kind, equals, sides = text.rpartition("=")
        if not equals or not kind.strip():
            raise click.BadParameter(f"expected KIND=DIE, got {text!r}", param_hint="--die")
        dice[kind.strip()] = die_of_text(sides)
    return dice


@click.command(cls=HexwrightCommand)
@click.argument("logs", nargs=-1, required=True, metavar="LOG...", type=click.Path(path_type=Path))
@click.option(
    "--html",
    "page",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a page with plots.",
)
@click.option(
    "--die",
    "dice",
    multiple=True,
    metavar="KIND=DIE",
    help="What a kind of roll is made with: d6, or every side, as in 'Combat=hit,hit,miss'.",
)
@click.option("--typed", is_flag=True, help="List typed texts that look like rolls, apart.")
@click.option("--ascii", "is_ascii", is_flag=True, help="Draw bars of plain characters.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, for programs.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but mistakes; no progress bar.")
def stats(
    logs: tuple[Path, ...],
    page: Path | None,
    dice: tuple[str, ...],
    typed: bool,
    is_ascii: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Count the dice in the logs of a game, by player and kind, and test whether they are fair.

    Give several logs of one game in the order they were played: steps that a later log repeats,
    because its recorder replayed them, are counted once. Rolls that were undone are listed apart.
    Only what the program wrote is a roll; text that a player typed is not, whatever it looks like.

    \b
    Example:
      hexwright stats game-1.vlog game-2.vlog
      hexwright stats game.vlog --html dice.html
    """
    from builder.jobs.dice_stats import dice_stats
    from builder.report.dice_report import as_json as to_json
    from builder.report.stats_text import text_report

    workspace = open_workspace()
    with progress_bar(quiet or as_json) as progress:
        report = dice_stats(
            logs, dice=_dice(dice), workspace=workspace, typed=typed, progress=progress
        )
    if page is not None:
        from builder.report.stats_html import stats_page

        atomic_write(page, stats_page(report, _template(workspace)))
    if as_json:
        echo_json(to_json(report))
    elif not quiet:
        is_plain = is_ascii or not _shows("█▌│─²×")
        click.echo(text_report(report, is_ascii=is_plain), nl=False)
        if page is not None:
            click.echo(f"\nwrote {page}")


def _template(workspace: Workspace) -> str:
    path = workspace.find("templates", "report", "stats.html")
    if path is None:
        raise UnreadableError("no templates/report/stats.html in the project or the package")
    return path.read_text("utf-8")


def _shows(text: str) -> bool:
    """Whether the terminal's encoding has these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True

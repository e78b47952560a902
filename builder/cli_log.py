"""``hexwright log``: the story of saves and logs, step by step."""

from __future__ import annotations

import re
from pathlib import Path

import click

from builder.cli_output import HexwrightCommand
from builder.problems import UsageError

__all__ = ["log"]

_RANGE = re.compile(r"(\d{1,9})?(-)?(\d{1,9})?")
_LAST = 10**9


@click.command(cls=HexwrightCommand)
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path)
)
@click.option(
    "-m",
    "--module",
    type=click.Path(path_type=Path),
    help="The module the log was made with.  [default: found by name beside the log, or in dist]",
)
@click.option("--steps", metavar="A-B", help="Tell only these steps: 12, 12-20, 12- or -20.")
@click.option(
    "--piece", metavar="NAME", help="Tell only steps with pieces called so, or partly so."
)
@click.option("--for", "viewer", metavar="WHO", help="Tell only what this player or side may see.")
@click.option("--marks", is_flag=True, help="Tell the marks 'has moved' as well.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line: one event.")
def log(
    files: tuple[Path, ...],
    module: Path | None,
    steps: str | None,
    piece: str | None,
    viewer: str | None,
    marks: bool,
    as_json: bool,
) -> None:
    """Tell what happened in VASSAL logs, step by step.

    Who did it, what moved from where to where, flips, rolls, draws, chat. Several files of one game
    are told in the order given, with what changed between them. Works with the logs of any module;
    with the module itself, places have their names.

    \b
    Example:
      hexwright log game.vlog
      hexwright log part1.vlog part2.vlog --steps 40-60 --piece "Red 1"
    """
    from builder.jobs.tell_lines import json_lines, story_lines
    from builder.jobs.tell_log import tell_log
    from builder.workspace import open_workspace

    folders = [*dict.fromkeys(path.parent for path in files), Path(), open_workspace().dist]
    tales = tell_log(
        files, module, folders=folders, steps=_steps(steps), piece=piece, viewer=viewer
    )
    for line in json_lines(tales) if as_json else story_lines(tales, marks=marks):
        click.echo(line)


def _steps(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    found = _RANGE.fullmatch(text.strip())
    if found is None or not (found[1] or found[3]):
        raise UsageError(f"--steps takes 12, 12-20, 12- or -20, not {text[:40]!r}")
    first, dash, last = found.groups()
    if not dash:
        return int(first), int(first)
    return int(first or 0), int(last or _LAST)

"""``hexwright show``, ``pack`` and ``diff``: files of VASSAL, whoever made them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import cast

import click

from builder.cli_output import (
    HexwrightCommand,
    common_options,
    counted,
    echo_json,
    problem_json,
    shown,
)

__all__ = ["diff", "pack", "show"]

_FILE = click.Path(path_type=Path)


@click.command(cls=HexwrightCommand)
@click.argument("file", type=_FILE)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write text, pictures and other members into this folder, for `pack`.",
)
@click.option(
    "--with-ids",
    is_flag=True,
    help="Show player ids, which are the players' PASSWORDS, instead of placeholders.",
)
@common_options
def show(file: Path, output: Path | None, with_ids: bool, quiet: bool, as_json: bool) -> None:
    """Show a module, extension, saved game or log as text that people can read and compare.

    Components, pieces with a trait a line, commands and log steps are written in full, so that
    `hexwright pack` can make the file again. Players' ids are their passwords; they become
    placeholders (player-1, ...) unless you ask for them.

    \b
    Example:
      hexwright show game.vlog | less
      hexwright show game.vmod -o twin      (edit twin/...)
      hexwright pack twin -o game2.vmod
    """
    from builder.jobs.show_file import show_file, show_text

    if output is None:
        text = show_text(file, with_ids=with_ids)
        if as_json:
            echo_json({"ok": True, "text": text})
        else:
            click.echo(text, nl=False)
        return
    result = show_file(file, output, with_ids=with_ids)
    if as_json:
        folder = str(result.folder)
        echo_json({"ok": True, "folder": folder, "lines": result.lines, "files": result.files})
    elif not quiet:
        beside = counted(result.files, "file")
        click.echo(f"wrote {shown(result.folder)} ({result.lines} lines, {beside} beside them)")


@click.command(cls=HexwrightCommand)
@click.argument("twin", type=_FILE)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The module, saved game or log to write.",
)
@common_options
def pack(twin: Path, output: Path, quiet: bool, as_json: bool) -> None:
    """Make a module, saved game or log again from the text that `show` wrote.

    TWIN is the folder that `show -o` wrote, or a text alone. A mistake in an edited text is told
    with its place, all mistakes at once, and nothing is written.
    """
    from builder.jobs.pack_file import pack_file

    warnings = pack_file(twin, output)
    if as_json:
        told = [problem_json(p) for p in warnings]
        echo_json({"ok": True, "file": str(output), "warnings": told})
        return
    for warning in warnings:
        click.echo(str(warning), err=True)
    if not quiet:
        click.echo(f"wrote {shown(output)}")


@click.command(cls=HexwrightCommand)
@click.argument("old", type=_FILE)
@click.argument("new", type=_FILE)
@click.option("--module", type=_FILE, help="The module of two saves: places are told by name.")
@click.option(
    "--at",
    type=click.Choice(["start", "end", "next"]),
    help="Which moments of logs to compare: start, end, or the end of OLD and the start of NEW.",
)
@common_options
def diff(
    old: Path, new: Path, module: Path | None, at: str | None, quiet: bool, as_json: bool
) -> None:
    """Tell how two modules, or two saved games or logs, differ.

    Modules: components, attributes, pieces by gpid, traits, pictures. Saves: pieces by id, where
    they stand and how, players, properties. Two logs: where they begin, the first other step, and
    where they end. A log and a save: whether the save agrees with where the log ended. Exit codes:
    0 the same, 1 different.

    \b
    Example:
      hexwright diff game.vlog after.vsav --module game.vmod
      hexwright diff part1.vlog part2.vlog --at next
    """
    from builder.jobs.diff_files import At, diff_files

    result = diff_files(old, new, module=module, at=cast("At | None", at))
    if as_json:
        echo_json(
            {
                "same": result.is_same,
                "kind": result.kind,
                "compared": result.compared_data(),
                "differences": result.as_data(),
                "warnings": list(result.warnings),
            }
        )
    elif not quiet:
        for pair in result.compared:
            moments = (pair.old, old, pair.old_step), (pair.new, new, pair.new_step)
            click.echo(" against ".join(_moment(*moment) for moment in moments))
        for text in result.warnings:
            click.echo(f"warning: {text}", err=True)
        colors = {"added": "green", "removed": "red"}
        for item in result.differences:
            click.secho(str(item), fg=colors.get(item.sign))
        number = len(result.differences)
        click.echo(counted(number, "difference") if number else "no differences")
    sys.exit(0 if result.is_same else 1)


def _moment(moment: str, path: Path, step: int) -> str:
    after = f" (step {step})" if moment == "end" else ""
    return f"the {moment} of {path.name}{after}"

"""The ``hexwright`` command: parses, calls one job, prints, chooses the exit code.

Jobs are imported inside the commands, so that ``--help`` answers at once.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from builder import __version__
from builder.cli_check import check
from builder.cli_files import diff, pack, show
from builder.cli_log import log
from builder.cli_output import (
    HexwrightCommand,
    common_options,
    counted,
    echo_json,
    problem_json,
    progress_bar,
    shown,
)
from builder.cli_play import play
from builder.cli_rules import rules
from builder.cli_stats import stats
from builder.problems import Problem
from builder.workspace import open_workspace

if TYPE_CHECKING:
    from builder.jobs.trace_map import TraceResult

__all__ = ["main"]


class _Group(click.Group):
    command_class = HexwrightCommand

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command if there is none of that name."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            from builder.problems import did_you_mean

            ctx.fail(f"no command {args[0]!r}{did_you_mean(args[0], self.list_commands(ctx))}")
        return super().resolve_command(ctx, args)


_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 96}


@click.group(cls=_Group, context_settings=_CONTEXT)
@click.version_option(__version__, "-V", "--version", prog_name="hexwright")
def main() -> None:
    """Build VASSAL modules and print-ready maps and counters from text files.

    A game is a folder of text files that you edit by hand: game.toml (what the game is), map.toml
    and terrain.txt (the map), counters.csv (the counters), prototypes.toml and module.toml (what
    VASSAL is told). GAME is the name of a folder under mapdata/, or a path to such a folder.

    Saves, logs and modules of VASSAL are read too, whoever made them: show, log, diff, stats. For a
    game whose rules are known, check is the referee of its logs, and play plays it.

    \b
    Start here:
      hexwright lint dropzone      are the files right?
      hexwright build dropzone     make dist/dropzone.vmod
      hexwright log game.vlog      what happened in this game?
      hexwright check game.vlog    what of it broke a rule?

    Exit codes: 0 clean, 1 mistakes in the data, 2 wrong usage or an unreadable file.
    """


# -------------------------------------------------------------------------------------- build


@main.command()
@click.argument("game")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The module to write.  [default: dist/GAME.vmod]",
)
@click.option("--no-map", is_flag=True, help="Do not write the picture of the map beside it.")
@common_options
def build(game: str, output: Path | None, no_map: bool, quiet: bool, as_json: bool) -> None:
    """Build the VASSAL module of GAME, and a picture of its map.

    Reads the game's files, draws the map and every counter, and packs them with all of VASSAL's
    components into one .vmod. Nothing is written if a file has a mistake. New counters get a
    number in gpids.csv, which is kept for ever so that saved games go on working; commit it.

    \b
    Example:
      hexwright build dropzone
      hexwright build mygames/river-crossing -o river.vmod
    """
    from builder.jobs.build_module import build_module

    workspace = open_workspace()
    folder = workspace.game_folder(game)
    target = output or workspace.dist / f"{folder.resolve().name}.vmod"
    with progress_bar(quiet or as_json) as report:
        result = build_module(
            folder, target, workspace=workspace, map_picture=not no_map, progress=report
        )
    if as_json:
        echo_json(
            {
                "ok": True,
                "module": str(result.module),
                "map": str(result.map_picture) if result.map_picture else None,
                "counters": result.counters,
                "pictures": result.pictures,
                "new_gpids": list(result.new_gpids),
                "warnings": [problem_json(p) for p in result.warnings],
            }
        )
        return
    for warning in result.warnings:
        click.echo(str(warning), err=True)
    if quiet:
        return
    if result.new_gpids:
        click.echo(f"numbered {len(result.new_gpids)} new counters in gpids.csv")
    size = result.module.stat().st_size / 1e6
    click.echo(
        f"wrote {shown(result.module)} ({result.counters} counters, "
        f"{result.pictures} pictures, {size:.1f} MB)"
    )
    if result.map_picture:
        click.echo(f"wrote {shown(result.map_picture)}")


# --------------------------------------------------------------------------------------- lint


@main.command()
@click.argument("games", nargs=-1, metavar="[GAME|FILE.vmod]...")
@click.option("--strict", is_flag=True, help="Warnings count as mistakes.")
@common_options
def lint(games: tuple[str, ...], strict: bool, quiet: bool, as_json: bool) -> None:
    """Check the files of GAME (default: every game) and print every mistake with its place.

    A module or extension of anybody's (FILE.vmod, FILE.vmdx) is checked too: missing and unused
    pictures, doubled gpids, unknown prototypes, at-start stacks that VASSAL drops, and more.

    A line reads FILE:LINE:COLUMN: what was expected, what was found, the nearest known word.
    Writes nothing. Checks the words and numbers of all files, that counters, hexes, boxes, layouts,
    symbols and prototypes fit together, and that every text fits on its counter.
    """
    from builder.jobs.lint_game import lint_game
    from builder.jobs.lint_module import lint_module

    workspace = open_workspace()
    names = games or tuple(workspace.games())
    found: dict[str, tuple[Problem, ...]] = {}
    for name in names:
        if Path(name).suffix.lower() in {".vmod", ".vmdx"}:
            found[name] = lint_module(Path(name))
        else:
            found[name] = tuple(lint_game(workspace.game_folder(name), workspace=workspace))
    bad = any(p.severity == "error" or strict for ps in found.values() for p in ps)
    if as_json:
        games_json = {n: [problem_json(p) for p in ps] for n, ps in found.items()}
        echo_json({"ok": not bad, "games": games_json})
    else:
        for name, problems in found.items():
            for problem in problems:
                click.echo(str(problem))
            if not quiet:
                click.echo(_summary(name, problems))
    sys.exit(1 if bad else 0)


def _summary(name: str, problems: Iterable[Problem]) -> str:
    kinds = [p.severity for p in problems]
    errors, warnings = kinds.count("error"), kinds.count("warning")
    if not kinds:
        return f"{name}: no mistakes found"
    return f"{name}: {counted(errors, 'mistake')}, {counted(warnings, 'warning')}"


# -------------------------------------------------------------------------------------- trace


@main.command()
@click.argument("game")
@click.option("--check", is_flag=True, help="Only show what differs from the files; write nothing.")
@click.option(
    "--overwrite", is_flag=True, help="Give up corrections by hand; the old files become .bak."
)
@common_options
def trace(game: str, check: bool, overwrite: bool, quiet: bool, as_json: bool) -> None:
    """Lay the hex grid over real geography and write the map's text files.

    Reads area.geojson and map.toml of GAME; writes terrain.txt, hexsides.csv (rivers, bridges),
    routes.csv (roads) and places.csv. You then correct these by hand. A later trace brings in what
    has changed in the geography, keeps your corrections, and lists both.

    With --check nothing is written, and the exit code is 1 if a trace would change a file.
    """
    from builder.jobs.trace_map import trace_map

    folder = open_workspace().game_folder(game)
    with progress_bar(quiet or as_json) as report:
        result = trace_map(folder, check=check, overwrite=overwrite, progress=report)
    _echo_trace(result, check, quiet, as_json)


def _echo_trace(result: TraceResult, check: bool, quiet: bool, as_json: bool) -> None:
    if as_json:
        files = [dataclasses.asdict(file) for file in result.files]
        warnings = [problem_json(p) for p in result.warnings]
        echo_json({"ok": result.is_current or not check, "files": files, "warnings": warnings})
        sys.exit(0 if result.is_current or not check else 1)
    for problem in result.warnings:
        click.echo(str(problem), err=True)
    word = "would be " if check else ""
    for file in result.files:
        if not quiet or file.status != "unchanged":
            state = file.status if file.status == "unchanged" else f"{word}{file.status}"
            click.echo(f"{file.name}: {state}")
        for line in file.changes:
            click.echo(f"  {line}")
        for line in file.conflicts:
            click.echo(f"  kept by hand, though the geography changed: {line}")
        if not quiet:
            for line in file.by_hand:
                click.echo(f"  kept by hand: {line}")
        if file.backup:
            click.echo(f"  the old file {'would be' if check else 'is'} kept as {file.backup}")
    sys.exit(1 if check and not result.is_current else 0)


# ------------------------------------------------------------------------------------- schema


@main.command()
@click.argument("name", required=False)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write every schema as a file into this folder.",
)
@common_options
def schema(name: str | None, output: Path | None, quiet: bool, as_json: bool) -> None:
    """Print the JSON Schema of a TOML file, so that an editor completes and checks it.

    NAME is a kind of file, e.g. map.toml; without NAME the kinds are listed. Editors with a TOML
    extension take a schema by a first line such as:  #:schema ./schemas/map.toml.json
    """
    from builder.jobs.write_schemas import schema_text, schema_texts, write_schemas

    if output:
        for path in write_schemas(output):
            if not quiet and not as_json:
                click.echo(f"wrote {shown(path)}")
        if as_json:
            echo_json({"ok": True, "files": sorted(schema_texts())})
    elif name:
        click.echo(schema_text(name), nl=False)
    elif as_json:
        echo_json({n: json.loads(t) for n, t in schema_texts().items()})
    else:
        click.echo("\n".join(sorted(schema_texts())))


for _command in (show, pack, diff, log, stats, rules, play, check):
    main.add_command(_command)

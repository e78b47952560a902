"""``hexwright play``: the program plays a game by its rules, and writes it down, also as a log."""

from __future__ import annotations

from pathlib import Path

import click

from builder.cli_output import HexwrightCommand, common_options, echo_json, progress_bar, shown
from builder.problems import UsageError
from builder.workspace import atomic_write, open_workspace

__all__ = ["play"]


@click.command(cls=HexwrightCommand)
@click.argument("game")
@click.option("--seed", type=int, default=1, show_default=True, help="Same seed, same game.")
@click.option("--scenario", default="", metavar="NAME", help="Which set-up.  [default: standard]")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a .vlog that VASSAL steps through.",
)
@click.option(
    "--save",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Go on from this .vsav, or from the end of this .vlog.",
)
@click.option("--command", metavar="NAME", help="With --save: play this Command's activation.")
@click.option(
    "--module",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="The module that the log is for.  [default: dist/GAME.vmod]",
)
@common_options
def play(
    game: str,
    seed: int,
    scenario: str,
    output: Path | None,
    save: Path | None,
    command: str | None,
    module: Path | None,
    quiet: bool,
    as_json: bool,
) -> None:
    """Let the program play GAME by its rules, for all sides, and print every action.

    The players take objectives, attack at good odds, and use assets and replacements; what a rule
    forbids they never do. With -o the game is written as a log of the module, to be stepped
    through in VASSAL. With --save and --command the program plays one Command's next activation
    in your own game, as a log that begins where your save ends: a player for the other side.
    A card with solitaire rules that is not part of the rulebook is not what they follow.

    \b
    Example:
      hexwright play dropzone --seed 7
      hexwright play dropzone --seed 7 -o game.vlog
      hexwright play dropzone --save ours.vsav --command 148RD -o answer.vlog
    """
    from builder.jobs.play_game import play_command, play_game, recorded
    from builder.report.playthrough import summary_lines

    if (save is None) != (command is None):
        raise UsageError("--save and --command belong together")
    if save is not None and scenario:
        raise UsageError("--scenario is for a new game; the save says which scenario it is")
    if output is not None and save is not None and output.resolve() == save.resolve():
        raise UsageError(f"{shown(output)} is the save itself: give the log another name")
    workspace = open_workspace()
    folder = workspace.game_folder(game)
    with progress_bar(quiet or as_json) as progress:
        if save is not None and command is not None:
            what = play_command(
                folder, save, command, module=module, seed=seed, workspace=workspace
            )
        else:
            what = play_game(folder, scenario=scenario, seed=seed)
        if output is not None:
            data = recorded(what, module=module, workspace=workspace, progress=progress)
            atomic_write(output, data)
    actions = [what.player.write_action(d.action) for d in what.played.deeds]
    if as_json:
        echo_json(
            {
                "game": what.game.name,
                "seed": seed,
                "actions": actions,
                "summary": list(what.player.summary(what.played.end)),
                "log": str(output) if output else None,
            }
        )
        return
    if quiet:
        return
    if output is None:
        click.echo("\n".join(what.lines))
        return
    click.echo("\n".join(summary_lines(what.player.summary(what.played.end))))
    click.echo(f"wrote {shown(output)} ({len(actions)} actions)")

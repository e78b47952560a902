"""``hexwright check``: the referee reads logs and says what broke which rule."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from builder.cli_output import HexwrightCommand, echo_json, progress_bar, shown
from builder.problems import BuilderError
from builder.workspace import atomic_write, open_workspace

if TYPE_CHECKING:
    from builder.report.findings import CheckReport

__all__ = ["check"]

_FAIL_ON = ("illegal", "warning", "undecided", "note", "never")


@click.command(cls=HexwrightCommand)
@click.argument("logs", nargs=-1, required=True, metavar="LOG...", type=click.Path(path_type=Path))
@click.option("--game", metavar="GAME", help="Whose rules.  [default: by the log's module]")
@click.option(
    "--module",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="The module that was played.  [default: dist/, or beside the log]",
)
@click.option("--for", "viewer", default="", metavar="SIDE", help="Name nothing hidden from SIDE.")
@click.option("--full", "is_full", is_flag=True, help="After the game: name everything.")
@click.option(
    "--fail-on",
    type=click.Choice(_FAIL_ON),
    default="illegal",
    show_default=True,
    help="The ruling from which on the exit code is 1.",
)
@click.option(
    "--html",
    "page",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write a page with pictures of each finding.",
)
@click.option("--jobs", type=click.IntRange(1, 64), default=1, help="Games checked at a time.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, for programs.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but mistakes; no progress bar.")
def check(
    logs: tuple[Path, ...],
    game: str | None,
    module: Path | None,
    viewer: str,
    is_full: bool,
    fail_on: str,
    page: Path | None,
    jobs: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Judge the logs of games by their rules: which moves, rolls and losses broke which rule.

    Logs of one game, given in the order they were played, are one game; other logs are checked
    each for itself, and a table says what was found. A finding has one cause: after it the table
    is followed. Units that are hidden at the end are not named, nor with --for what that side
    cannot know; --full is for the end of a game, when both sides may see all.

    \b
    Example:
      hexwright check game.vlog
      hexwright check game-1.vlog game-2.vlog --html report.html
      hexwright check logs/*.vlog --jobs 2

    Exit codes: 0 nothing reaches --fail-on, 1 something does, 2 a file cannot be read.
    """
    from builder.jobs.check_many import Outcome, check_many
    from builder.report.findings import findings_json, worst_of
    from builder.report.findings_text import many_lines, report_lines
    from builder.rules.core import Ruling

    workspace = open_workspace()
    folder = workspace.game_folder(game) if game else None
    with progress_bar(quiet or as_json) as progress:
        outcomes: list[Outcome] = check_many(
            logs,
            workspace=workspace,
            game=folder,
            module=module,
            viewer=viewer,
            is_full=is_full,
            page=page is not None,
            jobs=jobs,
            progress=progress,
        )
    if page is not None and outcomes[0].page is not None:
        atomic_write(page, outcomes[0].page)
    single = len(outcomes) == 1
    failed = [o for o in outcomes if o.report is None]
    if failed and single:
        raise _UnreadableLogError(failed[0].error)
    if as_json:
        data = [_json(o, findings_json) for o in outcomes]
        echo_json(data[0] if single else {"games": data})
    elif not quiet:
        if single and outcomes[0].report is not None:
            click.echo("\n".join(report_lines(outcomes[0].report)))
            if not outcomes[0].report.game:
                from builder.jobs.tell_without_rules import tell_without_rules

                told = outcomes[0].told or tell_without_rules(logs, module, workspace)
                click.echo("\n".join((*told.story, "", told.dice)))
            if page is not None and outcomes[0].page is not None:
                click.echo(f"wrote {shown(page)}")
        elif not single:
            rows: list[tuple[str, CheckReport | str]] = [
                (o.name, o.report if o.report is not None else o.error) for o in outcomes
            ]
            click.echo("\n".join(many_lines(rows)))
    code = 2 if failed else 0
    if fail_on != "never" and not failed:
        limit = Ruling(fail_on).rank
        worst = max(worst_of(o.report.findings).rank for o in outcomes if o.report is not None)
        code = int(worst >= limit)
    click.get_current_context().exit(code)


class _UnreadableLogError(BuilderError):
    """The one file that was given cannot be read."""


def _json(outcome: Any, findings_json: Any) -> dict[str, Any]:
    report = outcome.report
    if report is None:
        return {"logs": [outcome.name], "error": outcome.error, "findings": []}
    return {
        "logs": [f.name for f in report.files],
        "module": report.module,
        "game": report.game or None,
        "steps": report.steps,
        "actions": report.actions,
        "players": [{"name": n, "side": s or None} for n, s in report.players],
        "warnings": [*report.warnings, *(w for f in report.files for w in f.warnings)],
        "findings": findings_json(report.findings),
        "summary": list(report.summary),
    }

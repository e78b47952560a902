"""``hexwright rules``: what of a rulebook is judged, by what, and with which examples."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from builder.cli_output import HexwrightCommand, common_options, counted, echo_json, progress_bar
from builder.problems import UsageError, did_you_mean
from builder.workspace import open_workspace

if TYPE_CHECKING:
    from builder.jobs.list_rules import RuleListing, RulesReport
    from builder.rules.data_examples import DataExample

__all__ = ["rules"]

_SEVERITY = {"E": "error", "W": "warning", "E/W": "error or warning", "N": "information"}
_STATUS = {
    "enforced": "judged by the referee",
    "data": "checked when the game's files are read",
    "note": "nothing that a log or the data can decide",
}


@click.command(cls=HexwrightCommand)
@click.argument("game")
@click.option("--row", metavar="ROW", help="Show one row wholly, with its examples: DZ-5.1h.")
@click.option(
    "--status",
    type=click.Choice(["enforced", "data", "note"]),
    help="Only rows of that status.",
)
@click.option("--section", metavar="NUMBER", help="Only rows of a section and below: 5.1.")
@click.option("--check", is_flag=True, help="Try every example; exit 1 if one comes out otherwise.")
@common_options
def rules(
    game: str,
    row: str | None,
    status: str | None,
    section: str | None,
    check: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """List every row of the rulebook of GAME: what is judged, by which function, shown by what.

    A row is *enforced* (the referee judges it), *data* (checked when the files are read, by lint
    and build) or a *note*. Rows that say the same thing as another name that one. The examples
    are in GAME's folder, examples/*.toml: a position, an action, and what the rulebook says.

    \b
    Example:
      hexwright rules dropzone
      hexwright rules dropzone --row DZ-5.1h
      hexwright rules dropzone --check
    """
    from builder.jobs.list_rules import list_rules

    if row and (section or status):
        raise UsageError("--row shows one row: --section and --status do not go with it")
    folder = open_workspace().game_folder(game)
    if check:
        _check(folder, quiet, as_json)
        return
    report = list_rules(folder)
    chosen = [
        r
        for r in ([report.find(row)] if row else report.rows)
        if (status is None or r.row.status == status)
        and (section is None or _is_within(r.row.section, section))
    ]
    if not chosen and section is not None and status is None:
        known = [r.row.section for r in report.rows]
        raise UsageError(f"no rows of section {section!r}{did_you_mean(section, known)}")
    if as_json:
        echo_json({"game": report.game, "rows": [_json(r) for r in chosen]})
    elif row:
        _whole(chosen)
    elif not quiet:
        _table(report, chosen)


def _is_within(number: str, section: str) -> bool:
    return number == section or number.startswith(section.rstrip(".") + ".")


def _json(listing: RuleListing) -> dict[str, Any]:
    row = listing.row
    return {
        "row": row.id,
        "rule": row.section,
        "title": row.title,
        "status": row.status,
        "severity": row.severity,
        "same_as": row.same_as or None,
        "function": listing.functions[0] if listing.functions else None,
        "functions": list(listing.functions),
        "tests": list(listing.tests),
    }


def _table(report: RulesReport, chosen: list[RuleListing]) -> None:
    click.echo(f"{report.title}: {counted(len(chosen), 'row')} of its rulebook")
    width = max((len(r.row.id) for r in chosen), default=0)
    titles = max((len(r.row.title) for r in chosen), default=0)
    section, prefix = None, f"{report.game}."
    for listing in chosen:
        row = listing.row
        if row.section != section:
            section = row.section
            click.echo(f"\n{section}")
        more = f" +{len(listing.functions) - 1}" if len(listing.functions) > 1 else ""
        by = (
            f"= {row.same_as}"
            if row.same_as
            else "".join(listing.functions[:1]).removeprefix(prefix) + more
        )
        shown = f"{len(listing.tests)} ex." if listing.tests else ""
        click.echo(
            f"  {row.id:{width}}  {row.status:8}  {row.title:{titles}}  {shown:>6}  {by}".rstrip()
        )
    counts = {s: sum(r.row.status == s for r in chosen) for s in _STATUS}
    click.echo(
        "\n" + ", ".join(f"{n} {s}" for s, n in counts.items()) + "; --row ROW shows one wholly"
    )


def _whole(chosen: list[RuleListing]) -> None:
    for listing in chosen:
        row = listing.row
        click.echo(f"{row.id}  rule {row.section}: {row.title}")
        click.echo(textwrap.fill(row.text, 96, **_indent(2)))
        click.echo(f"  {row.status}: {_STATUS[row.status]}; a breach is: {_SEVERITY[row.severity]}")
        if row.same_as:
            click.echo(f"  says the same as {row.same_as}")
        for function in listing.functions:
            click.echo(f"  stated by {function}")
        for example in listing.examples:
            verdict = "legal" if example.is_legal else f"{example.ruling}: "
            verdict += ", ".join(example.breaks)
            click.echo(f"\n  {example.id}: {verdict}")
            if example.note:
                click.echo(textwrap.fill(example.note, 96, **_indent(4)))
            for line in (*example.ground, *example.given.strip().splitlines(), *example.before):
                click.echo(f"      {line}")
            click.echo(f"    → {example.action}")
        for change in listing.data_examples:
            _data_example(change)


def _data_example(change: DataExample) -> None:
    """Print a change to a file of the game, and what is then said of it."""
    verdict = "a mistake" if change.says else "right"
    click.echo(f"\n  {change.id}: {verdict}, in {change.file}")
    for mark, text in (("- ", change.find), ("+ ", change.put)):
        for line in filter(str.strip, text.splitlines()):
            click.echo(f"      {mark}{line}")
    if change.says:
        click.echo(f"    → {' … '.join(change.says)}")


def _indent(width: int) -> dict[str, Any]:
    return {"initial_indent": " " * width, "subsequent_indent": " " * width}


def _check(folder: Path, quiet: bool, as_json: bool) -> None:
    from builder.jobs.list_rules import check_examples, list_rules

    report = list_rules(folder)
    total = len({t for r in report.rows for t in r.tests})
    with progress_bar(quiet or as_json) as progress:
        failures = check_examples(folder, progress)
    if as_json:
        echo_json({"game": report.game, "examples": total, "failures": failures})
    else:
        for name, found in failures.items():
            for text in found:
                click.echo(f"{name}: {text}", err=True)
        if not quiet:
            click.echo(f"{counted(total, 'example')}, {len(failures)} otherwise than they say")
    if failures:
        click.get_current_context().exit(1)

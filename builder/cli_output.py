"""What every command of the command line shares: errors as words and exit codes, JSON, a bar."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from builder.problems import BuilderError, DataError, Problem

__all__ = ["HexwrightCommand", "echo_json", "problem_json", "progress_bar"]


class HexwrightCommand(click.Command):
    """A command whose BuilderErrors become words and exit codes."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run it; a :class:`BuilderError` or a failing disk ends it without a traceback."""
        try:
            return super().invoke(ctx)
        except DataError as error:
            if ctx.params.get("as_json"):
                echo_json({"ok": False, "problems": [problem_json(p) for p in error.problems]})
            else:
                click.echo(str(error), err=True)
            ctx.exit(error.exit_code)
        except BuilderError as error:
            if ctx.params.get("as_json"):
                echo_json({"ok": False, "error": str(error)})
            else:
                click.echo(f"hexwright: {error}", err=True)
            ctx.exit(error.exit_code)
        except OSError as error:
            # a full disk, a read-only folder: the user's business, told without a traceback
            where = f": {error.filename}" if error.filename else ""
            click.echo(f"hexwright: {error.strerror or error}{where}", err=True)
            ctx.exit(2)


def echo_json(value: Any) -> None:
    """Print a value as JSON."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def problem_json(problem: Problem) -> dict[str, Any]:
    """Return a problem for programs."""
    return {
        "file": problem.source.path,
        "line": problem.source.line or None,
        "column": problem.source.column or None,
        "severity": problem.severity,
        "message": problem.message,
    }


@contextmanager
def progress_bar(is_silent: bool) -> Iterator[Callable[[str, int, int], None]]:
    """Give a function (what, done, total) that moves a bar on a terminal, silent in a pipe."""
    if is_silent or not sys.stderr.isatty():
        yield lambda _what, _done, _total: None
        return
    with click.progressbar(
        length=1000, file=sys.stderr, show_eta=False, width=30, item_show_func=lambda item: item
    ) as bar:

        def report(what: str, done: int, total: int) -> None:
            target = round(1000 * done / max(total, 1))
            bar.update(max(target - bar.pos, 0), what)

        yield report

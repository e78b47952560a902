"""What every command of the command line shares: errors as words and exit codes, JSON, a bar."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

import click

from builder.problems import BuilderError, DataError, Problem

__all__ = [
    "HexwrightCommand",
    "common_options",
    "counted",
    "echo_json",
    "problem_json",
    "progress_bar",
    "shown",
]

_COLLECTING: Final = (100_000, 50, 50)
"""When Python looks for cyclic garbage: seldom, since a command makes next to none, and every look
goes through all the trees that it has read (a tenth of the time of ``check``)."""

P = ParamSpec("P")
R = TypeVar("R")


class HexwrightCommand(click.Command):
    """A command whose BuilderErrors become words and exit codes."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run it; a :class:`BuilderError` or a failing disk ends it without a traceback."""
        gc.set_threshold(*_COLLECTING)
        try:
            return super().invoke(ctx)
        except DataError as error:
            if ctx.params.get("as_json"):
                echo_json({"ok": False, "problems": [problem_json(p) for p in error.problems]})
            else:
                click.echo(str(error), err=True)
                errors = sum(p.severity == "error" for p in error.problems)
                if errors and not ctx.params.get("quiet"):
                    click.echo(f"{counted(errors, 'mistake')}; nothing was written", err=True)
            ctx.exit(error.exit_code)
        except BuilderError as error:
            if ctx.params.get("as_json"):
                echo_json({"ok": False, "error": str(error)})
            else:
                click.echo(f"hexwright: {error}", err=True)
            ctx.exit(error.exit_code)
        except BrokenPipeError:
            raise  # `| head` has seen enough: click ends quietly
        except OSError as error:
            # a full disk, a read-only folder: the user's business, told without a traceback
            where = f": {error.filename}" if error.filename else ""
            click.echo(f"hexwright: {error.strerror or error}{where}", err=True)
            ctx.exit(2)


def common_options(function: Callable[P, R]) -> Callable[P, R]:
    """Add the options that every command has."""
    function = click.option(
        "--json", "as_json", is_flag=True, help="Print the result as JSON, for programs."
    )(function)
    return click.option(
        "-q", "--quiet", is_flag=True, help="Print nothing but mistakes; no progress bar."
    )(function)


def counted(number: int, word: str) -> str:
    """Return a number and its word.

    >>> counted(1, "mistake"), counted(3, "warning")
    ('1 mistake', '3 warnings')
    """
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def shown(path: Path) -> str:
    """Return a path as a user would type it."""
    try:
        return os.path.relpath(path) if path.is_absolute() else str(path)
    except ValueError:
        return str(path)  # another drive on Windows has no relative path


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

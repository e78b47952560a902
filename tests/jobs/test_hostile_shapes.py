"""Absurd but well-formed logs by every command: a story, a partial one with a warning, or an error.

How long they take at full size is measured by ``bench/bench_hostile.py``.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from hostile_shapes import names, shape

from builder.cli import main

SIZE = 120


@pytest.mark.parametrize("name", names())
def test_an_absurd_log_ends_in_words(name: str, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.vlog", tmp_path / "bad.vlog"
    good.write_bytes(shape("rolls", 9))
    bad.write_bytes(shape(name, SIZE))
    for arguments in (
        ["log", str(bad)],
        ["log", str(good), str(bad), "--json"],
        ["stats", str(bad), "--typed"],
        ["stats", str(bad), "--html", str(tmp_path / "page.html")],
        ["show", str(bad)],
        ["diff", str(good), str(bad)],
    ):
        result = CliRunner().invoke(main, arguments)
        assert result.exception is None or isinstance(result.exception, SystemExit), arguments
        assert result.exit_code in ({0, 1, 2} if arguments[0] == "diff" else {0, 2}), arguments
        assert result.output.strip() or result.exit_code == 0, arguments
    assert {path.name for path in tmp_path.iterdir()} <= {"good.vlog", "bad.vlog", "page.html"}


def told(name: str, size: int, folder: Path) -> str:
    path = folder / "bad.vlog"
    path.write_bytes(shape(name, size))
    result = CliRunner().invoke(main, ["log", str(path)])
    assert result.exit_code == 0
    return result.output


def test_stacks_in_stacks_are_left_out_and_said(tmp_path: Path) -> None:
    for name in ("stacks in stacks", "a cycle of stacks"):
        assert "holds another stack" in told(name, 20, tmp_path)


def test_a_tall_stack_moved_without_end_is_told_in_part(tmp_path: Path) -> None:
    output = told("a tall stack", 200, tmp_path)
    assert "more pieces of a stack are not told" in output
    assert len(output) < 1_000_000


def test_dice_of_endless_kinds_and_players_are_told_together(tmp_path: Path) -> None:
    path = tmp_path / "bad.vlog"
    for name, words in (
        ("rolls of many kinds", "(other kinds)"),
        ("rolls of many players", "(other players)"),
    ):
        path.write_bytes(shape(name, 600))
        result = CliRunner().invoke(main, ["stats", str(path)])
        assert result.exit_code == 0
        assert words in result.output
        assert result.output.count("\n") < 10_000

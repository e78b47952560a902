"""The referee on games that the real VASSAL recorded: read as they were played, and found legal.

All but *breaches*, in which the four things that were done wrong are found, and nothing else.

The logs and the lists of what was done come from ``engine/test_check_games.py``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from real_games import (
    GAMES,
    RealGame,
    dragged,
    listed,
    real_games,
    tellable,
    told_by_lines,
    told_by_reports,
    write_bare,
)

from builder.jobs.check_log import CheckedGame, check_logs
from builder.rules.core import Ruling
from builder.rules.notation import Notation
from builder.rulesets.dropzone.actions import ACTIONS
from builder.rulesets.dropzone.ruleset import DropZone
from builder.workspace import open_workspace

FOLDER = Path(__file__).parents[2] / "mapdata" / "dropzone"
ALL = real_games()
NAMES = [g.name for g in ALL]
LEGAL = [g for g in ALL if not g.findings()]


def _checked(logs: tuple[Path, ...], module: Path) -> CheckedGame:
    return check_logs(logs, workspace=open_workspace(), game=FOLDER, module=module, is_full=True)


def _read(checked: CheckedGame) -> list[list[str]]:
    """The actions that were read from each log; whose hand it was stands elsewhere."""
    rules: DropZone = checked.rules
    return [
        [rules.write_action(replace(a, by="")) for _, a, _ in j.actions] for j in checked.judged
    ]


def _found(checked: CheckedGame) -> list[str]:
    return [
        f"{f.ruling.value} {f.row}" for f in checked.report.findings if f.ruling is not Ruling.NOTE
    ]


# ---------------------------------------------------------------------------------- as recorded


@pytest.mark.parametrize("game", ALL, ids=NAMES)
def test_a_real_game_is_read_as_it_was_played(game: RealGame, dropzone_vmod: Path) -> None:
    checked = _checked(game.logs, dropzone_vmod)
    assert _read(checked) == game.listed()
    assert _found(checked) == game.findings()
    assert [f.warnings for f in checked.report.files] == [()] * len(game.logs)


def test_three_turns_chain_to_one_game(dropzone_vmod: Path) -> None:
    logs = tuple(GAMES / f"turn{n}.vlog" for n in (1, 2, 3))
    checked = _checked(logs, dropzone_vmod)
    assert _read(checked) == [listed(log) for log in logs]
    assert _found(checked) == []
    assert [f.warnings for f in checked.report.files] == [(), (), ()]


# --------------------------------------------------------------------------------- without lines


def _bare(game: RealGame, folder: Path) -> tuple[Path, ...]:
    found = []
    for log in game.logs:
        write_bare(log, folder / log.name)
        found.append(folder / log.name)
    return tuple(found)


def _essence(actions: list[str]) -> list[str]:
    """Actions without those that nothing but a line or the tracker shows."""
    return [a for a in actions if not a.startswith(("RESET", "PHASE"))]


@pytest.mark.parametrize("game", LEGAL, ids=[g.name for g in LEGAL])
def test_without_lines_a_real_game_is_read_nearly_alike(
    game: RealGame, dropzone_vmod: Path, tmp_path: Path
) -> None:
    checked = _checked(_bare(game, tmp_path), dropzone_vmod)
    assert _found(checked) == []
    read = [a for log in _read(checked) for a in log]
    expected = [a for log in game.listed() for a in log]
    # all that was done was read, in its order
    left = iter(_essence(read))
    assert [a for a in _essence(expected) if a not in left] == []
    # and nothing else, but that VASSAL 3.6 marks an undo by a line: who joined and took it back
    # seems to leave
    more = Counter(_essence(read)) - Counter(_essence(expected))
    assert {a.split()[0] for a in more} <= {"JOIN", "LEAVE"}
    assert more.total() <= 2
    # every step of the sequence is inferred, but for one after the last deed
    phases = [a for a in expected if a.startswith("PHASE")]
    assert [a for a in read if a.startswith("PHASE")] in (phases, phases[:-1])


# ---------------------------------------------------------------------- what the lists rest on


@pytest.mark.parametrize("game", ALL, ids=NAMES)
def test_the_lists_say_what_the_chat_of_the_logs_says(game: RealGame) -> None:
    for log in game.logs:
        actions = listed(log)
        assert told_by_lines(log) == tellable(actions)
        reports = told_by_reports(log)
        ways = list(dragged(actions))
        corrected = len(reports) - len(ways)
        assert reports[corrected:] == ways
        drops = [a.split(" to=")[1].split()[0] for a in actions if a.startswith("DROP ")]
        assert 0 <= corrected <= len(drops)
        assert set(reports[:corrected]) <= set(drops)


NEVER = {
    *("PASS_TURN", "PEEK", "RELOCATE", "ALTER"),  # not what a legal game shows
    "DECLARE",  # the end of turn 6
}


def test_the_games_hold_what_a_game_can_hold() -> None:
    assert len(LEGAL) >= 5
    verbs = {a.split()[0] for g in ALL for log in g.listed() for a in log}
    assert set(Notation.verbs(ACTIONS)) - NEVER - verbs == set()
    fields = {word for g in ALL for log in g.listed() for a in log for word in a.split()}
    assert fields >= {"means=fixed", "means=draw", "means=asset", "mode=FIRST", "mode=IF"}
    assert fields >= {"cause=COMBAT", "cause=IF", "cause=LAND", "cause=ATTACK", "cause=DEFEND"}


def test_every_mover_is_known_in_a_game_of_two(dropzone_vmod: Path) -> None:
    (game,) = [g for g in ALL if g.name == "players"]
    checked = _checked(game.logs, dropzone_vmod)
    for log, judged in zip(game.logs, checked.judged, strict=True):
        writer = log.stem.rpartition("-")[2].capitalize()
        assert {a.by for _, a, _ in judged.actions} <= {"", writer}
    assert dict(checked.report.players)["Alice"] == "Allied"
    assert dict(checked.report.players)["Bob"] == "German"


def test_the_logs_are_small() -> None:
    assert [p.name for p in GAMES.glob("*.vlog") if p.stat().st_size > 150_000] == []

"""Nothing is missed: logs in which one thing is wrong, and the row that the referee must name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from dropzone_mutants import (
    Log,
    findings,
    findings_without_lines,
    typed,
    with_asset,
    with_interdiction,
)
from dropzone_mutants_fight import ROCHE_ROUSSE, roche_rousse
from dropzone_mutants_game import EDITS, NEEDS_LINES, TWISTS, Edit, Script
from dropzone_mutants_log import LOG_MUTANTS

from builder.gamebox.open import open_game
from builder.gamebox.open_charts import open_rules
from builder.problems import ProblemLog
from builder.rules.core import Ruling
from builder.rules.examples import Example, open_examples
from builder.rules.readings import LOG_ROWS
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.ruleset import DropZone

FOLDER = Path(__file__).parents[2] / "mapdata" / "dropzone"
EXAMPLES = open_examples(FOLDER, ProblemLog())

READ_AS = {
    # the way is seen before anybody says that it was an advance
    "advance/another hex": "DZ-3.3c",
    # the module counts attacks by itself: no roll has the number of another one
    "attack/dice for an attack that was not announced": "DZ-5.2.5",
    "combat/no side rolls twice": "LOG-TWICE",
    "fire/fire that is rolled twice": "LOG-TWICE",
    # laid beside the area and moved in, in one drag
    "entry/coming on from the track of turns": "DZ-3a",
    # where an asset is played for one Command, another chit is one too many
    "initiative/another Command than the one that was named": "DZ-3.2b",
    "initiative/a draw though an asset was played": "DZ-3.2b",
    # it cannot be fired at by a unit either
    "interdiction/artillery does not interdict": "DZ-5.1j DZ-5.2.2d",
    "landing/a German unit lands": "LOG-TABLE",
    "landing/displaced out of a hex that is no zone": "DZ-3.3c",
    # moved from where its dice took it
    "setup/the red die is not halved": "DZ-3.3c",
    "setup/a unit that does not drop": "LOG-TABLE",
    "players/somebody who is not on the roster": "LOG-OBSERVER",
    "replacement/points for a garrison": "DZ-1.2l",
    "replacement/a return of a unit that is alive": "DZ-3.3c",
    # steps that change without a word are what the rules would have them be
    "steps/steps altered": "DZ-4.1c",
    "steps/an Allied garrison appears": "DZ-6g",
}
"""Examples whose table looks like another breach, and that one."""

UNSEEN = {
    "initiative/a needless draw that brings the Command for which it was played": "the chit is out",
    "draws/an asset that is in the hand already": "it stays where it is",
    "entry/coming on by a hex of no area": "a drag does not show by which hex it came in",
    "landing/landing twice": "it stays where it is",
    "liberation/a garrison that stands already": "nothing changes",
    "objectives/a second step for a garrison that stands": "nothing changes",
    "reinforcement/a unit of the chart is drawn": "what lies in no cup is not drawn from one",
    "steps/a loss of nothing": "nothing changes",
}
"""Examples that change nothing on a table, and why; no log can show them."""


ON_TABLES = [e for e in EXAMPLES if e.id not in UNSEEN]

Caught = Callable[[Iterable[str]], None]
Sketches = dict[tuple[str, ...], DropZone]


@pytest.fixture
def caught(record_property: Callable[[str, object], None]) -> Caught:
    """Note rows that a mutant has shown to be found, for the count at the end of the run."""

    def note(rows: Iterable[str]) -> None:
        for row in sorted(rows):
            record_property("row caught", row)

    return note


@pytest.fixture(scope="module")
def sketches() -> Sketches:
    """The rules over sketched maps, each made once."""
    return {}


@pytest.fixture(scope="module")
def rules() -> DropZone:
    return DropZone.of(open_game(FOLDER))


def test_what_is_read_otherwise_are_examples_that_there_are() -> None:
    assert {*READ_AS, *UNSEEN} <= {e.id for e in EXAMPLES}


def _log(example: Example, rules: DropZone, sketches: Sketches) -> tuple[Log, int]:
    state = rules.position(example.ground, example.given)
    if example.ground not in sketches:
        sketches[example.ground] = replace(rules, facts=state.facts) if example.ground else rules
    rules = sketches[example.ground]
    seats = {name: _seat(commands) for name, commands in state.roster.items()}
    log = Log(rules, state, seats)
    taken = {w for w in (*example.before, example.action) for w in w.replace("=", " ").split()}
    for line in example.before:
        for action in with_interdiction(log.state, [rules.read_action(line)]):
            log.act(with_asset(log.state, action, taken))
    first = log.length + 1
    last = rules.read_action(example.action)
    announced = with_interdiction(log.state, [last]) if log.state.side != "German" else (last,)
    for action in announced:
        log.act(with_asset(log.state, action, taken))
    return log, first


def _seat(commands: tuple[str, ...]) -> str:
    names = {"517PRCT": "517 PRCT", "2IPBG": "2 IPBG", "148RD": "148 Res. Div."}
    if len(commands) > 1:
        return "Allied" if "2IPBG" in commands else "German"
    return names.get(commands[0], "KGr von Schwerin")


def _expected(example: Example) -> set[str]:
    """Return the rows that the log of an example breaks."""
    return set(READ_AS.get(example.id, " ".join(example.breaks)).split())


def _shown(example: Example) -> set[str]:
    """Return the rows that it catches: also those that only say what others judge by."""
    expected = _expected(example)
    return expected | {r for r in example.rows if expected and r not in book.judging}


@pytest.mark.parametrize("example", ON_TABLES, ids=lambda e: e.id)
def test_a_log_of_an_example_is_ruled_as_the_example(
    example: Example, rules: DropZone, sketches: Sketches, caught: Caught
) -> None:
    log, first = _log(example, rules, sketches)
    found = [f for f in findings(log) if f.step >= first]
    rows = {f.breach.row for f in found}
    assert rows == _expected(example), [f.breach.message for f in found]
    if example.id not in READ_AS:
        worst = max((f.ruling for f in found), key=lambda r: r.rank, default=Ruling.LEGAL)
        assert worst.value == example.ruling
    caught(_shown(example))


def _joined(rules: DropZone) -> Log:
    """Return the log of an attack that a unit far away joins."""
    log = roche_rousse(rules).log(0, 4)
    log.seats = {"Ann": "Allied", "Karl": "German"}
    return log.act("JOIN n=1 unit=3-I-933", "Karl")


def test_a_ruling_of_both_sides_makes_a_finding_a_note(rules: DropZone) -> None:
    log = _joined(rules)
    for player in ("Ann", "Karl"):
        log.show(typed("DZ: RULING rule=5.2a text=let it pass", player), by=player)
    found = findings(log)
    assert [(f.breach.row, f.ruling, f.is_settled) for f in found] == [
        ("DZ-5.2a", Ruling.NOTE, True)
    ]


def test_who_plays_both_sides_rules_alone(rules: DropZone) -> None:
    log = _joined(rules)
    log.seats["Rosa"] = "Solo"
    log.show(typed("DZ: RULING rule=5.2a text=a slip of the hand", "Rosa"), by="Rosa")
    assert [(f.breach.row, f.ruling) for f in findings(log)] == [("DZ-5.2a", Ruling.NOTE)]


def test_a_ruling_that_comes_too_late_settles_nothing(rules: DropZone) -> None:
    log = _joined(rules)
    log.show(typed("DZ: RULING rule=5.2a text=let it pass", "Ann"), by="Ann")
    for _ in range(21):
        log.show(typed("hello", "Ann"), by="Ann")
    log.show(typed("DZ: RULING rule=5.2a text=let it pass", "Karl"), by="Karl")
    rows = [(f.breach.row, f.ruling) for f in findings(log)]
    assert rows == [
        ("DZ-5.2a", Ruling.ILLEGAL),
        ("LOG-RULING", Ruling.WARNING),
        ("LOG-RULING", Ruling.WARNING),
    ]


@pytest.mark.parametrize("name", LOG_MUTANTS)
def test_what_nobody_may_do_with_a_log_is_found(name: str, rules: DropZone, caught: Caught) -> None:
    mutant = LOG_MUTANTS[name](rules)
    assert mutant.failures() == [], mutant.name
    caught([mutant.row])


@pytest.fixture(scope="module")
def game(rules: DropZone) -> Script:
    return Script.legal_game(rules)


def test_the_game_that_is_changed_is_legal(game: Script) -> None:
    assert [f"step {f.step} {f.breach.row}: {f.breach.message}" for f in findings(game.log())] == []


@pytest.mark.parametrize("edit", EDITS, ids=lambda e: e.name)
def test_one_thing_wrong_in_a_legal_game_is_found(edit: Edit, game: Script, caught: Caught) -> None:
    assert game.mutant(edit).failures() == []
    caught([edit.row])


def test_the_fight_for_roche_rousse_is_legal(rules: DropZone) -> None:
    assert findings(roche_rousse(rules).log()) == []


@pytest.mark.parametrize("edit", ROCHE_ROUSSE, ids=lambda e: e.name)
def test_one_thing_wrong_at_roche_rousse_is_found(
    edit: Edit, rules: DropZone, caught: Caught
) -> None:
    assert roche_rousse(rules).mutant(edit).failures() == []
    caught([edit.row])


def test_there_is_a_mutant_for_every_row(
    rules: DropZone, record_property: Callable[[str, object], None]
) -> None:
    listed = open_rules(FOLDER, ProblemLog())
    due = {r.id for r in listed if r.status == "enforced" and not r.same_as} | set(LOG_ROWS)
    for row in sorted(due):
        record_property("row due", row)
    seen = [_shown(e) for e in ON_TABLES]
    edits = {e.row for e in (*EDITS, *ROCHE_ROUSSE)}
    logs = {make(rules).row for make in LOG_MUTANTS.values()}
    assert due - edits.union(logs, *seen) == set()


@pytest.mark.parametrize(
    "edit", [e for e in EDITS if e.name not in NEEDS_LINES], ids=lambda e: e.name
)
def test_without_lines_it_is_found_as_a_warning(edit: Edit, game: Script) -> None:
    mutant = game.mutant(edit)
    found = findings_without_lines(mutant.log)
    assert [f.breach.row for f in found if f.breach.row not in edit.besides] == [edit.row]
    assert {f.ruling for f in found} == {Ruling.WARNING}


@pytest.mark.parametrize("name", TWISTS)
def test_what_looks_odd_in_a_legal_game_is_not_found(name: str, game: Script) -> None:
    log = game.mutant(Edit(name, "", TWISTS[name])).log
    assert [f.breach for f in findings(log)] == []
    assert [f.breach for f in findings_without_lines(log)] == []


def test_a_unit_may_be_dragged_before_it_gains_the_step_of_its_return(game: Script) -> None:
    at = game.lines.index("RETURN unit=A-509 to=1715")
    log = Log(game.rules, game.states[at])
    log.act("RETURN unit=A-509 to=1715")
    gain, drag = log.steps
    log.steps = [replace(drag, number=1), replace(gain, number=2)]
    log.acts(game.lines[at + 1 : at + 12])
    assert [f.breach for f in findings(log)] == []


def test_what_is_undone_before_dice_fell_is_as_if_it_had_not_been(game: Script) -> None:
    at = game.lines.index("MOVE unit=G-3-517 to=1809")
    log = game.log(at - 8, at)
    state = log.state
    log.act("MOVE unit=G-3-517 to=0301").undone()
    log.state = state
    log.acts(game.lines[at : at + 6])
    assert [f.breach for f in findings(log)] == []

"""Hidden units: vector V-DZ-12, duties, and who looks."""

from __future__ import annotations

from strategies_dropzone import facts, rules

from builder.rules.core import Ruling
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.candidates_combat import reveal_candidates, reveal_duties
from builder.rulesets.dropzone.state import State


def told(state: State, line: str) -> list[tuple[str, Ruling]]:
    """Return rows and rulings of an action."""
    return [(b.row, b.ruling) for b in book.judge(state, rules().read_action(line))]


def after(state: State, *lines: str) -> State:
    """Return the state after actions."""
    for line in lines:
        state = applied(state, rules().read_action(line))
    return state


def test_twenty_units_start_hidden() -> None:
    hidden = [k for k, u in rules().start().units.items() if u.hidden]
    commands = [facts().units[k].command for k in hidden]
    assert (len(hidden), commands.count("517PRCT"), commands.count("2IPBG")) == (20, 12, 8)


FIGHT = """
turn 2 COMBAT 517PRCT
A-509 1004 hidden as H1
B-509 1006 hidden as H2
C-509 1003 hidden as H3
1-I-933 1005
"""


def test_only_who_fights_is_revealed() -> None:
    state = after(rules().position(("all .",), FIGHT), "ATTACK n=1 target=1005")
    assert reveal_duties(state) == ()
    state = after(state, "JOIN n=1 unit=A-509")
    assert reveal_duties(state) == ("A-509",)
    assert told(state, "REVEAL unit=B-509") == [("DZ-1.2aa", Ruling.WARNING)]
    state = after(state, "JOIN n=1 unit=B-509")
    assert [(r.unit, r.cause) for r in reveal_candidates(state)] == [
        ("A-509", "ATTACK"),
        ("B-509", "ATTACK"),
    ]
    roll = "ROLL side=Allied kind=COMBAT attack=1 faces=miss,miss,miss,miss"
    assert told(state, roll) == [("DZ-5.2.3", Ruling.ILLEGAL)]
    state = after(state, *(f"REVEAL unit={k} cause=ATTACK" for k in reveal_duties(state)))
    assert told(state, roll) == []
    assert state.units["C-509"].hidden


def test_a_finding_names_no_hidden_unit() -> None:
    state = after(
        rules().position(("all .",), FIGHT), "ATTACK n=1 target=1005", "JOIN n=1 unit=A-509"
    )
    line = "ROLL side=Allied kind=COMBAT attack=1 faces=miss,miss"
    (breach,) = book.judge(state, rules().read_action(line))
    assert "509" not in breach.message.replace("1005", "")


def test_a_hidden_defender_is_revealed() -> None:
    text = "turn 2 COMBAT KGVS\nA-509 1004 hidden as H1\n1-I-933 1005"
    state = after(rules().position(("all .",), text), "ATTACK n=1 target=1004")
    state = after(state, "JOIN n=1 unit=1-I-933")
    assert [(r.unit, r.cause) for r in reveal_candidates(state)] == [("A-509", "DEFEND")]
    assert told(state, "REVEAL unit=A-509 cause=DEFEND") == []


def test_a_step_gained_reveals() -> None:
    text = "turn 2 RP 517PRCT\nA-509 1004 1 hidden as H1"
    state = after(rules().position(("all .",), text), "GAIN unit=A-509 cause=RP")
    assert [(r.unit, r.cause) for r in reveal_candidates(state)] == [("A-509", "RP")]
    phase = "PHASE turn=2 step=RU command=517PRCT"
    assert told(state, phase) == [("DZ-1.2aa", Ruling.ILLEGAL)]
    assert told(after(state, "REVEAL unit=A-509 cause=RP"), phase) == []


def test_who_looks_is_known_by_the_roster_only() -> None:
    text = "turn 2 MOVE 517PRCT\nA-509 1004 hidden as H1\nplayer Karl KGVS 148RD\nplayer Ann 2IPBG"
    state = rules().position(("all .",), text)
    assert told(state, "PEEK unit=A-509 by=Karl") == [("DZ-1.2ac", Ruling.WARNING)]
    assert told(state, "PEEK unit=A-509 by=Ann") == []
    assert told(state, "PEEK unit=A-509 by=stranger") == []
    assert told(after(state, "REVEAL unit=A-509"), "PEEK unit=A-509 by=Karl") == []

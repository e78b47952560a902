"""Assets in combat: vector V-DZ-13, what is offered, and who speaks when."""

from __future__ import annotations

import pytest
from hypothesis import given
from strategies_combat import combat_states
from strategies_dropzone import rules

from builder.rulesets.dropzone.actions import Attack, Commit, Use
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.candidates_combat import (
    attack_candidates,
    commit_candidates,
    interdiction_candidates,
    join_candidates,
    owed_rolls,
    use_candidates,
)
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.state import State

ALL_IN_HAND = "\n".join(
    [f"AA-{n} HAND" for n in range(1, 13)] + [f"GA-{n} HAND" for n in range(1, 11)]
)


def attacked(command: str, pieces: str, target: str, *attackers: str) -> State:
    """Return the state after an attack was announced, every asset in its side's hand."""
    text = f"turn 5 COMBAT {command}\n{pieces}\n{ALL_IN_HAND}"
    state = rules().position((), text.replace(" / ", "\n"))
    state = applied(state, rules().read_action(f"ATTACK n=1 target={target}"))
    for key in attackers:
        state = applied(state, rules().read_action(f"JOIN n=1 unit={key}"))
    return state


def rows(state: State, line: str) -> list[str]:
    """Return the rows that an action breaks."""
    return [b.row for b in book.judge(state, rules().read_action(line))]


V_DZ_13 = (
    ("FFI garrison alone", "KGVS", "1-I-933 1409 / G-La-Motte Allied", "1410", ALLIED, "DZ-1.4p"),
    (
        *("FFI unit and garrison", "KGVS", "1-I-933 1409 / FFI-1 1410 / G-La-Motte Allied"),
        *("1410", ALLIED, "DZ-1.4q"),
    ),
    ("HQ 517 alone", "KGVS", "1-I-933 1211 / G-St-Rosaline Allied", "1212", ALLIED, ""),
    (
        *("FFI unit and HQ 517", "KGVS", "1-I-933 1211 / FFI-1 1212 / G-St-Rosaline Allied"),
        *("1212", ALLIED, ""),
    ),
    ("village alone", "517PRCT", "A-509 1409 / G-La-Motte German", "1410", GERMAN, "DZ-1.4p"),
    ("LXII alone", "517PRCT", "A-509 0805 / G-Draguignan-town German", "0806", GERMAN, ""),
    ("765 alone", "517PRCT", "A-509 1611 / G-Le-Muy German", "1612", GERMAN, ""),
    (
        *("a unit beside its garrison", "517PRCT"),
        *("A-509 1409 / 1-I-765 1410 / G-La-Motte German", "1410", GERMAN, ""),
    ),
)


@pytest.mark.parametrize(
    ("command", "pieces", "target", "side", "row"),
    [v[1:] for v in V_DZ_13],
    ids=[v[0] for v in V_DZ_13],
)
def test_who_can_be_helped_in_defense(
    command: str, pieces: str, target: str, side: str, row: str
) -> None:
    state = attacked(command, pieces, target, pieces.split()[0])
    asset = "AA-7" if side == ALLIED else "GA-3"
    expected = [row] if row else []
    assert rows(state, f"COMMIT side={side} attack=1 asset={asset}") == expected
    assert rows(state, f"USE asset={asset} mode=IF attack=1") == expected
    offered = {c.asset for c in commit_candidates(state, side)}
    assert (asset in offered) == (not row)


def test_ffi_attack() -> None:
    pieces = "FFI-1 1004 / FFI-4 1006 / A-509 1105 / 1-I-933 1005"
    alone = attacked("517PRCT", pieces, "1005", "FFI-1", "FFI-4")
    assert rows(alone, "COMMIT side=Allied attack=1 asset=AA-7") == ["DZ-1.4q"]
    assert list(commit_candidates(alone, ALLIED)) == []
    helped = attacked("517PRCT", pieces, "1005", "FFI-1", "FFI-4", "A-509")
    assert rows(helped, "COMMIT side=Allied attack=1 asset=AA-7") == []


def test_an_attack_without_dice_brings_an_asset_in() -> None:
    state = attacked("KGVS", "189-Assault 0810 / A-509 0811", "0811", "189-Assault")
    assert owed_rolls(state) == (("Allied", "COMBAT", 3),)
    assert rows(state, "COMMIT side=German attack=1 asset=GA-3") == []
    state = applied(state, Commit(GERMAN, 1, "GA-3"))
    assert rows(state, "USE asset=GA-3 mode=IF attack=1") == []
    state = applied(state, Use("GA-3", "IF", 1))
    assert owed_rolls(state) == (("German", "IF", 3),)


def test_a_hidden_second_asset_of_the_allies_may_be_a_coordinated_attack() -> None:
    state = attacked("517PRCT", "A-509 1004 / 1-I-933 1005", "1005", "A-509")
    state = applied(state, Commit(ALLIED, 1))
    assert rows(state, "COMMIT side=Allied attack=1") == []
    state = applied(state, Commit(ALLIED, 1))
    assert rows(state, "COMMIT side=Allied attack=1") == ["DZ-5.2.2a"]
    assert rows(state, "USE asset=AA-7 mode=IF attack=1") == []
    state = applied(state, Use("AA-7", "IF", 1))
    assert rows(state, "USE asset=AA-8 mode=IF attack=1") == ["DZ-5.2.2a"]
    assert rows(state, "USE asset=AA-3 mode=JOIN attack=1") == []


def test_defenders_have_no_coordinated_attack() -> None:
    state = attacked("KGVS", "1-I-933 1005 / A-509 1004", "1004", "1-I-933")
    state = applied(state, Commit(ALLIED, 1))
    assert rows(state, "COMMIT side=Allied attack=1") == ["DZ-5.2.2b"]
    assert "AA-3" not in {c.asset for c in commit_candidates(state, ALLIED)}


def test_modes_that_are_offered() -> None:
    state = attacked("KGVS", "242-AG 1005 / 1-I-933 1105 / A-509 1004", "1004", "242-AG", "1-I-933")
    for side, asset in ((GERMAN, "GA-8"), (ALLIED, "AA-9")):
        state = applied(state, Commit(side, 1, asset))
    assert [u.mode for u in use_candidates(state, GERMAN)] == ["IF"]
    assert [u.mode for u in use_candidates(state, ALLIED)] == ["IF", "AT"]


def test_interdiction_of_every_unit_in_the_open() -> None:
    ground = ("all .", "w 1008")
    text = "turn 2 COMBAT 517PRCT\nA-509 1001\n242-AG 1005\n1-I-933 1008\n2-I-933 1002\nAA-5 HAND"
    state = rules().position(ground, text)
    uses = list(interdiction_candidates(state))
    assert [(u.mode, state.facts.label(u.target)) for u in uses] == [
        ("INTERDICT_IF", "1005"),
        ("INTERDICT_AT", "1005"),
    ]
    after = applied(state, uses[1])
    assert owed_rolls(after) == (("Allied", "AT", 2),)


def test_an_interdiction_may_be_announced_first() -> None:
    text = "turn 2 COMBAT 517PRCT\nA-509 1001\n1-I-933 1005\nAA-5 HAND"
    state = rules().position(("all .",), text)
    for line in (
        "ATTACK n=1 target=1005",
        "COMMIT side=Allied attack=1 asset=AA-5",
        "USE asset=AA-5 mode=INTERDICT_IF attack=1 target=1005",
        "ROLL side=Allied kind=IF attack=1 faces=infantry,miss",
        "LOSE unit=1-I-933 cause=IF attack=1",
        "DISCARD asset=AA-5",
        "PHASE turn=2 step=ENDACT command=517PRCT",
    ):
        assert rows(state, line) == [], line
        state = applied(state, rules().read_action(line))


def test_an_interdiction_after_an_attack_on_the_same_hex() -> None:
    text = "turn 2 COMBAT 517PRCT\nA-509 1004 1\n1-I-933 1005\nAA-5 HAND"
    state = rules().position(("all .",), text)
    for line in (
        "ATTACK n=1 target=1005",
        "JOIN n=1 unit=A-509",
        "ROLL side=Allied kind=COMBAT attack=1 faces=miss",
        "ROLL side=German kind=COMBAT attack=1 faces=airborne,miss",
        "LOSE unit=A-509 cause=COMBAT attack=1",
        "USE asset=AA-5 mode=INTERDICT_IF attack=2 target=1005",
    ):
        assert rows(state, line) == [], line
        state = applied(state, rules().read_action(line))
    assert state.fight is not None
    assert (state.fight.n, state.fight.kind) == (2, "interdiction")
    assert owed_rolls(state) == (("Allied", "IF", 2),)


@given(combat_states())
def test_offers_of_an_announced_attack_are_legal(state: State) -> None:
    for attack in list(attack_candidates(state))[:2]:
        assert isinstance(attack, Attack)
        now = applied(state, attack)
        for key in now.units:
            for join in join_candidates(now, key):
                assert list(book.judge(now, join)) == []
                now = applied(now, join)
        for side in (ALLIED, GERMAN):
            for commit in commit_candidates(now, side):
                assert list(book.judge(now, commit)) == []
                laid = applied(now, commit)
                for use in use_candidates(laid, side):
                    assert list(book.judge(laid, use)) == []

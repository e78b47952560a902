"""Combat: the rulebook's examples number by number, dice, attack sets, landing combats."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from hypothesis import given
from strategies_combat import combat_states
from strategies_dropzone import facts, rules

from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.candidates_combat import (
    advance_candidates,
    attack_sets,
    dice_of,
    hex_emptied,
    loss_candidates,
    owed_rolls,
)
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.state import State


def played(state: State, *lines: str) -> State:
    """Return the state after actions that are given as lines, whatever rules think of them."""
    for line in lines:
        state = applied(state, rules().read_action(line))
    return state


def rows(state: State, line: str) -> list[str]:
    """Return the rows that an action breaks."""
    return [b.row for b in book.judge(state, rules().read_action(line))]


# ------------------------------------------------------------------- V-DZ-3, V-DZ-4 and V-DZ-5


@pytest.fixture
def announced() -> State:
    """Roche Rousse, example 1: three German units, two Allied pieces, both assets turned."""
    state = rules().position(
        (),
        """
        turn 2 COMBAT KGVS
        242-AG 0810 1
        1-I-933 0911 2
        2-I-933 0912 2
        A-1-517 0811 2
        G-Roche-Rousse Allied 1
        GA-3 HAND
        AA-9 HAND
        """,
    )
    return played(
        state,
        "ATTACK n=1 target=0811",
        "JOIN n=1 unit=242-AG",
        "JOIN n=1 unit=1-I-933",
        "JOIN n=1 unit=2-I-933",
        "COMMIT side=German attack=1",
        "COMMIT side=Allied attack=1",
        "USE asset=GA-3 mode=IF attack=1",
        "USE asset=AA-9 mode=IF attack=1",
    )


@pytest.fixture
def after_fire(announced: State) -> State:
    """Example 2: A Company and 1st Company have lost a step."""
    return played(
        announced,
        "ROLL side=German kind=IF attack=1 faces=airborne,ffi,ffi",
        "LOSE unit=A-1-517 cause=IF attack=1",
        "ROLL side=Allied kind=IF attack=1 faces=infantry",
        "LOSE unit=1-I-933 cause=IF attack=1",
    )


@pytest.fixture
def after_dice(after_fire: State) -> State:
    """Example 3: both sides have rolled."""
    return played(
        after_fire,
        "ROLL side=German kind=COMBAT attack=1 faces=armor,ffi,ffi,miss,miss",
        "ROLL side=Allied kind=COMBAT attack=1 faces=armor,infantry,miss",
    )


def test_fire_of_example_2(announced: State) -> None:
    assert owed_rolls(announced) == (("German", "IF", 3), ("Allied", "IF", 1))
    german = played(announced, "ROLL side=German kind=IF attack=1 faces=airborne,ffi,ffi")
    assert [a.unit for a in loss_candidates(german)] == ["A-1-517"]
    german = played(german, "LOSE unit=A-1-517 cause=IF attack=1")
    assert list(loss_candidates(german)) == []
    allied = played(german, "ROLL side=Allied kind=IF attack=1 faces=infantry")
    assert [a.unit for a in loss_candidates(allied)] == ["1-I-933", "2-I-933"]
    assert owed_rolls(allied) == ()
    allied = played(allied, "LOSE unit=1-I-933 cause=IF attack=1")
    left = {k: allied.steps_of(k) for k in ("A-1-517", "G-Roche-Rousse", "242-AG")}
    assert left == {"A-1-517": 1, "G-Roche-Rousse": 1, "242-AG": 1}
    assert (allied.steps_of("1-I-933"), allied.steps_of("2-I-933")) == (1, 2)


def test_dice_of_example_3(after_fire: State) -> None:
    german, allied = dice_of(after_fire, GERMAN), dice_of(after_fire, ALLIED)
    assert (german.n, allied.n) == (5, 3)
    assert german.words == "242 AG Co 3, 1 Co I/933 1, 2 Co I/933 2, hill −1"
    assert allied.words == "A Co 1/517 1, garrison of Roche Rousse 1, hill +1"
    assert german.ours == allied.ours == ()
    assert owed_rolls(after_fire) == (("German", "COMBAT", 5), ("Allied", "COMBAT", 3))


def test_losses_of_example_3(after_dice: State) -> None:
    assert dice_of(after_dice, ALLIED).n == 3
    assert {a.unit for a in loss_candidates(after_dice)} == {
        "A-1-517",
        "242-AG",
        "1-I-933",
        "2-I-933",
    }
    state = played(
        after_dice,
        "LOSE unit=A-1-517 cause=COMBAT attack=1",
        "LOSE unit=242-AG cause=COMBAT attack=1",
    )
    assert not hex_emptied(state)
    assert {a.unit for a in loss_candidates(state)} == {"G-Roche-Rousse", "1-I-933", "2-I-933"}
    state = played(
        state,
        "LOSE unit=G-Roche-Rousse cause=COMBAT attack=1",
        "LOSE unit=1-I-933 cause=COMBAT attack=1",
    )
    assert list(loss_candidates(state)) == []
    assert hex_emptied(state)
    assert [a.unit for a in advance_candidates(state)] == ["2-I-933"]
    state = applied(state, next(advance_candidates(state)))
    assert facts().label(state.units["2-I-933"].place) == "0811"
    assert state.steps_of("2-I-933") == 2
    assert state.steps_of("G-Roche-Rousse") == 0
    assert rows(state, "PHASE turn=2 step=ENDACT command=KGVS") == []


def test_the_other_company_may_take_the_infantry_hit(after_dice: State) -> None:
    state = played(after_dice, "LOSE unit=242-AG cause=COMBAT attack=1")
    assert rows(state, "LOSE unit=2-I-933 cause=COMBAT attack=1") == []


MUTATIONS: tuple[tuple[str, str, set[str]], ...] = (
    ("after_roll", "LOSE unit=G-Roche-Rousse cause=IF attack=1", {"DZ-1.2x"}),
    ("after_both", "LOSE unit=242-AG cause=IF attack=1", {"DZ-1.2b"}),
    # six dice: the lost step, or the hill; one number, so that the general row has it
    (
        "after_fire",
        "ROLL side=German kind=COMBAT attack=1 faces=armor,ffi,ffi,miss,miss,miss",
        {"DZ-5.2.5"},
    ),
    ("after_fire", "ROLL side=Allied kind=COMBAT attack=1 faces=armor,infantry", {"DZ-5.2.5b"}),
    ("after_infantry", "LOSE unit=2-I-933 cause=COMBAT attack=1", {"DZ-5.2.6b"}),
    ("emptied", "ADVANCE unit=1-I-933 to=0811 attack=1", {"DZ-5.2.7"}),
    ("emptied", "PHASE turn=2 step=ENDACT command=KGVS", {"DZ-6j"}),
    ("again", "JOIN n=2 unit=2-I-933", {"DZ-5.2b"}),
)


@pytest.mark.parametrize(("where", "line", "broken"), MUTATIONS)
def test_mutations(
    where: str, line: str, broken: set[str], announced: State, after_fire: State, after_dice: State
) -> None:
    """V-DZ-5: each mistake is found, once."""
    after_roll = played(
        announced,
        "ROLL side=German kind=IF attack=1 faces=airborne,ffi,ffi",
        "LOSE unit=A-1-517 cause=IF attack=1",
    )
    emptied = played(
        after_dice,
        "LOSE unit=A-1-517 cause=COMBAT attack=1",
        "LOSE unit=G-Roche-Rousse cause=COMBAT attack=1",
        "LOSE unit=242-AG cause=COMBAT attack=1",
        "LOSE unit=1-I-933 cause=COMBAT attack=1",
    )
    states = {
        "after_roll": after_roll,
        "after_both": played(after_roll, "ROLL side=Allied kind=IF attack=1 faces=infantry"),
        "after_fire": after_fire,
        "after_dice": after_dice,
        "after_infantry": played(after_dice, "LOSE unit=1-I-933 cause=COMBAT attack=1"),
        "emptied": emptied,
        "again": played(
            emptied,
            "ADVANCE unit=2-I-933 to=0811 attack=1",
            "ATTACK n=2 target=1009",
        ),
    }
    assert {*rows(states[where], line)} - {"DZ-5.2a"} == broken


def test_hill_and_lost_step_apart(announced: State) -> None:
    """V-DZ-5: the same numbers where only one mistake explains them."""
    no_fire = played(
        rules().position((), "turn 2 COMBAT KGVS\n242-AG 0810\n2-I-933 0912\nA-1-517 0811"),
        "ATTACK n=1 target=0811",
        "JOIN n=1 unit=242-AG",
        "JOIN n=1 unit=2-I-933",
    )
    assert rows(no_fire, "ROLL side=German kind=COMBAT faces=miss,miss,miss,miss,miss") == [
        "DZ-5.2.5b"
    ]
    two = played(
        announced,
        "ROLL side=German kind=IF attack=1 faces=miss,miss,miss",
        "ROLL side=Allied kind=IF attack=1 faces=armor",
        "LOSE unit=242-AG cause=IF attack=1",
    )
    assert dice_of(two, GERMAN).n == 3
    assert rows(two, "ROLL side=German kind=COMBAT faces=miss,miss,miss,miss,miss,miss") == [
        "DZ-5.2.4d"
    ]


# --------------------------------------------------------------------------------- attack sets

POSITIONS = (
    # one target, three attackers: 7 sets
    ("KGVS", "242-AG 0810 / 1-I-933 0911 / 2-I-933 0912 / A-1-517 0811", 7),
    # two targets that share one of two attackers: 3 + 1
    ("517PRCT", "A-509 1004 / B-509 1006 / 1-I-933 1005 / 2-I-933 1003", 4),
    # units of the other Command, the dead and those that have attacked do not count
    (
        "517PRCT",
        "A-509 1004 / A-4Para 1006 / B-509 0905 / C-509 1105 0 / 1-I-933 1005 / attacked B-509",
        1,
    ),
    # garrisons alone
    ("2IPBG", "A-4Para 1409 / B-4Para 1411 / G-La-Motte German / G-Trans-en-Provence German", 3),
    # six around one, and a second enemy beside two of them
    (
        "517PRCT",
        "A-509 1004 / B-509 1105 / C-509 1106 / A-1-517 1006 / B-1-517 0906 / C-1-517 0905 / "
        "1-I-933 1005 / 2-I-933 1205",
        66,
    ),
)


def brute_sets(state: State) -> set[tuple[str, tuple[str, ...]]]:
    """Try every set of pieces against every hex, by the words of rule 5.2."""
    known = facts()
    grid = known.sheet.grid
    command = state.command
    side = next(u.side for u in known.units.values() if u.command == command)
    found = set()
    for target in known.sheet.hexes():
        enemies = [
            k
            for k, u in state.units.items()
            if u.place == target and u.steps > 0 and known.units[k].side != side
        ]
        enemies += [
            k
            for k, g in state.garrisons.items()
            if known.garrisons[k].hex == target and g.steps > 0 and g.side != side
        ]
        if not enemies:
            continue
        near = [
            k
            for k, u in sorted(state.units.items())
            if u.place in grid.neighbors(target)
            and u.steps > 0
            and known.units[k].command == command
            and k not in state.attacked
        ]
        sets = chain.from_iterable(combinations(near, n) for n in range(1, len(near) + 1))
        found |= {(known.label(target), units) for units in sets}
    return found


@pytest.mark.parametrize(("command", "pieces", "count"), POSITIONS)
def test_counted_attack_sets(command: str, pieces: str, count: int) -> None:
    state = rules().position((), f"turn 2 COMBAT {command}\n" + pieces.replace(" / ", "\n"))
    sets = [(facts().label(s.target), tuple(sorted(s.units))) for s in attack_sets(state)]
    assert len(sets) == len(set(sets)) == count
    assert set(sets) == brute_sets(state)


@given(combat_states())
def test_attack_sets_are_those_of_the_brute_force(state: State) -> None:
    sets = [(facts().label(s.target), tuple(sorted(s.units))) for s in attack_sets(state)]
    assert len(sets) == len(set(sets))
    assert set(sets) == brute_sets(state)


def test_a_coordinated_attack_needs_a_unit_of_the_active_command() -> None:
    text = "turn 2 COMBAT 517PRCT\nA-509 1004\nA-4Para 1006\nB-4Para 0905\n1-I-933 1005\n"
    sets = [s.units for s in attack_sets(rules().position((), text), coordinated=True)]
    assert len(sets) == 4
    assert all("A-509" in units for units in sets)


# ---------------------------------------------------------------------------- landing combats

LANDED = "turn 3 LAND 517PRCT\nA-551 1211 1\nowes A-551 attack\n1-I-765 1211\nA-509 1210\n"


def landed(ground: tuple[str, ...], *lines: str) -> State:
    """Return the state after actions of a unit that has landed on a German one."""
    state = rules().position(ground, LANDED)
    for line in lines:
        assert rows(state, line) == [], line
        state = applied(state, rules().read_action(line))
    return state


def test_a_landing_combat_without_decision_calls_for_a_direction() -> None:
    state = landed(("all .",), "ATTACK n=1 target=1211", "JOIN n=1 unit=A-551")
    assert owed_rolls(state) == (("Allied", "LAND", 1), ("German", "LAND", 2))
    state = played(state, "ROLL side=Allied kind=LAND attack=1 faces=miss")
    assert state.landing == {"A-551": "attack"}
    state = played(state, "ROLL side=German kind=LAND attack=1 faces=miss,miss")
    assert state.landing == {"A-551": "direction"}
    assert list(advance_candidates(state)) == []


def test_a_landing_unit_without_dice_is_shot_at() -> None:
    state = landed(("all .", "m 1211"), "ATTACK n=1 target=1211", "JOIN n=1 unit=A-551")
    assert owed_rolls(state) == (("German", "LAND", 3),)
    state = played(state, "ROLL side=German kind=LAND attack=1 faces=miss,miss,miss")
    assert state.landing == {"A-551": "direction"}


def test_a_landing_unit_that_clears_its_hex_has_landed() -> None:
    state = landed(
        ("all .",),
        "ATTACK n=1 target=1211",
        "JOIN n=1 unit=A-551",
        "ROLL side=Allied kind=LAND attack=1 faces=armor",
        "ROLL side=German kind=LAND attack=1 faces=miss,miss",
        "LOSE unit=1-I-765 cause=COMBAT attack=1",
    )
    assert state.landing == {"A-551": "direction"}
    state = rules().position(("all .",), LANDED.replace("1-I-765 1211", "1-I-765 1211 1"))
    state = played(
        state,
        "ATTACK n=1 target=1211",
        "JOIN n=1 unit=A-551",
        "ROLL side=Allied kind=LAND attack=1 faces=infantry",
        "ROLL side=German kind=LAND attack=1 faces=miss",
        "LOSE unit=1-I-765 cause=COMBAT attack=1",
    )
    assert state.landing == {}
    assert state.units["A-551"].is_on_map


def test_the_river_counts_as_it_lay_when_the_attack_was_joined() -> None:
    text = "turn 2 COMBAT KGVS\n189-Assault 1004\n2-I-933 1006\nA-509 1005"
    state = rules().position(("all .", "river 1004 1005", "river 1006 1005"), text)
    state = played(
        state,
        "ATTACK n=1 target=1005",
        "JOIN n=1 unit=189-Assault",
        "JOIN n=1 unit=2-I-933",
        "ROLL side=Allied kind=COMBAT attack=1 faces=infantry,miss",
        "LOSE unit=189-Assault cause=COMBAT attack=1",
    )
    assert dice_of(state, GERMAN).n == 2
    assert owed_rolls(state) == (("German", "COMBAT", 2),)

"""How the program lands on an enemy (rule 4.2.4): all that is owed is paid, and nothing breaks."""

import pytest
from strategies_dropzone import facts, rules

from builder.hexes.grid import Hex
from builder.rules.dice import Thrower
from builder.rulesets.dropzone.actions import Land, Lose, Phase, Roll
from builder.rulesets.dropzone.landing_play import land_units
from builder.rulesets.dropzone.playing import PlayTable
from builder.rulesets.dropzone.state import State

# a German on the zone, and one beside it who exerts his zone there
GIVEN = """
turn 3 LAND 517PRCT
A-551 AlliedT3
B-551 AlliedT3
C-551 AlliedT3
1-I-765 1211 {steps}
2-I-765 1212 1
G-Le-Mitan Allied
"""
SEEDS = range(1, 41)


def _played(seed: int, steps: int) -> PlayTable:
    state: State = rules().position(("all .",), GIVEN.format(steps=steps))
    table = PlayTable(state, Thrower(seed))
    land_units(table)
    return table


@pytest.mark.parametrize("steps", [1, 2])
def test_no_rule_is_broken_and_nothing_stays_owed(steps: int) -> None:
    for seed in SEEDS:
        table = _played(seed, steps)
        for deed in table.deeds:
            found = [b.row for b in rules().judge(deed.state, deed.action)]
            assert found == [], (seed, deed.action)
        end = Phase(3, "MOVE", "517PRCT")
        assert [b.row for b in rules().judge(table.state, end)] == [], seed
        assert not any(table.state.landing.values()), seed


def test_all_ends_of_a_landing_on_an_enemy_are_seen() -> None:
    """The enemy falls, the unit falls, or both live and a die says where the unit comes down."""
    ends: set[str] = set()
    for seed in SEEDS:
        table = _played(seed, 1)
        first = table.state.units["A-551"]
        rolled = any(isinstance(d.action, Roll) and d.action.kind == "DIR" for d in table.deeds)
        landed = [d.action for d in table.deeds if isinstance(d.action, Land)]
        assert landed[0] == Land("A-551", _hex("1211"))
        if rolled:
            ends.add("direction")
        elif first.steps == 0:
            ends.add("fallen")
        elif table.state.units["1-I-765"].steps == 0:
            ends.add("won")
    assert ends == {"direction", "fallen", "won"}


def test_one_step_is_lost_for_a_bad_landing() -> None:
    for seed in SEEDS:
        paid = [
            d.action.unit
            for d in _played(seed, 2).deeds
            if isinstance(d.action, Lose) and d.action.cause == "LAND"
        ]
        assert len(paid) == len(set(paid))
        assert paid[:1] == ["A-551"]


def _hex(label: str) -> Hex:
    found = facts().sheet.find(label)
    assert found is not None
    return found

"""Vectors of the drop's arithmetic, and laws that hold for every action."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

import builder.rulesets.airdrop.chapters  # noqa: F401
from builder.hexes.grid import Hex
from builder.hexes.measure import distance
from builder.rulesets.airdrop import actions as a
from builder.rulesets.airdrop.apply import applied
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.drift import drift_end, wind_end
from builder.rulesets.airdrop.facts import Ground, label, step
from builder.rulesets.airdrop.state import Chute, State, Unit
from builder.rulesets.airdrop.wings import line_of

K5 = Hex(24, 18)
BLANK = State(Ground({}, {}), wind_dir=2, wind_force="MILD", phase="DRIFT")
FLYING = applied(BLANK, a.Place("PA", K5))


def rows(state: State, action: a.Action) -> set[str]:
    return {b.row for b in book.judge(state, action)}


@pytest.mark.parametrize(
    ("dice", "drifted", "blown"), [((5, 3), "1H6", "1J5"), ((6, 2), "1I4", "1K3")]
)
def test_the_rulebooks_drift(dice: tuple[int, int], drifted: str, blown: str) -> None:
    # the rulebook prints J4 for the second, which its own end K3 excludes
    end = drift_end(BLANK, K5, *dice)
    assert (label(end), label(wind_end(BLANK, end))) == (drifted, blown)


def test_directions() -> None:
    assert [label(step(K5, d, 3)) for d in range(1, 7)] == [
        "1K2",
        "1N3",
        "1N6",
        "1K8",
        "1H6",
        "1H3",
    ]
    assert [label(step(K5, d)) for d in range(1, 7)] == ["1K4", "1L4", "1L5", "1K6", "1J5", "1J4"]


@pytest.mark.parametrize(
    ("grain", "line"), [(1, "K3 K4 K5 K6 K7"), (2, "M4 L4 K5 J5 I6"), (3, "M6 L5 K5 J4 I4")]
)
def test_lines_of_wings(grain: int, line: str) -> None:
    assert sorted(label(h)[1:] for h in line_of(K5, grain, 5)) == sorted(line.split())


def test_wrong_drift_is_told() -> None:
    right = a.Drift("PA", 5, 3, step(K5, 5, 3))
    assert rows(FLYING, right) == set()
    assert rows(FLYING, a.Drift("PA", 5, 3, K5)) == {"E9.2b"}
    assert rows(applied(FLYING, right), a.Blow("PA", K5)) == {"E9.2h"}


def test_a_german_who_drifts_in_full_is_told() -> None:
    german = State(Ground({}, {}), "GERMAN", wind_dir=1, phase="DRIFT")
    state = applied(german, a.Place("PA", K5))
    assert rows(state, a.Drift("PA", 5, 3, step(K5, 5, 3))) == {"E9.2c"}


def test_drift_is_distributed_as_the_dice() -> None:
    dice, seen = Random(9), Counter[Hex]()
    for _ in range(10_000):
        seen[drift_end(BLANK, K5, dice.randint(1, 6), dice.randint(1, 6))] += 1
    assert len(seen) == 36
    assert {distance(K5, h) for h in seen} == set(range(1, 7))
    chi = sum((n - 10_000 / 36) ** 2 / (10_000 / 36) for n in seen.values())
    assert chi < 66.6  # 35 degrees of freedom, 0.1 percent


def _values(hint: object) -> st.SearchStrategy[object]:
    names = st.sampled_from(["PA", "WA", "PB", "u1", "A", "LAND", "DEPLOYED", "HAZARDOUS", ""])
    hexes = st.builds(Hex, st.integers(0, 92), st.integers(0, 36))
    known: dict[object, st.SearchStrategy[object]] = {
        str: names,
        int: st.integers(-6, 12),
        bool: st.booleans(),
        Hex: hexes,
        Hex | None: st.none() | hexes,
        tuple[str, ...]: st.lists(names, max_size=3).map(tuple),
        tuple[int, ...]: st.lists(st.integers(1, 6), max_size=3).map(tuple),
    }
    return known[hint]


ANY = st.one_of(
    *(st.builds(k, **{n: _values(h) for n, h in get_type_hints(k).items()}) for k in a.ACTIONS)
)


@given(st.lists(ANY, max_size=6))
def test_any_action_is_judged_and_applied(actions: list[a.Action]) -> None:
    unit = Unit("u1", "squad", "Attacker", stick="A")
    state = State(Ground({}, {}), chutes={"PA": Chute("PA", K5, "AERIAL")}, units={"u1": unit})
    for action in actions:
        list(book.judge(state, action))
        before = repr(state)
        after = applied(state, action)
        assert repr(state) == before
        state = after

"""Losses: every allocation against a brute force, counts of fixed volleys, and the laws of both."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_dropzone import facts

from builder.rulesets.dropzone.actions import Lose
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.hits import (
    allocations,
    eligible,
    legal_losses,
    losses_owed,
    volley_of,
    withheld,
)
from builder.rulesets.dropzone.position import read_position
from builder.rulesets.dropzone.state import Fight, State, Volley

# typed from rule 1.2 again, so that the brute force shares nothing with what it tests
SCORES = {
    "armor": {"armor"},
    "airborne": {"armor", "airborne"},
    "ffi": {"armor", "airborne", "ffi"},
    "german_inf": {"armor", "infantry"},
}


End: TypeAlias = frozenset[tuple[str, int]]


class Target(NamedTuple):
    """A piece as the brute force sees it."""

    name: str
    kind: str
    steps: int
    is_garrison: bool = False


ALLIES = (
    Target("191-Tank", "armor", 1),
    Target("A-509", "airborne", 2),
    Target("B-509", "airborne", 2),
    Target("FFI-4", "ffi", 2),
    Target("FFI-1", "ffi", 1),
    Target("G-La-Motte", "ffi", 1, is_garrison=True),
    Target("G-St-Rosaline", "airborne", 1, is_garrison=True),
    Target("G-Draguignan-town", "ffi", 2, is_garrison=True),
)
GERMANS = (
    Target("242-AG", "armor", 1),
    Target("148-AG", "armor", 1),
    Target("1-I-933", "german_inf", 2),
    Target("2-I-933", "german_inf", 2),
    Target("148-Recon", "german_inf", 4),
    Target("G-Le-Muy", "german_inf", 2, is_garrison=True),
)


def brute(faces: tuple[str, ...], targets: tuple[Target, ...], *, is_at: bool) -> set[End]:
    """Apply faces one by one, in every order, to every piece that may take them, until none can."""
    ends = set()
    seen = set()
    start = (tuple(sorted(faces)), tuple(t.steps for t in targets))
    stack = [start]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        left, steps = node
        moved = False
        for i, face in enumerate(left):
            for j, target in enumerate(targets):
                if steps[j] == 0 or face not in SCORES[target.kind]:
                    continue
                if is_at and (face != "armor" or target.kind != "armor"):
                    continue
                if (
                    target.kind != "armor"
                    and face == "armor"
                    and any(t.kind == "armor" and n for t, n in zip(targets, steps, strict=True))
                ):
                    continue
                if target.is_garrison and any(
                    n and not t.is_garrison for t, n in zip(targets, steps, strict=True)
                ):
                    continue
                moved = True
                after = (*steps[:j], steps[j] - 1, *steps[j + 1 :])
                stack.append(((*left[:i], *left[i + 1 :]), after))
        if not moved:
            lost = {t.name: t.steps - n for t, n in zip(targets, steps, strict=True) if t.steps > n}
            ends.add(frozenset(lost.items()))
    return ends


def state_with(side: str, kind: str, faces: tuple[str, ...], targets: tuple[Target, ...]) -> State:
    """Return a state in whose attack a side has thrown these faces at these pieces."""
    state = read_position(facts(), "turn 2 COMBAT KGVS")
    enemy = "Allied" if side == "German" else "German"
    hexes = sorted(facts().ground.neighbors_of)[::17]
    for target, h in zip(targets, hexes, strict=False):
        if target.is_garrison:
            state = state.with_garrison(target.name, enemy, target.steps)
        else:
            state = state.with_unit(target.name, place=h, steps=target.steps)
    volley = Volley(kind, side, faces, tuple((t.name, t.steps) for t in targets))
    attacks = enemy == "German"
    fight = Fight(
        1,
        hexes[0],
        "German",
        attackers=tuple(t.name for t in targets) if attacks else (),
        defenders=() if attacks else tuple(t.name for t in targets),
        volleys=(volley,),
    )
    return state.but(fight=fight)


@st.composite
def volleys(draw: st.DrawFn) -> tuple[State, tuple[str, ...], tuple[Target, ...], bool]:
    """Return a state with one roll, its faces, its targets, and whether it is anti-tank fire."""
    pool = draw(st.sampled_from((ALLIES, GERMANS)))
    side = "German" if pool is ALLIES else "Allied"
    units = [t for t in pool if not t.is_garrison]
    chosen = [t for t in units if draw(st.booleans())]
    if draw(st.booleans()):
        chosen.append(draw(st.sampled_from([t for t in pool if t.is_garrison])))
    targets = tuple(t._replace(steps=draw(st.integers(1, t.steps))) for t in chosen)
    faces = tuple(
        draw(
            st.lists(st.sampled_from(("armor", "infantry", "airborne", "ffi", "miss")), max_size=6)
        )
    )
    kind = draw(st.sampled_from(("COMBAT", "IF", "AT")))
    return state_with(side, kind, faces, targets), faces, targets, kind == "AT"


@given(volleys())
def test_allocations_are_those_of_the_brute_force(
    case: tuple[State, tuple[str, ...], tuple[Target, ...], bool],
) -> None:
    state, faces, targets, is_at = case
    assert state.fight is not None
    found = [frozenset(a.losses) for a in allocations(state, state.fight.volleys[0])]
    assert len(found) == len(set(found))
    assert set(found) == brute(faces, targets, is_at=is_at)


@given(volleys(), st.data())
def test_losses_that_are_offered_end_in_an_allocation(
    case: tuple[State, tuple[str, ...], tuple[Target, ...], bool], data: st.DataObject
) -> None:
    state, faces, targets, is_at = case
    ends = brute(faces, targets, is_at=is_at)
    lost: Counter[str] = Counter()
    while losses_owed(state):
        assert frozenset(lost.items()) not in ends
        piece, cause = data.draw(st.sampled_from(legal_losses(state)))
        action = Lose(piece, cause, 1)
        assert [b.row for b in book.judge(state, action)] == []
        state = applied(state, action)
        lost[piece] += 1
    assert frozenset(lost.items()) in ends
    assert legal_losses(state) == ()


@given(volleys(), st.data())
def test_a_loss_is_legal_if_some_allocation_has_it(
    case: tuple[State, tuple[str, ...], tuple[Target, ...], bool], data: st.DataObject
) -> None:
    state, faces, targets, is_at = case
    ends = brute(faces, targets, is_at=is_at)
    lost: Counter[str] = Counter()
    for _ in range(data.draw(st.integers(0, 5))):
        alive = [t.name for t in targets if lost[t.name] < t.steps]
        if not alive or state.fight is None:
            return
        piece = data.draw(st.sampled_from(alive))
        after = lost + Counter({piece: 1})
        right = any(all(dict(end).get(k, 0) >= n for k, n in after.items()) for end in ends)
        assert (piece in eligible(state, state.fight.volleys[0])) == right
        action = Lose(piece, state.fight.volleys[0].kind, 1)
        rows = [b.row for b in book.judge(state, action)]
        assert (rows == []) == right
        if not right:
            assert len(rows) == 1
            return
        state, lost = applied(state, action), after
        assert state.fight is not None
        assert withheld(state, state.fight.volleys[0]) == (frozenset(lost.items()) not in ends)


COUNTED = (
    # example 3, both rolls: no choice for the Ally, two for the German
    ("German", "COMBAT", "armor ffi ffi miss miss", "A-509=1 G-La-Motte=1", 1),
    ("Allied", "COMBAT", "armor infantry miss", "242-AG=1 1-I-933=1 2-I-933=2", 2),
    # three hits on two, two and four steps: the shares of three that no unit is too small for
    ("Allied", "COMBAT", "infantry infantry infantry", "1-I-933=2 2-I-933=2 148-Recon=4", 8),
    # the tank takes one; two faces for anybody and one for FFI: 3 + 2 + 1 by how many FFI take
    ("German", "COMBAT", "armor armor airborne ffi", "191-Tank=1 A-509=2 B-509=2 FFI-4=2", 6),
    # the same without armor on two units of each kind: 2 x 2 + 2 x 2 + 1
    ("German", "IF", "airborne airborne ffi", "A-509=2 FFI-4=2 FFI-1=1 B-509=1", 9),
)


@pytest.mark.parametrize(("side", "kind", "faces", "pieces", "count"), COUNTED)
def test_counted_allocations(side: str, kind: str, faces: str, pieces: str, count: int) -> None:
    known = {t.name: t for t in (*ALLIES, *GERMANS)}
    targets = tuple(
        known[name]._replace(steps=int(steps))
        for name, _, steps in (p.partition("=") for p in pieces.split())
    )
    thrown = tuple(faces.split())
    state = state_with(side, kind, thrown, targets)
    assert state.fight is not None
    assert len(brute(thrown, targets, is_at=kind == "AT")) == count
    assert len(list(allocations(state, state.fight.volleys[0]))) == count


def test_absurd_rolls_cost_nothing() -> None:
    targets = tuple(t for t in ALLIES if not t.is_garrison)
    state = state_with("German", "COMBAT", ("ffi", "airborne") * 50_000, targets)
    assert losses_owed(state)
    assert len(legal_losses(state)) == 4


def test_a_loss_belongs_to_the_roll_that_it_can_be_from() -> None:
    state = state_with("Allied", "COMBAT", ("infantry",), (GERMANS[2],))
    assert volley_of(state, Lose("1-I-933", "COMBAT")) == 0
    assert volley_of(state, Lose("1-I-933", "IF")) is None
    assert volley_of(state, Lose("A-509", "COMBAT")) is None
    assert volley_of(state, Lose("nobody", "COMBAT")) is None

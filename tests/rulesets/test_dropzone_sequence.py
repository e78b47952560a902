"""The sequence of play, arrow by arrow: a list typed by hand from the rulebook, and no others."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_dropzone import facts, rules

from builder.rules.core import Ruling
from builder.rulesets.dropzone.actions import Chit, DrawAsset, Phase, ReturnChits, Use
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.candidates_flow import (
    chit_candidates,
    draw_candidates,
    first_asset_candidates,
    next_phase,
)
from builder.rulesets.dropzone.position import read_position
from builder.rulesets.dropzone.state import State

SEQUENCE_ROWS = {"DZ-3a", "DZ-3.2a", "DZ-3.2b", "DZ-3.2c", "DZ-3.3d", "DZ-1.4g", "DZ-1.4h"}
STEPS = ["SETUP", "ASSETDRAW", "INIT", "RP", "RU", "LAND", "MOVE", "COMBAT", "ENDACT", "ENDTURN"]

# (turn, activation or 0, step) -> (turn, step); rules 3.1 to 3.4 and 4.2.4
ACTIVATION = (
    ("INIT", "RP"),
    ("RP", "RU"),
    ("RU", "LAND"),
    ("LAND", "MOVE"),
    ("MOVE", "COMBAT"),
    ("COMBAT", "ENDACT"),
)


def arrows() -> dict[tuple[int, int, str], tuple[int, str]]:
    found: dict[tuple[int, int, str], tuple[int, str]] = {(1, 0, "SETUP"): (1, "INIT")}
    for turn in (2, 3, 4, 5, 6):
        found[turn, 0, "ASSETDRAW"] = (turn, "INIT")
    for turn in (1, 2, 3, 4, 5, 6):
        for number in (1, 2, 3, 4):
            for start, end in ACTIVATION:
                found[turn, number, start] = (turn, end)
            found[turn, number, "ENDACT"] = (turn, "INIT" if number < 4 else "ENDTURN")
    for turn in (1, 2, 3, 4, 5):
        found[turn, 0, "ENDTURN"] = (turn + 1, "ASSETDRAW")
    return found


ARROWS = arrows()
# an order whose last Command is Allied, so that nothing falls due when an activation ends
ORDER = ("KGVS", "148RD", "517PRCT", "2IPBG")


def at(turn: int, number: int, step: str) -> State:
    """Return an empty table at a moment of the sequence, the chit drawn where one is."""
    if number == 0:
        done = ORDER if step == "ENDTURN" else ()
        text = f"turn {turn} {step}" + (f" after {' '.join(done)}" if done else "")
        return read_position(facts(), f"{text}\nchits\n")
    before = ORDER[: number - 1]
    after = f" after {' '.join(before)}" if before else ""
    if step == "INIT":
        state = read_position(facts(), f"turn {turn} INIT{after}")
        return applied(state, Chit(ORDER[number - 1], "fixed" if turn == 1 else "draw"))
    return read_position(facts(), f"turn {turn} {step} {ORDER[number - 1]}{after}")


def phase(state: State, turn: int, step: str) -> Phase:
    in_activation = step in ("RP", "RU", "LAND", "MOVE", "COMBAT", "ENDACT")
    return Phase(turn, step, state.command if in_activation else "")


def rows(state: State, action: object) -> set[str]:
    return {b.row for b in book.judge(state, action)} & SEQUENCE_ROWS


def test_there_are_as_many_arrows_as_steps() -> None:
    # 1 set-up, 5 draws, 24 activations of 7 steps, 6 ends of turns, the last of which leads nowhere
    assert len(ARROWS) == 1 + 5 + 24 * 7 + 5


@pytest.mark.parametrize("start", ARROWS, ids=lambda m: f"{m[0]}-{m[1]}-{m[2]}")
def test_every_arrow_is_legal_and_no_other(start: tuple[int, int, str]) -> None:
    turn, _, step = start
    state = at(*start)
    end = ARROWS[start]
    assert (state.turn, state.step) == (turn, step)
    assert rows(state, phase(state, *end)) == set()
    assert next_phase(state) == phase(state, *end)
    following = applied(state, phase(state, *end))
    assert (following.turn, following.step) == end
    for other in product((turn - 1, turn, turn + 1), STEPS):
        if other == end or other == (turn, step):
            continue
        told = rows(state, phase(state, *other))
        assert told & {"DZ-3a", "DZ-3.3d", "DZ-3.2b"}, f"{start} -> {other}: {told}"


def test_nothing_follows_the_last_turn() -> None:
    state = at(6, 0, "ENDTURN")
    assert next_phase(state) is None
    for turn, step in product((5, 6, 7), STEPS):
        if (turn, step) != (6, "ENDTURN"):
            assert rows(state, phase(state, turn, step)) == {"DZ-3a"}


# -------------------------------------------------------------------------- V-DZ-7: initiative


def play_turn(state: State, chits: list[Chit | Use]) -> list[set[str]]:
    """Take a whole turn's chits, each with its activation; return the rows that each broke."""
    found = []
    for action in chits:
        found.append(rows(state, action))
        state = applied(state, action)
        if isinstance(action, Use):
            continue
        for step in ("RP", "RU", "LAND", "MOVE", "COMBAT", "ENDACT"):
            state = applied(state, Phase(state.turn, step, state.command))
        if len(state.done) < 4:
            state = applied(state, Phase(state.turn, "INIT"))
    return found


def start_of(turn: int) -> State:
    held = "AA-1 HAND\nAA-2 HAND"
    return read_position(facts(), f"turn {turn} INIT\nchits\n{held}")


def test_the_order_of_turn_1_is_fixed() -> None:
    legal = ("KGVS", "148RD", "517PRCT", "2IPBG")
    for order in permutations(legal):
        broken = play_turn(start_of(1), [Chit(c, "fixed") for c in order])
        assert all(not b for b in broken) == (order == legal), order


def test_turn_1_can_be_told_by_a_tracker_that_names_nobody() -> None:
    # the Germans act first, with garrisons everywhere: nothing falls due when they have acted
    state = applied(rules().start(), Phase(1, "INIT"))
    acted = []
    for _ in range(4):
        for step in ("RP", "RU", "LAND", "MOVE", "COMBAT", "ENDACT"):
            assert not tuple(book.judge(state, Phase(1, step)))
            state = applied(state, Phase(1, step))
        acted.append(state.command)
        end = Phase(1, "INIT" if len(acted) < 4 else "ENDTURN")
        assert not tuple(book.judge(state, end))
        state = applied(state, end)
    assert acted == ["KGVS", "148RD", "517PRCT", "2IPBG"]


@pytest.mark.parametrize("turn", [2, 3, 4, 5, 6])
def test_any_permutation_can_be_drawn_later(turn: int) -> None:
    for order in permutations(ORDER):
        assert play_turn(start_of(turn), [Chit(c, "draw") for c in order]) == [set()] * 4


def test_an_initiative_asset_leaves_three_draws() -> None:
    for first in ("517PRCT", "2IPBG"):
        for rest in permutations([c for c in ORDER if c != first]):
            played: list[Chit | Use] = [Use("AA-1", "FIRST", command=first), Chit(first, "asset")]
            assert (
                play_turn(start_of(2), [*played, *(Chit(c, "draw") for c in rest)]) == [set()] * 5
            )


def test_two_initiative_assets_or_a_late_one_are_wrong() -> None:
    state = applied(start_of(2), Use("AA-1", "FIRST", command="517PRCT"))
    assert rows(state, Use("AA-2", "FIRST", command="2IPBG")) == {"DZ-1.4h"}
    late = applied(start_of(2), Chit("KGVS", "draw"))
    (breach,) = book.judge(late, Use("AA-1", "FIRST", command="517PRCT"))
    assert (breach.row, breach.ruling) == ("DZ-1.4g", Ruling.ILLEGAL)


# ------------------------------------------------------------------------------------ candidates


@given(st.permutations(ORDER), st.integers(0, 3), st.integers(1, 6))
def test_candidates_of_the_sequence_are_legal(order: list[str], acted: int, turn: int) -> None:
    done = ORDER[:acted] if turn == 1 else tuple(order[:acted])
    after = f" after {' '.join(done)}" if done else ""
    state = read_position(facts(), f"turn {turn} INIT{after}\nAA-1 HAND")
    chits = tuple(chit_candidates(state))
    assert {c.command for c in chits} == ({ORDER[acted]} if turn == 1 else set(order[acted:]))
    uses = tuple(first_asset_candidates(state))
    assert len(uses) == (2 if turn > 1 and not acted else 0)
    assert not any(tuple(book.judge(state, a)) for a in (*chits, *uses))


@pytest.mark.parametrize("turn", [2, 3, 4, 5, 6])
def test_draws_go_on_until_both_sides_have_what_is_due(turn: int) -> None:
    # the track: Allied 2 2 3 3 2, German 2 each, in turns 2 to 6
    due = {"Allied": {2: 2, 3: 2, 4: 3, 5: 3, 6: 2}[turn], "German": 2}
    state = rules().start().but(moment=read_position(facts(), f"turn {turn} ASSETDRAW").moment)
    drawn: list[DrawAsset] = []
    while options := tuple(draw_candidates(state)):
        assert not any(tuple(book.judge(state, a)) for a in options)
        drawn.append(options[-1])
        state = applied(state, options[-1])
    assert {s: sum(d.side == s for d in drawn) for s in due} == due
    assert not [b for b in book.judge(state, Phase(turn, "INIT")) if b.row == "DZ-1.4b"]


def test_chits_of_one_turn_that_go_back_late_are_told_once() -> None:
    state = read_position(facts(), "turn 2 ENDTURN after KGVS 148RD 517PRCT 2IPBG")
    assert [b.row for b in book.judge(state, Phase(3, "ASSETDRAW"))] == ["DZ-3.4a"]
    late = applied(state, Phase(3, "ASSETDRAW"))
    assert not tuple(book.judge(late, ReturnChits(("KGVS", "148RD", "517PRCT", "2IPBG"))))

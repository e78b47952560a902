from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.report.dice_groups import summarize
from builder.report.dice_stats import (
    EVERYONE,
    UNKNOWN,
    ChiSquared,
    Die,
    Group,
    Roll,
    TooFew,
    numbered_die,
    totals_of,
)


def d6(*faces: int, player: str = "Alice", kind: str = "d6") -> list[Roll]:
    return [
        Roll(player, kind, (str(face),), dice=1, sides=6, step=step)
        for step, face in enumerate(faces, 1)
    ]


def pairs(*texts: str, player: str = "Alice", kind: str = "IFT DR") -> list[Roll]:
    return [
        Roll(player, kind, tuple(text), dice=2, sides=6, step=step)
        for step, text in enumerate(texts, 1)
    ]


def only(groups: tuple[Group, ...], player: str, name: str) -> Group:
    found = [group for group in groups if (group.player, group.name) == (player, name)]
    assert len(found) == 1
    return found[0]


def test_counts_mean_and_chi_squared_of_a_worked_example() -> None:
    # 60 throws: 5 8 9 8 10 20, expected 10 each. The sum of squares over 10 is 13.4.
    throws = [1] * 5 + [2] * 8 + [3] * 9 + [4] * 8 + [5] * 10 + [6] * 20
    (group,) = summarize(d6(*throws))
    assert group.faces is not None
    assert [(c.label, c.count, c.expected) for c in group.faces.cells] == [
        *[("1", 5, 10), ("2", 8, 10), ("3", 9, 10), ("4", 8, 10), ("5", 10, 10), ("6", 20, 10)]
    ]
    assert isinstance(group.faces.test, ChiSquared)
    assert group.faces.test.statistic == pytest.approx(13.4)
    assert group.faces.test.freedom == 5
    assert group.faces.test.p == pytest.approx(0.0199, abs=0.0001)
    assert group.totals is None
    assert group.average is not None
    assert group.average.mean == pytest.approx(250 / 60)
    assert group.average.expected == pytest.approx(3.5)
    assert group.average.error == pytest.approx((35 / 12 / 60) ** 0.5)


@pytest.mark.parametrize(("count", "is_enough"), [(29, False), (30, True)])
def test_below_five_expected_in_a_cell_there_is_no_test(count: int, is_enough: bool) -> None:
    (group,) = summarize(d6(*([1, 2, 3, 4, 5, 6] * 5)[:count]))
    assert group.faces is not None
    assert isinstance(group.faces.test, ChiSquared) is is_enough
    if not is_enough:
        assert group.faces.test == TooFew(29, 30)


def test_totals_of_two_dice_need_180_rolls() -> None:
    (group,) = summarize(pairs(*["11"] * 179))
    assert group.totals is not None
    assert group.totals.test == TooFew(179, 180)
    assert group.faces is not None
    assert isinstance(group.faces.test, ChiSquared)
    (enough,) = summarize(pairs(*["11"] * 180))
    assert enough.totals is not None
    assert isinstance(enough.totals.test, ChiSquared)
    # 180 twos where 5 are expected, and nothing where 175 are
    assert enough.totals.test.statistic == pytest.approx(175**2 / 5 + 175)
    assert enough.totals.test.p == 0


def test_chances_of_totals_are_those_of_a_textbook() -> None:
    chances = totals_of(numbered_die(6), 2)
    assert chances is not None
    assert [round(p * 36) for p in chances.values()] == [1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]
    assert list(chances) == list(range(2, 13))
    three = totals_of(numbered_die(6), 3, bonus=1)
    assert three is not None
    assert (min(three), max(three), round(three[11] * 216)) == (4, 19, 27)
    assert totals_of(Die(("hit", "miss"), (1, 1)), 2) is None
    assert totals_of(numbered_die(10_000), 3) is None


def test_doubles_and_their_longest_run() -> None:
    (group,) = summarize(pairs("12", "33", "44", "65", "11", "52", "34"))
    assert group.doubles is not None
    assert group.doubles.count == 3
    assert group.doubles.expected == pytest.approx(7 / 6)
    run = group.doubles.run
    assert run is not None
    assert (run.length, run.step) == (2, 2)


def test_streaks() -> None:
    (group,) = summarize(d6(3, 6, 6, 6, 2, 1, 2, 3, 1, 5))
    assert group.same is not None
    assert (group.same.length, group.same.what, group.same.step) == (3, "6", 2)
    assert group.above is not None
    assert (group.above.length, group.above.step) == (3, 2)
    assert group.below is not None
    assert (group.below.length, group.below.step) == (5, 5)
    # Below 3.5 is a coin: of 1024 sequences of ten, 112 have five or more in a row of one side.
    assert group.below.chance == pytest.approx(112 / 1024)


def test_an_undone_roll_is_told_and_never_counted() -> None:
    rolls = d6(1, 2, 6)
    rolls[2] = Roll("Alice", "d6", ("6",), dice=1, sides=6, step=3, is_undone=True)
    (group,) = summarize(rolls)
    assert group.rolls == 2
    assert [roll.result for roll in group.undone] == ["6"]
    assert group.faces is not None
    assert group.faces.count == 2
    assert group.average is not None
    assert group.average.mean == pytest.approx(1.5)


def test_typed_rolls_are_groups_of_their_own_at_the_end() -> None:
    typed = Roll("Alice", "d6", ("6",), dice=1, sides=6, step=9, is_typed=True)
    groups = summarize([typed, *d6(1, 2)])
    assert [(g.is_typed, g.rolls) for g in groups] == [(False, 2), (True, 1)]


def test_kinds_with_the_same_dice_come_together() -> None:
    rolls = pairs("12", "34") + pairs("55", kind="MC DR") + d6(6, kind="SA dr")
    rolls += d6(1, player="Bob", kind="SA dr")
    groups = summarize(rolls)
    names = [(g.player, g.name, g.scope, g.rolls) for g in groups]
    assert names == [
        (EVERYONE, "every d6", "die", 5),
        (EVERYONE, "all 2d6", "shape", 3),
        (EVERYONE, "IFT DR", "kind", 2),
        (EVERYONE, "MC DR", "kind", 1),
        (EVERYONE, "SA dr", "kind", 2),
        ("Alice", "every d6", "die", 4),
        ("Alice", "all 2d6", "shape", 3),
        ("Alice", "IFT DR", "kind", 2),
        ("Alice", "MC DR", "kind", 1),
        ("Alice", "SA dr", "kind", 1),
        ("Bob", "SA dr", "kind", 1),
    ]
    every = only(groups, "Alice", "every d6")
    assert every.faces is not None
    assert [cell.count for cell in every.faces.cells] == [1, 1, 1, 1, 2, 1]
    assert sorted(every.values) == [1, 2, 3, 4, 5, 5, 6]


def line(player: str, *faces: str) -> Roll:
    return Roll(player, "DZ COMBAT", faces, dice=len(faces), evidence="line")


def test_a_defined_die_gives_its_own_expectation() -> None:
    die = Die(("armor", "infantry", "miss"), (1, 2, 3))
    rolls = [line("Allied", "miss", "miss", "armor"), line("Allied", *["infantry"] * 9)]
    (group,) = summarize(rolls, {("Allied", "DZ COMBAT"): die})
    assert group.faces is not None
    assert [(c.label, c.count) for c in group.faces.cells] == [
        *[("armor", 1), ("infantry", 9), ("miss", 2)]
    ]
    assert [round(c.expected or 0, 9) for c in group.faces.cells] == [2, 4, 6]
    assert group.faces.test == TooFew(12, 30)
    assert group.notes == ()


def test_an_unknown_die_is_taken_as_even_and_said_to_be_unknown() -> None:
    (group,) = summarize([line("Allied", "miss", "armor", "miss", "miss")])
    assert group.faces is not None
    assert [(c.label, c.expected) for c in group.faces.cells] == [("armor", 2), ("miss", 2)]
    assert any("not known" in note for note in group.notes)


def test_players_with_different_dice_have_no_group_of_everyone() -> None:
    dice = {
        ("A", "DZ COMBAT"): Die(("x", "y"), (1, 2)),
        ("B", "DZ COMBAT"): Die(("x", "z"), (1, 1)),
    }
    groups = summarize([line("A", "x"), line("B", "z")], dice)
    assert [group.player for group in groups] == ["A", "B"]


def test_a_name_that_lies_about_its_dice_is_not_believed() -> None:
    (group,) = summarize([*d6(1, 2, 3), Roll("Alice", "d6", ("9",), dice=1, sides=6)])
    assert group.die is not None
    assert not group.die.is_known
    assert any("'9' is no result" in note for note in group.notes)
    (totals,) = summarize([Roll("Alice", "2d6", total=13, dice=2, sides=6)])
    assert totals.totals is not None
    assert totals.totals.test is None


def test_kept_dice_are_not_tested() -> None:
    rolls = [Roll("Alice", "4d6", ("5", "6", "6"), dice=4, sides=6)] * 40
    (group,) = summarize(rolls)
    assert group.faces is not None
    assert group.faces.test is None
    assert any("kept" in note for note in group.notes)


def test_only_totals() -> None:
    rolls = [Roll("", "2d6", total=total, dice=2, sides=6) for total in (7, 7, 2)]
    (group,) = summarize(rolls)
    assert (group.player, group.faces) == (UNKNOWN, None)
    assert group.totals is not None
    assert sum(cell.count for cell in group.totals.cells) == 3
    assert group.average is not None
    assert group.average.expected == pytest.approx(7)


def test_no_rolls() -> None:
    assert summarize([]) == ()


_ROLLS = st.builds(
    Roll,
    player=st.sampled_from(["", "Ann", "Ben"]),
    kind=st.sampled_from(["d6", "2d6", "x", ""]),
    faces=st.lists(st.sampled_from(["1", "2", "6", "-3", "hit", ""]), max_size=4).map(tuple),
    total=st.none() | st.integers(-5, 40),
    dice=st.integers(0, 4),
    sides=st.sampled_from([0, 2, 6, 100]),
    bonus=st.integers(-2, 2),
    step=st.integers(1, 50),
    is_undone=st.booleans(),
    is_typed=st.booleans(),
).filter(lambda roll: bool(roll.faces) or roll.total is not None)


@given(st.lists(_ROLLS, max_size=40))
def test_every_roll_stands_in_one_kind_of_its_player(rolls: list[Roll]) -> None:
    groups = summarize(rolls)
    kinds = [g for g in groups if g.scope == "kind" and g.player != EVERYONE]
    assert sum(g.rolls + len(g.undone) for g in kinds) == len(rolls)
    for group in groups:
        for tally in (group.faces, group.totals):
            if tally is not None and tally.cells and tally.cells[0].expected is not None:
                assert sum(c.expected or 0 for c in tally.cells) == pytest.approx(tally.count)

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.report.dice_reading import Chat, Property, Step, Symbols, Undo, rolls_in
from builder.report.dice_stats import Roll


def one(*commands: Chat | Property | Symbols | Undo | str) -> Roll:
    step = [Chat(c) if isinstance(c, str) else c for c in commands]
    (roll,) = rolls_in([step])
    return roll


def facts(roll: Roll) -> tuple[str, str, str, int | None, int, int]:
    return (roll.player, roll.kind, ",".join(roll.faces), roll.value, roll.dice, roll.sides)


# What VASSAL and VASL wrote in public logs, and what its default formats give; then player, kind,
# faces, value, number of dice, sides.
LINES = [
    ("*** 2d6 = 7 *** <Alice>", ("Alice", "2d6", "", 7, 2, 6)),
    ("*** 2d6 = 3,4 *** <Alice>", ("Alice", "2d6", "3,4", 7, 2, 6)),
    ("*** 2d6 = 7 *** &lt;Alice&gt;", ("Alice", "2d6", "", 7, 2, 6)),
    ("*** d6 = 2 *** <Sokh>", ("Sokh", "d6", "2", 2, 1, 6)),
    ("*** 2d6 = 5 (4,1) *** <Tester>", ("Tester", "2d6", "4,1", 5, 2, 6)),
    ("*** 3d6 = 3,4,1 *** <test>", ("test", "3d6", "3,4,1", 8, 3, 6)),
    ("*** Attack d10 = 10 *** <A>", ("A", "Attack d10", "10", 10, 1, 10)),
    ("*** Red die = 4 *** <A>", ("A", "Red die", "", 4, 0, 0)),
    ("*** 1d6+2 = 5 *** <A>", ("A", "1d6+2", "3", 5, 1, 6)),
    ("*** 4d6 = 6,5,5 *** <A>", ("A", "4d6", "6,5,5", 16, 4, 6)),
    ("*** d% = 73 *** <A>", ("A", "d%", "73", 73, 1, 100)),
    ("* d6 = 4 (Tester)", ("Tester", "d6", "4", 4, 1, 6)),
    ("*** 1d6 = 4 *** <a <b> c>", ("a <b> c", "1d6", "4", 4, 1, 6)),
    ("*** 1d6 = 4 *** <&amp;lt;b&amp;gt;>", ("&lt;b&gt;", "1d6", "4", 4, 1, 6)),
    ("*** Combat = [Hit] *** <A>", ("A", "Combat", "Hit", None, 1, 0)),
    ("* Alice rolls 2d6: 3,4", ("Alice", "2d6", "3,4", 7, 2, 6)),
    ("* <Alice> rolled 9 on 2d6", ("Alice", "2d6", "", 9, 2, 6)),
    ("* ! *** d6 = 3 *** <A>", ("A", "d6", "3", 3, 1, 6)),
    (
        "*** (IFT DR) 6,2 ***   <Alice>      [2 / 3   avg   10.00 (10.00)]    (01.90)",
        ("Alice", "IFT DR", "6,2", 8, 2, 6),
    ),
    (
        "*** (TH DR) 4,6 ***   <Chuck>      [1 / 11   avg   8.00 (6.91)]    (01.51) <Turret>",
        ("Chuck", "TH DR", "4,6", 10, 2, 6),
    ),
    (
        "*** (RS dr) 3 ***   <A <x> B>      [5 / 11   avg   3.00 (3.82)]    (01.10)<Hull>",
        ("A <x> B", "RS dr", "3", 3, 1, 6),
    ),
    (
        "* DZ: ROLL kind=COMBAT side=German attack=0 n=2 faces=miss,ffi",
        ("German", "DZ COMBAT", "miss,ffi", None, 2, 0),
    ),
    ("*DZ: ROLL kind=DIR side=Allied n=1 faces=4", ("Allied", "DZ DIR", "4", 4, 1, 0)),
]


@pytest.mark.parametrize(("text", "expected"), LINES)
def test_a_report_of_the_program(
    text: str, expected: tuple[str, str, str, int | None, int, int]
) -> None:
    roll = one(text)
    assert facts(roll) == expected
    assert not roll.is_typed
    assert not roll.is_undone


@pytest.mark.parametrize(("text", "expected"), LINES)
@pytest.mark.parametrize("name", ["<Bob> - ", "&lt;Bob&gt; - ", "<Bob> -"])
def test_the_same_typed_is_only_typed_and_by_who_typed_it(
    text: str, expected: tuple[str, str, str, int | None, int, int], name: str
) -> None:
    roll = one(name + text)
    assert roll.is_typed
    assert facts(roll) == ("Bob", *expected[1:])


@pytest.mark.parametrize(
    "text",
    [
        *["", "*", "***", "hello", "*** ***", "* = *", "*** = ***", "*** d6 = ***"],
        "* Red 1 moves 0203 &rarr; 0304 *",
        "* New: Axis Turn 1 - PFPh *",
        "* * <Tester> Turn updated from 1 Red move to 1 Red combat",
        "* Turn = 3",
        "* Alice rolls her eyes at 7",
        "*** Weather = fine *** <Alice>",
        "<Sokh> - Oh, I'm forgetting to roll for dispersal.",
        "* DZ: ROLL kind=COMBAT side=German n=0 faces=",
        "* DZ: ROLL kind=COMBAT side=German n=3 faces=miss",
        "* DZ: ATTACK n=1 target=0101",
        "*** (IFT DR) 6 *** <Alice>",
        "*** d6 = 4 *** <A>" + " " * 3000,
    ],
)
def test_other_texts_are_no_rolls(text: str) -> None:
    assert rolls_in([[Chat(text)]]) == ()


def dice_properties(name: str, result: str, total: str, keep: str) -> list[Property]:
    return [
        Property(f"{name}_result", "1", result),
        Property(f"{name}_total", "0", total),
        Property(f"{name}_keep", "0", keep),
    ]


def test_a_report_and_its_properties_are_one_roll() -> None:
    roll = one("*** 3d6 = 3,4,1 *** <test>", Property("3d6_result", "4,4,2", "3,4,1"))
    assert facts(roll) == ("test", "3d6", "3,4,1", 8, 3, 6)


def test_a_summary_gives_the_dice_of_a_total() -> None:
    step = [*dice_properties("2d6", "11", "11", "2"), Property("2d6_summary", "", "5 x1, 6 x1")]
    roll = one("*** 2d6 = 11 *** <Tester>", *step)
    assert facts(roll) == ("Tester", "2d6", "5,6", 11, 2, 6)


def test_properties_tell_a_roll_whose_report_has_another_form() -> None:
    known = [Chat("*** d6 = 1 *** <Zoë>")]
    step: Step = [Chat("* Zoë attacks: 9!"), *dice_properties("2d6", "9", "9", "2")]
    roll = rolls_in([known, step])[1]
    assert (*facts(roll), roll.evidence) == ("Zoë", "2d6", "", 9, 2, 6, "property")


def test_properties_alone_are_a_roll_of_nobody() -> None:
    roll = one(*dice_properties("2d6", "3,5", "8", "2"))
    assert facts(roll) == ("", "2d6", "3,5", 8, 2, 6)


def test_a_roster_name_is_found_in_a_report() -> None:
    step: Step = [Chat("* Ann (Red) attacks: 9!"), *dice_properties("2d6", "9", "9", "2")]
    (roll,) = rolls_in([step], players=["Ann", "Ann (Red)", "Anna"])
    assert roll.player == "Ann (Red)"


def test_dice_that_were_not_kept_are_known_by_the_property() -> None:
    roll = one("*** 3d6 = 11 *** <A>", *dice_properties("3d6", "11", "11", "2"))
    assert (roll.dice, roll.kept) == (3, 2)


@pytest.mark.parametrize("name", ["Weather_result", "VP", "GFaces"])
def test_other_properties_are_no_rolls(name: str) -> None:
    assert rolls_in([[Chat("* Rain begins"), Property(name, "Clear", "Rain")]]) == ()


def test_random_text_button_beside_its_line_is_one_roll() -> None:
    roll = one(
        "* DZ: ATTACKROLL unit=C1",
        "* DZ: ROLL kind=COMBAT side=German attack=0 n=2 faces=miss,armor",
        Property("RT2_result", "1", "miss,armor"),
    )
    assert (roll.kind, roll.faces) == ("DZ COMBAT", ("miss", "armor"))


def test_symbol_dice_take_the_names_that_a_report_gives() -> None:
    steps: list[Step] = [
        [Symbols("Sym", (5, 2)), Property("Sym_result", "", "7")],
        [
            Symbols("Sym", (2, 5)),
            Chat("* DZ: ROLL kind=COMBAT side=German n=2 faces=airborne,miss"),
            Property("Sym_result", "7", "8"),
        ],
        [Symbols("Sym", (0,)), Chat("*** Sym = [Hit] *** <Alice>")],
    ]
    rolls = rolls_in(steps)
    assert [roll.faces for roll in rolls] == [("miss", "airborne"), ("airborne", "miss"), ("Hit",)]
    assert [roll.player for roll in rolls] == ["", "German", "Alice"]


def test_default_report_of_symbol_dice_names_only_the_first() -> None:
    roll = one(Symbols("Combat", (3, 0)), "*** Combat = [Hit] *** <Alice>")
    assert (roll.player, roll.faces, roll.dice) == ("Alice", ("Hit", "face 1"), 2)


ROLLED = Chat("*** d6 = 3 *** <A>")


@pytest.mark.parametrize(
    "undo",
    [
        [Undo(), Chat("* UNDO: *** d6 = 3 *** <A>"), Undo()],
        [Chat("* UNDO: *** d6 = 3 *** <A>")],
    ],
)
def test_undo_takes_back_the_latest_of_equal_rolls(undo: Step) -> None:
    rolls = rolls_in([[ROLLED], [ROLLED], undo, [ROLLED]])
    assert [(roll.step, roll.is_undone) for roll in rolls] == [(1, False), (2, True), (4, False)]
    twice = rolls_in([[ROLLED], [ROLLED], undo, undo, undo])
    assert [roll.is_undone for roll in twice] == [True, True]


def test_undo_of_a_roll_that_only_properties_tell() -> None:
    roll = dice_properties("2d6", "9", "9", "2")
    back = [Property(p.name, p.new, p.old) for p in reversed(roll)]
    steps: tuple[Step, Step] = (back, [Undo(), *back, Undo()])
    for step in steps:
        assert [r.is_undone for r in rolls_in([roll, step])] == [True]


def test_a_typed_undo_takes_nothing_back() -> None:
    rolls = rolls_in([[ROLLED], [Chat("<B> - * UNDO: *** d6 = 3 *** <A>")]])
    assert [roll.is_undone for roll in rolls] == [False]


def test_two_rolls_in_one_step() -> None:
    step: Step = [Chat("*** d6 = 3 *** <A>"), Chat("*** 2d6 = 7 *** <A>")]
    assert [roll.kind for roll in rolls_in([step])] == ["d6", "2d6"]
    undone = rolls_in([step, [Undo(), Chat("* UNDO: *** 2d6 = 7 *** <A>")]])
    assert [roll.is_undone for roll in undone] == [True, True]


_PARTS = st.sampled_from(
    [
        *["*", "<", ">", "=", "d6", "2d6", " ", "rolls", "DR", "(", ")", "[", "]", ",", "3", "é"],
        *["DZ: ROLL", "faces=", "n=", "&lt;", "&#60;", "\0", "\t", "UNDO:", "- ", "-", "9" * 12],
    ]
)
_TEXTS = st.lists(_PARTS, max_size=40).map("".join)
_COMMANDS = st.one_of(
    st.builds(Chat, _TEXTS | st.text()),
    st.builds(Property, st.sampled_from(["a_result", "a_total", "\0_result"]), _TEXTS, _TEXTS),
    st.builds(Symbols, _TEXTS, st.lists(st.integers(-9, 9), max_size=5).map(tuple)),
    st.just(Undo()),
)


@given(st.lists(st.lists(_COMMANDS, max_size=5), max_size=8), st.lists(st.text(), max_size=3))
def test_no_text_breaks_the_reader(steps: list[Step], players: list[str]) -> None:
    for roll in rolls_in(steps, players=players):
        assert 1 <= roll.step <= len(steps)
        assert roll.faces or roll.total is not None
        assert all("\0" not in face for face in roll.faces) or "\0" in roll.kind


@pytest.mark.parametrize(
    "text",
    [
        *[
            "*** a =" + " " * 1900 + "\n",
            "*** " + "a " * 990,
            "* " + "1d6" * 600,
            "* " + "(" * 1900,
        ],
        *["*** a = 1 (" + "1," * 900, "<" * 1990, "<>-" * 600, "*** (" + "a " * 900 + "DR) 1"],
        *["* rolls " * 240, "&lt;" * 490, "* x rolls " + "1 " * 900, "*** d6 = " + "1," * 900],
    ],
)
def test_long_hostile_texts_are_read_in_no_time(text: str) -> None:
    # a pattern that tries all ways to cut them would not end within the test run
    rolls_in([[Chat(text)], [Chat(f"<x> - {text}")]] * 20)

"""Typed commands, against texts typed from VASSAL's catalogue."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_vassal import TOKENS, commands_of

from builder.vassal import commands as cmd
from builder.vassal.commands import Command, PlayerId, command_classes, decode_command
from builder.vassal.pieces import Piece, Stack
from builder.vassal.sequence import UnencodableError

T = "\t"
WHO = PlayerId("pass/word")
CATALOGUE: list[tuple[str, Command]] = [
    ("", cmd.Null()),
    ("null", cmd.Null("null")),
    ("begin_save", cmd.BeginSave()),
    ("end_save", cmd.EndSave()),
    ("+/17/stack/Main;1;2;3", cmd.AddPiece("17", "stack", "Main;1;2;3")),
    ("+/null/piece;;;a.png;A\\/B/null;0;0;1;0",
     cmd.AddPiece(None, "piece;;;a.png;A/B", "null;0;0;1;0")),
    ("-/17", cmd.RemovePiece("17")),
    ("-/null", cmd.RemovePiece(None)),
    ("D/17/new/old", cmd.ChangePiece("17", "new", "old")),
    ("D/17/ne\\/w", cmd.ChangePiece("17", "ne/w", None)),
    ("M/17/Main Map/138/90/null/Main Map/86/-60/16/pass\\/word",
     cmd.MovePiece("17", "Main Map", 138, 90, None, "Main Map", 86, -60, "16", WHO)),
    ("M/17/null/0/0/null/null/0/0/null",
     cmd.MovePiece("17", None, 0, 0, None, None, 0, 0, None, None)),
    ("AUDIO\tbang.wav", cmd.Audio("bang.wav")),
    ("LOG\tCHAT* hi", cmd.Log("CHAT* hi")),
    ("UNDO\ttrue", cmd.Undo(True)),
    ("UNDO\tfalse", cmd.Undo(False)),
    ("CHAT&lt;Alice&gt; - hello\n\tyou", cmd.Chat("&lt;Alice&gt; - hello\n\tyou")),
    ("CHAT", cmd.Chat("")),
    ("PLAYER\tpass/word\tAlice (German)\tGerman", cmd.Player(WHO, "Alice (German)", "German")),
    ("PYREMOVE\tpass/word", cmd.PlayerRemoved(WHO)),
    ("Main MapBoardPicker\tBoard\t0\t0\tBoard2/rev\t1\t0",
     cmd.BoardPicker.of("Main Map", (cmd.PlacedBoard("Board", 0, 0),
                                     cmd.PlacedBoard("Board2", 1, 0, True)))),
    ("Map0BoardPicker", cmd.BoardPicker("Map0")),
    ("SETUP_STACK\t", cmd.SetupStack()),
    ("MutableProperty\tWeather\tClear\tRain\tModule",
     cmd.MutableProperty("Weather", "Clear", "Rain", "Module")),
    ("MutableProperty\tWeather\tClear\tRain", cmd.MutableProperty("Weather", "Clear", "Rain")),
    ("GlobalProperty\t;Weather;Rain;Module", cmd.GlobalProperty("Weather", "Rain", "Module")),
    ("GlobalProperty\t;Morale\tZone 1\tBoard\tMain;3;",
     cmd.GlobalProperty("Morale\tZone 1\tBoard\tMain", "3", "")),
    ("TURNTurnTracker0\t0|3;0;false;-1;1\\;0\\;0\\;true,true",
     cmd.Turn("TurnTracker0", "0|3;0;false;-1;1\\;0\\;0\\;true,true")),
    ("SHOW_RESULTS\tCombat\t3\t0", cmd.ShowResults.of("Combat", (3, 0))),
    ("NOTES\tone|two \\| three", cmd.ScenarioNote("one\ntwo | three")),
    ("PNOTES\t", cmd.PublicNote("")),
    ("PNOTE\tpass/word\tmine|only", cmd.PrivateNote(WHO, "mine\nonly")),
    ("SNOTE\tplan\tpass/word\ttrue\tgo|now\t12/01/2026 1:05 PM\th1",
     cmd.SecretNote("plan", WHO, True, "go\nnow", "12/01/2026 1:05 PM", "h1")),
    ("SNOTE\tplan\tpass/word\tfalse\tgo", cmd.SecretNote("plan", WHO, False, "go")),
    ("CLOCKCONTROL\tfalse\ttrue", cmd.ClockControl(False, True)),
    ("CLOCK\t<observer>\tAllies\t5\t7000000000\tfalse\ttrue",
     cmd.Clock("<observer>", "Allies", 5, 7_000_000_000, False, True)),
    ("SGKC\tSGKC0\ttrue", cmd.StartupKey("SGKC0", True)),
    ("LOCKSPOTAB\tSetup\tAlice\tpass/word\t1/1/26",
     cmd.Lock("Setup", "Alice", WHO, "1/1/26")),
    ("UNMASK\t", cmd.Unmask()),
    ("UNMASK\tpass/word\tb", cmd.Unmask.of((WHO, PlayerId("b")))),
    ("FLARE\tFlare0\t10\t-2", cmd.Flare("Flare0", 10, -2)),
    ("LOS\tLOS_Thread0\t1\t2\t3\t4\ttrue\tfalse\ttrue",
     cmd.LosThread("LOS_Thread0", 1, 2, 3, 4, True, False, True)),
    ("EXT\tMore\t1.0", cmd.Extension("More", "1.0")),
    ("PLUGIN\tChess", cmd.Plugin("Chess")),
    ("Eventsold", cmd.Events("old")),
    ("SEMAIL\ta@b", cmd.Mail("a@b")),
    ("DECK\t", cmd.DeckFile()),
    ("SYNC", cmd.Traffic("SYNC")),
    ("PRIV_CHAT/x/y", cmd.Traffic("PRIV_CHAT/x/y")),
    ("CHECK\trunningVassalVersion<2.7\tALERT",
     cmd.Opaque("CHECK\trunningVassalVersion<2.7\tALERT")),
    ("bd\t0,0", cmd.Opaque("bd\t0,0")),
    ("begin_saved", cmd.Opaque("begin_saved")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "command"), CATALOGUE, ids=lambda value: str(value)[:24])
def test_the_catalogue_is_read_and_written(text: str, command: Command) -> None:
    assert decode_command(text) == command
    assert decode_command(text).encode() == text
    assert command.encode() == text


def test_the_catalogue_has_every_class() -> None:
    assert {type(command) for _, command in CATALOGUE} == set(command_classes())


@given(st.text() | TOKENS.flatmap(lambda text: st.sampled_from(CATALOGUE).map(
    lambda row: row[0][: len(row[0]) // 2] + text + row[0][len(row[0]) // 2 :]
)))  # fmt: skip
def test_every_text_goes_back_untouched(text: str) -> None:
    command = decode_command(text)
    assert command.encode() == text
    if not isinstance(command, cmd.Opaque):
        try:
            assert decode_command(command.canonical().encode()) == command
        except UnencodableError:
            assert "\\" in text


@pytest.mark.parametrize("cls", command_classes(), ids=lambda cls: cls.__name__)
@given(data=st.data())
def test_every_value_comes_back(cls: type[Command], data: st.DataObject) -> None:
    command = data.draw(commands_of(cls))
    assert decode_command(command.encode()) == command


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("+/17/stack", "AddPiece with 2 of 3 fields"),
        ("D/17", "ChangePiece without a state"),
        ("M/17/Main/1/2", "MovePiece with 4 of 9 fields"),
        ("M/17/Main/one/2/null/Main/1/2/null/secret", "MovePiece with a place that is no whole"),
        ("M/17/Main/99999999999/2/null/Main/1/2/null/secret", "MovePiece with a place"),
        (f"M/17/Main/{'9' * 5000}/2/null/Main/1/2/null/secret", "MovePiece with a place"),
        ("PLAYER\tsecret\tAlice", "Player without a readable side"),
        ("FLARE\tsecret\tx\t1", "Flare without a readable x"),
        ("SHOW_RESULTS\tsecret\tx", "ShowResults with a face that is no number"),
        ("MutableProperty\tsecret", "MutableProperty without a readable old"),
    ],
)
def test_what_vassal_cannot_read_is_kept_with_its_problem(text: str, problem: str) -> None:
    command = decode_command(text)
    assert isinstance(command, cmd.Opaque)
    assert command.problem.startswith(problem)
    assert command.encode() == text
    assert "secret" not in repr(command)


def test_a_command_beyond_measure_is_kept_as_text() -> None:
    for prefix in ("+/", "M/", "UNMASK\t", "MutableProperty\t"):
        text = prefix + "/\t" * 2**21
        command = decode_command(text)
        assert isinstance(command, cmd.Opaque)
        assert command.problem.endswith("characters")
        assert command.encode() == text
    long = "CHAT" + "/\t" * 2**21
    assert decode_command(long) == cmd.Chat(long[4:])


def test_numbers_that_do_not_parse_take_their_default_where_vassal_has_one() -> None:
    clock = decode_command(f"CLOCK\tA\tB\tx\t{'9' * 4000}")
    assert clock == cmd.Clock("A", "B", 0, 0)


@pytest.mark.parametrize("text", [row[0] for row in CATALOGUE if "pass" in row[0]])
def test_a_password_is_shown_by_nothing(text: str) -> None:
    command = decode_command(text)
    for shown in (repr(command), str(command), f"{command}"):
        assert "pass/word" not in shown
        assert "pass\\/word" not in shown
    assert copy.deepcopy(command) == pickle.loads(pickle.dumps(command)) == command


def test_a_player_id_is_comparable_and_masked() -> None:
    one: Any = PlayerId("secret")
    assert one == PlayerId("secret")
    assert one != PlayerId("other")
    assert one != "secret"
    assert len({one, PlayerId("secret")}) == 1
    assert one
    assert not PlayerId("")
    assert one.reveal() == "secret"
    assert f"{one} {one!r} {one!s} {one:>14}" == " ".join(["PlayerId(***)"] * 3) + "  PlayerId(***)"
    with pytest.raises(AttributeError):
        one.other = 1


def test_states_and_foreign_texts_are_not_shown() -> None:
    shown = [
        repr(decode_command(text))
        for text in (
            "+/17/hide;72\tpiece;;;a;b/secret\tnull;0;0;1;0",
            "D/17/secret/secret",
            "LOG\tPLAYER\tsecret\ta\tb",
            "secret",
            "INFO\tsecret",
            "PRIV_CHAT/secret",
        )
    ]
    assert not [text for text in shown if "secret" in text]
    assert "INFO" in shown[-2]


def test_a_writer_tells_of_a_bad_password_without_it() -> None:
    with pytest.raises(UnencodableError) as caught:
        cmd.Player(PlayerId("secret\\"), "Alice", "German").encode()
    assert "secret" not in str(caught.value)


def test_pieces_are_decoded_on_demand() -> None:
    stack = decode_command("+/17/stack/Main;1;2;3")
    assert isinstance(stack, cmd.AddPiece)
    assert stack.piece == Stack("Main", 1, 2, ("3",), None)
    change = decode_command("D/17/Main;5;6;3/Main;1;2;3")
    assert isinstance(change, cmd.ChangePiece)
    assert change.piece("stack") == Stack("Main", 5, 6, ("3",), None)
    assert change.old_piece("stack") == stack.piece
    assert cmd.ChangePiece("17", "x").old_piece("stack") is None
    unit = decode_command("+/17/piece;;;a.png;Inf/Main;1;2;7;0")
    assert isinstance(unit, cmd.AddPiece)
    assert isinstance(unit.piece, Piece)
    assert unit.piece.name == "Inf"


def test_log_entries_inside_log_entries_are_unwrapped() -> None:
    command = decode_command("LOG\t" * 5000 + "CHAT hi")
    assert isinstance(command, cmd.Log)
    assert command.command == cmd.Chat(" hi")
    assert len(repr(command)) < 80
    assert cmd.Log("null").command == cmd.Null("null")


def test_lists_in_commands_are_read_when_asked_for() -> None:
    picker = decode_command("MainBoardPicker\tA/rev\t1\t0\tB\tx\t-2\tC")
    assert isinstance(picker, cmd.BoardPicker)
    assert picker.boards == (cmd.PlacedBoard("A", 1, 0, True), cmd.PlacedBoard("B", 0, -2))
    assert cmd.BoardPicker("Main").boards == cmd.BoardPicker.of("Main", ()).boards == ()
    unmask = decode_command("UNMASK\tone\ttwo")
    assert isinstance(unmask, cmd.Unmask)
    assert unmask.players == (PlayerId("one"), PlayerId("two"))
    assert cmd.Unmask.of(()).players == ()
    throw = decode_command("SHOW_RESULTS\tCom\\\tbat\t3\t0")
    assert isinstance(throw, cmd.ShowResults)
    assert (throw.button, throw.faces) == ("Com\tbat", (3, 0))
    assert cmd.ShowResults("Combat").faces == ()
    with pytest.raises(UnencodableError) as caught:
        cmd.Unmask.of((PlayerId("secret\\"), WHO))
    assert "secret" not in str(caught.value)


def test_a_property_of_a_zone_has_a_path() -> None:
    command = cmd.GlobalProperty("Morale\tZone 1\tBoard\tMain", "3")
    assert command.path == ("Morale", "Zone 1", "Board", "Main")


def test_a_writer_tells_of_a_bad_note_without_it() -> None:
    with pytest.raises(UnencodableError) as caught:
        cmd.PrivateNote(PlayerId("me"), "secret\\\nplan").encode()
    assert "secret" not in str(caught.value)

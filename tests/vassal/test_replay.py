"""Replay of logs: what VASSAL's commands do to the table, and what a reader is told of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from replay_logs import CORPUS, SAMPLES, log, unit

from builder.gamebox.events import (
    Concealed,
    Drawn,
    Flipped,
    Moved,
    Place,
    Placed,
    PropertyChanged,
    Replaced,
    Rolled,
    Said,
    Shuffled,
    TurnChanged,
    Undone,
)
from builder.hexes.grid import HexGrid
from builder.hexes.numbering import Numbering
from builder.hexes.zones import Board
from builder.vassal.replay import Step, replay
from builder.vassal.replay_maps import BoardCell, MapNames, _MapDefinition
from builder.vassal.replay_module import ModuleFacts, read_module_facts
from builder.vassal.savefile import read_save

A = unit("1", "Able", 100, 100)
B = unit("2", "Baker", 200, 100)
ROSA = "PLAYER\tkornblume\tRosa\tGerman"
ME = "kornblume"

needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus of real files at hand")
needs_samples = pytest.mark.skipif(not SAMPLES.is_dir(), reason="no recorded samples at hand")


def told(start: list[str], *steps: list[str], viewer: str | None = None) -> list[Step]:
    found = []
    for step in replay(log(start, *steps), viewer=viewer):
        found.append(step)
    return found


def move(ident: str, x: int, y: int, under: str = "null", old: str = "Main/100/100/null") -> str:
    return f"M/{ident}/Main/{x}/{y}/{under}/{old}/{ME}"


def test_a_piece_moves_from_place_to_place() -> None:
    start, step = told([A, ROSA], [move("1", 300, 100)])
    assert start.number == 0
    assert start.steps == 1
    (moved,) = step.events
    assert isinstance(moved, Moved)
    assert (moved.piece.name, moved.piece.gpid) == ("Able", "7")
    assert (moved.start, moved.end) == (Place("Main", 100, 100), Place("Main", 300, 100))
    assert step.actor == "Rosa (German)"


def test_a_step_may_move_a_piece_twice() -> None:
    second = move("1", 300, 300, old="Main/300/100/null")
    *_, step = told([A], [move("1", 300, 100), second])
    first, last = step.events
    assert isinstance(first, Moved)
    assert isinstance(last, Moved)
    assert (first.start.x, first.start.y) == (100, 100)
    assert last.start == first.end
    assert step.table.at("1") == ("Main", 300, 300)
    assert last.recorded is None


def test_an_old_place_that_the_table_does_not_know_is_told() -> None:
    *_, step = told([A], [move("1", 300, 100, old="Main/50/60/null")])
    (moved,) = step.events
    assert isinstance(moved, Moved)
    assert moved.recorded == Place("Main", 50, 60)


def test_a_move_to_no_map_takes_the_piece_off() -> None:
    stack = "+/9/stack/Main;100;100;1;@@-1"
    *_, step = told([A, stack], ["M/1/null/0/0/null/Main/100/100/null/x"])
    (moved,) = step.events
    assert isinstance(moved, Moved)
    assert moved.end.is_off
    assert step.table.at("1").map is None
    assert not step.problems


def test_a_stack_takes_its_pieces_along() -> None:
    stack = "+/9/stack/Main;100;100;1;2"
    *_, step = told([A, B, stack], [move("9", 400, 400)])
    assert [e.piece.name for e in step.events if isinstance(e, Moved)] == ["Able", "Baker"]
    assert {step.table.at(i) for i in "12"} == {("Main", 400, 400)}


def test_commands_of_unknown_ids_are_named_and_passed_over() -> None:
    digits = "7" * 4000
    *_, step = told([A], [move(digits, 1, 1)])
    assert step.events == ()
    (problem,) = step.problems
    assert "(4000 characters)" in problem
    assert len(problem) < 200
    assert step.table.unknown[digits] == 1


def test_a_stack_in_a_stack_is_reported_and_counted_once() -> None:
    outer = "+/9/stack/Main;100;100;1;8;9"
    inner = "+/8/stack/Main;100;100;2;9"
    start, step = told([A, B, inner, outer], [move("9", 500, 500)])
    assert len([p for p in start.problems if "holds another stack" in p]) == 2
    assert sorted(start.table.pieces) == ["1", "2"]
    assert step.table.at("1") == ("Main", 500, 500)
    assert step.table.at("2") == ("Main", 100, 100)


def test_a_piece_without_gpid_is_kept() -> None:
    start, *_ = told(["+/1/piece;;;inf.png;Able/Main;1;2"])
    assert start.story.thing("1").gpid == ""
    assert start.table.at("1") == ("Main", 1, 2)


def test_a_state_of_too_few_parts_is_a_problem() -> None:
    start, *_ = told(["+/1/mark;Side\tpiece;;;inf.png;Able/German"])
    assert start.story.thing("1").name == "?"
    assert "does not fit" in start.problems[0]
    assert "German" not in start.problems[0]


def test_changes_merge_with_what_others_did() -> None:
    type_text = "PROP;Steps;;;\tPROP;Fuel;;;\\\tpiece;;;inf.png;Able"
    one = f"+/1/{type_text}/3\t5\\\tMain;1;1;7;0"
    # Two players at once: the second one knew nothing of the fuel that the first one spent.
    *_, last = told(
        [one],
        ["D/1/3\t4\\\tMain;1;1;7;0/3\t5\\\tMain;1;1;7;0"],
        ["D/1/2\t5\\\tMain;1;1;7;0/3\t5\\\tMain;1;1;7;0"],
    )
    assert last.story.thing("1").name == "Able"
    piece = last.table.pieces["1"].piece
    assert piece is not None
    assert [t.state_string() for t in piece.traits] == ["2", "4"]


def test_a_new_state_may_bring_a_new_place() -> None:
    *_, step = told([A], ["D/1/Main;300;300;7;0/Main;100;100;7;0"])
    (moved,) = step.events
    assert isinstance(moved, Moved)
    assert step.table.at("1") == ("Main", 300, 300)


@pytest.mark.parametrize("marks", [True, False], ids=["3.7", "older"])
def test_an_undo_steps_back(marks: bool) -> None:
    chat = "CHAT* Able moves"
    back = ["CHAT* UNDO: * Able moves", move("1", 100, 100, old="Main/300/100/null")]
    undo = ["UNDO\ttrue", *back, "UNDO\tfalse"] if marks else back
    _, first, second = told([A], [move("1", 300, 100), chat], undo)
    assert first.undone_by == 2
    assert second.events == (Undone(step=2, actor=second.actor, undone_step=1),)
    assert second.table.at("1") == ("Main", 100, 100)


def test_several_undos_go_back_one_by_one() -> None:
    steps = [[f"CHAT* line {n}"] for n in (1, 2)]
    undos = [["UNDO\ttrue", f"CHAT* UNDO: * line {n}", "UNDO\tfalse"] for n in (2, 1, 0)]
    found = told([], *steps, *undos)
    assert [step.undone_by for step in found] == [None, 4, 3, None, None, None]
    last = found[-1].events[0]
    assert isinstance(last, Undone)
    assert last.undone_step is None


def test_a_typed_undo_is_no_undo() -> None:
    *_, step = told([], ["CHAT* hello"], ["CHAT&lt;Rosa&gt; - UNDO: * hello"])
    (said,) = step.events
    assert isinstance(said, Said)
    assert said.speaker == "Rosa"


def test_a_saved_game_inside_a_step_resets_the_table() -> None:
    *_, step = told([A, B], ["begin_save", unit("5", "Easy", 7, 7), "end_save"])
    assert step.events == (Replaced(step=1, pieces=1),)
    assert list(step.table.pieces) == ["5"]


def test_a_layer_that_follows_a_property_is_told_by_the_property() -> None:
    layer = (
        "emb2;;128;;;128;;;128;;;;1;false;0;0;a.png,b.png;+ (1),+ (2);false;Step;;;true;"
        "{Steps<1?1:Steps};1;1;true;;;;;1.0"
    )
    type_text = f"{layer}\tPROP;Steps;;;\\\tpiece;;;inf.png;Able"
    one = f"+/1/{type_text}/1\t2\\\tMain;1;1;7;0"
    _start, step = told([one], ["D/1/1\t1\\\tMain;1;1;7;0/1\t2\\\tMain;1;1;7;0"])
    flip = next(e for e in step.events if isinstance(e, Flipped))
    assert (flip.layer, flip.old, flip.new, flip.piece.name) == ("Step", 2, 1, "Able (1)")


MASKED = "+/1/obs;72,130;back.png;Mask;I;Card;player:\tpiece;;;inf.png;Able/{by};\tMain;1;1;7;0"


@pytest.mark.parametrize(("viewer", "name"), [(None, "Able"), ("Rosa", "Able"), ("Jack", "Card")])
def test_a_mask_hides_the_name_from_others(viewer: str | None, name: str) -> None:
    jack = "PLAYER\tsunflower\tJack\tAllied"
    _start, step = told(
        [MASKED.format(by="null"), ROSA, jack],
        [f"D/1/{ME};\tMain;1;1;7;0/null;\tMain;1;1;7;0"],
        viewer=viewer,
    )
    concealed = step.events[0]
    assert isinstance(concealed, Concealed)
    assert (concealed.piece.name, concealed.by) == (name, "Rosa (German)")
    if name == "Card":
        assert concealed.piece.basic == ""
        assert concealed.piece.gpid == ""


def test_what_changes_below_a_mask_is_not_told_to_others() -> None:
    type_text = "obs;72,130;back.png;Mask;I;Card;player:\tPROP;Steps;;;\\\tpiece;;;inf.png;Able"
    states = [f"{ME};\t{steps}\\\tMain;1;1;7;0" for steps in (2, 1)]
    start = [f"+/1/{type_text}/{states[0]}", ROSA, "PLAYER\tx\tJack\tAllied"]
    change = [f"D/1/{states[1]}/{states[0]}"]
    assert [len(told(start, change, viewer=who)[1].events) for who in ("Jack", "Rosa")] == [0, 1]


def test_what_is_invisible_is_not_told_to_others() -> None:
    hidden = f"+/1/hide;73,130;Hide;;player:\tpiece;;;inf.png;Able/{ME}\tMain;1;1;7;0"
    *_, step = told([hidden, ROSA, "PLAYER\tx\tJack\tAllied"], [move("1", 5, 5)], viewer="Jack")
    assert step.events == ()
    *_, step = told([hidden, ROSA], [move("1", 5, 5)])
    assert isinstance(step.events[0], Moved)


def test_an_owner_who_is_not_at_the_table_has_no_name() -> None:
    *_, step = told([MASKED.format(by="null")], ["D/1/secret99;\tMain;1;1;7;0/null;\tMain;1;1;7;0"])
    assert "secret99" not in repr(step.events)


def test_cards_come_from_decks_and_go_back() -> None:
    deck = "+/9/deck;false;0,0,0;40;40;Never;Never;false;false;false;;;;Cup/Main;500;500;false;1,2"
    start, drawn, back, mixed = told(
        [A, B, deck],
        [move("2", 7, 7, old="Main/500/500/1")],
        [move("2", 500, 500, "1", old="Main/7/7/null")],
        ["D/9/Main;500;500;false;2,1/Main;500;500;false;1,2"],
    )
    assert start.story.place("1").text() == "deck Cup (Main)"
    assert isinstance(drawn.events[0], Drawn)
    assert isinstance(back.events[0], Moved)
    assert back.events[0].end.deck == "Cup"
    assert mixed.events == (Shuffled(step=3, deck="Cup", cards=2),)
    assert mixed.table.neighbors("1") == ("2", "1")


def test_dice_are_told_with_their_report() -> None:
    *_, step = told(
        [ROSA],
        [
            "CHAT*** 2d6 = 9 (5,4) *** &lt;Rosa&gt;",
            "MutableProperty\t2d6_result\t9\t9\tModule",
            "MutableProperty\t2d6_total\t0\t9\tModule",
            "MutableProperty\t2d6_keep\t0\t2\tModule",
        ],
    )
    _said, roll = step.events
    assert isinstance(roll, Rolled)
    assert (roll.dice, roll.result, roll.total, roll.kept) == ("2d6", "9", 9, 2)
    assert roll.report == "*** 2d6 = 9 (5,4) *** <Rosa>"
    assert step.actor == "Rosa (German)"


def test_a_typed_roll_is_no_roll() -> None:
    *_, step = told([], ["CHAT&lt;Rosa&gt; - *** 2d6 = 6,6 *** "])
    assert [type(event) for event in step.events] == [Said]


def test_chat_stays_text() -> None:
    *_, step = told([], ["CHAT&lt;Rosa&gt; - <script>alert(1)</script> &amp; more"])
    (said,) = step.events
    assert isinstance(said, Said)
    assert said.words == "<script>alert(1)</script> & more"


def test_properties_and_turns_change() -> None:
    _, first, second = told(
        ["GlobalProperty\t;Weather;clear;Module", "TURNTurnTracker0\t0|1;0;false;-1"],
        ["MutableProperty\tWeather\tclear\train\tModule"],
        ["TURNTurnTracker0\t0|2;0;false;-1"],
    )
    (changed,) = first.events
    assert isinstance(changed, PropertyChanged)
    assert first.story.lookup("Weather") == "rain"
    (turn,) = second.events
    assert isinstance(turn, TurnChanged)
    assert second.turn == "0|2;0;false;-1"


def test_changes_of_properties_find_what_the_save_told() -> None:
    """A zone's property has board and map in its saved name, changes have ``map:zone`` beside it;
    old files leave the container out."""
    *_, step = told(
        ["GlobalProperty\t;Mud\tMarsh\tBoard\tMain;no;", "GlobalProperty\t;Weather;clear;Module"],
        ["MutableProperty\tMud\tno\tyes\tMain:Marsh"],
        ["MutableProperty\tWeather\tclear\train"],
    )
    assert step.table.properties == {("Main:Marsh", "Mud"): "yes", ("Module", "Weather"): "rain"}


def test_a_placed_piece_lies_where_the_step_leaves_it() -> None:
    *_, step = told(
        [A], ["+/5/piece;;;x.png;Easy/null;0;0;3;0", move("5", 100, 100, "1", "null/0/0/null")]
    )
    (placed,) = step.events
    assert isinstance(placed, Placed)
    assert placed.at == Place("Main", 100, 100)


COMMANDS = st.one_of(
    st.builds("M/{}/{}/{}/{}/{}/Main/0/0/null/x".format, *[st.sampled_from("123489")] * 5),
    st.builds("+/{}/stack/Main;{};1;{};{};@@1".format, *[st.sampled_from("123489")] * 4),
    st.builds("D/{}/Main;{};1;{};{}/Main;1;1;{}".format, *[st.sampled_from("123489")] * 5),
    st.builds("-/{}".format, st.sampled_from("123489")),
    st.builds("+/{}/piece;;;a.png;N/Main;{};1".format, *[st.sampled_from("123489")] * 2),
    st.builds("+/{}/deck;/Main;{};1;true;{}\\,{}".format, *[st.sampled_from("123489")] * 4),
    st.text("+D/-M;\\\t,0123 UNDOCHAT|", max_size=30),
)


@given(st.lists(st.lists(COMMANDS, min_size=1, max_size=4), max_size=12))
def test_any_commands_leave_a_sound_table(steps: list[list[str]]) -> None:
    try:
        root = log([A, B], *steps)
    except Exception:  # what cannot be encoded is no log
        return
    for step in replay(root):
        table = step.table
        for pile in table.piles.values():
            assert len(set(pile.members)) == len(pile.members)
            assert all(table.pieces[member].pile == pile.id for member in pile.members)
        for ident, standing in table.pieces.items():
            assert standing.pile is None or ident in table.piles[standing.pile].members
            assert ident not in table.piles


def test_a_map_that_the_module_does_not_have_is_said_once() -> None:
    root = log([A], [move("1", 5, 5)], [move("1", 6, 6)])
    found = list(replay(root, ModuleFacts(is_known=True)))
    assert [step.problems for step in found] == [(), ("the module has no map 'Main'",), ()]


# --- real files -------------------------------------------------------------------------------


def tour_facts() -> ModuleFacts:
    """The tour's hex board, by the numbers of its grid: the module itself is not at hand."""
    path = Path(__file__).parents[1] / "fixtures" / "real-grids.json"
    grids = json.loads(path.read_text(encoding="utf-8"))
    found = grids["tour-sl"]
    numbering = Numbering.from_xml_attributes(found["numbering"])
    extent = (3000, 1000)
    grid = HexGrid.from_xml_attributes(found["grid"], numbering, extent=extent)
    board = Board(extent=extent, grid=grid)
    maps = {"Main Map": _MapDefinition({"SL": board}, (0, 0), (BoardCell("SL"),))}
    return ModuleFacts(maps=MapNames(maps))


@needs_corpus
def test_the_tours_ten_moves_have_the_hexes_of_its_chat() -> None:
    ways = []
    for step in replay(read_save(CORPUS / "vassal-tour.log"), tour_facts()):
        if step.table.boards.get("Main Map") != (BoardCell("SL"),):
            continue
        moved = [e for e in step.events if isinstance(e, Moved)]
        said = [e.words for e in step.events if isinstance(e, Said) and " moves " in e.words]
        if moved and said:
            way = f"{moved[0].start.label} -> {moved[0].end.label}"
            assert way in said[0]
            ways.append(way)
    assert ways == [
        *("G7 -> H6", "H6 -> I6", "I6 -> J5", "P3 -> O4", "O4 -> N4"),
        *("N4 -> M5", "M5 -> L4", "L4 -> K4", "K4 -> J4", "J4 -> I5"),
    ]


@needs_corpus
def test_unknown_ids_of_a_real_log() -> None:
    problems = {
        step.number: step.problems
        for step in replay(read_save(CORPUS / "tld-0606-1.log"))
        if step.number and step.problems
    }
    assert sorted(problems) == [690, 961, 969]
    assert "move" in problems[690][0]
    assert problems[961] == problems[969]


@needs_corpus
def test_a_report_of_the_program_is_no_speech() -> None:
    lines = [
        event
        for step in replay(read_save(CORPUS / "tld-0610-3.log"))
        for event in step.events
        if isinstance(event, Said) and "Checked LOS" in event.words
    ]
    (line,) = lines
    assert line.is_report
    assert "4743 to 4643, 4543, 4443, 4343, 4243, 4143, 4043, 3942" in line.words


@needs_corpus
def test_the_only_move_from_another_place_is_noticed() -> None:
    found = {
        step.number
        for step in replay(read_save(CORPUS / "tld-0610-3.log"))
        for event in step.events
        if isinstance(event, Moved) and event.recorded is not None
    }
    assert len(found) == 1


@needs_samples
@pytest.mark.parametrize("version", ["3.6", "3.7", "3.8"])
def test_recorded_samples_have_the_places_that_vassal_printed(version: str) -> None:
    """The same script on three versions: the places in the output of one of them."""
    expected = _printed_places(SAMPLES / "script-record-output.txt")
    facts = read_module_facts(SAMPLES / "test.vmod")
    for step in replay(read_save(SAMPLES / f"game-{version}.vlog"), facts):
        last = step
    found = {
        thing.basic: last.story.place(ident).label
        for ident in last.table.pieces
        if (thing := last.story.thing(ident)).basic and not thing.basic.startswith("Card")
    }
    assert found == expected


def _printed_places(path: Path) -> dict[str, str]:
    """Basic name and location of every piece but cards behind the last ``> pieces``."""
    text = path.read_text(encoding="utf-8").rpartition("> pieces\n")[2]
    rows = [line.split(" | ") for line in text.splitlines() if line.count(" | ") > 4]
    return {
        row[1]: next(part for part in row if part.startswith("loc="))[4:]
        for row in rows
        if not row[1].startswith("Card")
    }

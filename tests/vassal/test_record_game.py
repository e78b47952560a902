"""A game as a caller gives it, by counters and labels; and what cannot be recorded."""

from __future__ import annotations

from pathlib import Path

import pytest
from recorded_game import actions, changed, line, masked, moved
from vlog_text import chat_texts, log_steps

from builder.gamebox.events import (
    Changed,
    Concealed,
    Event,
    Flipped,
    Joined,
    Left,
    Marked,
    Moved,
    Noted,
    Place,
    Placed,
    PropertyChanged,
    Removed,
    Said,
    Thing,
    TurnChanged,
    Undone,
)
from builder.problems import UsageError
from builder.vassal.record import Recorder, RecordError, pieces_by_property
from builder.vassal.record_start import module_setups, module_slots, module_start
from builder.vassal.replay import Step, replay
from builder.vassal.replay_module import ModuleFacts, read_module_facts
from builder.vassal.replay_story import Seat
from builder.vassal.savefile import SaveFile, write_save

SEATS = (Seat("Alice", "Allied"), Seat("Gerd", "German"))
NOWHERE = Place()


@pytest.fixture(scope="module")
def facts(dropzone_vmod: Path) -> ModuleFacts:
    return read_module_facts(dropzone_vmod)


@pytest.fixture(scope="module")
def start(dropzone_vmod: Path, facts: ModuleFacts) -> SaveFile:
    return module_start(dropzone_vmod, "Standard game", facts)


@pytest.fixture
def recorder(start: SaveFile, facts: ModuleFacts, dropzone_vmod: Path) -> Recorder:
    return Recorder(
        start, facts, player="Rosa", side="Solo", others=SEATS, slots=module_slots(dropzone_vmod)
    )


@pytest.fixture(scope="module")
def game(start: SaveFile, facts: ModuleFacts) -> Recorder:
    recorder = Recorder(start, facts, player="Rosa", side="Solo", others=SEATS)
    for action in actions():
        recorder.step(action.events, by=action.by, dragged=action.dragged)
    return recorder


@pytest.fixture(scope="module")
def told(game: Recorder, facts: ModuleFacts) -> list[Step]:
    return list(replay(game.finish(), facts))[1:]


def of_step(recorder: Recorder, facts: ModuleFacts, number: int = -1) -> tuple[Event, ...]:
    return list(replay(recorder.finish(), facts))[number].events


def the(kind: type[Event], events: tuple[Event, ...]) -> list[Event]:
    return [event for event in events if isinstance(event, kind)]


# ------------------------------------------------------------------------------------ a game


def test_every_line_stands_in_the_log(game: Recorder, tmp_path: Path) -> None:
    path = tmp_path / "game.vlog"
    path.write_bytes(write_save(game.finish()))
    assert chat_texts(path) == [words for action in actions() for words in action.lines]
    assert len(log_steps(path)) == game.steps == len(list(actions()))


def test_nothing_of_a_game_is_misread(told: list[Step]) -> None:
    assert [step.problems for step in told] == [()] * len(told)


def test_players_act(told: list[Step]) -> None:
    by_step = {step.number: step.actor for step in told}
    who = {"Allied": "Alice (Allied)", "German": "Gerd (German)", "Solo": "Rosa (Solo)"}
    for number, action in enumerate(actions(), 1):
        if any(isinstance(e, Moved) for e in action.events):
            assert by_step[number] == who[action.by]


def test_what_follows_need_not_be_told(told: list[Step]) -> None:
    flipped = [e for step in told for e in step.events if isinstance(e, Flipped)]
    assert {(e.piece.basic, e.layer, e.old, e.new) for e in flipped} >= {
        ("A Co 1/517", "Joined", 1, 2),
        ("A Co 1/517", "Joined", 2, 1),
        ("A Co 1/517", "Step", 2, 1),
        ("Garrison Le Muy", "Face", 1, 3),
    }
    marked = [e.piece.basic for step in told for e in step.events if isinstance(e, Marked)]
    assert marked.count("A Co 1/517") == 1


def test_where_pieces_are_in_the_end(game: Recorder) -> None:
    units = pieces_by_property(game.table, "Unit")
    places = {
        unit: game.story.place(units[unit])
        for unit in ("A-1-517", "1-I-765", "2-I-765", "G-3-517", "AA-7", "AA-1", "VP", "G-Le-Muy")
    }
    assert {unit: place.deck or place.label for unit, place in places.items()} == {
        "A-1-517": "1511",
        "1-I-765": "ElimGerman",
        "2-I-765": "1812",
        "G-3-517": "2408",
        "AA-7": "PoolAllied",
        "AA-1": "PoolAllied",
        "VP": "VP13",
        "G-Le-Muy": "1612",
    }


def test_a_card_from_a_face_down_deck_is_masked_by_who_draws_it(told: list[Step]) -> None:
    drawn = next(s for s in told if "* Asset moves PoolAllied -> offboard" in _words(s))
    (mask,) = the(Concealed, drawn.events)
    assert isinstance(mask, Concealed)
    assert (mask.is_on, mask.by) == (True, "Allied")


def _words(step: Step) -> list[str]:
    return [event.words for event in step.events if isinstance(event, Said)]


def test_the_same_game_gives_the_same_bytes(
    game: Recorder, start: SaveFile, facts: ModuleFacts
) -> None:
    again = Recorder(start, facts, player="Rosa", side="Solo", others=SEATS)
    for action in actions():
        again.step(action.events, by=action.by, dragged=action.dragged)
    assert write_save(again.finish()) == write_save(game.finish())


def test_a_log_names_no_players_password(game: Recorder) -> None:
    seats = [ident.reveal() for ident in game.story.seats]
    assert seats == ["recorded-1", "recorded-2", "recorded-3"]


# --------------------------------------------------------------------- things and places


def test_pieces_are_found_by_id_by_unit_and_by_gpid(recorder: Recorder, facts: ModuleFacts) -> None:
    ident = pieces_by_property(recorder.table, "Unit")["1-I-765"]
    gpid = recorder.story.thing(ident).gpid
    for thing, end in (
        (Thing(ident, ""), "1713"),
        (Thing("1-I-765", ""), "1714"),
        (Thing("", "", "", gpid), "1713"),
    ):
        recorder.step([Moved(step=0, piece=thing, start=NOWHERE, end=Place(label=end))])
        (event,) = the(Moved, of_step(recorder, facts))
        assert isinstance(event, Moved)
        assert (event.piece.id, event.end.label) == (ident, end)


def test_values_of_several_pieces_name_none_of_them(recorder: Recorder) -> None:
    assert "Allied" not in pieces_by_property(recorder.table, "Side")
    assert pieces_by_property(recorder.table, "nothing") == {}


def test_places_are_found_by_label(recorder: Recorder) -> None:
    hex_ = recorder.place("1713")
    assert (hex_.map, hex_.label, hex_.zone) == ("Main", "1713", "Hexes")
    assert recorder.snapped("Main", hex_.x + 9, hex_.y - 8) == hex_
    deck = recorder.place("PoolAllied")
    assert deck.deck == "PoolAllied"
    assert recorder.place("ElimGerman", "Main").zone == "ElimGerman"
    with pytest.raises(RecordError, match="'9999' on any map"):
        recorder.place("9999")
    with pytest.raises(RecordError, match="'1713' on map 'Allied hand'"):
        recorder.place("1713", "Allied hand")


def test_pieces_pile_up_and_lie_in_order(recorder: Recorder) -> None:
    units = pieces_by_property(recorder.table, "Unit")
    for unit in ("1-I-765", "2-I-765", "148-Recon"):
        recorder.step([moved(unit, "1713")], dragged=True)
    wanted = tuple(units[u] for u in ("1-I-765", "2-I-765", "148-Recon"))
    assert recorder.table.neighbors(units["148-Recon"]) == wanted
    recorder.step([moved("2-I-765", "1812")], dragged=True)
    assert recorder.table.neighbors(units["148-Recon"]) == (wanted[0], wanted[2])
    recorder.step([Undone(step=0, undone_step=4)])
    assert recorder.table.neighbors(units["148-Recon"]) == wanted


def test_new_pieces_come_from_their_slots(recorder: Recorder, facts: ModuleFacts) -> None:
    for name in ("new", "newer"):
        thing = Thing(name, "", "", "85")
        recorder.step([Placed(step=0, piece=thing, at=Place(label="1010"))])
        recorder.step([Moved(step=0, piece=thing, start=NOWHERE, end=Place(label="1011"))])
    recorder.step([Removed(step=0, piece=Thing("new", ""), start=NOWHERE)])
    made = list(replay(recorder.finish(), facts))
    kinds = [[e.kind for e in step.events if e.kind != "marked"] for step in made[1:]]
    assert kinds == [["placed"], ["moved"], ["placed"], ["moved"], ["removed"]]
    assert [step.problems for step in made] == [()] * len(made)


def test_players_come_and_go(recorder: Recorder, facts: ModuleFacts) -> None:
    recorder.step([Joined(step=0, player="Zoe", side="2 IPBG")])
    recorder.step([moved("VP", "VP3")], by="Zoe")
    recorder.step([Left(step=0, player="Zoe", side=None)])
    made = list(replay(recorder.finish(), facts))[1:]
    assert made[1].actor == "Zoe (2 IPBG)"
    assert [e.text() for e in (*made[0].events, *made[2].events)] == [
        "Zoe plays 2 IPBG",
        "Zoe (2 IPBG) leaves 2 IPBG",
    ]


@pytest.mark.parametrize("marks", [False, True])
def test_undo_takes_back_the_last_step_that_is_left(
    start: SaveFile, facts: ModuleFacts, marks: bool
) -> None:
    recorder = Recorder(start, facts, undo_marks=marks)
    for number in ("1", "2", "3"):
        recorder.step([line(f"step {number}"), changed("1-I-765", "Cause", number)])
    for _ in range(2):
        recorder.step([Undone(step=0, undone_step=None)])
    recorder.step([changed("1-I-765", "Steps", "1", "2")])
    recorder.step([Undone(step=0, undone_step=None)])
    made = list(replay(recorder.finish(), facts))
    undone = [e.undone_step for step in made for e in step.events if isinstance(e, Undone)]
    assert undone == [3, 2, 6]
    recorder.step([changed("1-I-765", "Cause", "9", "1")])


def test_a_step_of_nothing_is_a_step(recorder: Recorder, facts: ModuleFacts) -> None:
    recorder.step([])
    recorder.step([changed("1-I-765", "Cause", "")])
    recorder.step([line("RESET")])
    made = list(replay(recorder.finish(), facts))
    assert [len(step.events) for step in made] == [0, 0, 0, 1]


def test_the_table_knows_old_values_better(recorder: Recorder, facts: ModuleFacts) -> None:
    recorder.step([PropertyChanged(step=0, name="AttackNo", old="7", new="8")])
    recorder.step([PropertyChanged(step=0, name="AttackNo", old="", new="9", container="Module")])
    made = list(replay(recorder.finish(), facts))[1:]
    assert [e.text() for s in made for e in s.events] == ["AttackNo: 0 → 8", "AttackNo: 8 → 9"]


def test_what_is_so_already_does_not_change(recorder: Recorder, facts: ModuleFacts) -> None:
    same = [masked("A-1-517", is_on=True), changed("A-1-517", "Steps", "2"), line("nothing")]
    recorder.step(same)
    assert [e.kind for e in of_step(recorder, facts)] == ["said"]


@pytest.mark.parametrize(
    "words", ["a & b", "1 < 2", "&lt;b&gt; &amp;", "<b> - c", "* DZ: LOSS", " "]
)
def test_typed_lines_are_read_back(recorder: Recorder, facts: ModuleFacts, words: str) -> None:
    recorder.step([Said(step=0, words=words, speaker="Rosa")])
    (event,) = of_step(recorder, facts)
    assert isinstance(event, Said)
    assert (event.words, event.speaker) == (words, "Rosa")


# ---------------------------------------------------------------- what cannot be recorded

WRONG: list[tuple[Event, str]] = [
    (moved("Q-9", "1713"), "no piece on the table is 'Q-9'"),
    (moved("1-I-765", "2014"), r"1 Co I/765 \(2\): it is already at 2014"),
    (changed("1-I-765", "Steps", "1", "3"), "Steps is '2', and not '3'"),
    (changed("1-I-765", "Alias", "H1"), "it has no property 'Alias'"),
    (Changed(step=0, piece=Thing("VP", ""), at=NOWHERE, name="x", old=None, new=None), "not told"),
    (masked("1-I-765", is_on=True), "no trait for 'mask'"),
    (Placed(step=0, piece=Thing("", "", "", "no"), at=NOWHERE), "no piece slot has the gpid 'no'"),
    (Noted(step=0, where="public note"), "an event 'noted' cannot be recorded"),
    (Undone(step=0, undone_step=None), "no step is left"),
    (Said(step=0, words="* UNDO: x"), "a report cannot have the words"),
    (Said(step=0, words="<Rosa> - x"), "a report cannot have the words"),
    (TurnChanged(step=0, tracker="Turn", old="", new="Turn 1 5th INIT"), "never shows"),
    (TurnChanged(step=0, tracker="Clock", old="", new="Turn 1 End"), "no turn tracker 'Clock'"),
    (Left(step=0, player="Zoe", side=None), "no player 'Zoe' to leave"),
    (
        Flipped(
            step=0, piece=Thing("1-I-765", ""), at=NOWHERE, layer="Step", old=2, new=1
        ),
        "layer 'Step' follows a property",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("event", "message"), WRONG, ids=lambda value: str(value)[:40])
def test_what_no_log_shows_is_refused(recorder: Recorder, event: Event, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        recorder.step([event])
    with pytest.raises(RecordError, match="a step before failed"):
        recorder.step([line("RESET")])


def test_nobody_else_acts(recorder: Recorder) -> None:
    with pytest.raises(RecordError, match="nobody at the table is 'Zoe'"):
        recorder.step([line("RESET")], by="Zoe")


def test_only_the_last_step_can_be_undone(recorder: Recorder) -> None:
    recorder.step([line("a")])
    recorder.step([line("b")])
    with pytest.raises(RecordError, match="step 2 is undone next, and not 1"):
        recorder.step([Undone(step=0, undone_step=1)])


def test_a_module_has_the_setups_that_it_offers(dropzone_vmod: Path) -> None:
    assert module_setups(dropzone_vmod) == ("Standard game", "Ghost Division")
    with pytest.raises(UsageError, match="no set-up 'Big game'; it offers: Standard game"):
        module_start(dropzone_vmod, "Big game")

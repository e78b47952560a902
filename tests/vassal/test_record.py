"""What is recorded is what is replayed: real logs again, and steps of any kind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dropzone_recordings import LOGS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies_record import steps as steps_of

from builder.gamebox.events import (
    Changed,
    Concealed,
    Drawn,
    Event,
    Flipped,
    Marked,
    Moved,
    Placed,
    PropertyChanged,
    Removed,
    Rolled,
    Said,
    TurnChanged,
    Undone,
    describe,
)
from builder.vassal.command_tree import CommandNode, encode_tree, parse_tree
from builder.vassal.commands import AddPiece, ChangePiece, Command, Null, RemovePiece
from builder.vassal.log_steps import steps
from builder.vassal.pieces import Piece, decode_piece
from builder.vassal.record import Recorder
from builder.vassal.record_position import end_of
from builder.vassal.record_start import module_slots, module_start
from builder.vassal.replay import replay
from builder.vassal.replay_module import ModuleFacts, read_module_facts
from builder.vassal.replay_story import Seat
from builder.vassal.replay_table import Table
from builder.vassal.savefile import SaveFile, read_save, write_save
from builder.vassal.traits import BasicPiece, Layer, MovementTrail, Trait

RECORDED = sorted(LOGS.glob("dropzone-*.vlog"))


@pytest.fixture(scope="module")
def facts(dropzone_vmod: Path) -> ModuleFacts:
    return read_module_facts(dropzone_vmod)


@pytest.fixture(scope="module")
def new_game(dropzone_vmod: Path, facts: ModuleFacts) -> SaveFile:
    return module_start(dropzone_vmod, "", facts)


def beginning(log: SaveFile) -> SaveFile:
    """The saved game that a log begins with."""
    root = parse_tree(log.text)
    children = tuple(c for c in root.children if not c.text.startswith("LOG\t"))
    return replace(log, text=encode_tree(CommandNode(root.text, children)))


def events_of(log: SaveFile, facts: ModuleFacts) -> list[tuple[Event, ...]]:
    return [step.events for step in replay(log, facts)][1:]


def again(path: Path, facts: ModuleFacts) -> tuple[SaveFile, SaveFile]:
    """A log, and the log that is recorded from what is replayed of it."""
    log = read_save(path)
    start = beginning(log)
    (seat,) = next(replay(start, facts)).story.players()
    recorder = Recorder(start, facts, player=seat.name, side=seat.side, is_exact=True)
    for events in events_of(log, facts):
        recorder.step(events)
    return log, recorder.finish()


# ------------------------------------------------------------------- logs that VASSAL recorded


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_log_recorded_again_shows_the_same_events(path: Path, facts: ModuleFacts) -> None:
    log, made = again(path, facts)
    assert events_of(made, facts) == events_of(log, facts)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_marks_of_moved_pieces_need_not_be_told(path: Path, facts: ModuleFacts) -> None:
    log = read_save(path)
    start = beginning(log)
    (seat,) = next(replay(start, facts)).story.players()
    recorder = Recorder(start, facts, player=seat.name, side=seat.side)
    for events in events_of(log, facts):
        told = [e for e in events if not (isinstance(e, Marked) and e.is_on)]
        recorder.step(told)
    assert events_of(recorder.finish(), facts) == events_of(log, facts)


def shown(command: Command, table: Table) -> Any:
    """A command without what no event tells: ids of new stacks, clicks, levels that follow."""
    if isinstance(command, AddPiece) and command.type == "stack":
        return "+", command.state
    if isinstance(command, RemovePiece):
        return "-", command.id in table.pieces
    if not isinstance(command, ChangePiece) or command.id is None or command.old_state is None:
        return command.encode()
    kind = table.pieces[command.id].type
    return command.id, *(_state(decode_piece(kind, s)) for s in (command.state, command.old_state))


def _state(piece: Piece) -> tuple[object, ...]:
    basic = piece.basic
    assert isinstance(basic, BasicPiece)
    properties = tuple(p for p in basic.properties if not p[0].startswith("Clicked"))
    states = [t.state_string() for t in piece.traits if not (isinstance(t, Layer) and t.follow)]
    return (*states, basic.map, basic.x, basic.y, properties)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_log_recorded_again_has_the_same_commands(path: Path, facts: ModuleFacts) -> None:
    """But for what no event tells: trails that a button cleared, properties set to what they were,
    and where a piece was sent from before a step that was undone."""
    log, made = again(path, facts)
    table = list(replay(log, facts))[-1].table

    def commands(save: SaveFile) -> list[list[Any]]:
        return [
            [shown(c, table) for c in step.commands if not isinstance(c, Null)]
            for step in steps(save)
        ]

    both = list(zip(commands(log), commands(made), strict=True))
    different = [number for number, (was, is_) in enumerate(both, 1) if was != is_]
    assert len(different) <= len(both) * 0.04, different
    assert len(different) <= 2


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_log_recorded_again_notes_last_places_as_often(path: Path, facts: ModuleFacts) -> None:
    """VASSAL notes each property of the last place that differs, as a command without text."""
    log, made = again(path, facts)

    def nulls(save: SaveFile) -> list[int]:
        return [sum(c == Null("null") for c in s.commands) for s in steps(save)]

    # A menu command notes two properties more, where the mouse was.
    more = [was - is_ for was, is_ in zip(nulls(log), nulls(made), strict=True)]
    assert set(more) <= {0, 2}


def test_the_same_steps_give_the_same_bytes(facts: ModuleFacts) -> None:
    first, second = (write_save(again(RECORDED[-1], facts)[1]) for _ in range(2))
    assert first == second


# --------------------------------------------------------------------------- where logs begin


def described(table: Table) -> list[tuple[object, ...]]:
    """Each piece by its slot: where it is, what lies below, and the state of its traits."""
    found = []
    for ident, standing in table.pieces.items():
        assert standing.piece is not None
        assert standing.basic is not None
        below = []
        for other in table.neighbors(ident):
            if other == ident:
                break
            below.append(_gpid(table, other))
        pile = table.pile_of(ident)
        states = [_told(t) for t in standing.piece.traits if not _is_follower(t)]
        at = table.at(ident)
        name = None if pile is None else pile.name
        found.append((standing.basic.gpid, at, name, below, states))
    return sorted(found, key=repr)


def _gpid(table: Table, ident: str) -> str:
    basic = table.pieces[ident].basic
    return "" if basic is None else basic.gpid


def _told(trait: Trait) -> tuple[object, ...]:
    """Class and state of a trait; what newer versions of VASSAL write behind a trail is nothing."""
    if isinstance(trait, MovementTrail):
        return "trail", trait.visible, trait.map, trait.points
    return type(trait).__name__, trait.state_string()


def _is_follower(trait: object) -> bool:
    return isinstance(trait, Layer) and trait.follow


def test_a_new_game_is_dealt_as_vassal_deals_it(new_game: SaveFile, facts: ModuleFacts) -> None:
    ours = next(replay(new_game, facts))
    theirs = next(replay(beginning(read_save(RECORDED[0])), facts))
    assert described(ours.table) == described(theirs.table)
    assert ours.table.properties == theirs.table.properties
    assert ours.table.turns == theirs.table.turns
    assert ours.table.boards == theirs.table.boards
    decks = [[(p.name, p.at) for p in s.table.decks()] for s in (ours, theirs)]
    assert sorted(decks[0]) == sorted(decks[1])
    assert ours.problems == ()


def test_a_setup_with_a_file_begins_with_that(dropzone_vmod: Path, facts: ModuleFacts) -> None:
    start = module_start(dropzone_vmod, "Ghost Division", facts)
    recorder = Recorder(start, facts)
    assert recorder.table.properties["Module", "Scenario"] == "GHOST"
    recorder.step([TurnChanged(step=0, tracker="Turn", old="", new="Turn 1 2nd MOVE")])
    (events,) = events_of(recorder.finish(), facts)
    assert [describe(e) for e in events] == ["turn: ? → Turn 1 2nd MOVE"]


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_the_end_of_a_log_is_a_table_of_its_own(path: Path, facts: ModuleFacts) -> None:
    log = read_save(path)
    last = list(replay(log, facts))[-1]
    (saved,) = replay(end_of(log, facts), facts)
    assert described(saved.table) == described(last.table)
    assert saved.table.turns == last.table.turns
    assert {k: v for k, v in last.table.properties.items() if k in saved.table.properties} == (
        saved.table.properties
    )
    assert saved.story.players() == last.story.players()
    assert saved.problems == ()


def test_a_log_goes_on_where_another_ends(facts: ModuleFacts) -> None:
    log = read_save(RECORDED[-1])
    last = list(replay(log, facts))[-1]
    recorder = Recorder(log, facts)
    assert described(recorder.table) == described(last.table)
    recorder.step([Said(step=0, words="* DZ: RESET")])
    first, second = replay(recorder.finish(), facts)
    assert described(first.table) == described(last.table)
    assert [e.text() for e in second.events] == ["* DZ: RESET"]


# ------------------------------------------------------------------------- steps of any kind


def essence(events: tuple[Event, ...]) -> list[tuple[object, ...]]:
    """What was asked for, in an order that does not tell how VASSAL lists changes of one piece."""
    found = [entry for event in events for entry in _essence(event)]
    ordered: list[tuple[object, ...]] = []
    run: list[tuple[object, ...]] = []
    for entry in found:
        if run and not (entry[0] == run[-1][0] == "change" and entry[1] == run[-1][1]):
            ordered += sorted(run, key=repr)
            run = []
        run.append(entry)
    return ordered + sorted(run, key=repr)


def _essence(event: Event) -> Iterator[tuple[object, ...]]:
    if isinstance(event, Changed):
        yield "change", event.piece.id, event.name, event.old, event.new
    elif isinstance(event, Concealed):
        yield "change", event.piece.id, event.how, event.is_on
    elif isinstance(event, Marked):
        yield "change", event.piece.id, "marked", event.is_on
    elif isinstance(event, Moved):
        yield "moved", event.piece.id, event.end.map, event.end.x, event.end.y, event.end.deck
    elif isinstance(event, Drawn):
        yield "drawn", event.piece.id, event.deck, event.end.map, event.end.x, event.end.y
    elif isinstance(event, Placed):
        at = event.at
        yield "placed", event.piece.gpid, at.map, at.x, at.y, at.deck
    elif isinstance(event, Removed):
        yield "removed", event.piece.id
    elif isinstance(event, Said):
        yield "said", event.words, event.speaker
    elif isinstance(event, PropertyChanged):
        yield "property", event.container, event.name, event.old, event.new
    elif isinstance(event, TurnChanged):
        yield "turn", event.tracker, event.new
    elif isinstance(event, Rolled):
        yield "rolled", event.dice, event.result, event.total, event.kept
    elif isinstance(event, Undone):
        yield "undone", event.undone_step
    elif not isinstance(event, Flipped):
        yield "other", event.kind


def dice_last(events: list[Event]) -> tuple[Event, ...]:
    """Rolls stand behind the other events of a step, as replay tells them."""
    rolls = [event for event in events if isinstance(event, Rolled)]
    return (*(event for event in events if not isinstance(event, Rolled)), *rolls)


class Module:
    """What a recorder needs; no dataclass, which a failing test would show in full."""

    def __init__(self, start: SaveFile, facts: ModuleFacts, slots: dict[str, Piece]) -> None:
        self.start, self.facts, self.slots = start, facts, slots


@pytest.fixture(scope="module")
def module(new_game: SaveFile, facts: ModuleFacts, dropzone_vmod: Path) -> Module:
    return Module(new_game, facts, module_slots(dropzone_vmod))


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_steps_of_any_kind_are_replayed_as_they_were_given(
    data: st.DataObject, module: Module
) -> None:
    recorder = Recorder(
        module.start,
        module.facts,
        player="Rosa",
        others=(Seat("Alice", "Allied"), Seat("Gerd", "German")),
        slots=module.slots,
        is_exact=True,
        undo_marks=data.draw(st.booleans(), "undo marks"),
    )
    given_steps: list[tuple[Event, ...]] = []
    undoable: list[tuple[int, list[tuple[object, ...]]]] = []
    for number in range(1, data.draw(st.integers(1, 6), "steps") + 1):
        if undoable and data.draw(st.integers(0, 3), "undo?") == 0:
            undone, before = undoable.pop()
            recorder.step([Undone(step=0, undone_step=None)])
            given_steps.append((Undone(step=0, undone_step=undone),))
            assert described(recorder.table) == before
            continue
        events = data.draw(steps_of(recorder), "step")
        before = described(recorder.table)
        recorder.step(events, dragged=data.draw(st.booleans(), "dragged"))
        given_steps.append(dice_last(events))
        undoable.append((number, before))
    made = list(replay(recorder.finish(), module.facts))
    assert [essence(s.events) for s in made[1:]] == [essence(events) for events in given_steps]
    assert described(made[-1].table) == described(recorder.table)
    assert made[-1].table.turns == recorder.table.turns
    assert made[-1].table.properties == recorder.table.properties
    assert [s.problems for s in made] == [()] * len(made)

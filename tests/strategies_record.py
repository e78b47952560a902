"""Hypothesis strategies for steps on a table of the main game: events that a log can show.

A strategy looks at the table as it is and makes one step; the test records it and asks for the
next. Pieces are taken once in a step, so that its events do not depend on one another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from builder.gamebox.events import (
    Changed,
    Concealed,
    Drawn,
    Event,
    Marked,
    Moved,
    Place,
    Placed,
    PropertyChanged,
    Removed,
    Rolled,
    Said,
    Thing,
    TurnChanged,
)
from builder.vassal.record import Recorder
from builder.vassal.replay_table import Standing
from builder.vassal.traits import DynamicProperty, MarkWhenMoved, Mask

__all__ = ["GPIDS", "steps"]

PLACES = (
    *("1010", "1011", "1612", "2014", "0101", "ElimGerman", "ElimAllied", "EntryD", "GermanT2"),
    *("CommitAllied", "VP13", "Initiative2", "PoolAllied", "ChitCup"),
)
GPIDS = ("85", "87", "207")
PHASES = ("Start", "1st INIT", "2nd MOVE", "4th ENDACT", "End")
# No backslash at the end of a value and nothing that looks like an undo or a typed line.
VALUES = st.text(st.sampled_from([*"aB1 ;,/:{}$'&ü—|", "\t"]), max_size=6)
WORDS = st.text(st.sampled_from([*"aB1 ;,/:&#'*ü—=|", "\n"]), min_size=1, max_size=12)
NAMES = st.text(st.sampled_from([*"aBé &;'1"]), min_size=1, max_size=6)


def steps(recorder: Recorder) -> st.SearchStrategy[list[Event]]:
    """One step: the deeds of up to three pieces, with lines and properties between them."""
    # By id: a strategy of pieces would be shown in full when a test fails.
    idents = st.lists(
        st.sampled_from(list(recorder.table.pieces)), min_size=1, max_size=3, unique=True
    )
    return idents.flatmap(lambda chosen: _step(recorder, chosen))


def _step(recorder: Recorder, idents: Sequence[str]) -> st.SearchStrategy[list[Event]]:
    pieces = recorder.table.pieces
    parts = [_deeds(recorder, pieces[ident]) | _other(recorder) for ident in idents]
    return st.tuples(*parts).map(_joined)


def _joined(parts: Sequence[Sequence[Event]]) -> list[Event]:
    """The events of all parts; a property, the turn and the die change once in a step."""
    found: list[Event] = []
    seen: set[object] = set()
    for part in parts:
        for event in part:
            if isinstance(event, PropertyChanged | TurnChanged | Rolled):
                key = event.name if isinstance(event, PropertyChanged) else event.kind
                if key in seen:
                    break
                seen.add(key)
            found.append(event)
    return found or [Said(step=0, words="* nothing")]


def _deeds(recorder: Recorder, standing: Standing) -> st.SearchStrategy[list[Event]]:
    thing = Thing(standing.id, "")
    choices = _changes(standing, thing)
    changes = (
        st.lists(st.one_of(choices), max_size=2, unique_by=_name_of) if choices else st.just([])
    )
    moves = st.none() | _move(recorder, standing, thing)
    gone: list[Event] = [Removed(step=0, piece=thing, start=Place())]
    return (
        st.tuples(changes, moves).map(lambda both: [*both[0], *([both[1]] if both[1] else [])])
        | st.tuples(changes, moves).map(lambda both: [*([both[1]] if both[1] else []), *both[0]])
        | st.just(gone)
    )


def _name_of(event: Event) -> object:
    return event.name if isinstance(event, Changed) else event.kind


def _changes(standing: Standing, thing: Thing) -> list[st.SearchStrategy[Event]]:
    """A property gets another value, the mask or the mark changes."""
    assert standing.piece is not None
    found: list[st.SearchStrategy[Event]] = []
    seen: set[str] = set()
    for trait in standing.piece.traits:
        if isinstance(trait, DynamicProperty) and trait.name not in seen:
            seen.add(trait.name)
            found.append(_value(thing, trait))
        elif isinstance(trait, Mask):
            found.append(_mask(thing, is_on=trait.masked_by is None))
        elif isinstance(trait, MarkWhenMoved):
            found.append(st.just(Marked(step=0, piece=thing, is_on=not trait.moved)))
    return found


def _mask(thing: Thing, *, is_on: bool) -> st.SearchStrategy[Event]:
    return st.sampled_from([None, "Allied", "German", "nobody"]).map(
        lambda by: Concealed(step=0, piece=thing, at=Place(), how="mask", is_on=is_on, by=by)
    )


def _value(thing: Thing, trait: DynamicProperty) -> st.SearchStrategy[Event]:
    return VALUES.filter(lambda text: text != trait.value).map(
        lambda text: Changed(
            step=0, piece=thing, at=Place(), name=trait.name, old=trait.value, new=text
        )
    )


def _move(recorder: Recorder, standing: Standing, thing: Thing) -> st.SearchStrategy[Event]:
    """A way to another place: of that name, to a pixel of a hand, or off the map."""
    at = recorder.table.at(standing.id)
    pile = recorder.table.pile_of(standing.id)
    deck = None if pile is None else pile.name
    ends = [recorder.place(label, "Main") for label in PLACES]
    ends += [Place("Allied hand", x, 60) for x in (60, 160)]
    others = [p for p in ends if (p.map, p.x, p.y, p.deck) != (at.map, at.x, at.y, deck)]

    def moved(end: Place) -> Event:
        if deck is not None and end.deck is None:
            return Drawn(step=0, piece=thing, deck=deck, end=end)
        return Moved(step=0, piece=thing, start=Place(), end=end)

    return st.sampled_from(others).map(moved)


def _other(recorder: Recorder) -> st.SearchStrategy[list[Event]]:
    table = recorder.table
    attacks = table.properties["Module", "AttackNo"]

    def one(make: Callable[..., Event]) -> Callable[..., list[Event]]:
        return lambda *values: [make(*values)]

    def roll(number: int) -> list[Event]:
        report = f"* d6 = {number} (Rosa)"
        kept: Any = {"total": number, "kept": 1, "report": report}
        return [
            Said(step=0, words=report),
            Rolled(step=0, dice="d6", result=str(number), **kept),
        ]

    return st.one_of(
        WORDS.map(one(lambda words: Said(step=0, words=f"* {words}"))),
        st.tuples(WORDS, NAMES).map(one(lambda both: Said(step=0, words=both[0], speaker=both[1]))),
        VALUES.filter(lambda text: text != attacks).map(
            one(
                lambda text: PropertyChanged(
                    step=0, name="AttackNo", old=attacks, new=text, container="Module"
                )
            )
        ),
        st.tuples(st.integers(1, 9), st.sampled_from(PHASES)).map(
            one(
                lambda both: TurnChanged(
                    step=0, tracker="Turn", old="", new=f"Turn {both[0]} {both[1]}"
                )
            )
        ),
        st.integers(1, 6).map(roll),
        st.tuples(st.sampled_from(GPIDS), st.sampled_from(PLACES)).map(
            one(
                lambda both: Placed(
                    step=0, piece=Thing("", "", "", both[0]), at=recorder.place(both[1], "Main")
                )
            )
        ),
    )

"""The story of a log as lines: text for people, one JSON object an event for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from builder.gamebox.events import (
    Drawn,
    Event,
    Marked,
    Moved,
    Place,
    Rolled,
    Said,
    TurnChanged,
    describe,
    event_data,
    on_one_line,
)
from builder.jobs.tell_log import Between, Opening, StoryStep, Tale

__all__ = ["json_lines", "step_words", "story_lines"]

_SHOWN_CHANGES = 30
_ACTOR_WIDTH = 16


def story_lines(tales: Iterable[Tale], *, marks: bool = False) -> Iterator[str]:
    """Yield the story as lines of text; no line holds what a terminal would obey.

    Marks "has moved" are left out unless ``marks``: they follow every move.
    """
    turn = None
    for tale in tales:
        if isinstance(tale, Opening):
            yield from map(tale.hide, _opening_lines(tale))
            turn = tale.turn
            continue
        if tale.turn != turn and not any(isinstance(e, TurnChanged) for e in tale.events):
            # The step that changed the turn is not among those told.
            yield tale.hide(f"--- {on_one_line(tale.turn)} ---")
        turn = tale.turn
        yield from map(tale.hide, _step_lines(tale, marks))


def json_lines(tales: Iterable[Tale]) -> Iterator[str]:
    """Yield one JSON object a line: ``file`` for each opening, each event, and each problem."""
    for tale in tales:
        if isinstance(tale, Opening):
            yield _json(_opening_data(tale), tale.hide)
            continue
        for event in tale.events:
            data = {"file": tale.file, **event_data(event), **_context(tale)}
            yield _json(data, tale.hide)
        for problem in tale.problems:
            data = {"file": tale.file, "step": tale.number, "event": "problem", "text": problem}
            yield _json(data, tale.hide)


_OWN_WORDS = ("file", "event")
"""Values that are not from the log."""


def _json(data: dict[str, Any], hide: Callable[[str], str]) -> str:
    hidden = {k: v if k in _OWN_WORDS else _hidden(v, hide) for k, v in data.items()}
    return json.dumps(hidden, ensure_ascii=False)


def _hidden(value: Any, hide: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return hide(value)
    if isinstance(value, dict):
        return {key: _hidden(inner, hide) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_hidden(inner, hide) for inner in value]
    return value


def _context(step: StoryStep) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if step.turn:
        found["turn"] = step.turn
    if step.undone_by is not None:
        found["undone_by"] = step.undone_by
    return found


# --- openings ---------------------------------------------------------------------------------


def _opening_data(opening: Opening) -> dict[str, Any]:
    data: dict[str, Any] = {
        "file": opening.file,
        "event": "file",
        "module": opening.module.name,
        "version": opening.module.version,
        "vassal": opening.module.vassal,
        "steps": opening.steps,
        "pieces": opening.pieces,
        "players": [{"name": p.name, "side": p.side} for p in opening.players],
        "turn": opening.turn,
        "warnings": list(opening.warnings),
    }
    if opening.between is not None:
        data["between"] = _between_data(opening.between)
    return data


def _between_data(between: Between) -> dict[str, Any]:
    return {
        "gone": [{"piece": name, "at": place.text()} for name, place in between.gone],
        "new": [{"piece": name, "at": place.text()} for name, place in between.new],
        "elsewhere": [
            {"piece": name, "start": start.text(), "end": end.text()}
            for name, start, end in between.elsewhere
        ],
    }


def _opening_lines(opening: Opening) -> Iterator[str]:
    module = opening.module
    told = f"{module.text}" if module.name else "module not named"
    version = f", VASSAL {module.vassal}" if module.vassal else ""
    yield on_one_line(
        f"== {opening.file}: {told}{version}; {_count(opening.steps, 'step')},"
        f" {_count(opening.pieces, 'piece')}"
    )
    if opening.players:
        names = ", ".join(f"{p.name} ({p.side or 'watching'})" for p in opening.players)
        yield on_one_line(f"   players: {names}")
    if opening.turn:
        yield on_one_line(f"   turn: {opening.turn}")
    for warning in opening.warnings:
        yield on_one_line(f"   note: {warning}")
    if opening.between is not None:
        yield from _between_lines(opening.between)


def _between_lines(between: Between) -> Iterator[str]:
    if between.is_same:
        yield "   begins where the file before ends"
        return
    if between.is_other_game:
        yield "   no piece in common with the file before: another game?"
        return
    yield (
        f"   since the file before: {len(between.gone)} gone, {len(between.new)} new,"
        f" {len(between.elsewhere)} elsewhere"
    )
    lines = [f"gone: {name}, {place.text()}" for name, place in between.gone]
    lines += [f"new: {name}, {place.text()}" for name, place in between.new]
    lines += [
        f"elsewhere: {name}, {start.text(other=end)} → {end.text()}"
        for name, start, end in between.elsewhere
    ]
    for line in lines[:_SHOWN_CHANGES]:
        yield on_one_line(f"     {line}")
    if len(lines) > _SHOWN_CHANGES:
        yield f"     and {len(lines) - _SHOWN_CHANGES} more"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


# --- steps ------------------------------------------------------------------------------------


def _step_lines(step: StoryStep, marks: bool) -> Iterator[str]:
    lines = step_words(step, marks=marks)
    if not lines:
        return
    actor = on_one_line(step.actor or "-")
    note = f"  (undone by step {step.undone_by})" if step.undone_by is not None else ""
    head = f"{step.number:>5}  {actor:<{_ACTOR_WIDTH}}  "
    yield f"{head}{lines[0]}{note}"
    for line in lines[1:]:
        yield f"{'':>7}{'':<{max(_ACTOR_WIDTH, len(actor))}}  {line}"


def step_words(step: StoryStep, *, marks: bool = False) -> list[str]:
    """Return what happened in a step, one line for each thing; ids are not yet hidden in them."""
    lines = [on_one_line(line) for line in _told(step, marks)]
    return [*lines, *(f"! {on_one_line(problem)}" for problem in step.problems)]


def _told(step: StoryStep, marks: bool) -> Iterator[str]:
    """Yield what happened in a step, moves of one piece as one line, alike moves together."""
    rolls = {event.report for event in step.events if isinstance(event, Rolled) and event.report}
    journeys = _journeys(step.events)
    together: dict[str, dict[str, str]] = {}
    for mover in _movers(step.events):
        together.setdefault(journeys[mover.piece.id], {})[mover.piece.id] = mover.piece.name
    for event in step.events:
        if isinstance(event, Moved):
            way = journeys[event.piece.id]
            called = together.pop(way, None)
            if called is not None:
                yield f"{', '.join(called.values())}  {way}"
        elif isinstance(event, Said):
            if event.words not in rolls or not event.is_report:
                yield _chat(event, step.actor)
        elif isinstance(event, Rolled):
            yield _roll(event)
        elif marks or not isinstance(event, Marked):
            yield describe(event)


def _movers(events: Iterable[Event]) -> list[Moved]:
    return [event for event in events if isinstance(event, Moved)]


def _journeys(events: Iterable[Event]) -> dict[str, str]:
    """Return the way of each piece that moved, through every place of the step, in words."""
    ways: dict[str, list[Place]] = {}
    notes: dict[str, str] = {}
    for event in events:
        if isinstance(event, Moved):
            places = ways.setdefault(event.piece.id, [event.start])
            places.append(event.end)
            if event.recorded is not None:
                notes[event.piece.id] = f"  [the log has it come from {event.recorded.text()}]"
        elif isinstance(event, Drawn):
            ways.setdefault(event.piece.id, []).append(event.end)
    return {ident: _way(places) + notes.get(ident, "") for ident, places in ways.items()}


def _way(places: list[Place]) -> str:
    maps = {place.map for place in places if place.map is not None}
    if len(maps) == 1 and None not in {place.map for place in places}:
        words = [place.text(other=place) for place in places]
        if len(set(words)) == 1:
            return f"moved within {words[0]} ({maps.pop()})"
        return " → ".join(words) + f" ({maps.pop()})"
    return " → ".join(place.text() for place in places)


def _chat(event: Said, actor: str | None) -> str:
    if event.speaker is None:
        return f"| {event.words}"
    if actor is not None and actor.startswith(event.speaker):
        return f'"{event.words}"'
    return f'{event.speaker}: "{event.words}"'


def _roll(event: Rolled) -> str:
    report = f"  | {event.report}" if event.report else ""
    return f"rolls {event.dice}: {event.result or ', '.join(map(str, event.faces))}{report}"

"""Events that move no piece, as commands: lines, properties, turns, dice, players.

Sources: VASSAL classes ``build.module.properties.ChangePropertyCommandEncoder``,
``build.module.turn.TurnTracker``, ``build.module.DiceButton``, ``build.module.PlayerRoster``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from builder.gamebox.events import (
    Event,
    Joined,
    Left,
    PropertyChanged,
    Rolled,
    Said,
    TurnChanged,
)
from builder.vassal.commands import (
    Chat,
    MutableProperty,
    Player,
    PlayerId,
    PlayerRemoved,
    ShowResults,
    Turn,
)
from builder.vassal.record_commands import Ledger
from builder.vassal.record_pieces import RecordError
from builder.vassal.record_turns import first_state, tracker_id, turn_state
from builder.vassal.replay_chat import read_chat, told_roll

__all__ = ["write_play"]

_OBSERVER: Final = "<observer>"
_DICE_AT_FIRST: Final = {"result": "1", "total": "0", "keep": "0", "summary": ""}
"""What VASSAL's properties of a dice button hold before the first roll."""


def write_play(ledger: Ledger, event: Event, new_player: Callable[[], PlayerId]) -> None:
    """Write an event that is not about a piece; ``new_player`` gives the id of one who joins.

    Raises :class:`RecordError` for an event that cannot be recorded.
    """
    if isinstance(event, Said):
        ledger.chat(event.words, event.speaker)
    elif isinstance(event, PropertyChanged):
        _property(ledger, event)
    elif isinstance(event, TurnChanged):
        _turn(ledger, event)
    elif isinstance(event, Rolled):
        _roll(ledger, event)
    elif isinstance(event, Joined | Left):
        _seat(ledger, event, new_player)
    else:
        raise RecordError(f"an event {event.kind!r} cannot be recorded")


def _property(ledger: Ledger, event: PropertyChanged) -> None:
    known = ledger.story.table.properties
    container = event.container or next(
        (where for where, name in known if name == event.name), "Module"
    )
    # The table knows better than one who tells of it, as VASSAL does.
    old = known.get((container, event.name), event.old)
    _set(ledger, event.name, old, event.new, container)


def _set(ledger: Ledger, name: str, old: str, new: str, container: str) -> None:
    ledger.do(
        MutableProperty(name, old, new, container or None),
        MutableProperty(name, new, old, container or None),
    )


def _turn(ledger: Ledger, event: TurnChanged) -> None:
    trackers, turns = ledger.story.facts.trackers, ledger.story.table.turns
    if not trackers and event.tracker:
        # Without a module a turn is told as its state.
        ident, before, state = event.tracker, turns.get(event.tracker, event.old), event.new
    else:
        ident = tracker_id(trackers, event.tracker)
        before = turns.get(ident) or first_state(trackers[ident])
        state = turn_state(trackers[ident], before, event.new)
    ledger.do(Turn(ident, state), Turn(ident, before))


def _roll(ledger: Ledger, event: Rolled) -> None:
    lines = [deed.command for deed in ledger.deeds if isinstance(deed.command, Chat)]
    said = {read_chat(line.text).words for line in lines}
    if event.faces:
        ledger.do(ShowResults.of(event.dice, event.faces))
    if event.report and event.report not in said:
        ledger.chat(event.report, None)
    if event.faces:
        return
    told = told_roll(read_chat(event.report))
    if event.dice not in ledger.story.facts.dice and told is not None and event.total is None:
        return
    values = {"result": event.result, "total": event.total, "keep": event.kept}
    values |= {"summary": event.summary or None}
    for ending, value in values.items():
        if value is not None:
            name = f"{event.dice}_{ending}"
            known = ledger.story.table.properties
            old = known.get(("Module", name), _DICE_AT_FIRST[ending])
            _set(ledger, name, old, str(value), "Module")


def _seat(ledger: Ledger, event: Joined | Left, new_player: Callable[[], PlayerId]) -> None:
    for ident, seat in ledger.story.seats.items():
        if event.player in (seat.name, seat.text):
            found = ident
            break
    else:
        if isinstance(event, Left):
            raise RecordError(f"no player {event.player!r} to leave")
        found = new_player()
    if isinstance(event, Left):
        ledger.do(PlayerRemoved(found))
    else:
        ledger.do(Player(found, event.player, event.side or _OBSERVER))

"""What lines and people may not do in a log: dice and changes typed by hand, others' pieces.

The rules of trust are those of the lines themselves (``lines.toml``); a finding of them is the
log's own, whatever the rulebook says.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from builder.gamebox.lines import Line
from builder.rules.core import Breach, Ruling
from builder.rules.readings import Reading
from builder.rulesets.dropzone.reader_digest import Digest
from builder.rulesets.dropzone.reader_known import Read, StateNow

if TYPE_CHECKING:
    from builder.rulesets.dropzone.reader import DropZoneReader

__all__ = ["trust_readings"]

_DICE: Final = frozenset({"ROLL", "DROP"})
_CHANGES: Final = frozenset(
    {"LOSS", "GAIN", "REVEAL", "LIB", "GARRISON", "CHIT", "DRAW", "ENTER", "VP"}
)
_ACTING: Final = frozenset({"PHASE", "ATTACK", "JOIN", "LEAVE", "ASSET", "ADVANCE", "RESET"})


def trust_readings(
    reader: DropZoneReader, digest: Digest, state: StateNow, *, is_owned: bool = False
) -> Iterator[Read]:
    """Yield the breaches of the log's own rules that a step shows.

    ``is_owned``: the step shows an action for which the rules of the game say whose it is.
    """
    number = digest.moment.number
    for line in digest.typed:
        yield from _typed(reader, digest, line, state)
    yield from reader.rulings.expired(number)
    yield from _mover(reader, digest, state, is_owned=is_owned)


def _typed(reader: DropZoneReader, digest: Digest, line: Line, state: StateNow) -> Iterator[Read]:
    moment = digest.moment
    who = line.typist or "a player"
    side = reader.side_of(moment, line.typist)
    if line.verb == "RULING":
        rule = str(line.fields["rule"])
        is_both = side == "" and _plays_alone(reader, digest)
        if is_both or reader.rulings.typed(rule, side or who, moment.number):
            yield Reading(None, (moment.number,), ruling_of=rule)
        return
    breach = None
    if line.verb in _DICE:
        breach = Breach("LOG-ROLL", f"{who} typed a {line.verb} line: no dice were thrown")
    elif line.verb in _CHANGES or line.verb == "ASSET":
        breach = Breach("LOG-CHANGE", f"{who} typed a {line.verb} line: no counter changed with it")
    elif line.verb in _ACTING:
        acting = state().side
        if side is not None and side and acting is not None and side != acting:
            breach = Breach(
                "LOG-LINE",
                f"{who} typed a {line.verb} line, and the {acting} side is active",
                Ruling.WARNING,
            )
    if breach is not None:
        yield Reading(None, (moment.number,), breaches=(breach,))


def _plays_alone(reader: DropZoneReader, digest: Digest) -> bool:
    """Tell whether nobody at the table has taken one of the two sides."""
    return not any(reader.seats.get(seat) for seat in digest.moment.view().players.values())


def _mover(
    reader: DropZoneReader, digest: Digest, state: StateNow, *, is_owned: bool
) -> Iterator[Read]:
    """Judge whose hand moved the counters of a step, if the log says so."""
    moment = digest.moment
    if moment.actor is None or not digest.travels:
        return
    if moment.seat is None:
        breach = Breach("LOG-OBSERVER", f"{moment.actor} watches the game and moved counters")
        yield Reading(None, (moment.number,), breaches=(breach,))
        return
    side = reader.seats.get(moment.seat)
    if not side or is_owned:
        return  # one who plays both sides, or the referee; or rule 8 has judged it
    others = [
        k
        for k in digest.travels
        if (whose := state().side_of(k)) is not None
        and whose != side
        # an eliminated garrison changes sides where it lies, a chit is nobody's
        and k in state().facts.units
    ]
    if others:
        names = ", ".join(state().facts.title(k) for k in others)
        breach = Breach(
            "LOG-SEAT",
            f"{moment.actor} plays the {side} side and moved {names}",
            Ruling.WARNING,
            pieces=tuple(others),
        )
        yield Reading(None, (moment.number,), breaches=(breach,))

"""What no rule provides for: counters put onto the map, taken off it, or exchanged for others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from builder.hexes.grid import Hex
from builder.rules.core import Breach
from builder.rules.readings import Reading
from builder.rulesets.dropzone.actions import Action, Relocate, Reveal
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.follow import place_of
from builder.rulesets.dropzone.reader_digest import Digest
from builder.rulesets.dropzone.state import State

__all__ = ["swapped", "unasked"]


def unasked(reading: Reading[Action], action: Relocate, state: State) -> Reading[Action]:
    """Complete the reading of a counter that was put somewhere for none of the rules' reasons.

    Where a rule of the game forbids it, that rule says so; else it is a breach of the log's own if
    a live unit came onto the map, or went from it. The set-up is laid out by hand, and a unit that
    has come in may be taken back to where it waited.
    """
    key = action.piece
    unit = state.units.get(key)
    breaches: tuple[Breach, ...] = ()
    if (
        unit is not None
        and unit.steps > 0
        and not (state.step == "SETUP" and _is_laid_out(state, key))
        and action.to not in unit.trail
        and isinstance(unit.place, Hex) != isinstance(action.to, Hex)
        and not any(book.judge(state, action))
    ):
        facts = state.facts
        way = "taken from" if isinstance(unit.place, Hex) else "put into"
        at = unit.place if isinstance(unit.place, Hex) else action.to
        message = (
            f"{facts.title(key)} was {way} {facts.label(at)}, and nothing in the rules does so"
        )
        hexes = (at,) if isinstance(at, Hex) else ()
        breaches = (Breach("LOG-TABLE", message, pieces=(key,), hexes=hexes),)
    return replace(reading, breaches=breaches)


def _is_laid_out(state: State, key: str) -> bool:
    """Tell whether a unit begins the game on the map, or drops onto it."""
    unit = state.facts.units[key]
    return bool(unit.serial) or isinstance(unit.start, Hex)


def swapped(digest: Digest, state: State) -> Iterator[Reading[Action]]:
    """Yield the reveal of a hidden unit whose counter gave way to another one's, in one step.

    The table is followed: the unit that was hidden is off the map, the other one in its hex. The
    digest is left without the two.
    """
    facts = state.facts
    for key in (*digest.removed, *digest.travels):
        unit = state.units.get(key)
        if unit is None or not unit.hidden or unit.hex is None:
            continue
        travel = digest.travels.get(key)
        gone = place_of(facts, travel.end, unit.place) if travel is not None else "Off"
        if isinstance(gone, Hex):
            continue
        arrivals = {k: way.end for k, way in digest.travels.items()} | digest.placed
        other = next(
            (
                k
                for k, at in arrivals.items()
                if k != key
                and k in state.units
                and not state.units[k].is_on_map
                and facts.side_of(k) == facts.side_of(key)
                and place_of(facts, at, "Off") == unit.place
            ),
            None,
        )
        if other is None:
            continue
        steps, by = (digest.moment.number,), digest.moment.actor or ""
        yield Reading(Reveal(key, digest.new(key, "Cause") or "", other, by), steps)
        for piece, to in ((key, gone), (other, unit.place)):
            yield Reading(Relocate(piece, to, by), steps, is_judged=False)
            digest.travels.pop(piece, None)
            digest.placed.pop(piece, None)
            if piece in digest.removed:
                digest.removed.remove(piece)
        return

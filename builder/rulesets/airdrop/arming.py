"""Rule 9.7: Germans who drop before 1942 partially armed, and their arms canisters."""

from __future__ import annotations

from collections.abc import Iterator

from builder.rules.core import Breach
from builder.rulesets.airdrop.actions import Canister, Mark, Move, Phase
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.contents import is_early
from builder.rulesets.airdrop.state import MMC, PHASES, State, Unit

__all__ = ["STRENGTHS", "canister_drm", "finds_arms", "may_try"]

STRENGTHS = {"squad": "2-2-8 {8}", "hs": "1-2-8 {7}", "crew": "1-2-8 {8}"}
"""Rule 9.7: the Strength Factors of partially armed MMC, broken morale in braces."""

MOVEMENT = PHASES[PHASES.index("DRIFT") : PHASES.index("CHECKS") + 1]
"""The phases of a MPh."""


@book.states("E9.7d")
def canister_drm(state: State, unit: str) -> int:
    """Rule 9.7: -1 for each different hex entered in this MPh, +1 if exhausted."""
    found = state.units.get(unit)
    tired = found is not None and found.exhausted
    return int(tired) - len(set(state.entered.get(unit, ())))


@book.states("E9.7e")
def finds_arms(dr: int, drm: int) -> bool:
    """Rule 9.7: tell whether a canister attempt succeeds.

    >>> [finds_arms(2, -1), finds_arms(3, -1), finds_arms(5, -4), finds_arms(3, -1)]
    [True, False, True, False]
    """
    return dr + drm <= 1


@book.states("E9.7c")
def may_try(state: State, unit: Unit) -> str:
    """Rule 9.7: return why a unit may not look for an arms canister now, or nothing."""
    if not unit.partially_armed or unit.kind not in MMC:
        return "it is no partially armed MMC"
    if unit.broken:
        return "it is not in Good Order"
    if not state.entered.get(unit.id):
        return "it has not moved to another hex"
    if state.side != unit.side or state.phase not in MOVEMENT:
        return "it looks at the end of its own MPh"
    return "it has looked in this MPh" if unit.id in state.tried else ""


@book.rule("E9.7c", "E9.7d", "E9.7e", on=Canister)
def canister(state: State, action: Canister) -> Iterator[Breach]:
    """Rule 9.7: a Good Order, partially armed unit that moved tries dr and drm of 1 at most."""
    unit = state.units.get(action.unit)
    if unit is None:
        return
    one, drm, found = (unit.id,), canister_drm(state, unit.id), finds_arms(action.dr, action.drm)
    if why := may_try(state, unit):
        yield Breach("E9.7c", f"no canister attempt for {unit.id}: {why}", pieces=one)
    elif action.drm != drm:
        text = f"the canister drm of {unit.id} is {drm}, not {action.drm}"
        yield Breach("E9.7d", text, pieces=one, legal=(str(drm),))
    elif action.passed != found:
        word = "succeeds" if found else "fails"
        text = f"canister dr {action.dr} with drm {drm}: {unit.id} {word}"
        yield Breach("E9.7e", text, pieces=one)


@book.rule("E9.7c", on=Move)
def looked_at_the_end(state: State, action: Move) -> Iterator[Breach]:
    """Rule 9.7: who has looked for an arms canister has ended its movement."""
    if action.unit in state.tried:
        text = f"{action.unit} has looked for its arms at the end of its movement"
        yield Breach("E9.7c", text, pieces=(action.unit,))


@book.rule("E9.7e", on=Mark)
def counter_stays(state: State, action: Mark) -> Iterator[Breach]:
    """Rule 9.7: only a canister takes the systems counter off."""
    unit = state.units.get(action.piece)
    if action.kind != "SYSTEMS" or action.on or unit is None or not unit.partially_armed:
        return
    text = f"the counter of {unit.id} stays until it finds its arms"
    yield Breach("E9.7e", text, pieces=(unit.id,))


@book.rule("E9.7b", on=Phase)
def counters_placed(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 9.7: when a drop before 1942 is opened, its MMC bear systems counters."""
    if not state.ends(action, "APh") or not is_early(state):
        return
    for unit in state.units.values():
        dropped = unit.stick and unit.where is not None and unit.side == state.side
        if dropped and unit.kind in MMC and not unit.partially_armed and not unit.eliminated:
            text = f"{unit.id} is partially armed: {STRENGTHS[unit.kind]}, with a systems counter"
            yield Breach("E9.7b", text, pieces=(unit.id,))

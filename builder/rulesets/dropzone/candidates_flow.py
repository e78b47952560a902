"""What the sequence of play asks for next: steps, chits, draws, the drop, reinforcements."""

from __future__ import annotations

from collections.abc import Iterator

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.actions import (
    Chit,
    DrawAsset,
    DrawUnit,
    Phase,
    PoolLate,
    Receive,
    ReturnChits,
    Use,
)
from builder.rulesets.dropzone.draws import draws_due, in_pool
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.initiative import due_in_first_turn
from builder.rulesets.dropzone.reinforcement import DRAWS, drawn_now, in_cup, why_not_due
from builder.rulesets.dropzone.replacement import is_eliminated
from builder.rulesets.dropzone.sequence import COMMANDS_OF, FIRST_ORDER, SEQUENCE
from builder.rulesets.dropzone.setup import landing_choices
from builder.rulesets.dropzone.state import State

__all__ = [
    "chit_candidates",
    "draw_candidates",
    "draw_unit_candidates",
    "drop_candidates",
    "drop_target",
    "first_asset_candidates",
    "next_phase",
    "pool_late",
    "receive_candidates",
    "return_chits",
]


def next_phase(state: State) -> Phase | None:
    """Return the step of the tracker that follows, or ``None`` at the end of the game."""
    if state.moment not in SEQUENCE:
        return None
    following = SEQUENCE.following(state.moment)
    if following is None:
        return None
    in_activation = following.round > 0 and following.step != "INIT"
    return Phase(following.turn, following.step, state.command if in_activation else "")


def chit_candidates(state: State) -> Iterator[Chit]:
    """Yield the chits that may come out now: the next one of turn 1, or any still in the cup."""
    if state.step != "INIT" or len(state.done) >= state.moment.round:
        return
    if state.turn == 1:
        if due := due_in_first_turn(state):
            yield Chit(due, "fixed")
        return
    if state.initiative_used and not state.done:
        first = (state.named_first,) if state.named_first else COMMANDS_OF[ALLIED]
        yield from (Chit(command, "asset") for command in first)
        return
    for command in FIRST_ORDER:
        if command not in state.done:
            yield Chit(command, "draw")


def first_asset_candidates(state: State) -> Iterator[Use]:
    """Yield the Initiative assets in the Allied hand, for each Allied Command (rule 1.4)."""
    if state.step != "INIT" or state.turn == 1 or state.done or state.initiative_used:
        return
    for key, asset in state.assets.items():
        facts = state.facts.assets[key]
        if facts.kind == "INITIATIVE" and asset.place == "HAND" and not asset.used:
            for command in COMMANDS_OF[ALLIED]:
                yield Use(key, "FIRST", command=command)


def draw_candidates(state: State) -> Iterator[DrawAsset]:
    """Yield each asset that the next draw could bring, Allied draws first; chance decides."""
    if state.step != "ASSETDRAW":
        return
    for side in (ALLIED, GERMAN):
        due, pool = draws_due(state, side), in_pool(state, side)
        if due is not None and state.drawn.get(side, 0) < due.value and pool:
            yield from (DrawAsset(side, key) for key in pool)
            return


def return_chits(state: State) -> ReturnChits | None:
    """Return the putting back of all chits that lie outside the cup, if any do (rule 3.4)."""
    return ReturnChits(state.chits) if state.chits and state.step == "ENDTURN" else None


def pool_late(state: State) -> PoolLate | None:
    """Return the joining of the turn-4 assets at the end of turn 3, if it is due (rule 3.4)."""
    late = tuple(k for k, a in state.assets.items() if a.place == "LATE")
    return PoolLate(late) if late and state.turn == 3 and state.step == "ENDTURN" else None


# -------------------------------------------------------------------------------------- the drop


def drop_candidates(state: State) -> Iterator[str]:
    """Yield the units that are still in the air, serial by serial."""
    if state.step != "SETUP":
        return
    for key, unit in state.units.items():
        if state.facts.units[key].serial and not isinstance(unit.place, Hex) and unit.steps > 0:
            yield key


def drop_target(state: State, unit: str, white: int, red: int) -> Hex:
    """Return where a unit of a serial best comes down with its dice (rule 2.C).

    Nobody shares a hex who need not: of several nearest free ones it is that nearest to the aim
    point, then the first by number.
    """
    aim = state.facts.units[unit].aim
    assert aim is not None, "only units of a serial drop"
    choices = landing_choices(state, unit, white, red)
    free = [h for h in choices if not state.held_by.get(h)] or list(choices)
    distance = state.facts.sheet.grid.distance
    return min(free, key=lambda h: (distance(h, aim), h))


# -------------------------------------------------------------------------------- reinforcements


def draw_unit_candidates(state: State) -> Iterator[DrawUnit]:
    """Yield each random unit of the active Command that the next draw could bring (rule 4.2.2)."""
    if state.step != "RU" or state.turn < 2 or len(drawn_now(state)) >= DRAWS:
        return
    for key in state.command_units(state.command):
        if state.facts.units[key].is_random and in_cup(state, key):
            yield DrawUnit(key)


def receive_candidates(state: State, unit: str) -> Iterator[Receive]:
    """Yield the entry areas beside which a unit that is due may be laid (rule 4.2.3)."""
    facts = state.facts.units.get(unit)
    if facts is None or state.step != "RU" or facts.command != state.command:
        return
    if is_eliminated(state, unit) or why_not_due(state, facts):
        return
    # who lies beside an area already has been received
    if str(state.units[unit].place).startswith(f"{facts.side}T"):
        yield from (Receive(unit, area) for area in facts.areas)

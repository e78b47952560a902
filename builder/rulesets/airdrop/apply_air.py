"""What actions do to parachutes and to who hangs on them, from their drift to the opened boxes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from builder.rulesets.airdrop import actions as a
from builder.rulesets.airdrop.changing import put, with_chute, with_dm, with_unit
from builder.rulesets.airdrop.facts import is_onboard
from builder.rulesets.airdrop.state import State

__all__ = [
    "chained",
    "checked",
    "deployed",
    "drifted",
    "eliminated",
    "fired",
    "landed",
    "lost",
    "opened",
    "selecting",
]


def drifted(state: State, action: a.Drift) -> State:
    """Rule 9.2: a parachute has drifted by its DR."""
    dice = (action.colored, action.white)
    return with_chute(state, action.chute, where=action.to, drifted=action.to, drift=dice)


def fired(state: State, action: a.Fire) -> State:
    """Rule 9.3: an attack is the last one now, and nothing has come of it yet."""
    none: frozenset[str] = frozenset()
    state = replace(state, fire=action, dice={}, answered=none, reduced=none)
    chute = state.chutes.get(action.chute)
    if chute is None or chute.where is None:
        return state
    return with_chute(state, action.chute, fired_by=(*chute.fired_by, (action.firer, chute.where)))


def _hit(state: State, name: str) -> State:
    """Note that the last attack has affected a parachute, also if it was made at another one."""
    chute = state.chutes.get(name)
    if state.fire is None or chute is None or chute.where is None or chute.status != "AERIAL":
        return state
    seen = (state.fire.firer, chute.where)
    if seen in chute.fired_by:
        return state
    return with_chute(state, name, fired_by=(*chute.fired_by, seen))


def selecting(state: State, action: a.Rs) -> State:
    """Rule 9.33: a candidate has its die of a Random Selection."""
    dice = {**state.dice.get(action.cause, {}), action.piece: action.die}
    return replace(state, dice={**state.dice, action.cause: dice})


def checked(state: State, action: a.Mc | a.Tc) -> State:
    """Rules 9.33, 9.42: a Stick has checked; who fails a MC breaks, with DM in its box."""
    chute = state.chutes.get(action.chute)
    if chute is None:
        return state
    is_morale = isinstance(action, a.Mc)
    failed = "" if action.passed else "MC" if is_morale else "TC"
    changes: dict[str, Any] = {"broken": chute.broken or failed == "MC", "failed": failed}
    if failed == "MC":
        state = with_dm(state, chute.letter)
    if isinstance(action, a.Mc) and action.cause == "FIRE":
        state = replace(_hit(state, action.chute), answered=state.answered | {action.chute})
    elif chute.status != "AERIAL":
        changes["checks"] = chute.checks + 1
    return with_chute(state, action.chute, **changes)


def landed(state: State, action: a.Land) -> State:
    """Rule 9.4: a parachute has landed, on the boards or off them."""
    chute = state.chutes.get(action.chute)
    off = chute is not None and chute.where is not None and not is_onboard(chute.where)
    return with_chute(state, action.chute, status="LANDED", landed_at=action.place, offboard=off)


def chained(state: State, action: a.Chain) -> State:
    """Rule 9.42: a Stick has gone on inside a building, and checks again there."""
    off = not is_onboard(action.to)
    return with_chute(state, action.chute, where=action.to, offboard=off, chained=True, checks=0)


def deployed(state: State, action: a.Deploy) -> State:
    """Rule 9.42: a Stick is on the map as its parts, Half-Squads in place of a squad."""
    chute = state.chutes.get(action.chute)
    if chute is None:
        return state
    wholes = {u.half_of for name in action.units if (u := state.units.get(name))}
    for unit in state.units_of(chute.letter):
        if unit.id in wholes or unit.id not in action.units:
            state = with_unit(state, unit.id, where=None, stick="")
    for name in action.units:
        changes = {"stick": chute.letter, "deployed": True, "broken": chute.broken}
        state = put(state, name, action.hex, **changes)
    return with_chute(state, action.chute, status="DEPLOYED")


def opened(state: State, action: a.Open) -> State:
    """Rule 9.6: the units of a Stick are on the map in place of its parachute."""
    for name in action.units:
        state = put(state, name, action.hex, broken=action.broken)
    return with_chute(state, action.chute, status="REMOVED")


def eliminated(state: State, action: a.Elim) -> State:
    """Rules 9.3, 9.4: a piece is gone, a parachute with what hangs on it."""
    chute = state.chutes.get(action.piece)
    if chute is None:
        return with_unit(state, action.piece, eliminated=True)
    for unit in state.hanging_on(chute):
        state = with_unit(state, unit.id, eliminated=True)
    return with_chute(state, action.piece, status="ELIMINATED")


def lost(state: State, action: a.Loss) -> State:
    """Rule 9.33: a unit of a Stick is gone or wounded."""
    chute, victim = state.chutes.get(action.chute), state.units.get(action.unit)
    state = replace(_hit(state, action.chute), reduced=state.reduced | {action.chute})
    if action.kind == "WOUND":
        return with_unit(state, action.unit, wounded=True)
    state = with_unit(state, action.unit, eliminated=True)
    if chute is None or victim is None or not victim.half_of:
        return state
    # a squad that loses a Half-Squad is the other one from now on
    whole = state.units.get(victim.half_of)
    if whole is None or whole.stick != chute.letter or whole.where is not None:
        return state
    state = with_unit(state, whole.id, stick="")
    for unit in tuple(state.units.values()):
        if unit.half_of == whole.id:
            state = with_unit(state, unit.id, stick=chute.letter)
    return state

"""What every action does to the table, allowed or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from builder.hexes.grid import Hex
from builder.rulesets.airdrop import actions as a
from builder.rulesets.airdrop import apply_air
from builder.rulesets.airdrop.changing import put, with_chute, with_dm, with_unit
from builder.rulesets.airdrop.dice import attacked_piece, thrown_for
from builder.rulesets.airdrop.facts import is_onboard, label
from builder.rulesets.airdrop.state import INFANTRY, Chute, State, Stick, WingPlan

__all__ = ["applied"]


def applied(state: State, action: a.Action) -> State:
    """Return the state after an action; an unknown piece changes nothing."""
    change = _CHANGES.get(type(action))
    changed = change(state, action) if change else state
    piece = thrown_for(action)
    if not piece:
        return changed
    return replace(changed, throws={**state.throws, piece: state.throws.get(piece, 0) + 1})


def _phase(state: State, action: a.Phase) -> State:
    # hexes, attacks and attempts count within a player turn, fire and selections within a phase
    same = (action.turn, action.side) == (state.turn, state.side)
    started = state.started
    if action.turn != state.turn or state.phase == "SETUP":
        men = (u for u in state.units.values() if u.kind in INFANTRY and not u.eliminated)
        started = frozenset(u.side for u in men if u.where is not None and is_onboard(u.where))
    return replace(
        state,
        turn=action.turn,
        side=action.side,
        phase=action.phase,
        entered=state.entered if same else {},
        attacked=state.attacked if same else frozenset(),
        tried=state.tried if same else frozenset(),
        started=started,
        fire=None,
        dice={},
        answered=frozenset(),
        reduced=frozenset(),
    )


def _wing(state: State, action: a.Wing) -> State:
    plan = WingPlan(action.id, action.dp, action.grain, action.sticks)
    return replace(state, wings={**state.wings, action.id: plan})


def _place(state: State, action: a.Place) -> State:
    if state.drop is None:
        state = replace(state, drop=(state.turn, state.side))
    known = state.chutes.get(action.chute)
    if known is not None and action.copy:
        return with_chute(state, action.chute, copies=known.copies + 1)
    chute = Chute(action.chute, action.hex, "AERIAL", start=action.hex)
    if known is None and not chute.is_weapon:
        box = state.in_box(chute.letter)
        stick = Stick(
            chute.letter,
            tuple(u.id for u in box if not state.is_separate(u)),
            tuple(u.id for u in box if state.is_separate(u)),
        )
        state = replace(state, sticks={**state.sticks, chute.letter: stick})
    return replace(state, chutes={**state.chutes, action.chute: chute})


def _dproll(state: State, action: a.Dproll) -> State:
    plan = state.wings.get(action.wing)
    if plan is None:
        return state
    rolled = replace(plan, dr=action.dr, point=action.hex)
    return replace(state, wings={**state.wings, action.wing: rolled})


def _mark(state: State, action: a.Mark) -> State:
    marker = (action.kind, action.piece or (label(action.hex) if action.hex else ""))
    markers = state.markers | {marker} if action.on else state.markers - {marker}
    state = replace(state, markers=markers)
    if action.kind == "SYSTEMS":
        return with_unit(state, action.piece, partially_armed=action.on)
    if action.kind == "CX":
        return with_unit(state, action.piece, exhausted=action.on)
    chute = state.chutes.get(action.piece)
    if chute is None or action.kind != "DM" or not action.on:
        return state
    return with_chute(with_dm(state, chute.letter), chute.id, broken=True)


def _move(state: State, action: a.Move) -> State:
    if action.unit not in state.units:
        return put(state, action.unit, action.to)
    entered = {**state.entered, action.unit: (*state.entered.get(action.unit, ()), action.to)}
    return replace(put(state, action.unit, action.to), entered=entered)


def _attack(state: State, action: a.Attack) -> State:
    piece = attacked_piece(state, action)
    attacks = {**state.attacks, piece: state.attacks.get(piece, 0) + 1} if piece else state.attacks
    attacked = state.attacked | {(action.unit, action.hex, action.kind)}
    return replace(state, attacked=attacked, attacks=attacks)


def _recover(state: State, action: a.Recover) -> State:
    unit = state.units.get(action.unit)
    if unit is not None and unit.where is not None:
        state = put(state, action.sw, unit.where, dm=action.dm)
    return with_chute(state, action.chute, status="RECOVERED")


def _canister(state: State, action: a.Canister) -> State:
    state = replace(state, tried=state.tried | {action.unit})
    if not action.passed:
        return state
    state = replace(state, markers=state.markers - {("SYSTEMS", action.unit)})
    return with_unit(state, action.unit, partially_armed=False)


def _rally(state: State, action: a.Rally) -> State:
    state = replace(state, markers=state.markers - {("DM", action.unit)})
    return with_unit(state, action.unit, broken=False)


def _relocate(state: State, action: a.Relocate) -> State:
    where = action.to if isinstance(action.to, Hex) else None
    if action.piece in state.chutes:
        return with_chute(state, action.piece, where=where)
    off = where is not None and not is_onboard(where)
    return with_unit(state, action.piece, where=where, offboard=off)


_CHANGES: Final[dict[type, Callable[[State, Any], State]]] = {
    a.Weather: lambda s, x: replace(s, weather=x.state),
    a.Wind: lambda s, x: replace(s, wind_dir=x.dir, wind_force=x.force),
    a.Phase: _phase,
    a.Wing: _wing,
    a.Load: lambda s, x: with_unit(s, x.unit, stick=x.stick, where=None),
    a.Place: _place,
    a.Dproll: _dproll,
    a.Drift: apply_air.drifted,
    a.Blow: lambda s, x: with_chute(s, x.chute, where=x.to, blown=True),
    a.Fire: apply_air.fired,
    a.Rs: apply_air.selecting,
    a.Mc: apply_air.checked,
    a.Tc: apply_air.checked,
    a.Adjust: lambda s, x: with_chute(s, x.chute, where=x.to, adjusted=True),
    a.Land: apply_air.landed,
    a.Flip: lambda s, x: with_chute(s, x.chute, flipped=True),
    a.Chain: apply_air.chained,
    a.Deploy: apply_air.deployed,
    a.Displace: lambda s, x: put(s, x.unit, x.to, displaced=True),
    a.Open: apply_air.opened,
    a.Elim: apply_air.eliminated,
    a.Loss: apply_air.lost,
    a.Mark: _mark,
    a.Move: _move,
    a.Rout: lambda s, x: put(s, x.unit, x.to),
    a.Advance: lambda s, x: put(s, x.unit, x.to),
    a.Attack: _attack,
    a.Recover: _recover,
    a.Canister: _canister,
    a.Cvp: lambda s, x: replace(s, cvp=x.points),
    a.Rally: _rally,
    a.Relocate: _relocate,
}

"""What every action does to the table, allowed or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from builder.rulesets.airdrop import actions as a
from builder.rulesets.airdrop.facts import is_onboard
from builder.rulesets.airdrop.state import Chute, State, Stick, WingPlan

__all__ = ["applied"]


def applied(state: State, action: a.Action) -> State:
    """Return the state after an action; an unknown piece changes nothing."""
    change = _CHANGES.get(type(action))
    return change(state, action) if change else state


def _chute(state: State, name: str, **changes: Any) -> State:
    found = state.chutes.get(name)
    if found is None:
        return state
    return replace(state, chutes={**state.chutes, name: replace(found, **changes)})


def _unit(state: State, name: str, **changes: Any) -> State:
    found = state.units.get(name)
    if found is None:
        return state
    return replace(state, units={**state.units, name: replace(found, **changes)})


def _phase(state: State, action: a.Phase) -> State:
    # what was entered and who attacked is counted within a player turn, what was picked in a phase
    same = (action.turn, action.side) == (state.turn, state.side)
    return replace(
        state,
        turn=action.turn,
        side=action.side,
        phase=action.phase,
        entered=state.entered if same else {},
        attacked=state.attacked if same else frozenset(),
        picked={},
    )


def _wing(state: State, action: a.Wing) -> State:
    plan = WingPlan(action.id, action.dp, action.grain, action.sticks)
    return replace(state, wings={**state.wings, action.id: plan})


def _load(state: State, action: a.Load) -> State:
    stick = Stick(action.stick, action.units, action.sw)
    units = dict(state.units)
    for name in (*action.units, *action.sw):
        if name in units:
            units[name] = replace(units[name], stick=action.stick, where=None)
    return replace(state, sticks={**state.sticks, action.stick: stick}, units=units)


def _place(state: State, action: a.Place) -> State:
    chute = Chute(action.chute, action.hex, "AERIAL", start=action.hex)
    return replace(state, chutes={**state.chutes, action.chute: chute})


def _dproll(state: State, action: a.Dproll) -> State:
    plan = state.wings.get(action.wing)
    if plan is None:
        return state
    rolled = replace(plan, dr=action.dr, point=action.hex or plan.planned)
    return replace(state, wings={**state.wings, action.wing: rolled})


def _drift(state: State, action: a.Drift) -> State:
    dice = (action.colored, action.white)
    return _chute(state, action.chute, where=action.to, drifted=action.to, drift=dice)


def _fire(state: State, action: a.Fire) -> State:
    chute = state.chutes.get(action.chute)
    if chute is None or chute.where is None:
        return state
    return _chute(state, action.chute, fired_by=(*chute.fired_by, (action.firer, chute.where)))


def _check(state: State, action: a.Mc | a.Tc) -> State:
    chute = state.chutes.get(action.chute)
    if chute is None:
        return state
    kind = "MC" if isinstance(action, a.Mc) else "TC"
    broken = chute.broken or (kind == "MC" and not action.passed)
    landing = chute.status != "AERIAL"
    failed = "" if action.passed else kind
    return _chute(state, action.chute, broken=broken, checks=chute.checks + landing, failed=failed)


def _land(state: State, action: a.Land) -> State:
    chute = state.chutes.get(action.chute)
    off = chute is not None and chute.where is not None and not is_onboard(chute.where)
    return _chute(state, action.chute, status="LANDED", landed_at=action.place, offboard=off)


def _deploy(state: State, action: a.Deploy) -> State:
    for name in action.moved:
        state = _unit(state, name, where=action.to, stick="")
    return _chute(state, action.chute, status="DEPLOYED")


def _open(state: State, action: a.Open) -> State:
    off = not is_onboard(action.hex)
    for name in action.units:
        state = _unit(state, name, where=action.hex, broken=action.broken, offboard=off)
    return _chute(state, action.chute, status="REMOVED")


def _elim(state: State, action: a.Elim) -> State:
    chute = state.chutes.get(action.piece)
    if chute is None:
        return _unit(state, action.piece, eliminated=True)
    if not chute.is_weapon:
        for unit in state.units_of(chute.letter):
            state = _unit(state, unit.id, eliminated=True)
    return _chute(state, action.piece, status="ELIMINATED")


def _loss(state: State, action: a.Loss) -> State:
    if action.kind == "BREAK":
        return _chute(state, action.chute, broken=True)
    word = "wounded" if action.kind == "WOUND" else "eliminated"
    for name in action.units:
        state = _unit(state, name, **{word: True})
    return state


def _mark(state: State, action: a.Mark) -> State:
    hex_ = f"{action.hex.column},{action.hex.row}" if action.hex else ""
    marker = (action.kind, action.piece or hex_)
    markers = state.markers | {marker} if action.on else state.markers - {marker}
    state = replace(state, markers=markers)
    if action.kind == "SYSTEMS" and action.piece:
        state = _unit(state, action.piece, partially_armed=action.on)
    return state


def _go(state: State, action: a.Move | a.Rout | a.Advance) -> State:
    if action.unit not in state.units:
        return state
    state = _unit(state, action.unit, where=action.to, offboard=not is_onboard(action.to))
    if not isinstance(action, a.Move):
        return state
    seen = state.entered.get(action.unit, frozenset()) | {action.to}
    return replace(state, entered={**state.entered, action.unit: seen})


def _recover(state: State, action: a.Recover) -> State:
    unit = state.units.get(action.unit)
    where = unit.where if unit is not None else None
    state = _unit(state, action.sw, where=where, dm=action.dm)
    return _chute(state, action.chute, status="RECOVERED")


def _canister(state: State, action: a.Canister) -> State:
    return _unit(state, action.unit, partially_armed=False) if action.passed else state


_CHANGES: Final[dict[type, Callable[[State, Any], State]]] = {
    a.Weather: lambda s, x: replace(s, weather=x.state),
    a.Wind: lambda s, x: replace(s, wind_dir=x.dir, wind_force=x.force),
    a.Phase: _phase,
    a.Wing: _wing,
    a.Load: _load,
    a.Place: _place,
    a.Dproll: _dproll,
    a.Drift: _drift,
    a.Blow: lambda s, x: _chute(s, x.chute, where=x.to, blown=True),
    a.Fire: _fire,
    a.Rs: lambda s, x: replace(s, picked={**s.picked, x.cause: x.picked}),
    a.Mc: _check,
    a.Tc: _check,
    a.Adjust: lambda s, x: _chute(s, x.chute, where=x.to, adjusted=True),
    a.Land: _land,
    a.Flip: lambda s, x: _chute(s, x.chute, flipped=True),
    a.Chain: lambda s, x: _chute(s, x.chute, where=x.to, checks=0),
    a.Deploy: _deploy,
    a.Open: _open,
    a.Elim: _elim,
    a.Loss: _loss,
    a.Mark: _mark,
    a.Move: _go,
    a.Rout: _go,
    a.Advance: _go,
    a.Attack: lambda s, x: replace(s, attacked=s.attacked | {(x.unit, x.hex)}),
    a.Recover: _recover,
    a.Canister: _canister,
    a.Cvp: lambda s, x: replace(s, cvp={**s.cvp, x.side: s.cvp.get(x.side, 0) + x.points}),
    a.Rally: lambda s, x: _unit(s, x.unit, broken=False),
}

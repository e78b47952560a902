"""What every action does to the table, allowed or not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from builder.hexes.grid import Hex
from builder.rulesets.airdrop import actions as a
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


def _at(state: State, name: str, to: Hex, **changes: Any) -> State:
    """Put a unit into a hex."""
    return _unit(state, name, where=to, offboard=not is_onboard(to), **changes)


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
        return _chute(state, action.chute, copies=known.copies + 1)
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


def _drift(state: State, action: a.Drift) -> State:
    dice = (action.colored, action.white)
    return _chute(state, action.chute, where=action.to, drifted=action.to, drift=dice)


def _fire(state: State, action: a.Fire) -> State:
    none: frozenset[str] = frozenset()
    state = replace(state, fire=action, dice={}, answered=none, reduced=none)
    chute = state.chutes.get(action.chute)
    if chute is None or chute.where is None:
        return state
    return _chute(state, action.chute, fired_by=(*chute.fired_by, (action.firer, chute.where)))


def _hit(state: State, name: str) -> State:
    """Note that the last attack has affected a parachute, also if it was made at another one."""
    chute = state.chutes.get(name)
    if state.fire is None or chute is None or chute.where is None or chute.status != "AERIAL":
        return state
    seen = (state.fire.firer, chute.where)
    return (
        state if seen in chute.fired_by else _chute(state, name, fired_by=(*chute.fired_by, seen))
    )


def _rs(state: State, action: a.Rs) -> State:
    dice = {**state.dice.get(action.cause, {}), action.piece: action.die}
    return replace(state, dice={**state.dice, action.cause: dice})


def _check(state: State, action: a.Mc | a.Tc) -> State:
    chute = state.chutes.get(action.chute)
    if chute is None:
        return state
    is_morale = isinstance(action, a.Mc)
    failed = "" if action.passed else "MC" if is_morale else "TC"
    changes: dict[str, Any] = {"broken": chute.broken or failed == "MC", "failed": failed}
    if failed == "MC":
        # rule 9.33: the units of a broken Stick get DM in their box
        men = (u.id for u in state.units_of(chute.letter) if u.kind != "sw")
        state = replace(state, markers=state.markers | {("DM", name) for name in men})
    if isinstance(action, a.Mc) and action.cause == "FIRE":
        state = replace(_hit(state, action.chute), answered=state.answered | {action.chute})
    elif chute.status != "AERIAL":
        changes["checks"] = chute.checks + 1
    return _chute(state, action.chute, **changes)


def _land(state: State, action: a.Land) -> State:
    chute = state.chutes.get(action.chute)
    off = chute is not None and chute.where is not None and not is_onboard(chute.where)
    return _chute(state, action.chute, status="LANDED", landed_at=action.place, offboard=off)


def _chain(state: State, action: a.Chain) -> State:
    off = not is_onboard(action.to)
    return _chute(state, action.chute, where=action.to, offboard=off, chained=True, checks=0)


def _deploy(state: State, action: a.Deploy) -> State:
    chute = state.chutes.get(action.chute)
    if chute is None:
        return state
    wholes = {u.half_of for name in action.units if (u := state.units.get(name))}
    for unit in state.units_of(chute.letter):
        if unit.id in wholes or unit.id not in action.units:
            state = _unit(state, unit.id, where=None, stick="")
    for name in action.units:
        changes = {"stick": chute.letter, "deployed": True, "broken": chute.broken}
        state = _at(state, name, action.hex, **changes)
    return _chute(state, action.chute, status="DEPLOYED")


def _open(state: State, action: a.Open) -> State:
    for name in action.units:
        state = _at(state, name, action.hex, broken=action.broken)
    return _chute(state, action.chute, status="REMOVED")


def _elim(state: State, action: a.Elim) -> State:
    chute = state.chutes.get(action.piece)
    if chute is None:
        return _unit(state, action.piece, eliminated=True)
    for unit in state.in_box(chute.letter):
        if state.is_separate(unit) == chute.is_weapon:
            state = _unit(state, unit.id, eliminated=True)
    return _chute(state, action.piece, status="ELIMINATED")


def _loss(state: State, action: a.Loss) -> State:
    chute, lost = state.chutes.get(action.chute), state.units.get(action.unit)
    state = replace(_hit(state, action.chute), reduced=state.reduced | {action.chute})
    if action.kind == "WOUND":
        return _unit(state, action.unit, wounded=True)
    state = _unit(state, action.unit, eliminated=True)
    if chute is None or lost is None or not lost.half_of:
        return state
    # a squad that loses a Half-Squad is the other one from now on
    whole = state.units.get(lost.half_of)
    if whole is None or whole.stick != chute.letter or whole.where is not None:
        return state
    state = _unit(state, whole.id, stick="")
    for unit in tuple(state.units.values()):
        if unit.half_of == whole.id:
            state = _unit(state, unit.id, stick=chute.letter)
    return state


def _mark(state: State, action: a.Mark) -> State:
    marker = (action.kind, action.piece or (label(action.hex) if action.hex else ""))
    markers = state.markers | {marker} if action.on else state.markers - {marker}
    state = replace(state, markers=markers)
    if action.kind == "SYSTEMS":
        return _unit(state, action.piece, partially_armed=action.on)
    if action.kind == "CX":
        return _unit(state, action.piece, exhausted=action.on)
    dazed = action.kind == "DM" and action.on
    return _chute(state, action.piece, broken=True) if dazed else state


def _move(state: State, action: a.Move) -> State:
    if action.unit not in state.units:
        return state
    entered = {**state.entered, action.unit: (*state.entered.get(action.unit, ()), action.to)}
    return replace(_at(state, action.unit, action.to), entered=entered)


def _attack(state: State, action: a.Attack) -> State:
    piece = attacked_piece(state, action)
    attacks = {**state.attacks, piece: state.attacks.get(piece, 0) + 1} if piece else state.attacks
    attacked = state.attacked | {(action.unit, action.hex, action.kind)}
    return replace(state, attacked=attacked, attacks=attacks)


def _recover(state: State, action: a.Recover) -> State:
    unit = state.units.get(action.unit)
    if unit is not None and unit.where is not None:
        state = _at(state, action.sw, unit.where, dm=action.dm)
    return _chute(state, action.chute, status="RECOVERED")


def _canister(state: State, action: a.Canister) -> State:
    state = replace(state, tried=state.tried | {action.unit})
    if not action.passed:
        return state
    state = replace(state, markers=state.markers - {("SYSTEMS", action.unit)})
    return _unit(state, action.unit, partially_armed=False)


def _rally(state: State, action: a.Rally) -> State:
    state = replace(state, markers=state.markers - {("DM", action.unit)})
    return _unit(state, action.unit, broken=False)


def _relocate(state: State, action: a.Relocate) -> State:
    where = action.to if isinstance(action.to, Hex) else None
    if action.piece in state.chutes:
        return _chute(state, action.piece, where=where)
    off = where is not None and not is_onboard(where)
    return _unit(state, action.piece, where=where, offboard=off)


_CHANGES: Final[dict[type, Callable[[State, Any], State]]] = {
    a.Weather: lambda s, x: replace(s, weather=x.state),
    a.Wind: lambda s, x: replace(s, wind_dir=x.dir, wind_force=x.force),
    a.Phase: _phase,
    a.Wing: _wing,
    a.Load: lambda s, x: _unit(s, x.unit, stick=x.stick, where=None),
    a.Place: _place,
    a.Dproll: _dproll,
    a.Drift: _drift,
    a.Blow: lambda s, x: _chute(s, x.chute, where=x.to, blown=True),
    a.Fire: _fire,
    a.Rs: _rs,
    a.Mc: _check,
    a.Tc: _check,
    a.Adjust: lambda s, x: _chute(s, x.chute, where=x.to, adjusted=True),
    a.Land: _land,
    a.Flip: lambda s, x: _chute(s, x.chute, flipped=True),
    a.Chain: _chain,
    a.Deploy: _deploy,
    a.Displace: lambda s, x: _at(s, x.unit, x.to, displaced=True),
    a.Open: _open,
    a.Elim: _elim,
    a.Loss: _loss,
    a.Mark: _mark,
    a.Move: _move,
    a.Rout: lambda s, x: _at(s, x.unit, x.to),
    a.Advance: lambda s, x: _at(s, x.unit, x.to),
    a.Attack: _attack,
    a.Recover: _recover,
    a.Canister: _canister,
    a.Cvp: lambda s, x: replace(s, cvp=x.points),
    a.Rally: _rally,
    a.Relocate: _relocate,
}

"""What an action does to the table: total, and the same for legal and illegal actions.

A log is followed whatever it breaks, so nothing here asks whether an action is allowed; that is
said once, by the rules.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from builder.hexes.grid import Hex
from builder.rules.turns import Moment
from builder.rulesets.dropzone.actions import (
    Action,
    Advance,
    Alter,
    Attack,
    BuyGarrison,
    Chit,
    Commit,
    Declare,
    Discard,
    Displace,
    DrawAsset,
    DrawUnit,
    Drop,
    Gain,
    Join,
    Land,
    Leave,
    Liberate,
    Lose,
    Move,
    PassTurn,
    Peek,
    Phase,
    PoolLate,
    Receive,
    Relocate,
    Reset,
    Return,
    ReturnChits,
    Reveal,
    Roll,
    SetVP,
    Use,
)
from builder.rulesets.dropzone.apply_fight import (
    advanced,
    announced,
    closed,
    joined,
    lost_in_fight,
    rolled,
    used,
)
from builder.rulesets.dropzone.apply_moves import moved, taken_back
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.initiative import due_in_first_turn
from builder.rulesets.dropzone.liberation import settled, with_emptied
from builder.rulesets.dropzone.objectives import payer_of
from builder.rulesets.dropzone.replacement import with_lapsed
from builder.rulesets.dropzone.sequence import COMMANDS, SEQUENCE
from builder.rulesets.dropzone.state import GarrisonState, State
from builder.rulesets.dropzone.victory import red_points

__all__ = ["applied"]


def applied(state: State, action: Action) -> State:
    """Return the state after an action."""
    state = settled(state, action)
    match action:
        case Phase() | Chit() | ReturnChits() | SetVP() | Declare() | PassTurn():
            return _in_sequence(state, action)
        case DrawAsset() | PoolLate() | Commit() | Use() | Discard():
            return _with_assets(state, action)
        case Drop() | DrawUnit() | Receive() | Land() | Displace() | Gain() | Return():
            return _reinforced(state, action)
        case Move():
            return moved(state, action)
        case Attack():
            return announced(state, action)
        case Join() | Leave():
            return joined(state, action)
        case Reset() | Peek():
            return state
        case Reveal():
            unit = action.unit
            return state.with_unit(unit, hidden=False) if unit in state.units else state
        case Roll():
            return rolled(state, action)
        case Lose():
            return _lost(state, action)
        case Advance():
            return advanced(state, action)
        case Liberate() | BuyGarrison():
            return _garrisoned(state, action)
        case Relocate() | Alter():
            return _forced(state, action)
        case _:
            assert_never(action)


# ---------------------------------------------------------------------------------- the sequence


def _in_sequence(
    state: State, action: Phase | Chit | ReturnChits | SetVP | Declare | PassTurn
) -> State:
    match action:
        case Phase():
            return _phase(state, action)
        case Chit(command=command):
            done = state.done if command in state.done else (*state.done, command)
            chits = state.chits if command in state.chits else (*state.chits, command)
            return state.but(command=command, done=done, chits=chits)
        case ReturnChits(commands=commands):
            return state.but(chits=tuple(c for c in state.chits if c not in commands))
        case SetVP(value=value):
            state = state.but(marker=value)
            writes = state.turn == 3 and state.step == "ENDTURN"
            return state.but(recorded=value) if writes else state
        case Declare(level=level):
            return state.but(result=level.replace("_", " "))
        case PassTurn():
            return state
        case _:
            assert_never(action)


def _phase(state: State, action: Phase) -> State:
    in_round = action.step in SEQUENCE.round
    done = state.done if action.turn == state.turn else ()
    command = action.command
    if in_round and action.turn == state.turn == 1 and not (command or state.command):
        # nobody draws chits in turn 1, so that a tracker may not know who acts: the order does
        command = due_in_first_turn(state) if action.step != "INIT" else ""
    unseen = command in COMMANDS and command not in done and action.step != "INIT"
    number = len(done) + (action.step == "INIT" or unseen) if in_round else 0
    moment = Moment(
        action.turn, min(max(number, 1), SEQUENCE.rounds) if in_round else 0, action.step
    )
    state = closed(state)
    if moment.step in ("INIT", "ENDTURN", "ASSETDRAW", "SETUP") or action.turn != state.turn:
        state = _activation_ended(state)
    if action.turn != state.turn:
        if state.turn == 3 and state.recorded is None:
            state = state.but(recorded=red_points(state))
        state = state.but(
            done=(),
            drawn={},
            drawn_units=(),
            initiative_used=0,
            named_first="",
            gained=frozenset(),
        )
    if in_round and command and command != state.command:
        # the tracker names a Command whose chit was not seen: the table is believed
        extra = () if command in state.done else (command,)
        state = state.but(command=command, done=(*state.done, *extra))
    return state.but(moment=moment)


def _activation_ended(state: State) -> State:
    state = with_lapsed(state)
    fresh = {
        key: replace(unit, trail=(), legs=(), penalty=0) if unit.trail or unit.penalty else unit
        for key, unit in state.units.items()
    }
    return state.but(
        command="",
        units=fresh,
        rp_used=0,
        regroup=0,
        regroup_used=0,
        garrison_paid=(),
        attacked=frozenset(),
        entered={},
        landing={},
        direction=0,
        fight=None,
    )


# ------------------------------------------------------------------------------------ the assets


def _with_assets(state: State, action: DrawAsset | PoolLate | Commit | Use | Discard) -> State:
    match action:
        case DrawAsset(side=side, asset=asset):
            state = state.but(drawn={**state.drawn, side: state.drawn.get(side, 0) + 1})
            return state.with_asset(asset, "HAND", used=False) if asset in state.assets else state
        case PoolLate(assets=assets):
            for asset in assets:
                if asset in state.assets:
                    state = state.with_asset(asset, "POOL", used=False)
            return state
        case Commit(side=side, asset=asset):
            if asset in state.assets:
                state = state.with_asset(asset, "COMMIT", used=False)
            if state.fight is not None:
                fight = state.fight
                committed = (*fight.committed, (side, asset))
                state = state.but(fight=replace(fight, committed=committed))
            return state
        case Use():
            return used(state, action)
        case Discard(asset=asset):
            return state.with_asset(asset, "GONE", used=True) if asset in state.assets else state
        case _:
            assert_never(action)


# ----------------------------------------------------------------------- set-up, reinforcements


def _reinforced(
    state: State, action: Drop | DrawUnit | Receive | Land | Displace | Gain | Return
) -> State:
    if action.unit not in state.units:
        return state
    unit = state.units[action.unit]
    match action:
        case Drop(unit=key, to=to):
            number = sum(bool(u.known_as) for u in state.units.values()) + 1
            return state.with_unit(key, place=to, known_as=unit.known_as or f"H{number}")
        case DrawUnit(unit=key):
            state = state.but(drawn_units=(*state.drawn_units, key))
            return state.with_unit(key, place=f"{GERMAN}T{state.turn}")
        case Receive(unit=key, area=area):
            return state.with_unit(key, place=f"Entry{area}")
        case Land(unit=key, to=to):
            owed = _owed_by_landing(state, key, to)
            landing = {k: v for k, v in state.landing.items() if k != key}
            if owed:
                landing[key] = owed
            if state.landing.get(key) == "direction":
                state = state.but(direction=0)  # the die was for this unit alone
            return state.with_unit(key, place=to).but(landing=landing)
        case Displace(unit=key, to=to):
            return state.with_unit(key, place=to)
        case Gain(unit=key, cause=cause, by_steps=steps):
            state = state.with_unit(key, steps=unit.steps + steps)
            state = state.but(gained=state.gained | {key})
            # one point, however many steps the table showed: that is a breach of its own
            if cause == "REGROUP":
                return state.but(regroup_used=state.regroup_used + 1)
            return state.but(rp_used=state.rp_used + 1)
        case Return(unit=key, to=to, steps=steps):
            state = state.with_unit(key, place=to, steps=steps, hidden=False)
            return state.but(gained=state.gained | {key}, rp_used=state.rp_used + 1)
        case _:
            assert_never(action)


def _owed_by_landing(state: State, key: str, to: Hex) -> str:
    """Return what a unit owes after it was put into a landing hex (rule 4.2.4)."""
    if state.landing.get(key) == "direction":
        return ""
    if state.is_held(to, GERMAN):
        return "loss attack"
    return "loss" if state.in_enemy_zoc(to, ALLIED) else ""


# ---------------------------------------------------------------------------------------- combat


def _lost(state: State, action: Lose) -> State:
    key = action.unit
    steps = state.steps_of(key)
    if steps <= 0:
        return state
    before, state = state, lost_in_fight(state, action)
    if key in state.garrisons:
        state = state.with_garrison(key, state.garrisons[key].side, steps - 1)
        return with_emptied(before, state, action)
    side = state.facts.units[key].side
    if steps == 1:
        state = state.with_unit(key, steps=0, place=state.elimination_box(side))
    else:
        state = state.with_unit(key, steps=steps - 1)
    if action.cause == "GARRISON":
        state = state.but(garrison_paid=(*state.garrison_paid, key))
    return with_emptied(before, state, action)


# ------------------------------------------------------------------------------------ objectives


def _garrisoned(state: State, action: Liberate | BuyGarrison) -> State:
    key = action.garrison
    if key not in state.garrisons:
        return state
    facts = state.facts.garrisons[key]
    if key in state.emptied or key in state.overdue:
        emptied = {k: why for k, why in state.emptied.items() if k != key}
        state = state.but(emptied=emptied, overdue=state.overdue - {key})
    if isinstance(action, Liberate):
        return state.with_garrison(key, ALLIED, action.steps or facts.full_steps(ALLIED))
    steps = action.steps or facts.full_steps(GERMAN, returns=True)
    state = state.with_garrison(key, GERMAN, steps)
    if action.pay == "REGROUP":
        return state.but(regroup_used=state.regroup_used + 1)
    if action.pay:
        payers = list(state.garrison_paid)
        payer = payer_of(state, action)
        if payer in payers:
            payers.remove(payer)
        return state.but(garrison_paid=tuple(payers))
    return state


# --------------------------------------------------------------------- what no rule provides for


def _forced(state: State, action: Relocate | Alter) -> State:
    key = action.piece
    if isinstance(action, Alter):
        if key in state.garrisons:
            state_of = state.garrisons[key]
            changed = GarrisonState(state_of.side, max(action.steps, 0))
            return state.but(garrisons={**state.garrisons, key: changed})
        return state.with_unit(key, steps=max(action.steps, 0)) if key in state.units else state
    if key in state.assets and action.to == f"Hand{state.facts.side_of(key)}":
        return _taken_up(state, key)
    if key not in state.units:
        return state
    if isinstance(action.to, str):
        return taken_back(state, key, action.to)
    return state.with_unit(key, place=action.to)


def _taken_up(state: State, asset: str) -> State:
    """Return the state after an asset that lay face down was taken back into the hand."""
    if state.assets[asset].place != "COMMIT":
        return state
    state = state.with_asset(asset, "HAND", used=False)
    fight = state.fight
    if fight is None:
        return state
    left = tuple(c for c in fight.committed if c[1] != asset)
    return state.but(fight=replace(fight, committed=left))

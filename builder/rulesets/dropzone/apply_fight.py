"""What an announcement, an asset, a roll and a loss do to the attack that is going on."""

from __future__ import annotations

from dataclasses import replace

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.actions import Attack, Lose, Roll, Use
from builder.rulesets.dropzone.facts import ALLIED, Side, enemy_of
from builder.rulesets.dropzone.sequence import SIDE_OF
from builder.rulesets.dropzone.state import Fight, State, Usage, Volley

__all__ = ["announced", "closed", "lost_in_fight", "participants", "rolled", "targets_of", "used"]


def closed(state: State) -> State:
    """Return the state with the attack ended: its attackers have attacked if any die fell."""
    fight = state.fight
    if fight is None:
        return state
    attacked = state.attacked | frozenset(fight.attackers if fight.has_dice else ())
    volleys = tuple(replace(v, is_closed=True) for v in fight.volleys)
    return state.but(attacked=attacked, fight=replace(fight, volleys=volleys))


def announced(state: State, action: Attack) -> State:
    """Return the state after an announcement."""
    state = closed(state)
    side = SIDE_OF.get(state.command) or ALLIED
    defenders = tuple(p.id for p in state.pieces_at(action.target) if p.side == enemy_of(side))
    kind = "landing" if state.step == "LAND" else "attack"
    fight = Fight(action.n, action.target, side, kind=kind, defenders=defenders)
    return state.but(fight=fight, attacks=max(state.attacks, action.n))


def used(state: State, action: Use) -> State:
    """Return the state after an asset was turned and used."""
    if action.asset not in state.assets:
        return state
    side = state.facts.assets[action.asset].side
    state = state.with_asset(action.asset, "USED", used=True)
    match action.mode:
        case "FIRST":
            return state.but(initiative_used=state.initiative_used + 1)
        case "RP":
            return state.but(regroup=state.regroup + 2)
        case _:
            pass
    fight = state.fight
    if fight is None or (action.target is not None and action.target != fight.target):
        if not isinstance(action.target, Hex):
            return state
        state = announced(state, Attack(state.attacks + 1, action.target))
        fight = state.fight
        assert fight is not None, "it was announced just now"
    kind = "interdiction" if action.mode.startswith("INTERDICT") else fight.kind
    usage = Usage(action.asset, side, action.mode)
    return state.but(fight=replace(fight, kind=kind, uses=(*fight.uses, usage)))


def participants(state: State, fight: Fight, side: Side) -> tuple[str, ...]:
    """Return the live units and garrisons of a side in an attack, the garrison last.

    Of the attacker those that joined; of the defender what stands in the target now: a unit that
    came in after the announcement counts, one that has gone does not.
    """
    if side == fight.side:
        return tuple(k for k in fight.attackers if state.steps_of(k) > 0)
    return tuple(p.id for p in state.pieces_at(fight.target) if p.side == side)


def targets_of(state: State, fight: Fight, side: Side) -> tuple[tuple[str, int], ...]:
    """Return what dice of a side can hit: the other side's participants and their steps."""
    enemy = enemy_of(side)
    return tuple((k, state.steps_of(k)) for k in participants(state, fight, enemy))


def rolled(state: State, action: Roll) -> State:
    """Return the state after a roll."""
    if action.kind == "DIR":
        number = action.faces[0] if action.faces else ""
        return state.but(direction=int(number) if number.isdecimal() and len(number) < 3 else 0)
    fight = state.fight
    if fight is None:
        return state
    is_combat = action.kind in ("COMBAT", "LAND")
    # fire is over when the first combat die falls: what it may have scored is scored by then
    volleys = tuple(
        replace(v, is_closed=True) if is_combat and v.kind in ("IF", "AT") else v
        for v in fight.volleys
    )
    strength = fight.strength
    if is_combat and strength is None:
        both = (*participants(state, fight, fight.side),)
        both += participants(state, fight, enemy_of(fight.side))
        strength = {k: state.steps_of(k) for k in both}
    if is_combat and strength is not None:
        # both sides roll before either loses: the second roll can hit what the first has hit
        group = fight.attackers if action.side != fight.side else strength
        enemy = enemy_of(action.side)
        targets = tuple(
            (k, strength[k])
            for k in dict.fromkeys((*group, *strength))
            if k in strength and state.side_of(k) == enemy
        )
    else:
        targets = targets_of(state, fight, action.side)
    volley = Volley(action.kind, action.side, action.faces, targets)
    fight = replace(fight, volleys=(*volleys, volley), strength=strength)
    state = state.but(fight=fight)
    return _landing_rolled(state, fight) if action.kind == "LAND" else state


def _landing_rolled(state: State, fight: Fight) -> State:
    if not all(fight.rolled(s, "LAND") for s in (fight.side, enemy_of(fight.side))):
        return state
    landing = {k: "direction" if k in fight.attackers else v for k, v in state.landing.items()}
    return state.but(landing=landing)


def lost_in_fight(state: State, action: Lose) -> State:
    """Return the state with a loss booked to the roll that caused it, before the step is taken."""
    key = action.unit
    if action.cause == "LAND":
        owed = state.landing.get(key, "").removeprefix("loss").strip()
        landing = {k: v for k, v in state.landing.items() if k != key}
        if owed:
            landing[key] = owed
        return state.but(landing=landing)
    fight = state.fight
    if fight is None or action.cause == "GARRISON":
        return state
    kinds = ("COMBAT", "LAND") if action.cause == "COMBAT" else (action.cause,)
    side = state.side_of(key)
    for index, volley in enumerate(fight.volleys):
        if volley.kind in kinds and volley.side != side and not volley.is_closed:
            booked = replace(volley, losses=(*volley.losses, key))
            volleys = (*fight.volleys[:index], booked, *fight.volleys[index + 1 :])
            state = state.but(fight=replace(fight, volleys=volleys))
            break
    return _landing_settled(state, key)


def _landing_settled(state: State, key: str) -> State:
    """Take what a landing owes off when its unit or its enemy loses the last step."""
    fight = state.fight
    if fight is None or fight.kind != "landing" or state.steps_of(key) != 1:
        return state
    left = [p.id for p in state.pieces_at(fight.target) if p.side != fight.side and p.id != key]
    if key in state.landing:
        return state.but(landing={k: v for k, v in state.landing.items() if k != key})
    if not left and state.side_of(key) != fight.side:
        landing = {k: v for k, v in state.landing.items() if k not in fight.attackers}
        return state.but(landing=landing)
    return state

"""What an announcement, an asset, a roll and a loss do to the attack that is going on."""

from __future__ import annotations

from dataclasses import replace

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.actions import Advance, Attack, Join, Leave, Lose, Roll, Use
from builder.rulesets.dropzone.combat_dice import missing_rolls
from builder.rulesets.dropzone.facts import ALLIED, THROW_COUNTS, enemy_of
from builder.rulesets.dropzone.hits import volley_of
from builder.rulesets.dropzone.participants import (
    side_in,
    starts_interdiction,
    strength_of,
    targets_of,
)
from builder.rulesets.dropzone.sequence import SIDE_OF
from builder.rulesets.dropzone.state import Fight, State, Usage, Volley

__all__ = [
    "advanced",
    "announced",
    "closed",
    "joined",
    "lost_in_fight",
    "rolled",
    "used",
]


def closed(state: State) -> State:
    """Return the state with the attack ended: its attackers have attacked if any die fell.

    Units that land and must attack at once (rule 4.2.4) move and attack normally afterwards.
    """
    fight = state.fight
    if fight is None:
        return state
    counts = fight.has_dice and fight.kind != "landing"
    attacked = state.attacked | frozenset(fight.attackers if counts else ())
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


def joined(state: State, action: Join | Leave) -> State:
    """Return the state after a unit joined an attack, or left it.

    Who was there when dice fell has attacked, even if his mark is taken off later.
    """
    fight = state.fight
    if fight is None or (isinstance(action, Leave) and fight.has_dice):
        return state
    attackers = tuple(a for a in fight.attackers if a != action.unit)
    places = fight.places
    if isinstance(action, Join):
        attackers = (*attackers, action.unit)
        if action.unit in state.units:
            places = {**places, action.unit: state.units[action.unit].place}
    return state.but(fight=replace(fight, attackers=attackers, places=places))


def advanced(state: State, action: Advance) -> State:
    """Return the state after an advance, which ends an attack."""
    if action.unit not in state.units:
        return state
    state = closed(state).with_unit(action.unit, place=action.to)
    if state.fight is not None:
        state = state.but(fight=replace(state.fight, advanced=action.unit))
    return state


def used(state: State, action: Use) -> State:
    """Return the state after an asset was turned and used."""
    if action.asset not in state.assets:
        return state
    side = state.facts.assets[action.asset].side
    state = state.with_asset(action.asset, "USED", used=True)
    match action.mode:
        case "FIRST":
            first = state.named_first or action.command
            return state.but(initiative_used=state.initiative_used + 1, named_first=first)
        case "RP":
            return state.but(regroup=state.regroup + 2)
        case _:
            pass
    fight = state.fight
    elsewhere = fight is None or (action.target is not None and action.target != fight.target)
    if elsewhere or starts_interdiction(fight, action):
        if not isinstance(action.target, Hex):
            return state
        number = max(state.attacks + 1, action.attack)
        state = announced(state, Attack(number, action.target))
        fight = state.fight
    assert fight is not None, "it was announced just now"
    kind = fight.kind
    if action.mode.startswith("INTERDICT") and not fight.attackers:
        kind = "interdiction"
    usage = Usage(action.asset, side, action.mode)
    return state.but(fight=replace(fight, kind=kind, uses=(*fight.uses, usage)))


def counted(action: Roll) -> tuple[str, str]:
    """Return the tray that counts a throw, and the name of the count there."""
    return f"Dice-{action.side}", THROW_COUNTS["Direction" if action.kind == "DIR" else "Faces"]


def rolled(state: State, action: Roll) -> State:
    """Return the state after a roll."""
    count = counted(action)
    state = state.but(throws={**state.throws, count: state.throws.get(count, 0) + 1})
    if action.kind == "DIR":
        number = action.faces[0] if action.faces else ""
        is_number = number.isascii() and number.isdecimal() and len(number) < 3
        return state.but(direction=int(number) if is_number else 0)
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
    if is_combat:
        # both sides roll before either loses: the second roll can hit what the first has hit
        strength = strength_of(state, fight)
        enemy = enemy_of(action.side)
        targets = tuple((k, n) for k, n in strength.items() if side_in(fight, k) == enemy)
    else:
        targets = targets_of(state, fight, action.side)
    volley = Volley(action.kind, action.side, action.faces, targets)
    fight = replace(fight, volleys=(*volleys, volley), strength=strength)
    state = state.but(fight=fight)
    return _landing_rolled(state, fight) if is_combat and fight.kind == "landing" else state


def _landing_rolled(state: State, fight: Fight) -> State:
    """Note that a landing is to be decided by a direction, once all who have dice have rolled."""
    if missing_rolls(state):
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
    number = volley_of(state, action)
    if number is not None:
        volley = fight.volleys[number]
        booked = replace(volley, losses=(*volley.losses, key))
        volleys = (*fight.volleys[:number], booked, *fight.volleys[number + 1 :])
        state = state.but(fight=replace(fight, volleys=volleys))
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

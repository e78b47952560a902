"""Who takes part in an attack, what its assets do, and how far it has come (rule 5.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.actions import Use
from builder.rulesets.dropzone.facts import AssetFacts, Side, enemy_of
from builder.rulesets.dropzone.state import Fight, State, Usage

__all__ = [
    "FIRE",
    "FIRE_ASSETS",
    "hex_emptied",
    "is_meant",
    "is_over",
    "participants",
    "pending_fire",
    "printed_dice",
    "role_of",
    "side_in",
    "spent_units",
    "starts_interdiction",
    "strength_of",
    "targets_of",
    "uses_of",
]

FIRE: Final[Mapping[str, str]] = {
    "IF": "IF",
    "AT": "AT",
    "INTERDICT_IF": "IF",
    "INTERDICT_AT": "AT",
}
"""The kind of roll that each mode of an asset calls for."""

FIRE_ASSETS: Final = ("INDIRECT", "ANTITANK", "AIRSTRIKE")
"""The kinds of assets that give dice."""


def participants(state: State, fight: Fight, side: Side) -> tuple[str, ...]:
    """Return the live units and garrisons of a side in an attack, the garrison last.

    Of the attacker the units that joined (garrisons cannot attack, rule 1.2); of the defender what
    stands in the target now: a unit that came in after the announcement counts, one that has gone
    does not. An interdiction is aimed at units only (C-26).
    """
    if side == fight.side:
        units = state.facts.units
        return tuple(
            k
            for k in fight.attackers
            if k in units and units[k].side == side and state.units[k].steps > 0
        )
    no_garrison = fight.kind == "interdiction"
    return tuple(
        p.id
        for p in state.pieces_at(fight.target)
        if p.side == side and not (p.is_garrison and (no_garrison or _is_back(fight, p.id)))
    )


def _is_back(fight: Fight, garrison: str) -> bool:
    """Tell whether a garrison was destroyed in this attack and has been placed again since."""
    for first, volley in enumerate(fight.volleys):
        steps = dict(volley.targets).get(garrison)
        if steps is not None:
            return sum(v.losses.count(garrison) for v in fight.volleys[first:]) >= steps
    return False


def targets_of(state: State, fight: Fight, side: Side) -> tuple[tuple[str, int], ...]:
    """Return what dice of a side can hit: the other side's participants and their steps."""
    enemy = enemy_of(side)
    return tuple((k, state.steps_of(k)) for k in participants(state, fight, enemy))


def strength_of(state: State, fight: Fight) -> Mapping[str, int]:
    """Return the steps that count for the combat roll: of when its first die fell, or as now.

    Both sides roll before either loses anything (C-4, from example 3), and what fire took is gone.
    """
    if fight.strength is not None:
        return fight.strength
    both = (*participants(state, fight, fight.side),)
    both += participants(state, fight, enemy_of(fight.side))
    return {k: state.steps_of(k) for k in both}


def role_of(fight: Fight, side: Side) -> str:
    """Return *attacker* or *defender*."""
    return "attacker" if side == fight.side else "defender"


def side_in(fight: Fight, piece: str) -> Side:
    """Return the side on which a piece takes part in an attack.

    A garrison that fell and came back in other hands counts as what it was.
    """
    return fight.side if piece in fight.attackers else enemy_of(fight.side)


def uses_of(fight: Fight, side: Side) -> tuple[Usage, ...]:
    """Return the fire assets that a side has turned in an attack."""
    return tuple(u for u in fight.uses if u.side == side and u.mode in FIRE)


def printed_dice(asset: AssetFacts, kind: str) -> int:
    """Return the dice printed on an asset for a kind of fire, *IF* or *AT*."""
    return asset.at_value if kind == "AT" else asset.if_value


def pending_fire(fight: Fight) -> tuple[Usage, ...]:
    """Return the fire assets that were turned and not yet rolled for, the attacker's first."""
    found = []
    for side in (fight.side, enemy_of(fight.side)):
        fallen = [v.kind for v in fight.volleys if v.side == side]
        for usage in uses_of(fight, side):
            if FIRE[usage.mode] in fallen:
                fallen.remove(FIRE[usage.mode])
            else:
                found.append(usage)
    return tuple(found)


def spent_units(state: State) -> frozenset[str]:
    """Return the units that have attacked in this activation, those that just fought included."""
    fight = state.fight
    if fight is None or not fight.has_dice or fight.kind == "landing":
        return state.attacked
    return state.attacked | frozenset(fight.attackers)


def is_meant(fight: Fight, number: int) -> bool:
    """Tell whether a number is that of the attack that goes on; 0 stands for an unknown one."""
    return number in (0, fight.n)


def is_over(fight: Fight) -> bool:
    """Tell whether an attack has ended: something else has begun since its dice fell."""
    return fight.has_dice and all(v.is_closed for v in fight.volleys)


def hex_emptied(state: State) -> bool:
    """Tell whether the attack that was announced last has rid its target of all that defended it.

    That needs dice: a hex that was left, or was never held, is no hex emptied in combat.
    """
    fight = state.fight
    if fight is None or not fight.has_dice or not fight.defenders:
        return False
    return not state.is_held(fight.target, enemy_of(fight.side))


def starts_interdiction(fight: Fight | None, action: Use) -> bool:
    """Tell whether an asset that is turned begins an interdiction (rule 5.2.2.b) by itself.

    It does not if its hex has been announced as a target and no die has fallen yet.
    """
    if not action.mode.startswith("INTERDICT") or not isinstance(action.target, Hex):
        return False
    return fight is None or fight.target != action.target or fight.has_dice

"""For which piece the dice of an action are thrown, and what they show there.

In this game dice lie on the pieces themselves: on the parachute that drifts, is fired at or checks
its morale, on the unit of a Random Selection, on the drop point of a Wing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from builder.rulesets.airdrop.actions import (
    Action,
    Attack,
    Canister,
    Dproll,
    Drift,
    Fire,
    Land,
    Mc,
    Roll,
    Rs,
    Tc,
)
from builder.rulesets.airdrop.state import State

__all__ = ["DICE", "attacked_piece", "dice_of", "thrown_for", "wing_piece"]

DICE: Final = ("Colored", "White", "Die", "Pick", "First", "Second")
"""The properties of a piece that hold dice, in the module."""


def wing_piece(wing: str) -> str:
    """Return the counter of a Wing's drop point."""
    return f"Wing-{wing}"


def thrown_for(action: Action) -> str:
    """Return the piece on which an action's dice fall; empty for one without dice."""
    match action:
        case Drift(chute=piece) | Fire(chute=piece) | Mc(chute=piece) | Tc(chute=piece):
            return piece
        case Roll(piece=piece) | Rs(piece=piece) | Canister(unit=piece):
            return piece
        case Land(chute=piece, dr=dr) if dr:
            return piece
        case Dproll(wing=wing):
            return wing_piece(wing)
        case _:
            return ""


def dice_of(action: Action) -> Mapping[str, int]:
    """Return what an action's dice show, by the properties of :data:`DICE`."""
    match action:
        case Dproll(dr=dr, dice=dice, colored=colored, white=white):
            stray = dict(zip(("First", "Second"), dice, strict=False))
            return {"Die": dr} | stray | ({"Colored": colored, "White": white} if stray else {})
        case Land(dr=die) | Canister(dr=die):
            return {"Die": die} if die else {}
        case Rs(die=die):
            return {"Pick": die}
        case (
            Drift(colored=colored, white=white)
            | Fire(colored=colored, white=white)
            | Mc(colored=colored, white=white)
            | Tc(colored=colored, white=white)
            | Roll(colored=colored, white=white)
        ):
            return {"Colored": colored, "White": white}
        case _:
            return {}


def attacked_piece(state: State, action: Attack) -> str:
    """Return the piece on which players show an attack on a hex: an enemy that is there."""
    firer = state.units.get(action.unit)
    side = firer.side if firer is not None else state.side
    return next(_targets(state, action, side), "")


def _targets(state: State, action: Attack, side: str) -> Iterator[str]:
    for key, chute in state.chutes.items():
        if chute.where == action.hex and chute.status == "LANDED" and not chute.is_weapon:
            yield key
    for key, unit in state.units.items():
        if unit.where == action.hex and unit.side != side and not unit.eliminated:
            yield key

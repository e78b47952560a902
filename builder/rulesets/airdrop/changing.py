"""States with one parachute or unit changed, for what actions do to the table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from builder.hexes.grid import Hex
from builder.rulesets.airdrop.facts import is_onboard
from builder.rulesets.airdrop.state import State

__all__ = ["put", "with_chute", "with_dm", "with_unit"]


def with_chute(state: State, name: str, **changes: Any) -> State:
    """Return a state in which fields of a parachute differ; the same if there is none."""
    found = state.chutes.get(name)
    if found is None:
        return state
    return replace(state, chutes={**state.chutes, name: replace(found, **changes)})


def with_unit(state: State, name: str, **changes: Any) -> State:
    """Return a state in which fields of a unit differ; the same if there is none."""
    found = state.units.get(name)
    if found is None:
        return state
    return replace(state, units={**state.units, name: replace(found, **changes)})


def with_dm(state: State, letter: str) -> State:
    """Rule 9.33: return a state in which the units of a broken Stick have DM in their box."""
    dazed = {("DM", unit.id) for unit in state.men_of(letter)}
    return replace(state, markers=state.markers | dazed)


def put(state: State, name: str, to: Hex, **changes: Any) -> State:
    """Return a state in which a unit is in a hex."""
    if name in state.chutes:
        return with_chute(state, name, where=to)
    return with_unit(state, name, where=to, offboard=not is_onboard(to), **changes)

"""Where in a game of Drop Zone a finding belongs, and whose names stay hidden."""

from __future__ import annotations

from collections.abc import Mapping

from builder.hexes.grid import Hex
from builder.rules.referee import Found, Located
from builder.rulesets.dropzone.actions import Action, Advance, Displace, Drop, Land, Move, Relocate
from builder.rulesets.dropzone.facts import enemy_of
from builder.rulesets.dropzone.state import State
from builder.rulesets.dropzone.summary import actor_of

__all__ = ["hidden_names", "located"]


def located(found: Found[State, Action]) -> Located:
    """Return where a finding belongs."""
    state, action = found.before, found.action
    unit = found.breach.pieces[0] if found.breach.pieces else ""
    if not unit and action is not None:
        unit = str(getattr(action, "unit", "") or getattr(action, "piece", ""))
    side = state.side_of(unit) if unit else None
    if action is not None and side is None:
        side = actor_of(state, action)
    start: Hex | str | None = None
    end: Hex | str | None = None
    if isinstance(action, Move | Advance | Land | Displace | Drop | Relocate):
        piece = action.piece if isinstance(action, Relocate) else action.unit
        if piece in state.units:
            start, end = state.units[piece].place, action.to
    elif found.breach.hexes:
        end = found.breach.hexes[-1]
    return Located(state.turn, state.command, side or state.side or "", unit, start, end)


def hidden_names(state: State, viewer: str = "") -> Mapping[str, str]:
    """Return what must not be named of units that are hidden in a state, and what stands for it.

    For a ``viewer`` (a side) only the other side's units are hidden, and the assets of its hand;
    without one all hidden units are.
    """
    names: dict[str, str] = {}
    for number, (key, unit) in enumerate(state.units.items(), 1):
        facts = state.facts.units[key]
        if unit.hidden and (not viewer or facts.side != viewer):
            alias = unit.known_as or f"hidden unit {number}"
            names[key] = alias
            names[facts.title] = alias
    for key, asset in state.assets.items():
        asset_facts = state.facts.assets[key]
        in_hand = asset.place in ("HAND", "COMMIT", "POOL", "LATE") and not asset.used
        if viewer and in_hand and asset_facts.side == enemy_of(viewer):
            names[key] = f"an asset of the {asset_facts.side} side"
    return names

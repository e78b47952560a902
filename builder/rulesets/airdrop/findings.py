"""Where in a drop a finding belongs, and whose names stay hidden."""

from __future__ import annotations

from collections.abc import Mapping

from builder.hexes.grid import Hex
from builder.rules.referee import Found, Located
from builder.rulesets.airdrop.actions import Action
from builder.rulesets.airdrop.state import State, place_of
from builder.rulesets.airdrop.summary import actor_of

__all__ = ["hidden_names", "located"]


def located(found: Found[State, Action]) -> Located:
    """Return where a finding belongs."""
    state, action = found.before, found.action
    piece = found.breach.pieces[0] if found.breach.pieces else ""
    for name in ("chute", "unit", "piece"):
        piece = piece or str(getattr(action, name, "") or "")
    start: Hex | str | None = place_of(state, piece) if piece else None
    end = getattr(action, "to", None)
    if end is None:
        end = getattr(action, "hex", None)
    if end is None and found.breach.hexes:
        end = found.breach.hexes[-1]
    side = actor_of(state, action) if action is not None else ""
    return Located(state.turn, state.phase, side or state.side, piece, start, end)


def hidden_names(state: State, viewer: str = "") -> Mapping[str, str]:
    """Return what must not be named of units that hang on parachutes, and what stands for it.

    Rule 9.11: the contents of a Cloaking Box are the attacker's secret until they come out.
    """
    if viewer == "Attacker":
        return {}
    names: dict[str, str] = {}
    for key, unit in state.units.items():
        if unit.stick and unit.where is None and not unit.eliminated:
            alias = f"something in box {unit.stick}"
            names[key] = alias
            names[f"{unit.name} ({key})"] = alias
    return names

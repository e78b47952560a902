"""How a drop stands, in a few lines, and whose player takes an action."""

from __future__ import annotations

from collections import Counter
from typing import Final

from builder.rulesets.airdrop.actions import (
    Action,
    Attack,
    Blow,
    Drift,
    Fire,
    Land,
    Mark,
    Phase,
    Roll,
    Rs,
    Weather,
    Wind,
)
from builder.rulesets.airdrop.drift import drift_length
from builder.rulesets.airdrop.facts import FORCES, is_onboard
from builder.rulesets.airdrop.state import State, is_parachute

__all__ = ["DIRECTIONS", "actor_of", "heading_of", "remark_of", "summary_of"]

DIRECTIONS: Final = ("", "N", "NE", "SE", "S", "SW", "NW")
"""The six directions by their number."""
_NAMES: Final = {
    "SETUP": "set-up",
    "RPh": "drop points",
    "DRIFT": "drift",
    "FIRSTFIRE": "fire at parachutes",
    "ADJUST": "adjustments",
    "LAND": "landing",
    "CHECKS": "landing checks",
    "DFPh": "Final Fire",
    "APh": "advance",
    "CCPh": "close combat",
}


def actor_of(state: State, action: Action) -> str:
    """Return the side whose player takes an action."""
    match action:
        case Fire():
            return "Defender"
        case Roll(kind="TH" | "SNIPER") | Rs(cause="TARGET"):
            return "Defender"
        case Attack(unit=unit):
            found = state.units.get(unit)
            return found.side if found is not None else state.side
        case Phase() | Weather() | Wind():
            return state.side
        case Mark(piece=piece):
            return _side_of(state, piece) or state.side
        case _:
            for name in ("unit", "chute", "piece"):
                side = _side_of(state, str(getattr(action, name, "") or ""))
                if side:
                    return side
            return "Attacker"


def _side_of(state: State, piece: str) -> str:
    unit = state.units.get(piece)
    if unit is not None:
        return unit.side
    return "Attacker" if is_parachute(piece) else ""


def summary_of(state: State) -> tuple[str, ...]:
    """Return what became of the parachutes, who stands where, what was lost."""
    lines = []
    for size, word in (("P", "Sticks"), ("W", "weapons")):
        became = Counter(c.status.lower() for k, c in state.chutes.items() if k[0] == size)
        told = ", ".join(f"{n} {status}" for status, n in sorted(became.items()))
        lines.append(f"{word}: {told or 'none dropped'}")
    for side in ("Attacker", "Defender"):
        units = [u for u in state.units.values() if u.side == side and u.kind != "sw"]
        on = [u for u in units if u.where is not None and is_onboard(u.where) and not u.eliminated]
        off = [u for u in units if u.offboard and u.where is not None and not u.eliminated]
        boxed = [u for u in units if u.stick and u.where is None and not u.eliminated]
        dead = sum(u.eliminated for u in units)
        words = [f"{side}: {len(on)} units on the boards"]
        words += [f"{len(off)} beside them"] if off else []
        words += [f"{len(boxed)} under parachutes"] if boxed else []
        broken = sum(u.broken for u in (*on, *off))
        words += [f"{broken} broken"] if broken else []
        lines.append(f"{', '.join(words)}, {dead} eliminated")
    lines.append(f"casualty points of the drop: {state.cvp}")
    return tuple(lines)


def heading_of(state: State, action: Action) -> str:
    """Return a heading where a player turn, or a part of the drop's, begins."""
    if not isinstance(action, Phase) or action.phase not in _NAMES:
        return ""
    side = f"Turn {action.turn}, {action.side}"
    if action.phase in ("SETUP", "RPh") or (action.turn, action.side) == state.drop:
        return f"{side}: {_NAMES[action.phase]}"
    return ""


def remark_of(state: State, action: Action) -> str:
    """Return what a reader of an action wants to know besides."""
    match action:
        case Drift(colored=colored, white=white) if colored <= 6:
            return _way(drift_length(state.nationality, white), colored)
        case Blow():
            return _way(FORCES.get(state.wind_force, 0), state.wind_dir)
        case Land(chute=key):
            chute = state.chutes.get(key)
            if chute is None or chute.where is None:
                return ""
            if not is_onboard(chute.where):
                return "off the boards"
            ground = state.ground.base(chute.where).replace("_", " ")
            return "on a blaze" if state.ground.has(chute.where, "blaze") else ground
        case _:
            return ""


def _way(count: int, direction: int) -> str:
    return f"{count} hex{'es' * (count != 1)} {DIRECTIONS[direction]}"

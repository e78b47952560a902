"""How a game stands, in a few lines, and whose player takes an action."""

from __future__ import annotations

from builder.rulesets.dropzone.actions import (
    Action,
    Advance,
    Attack,
    BuyGarrison,
    Chit,
    Declare,
    DrawAsset,
    Liberate,
    Lose,
    Move,
    Phase,
    PoolLate,
    Reset,
    ReturnChits,
    SetVP,
    Use,
)
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.objectives import controller_of
from builder.rulesets.dropzone.sequence import SIDE_OF
from builder.rulesets.dropzone.state import State
from builder.rulesets.dropzone.victory import outcome

__all__ = ["actor_of", "heading_of", "remark_of", "summary_of"]


def actor_of(state: State, action: Action) -> str:
    """Return the side whose player takes an action; the active side's where no piece tells."""
    side = getattr(action, "side", "")
    if side:
        return str(side)
    for name in ("unit", "asset", "piece"):
        piece = getattr(action, name, "")
        found = state.side_of(piece) if piece else None
        if found is not None:
            return found
    match action:
        case Liberate() | SetVP() | Declare() | PoolLate():
            return ALLIED
        case BuyGarrison():
            return GERMAN
        case Chit(command=command):
            return SIDE_OF.get(command, ALLIED)
        case Phase() | ReturnChits() | Attack() | Reset():
            return state.side or ALLIED
        case _:
            return state.side or ALLIED


def summary_of(state: State) -> tuple[str, ...]:
    """Return who holds what, what is lost, and who has won."""
    facts = state.facts
    held: dict[str, list[str]] = {ALLIED: [], GERMAN: []}
    empty: list[str] = []
    for objective in facts.objectives.values():
        side = controller_of(state, objective.name)
        (held[side] if side is not None else empty).append(objective.name)
    lines = [
        f"{side}: {len(names)} objective{'s' * (len(names) != 1)}: {', '.join(names) or 'none'}"
        for side, names in held.items()
    ]
    if empty:
        lines.append(f"nobody's: {', '.join(empty)}")
    for side in (ALLIED, GERMAN):
        units = [k for k, u in facts.units.items() if u.side == side]
        on_map = [k for k in units if state.units[k].is_on_map]
        steps = sum(state.units[k].steps for k in on_map)
        lost = [k for k in units if state.units[k].steps == 0]
        text = f"{side} units: {len(on_map)} on the map with {steps} steps, {len(lost)} eliminated"
        lines.append(text)
    result = outcome(state)
    lines.append(f"{result.points} VP: {state.result}" if state.result else result.words)
    return tuple(lines)


def heading_of(state: State, action: Action) -> str:
    """Return a heading where a turn or an activation begins, with how the game stands in short."""
    if not isinstance(action, Phase):
        return ""
    if action.step in ("ASSETDRAW", "ENDTURN"):
        return f"Turn {action.turn}" + (", end" if action.step == "ENDTURN" else "")
    if action.step != "RP":
        return ""
    facts = state.facts
    sides = [controller_of(state, name) for name in facts.objectives]
    held = f"{sides.count(ALLIED)} of {len(sides)} objectives Allied"
    number = len(state.done)
    side = SIDE_OF.get(action.command, "")
    who = f"{side} {action.command}, activation {number}"
    return f"Turn {action.turn}: {who} ({held}, {outcome(state).words})"


def remark_of(state: State, action: Action) -> str:
    """Return what a reader of an action wants to know besides: names of places, what it ends."""
    facts = state.facts
    match action:
        case Move(to=to) | Attack(target=to) | Advance(to=to):
            key = facts.garrison_at.get(to)
            return facts.garrisons[key].objective if key is not None else ""
        case Lose(unit=unit) if state.steps_of(unit) == 1:
            return "eliminated"
        case Use(asset=asset) | DrawAsset(asset=asset) if asset in facts.assets:
            return facts.assets[asset].name
        case _:
            return ""

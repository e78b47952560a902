"""Rule 1.4: the German Regroup asset: when it is played, and on what its points are spent."""

from __future__ import annotations

from collections.abc import Iterator

from builder.hexes.grid import Hex
from builder.rules.core import Breach
from builder.rulesets.dropzone.actions import BuyGarrison, Gain, Use
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import GERMAN
from builder.rulesets.dropzone.sequence import COMMANDS_OF
from builder.rulesets.dropzone.state import State

__all__ = ["can_spend", "regroup_left"]


def regroup_left(state: State) -> int:
    """Return how many points of Regroup the active German Command has left, 0 or more."""
    if not state.is_german_activation:
        return 0
    return max(0, state.regroup - state.regroup_used - state.rp_used)


def can_spend(state: State) -> bool:
    """Tell whether this is a moment at which points of Regroup are spent (C-9)."""
    return state.is_german_activation and state.step in ("RP", "ENDACT")


@book.rule("DZ-1.4l", on=Use)
def play_of_regroup(state: State, action: Use) -> Iterator[Breach]:
    """Rule 1.4: a Regroup is announced in the reinforcement step of a German Command.

    Either asset serves either Command: the source does not tie them (C-34).
    """
    facts = state.facts
    asset = facts.assets.get(action.asset)
    if asset is None or (asset.kind != "REGROUP" and action.mode != "RP"):
        return
    if asset.kind != "REGROUP":
        why = f"{asset.name} is played for replacement points: only a Regroup gives any"
    elif action.mode != "RP":
        why = f"{asset.name} is played for something else than its points"
    elif state.step != "RP":
        why = f"{asset.name} is played in step {state.step}, not in the reinforcement step"
    elif state.command and not state.is_german_activation:
        why = f"{asset.name} is played while {state.command} is active"
    else:
        return
    yield Breach(
        "DZ-1.4l", why, pieces=(action.asset,), legal=("in the RP step of a German Command",)
    )


@book.rule(
    "DZ-4.1a", "DZ-1.2m", "DZ-3.3a", "DZ-1.4m", "DZ-1.4n", "DZ-4.1.5a", on=(Gain, BuyGarrison)
)
def points_of_regroup(state: State, action: Gain | BuyGarrison) -> Iterator[Breach]:
    """Rules 1.4 and 4.1: Germans have points from a Regroup only: two, now or at the end.

    "Now" is the reinforcement step in which it was played, "the end" that of the same activation,
    and the two points may be spent at different times (C-9).
    """
    facts = state.facts
    if isinstance(action, BuyGarrison):
        key = action.garrison
        if action.pay != "REGROUP" or key not in state.garrisons:
            return
        now = state.garrisons[key]
        if now.side == GERMAN and now.steps > 0:
            return  # that is a breach of its own
        commands, other = COMMANDS_OF[GERMAN], True
        title = f"the {facts.garrisons[key].name(GERMAN)}"
    else:
        key = action.unit
        unit = facts.units.get(key)
        if unit is None or unit.side != GERMAN or state.steps_of(key) <= 0:
            return
        commands, title, other = (unit.command,), unit.title, False
    used = state.regroup_used + state.rp_used
    if not state.regroup or not state.is_german_activation:
        row, why = "DZ-4.1.5a" if other else "DZ-4.1a", "no Regroup was played in this activation"
        if not state.lapsed.isdisjoint(commands):
            row, why = "DZ-1.4m", f"{why}, and what was left of an earlier one is lost"
    elif not can_spend(state):
        row = "DZ-1.4m"
        why = f"points of a Regroup are spent in the RP step or at the end, not in {state.step}"
    elif used >= state.regroup:
        row, why = "DZ-1.4n", f"the Regroup gave {state.regroup} points, and {used} are spent"
    else:
        return
    yield Breach(row, f"no point for {title}: {why}", pieces=(key,), hexes=_hexes(state, key))


@book.rule("DZ-1.4n", on=Gain)
def armor_and_regroup(state: State, action: Gain) -> Iterator[Breach]:
    """Rule 1.4: a Regroup strengthens infantry, not armor; two points, two receivers.

    That no unit gets two points is said for every kind of point, and judged there.
    """
    unit = state.facts.units.get(action.unit)
    if unit is None or unit.side != GERMAN or not unit.is_armor or state.steps_of(unit.id) <= 0:
        return
    yield Breach(
        "DZ-1.4n",
        f"no point for {unit.title}: a Regroup strengthens infantry or brings a garrison back",
        pieces=(unit.id,),
        hexes=_hexes(state, unit.id),
    )


def _hexes(state: State, key: str) -> tuple[Hex, ...]:
    at = state.hex_of(key)
    return () if at is None else (at,)

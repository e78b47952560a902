"""Rule 5.1: movement: who may move, how far, and where a move may end."""

from __future__ import annotations

from collections.abc import Iterator

from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import Move
from builder.rulesets.dropzone.apply_moves import allowance, way_of
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import enemy_of
from builder.rulesets.dropzone.ground import points_text
from builder.rulesets.dropzone.state import State

__all__ = ["cost_of_way"]


@book.rule("DZ-5.1a", "DZ-5.1c", "DZ-5.1f", on=Move)
def cost_of_way(state: State, action: Move) -> Iterator[Breach]:
    """Rule 5.1: the cheapest way must not cost more than the unit has left, not even one hex."""
    if action.unit not in state.units or action.to in state.units[action.unit].trail:
        return
    unit = state.units[action.unit]
    way = way_of(state, action)
    facts = state.facts
    title, end = facts.title(action.unit), facts.label(action.to)
    if way is None:
        return
    allowed = allowance(state, action.unit)
    total = unit.spent + way.cost
    if total <= allowed:
        return
    start = facts.label(unit.place)
    row = "DZ-5.1a" if unit.legs else "DZ-5.1f" if len(way.legs) == 1 else "DZ-5.1c"
    spent = f" after {points_text(unit.spent)} MP spent" if unit.legs else ""
    yield Breach(
        row,
        f"{title} moved {start}→{end}{spent}: the cheapest way costs {points_text(way.cost)} MP, "
        f"it has {points_text(allowed - unit.spent)} ({way.words(state)})",
        pieces=(action.unit,),
        hexes=way.hexes,
        rests_on=way.ours if unit.spent + way.floor <= allowed else (),
    )


@book.rule("DZ-5.1i", on=Move)
def enemy_hexes(state: State, action: Move) -> Iterator[Breach]:
    """Rule 5.1: no way leads into or through a hex that the enemy holds."""
    if action.unit not in state.units:
        return
    facts = state.facts
    enemy = enemy_of(facts.units[action.unit].side)
    if state.is_held(action.to, enemy):
        yield Breach(
            "DZ-5.1i",
            f"{facts.title(action.unit)} moved into {facts.label(action.to)}, held by the enemy",
            Ruling.WARNING,
            pieces=(action.unit,),
            hexes=(action.to,),
        )

"""Rule 6: who controls an objective, liberation, and garrisons that come back."""

from __future__ import annotations

from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import Side
from builder.rulesets.dropzone.state import State

__all__ = ["controller_of"]


@book.states("DZ-6b")
def controller_of(state: State, objective: str) -> Side | None:
    """Rule 6: the side whose unit or garrison is in the hex; ``None`` if nobody is, or both are."""
    sides = state.held_by.get(state.facts.objectives[objective].hex, frozenset())
    return next(iter(sides)) if len(sides) == 1 else None

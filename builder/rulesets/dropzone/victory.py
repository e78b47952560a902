"""Rule 7, and 10.2 for the Ghost Division: points, sudden death, levels of victory."""

from __future__ import annotations

from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED
from builder.rulesets.dropzone.objectives import controller_of
from builder.rulesets.dropzone.state import State

__all__ = ["counts", "red_points"]

_UNCOUNTED = frozenset({"Draguignan town", "Draguignan village"})


@book.states("DZ-10d")
def counts(state: State, objective: str) -> bool:
    """Rule 10.2: whether an objective counts for points: in Ghost Division Draguignan does not."""
    return state.scenario != "ghost" or objective not in _UNCOUNTED


@book.states("DZ-7e")
def red_points(state: State) -> int:
    """Rule 7: the points of the red objectives under Allied control; Le Muy's star gives none."""
    return sum(
        o.points
        for o in state.facts.objectives.values()
        if o.color == "red" and counts(state, o.name) and controller_of(state, o.name) == ALLIED
    )

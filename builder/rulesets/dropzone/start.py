"""The state before the first action of a scenario: everything where ``counters.csv`` has it."""

from __future__ import annotations

from collections.abc import Iterable

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import GERMAN, Facts
from builder.rulesets.dropzone.sequence import FIRST_ORDER
from builder.rulesets.dropzone.state import AssetState, GarrisonState, State, UnitState

__all__ = ["start_state"]


@book.states("DZ-10c")
def start_state(
    facts: Facts, scenario: str, *, roster: Iterable[tuple[str, tuple[str, ...]]] = ()
) -> State:
    """Return the first state: set-up done as far as data can do it, the drop still to come.

    Rule 10: a scenario is a name in the state; but for points and levels nothing asks for it.
    """
    return State(
        facts=facts,
        scenario=scenario,
        chits=FIRST_ORDER,
        units={
            key: UnitState(
                place=unit.start,
                steps=unit.steps,
                hidden=bool(unit.serial) and not isinstance(unit.start, Hex),
            )
            for key, unit in facts.units.items()
        },
        garrisons={
            key: GarrisonState(GERMAN, garrison.german_steps)
            for key, garrison in facts.garrisons.items()
        },
        assets={
            key: AssetState("POOL" if asset.turn < 4 else "LATE")
            for key, asset in facts.assets.items()
        },
        roster=dict(roster),
    )

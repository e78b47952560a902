"""How the program's players land on turn 3 (rule 4.2.4): onto the zone, and what that brings."""

from __future__ import annotations

from builder.rulesets.dropzone.actions import Attack, Displace, Join, Land, Lose, Roll
from builder.rulesets.dropzone.candidates_moves import landing_candidates
from builder.rulesets.dropzone.facts import ALLIED
from builder.rulesets.dropzone.playing import PlayTable
from builder.rulesets.dropzone.policy_fight import finish_fight

__all__ = ["land_units"]


def land_units(table: PlayTable) -> None:
    """Land every unit of the active Command that is due, one after the other."""
    for unit in tuple(table.state.command_units(table.state.command)):
        while table.facts.units[unit].lands and not table.state.units[unit].is_on_map:
            if not _land(table, unit):
                break
        _settle(table, unit)


def _land(table: PlayTable, unit: str) -> bool:
    """Make room if need be, and land; tell whether anything was done."""
    options = table.legal(landing_candidates(table.state, unit))
    for kind in (Displace, Land):
        for action in options:
            if isinstance(action, kind):
                table.do(action)
                return True
    return False


def _settle(table: PlayTable, unit: str) -> None:
    """Pay what a landing owes: a step, an attack at once, a direction."""
    owed = table.state.landing.get(unit, "")
    if "loss" in owed.split():
        table.do(Lose(unit, "LAND"))
    if "attack" in table.state.landing.get(unit, "").split():
        place = table.state.hex_of(unit)
        if place is not None and table.try_to(Attack(table.state.attacks + 1, place)):
            table.try_to(Join(table.state.attacks, unit))
            finish_fight(table)
    if table.state.landing.get(unit) == "direction":
        table.do(Roll(ALLIED, "DIR", (str(table.thrower.die()),)))
        for action in table.legal(landing_candidates(table.state, unit)):
            table.do(action)
            break

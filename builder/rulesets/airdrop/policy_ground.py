"""The program's play at landed Sticks: Final Fire, the opening of boxes, and Close Combat."""

from __future__ import annotations

from builder.hexes.measure import distance
from builder.rulesets.airdrop import actions as a
from builder.rulesets.airdrop.contents import is_early
from builder.rulesets.airdrop.ground_play import down_in, point_blank
from builder.rulesets.airdrop.policy_fire import is_firer, reach
from builder.rulesets.airdrop.policy_table import PlayTable, good_order
from builder.rulesets.airdrop.state import MMC

__all__ = ["fight_close", "final_fire", "open_boxes"]


def final_fire(table: PlayTable) -> None:
    """Rule 9.43: TPBF at Sticks among enemies, CC counters for them, other fire from afar."""
    close = point_blank(table.state)
    for h, firers in close.items():
        for unit in firers:
            table.try_to(a.Attack(unit.id, h, "TPBF"))
        for name in down_in(table.state, h):
            table.try_to(a.Mark("CC", name))
    spent = {firer for c in table.state.chutes.values() for firer, _ in c.fired_by}
    landed = [c for c in table.state.chutes.values() if c.status == "LANDED" and not c.is_weapon]
    for unit in tuple(table.state.units.values()):
        if unit.side == table.state.side or unit.id in spent or not is_firer(unit):
            continue
        if unit.where is None or unit.where in close:
            continue
        at, far = unit.where, reach(unit)
        near = [(distance(at, c.where), c.where) for c in landed if c.where is not None]
        near = [(count, h) for count, h in near if 1 <= count <= far]
        if near:
            table.try_to(a.Attack(unit.id, min(near)[1], "FIRE"))


def open_boxes(table: PlayTable) -> None:
    """Rules 9.6, 9.33, 9.7: place the units of landed Sticks, with DM and systems counters."""
    for key, chute in table.state.chutes.items():
        if chute.status != "LANDED" or chute.is_weapon or chute.where is None:
            continue
        units = tuple(u.id for u in table.state.units_of(chute.letter))
        table.try_to(a.Open(key, units, chute.where, chute.broken))
    for unit in table.men(table.state.side):
        if unit.broken and unit.stick and ("DM", unit.id) not in table.state.markers:
            table.try_to(a.Mark("DM", unit.id))
        if is_early(table.state) and unit.kind in MMC and unit.stick and not unit.partially_armed:
            table.try_to(a.Mark("SYSTEMS", unit.id))


def fight_close(table: PlayTable) -> None:
    """Rule 9.1: who shares a hex with enemies attacks them in the CCPh, also just dropped."""
    side = table.state.side
    for unit in table.men(side):
        if unit.where is None or not good_order(unit):
            continue
        if table.state.enemies_in(unit.where):
            table.try_to(a.Attack(unit.id, unit.where, "CC"))

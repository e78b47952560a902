"""The program plays a drop: its whole player turn by both sides, and the turns that follow.

Every action goes by the rules first: what they forbid is not done, and is kept in ``refused``.
"""

from __future__ import annotations

from builder.rulesets.airdrop.policy_fire import first_fire
from builder.rulesets.airdrop.policy_ground import fight_close, final_fire, open_boxes
from builder.rulesets.airdrop.policy_landing import adjust_all, check_all, land_all
from builder.rulesets.airdrop.policy_plan import drift_all, place_wings, plan
from builder.rulesets.airdrop.policy_table import PlayTable
from builder.rulesets.airdrop.policy_turns import play_turn

__all__ = ["PlayTable", "play_drop"]


def play_drop(table: PlayTable, turns: int = 2) -> None:
    """Play the drop's player turn from set-up on, and ``turns`` more game turns of both sides."""
    side, first = table.state.side, table.state.turn
    other = "Defender" if side == "Attacker" else "Attacker"
    plans = plan(table)
    table.phase("RPh")
    place_wings(table, plans)
    table.phase("PFPh")
    table.phase("DRIFT")
    drift_all(table)
    table.phase("FIRSTFIRE")
    first_fire(table)
    table.phase("ADJUST")
    adjust_all(table)
    table.phase("LAND")
    land_all(table)
    table.phase("CHECKS")
    check_all(table)
    table.phase("DFPh")
    final_fire(table)
    table.phase("AFPh")
    table.phase("RtPh")
    table.phase("APh")
    open_boxes(table)
    table.phase("CCPh")
    fight_close(table)
    play_turn(table, first, other)
    for turn in range(first + 1, first + 1 + turns):
        play_turn(table, turn, side)
        play_turn(table, turn, other)

"""The program's players: they play a whole game, or one Command's activation, by the rules.

The solitaire card of the game is not part of the rulebook; these players stand in for it and are
no copy of it. They take objectives, attack at good odds, use assets, replacement points and
Regroup. What they may do is asked of the rules: an action that a rule forbids is never taken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from builder.hexes.measure import distance
from builder.rulesets.dropzone.actions import (
    BuyGarrison,
    Chit,
    DrawUnit,
    Drop,
    Liberate,
    Lose,
    Receive,
    Return,
    Use,
)
from builder.rulesets.dropzone.candidates_flow import (
    chit_candidates,
    draw_candidates,
    draw_unit_candidates,
    drop_candidates,
    drop_target,
    first_asset_candidates,
    next_phase,
    pool_late,
    receive_candidates,
    return_chits,
)
from builder.rulesets.dropzone.candidates_points import (
    buy_garrison_candidates,
    declare_candidates,
    gain_candidates,
    regroup_use_candidates,
    return_candidates,
    vp_candidates,
)
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.landing_play import land_units
from builder.rulesets.dropzone.liberation import duties
from builder.rulesets.dropzone.playing import PlayTable
from builder.rulesets.dropzone.policy_fight import fight_command
from builder.rulesets.dropzone.policy_move import move_command
from builder.rulesets.dropzone.policy_plan import objective_worth
from builder.rulesets.dropzone.sequence import SIDE_OF

__all__ = ["play_activation", "play_game", "play_step"]

_MOST_STEPS: Final = 400
"""More steps of the sequence than a game has: what stops a fault from running for ever."""


def play_game(table: PlayTable) -> None:
    """Play from the table's state to the end of the game."""
    for _ in range(_MOST_STEPS):
        play_step(table)
        if table.state.result:
            return
        phase = next_phase(table.state)
        if phase is None:
            return
        table.do(phase)


def play_activation(table: PlayTable, command: str) -> None:
    """Play one Command's activation, from the next step that belongs to it to its end."""
    for _ in range(_MOST_STEPS):
        phase = next_phase(table.state)
        if table.state.command == command:
            play_step(table)
            phase = next_phase(table.state)
        elif table.state.step == "INIT" and command not in table.state.done:
            table.do(Chit(command, "fixed" if table.state.turn == 1 else "draw"))
            continue
        else:
            return
        if phase is None or phase.step in ("INIT", "ENDTURN"):
            return
        table.do(phase)


def play_step(table: PlayTable) -> None:
    """Do what belongs to the step of the sequence that the table is in."""
    steps: dict[str, Callable[[PlayTable], None]] = {
        "SETUP": _drop,
        "ASSETDRAW": _draw_assets,
        "INIT": _initiative,
        "RP": _points,
        "RU": _reinforce,
        "LAND": land_units,
        "MOVE": _move,
        "COMBAT": _fight,
        "ENDACT": _end_activation,
        "ENDTURN": _end_turn,
    }
    steps[table.state.step](table)


def _drop(table: PlayTable) -> None:
    for unit in tuple(drop_candidates(table.state)):
        white, red = table.thrower.die(), table.thrower.die()
        table.do(Drop(unit, white, red, drop_target(table.state, unit, white, red)))


def _draw_assets(table: PlayTable) -> None:
    while True:
        draws = table.legal(draw_candidates(table.state))
        if not draws:
            return
        table.do(table.thrower.draw(draws))


def _initiative(table: PlayTable) -> None:
    """Play an Initiative asset if it is worth it, else draw a chit."""
    for use in table.legal(first_asset_candidates(table.state)):
        assert isinstance(use, Use), "that is what Initiative assets do"
        if use.command == "517PRCT" and table.thrower.mood() < 0.5:
            table.do(use)
            table.do(Chit(use.command, "asset"))
            return
    chits = table.legal(chit_candidates(table.state))
    if chits:
        table.do(table.thrower.draw(chits))


def _points(table: PlayTable) -> None:
    """Spend replacement points: bring units back first, then the units nearest to a fight."""
    command = table.state.command
    if SIDE_OF.get(command) == GERMAN:
        wanted = sum(
            u.steps < table.facts.units[k].steps
            for k, u in table.state.units.items()
            if table.facts.units[k].command == command and u.is_on_map
        )
        uses = table.legal(regroup_use_candidates(table.state)) if wanted >= 2 else []
        if not uses:
            return
        table.do(uses[0])
    _spend(table, command)


def _spend(table: PlayTable, command: str) -> None:
    while True:
        state = table.state
        units = tuple(state.command_units(command))
        if SIDE_OF.get(command) == ALLIED:
            back = table.legal(a for k in units for a in return_candidates(state, k))
            if back:
                table.do(min(back, key=lambda a: _farness(table, a)))
                continue
        gains = table.legal(a for k in units for a in gain_candidates(state, k))
        if SIDE_OF.get(command) == GERMAN:
            bought = [
                a
                for a in table.legal(buy_garrison_candidates(state))
                if isinstance(a, BuyGarrison) and a.pay == "REGROUP"
            ]
            garrisons = state.facts.garrisons
            best = max(
                bought,
                key=lambda a: (
                    objective_worth(state, garrisons[a.garrison].hex, GERMAN),
                    a.garrison,
                ),
                default=None,
            )
            if best is not None:
                table.do(best)
                continue
        if not gains:
            return
        table.do(max(gains, key=lambda a: (table.facts.units[a.unit].steps, a.unit)))


def _farness(table: PlayTable, action: Return) -> float:
    """Return how far a place is from what the enemy holds."""
    state = table.state
    goals = [o.hex for o in state.facts.objectives.values() if state.is_held(o.hex, GERMAN)]
    if isinstance(action.to, str) or not goals:
        return 99.0
    return float(min(distance(action.to, g) for g in goals))


def _reinforce(table: PlayTable) -> None:
    """Draw random units, and lay what is due beside the area nearest to a goal."""
    while True:
        draws = table.legal(draw_unit_candidates(table.state))
        if not draws:
            break
        drawn = table.thrower.draw(draws)
        assert isinstance(drawn, DrawUnit), "that is what is offered"
        table.do(drawn)
    for unit in tuple(table.state.command_units(table.state.command)):
        choices = [
            a for a in table.legal(receive_candidates(table.state, unit)) if isinstance(a, Receive)
        ]
        if choices:
            table.do(min(choices, key=lambda a: (_area_farness(table, a.area), a.area)))


def _area_farness(table: PlayTable, area: str) -> float:
    """Return how far an entry area is from what its side wants to take, or has to hold."""
    state = table.state
    side = SIDE_OF.get(state.command, ALLIED)
    hexes = state.facts.entries.get(area, ())
    if side == ALLIED:
        wanted = [o.hex for o in state.facts.objectives.values() if not state.is_held(o.hex, side)]
        return min((distance(h, g) for h in hexes for g in wanted), default=99)
    return -sum(
        objective_worth(state, o.hex, side)
        / (2 + min((distance(h, o.hex) for h in hexes), default=99))
        for o in state.facts.objectives.values()
    )


def _pay_for_garrisons(table: PlayTable) -> None:
    """Let German infantry in an objective give a step for its garrison, which holds it alone."""
    for offer in table.legal(buy_garrison_candidates(table.state)):
        if isinstance(offer, Lose) and table.try_to(offer):
            for back in table.legal(buy_garrison_candidates(table.state)):
                table.do(back)


def _move(table: PlayTable) -> None:
    _pay_for_garrisons(table)
    move_command(table, table.state.command)


def _fight(table: PlayTable) -> None:
    fight_command(table, table.state.command)


def _end_activation(table: PlayTable) -> None:
    """Spend what Regroup has left, and let the FFI take what was left empty."""
    if SIDE_OF.get(table.state.command) == GERMAN:
        _pay_for_garrisons(table)
        _spend(table, table.state.command)
    for duty in duties(table.state):
        table.do(Liberate(duty.garrison, duty.cause))


def _end_turn(table: PlayTable) -> None:
    for action in table.legal(vp_candidates(table.state)):
        table.do(action)
    for result in table.legal(declare_candidates(table.state)):
        table.do(result)
        return
    back = return_chits(table.state)
    if back is not None:
        table.do(back)
    late = pool_late(table.state)
    if late is not None:
        table.do(late)

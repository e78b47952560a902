"""How the program's players fight: which attacks, which assets, who takes the losses, who advances.

Both sides of an attack are played here; what a player cannot know (a hidden unit, the enemy's
hand) is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.actions import (
    Action,
    Attack,
    Commit,
    Join,
    Liberate,
    Reveal,
    Roll,
    Use,
)
from builder.rulesets.dropzone.candidates_combat import (
    advance_candidates,
    attack_targets,
    discard_candidates,
    interdiction_candidates,
    loss_candidates,
    losses_owed,
    owed_rolls,
    reveal_duties,
)
from builder.rulesets.dropzone.facts import ALLIED, FACES, GERMAN, Side, Target, enemy_of
from builder.rulesets.dropzone.liberation import duties
from builder.rulesets.dropzone.odds import chance_of_hit
from builder.rulesets.dropzone.playing import PlayTable
from builder.rulesets.dropzone.policy_plan import (
    Prospect,
    objective_worth,
    step_worth,
    worth_of_attack,
)
from builder.rulesets.dropzone.state import Fight, State

__all__ = ["fight_command", "finish_fight", "settle_losses"]

_LEAST_WORTH: Final = 0.12
_FIRE: Final = ("INDIRECT", "AIRSTRIKE", "ANTITANK")


def fight_command(table: PlayTable, command: str) -> None:
    """Make the attacks of a Command in its combat step, best first, and air strikes at the end."""
    side = table.facts.side_of_command(command) or GERMAN
    tried: set[tuple[Hex, tuple[str, ...]]] = set()
    while True:
        prospects = list(_prospects(table.state, command, side))
        prospects = [p for p in prospects if (p.target, p.attackers) not in tried]
        best = max(prospects, key=lambda p: (p.worth, p.target), default=None)
        if best is None or best.worth < _LEAST_WORTH:
            break
        tried.add((best.target, best.attackers))
        _attack(table, best, side)
    if side == ALLIED:
        _interdict(table)


def _prospects(state: State, command: str, side: Side) -> Iterator[Prospect]:
    spent = state.attacked | set(state.fight.attackers if state.fight else ())
    for target in attack_targets(state):
        around = set(state.facts.ground.neighbors_of[target])
        group = [
            (k, h)
            for k in state.command_units(command)
            if k not in spent and (h := state.hex_of(k)) is not None and h in around
        ]
        if group:
            yield worth_of_attack(state, target, group, side)


def _attack(table: PlayTable, prospect: Prospect, side: Side) -> None:
    n = table.state.attacks + 1
    if not table.try_to(Attack(n, prospect.target)):
        return
    joined = [k for k in prospect.attackers if table.try_to(Join(n, k))]
    if not joined:
        return
    if side == ALLIED and prospect.odds.win < 0.75:
        _coordinate(table, n, prospect.target)
    _assets(table, n, side, prospect)
    finish_fight(table)


def _hand(table: PlayTable, side: Side, kinds: tuple[str, ...]) -> list[str]:
    state = table.state
    return [
        k
        for k, a in state.assets.items()
        if a.place == "HAND"
        and state.facts.assets[k].side == side
        and state.facts.assets[k].kind in kinds
    ]


def _coordinate(table: PlayTable, n: int, target: Hex) -> None:
    """Bring in units of the other Allied Command, if enough of them stand next to the target."""
    state = table.state
    hand = _hand(table, ALLIED, ("COORDINATED",))
    around = state.facts.ground.neighbors_of[target]
    others = [
        k
        for h in around
        for k in state.units_at.get(h, ())
        if state.facts.units[k].side == ALLIED and state.facts.units[k].command != state.command
    ]
    if not hand or len(others) < 2:
        return
    commit, use = Commit(ALLIED, n, hand[0]), Use(hand[0], "JOIN", n)
    if not table.is_legal(commit):
        return
    table.do(commit)
    if table.try_to(use):
        for key in others:
            table.try_to(Join(n, key))


def _assets(table: PlayTable, n: int, side: Side, prospect: Prospect) -> None:
    """Lay assets face down, the attacker first, and turn both."""
    plans = []
    for who in (side, enemy_of(side)):
        plan = _asset_of(table, who, prospect, is_attacker=who == side)
        if plan is not None:
            asset, mode = plan
            if table.try_to(Commit(who, n, asset)):
                plans.append(Use(asset, mode, n))
    for use in plans:
        table.try_to(use)


def _asset_of(
    table: PlayTable, side: Side, prospect: Prospect, *, is_attacker: bool
) -> tuple[str, str] | None:
    """Return an asset and its mode if it is worth one."""
    state = table.state
    stake = objective_worth(state, prospect.target, side)
    hand = _hand(table, side, _FIRE)
    # a hand that fills up is no use after the last turn
    eager = 0.25 * len(hand) + 0.3 * max(0, state.turn - 3)
    need = (1 - prospect.odds.win) if is_attacker else prospect.odds.win
    if not hand or need * (0.5 + stake) + eager < 1.0:
        return None
    fight = state.fight
    if fight is None:
        return None
    best: tuple[float, str, str] | None = None
    for asset in hand:
        facts = state.facts.assets[asset]
        for mode, dice in (("IF", facts.if_value), ("AT", facts.at_value)):
            merit = dice * _chance(state, fight, side, mode)
            probe = Use(asset, mode, fight.n)
            if merit > 0.3 and (best is None or merit > best[0]) and table.is_legal(probe):
                best = (merit, asset, mode)
    return None if best is None else best[1:]


def _chance(state: State, fight: Fight, side: Side, mode: str) -> float:
    """Return the chance that a die of fire scores on any of the other side's pieces."""
    die = state.facts.dice[side]
    enemy = enemy_of(side)
    pieces = (
        fight.attackers
        if side != fight.side
        else tuple(p.id for p in state.pieces_at(fight.target) if p.side == enemy)
    )
    units = [state.facts.units[k] for k in pieces if k in state.facts.units]
    if mode == "AT":
        return chance_of_hit(state.facts, side, "armor") if any(u.is_armor for u in units) else 0.0
    targets: set[Target] = {u.target for u in units}
    if not targets:
        targets = {"german_inf" if enemy == GERMAN else "ffi"}
    scores = frozenset[str]().union(*(FACES[t] for t in targets))
    return sum(face in scores for face in die) / len(die)


def finish_fight(table: PlayTable) -> None:
    """Reveal, roll, lose, advance and liberate, until the attack is over."""
    for key in reveal_duties(table.state):
        fight = table.state.fight
        side = table.facts.units[key].side
        cause = "ATTACK" if fight is not None and side == fight.side else "DEFEND"
        table.do(Reveal(key, cause))
    while True:
        owed = owed_rolls(table.state)
        fire_is_open = losses_owed(table.state) and (
            not owed or (owed[0][1] in ("COMBAT", "LAND") and not _combat_begun(table.state))
        )
        if fire_is_open:
            settle_losses(table)
        elif owed:
            side, kind, count = owed[0]
            n = table.state.fight.n if table.state.fight else 0
            table.do(Roll(side, kind, table.roll(side, count), n))
        else:
            break
    settle_losses(table)
    _advance(table)
    for duty in duties(table.state):
        table.do(Liberate(duty.garrison, duty.cause))
    for discard in tuple(discard_candidates(table.state)):
        table.do(discard)


def _combat_begun(state: State) -> bool:
    return state.fight is not None and state.fight.strength is not None


def settle_losses(table: PlayTable) -> None:
    """Take what the dice have scored, each owner from what he needs least."""
    while True:
        losses = list(loss_candidates(table.state))
        if not losses:
            return
        state = table.state
        best = min(losses, key=lambda a: (step_worth(state, a.unit), a.unit))
        table.do(best)


def _advance(table: PlayTable) -> None:
    """Go into an emptied hex if it is worth more than where the unit stands."""
    state = table.state
    best: tuple[float, Action] | None = None
    for action in advance_candidates(state):
        here = state.hex_of(action.unit)
        side = state.facts.units[action.unit].side
        gain = objective_worth(state, action.to, side)
        if side == GERMAN and here is not None and here not in state.garrison_at:
            gain -= objective_worth(state, here, side)
        gain += 0.1 * state.units[action.unit].steps
        if gain > 0.3 and (best is None or gain > best[0]):
            best = (gain, action)
    if best is not None:
        table.try_to(best[1])


def _interdict(table: PlayTable) -> None:
    """Spend air strikes on Germans in the open, late or when there are many."""
    while True:
        state = table.state
        hand = _hand(table, ALLIED, ("AIRSTRIKE",))
        if not hand or (len(hand) < 2 and state.turn < 5):
            return
        if not _strike(table, [u for u in interdiction_candidates(state) if u.asset in hand]):
            return


def _strike(table: PlayTable, uses: list[Use]) -> bool:
    """Interdict with the use that promises most; tell whether it was done."""
    state = table.state

    def promise(use: Use) -> tuple[float, str]:
        facts = state.facts.assets[use.asset]
        there = state.units_at.get(use.target, ()) if use.target is not None else ()
        is_armor = any(state.facts.units[k].is_armor for k in there)
        dice = facts.at_value if use.mode == "INTERDICT_AT" else facts.if_value
        # anti-tank fire does nothing to infantry, other fire little to armor
        fits = is_armor == (use.mode == "INTERDICT_AT")
        return (dice if fits else 0.0, f"{use.asset} {use.target} {use.mode}")

    n = state.attacks + 1
    for use in sorted(uses, key=promise, reverse=True):
        if use.target is None or promise(use)[0] <= 0:
            continue
        if table.try_to(Attack(n, use.target)):
            table.try_to(Commit(ALLIED, n, use.asset))
            if table.try_to(Use(use.asset, use.mode, n, use.target)):
                finish_fight(table)
                return True
            return False
    return False

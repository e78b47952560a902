"""What may be done next in combat (rule 5.2): for players, for reports, and for self-play.

What is offered is meant to be legal; the rules judge it all the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.actions import (
    Advance,
    Attack,
    Commit,
    Discard,
    Join,
    Lose,
    Reveal,
    Use,
)
from builder.rulesets.dropzone.advance import may_advance
from builder.rulesets.dropzone.attack import attack_targets, can_reach, reaching
from builder.rulesets.dropzone.combat_assets import coordinates, why_no_asset
from builder.rulesets.dropzone.combat_dice import DiceCount, dice_of, missing_rolls
from builder.rulesets.dropzone.facts import ALLIED, Side, enemy_of
from builder.rulesets.dropzone.hidden import due_reveals
from builder.rulesets.dropzone.hits import legal_losses, losses_owed
from builder.rulesets.dropzone.interdiction import interdiction_targets
from builder.rulesets.dropzone.participants import (
    FIRE,
    FIRE_ASSETS,
    hex_emptied,
    is_over,
    participants,
    pending_fire,
    printed_dice,
    spent_units,
    targets_of,
    uses_of,
)
from builder.rulesets.dropzone.sequence import COMMANDS_OF
from builder.rulesets.dropzone.state import Fight, State

__all__ = [
    "AttackSet",
    "DiceCount",
    "OwedRoll",
    "advance_candidates",
    "attack_candidates",
    "attack_sets",
    "attack_targets",
    "commit_candidates",
    "dice_of",
    "discard_candidates",
    "hex_emptied",
    "interdiction_candidates",
    "is_unfinished",
    "join_candidates",
    "loss_candidates",
    "losses_owed",
    "owed_rolls",
    "reveal_candidates",
    "reveal_duties",
    "use_candidates",
]


class OwedRoll(NamedTuple):
    """Dice that must be thrown: by whom, of what kind, how many."""

    side: Side
    kind: str
    dice: int


class AttackSet(NamedTuple):
    """A hex and units that might attack it together."""

    target: Hex
    units: tuple[str, ...]


# --------------------------------------------------------------------------------- who attacks


def is_unfinished(state: State) -> bool:
    """Tell whether dice or losses of the attack that goes on are still owed once it has begun."""
    fight = state.fight
    if fight is None or not fight.has_dice or is_over(fight):
        return False
    return losses_owed(state) or bool(owed_rolls(state))


def attack_candidates(state: State) -> Iterator[Attack]:
    """Yield an announcement for each hex that the active Command can attack now."""
    if state.step not in ("COMBAT", "LAND") or is_unfinished(state):
        return
    for target in attack_targets(state):
        yield Attack(state.attacks + 1, target)


def join_candidates(state: State, unit: str) -> Iterator[Join]:
    """Yield the joining of a unit to the attack that was announced, if it may take part."""
    fight = state.fight
    if fight is None or fight.has_dice or fight.kind == "interdiction":
        return
    facts = state.facts.units.get(unit)
    if facts is None or facts.side != fight.side or unit in fight.attackers:
        return
    mine = facts.command == state.command
    others = fight.side == ALLIED and fight.kind == "attack" and coordinates(fight)
    if unit not in state.attacked and (mine or others) and can_reach(state, unit, fight.target):
        yield Join(fight.n, unit)


def attack_sets(state: State, *, coordinated: bool = False) -> Iterator[AttackSet]:
    """Yield every set of units that can make one attack together, by target and size.

    With a Coordinated Attack the other Allied Command's units count too, beside at least one of
    the active Command's.
    """
    side = state.side
    if side is None:
        return
    others = tuple(c for c in COMMANDS_OF[side] if c != state.command)
    spent = spent_units(state)
    for target in attack_targets(state):
        own = [k for k in reaching(state, target, (state.command,)) if k not in spent]
        more: list[str] = []
        if coordinated and side == ALLIED and state.step != "LAND":
            more = [k for k in reaching(state, target, others) if k not in spent]
        for size in range(1, len(own) + len(more) + 1):
            for units in combinations((*own, *more), size):
                if units[0] in own:
                    yield AttackSet(target, units)


# -------------------------------------------------------------------------------------- assets


def _in_hand(state: State, side: Side, *places: str) -> Iterator[str]:
    for key, asset in state.assets.items():
        if asset.place in places and not asset.used and state.facts.assets[key].side == side:
            yield key


def _is_open(fight: Fight | None) -> bool:
    return fight is not None and fight.kind == "attack" and not fight.has_dice


def commit_candidates(state: State, side: Side) -> Iterator[Commit]:
    """Yield each asset in a side's hand that it may lay face down for the attack.

    No Coordinated Attack to FFI alone: it helps them only if a unit that is not FFI then joins.
    """
    fight = state.fight
    if fight is None or not _is_open(fight) or not fight.attackers:
        return
    enemy = enemy_of(side)
    if side == fight.side and any(s == enemy for s, _ in fight.committed):
        return
    laid = [a for s, a in fight.committed if s == side]
    kinds = [state.facts.assets[a].kind for a in laid if a in state.facts.assets]
    has_fire = any(k in FIRE_ASSETS for k in kinds) or bool(uses_of(fight, side)) or "" in laid
    helps = not why_no_asset(state, side)[0]
    may: tuple[str, ...] = FIRE_ASSETS if helps and not has_fire else ()
    is_new = "COORDINATED" not in kinds and not coordinates(fight)
    if helps and is_new and side == fight.side == ALLIED:
        may = (*may, "COORDINATED")
    for key in _in_hand(state, side, "HAND"):
        if state.facts.assets[key].kind in may:
            yield Commit(side, fight.n, key)


def use_candidates(state: State, side: Side) -> Iterator[Use]:
    """Yield the ways in which a side may turn the assets that it laid down, by mode.

    A Coordinated Attack may be turned at once; fire needs targets, anti-tank fire enemy armor.
    """
    fight = state.fight
    if fight is None or not _is_open(fight):
        return
    facts = state.facts
    targets = participants(state, fight, enemy_of(side))
    has_armor = any(k in facts.units and facts.units[k].is_armor for k in targets)
    for _, key in (c for c in fight.committed if c[0] == side):
        asset = facts.assets.get(key)
        if asset is None or state.assets[key].used:
            continue
        if asset.kind == "COORDINATED" and side == fight.side == ALLIED:
            yield Use(key, "JOIN", fight.n)
        elif asset.kind in FIRE_ASSETS and targets:
            if asset.if_value:
                yield Use(key, "IF", fight.n)
            if asset.at_value and has_armor:
                yield Use(key, "AT", fight.n)


def interdiction_candidates(state: State) -> Iterator[Use]:
    """Yield every Air Strike of the Allied hand against every German unit in the open."""
    if state.side != ALLIED or state.step != "COMBAT" or is_unfinished(state):
        return
    targets = interdiction_targets(state)
    for key in _in_hand(state, ALLIED, "HAND"):
        asset = state.facts.assets[key]
        if asset.kind != "AIRSTRIKE":
            continue
        for target in targets:
            units = state.units_at.get(target, ())
            yield Use(key, "INTERDICT_IF", state.attacks + 1, target)
            if asset.at_value and any(state.facts.units[k].is_armor for k in units):
                yield Use(key, "INTERDICT_AT", state.attacks + 1, target)


def discard_candidates(state: State) -> Iterator[Discard]:
    """Yield each used asset that still lies on the table, once its fight is over."""
    if is_unfinished(state):
        return
    for key, asset in state.assets.items():
        if asset.place == "USED":
            yield Discard(key)


# ------------------------------------------------------------------------------ dice and losses


def reveal_duties(state: State) -> tuple[str, ...]:
    """Return the hidden units that must be revealed now: before dice fall, or for a step gained."""
    return due_reveals(state)


def reveal_candidates(state: State) -> Iterator[Reveal]:
    """Yield the revealing of each unit that is due, with its cause."""
    fight = state.fight
    for key in due_reveals(state):
        if fight is not None and key in fight.attackers:
            yield Reveal(key, "ATTACK")
        elif fight is not None and state.hex_of(key) == fight.target:
            yield Reveal(key, "DEFEND")
        else:
            yield Reveal(key, "RP")


def owed_rolls(state: State) -> tuple[OwedRoll, ...]:
    """Return the dice that must be thrown next: all fire first, then, its hits taken, combat.

    Nothing for a side without dice or without anybody left to hit.
    """
    fight = state.fight
    if fight is None or is_over(fight):
        return ()
    if fight.kind != "interdiction" and not fight.attackers:
        return ()
    if fight.strength is None:
        fire = tuple(
            OwedRoll(u.side, FIRE[u.mode], printed_dice(state.facts.assets[u.asset], FIRE[u.mode]))
            for u in pending_fire(fight)
            if targets_of(state, fight, u.side)
        )
        if fire or losses_owed(state, "IF", "AT"):
            return tuple(r for r in fire if r.dice)
    kind = "LAND" if fight.kind == "landing" else "COMBAT"
    return tuple(OwedRoll(side, kind, dice_of(state, side).n) for side in missing_rolls(state))


def loss_candidates(state: State) -> Iterator[Lose]:
    """Yield the losses of which one comes next, for both sides; nothing if none is owed."""
    number = state.fight.n if state.fight is not None else 0
    return (Lose(piece, cause, number) for piece, cause in legal_losses(state))


def advance_candidates(state: State) -> Iterator[Advance]:
    """Yield the advance of each attacker that may go in, once all hits are taken."""
    fight = state.fight
    if fight is None or is_unfinished(state):
        return
    for key in may_advance(state):
        yield Advance(key, fight.target, fight.n)

"""What the program's players want: the worth of a hex, of a step, and of an attack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from builder.hexes.grid import Hex
from builder.hexes.measure import distance
from builder.rulesets.dropzone.facts import ALLIED, Side, Target, enemy_of
from builder.rulesets.dropzone.odds import Odds, at_least, chance_of_hit, terrain_change
from builder.rulesets.dropzone.policy_style import STYLES, Style
from builder.rulesets.dropzone.state import Piece, State
from builder.rulesets.dropzone.victory import counts

__all__ = ["Prospect", "danger", "objective_worth", "odds_of", "step_worth", "worth_of_attack"]


def objective_worth(state: State, h: Hex, side: Side) -> float:
    """Return what holding a hex is worth to a side, in points; 0 for a hex without objective."""
    key = state.facts.garrison_at.get(h)
    if key is None:
        return 0.0
    objective = state.facts.objectives[state.facts.garrisons[key].objective]
    style = STYLES[side]
    if objective.is_star:
        # Le Muy gives no points, but decides the game (rule 7)
        return style.star
    worth = float(objective.points) if counts(state, objective.name) else 0.2
    if objective.color == "yellow":
        return worth * style.yellow
    # red points are written down after turn 3, and lost again by losing the hex afterwards
    return worth * style.red + _urgency(state, style) if state.turn <= 3 else worth


def _urgency(state: State, style: Style) -> float:
    """Return what a red objective is worth for sudden death, to bring it about or to prevent it."""
    left = sum(
        not state.is_held(o.hex, ALLIED)
        for o in state.facts.objectives.values()
        if o.color == "red"
    )
    return style.sudden / max(left, 1) if left <= 3 else 0.0


def step_worth(state: State, piece: str) -> float:
    """Return what the next step of a unit or garrison is worth: the last one most."""
    unit = state.facts.units.get(piece)
    if unit is None:
        return 0.4
    steps = state.units[piece].steps
    worth = 0.5 if unit.is_ffi else 0.9 if unit.is_armor else 0.75
    return worth * (1.5 if steps == 1 else 0.8)


@dataclass(frozen=True, slots=True)
class Prospect:
    """An attack that might be made: on a hex, by units, and what it promises."""

    target: Hex
    attackers: tuple[str, ...]
    odds: Odds
    worth: float


def odds_of(state: State, target: Hex, attackers: Sequence[tuple[str, Hex]], side: Side) -> Odds:
    """Return the odds of an attack by units that stand, or will stand, in given hexes."""
    facts = state.facts
    defenders = [p for p in state.pieces_at(target) if p.side != side]
    attack, defense = terrain_change(state, target, [h for _, h in attackers])
    attack += sum(facts.units[k].dice(state.units[k].steps) for k, _ in attackers)
    defense += sum(_dice(state, p) for p in defenders)
    attack, defense = max(attack, 0), max(defense, 0)
    steps = sum(p.steps for p in defenders)
    if not defenders:
        return Odds(1.0, 0.0, 0.0)
    hit = min(chance_of_hit(facts, side, _target(state, p)) if p.steps else 1.0 for p in defenders)
    enemy = enemy_of(side)
    back = [chance_of_hit(facts, enemy, facts.units[k].target) for k, _ in attackers]
    own = defense * (sum(back) / len(back) if back else 0.0)
    return Odds(at_least(steps, attack, hit), min(attack * hit, steps), own)


def _dice(state: State, piece: Piece) -> int:
    return piece.steps if piece.is_garrison else state.facts.units[piece.id].dice(piece.steps)


def _target(state: State, piece: Piece) -> Target:
    facts = state.facts
    if piece.is_garrison:
        return facts.garrisons[piece.id].target(piece.side)
    return facts.units[piece.id].target


def worth_of_attack(
    state: State, target: Hex, attackers: Sequence[tuple[str, Hex]], side: Side
) -> Prospect:
    """Return an attack with what it is worth: the hex if it is won, and steps on both sides."""
    odds = odds_of(state, target, attackers, side)
    enemies = [p for p in state.pieces_at(target) if p.side != side]
    kill = sum(step_worth(state, p.id) for p in enemies) / max(1, len(enemies))
    lost = sum(step_worth(state, k) for k, _ in attackers) / max(1, len(attackers))
    style = STYLES[side]
    worth = odds.win * (style.win + objective_worth(state, target, side))
    worth += style.kill * odds.enemy_loss * kill - 0.6 * odds.own_loss * lost
    return Prospect(target, tuple(k for k, _ in attackers), odds, worth)


def danger(state: State, h: Hex, side: Side, enemies: Iterable[tuple[str, Hex]]) -> float:
    """Return how much of the enemy is about a hex: dice of its units, less by the distance."""
    return sum(
        state.facts.units[k].dice(state.units[k].steps) / (1 + distance(h, place))
        for k, place in enemies
        if distance(h, place) <= 5
    )

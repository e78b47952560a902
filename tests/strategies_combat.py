"""Strategies for attacks: a target with its defender, attackers around it, assets, and dice."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from hypothesis import strategies as st
from strategies_dropzone import facts

from builder.hexes.grid import Hex
from builder.rulesets.dropzone.actions import Action, Liberate, Phase, Roll
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.candidates_combat import (
    advance_candidates,
    attack_candidates,
    commit_candidates,
    discard_candidates,
    interdiction_candidates,
    join_candidates,
    loss_candidates,
    owed_rolls,
    reveal_candidates,
    use_candidates,
)
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, enemy_of
from builder.rulesets.dropzone.liberation import duties
from builder.rulesets.dropzone.position import read_position
from builder.rulesets.dropzone.sequence import COMMANDS, SIDE_OF
from builder.rulesets.dropzone.state import State, UnitState

TARGETS = ("0811", "1410", "1212", "0806", "1714", "1009", "1004", "1612")
"""Hills, villages, towns, headquarters, and open ground, none of them at the edge."""


def _hex(label: str) -> Hex:
    found = facts().sheet.find(label)
    assert found is not None
    return found


@st.composite
def combat_states(draw: st.DrawFn) -> State:
    """Return the combat step of a Command with enemies in a hex and units of both sides about."""
    known = facts()
    command = draw(st.sampled_from(COMMANDS))
    side = SIDE_OF[command]
    state = read_position(known, f"turn {draw(st.integers(2, 6))} COMBAT {command}")
    target = _hex(draw(st.sampled_from(TARGETS)))
    mine = draw(st.permutations(sorted(k for k, u in known.units.items() if u.side == side)))
    active = [k for k in mine if known.units[k].command == command]
    enemies = draw(st.permutations(sorted(k for k, u in known.units.items() if u.side != side)))
    around = draw(st.permutations(known.ground.neighbors_of[target]))
    chosen = draw(st.integers(1, 5))
    attackers = (*active[:2], *(k for k in mine if k not in active[:2]))[:chosen]
    units = dict(state.units)

    def put(key: str, h: Hex) -> None:
        unit = known.units[key]
        hidden = bool(unit.serial) and draw(st.integers(0, 3)) == 0
        units[key] = UnitState(h, draw(st.integers(1, unit.steps)), hidden=hidden)

    for key, h in zip(attackers, around, strict=False):
        put(key, h)
    garrison = known.garrison_at.get(target)
    enemy = enemy_of(side)
    holds = garrison is not None and draw(st.booleans())
    if not holds or draw(st.booleans()):
        put(enemies[0], target)
    if draw(st.booleans()):
        far = draw(st.sampled_from(sorted(known.ground.neighbors_of)))
        if far != target and far not in around:
            put(enemies[1], far)
    state = state.but(units=units)
    if holds and garrison is not None:
        full = known.garrisons[garrison].full_steps(enemy)
        state = state.with_garrison(garrison, enemy, draw(st.integers(1, full)))
    for key in draw(st.sets(st.sampled_from(sorted(known.assets)), max_size=8)):
        state = state.with_asset(key, "HAND", used=False)
    return state


@dataclass
class Scene:
    """A state that goes on with what is drawn, and what was done."""

    draw: st.DrawFn
    state: State
    done: list[Action] = field(default_factory=list)

    def do(self, action: Action) -> None:
        """Take an action."""
        self.done.append(action)
        self.state = applied(self.state, action)

    def any_of(self, offers: Iterable[Action]) -> bool:
        """Take one of some actions; tell whether there was one."""
        known = list(offers)
        if known:
            self.do(self.draw(st.sampled_from(known)))
        return bool(known)

    def announce(self) -> None:
        """Let units join, lay assets down and turn them."""
        keys = [k for k in self.state.units if any(join_candidates(self.state, k))]
        for key in sorted(self.draw(st.sets(st.sampled_from(keys), min_size=1))) if keys else ():
            self.any_of(join_candidates(self.state, key))
        assert self.state.fight is not None
        side = self.state.fight.side
        for who in (side, side, enemy_of(side)):
            if self.draw(st.booleans()):
                self.any_of(commit_candidates(self.state, who))
        for who in (ALLIED, GERMAN):
            while self.any_of(use_candidates(self.state, who)):
                pass
        more = [k for k in self.state.units if any(join_candidates(self.state, k))]
        wants = self.draw(st.booleans())
        if more and wants:
            key = self.draw(st.sampled_from(more))
            self.any_of(join_candidates(self.state, key))

    def fight_out(self) -> None:
        """Reveal, roll, lose, advance and liberate until nothing is owed."""
        for action in list(reveal_candidates(self.state)):
            self.do(action)
        while self._next_dice_or_loss():
            pass
        if self.draw(st.booleans()):
            self.any_of(advance_candidates(self.state))
        for duty in duties(self.state):
            self.do(Liberate(duty.garrison, duty.cause))
        for used in list(discard_candidates(self.state)):
            self.do(used)

    def _next_dice_or_loss(self) -> bool:
        fight = self.state.fight
        assert fight is not None
        rolls = owed_rolls(self.state)
        losses = list(loss_candidates(self.state))
        may_lose = not rolls or (fight.strength is not None and self.draw(st.booleans()))
        if losses and may_lose:
            return self.any_of(losses)
        if rolls:
            roll = rolls[0]
            die = st.sampled_from(facts().dice[roll.side])
            faces = self.draw(st.lists(die, min_size=roll.dice, max_size=roll.dice))
            self.do(Roll(roll.side, roll.kind, tuple(faces), fight.n))
        return bool(rolls)


@st.composite
def fights(draw: st.DrawFn) -> tuple[State, tuple[Action, ...]]:
    """Return a combat step and what players do in it, each time something that is offered."""
    start = draw(combat_states())
    scene = Scene(draw, start)
    for _ in range(draw(st.integers(1, 2))):
        strikes = list(interdiction_candidates(scene.state))
        attacks = list(attack_candidates(scene.state))
        if strikes and (not attacks or draw(st.integers(0, 3)) == 0):
            scene.any_of(strikes)
        elif attacks:
            scene.any_of(attacks)
            scene.announce()
        else:
            break
        scene.fight_out()
    scene.do(Phase(start.turn, "ENDACT", start.command))
    return start, tuple(scene.done)

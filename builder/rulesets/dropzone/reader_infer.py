"""What follows from a log that does not say it: steps of the sequence, causes, attacks.

Players who never touch the turn tracker still activate Commands, move, throw dice and take losses
in the game's order. What is inferred is marked so, and what rests on it is no more than a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from builder.gamebox.events import Place
from builder.hexes.grid import Hex
from builder.rulesets.dropzone.actions import Action, Attack, Chit, Join, Phase
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.candidates_flow import next_phase
from builder.rulesets.dropzone.facts import GERMAN, enemy_of
from builder.rulesets.dropzone.liberation import duties
from builder.rulesets.dropzone.reader_digest import Digest
from builder.rulesets.dropzone.sequence import COMMANDS, FIRST_ORDER, SEQUENCE, SIDE_OF
from builder.rulesets.dropzone.state import State

__all__ = ["Inference", "inferred_cause", "inferred_gain"]

StateNow = Callable[[], State]
_IN_ACTIVATION = ("RP", "RU", "LAND", "MOVE", "COMBAT", "ENDACT")
_FAR = 70
"""More moments than two turns have, chits included."""


def inferred_cause(state: State, key: str) -> str:
    """Return why a piece loses a step, for a log that does not say it; empty if nothing fits."""
    fight, side = state.fight, state.side_of(key)
    if "loss" in state.landing.get(key, "").split():
        return "LAND"
    if fight is not None:
        for volley in fight.volleys:
            if volley.side != side and not volley.is_closed:
                return "COMBAT" if volley.kind == "LAND" else volley.kind
    unit = state.units.get(key)
    if unit is not None and side == GERMAN and unit.hex in state.facts.garrison_at:
        return "GARRISON"
    return ""


def inferred_gain(state: State, key: str) -> str:
    """Return why a unit gains a step, for a log that does not say it; empty if nothing fits."""
    if key not in state.units:
        return ""
    return "REGROUP" if state.facts.units[key].side == GERMAN else "RP"


@dataclass
class Inference:
    """Infers steps of the sequence before what can only happen in them."""

    def before(self, digest: Digest, state: StateNow) -> Iterator[Action]:
        """Yield the steps and announcements that must have come before a step of the log."""
        wanted = _wanted(digest, state())
        if wanted is None:
            return
        step, command = wanted
        yield from _way_to(state(), step, command, has_chit=_has_chit(digest))
        if step == "COMBAT":
            yield from self._attack(digest, state)

    def _attack(self, digest: Digest, state: StateNow) -> Iterator[Action]:
        """Infer whom an attack is on from the first loss: all units beside that hex attack."""
        now = state()
        for key, changes in digest.changes.items():
            h = now.hex_of(key)
            if "Steps" not in changes or h is None or now.side is None:
                continue
            fight = now.fight
            if now.side_of(key) != enemy_of(now.side):
                continue
            if fight is not None and fight.target == h:
                continue
            n = now.attacks + 1
            yield Attack(n, h)
            for unit in now.command_units(now.command):
                place = state().hex_of(unit)
                around = now.facts.ground.neighbors_of.get(h, ())
                if place in around and unit not in now.attacked:
                    yield Join(n, unit)


def _way_to(state: State, step: str, command: str, *, has_chit: bool) -> tuple[Action, ...]:
    """Return the steps and chits that lead to a step of a Command; none if it is too far off.

    At most the rest of a turn and the same moment of the next one are passed over: players who do
    not touch the tracker skip what they have no use for, and no more.
    """
    actions: list[Action] = []
    now = state
    # another turn begins only if something of its own shows it, or when nobody is left to act
    is_bound = step in _IN_ACTIVATION and len(state.done) < SEQUENCE.rounds
    if is_bound and command in state.done and command != state.command:
        return ()
    if is_bound and command == state.command and _comes_before(step, state.step):
        return ()
    for _ in range(_FAR):
        in_init = now.step == "INIT" and len(now.done) < now.moment.round
        is_there = now.step == step and (not command or now.command == command)
        if is_there and (step != "INIT" or in_init):
            return tuple(actions)
        action: Action | None
        if in_init and command and step != "INIT" and not has_chit and command not in now.done:
            is_fixed = now.turn == 1 and command in FIRST_ORDER
            action = Chit(command, "fixed" if is_fixed else "draw")
        else:
            action = next_phase(now)
        if action is None or (is_bound and isinstance(action, Phase) and action.turn > state.turn):
            return ()
        actions.append(action)
        now = applied(now, action)
    return ()


def _comes_before(step: str, other: str) -> bool:
    order = SEQUENCE.round
    return step in order and other in order and order.index(step) < order.index(other)


def _has_chit(digest: Digest) -> bool:
    return any(f"Chit-{c}" in digest.travels for c in COMMANDS) or (
        digest.properties.get("ActiveCmd") in COMMANDS
    )


def _wanted(digest: Digest, state: State) -> tuple[str, str] | None:
    """Return the step, and the Command, in which what a step of the log shows can happen."""
    if "VP" in digest.travels:
        return ("ENDTURN", "")
    if _has_chit(digest):
        back = any(
            f"Chit-{c}" in digest.travels
            and (digest.travels[f"Chit-{c}"].end.deck or "") == "ChitCup"
            for c in COMMANDS
        )
        return ("ENDTURN", "") if back else ("INIT", "")
    for key, travel in digest.travels.items():
        facts = state.facts.units.get(key)
        if facts is not None and state.units[key].steps > 0:
            found = _of_way(state, key, travel.end)
            if found is not None:
                return found
        if key in state.facts.assets and (travel.end.map or "").endswith(" hand"):
            return ("ASSETDRAW", "")
        if key in state.facts.assets and (travel.end.deck or "").startswith("Pool"):
            return ("ENDTURN", "")
    for key, changes in digest.changes.items():
        found = _of_change(digest, state, key, changes)
        if found is not None:
            return found
    return ("COMBAT", state.command) if "AttackNo" in digest.properties and _fights(state) else None


def _fights(state: State) -> bool:
    """Tell whether an attack now is one of the combat step, and not of a landing."""
    return not any("attack" in owed for owed in state.landing.values())


def _of_change(
    digest: Digest, state: State, key: str, changes: Mapping[str, str]
) -> tuple[str, str] | None:
    """Return the step in which a change of a counter can happen."""
    if key.startswith("Dice-") and "Faces" in changes and _fights(state):
        return ("COMBAT", state.command)
    if changes.get("Used") == "1" and key in state.facts.assets:
        mode = changes.get("Mode", "")
        if mode == "RP" or state.facts.assets[key].kind == "REGROUP":
            return ("RP", state.command)
        return None if mode == "FIRST" else ("COMBAT", state.command)
    new = changes.get("Steps", "")
    if key in state.facts.units and new.isdecimal() and int(new) > state.steps_of(key):
        command = state.facts.units[key].command
        if command == state.command and _comes_before("RP", state.step):
            # only the points of a Regroup may be spent at the end
            return ("ENDACT", command) if SIDE_OF[command] == GERMAN else None
        return ("RP", command)
    if key in state.facts.garrisons:
        cause = changes.get("Cause")
        # what is not due at once after an attack comes at the end of an activation
        is_due = any(duty.garrison == key for duty in duties(state))
        if cause == "VACANT" or (cause == "RETURN" and not is_due):
            return ("ENDACT", state.command)
    return None


def _of_way(state: State, key: str, end: Place) -> tuple[str, str] | None:
    facts, unit = state.facts.units[key], state.units[key]
    label = end.label or ""
    to = state.facts.sheet.find(label)
    if to is None:
        if label.startswith("Entry"):
            return ("RU", facts.command)
        if not (facts.is_random and "T" in label):
            return None
        # one cup holds the units of both Commands of a side: the active one draws
        is_ours = SIDE_OF.get(state.command) == facts.side and _may_draw(state)
        return ("RU", state.command if is_ours else facts.command)
    if facts.serial and not isinstance(unit.place, Hex):
        return ("SETUP", "")
    if facts.lands and not isinstance(unit.place, Hex):
        return ("LAND", facts.command)
    fight = state.fight
    if state.step == "COMBAT" and fight is not None and fight.target == to:
        return None
    if unit.place in state.facts.zones.values() and _lands_now(state, facts.side):
        return ("LAND", state.command)
    return ("MOVE", facts.command)


def _may_draw(state: State) -> bool:
    return state.step in ("INIT", "RP", "RU")


def _lands_now(state: State, side: str) -> bool:
    """Tell whether units of the active Command still wait for the daylight landing."""
    if SIDE_OF.get(state.command) != side or state.step not in ("RP", "RU", "LAND"):
        return False
    return any(
        state.facts.units[k].lands
        and state.facts.units[k].turn == state.turn
        and not isinstance(state.units[k].place, Hex)
        for k in state.command_units(state.command)
    )

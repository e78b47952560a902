"""Rule 3: the order of steps, and what is done in a step that it does not belong to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.rules.core import Breach
from builder.rules.turns import Moment
from builder.rulesets.dropzone.actions import (
    Advance,
    Attack,
    Chit,
    DrawUnit,
    Drop,
    Phase,
    Receive,
    ReturnChits,
    Use,
)
from builder.rulesets.dropzone.advance import may_advance
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.sequence import COMMANDS, SEQUENCE, STEPS
from builder.rulesets.dropzone.state import State

__all__ = ["left_out", "moment_of"]

_STEP_OF: Final = {
    Drop: ("SETUP",),
    Chit: ("INIT",),
    DrawUnit: ("RU",),
    Receive: ("RU",),
    Attack: ("COMBAT", "LAND"),
    Advance: ("COMBAT",),
}
"""Where what is done belongs, if no row of its own says so.

Moves, points, Regroup, draws of assets, landings and victory points have such rows; what belongs
to an attack is judged by the announcement of the attack.
"""


def moment_of(state: State, action: Phase) -> Moment:
    """Return the moment that the turn tracker goes to, seen from the present one.

    Within an activation the steps to come are those of the same round, unless another Command is
    named; what the sequence does not have (a fifth activation) comes back as it is.
    """
    turn, step = action.turn, action.step
    if step not in SEQUENCE.round:
        return Moment(turn, 0, step)
    now = state.moment
    if turn != now.turn:
        return Moment(turn, 1, step)
    if now.round == 0:
        # from the opening to the first activation, or back from the end of the turn to the last
        return Moment(turn, max(1, len(state.done)), step)
    if step == "INIT":
        waits = now.step == "INIT" and len(state.done) < now.round
        return Moment(turn, now.round if waits else now.round + 1, step)
    other = bool(action.command and state.command) and action.command != state.command
    return Moment(turn, now.round + other, step)


def left_out(state: State, action: Phase) -> tuple[Moment, ...]:
    """Return the moments that a step of the tracker jumps over.

    Activations of Commands that have no chit yet are not among them: that is judged by rule 3.3.
    """
    end = moment_of(state, action)
    if state.moment not in SEQUENCE or end not in SEQUENCE:
        return ()
    skipped = SEQUENCE.skipped(state.moment, end) or ()
    if end.turn != state.turn or end.step == "ENDTURN":
        begun = len(state.done)
        skipped = tuple(m for m in skipped if m.turn != state.turn or m.round <= begun)
    return skipped


def _arrow(state: State) -> tuple[str, ...]:
    """Return what may follow the present moment, in words."""
    following = SEQUENCE.following(state.moment) if state.moment in SEQUENCE else None
    return (f"turn {following.turn} {following.step}",) if following is not None else ()


@book.rule("DZ-3a", on=Phase)
def order_of_steps(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 3: each step is followed by the next one; a step may be empty, not left out."""
    if state.moment not in SEQUENCE:
        return
    now = f"turn {state.turn} {state.step}"
    then = f"turn {action.turn} {action.step}"
    following = SEQUENCE.following(state.moment)
    if following is not None and (following.turn, following.step) == (action.turn, action.step):
        return
    end = moment_of(state, action)
    if end == state.moment:
        return
    if end not in SEQUENCE:
        if action.step == "INIT" and action.turn == state.turn:
            why = "all four Commands have acted"
        elif action.step in STEPS:
            why = f"turn {action.turn} has no step {action.step}"
        else:
            why = f"there is no step {action.step!r}"
        yield Breach("DZ-3a", f"the tracker went from {now} to {then}: {why}", legal=_arrow(state))
        return
    if SEQUENCE.position(end) < SEQUENCE.position(state.moment):
        yield Breach("DZ-3a", f"the tracker went back from {now} to {then}", legal=_arrow(state))
        return
    skipped = left_out(state, action)
    if not skipped:
        return
    turns = {m.turn for m in skipped}
    names = tuple(
        dict.fromkeys(
            m.step if turns == {state.turn} else f"turn {m.turn} {m.step}" for m in skipped
        )
    )
    told = ", ".join(names[:4]) + (" and more" if len(names) > 4 else "")
    yield Breach(
        "DZ-3a",
        f"the tracker went from {now} to {then} and left {told} out",
        legal=_arrow(state),
    )


@book.rule("DZ-3.3d", on=Phase)
def every_command_acts(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 3.3d: a turn does not end before all four Commands have had their activation."""
    if state.moment.round == 0 and state.step == "ENDTURN":
        return  # it was said when the end of the turn began
    ends = action.turn > state.turn or (action.turn == state.turn and action.step == "ENDTURN")
    missing = tuple(c for c in COMMANDS if c not in state.done)
    if ends and missing:
        verb = "was" if len(missing) == 1 else "were"
        yield Breach(
            "DZ-3.3d",
            f"turn {state.turn} ended, and {', '.join(missing)} {verb} not active in it",
            legal=tuple(f"INIT, then {c}" for c in missing),
        )


@book.rule("DZ-3a", on=(Drop, Chit, DrawUnit, Receive, Attack, Advance))
def outside_of_its_step(
    state: State, action: Drop | Chit | DrawUnit | Receive | Attack | Advance
) -> Iterator[Breach]:
    """Rule 3: what belongs to a step is not done in another one."""
    steps = _STEP_OF[type(action)]
    if state.step in steps:
        return
    facts = state.facts
    match action:
        case Drop(unit=unit):
            what = f"{facts.title(unit)} dropped"
        case Chit(command=command):
            if action.means == "asset" and command == state.named_first:
                return  # the asset was played outside of its step, which was said then
            what = f"the chit of {command} came out"
        case DrawUnit(unit=unit):
            what = f"{facts.title(unit)} was drawn"
        case Receive(unit=unit, area=area):
            what = f"{facts.title(unit)} was put beside area {area}"
        case Attack(target=target):
            what = f"{facts.label(target)} was attacked"
        case Advance(unit=unit, to=to):
            if state.fight is None or to != state.fight.target or unit not in may_advance(state):
                return  # it could not advance at all: said by the row on advances
            what = f"{facts.title(unit)} advanced"
    unit = getattr(action, "unit", "")
    known = action.command in COMMANDS if isinstance(action, Chit) else unit in state.units
    if not known and not isinstance(action, Attack):
        return  # a piece that the rules do not know
    yield Breach(
        "DZ-3a",
        f"{what} in step {state.step}: that belongs to {' or '.join(steps)}",
        pieces=(unit,) if unit else (),
        hexes=(action.target,) if isinstance(action, Attack) else (),
        legal=steps,
    )


@book.rule("DZ-3a", on=Use)
def interdiction_in_combat(state: State, action: Use) -> Iterator[Breach]:
    """Rule 3: an interdiction stands in for an attack, and belongs where attacks belong."""
    if not action.mode.startswith("INTERDICT") or state.step in ("COMBAT", "LAND"):
        return
    asset = state.facts.assets.get(action.asset)
    if asset is not None and asset.kind == "AIRSTRIKE":
        yield Breach(
            "DZ-3a",
            f"{asset.name} interdicted in step {state.step}: that belongs to COMBAT",
            pieces=(asset.id,),
            legal=("COMBAT",),
        )


@book.rule("DZ-3a", on=ReturnChits)
def chits_too_early(state: State, action: ReturnChits) -> Iterator[Breach]:
    """Rule 3.4: chits go back when the turn ends; those of the turn before may come late."""
    back = tuple(c for c in action.commands if c in state.done)
    if back and state.step != "ENDTURN":
        yield Breach(
            "DZ-3a",
            f"the chit{'s' * (len(back) > 1)} of {', '.join(back)} went back into the cup in step "
            f"{state.step}: that belongs to ENDTURN",
            legal=("ENDTURN",),
        )

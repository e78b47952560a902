"""Rule 6 (and step 8 of rule 5.2): when the Allied garrison of an objective must be placed.

Three things make it due: the last German in an objective is eliminated (at once), an Allied
garrison is destroyed and no German comes in (after that combat), or an objective stands empty
when a German activation ends. What combat made due is due before anything that is no part of the
same attack; advance and liberation may come in either order (G-19).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from builder.hexes.grid import Hex
from builder.rules.core import Breach
from builder.rulesets.dropzone.actions import (
    ACTIONS,
    Action,
    Advance,
    Alter,
    BuyGarrison,
    Commit,
    Discard,
    Join,
    Leave,
    Liberate,
    Lose,
    PassTurn,
    Peek,
    Phase,
    Relocate,
    Reset,
    Reveal,
    Roll,
    Use,
)
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.state import State

__all__ = ["Duty", "due_cause", "duties", "ends_activation", "missed", "settled", "with_emptied"]

_AFTERMATH: Final = (
    Lose,
    Advance,
    Roll,
    Commit,
    Discard,
    Reveal,
    Peek,
    Reset,
    Join,
    Leave,
    Liberate,
    BuyGarrison,
    PassTurn,
    Alter,
    Relocate,
)
"""What may still happen between a combat's losses and the garrison that they make due."""

_AFTERWARDS: Final = tuple(kind for kind in ACTIONS if kind not in _AFTERMATH)

_HITS: Final = ("IF", "AT", "COMBAT", "LAND")
_ROW_OF: Final = {"COMBAT": "DZ-6f", "RETURN": "DZ-6j", "VACANT": "DZ-6g"}


class Duty(NamedTuple):
    """An Allied garrison that must be placed; ``cause`` as the counter's menu has it.

    ``why`` is what happened: *COMBAT*, *RETURN* or *VACANT*. The counter offers *RETURN* whenever
    its Allied side was the last to stand, so that the two may differ.
    """

    garrison: str
    cause: str
    why: str


# ------------------------------------------------------------------------------------ what is due


def _duty(state: State, key: str, why: str) -> Duty:
    return Duty(key, "RETURN" if state.garrisons[key].side == ALLIED else why, why)


def _can_be_placed(state: State, key: str) -> bool:
    """Tell whether no German is in the objective and its Allied garrison does not stand."""
    garrison = state.garrisons[key]
    if garrison.side == ALLIED and garrison.steps > 0:
        return False
    return not state.is_held(state.facts.garrisons[key].hex, GERMAN)


@book.states("DZ-6f", "DZ-5.2.8", "DZ-6j")
def _after_combat(state: State) -> Iterator[Duty]:
    """Rules 5.2.8 and 6: objectives that combat emptied and that no German has entered since."""
    for key, why in state.emptied.items():
        if key in state.garrisons and _can_be_placed(state, key):
            yield _duty(state, key, why)


@book.states("DZ-6g")
def _vacant(state: State) -> Iterator[Duty]:
    """Rule 6: objectives in which nobody is; asked at the end of a German activation (C-23)."""
    held = state.held_by
    for key, facts in state.facts.garrisons.items():
        if facts.hex not in held and key in state.garrisons and key not in state.overdue:
            yield _duty(state, key, "VACANT")


@book.states("DZ-6i")
def duties(state: State) -> tuple[Duty, ...]:
    """Return the garrisons that must be placed now, each once, however often they stood before.

    A *RETURN* after a German attack is due when the German has decided not to advance. At the
    end of a German activation every empty objective is due.
    """
    found = {d.garrison: d for d in _after_combat(state)}
    if state.step == "ENDACT" and state.is_german_activation:
        for duty in _vacant(state):
            found.setdefault(duty.garrison, duty)
    return tuple(found.values())


def due_cause(state: State, key: str) -> str:
    """Return why a garrison may be placed now, in time or too late, or an empty text."""
    if not _can_be_placed(state, key):
        return ""
    if key in state.overdue:
        return "VACANT"
    return next((d.cause for d in duties(state) if d.garrison == key), "")


# ---------------------------------------------------------------------------- what was left undone


def ends_activation(state: State, action: Action) -> bool:
    """Tell whether the turn tracker leaves the activation of a Command with this action."""
    if not isinstance(action, Phase) or not state.command:
        return False
    if action.turn != state.turn or action.step in ("INIT", "ENDTURN", "ASSETDRAW", "SETUP"):
        return True
    return bool(action.command) and action.command != state.command


def _ends_aftermath(state: State, action: Action) -> bool:
    if isinstance(action, Use):
        # an interdiction of another hex is the next attack
        fight = state.fight
        return action.target is not None and fight is not None and action.target != fight.target
    return not isinstance(action, _AFTERMATH)


def missed(state: State, action: Action) -> tuple[Duty, ...]:
    """Return the garrisons that should have been placed before this action."""
    leaves_german = state.is_german_activation and ends_activation(state, action)
    if not (state.emptied or leaves_german) or not _ends_aftermath(state, action):
        return ()
    found = {d.garrison: d for d in _after_combat(state)}
    if leaves_german:
        for duty in _vacant(state):
            found.setdefault(duty.garrison, duty)
    return tuple(found.values())


def settled(state: State, action: Action) -> State:
    """Return the state with what was left undone marked as overdue, before an action.

    A garrison is missed once: it may be placed later, and is not asked for again until a German
    has been in its objective.
    """
    late = missed(state, action)
    if not late and not (state.emptied or state.overdue):
        return state
    overdue = state.overdue
    if isinstance(action, Phase):
        overdue = frozenset(k for k in overdue if _can_be_placed(state, k))
    emptied = {} if state.emptied and _ends_aftermath(state, action) else state.emptied
    return state.but(overdue=overdue | {d.garrison for d in late}, emptied=emptied)


def with_emptied(before: State, after: State, action: Lose) -> State:
    """Return the state after a loss, with the objective noted that it has emptied.

    Combat alone liberates at once; a step paid for a garrison does not.
    """
    where = before.hex_of(action.unit)
    key = after.facts.garrison_at.get(where) if isinstance(where, Hex) else None
    if key is None or action.cause not in _HITS or after.steps_of(action.unit) > 0:
        return after
    held = after.held_by.get(after.facts.garrisons[key].hex, frozenset())
    if before.side_of(action.unit) == GERMAN:
        is_emptied, why = GERMAN not in held, "COMBAT"
    else:
        is_emptied, why = not held and after.garrisons[key].side == ALLIED, "RETURN"
    return after.but(emptied={**after.emptied, key: why}) if is_emptied else after


# ------------------------------------------------------------------------------------------ rules


@book.rule("DZ-6f", "DZ-5.2.8", "DZ-6g", "DZ-6j", on=_AFTERWARDS)
def missing_garrisons(state: State, action: Action) -> Iterator[Breach]:
    """Rules 5.2.8 and 6: an Allied garrison that was due has not been placed."""
    facts = state.facts
    for duty in missed(state, action):
        garrison = facts.garrisons[duty.garrison]
        name = garrison.name(ALLIED)
        text = {
            "COMBAT": f"{garrison.objective} was cleared of Germans: the {name} goes there at once",
            "RETURN": f"the {name} was destroyed and no German went in: it is placed again after "
            "the fight",
            "VACANT": f"{garrison.objective} stood empty when the German activation ended: the "
            f"{name} goes there",
        }[duty.why]
        yield Breach(
            _ROW_OF[duty.why],
            text,
            pieces=(duty.garrison,),
            hexes=(garrison.hex,),
            legal=(f"place the {name}",),
        )


@book.rule("DZ-6f", "DZ-1.2v", "DZ-5.2.8", "DZ-6g", on=Liberate)
def untimely_garrison(state: State, action: Liberate) -> Iterator[Breach]:
    """Rules 1.2 and 6: an Allied garrison comes only with a liberation, as often as there is one.

    What the menu's entry says of the reason is not judged: the effect is the same.
    """
    key = action.garrison
    if key not in state.garrisons or due_cause(state, key):
        return
    facts = state.facts.garrisons[key]
    row, why = "DZ-6f", "no German was eliminated there"
    if state.is_held(facts.hex, GERMAN):
        there = [p for p in state.pieces_at(facts.hex) if p.side == GERMAN]
        names = [
            f"the {facts.name(GERMAN)}" if p.is_garrison else state.facts.title(p.id) for p in there
        ]
        why = f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} still there"
    elif state.garrisons[key].side == ALLIED and state.garrisons[key].steps > 0:
        why = "it stands there already"
    elif facts.hex not in state.held_by:
        row, why = "DZ-6g", "an empty objective is liberated when a German activation ends"
    yield Breach(
        row,
        f"no {facts.name(ALLIED)} now: {why}",
        pieces=(key,),
        hexes=(facts.hex,),
    )


@book.rule("DZ-1.2p", "DZ-6k", on=Liberate)
def steps_of_liberator(state: State, action: Liberate) -> Iterator[Breach]:
    """Rule 6: two steps for the FFI in the town of Draguignan, one for every other garrison."""
    facts = state.facts.garrisons.get(action.garrison)
    if facts is None or action.steps in (0, facts.full_steps(ALLIED)):
        return
    full = facts.full_steps(ALLIED)
    yield Breach(
        "DZ-1.2p",
        f"the {facts.name(ALLIED)} has {full} step{'s' * (full > 1)}, not {action.steps}",
        pieces=(action.garrison,),
        hexes=(facts.hex,),
        legal=(f"{full} step{'s' * (full > 1)}",),
    )

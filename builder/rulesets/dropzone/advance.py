"""Rule 5.2, step 7: an attacker goes into the hex that its attack has emptied."""

from __future__ import annotations

from collections.abc import Iterator

from builder.rules.core import Breach
from builder.rulesets.dropzone.actions import Advance
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.hits import eligible, withheld
from builder.rulesets.dropzone.participants import hex_emptied
from builder.rulesets.dropzone.state import State

__all__ = ["advance_after_combat", "may_advance"]


def may_advance(state: State) -> tuple[str, ...]:
    """Return the units that may go into the target of the attack that was fought last.

    Those that joined from the other Command too (G-23). Nobody advances after an interdiction,
    and a unit that lands is in the hex already.
    """
    fight = state.fight
    if fight is None or fight.kind != "attack" or fight.advanced or not hex_emptied(state):
        return ()
    # the Allied garrison may be there by now: liberation and advance come in any order (G-19)
    if state.units_at.get(fight.target):
        return ()
    return tuple(k for k in fight.attackers if k in state.units and state.units[k].steps > 0)


@book.rule("DZ-5.2.7", on=Advance)
def advance_after_combat(state: State, action: Advance) -> Iterator[Breach]:
    """Rule 5.2.7: one live attacker, into the target, if unit and garrison there are gone."""
    if action.unit not in state.units:
        return
    may = may_advance(state)
    fight = state.fight
    if fight is not None and action.to == fight.target and action.unit in may:
        return
    if fight is not None and action.unit in fight.attackers and _would_be_empty(state):
        return  # a hit was withheld: said by the row on hits
    facts = state.facts
    where = facts.label(action.to)
    yield Breach(
        "DZ-5.2.7",
        f"{facts.title(action.unit)} cannot advance into {where}: {_why_not(state, action)}",
        pieces=(action.unit,),
        hexes=(action.to,),
        legal=tuple(f"{facts.title(k)} → {facts.label(fight.target)}" for k in may)
        if fight is not None
        else (),
    )


def _would_be_empty(state: State) -> bool:
    """Tell whether the target is held only by what should have lost its last step."""
    fight = state.fight
    if fight is None or fight.kind != "attack" or fight.advanced:
        return False
    owed = {
        k
        for v in fight.volleys
        if v.side == fight.side and not v.is_closed and withheld(state, v)
        for k in eligible(state, v)
    }
    return bool(owed) and all(p.id in owed for p in state.pieces_at(fight.target))


def _why_not(state: State, action: Advance) -> str:
    """Return the first condition that an advance fails, in words."""
    facts, fight = state.facts, state.fight
    if state.units[action.unit].steps <= 0:
        return "it is eliminated"
    if fight is None:
        return "there was no attack"
    target = facts.label(fight.target)
    if action.to != fight.target:
        return f"the attack was on {target}"
    if fight.kind != "attack":
        return f"there was no attack on {target} by units beside it"
    if fight.advanced:
        return f"{facts.title(fight.advanced)} has advanced already"
    if action.unit not in fight.attackers:
        return f"it did not attack {target}"
    if state.held_by.get(fight.target):
        return f"{target} is not vacant"
    return f"no combat has emptied {target}"

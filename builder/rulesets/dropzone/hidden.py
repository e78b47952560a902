"""Rules 1.2 and 5.2.3: hidden units: when they are revealed, how, and who may look at them."""

from __future__ import annotations

from collections.abc import Iterator

from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import Peek, Phase, Reveal, Roll
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED, enemy_of
from builder.rulesets.dropzone.participants import participants
from builder.rulesets.dropzone.sequence import SIDE_OF
from builder.rulesets.dropzone.state import State

__all__ = ["due_reveals", "hidden_in_fight"]


def hidden_in_fight(state: State) -> tuple[str, ...]:
    """Return the hidden units that take part in the attack that goes on, attackers first."""
    fight = state.fight
    if fight is None:
        return ()
    both = (
        *participants(state, fight, fight.side),
        *participants(state, fight, enemy_of(fight.side)),
    )
    return tuple(k for k in both if k in state.units and state.units[k].hidden)


def due_reveals(state: State) -> tuple[str, ...]:
    """Return the hidden units that are to be revealed now: by combat, or by a step gained."""
    fight = state.fight
    ready = fight is not None and (bool(fight.attackers) or fight.kind == "interdiction")
    gained = tuple(k for k, u in state.units.items() if u.hidden and k in state.gained)
    return tuple(dict.fromkeys((*(hidden_in_fight(state) if ready else ()), *gained)))


@book.rule("DZ-5.2.3", on=Roll)
def revealed_before_fire(state: State, action: Roll) -> Iterator[Breach]:
    """Rule 5.2.3: whoever takes part in an attack is shown before its first die falls."""
    fight = state.fight
    if fight is None or fight.has_dice or action.kind == "DIR":
        return
    hidden = hidden_in_fight(state)
    if hidden:
        attackers = sum(k in fight.attackers for k in hidden)
        words = [
            f"{n} hidden {role}{'s' if n > 1 else ''}"
            for n, role in ((attackers, "attacker"), (len(hidden) - attackers, "defender"))
            if n
        ]
        yield Breach(
            "DZ-5.2.3",
            f"dice fell at {state.facts.label(fight.target)} before {' and '.join(words)} "
            f"{'was' if len(hidden) == 1 else 'were'} revealed",
            pieces=hidden,
            hexes=(fight.target,),
        )


@book.rule("DZ-1.2aa", on=(Reveal, Phase))
def reveal_with_cause(state: State, action: Reveal | Phase) -> Iterator[Breach]:
    """Rule 1.2: combat or a gained step reveals a hidden unit, and nothing else does."""
    if isinstance(action, Phase):
        # a step gained in the reinforcement step has shown the unit by the end of that step
        late = [k for k, u in state.units.items() if u.hidden and k in state.gained and u.is_on_map]
        if late and state.step == "RP":
            yield Breach(
                "DZ-1.2aa",
                f"{len(late)} hidden unit{'s' if len(late) > 1 else ''} gained a step and must "
                "be revealed",
                pieces=tuple(late),
            )
        return
    unit = state.units.get(action.unit)
    if unit is None or not unit.hidden:
        return
    in_fight = action.unit in hidden_in_fight(state)
    by_point = action.unit in state.gained or (action.cause == "RP" and state.step == "RP")
    if not in_fight and not by_point:
        yield Breach(
            "DZ-1.2aa",
            f"{state.facts.title(action.unit)} was revealed, and neither fights nor gains a step",
            Ruling.WARNING,
            pieces=(action.unit,),
            hexes=(unit.place,) if not isinstance(unit.place, str) else (),
        )


@book.rule("DZ-1.2ab", on=Reveal)
def reveal_as_itself(state: State, action: Reveal) -> Iterator[Breach]:
    """Rule 1.2: the counter that takes the place of a hidden one is the same unit's."""
    if action.unit not in state.units or action.shown in ("", action.unit):
        return
    facts = state.facts
    yield Breach(
        "DZ-1.2ab",
        f"{facts.title(action.unit)} lay hidden, and {facts.title(action.shown)} took its place",
        pieces=(action.unit, action.shown),
        legal=(facts.title(action.unit),),
    )


@book.rule("DZ-1.2ac", on=Peek)
def hidden_from_enemy(state: State, action: Peek) -> Iterator[Breach]:
    """Rule 1.2: no German player learns what a hidden unit is; the roster says who he is."""
    unit = state.units.get(action.unit)
    commands = state.roster.get(action.by, ())
    if unit is None or not unit.hidden or not commands:
        return
    if ALLIED not in {SIDE_OF.get(c) for c in commands}:
        yield Breach(
            "DZ-1.2ac",
            f"{action.by} looked at a hidden Allied unit at {state.facts.label(unit.place)}",
            Ruling.WARNING,
            pieces=(action.unit,),
            hexes=(unit.place,) if not isinstance(unit.place, str) else (),
        )

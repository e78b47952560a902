"""Rules 9.3, 9.32, 9.33, 9.6 and 9.11: what comes of fire at parachutes, and what never does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias

from builder.rules.core import Breach, Ruling
from builder.rulesets.airdrop.actions import Elim, Loss, Mark, Mc, Roll, Tc
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.facts import label
from builder.rulesets.airdrop.state import INFANTRY, SMC, Chute, State, Unit

__all__ = ["MORALE", "casualties", "chosen", "passes", "targets"]

MORALE: Final = 7
"""Rule 9.33: the Morale Level of every parachute, broken or not."""

Effect: TypeAlias = Mc | Loss | Elim


@book.states("E9.33b")
def passes(colored: int, white: int, plus: int) -> bool:
    """Rule 9.33: tell whether a check with so much added passes against the level of 7.

    >>> [passes(3, 4, 0), passes(3, 3, 1), passes(3, 4, 1), passes(3, 3, 2)]
    [True, True, False, False]
    """
    return colored + white + plus <= MORALE


@book.states("E9.3f")
def targets(state: State, chute: Chute) -> tuple[str, ...]:
    """Rule 9.3: the parachutes in the air among which an attack on one of them is decided."""
    return tuple(c.id for c in state.aerial() if c.where == chute.where)


@book.states("E9.33d")
def casualties(state: State, letter: str) -> tuple[Unit, ...]:
    """Rule 9.33: the crews, Half-Squads and SMC of a Stick; a squad is its two Half-Squads."""
    found: list[Unit] = []
    for unit in state.units_of(letter):
        halves = [u for u in state.units.values() if u.half_of == unit.id and not u.eliminated]
        if unit.kind in INFANTRY:
            found += halves if unit.kind == "squad" and halves else [unit]
    return tuple(found)


@book.states("E9.33d")
def chosen(state: State, cause: str, letter: str) -> tuple[str, ...]:
    """Rules 9.33, 9.42: which units of a Stick a Random Selection of a cause has selected.

    The eliminated no longer count: an attack may take the next highest die as well.
    """
    dice = {
        name: die
        for name, die in state.dice.get(cause, {}).items()
        if (u := state.units.get(name))
        and not u.eliminated
        and letter in (u.stick, _stick_of_whole(state, u))
    }
    highest = max(dice.values(), default=0)
    return tuple(name for name, die in dice.items() if die == highest)


def _stick_of_whole(state: State, unit: Unit) -> str:
    whole = state.units.get(unit.half_of)
    return whole.stick if whole is not None else ""


@book.rule("E9.3e", on=(Mc, Loss))
def weapons_take_no_check(state: State, action: Mc | Loss) -> Iterator[Breach]:
    """Rule 9.3: fire at a weapon in the air destroys it or makes it malfunction, or nothing."""
    chute = state.chutes.get(action.chute)
    if chute is not None and chute.is_weapon and chute.status == "AERIAL":
        word = "morale check" if isinstance(action, Mc) else "loss"
        text = f"{action.chute} carries a weapon, which is destroyed or malfunctions: no {word}"
        yield Breach("E9.3e", text, Ruling.WARNING, (action.chute,))


@book.rule("E9.3f", on=(Mc, Loss, Elim))
def one_target(state: State, action: Effect) -> Iterator[Breach]:
    """Rule 9.3: an attack affects the parachute that it is made at, or is selected in its hex."""
    name = action.piece if isinstance(action, Elim) else action.chute
    chute = state.chutes.get(name)
    if chute is None or chute.status != "AERIAL":
        return
    if not isinstance(action, Loss) and action.cause != "FIRE":
        return
    fire, dice = state.fire, state.dice.get("TARGET", {})
    undiced = [i for i in targets(state, chute) if i not in (name, *dice)]
    target = state.chutes.get(fire.chute) if fire is not None else None
    if fire is None or target is None:
        yield Breach("E9.3f", f"nobody has fired at {name}, and it is affected", pieces=(name,))
    elif chute.where != target.where:
        text = f"{fire.firer} fired at {target.id} in {_place(target)}: {name} is elsewhere"
        yield Breach("E9.3f", text, pieces=(name,))
    elif undiced:
        text = f"Random Selection decides between {name} and {', '.join(undiced)}: no dice"
        yield Breach("E9.3f", text, pieces=(name,))
    elif dice and name not in state.selected("TARGET"):
        legal = state.selected("TARGET")
        text = f"one attack affects only one parachute: {', '.join(legal)}, not {name}"
        yield Breach("E9.3f", text, pieces=(name,), legal=legal)


def _place(chute: Chute) -> str:
    return label(chute.where) if chute.where is not None else "no hex"


@book.rule("E9.33a", "E9.33e", on=Mc)
def one_check(state: State, action: Mc) -> Iterator[Breach]:
    """Rule 9.33: one DR is the MC of a whole Stick, also of what is left of it after a casualty."""
    chute = state.chutes.get(action.chute)
    if chute is None or action.cause != "FIRE" or action.chute not in state.answered:
        return
    if chute.status == "AERIAL":
        lost = action.chute in state.reduced
        who = f"what is left of Stick {chute.letter}" if lost else f"Stick {chute.letter}"
        text = f"{who} has made the MC of this attack: one DR for all of it"
        yield Breach("E9.33e" if lost else "E9.33a", text, pieces=(action.chute,))


@book.rule("E9.33b", on=(Mc, Tc))
def morale_level(state: State, action: Mc | Tc) -> Iterator[Breach]:
    """Rule 9.33: a check passes when its dice and what is added come to 7 at most."""
    passed = passes(action.colored, action.white, action.plus)
    if passed != action.passed:
        word, total = "passes" if passed else "fails", action.colored + action.white + action.plus
        text = f"Morale Level is {MORALE}: {action.chute} {word} with {total}"
        yield Breach("E9.33b", text, pieces=(action.chute,), legal=(word,))


@book.rule("E9.33d", on=Loss)
def casualty_selected(state: State, action: Loss) -> Iterator[Breach]:
    """Rule 9.33: Random Selection among a Stick's crews, HS and SMC tells who is the casualty."""
    chute = state.chutes.get(action.chute)
    if chute is None:
        return
    able = [u.id for u in casualties(state, chute.letter)]
    legal, one = chosen(state, "CASUALTY", chute.letter), (action.unit,)
    undiced = [i for i in able if i not in state.dice.get("CASUALTY", {})]
    if action.unit in legal and not undiced:
        return
    if action.unit in legal:
        text = f"Random Selection names the casualty of Stick {chute.letter}: no dice for "
        yield Breach("E9.33d", text + ", ".join(undiced), pieces=one)
    elif len(able) > 1 or (able and action.unit not in able):
        names = ", ".join(legal) or f"{', '.join(able)}: no dice"
        text = f"Random Selection names the casualty of Stick {chute.letter} ({names}), and not "
        yield Breach("E9.33d", text + action.unit, pieces=one, legal=legal)


@book.rule("E9.3h", "E9.3i", "E9.32d", "E9.11l", on=Mark)
def no_marker(state: State, action: Mark) -> Iterator[Breach]:
    """Rules 9.3, 9.32, 9.11: no residual fire, pin, fire lane or concealment."""
    if not action.on:
        return
    pieces = (action.piece,) if action.piece else ()
    if action.kind == "RESIDUAL" and _fired_over(state, action):
        text = "fire at parachutes in the air leaves no Residual FP"
        yield Breach("E9.3h", text, pieces=pieces)
    elif action.kind == "FIRELANE" and state.phase == "FIRSTFIRE" and state.aerial():
        yield Breach("E9.32d", "no Fire Lane works against parachutes in the air", pieces=pieces)
    elif action.kind == "PIN" and state.is_under_parachute(action.piece):
        text = f"{action.piece} hangs on a parachute and cannot be pinned"
        yield Breach("E9.3i", text, pieces=pieces)
    elif action.kind == "CONCEALED" and _enters_seen(state, action.piece):
        text = f"{action.piece} was dropped and enters without concealment"
        yield Breach("E9.11l", text, pieces=pieces)


def _fired_over(state: State, action: Mark) -> bool:
    """Tell whether parachutes are in the air over a marker's hex, or were fired at there."""
    if state.phase != "FIRSTFIRE" or not state.is_drop_turn:
        return False
    chutes = state.chutes.values()
    over = any(c.status == "AERIAL" and c.where == action.hex for c in chutes)
    return over or any(at == action.hex for c in chutes for _, at in c.fired_by)


def _enters_seen(state: State, piece: str) -> bool:
    """Tell whether a piece is a parachute, or a unit that has dropped onboard in this turn."""
    unit = state.units.get(piece)
    dropped = unit is not None and bool(unit.stick) and not unit.offboard and state.is_drop_turn
    return piece in state.chutes or (dropped and unit is not None and unit.side == state.side)


@book.rule("E9.3i", "E9.32b", "E9.32c", "E9.6c", on=Roll)
def no_roll(state: State, action: Roll) -> Iterator[Breach]:
    """Rules 9.3, 9.32, 9.6: rolls that parachutes do not take."""
    chute = state.chutes.get(action.piece)
    if chute is None:
        return
    one = (action.piece,)
    if action.kind in ("PTC", "HOB") and chute.status in ("AERIAL", "LANDED"):
        yield Breach("E9.3i", f"the parachute {chute.id} takes no {action.kind} roll", pieces=one)
    elif action.kind == "TH" and chute.status == "AERIAL":
        yield Breach("E9.32b", f"no To Hit DR is made against {chute.id} in the air", pieces=one)
    elif action.kind == "SNIPER" and chute.status == "AERIAL":
        yield Breach("E9.32c", f"no Sniper attacks {chute.id} in the air", pieces=one)
    elif action.kind in ("LLMC", "LLTC"):
        text = f"Stick {chute.letter} takes no {action.kind} for its leader"
        yield Breach("E9.6c", text, pieces=one)


@book.rule("E9.6c", on=Roll)
def no_leader_loss(state: State, action: Roll) -> Iterator[Breach]:
    """Rule 9.6: nobody checks for a leader of its own Stick who was lost before the APh."""
    unit = state.units.get(action.piece)
    if unit is None or action.kind not in ("LLMC", "LLTC") or state.phase == "CCPh":
        return
    stick = state.sticks.get(unit.stick)
    if stick is None or not state.is_drop_turn or unit.side != state.side:
        return
    lost = [u for i in stick.units if (u := state.units.get(i)) and u.kind in SMC]
    if any(u.eliminated or u.broken for u in lost):
        text = f"{unit.id} takes no {action.kind} for the leader of its Stick {unit.stick}"
        yield Breach("E9.6c", text, pieces=(unit.id,))


@book.rule("E9.32e", on=Roll)
def sniper_waits(state: State, action: Roll) -> Iterator[Breach]:
    """Rule 9.32: the dropped side's Sniper waits until a turn starts with its Infantry onboard."""
    side = action.piece.removeprefix("Sniper-")
    dropped = state.dropped_side or "Attacker"
    if action.kind == "SNIPER" and side == dropped and side not in state.started:
        text = f"the Sniper of the {side} is not active yet: turn {state.turn} started without "
        yield Breach("E9.32e", text + "its Infantry on the boards", pieces=(action.piece,))

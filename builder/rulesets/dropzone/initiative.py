"""Rules 3.2 and 1.4: who acts next: the fixed order, chits, and Initiative assets."""

from __future__ import annotations

from collections.abc import Iterator

from builder.rules.core import Breach, Ruling
from builder.rulesets.dropzone.actions import Chit, Phase, Use
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.facts import ALLIED
from builder.rulesets.dropzone.sequence import COMMANDS, COMMANDS_OF, FIRST_ORDER, SEQUENCE, SIDE_OF
from builder.rulesets.dropzone.state import State

__all__ = ["due_in_first_turn"]


def due_in_first_turn(state: State) -> str:
    """Return the Command that acts next in turn 1, or an empty text after the last."""
    return next((c for c in FIRST_ORDER if c not in state.done), "")


def _in_cup(state: State) -> tuple[str, ...]:
    return tuple(c for c in COMMANDS if c not in state.done)


def _acted(command: str, turn: int, legal: tuple[str, ...]) -> Breach:
    return Breach(
        "DZ-3.2c", f"{command} becomes active, and was active in turn {turn} already", legal=legal
    )


# --------------------------------------------------------------------------------------- the chits


@book.rule("DZ-3.2a", "DZ-3.2b", "DZ-3.2c", on=Chit)
def next_command(state: State, action: Chit) -> Iterator[Breach]:
    """Rule 3.2: the fixed order in turn 1, later a chit for each activation; each Command once."""
    command, turn = action.command, state.turn
    if command not in COMMANDS or state.step != "INIT":
        return  # a chit in another step breaks the order of steps
    first = turn == 1
    legal = (due_in_first_turn(state),) if first else _in_cup(state)
    if command in state.done:
        yield _acted(command, turn, legal)
    elif first and action.means == "draw":
        yield Breach("DZ-3.2a", f"{command} was drawn: no chits are drawn in turn 1", legal=legal)
    elif len(state.done) >= state.moment.round:
        if action.means == "asset" and state.initiative_used > 1:
            return  # it comes of a second Initiative asset, which is judged itself
        active = state.command or state.done[-1]
        yield Breach(
            "DZ-3.2a" if first else "DZ-3.2b",
            f"the chit of {command} came out before {active} had its activation",
            legal=(f"the activation of {active}",),
        )
    elif first and action.means != "asset" and command != due_in_first_turn(state):
        yield Breach(
            "DZ-3.2a",
            f"{command} acts as number {len(state.done) + 1} of turn 1: its order is "
            f"{', '.join(FIRST_ORDER)}",
            legal=legal,
        )
    elif not first and action.means == "fixed":
        yield Breach(
            "DZ-3.2b",
            f"{command} became active without a draw: the order is fixed in turn 1 only",
            legal=tuple(f"draw {c}" for c in legal),
        )


@book.rule("DZ-3.2a", "DZ-3.2b", "DZ-3.2c", on=Phase)
def activated_with_chit(state: State, action: Phase) -> Iterator[Breach]:
    """Rule 3.2: the Command whose steps the tracker begins is the one whose chit is out."""
    if action.step not in SEQUENCE.round or action.step == "INIT" or action.turn != state.turn:
        return  # steps of another turn: the order of steps is broken
    command = action.command
    if command not in ("", *COMMANDS) or (command and command == state.command):
        return
    if not command:
        # at the first step of an activation a tracker may not name who is active: a chit does
        if state.step == "INIT" and state.turn > 1 and not state.command:
            legal = tuple(f"draw {c}" for c in _in_cup(state))
            yield Breach("DZ-3.2b", "an activation began, and no chit was drawn", legal=legal)
        return
    if state.turn == 1:
        due = state.command or due_in_first_turn(state)
        if command in state.done:
            yield _acted(command, 1, (due,))
        elif command != due or state.command:
            yield Breach(
                "DZ-3.2a",
                f"{command} became active, and {due} is due: the order of turn 1 is "
                f"{', '.join(FIRST_ORDER)}",
                legal=(due,),
            )
        return
    legal = (state.command,) if state.command else tuple(f"draw {c}" for c in _in_cup(state))
    if command in state.done:
        yield _acted(command, state.turn, legal)
        return
    after = f" while {state.command} was" if state.command else ""
    yield Breach(
        "DZ-3.2b", f"{command} became active{after}, and its chit was not drawn", legal=legal
    )


# ------------------------------------------------------------------------------- Initiative assets


@book.rule("DZ-1.4g", "DZ-3.2d", on=Chit)
def chit_by_asset(state: State, action: Chit) -> Iterator[Breach]:
    """Rules 1.4 and 3.2: an Initiative asset, and only it, puts an Allied Command first."""
    command = action.command
    if command not in COMMANDS or state.step != "INIT" or command in state.done:
        return
    if action.means != "asset":
        # a draw is needless then, but does no harm if it brings the Command that was named
        is_first = state.turn > 1 and state.initiative_used and not state.done
        if is_first and command != state.named_first:
            named = state.named_first or "an Allied Command"
            yield Breach(
                "DZ-1.4g",
                f"{command} was drawn, and the Initiative asset puts {named} first without a draw",
                legal=(state.named_first,) if state.named_first else COMMANDS_OF[ALLIED],
            )
        return
    if not state.initiative_used:
        yield Breach("DZ-1.4g", f"{command} was put first, and no Initiative asset was played")
    elif state.done:
        return  # the asset was played too late, which was said then
    elif state.named_first in COMMANDS_OF[ALLIED] and command != state.named_first:
        yield Breach(
            "DZ-1.4g",
            f"{command} was put first, and the Initiative asset was played for {state.named_first}",
            legal=(state.named_first,),
        )
    elif not state.named_first and SIDE_OF[command] != ALLIED:
        yield Breach("DZ-1.4g", f"an Initiative asset put {command} first: it serves Allies only")


@book.rule("DZ-1.4g", "DZ-1.4h", on=Use)
def play_of_initiative(state: State, action: Use) -> Iterator[Breach]:
    """Rule 1.4: one a turn, before the first chit of turns 2 to 6, for an Allied Command.

    Either asset serves either Command; its owner says which (C-33). The rulebook does not say in
    so many words that none is played in turn 1, where the order is fixed.
    """
    asset = state.facts.assets.get(action.asset)
    if asset is None or action.mode != "FIRST" or asset.kind == "REGROUP":
        return
    name, pieces = asset.name, (asset.id,)
    legal = ("before the first chit of turns 2 to 6",)
    if asset.kind != "INITIATIVE":
        message = f"{name} puts nobody first: that takes an Initiative asset"
        yield Breach("DZ-1.4g", message, pieces=pieces)
    elif state.initiative_used:
        message = f"a second Initiative asset in turn {state.turn}: one is the most"
        yield Breach("DZ-1.4h", message, pieces=pieces)
    elif state.turn == 1:
        message = "an Initiative asset was played in turn 1, whose order is fixed"
        yield Breach("DZ-1.4g", message, Ruling.WARNING, pieces=pieces, legal=legal)
    elif state.step != "INIT" or state.done:
        first = state.done[0] if state.done else ""
        when = f"after the chit of {first}" if first else f"in step {state.step}"
        yield Breach(
            "DZ-1.4g", f"an Initiative asset was played {when}", pieces=pieces, legal=legal
        )
    elif action.command and SIDE_OF.get(action.command) != ALLIED:
        yield Breach(
            "DZ-1.4g",
            f"an Initiative asset was played for {action.command}: it serves Allied Commands",
            pieces=pieces,
            legal=COMMANDS_OF[ALLIED],
        )

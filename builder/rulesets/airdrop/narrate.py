"""What a table shows when a player takes an action: the counters' own changes, then the line.

A line of ``lines.toml`` has the fields of its action, so it is the action as text. What makes it
count is what changes beside it: the dice of a side's tray, the place of a counter, or the property
``Deed``, in which a counter keeps the last thing that was done to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from builder.gamebox.events import Changed, Event, Moved, Place, Said, Thing, TurnChanged
from builder.gamebox.lines import Grammar
from builder.hexes.grid import Hex
from builder.rules.notation import Notation
from builder.rulesets.airdrop.actions import (
    Action,
    Adjust,
    Advance,
    Blow,
    Canister,
    Chain,
    Cvp,
    Deploy,
    Dproll,
    Drift,
    Elim,
    Fire,
    Flip,
    Load,
    Loss,
    Mark,
    Mc,
    Move,
    Open,
    Phase,
    Rally,
    Recover,
    Roll,
    Rout,
    Tc,
)
from builder.rulesets.airdrop.actions import Place as Put

__all__ = ["Narrator", "changed_piece", "dice_of", "is_dragged", "tray_of"]

_MAP: Final = "Main"
_DEFENDERS_ROLLS: Final = ("TH", "SNIPER")


class Narrator:
    """Tells actions as events; made once for a game's line grammar and its notation."""

    def __init__(self, grammar: Grammar, notation: Notation, label: Callable[[Hex], str]) -> None:
        """Keep the grammar, how actions are written, and what the map calls its hexes."""
        self.grammar = grammar
        self.notation = notation
        self.label = label

    def narrate(self, throws: int, action: Action) -> tuple[Event, ...]:
        """Return the events of an action; ``throws`` counts those of its tray before it."""
        return tuple(self._told(throws, action))

    def _told(self, throws: int, action: Action) -> Iterator[Event]:
        tray = tray_of(action)
        if tray:
            for name, value in dice_of(action).items():
                yield _changed(tray, name, str(value))
            # dice may fall as they lay: the count alone always changes
            yield _changed(tray, "Thrown", str(throws + 1))
        piece = changed_piece(action)
        for moved, to in _ways(action):
            end = Place(map=_MAP, label=self.label(to))
            yield Moved(step=1, piece=_thing(moved), start=Place(), end=end)
        words = self.notation.write(action)
        if piece:
            yield _changed(piece, "Deed", words.replace(" ", "/"))
        yield Said(step=1, words=f"* {self.grammar.prefix}: {words}")
        if isinstance(action, Phase):
            new = f"Turn {action.turn} {action.side} {action.phase}"
            yield TurnChanged(step=1, tracker="Turn", old="", new=new)


def tray_of(action: Action) -> str:
    """Return the dice tray on which an action's dice fall; empty for one without dice."""
    match action:
        case Fire():
            return "Dice-Defender"
        case Roll(kind=kind):
            return "Dice-Defender" if kind in _DEFENDERS_ROLLS else "Dice-Attacker"
        case Dproll() | Drift() | Mc() | Tc() | Canister():
            return "Dice-Attacker"
        case _:
            return ""


def dice_of(action: Action) -> dict[str, int]:
    """Return what an action's dice show, by the tray's properties."""
    match action:
        case Dproll(dr=die) | Canister(dr=die):
            return {"Die": die}
        case (
            Drift(colored=colored, white=white)
            | Fire(colored=colored, white=white)
            | Mc(colored=colored, white=white)
            | Tc(colored=colored, white=white)
            | Roll(colored=colored, white=white)
        ):
            return {"Colored": colored, "White": white}
        case _:
            return {}


def changed_piece(action: Action) -> str:
    """Return the counter that changes with an action which needs a change; empty for others."""
    match action:
        case Load(stick=stick):
            return f"Box{stick}"
        case (
            Put(chute=piece)
            | Blow(chute=piece)
            | Adjust(chute=piece)
            | Chain(chute=piece)
            | Flip(chute=piece)
            | Deploy(chute=piece)
            | Open(chute=piece)
            | Loss(chute=piece)
        ):
            return piece
        case Move(unit=piece) | Rout(unit=piece) | Advance(unit=piece) | Rally(unit=piece):
            return piece
        case Recover(unit=piece) | Elim(piece=piece):
            return piece
        case Mark(piece=piece, kind=kind):
            return piece or kind
        case Cvp():
            return "CVP"
        case _:
            return ""


def is_dragged(action: Action) -> bool:
    """Tell whether a player does an action by dragging a counter, and not by a command."""
    return isinstance(action, Move | Rout | Advance)


def _ways(action: Action) -> Iterator[tuple[str, Hex]]:
    """Yield the counters that an action puts elsewhere, and their hexes."""
    match action:
        case Put(chute=piece, hex=to) | Drift(chute=piece, to=to) | Blow(chute=piece, to=to):
            yield piece, to
        case Adjust(chute=piece, to=to) | Chain(chute=piece, to=to):
            yield piece, to
        case Move(unit=piece, to=to) | Rout(unit=piece, to=to) | Advance(unit=piece, to=to):
            yield piece, to
        case Open(units=units, hex=to):
            yield from ((unit, to) for unit in units)
        case Deploy(moved=units, to=Hex() as to):
            yield from ((unit, to) for unit in units)
        case _:
            return


def _changed(piece: str, name: str, new: Any) -> Changed:
    return Changed(
        step=1, piece=_thing(piece), at=Place(map=_MAP), name=name, old=None, new=str(new)
    )


def _thing(piece: str) -> Thing:
    return Thing(id=piece, name=piece)

"""Everything that a player can do, as values; the union :data:`Action` is all of them.

Dice are never thrown here: what was rolled or drawn is part of the action. Pieces are named by
the ids of ``counters.csv``; places are hexes, or names of boxes such as ``EntryD``. ``by`` is the
player who did it, empty if unknown or of no matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from builder.hexes.grid import Hex

__all__ = [
    "ACTIONS",
    "Action",
    "Advance",
    "Alter",
    "Attack",
    "BuyGarrison",
    "Chit",
    "Commit",
    "Declare",
    "Discard",
    "Displace",
    "DrawAsset",
    "DrawUnit",
    "Drop",
    "Gain",
    "Join",
    "Land",
    "Leave",
    "Liberate",
    "Lose",
    "Move",
    "PassTurn",
    "Peek",
    "Phase",
    "Place",
    "PoolLate",
    "Receive",
    "Relocate",
    "Reset",
    "Return",
    "ReturnChits",
    "Reveal",
    "Roll",
    "SetVP",
    "Use",
]

Place: TypeAlias = Hex | str
LossCause: TypeAlias = Literal["IF", "AT", "COMBAT", "LAND", "GARRISON"]
RollKind: TypeAlias = Literal["IF", "AT", "COMBAT", "LAND", "DIR"]
Mode: TypeAlias = Literal["IF", "AT", "INTERDICT_IF", "INTERDICT_AT", "FIRST", "JOIN", "RP"]


# ------------------------------------------------------------------------ turns and Commands


@dataclass(frozen=True, slots=True)
class Phase:
    """Rule 3: the turn tracker goes to a step; ``command`` is empty outside of an activation."""

    turn: int
    step: str
    command: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Chit:
    """Rule 3.2: a Command becomes active. ``means``: *draw*, *asset*, or *fixed* in turn 1."""

    command: str
    means: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class ReturnChits:
    """Rule 3.4: chits go back into the cup."""

    commands: tuple[str, ...]
    by: str = ""


@dataclass(frozen=True, slots=True)
class SetVP:
    """Rule 7: the marker is put onto a box of the track of victory points."""

    value: int
    by: str = ""


@dataclass(frozen=True, slots=True)
class Declare:
    """Rule 7: somebody says who has won; ``level`` is the chart's word, blanks as underscores."""

    level: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class PassTurn:
    """Nothing: a player lets a chance go by. Never seen on a table; for self-play only."""

    by: str = ""


# -------------------------------------------------------------------------------------- assets


@dataclass(frozen=True, slots=True)
class DrawAsset:
    """Rule 3.1: a side takes an asset from its pool; ``asset`` is empty if a log hides it.

    ``is_random`` is false if the player took one that he saw.
    """

    side: str
    asset: str = ""
    is_random: bool = True
    by: str = ""


@dataclass(frozen=True, slots=True)
class PoolLate:
    """Rule 3.4: at the end of turn 3 the turn-4 assets join the pools."""

    assets: tuple[str, ...]
    by: str = ""


@dataclass(frozen=True, slots=True)
class Commit:
    """Rule 5.2.1: a side lays an asset face down for an attack; ``asset`` is empty if hidden."""

    side: str
    attack: int
    asset: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Use:
    """Rule 1.4: an asset is turned and used. ``command`` for FIRST, ``target`` to interdict."""

    asset: str
    mode: str
    attack: int = 0
    target: Hex | None = None
    command: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Discard:
    """Rule 1.4: a used asset leaves the game."""

    asset: str
    by: str = ""


# ------------------------------------------------------------------------ set-up, reinforcement


@dataclass(frozen=True, slots=True)
class Drop:
    """Rule 2.C: a hidden unit drops: dice ``white`` and ``red``, and where it was put."""

    unit: str
    white: int
    red: int
    to: Place
    by: str = ""


@dataclass(frozen=True, slots=True)
class DrawUnit:
    """Rule 4.2: a random unit is drawn from the cup."""

    unit: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Receive:
    """Rule 4.2: a unit that is due is laid beside an entry area (a letter)."""

    unit: str
    area: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Land:
    """Rule 4.2.4: a unit of the daylight landing is put into a hex.

    First onto its zone; after a landing combat without a decision onto the hex of the direction
    roll.
    """

    unit: str
    to: Hex
    by: str = ""


@dataclass(frozen=True, slots=True)
class Displace:
    """Rule 4.2.4: a friendly unit makes room for one that lands."""

    unit: str
    to: Hex
    by: str = ""


@dataclass(frozen=True, slots=True)
class Gain:
    """Rule 4.1: a unit on the map gains a step; ``cause`` is *RP* or *REGROUP*.

    ``by_steps`` is 1, unless the table shows more at once.
    """

    unit: str
    cause: str
    by_steps: int = 1
    by: str = ""


@dataclass(frozen=True, slots=True)
class Return:
    """Rule 4.1.4: an eliminated unit is back in play, with ``steps``."""

    unit: str
    to: Place
    steps: int = 1
    by: str = ""


# ------------------------------------------------------------------------------------ movement


@dataclass(frozen=True, slots=True)
class Move:
    """Rule 5.1: a unit goes from where it is to a hex, by its cheapest way.

    A unit may move several times in an activation: the costs add up, and going back to a hex of
    its way gives the points back. From the box of an entry area the move enters the map;
    ``entry`` is the hex by which, if it is known.
    """

    unit: str
    to: Hex
    entry: Hex | None = None
    by: str = ""


# -------------------------------------------------------------------------------------- combat


@dataclass(frozen=True, slots=True)
class Attack:
    """Rule 5.2.1: an attack on a hex is announced; ``n`` counts all attacks of the game."""

    n: int
    target: Hex
    by: str = ""


@dataclass(frozen=True, slots=True)
class Join:
    """Rule 5.2.1: a unit (or, wrongly, a garrison) takes part in an attack."""

    n: int
    unit: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Leave:
    """A unit takes no part in an attack after all."""

    n: int
    unit: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Reset:
    """All marks of attackers are taken off; of no meaning for the rules."""

    by: str = ""


@dataclass(frozen=True, slots=True)
class Reveal:
    """Rules 1.2 and 5.2.3: a hidden unit is shown; ``cause``: *ATTACK*, *DEFEND*, *RP* or none.

    ``shown`` is the counter that takes its place, if it is not its own.
    """

    unit: str
    cause: str = ""
    shown: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Peek:
    """Rule 1.2: somebody looks at a hidden unit without revealing it."""

    unit: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Roll:
    """Rules 5.2.4, 5.2.5, 4.2.4: dice of one side, as they fell.

    ``faces`` are words of the combat die; for kind *DIR* one number from 1 to 6.
    """

    side: str
    kind: str
    faces: tuple[str, ...] = ()
    attack: int = 0
    by: str = ""


@dataclass(frozen=True, slots=True)
class Lose:
    """Rules 5.2.6, 4.2.4, 6: a unit or garrison loses a step; the last one eliminates it."""

    unit: str
    cause: str
    attack: int = 0
    by: str = ""


@dataclass(frozen=True, slots=True)
class Advance:
    """Rule 5.2.7: an attacker goes into the hex that its attack has emptied."""

    unit: str
    to: Hex
    attack: int = 0
    by: str = ""


@dataclass(frozen=True, slots=True)
class Liberate:
    """Rule 6: the Allied garrison of an objective is placed: *COMBAT*, *VACANT* or *RETURN*.

    ``steps`` is what the counter shows, 0 for as many as it should.
    """

    garrison: str
    cause: str
    steps: int = 0
    by: str = ""


@dataclass(frozen=True, slots=True)
class BuyGarrison:
    """Rules 4.1.5 and 6: a German garrison is back; ``pay``: *STEP*, *REGROUP* or nothing.

    The step is lost by :class:`Lose` with cause *GARRISON*, beside it; ``unit`` names who paid.
    """

    garrison: str
    pay: str = ""
    unit: str = ""
    steps: int = 0
    by: str = ""


# --------------------------------------------------------------------- what no rule provides for


@dataclass(frozen=True, slots=True)
class Relocate:
    """A piece is put somewhere without any of the reasons above."""

    piece: str
    to: Place
    by: str = ""


@dataclass(frozen=True, slots=True)
class Alter:
    """The steps of a unit or garrison change without any of the causes above."""

    piece: str
    steps: int
    by: str = ""


Action: TypeAlias = (
    Phase
    | Chit
    | ReturnChits
    | SetVP
    | Declare
    | PassTurn
    | DrawAsset
    | PoolLate
    | Commit
    | Use
    | Discard
    | Drop
    | DrawUnit
    | Receive
    | Land
    | Displace
    | Gain
    | Return
    | Move
    | Attack
    | Join
    | Leave
    | Reset
    | Reveal
    | Peek
    | Roll
    | Lose
    | Advance
    | Liberate
    | BuyGarrison
    | Relocate
    | Alter
)

ACTIONS: Final[tuple[type, ...]] = get_args(Action)
"""Every class of action, in the order of the union."""

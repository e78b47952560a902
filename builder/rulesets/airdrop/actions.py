"""Everything that players do in an air drop, as values; :data:`Action` is all of them.

Places are hexes of the extended grid, directions 1 (north) to 6, clockwise. Parachutes are called
``PA`` to ``PT`` (Personnel) and ``WA`` to ``WT`` (a weapon of that Stick).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias, get_args

from builder.hexes.grid import Hex

__all__ = [
    "ACTIONS",
    "HEX_MARKS",
    "PIECE_MARKS",
    "Action",
    "Adjust",
    "Advance",
    "Attack",
    "Blow",
    "Canister",
    "Chain",
    "Cvp",
    "Deploy",
    "Displace",
    "Dproll",
    "Drift",
    "Elim",
    "Fire",
    "Flip",
    "Land",
    "Load",
    "Loss",
    "Mark",
    "Mc",
    "Move",
    "Open",
    "Peek",
    "Phase",
    "Place",
    "Rally",
    "Recover",
    "Relocate",
    "Roll",
    "Rout",
    "Rs",
    "Tc",
    "Weather",
    "Wind",
    "Wing",
]


@dataclass(frozen=True, slots=True)
class Weather:
    """Rule 9.1: the weather is set."""

    state: str


@dataclass(frozen=True, slots=True)
class Wind:
    """Rule 9.1: the wind has a direction (0: none set) and a force NONE, MILD, HEAVY or GUST."""

    dir: int
    force: str = "NONE"


@dataclass(frozen=True, slots=True)
class Phase:
    """Rule 9, sequence of play: the tracker goes to a phase of a side's player turn."""

    turn: int
    side: str
    phase: str


@dataclass(frozen=True, slots=True)
class Wing:
    """Rule 9.11, 9.12.

    A Wing is told: planned point, grain axis (1, 2 or 3), its Sticks' letters.
    """

    id: str
    dp: Hex
    grain: int
    sticks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Load:
    """Rule 9.11: a unit or weapon goes into a Stick's Cloaking Box; an empty stick: out of it.

    No line tells it: a Cloaking Box is its owner's secret, and the counter itself shows it.
    """

    unit: str
    stick: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Rule 9.12: a parachute is put into a hex before it drifts.

    ``copy``: it is another counter of a letter and size that the table has already.
    """

    chute: str
    hex: Hex
    copy: bool = False


@dataclass(frozen=True, slots=True)
class Dproll:
    """Rule 9.12: the dr of a Wing's drop point, and the hex that it comes to.

    With 4 to 6, ``dice`` are those of the boards' selection, and ``colored`` and ``white`` place
    the point from the middle of the board that they select.
    """

    wing: str
    dr: int
    hex: Hex
    board: int = 0
    dice: tuple[int, ...] = ()
    colored: int = 0
    white: int = 0


@dataclass(frozen=True, slots=True)
class Drift:
    """Rule 9.2: the Drift DR of a parachute, and the hex to which it drifts before the wind."""

    chute: str
    colored: int
    white: int
    to: Hex


@dataclass(frozen=True, slots=True)
class Blow:
    """Rule 9.2: the wind moves a parachute that has drifted."""

    chute: str
    to: Hex


@dataclass(frozen=True, slots=True)
class Fire:
    """Rule 9.3: a unit fires at a parachute in the air.

    ``drm`` names what is claimed, ``sum`` is the total of the DRM, ``hindrance`` the hindrances
    between firer and parachute.
    """

    firer: str
    chute: str
    colored: int
    white: int
    fp: int = 0
    weapon: str = "SMALL"
    drm: tuple[str, ...] = ()
    sum: int = 0
    hindrance: int = 0


@dataclass(frozen=True, slots=True)
class Rs:
    """Rule 9.3, 9.33, 9.42: the Random Selection die of one candidate; the highest is selected.

    ``cause`` is TARGET (parachutes of a hex), CASUALTY (units of a Stick) or DEPLOY (who goes
    downwind). A unit in a Cloaking Box is not named in the line, its counter shows the die.
    """

    cause: str
    piece: str
    die: int


@dataclass(frozen=True, slots=True)
class Mc:
    """Rule 9.33, 9.42: a morale check of a parachute's Stick by two dice against its level."""

    chute: str
    plus: int
    colored: int
    white: int
    passed: bool
    cause: str = "LAND"


@dataclass(frozen=True, slots=True)
class Tc:
    """Rule 9.42: a task check of a parachute's Stick by two dice against its level."""

    chute: str
    plus: int
    colored: int
    white: int
    passed: bool


@dataclass(frozen=True, slots=True)
class Roll:
    """Rule 9.3, 9.32, 9.6: a roll that the rules know by its kind.

    PTC, HOB (Heat of Battle), TH (To Hit), SNIPER, LLMC, LLTC. The Sniper of a side itself is
    ``Sniper-Attacker`` or ``Sniper-Defender``.
    """

    kind: str
    piece: str
    colored: int
    white: int


@dataclass(frozen=True, slots=True)
class Adjust:
    """Rule 9.4: an unbroken parachute shifts its landing."""

    chute: str
    to: Hex


@dataclass(frozen=True, slots=True)
class Land:
    """Rule 9.4: a parachute lands; dr is that of a bridge, place GROUND, BRIDGE, IN or UPPER."""

    chute: str
    place: str = "GROUND"
    dr: int = 0


@dataclass(frozen=True, slots=True)
class Flip:
    """Rule 9.4: a landed parachute of a support weapon is flipped."""

    chute: str


@dataclass(frozen=True, slots=True)
class Chain:
    """Rule 9.42: a Stick in an interior building hex goes on to the next hex downwind."""

    chute: str
    to: Hex


@dataclass(frozen=True, slots=True)
class Deploy:
    """Rule 9.42: a Stick Deploys: its Half-Squads, crews and SMC are placed in its hex."""

    chute: str
    units: tuple[str, ...]
    hex: Hex


@dataclass(frozen=True, slots=True)
class Displace:
    """Rule 9.42: a unit of a Stick that has Deployed goes to the next hex downwind."""

    unit: str
    to: Hex


@dataclass(frozen=True, slots=True)
class Open:
    """Rule 9.6: a parachute is removed and the units of its box are placed in a hex."""

    chute: str
    units: tuple[str, ...]
    hex: Hex
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Elim:
    """Rule 9.3, 9.4: a parachute, unit or weapon is eliminated."""

    piece: str
    cause: str = "FIRE"


@dataclass(frozen=True, slots=True)
class Loss:
    """Rule 9.33: a unit of a Stick is eliminated (ELIM) or wounded (WOUND)."""

    chute: str
    unit: str
    kind: str = "ELIM"


@dataclass(frozen=True, slots=True)
class Mark:
    """Rule 9.3, 9.11, 9.43, 9.7: a marker is put on a piece or into a hex, or is taken off.

    PIN, CONCEALED, DM, CC, SYSTEMS, CX, PILLBOX on a piece; RESIDUAL and FIRELANE in a hex. A DM on
    a parachute tells that its Stick is broken.
    """

    kind: str
    piece: str = ""
    hex: Hex | None = None
    on: bool = True


@dataclass(frozen=True, slots=True)
class Move:
    """Rule 9.1, 9.41: a unit moves to a hex."""

    unit: str
    to: Hex


@dataclass(frozen=True, slots=True)
class Rout:
    """Rule 9.43, 9.5: a unit routs to a hex."""

    unit: str
    to: Hex


@dataclass(frozen=True, slots=True)
class Advance:
    """Rule 9.6, 9.41: a unit advances to a hex."""

    unit: str
    to: Hex


@dataclass(frozen=True, slots=True)
class Attack:
    """Rule 9.1, 9.43, 9.5: a unit attacks a hex; kind FIRE, TPBF or CC; leader directs."""

    unit: str
    hex: Hex
    kind: str = "FIRE"
    leader: str = ""


@dataclass(frozen=True, slots=True)
class Recover:
    """Rule 9.11, 9.41: a unit recovers a dropped support weapon."""

    unit: str
    chute: str
    sw: str = ""
    dm: bool = False


@dataclass(frozen=True, slots=True)
class Canister:
    """Rule 9.7.

    A partially armed unit looks for its arms: dr, drm as claimed, whether it succeeds.
    """

    unit: str
    dr: int
    drm: int
    passed: bool


@dataclass(frozen=True, slots=True)
class Peek:
    """Rule 9.4: somebody looks at what hangs on a landed parachute."""

    chute: str
    side: str


@dataclass(frozen=True, slots=True)
class Cvp:
    """Rule 9.3, 9.41: the casualty points of the dropped side stand at a figure of their track."""

    points: int


@dataclass(frozen=True, slots=True)
class Rally:
    """Rule 9.41: a broken unit rallies."""

    unit: str


@dataclass(frozen=True, slots=True)
class Relocate:
    """A piece is put somewhere for none of the rules' reasons: a hex or the name of a box."""

    piece: str
    to: Hex | str


PIECE_MARKS: Final = ("PIN", "CONCEALED", "CC", "CX", "SYSTEMS", "DM", "PILLBOX")
"""The kinds of markers that lie on a piece."""

HEX_MARKS: Final = ("RESIDUAL", "FIRELANE")
"""The kinds of markers that lie in a hex."""

Action: TypeAlias = (
    Weather
    | Wind
    | Phase
    | Wing
    | Load
    | Place
    | Dproll
    | Drift
    | Blow
    | Fire
    | Rs
    | Mc
    | Tc
    | Roll
    | Adjust
    | Land
    | Flip
    | Chain
    | Deploy
    | Displace
    | Open
    | Elim
    | Loss
    | Mark
    | Move
    | Rout
    | Advance
    | Attack
    | Recover
    | Canister
    | Peek
    | Cvp
    | Rally
    | Relocate
)

ACTIONS: Final[tuple[type, ...]] = get_args(Action)
"""The classes of all actions."""

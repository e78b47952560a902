"""What the rules know of the box: units, garrisons, assets, objectives and figures, read once.

All of it comes from the game's own files: ``counters.csv``, ``places.csv`` and the charts that
players read, so that rules and printed charts cannot disagree. A figure knows whether the rulebook
gives it; findings that rest on one that it does not give are warnings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple, TypeAlias

from builder.gamebox.model import MapSheet
from builder.hexes.grid import Hex
from builder.rulesets.dropzone.ground import Ground
from builder.rulesets.dropzone.sequence import COMMANDS_OF

__all__ = [
    "ALLIED",
    "FACES",
    "GERMAN",
    "THROW_COUNTS",
    "AssetFacts",
    "AssetKind",
    "Facts",
    "Figure",
    "GarrisonFacts",
    "Level",
    "Objective",
    "Side",
    "Target",
    "TurnFigures",
    "UnitFacts",
    "enemy_of",
]

Side: TypeAlias = str
ALLIED: Final = "Allied"
GERMAN: Final = "German"

Target: TypeAlias = Literal["armor", "airborne", "ffi", "german_inf"]
AssetKind: TypeAlias = Literal[
    "INDIRECT", "ANTITANK", "AIRSTRIKE", "INITIATIVE", "COORDINATED", "REGROUP"
]
FACES: Final[Mapping[str, frozenset[str]]] = {
    "armor": frozenset({"armor"}),
    "airborne": frozenset({"armor", "airborne"}),
    "ffi": frozenset({"armor", "airborne", "ffi"}),
    "german_inf": frozenset({"armor", "infantry"}),
}
"""Rule 1.2: the faces that score a step from each kind of target."""

THROW_COUNTS: Final[Mapping[str, str]] = {"Faces": "Thrown", "Direction": "Spun"}
"""What a dice tray shows, and the property there that counts its throws."""


def enemy_of(side: Side) -> Side:
    """Return the other side.

    >>> enemy_of("Allied")
    'German'
    """
    return GERMAN if side == ALLIED else ALLIED


class Figure(NamedTuple):
    """A number of a chart; ``is_ours`` if the rulebook does not give it; ``name`` as we cite it."""

    value: int
    is_ours: bool
    name: str


@dataclass(frozen=True, slots=True)
class UnitFacts:
    """A unit: one row of ``counters.csv`` with layout *unit* (rules 1.2, 1.3, 4.2).

    ``drc`` are its dice by steps from full strength down; ``serial`` the para-drop serial of a
    unit that starts hidden, and ``aim`` its hex; ``turn`` its turn of arrival, 0 if it starts on
    the map or in the air; ``areas`` the entry areas to choose from; ``start`` a hex or a box.
    """

    id: str
    name: str
    title: str
    side: Side
    command: str
    is_armor: bool
    target: Target
    steps: int
    drc: tuple[int, ...]
    ma: int
    symbol: str
    formation: str
    center: str
    affiliation: str
    serial: str
    aim: Hex | None
    turn: int
    areas: tuple[str, ...]
    is_random: bool
    start: Hex | str
    is_ours: bool

    @property
    def is_ffi(self) -> bool:
        """Whether it belongs to the French Resistance."""
        return self.target == "ffi"

    @property
    def is_airborne(self) -> bool:
        """Whether it is Allied airborne infantry."""
        return self.target == "airborne"

    @property
    def lands(self) -> bool:
        """Whether it comes by the daylight landing of turn 3 (rule 4.2.4): no area, but a zone."""
        return self.turn > 0 and not self.areas and not self.is_random and bool(self.affiliation)

    def dice(self, steps: int) -> int:
        """Return its dice in combat (DRC) with that many steps left; 0 without steps."""
        if steps <= 0:
            return 0
        return self.drc[max(0, len(self.drc) - steps)]

    @property
    def drc_is_ours(self) -> bool:
        """Whether its dice are no figure of the rulebook: infantry rolls its steps (rule 1.2)."""
        return self.is_ours and self.drc != tuple(range(self.steps, 0, -1))


@dataclass(frozen=True, slots=True)
class GarrisonFacts:
    """The garrisons of one objective, both sides' on one counter (rules 1.2 and 6).

    ``german_steps`` and ``allied_steps`` are those at the start and after liberation;
    ``allied_target`` is *ffi*, or *airborne* for the three Allied headquarters.
    """

    id: str
    objective: str
    hex: Hex
    german_steps: int
    german_hq: str
    allied_name: str
    allied_target: Target
    allied_steps: int

    def target(self, side: Side) -> Target:
        """Return what the side's garrison is hit as."""
        return "german_inf" if side == GERMAN else self.allied_target

    def is_hq(self, side: Side) -> bool:
        """Tell whether the side's garrison is a headquarters."""
        return bool(self.german_hq) if side == GERMAN else self.allied_target == "airborne"

    def full_steps(self, side: Side, *, returns: bool = False) -> int:
        """Return its steps when placed; a German one that ``returns`` has one (rule 6)."""
        if side == GERMAN:
            return 1 if returns else self.german_steps
        return self.allied_steps

    def name(self, side: Side) -> str:
        """Return what players call it."""
        kind = (self.german_hq or "German") if side == GERMAN else self.allied_name
        return f"{kind} garrison of {self.objective}"


@dataclass(frozen=True, slots=True)
class AssetFacts:
    """An asset counter (rule 1.4): its dice in both modes; ``turn`` it can be drawn from."""

    id: str
    name: str
    side: Side
    kind: AssetKind
    if_value: int
    at_value: int
    turn: int
    is_ours: bool


@dataclass(frozen=True, slots=True)
class Objective:
    """An objective hex (rules 6 and 7); ``points`` is 0 for Le Muy's star."""

    name: str
    hex: Hex
    kind: str
    points: int
    is_star: bool
    color: str
    garrison: str


@dataclass(frozen=True, slots=True)
class TurnFigures:
    """A row of the turn track: RP of each Allied Command, and assets drawn by each side."""

    turn: int
    rp: Figure
    assets: Mapping[Side, Figure]


class Level(NamedTuple):
    """A level of victory: from ``low`` points to ``high``, both included."""

    low: int
    high: int
    name: str


@dataclass(frozen=True, repr=False)
class Facts:
    """The game as its rules see it. Not slotted, so that what is derived can be kept.

    ``levels`` maps a scenario's name to its levels, best for the Allies first; ``dice`` a side to
    the faces of its die; ``dice_is_ours`` whether their counts are our own; ``entries`` an area's
    letter to its hexes; ``zones`` the landing zones by name; ``garrison_at`` an objective's hex to
    its garrison counter.
    """

    sheet: MapSheet
    ground: Ground
    units: Mapping[str, UnitFacts]
    garrisons: Mapping[str, GarrisonFacts]
    assets: Mapping[str, AssetFacts]
    objectives: Mapping[str, Objective]
    turns: Mapping[int, TurnFigures]
    levels: Mapping[str, tuple[Level, ...]]
    dice: Mapping[Side, tuple[str, ...]]
    dice_is_ours: Mapping[Side, bool]
    entries: Mapping[str, tuple[Hex, ...]]
    zones: Mapping[str, Hex]
    garrison_at: Mapping[Hex, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        """Return a few words: written out, the facts would hide whatever they stand beside."""
        return f"<Facts: {len(self.units)} units, {len(self.objectives)} objectives>"

    def side_of(self, piece: str) -> Side | None:
        """Return the side of a unit or asset; ``None`` for garrisons, which change sides."""
        if piece in self.units:
            return self.units[piece].side
        return self.assets[piece].side if piece in self.assets else None

    def side_of_command(self, command: str) -> Side | None:
        """Return the side of a Command, or ``None`` if there is no such Command."""
        return next((s for s, names in COMMANDS_OF.items() if command in names), None)

    def title(self, piece: str) -> str:
        """Return what players call a unit, a garrison's objective, or an asset."""
        if piece in self.units:
            return self.units[piece].title
        if piece in self.garrisons:
            return f"garrison of {self.garrisons[piece].objective}"
        return self.assets[piece].name if piece in self.assets else piece

    def label(self, place: Hex | str | None) -> str:
        """Return the printed number of a hex, the name of a box, or a dash."""
        if place is None:
            return "–"
        return self.sheet.label(place) if isinstance(place, Hex) else place

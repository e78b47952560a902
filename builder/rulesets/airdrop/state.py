"""The table of an air drop as its rules see it, with what has happened as far as rules ask."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from builder.hexes.grid import Hex
from builder.rulesets.airdrop.actions import Fire, Phase
from builder.rulesets.airdrop.facts import Figures, Ground, terrain_hex

__all__ = [
    "INFANTRY",
    "KEPT",
    "MMC",
    "PHASES",
    "SMC",
    "Chute",
    "State",
    "Stick",
    "Unit",
    "WingPlan",
    "halves_of",
    "is_parachute",
    "place_of",
]

PHASES: Final = (
    "SETUP",
    "RPh",
    "PFPh",
    "DRIFT",
    "FIRSTFIRE",
    "ADJUST",
    "LAND",
    "CHECKS",
    "DFPh",
    "AFPh",
    "RtPh",
    "APh",
    "CCPh",
)
"""The phases of a player turn in order; SETUP only before the first."""

MMC: Final = ("squad", "hs", "crew")
SMC: Final = ("leader", "hero")
INFANTRY: Final = (*MMC, *SMC)
"""The kinds of units that are men and no weapons."""

KEPT: Final[Mapping[str, tuple[str, ...]]] = {
    "BRITISH": ("LMG", "LIGHT_MTR", "RADIO"),
    "US": ("LIGHT_MTR",),
}
"""Rule 9.2: weapons that drop with their possessor, by nationality."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit or weapon: ``kind`` is squad, hs, crew, leader, hero, sw or gun.

    ``where`` is its hex, ``None`` in a Cloaking Box or off the table; ``stick`` the letter of the
    Cloaking Box in which it is or with which it dropped; ``half_of`` the squad whose Half-Squad
    it is; ``strength`` is printed as in ``6-6-7``; ``sw`` the kind of a weapon; ``fires`` SMALL,
    LIGHT_AA, ORDNANCE, MORTAR or OTHER.
    """

    id: str
    kind: str
    side: str
    nationality: str = ""
    name: str = ""
    where: Hex | None = None
    stick: str = ""
    half_of: str = ""
    strength: str = ""
    sw: str = ""
    fires: str = "SMALL"
    fp: int = 0
    leadership: int = 0
    elite: bool = False
    can_dm: bool = False
    dm: bool = False
    broken: bool = False
    wounded: bool = False
    eliminated: bool = False
    partially_armed: bool = False
    exhausted: bool = False
    offboard: bool = False
    deployed: bool = False
    """Whether it came onto the map when its Stick Deployed, before the APh."""
    displaced: bool = False
    """Whether it went downwind when its Stick Deployed."""


def halves_of(units: Iterable[Unit]) -> int:
    """Rule 9.11: what MMC come to, in half-squads; a crew counts as one."""
    return sum({"squad": 2, "hs": 1, "crew": 1}.get(unit.kind, 0) for unit in units)


@dataclass(frozen=True, slots=True)
class WingPlan:
    """A Wing: planned point, grain axis 1 to 3, letters of its Sticks, and its drop point dr."""

    id: str
    planned: Hex
    grain: int
    sticks: tuple[str, ...]
    dr: int = 0
    point: Hex | None = None


@dataclass(frozen=True, slots=True)
class Stick:
    """What a Cloaking Box held when its parachute was placed.

    Ids of the units inside, and of the weapons under a parachute of their own.
    """

    letter: str
    units: tuple[str, ...] = ()
    sw: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chute:
    """A parachute ``PA`` or ``WA``.

    ``status`` is BOX, AERIAL, LANDED, DEPLOYED, REMOVED, RECOVERED or ELIMINATED. ``drift`` holds
    the dice seen, ``start`` and ``drifted`` its hex before and after them.
    """

    id: str
    where: Hex | None = None
    status: str = "BOX"
    broken: bool = False
    flipped: bool = False
    start: Hex | None = None
    drifted: Hex | None = None
    drift: tuple[int, int] | None = None
    blown: bool = False
    adjusted: bool = False
    fired_by: tuple[tuple[str, Hex], ...] = ()
    checks: int = 0
    failed: str = ""
    landed_at: str = ""
    offboard: bool = False
    chained: bool = False
    """Whether it went on from an interior building hex."""
    copies: int = 1
    """How many counters of this letter and size are on the table."""

    @property
    def letter(self) -> str:
        """The letter of its Stick."""
        return self.id[1:]

    @property
    def is_weapon(self) -> bool:
        """Tell whether it carries a weapon (1/2") and not Personnel."""
        return self.id.startswith("W")


def is_parachute(name: str) -> bool:
    """Tell whether a counter is a parachute by its id: P or W, and the letter of its Stick.

    >>> [is_parachute(name) for name in ("PA", "WT", "P1", "CVP", "")]
    [True, True, False, False, False]
    """
    return len(name) == 2 and name[0] in "PW" and name[1].isalpha()


@dataclass(frozen=True, slots=True)
class State:
    """The whole table. ``side`` is whose player turn it is."""

    ground: Ground
    figures: Figures = field(default_factory=Figures)
    nationality: str = "US"
    date: int = 1944
    turn: int = 1
    side: str = "Attacker"
    phase: str = "SETUP"
    weather: str = "CLEAR"
    wind_dir: int = 0
    wind_force: str = "NONE"
    drop: tuple[int, str] | None = None
    """Turn and side of the player turn in which parachutes were placed; ``None`` before."""
    wings: dict[str, WingPlan] = field(default_factory=dict)
    sticks: dict[str, Stick] = field(default_factory=dict)
    chutes: dict[str, Chute] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)
    markers: frozenset[tuple[str, str]] = frozenset()
    """Kinds of markers with the id of the piece, or the printed hex, that bears them."""
    entered: dict[str, tuple[Hex, ...]] = field(default_factory=dict)
    attacked: frozenset[tuple[str, Hex, str]] = frozenset()
    """Firer, hex and kind of every attack of this player turn."""
    cvp: int = 0
    fire: Fire | None = None
    """The last attack on a parachute in this phase."""
    dice: dict[str, dict[str, int]] = field(default_factory=dict)
    """Random Selection by cause: candidate to die; anew with each attack and each phase."""
    answered: frozenset[str] = frozenset()
    """Parachutes that have made the MC of the last attack."""
    reduced: frozenset[str] = frozenset()
    """Parachutes whose Sticks have lost somebody to the last attack."""
    tried: frozenset[str] = frozenset()
    """Units that have looked for an arms canister in this player turn."""
    started: frozenset[str] = frozenset()
    """Sides that had Infantry on the boards when this game turn started."""
    throws: dict[str, int] = field(default_factory=dict)
    """How often dice were thrown for a piece: what its counter of throws shows."""
    attacks: dict[str, int] = field(default_factory=dict)
    """How often a piece was attacked on the ground: what its counter of attacks shows."""

    def units_of(self, letter: str) -> tuple[Unit, ...]:
        """Return the Personnel and kept weapons in a Cloaking Box, the eliminated left out."""
        return tuple(u for u in self.in_box(letter) if not self.is_separate(u))

    def in_box(self, letter: str) -> tuple[Unit, ...]:
        """Return everything in a Cloaking Box that is not eliminated."""
        return tuple(
            u
            for u in self.units.values()
            if u.stick == letter and u.where is None and not u.eliminated
        )

    def men_of(self, letter: str) -> tuple[Unit, ...]:
        """Return the Personnel in a Cloaking Box, without weapons and the eliminated."""
        return tuple(u for u in self.units_of(letter) if u.kind != "sw")

    def hanging_on(self, chute: Chute) -> tuple[Unit, ...]:
        """Return what hangs on a parachute: the Stick, or its separate weapon."""
        return tuple(u for u in self.in_box(chute.letter) if self.is_separate(u) == chute.is_weapon)

    def is_separate(self, unit: Unit) -> bool:
        """Rule 9.2: tell whether a weapon drops by a parachute of its own."""
        return unit.kind == "sw" and unit.sw not in KEPT.get(self.nationality, ())

    def selected(self, cause: str) -> tuple[str, ...]:
        """Return who a Random Selection has selected: all with the highest die."""
        dice = self.dice.get(cause, {})
        highest = max(dice.values(), default=0)
        return tuple(key for key, die in dice.items() if die == highest)

    @property
    def is_drop_turn(self) -> bool:
        """Tell whether this is the player turn in which the parachutes were placed."""
        return self.drop == (self.turn, self.side)

    def ends(self, action: Phase, phase: str) -> bool:
        """Tell whether a phase of the drop's player turn is over by a step of the tracker.

        It is over as well if the tracker has passed it by.
        """
        last = PHASES.index(phase)
        if not self.is_drop_turn or PHASES.index(self.phase) > last:
            return False
        same = (action.turn, action.side) == (self.turn, self.side)
        return not same or PHASES.index(action.phase) > last

    def aerial(self) -> tuple[Chute, ...]:
        """Return the parachutes that are in the air."""
        return tuple(c for c in self.chutes.values() if c.status == "AERIAL")

    @property
    def dropped_side(self) -> str:
        """The side whose parachutes were placed; empty before."""
        return self.drop[1] if self.drop else ""

    def footing(self, chute: Chute) -> Hex | None:
        """Rules 9.4, 9.41: the hex whose ground a landed parachute meets; none on a bridge."""
        on_bridge = chute.landed_at == "BRIDGE"
        return None if on_bridge or chute.where is None else terrain_hex(chute.where)

    def takes_morale(self, chute: Chute) -> bool:
        """Rule 9.42: tell whether a landed Stick takes a MC for its ground, and not a TC."""
        at = self.footing(chute)
        return at is not None and self.ground.needs_morale(at)

    def is_drowned(self, chute: Chute) -> bool:
        """Rule 9.4: tell whether the ground on which a parachute has landed eliminates it."""
        at = self.footing(chute)
        return at is not None and self.ground.kills(at)

    def is_inside(self, chute: Chute) -> bool:
        """Rule 9.42: tell whether a landed parachute stands in an interior building hex."""
        at = self.footing(chute)
        return at is not None and self.ground.is_interior(at)

    def is_under_parachute(self, name: str) -> bool:
        """Rule 9.1: tell whether a unit's parachute, or one itself, has not been removed yet."""
        found = self.units.get(name)
        chute = self.chutes.get(f"P{found.stick}" if found and found.stick else name)
        if chute is None or chute.is_weapon or chute.status not in ("AERIAL", "LANDED"):
            return False
        return found is None or (found.where is None and not self.is_separate(found))

    def enemies_in(self, h: Hex) -> tuple[Unit, ...]:
        """Return the Infantry in a hex of the side whose player turn it is not."""
        return tuple(
            u
            for u in self.units.values()
            if u.where == h and u.side != self.side and u.kind in INFANTRY and not u.eliminated
        )


def place_of(state: State, piece: str) -> Hex | None:
    """Return the hex in which a unit or parachute is; ``None`` beside the map."""
    chute, unit = state.chutes.get(piece), state.units.get(piece)
    if chute is not None:
        return chute.where
    return unit.where if unit is not None else None

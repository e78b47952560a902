"""The table of an air drop as its rules see it, with what has happened as far as rules ask."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from builder.hexes.grid import Hex
from builder.rulesets.airdrop.facts import Ground

__all__ = ["PHASES", "Chute", "State", "Stick", "Unit", "WingPlan", "halves_of"]

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


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit or weapon: ``kind`` is squad, hs, crew, leader, hero or sw.

    ``where`` is its hex, ``None`` in a Cloaking Box or off the table; ``stick`` the letter of the
    Stick that it dropped with; ``strength`` is printed as in ``6-6-7``.
    """

    id: str
    kind: str
    side: str
    nationality: str = ""
    where: Hex | None = None
    stick: str = ""
    strength: str = ""
    sw: str = ""
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
    """What a Cloaking Box holds: ids of units inside, and of weapons under their own parachute."""

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

    @property
    def letter(self) -> str:
        """The letter of its Stick."""
        return self.id[1:]

    @property
    def is_weapon(self) -> bool:
        """Tell whether it carries a weapon (1/2") and not Personnel."""
        return self.id.startswith("W")


@dataclass(frozen=True, slots=True)
class State:
    """The whole table. ``side`` is whose player turn it is."""

    ground: Ground
    nationality: str = "US"
    date: int = 1944
    turn: int = 1
    side: str = "Attacker"
    phase: str = "SETUP"
    weather: str = "CLEAR"
    wind_dir: int = 0
    wind_force: str = "NONE"
    wings: dict[str, WingPlan] = field(default_factory=dict)
    sticks: dict[str, Stick] = field(default_factory=dict)
    chutes: dict[str, Chute] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)
    markers: frozenset[tuple[str, str]] = frozenset()
    entered: dict[str, frozenset[Hex]] = field(default_factory=dict)
    attacked: frozenset[tuple[str, Hex]] = frozenset()
    cvp: dict[str, int] = field(default_factory=dict)
    picked: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def units_of(self, letter: str) -> tuple[Unit, ...]:
        """Return the units in the Cloaking Box of a Stick that the table still has."""
        stick = self.sticks.get(letter)
        ids = stick.units if stick else ()
        return tuple(u for i in ids if (u := self.units.get(i)) and not u.eliminated)

    def aerial(self) -> tuple[Chute, ...]:
        """Return the parachutes that are in the air."""
        return tuple(c for c in self.chutes.values() if c.status == "AERIAL")

    def takes_morale(self, chute: Chute) -> bool:
        """Rule 9.42: tell whether a landed Stick takes a MC for its ground, and not a TC."""
        at = None if chute.landed_at == "BRIDGE" else chute.where
        return at is not None and self.ground.needs_morale(at)

    def is_drowned(self, chute: Chute) -> bool:
        """Rule 9.4: tell whether the ground on which a parachute has landed eliminates it."""
        at = None if chute.landed_at == "BRIDGE" else chute.where
        return at is not None and self.ground.kills(at)

    def is_under_parachute(self, unit: str) -> bool:
        """Rule 9.1: tell whether a unit's parachute has not been removed yet."""
        found = self.units.get(unit)
        chute = self.chutes.get(f"P{found.stick}") if found and found.stick else None
        return chute is not None and chute.status in ("BOX", "AERIAL", "LANDED")

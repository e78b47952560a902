"""Places and directions of an air drop, and the words of the ground that its rules ask for.

Boards 1 and 2 lie side by side and share a column; the grid goes on around them. Raw columns that
are odd lie half a hex lower.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from builder.hexes.lattice import Hex, distance, neighbor

__all__ = [
    "CHECKED",
    "DEADLY",
    "DEADLY_AFTER",
    "FORCES",
    "Figures",
    "Ground",
    "board_of",
    "is_onboard",
    "is_whole",
    "label",
    "mirrored",
    "offboard_distance",
    "rests_on_terrain",
    "step",
    "terrain_hex",
]

LEFT: Final = 14
SHARED: Final = 46
RIGHT: Final = 78
TOP: Final = 13
NUMBERS: Final = 10
"""Raw columns of 1A, 1GG and 2GG; raw row of number 0; highest number."""

FORCES: Final[Mapping[str, int]] = {"NONE": 0, "MILD": 2, "GUST": 3, "HEAVY": 4}
"""Rule 9.2: hexes that the wind carries a parachute by force."""

DEADLY: Final = frozenset({"water", "deep_stream", "flooded_stream"})
"""Rule 9.4: ground that eliminates who lands in it; also a Blaze; not frozen water."""

DEADLY_AFTER: Final = frozenset({"water", "flooded_stream"})
"""Rule 9.42: ground that eliminates a Half-Squad placed in it; also a Blaze; not frozen water."""

CHECKED: Final = frozenset(
    [
        "woods",
        "crag",
        "building",
        "shallow_stream",
        "vineyard",
        "cactus",
        "olive",
        "jungle",
        "bamboo",
        "swamp",
        "paddy",
        "marsh",
    ]
)
"""Rule 9.42: ground in which a landing takes a morale check instead of a task check."""


def step(h: Hex, direction: int, count: int = 1) -> Hex:
    """Return the hex so many steps away in a direction 1 to 6; the same hex for direction 0.

    >>> step(Hex(24, 18), 5, 3)
    Hex(column=21, row=19)
    """
    if not 1 <= direction <= 6:
        return h
    for _ in range(count):
        h = neighbor(h, direction - 1)
    return h


def is_onboard(h: Hex) -> bool:
    """Tell whether a hex lies on one of the boards, whole or cut."""
    lowest = TOP if h.column & 1 else TOP + 1
    return LEFT <= h.column <= RIGHT and lowest <= h.row <= TOP + NUMBERS


def is_whole(h: Hex) -> bool:
    """Tell whether a hex is whole: neither cut by the boards' edge nor off them."""
    cut = h.column in (LEFT, RIGHT) or (h.column & 1 and h.row in (TOP, TOP + NUMBERS))
    return is_onboard(h) and not cut


def board_of(h: Hex) -> int:
    """Return the board of a hex, 0 off the boards; the shared column belongs to board 1."""
    if not is_onboard(h):
        return 0
    return 1 if h.column <= SHARED else 2


def offboard_distance(h: Hex) -> int:
    """Rule 9.41: how many hexes a place is off the boards; 0 on them.

    >>> offboard_distance(Hex(15, 12)), offboard_distance(Hex(15, 13))
    (1, 0)
    """
    if is_onboard(h):
        return 0
    columns, rows = range(LEFT, RIGHT + 1), range(TOP, TOP + NUMBERS + 1)
    boards = (on for c in columns for r in rows if is_onboard(on := Hex(c, r)))
    return min(distance(h, on) for on in boards)


def mirrored(h: Hex) -> Hex:
    """Rule 9.41: the hex of the boards that lies opposite over the edge, and itself on them.

    Who is farther off than the boards are wide goes on over the far edge.

    >>> mirrored(Hex(14, 13)), mirrored(Hex(15, 12)), mirrored(Hex(12, 24)), mirrored(Hex(80, 18))
    (Hex(column=14, row=14), Hex(column=15, row=14), Hex(column=16, row=23), Hex(column=76, row=18))
    """
    column, row = h
    while not LEFT <= column <= RIGHT:
        column = 2 * (LEFT if column < LEFT else RIGHT) - column
    # the edges go through the middle of hexes in odd columns, and between hexes in even ones
    even = 1 - column % 2
    while not TOP + even <= row <= TOP + NUMBERS:
        row = 2 * (TOP if row < TOP + even else TOP + NUMBERS) + even - row
    return Hex(column, row)


def terrain_hex(h: Hex) -> Hex:
    """Rule 9.41: the hex whose ground counts in a place: off the boards the mirrored one."""
    return h if is_onboard(h) else mirrored(h)


def rests_on_terrain(h: Hex) -> tuple[str, ...]:
    """Rule 9.41: what a finding about the ground of a place rests on, for :class:`Breach`."""
    return () if is_onboard(h) else ("terrain off the boards",)


def label(h: Hex) -> str:
    """Return the printed name of a hex, or ``O`` with its raw place.

    >>> label(Hex(24, 18)), label(Hex(46, 14)), label(Hex(47, 14)), label(Hex(5, 7))
    ('1K5', '1GG1', '2B1', 'O0507')
    """
    board = board_of(h)
    if not board:
        return f"O{h.column:02}{h.row:02}"
    index = h.column - (LEFT if board == 1 else SHARED)
    letter = chr(ord("A") + index % 26)
    return f"{board}{letter * (1 + index // 26)}{h.row - TOP}"


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of other sections of the rulebook; ``ours`` names those that nobody has verified."""

    hazardous: int = -2
    squad: int = 2
    crew: int = 2
    half_squad: int = 1
    smc: int = 1
    leadership: int = 1
    ours: frozenset[str] = frozenset(
        ["hazardous", "squad", "crew", "half_squad", "smc", "leadership"]
    )

    def rests_on(self, *names: str) -> tuple[str, ...]:
        """Return which of some figures nobody has verified, for :class:`Breach`."""
        return tuple(name for name in names if name in self.ours)


@dataclass(frozen=True, slots=True)
class Ground:
    """The ground by hex: base word and flags; hexes that are not named are open."""

    bases: Mapping[Hex, str]
    flags: Mapping[Hex, frozenset[str]]

    def base(self, h: Hex) -> str:
        """Return the base word of a hex; ``open`` where nothing is known."""
        return self.bases.get(h, "open")

    def has(self, h: Hex, flag: str) -> bool:
        """Tell whether a hex has a flag, such as ``blaze`` or ``frozen``."""
        return flag in self.flags.get(h, frozenset())

    def kills(self, h: Hex, *, after_landing: bool = False) -> bool:
        """Rules 9.4, 9.42: tell whether a landing, or a later placement, in a hex eliminates."""
        deadly = DEADLY_AFTER if after_landing else DEADLY
        drowned = self.base(h) in deadly and not self.has(h, "frozen")
        return self.has(h, "blaze") or drowned

    def needs_morale(self, h: Hex) -> bool:
        """Rule 9.42: tell whether a landing in a hex takes a morale check."""
        return self.base(h) in CHECKED or self.has(h, "forest_road")

    def is_interior(self, h: Hex) -> bool:
        """Rule 9.42: tell whether a hex is an interior building hex."""
        return self.base(h) == "building" and self.has(h, "interior")

    def bridge(self, h: Hex) -> str:
        """Rule 9.4: the kind of bridge in a hex: empty, ``wide``, ``one_lane`` or ``foot``."""
        if self.has(h, "bridge_foot"):
            return "foot"
        if self.has(h, "bridge_one_lane"):
            return "one_lane"
        return "wide" if self.has(h, "bridge") else ""

"""Drops that the program plays on ground of its own, with something of everything."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from builder.hexes.grid import Hex
from builder.rules.dice import Thrower
from builder.rulesets.airdrop.facts import (
    LEFT,
    RIGHT,
    TOP,
    Ground,
    is_onboard,
)
from builder.rulesets.airdrop.policy import PlayTable, play_drop
from builder.rulesets.airdrop.state import State, Unit

__all__ = ["NATIONS", "played", "start"]

FOLDER = Path(__file__).parents[1] / "mapdata" / "airdrop"

NATIONS = ("US", "GERMAN", "RUSSIAN", "BRITISH")
STRENGTHS = {
    "US": ("7-4-7", "3-4-7", "2-2-7"),
    "GERMAN": ("5-4-8", "2-3-8", "2-2-8"),
    "RUSSIAN": ("6-2-8", "3-2-8", "2-2-8"),
    "BRITISH": ("6-4-8", "3-4-8", "2-2-8"),
}

GROUND: dict[int, tuple[str, str]] = {
    0: ("water", ""),
    2: ("deep_stream", "bridge"),
    3: ("deep_stream", "bridge_one_lane"),
    5: ("deep_stream", "bridge_foot"),
    7: ("flooded_stream", ""),
    9: ("shallow_stream", ""),
    10: ("woods", ""),
    12: ("woods", "forest_road"),
    13: ("building", ""),
    14: ("building", "interior"),
    15: ("building", "interior"),
    17: ("water", "frozen"),
    19: ("woods", "blaze"),
    20: ("marsh", ""),
    22: ("crag", ""),
    24: ("deep_stream", ""),
    25: ("jungle", ""),
}
"""Base word and flag by the remainder of a hex; all other hexes are open."""

BOXES: dict[str, tuple[str, ...]] = {
    "A": ("crew", "hs", "leader-1"),
    "B": ("squad", "leader"),
    "C": ("hs", "hs"),
    "D": ("squad", "MMG"),
    "E": ("squad", "hero"),
    "F": ("squad", "LIGHT_MTR"),
    "G": ("squad", "LMG"),
    "H": ("hs",),
    "I": ("squad", "leader-1", "RADIO"),
    "J": ("crew", "crew"),
    "K": ("squad", "HMG"),
    "L": ("hs", "leader"),
}
"""What is in the Cloaking Boxes: three Wings, the last of two Sticks."""

DISMANTLED = ("MMG", "HMG", "LIGHT_MTR")


@cache
def ground() -> Ground:
    """Return boards that have a little of everything, in no order."""
    bases: dict[Hex, str] = {}
    flags: dict[Hex, frozenset[str]] = {}
    for h in (Hex(c, r) for c in range(LEFT, RIGHT + 1) for r in range(TOP, TOP + 11)):
        base, flag = GROUND.get((h.column * 11 + h.row * 7) % 31, ("open", ""))
        if is_onboard(h) and base != "open":
            bases[h] = base
            flags[h] = frozenset([flag] if flag else [])
    return Ground(bases, flags)


def dropped(nationality: str) -> dict[str, Unit]:
    """Return what is in the boxes, and the Half-Squads of squads beside them."""
    squad, half, crew = STRENGTHS[nationality]
    printed = {"squad": squad, "hs": half, "crew": crew}
    units: dict[str, Unit] = {}
    for letter, box in BOXES.items():
        for number, word in enumerate(box):
            kind, _, better = word.partition("-")
            name = f"{kind}{letter}{number}"
            side = ("Attacker", nationality, name)
            if kind not in ("squad", "hs", "crew", "leader", "hero"):
                able = kind in DISMANTLED
                units[name] = Unit(name, "sw", *side, stick=letter, sw=kind, can_dm=able)
                continue
            strength = printed.get(kind, "")
            units[name] = Unit(
                name, kind, *side, stick=letter, strength=strength, leadership=-int(better or 0)
            )
            for part in ("a", "b") if kind == "squad" else ():
                other = name + part
                units[other] = Unit(
                    other, "hs", *side[:2], other, half_of=name, strength=half, elite=True
                )
    return units


def defenders() -> dict[str, Unit]:
    """Return squads of 4-6-7 all over the boards, leaders, a Half-Squad and guns."""
    places = [Hex(c, r) for c in range(LEFT + 3, RIGHT, 6) for r in (16, 20)]
    units = [
        Unit(f"d{n}", "squad", "Defender", where=h, strength="4-6-7", fp=4)
        for n, h in enumerate(places)
    ]
    units += [
        Unit(f"o{n}", "leader", "Defender", where=places[n], leadership=-1) for n in (0, 5, 11)
    ]
    units += [
        Unit("aa", "gun", "Defender", where=Hex(40, 18), fires="LIGHT_AA", fp=4),
        Unit("gun", "gun", "Defender", where=Hex(50, 18), fires="ORDNANCE"),
        Unit("half", "hs", "Defender", where=Hex(30, 18), strength="2-4-7", fp=2),
    ]
    return {u.id: u for u in units}


def start(nationality: str) -> State:
    """Return a drop before set-up: Germans of 1941, all others of 1944."""
    return State(
        ground(),
        nationality=nationality,
        date=1941 if nationality == "GERMAN" else 1944,
        units={**dropped(nationality), **defenders()},
    )


def played(seed: int) -> PlayTable:
    """Return the drop of a seed; the remainder by four is its nationality."""
    table = PlayTable(start(NATIONS[seed % 4]), Thrower(seed))
    play_drop(table)
    return table

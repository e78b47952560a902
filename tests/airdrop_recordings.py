"""What is played and recorded of the air drop, and which lines each deed must write.

As in ``dropzone_recordings``: both the tests that record with the real VASSAL and those that read
the recorded logs use these lists.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from dropzone_recordings import Deed, Recording

from builder.rulesets.airdrop.tracker import SHOWN

__all__ = ["OPEN", "RECORDINGS", "SECRET", "SECRET_WORDS"]

_GPIDS = Path(__file__).parents[1] / "mapdata" / "airdrop" / "gpids.csv"


def _slots() -> dict[str, str]:
    lines = _GPIDS.read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return {row["id"]: row["gpid"] for row in rows}


_SLOT = _slots()


def piece(counter: str) -> str:
    """Return how the engine's script names the counter of a set-up."""
    return f"gpid:{_SLOT.get(f'{counter}@start', _SLOT[counter])}"


def menu(counter: str, entry: str, *lines: str) -> Deed:
    """Return an entry of a counter's menu."""
    return Deed(f'command {piece(counter)} "{entry}"', lines)


def move(counter: str, to: str, *lines: str) -> Deed:
    """Return a drag of a counter."""
    return Deed(f'move {piece(counter)} "{to}"', lines)


def _turn(turn: int, side: str, phase: str) -> Deed:
    shown = "SETUP" if phase == "Start" else phase
    return Deed("turn next", (f"PHASE turn={turn} side={side} phase={shown}",))


def _weather() -> Iterator[Deed]:
    for entry, state in (
        ("mud", "MUD"), ("mist", "MIST"), ("gusty", "GUSTY"), ("snow", "SNOW"),
        ("falling snow", "FALLING_SNOW"), ("rain", "RAIN"), ("any other", "OTHER"),
        ("clear", "CLEAR"),
    ):  # fmt: skip
        yield menu("Weather", entry, f"WEATHER state={state}")
    yield menu("Wind", "Roll for the direction", "WIND force=NONE")
    for number, name in enumerate(
        ("north", "north-east", "south-east", "south", "south-west", "north-west"), 1
    ):
        yield menu("Wind", f"{number} {name}", f"WIND dir={number} force=NONE")
    for entry, force in (("mild breeze", "MILD"), ("heavy wind", "HEAVY"), ("gust", "GUST")):
        yield menu("Force", entry, f"WIND dir=6 force={force}")
    yield menu("Force", "no wind", "WIND dir=6 force=NONE")
    yield menu("Wind", "2 north-east", "WIND dir=2 force=NONE")


def _drop() -> Iterator[Deed]:
    yield move("Wing-1", "1K5")
    yield menu("Wing-1", "south-east to north-west")
    yield menu("Wing-1", "four")
    yield menu("Wing-1", "Plan in secret: only your side sees it")
    yield menu("Wing-1", "Open the plan", "WING id=1 dp=1K5 grain=3 sticks=A,B,C,D")
    yield menu("Wing-1", "north to south")
    yield menu("Wing-1", "five")
    yield menu("Wing-1", "Open the plan", "WING id=1 dp=1K5 grain=1 sticks=A,B,C,D,E")
    yield _turn(1, "Attacker", "RPh")
    yield menu("Wing-1", "Drop point dr", "DPROLL wing=1")
    yield move("Wing-1", "1K5")
    places = {"PA": "1K5", "PB": "1K4", "PC": "1K6", "WC": "1K6", "PD": "1K3", "PE": "1K7"}
    lines = [f"PLACE chute={chute} hex={at}" for chute, at in (*places.items(), ("WE", "1K7"))]
    yield menu("Wing-1", "Place its line of parachutes", *lines)
    yield move("PF", "1P5", "PLACE chute=PF hex=1P5")
    yield _turn(1, "Attacker", "PFPh")
    yield _turn(1, "Attacker", "DRIFT")
    for chute in ("PA", "PC", "PD", "PE", "WE"):
        yield menu(chute, "Drift", f"DRIFT chute={chute}")
    yield menu("Force", "mild breeze", "WIND dir=2 force=MILD")
    yield menu("WC", "Drift", "DRIFT chute=WC", "BLOW chute=WC")
    yield menu("PB", "Drift DR only, to be dragged by hand")
    yield move("PB", "1M4", "DRIFT chute=PB to=1M4")
    yield move("PB", "1O3", "BLOW chute=PB to=1O3")
    yield menu("PF", "Drift", "DRIFT chute=PF", "BLOW chute=PF")


def _fire() -> Iterator[Deed]:
    yield _turn(1, "Attacker", "FIRSTFIRE")
    yield menu("D-Sq1", "Takes aim, or acts next")
    yield menu("PA", "Is fired at", "FIRE firer=D-Sq1 chute=PA fp=4 drm=HAZARDOUS sum=-2")
    yield menu("D-L81", "Directs the unit that takes aim")
    yield Deed("press Smoke")
    yield Deed("press Hindrance")
    yield menu(
        "PA", "Is fired at", "FIRE firer=D-Sq1 drm=HAZARDOUS,LEADER,SMOKE sum=-2 hindrance=2"
    )
    yield menu("D-AA", "Takes aim, or acts next")
    yield menu("WE", "Is fired at", "FIRE firer=D-AA chute=WE weapon=LIGHT_AA drm=HAZARDOUS,SMOKE")
    for chute in ("PA", "PB"):
        yield menu(chute, "Random Selection die", f"RS cause=TARGET piece={chute}")
    for plus, entry in enumerate(("NMC", "1MC", "2MC", "3MC", "4MC")):
        yield menu("PA", entry, f"MC chute=PA plus={plus} cause=FIRE")
    for unit in ("GE-Crew", "GE-L91", "GE-HS1"):
        yield menu(unit, "for the casualty", "RS cause=CASUALTY piece=BoxA")
    yield menu("GE-L91", "Is wounded", "LOSS chute=PA unit=GE-L91 kind=WOUND")
    yield menu("GE-Crew", "as a casualty of its Stick", "LOSS chute=PA unit=GE-Crew kind=ELIM")
    yield menu("GE-Sq3", "Loses its Half-Squad a", "LOSS chute=PD unit=GE-Sq3a kind=ELIM")
    for entry, kind in (
        ("PTC", "PTC"), ("Heat of Battle", "HOB"), ("To Hit", "TH"), ("Sniper", "SNIPER"),
        ("LLMC", "LLMC"), ("LLTC", "LLTC"),
    ):  # fmt: skip
        yield menu("PB", entry, f"ROLL kind={kind} piece=PB")
    yield menu("Sniper-Defender", "Attacks", "ROLL kind=SNIPER piece=Sniper-Defender")
    for entry, kind in (
        ("pinned", "PIN"), ("concealed", "CONCEALED"), ("in close combat (CC)", "CC"),
        ("exhausted (CX)", "CX"), ("partially armed", "SYSTEMS"), ("in a pillbox", "PILLBOX"),
    ):  # fmt: skip
        yield menu("D-Sq2", entry, f"MARK kind={kind} piece=D-Sq2 on=yes")
        yield menu("D-Sq2", entry, f"MARK kind={kind} piece=D-Sq2 on=no")
    yield menu("PB", "DM", "MARK kind=DM piece=PB on=yes")
    for kind in ("RESIDUAL", "FIRELANE"):
        yield Deed(f"place {_SLOT[kind]} 1K5", (f"MARK kind={kind} hex=1K5",))
    yield menu("WE", "by fire", "ELIM piece=WE cause=FIRE")


def _landing() -> Iterator[Deed]:
    yield _turn(1, "Attacker", "ADJUST")
    yield move("PB", "1O4", "ADJUST chute=PB to=1O4")
    yield _turn(1, "Attacker", "LAND")
    yield menu("PA", "at a bridge", "LAND chute=PA")
    yield menu("PB", "at a one-lane bridge", "LAND chute=PB")
    yield menu("PC", "beneath a foot bridge", "LAND chute=PC place=IN")
    for chute in ("PD", "PE", "PF", "WC"):
        yield menu(chute, "on the ground", f"LAND chute={chute}")
    yield menu("WC", "Flips over (it has landed)", "FLIP chute=WC")
    yield menu("WC", "Its weapon is looked at", "PEEK chute=WC side=Attacker")
    yield _turn(1, "Attacker", "CHECKS")
    yield menu("PD", "morale check (woods, buildings, ...)", "MC chute=PD plus=1 cause=LAND")
    yield menu("PC", "task check (all other ground)", "TC chute=PC plus=1")
    yield menu("PC", "Deploys (failed its task check)", "DEPLOY chute=PC units=GE-Sq2a,GE-Sq2b")
    for unit in ("GE-Sq2a", "GE-Sq2b"):
        yield menu(unit, "for who goes downwind", "RS cause=DEPLOY")
    yield menu("GE-Sq2a", "Goes downwind (its Stick Deployed)", "DISPLACE unit=GE-Sq2a")
    yield menu("PD", "Goes on downwind (interior building hex)", "CHAIN chute=PD")
    yield menu("PE", "by its landing", "ELIM piece=PE cause=LAND")
    yield menu("PF", "offboard", "ELIM piece=PF cause=OFFBOARD")


def _after() -> Iterator[Deed]:
    yield _turn(1, "Attacker", "DFPh")
    yield menu("D-Sq1", "Takes aim, or acts next")
    yield menu("PD", "triple point blank fire", "ATTACK unit=D-Sq1 kind=TPBF")
    yield menu("PD", "ordinary fire", "ATTACK unit=D-Sq1 kind=FIRE")
    yield menu("D-L81", "Directs the unit that takes aim")
    yield menu("PD", "close combat", "ATTACK unit=D-Sq1 kind=CC leader=D-L81")
    yield _turn(1, "Attacker", "AFPh")
    yield _turn(1, "Attacker", "RtPh")
    yield move("D-Sq5", "2O5", "ROUT unit=D-Sq5 to=2O5")
    yield _turn(1, "Attacker", "APh")
    yield menu("PA", "Removed: its units are placed", "OPEN chute=PA units=GE-HS1,GE-L91")
    yield menu("PB", "Removed: its units are placed", "OPEN chute=PB units=GE-Sq1,GE-L81")
    yield menu("PD", "Removed: its units are placed", "OPEN chute=PD")
    yield menu("GE-Sq1", "partially armed", "MARK kind=SYSTEMS piece=GE-Sq1 on=yes")
    yield move("GE-Sq1", "1P4", "ADVANCE unit=GE-Sq1 to=1P4")
    yield _turn(1, "Attacker", "CCPh")
    for phase in SHOWN:
        yield _turn(1, "Defender", phase)
    for phase in ("Start", "RPh"):
        yield _turn(2, "Attacker", phase)
    yield menu("GE-Sq1", "Rallies", "RALLY unit=GE-Sq1")
    yield menu("GE-HS1", "Rallies", "RALLY unit=GE-HS1")
    yield _turn(2, "Attacker", "PFPh")
    yield _turn(2, "Attacker", "DRIFT")
    for to in ("1Q4", "1Q5", "1Q4"):
        yield move("GE-Sq1", to, f"MOVE unit=GE-Sq1 to={to}")
    yield menu("GE-Sq1", "Looks for an arms canister", "CANISTER unit=GE-Sq1 drm=-2")
    yield menu("GE-Sq1", "Takes aim, or acts next")
    yield menu("WC", "Is recovered by the unit that acts", "RECOVER unit=GE-Sq1 chute=WC dm=no")
    yield menu("GE-HS1", "for another reason", "ELIM piece=GE-HS1 cause=OTHER")
    yield move("CVP", "CVP4", "CVP points=4")
    yield Deed('chat "E9: RULING rule=9.2 text=let it pass"', ("RULING rule=9.2",), typed="Rosa")
    yield Deed("undo")
    yield Deed("hotkey Unmove", ("UNMOVED",))


OPEN = Recording(
    "drop",
    "Solo",
    "Rosa",
    "hahnenfuss-3",
    tuple(deed for part in (_weather, _drop, _fire, _landing, _after) for deed in part()),
    "airdrop",
    "German drop, 1941",
)
"""Every verb, once at least."""

SECRET_WORDS = ("US-", "7-4-7", "Squad 1", "Leader 9", "Crew", "Bazooka", "BAZ44")
"""What would tell the defender what hangs on the parachutes."""


def _secret() -> Iterator[Deed]:
    yield move("Wing-1", "1K5")
    yield menu("Wing-1", "Plan in secret: only your side sees it")
    yield move("Wing-1", "1M6")
    yield move("US-Sq1", "Cloaking Boxes@BoxK")
    yield move("US-L81", "Cloaking Boxes@BoxK")
    yield move("US-Sq1", "Cloaking Boxes@BoxB")
    yield menu("Wind", "2 north-east", "WIND dir=2 force=NONE")
    yield menu("Wing-1", "Open the plan", "WING id=1 dp=1M6")
    yield _turn(1, "Attacker", "RPh")
    yield menu("Wing-1", "Drop point dr", "DPROLL wing=1")
    lines = [f"PLACE chute={chute}" for chute in ("PA", "PB", "PC", "WC", "PD", "PE", "WE")]
    yield menu("Wing-1", "Place its line of parachutes", *lines)
    yield _turn(1, "Attacker", "PFPh")
    yield _turn(1, "Attacker", "DRIFT")
    for chute in ("PA", "PB"):
        yield menu(chute, "Drift", f"DRIFT chute={chute}")
    yield Deed("undo")
    yield _turn(1, "Attacker", "FIRSTFIRE")
    for unit in ("US-Crew", "US-L91", "US-HS1"):
        yield menu(unit, "for the casualty", "RS cause=CASUALTY piece=BoxA")
    yield menu("PA", "4MC", "MC chute=PA plus=4 cause=FIRE")
    yield _turn(1, "Attacker", "ADJUST")
    yield _turn(1, "Attacker", "LAND")
    for chute in ("PA", "PB"):
        yield menu(chute, "on the ground", f"LAND chute={chute}")
    for phase in ("CHECKS", "DFPh", "AFPh", "RtPh", "APh"):
        yield _turn(1, "Attacker", phase)
    yield menu("PA", "Removed: its units are placed", "OPEN chute=PA units=US-HS1,US-Crew,US-L91")


SECRET = Recording(
    "secret", "Attacker", "Alice", "kornrade-7", tuple(_secret()), "airdrop", "US drop, 1944"
)
"""A drop by the attacker alone; the last line is the first that names anybody."""

RECORDINGS = (OPEN, SECRET)

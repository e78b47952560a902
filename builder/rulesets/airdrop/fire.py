"""Rules 9.3, 9.31 and 9.32: who fires at parachutes in the air, when, and with what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.hexes.grid import Hex
from builder.hexes.measure import distance
from builder.rules.core import Breach, Ruling
from builder.rulesets.airdrop.actions import Fire
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.drift import wind_is_due
from builder.rulesets.airdrop.facts import label, step, terrain_hex
from builder.rulesets.airdrop.state import State

__all__ = ["ALLOWED", "is_blind", "sees"]

ALLOWED: Final = ("HAZARDOUS", "LV", "SMOKE", "LEADER", "CX", "COWER")
"""Rule 9.3: what may be claimed against a parachute; the last three are the firer's own."""

BLOCKED: Final = 6
"""Rule 9.31: hindrances that come to so much take the sight of a parachute."""

OBSTACLES: Final = ("woods", "jungle", "bamboo", "building")
WEAPONS: Final = ("SMALL", "LIGHT_AA")


@book.rule("E9.3a", on=Fire)
def fire_after_drift(state: State, action: Fire) -> Iterator[Breach]:
    """Rule 9.3: the Defender fires at parachutes when all have drifted, with the wind as well."""
    late = sorted(c.id for c in state.aerial() if c.drift is None)
    in_wind = sorted(c.id for c in state.aerial() if wind_is_due(state, c))
    unit = state.units.get(action.firer)
    if unit is not None and unit.side == state.dropped_side:
        text = f"{action.firer} is of the side that drops: the Defender fires at {action.chute}"
        yield Breach("E9.3a", text, pieces=(action.firer,))
    if late:
        text = f"drift is not finished: {', '.join(late)} have not drifted"
        yield Breach("E9.3a", text, pieces=(action.firer,))
    elif in_wind:
        text = f"drift is not finished: the wind has not moved {', '.join(in_wind)}"
        yield Breach("E9.3a", text, pieces=(action.firer,))
    elif state.phase != "FIRSTFIRE":
        text = f"{action.firer} fires at {action.chute} in {state.phase}, not in First Fire"
        yield Breach("E9.3a", text, pieces=(action.firer,))


@book.rule("E9.3b", on=Fire)
def in_the_air(state: State, action: Fire) -> Iterator[Breach]:
    """Rule 9.3: any parachute in the air is a target, also off the boards; a landed one is none."""
    chute = state.chutes.get(action.chute)
    if chute is None or chute.status != "AERIAL":
        text = f"{action.chute} is no parachute in the air: {action.firer} does not fire at it so"
        yield Breach("E9.3b", text, pieces=(action.firer, action.chute))


@book.rule("E9.3c", on=Fire)
def hazardous(state: State, action: Fire) -> Iterator[Breach]:
    """Rule 9.3: Hazardous Movement counts; its value stands in another chapter."""
    due = state.figures.hazardous
    if "HAZARDOUS" not in action.drm:
        text = f"{action.firer} fires at {action.chute} without the Hazardous Movement DRM"
        yield Breach("E9.3c", text, pieces=(action.firer, action.chute), legal=("HAZARDOUS",))
    elif action.drm == ("HAZARDOUS",) and action.sum != due:
        text = f"Hazardous Movement is {due}, and the DRM of {action.firer} come to {action.sum}"
        rests = state.figures.rests_on("hazardous")
        yield Breach("E9.3c", text, pieces=(action.firer,), rests_on=rests, legal=(str(due),))


@book.rule("E9.3d", "E9.11k", on=Fire)
def no_other_drm(state: State, action: Fire) -> Iterator[Breach]:
    """Rules 9.3, 9.11: no height, TEM or concealment counts against a parachute."""
    for word in action.drm:
        if word == "CONCEALED":
            text = f"parachutes are not concealed: {action.chute} is fired at in full"
            yield Breach("E9.11k", text, pieces=(action.chute,))
        elif word not in ALLOWED:
            text = f"{word} does not count against the parachute {action.chute} in the air"
            yield Breach("E9.3d", text, pieces=(action.chute,), legal=ALLOWED)


@book.rule("E9.3g", on=Fire)
def no_second_fire(state: State, action: Fire) -> Iterator[Breach]:
    """Rule 9.3: no firer attacks the same parachute twice in a hex."""
    chute = state.chutes.get(action.chute)
    if chute and chute.where and (action.firer, chute.where) in chute.fired_by:
        text = f"{action.firer} has already attacked {action.chute} in {label(chute.where)}"
        yield Breach("E9.3g", text, pieces=(action.firer, action.chute))


@book.states("E9.31a")
def is_blind(state: State, firer: Hex, target: Hex) -> bool:
    """Rule 9.31: tell whether obstacles next to a firer stand between it and a parachute.

    Only what lies two hexes away is told: with one hex between, or with two if both are obstacles.
    """
    if distance(firer, target) != 2:
        return False
    between = {step(firer, d) for d in range(1, 7)} & {step(target, d) for d in range(1, 7)}
    return all(state.ground.base(terrain_hex(h)) in OBSTACLES for h in between)


@book.states("E9.31a")
def sees(state: State, firer: str, chute: str) -> bool:
    """Rule 9.31: tell whether a unit on the map sees a parachute, hindrances aside."""
    unit, target = state.units.get(firer), state.chutes.get(chute)
    if unit is None or unit.where is None or target is None or target.where is None:
        return False
    pillbox = ("PILLBOX", firer) in state.markers
    return not pillbox and not is_blind(state, unit.where, target.where)


@book.rule("E9.31a", on=Fire)
def line_of_sight(state: State, action: Fire) -> Iterator[Breach]:
    """Rule 9.31: hindrances of 6, a pillbox, or an obstacle next to the firer take the sight."""
    unit, chute = state.units.get(action.firer), state.chutes.get(action.chute)
    none, one = f"no line of sight from {action.firer} to {action.chute}", (action.firer,)
    if action.hindrance >= BLOCKED:
        text = f"{none}: hindrances come to {action.hindrance}, and {BLOCKED} are too many"
        yield Breach("E9.31a", text, pieces=one)
    if ("PILLBOX", action.firer) in state.markers:
        yield Breach("E9.31a", f"{none}: {action.firer} is in a pillbox", pieces=one)
    if unit is None or unit.where is None or chute is None or chute.where is None:
        return
    if is_blind(state, unit.where, chute.where):
        text = f"{none}: {label(chute.where)} is a blind hex behind an obstacle next to "
        text += label(unit.where)
        yield Breach("E9.31a", text, Ruling.WARNING, one, (chute.where,))


@book.rule("E9.32a", on=Fire)
def fit_firer(state: State, action: Fire) -> Iterator[Breach]:
    """Rule 9.32: only Small Arms and Light AA fire at parachutes."""
    unit = state.units.get(action.firer)
    weapon = unit.fires if unit is not None and unit.kind in ("sw", "gun") else action.weapon
    for word in dict.fromkeys((weapon, action.weapon)):
        if word not in WEAPONS:
            text = f"{action.firer} fires as {word}, and may not fire at {action.chute}"
            yield Breach("E9.32a", text, pieces=(action.firer,), legal=WEAPONS)

"""Rules 9.3 to 9.33: fire at parachutes in the air, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.rules.core import Breach, Ruling
from builder.rulesets.airdrop.actions import Elim, Fire, Loss, Mark, Mc, Roll, Tc
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.facts import label
from builder.rulesets.airdrop.state import State

__all__ = ["MORALE"]

MORALE: Final = 7
"""Rule 9.33: the Morale Level of every parachute, broken or not."""

HAZARDOUS: Final = -2
"""Hazardous Movement: a figure of another chapter, not of this section."""

ALLOWED: Final = ("HAZARDOUS", "LV", "SMOKE", "HINDRANCE", "LEADER", "CX", "COWER")


@book.rule("E9.3c", on=Fire)
def hazardous(state: State, action: Fire) -> Iterator[Breach]:
    """Rule 9.3: Hazardous Movement counts; its value stands in another chapter."""
    if (action.drm and "HAZARDOUS" not in action.drm) or (not action.drm and action.sum == 0):
        text = f"{action.firer} fires at {action.chute} without the Hazardous Movement DRM"
        yield Breach("E9.3c", text, pieces=(action.firer, action.chute), legal=("HAZARDOUS",))
    elif action.drm == ("HAZARDOUS",) and action.sum != HAZARDOUS:
        text = f"Hazardous Movement is {HAZARDOUS}, and the DRM of {action.firer} is {action.sum}"
        yield Breach("E9.3c", text, pieces=(action.firer,), rests_on=("Hazardous Movement",))


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


@book.rule("E9.3e", on=Fire)
def fire_at_weapon(state: State, action: Fire) -> Iterator[Breach]:
    """Rule 9.3: fire at a weapon in the air destroys it or makes it malfunction, or nothing."""
    chute = state.chutes.get(action.chute)
    if chute and chute.is_weapon and action.result not in ("NONE", "DESTROY", "MALFUNCTION"):
        text = f"{action.chute} carries a weapon: {action.result} has no effect on it"
        yield Breach(
            "E9.3e", text, Ruling.WARNING, (action.chute,), legal=("DESTROY", "MALFUNCTION")
        )


@book.rule("E9.3f", on=Fire)
def one_target(state: State, action: Fire) -> Iterator[Breach]:
    """Rule 9.3: one attack affects one parachute of a hex, more only by a tie of the selection."""
    tied = set(state.picked.get("TARGET", ()))
    if len(action.hit) > 1 and not set(action.hit) <= tied:
        names = ", ".join(action.hit)
        text = f"one attack affects only one parachute, and {action.firer} affects {names}"
        yield Breach("E9.3f", text, pieces=action.hit)


@book.rule("E9.3g", on=Fire)
def no_second_fire(state: State, action: Fire) -> Iterator[Breach]:
    """Rule 9.3: no firer attacks the same parachute twice in a hex."""
    chute = state.chutes.get(action.chute)
    if chute and chute.where and (action.firer, chute.where) in chute.fired_by:
        text = f"{action.firer} has already attacked {action.chute} in {label(chute.where)}"
        yield Breach("E9.3g", text, pieces=(action.firer, action.chute))


@book.rule("E9.31a", on=Fire)
def line_of_sight(state: State, action: Fire) -> Iterator[Breach]:
    """Rule 9.31: hindrances that sum to 6 block the line of sight to a parachute."""
    if action.sum >= 6 + HAZARDOUS and set(action.drm) & {"LV", "SMOKE", "HINDRANCE"}:
        text = (
            f"no line of sight from {action.firer} to {action.chute}: hindrances sum to 6 or more"
        )
        yield Breach("E9.31a", text, pieces=(action.firer,), rests_on=("Hazardous Movement",))


@book.rule("E9.32a", on=Fire)
def fit_firer(state: State, action: Fire) -> Iterator[Breach]:
    """Rule 9.32: only Small Arms and Light AA fire at parachutes."""
    if action.weapon not in ("SMALL", "LIGHT_AA"):
        text = f"{action.firer} fires as {action.weapon}, and may not fire at {action.chute}"
        yield Breach("E9.32a", text, pieces=(action.firer,), legal=("SMALL", "LIGHT_AA"))


@book.rule("E9.3h", "E9.3i", "E9.32d", "E9.11l", on=Mark)
def no_marker(state: State, action: Mark) -> Iterator[Breach]:
    """Rules 9.3, 9.32, 9.11: no residual fire, pin, fire lane or concealment."""
    if not action.on:
        return
    pieces = (action.piece,) if action.piece else ()
    if action.kind == "RESIDUAL" and state.phase == "FIRSTFIRE":
        text = "fire at parachutes in the air leaves no Residual FP"
        yield Breach("E9.3h", text, pieces=pieces)
    elif action.kind == "FIRELANE" and state.phase == "FIRSTFIRE":
        yield Breach("E9.32d", "no Fire Lane works against parachutes in the air", pieces=pieces)
    elif action.kind == "PIN" and action.piece in state.chutes:
        yield Breach("E9.3i", f"the parachute {action.piece} cannot be pinned", pieces=pieces)
    elif action.kind == "CONCEALED":
        unit = state.units.get(action.piece)
        dropped = unit is not None and unit.stick and not unit.offboard
        if action.piece in state.chutes or (dropped and state.phase == "APh"):
            text = f"{action.piece} was dropped and enters without concealment"
            yield Breach("E9.11l", text, pieces=pieces)


@book.rule("E9.3i", "E9.32b", "E9.32c", "E9.6c", on=Roll)
def no_roll(state: State, action: Roll) -> Iterator[Breach]:
    """Rules 9.3, 9.32, 9.6: rolls that parachutes do not take."""
    chute = state.chutes.get(action.piece)
    if chute is None:
        return
    one = (action.piece,)
    if action.kind in ("PTC", "HOB"):
        yield Breach("E9.3i", f"the parachute {chute.id} takes no {action.kind} roll", pieces=one)
    elif action.kind == "TH" and chute.status == "AERIAL":
        yield Breach("E9.32b", f"no To Hit DR is made against {chute.id} in the air", pieces=one)
    elif action.kind == "SNIPER" and chute.status == "AERIAL":
        yield Breach("E9.32c", f"no Sniper attacks {chute.id} in the air", pieces=one)
    elif action.kind in ("LLMC", "LLTC"):
        text = f"Stick {chute.letter} takes no {action.kind} for its leader"
        yield Breach("E9.6c", text, pieces=one)


@book.rule("E9.33b", on=(Mc, Tc))
def morale_level(state: State, action: Mc | Tc) -> Iterator[Breach]:
    """Rule 9.33: a check passes when its dice and what is added come to 7 at most."""
    total = action.colored + action.white + action.plus
    passed = total <= MORALE
    if passed != action.passed:
        word = "passes" if passed else "fails"
        text = f"Morale Level is {MORALE}: {action.chute} {word} with {total}"
        yield Breach("E9.33b", text, pieces=(action.chute,), legal=(word,))


@book.rule("E9.33d", on=Loss)
def casualty_selected(state: State, action: Loss) -> Iterator[Breach]:
    """Rule 9.33: Random Selection among a Stick's units tells who is the casualty."""
    chute = state.chutes.get(action.chute)
    if chute is None or action.kind == "BREAK" or len(state.units_of(chute.letter)) < 2:
        return
    picked = set(state.picked.get("CASUALTY", ()))
    wrong = [u for u in action.units if u not in picked]
    if wrong:
        text = f"Random Selection names the casualty of Stick {chute.letter}, not {wrong[0]}"
        yield Breach("E9.33d", text, pieces=tuple(wrong), legal=tuple(sorted(picked)))


@book.rule("E9.41c", on=Elim)
def offboard_stays(state: State, action: Elim) -> Iterator[Breach]:
    """Rule 9.41: whether an offboard landing eliminates is read from ground of another section."""
    chute = state.chutes.get(action.piece)
    if chute is not None and chute.offboard and action.cause == "OTHER":
        text = f"{action.piece} landed offboard and stays in play"
        yield Breach("E9.41c", text, Ruling.UNDECIDED, (action.piece,))

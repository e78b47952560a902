"""Rules 9.1 and 9.2: the weather, the wind, and how parachutes drift."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.hexes.grid import Hex
from builder.rules.core import Breach
from builder.rulesets.airdrop.actions import Blow, Drift, Land, Place
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.facts import FORCES, label, step
from builder.rulesets.airdrop.state import Chute, State

__all__ = ["drift_end", "drift_length", "wind_end", "wind_is_due"]

_LONGEST: Final = 9
"""The longest drift that there is, of Russians."""

WEATHERS: Final = ("CLEAR", "MUD", "MIST", "GUSTY", "SNOW")


@book.states("E9.2c", "E9.2d")
def drift_length(nationality: str, white: int) -> int:
    """Rule 9.2: hexes of a drift: half for Germans, rounded up, half more for Russians, down.

    >>> [drift_length("GERMAN", w) for w in range(1, 7)]
    [1, 1, 2, 2, 3, 3]
    >>> [drift_length("RUSSIAN", w) for w in range(1, 7)]
    [1, 3, 4, 6, 7, 9]
    """
    if nationality == "GERMAN":
        return (white + 1) // 2
    return white * 3 // 2 if nationality == "RUSSIAN" else white


@book.states("E9.2b")
def drift_end(state: State, start: Hex, colored: int, white: int) -> Hex:
    """Rule 9.2: where the Drift DR takes a parachute, before the wind."""
    return step(start, colored, drift_length(state.nationality, white))


@book.states("E9.2h")
def wind_end(state: State, h: Hex) -> Hex:
    """Rule 9.2: where the wind takes a parachute that has drifted."""
    return step(h, state.wind_dir, FORCES.get(state.wind_force, 0))


@book.states("E9.2h")
def wind_is_due(state: State, chute: Chute) -> bool:
    """Rule 9.2: tell whether a parachute has drifted and the wind has still to move it."""
    return chute.drift is not None and not chute.blown and bool(FORCES.get(state.wind_force, 0))


@book.rule("E9.1a", on=Place)
def fit_weather(state: State, action: Place) -> Iterator[Breach]:
    """Rule 9.1: a drop needs Clear, Mud, Mist, Gusty or Snow."""
    if state.weather not in WEATHERS:
        text = f"no air drop in {state.weather}: {action.chute} may not drop"
        yield Breach("E9.1a", text, pieces=(action.chute,), legal=WEATHERS)


@book.rule("E9.1b", on=Drift)
def wind_known(state: State, action: Drift) -> Iterator[Breach]:
    """Rule 9.1: the wind has a direction before anything drifts, even without wind."""
    if not 1 <= state.wind_dir <= 6:
        text = f"the wind direction is not established, and {action.chute} drifts"
        yield Breach("E9.1b", text, pieces=(action.chute,))


@book.rule("E9.2a", on=(Drift, Land))
def drift_in_its_time(state: State, action: Drift | Land) -> Iterator[Breach]:
    """Rule 9.2: every parachute drifts, in the MPh and before it lands."""
    if isinstance(action, Drift):
        if state.phase != "DRIFT":
            text = f"{action.chute} drifts in {state.phase}, and drift belongs to the MPh"
            yield Breach("E9.2a", text, pieces=(action.chute,))
        return
    chute = state.chutes.get(action.chute)
    if chute is not None and chute.drift is None:
        yield Breach("E9.2a", f"{action.chute} has not drifted", pieces=(action.chute,))


@book.rule("E9.2b", "E9.2c", "E9.2d", on=Drift)
def drift_by_dice(state: State, action: Drift) -> Iterator[Breach]:
    """Rule 9.2: colored die the direction, white die the hexes, changed by nationality."""
    chute = state.chutes.get(action.chute)
    if chute is None or chute.where is None or chute.drift is not None:
        return
    end = drift_end(state, chute.where, action.colored, action.white)
    if end == action.to:
        return
    length = drift_length(state.nationality, action.white)
    row = "E9.2b"
    if any(action.to == step(chute.where, action.colored, n) for n in range(_LONGEST + 1)):
        row = {"GERMAN": "E9.2c", "RUSSIAN": "E9.2d"}.get(state.nationality, row)
    text = (
        f"DR {action.colored},{action.white}: {action.chute} drifts {length} hexes from "
        f"{label(chute.where)} to {label(end)}, not to {label(action.to)}"
    )
    yield Breach(row, text, pieces=(action.chute,), hexes=(action.to,), legal=(label(end),))


@book.rule("E9.2e", "E9.2f", on=Drift)
def one_drift(state: State, action: Drift) -> Iterator[Breach]:
    """Rule 9.2: the Personnel of a Stick drift together by one DR, and a weapon by its own."""
    chute = state.chutes.get(action.chute)
    if chute is not None and chute.drift is not None:
        c, w = chute.drift
        text = f"{action.chute} has drifted by {c},{w}: one Drift DR each"
        yield Breach("E9.2f" if chute.is_weapon else "E9.2e", text, pieces=(action.chute,))


@book.rule("E9.2f", "E9.2h", on=Blow)
def blown_by_wind(state: State, action: Blow) -> Iterator[Breach]:
    """Rule 9.2: after its own drift, the wind moves a parachute by its force downwind, once."""
    chute = state.chutes.get(action.chute)
    if chute is None or chute.where is None:
        return
    if chute.drift is None:
        row = "E9.2f" if chute.is_weapon else "E9.2h"
        text = f"{action.chute} needs its own Drift DR before the wind moves it"
        yield Breach(row, text, pieces=(action.chute,))
        return
    end = chute.where if chute.blown else wind_end(state, chute.where)
    if end != action.to or chute.blown:
        count = 0 if chute.blown else FORCES.get(state.wind_force, 0)
        text = f"the wind moves {action.chute} {count} hexes to {label(end)}"
        yield Breach(
            "E9.2h",
            f"{text}, not to {label(action.to)}",
            pieces=(action.chute,),
            hexes=(action.to,),
            legal=(label(end),),
        )


@book.rule("E9.2h", on=Land)
def wind_before_landing(state: State, action: Land) -> Iterator[Breach]:
    """Rule 9.2: no parachute lands before the wind, if there is any, has moved it."""
    chute, count = state.chutes.get(action.chute), FORCES.get(state.wind_force, 0)
    if chute is None or chute.drifted is None or not wind_is_due(state, chute):
        return
    end = label(wind_end(state, chute.drifted))
    text = f"the wind has not moved {action.chute} {count} hexes to {end}"
    yield Breach("E9.2h", text, pieces=(action.chute,), legal=(end,))

"""From what lies on the table to a state: for a set-up, a saved game, and after what is forbidden.

A table shows places, faces and what became of parachutes. What happened before (dice, checks, who
fired at whom) it does not show, so that comes from the state that is followed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from builder.gamebox.table import TablePiece, TableView
from builder.hexes.grid import Hex
from builder.rulesets.airdrop.actions import PIECE_MARKS
from builder.rulesets.airdrop.facts import is_onboard
from builder.rulesets.airdrop.narrate import BOXES, MAP
from builder.rulesets.airdrop.open_facts import DropFacts
from builder.rulesets.airdrop.state import INFANTRY, Chute, State, Unit, is_parachute
from builder.rulesets.airdrop.tracker import read_turn

__all__ = ["followed", "start_state", "state_of_table"]

_STATUS: Final = ("BOX", "AERIAL", "LANDED", "DEPLOYED", "REMOVED", "RECOVERED", "ELIMINATED")
_FORCES: Final = ("NONE", "MILD", "HEAVY", "GUST")


def start_state(facts: DropFacts, scenario: str) -> State:
    """Return the state before anything has happened in a scenario."""
    starts = facts.starts.get(scenario, {})
    nationality, date = facts.nations.get(scenario, ("US", 1944))
    return State(
        ground=facts.ground,
        figures=facts.figures,
        nationality=nationality,
        date=date,
        units={k: _at(facts, u, starts.get(k, "")) for k, u in facts.units.items()},
    )


def _at(facts: DropFacts, unit: Unit, start: str) -> Unit:
    if start.startswith("Box"):
        return replace(unit, stick=start.removeprefix("Box"))
    where = facts.sheet.find(start) if start else None
    return replace(unit, where=where, offboard=where is not None and not is_onboard(where))


def state_of_table(facts: DropFacts, table: TableView) -> State:
    """Return the state of a saved game, as far as its table tells."""
    properties = table.properties
    date = properties.get("Date", "")
    state = State(
        ground=facts.ground,
        figures=facts.figures,
        nationality=properties.get("Nat", "US"),
        date=int(date) if date.isdecimal() and len(date) == 4 else 1944,
        units=dict(facts.units),
    )
    shown = read_turn(table.turn)
    if shown is not None:
        state = replace(state, turn=shown.turn, side=shown.side, phase=shown.phase)
    state = followed(facts, state, table)
    if any(c.status in ("AERIAL", "LANDED") for c in state.chutes.values()):
        # parachutes are on the map: their player turn is this one, or they would be gone
        state = replace(state, drop=(state.turn, state.side))
    # whose men are on the boards may have been there when the turn started
    men = (u for u in state.units.values() if u.kind in INFANTRY and not u.eliminated)
    on = frozenset(u.side for u in men if u.where is not None and not u.offboard)
    return replace(state, started=on)


def followed(facts: DropFacts, state: State, table: TableView) -> State:
    """Return a state that agrees with a table wherever the table can tell."""
    pieces = table.by_property("Unit")
    properties = table.properties
    direction, force = properties.get("WindDir", ""), properties.get("WindForce", "")
    marker = pieces.get("CVP")
    label = (marker.place.label or "").removeprefix("CVP") if marker is not None else ""
    return replace(
        state,
        weather=properties.get("Weather") or state.weather,
        wind_dir=int(direction) if direction in tuple("0123456") and direction else state.wind_dir,
        wind_force=force if force in _FORCES else state.wind_force,
        units={k: _unit(facts, state, u, pieces.get(k)) for k, u in state.units.items()},
        chutes=_chutes(facts, state, pieces),
        markers=_markers(state, pieces),
        cvp=int(label) if label.isdecimal() and len(label) < 4 else state.cvp,
        throws=_counts(state.throws, pieces, "Thrown"),
        attacks=_counts(state.attacks, pieces, "Attacks"),
    )


def _unit(facts: DropFacts, state: State, unit: Unit, piece: TablePiece | None) -> Unit:
    if piece is None:
        return replace(unit, where=None, stick="") if unit.where is not None else unit
    place, shown = piece.place, piece.properties
    label = place.label or ""
    changed = replace(
        unit,
        broken=shown.get("Broken", str(int(unit.broken))) == "1",
        wounded=shown.get("Wounded", str(int(unit.wounded))) == "1",
        exhausted=shown.get("CX", str(int(unit.exhausted))) == "1",
        partially_armed=shown.get("SYSTEMS", str(int(unit.partially_armed))) == "1",
        dm=shown.get("Dismantled", str(int(unit.dm))) == "1",
        eliminated=label.startswith("Elim"),
    )
    if place.map == BOXES:
        stick = label.removeprefix("Box") if label.startswith("Box") else ""
        return replace(changed, where=None, stick=stick)
    where = facts.sheet.find(label) if place.map == MAP else None
    if where is None and unit.where is None:
        # taken out of its box, and put into no hex: it hangs on no parachute any more
        return replace(changed, stick="")
    if where == unit.where:
        return changed
    off = where is not None and not is_onboard(where)
    return replace(changed, where=where, offboard=off)


def _chutes(facts: DropFacts, state: State, pieces: Mapping[str, TablePiece]) -> dict[str, Chute]:
    chutes: dict[str, Chute] = {}
    for key, piece in pieces.items():
        if not is_parachute(key):
            continue
        status = piece.properties.get("Status", "")
        where = facts.sheet.find(piece.place.label or "") if piece.place.map == MAP else None
        known = state.chutes.get(key)
        if known is None and (status in ("", "BOX") or where is None):
            continue  # it has not been placed, and the rules know nothing of it
        chutes[key] = _chute(known or Chute(key, start=where), piece, status, where)
    return chutes


def _chute(known: Chute, piece: TablePiece, status: str, where: Hex | None) -> Chute:
    shown = piece.properties
    drift = known.drift
    colored, white = shown.get("Colored", ""), shown.get("White", "")
    flown = shown.get("Drifted", "")
    if drift is None and flown in ("2", "3") and (colored + white).isdecimal():
        drift = (int(colored), int(white))
    return replace(
        known,
        # in a box beside the map it is where it was taken away
        where=where if where is not None else known.where,
        status=status if status in _STATUS else known.status,
        broken=shown.get("Broken", str(int(known.broken))) == "1",
        flipped=shown.get("Flipped", str(int(known.flipped))) == "1",
        drift=drift,
        blown=known.blown or flown == "3",
    )


def _markers(state: State, pieces: Mapping[str, TablePiece]) -> frozenset[tuple[str, str]]:
    told = {
        (kind, key): piece.properties[kind] == "1"
        for key, piece in pieces.items()
        for kind in PIECE_MARKS
        if kind in piece.properties
    }
    kept = {m for m in state.markers if told.get(m, True)}
    return frozenset(kept | {m for m, is_on in told.items() if is_on})


def _counts(
    known: Mapping[str, int], pieces: Mapping[str, TablePiece], name: str
) -> dict[str, int]:
    told = dict(known)
    for key, piece in pieces.items():
        count = piece.properties.get(name, "")
        if count.isdecimal() and len(count) < 6 and (count != "0" or key in told):
            told[key] = int(count)
    return told

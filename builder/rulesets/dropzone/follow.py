"""From what lies on the table to a state: for a saved game, and after what the rules forbid.

A table shows places, steps and who is revealed; what happened in the activation so far (points
spent, units that attacked) it does not show, so that comes from the state that is followed, as far
as it still fits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from builder.gamebox.events import Place as Spot
from builder.gamebox.table import TablePiece, TableView
from builder.rules.turns import Moment
from builder.rulesets.dropzone.facts import ALLIED, GERMAN, THROW_COUNTS, Facts
from builder.rulesets.dropzone.sequence import COMMANDS, SEQUENCE
from builder.rulesets.dropzone.start import start_state
from builder.rulesets.dropzone.state import AssetState, GarrisonState, Place, State, UnitState

__all__ = ["followed", "place_of", "state_of_table"]

_MAP: Final = "Main"
_ROUNDS: Final = {"1st": 1, "2nd": 2, "3rd": 3, "4th": 4}


def followed(state: State, table: TableView) -> State:
    """Return a state that agrees with the table wherever the table can tell."""
    pieces = table.by_property("Unit")
    facts = state.facts
    return state.but(
        units={k: _unit(facts, k, u, pieces.get(k)) for k, u in state.units.items()},
        garrisons={k: _garrison(g, pieces.get(k)) for k, g in state.garrisons.items()},
        assets={k: _asset(a, pieces.get(k)) for k, a in state.assets.items()},
        marker=_marker(state.marker, pieces.get("VP")),
        chits=_chits(pieces),
        attacks=_whole(table.properties.get("AttackNo"), state.attacks),
        throws=_throws(state.throws, pieces),
    )


def state_of_table(facts: Facts, table: TableView) -> State:
    """Return the state of a saved game: positions, turn, step, and the Commands that were active.

    What only the story of the turn could tell (points spent, attacks made) is as if the step had
    just begun.
    """
    scenario = table.properties.get("Scenario", "").lower()
    state = start_state(facts, scenario if scenario in facts.levels else "standard")
    state = followed(state, table)
    moment = _moment(table, state.moment)
    pieces = table.by_property("Unit")
    order = sorted((place, c) for c in COMMANDS if (place := _activated(pieces, c)))
    count = _whole(table.properties.get("ChitNo"), len(order))
    done = tuple(c for _, c in order)[: max(count, 0)]
    active = table.properties.get("ActiveCmd", "")
    in_activation = moment.step in SEQUENCE.round and moment.step != "INIT"
    if moment.step == "INIT" and len(done) == moment.round:
        # the chit of this activation is out already
        active, in_activation = done[-1], True
    command = active if in_activation and active in COMMANDS else ""
    if command and command not in done:
        done = (*done, command)
    recorded = state.marker if moment.turn > 3 else None
    return state.but(moment=moment, command=command, done=done, recorded=recorded)


def _unit(facts: Facts, key: str, unit: UnitState, piece: TablePiece | None) -> UnitState:
    if piece is None:
        return replace(unit, steps=0, place=f"Elim{facts.units[key].side}")
    properties = piece.properties
    place = place_of(facts, piece.place, unit.place)
    steps = _whole(properties.get("Steps"), unit.steps)
    hidden = unit.hidden
    if "Revealed" in properties:
        hidden = properties["Revealed"] != "1"
    changed = replace(
        unit,
        place=place,
        steps=steps,
        hidden=hidden,
        known_as=properties.get("Alias", unit.known_as),
    )
    if place != unit.place and place not in unit.trail:
        # it is not where its moves have led it: what it has spent is not known any more
        changed = replace(changed, trail=(), legs=())
    return changed


def _throws(
    throws: Mapping[tuple[str, str], int], pieces: Mapping[str, TablePiece]
) -> Mapping[tuple[str, str], int]:
    """Return the counts of the dice trays; those of a module without them are kept as they are."""
    told = dict(throws)
    for side in (ALLIED, GERMAN):
        tray = pieces.get(f"Dice-{side}")
        for name in THROW_COUNTS.values():
            if tray is not None and name in tray.properties:
                key = f"Dice-{side}", name
                count = _whole(tray.properties[name], throws.get(key, 0))
                if count or key in throws:
                    told[key] = count
    return told


def _garrison(state: GarrisonState, piece: TablePiece | None) -> GarrisonState:
    if piece is None:
        return GarrisonState(state.side, 0)
    holder = piece.properties.get("Holder", "")
    side = {"GERMAN": GERMAN, "ALLIED": ALLIED}.get(holder, state.side)
    return GarrisonState(side, _whole(piece.properties.get("Steps"), state.steps))


def _asset(state: AssetState, piece: TablePiece | None) -> AssetState:
    if piece is None:
        return AssetState("GONE", True)
    used = piece.properties.get("Used") == "1"
    where = piece.place.deck or piece.place.label or piece.place.zone or ""
    if (piece.place.map or "").endswith(" hand"):
        # an Initiative or a Regroup is turned where it is
        return AssetState("USED" if used else "HAND", used)
    for word, place in (("Pool", "POOL"), ("Late", "LATE"), ("Commit", "COMMIT"), ("Used", "GONE")):
        if where.startswith(word):
            return AssetState("USED" if place == "COMMIT" and used else place, used)
    return AssetState(state.place, used)


def _marker(marker: int, piece: TablePiece | None) -> int:
    label = (piece.place.label or "") if piece is not None else ""
    return _whole(label.removeprefix("VP"), marker) if label.startswith("VP") else marker


def _chits(pieces: Mapping[str, TablePiece]) -> tuple[str, ...]:
    order = sorted((place, c) for c in COMMANDS if (place := _activated(pieces, c)))
    return tuple(c for _, c in order)


def _activated(pieces: Mapping[str, TablePiece], command: str) -> int:
    """Return the box of the order of activation in which a Command's chit lies, or 0."""
    piece = pieces.get(f"Chit-{command}")
    label = (piece.place.label or "") if piece is not None else ""
    return _whole(label.removeprefix("Initiative"), 0) if label.startswith("Initiative") else 0


def place_of(facts: Facts, spot: Spot, known: Place) -> Place:
    """Return a hex or the name of a box from a place of the table; ``known`` if it tells none."""
    if spot.deck:
        return spot.deck
    if spot.map != _MAP or not spot.label:
        return known if spot.map is None else (spot.label or spot.zone or known)
    return facts.sheet.find(spot.label) or spot.label


def _moment(table: TableView, known: Moment) -> Moment:
    """Return where the turn tracker stands: ``Turn 2  3rd MOVE``, ``Turn 4  Start``."""
    words = table.turn.split()
    if len(words) < 3 or words[0] != "Turn" or not words[1].isdecimal():
        return known
    turn = int(words[1])
    if words[2] == "Start":
        return Moment(turn, 0, "SETUP" if turn == 1 else "ASSETDRAW")
    if words[2] == "End":
        return Moment(turn, 0, "ENDTURN")
    number = _ROUNDS.get(words[2], 0)
    moment = Moment(turn, number, words[3] if len(words) > 3 else "")
    return moment if moment in SEQUENCE else known


def _whole(text: str | None, default: int) -> int:
    return int(text) if text is not None and text.isdecimal() and len(text) < 7 else default

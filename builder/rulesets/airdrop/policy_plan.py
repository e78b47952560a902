"""The program plans a drop: weather and wind, Wings and their points, and how all of it drifts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from builder.hexes.grid import Hex
from builder.hexes.measure import disc, distance
from builder.rulesets.airdrop import actions as a
from builder.rulesets.airdrop.dice import wing_piece
from builder.rulesets.airdrop.drift import WEATHERS, drift_end, wind_end
from builder.rulesets.airdrop.facts import LEFT, NUMBERS, RIGHT, TOP, is_onboard, is_whole
from builder.rulesets.airdrop.policy_table import PlayTable
from builder.rulesets.airdrop.state import INFANTRY, State
from builder.rulesets.airdrop.wings import board_selected, line_of, lost_point

__all__ = ["danger", "drift_all", "place_wings", "plan"]

_STICKS: Final = 5
_APART: Final = 5
_LOOKS: Final = 6
"""How many places the attacker thinks of before he settles for a drop point."""


def danger(state: State, h: Hex) -> int:
    """Return how little a Stick wants to land in a hex of the boards, 0 for open ground."""
    ground = state.ground
    if ground.kills(h):
        return 10
    enemies = 6 * len(state.enemies_in(h))
    return enemies + 2 * ground.needs_morale(h) + 2 * ground.is_interior(h)


def plan(table: PlayTable) -> tuple[a.Wing, ...]:
    """Rules 9.1, 9.11, 9.12: set weather and wind, and plan Wings of what is in the boxes.

    The plans are returned: they are opened in the RPh.
    """
    throw = table.thrower
    if not table.state.wind_dir:
        weather = throw.draw(WEATHERS)
        table.try_to(a.Weather(weather))
        force = "GUST" if weather == "GUSTY" else throw.draw(("NONE", "MILD", "HEAVY"))
        table.try_to(a.Wind(table.one(a.Wind, "Wind"), force))
    side = table.state.side
    letters = sorted(
        {
            u.stick
            for u in table.state.units.values()
            if u.side == side and u.stick and u.kind in INFANTRY and u.where is None
        }
    )
    grain = throw.die(3)
    points: list[Hex] = []
    wings: list[a.Wing] = []
    for number in range(0, len(letters), _STICKS):
        points.append(_point(table, points))
        sticks = tuple(letters[number : number + _STICKS])
        wings.append(a.Wing(str(number // _STICKS + 1), points[-1], grain, sticks))
    return tuple(wings)


def _point(table: PlayTable, taken: list[Hex]) -> Hex:
    """Return the best of some whole hexes that lie five hexes from other planned points."""
    seen: list[Hex] = []
    while len(seen) < _LOOKS:
        column = LEFT + table.thrower.die(RIGHT - LEFT - 1)
        found = Hex(column, TOP + table.thrower.die(NUMBERS - 1))
        if is_whole(found) and all(distance(found, other) >= _APART for other in taken):
            seen.append(found)
    return min(seen, key=lambda h: (_danger_around(table.state, h), h))


def _danger_around(state: State, point: Hex) -> int:
    """Return the danger of the ground to which the wind carries who drops at a point."""
    around = disc(wind_end(state, point), 4)
    return sum(danger(state, h) if is_onboard(h) else 3 for h in around)


def place_wings(table: PlayTable, plans: Iterable[a.Wing]) -> None:
    """Rule 9.12: open the plans, roll for every Wing's point, put its parachutes into line."""
    for opened in plans:
        table.try_to(opened)
    for wing in tuple(table.state.wings.values()):
        piece = wing_piece(wing.id)
        dr = table.one(a.Dproll, piece)
        if dr <= 3:
            roll = a.Dproll(wing.id, dr, wing.planned)
        else:
            dice = table.pair(a.Dproll, piece, "boards")
            while not (board := board_selected(dice)):
                dice = table.pair(a.Dproll, piece, "boards")
            colored, white = table.pair(a.Dproll, piece, "way")
            point = lost_point(board, colored, white)
            roll = a.Dproll(wing.id, dr, point, board, dice, colored, white)
        table.try_to(roll)
        line = line_of(roll.hex, wing.grain, len(wing.sticks))
        for letter, at in zip(wing.sticks, line, strict=True):
            table.try_to(a.Place(f"P{letter}", at))
            if table.state.sticks[letter].sw:
                table.try_to(a.Place(f"W{letter}", at))


def drift_all(table: PlayTable) -> None:
    """Rule 9.2: every parachute drifts by its own DR, and then by the wind."""
    for chute in table.state.aerial():
        if chute.where is None:
            continue
        colored, white = table.pair(a.Drift, chute.id)
        to = drift_end(table.state, chute.where, colored, white)
        table.try_to(a.Drift(chute.id, colored, white, to))
        end = wind_end(table.state, to)
        if end != to:
            table.try_to(a.Blow(chute.id, end))

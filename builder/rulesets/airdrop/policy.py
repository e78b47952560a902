"""The program plays a drop: plans, points, drift, landing, checks, and the first steps after it.

Every action goes by the rules first: what they forbid is not done, and is kept in ``refused``.
"""

from __future__ import annotations

from builder.hexes.grid import Hex
from builder.hexes.measure import distance
from builder.rules.core import Ruling, worst
from builder.rules.dice import Thrower
from builder.rules.playthrough import Deed
from builder.rulesets.airdrop import actions as a
from builder.rulesets.airdrop.apply import applied
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.drift import drift_end, wind_end
from builder.rulesets.airdrop.facts import SHARED, TOP, is_onboard, is_whole, step
from builder.rulesets.airdrop.fire import MORALE
from builder.rulesets.airdrop.landing import bridge_holds, check_level
from builder.rulesets.airdrop.state import PHASES, Chute, State
from builder.rulesets.airdrop.wings import line_of

__all__ = ["PlayTable", "play_drop"]

_CENTERS = {1: Hex(30, 18), 2: Hex(62, 18)}
"""The hexes Q5 of both boards, from which a lost drop point is found."""
_MIDDLE = Hex(SHARED, TOP + 5)


class PlayTable:
    """A table at which the program plays: the state, what was done, and the dice."""

    def __init__(self, state: State, thrower: Thrower) -> None:
        """Begin at a state."""
        self.state = state
        self.thrower = thrower
        self.deeds: list[Deed[State, a.Action]] = []
        self.refused: list[a.Action] = []

    def die(self) -> int:
        """Return what a die shows."""
        return int(self.thrower.faces(("1", "2", "3", "4", "5", "6"), 1)[0])

    def is_legal(self, action: a.Action) -> bool:
        """Tell whether no rule forbids an action now, not even with a warning."""
        return worst(book.judge(self.state, action)).rank < Ruling.WARNING.rank

    def try_to(self, action: a.Action) -> bool:
        """Take an action if no rule forbids it; tell whether it was taken."""
        if not self.is_legal(action):
            self.refused.append(action)
            return False
        self.deeds.append(Deed(self.state, action))
        self.state = applied(self.state, action)
        return True

    def phase(self, phase: str, turn: int = 1, side: str = "Attacker") -> None:
        """Go on to a phase."""
        self.try_to(a.Phase(turn, side, phase))


def play_drop(table: PlayTable, turns: int = 2) -> None:
    """Play the drop's player turn from set-up on, and walks from outside in ``turns`` more."""
    _set_up(table)
    table.phase("RPh")
    _points(table)
    table.phase("PFPh")
    table.phase("DRIFT")
    _drift(table)
    table.phase("FIRSTFIRE")
    table.phase("ADJUST")
    for chute in table.state.aerial():
        _adjust(table, chute)
    table.phase("LAND")
    for chute in table.state.aerial():
        _land(table, chute)
    table.phase("CHECKS")
    for key in table.state.chutes:
        if not table.state.chutes[key].is_weapon:
            _check(table, key)
    for phase in ("DFPh", "AFPh", "RtPh", "APh"):
        table.phase(phase)
    for key, chute in table.state.chutes.items():
        units = tuple(u.id for u in table.state.units_of(chute.letter))
        if chute.status == "LANDED" and not chute.is_weapon and chute.where and units:
            table.try_to(a.Open(key, units, chute.where, chute.broken))
    table.phase("CCPh")
    for turn in range(2, 2 + turns):
        _walk(table, turn)


def _set_up(table: PlayTable) -> None:
    forces = ("NONE", "MILD", "HEAVY")
    table.try_to(a.Weather("CLEAR"))
    table.try_to(a.Wind(table.die(), forces[(table.die() - 1) % 3]))
    grain = 1 + (table.die() - 1) % 3
    letters = list(table.state.sticks)
    points: list[Hex] = []
    for number in range(0, len(letters), 5):
        point = _point(table, points)
        points.append(point)
        table.try_to(
            a.Wing(str(number // 5 + 1), point, grain, tuple(letters[number : number + 5]))
        )


def _point(table: PlayTable, taken: list[Hex]) -> Hex:
    """Return a whole hex that is at least five hexes from other planned points."""
    while True:
        found = Hex(14 + 6 * table.die() + 4 * table.die(), TOP + 2 + table.die())
        if is_whole(found) and all(distance(found, other) >= 5 for other in taken):
            return found


def _points(table: PlayTable) -> None:
    for wing in tuple(table.state.wings.values()):
        dr = table.die()
        point, board = wing.planned, 0
        dice: tuple[int, ...] = ()
        if dr > 3:
            first, second = table.die(), table.die()
            while first == second:
                first, second = table.die(), table.die()
            board, dice = (1 if first > second else 2), (first, second)
            point = step(_CENTERS[board], table.die(), table.die())
        table.try_to(a.Dproll(wing.id, dr, board, dice, point))
        line = line_of(point, wing.grain, len(wing.sticks))
        for letter, at in zip(wing.sticks, line, strict=True):
            table.try_to(a.Place(f"P{letter}", at))
            if table.state.sticks[letter].sw:
                table.try_to(a.Place(f"W{letter}", at))


def _drift(table: PlayTable) -> None:
    for chute in table.state.aerial():
        if chute.where is None:
            continue
        colored, white = table.die(), table.die()
        to = drift_end(table.state, chute.where, colored, white)
        table.try_to(a.Drift(chute.id, colored, white, to))
        end = wind_end(table.state, to)
        if end != to:
            table.try_to(a.Blow(chute.id, end))


def _adjust(table: PlayTable, chute: Chute) -> None:
    """Move a parachute out of deadly ground, and back onto the boards if it hangs beside them."""
    ground, at = table.state.ground, chute.where
    if at is None or chute.is_weapon or chute.broken or table.state.nationality == "GERMAN":
        return
    if is_onboard(at) and not ground.kills(at):
        return
    for to in (step(at, d) for d in range(1, 7)):
        if is_onboard(to) and not ground.kills(to):
            table.try_to(a.Adjust(chute.id, to))
            return


def _land(table: PlayTable, chute: Chute) -> None:
    ground, at = table.state.ground, chute.where
    if at is None:
        return
    kind, place, dr = ground.bridge(at), "GROUND", 0
    if kind in ("wide", "one_lane"):
        dr = table.die()
        place = "BRIDGE" if bridge_holds(kind, dr, broken=chute.broken) else "IN"
    elif kind:
        place = "IN"
    table.try_to(a.Land(chute.id, place, dr))
    if place != "BRIDGE" and ground.kills(at):
        table.try_to(a.Elim(chute.id, "LAND"))
    elif chute.is_weapon:
        table.try_to(a.Flip(chute.id))


def _check(table: PlayTable, key: str) -> None:
    """Take a Stick's landing check, again in every next hex of a large building."""
    plus = check_level(table.state.wind_force)
    for _ in range(100):
        chute = table.state.chutes[key]
        if chute.status != "LANDED" or chute.where is None or not is_onboard(chute.where):
            return
        if table.state.is_drowned(chute):
            table.try_to(a.Elim(key, "LAND"))
            return
        colored, white = table.die(), table.die()
        passed = colored + white + plus <= MORALE
        if not table.state.takes_morale(chute):
            table.try_to(a.Tc(key, plus, colored, white, passed))
            if not passed:
                _deploy(table, key)
            return
        table.try_to(a.Mc(key, plus, colored, white, passed))
        next_hex = step(chute.where, table.state.wind_dir)
        if not table.state.ground.is_interior(chute.where) or not table.try_to(
            a.Chain(key, next_hex)
        ):
            return


def _deploy(table: PlayTable, key: str) -> None:
    """Let the second of two half-squads or crews go downwind, and show leaders and crews."""
    chute = table.state.chutes[key]
    units = table.state.units_of(chute.letter)
    halves = [u.id for u in units if u.kind in ("hs", "crew")]
    shown = tuple(u.id for u in units if u.kind in ("leader", "hero", "crew"))
    is_squad = any(u.kind == "squad" for u in units)
    if chute.where is None or not (is_squad or len(halves) > 1):
        return
    to = step(chute.where, table.state.wind_dir)
    moved = () if is_squad else (halves[-1],)
    if not table.try_to(a.Deploy(key, moved, to, shown)):
        return
    for unit in moved:
        if table.state.ground.kills(to, after_landing=True):
            table.try_to(a.Elim(unit, "LAND"))


def _walk(table: PlayTable, turn: int) -> None:
    """Let units that landed outside walk a hex toward the boards, phase by phase."""
    for phase in PHASES[1:]:
        table.phase(phase, turn)
        if phase != "DRIFT":
            continue
        for unit in tuple(table.state.units.values()):
            at = unit.where
            if at is None or is_onboard(at) or unit.broken or unit.eliminated:
                continue
            ways = sorted((step(at, d) for d in range(1, 7)), key=lambda h: distance(h, _MIDDLE))
            table.try_to(a.Move(unit.id, ways[0]))

"""The table at which the program plays a drop: what was done, what was refused, and the dice."""

from __future__ import annotations

from collections.abc import Iterable

from builder.rules.core import Ruling, worst
from builder.rules.dice import Thrower
from builder.rules.playthrough import Deed
from builder.rulesets.airdrop import actions as a
from builder.rulesets.airdrop import chapters
from builder.rulesets.airdrop.apply import applied
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.offboard import casualty_points
from builder.rulesets.airdrop.state import INFANTRY, State, Unit

__all__ = ["PlayTable", "good_order"]

CHAPTERS = chapters.ALL  # they put their rules into the book


class PlayTable:
    """A table at which the program plays: the state, what was done, and the dice."""

    def __init__(self, state: State, thrower: Thrower) -> None:
        """Begin at a state."""
        self.state = state
        self.thrower = thrower
        self.deeds: list[Deed[State, a.Action]] = []
        self.refused: list[a.Action] = []

    def die(self) -> int:
        """Return what a die shows that is thrown for nothing which the rules record."""
        return self.thrower.die()

    def one(self, kind: type[a.Action], piece: str, how: str = "") -> int:
        """Return the die for an action on a piece; ``how`` says more of it to those who throw."""
        return self.thrower.die()

    def pair(self, kind: type[a.Action], piece: str, how: str = "") -> tuple[int, int]:
        """Return the colored and the white die for an action on a piece, as :meth:`one`."""
        return self.thrower.die(), self.thrower.die()

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

    def phase(self, phase: str, turn: int = 0, side: str = "") -> None:
        """Go on to a phase, of the same player turn unless another is named."""
        self.try_to(a.Phase(turn or self.state.turn, side or self.state.side, phase))

    def select(self, cause: str, pieces: Iterable[str]) -> None:
        """Throw the die of Random Selection for each of some pieces."""
        for piece in pieces:
            self.try_to(a.Rs(cause, piece, self.one(a.Rs, piece, cause)))

    def count_casualties(self) -> None:
        """Rule 9.3: mark the dropped side's casualty points if they have changed."""
        points = casualty_points(self.state)
        if points != self.state.cvp:
            self.try_to(a.Cvp(points))

    def eliminate(self, piece: str, cause: str) -> None:
        """Eliminate a parachute, unit or weapon, and count it."""
        self.try_to(a.Elim(piece, cause))
        self.count_casualties()

    def men(self, side: str) -> tuple[Unit, ...]:
        """Return a side's Infantry on the map."""
        return tuple(
            u
            for u in self.state.units.values()
            if u.side == side and u.kind in INFANTRY and u.where is not None and not u.eliminated
        )


def good_order(unit: Unit) -> bool:
    """Tell whether a unit is neither broken nor eliminated."""
    return not unit.broken and not unit.eliminated

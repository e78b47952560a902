"""Rulings that players type: a word of both sides settles a finding, one of a single side does not.

``RULING rule=5.1 text=...`` counts when both sides have typed it within a few steps. Whatever the
game, a reader notes what is typed and says at the end what only one side wanted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final

from builder.rules.core import Breach, Ruling
from builder.rules.readings import Reading

__all__ = ["Rulings"]

_WITHIN: Final = 20
"""Steps within which both sides must type a ruling."""
_NEVER: Final = 10**9


class Rulings:
    """Rulings that were typed: by whom, for which row, when.

    ``sides`` are the game's sides that play; who has none of them is called by his name.
    """

    def __init__(self, sides: Collection[str] = ()) -> None:
        """Begin without any."""
        self._sides = frozenset(sides)
        self._open: dict[str, tuple[str, int]] = {}

    def typed(self, rule: str, side: str, number: int) -> bool:
        """Note a ruling; tell whether the other side has typed the same shortly before.

        >>> rulings = Rulings(("A", "B"))
        >>> rulings.typed("9.2", "A", 5), rulings.typed("9.2", "A", 6), rulings.typed("9.2", "B", 9)
        (False, False, True)
        """
        other = self._open.get(rule)
        if other is not None and other[0] != side and number - other[1] <= _WITHIN:
            del self._open[rule]
            return True
        self._open[rule] = (side, number)
        return False

    def expired(self, number: int = _NEVER) -> Iterator[Reading[Any]]:
        """Yield and forget the rulings that only one side has typed, once it is too late.

        Without a number of a step: at the end of a log.
        """
        for rule, (side, step) in list(self._open.items()):
            if number - step > _WITHIN:
                del self._open[rule]
                yield self._one_sided(rule, side, step)

    def _one_sided(self, rule: str, side: str, step: int) -> Reading[Any]:
        who = f"the {side} player" if side in self._sides else side
        message = f"only {who} typed the ruling on {rule}: it changes nothing"
        return Reading(None, (step,), breaches=(Breach("LOG-RULING", message, Ruling.WARNING),))

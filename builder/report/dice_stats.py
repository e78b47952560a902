"""What rolls of dice say: the values of a statistic, and the arithmetic of counts and totals.

Pure: ``dice_groups.summarize`` turns :class:`Roll` into :class:`Group` values with it. The
chi-squared test compares the count of every face (or total) with what the die's definition lets
expect; below the usual limit of an expected count of five it gives :class:`TooFew` instead of a
number that would mean nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from builder.report.dice_chances import chi_squared_tail

__all__ = [
    "EVERYONE",
    "MAX_CELLS",
    "UNKNOWN",
    "Average",
    "Cell",
    "ChiSquared",
    "Die",
    "Doubles",
    "Group",
    "Roll",
    "Streak",
    "Tally",
    "TooFew",
    "Verdict",
    "is_number",
    "label_order",
    "moments_of",
    "numbered_die",
    "tally_of",
    "totals_of",
]

EVERYONE: Final = ""
"""The player of a group that holds the rolls of all players."""

UNKNOWN: Final = "(nobody named)"
"""The player of a group of rolls whose reports name none."""

MIN_EXPECTED: Final = 5.0
"""Below this expected count in any cell the chi-squared distribution is no good approximation."""

MAX_CELLS: Final = 250
"""Faces or totals of more cells than this have a mean but no distribution; 50d6 have 251."""

Evidence = Literal["vassal", "vasl", "symbols", "line", "property"]
"""Where a roll stood: VASSAL's report, VASL's, SHOW_RESULTS, a ROLL line, a property alone."""

Scope = Literal["kind", "shape", "die"]
"""What a group holds: one kind; all kinds of the same dice; every single die of one sort."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die: its distinct faces in order, and how many of its sides show each."""

    faces: tuple[str, ...]
    weights: tuple[int, ...]
    is_known: bool = True

    @property
    def sides(self) -> int:
        """How many sides it has."""
        return sum(self.weights)

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """The faces as whole numbers, or ``None`` for a die with symbols."""
        return _numbers_of(self.faces)

    @property
    def name(self) -> str:
        """A short name: ``d6``, or ``die of 6 sides`` if it has symbols.

        >>> numbered_die(6).name
        'd6'
        """
        if self.faces == _counted(self.sides):
            return f"d{self.sides}"
        return f"die of {self.sides} {'sides' if self.is_known else 'faces seen'}"


@lru_cache(maxsize=4096)
def _sum_of(faces: tuple[str, ...]) -> int | None:
    """Return the sum of faces; logs repeat the same few again and again."""
    return sum(map(int, faces)) if faces and all(map(is_number, faces)) else None


@lru_cache(maxsize=256)
def _numbers_of(faces: tuple[str, ...]) -> tuple[int, ...] | None:
    return tuple(map(int, faces)) if all(map(is_number, faces)) else None


@lru_cache(maxsize=256)
def _counted(number: int) -> tuple[str, ...]:
    return tuple(map(str, range(1, number + 1)))


def numbered_die(sides: int) -> Die:
    """Return a die that shows 1 to ``sides``."""
    return Die(_counted(sides), (1,) * sides)


class Roll(NamedTuple):
    """One roll as a log shows it.

    ``faces`` are the dice that were kept, empty if the log tells the total only; ``dice`` is how
    many were thrown and ``sides`` how many each has, 0 where nothing says so; ``kept`` is how
    many of them count, 0 for all. ``log`` and ``step``
    count from 1.
    """

    player: str
    kind: str
    faces: tuple[str, ...] = ()
    total: int | None = None
    dice: int = 0
    sides: int = 0
    bonus: int = 0
    kept: int = 0
    evidence: Evidence = "vassal"
    log: int = 1
    step: int = 1
    is_undone: bool = False
    is_typed: bool = False

    @property
    def value(self) -> int | None:
        """The total, or the sum of the faces, or ``None`` if they are symbols."""
        if self.total is not None:
            return self.total
        total = _sum_of(self.faces)
        return None if total is None else total + self.bonus

    @property
    def result(self) -> str:
        """What the players saw, as a short text."""
        return ",".join(self.faces) if self.faces else str(self.total)


class ChiSquared(NamedTuple):
    """A chi-squared test: the statistic, degrees of freedom, and the upper tail ``p``."""

    statistic: float
    freedom: int
    p: float


@dataclass(frozen=True, slots=True)
class TooFew:
    """No test: there are ``count`` results, and ``needed`` would be enough."""

    count: int
    needed: int


Verdict: TypeAlias = ChiSquared | TooFew | None
"""``None``: nothing to compare with, as of dice of which some were dropped."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One face or total: how often it came, and how often fair dice let expect it."""

    label: str
    count: int
    expected: float | None


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of faces (of single dice) or of totals (of whole rolls), and their test."""

    cells: tuple[Cell, ...]
    test: Verdict

    @property
    def count(self) -> int:
        """How many results were counted."""
        return sum(cell.count for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Average:
    """Mean of the totals against expectation; ``error`` is the standard error of that mean."""

    mean: float
    expected: float | None = None
    error: float | None = None

    @property
    def off_by(self) -> float | None:
        """How many standard errors the mean lies above (below: negative) the expectation."""
        if self.expected is None or not self.error:
            return None
        return (self.mean - self.expected) / self.error


class Streak(NamedTuple):
    """The longest run of one sort: its length, where it began, and how likely fair dice make it.

    ``chance`` is that of at least one run this long in as many rolls, ``None`` if unknown.
    """

    length: int
    what: str
    log: int
    step: int
    chance: float | None


@dataclass(frozen=True, slots=True)
class Doubles:
    """Rolls of two dice that show the same face, the expected number, the longest run."""

    count: int
    expected: float | None
    run: Streak | None


@dataclass(frozen=True, slots=True)
class Group:
    """The rolls of one player (or of everyone) of one scope, and what they say."""

    player: str
    name: str
    scope: Scope
    rolls: int
    is_typed: bool = False
    die: Die | None = None
    dice: int = 0
    faces: Tally | None = None
    totals: Tally | None = None
    average: Average | None = None
    same: Streak | None = None
    above: Streak | None = None
    below: Streak | None = None
    doubles: Doubles | None = None
    values: tuple[int, ...] = ()
    undone: tuple[Roll, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def tally(self) -> Tally | None:
        """The tally that says most: totals of several dice if they can be tested, else faces."""
        if self.totals and (self.faces is None or isinstance(self.totals.test, ChiSquared)):
            return self.totals
        return self.faces or self.totals


def is_number(text: str) -> bool:
    """Whether a face is a whole number of at most nine digits."""
    return text.isascii() and text.removeprefix("-").isdigit() and len(text) <= 9


# ------------------------------------------------------------------------------- distributions


@lru_cache(maxsize=256)
def totals_of(die: Die, dice: int, bonus: int = 0) -> Mapping[int, float] | None:
    """Return the chance of every total of so many dice; ``None`` for symbols and huge dice.

    >>> totals_of(numbered_die(6), 2)[7] * 36
    6.0
    """
    numbers = die.numbers
    if numbers is None or dice < 1:
        return None
    lowest = min(numbers)
    if (max(numbers) - lowest) * dice > MAX_CELLS:
        return None
    # The count of ways to every sum is the digits of a power, written in a base that none reaches.
    width = (die.sides**dice).bit_length()
    one = sum(w << ((n - lowest) * width) for n, w in zip(numbers, die.weights, strict=True))
    ways, mask = one**dice, (1 << width) - 1
    everything = die.sides**dice
    found: dict[int, float] = {}
    total = lowest * dice + bonus
    while ways:
        if ways & mask:
            found[total] = (ways & mask) / everything
        ways >>= width
        total += 1
    return found


@lru_cache(maxsize=256)
def moments_of(die: Die) -> tuple[float, float] | None:
    """Return mean and variance of one die, ``None`` if it has symbols."""
    numbers = die.numbers
    if numbers is None:
        return None
    weighted = list(zip(numbers, die.weights, strict=True))
    mean = sum(n * w for n, w in weighted) / die.sides
    return mean, sum(w * (n - mean) ** 2 for n, w in weighted) / die.sides


def tally_of(found: Mapping[str, int], chances: Mapping[str, float] | None) -> Tally:
    """Count labels; ``chances`` of every possible label give the test, ``None`` gives none.

    A label that has no chance shows that the chances are not those of these rolls: no test either.
    """
    count = sum(found.values())
    if chances is None or not found.keys() <= chances.keys():
        cells = tuple(Cell(label, found[label], None) for label in sorted(found, key=label_order))
        return Tally(cells, None)
    cells = tuple(Cell(label, found.get(label, 0), count * p) for label, p in chances.items())
    rarest = min(chances.values())
    needed = math.ceil(MIN_EXPECTED / rarest - 1e-9)
    if len(chances) < 2:
        return Tally(cells, None)
    if count < needed:
        return Tally(cells, TooFew(count, needed))
    statistic = sum(
        (c - count * chances[label]) ** 2 / (count * chances[label])
        for label, c in ((cell.label, cell.count) for cell in cells)
    )
    freedom = len(cells) - 1
    return Tally(cells, ChiSquared(statistic, freedom, chi_squared_tail(statistic, freedom)))


def label_order(label: str) -> tuple[bool, int, str]:
    """Return the key that sorts faces: numbers by value, then symbols by name."""
    return (False, int(label), "") if is_number(label) else (True, 0, label)

"""Chances that statistics of dice need, over ``math`` alone: a chi-squared tail, runs of results.

Sources: the incomplete gamma function's series and continued fraction (Abramowitz and Stegun
6.5.29 and 6.5.31); runs by a recurrence over the place where the first long run would end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["Effort", "chance_of_run", "chance_of_same", "chi_squared_tail", "upper_gamma"]

_MAX_TERMS: Final = 100_000
_CLOSE: Final = 1e-15
_TINY: Final = 1e-300

_MAX_WORK: Final = 1_000_000
"""A run's chance that needs more multiplications than this is not told."""
_ALL_WORK: Final = 5_000_000


@dataclass(slots=True)
class Effort:
    """How many multiplications the chances of a whole report may still cost."""

    left: int = _ALL_WORK

    def take(self, work: int) -> bool:
        """Return whether so much is left, and use it."""
        if work > min(self.left, _MAX_WORK):
            return False
        self.left -= work
        return True


def upper_gamma(shape: float, x: float) -> float:
    """Return the regularised upper incomplete gamma function Q(shape, x).

    Raises :class:`ValueError` unless ``shape > 0`` and ``x >= 0``.

    >>> round(upper_gamma(1, 2), 12) == round(math.exp(-2), 12)
    True
    """
    if not (shape > 0 and x >= 0):
        raise ValueError(f"no incomplete gamma function of {shape} and {x}")
    if x == 0:
        return 1.0
    front = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        return max(0.0, 1.0 - front * _series(shape, x))
    return min(1.0, front * _fraction(shape, x))


def _series(shape: float, x: float) -> float:
    term = total = 1 / shape
    for n in range(1, _MAX_TERMS):
        term *= x / (shape + n)
        total += term
        if term < total * _CLOSE:
            break
    return total


def _fraction(shape: float, x: float) -> float:
    """Evaluate the continued fraction from the front, by Lentz's method."""
    below = x + 1 - shape
    ratio_c = 1 / _TINY
    ratio_d = 1 / below if below else 1 / _TINY
    value = ratio_d
    for n in range(1, _MAX_TERMS):
        over = -n * (n - shape)
        below += 2
        ratio_d = 1 / (over * ratio_d + below or _TINY)
        ratio_c = below + over / ratio_c or _TINY
        change = ratio_c * ratio_d
        value *= change
        if abs(change - 1) < _CLOSE:
            break
    return value


def chi_squared_tail(statistic: float, freedom: int) -> float:
    """Return the chance that fair dice give this chi-squared or more.

    >>> round(chi_squared_tail(11.070, 5), 3)
    0.05
    """
    return upper_gamma(freedom / 2, statistic / 2)


def chance_of_run(trials: int, chance: float, length: int) -> float | None:
    """Return the chance of at least one run of ``length`` successes; ``None`` if too long to tell.

    >>> chance_of_run(3, 0.5, 2)
    0.375
    """
    if length < 1 or chance >= 1:
        return 1.0 if trials >= length else 0.0
    if trials > _MAX_WORK // 10:
        return None
    # without[i]: no such run in i trials. The first run ends at i if a failure stands before its
    # start and no run before that.
    ending = (1 - chance) * chance**length
    without = [1.0] * min(length, trials + 1)
    if trials >= length:
        without.append(1.0 - chance**length)
    for i in range(length + 1, trials + 1):
        without.append(without[i - 1] - ending * without[i - length - 1])
    return min(1.0, max(0.0, 1.0 - without[trials]))


def chance_of_same(
    trials: int, chances: Sequence[float], length: int, effort: Effort | None = None
) -> float | None:
    """Return the chance that some result comes ``length`` times in a row; ``None`` as above.

    It counts to the ``effort`` of a whole report, if there is one.

    >>> chance_of_same(2, (0.5, 0.5), 2)
    0.5
    """
    if length < 2:
        return 1.0 if trials >= length else 0.0
    if not (effort or Effort()).take(trials * len(chances) * length):
        return None
    # runs[f][j]: no long run yet, and the current one is of face f and j + 1 long
    runs = [[p] + [0.0] * (length - 2) for p in chances]
    for _ in range(trials - 1):
        sums = [sum(run) for run in runs]
        everything = sum(sums)
        runs = [
            [p * (everything - own), *(p * run[j] for j in range(length - 2))]
            for p, run, own in zip(chances, runs, sums, strict=True)
        ]
    return min(1.0, max(0.0, 1.0 - sum(map(sum, runs))))

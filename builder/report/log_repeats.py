"""Steps that several logs of one game share: who records while he replays writes them again.

A log made that way begins with the replayed steps (VASSAL class ``BasicLogger``); logs that are
cut, joined or given out of order share steps elsewhere. A run of equal steps is a repeat if it
tells more than chance explains: plain rolls of a die are equal now and then, whole moves are not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

__all__ = ["Repeat", "Repeats", "StepKey", "find_repeats"]

_NEEDED_BITS: Final = 16.0
_TELLING_BITS: Final = 12.0
_RUN: Final = 3
_MAX_CANDIDATES: Final = 16


class StepKey(NamedTuple):
    """What makes a step equal to another, and how many bits an accidental equality would need.

    An empty ``texts`` is a step that leaves nothing when it is recorded again; it equals none.
    """

    texts: tuple[str, ...]
    bits: float


class Repeat(NamedTuple):
    """Steps ``first`` to ``last`` of one log that stand as ``of_first``… in log ``of``; from 1."""

    log: int
    first: int
    last: int
    of: int
    of_first: int
    of_last: int


@dataclass(frozen=True, slots=True)
class Repeats:
    """The repeats of a chain of logs, and equal beginnings too short to be called so.

    ``origin`` leads from a repeated (log, step) to where it stood first.
    """

    runs: tuple[Repeat, ...]
    doubtful: tuple[Repeat, ...]
    origin: Mapping[tuple[int, int], tuple[int, int]]


@dataclass(slots=True)
class _Finder:
    logs: list[list[tuple[int, int, float]]] = field(default_factory=list)
    ids: dict[tuple[str, ...], int] = field(default_factory=dict)
    places: dict[tuple[int, ...], list[tuple[int, int]]] = field(default_factory=dict)

    def taken_in(self, steps: Iterable[StepKey]) -> list[tuple[int, int, float]]:
        """Return number, id and bits of the steps that leave something."""
        return [
            (number, self.ids.setdefault(step.texts, len(self.ids)), step.bits)
            for number, step in enumerate(steps, 1)
            if step.texts
        ]

    def add(self, log: list[tuple[int, int, float]]) -> None:
        for index, (_, key, bits) in enumerate(log):
            names = [tuple(step[1] for step in log[index : index + _RUN])]
            if bits >= _TELLING_BITS:
                names.append((key,))
            for name in names:
                found = self.places.setdefault(name, [])
                if len(found) < _MAX_CANDIDATES:
                    found.append((len(self.logs), index))
        self.logs.append(log)

    def best(self, log: list[tuple[int, int, float]], index: int) -> tuple[float, int, int, int]:
        """Return bits, length and place (log, index) of the most telling run that begins here."""
        run = tuple(step[1] for step in log[index : index + _RUN])
        best = (0.0, 0, 0, 0)
        for other, start in {*self.places.get(run, ()), *self.places.get(run[:1], ())}:
            length, bits, earlier = 0, 0.0, self.logs[other]
            while (
                index + length < len(log)
                and start + length < len(earlier)
                and log[index + length][1] == earlier[start + length][1]
            ):
                bits += log[index + length][2]
                length += 1
            best = max(best, (bits, length, -other, -start))
        return best[0], best[1], -best[2], -best[3]


def find_repeats(logs: Sequence[Sequence[StepKey]]) -> Repeats:
    """Compare every log with those before it."""
    finder = _Finder()
    runs: list[Repeat] = []
    doubtful: list[Repeat] = []
    origin: dict[tuple[int, int], tuple[int, int]] = {}
    for number, steps in enumerate(logs, 1):
        log = finder.taken_in(steps)
        index = 0
        while index < len(log):
            bits, length, other, start = finder.best(log, index)
            if not length:
                index += 1
                continue
            earlier = finder.logs[other]
            repeat = Repeat(
                *(number, log[index][0], log[index + length - 1][0]),
                *(other + 1, earlier[start][0], earlier[start + length - 1][0]),
            )
            # the more ways there are to lay one log on the other, the more equals by chance
            ways = (len(log) if index else 1) * (len(earlier) if start else 1)
            if bits >= _NEEDED_BITS + math.log2(ways):
                runs.append(repeat)
                for step in range(length):
                    place = (other + 1, earlier[start + step][0])
                    origin[number, log[index + step][0]] = origin.get(place, place)
            elif index == 0 and start == 0 and length > 1:
                doubtful.append(repeat)
            index += length
        finder.add(log)
    return Repeats(tuple(runs), tuple(doubtful), origin)

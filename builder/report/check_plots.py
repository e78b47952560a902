"""Plots of a checked game as SVG: points and objectives turn by turn, hits against expectation."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from builder.report.svg_shapes import HEIGHT, WIDTH, box, line, path, svg, text
from builder.rules.insight import Standing, Thrown

__all__ = ["held_plot", "hits_plot", "points_plot", "side_totals"]

_LEFT, _RIGHT, _LOW, _HIGH = 40.0, WIDTH - 12.0, HEIGHT - 32.0, 14.0
_POINTS = 400


@dataclass(frozen=True, slots=True)
class _Axis:
    """From values to places: ``least`` at the bottom or left."""

    least: float
    most: float
    start: float
    end: float

    def at(self, value: float) -> float:
        span = (self.most - self.least) or 1.0
        return self.start + (self.end - self.start) * (value - self.least) / span


def points_plot(standings: Sequence[Standing]) -> Markup | None:
    """Return a column for the points at the end of each turn; ``None`` without turns."""
    turns = [s for s in standings if s.turn > 0]
    if not turns:
        return None
    least = min(0, *(s.points for s in turns))
    most = max(1, *(s.points for s in turns))
    y = _Axis(least, most, _LOW, _HIGH + 14)
    step = (_RIGHT - _LEFT) / len(turns)
    parts = [line("axis", _LEFT, y.at(0), _RIGHT, y.at(0))]
    for index, standing in enumerate(turns):
        center = _LEFT + step * (index + 0.5)
        width = min(46.0, step * 0.6)
        top, foot = sorted((y.at(standing.points), y.at(0)))
        words = f"turn {standing.turn}: {_number(standing.points)}"
        parts.append(Markup("<g><title>{}</title>").format(words))
        parts.append(box("bar", center - width / 2, top, width, foot - top))
        parts.append(text("count", center, top - 6, _number(standing.points)))
        parts.append(text("label", center, _LOW + 20, f"turn {standing.turn}"))
        parts.append(Markup("</g>"))
    told = ", ".join(f"turn {s.turn} {_number(s.points)}" for s in turns)
    return svg(parts, f"Points at the end of each turn: {told}")


def held_plot(standings: Sequence[Standing], sides: Sequence[str]) -> Markup | None:
    """Return a line for each side: objectives held at the end of each turn, turn 0 the start.

    ``None`` for a game that has none: its standings hold nothing for any side.
    """
    if not sides or not any(side in s.held for s in standings for side in sides):
        return None
    first, last = standings[0].turn, standings[-1].turn
    most = max(1, *(s.held.get(side, 0) for s in standings for side in sides))
    x = _Axis(first, max(last, first + 1), _LEFT + 10, _RIGHT - 10)
    y = _Axis(0, most, _LOW, _HIGH)
    parts = _grid(y, most)
    for standing in standings:
        name = "start" if standing.turn == 0 else f"turn {standing.turn}"
        parts.append(text("label", x.at(standing.turn), _LOW + 20, name))
    for number, side in enumerate(sides):
        points = [(x.at(s.turn), y.at(s.held.get(side, 0))) for s in standings]
        if len(points) > 1:
            parts.append(path(f"side side-{number}", points))
        for (px, py), standing in zip(points, standings, strict=True):
            parts.append(_dot(number, px, py, f"{side}: {standing.held.get(side, 0)}"))
    told = "; ".join(f"{s} {', '.join(str(t.held.get(s, 0)) for t in standings)}" for s in sides)
    return svg(parts, f"Objectives held at the end of each turn: {told}")


def hits_plot(rolls: Sequence[Thrown], sides: Sequence[str]) -> Markup | None:
    """Return hits so far (solid) and what was to be expected (dashed), for each side.

    The axis counts rolls of the whole game; turns are marked on it. ``None`` without rolls.
    """
    if not rolls:
        return None
    count = len(rolls)
    lines = {side: _sums(rolls, side) for side in sides}
    most = max(1.0, *(max(h, e) for sums in lines.values() for h, e in sums))
    x = _Axis(0, count, _LEFT, _RIGHT)
    y = _Axis(0, most, _LOW, _HIGH)
    parts = _grid(y, most)
    shown = -100.0
    for at, roll in enumerate(rolls):
        if at == 0 or roll.turn != rolls[at - 1].turn:
            parts.append(line("tick", x.at(at), _HIGH, x.at(at), _LOW))
            if x.at(at) - shown > 38:
                shown = x.at(at)
                parts.append(text("label start", x.at(at) + 2, _LOW + 20, f"turn {roll.turn}"))
    chosen = sorted({round(count * n / _POINTS) for n in range(_POINTS + 1)})
    told = []
    for number, side in enumerate(sides):
        sums = lines[side]
        for kind, column in (("expected-of", 1), ("hits-of", 0)):
            points = [(x.at(n), y.at(sums[n][column])) for n in chosen]
            parts.append(path(f"side side-{number} {kind}", points))
        hits, expected = sums[-1]
        parts.append(_dot(number, x.at(count), y.at(hits), f"{side}: {hits:.0f} hits"))
        told.append(f"{side} {hits:.0f} hits, {expected:.1f} expected")
    return svg(parts, f"Hits as the rolls go on: {'; '.join(told)}")


def side_totals(rolls: Iterable[Thrown], side: str) -> tuple[int, int, int, float]:
    """Return a side's rolls, dice, hits and expected hits."""
    own = [r for r in rolls if r.side == side]
    return (
        len(own),
        sum(r.dice for r in own),
        sum(r.hits for r in own),
        sum(r.expected for r in own),
    )


def _sums(rolls: Sequence[Thrown], side: str) -> list[tuple[float, float]]:
    """Return hits and expected hits after each roll of the game, from none on."""
    own = [(r.hits, r.expected) if r.side == side else (0, 0.0) for r in rolls]
    hits = itertools.accumulate((h for h, _ in own), initial=0)
    expected = itertools.accumulate((e for _, e in own), initial=0.0)
    return [(float(h), e) for h, e in zip(hits, expected, strict=True)]


def _grid(y: _Axis, most: float) -> list[Markup]:
    """Return lines across with their figures, some five of them."""
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 500, 10**9) if most / s <= 5)
    parts = []
    for value in range(0, int(most) + 1, step):
        kind = "axis" if value == 0 else "tick"
        parts.append(line(kind, _LEFT, y.at(value), _RIGHT, y.at(value)))
        parts.append(text("label end", _LEFT - 6, y.at(value) + 4, str(value)))
    return parts


def _dot(number: int, x: float, y: float, words: str) -> Markup:
    """Return a mark of a side: a disc or a square, so that print needs no color."""
    if number % 2:
        mark = box(f"mark side-{number}", x - 4, y - 4, 8, 8)
    else:
        mark = Markup('<circle class="mark side-{}" cx="{:.1f}" cy="{:.1f}" r="4.5"/>').format(
            number, x, y
        )
    return Markup("<g><title>{}</title>{}</g>").format(words, mark)


def _number(value: int) -> str:
    return str(value).replace("-", "−")

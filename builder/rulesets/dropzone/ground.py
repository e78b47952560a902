"""Rules 1.1 and 5.1: what it costs to enter each hex from each neighbor, in half points.

Half movement points are whole numbers here, so that sums are exact. Every cost comes in two
values: as the chart has it, and its floor: the least that it could be if every figure that the
rulebook does not give were as low as a road. What is too far by the floor is too far whatever
the printed chart says.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final, NamedTuple

from builder.gamebox.charts import Chart
from builder.gamebox.model import MapSheet
from builder.hexes.grid import Hex

__all__ = ["Ground", "StepCost", "TerrainFigure", "half_points", "points_text", "terrain_figures"]

_ROWS: Final = {
    "clear": "Clear",
    "woods": "Woods",
    "village": "Village",
    "town": "Town",
    "hill": "Hill, added",
    "junction": "Road junction",
    "river": "River",
    "bridge": "Bridge",
    "road": "Along a road",
    "into": "Into an enemy ZOC",
    "leave": "Out of an enemy ZOC",
    "between": "Out of one into another",
}
"""The row of the Terrain Effects Chart for each word of the map."""


def half_points(points: Fraction | int) -> int:
    """Return movement points as a whole number of halves.

    >>> half_points(Fraction(5, 2))
    5
    """
    return int(points * 2)


def points_text(halves: int) -> str:
    """Return half points as players write them.

    >>> [points_text(n) for n in (0, 1, 8, 11)]
    ['0', '½', '4', '5½']
    """
    whole, half = divmod(halves, 2)
    return ("½" if half and not whole else f"{whole}½" if half else str(whole)) if halves else "0"


class TerrainFigure(NamedTuple):
    """A row of the Terrain Effects Chart: half points, dice, and which of them are our own."""

    move: int
    attacker: int
    defender: int
    move_is_ours: bool
    attacker_is_ours: bool
    defender_is_ours: bool
    name: str


def terrain_figures(chart: Chart) -> Mapping[str, TerrainFigure]:
    """Return the rows of the Terrain Effects Chart by the map's words.

    Raises ``KeyError`` with the name of a row that the chart lacks, and ``ValueError`` with the
    name of one whose cost is no number of half points.
    """
    figures: dict[str, TerrainFigure] = {}
    for key, head in _ROWS.items():
        row = chart.row(head)
        move = row["move"].figure
        if move is None or (move * 2).denominator != 1:
            raise ValueError(head)
        attacker, defender = row["attacker"], row["defender"]
        figures[key] = TerrainFigure(
            half_points(move),
            int(attacker.figure or 0),
            int(defender.figure or 0),
            row["move"].is_marked,
            attacker.is_marked,
            defender.is_marked,
            head,
        )
    return figures


class StepCost(NamedTuple):
    """What one step onto a hex costs without zones of control.

    ``cost`` and ``floor`` in half points; ``words`` explains the sum; ``ours`` names the figures
    in it that the rulebook does not give.
    """

    to: Hex
    cost: int
    floor: int
    words: str
    ours: tuple[str, ...]


@dataclass(frozen=True)
class Ground:
    """The map for movement and combat; made once from the sheet and the chart.

    ``steps`` maps a hex to the steps to its neighbors on the map; ``entries`` a hex at the edge to
    the step onto it from off the map (by the road that leaves the map there, if one does);
    ``neighbors_of`` to its neighbors on the map, clockwise from the north.
    """

    sheet: MapSheet
    figures: Mapping[str, TerrainFigure]
    steps: Mapping[Hex, tuple[StepCost, ...]]
    entries: Mapping[Hex, StepCost]
    neighbors_of: Mapping[Hex, tuple[Hex, ...]]

    @cached_property
    def costs(self) -> Mapping[Hex, tuple[tuple[Hex, int], ...]]:
        """The neighbors of each hex and what it costs to enter them: for quick searches."""
        return {h: tuple((s.to, s.cost) for s in found) for h, found in self.steps.items()}

    @cached_property
    def floors(self) -> Mapping[Hex, tuple[tuple[Hex, int], ...]]:
        """The same with the least that each could cost."""
        return {h: tuple((s.to, s.floor) for s in found) for h, found in self.steps.items()}

    @classmethod
    def of(cls, sheet: MapSheet, figures: Mapping[str, TerrainFigure]) -> Ground:
        """Work the costs of every step out."""
        roads = {frozenset((r.start, r.end)) for r in sheet.routes if r.end is not None}
        exits = {r.start for r in sheet.routes if r.end is None}
        steps: dict[Hex, tuple[StepCost, ...]] = {}
        entries: dict[Hex, StepCost] = {}
        least = figures["road"].move
        known: dict[tuple[str, ...], StepCost] = {}

        def step(to: Hex, *parts: str) -> StepCost:
            # few combinations of ground make up all steps of a map
            if parts not in known:
                known[parts] = _step(to, parts, figures, least)
            return known[parts]._replace(to=to)

        for h in sheet.hexes():
            found = []
            neighbors = sheet.grid.neighbors(h)
            for n in neighbors:
                if n not in sheet:
                    continue
                if frozenset((h, n)) in roads:
                    found.append(step(n, "road"))
                    continue
                feature = sheet.sides.get(sheet.grid.side_between(h, n))
                crossed = () if feature is None else (feature.kind,)
                found.append(step(n, *sheet.terrain[n].features, *crossed))
            steps[h] = tuple(found)
            if len(found) < len(neighbors):
                ground = ("road",) if h in exits else sheet.terrain[h].features
                entries[h] = step(h, *ground)
        around = {h: tuple(s.to for s in found) for h, found in steps.items()}
        return cls(sheet, figures, steps, entries, around)

    def step(self, start: Hex, end: Hex) -> StepCost | None:
        """Return the step between two hexes, or ``None`` if they are not neighbors on the map."""
        return next((s for s in self.steps.get(start, ()) if s.to == end), None)

    def features(self, h: Hex) -> tuple[str, ...]:
        """Return base terrain and flags of a hex."""
        return self.sheet.terrain[h].features

    def side_kind(self, a: Hex, b: Hex) -> str:
        """Return *river*, *bridge* or nothing for the hexside between two neighbors."""
        feature = self.sheet.sides.get(self.sheet.grid.side_between(a, b))
        return feature.kind if feature is not None else ""


def _step(
    to: Hex, parts: tuple[str, ...], figures: Mapping[str, TerrainFigure], least: int
) -> StepCost:
    rows = [figures[p] for p in parts]
    cost = sum(r.move for r in rows)
    floor = sum(0 if r.move_is_ours else r.move for r in rows)
    words = " + ".join(
        f"{p} {points_text(r.move)}"
        for number, (p, r) in enumerate(zip(parts, rows, strict=True))
        if r.move or number == 0
    )
    ours = tuple(r.name for r in rows if r.move_is_ours)
    return StepCost(to, cost, min(cost, max(floor, least)), words, ours)

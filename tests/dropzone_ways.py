"""A slow reading of rules 4.2.3 and 5.1, for tests: what it costs to come to every hex.

It reads the game's map files by itself, numbers hexes as they are printed, counts in fractions of
points, and relaxes every step of the map until nothing gets cheaper (Bellman and Ford). Nothing
of the rules under test is used, and no figure is taken from a chart: they are typed here.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from pathlib import Path

COLUMNS, ROWS = 24, 18
HALF = Fraction(1, 2)
LETTERS = {".": 1, "w": 2, "h": 1 + 1, "m": 2 + 1, "t": 1, "v": 1, "j": 1}
"""What a hex costs by its letter: clear, woods, hill (one more), wooded hill, town, village."""
RIVER = 1
ROAD = HALF
OUT_OF_A_ZONE = 1
FROM_ZONE_TO_ZONE = 2
POINTS = {"armor": 6, "infantry": 4}

NAMES = tuple(f"{c:02}{r:02}" for c in range(1, COLUMNS + 1) for r in range(1, ROWS + 1))


def around(name: str) -> tuple[str, ...]:
    """Return the six neighbors of a hex, those off the map too: even columns lie lower."""
    c, r = int(name[:2]), int(name[2:])
    low = 1 - c % 2
    east = ((c, r - 1), (c + 1, r - 1 + low), (c + 1, r + low))
    west = ((c, r + 1), (c - 1, r + low), (c - 1, r - 1 + low))
    return tuple(f"{x:02}{y:02}" for x, y in (*east, *west))


BESIDE = {name: tuple(n for n in around(name) if n in frozenset(NAMES)) for name in NAMES}
EDGE = frozenset(name for name in NAMES if len(BESIDE[name]) < 6)


@dataclass(frozen=True)
class Board:
    """A map as its files have it: letters of hexes, pairs of hexes with river or road, areas."""

    letters: Mapping[str, str]
    rivers: frozenset[frozenset[str]]
    roads: frozenset[frozenset[str]]
    exits: frozenset[str]
    areas: Mapping[str, tuple[str, ...]]

    @classmethod
    def read(cls, folder: Path) -> Board:
        """Read a game's terrain, hexsides, routes and places."""
        rows = [x for x in (folder / "terrain.txt").read_text().splitlines() if x[:1] != "#"]
        letters = {f"{c:02}{r:02}": rows[r - 1][c - 1] for c in range(1, 25) for r in range(1, 19)}
        directions = ("N", "NE", "SE", "S", "SW", "NW")
        rivers = set()
        for row in _rows(folder / "hexsides.csv"):
            other = around(row["hex"])[directions.index(row["side"])]
            if row["kind"] == "river":
                rivers.add(frozenset((row["hex"], other)))
        roads, exits = set(), set()
        for row in _rows(folder / "routes.csv"):
            ends = {row["from"], row["to"]} - set(directions)
            if len(ends) == 2:
                roads.add(frozenset(ends))
            else:
                exits |= ends
        areas: dict[str, tuple[str, ...]] = {}
        for row in _rows(folder / "places.csv"):
            if row["kind"] == "entry":
                areas[row["name"]] = (*areas.get(row["name"], ()), row["hex"])
        return cls(letters, frozenset(rivers), frozenset(roads), frozenset(exits), areas)

    def sketched(self, lines: Iterable[str]) -> Board:
        """Return a board with the ground of an example's sketch."""
        board = self
        for line in lines:
            word, *names = line.split()
            if word == "all":
                nothing: frozenset[frozenset[str]] = frozenset()
                letters = dict.fromkeys(NAMES, names[0])
                board = Board(letters, nothing, nothing, frozenset(), board.areas)
            elif word == "river":
                board = replace(board, rivers=board.rivers | {frozenset(names)})
            elif word == "road":
                links = {frozenset(pair) for pair in pairwise(names)}
                board = replace(board, roads=board.roads | links)
            elif word == "exit":
                board = replace(board, exits=board.exits | set(names))
            elif word == "area":
                board = replace(board, areas={**board.areas, names[0]: tuple(names[1:])})
            else:
                board = replace(board, letters={**board.letters, **dict.fromkeys(names, word)})
        return board


def _rows(path: Path) -> list[dict[str, str]]:
    lines = [x for x in path.read_text(encoding="utf-8").splitlines() if x and x[0] != "#"]
    return list(csv.DictReader(lines))


@dataclass(frozen=True)
class Table:
    """A board and the hexes where the enemy of the one who moves stands.

    ``entered`` says how many units have come in by a hex in this activation.
    """

    board: Board
    enemies: frozenset[str]
    entered: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def zone(self) -> frozenset[str]:
        """The hexes beside an enemy."""
        return frozenset(n for e in self.enemies if e in BESIDE for n in BESIDE[e])

    def step(self, start: str, end: str) -> Fraction:
        """Return what one step costs, zones of control included."""
        pair = frozenset((start, end))
        if pair in self.board.roads:
            cost = ROAD
        else:
            cost = Fraction(LETTERS[self.board.letters[end]])
            cost += RIVER * (pair in self.board.rivers)
        if start in self.zone:
            cost += FROM_ZONE_TO_ZONE if end in self.zone else OUT_OF_A_ZONE
        return cost

    def entrance(self, area: str) -> tuple[str, ...]:
        """Return where an area lets units in: its own hexes, or those beside if all are held."""
        own = self.board.areas[area]
        free = tuple(h for h in own if h not in self.enemies)
        if free:
            return free
        beside = {n for h in own for n in BESIDE[h]}
        return tuple(sorted((beside & EDGE) - self.enemies - set(own)))

    def reach(self, start: str, points: int) -> dict[str, Fraction]:
        """Return every hex that a unit comes to with its points, and what that costs.

        ``start`` is a hex or an area's letter. What is lost by the order of entry counts as spent.
        """
        if start in BESIDE:
            best = {start: Fraction(0)}
        else:
            best = {}
            for h in self.entrance(start):
                on = ROAD if h in self.board.exits else Fraction(LETTERS[self.board.letters[h]])
                best[h] = on + HALF * self.entered.get(h, 0)
        steps = [
            (a, b, self.step(a, b))
            for a in NAMES
            for b in BESIDE[a]
            if b not in self.enemies and (a not in self.enemies or a == start)
        ]
        changed = True
        while changed:
            changed = False
            for a, b, cost in steps:
                if a in best and best[a] + cost < best.get(b, Fraction(999)):
                    best[b] = best[a] + cost
                    changed = True
        return {h: cost for h, cost in best.items() if cost <= points}

"""A map drawn in a few words, for examples of rules: the real sheet with other ground.

One line each: a letter of ``map.toml`` and hexes (``w 1102 1103``), or ``all`` and a letter, which
also takes every hexside and road away; ``road A B C`` links hexes in a chain; ``exit A`` lets a
road leave the map at a hex; ``river A B`` and other words of hexsides put a feature between two
hexes; ``area D 1001 1002`` says by which hexes an entry area is entered.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from builder.gamebox.model import HexsideFeature, MapSheet, Place, Route
from builder.hexes.grid import Hex
from builder.problems import BuilderError, Source

__all__ = ["SketchError", "sketched"]

_HERE = Source("")


class SketchError(BuilderError):
    """A line that no ground can be made of; the message quotes it."""


def sketched(sheet: MapSheet, lines: Iterable[str]) -> MapSheet:
    """Return the sheet with the ground that the lines describe, in their order."""
    for line in lines:
        word, *names = line.split()
        if word == "all":
            sheet = _all(sheet, line, names)
            continue
        hexes = [_hex(sheet, name, line) for name in (names[1:] if word == "area" else names)]
        match word:
            case "road":
                links = tuple(Route(a, b, "road", "") for a, b in pairwise(hexes))
                sheet = replace(sheet, routes=(*sheet.routes, *links))
            case "exit":
                links = tuple(Route(h, None, "road", "", 0) for h in hexes)
                sheet = replace(sheet, routes=(*sheet.routes, *links))
            case "area":
                places = tuple(Place(names[0], h, "entry", {}, _HERE) for h in hexes)
                others = tuple(p for p in sheet.places if p.kind != "entry" or p.name != names[0])
                sheet = replace(sheet, places=(*others, *places))
            case _ if word in sheet.terrains:
                terrain = {**sheet.terrain, **dict.fromkeys(hexes, sheet.terrains[word])}
                sheet = replace(sheet, terrain=terrain)
            case _:
                sheet = _with_side(sheet, word, hexes, line)
    return sheet


def _all(sheet: MapSheet, line: str, names: list[str]) -> MapSheet:
    if len(names) != 1 or names[0] not in sheet.terrains:
        raise SketchError(f"{line!r}: expected `all` and one terrain letter")
    terrain = dict.fromkeys(sheet.hexes(), sheet.terrains[names[0]])
    return replace(sheet, terrain=terrain, sides={}, routes=())


def _with_side(sheet: MapSheet, kind: str, hexes: list[Hex], line: str) -> MapSheet:
    if len(hexes) != 2 or hexes[1] not in sheet.grid.neighbors(hexes[0]):
        raise SketchError(f"{line!r}: no terrain letter, and no hexside between two neighbors")
    side = sheet.grid.side_between(*hexes)
    feature = HexsideFeature(side, kind, "", _HERE)
    return replace(sheet, sides={**sheet.sides, side: feature})


def _hex(sheet: MapSheet, name: str, line: str) -> Hex:
    found = sheet.find(name)
    if found is None:
        raise SketchError(f"{line!r}: no hex {name!r} on the map")
    return found

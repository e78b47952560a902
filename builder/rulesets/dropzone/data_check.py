"""What the rulebook says of a game's files: map, set-up, reinforcements, assets and names.

Units have a module of their own (:mod:`data_units`), and so have objectives
(:mod:`data_objectives`). Everything here yields problems with their place, and reads nothing but
what was read already; figures that the rulebook leaves to cards are never questioned.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.gamebox.model import Counter, Game
from builder.gamebox.open_charts import open_charts
from builder.gamebox.open_help import open_help
from builder.problems import Problem, ProblemLog, Source, did_you_mean
from builder.reading import read_toml
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.data_objectives import check_objectives
from builder.rulesets.dropzone.data_places import pointed
from builder.rulesets.dropzone.data_units import check_units
from builder.rulesets.dropzone.facts import ALLIED, GERMAN

__all__ = ["check_data", "check_ground"]

_BASES: Final = ("clear", "woods", "town", "village")
_FLAGS: Final = ("hill", "junction")
_SIDES: Final = ("river", "bridge")
_OBJECTIVES: Final = {"town": (5, "2"), "hill": (2, "2"), "village": (9, "1"), "junction": (3, "1")}
"""Rule 6: how many objectives there are of each kind, and what each gives."""
_ASSETS: Final = {ALLIED: 12, GERMAN: 10}
_ASSETS_OF: Final = {
    "AIRSTRIKE": ALLIED,
    "INITIATIVE": ALLIED,
    "COORDINATED": ALLIED,
    "REGROUP": GERMAN,
}
_PAIRS: Final = ("INITIATIVE", "REGROUP")
"""Rule 1.4: there are two assets of each of these kinds."""
_NAMES: Final = ("ABTF", "A-P", "Alarm", "Assault", "AT", "Bn", "Choc", "Co", "Coast", "Div")
"""Rule 12: the short names of counters and cards."""
_COUNTERS: Final = Source("counters.csv")


def check_data(game: Game) -> Iterator[Problem]:
    """Yield everything that a game's files say otherwise than the rulebook, cell by cell."""
    yield from pointed(game.folder, _checked(game))


def _checked(game: Game) -> Iterator[Problem]:
    yield from check_ground(game)
    yield from check_objectives(game)
    yield from objective_table(game)
    yield from garrison_places(game)
    yield from check_units(game)
    yield from charted_germans(game)
    yield from serials(game)
    for counter in _of(game, "unit"):
        yield from random_in_cup(counter)
        yield from way_of_arrival(game, counter)
    yield from both_ways(game)
    yield from asset_counters(game)
    yield from ghost_levels(game)
    yield from names(game)


def _of(game: Game, layout: str) -> tuple[Counter, ...]:
    return tuple(c for c in game.counters if c.layout == layout)


def _text(counter: Counter, name: str) -> str:
    return str(counter.fields.get(name) or "")


# --------------------------------------------------------------------------------------- the map


@book.states("DZ-1.1a")
def check_ground(game: Game) -> Iterator[Problem]:
    """Rule 1.1: the four kinds of ground, hills and junctions, rivers and bridges; no others."""
    used = {t.letter for t in game.map.terrain.values()}
    toml = read_toml(game.folder / "map.toml", ProblemLog())
    for letter, terrain in game.map.terrains.items():
        if letter not in used:
            continue
        source = toml.source("terrain", letter) if toml else Source("map.toml")
        if terrain.base not in _BASES:
            hint = did_you_mean(terrain.base, _BASES)
            yield Problem(source, f"base: the rules know no ground {terrain.base!r}{hint}")
        for flag in terrain.flags:
            if flag not in _FLAGS:
                hint = did_you_mean(flag, _FLAGS)
                yield Problem(source, f"flags: the rules know no feature {flag!r}{hint}")
    for feature in game.map.sides.values():
        if feature.kind not in _SIDES:
            hint = did_you_mean(feature.kind, _SIDES)
            yield Problem(feature.source, f"kind: the rules know no hexside {feature.kind!r}{hint}")
    for route in game.map.routes:
        if route.end is not None and route.end not in game.map.grid.neighbors(route.start):
            yield Problem(route.source, "a road links the middles of two neighboring hexes")


@book.states("DZ-6a")
def objective_table(game: Game) -> Iterator[Problem]:
    """Rule 6: five towns, two hills, nine villages, three junctions, and what each is worth."""
    places = tuple(p for p in game.map.places if p.fields.get("vp"))
    for place in places:
        known = _OBJECTIVES.get(place.kind)
        points = str(place.fields.get("vp"))
        if known is None:
            hint = did_you_mean(place.kind, _OBJECTIVES)
            message = f"{place.name}: kind: no objective is a {place.kind!r}{hint}"
            yield Problem(place.source, message)
        elif points not in (known[1], "star"):
            message = f"{place.name}: vp: a {place.kind} gives {known[1]}, not {points}"
            yield Problem(place.source, message)
        elif place.hex in game.map.terrain:
            terrain = game.map.terrain[place.hex]
            if place.kind not in terrain.features:
                message = f"{place.name}: hex: the ground there is {terrain.name.lower()}"
                yield Problem(place.source, f"{message}, and no {place.kind}")
    for kind, (number, _) in _OBJECTIVES.items():
        found = [p for p in places if p.kind == kind]
        if len(found) != number:
            where = found[-1].source if len(found) > number else Source("places.csv")
            message = f"{len(found)} objectives are of kind {kind}, expected {number}"
            yield Problem(where, message)


# ------------------------------------------------------------------------------------- the set-up


@book.states("DZ-2a")
def garrison_places(game: Game) -> Iterator[Problem]:
    """Rule 2.A: each objective has one garrison counter, which starts in its hex."""
    hexes = {p.name: p.hex for p in game.map.places if p.fields.get("vp")}
    seen: dict[str, str] = {}
    for counter in _of(game, "garrison"):
        name = _text(counter, "objective")
        if name not in hexes:
            hint = did_you_mean(name, hexes)
            message = f"{counter.id}: objective: {name!r} is no objective{hint}"
            yield Problem(counter.source, message)
            continue
        if name in seen:
            message = f"{counter.id}: {name} has a garrison already, {seen[name]}"
            yield Problem(counter.source, message)
        seen[name] = counter.id
        if game.map.find(counter.start) != hexes[name]:
            at = game.map.label(hexes[name])
            message = f"{counter.id}: start: the garrison of {name} starts in {at}"
            yield Problem(counter.source, f"{message}, not in {counter.start or 'no hex'}")
    for place in game.map.places:
        if place.fields.get("vp") and place.name not in seen:
            yield Problem(place.source, f"{place.name}: no garrison counter names this objective")


@book.states("DZ-2b")
def charted_germans(game: Game) -> Iterator[Problem]:
    """Rule 2.B: five German units begin on the map."""
    found = [
        c for c in _of(game, "unit") if c.side == GERMAN and game.map.find(c.start) is not None
    ]
    if len(found) != 5:
        where = found[-1].source if len(found) > 5 else _COUNTERS
        yield Problem(where, f"{len(found)} German units start in a hex, expected 5")


@book.states("DZ-1.2z")
def serials(game: Game) -> Iterator[Problem]:
    """Rule 1.2: twenty Allied units drop, all airborne or FFI."""
    found = [c for c in _of(game, "unit") if _text(c, "serial")]
    for counter in found:
        if counter.side != ALLIED or _text(counter, "target") not in ("airborne", "ffi"):
            message = f"{counter.id}: serial: only Allied airborne units and FFI drop"
            yield Problem(counter.source, message)
    if len(found) != 20:
        where = found[-1].source if len(found) > 20 else _COUNTERS
        yield Problem(where, f"{len(found)} units have a serial, expected 20 hidden units")


# --------------------------------------------------------------------------------- reinforcements


@book.states("DZ-4.2.1")
def random_in_cup(counter: Counter) -> Iterator[Problem]:
    """Rule 4.2: random units start in the cup of their side, and no others do."""
    cup, is_random = f"Cup{counter.side}", bool(counter.fields.get("random"))
    if is_random and counter.start != cup:
        yield Problem(counter.source, f"{counter.id}: start: a random unit starts in {cup}")
    elif counter.start == cup and not is_random:
        yield Problem(counter.source, f"{counter.id}: random: what starts in {cup} is random")


@book.states("DZ-4.2.0")
def way_of_arrival(game: Game, counter: Counter) -> Iterator[Problem]:
    """Rule 4.2: who does not start on the map comes by chance, or in a turn; by area or zone."""
    if not counter.start or _text(counter, "serial") or game.map.find(counter.start) is not None:
        return
    turn = counter.fields.get("turn")
    if counter.fields.get("random"):
        if turn:
            message = f"{counter.id}: turn: a random unit comes when it is drawn"
            yield Problem(counter.source, message)
        if not counter.fields.get("areas"):
            yield Problem(counter.source, f"{counter.id}: areas: a random unit needs one")
        return
    if not isinstance(turn, int):
        message = f"{counter.id}: turn: a reinforcement that is not random needs one"
        yield Problem(counter.source, message)
        return
    box = f"{counter.side}T{turn}"
    if counter.start != box:
        message = f"{counter.id}: start: the reinforcements of turn {turn} lie in {box}"
        yield Problem(counter.source, message)
    lands = turn == 3 and _text(counter, "affiliation")
    if not counter.fields.get("areas") and not lands:
        message = f"{counter.id}: areas: a reinforcement needs one, unless it lands in turn 3"
        yield Problem(counter.source, message)


@book.states("DZ-4.2.0")
def both_ways(game: Game) -> Iterator[Problem]:
    """Rule 4.2: some reinforcements are random, and some are not."""
    units = _of(game, "unit")
    if not any(c.fields.get("random") for c in units):
        yield Problem(_COUNTERS, "no unit is random: some reinforcements are, and some are not")
    if not any(c.fields.get("turn") for c in units):
        yield Problem(_COUNTERS, "no unit has a turn: not all reinforcements are random")


# ------------------------------------------------------------------------------------- the assets


@book.states("DZ-1.4a")
def asset_counters(game: Game) -> Iterator[Problem]:
    """Rule 1.4: twelve Allied assets and ten German ones, each of a kind that its side has."""
    assets = _of(game, "asset")
    for side, number in _ASSETS.items():
        found = [c for c in assets if c.side == side]
        if len(found) != number:
            where = found[-1].source if len(found) > number else _COUNTERS
            yield Problem(where, f"{len(found)} {side} assets, expected {number}")
    for counter in assets:
        kind = _text(counter, "kind")
        if not kind:
            yield Problem(counter.source, f"{counter.id}: kind: an asset needs one")
        elif _ASSETS_OF.get(kind, counter.side) != counter.side:
            message = f"{counter.id}: kind: {kind} is {_ASSETS_OF[kind]} only"
            yield Problem(counter.source, message)
    for kind in _PAIRS:
        of_kind = [c for c in assets if _text(c, "kind") == kind]
        if len(of_kind) != 2:
            where = of_kind[-1].source if len(of_kind) > 2 else _COUNTERS
            yield Problem(where, f"{len(of_kind)} assets of kind {kind}, expected 2")


# ---------------------------------------------------------------------------- scenario and names


@book.states("DZ-10b")
def ghost_levels(game: Game) -> Iterator[Problem]:
    """Rule 10.1: the alternate scenario brings a victory card of its own."""
    scenarios = [s for s in game.scenarios if s.name == "ghost"]
    charts = {c.name: c for c in open_charts(game, ProblemLog())}
    victory = charts.get("victory")
    if victory is None:
        return  # that the rules need it is said where it is read
    groups = {row.group for row in victory.rows if row.group.startswith("Ghost")}
    for scenario in scenarios:
        if not groups:
            message = f"{scenario.title} needs its own levels in charts/victory.csv"
            yield Problem(scenario.source, message)
    if groups and not scenarios:
        yield Problem(victory.source, f"levels for {min(groups)}, and no scenario 'ghost'")


@book.states("DZ-12a")
def names(game: Game) -> Iterator[Problem]:
    """Rule 12: the glossary explains the short names of the rulebook."""
    log = ProblemLog()
    glossary = open_help(game.folder, log).glossary
    if log.problems:
        return
    for name in _NAMES:
        if not glossary.get(name, "").strip():
            yield Problem(Source("help.toml"), f"glossary: {name!r} is not explained")

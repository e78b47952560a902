"""What ``map.toml`` says to the tracer: ``[projection]`` and ``[trace]``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from builder.gamebox.files import MapFile
from builder.hexes.geography import Projection
from builder.problems import ProblemLog, did_you_mean
from builder.reading import TomlFile, validated

__all__ = ["PlaceKind", "ProjectionTable", "TraceFile", "TraceTable", "read_settings"]

_STRICT = {"extra": "forbid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectionTable:
    """``[projection]``: see :class:`builder.hexes.geography.Projection`."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    west: float
    north: float
    km_per_degree: tuple[float, float]
    first_center_km: tuple[float, float]
    spacing_km: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceKind:
    """``[trace.places.KIND]``: what becomes of the points of a kind.

    ``terrain``: the letter that its hex gets, whatever the areas say. ``edge``: the point stands
    for that many hexes of the map's edge, the nearest one and as many of its neighbors on either
    side. ``outside``: a point beyond the map is left out with a warning, or its place is the
    nearest edge hex.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    terrain: str = ""
    edge: int = 0
    outside: Literal["refuse", "edge"] = "refuse"


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceTable:
    """``[trace]``: how geography becomes hexes.

    ``threshold`` is the share of a hex that a terrain must cover to take it, from over 0 to 1, and
    ``thresholds`` says it for single words. ``default`` is the base terrain where no area lies.
    ``rivers`` maps each kind of river to its kind where a road crosses it; ``roads`` lists the
    kinds of road, the one that wins first. ``columns`` are the further columns of ``places.csv``.
    ``join`` is how near, in lengths of a hexside, the end of a river must lie to another river to
    flow into it.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    threshold: float = 0.5
    thresholds: dict[str, float] = field(default_factory=dict)
    default: str
    rivers: dict[str, str] = field(default_factory=dict)
    roads: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    join: float = 0.25
    places: dict[str, PlaceKind] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceFile:
    """The two tables of ``map.toml`` that only the tracer reads; the others are passed over."""

    projection: ProjectionTable
    trace: TraceTable


def read_settings(
    toml: TomlFile, sheet: MapFile, log: ProblemLog
) -> tuple[Projection, TraceTable] | None:
    """Return the tracer's settings, checked against the rest of the file, or ``None``."""
    file = validated(toml, TraceFile, log)
    if file is None:
        return None
    before = len(log.errors)
    table, words = file.trace, {w for t in sheet.terrain.values() for w in (t.base, *t.flags)}
    for key in ("km_per_degree", "spacing_km"):
        if not min(getattr(file.projection, key)) > 0:
            log.add(toml.source("projection", key), f"{key}: expected numbers over 0")
    if not 0 < table.threshold <= 1:
        log.add(toml.source("trace", "threshold"), "threshold: expected a share over 0 and up to 1")
    for word, share in table.thresholds.items():
        where = toml.source("trace", "thresholds", word)
        if word not in words:
            log.add(where, f"no terrain letter has {word!r}{did_you_mean(word, words)}")
        elif not 0 < share <= 1:
            log.add(where, f"{word}: expected a share over 0 and up to 1")
    if not any(t.base == table.default and not t.flags for t in sheet.terrain.values()):
        bases = [t.base for t in sheet.terrain.values() if not t.flags]
        hint = did_you_mean(table.default, bases)
        log.add(
            toml.source("trace", "default"), f"no letter for mere {table.default!r} terrain{hint}"
        )
    for kind, bridge in table.rivers.items():
        for word in (kind, bridge):
            if word not in sheet.words.hexsides:
                hint = did_you_mean(word, sheet.words.hexsides)
                where = toml.source("trace", "rivers", kind)
                log.add(where, f"{word!r} is not a word for hexsides{hint}")
    for number, kind in enumerate(table.roads):
        if kind not in sheet.words.routes:
            hint = did_you_mean(kind, sheet.words.routes)
            log.add(toml.source("trace", "roads", number), f"{kind!r} is no word for routes{hint}")
    for kind, rule in table.places.items():
        where = toml.source("trace", "places", kind)
        if kind not in sheet.words.places:
            hint = did_you_mean(kind, sheet.words.places)
            log.add(where, f"{kind!r} is not a word for places{hint}")
        if rule.terrain and rule.terrain not in sheet.terrain:
            hint = did_you_mean(rule.terrain, sheet.terrain)
            log.add(where, f"unknown terrain letter {rule.terrain!r}{hint}")
        if rule.edge < 0 or (rule.edge and rule.edge % 2 == 0):
            log.add(where, f"edge: expected an odd number of hexes, got {rule.edge}")
        elif rule.edge > 1 and kind != "entry":
            log.add(where, f"edge: only an 'entry' may stand for several hexes, {kind!r} may not")
    for number, column in enumerate(table.columns):
        if column in {"name", "hex", "kind", *table.columns[:number]}:
            log.add(toml.source("trace", "columns", number), f"column {column!r} stands twice")
    if len(log.errors) > before:
        return None
    p = file.projection
    return Projection(p.west, p.north, p.km_per_degree, p.first_center_km, p.spacing_km), table

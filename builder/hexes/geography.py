"""Real geography: features in degrees, and the projection that lays them on the board.

The file is GeoJSON (RFC 7946). Each feature says in its properties on which ``layer`` it lies
(place, river, road, terrain, decoration), of what ``kind`` it is, and its ``name``. This module
knows text and shapes, no files.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import shapely
from shapely.geometry import LineString, MultiLineString, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

from builder.hexes.arrays import FloatArray
from builder.hexes.grid import HexGrid
from builder.json_places import JsonPath, json_places
from builder.problems import ProblemLog, Source, did_you_mean

__all__ = ["LAYERS", "Feature", "Projection", "read_features"]

LAYERS: Final[Mapping[str, tuple[str, ...]]] = {
    "place": ("Point",),
    "river": ("LineString", "MultiLineString"),
    "road": ("LineString", "MultiLineString"),
    "terrain": ("Polygon", "MultiPolygon"),
    "decoration": (),
}
"""Layer to the geometry types that it may have; decoration may have any and is passed over."""

_TYPES: Final = {kind for kinds in LAYERS.values() for kind in kinds}


@dataclass(frozen=True, slots=True, eq=False)
class Feature:
    """One feature of the file; ``shape`` in degrees, longitude first.

    A terrain area may be of several kinds at once; every other feature has one.
    """

    layer: str
    kinds: tuple[str, ...]
    name: str
    shape: BaseGeometry
    properties: Mapping[str, Any]
    source: Source

    @property
    def kind(self) -> str:
        """The one kind, or the first of several."""
        return self.kinds[0]

    def __str__(self) -> str:
        """Return what a message calls the feature."""
        return f"{self.layer} {self.name!r}" if self.name else f"{self.layer} {self.kind!r}"


@dataclass(frozen=True, slots=True)
class Projection:
    """Plain scaling of degrees to kilometers, and of kilometers to the lattice of hex centers.

    ``x = (lon - west) · km_per_degree[0]``, ``y = (north - lat) · km_per_degree[1]``. The hex with
    raw indices (0, 0) has its center at ``first_center_km``; ``spacing_km`` is what lies between
    the centers of neighboring columns and of neighboring rows on the sheet, x before y. The board
    may be stretched a little against the ground: the lattices are laid on each other, so a point
    lies in the same hex on both.
    """

    west: float
    north: float
    km_per_degree: tuple[float, float]
    first_center_km: tuple[float, float]
    spacing_km: tuple[float, float]

    def to_km(self, lon: float, lat: float) -> tuple[float, float]:
        """Return kilometers east and south of the corner of the projection.

        >>> Projection(6.0, 44.0, (80.0, 111.0), (0.5, 0.6), (1.0, 1.2)).to_km(6.5, 43.0)
        (40.0, 111.0)
        """
        return (
            (lon - self.west) * self.km_per_degree[0],
            (self.north - lat) * self.km_per_degree[1],
        )

    def to_board(self, grid: HexGrid, shape: BaseGeometry) -> BaseGeometry:
        """Return a shape in degrees as a shape in board pixels; heights are dropped."""
        origin = np.array([grid.x0, grid.y0], dtype=float)
        pixels = np.array([grid.dx, grid.dy], dtype=float)
        if grid.sideways:
            origin, pixels = origin[::-1], pixels[::-1]
        corner = np.array([self.west, self.north])
        scale = np.array([self.km_per_degree[0], -self.km_per_degree[1]])
        first, spacing = np.array(self.first_center_km), np.array(self.spacing_km)

        def move(degrees: FloatArray) -> FloatArray:
            km = (degrees - corner) * scale
            board: FloatArray = origin + (km - first) / spacing * pixels
            return board

        return shapely.transform(shapely.force_2d(shape), move)


def read_features(text: str, name: str, log: ProblemLog) -> tuple[Feature, ...]:
    """Return the features of a GeoJSON text, decoration left out; note every mistake.

    ``name`` is what problems call the file.
    """
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        log.add(Source(name, error.lineno, error.colno), f"not valid JSON: {error.msg.lower()}")
        return ()
    except RecursionError:
        log.add(Source(name, 1, 1), "not valid JSON: nested too deeply")
        return ()
    except ValueError as error:
        # the standard parser refuses whole numbers of thousands of digits, without a place
        log.add(Source(name, 1, 1), f"not valid JSON: {error}")
        return ()
    reader = _Reader(name, json_places(text), log)
    if not isinstance(data, dict) or data.get("type") != "FeatureCollection":
        found = data.get("type") if isinstance(data, dict) else type(data).__name__
        reader.note(("type",), f"expected a GeoJSON FeatureCollection, found {found!r}")
        return ()
    features = data.get("features")
    if not isinstance(features, list):
        reader.note(("features",), "expected a list of features")
        return ()
    found_features = (reader.feature(item, number) for number, item in enumerate(features))
    return tuple(f for f in found_features if f is not None)


class _Reader:
    """Checks one feature after the other; a path says where in the JSON it stands."""

    def __init__(
        self, name: str, places: Mapping[JsonPath, tuple[int, int]], log: ProblemLog
    ) -> None:
        self.name = name
        self.places = places
        self.log = log

    def source(self, path: JsonPath) -> Source:
        """Return the place of a value, or of the nearest container whose place is known."""
        for end in range(len(path), -1, -1):
            place = self.places.get(path[:end])
            if place:
                return Source(self.name, *place)
        return Source(self.name, 1, 1)

    def note(self, path: JsonPath, message: str) -> None:
        self.log.add(self.source(path), message)

    def feature(self, item: Any, number: int) -> Feature | None:
        path: JsonPath = ("features", number)
        if not isinstance(item, dict) or item.get("type") != "Feature":
            self.note((*path, "type"), "expected a GeoJSON Feature")
            return None
        properties = item.get("properties")
        if not isinstance(properties, dict):
            self.note((*path, "properties"), "expected properties with layer, kind and name")
            return None
        within = (*path, "properties")
        layer = self.text(properties, "layer", within, required=True)
        if layer and layer not in LAYERS:
            hint = did_you_mean(layer, LAYERS)
            self.note((*within, "layer"), f"unknown layer {layer!r}{hint}")
            layer = None
        if layer == "decoration":
            return None
        kinds = self.kinds(properties, layer, within)
        needs_name = layer in {"place", "road", "river"}
        name = self.text(properties, "name", within, required=needs_name)
        shape = self.geometry(item.get("geometry"), layer, (*path, "geometry"))
        if layer is None or not kinds or name is None or shape is None:
            return None
        return Feature(layer, kinds, name, shape, properties, self.source(path))

    def text(
        self, properties: Mapping[str, Any], key: str, path: JsonPath, *, required: bool
    ) -> str | None:
        """Return a text; empty if it may be missing, ``None`` after a mistake."""
        value = properties.get(key)
        if value is None and not required:
            return ""
        if value is None or value == "":
            near = did_you_mean(key, [k for k in properties if isinstance(k, str)])
            hint = near if near.startswith("; did") else ""
            self.note(path, f"property {key!r} is missing{hint}")
            return None
        if not isinstance(value, str):
            self.note((*path, key), f"{key}: expected a text in quotes, got {_shown(value)}")
            return None
        if value != value.strip() or not value.isprintable() or value.startswith("#"):
            self.note(
                (*path, key),
                f"{key}: expected printable text without blanks around it or # before it,"
                f" got {_shown(value)}",
            )
            return None
        return value

    def kinds(
        self, properties: Mapping[str, Any], layer: str | None, path: JsonPath
    ) -> tuple[str, ...]:
        value = properties.get("kind")
        if layer == "terrain" and isinstance(value, list):
            if value and all(isinstance(word, str) and word for word in value):
                return tuple(dict.fromkeys(value))
            self.note((*path, "kind"), f"kind: expected a list of words, got {_shown(value)}")
            return ()
        text = self.text(properties, "kind", path, required=True)
        return (text,) if text else ()

    def geometry(self, value: Any, layer: str | None, path: JsonPath) -> BaseGeometry | None:
        if not isinstance(value, dict):
            self.note(path, f"expected a geometry, got {_shown(value)}")
            return None
        kind = value.get("type")
        allowed = LAYERS[layer] if layer else tuple(sorted(_TYPES))
        if kind not in allowed:
            what = f"a {layer} needs" if layer else "expected"
            hint = did_you_mean(kind, allowed) if isinstance(kind, str) else ""
            self.note((*path, "type"), f"{what} {' or '.join(allowed)}, got {_shown(kind)}{hint}")
            return None
        where = (*path, "coordinates")
        coordinates = value.get("coordinates")
        before = len(self.log.errors)
        shape = self.shape(kind, coordinates, where)
        if len(self.log.errors) > before:
            return None
        return shape

    def shape(self, kind: str, value: Any, path: JsonPath) -> BaseGeometry | None:
        match kind:
            case "Point":
                position = self.position(value, path)
                return Point(position) if position else None
            case "LineString":
                return LineString(self.positions(value, path, 2, "a line"))
            case "MultiLineString":
                lines = [
                    self.positions(v, p, 2, "a line") for v, p in self.items(value, path, "lines")
                ]
                return MultiLineString([line for line in lines if line])
            case "Polygon":
                return self.polygon(value, path)
            case _:
                polygons = [self.polygon(v, p) for v, p in self.items(value, path, "polygons")]
                return MultiPolygon([p for p in polygons if p is not None])

    def polygon(self, value: Any, path: JsonPath) -> Polygon | None:
        rings = [self.ring(v, p) for v, p in self.items(value, path, "rings")]
        return Polygon(rings[0], rings[1:]) if rings and all(rings) else None

    def ring(self, value: Any, path: JsonPath) -> list[tuple[float, float]]:
        ring = self.positions(value, path, 4, "a ring")
        if ring and ring[0] != ring[-1]:
            self.log.add(
                self.source(path),
                "the ring does not end where it begins; closed with a straight line",
                "warning",
            )
        return ring

    def items(self, value: Any, path: JsonPath, what: str) -> list[tuple[Any, JsonPath]]:
        if not isinstance(value, list) or not value:
            self.note(path, f"expected a list of {what}, got {_shown(value)}")
            return []
        return [(item, (*path, number)) for number, item in enumerate(value)]

    def positions(
        self, value: Any, path: JsonPath, least: int, what: str
    ) -> list[tuple[float, float]]:
        found = [self.position(v, p) for v, p in self.items(value, path, "positions")]
        good = [p for p in found if p is not None]
        if found and len(good) == len(found) < least:
            self.note(path, f"{what} needs at least {least} positions, got {len(found)}")
        if len(good) < len(found) or len(good) < least:
            return []
        if len(set(good)) == 1:
            self.note(path, f"{what} needs different positions, all are {list(good[0])}")
            return []
        return good

    def position(self, value: Any, path: JsonPath) -> tuple[float, float] | None:
        is_numbers = isinstance(value, list) and all(
            isinstance(v, (int, float)) and not isinstance(v, bool) for v in value
        )
        if not is_numbers or not 2 <= len(value) <= 3:
            self.note(path, f"expected a position [longitude, latitude], got {_shown(value)}")
            return None
        lon, lat = value[:2]
        if not (_is_within(lon, 180) and _is_within(lat, 90)):
            swapped = _is_within(lat, 180) and _is_within(lon, 90)
            hint = "; longitude comes first" if swapped else ""
            self.note(
                path,
                "expected longitude within ±180 and latitude within ±90 degrees,"
                f" got {_shown(value)}{hint}",
            )
            return None
        return float(lon), float(lat)


def _is_within(value: float, limit: float) -> bool:
    # a whole number may be too large for a float, so compare before anything else is done with it
    return not (isinstance(value, float) and not math.isfinite(value)) and -limit <= value <= limit


def _shown(value: Any) -> str:
    text = "nothing" if value is None else repr(value)[:400]
    return text if len(text) <= 60 else text[:57] + "..."

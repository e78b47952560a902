"""From features on the board to the rows of the four files: what the tracer makes of geography."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from builder.gamebox.files import MapFile
from builder.hexes.field import HexField
from builder.hexes.geography import Feature, Projection
from builder.hexes.lattice import Hex, Hexside
from builder.hexes.overlay import area_shares, repaired, terrain_of_shares
from builder.hexes.riverlines import Anchor, Chain, River, side_of_line, snap_rivers
from builder.hexes.roadlinks import Road, RoadLinks, link_roads
from builder.jobs.trace_settings import TraceTable
from builder.jobs.trace_tables import Key, Row, Table, key_of, terrain_table
from builder.problems import ProblemLog, did_you_mean
from builder.reading import TomlFile

__all__ = ["Tracer"]

_ROAD_ANCHOR = 0.12
"""How much a piece of road, a quarter of a hexside long, counts beside a place on a river bank."""

TERRAIN_COMMENTS = (
    "# One letter a hex, one line a row of hexes, from the north-west; map.toml has the letters.",
)


@dataclass(frozen=True, slots=True)
class _Spot:
    """A place feature and where it lies on the board."""

    feature: Feature
    point: Point
    hexes: tuple[Hex, ...]


class Tracer:
    """Lays a grid over features, step by step; every step may note problems and warnings."""

    def __init__(
        self,
        field: HexField,
        projection: Projection,
        settings: TraceTable,
        sheet: MapFile,
        toml: TomlFile,
        log: ProblemLog,
    ) -> None:
        """Keep the grid and the settings."""
        self.field = field
        self.grid = field.grid
        self.projection = projection
        self.settings = settings
        self.sheet = sheet
        self.toml = toml
        self.log = log

    def trace(
        self, features: Sequence[Feature], progress: Callable[[str], None]
    ) -> tuple[Table, ...]:
        """Return the four tables; ``progress`` is told the name of each step that begins."""
        self.check_kinds(features)
        if self.log.errors:
            return ()
        shapes = {f: self.board_shape(f) for f in features}
        on_map = [f for f in features if self.is_on_map(f, shapes[f])]
        progress("places")
        spots = self.spots([f for f in on_map if f.layer == "place"], shapes)
        progress("terrain")
        letters = self.letters([f for f in on_map if f.layer == "terrain"], shapes, spots)
        progress("rivers")
        roads = [
            Road(f.name, shapes[f], kind)
            for kind in self.settings.roads
            for f in on_map
            if f.layer == "road" and f.kind == kind
        ]
        rivers = [River(f.name, shapes[f], f.kind) for f in on_map if f.layer == "river"]
        chains = snap_rivers(
            self.field, rivers, self.anchors(spots, roads), join=self.settings.join
        )
        self.check_banks(spots, chains)
        progress("roads")
        nodes = [
            (s.point.x, s.point.y) for s in spots if self.settings.places[s.feature.kind].terrain
        ]
        links = link_roads(self.field, roads, nodes, chains)
        self.check_bridges(links, chains, on_map)
        return (
            terrain_table(letters, self.grid, TERRAIN_COMMENTS),
            self.hexsides(chains, links),
            self.routes(links),
            self.places(spots),
        )

    # --- checks -----------------------------------------------------------------------------

    def check_kinds(self, features: Sequence[Feature]) -> None:
        """Note kinds that ``map.toml`` does not know, and places of one kind with one name."""
        words = [t.base for t in self.sheet.terrain.values()]
        words += [flag for t in self.sheet.terrain.values() for flag in t.flags]
        known: Mapping[str, Sequence[str]] = {
            "terrain": words,
            "river": list(self.settings.rivers),
            "road": self.settings.roads,
            "place": list(self.settings.places),
        }
        seen: dict[tuple[str, str], Feature] = {}
        for feature in features:
            for kind in feature.kinds:
                if kind not in known[feature.layer]:
                    hint = did_you_mean(kind, known[feature.layer])
                    self.log.add(feature.source, f"unknown kind of {feature.layer} {kind!r}{hint}")
            if feature.layer == "place":
                first = seen.setdefault((feature.kind, feature.name), feature)
                if first is not feature:
                    self.log.add(
                        feature.source,
                        f"{feature.kind} {feature.name!r} stands already in line"
                        f" {first.source.line}",
                    )

    def board_shape(self, feature: Feature) -> BaseGeometry:
        """Return the shape in board pixels; areas are repaired with a warning if need be."""
        shape = self.projection.to_board(self.grid, feature.shape)
        if feature.layer != "terrain":
            return shape
        # validity is judged in degrees, so that the message names a place the author can find
        _, reason = repaired(feature.shape)
        area, board_reason = repaired(shape)
        reason = reason or board_reason
        if area.is_empty:
            self.log.add(feature.source, f"{feature} has no area and is left out", "warning")
        elif reason:
            self.log.add(feature.source, f"{feature} repaired: {_in_words(reason)}", "warning")
        return area

    def is_on_map(self, feature: Feature, shape: BaseGeometry) -> bool:
        """Tell whether a feature concerns the map; warn of those that lie wholly beyond it."""
        if shape.is_empty:
            return False
        if feature.layer == "place":
            rule = self.settings.places[feature.kind]
            if rule.edge or rule.outside == "edge" or self.hex_at(shape) is not None:
                return True
        elif shape.intersects(self.field.hull):
            return True
        self.log.add(feature.source, f"{feature} lies outside the map and is left out", "warning")
        return False

    def hex_at(self, point: BaseGeometry) -> Hex | None:
        """Return the hex of the map that contains a point."""
        at = point.centroid
        found = self.grid.hex_containing(at.x, at.y)
        return found if found in self.field else None

    # --- places and terrain -----------------------------------------------------------------

    def spots(
        self, features: Sequence[Feature], shapes: Mapping[Feature, BaseGeometry]
    ) -> list[_Spot]:
        """Return the places with their hexes."""
        found = []
        for feature in features:
            point = shapes[feature].centroid
            rule = self.settings.places[feature.kind]
            hex_ = self.hex_at(point)
            if rule.edge:
                hexes = self.field.near_edge(point.x, point.y, rule.edge)
            elif hex_ is not None:
                hexes = (hex_,)
            else:
                hexes = self.field.near_edge(point.x, point.y)
            found.append(_Spot(feature, point, hexes))
        return found

    def letters(
        self,
        features: Sequence[Feature],
        shapes: Mapping[Feature, BaseGeometry],
        spots: Sequence[_Spot],
    ) -> dict[Hex, str]:
        """Return the terrain letter of every hex: places first, then areas by their shares."""
        by_word: dict[str, list[BaseGeometry]] = {}
        for feature in features:
            for word in feature.kinds:
                by_word.setdefault(word, []).append(shapes[feature])
        shares = {word: area_shares(self.field, areas) for word, areas in by_word.items()}
        bases = list(dict.fromkeys(t.base for t in self.sheet.terrain.values()))
        terrain = terrain_of_shares(
            self.field,
            shares,
            bases=bases,
            default=self.settings.default,
            thresholds={
                word: self.settings.thresholds.get(word, self.settings.threshold) for word in shares
            },
        )
        letter_of = {
            (t.base, frozenset(t.flags)): letter
            for letter, t in reversed(self.sheet.terrain.items())
        }
        letters: dict[Hex, str] = {}
        first: dict[Hex, _Spot] = {}
        for spot in spots:
            letter = self.settings.places[spot.feature.kind].terrain
            if not letter:
                continue
            before = first.setdefault(spot.hexes[0], spot)
            if before is not spot:
                self.log.add(
                    spot.feature.source,
                    f"hex {self.grid.label(spot.hexes[0])} has the terrain of {before.feature}"
                    f" already, so that of {spot.feature} is left out",
                    "warning",
                )
            letters.setdefault(spot.hexes[0], letter)
        lacking: dict[tuple[str, frozenset[str]], list[Hex]] = {}
        for hex_, features_of_hex in terrain.items():
            if hex_ in letters:
                continue
            if features_of_hex in letter_of:
                letters[hex_] = letter_of[features_of_hex]
            else:
                lacking.setdefault(features_of_hex, []).append(hex_)
        for (base, flags), hexes in lacking.items():
            self.log.add(
                self.toml.source("terrain"),
                f"no letter for {' with '.join([base, *sorted(flags)])}, as in hex"
                f" {self.grid.label(hexes[0])} and {len(hexes) - 1} more",
            )
        return letters

    # --- rivers and roads -------------------------------------------------------------------

    def anchors(self, spots: Sequence[_Spot], roads: Sequence[Road]) -> list[Anchor]:
        """Return what should keep its bank when rivers move to hexsides: places and roads."""
        found = [
            Anchor(s.point.x, s.point.y)
            for s in spots
            if self.settings.places[s.feature.kind].terrain
        ]
        pace = self.field.side_length / 4
        for road in roads:
            for piece in self.field.visits(road.line):
                for number in range(int(piece.length / pace) + 1):
                    at = piece.interpolate(number * pace)
                    found.append(Anchor(at.x, at.y, _ROAD_ANCHOR))
        return found

    def check_banks(self, spots: Sequence[_Spot], chains: Sequence[Chain]) -> None:
        """Warn of places that the chain of a river leaves on the wrong bank."""
        for chain, spot in itertools.product(chains, spots):
            if not self.settings.places[spot.feature.kind].terrain:
                continue
            left, right = chain.banks(self.field)
            hex_ = spot.hexes[0]
            real = side_of_line(chain.piece, spot.point.x, spot.point.y)
            if (real < 0 and hex_ in right - left) or (real > 0 and hex_ in left - right):
                self.log.add(
                    spot.feature.source,
                    f"{spot.feature} lies on the {'left' if real < 0 else 'right'} bank of"
                    f" {chain.river.name}, but hex {self.grid.label(hex_)} on the other",
                    "warning",
                )

    def check_bridges(
        self, links: Sequence[RoadLinks], chains: Sequence[Chain], features: Sequence[Feature]
    ) -> None:
        """Warn of links that cross a river where the road does not, and the other way round."""
        source = {(f.layer, f.kind, f.name): f.source for f in reversed(features)}
        for run in links:
            where = source["road", run.road.kind, run.road.name]
            for hop in run.needless:
                self.log.add(
                    where,
                    f"road {hop.road} keeps to one bank of {hop.river}, but its link"
                    f" {self.grid.label(hop.start)}-{self.grid.label(hop.end)} needs a bridge",
                    "warning",
                )
            for name, (real, hops) in run.crossings.items():
                if not run.needless and (hops > real or (real - hops) % 2):
                    self.log.add(
                        where,
                        f"road {run.road.name} crosses {name} {_times(real)}, its links"
                        f" {_times(hops)}",
                        "warning",
                    )

    def hexsides(self, chains: Sequence[Chain], links: Sequence[RoadLinks]) -> Table:
        """Return the rows of ``hexsides.csv``; a side of two rivers belongs to the first."""
        crossed = {
            self.grid.side_between(a, b) for run in links for a, b in itertools.pairwise(run.hexes)
        }
        river_of: dict[Hexside, River] = {}
        for chain in chains:
            for side in chain.sides:
                river_of.setdefault(side, chain.river)
        rows: dict[Key, Row] = {}
        for side in sorted(river_of):
            river = river_of[side]
            kind = self.settings.rivers[river.kind] if side in crossed else river.kind
            row = {
                "hex": self.grid.label(side.hex),
                "side": self.grid.direction_names[side.direction],
                "kind": kind,
                "name": river.name,
            }
            rows[key_of("hexsides.csv", row, self.grid)] = row
        return Table("hexsides.csv", ("hex", "side", "kind", "name"), rows)

    def routes(self, links: Sequence[RoadLinks]) -> Table:
        """Return the rows of ``routes.csv``, each road in its order.

        A link that several roads share is written once, with the kind of the highest road and the
        names of all.
        """
        rows: dict[Key, dict[str, str]] = {}

        def add(start: str, to: str, road: Road) -> None:
            row = {"from": start, "to": to, "kind": road.kind, "name": road.name}
            key = key_of("routes.csv", row, self.grid)
            known = rows.setdefault(key, row)
            if road.name not in known["name"].split("/"):
                known["name"] += f"/{road.name}"

        for run in links:
            labels = [self.grid.label(h) for h in run.hexes]
            if run.enters is not None:
                add(labels[0], self.grid.direction_names[run.enters], run.road)
            for start, end in itertools.pairwise(labels):
                add(start, end, run.road)
            if run.leaves is not None:
                add(labels[-1], self.grid.direction_names[run.leaves], run.road)
        return Table("routes.csv", ("from", "to", "kind", "name"), dict(rows))

    def places(self, spots: Sequence[_Spot]) -> Table:
        """Return the rows of ``places.csv``, in the order of the features."""
        rows: dict[Key, Row] = {}
        for spot in spots:
            lon, lat = spot.feature.shape.centroid.coords[0]
            for hex_ in spot.hexes:
                row = {
                    "name": spot.feature.name,
                    "hex": self.grid.label(hex_),
                    "kind": spot.feature.kind,
                }
                for column in self.settings.columns:
                    value: object = spot.feature.properties.get(column)
                    if column in {"lat", "lon"}:
                        value = round(lat if column == "lat" else lon, 6)
                    row[column] = self.cell(column, value, spot.feature)
                rows[key_of("places.csv", row, self.grid)] = row
        return Table("places.csv", ("name", "hex", "kind", *self.settings.columns), rows)

    def cell(self, column: str, value: object, feature: Feature) -> str:
        """Return a property as the text of a cell; lists are joined with ``/``."""
        match value:
            case None:
                return ""
            case bool():
                return "yes" if value else "no"
            case str() if value.isprintable():
                return value.strip()
            case int() | float():
                return repr(value)
            case list() if all(isinstance(v, (str, int, float)) for v in value):
                return "/".join(self.cell(column, v, feature) for v in value)
            case _:
                self.log.add(feature.source, f"{column}: expected a text or a number in {feature}")
                return ""


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _in_words(reason: str) -> str:
    """Return GEOS's reason in our words, with the place in degrees.

    >>> _in_words("Self-intersection[6.5 43.25]")
    'its outline crosses itself at 6.5, 43.25'
    """
    what, _, place = reason.rstrip("]").partition("[")
    words = {
        "Self-intersection": "its outline crosses itself",
        "Ring Self-intersection": "its outline touches itself",
        "Hole lies outside shell": "a hole lies outside its outline",
        "Holes are nested": "a hole lies inside another",
        "Nested shells": "a part lies inside another",
        "Interior is disconnected": "holes cut it in two",
        "Duplicate Rings": "an outline stands twice",
    }.get(what, what[:1].lower() + what[1:])
    return words + (f" at {', '.join(place.split())}" if place else "")

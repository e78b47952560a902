"""What is in the box: the frozen types of a game. They are read once and never changed.

Nothing here knows a particular game: the words of terrain, hexside features, routes, sides and
counter fields are data (``game.toml``, ``map.toml``), and these types hold what was read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from builder.hexes.grid import Hex, HexGrid, Hexside
from builder.problems import Source

if TYPE_CHECKING:
    from builder.gamebox.module_file import ModuleFile

__all__ = [
    "Box",
    "Counter",
    "EntryArea",
    "FaceImage",
    "FieldKind",
    "FieldSpec",
    "FieldValue",
    "Frame",
    "Game",
    "HexsideFeature",
    "MapSheet",
    "Palette",
    "Panel",
    "PieceTemplate",
    "Place",
    "Prototype",
    "Route",
    "Scenario",
    "Side",
    "Terrain",
]

FieldValue: TypeAlias = str | int | bool | tuple[int, ...] | tuple[str, ...] | None
FieldKind = Literal["text", "integer", "boolean", "integers", "texts", "choice", "choices", "place"]


@dataclass(frozen=True, slots=True)
class Terrain:
    """One letter of ``terrain.txt``.

    ``base`` is the one base terrain of the hex; ``flags`` are features that lie on top and whose
    effects add up (``hill``, ``junction``, ...).
    """

    letter: str
    name: str
    base: str
    flags: tuple[str, ...] = ()

    @property
    def features(self) -> tuple[str, ...]:
        """The base terrain and the flags, base first."""
        return (self.base, *self.flags)


@dataclass(frozen=True, slots=True)
class HexsideFeature:
    """A feature of one hexside: a river, or a river that a bridge crosses."""

    side: Hexside
    kind: str
    name: str
    source: Source = field(compare=False)


@dataclass(frozen=True, slots=True)
class Route:
    """A link of a road from a hex to its neighbor, or from a hex off the map's edge.

    ``kind`` is the class of the road; ``name`` its number or name. ``end`` is ``None`` where the
    road leaves the map; ``exit_direction`` then is the direction in which it leaves.
    """

    start: Hex
    end: Hex | None
    kind: str
    name: str
    exit_direction: int | None = None
    source: Source = field(default=Source(""), compare=False)


@dataclass(frozen=True, slots=True)
class Place:
    """A named hex: town, objective, landing zone, entry hex, or a mere label on the map.

    ``fields`` holds the further columns of ``places.csv`` as typed by ``game.toml``
    (``vp``, ``color``, ...).
    """

    name: str
    hex: Hex
    kind: str
    fields: Mapping[str, FieldValue]
    source: Source = field(compare=False)


@dataclass(frozen=True, slots=True)
class EntryArea:
    """The entry hexes of one lettered area at the map's edge."""

    name: str
    hexes: tuple[Hex, ...]


@dataclass(frozen=True, slots=True)
class Box:
    """A printed box beside the hexes, e.g. an entry box or a turn box.

    ``name`` has no blanks (it is a location name in VASSAL and a value in report lines); ``label``
    is what is printed; ``group`` the title of the track that the box belongs to, if any; counters
    jump to the middle if ``snap``; ``notes`` are short lines printed at its bottom. Position and
    size in board pixels, top left corner.
    """

    name: str
    label: str
    kind: str
    x: int
    y: int
    width: int
    height: int
    side: str = ""
    group: str = ""
    snap: bool = False
    notes: tuple[str, ...] = ()
    source: Source = field(default=Source(""), compare=False)

    @property
    def center(self) -> tuple[int, int]:
        """The middle of the box, in pixels."""
        return self.x + self.width // 2, self.y + self.height // 2

    @property
    def rest(self) -> tuple[int, int]:
        """The pixel on which a starting stack rests: low in a box, so that it grows into it."""
        x, y = self.center
        return (x, y) if self.snap else (x, y + self.height // 8)


@dataclass(frozen=True, slots=True)
class Panel:
    """Where a chart is printed on the map, in board pixels."""

    chart: str
    x: int
    y: int
    width: int
    height: int
    source: Source = field(default=Source(""), compare=False)


@dataclass(frozen=True, slots=True)
class Frame:
    """The paper around the hexes: board size and scale.

    ``width`` and ``height`` in board pixels; ``px_per_mm`` is the scale between the board that
    VASSAL shows and the printed sheet.
    """

    width: int
    height: int
    px_per_mm: float
    title: str
    subtitle: str = ""
    credits: str = ""
    scale_text: str = ""
    km_per_hex: float = 0.0


@dataclass(frozen=True, slots=True)
class MapSheet:
    """One map: the grid, what lies in and between its hexes, and the paper around it.

    ``grid`` counts board pixels: it is what VASSAL is told, and drawing divides by
    ``frame.px_per_mm``.
    """

    name: str
    grid: HexGrid
    columns: int
    rows: int
    terrains: Mapping[str, Terrain]
    terrain: Mapping[Hex, Terrain]
    sides: Mapping[Hexside, HexsideFeature]
    routes: tuple[Route, ...]
    places: tuple[Place, ...]
    boxes: tuple[Box, ...]
    panels: tuple[Panel, ...]
    frame: Frame
    style: Mapping[str, Any]

    def hexes(self) -> Iterator[Hex]:
        """Every hex of the map, column by column, from the top."""
        for column in range(self.columns):
            for row in range(self.rows):
                yield Hex(column, row)

    def __contains__(self, hex_: object) -> bool:
        """Tell whether a hex lies on the map."""
        return (
            isinstance(hex_, Hex) and 0 <= hex_.column < self.columns and 0 <= hex_.row < self.rows
        )

    def label(self, hex_: Hex) -> str:
        """Return the printed number of a hex."""
        return self.grid.label(hex_)

    def find(self, label: str) -> Hex | None:
        """Return the hex of the map with that printed number, or ``None``."""
        found = self.grid.hex_of(label)
        return found if found is not None and found in self else None

    def box(self, name: str) -> Box | None:
        """Return the box of that name, or ``None``."""
        return next((b for b in self.boxes if b.name == name), None)

    def places_of(self, kind: str) -> tuple[Place, ...]:
        """Return the places of one kind in the order of the file."""
        return tuple(p for p in self.places if p.kind == kind)

    def entry_areas(self) -> tuple[EntryArea, ...]:
        """Return the entry areas, in order of their first row in the file."""
        areas: dict[str, list[Hex]] = {}
        for place in self.places_of("entry"):
            areas.setdefault(place.name, []).append(place.hex)
        return tuple(EntryArea(name, tuple(hexes)) for name, hexes in areas.items())


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """What ``game.toml`` declares of a further column of ``counters.csv`` or ``places.csv``."""

    name: str
    kind: FieldKind = "text"
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    required: bool = False
    per_step: bool = False
    help: str = ""


@dataclass(frozen=True, slots=True)
class Counter:
    """One row of ``counters.csv``.

    ``layout`` names a face layout (``templates/counters``); ``palette`` the tab of VASSAL's
    counter palette; ``start`` is a hex label, a box name, or empty (in the palette only);
    ``steps`` counts the strength levels; ``count`` how many such counters exist. ``prototypes``
    are VASSAL prototypes by name. ``fields`` holds every further column, typed.
    """

    id: str
    name: str
    side: str
    layout: str
    palette: str
    start: str
    steps: int
    count: int
    prototypes: tuple[str, ...]
    fields: Mapping[str, FieldValue]
    source: Source = field(compare=False)

    def value(self, name: str) -> FieldValue:
        """Return a core or further field by name; ``None`` if the cell is empty.

        Raises ``KeyError`` for a name that is neither.
        """
        match name:
            case "id" | "name" | "side" | "layout" | "palette" | "start" | "steps" | "count":
                core: str | int = getattr(self, name)
                return core
            case "prototypes":
                return self.prototypes
            case _:
                return self.fields[name]


@dataclass(frozen=True, slots=True)
class Side:
    """A side that a player can take; ``commands`` are the groups of units that it moves."""

    name: str
    label: str
    color: str
    commands: tuple[str, ...] = ()
    is_player: bool = True


@dataclass(frozen=True, slots=True)
class Palette:
    """A tab of the counter palette, in the order of the file."""

    name: str
    label: str


@dataclass(frozen=True, slots=True)
class Prototype:
    """A VASSAL prototype as written in ``prototypes.toml``: traits as data, outermost first.

    ``places`` maps a path inside ``traits`` (index of the trait, key, ...) to its place in the
    file; ``source`` is the place of the definition.
    """

    name: str
    description: str
    traits: tuple[Mapping[str, Any], ...]
    places: Mapping[tuple[str | int, ...], Source] = field(compare=False)
    source: Source = field(compare=False)


@dataclass(frozen=True, slots=True)
class PieceTemplate:
    """What the counters of one layout are in VASSAL: traits with ``@{...}`` for their own values.

    ``places`` as in :class:`Prototype`.
    """

    layout: str
    title: str
    image: str
    traits: tuple[Mapping[str, Any], ...]
    places: Mapping[tuple[str | int, ...], Source] = field(compare=False)
    source: Source = field(compare=False)


@dataclass(frozen=True, slots=True)
class FaceImage:
    """The finished picture of one face of a counter.

    ``role`` and ``level`` are those of the face layout, ``file`` the picture's name in the
    module; size in pixels.
    """

    role: str
    level: int
    file: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Scenario:
    """A set-up: where counters stand at the start, beyond their own ``start`` column."""

    name: str
    title: str
    description: str
    starts: Mapping[str, str]
    source: Source = field(compare=False)


@dataclass(frozen=True, slots=True)
class Game:
    """Everything in the box."""

    name: str
    title: str
    version: str
    description: str
    ruleset: str
    folder: Path
    map: MapSheet
    sides: tuple[Side, ...]
    counter_fields: Mapping[str, FieldSpec]
    palettes: tuple[Palette, ...]
    counters: tuple[Counter, ...]
    prototypes: tuple[Prototype, ...]
    pieces: Mapping[str, PieceTemplate]
    scenarios: tuple[Scenario, ...]
    module: ModuleFile
    gpids: Mapping[str, int]

    def counter(self, counter_id: str) -> Counter:
        """Return the counter with that id; ``KeyError`` if there is none."""
        for counter in self.counters:
            if counter.id == counter_id:
                return counter
        raise KeyError(counter_id)

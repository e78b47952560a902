"""What may stand in a game's TOML files: one frozen dataclass a table.

``open.py`` checks the files against these and turns them into the types of ``model.py``;
``hexwright schema`` writes them as JSON Schema, so that an editor completes and checks a file while
it is typed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from builder.gamebox.model import FieldKind
from builder.gamebox.module_file import ModuleFile

__all__ = [
    "SCHEMAS",
    "BoxTable",
    "FieldTable",
    "FrameTable",
    "GameFile",
    "GridTable",
    "MapFile",
    "NumberingTable",
    "PaletteTable",
    "PanelTable",
    "PieceTable",
    "PrototypeTable",
    "PrototypesFile",
    "ScenarioFile",
    "SideTable",
    "TerrainTable",
    "TrackTable",
    "WordsTable",
]

_STRICT = {"extra": "forbid"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SideTable:
    """A side of the game; ``commands`` are the groups of units that it moves.

    ``color`` is ``#rrggbb`` or a name of ``art/palette.toml``.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    label: str = ""
    color: str = ""
    commands: tuple[str, ...] = ()
    player: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PaletteTable:
    """A tab of the counter palette."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldTable:
    """A further column of ``counters.csv`` or ``places.csv``.

    ``per_step``: a list with one value for each step of the counter, full strength first.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    type: FieldKind = "text"
    choices: tuple[str, ...] = ()
    min: int | None = None
    max: int | None = None
    required: bool = False
    per_step: bool = False
    help: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFile:
    """``game.toml``: what the game is, its sides, and the columns of its CSV files."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    title: str
    version: str
    description: str = ""
    ruleset: str = ""
    side: tuple[SideTable, ...]
    palette: tuple[PaletteTable, ...]
    counter_fields: dict[str, FieldTable] = field(default_factory=dict)
    place_fields: dict[str, FieldTable] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class GridTable:
    """The hex grid in board pixels, VASSAL's way of counting.

    ``flat``: flat-topped hexes, ``dx`` between columns, ``dy`` the height of a hex, (``x0``,
    ``y0``) the center of the first hex, odd raw columns half a hex lower. ``pointy``: all four
    swap their meaning, as in VASSAL's sideways grid.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    orientation: Literal["flat", "pointy"] = "flat"
    columns: int
    rows: int
    dx: float
    dy: float
    x0: int
    y0: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberingTable:
    """How hexes are numbered; ``column`` and ``row`` are those of the grid, also if pointy.

    ``column_start`` is the number of the first column (1 is A for letters), also if numbers
    descend from there; ``stagger`` adds one to the row of every odd column.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    first: Literal["column", "row"] = "column"
    separator: str = ""
    column_type: Literal["number", "letter"] = "number"
    row_type: Literal["number", "letter"] = "number"
    column_start: int = 1
    row_start: int = 1
    column_digits: int = 2
    row_digits: int = 2
    column_descending: bool = False
    row_descending: bool = False
    stagger: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTable:
    """A block of the grid with numbers of its own, as geomorphic boards have that lie side by side.

    ``column``, ``row``: its first hex, counted in the whole grid from 0; ``cut``: its edges run
    through the centers of the outermost hexes, so that its first row has only the columns that lie
    half a hex lower. ``prefix`` stands before each number; ``numbering`` as for the map, its starts
    being the numbers of the board's own first column and row.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    column: int
    row: int
    columns: int
    rows: int
    cut: bool = False
    prefix: str = ""
    numbering: NumberingTable = NumberingTable()


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameTable:
    """The paper around the hexes; sizes in board pixels."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    width: int
    height: int
    px_per_mm: float = 6.0
    title: str = ""
    subtitle: str = ""
    credits: str = ""
    scale_text: str = ""
    km_per_hex: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TerrainTable:
    """One letter of ``terrain.txt``: its base terrain and the flags that add to it."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    base: str
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WordsTable:
    """The words that may stand in the ``kind`` columns of the map's CSV files.

    ``crossings`` says what a hexside becomes where a route crosses it: ``river = "bridge"``.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    hexsides: tuple[str, ...] = ("river", "bridge")
    routes: tuple[str, ...] = ("road",)
    places: tuple[str, ...] = ("town", "village", "label", "entry")
    crossings: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxTable:
    """A printed box beside the hexes; (``x``, ``y``) is its top left corner in pixels.

    ``snap``: counters jump to its middle, as on a track. Boxes in a row with the same ``title``
    have it printed above the first.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    label: str = ""
    title: str = ""
    kind: str = "box"
    side: str = ""
    x: int
    y: int
    width: int
    height: int
    snap: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackTable:
    """A row or block of equal boxes; ``{n}`` in ``name`` and ``label`` counts."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str
    label: str = "{n}"
    title: str = ""
    kind: str = "track"
    side: str = ""
    first: int = 1
    last: int
    x: int
    y: int
    width: int
    height: int
    gap: int = 6
    per_row: int = 10
    snap: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelTable:
    """A chart that is printed on the map itself, fitted into its place in board pixels."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    chart: str
    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MapFile:
    """``map.toml``: grid, paper, terrain letters, boxes; settings of the tracer and the drawing."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    name: str = "Main"
    grid: GridTable
    numbering: NumberingTable = NumberingTable()
    board: tuple[BoardTable, ...] = ()
    frame: FrameTable
    terrain: dict[str, TerrainTable]
    words: WordsTable = WordsTable()
    box: tuple[BoxTable, ...] = ()
    track: tuple[TrackTable, ...] = ()
    panel: tuple[PanelTable, ...] = ()
    style: dict[str, Any] = field(default_factory=dict)
    projection: dict[str, Any] = field(default_factory=dict)
    trace: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PrototypeTable:
    """A VASSAL prototype: traits as tables with the trait's own field names, outermost first."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    description: str = ""
    trait: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceTable:
    """What the counters of one face layout are in VASSAL.

    ``trait`` lists their traits, outermost first, with ``@{field}`` where a counter's own value
    goes, ``@{face:ROLE}`` for the picture of a face and ``@{faces:ROLE}`` for those of all its
    levels. A trait with ``when = "field"`` is left out of counters whose field is empty.
    ``title`` is the piece's name, ``image`` its own picture if no layer shows one.
    """

    __pydantic_config__: ClassVar[Any] = _STRICT
    title: str = "@{name}"
    image: str = ""
    trait: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PrototypesFile:
    """``prototypes.toml``: prototypes by name, and by face layout what a counter is in VASSAL."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    prototype: dict[str, PrototypeTable] = field(default_factory=dict)
    piece: dict[str, PieceTable] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioFile:
    """``scenarios/NAME.toml``: a set-up; ``start`` maps counter ids to hexes or boxes."""

    __pydantic_config__: ClassVar[Any] = _STRICT
    title: str
    description: str = ""
    start: dict[str, str] = field(default_factory=dict)


SCHEMAS: dict[str, type[Any]] = {
    "game.toml": GameFile,
    "map.toml": MapFile,
    "module.toml": ModuleFile,
    "prototypes.toml": PrototypesFile,
    "scenario.toml": ScenarioFile,
}
"""File name to its dataclass, for ``hexwright schema``."""

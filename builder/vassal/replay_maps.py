"""What the maps of a module call a pixel: boards, their layout, zones, grids and edge padding.

Sources: VASSAL classes ``build.module.Map`` (``locationName``, ``setBoardBoundaries``),
``map.BoardPicker``, ``boardPicker.Board`` and the grids under it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from builder.hexes.grid import HexGrid
from builder.hexes.numbering import Numbering
from builder.hexes.regions import Region, RegionGrid
from builder.hexes.square import SquareGrid
from builder.hexes.zones import OFFBOARD, AnyGrid, Board, Zone, ZonedGrid
from builder.problems import BuilderError, UnreadableError
from builder.vassal.buildfile import Component, walk
from builder.vassal.replay_pictures import picture_size
from builder.vassal.sequence import split

__all__ = ["BoardCell", "MapNames", "Spot", "board_cells", "map_names"]

_BOARD: Final = "VASSAL.build.module.map.boardPicker."
_GRIDS: Final = ("HexGrid", "SquareGrid", "RegionGrid", "ZonedGrid")
_MAP_KINDS: Final = ("Map", "PrivateMap", "PlayerHand", "WidgetMap")
_NO_SIZE: Final = (500, 500)
_MAX_PIXELS: Final = 10**7


class BoardCell(NamedTuple):
    """A board in the layout of a map: name, column and row from 0, whether turned by half."""

    name: str
    column: int = 0
    row: int = 0
    rotated: bool = False


class Spot(NamedTuple):
    """What a map says of a pixel; None where it says nothing."""

    label: str | None = None
    zone: str | None = None
    board: str | None = None


_NOWHERE: Final = Spot()


def board_cells(fields: Sequence[str]) -> tuple[BoardCell, ...]:
    """Return the layout in the fields of a BoardPicker command: board, column, row, again.

    >>> board_cells(["A", "0", "0", "B/rev", "1", "0"])[1]
    BoardCell(name='B', column=1, row=0, rotated=True)
    """
    cells = []
    for at in range(0, len(fields) - 2, 3):
        name, *flags = split(fields[at], "/")
        column, row = (_whole(text) for text in fields[at + 1 : at + 3])
        cells.append(BoardCell(name, column, row, "rev" in flags[:1]))
    return tuple(cells)


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else 0


class _Placed(NamedTuple):
    """A board as it lies on a map: the pixel of its corner in the map's coordinates."""

    name: str
    left: int
    top: int
    board: Board


@dataclass(frozen=True, slots=True)
class _MapDefinition:
    """A map of a module: its boards by name, the padding around them, and the usual layout."""

    boards: Mapping[str, Board]
    edge: tuple[int, int]
    layout: tuple[BoardCell, ...]


@dataclass(slots=True)
class MapNames:
    """The names of places on the maps of one module.

    ``warnings`` says which boards cannot be named, and why. Names are found once for each pixel.
    """

    maps: Mapping[str, _MapDefinition] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    _layouts: dict[tuple[str, tuple[BoardCell, ...] | None], list[_Placed]] = field(
        default_factory=dict
    )
    _spots: dict[tuple[str, int, int, int], Spot] = field(default_factory=dict)
    _numbers: dict[tuple[BoardCell, ...] | None, int] = field(default_factory=dict)
    _latest: tuple[tuple[BoardCell, ...] | None, int] = (None, -1)

    def spot(self, map_name: str, layout: tuple[BoardCell, ...] | None, x: int, y: int) -> Spot:
        """Return what a map calls a pixel; ``layout`` None means the module's own layout."""
        if map_name not in self.maps:
            return _NOWHERE
        key = (map_name, self._number(layout), x, y)
        found = self._spots.get(key)
        if found is None:
            found = self._spots[key] = self._find(map_name, layout, x, y)
        return found

    def _number(self, layout: tuple[BoardCell, ...] | None) -> int:
        """Return a number for a layout; thousands of boards are long to hash for each spot."""
        latest, number = self._latest
        if number < 0 or layout is not latest:
            number = self._numbers.setdefault(layout, len(self._numbers))
            self._latest = layout, number
        return number

    def _find(self, map_name: str, layout: tuple[BoardCell, ...] | None, x: int, y: int) -> Spot:
        if max(abs(x), abs(y)) > _MAX_PIXELS:
            return _NOWHERE
        for name, left, top, board in self._placed(map_name, layout):
            inner = x - left, y - top
            if board.contains(*inner):
                label = board.name_at(*inner)
                zone = board.zone_at(*inner)
                return Spot(
                    label if label and label != OFFBOARD else None,
                    None if zone is None else zone.name,
                    name,
                )
        return _NOWHERE

    def point(
        self, map_name: str, layout: tuple[BoardCell, ...] | None, label: str
    ) -> tuple[int, int] | None:
        """Return the pixel that VASSAL finds for a name on a map; None if there is no such name."""
        for _, left, top, board in self._placed(map_name, layout):
            found = board.point_of(label)
            if found is not None:
                return found[0] + left, found[1] + top
        return None

    def corner(
        self, map_name: str, layout: tuple[BoardCell, ...] | None, board_name: str
    ) -> tuple[int, int] | None:
        """Return the pixel of a board's upper left corner; None if it does not lie on the map."""
        for name, left, top, _ in self._placed(map_name, layout):
            if name == board_name:
                return left, top
        return None

    def snapped(
        self, map_name: str, layout: tuple[BoardCell, ...] | None, x: int, y: int
    ) -> tuple[int, int]:
        """Return where VASSAL puts a piece that is dropped on a pixel."""
        for _, left, top, board in self._placed(map_name, layout):
            if board.contains(x - left, y - top):
                inner = board.snap(x - left, y - top)
                return inner[0] + left, inner[1] + top
        return x, y

    def _placed(self, map_name: str, layout: tuple[BoardCell, ...] | None) -> list[_Placed]:
        key = (map_name, layout)
        placed = self._layouts.get(key)
        if placed is None:
            definition = self.maps.get(map_name)
            placed = [] if definition is None else _lay_out(definition, layout)
            self._layouts[key] = placed
        return placed

    def unknown_boards(self, map_name: str, layout: tuple[BoardCell, ...]) -> tuple[str, ...]:
        """Return the boards of a layout that the module does not have on that map."""
        definition = self.maps.get(map_name)
        known: Mapping[str, Board] = {} if definition is None else definition.boards
        return tuple(cell.name for cell in layout if cell.name not in known)


def _lay_out(definition: _MapDefinition, layout: tuple[BoardCell, ...] | None) -> list[_Placed]:
    """Return the boards with their corners: each begins where those left of it and above end."""
    cells = definition.layout if layout is None else layout
    boards = [(c, definition.boards[c.name]) for c in cells if c.name in definition.boards]
    # Two boards in one cell: VASSAL keeps the size of the later one.
    sizes = {(cell.column, cell.row): board.extent for cell, board in boards}
    placed = []
    for cell, board in boards:
        left = sum(w for (c, r), (w, _) in sizes.items() if r == cell.row and c < cell.column)
        top = sum(h for (c, r), (_, h) in sizes.items() if c == cell.column and r < cell.row)
        turned = Board(extent=board.extent, grid=board.grid, rotated=cell.rotated)
        corner = left + definition.edge[0], top + definition.edge[1]
        placed.append(_Placed(cell.name, *corner, turned))
    return placed


def map_names(root: Component, picture: Callable[[str], bytes | None]) -> MapNames:
    """Return the names of the maps of a component tree; ``picture`` gives a picture's bytes."""
    maps: dict[str, _MapDefinition] = {}
    warnings: list[str] = []
    for index, component in enumerate(_map_components(root)):
        name = component.attributes.get("mapName") or f"Map{index}"
        if name in maps:
            warnings.append(f"two maps are called {name!r}; the first one counts")
            continue
        maps[name] = _definition(name, component, picture, warnings)
    return MapNames(maps, tuple(warnings))


def _map_components(root: Component) -> Iterator[Component]:
    for component, _ in walk(root):
        if component.kind in _MAP_KINDS or any(
            child.kind.endswith("BoardPicker") for child in component.children
        ):
            yield component


def _definition(
    name: str,
    component: Component,
    picture: Callable[[str], bytes | None],
    warnings: list[str],
) -> _MapDefinition:
    edge = tuple(_number(component, key, 0) for key in ("edgeWidth", "edgeHeight"))
    boards: dict[str, Board] = {}
    layout: tuple[BoardCell, ...] = ()
    for picker in component.children:
        if not picker.kind.endswith("BoardPicker"):
            continue
        if picker.kind != "BoardPicker" or not picker.tag.startswith("VASSAL."):
            warnings.append(
                f"map {name!r} lays out its boards by a class of its own, {picker.tag}: "
                "pixels are told"
            )
            continue
        for child in picker.children:
            if child.kind == "Board" and child.tag.startswith(_BOARD):
                board = _board(name, child, picture, warnings)
                boards.setdefault(child.attributes.get("name", ""), board)
            elif child.kind == "setup" and "BoardPicker" in child.text:
                layout = board_cells(split(child.text.partition("BoardPicker")[2], "\t")[1:])
    if not layout and boards:
        # Several boards without a layout: the players chose, and the save says what.
        layout = (BoardCell(next(iter(boards))),) if len(boards) == 1 else ()
    return _MapDefinition(boards, (edge[0], edge[1]), layout)


def _number(component: Component, name: str, default: int) -> int:
    text = component.attributes.get(name, "").strip()
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 8 else default


def _board(
    map_name: str,
    component: Component,
    picture: Callable[[str], bytes | None],
    warnings: list[str],
) -> Board:
    name = component.attributes.get("name", "")
    where = f"board {name!r} of map {map_name!r}"
    image = component.attributes.get("image", "")
    extent = (
        max(0, _number(component, "width", _NO_SIZE[0])),
        max(0, _number(component, "height", _NO_SIZE[1])),
    )
    if image:
        data = picture(image)
        size = None if data is None else picture_size(data)
        if size is None:
            reason = "is missing" if data is None else "is of an unknown kind"
            warnings.append(f"{where}: its picture {image!r} {reason}; names may be wrong")
        else:
            extent = size
    grid: AnyGrid | ZonedGrid | None = None
    for child in component.children:
        try:
            grid = _grid(child, extent, where, warnings)
        except BuilderError as error:
            warnings.append(f"{where}: {error}; pixels are told")
        break
    return Board(extent=extent, grid=grid)


def _grid(
    component: Component, extent: tuple[int, int], where: str, warnings: list[str]
) -> AnyGrid | ZonedGrid:
    if component.tag == f"{_BOARD}board.ZonedGrid":
        return _zoned(component, extent, where, warnings)
    return _plain_grid(component, extent)


def _plain_grid(component: Component, extent: tuple[int, int]) -> AnyGrid:
    kind = component.tag.removeprefix(f"{_BOARD}board.")
    if kind == "RegionGrid":
        regions = [
            Region(c.attributes.get("name", ""), _number(c, "originx", 0), _number(c, "originy", 0))
            for c in component.children
            if c.kind == "Region"
        ]
        snaps = component.attributes.get("snapto", "true") == "true"
        return RegionGrid(regions=tuple(regions), snap_to=snaps)
    if kind == "HexGrid":
        return HexGrid.from_xml_attributes(
            component.attributes, _numbering(component, "Hex"), extent=extent
        )
    if kind == "SquareGrid":
        return SquareGrid.from_xml_attributes(
            component.attributes, _numbering(component, "Square"), extent=extent
        )
    raise UnreadableError(f"its grid is of a class of its own, {component.tag}")


def _numbering(component: Component, shape: str) -> Numbering | None:
    for child in component.children:
        kind = child.tag.removeprefix(f"{_BOARD}board.mapgrid.")
        if kind in (f"{shape}GridNumbering", f"Oblique{shape}GridNumbering"):
            return Numbering.from_xml_attributes(
                child.attributes, oblique=kind.startswith("Oblique")
            )
        raise UnreadableError(f"its numbering is of a class of its own, {child.tag}")
    return None


def _zoned(
    component: Component, extent: tuple[int, int], where: str, warnings: list[str]
) -> ZonedGrid:
    zones: list[Zone] = []
    background: AnyGrid | None = None
    for child in component.children:
        if child.tag == f"{_BOARD}board.mapgrid.Zone":
            try:
                zones.append(_zone(child, extent, where, warnings))
            except BuilderError as error:
                warnings.append(f"{where}: {error}; the zone is left out")
        elif child.kind in _GRIDS or child.kind.endswith("Grid"):
            try:
                background = _plain_grid(child, extent)
            except BuilderError as error:
                warnings.append(f"{where}: {error}; pixels are told")
    return ZonedGrid(zones=tuple(zones), background=background)


def _zone(component: Component, extent: tuple[int, int], where: str, warnings: list[str]) -> Zone:
    name = component.attributes.get("name", "")
    grid: AnyGrid | None = None
    uses_parent = component.attributes.get("useParentGrid") == "true"
    for child in component.children:
        if not child.kind.endswith("Grid"):
            continue
        try:
            grid = _plain_grid(child, extent)
        except BuilderError as error:
            warnings.append(f"{where}, zone {name!r}: {error}; only the zone is told")
        break
    return Zone(
        name=name,
        path=_path(component.attributes.get("path", ""), name),
        location_format=component.attributes.get("locationFormat", "$name$"),
        use_parent_grid=uses_parent,
        grid=grid,
    )


def _path(text: str, zone: str) -> tuple[tuple[int, int], ...]:
    points = []
    for pair in text.split(";"):
        x, _, y = pair.partition(",")
        try:
            points.append((int(x[:12]), int(y[:12])))
        except ValueError:
            raise UnreadableError(f"zone {zone!r} has no readable outline: {pair[:40]!r}") from None
    return tuple(points)

"""What is wrong with the places of a module that others wrote: boards, grids, at-start stacks.

Every check returns ``(where, what, is_error)`` and none raises. Names of cells are looked up one
by one, forth and back, as VASSAL does; sources: VASSAL classes ``build.module.map.SetupStack``,
``boardPicker.board.mapgrid.RegularGridNumbering``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from builder.hexes.grid import Hex, HexGrid
from builder.hexes.regions import RegionGrid
from builder.hexes.square import Square, SquareGrid
from builder.hexes.zones import OFFBOARD, AnyGrid, Board, ZonedGrid
from builder.problems import BuilderError, did_you_mean
from builder.vassal.buildfile import Component, walk
from builder.vassal.replay_maps import map_names

__all__ = ["PlaceFinding", "check_places"]

_MAPS = ("Map", "PrivateMap", "PlayerHand")
_STACKS = ("SetupStack", "DrawPile")
_MOST_CELLS = 40_000
"""Boards of more cells are not looked at cell by cell."""


class PlaceFinding(NamedTuple):
    """One thing that is wrong."""

    where: str
    what: str
    is_error: bool = True


def check_places(root: Component, picture: Callable[[str], bytes | None]) -> list[PlaceFinding]:
    """Return what is wrong with boards, grids and at-start stacks; ``picture`` gives bytes."""
    names = map_names(root, picture)
    found = [PlaceFinding("maps", text, is_error=False) for text in names.warnings]
    for map_name, definition in names.maps.items():
        for board_name, board in definition.boards.items():
            where = f"Map {map_name!r} > Board {board_name!r}"
            try:
                found += _board(where, board)
            except (BuilderError, ArithmeticError, ValueError) as error:
                found.append(PlaceFinding(where, f"its grid is unusable: {error}"))
    for component, _ in walk(root):
        known = names.maps.get(component.attributes.get("mapName", ""))
        if component.kind in _MAPS and known is not None:
            for child in component.children:
                if child.kind in _STACKS:
                    found += _stack(component, child, known.boards)
    return found


# ------------------------------------------------------------------------------------- grids


class _Cell(NamedTuple):
    """The middle of a cell in pixels of its board, and the cell."""

    x: int
    y: int
    cell: Hex | Square


def _board(where: str, board: Board) -> Iterator[PlaceFinding]:
    grid = board.grid
    if isinstance(grid, ZonedGrid):
        yield from _zones(where, grid)
    yield from _regions(where, grid)
    names: dict[str, list[_Cell]] = {}
    for part in _grids(grid):
        cells = _cells(part, board.extent)
        if cells is None:
            yield PlaceFinding(where, f"more than {_MOST_CELLS} cells were not looked at", False)
            continue
        for cell in cells:
            if _grid_at(board, cell.x, cell.y) is part:
                name = board.name_at(cell.x, cell.y)
                if name and name != OFFBOARD:
                    names.setdefault(name, []).append(cell)
    yield from _clashes(where, names)
    yield from _reverse(where, board, names)


def _grids(grid: AnyGrid | ZonedGrid | None) -> list[HexGrid | SquareGrid]:
    parts: list[AnyGrid | None] = []
    if isinstance(grid, ZonedGrid):
        parts = [grid.background, *[zone.grid for zone in grid.zones]]
    else:
        parts = [grid]
    cellular = [part for part in parts if isinstance(part, HexGrid | SquareGrid)]
    return [part for part in cellular if part.numbering is not None]


def _grid_at(board: Board, x: int, y: int) -> AnyGrid | None:
    grid = board.grid
    return grid.grid_at(x, y) if isinstance(grid, ZonedGrid) else grid


def _cells(grid: HexGrid | SquareGrid, extent: tuple[int, int]) -> list[_Cell] | None:
    """Return the cells whose middle is on the board, None if there are too many."""
    width, height = extent
    is_turned = isinstance(grid, HexGrid) and grid.sideways
    across, down = (height, width) if is_turned else (width, height)
    columns = _indices(grid.x0, grid.dx, across)
    rows = _indices(grid.y0, grid.dy, down)
    if len(columns) * len(rows) > _MOST_CELLS:
        return None
    cells = []
    for column in columns:
        for row in rows:
            if isinstance(grid, HexGrid):
                spot: Hex | Square = Hex(column, row)
                x, y = grid.snap_point(Hex(column, row))
            else:
                spot = Square(column, row)
                x, y = grid.snap_point(Square(column, row))
            if 0 <= x < width and 0 <= y < height:
                cells.append(_Cell(x, y, spot))
    return cells


def _indices(start: float, step: float, size: int) -> range:
    first = math.floor(-start / step) - 1
    last = math.ceil((size - start) / step) + 1
    return range(first, min(last, first + 10 * _MOST_CELLS) + 1)


def _clashes(where: str, names: dict[str, list[_Cell]]) -> Iterator[PlaceFinding]:
    double = {name: cells for name, cells in names.items() if len(cells) > 1}
    if double:
        name, cells = next(iter(double.items()))
        spots = " and ".join(f"{cell.x},{cell.y}" for cell in cells[:2])
        more = f", and {len(double) - 1} more names" if len(double) > 1 else ""
        yield PlaceFinding(where, f"{name!r} is the name of two places, at {spots}{more}")


def _reverse(where: str, board: Board, names: dict[str, list[_Cell]]) -> Iterator[PlaceFinding]:
    """Yield names that Send to Location and at-start stacks take for another place."""
    refused: list[str] = []
    wrong: list[str] = []
    for name, cells in names.items():
        if len(cells) > 1:
            continue
        point = board.point_of(name)
        if point is None:
            refused.append(name)
        elif board.contains(*point) and board.name_at(*board.snap(*point)) != name:
            wrong.append(name)
    for found, what in ((refused, "VASSAL finds no place"), (wrong, "VASSAL finds another place")):
        if found:
            more = f" and of {len(found) - 1} more" if len(found) > 1 else ""
            message = f"{what} of the name {found[0]!r}{more}; at-start stacks and Send to"
            yield PlaceFinding(where, message + " Location go wrong there", is_error=False)


def _zones(where: str, grid: ZonedGrid) -> Iterator[PlaceFinding]:
    counts = Counter(zone.name for zone in grid.zones)
    for name, times in counts.items():
        if times > 1:
            yield PlaceFinding(where, f"{times} zones are called {name!r}")
    for zone in grid.zones:
        if len(zone.path) < 3:
            yield PlaceFinding(where, f"zone {zone.name!r} has no area", is_error=False)


def _regions(where: str, grid: AnyGrid | ZonedGrid | None) -> Iterator[PlaceFinding]:
    parts: list[tuple[str, AnyGrid | None]]
    if isinstance(grid, ZonedGrid):
        parts = [(f"{where} > Zone {zone.name!r}", zone.grid) for zone in grid.zones]
        parts.append((where, grid.background))
    else:
        parts = [(where, grid)]
    for place, part in parts:
        if isinstance(part, RegionGrid):
            counts = Counter(region.name for region in part.regions)
            for name, times in counts.items():
                if times > 1:
                    yield PlaceFinding(place, f"{times} regions are called {name!r}")


# ------------------------------------------------------------------------------------ stacks


def _stack(
    parent: Component, stack: Component, boards: Mapping[str, Board]
) -> Iterator[PlaceFinding]:
    where = f"{parent.title} > {stack.title}"
    owner = stack.attributes.get("owningBoard", "")
    if owner in ("", "null"):
        # It counts from the map's padding: on the one board, if there is only one.
        if len(boards) != 1:
            return
        owner = next(iter(boards))
    board = boards.get(owner)
    if board is None:
        yield PlaceFinding(where, f"no board {owner!r} on its map{did_you_mean(owner, boards)}")
        return
    if stack.attributes.get("useGridLocation") == "true":
        location = stack.attributes.get("location", "")
        yield from _location(where, board, owner, location)
        return
    x, y = (_whole(stack, name) for name in "xy")
    if x is not None and y is not None and not board.contains(x, y):
        size = "{} × {}".format(*board.extent)
        yield PlaceFinding(where, f"{x},{y} lies off board {owner!r} of {size} pixels", False)


def _location(where: str, board: Board, owner: str, location: str) -> Iterator[PlaceFinding]:
    try:
        point = board.point_of(location)
    except (BuilderError, ArithmeticError, ValueError):
        point = None
    if point is None:
        yield PlaceFinding(where, f"board {owner!r} has no place called {location!r}")
    elif not board.contains(*point):
        yield PlaceFinding(where, f"{location!r} lies off board {owner!r}", is_error=False)


def _whole(component: Component, name: str) -> int | None:
    text = component.attributes.get(name, "")
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 9 else None

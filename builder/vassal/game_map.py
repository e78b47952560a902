"""A game's map as VASSAL's components: board, grid, zones, at-start stacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from builder.gamebox.hands import box_in_hand
from builder.gamebox.model import Box, Game, MapSheet
from builder.gamebox.open_map import HEX_ZONE
from builder.hexes.grid import Hex, HexGrid
from builder.hexes.outline import outline
from builder.vassal.buildfile import Component

__all__ = ["board_component", "box_zones", "setup_stacks", "start_point", "start_spot"]

_MAP = "VASSAL.build.module.map."
_BOARD = _MAP + "boardPicker."


def board_component(sheet: MapSheet, image: str) -> Component:
    """Return the board: its picture, the zones of the hexes with their grid, a zone a box."""
    zones = [*_hex_zones(sheet), *box_zones(sheet.boxes)]
    return Component(
        _BOARD + "Board",
        {"image": image, "name": sheet.name, "reversible": "false"},
        (Component(_BOARD + "board.ZonedGrid", {}, tuple(zones)),),
    )


def _zone(name: str, location: str, path: str, grid: tuple[Component, ...]) -> Component:
    return Component(
        _BOARD + "board.mapgrid.Zone",
        {
            "highlightProperty": "",
            "locationFormat": location,
            "name": name,
            "path": path,
            "useHighlight": "false",
            "useParentGrid": "false",
        },
        grid,
    )


def _hex_zones(sheet: MapSheet) -> Iterator[Component]:
    """Yield the zone of each board that has its own numbers, then that of all hexes.

    VASSAL takes the first zone that holds a point.
    """
    whole = sheet.grid
    for board in whole.boards:
        hexes = [h for h in sheet.hexes() if whole.board_of(h) is board]
        yield _hex_zone(board.name, replace(whole, numbering=board.numbering), hexes)
    yield _hex_zone(HEX_ZONE, whole, sheet.hexes())


def _hex_zone(name: str, numbered: HexGrid, hexes: Iterable[Hex]) -> Component:
    # The border follows the hexes, so that nothing snaps to a hex which the map does not have.
    (ring, *_) = outline(numbered, hexes)
    path = ";".join(f"{round(x)},{round(y)}" for x, y in ring)
    grid_attributes, numbering = numbered.xml_attributes()
    children = (
        (Component(_BOARD + "board.mapgrid.HexGridNumbering", numbering),) if numbering else ()
    )
    grid = Component(_BOARD + "board.HexGrid", grid_attributes, children)
    return _zone(name, "$gridLocation$", path, (grid,))


def box_zones(boxes: Iterable[Box]) -> Iterator[Component]:
    """Yield the zone of each box, with the box's name as the name of every place in it."""
    return map(_box_zone, boxes)


def _box_zone(box: Box) -> Component:
    left, top, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
    path = f"{left},{top};{right},{top};{right},{bottom};{left},{bottom}"
    if not box.snap:
        return _zone(box.name, "$name$", path, ())
    x, y = box.center
    region = Component(
        _BOARD + "board.Region", {"name": box.name, "originx": str(x), "originy": str(y)}
    )
    grid = Component(
        _BOARD + "board.RegionGrid",
        {"fontsize": "9", "snapto": "true", "visible": "false"},
        (region,),
    )
    return _zone(box.name, "$name$", path, (grid,))


def start_point(sheet: MapSheet, start: str) -> tuple[int, int]:
    """Return the pixel on which a counter stands that starts in a hex or a box.

    Raises ``KeyError`` for a start that is neither.
    """
    hex_ = sheet.find(start)
    if hex_ is not None:
        return sheet.grid.snap_point(hex_)
    box = sheet.box(start)
    if box is None:
        raise KeyError(start)
    return box.rest


def start_spot(game: Game, start: str) -> tuple[str, int, int]:
    """Return the map, or private window, and the pixel on which a counter stands at the start.

    Raises ``KeyError`` for a start that is no hex and no box.
    """
    found = box_in_hand(game.module, start)
    if found is not None:
        hand, box = found
        # a private window lays the counters of a stack side by side, to the right
        return hand.name, box.x + min(box.width, box.height) // 3, box.y + 3 * box.height // 5
    return game.map.name, *start_point(game.map, start)


def setup_stacks(
    game: Game, slots: Mapping[str, Iterable[Component]], window: str
) -> tuple[Component, ...]:
    """Return an at-start stack for each place of a map or private window, from bottom to top."""
    stacks = []
    for start, pieces in slots.items():
        map_name, x, y = start_spot(game, start)
        if map_name != window:
            continue
        stacks.append(
            Component(
                _MAP + "SetupStack",
                {
                    "name": start,
                    "owningBoard": map_name,
                    "useGridLocation": "false",
                    "x": str(x),
                    "y": str(y),
                },
                tuple(pieces),
            )
        )
    return tuple(stacks)

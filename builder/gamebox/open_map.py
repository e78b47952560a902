"""Reads a map: ``map.toml``, ``terrain.txt``, ``hexsides.csv``, ``routes.csv``, ``places.csv``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from builder.gamebox.fields import FieldReader
from builder.gamebox.files import BoardTable, BoxTable, MapFile, NumberingTable, TrackTable
from builder.gamebox.model import (
    Box,
    FieldSpec,
    Frame,
    HexsideFeature,
    MapSheet,
    Panel,
    Place,
    Route,
    Terrain,
)
from builder.hexes.boards import NamedBoard
from builder.hexes.grid import Hex, HexGrid, Hexside, Numbering
from builder.problems import ProblemLog, did_you_mean
from builder.reading import (
    Cell,
    CsvTable,
    TomlFile,
    read_csv,
    read_letter_grid,
    read_toml,
    salvaged,
)

__all__ = ["HEX_ZONE", "grid_of", "open_map", "open_map_file"]

HEX_ZONE = "Hexes"
"""The zone around all hexes; beside it lies no hex, and a counter dropped there has no number."""


def open_map_file(folder: Path, log: ProblemLog) -> tuple[MapFile, TomlFile] | None:
    """Read and check ``map.toml`` alone."""
    toml = read_toml(folder / "map.toml", log)
    if toml is None:
        return None
    checked, wrong = salvaged(toml, MapFile, log)
    # without its grid and size nothing of a map can be checked
    return (checked, toml) if checked and not wrong & {"grid", "frame", "numbering"} else None


def grid_of(file: MapFile) -> HexGrid:
    """Return the grid that ``map.toml`` describes.

    Its extent is the box around all hexes: in the module the grid lies in a zone of that shape,
    and VASSAL counts descending numbers down from the size of the zone.
    """
    grid = HexGrid(
        dx=file.grid.dx,
        dy=file.grid.dy,
        x0=file.grid.x0,
        y0=file.grid.y0,
        sideways=file.grid.orientation == "pointy",
        extent=(file.frame.width, file.frame.height),
    )
    corners = grid.corners(file.grid.columns, file.grid.rows).reshape(-1, 2).round()
    width, height = (int(v) for v in corners.max(axis=0) - corners.min(axis=0))
    grid = replace(grid, extent=(width, height))
    grid = replace(grid, numbering=_numbering(file.numbering, grid))
    return replace(grid, boards=tuple(_board(table, grid) for table in file.board))


def _board(table: BoardTable, grid: HexGrid) -> NamedBoard:
    """Return a board; its numbers count from its own first column and row."""
    numbering = _numbering(table.numbering, grid)
    return NamedBoard(
        name=table.name,
        column=table.column,
        row=table.row,
        columns=table.columns,
        rows=table.rows,
        numbering=replace(
            numbering,
            h_off=numbering.h_off - table.column,
            v_off=numbering.v_off - table.row,
            location_format=table.prefix + "$gridLocation$",
        ),
        is_cut=table.cut,
    )


def _check_boards(file: MapFile, toml: TomlFile, grid: HexGrid, log: ProblemLog) -> None:
    """Note boards that lie beside the grid, and names that mean two things."""
    taken = {HEX_ZONE} | {box.name for box in file.box}
    for number, table in enumerate(file.board):
        source = toml.source("board", number, "name")
        if table.name in taken:
            log.add(source, f"board {table.name!r}: the name is taken by a board, box or zone")
        taken.add(table.name)
        if "$" in table.prefix or not table.name.strip():
            log.add(source, f"board {table.name!r}: needs a name, and a prefix without $")
        if table.numbering.column_descending or table.numbering.row_descending:
            log.add(source, f"board {table.name!r}: the numbers of a board can only count up")
        if min(table.columns, table.rows) < 1 or not (
            0 <= table.column <= file.grid.columns - table.columns
            and 0 <= table.row <= file.grid.rows - table.rows
        ):
            log.add(source, f"board {table.name!r}: does not lie within the grid of the map")
    seen: dict[str, Hex] = {}
    for h in grid.hexes(file.grid.columns, file.grid.rows) if file.board else ():
        label = grid.label(h)
        if label in seen:
            first = grid.board_of(seen[label]) or grid.board_of(h)
            where = first.name if first is not None else file.name
            log.add(
                toml.source("board"), f"two hexes would be called {label!r}, one on board {where!r}"
            )
            return
        seen[label] = h


def _numbering(table: NumberingTable, grid: HexGrid) -> Numbering:
    maxima = grid.maxima
    # VASSAL's descend flags speak of the screen, all its other flags of column and row
    across, down = table.column_descending, table.row_descending
    if grid.sideways:
        across, down = down, across
    return Numbering(
        first="H" if table.first == "column" else "V",
        sep=table.separator,
        h_type="N" if table.column_type == "number" else "A",
        v_type="N" if table.row_type == "number" else "A",
        h_leading=table.column_digits - 1,
        v_leading=table.row_digits - 1,
        h_off=_offset(table.column_start, table.column_type, table.column_descending, maxima[0]),
        v_off=_offset(table.row_start, table.row_type, table.row_descending, maxima[1]),
        h_descend=across,
        v_descend=down,
        stagger=table.stagger,
    )


def _offset(start: int, kind: str, is_descending: bool, maximum: int) -> int:
    """Return what VASSAL adds so that the first column or row is numbered ``start``."""
    first = start - 1 if kind == "letter" else start
    return first - maximum if is_descending else first


def open_map(
    folder: Path, place_fields: Mapping[str, FieldSpec], sides: frozenset[str], log: ProblemLog
) -> MapSheet | None:
    """Read the whole map; note every mistake; ``None`` if ``map.toml`` itself is not usable."""
    opened = open_map_file(folder, log)
    if opened is None:
        return None
    file, toml = opened
    if not _check_sizes(file, toml, log):
        return None
    grid = grid_of(file)
    _check_boards(file, toml, grid, log)
    terrains = {
        letter: Terrain(letter, t.name, t.base, t.flags) for letter, t in file.terrain.items()
    }
    for letter in file.terrain:
        if len(letter) != 1 or letter in "# ":
            log.add(toml.source("terrain", letter), f"terrain letter {letter!r}: expected one sign")
    cells = read_letter_grid(
        folder / "terrain.txt", file.grid.columns, file.grid.rows, terrains, log
    )
    terrain = {Hex(*at): terrains[cell] for at, cell in cells.items() if cell in terrains}
    reader = _MapReader(file, grid, log)
    features = reader.hexsides(read_csv(folder / "hexsides.csv", log, ("hex", "side", "kind")))
    routes = reader.routes(read_csv(folder / "routes.csv", log, ("from", "to", "kind")))
    places = reader.places(
        read_csv(folder / "places.csv", log, ("name", "hex", "kind")), place_fields
    )
    reader.crossings(features, routes)
    return MapSheet(
        name=file.name,
        grid=grid,
        columns=file.grid.columns,
        rows=file.grid.rows,
        terrains=terrains,
        terrain=terrain,
        sides=features,
        routes=routes,
        places=places,
        boxes=_boxes(file, toml, sides, log),
        panels=_panels(file, toml, log),
        frame=Frame(
            width=file.frame.width,
            height=file.frame.height,
            px_per_mm=file.frame.px_per_mm,
            title=file.frame.title,
            subtitle=file.frame.subtitle,
            credits=file.frame.credits,
            scale_text=file.frame.scale_text,
            km_per_hex=file.frame.km_per_hex,
        ),
        style=file.style,
    )


MAX_HEXES = 250_000
LARGE_BYTES, HUGE_BYTES = 256 * 1024**2, 1024**3


def _check_sizes(file: MapFile, toml: TomlFile, log: ProblemLog) -> bool:
    """Refuse maps that nobody can draw or VASSAL can't show (case of 32000 x 20000 pixels)."""
    before = len(log.errors)
    for table, name in (("grid", "columns"), ("grid", "rows"), ("frame", "width")):
        value = getattr(getattr(file, table), name)
        if value < 1:
            log.add(toml.source(table, name), f"{name}: expected at least 1, got {value}")
    if file.frame.height < 1:
        log.add(toml.source("frame", "height"), "height: expected at least 1")
    if not file.frame.px_per_mm > 0:
        log.add(toml.source("frame", "px_per_mm"), "px_per_mm: expected more than 0")
    for name in ("dx", "dy"):
        if not getattr(file.grid, name) >= 4:
            log.add(toml.source("grid", name), f"{name}: expected at least 4 pixels")
    if file.grid.columns * file.grid.rows > MAX_HEXES:
        log.add(toml.source("grid", "columns"), f"more than {MAX_HEXES} hexes")
    size = 4 * file.frame.width * file.frame.height
    where = toml.source("frame", "width")
    shown = f"a board of {file.frame.width} x {file.frame.height} pixels takes "
    shown += f"{size / 1e6:.0f} MB in VASSAL"
    if size > HUGE_BYTES:
        log.add(where, shown + "; draw it smaller or split it into boards")
    elif size > LARGE_BYTES:
        log.add(where, shown + "; older computers may run out of memory", "warning")
    return len(log.errors) == before


class _MapReader:
    """Reads the three CSV files of a map against its grid."""

    def __init__(self, file: MapFile, grid: HexGrid, log: ProblemLog) -> None:
        self.file = file
        self.grid = grid
        self.log = log

    def on_map(self, hex_: Hex | None) -> bool:
        if hex_ is None:
            return False
        table = self.file.grid
        return 0 <= hex_.column < table.columns and 0 <= hex_.row < table.rows

    def hex(self, cell: Cell) -> Hex | None:
        found = self.grid.hex_of(cell) if cell else None
        if found is None or not self.on_map(found):
            first, last = Hex(0, 0), Hex(self.file.grid.columns - 1, self.file.grid.rows - 1)
            self.log.add(
                cell.source,
                f"expected a hex of the map ({self.grid.label(first)} to {self.grid.label(last)}),"
                f" found {str(cell)!r}",
            )
            return None
        return found

    def direction(self, cell: Cell) -> int | None:
        names = self.grid.direction_names
        if cell.upper() in names:
            return names.index(cell.upper())
        self.log.add(cell.source, f"expected a direction ({', '.join(names)}), found {str(cell)!r}")
        return None

    def word(self, cell: Cell, known: tuple[str, ...], what: str) -> bool:
        if cell in known:
            return True
        hint = did_you_mean(cell, known)
        self.log.add(cell.source, f"expected a kind of {what}, found {str(cell)!r}{hint}")
        return False

    def hexsides(self, table: CsvTable | None) -> dict[Hexside, HexsideFeature]:
        found: dict[Hexside, HexsideFeature] = {}
        for row in table.rows if table else ():
            hex_, direction = self.hex(row["hex"]), self.direction(row["side"])
            is_known = self.word(row["kind"], self.file.words.hexsides, "hexside")
            if hex_ is None or direction is None or not is_known:
                continue
            side = self.grid.hexside(hex_, direction)
            if side in found:
                first = found[side].source
                self.log.add(row.source, f"this hexside stands already in line {first.line}")
                continue
            found[side] = HexsideFeature(side, row["kind"], row["name"], row.source)
        return found

    def routes(self, table: CsvTable | None) -> tuple[Route, ...]:
        found: list[Route] = []
        seen: dict[frozenset[Hex], int] = {}
        for row in table.rows if table else ():
            start = self.hex(row["from"])
            is_known = self.word(row["kind"], self.file.words.routes, "route")
            to = row["to"]
            if to.upper() in self.grid.direction_names:
                direction = self.direction(to)
                if start is None or direction is None or not is_known:
                    continue
                if self.on_map(self.grid.neighbor(start, direction)):
                    self.log.add(to.source, f"{to} of {row['from']} is no edge of the map")
                    continue
                found.append(
                    Route(start, None, str(row["kind"]), str(row["name"]), direction, row.source)
                )
                continue
            end = self.hex(to)
            if start is None or end is None or not is_known:
                continue
            if self.grid.direction_to(start, end) is None:
                self.log.add(to.source, f"hex {to} is not next to {row['from']}")
                continue
            pair = frozenset((start, end))
            if pair in seen:
                self.log.add(row.source, f"this link stands already in line {seen[pair]}")
                continue
            seen[pair] = row.source.line
            found.append(Route(start, end, str(row["kind"]), str(row["name"]), None, row.source))
        return tuple(found)

    def crossings(
        self, features: Mapping[Hexside, HexsideFeature], routes: tuple[Route, ...]
    ) -> None:
        """Warn of routes that cross a river without a bridge, and of bridges without a route."""
        crossed = {self.grid.side_between(r.start, r.end): r for r in routes if r.end is not None}
        for plain, bridged in self.file.words.crossings.items():
            for side, feature in features.items():
                first, second = (self.grid.label(h) for h in self.grid.side_hexes(side))
                if feature.kind == plain and side in crossed:
                    source = crossed[side].source
                    message = f"{first}-{second} crosses the {plain} without a {bridged}"
                    self.log.add(source, message, "warning")
                if feature.kind == bridged and side not in crossed:
                    message = f"{bridged} {first}-{second}: no route crosses it"
                    self.log.add(feature.source, message, "warning")

    def places(self, table: CsvTable | None, specs: Mapping[str, FieldSpec]) -> tuple[Place, ...]:
        if table is None:
            return ()
        reader = FieldReader(specs, self.log)
        reader.check_columns(table, ("name", "hex", "kind"), "place_fields")
        found: list[Place] = []
        seen: dict[tuple[str, str], int] = {}
        for row in table.rows:
            hex_ = self.hex(row["hex"])
            is_known = self.word(row["kind"], self.file.words.places, "place")
            fields = reader.read(row)
            if not row["name"]:
                self.log.add(row["name"].source, "expected a name, found an empty cell")
            key = (str(row["kind"]), str(row["name"]))
            if key in seen and row["kind"] != "entry":
                self.log.add(
                    row["name"].source,
                    f"{row['kind']} {row['name']} stands already in line {seen[key]}",
                )
            seen.setdefault(key, row.source.line)
            if hex_ is not None and is_known and row["name"]:
                found.append(Place(key[1], hex_, key[0], fields, row.source))
        return tuple(found)


def _boxes(
    file: MapFile, toml: TomlFile, sides: frozenset[str], log: ProblemLog
) -> tuple[Box, ...]:
    boxes: list[Box] = []
    seen: dict[str, int] = {}

    def add(box: Box) -> None:
        if not box.name or set(box.name) & set(" \t,=<>/;\\"):
            log.add(box.source, f"box name {box.name!r}: no blanks and none of , = < > / ; \\")
        if box.name in seen:
            log.add(box.source, f"box {box.name!r} stands already in line {seen[box.name]}")
        if box.side and box.side not in sides:
            log.add(box.source, f"unknown side {box.side!r}{did_you_mean(box.side, sides)}")
        inside = box.x >= 0 and box.x + box.width <= file.frame.width
        if not (inside and box.y >= 0 and box.y + box.height <= file.frame.height):
            log.add(box.source, f"box {box.name!r} does not lie on the board")
        if box.width < 1 or box.height < 1:
            log.add(box.source, f"box {box.name!r} has no size")
        seen.setdefault(box.name, box.source.line)
        boxes.append(box)

    for number, track in enumerate(file.track):
        source = toml.source("track", number, "name")
        if "{n}" not in track.name:
            log.add(source, f"track {track.name!r}: the name needs {{n}} where the count stands")
        if track.per_row < 1 or track.last < track.first or track.last - track.first > 999:
            log.add(source, f"track {track.name!r}: first, last or per_row make no sense")
            continue
        for index in range(track.last - track.first + 1):
            add(_track_box(track, index, toml, number))
    for number, table in enumerate(file.box):
        add(_plain_box(table, toml, number))
    return tuple(boxes)


def _panels(file: MapFile, toml: TomlFile, log: ProblemLog) -> tuple[Panel, ...]:
    panels = []
    for number, table in enumerate(file.panel):
        source = toml.source("panel", number, "chart")
        panel = Panel(table.chart, table.x, table.y, table.width, table.height, source)
        right, bottom = panel.x + panel.width, panel.y + panel.height
        inside = panel.x >= 0 and panel.y >= 0 and right <= file.frame.width
        if not inside or bottom > file.frame.height or panel.width < 1 or panel.height < 1:
            log.add(source, f"panel {panel.chart!r} does not lie on the board")
        panels.append(panel)
    return tuple(panels)


def _track_box(track: TrackTable, index: int, toml: TomlFile, number: int) -> Box:
    count = str(track.first + index)
    return Box(
        name=track.name.replace("{n}", count),
        label=track.label.replace("{n}", count),
        kind=track.kind,
        x=track.x + (index % track.per_row) * (track.width + track.gap),
        y=track.y + (index // track.per_row) * (track.height + track.gap),
        width=track.width,
        height=track.height,
        side=track.side,
        group=track.title,
        snap=track.snap,
        source=toml.source("track", number, "name"),
    )


def _plain_box(table: BoxTable, toml: TomlFile, number: int) -> Box:
    return Box(
        name=table.name,
        label=table.label or table.name,
        kind=table.kind,
        x=table.x,
        y=table.y,
        width=table.width,
        height=table.height,
        side=table.side,
        group=table.title,
        snap=table.snap,
        source=toml.source("box", number, "name"),
    )

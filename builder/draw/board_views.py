"""Pictures of a part of the board at one moment: counters on the map, zones, a way, marks.

The map is painted once, as the module's; what lies on it is a transparent scene of its own for
each picture, painted with all others as one document and laid over a piece cut from the map. So
that before and after can be compared, all views of a group show the same piece.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from PIL import Image
from PIL.Image import Dither, Quantize

from builder.draw.counters import FaceArt
from builder.draw.scene import (
    Element,
    Fill,
    Point,
    Repeat,
    Ring,
    Scene,
    Stroke,
    Text,
    rounded_rectangle,
)
from builder.draw.symbols import SymbolLibrary
from builder.draw.to_pdf import scenes_to_pdf
from builder.draw.to_png import pdf_to_images
from builder.gamebox.boards import BoardView, ShownPiece, Spot
from builder.gamebox.model import MapSheet
from builder.hexes.grid import Hex

__all__ = ["BoardPainter", "Cut", "ViewColors", "cut_of"]

LARGEST: Final = 680
"""Pixels of a picture's longer side; a larger part of the board is shown smaller."""
SCALES: Final = (0.9, 0.7, 0.5, 0.4, 0.3)
"""Shares of the board's own size at which it is shown: few, as the map is painted for each."""
COLORS: Final = 96
"""Colors of a picture: no eye misses the others, and it is a fifth of the size."""
_AROUND: Final = 2
"""Hexes shown in each direction around those that a view is about: at least 5 by 5 in all."""
_COUNTER: Final = 12.7
_STEP: Final = 1.15
"""Millimetres by which each counter of a stack lies to the right of and above the one below."""
_HATCH: Final = 3.4


@dataclass(frozen=True, slots=True)
class ViewColors:
    """Paints of what is laid over the map, as ``#rrggbb``; ``sides`` are those of zones."""

    sides: Mapping[str, str]
    way: str = "#a3117d"
    mark: str = "#a3117d"
    casing: str = "#fffdf6"
    ink: str = "#161513"


class Cut(NamedTuple):
    """A piece of the board in pixels: left, top, right and bottom."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.right - self.left, self.bottom - self.top


def cut_of(sheet: MapSheet, hexes: Iterable[Hex]) -> Cut:
    """Return the piece of the board around some hexes, 5 by 5 or more, moved in at the edges.

    Hexes that are not on the map do not count; without any the whole field of hexes is returned.
    """
    left, top, right, bottom = _field(sheet)
    shown = [h for h in hexes if h in sheet]
    if not shown:
        return Cut(left, top, right, bottom)
    corners = [p for h in shown for p in sheet.grid.polygon(h)]
    one = sheet.grid.polygon(shown[0])
    wide = max(x for x, _ in one) - min(x for x, _ in one)
    tall = max(y for _, y in one) - min(y for _, y in one)
    # columns (rows, if hexes lie sideways) overlap by a quarter, and the others are staggered
    across, along = (0.75, 1.0) if not sheet.grid.sideways else (1.0, 0.75)
    half = 0.3
    more_x, more_y = wide * across * _AROUND, tall * along * _AROUND
    more_x, more_y = (
        (more_x + wide * half, more_y) if sheet.grid.sideways else (more_x, more_y + tall * half)
    )
    x0, x1 = min(x for x, _ in corners) - more_x, max(x for x, _ in corners) + more_x
    y0, y1 = min(y for _, y in corners) - more_y, max(y for _, y in corners) + more_y
    x0, x1 = _moved_in(x0, x1, left, right)
    y0, y1 = _moved_in(y0, y1, top, bottom)
    return Cut(round(x0), round(y0), round(x1), round(y1))


def _moved_in(low: float, high: float, least: float, most: float) -> tuple[float, float]:
    """Return a span of the same length that lies within bounds, or the bounds if it is longer."""
    if high - low >= most - least:
        return least, most
    by = max(0.0, least - low) - max(0.0, high - most)
    return low + by, high + by


def _field(sheet: MapSheet) -> Cut:
    """Return the bounds of all hexes, with a little of the paper around them."""
    last = (sheet.columns - 1, sheet.rows - 1)
    ends = {Hex(c, r) for c in (0, min(1, last[0]), last[0]) for r in (0, last[1])}
    ends |= {Hex(max(0, last[0] - 1), r) for r in (0, last[1])}
    points = [p for h in ends for p in sheet.grid.polygon(h)]
    margin = 0.08 * sheet.grid.dx
    return Cut(
        max(0, math.floor(min(x for x, _ in points) - margin)),
        max(0, math.floor(min(y for _, y in points) - margin)),
        min(sheet.frame.width, math.ceil(max(x for x, _ in points) + margin)),
        min(sheet.frame.height, math.ceil(max(y for _, y in points) + margin)),
    )


def _scale(cut: Cut) -> float:
    return next((s for s in SCALES if max(cut.size) * s <= LARGEST), SCALES[-1])


def _shown_size(cut: Cut, scale: float) -> tuple[int, int]:
    return max(1, round(cut.size[0] * scale)), max(1, round(cut.size[1] * scale))


class BoardPainter:
    """Paints views of one board.

    ``board`` is the whole map as a scene of its frame's size; ``faces`` gives the painted faces of
    a counter, and nothing for one that it does not know.
    """

    def __init__(
        self,
        sheet: MapSheet,
        board: Scene,
        faces: Callable[[str], Sequence[FaceArt]],
        *,
        colors: ViewColors,
        symbols: SymbolLibrary,
    ) -> None:
        """Keep what every picture needs; the map is painted when first asked for."""
        self._sheet, self._board = sheet, board
        self._faces, self._colors, self._symbols = faces, colors, symbols
        self._mm = 1 / sheet.frame.px_per_mm
        self._pdf = b""
        self._grounds: dict[float, Image.Image] = {}
        self._zones: dict[tuple[Cut, frozenset[Hex], str], tuple[Element, ...]] = {}

    def images(self, groups: Sequence[Sequence[BoardView]]) -> list[list[Image.Image]]:
        """Return a picture of each view, with a palette; a group shows one piece of the board."""
        cuts = [cut_of(self._sheet, (h for v in group for h in v.hexes)) for group in groups]
        wanted = [(cut, view) for cut, group in zip(cuts, groups, strict=True) for view in group]
        if not wanted:
            return []
        sizes = [_shown_size(cut, _scale(cut)) for cut, _ in wanted]
        pdf = scenes_to_pdf(
            [self.layer(view, cut) for cut, view in wanted], symbols=self._symbols, compress=False
        )
        layers = pdf_to_images(pdf, sizes=sizes, transparent=[True] * len(wanted))
        done = iter(
            [self._laid(cut, layer) for (cut, _), layer in zip(wanted, layers, strict=True)]
        )
        return [[next(done) for _ in group] for group in groups]

    def _laid(self, cut: Cut, layer: Image.Image) -> Image.Image:
        """Lay what is on the board over a piece of the map."""
        scale = _scale(cut)
        left, top = round(cut.left * scale), round(cut.top * scale)
        box = (left, top, left + layer.width, top + layer.height)
        picture = self._ground(scale).crop(box)
        picture.paste(layer, (0, 0), layer)
        return picture.quantize(COLORS, Quantize.FASTOCTREE, dither=Dither.NONE)

    def _ground(self, scale: float) -> Image.Image:
        if scale not in self._grounds:
            if not self._pdf:
                self._pdf = scenes_to_pdf([self._board], symbols=self._symbols, compress=False)
            frame = self._sheet.frame
            size = (round(frame.width * scale), round(frame.height * scale))
            self._grounds[scale] = pdf_to_images(self._pdf, sizes=[size])[0]
        return self._grounds[scale]

    # --- what is laid over the map ----------------------------------------------------------------

    def layer(self, view: BoardView, cut: Cut) -> Scene:
        """Return what lies on a piece of the board, as a transparent scene of its size."""
        width, height = (size * self._mm for size in cut.size)
        elements = (
            *self._zone(view, cut),
            *self._marks(view, cut),
            *self._pieces(view, cut),
            *self._way(view, cut),
        )
        return Scene(width, height, elements)

    def _center(self, spot: Spot, cut: Cut) -> Point | None:
        """Return the middle of a hex or box in millimetres of the piece; ``None`` if unknown."""
        if isinstance(spot, Hex):
            x, y = self._sheet.grid.center(spot)
        else:
            box = self._sheet.box(spot)
            if box is None:
                return None
            x, y = box.center
        return (x - cut.left) * self._mm, (y - cut.top) * self._mm

    def _ring(self, h: Hex, cut: Cut, share: float = 1.0) -> Ring:
        """Return a hex's outline, made smaller around its middle."""
        cx, cy = self._sheet.grid.center(h)
        return tuple(
            (
                (cx + (x - cx) * share - cut.left) * self._mm,
                (cy + (y - cy) * share - cut.top) * self._mm,
            )
            for x, y in self._sheet.grid.polygon(h)
        )

    def _is_seen(self, h: Hex, cut: Cut) -> bool:
        x, y = self._sheet.grid.center(h)
        reach = 1.4 * max(self._sheet.grid.dx, self._sheet.grid.dy)
        return cut.left - reach < x < cut.right + reach and cut.top - reach < y < cut.bottom + reach

    def _zone(self, view: BoardView, cut: Cut) -> tuple[Element, ...]:
        """Return the zone as seen in a piece of the board, kept for the other views of it."""
        seen = frozenset(h for h in view.zone if h in self._sheet and self._is_seen(h, cut))
        key = (cut, seen, view.zone_side)
        if key not in self._zones:
            color = self._colors.sides.get(view.zone_side, self._colors.ink)
            self._zones[key] = tuple(self._shaded(sorted(seen), cut, color)) if seen else ()
        return self._zones[key]

    def _shaded(self, hexes: Sequence[Hex], cut: Cut, color: str) -> Iterator[Element]:
        """Shade and hatch hexes: the hatching is what a black-and-white print shows."""
        import shapely

        whole = shapely.union_all([shapely.Polygon(self._ring(h, cut, 1.002)) for h in hexes])
        frame = shapely.box(0, 0, cut.size[0] * self._mm, cut.size[1] * self._mm)
        whole = shapely.intersection(whole, frame)
        if whole.is_empty:
            return  # a hex that only touches the cut from outside
        rings = tuple(
            tuple((x, y) for x, y in ring.coords)
            for part in shapely.get_parts(whole)
            if part.geom_type == "Polygon"
            for ring in (part.exterior, *part.interiors)
        )
        yield Fill(rings, color, 0.14)
        x0, y0, x1, y1 = shapely.bounds(whole)
        count = int((x1 - x0 + y1 - y0) / _HATCH) + 1
        # from the board's own corner, so that before and after are hatched alike
        first = math.floor((x0 + y0) / _HATCH)
        slants = [
            shapely.LineString([(c - y0, y0), (c - y1, y1)])
            for c in ((first + n) * _HATCH for n in range(count + 2))
        ]
        hatching = shapely.intersection(shapely.MultiLineString(slants), whole)
        lines = tuple(
            tuple((x, y) for x, y in line.coords)
            for line in shapely.get_parts(hatching)
            if line.geom_type == "LineString"
        )
        for start in range(0, len(lines), 40):
            yield Stroke(lines[start : start + 40], color, 0.28, cap="butt", opacity=0.55)
        yield Stroke(rings, color, 0.5, closed=True, opacity=0.8)

    def _marks(self, view: BoardView, cut: Cut) -> Iterator[Element]:
        """Outline what is marked: thin; the start dashed; the end solid."""
        colors = self._colors
        ends = {view.start, view.end, *view.way}
        for h in view.marked:
            if h in self._sheet and h not in ends:
                ring = self._ring(h, cut, 0.94)
                yield Stroke((ring,), colors.casing, 1.3, closed=True, opacity=0.9)
                yield Stroke((ring,), colors.mark, 0.6, closed=True)
        for spot, dash in ((view.start, (2.2, 1.6)), (view.end, ())):
            if isinstance(spot, Hex) and spot in self._sheet:
                ring = self._ring(spot, cut, 0.92)
                yield Stroke((ring,), colors.casing, 2.0, closed=True, opacity=0.9)
                yield Stroke((ring,), colors.mark, 1.1, closed=True, dash=dash, cap="butt")

    # --- counters ---------------------------------------------------------------------------------

    def _pieces(self, view: BoardView, cut: Cut) -> Iterator[Element]:
        stacks: dict[Spot, list[ShownPiece]] = {}
        for piece in view.pieces:
            if isinstance(piece.place, Hex) and not (
                piece.place in self._sheet and self._is_seen(piece.place, cut)
            ):
                continue
            stacks.setdefault(piece.place, []).append(piece)
        for spot, pieces in stacks.items():
            middle = self._center(spot, cut)
            if middle is None:
                continue
            shift = (len(pieces) - 1) * _STEP / 2
            for number, piece in enumerate(pieces):
                x = middle[0] - shift + number * _STEP
                y = middle[1] + shift - number * _STEP
                yield from self._counter(piece, x, y)

    def _counter(self, piece: ShownPiece, x: float, y: float) -> Iterator[Element]:
        art = self._art(piece)
        width = art.scene.width if art is not None else _COUNTER
        height = art.scene.height if art is not None else _COUNTER
        left, top = round(x - width / 2, 3), round(y - height / 2, 3)
        shadow = rounded_rectangle(left + 0.35, top + 0.45, width, height, 1.4)
        yield Fill((shadow,), self._colors.ink, 0.38)
        if art is not None:
            yield Repeat(art.scene.elements, ((left, top),))
            return
        # a face that its layout does not draw says nothing of what lies there
        ring = rounded_rectangle(left, top, width, height, 1.4)
        yield Fill((ring,), self._colors.casing)
        yield Stroke((ring,), self._colors.ink, 0.3, closed=True)
        yield Text(x, y, "?", 7.0, self._colors.ink, "bold", baseline="middle")

    def _art(self, piece: ShownPiece) -> FaceArt | None:
        arts = [a for a in self._faces(piece.counter) if a.role == piece.role]
        exact = [a for a in arts if a.level == piece.level]
        return exact[0] if exact else arts[0] if arts and not piece.level else None

    # --- the way ----------------------------------------------------------------------------------

    def _way(self, view: BoardView, cut: Cut) -> Iterator[Element]:
        """Draw the way as an arrow over the counters, clear of those at its ends."""
        spots: list[Spot] = list(view.way)
        is_known = bool(spots)
        if view.start is not None and view.end is not None:
            if not spots:
                spots = [view.start, view.end]
            elif isinstance(view.start, str):
                spots.insert(0, view.start)
        points = [p for p in (self._center(s, cut) for s in spots) if p is not None]
        points = [a for a, b in pairwise([*points, (math.nan, math.nan)]) if a != b]
        if len(points) < 2:
            return
        covered = {p.place for p in view.pieces}
        line = _trimmed(points, spots[0] in covered, spots[-1] in covered)
        if line is None:
            return
        colors = self._colors
        opacity = 0.65 if view.is_after else 1.0
        head, neck = _arrow(line)
        line = (*line[:-1], neck)
        dash = () if is_known else (2.6, 1.7)
        yield Stroke((line,), colors.casing, 2.3, opacity=0.9)
        yield Stroke(((*head, head[0]),), colors.casing, 1.2, closed=True, opacity=0.9)
        yield Stroke((line,), colors.way, 1.25, dash=dash, cap="butt", opacity=opacity)
        yield Fill((head,), colors.way, opacity)
        if is_known:
            for x, y in points[1:-1]:
                dot = rounded_rectangle(x - 1.05, y - 1.05, 2.1, 2.1, 1.05)
                yield Fill((dot,), colors.casing)
                yield Stroke((dot,), colors.way, 0.5, closed=True)


def _trimmed(points: Sequence[Point], is_start: bool, is_end: bool) -> Ring | None:
    """Return a line that ends at the edges of the counters which cover its ends."""
    line = list(points)
    edge = _COUNTER / 2
    if is_start:
        line[0] = _toward(line[0], line[1], edge * 0.8)
    line[-1] = _toward(line[-1], line[-2], edge * 0.95 if is_end else 0.4)
    if len(line) == 2 and math.dist(line[0], line[1]) < 2.5:
        return None
    return tuple(line)


def _toward(point: Point, other: Point, by: float) -> Point:
    length = math.dist(point, other) or 1.0
    share = min(0.95, by / length)
    return (
        point[0] + (other[0] - point[0]) * share,
        point[1] + (other[1] - point[1]) * share,
    )


def _arrow(line: Ring) -> tuple[Ring, Point]:
    """Return an arrow's head at the end of a line, and where the line meets it."""
    (x0, y0), (x1, y1) = line[-2], line[-1]
    length = math.hypot(x1 - x0, y1 - y0) or 1.0
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    deep, half = 3.6, 2.1
    neck = (x1 - dx * deep * 0.7, y1 - dy * deep * 0.7)
    back = (x1 - dx * deep, y1 - dy * deep)
    left = (back[0] - dy * half, back[1] + dx * half)
    right = (back[0] + dy * half, back[1] - dx * half)
    return ((x1, y1), left, neck, right), neck

"""Scene -> vector PDF: the one painter. Whatever is seen on a screen is this PDF as well.

Every page is drawn in millimetres with y running down, under one transformation. The stream is
written operator by operator, since a map holds tens of thousands of points. What is drawn often
(:class:`~builder.draw.scene.Repeat`, :class:`~builder.draw.scene.Picture`) becomes a form that
pages refer to. Same scenes, same bytes.
"""

from __future__ import annotations

import io
import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, assert_never

from builder.draw.fonts import registered_font, text_origin
from builder.draw.scene import (
    Element,
    Fill,
    Picture,
    Point,
    Repeat,
    Ring,
    Scene,
    Stroke,
    Text,
    bounds,
    rectangle,
)
from builder.draw.symbols import SymbolLibrary, installed_symbols

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

__all__ = ["POINTS_PER_MM", "scenes_to_pdf"]

POINTS_PER_MM: Final = 72 / 25.4
LENGTH_PER_PATH: Final = 20_000.0
"""Millimetres of line in one path. PDFium silently drops a part of a path whose outline crosses
more than some four million pixels: this is a third of that, at 600 dots per inch."""
POINTS_PER_PATH: Final = 4000
"""Points in one path; a longer line is cut, its dashes running on."""

_CAPS: Final = {"butt": 0, "round": 1, "square": 2}
_JOINS: Final = {"miter": 0, "round": 1, "bevel": 2}


def scenes_to_pdf(
    scenes: Sequence[Scene],
    *,
    title: str = "",
    author: str = "",
    subject: str = "",
    symbols: SymbolLibrary | None = None,
    compress: bool = True,
) -> bytes:
    """Return a PDF with one page per scene; fonts are embedded as subsets.

    ``symbols`` is where pictures are looked up, by default the drawings that come with the
    package. ``compress`` deflates the streams; without it painting for PDFium is quicker.
    Raises :class:`~builder.draw.symbols.SymbolError` and
    :class:`~builder.draw.fonts.UnknownFontError`.
    """
    from reportlab.pdfgen.canvas import Canvas

    buffer = io.BytesIO()
    canvas = Canvas(buffer, pageCompression=int(compress), invariant=1)
    canvas.setTitle(title)
    canvas.setAuthor(author)
    canvas.setSubject(subject)
    canvas.setCreator("Hexwright")
    canvas.setProducer("Hexwright")
    painter = _Painter(canvas, installed_symbols() if symbols is None else symbols)
    for scene in scenes:
        painter.define_forms(scene.elements)
    for scene in scenes:
        painter.paint_page(scene)
    canvas.save()
    return buffer.getvalue()


def _num(value: float) -> str:
    """A number to the micrometre, without an exponent, which PDF does not know."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text in {"-0", ""} else text


def _matrix(*values: float) -> str:
    return " ".join([f"{v:.6f}".rstrip("0").rstrip(".") for v in values])


def _color(color: str) -> str:
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return f"{red:.4g} {green:.4g} {blue:.4g}"


def _ring(points: Ring) -> str:
    path = " l ".join([f"{x:.3f} {y:.3f}" for x, y in points])
    return path.replace(" l ", " m ", 1) + " l" if len(points) > 1 else path + " m"


class _Painter:
    """Paints scenes on one canvas; forms are shared by all of its pages."""

    def __init__(self, canvas: Canvas, symbols: SymbolLibrary) -> None:
        self.canvas = canvas
        self.symbols = symbols
        self.forms: dict[object, str] = {}

    def define_forms(self, elements: Iterable[Element]) -> None:
        """Define what the elements repeat, inner forms first: a form needs a page of its own."""
        for element in elements:
            match element:
                case Repeat():
                    self.define_forms(element.elements)
                    if element.elements not in self.forms:
                        self._repeat_form(element)
                case Picture():
                    key = (element.name, element.colors)
                    if key not in self.forms:
                        self._picture_form(element)
                case _:
                    pass

    def _repeat_form(self, repeat: Repeat) -> None:
        name = f"repeat{len(self.forms)}"
        left, top, right, bottom = bounds(repeat.elements)
        # a form clips at its box, so a margin keeps accents and miter joins whole
        self.canvas.beginForm(
            name,
            math.floor(left) - 1,
            math.floor(top) - 1,
            math.ceil(right) + 1,
            math.ceil(bottom) + 1,
        )
        self._paint(repeat.elements)
        self.canvas.endForm()
        self.forms[repeat.elements] = name

    def _picture_form(self, picture: Picture) -> None:
        from reportlab.graphics import renderPDF

        name = f"picture{len(self.forms)}"
        drawing = self.symbols.drawing(picture.name, picture.colors)
        self.canvas.beginForm(name, 0, 0, drawing.width, drawing.height)
        renderPDF.draw(drawing, self.canvas, 0, 0, showBoundary=False)
        self.canvas.endForm()
        self.forms[picture.name, picture.colors] = name

    def paint_page(self, scene: Scene) -> None:
        """Paint one scene as one page."""
        canvas = self.canvas
        width, height = scene.width * POINTS_PER_MM, scene.height * POINTS_PER_MM
        canvas.setPageSize((width, height))
        canvas.addLiteral(f"{_matrix(POINTS_PER_MM, 0, 0, -POINTS_PER_MM, 0, height)} cm")
        if scene.background:
            # over the edge, so that no edge pixel is only partly covered
            over = Fill((rectangle(-1, -1, scene.width + 2, scene.height + 2),), scene.background)
            self._paint((over,))
        self._paint(scene.elements)
        canvas.showPage()

    def _paint(self, elements: Iterable[Element]) -> None:
        for element in elements:
            match element:
                case Fill():
                    self._fill(element)
                case Stroke():
                    self._stroke(element)
                case Text():
                    self._text(element)
                case Picture():
                    self._picture(element)
                case Repeat():
                    name = self.forms[element.elements]
                    for x, y in element.at:
                        self._form(name, f"1 0 0 1 {_num(x)} {_num(y)}")
                case _:
                    assert_never(element)

    def _form(self, name: str, matrix: str) -> None:
        self.canvas.addLiteral(f"q {matrix} cm")
        self.canvas.doForm(name)
        self.canvas.addLiteral("Q")

    def _begin(self, opacity: float) -> None:
        self.canvas.saveState()
        if opacity != 1:
            self.canvas.setFillAlpha(opacity)
            self.canvas.setStrokeAlpha(opacity)

    def _fill(self, fill: Fill) -> None:
        rings = [ring for ring in fill.rings if len(ring) > 2]
        if not rings:
            return
        if len(rings) == 1:
            rings = [_unsnapped(rings[0])]
        parts = [rings]
        if sum(map(_length, rings)) > 2 * LENGTH_PER_PATH:
            parts = _islands(rings)
        paint = [f"{_color(fill.color)} rg"]
        for part in parts:
            paint += [_ring(ring) + " h" for ring in part]
            paint.append("f*")
        if fill.opacity == 1:
            self.canvas.addLiteral("\n".join(paint))
            return
        self._begin(fill.opacity)
        self.canvas.addLiteral("\n".join(paint))
        self.canvas.restoreState()

    def _stroke(self, stroke: Stroke) -> None:
        self._begin(stroke.opacity)
        self.canvas.addLiteral(
            f"{_color(stroke.color)} RG {_num(stroke.width)} w "
            f"{_CAPS[stroke.cap]} J {_JOINS[stroke.join]} j"
        )
        dash = " ".join(map(_num, stroke.dash))
        if dash:
            self.canvas.addLiteral(f"[{dash}] 0 d")
        path: list[str] = []
        points, length = 0, 0.0
        for line, cut in _pieces(stroke):
            points += len(line)
            length += _length(line)
            if path and (cut or points > POINTS_PER_PATH or length > LENGTH_PER_PATH):
                self.canvas.addLiteral("\n".join([*path, "S"]))
                path, points, length = [], len(line), _length(line)
            if cut and dash:
                # the rest of a cut line is a path of its own, as its dashes begin elsewhere
                drawn = f"[{dash}] {_num(cut)} d {_ring(line)} S [{dash}] 0 d"
                self.canvas.addLiteral(drawn)
                continue
            path.append(_ring(line) + (" h" if stroke.closed and cut is None else ""))
        if path:
            self.canvas.addLiteral("\n".join([*path, "S"]))
        self.canvas.restoreState()

    def _text(self, text: Text) -> None:
        if not text.text or text.size <= 0:
            return
        font = registered_font(text.font)
        cos, sin = math.cos(math.radians(text.angle)), math.sin(math.radians(text.angle))
        x, y = text_origin(text)
        show: list[str] = []
        # the document is private, and what reportlab's protocol of subset fonts asks for
        document = self.canvas._doc  # type: ignore[attr-defined]
        for subset, letters in font.splitString(text.text, document):
            name = font.getSubsetInternalName(subset, document)
            show.append(f"{name} {_num(text.size)} Tf <{letters.hex()}> Tj")
        place = f"{_matrix(cos, sin, sin, -cos, x, y)} Tm"
        spacing = f"{_num(text.spacing)} Tc " if text.spacing else ""
        body = f"{spacing}{place} {' '.join(show)}"
        self._begin(text.opacity)
        if text.halo:
            pen = f"{_color(text.halo.color)} RG {_num(2 * text.halo.width)} w 1 J 1 j"
            # stroked and filled underneath, so that no counter of a letter shines through
            fill = f"{_color(text.halo.color)} rg"
            self.canvas.addLiteral(f"{pen} {fill} BT 2 Tr {body} ET")
        # the mode is said explicitly: it outlives a text object
        self.canvas.addLiteral(f"{_color(text.color)} rg BT 0 Tr {body} ET")
        self.canvas.restoreState()

    def _picture(self, picture: Picture) -> None:
        drawing = self.symbols.drawing(picture.name, picture.colors)
        scale = min(picture.width / drawing.width, picture.height / drawing.height)
        cos = scale * math.cos(math.radians(picture.angle))
        sin = scale * math.sin(math.radians(picture.angle))
        # the drawing's middle comes to the box's middle; its own y runs up
        dx, dy = drawing.width / 2, drawing.height / 2
        x = picture.x + picture.width / 2 - cos * dx - sin * dy
        y = picture.y + picture.height / 2 - sin * dx + cos * dy
        name = self.forms[picture.name, picture.colors]
        self._form(name, _matrix(cos, sin, sin, -cos, x, y))


def _unsnapped(ring: Ring) -> Ring:
    """A ring that PDFium will not take for an upright rectangle.

    It moves those to whole pixels, a pixel too large as often as not. A point that dents one side
    by a micrometre is enough to have it drawn like any other ring.
    """
    if len(ring) not in {4, 5}:
        return ring
    (x0, y0), (x1, y1) = ring[0], ring[1]
    dent = 0.001
    middle = ((x0 + x1) / 2 + (dent if x0 == x1 else 0), (y0 + y1) / 2 + (dent if y0 == y1 else 0))
    return (ring[0], middle, *ring[1:])


def _pieces(stroke: Stroke) -> Iterator[tuple[Ring, float | None]]:
    """Each line, cut where it is too long; ``None`` for a whole one, else where its dashes are."""
    for line in stroke.lines:
        if not line:
            continue
        if len(line) <= POINTS_PER_PATH and _length(line) <= LENGTH_PER_PATH:
            yield line, None
            continue
        whole = (*line, line[0]) if stroke.closed else line
        start, begun, length = 0, 0.0, 0.0
        for index, (a, b) in enumerate(itertools.pairwise(whole), 1):
            length += math.dist(a, b)
            if index - start == POINTS_PER_PATH or length - begun > LENGTH_PER_PATH:
                yield whole[start : index + 1], begun
                start, begun = index, length
        if start < len(whole) - 1:
            yield whole[start:], begun


def _islands(rings: Sequence[Ring]) -> list[list[Ring]]:
    """Rings grouped so that no hull of one group meets one of another: holes stay in them."""
    import shapely

    hulls = [shapely.LineString(ring).convex_hull for ring in rings]
    group = list(range(len(rings)))

    def root(index: int) -> int:
        while group[index] != index:
            group[index] = group[group[index]]
            index = group[index]
        return index

    for one, other in zip(*shapely.STRtree(hulls).query(hulls, "intersects"), strict=True):
        group[root(int(one))] = root(int(other))
    islands: dict[int, list[Ring]] = {}
    for index, ring in enumerate(rings):
        islands.setdefault(root(index), []).append(ring)
    # as few paths as may be: many small islands go together
    paths: list[list[Ring]] = []
    room = 0.0
    for island in islands.values():
        length = sum(map(_length, island))
        if length > room:
            paths.append([])
            room = 2 * LENGTH_PER_PATH
        paths[-1] += island
        room -= length
    return paths


def _length(line: Sequence[Point]) -> float:
    return sum(map(math.dist, line, line[1:]))

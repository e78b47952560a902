"""What `lint` and `build` both do first: read a game, its face layouts, and paint every counter.

Nothing is rendered or written here; all mistakes are collected, so that all are told at once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from builder.draw.charts import chart_scene, compact_chart_scene, read_chart_style
from builder.draw.counters import FaceArt, counter_faces
from builder.draw.layouts import Layout, read_layouts
from builder.draw.map_style import map_style, style_problems
from builder.draw.palette import ColorPalette, read_palette
from builder.draw.scene import (
    Element,
    Fill,
    Picture,
    Repeat,
    Scene,
    Stroke,
    rounded_rectangle,
)
from builder.draw.symbols import SymbolLibrary
from builder.gamebox.charts import Chart, RuleRow, turn_box_notes
from builder.gamebox.lines import Grammar, open_lines
from builder.gamebox.model import Counter, FaceImage, Game
from builder.gamebox.numbers import with_new_gpids
from builder.gamebox.open import read_game
from builder.gamebox.open_charts import open_charts, open_rules
from builder.gamebox.open_help import HelpFile, open_help
from builder.problems import DataError, ProblemLog, Source, UnreadableError, did_you_mean
from builder.rulesets.registry import rules_problems
from builder.vassal.game_module import slot_ids
from builder.vassal.game_pieces import PieceMaker, prototype_pieces
from builder.vassal.pieces import Piece, pictures_of
from builder.workspace import Workspace

SYMBOL_MM = 3.4
"""Size of a symbol that lies on a counter, such as the moved mark."""
_SYMBOL_PICTURE = re.compile(r"([A-Za-z0-9_]+)(?:-(\d+(?:\.\d+)?)mm)?(-tile)?\.png")

__all__ = ["OpenBox", "SymbolPicture", "drawings", "face_images", "open_box", "pixel_size"]


@dataclass(frozen=True, slots=True)
class SymbolPicture:
    """A symbol as a picture of its own: its size in millimetres, and whether it lies on a tile."""

    symbol: str
    size: float
    is_tile: bool = False

    def scene(self) -> Scene:
        """Return what to draw."""
        size = self.size
        if not self.is_tile:
            return Scene(size, size, (Picture(self.symbol, 0, 0, size, size),))
        edge = rounded_rectangle(0.2, 0.2, size - 0.4, size - 0.4, 0.18 * size, 6)
        inner, margin = 0.68 * size, 0.16 * size
        return Scene(
            size,
            size,
            (
                Fill((edge,), "#f7f3e6"),
                Stroke((edge,), "#8c8676", 0.3, closed=True),
                Picture(self.symbol, margin, margin, inner, inner),
            ),
        )


@dataclass(frozen=True, slots=True)
class OpenBox:
    """A game with everything that is drawn of it, and its pieces for VASSAL.

    ``chart_scenes`` maps charts by name to their pages, ``panels`` are those on the map.

    ``faces`` maps counter ids to painted faces, ``pieces`` slot ids to pieces; ``game.gpids``
    holds a number for every slot, ``new_gpids`` those given just now. ``symbol_pictures`` are the
    pictures that pieces show beside their faces, by file name. Only usable if ``log`` has no
    errors.
    """

    game: Game
    charts: tuple[Chart, ...]
    chart_scenes: Mapping[str, Scene]
    rules: tuple[RuleRow, ...]
    help_texts: HelpFile
    grammar: Grammar | None
    panels: tuple[Element, ...]
    palette: ColorPalette
    symbols: SymbolLibrary
    faces: Mapping[str, tuple[FaceArt, ...]]
    prototypes: Mapping[str, Piece]
    pieces: Mapping[str, Piece]
    new_gpids: tuple[str, ...]
    symbol_pictures: Mapping[str, SymbolPicture]
    log: ProblemLog


def open_box(folder: Path, workspace: Workspace) -> OpenBox:
    """Read and paint a game; all mistakes are in the log of the result.

    Raises :class:`DataError` only if so much is missing that there is no game.
    """
    game, problems = read_game(folder)
    log = ProblemLog(list(problems))
    if game is not None and not log.errors:
        # what follows for the rules from a mistake in reading is not told beside it
        log.problems += rules_problems(game)
    palette, symbols, layouts = drawings(workspace, log)
    if game is None:
        raise DataError(log.problems)
    charts = open_charts(game, log)
    chart_scenes, panels = _charts(game, charts, workspace, palette, symbols, log)
    notes = turn_box_notes(charts)
    boxes = tuple(replace(b, notes=notes.get(b.name, ())) for b in game.map.boxes)
    game = replace(game, map=replace(game.map, boxes=boxes))
    log.problems += style_problems(game.map, map_style(game.map.style, palette.flat()))
    # a row with a mistake is not painted: what follows from the mistake is not told beside it
    wrong = {(p.source.path, p.source.line) for p in log.errors}
    faces = {
        counter.id: ()
        if (counter.source.path, counter.source.line) in wrong
        else _faces(counter, layouts, palette, symbols, log)
        for counter in game.counters
    }
    slots = slot_ids(game)
    numbers = with_new_gpids(game.gpids, (slot for slot, _, _ in slots))
    new = tuple(slot for slot in numbers if slot not in game.gpids)
    game = replace(game, gpids=numbers)
    prototypes = prototype_pieces(game, log)
    scale = game.map.frame.px_per_mm
    images = {key: face_images(arts, scale) for key, arts in faces.items()}
    maker = PieceMaker(game, images, log)
    pieces: dict[str, Piece] = {}
    for slot, counter_id, _ in slots:
        piece = maker.piece(game.counter(counter_id), numbers[slot]) if faces[counter_id] else None
        if piece is not None:
            pieces[slot] = piece
    pictures = _pictures(game, prototypes, pieces, faces, symbols, log)
    return OpenBox(
        game=game,
        charts=charts,
        chart_scenes=chart_scenes,
        rules=open_rules(folder, log),
        help_texts=open_help(folder, log),
        grammar=open_lines(folder, log),
        panels=panels,
        palette=palette,
        symbols=symbols,
        faces=faces,
        prototypes=prototypes,
        pieces=pieces,
        new_gpids=new,
        symbol_pictures=pictures,
        log=log,
    )


def _charts(
    game: Game,
    charts: tuple[Chart, ...],
    workspace: Workspace,
    palette: ColorPalette,
    symbols: SymbolLibrary,
    log: ProblemLog,
) -> tuple[dict[str, Scene], tuple[Element, ...]]:
    """Return each chart as a page, and the panels of the map at their places."""
    path = workspace.find("templates", "pages", "chart.toml")
    if path is None:
        raise UnreadableError("no templates/pages/chart.toml in the project or the package")
    style = read_chart_style(path, palette, log)
    if style is None:
        return {}, ()
    scenes = {}
    for chart in charts:
        scene = chart_scene(chart, style, palette, symbols.paths, log)
        if scene is not None:
            scenes[chart.name] = scene
    panels: list[Element] = []
    known = {chart.name: chart for chart in charts}
    scale = game.map.frame.px_per_mm
    for panel in game.map.panels:
        if panel.chart not in known:
            hint = did_you_mean(panel.chart, known)
            log.add(panel.source, f"no chart {panel.chart!r}{hint}")
            continue
        drawn = compact_chart_scene(
            known[panel.chart],
            style,
            palette,
            symbols.paths,
            log,
            width_mm=panel.width / scale,
            height_mm=panel.height / scale,
        )
        if drawn is not None:
            panels.append(Repeat(drawn.elements, ((panel.x / scale, panel.y / scale),)))
    return scenes, tuple(panels)


def drawings(
    workspace: Workspace, log: ProblemLog
) -> tuple[ColorPalette, SymbolLibrary, dict[str, Layout]]:
    """Return the palette, the symbols and the face layouts of a project; mistakes are noted."""
    path = workspace.find("art", "palette.toml")
    if path is None:
        raise UnreadableError("no art/palette.toml in the project or the package")
    palette = read_palette(path, log)
    symbols = SymbolLibrary(workspace.files("art/symbols", ".svg"))
    layouts = read_layouts(
        workspace.files("templates/counters", ".toml"), log, palette=palette, symbols=symbols.paths
    )
    return palette, symbols, layouts


def _faces(
    counter: Counter,
    layouts: Mapping[str, Layout],
    palette: ColorPalette,
    symbols: SymbolLibrary,
    log: ProblemLog,
) -> tuple[FaceArt, ...]:
    layout = layouts.get(counter.layout)
    if layout is None:
        hint = did_you_mean(counter.layout, layouts)
        log.add(counter.source, f"{counter.id}: unknown layout {counter.layout!r}{hint}")
        return ()
    return counter_faces(counter, layout, palette, symbols=symbols.paths, log=log)


def face_images(arts: tuple[FaceArt, ...], px_per_mm: float) -> tuple[FaceImage, ...]:
    """Return what the module needs to know of painted faces, at the scale of the map."""
    return tuple(FaceImage(a.role, a.level, a.file, *pixel_size(a, px_per_mm)) for a in arts)


def pixel_size(art: FaceArt, px_per_mm: float) -> tuple[int, int]:
    """Return width and height of a face's picture."""
    return round(art.scene.width * px_per_mm), round(art.scene.height * px_per_mm)


def _pictures(
    game: Game,
    prototypes: Mapping[str, Piece],
    pieces: Mapping[str, Piece],
    faces: Mapping[str, tuple[FaceArt, ...]],
    symbols: SymbolLibrary,
    log: ProblemLog,
) -> dict[str, SymbolPicture]:
    """Return the pictures that are no face, by file.

    ``moved.png`` is symbol ``moved``, ``die_miss-10mm-tile.png`` symbol ``die_miss`` on a white
    tile of that size.
    Notes two counters that would write one file, and pictures that nothing gives.
    """
    painted: dict[str, str] = {}
    for counter in game.counters:
        for art in faces[counter.id]:
            if art.file.casefold() in painted and painted[art.file.casefold()] != counter.id:
                other = painted[art.file.casefold()]
                log.add(counter.source, f"{counter.id} and {other} both write picture {art.file}")
            painted[art.file.casefold()] = counter.id
    files = {art.file for arts in faces.values() for art in arts}
    found: dict[str, SymbolPicture] = {}
    sources = {p.name: p.source for p in game.prototypes}
    for name, piece in (*prototypes.items(), *pieces.items()):
        for picture in pictures_of(piece):
            if picture in files or picture.startswith("/"):
                continue
            named = _SYMBOL_PICTURE.fullmatch(picture)
            if named and named[1] in symbols.paths:
                size = float(named[2] or SYMBOL_MM)
                found[picture] = SymbolPicture(named[1], size, bool(named[3]))
            else:
                known = [*files, *(f"{s}.png" for s in symbols.paths)]
                source = sources.get(name, Source("prototypes.toml"))
                log.add(source, f"no picture {picture!r}{did_you_mean(picture, known)}")
    return dict(sorted(found.items()))

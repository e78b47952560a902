"""Game's folder -> dist/GAME.vmod: draw map and counters, make the pieces, pack it all.

mapdata + templates + art -> Game -> Scenes -> PNG ┐
                             Game -> Pieces, Board ┴-> buildFile.xml -> zip
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from builder.draw.hands import hand_scene
from builder.draw.map import map_scene
from builder.draw.to_png import image_to_png, scene_to_image, scenes_to_images
from builder.gamebox.numbers import gpids_csv, next_gpid
from builder.jobs.open_box import OpenBox, open_box, pixel_size
from builder.problems import DataError, Problem, ProblemLog, Source, UnreadableError
from builder.report.help_pages import help_pages, help_zip
from builder.vassal.archive import save_time_ms, write_archive
from builder.vassal.buildfile import (
    Component,
    moduledata_xml,
    read_buildfile,
    savedata_xml,
    write_buildfile,
)
from builder.vassal.game_module import game_component
from builder.vassal.game_save import setup_save
from builder.vassal.game_windows import hand_image
from builder.vassal.module_check import check_module
from builder.vassal.savefile import save_bytes
from builder.workspace import Workspace, atomic_write, open_workspace

__all__ = ["BuildResult", "build_module", "help_of"]

Progress = Callable[[str, int, int], None]
BOARD_IMAGE = "map.png"
ABOUT_IMAGE = "about.png"
ABOUT_WIDTH = 640
CHART_PX_PER_MM = 6.0
HELP_TITLE = "Rules"


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build wrote. ``new_gpids`` are slots that were numbered for the first time."""

    module: Path
    map_picture: Path | None
    counters: int
    pictures: int
    new_gpids: tuple[str, ...]
    warnings: tuple[Problem, ...]


def build_module(
    folder: Path,
    target: Path,
    *,
    workspace: Workspace | None = None,
    map_picture: bool = False,
    progress: Progress = lambda _what, _done, _total: None,
) -> BuildResult:
    """Build the module of the game in ``folder``; the picture of its map goes beside it.

    Raises :class:`~builder.problems.DataError` with every mistake in the game's files; then
    nothing is written. Same files, same bytes.
    """
    workspace = workspace or open_workspace()
    progress("reading", 0, 100)
    box = open_box(folder, workspace)
    box.log.check()
    progress("drawing the map", 15, 100)
    board = _map_png(box)
    progress("drawing counters", 45, 100)
    images = {BOARD_IMAGE: board.png, ABOUT_IMAGE: board.about, **_counter_pngs(box)}
    images |= _chart_pngs(box) | _hand_pngs(box)
    progress("packing", 85, 100)
    members = _members(box, images, workspace)
    if box.new_gpids:
        # before the module: one whose numbers were not kept would orphan the games saved with it
        atomic_write(folder / "gpids.csv", gpids_csv(box.game.gpids))
    target.parent.mkdir(parents=True, exist_ok=True)
    write_archive(target, members)
    picture = target.with_name(f"{target.stem}-map.png") if map_picture else None
    if picture:
        atomic_write(picture, board.png)
    progress("done", 100, 100)
    return BuildResult(
        module=target,
        map_picture=picture,
        counters=len(box.game.counters),
        pictures=len(images),
        new_gpids=box.new_gpids,
        warnings=tuple(sorted(set(box.log.warnings))),
    )


@dataclass(frozen=True, slots=True)
class _BoardPictures:
    png: bytes
    about: bytes


def _map_png(box: OpenBox) -> _BoardPictures:
    frame = box.game.map.frame
    board = map_scene(box.game.map, box.palette.flat())
    scene = replace(board, elements=(*board.elements, *box.panels))
    image = scene_to_image(scene, size=(frame.width, frame.height), symbols=box.symbols)
    height = max(1, round(ABOUT_WIDTH * frame.height / frame.width))
    about = image.resize((ABOUT_WIDTH, height), reducing_gap=2.0)
    return _BoardPictures(image_to_png(image), image_to_png(about))


def _counter_pngs(box: OpenBox) -> dict[str, bytes]:
    scale = box.game.map.frame.px_per_mm
    arts = [art for faces in box.faces.values() for art in faces]
    names = [*(art.file for art in arts), *box.symbol_pictures]
    marks = [picture.scene() for picture in box.symbol_pictures.values()]
    scenes = [*(art.scene for art in arts), *marks]
    images = scenes_to_images(scenes, scale, symbols=box.symbols)
    return {name: image_to_png(image) for name, image in zip(names, images, strict=True)}


def _chart_pngs(box: OpenBox) -> dict[str, bytes]:
    scenes = list(box.chart_scenes.values())
    images = scenes_to_images(scenes, CHART_PX_PER_MM, symbols=box.symbols) if scenes else []
    return {
        f"chart-{name}.png": image_to_png(image)
        for name, image in zip(box.chart_scenes, images, strict=True)
    }


def _hand_pngs(box: OpenBox) -> dict[str, bytes]:
    """Return the pictures of private windows that have boxes, a pixel for each of the window's."""
    scale = box.game.map.frame.px_per_mm
    pictured = {name: hand for hand in box.game.module.hand if (name := hand_image(hand))}
    return {
        name: image_to_png(
            scene_to_image(
                hand_scene(hand, scale), size=(hand.width, hand.height), symbols=box.symbols
            )
        )
        for name, hand in pictured.items()
    }


def help_of(box: OpenBox, workspace: Workspace) -> bytes:
    """Return the help pages as the ZIP that VASSAL unpacks.

    Raises :class:`~builder.problems.DataError` for unknown symbols and colors in them.
    """
    log = ProblemLog()
    pages = help_pages(
        box.game,
        box.charts,
        box.rules,
        box.help_texts,
        box.grammar,
        templates=workspace.files("templates/help", ".html"),
        symbols=box.symbols.paths,
        palette=box.palette,
        log=log,
    )
    log.check()
    return help_zip(pages)


def _members(box: OpenBox, images: Mapping[str, bytes], workspace: Workspace) -> dict[str, bytes]:
    game = box.game
    moduledata = moduledata_xml(
        game.module.name,
        game.version,
        saved_ms=save_time_ms(),
        vassal_version=game.module.vassal,
        description=game.description,
    )
    setups = _setups(box, moduledata)
    help_pages_zip = help_of(box, workspace)
    root = game_component(
        _template(workspace),
        game,
        prototypes=box.prototypes,
        pieces=box.pieces,
        sizes=_sizes(box),
        board_image=BOARD_IMAGE,
        about_image=ABOUT_IMAGE,
        charts={c.title: f"chart-{c.name}.png" for c in box.charts if c.name in box.chart_scenes},
        help_title=HELP_TITLE,
        setup_files={name: file for name, (file, _) in setups.items()},
        next_gpid=next_gpid(game.gpids),
    )
    findings = check_module(root, images)
    if findings:
        # the data was checked before: what is left comes from the template, or from names in it
        source = Source("templates/module/buildFile.xml")
        raise DataError([Problem(source, f"{where}: {what}") for where, what in findings])
    members = {f"images/{name}": data for name, data in images.items()}
    members["buildFile.xml"] = write_buildfile(root)
    members["moduledata"] = moduledata
    members |= dict(setups.values())
    members[f"help/{HELP_TITLE}"] = help_pages_zip
    return members


def _setups(box: OpenBox, moduledata: bytes) -> dict[str, tuple[str, bytes]]:
    """Return set-up to the archive's member, name and saved game; none for an ordinary deal."""
    game = box.game
    savedata = savedata_xml(
        game.version, saved_ms=save_time_ms(), vassal_version=game.module.vassal
    )
    found: dict[str, tuple[str, bytes]] = {}
    for setup in game.module.setup:
        starts = next((s.starts for s in game.scenarios if s.name == setup.scenario), {})
        if not (starts or setup.properties or setup.note):
            continue
        file = "".join(c if c.isalnum() else "-" for c in setup.name) + ".vsav"
        tree = setup_save(game, setup, box.pieces, box.prototypes)
        found[setup.name] = (file, save_bytes(tree, savedata=savedata, moduledata=moduledata))
    return found


def _template(workspace: Workspace) -> Component:
    path = workspace.find("templates", "module", "buildFile.xml")
    if path is None:
        raise UnreadableError("no templates/module/buildFile.xml in the project or the package")
    return read_buildfile(path.read_bytes())


def _sizes(box: OpenBox) -> dict[str, tuple[int, int]]:
    """Return the size of each counter's first face in pixels."""
    scale = box.game.map.frame.px_per_mm
    return {key: pixel_size(arts[0], scale) for key, arts in box.faces.items()}

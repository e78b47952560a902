"""Real geography becomes hex truth: ``area.geojson`` and the grid of ``map.toml`` become
``terrain.txt``, ``hexsides.csv``, ``routes.csv`` and ``places.csv``.

These four are meant to be corrected by hand afterwards. So the tracer keeps, in the folder
``traced/``, what it wrote last; when it runs again, what the hand has changed since stays, and
only what the geography has changed is brought in. A map with no ``traced/`` folder is taken to be
by hand altogether.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from builder.gamebox.files import MapFile
from builder.gamebox.open_map import MAX_HEXES, grid_of, open_map_file
from builder.hexes.field import HexField
from builder.hexes.geography import read_features
from builder.hexes.grid import HexGrid
from builder.hexes.lattice import Hex
from builder.jobs.trace_hexes import Tracer
from builder.jobs.trace_settings import read_settings
from builder.jobs.trace_tables import REORDERED, Table, merged, table_of_csv, terrain_table
from builder.problems import DataError, Problem, ProblemLog, Source, UnreadableError
from builder.reading import read_csv, read_letter_grid, read_text
from builder.workspace import writing

__all__ = ["TraceResult", "TracedFile", "trace_map"]

Progress = Callable[[str, int, int], None]
TRACED = "traced"
_STEPS = ("reading", "places", "terrain", "rivers", "roads", "files")
_MINE = "# What the tracer wrote last; it compares with this to find corrections by hand.\n"


@dataclass(frozen=True, slots=True)
class TracedFile:
    """What the tracer did, or with ``check`` would do, to one file.

    ``changes`` are differences between the file as it was and as it is now; ``by_hand`` those
    between what the tracer says and what the file now says; ``conflicts`` are corrections by hand
    of something that the geography has changed since. ``backup`` is the copy that was kept.
    """

    name: str
    status: Literal["new", "changed", "unchanged"]
    changes: tuple[str, ...] = ()
    by_hand: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    backup: str = ""


@dataclass(frozen=True, slots=True)
class TraceResult:
    """The four files, and what was odd about the geography."""

    files: tuple[TracedFile, ...]
    warnings: tuple[Problem, ...]

    @property
    def is_current(self) -> bool:
        """Tell whether the files were already as the tracer would leave them."""
        return all(file.status == "unchanged" for file in self.files)


def trace_map(
    folder: Path,
    *,
    check: bool = False,
    overwrite: bool = False,
    progress: Progress | None = None,
) -> TraceResult:
    """Trace the map of a game's folder.

    With ``check`` nothing is written. With ``overwrite`` corrections by hand are given up; the
    file that had them is kept beside the new one, named ``.bak``. ``progress`` is called with the
    name of a step, its number and the number of steps.

    Raises :class:`DataError` with every mistake in the geography, in ``map.toml`` and in the files
    that hold corrections; then nothing is written. Raises :class:`UnreadableError` if there is no
    such folder.
    """
    if not folder.is_dir():
        raise UnreadableError(f"no folder {str(folder)!r}")
    log = ProblemLog()

    def tell(step: str) -> None:
        if progress:
            progress(step, _STEPS.index(step), len(_STEPS))

    tell("reading")
    opened = open_map_file(folder, log)
    text = read_text(folder / "area.geojson", log)
    features = read_features(text, "area.geojson", log) if text is not None else ()
    if opened is None:
        raise DataError(log.problems)
    sheet, toml = opened
    _check_size(sheet, toml.source("grid"), log)
    settings = read_settings(toml, sheet, log)
    log.check()
    assert settings is not None, "settings without problems are settings"
    projection, table = settings
    field = HexField(grid_of(sheet), sheet.grid.columns, sheet.grid.rows)
    tables = Tracer(field, projection, table, sheet, toml, log).trace(features, tell)
    log.check()

    tell("files")
    names = {letter: t.name for letter, t in sheet.terrain.items()}
    outcomes = [
        _outcome(folder, new, sheet, field.grid, names, log, overwrite=overwrite) for new in tables
    ]
    log.check()
    if not check:
        _write(folder, outcomes)
    if progress:
        progress("files", len(_STEPS), len(_STEPS))
    return TraceResult(tuple(o.file for o in outcomes), tuple(sorted(set(log.warnings))))


def _check_size(sheet: MapFile, source: Source, log: ProblemLog) -> None:
    grid = sheet.grid
    if grid.columns < 1 or grid.rows < 1 or grid.columns * grid.rows > MAX_HEXES:
        log.add(source, f"columns and rows: expected 1 to {MAX_HEXES} hexes in all")
    if not (grid.dx >= 1 and grid.dy >= 1):
        log.add(source, "dx and dy: expected at least 1 pixel")


@dataclass(frozen=True, slots=True)
class _Outcome:
    file: TracedFile
    text: str
    traced: str


def _outcome(
    folder: Path,
    new: Table,
    sheet: MapFile,
    grid: HexGrid,
    names: Mapping[str, str],
    log: ProblemLog,
    *,
    overwrite: bool,
) -> _Outcome:
    """Decide what becomes of one file."""
    traced = _MINE + new.text()
    path = folder / new.name
    if not path.exists():
        return _Outcome(TracedFile(new.name, "new"), new.text(), traced)
    mine = _read(path, new, sheet, grid, log)
    if mine is None:
        return _Outcome(TracedFile(new.name, "unchanged"), "", traced)
    base_path = folder / TRACED / new.name
    base = new
    if base_path.exists():
        base = _read(base_path, new, sheet, grid, log, shown=f"{TRACED}/{new.name}") or new
    merge = merged(base, mine, new, names)
    result, by_hand, conflicts = merge.table, merge.by_hand, merge.conflicts
    if by_hand == (REORDERED,):
        by_hand = ()
    if overwrite:
        result, conflicts = new, ()
    elif not base.differences(mine, names):
        result = replace(new, comments=mine.comments)
    changes = mine.differences(result, names)
    if changes == (REORDERED,) and result is merge.table:
        # rows moved about by hand are no reason to write the file again
        changes = ()
    file = TracedFile(
        new.name,
        "changed" if changes else "unchanged",
        changes,
        () if overwrite else by_hand,
        conflicts,
        f"{new.name}.bak" if overwrite and by_hand else "",
    )
    return _Outcome(file, result.text() if changes else "", traced)


def _read(
    path: Path,
    new: Table,
    sheet: MapFile,
    grid: HexGrid,
    log: ProblemLog,
    shown: str | None = None,
) -> Table | None:
    before = len(log.errors)
    text = read_text(path, ProblemLog()) or ""
    comments = tuple(line for line in text.split("\n") if line.startswith("#"))
    if new.name == "terrain.txt":
        cells = read_letter_grid(
            path, sheet.grid.columns, sheet.grid.rows, sheet.terrain, log, shown
        )
        found = terrain_table({Hex(*at): str(c) for at, c in cells.items()}, grid, comments)
    else:
        read = read_csv(path, log, new.columns[:3], shown)
        if read is None:
            return None
        found = table_of_csv(read, grid, new.name, comments)
    return found if len(log.errors) == before else None


def _write(folder: Path, outcomes: Iterable[_Outcome]) -> None:
    """Write everything to temporary files first, so that either all files appear or none."""
    (folder / TRACED).mkdir(exist_ok=True)
    with ExitStack() as stack:
        for outcome in outcomes:
            name = outcome.file.name
            if outcome.file.backup and outcome.text:
                old = (folder / name).read_bytes()
                stack.enter_context(writing(folder / outcome.file.backup)).write(old)
            if outcome.text:
                stack.enter_context(writing(folder / name)).write(outcome.text.encode())
            traced = folder / TRACED / name
            if not traced.exists() or traced.read_bytes() != outcome.traced.encode():
                stack.enter_context(writing(traced)).write(outcome.traced.encode())

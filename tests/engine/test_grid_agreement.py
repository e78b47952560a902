"""Our hex grid against VASSAL's, pixel by pixel.

One module holds a map for every grid below; VASSAL names and snaps several thousand pixels of each
in one run. The engine is older than 3.7.0, so it snaps by rectangles (``before_3_7``); the newer
snapping is checked against recorded answers elsewhere.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest
from engine.tiny_module import BUILD_FILE, pictures, write_module
from engine.vassal import EngineRun

from builder.hexes.grid import Hex, HexGrid, Numbering

pytestmark = pytest.mark.engine

POINTS = 5000
NAMES = 400
OFFBOARD = "offboard"


@dataclass(frozen=True)
class Case:
    """A grid in VASSAL's own attributes, typed here and not written by the code under test."""

    size: tuple[int, int]
    grid: dict[str, str]
    numbering: dict[str, str]

    def ours(self) -> HexGrid:
        n, g = self.numbering, self.grid
        return HexGrid(
            dx=float(g["dx"]),
            dy=float(g["dy"]),
            x0=int(g["x0"]),
            y0=int(g["y0"]),
            extent=self.size,
            sideways=g["sideways"] == "true",
            edges_legal=g.get("edgesLegal") == "true",
            corners_legal=g.get("cornersLegal") == "true",
            numbering=Numbering(
                first="V" if n["first"] == "V" else "H",
                sep=n["sep"],
                h_type="A" if n["hType"] == "A" else "N",
                v_type="A" if n["vType"] == "A" else "N",
                h_leading=int(n["hLeading"]),
                v_leading=int(n["vLeading"]),
                h_off=int(n["hOff"]),
                v_off=int(n["vOff"]),
                h_descend=n["hDescend"] == "true",
                v_descend=n["vDescend"] == "true",
                stagger=n["stagger"] == "true",
                location_format=n["locationFormat"],
            ),
        )


PLAIN = {
    "first": "H",
    "sep": "",
    "hType": "N",
    "vType": "N",
    "hLeading": "1",
    "vLeading": "1",
    "hOff": "1",
    "vOff": "1",
    "hDescend": "false",
    "vDescend": "false",
    "stagger": "false",
    "locationFormat": "$gridLocation$",
}


def _case(
    size: tuple[int, int], dx: str, dy: str, x0: int, y0: int, sideways: bool, **numbering: str
) -> Case:
    grid = {"dx": dx, "dy": dy, "x0": str(x0), "y0": str(y0), "sideways": str(sideways).lower()}
    for flag in ("edgesLegal", "cornersLegal"):
        if flag in numbering:
            grid[flag] = numbering.pop(flag)
    return Case(size, grid, {**PLAIN, **numbering})


CASES = {
    "flat, whole sizes": _case((1000, 800), "52.0", "60.0", 34, 30, False),
    "flat, fractional": _case((900, 700), "47.63", "55.31", 12, -7, False, sep="."),
    "flat, staggered": _case((1000, 800), "52.0", "60.0", 34, 30, False, stagger="true"),
    "flat, rows descending": _case(
        (1000, 800), "52.0", "60.0", 34, 30, False, vDescend="true", stagger="true", vOff="-4"
    ),
    "flat, columns descending": _case(
        (811, 633), "41.57", "48.0", 5, 24, False, hDescend="true", vOff="0"
    ),
    "flat, letters": _case(
        (1800, 500), "30.31", "35.0", 3, 17, False, hType="A", hOff="0", first="V", sep="-"
    ),
    "pointy, whole sizes": _case((1000, 900), "54.0", "62.0", 40, 31, True),
    "pointy, fractional": _case((700, 950), "38.97", "45.5", -3, 11, True, stagger="true"),
    "pointy, both descending": _case(
        (960, 640),
        "43.301",
        "50.01",
        20,
        25,
        True,
        hDescend="true",
        vDescend="true",
        locationFormat="$column$/$row$",
    ),
    "flat, edges and corners": _case(
        (600, 600), "60.0", "70.0", 40, 35, False, edgesLegal="true", cornersLegal="true"
    ),
}


def _map(name: str, case: Case) -> str:
    def attributes(values: dict[str, str]) -> str:
        return " ".join(f"{k}={quoteattr(v)}" for k, v in values.items())

    width, height = case.size
    prefix = "VASSAL.build.module.map"
    grid = f"{prefix}.boardPicker.board"
    flags = {"edgesLegal": "false", "cornersLegal": "false", "snapTo": "true", "visible": "false"}
    return (
        f'<VASSAL.build.module.Map mapName={quoteattr(name)} launch="true" buttonName="m" icon="">'
        f'<{prefix}.BoardPicker><{prefix}.boardPicker.Board name="B" width="{width}"'
        f' height="{height}" color="255,255,255"><{grid}.HexGrid {attributes(flags | case.grid)}>'
        f"<{grid}.mapgrid.HexGridNumbering {attributes(case.numbering)}/>"
        f"</{grid}.HexGrid></{prefix}.boardPicker.Board></{prefix}.BoardPicker>"
        "</VASSAL.build.module.Map>\n"
    )


def _pixels(case: Case, seed: int) -> list[tuple[int, int]]:
    """Random pixels, and the whole neighborhood of a corner where the rules meet."""
    chooser = random.Random(seed)
    width, height = case.size
    points = [(chooser.randrange(width), chooser.randrange(height)) for _ in range(POINTS)]
    points += [(x, y) for x in range(width // 2, width // 2 + 40, 2) for y in range(0, 40, 2)]
    return points + [(x, y) for x in (0, width - 1) for y in range(0, height, 7)]


@dataclass(frozen=True)
class Answers:
    """What VASSAL says: rows of ``hexnames`` and of ``hexpoints``."""

    names: list[tuple[int, int, str, int, int, str]]
    points: list[tuple[str, int | None, int | None]]


@pytest.fixture(scope="module")
def answers(
    vassal: Callable[..., EngineRun], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Answers]:
    folder = tmp_path_factory.mktemp("grids")
    maps = "".join(_map(name, case) for name, case in CASES.items())
    end = "  <VASSAL.build.module.Chatter/>"
    text = BUILD_FILE.replace(end, maps + end)
    module = write_module(folder / "grids.vmod", text, pictures())
    lines = ["newgame German"]
    for number, (name, case) in enumerate(CASES.items()):
        pixels, labels = folder / f"{number}.json", folder / f"{number}.txt"
        pixels.write_text(json.dumps(_pixels(case, number)), encoding="utf-8")
        # Names for the way back: of hexes on the board, as VASSAL is to be asked for them.
        labels.write_text("\n".join(_labels(case)), encoding="utf-8")
        lines += [f'hexnames "{name}" {pixels}', f'hexpoints "{name}" {labels}']
    run = vassal(module, lines)
    assert run.problem_texts == []
    return {
        name: Answers([tuple(r) for r in names.data], [tuple(r) for r in points.data])
        for name, names, points in zip(
            CASES, run.all("hexnames"), run.all("hexpoints"), strict=True
        )
    }


def _labels(case: Case) -> list[str]:
    grid = case.ours()
    hexes = (Hex(c, r) for c in range(-1, 40) for r in range(-1, 40))
    on_board = [grid.label(h) for h in hexes if grid.is_on_board(h)]
    return on_board[:: max(1, len(on_board) // NAMES)]


def _first(differences: list[Any]) -> str:
    return f"{len(differences)} differ, first {differences[:3]}"


@pytest.mark.parametrize("name", CASES)
def test_every_pixel_has_the_name_vassal_gives(answers: dict[str, Answers], name: str) -> None:
    grid = CASES[name].ours()
    rows = answers[name].names
    assert len(rows) > POINTS
    wrong = [
        (x, y, theirs, ours) for x, y, theirs, *_ in rows if (ours := grid.name_at(x, y)) != theirs
    ]
    assert not wrong, _first(wrong)


@pytest.mark.parametrize("name", CASES)
def test_every_pixel_snaps_where_vassal_snaps(answers: dict[str, Answers], name: str) -> None:
    case = CASES[name]
    grid = case.ours()
    wrong = []
    for x, y, _, their_x, their_y, their_name in answers[name].names:
        ours = _pulled(*grid.snap(x, y, before_3_7=True), case.size)
        inside = 0 <= ours[0] < case.size[0] and 0 <= ours[1] < case.size[1]
        our_name = grid.name_at(*ours) if inside else OFFBOARD
        if (ours, our_name) != ((their_x, their_y), their_name):
            wrong.append(((x, y), (their_x, their_y, their_name), (ours, our_name)))
    assert not wrong, _first(wrong)


def _pulled(x: int, y: int, size: tuple[int, int]) -> tuple[int, int]:
    """A place one pixel off the board is pulled back onto it (VASSAL ``Map.snapTo``)."""

    def one(value: int, limit: int) -> int:
        return limit - 1 if value == limit else 0 if value == -1 else value

    if 0 <= x < size[0] and 0 <= y < size[1]:
        return x, y
    return one(x, size[0]), one(y, size[1])


@pytest.mark.parametrize("name", CASES)
def test_every_name_leads_to_the_point_vassal_finds(answers: dict[str, Answers], name: str) -> None:
    grid = CASES[name].ours()
    rows = answers[name].points
    assert len(rows) > 50
    wrong = [
        (label, (x, y), ours)
        for label, x, y in rows
        if (ours := grid.point_of(label)) != (None if x is None else (x, y))
    ]
    assert not wrong, _first(wrong)

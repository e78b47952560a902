"""A game on two geomorphic boards that lie side by side, with hexes around them."""

from __future__ import annotations

from pathlib import Path

from builder.hexes.boards import NamedBoard
from builder.hexes.grid import Hex, HexGrid, Numbering

__all__ = ["FIRST", "GRID", "SIDE", "write_game"]

SIDE = 14
"""Columns and rows of hexes around the boards; even, so that column A is not the lower one."""
FIRST = Hex(SIDE, SIDE)
"""Hex A0, which no board has: its center would lie beyond the edge."""
_COLUMNS, _ROWS = 33, 11


def _board(name: str, column: int) -> NamedBoard:
    numbering = Numbering(
        h_type="A",
        h_leading=0,
        v_leading=0,
        h_off=-column,
        v_off=-SIDE,
        stagger=False,
        location_format=name + "$gridLocation$",
    )
    return NamedBoard(
        name=f"Board{name}",
        column=column,
        row=SIDE,
        columns=_COLUMNS,
        rows=_ROWS,
        numbering=numbering,
        is_cut=True,
    )


COLUMNS, ROWS = 2 * SIDE + 65, 2 * SIDE + _ROWS
GRID = HexGrid(
    dx=24,
    dy=28,
    x0=30,
    y0=30,
    extent=(24 * COLUMNS + 40, 28 * ROWS + 40),
    numbering=Numbering(sep=".", stagger=False, h_off=0, v_off=0),
    boards=(_board("1", SIDE), _board("2", SIDE + _COLUMNS - 1)),
)

_BOARD = """
[[board]]
name = "Board{name}"
prefix = "{name}"
column = {column}
row = 14
columns = 33
rows = 11
cut = true

[board.numbering]
column_type = "letter"
column_digits = 1
row_digits = 1
row_start = 0
"""


def write_game(project: Path, *, extra: str = "") -> Path:
    """Write the game into a project, ``extra`` at the end of its map; return its folder."""
    boards = "".join(_BOARD.format(name=n, column=c) for n, c in (("1", 14), ("2", 46)))
    files = {
        "game.toml": (
            'title = "Two boards"\nversion = "1"\n'
            '[[side]]\nname = "German"\n[[palette]]\nname = "Units"\n'
        ),
        "map.toml": (
            f"[grid]\ncolumns = {COLUMNS}\nrows = {ROWS}\ndx = 24\ndy = 28\nx0 = 30\ny0 = 30\n"
            '[numbering]\nseparator = "."\ncolumn_start = 0\nrow_start = 0\n'
            f"[frame]\nwidth = {24 * COLUMNS + 60}\nheight = {28 * ROWS + 60}\n"
            '[terrain."."]\nname = "Open"\nbase = "clear"\n' + boards + extra
        ),
        "terrain.txt": ("." * COLUMNS + "\n") * ROWS,
        "hexsides.csv": "hex,side,kind,name\n",
        "routes.csv": "from,to,kind,name\n",
        "places.csv": "name,hex,kind\n",
        "counters.csv": (
            "id,name,side,layout,palette,start,steps\n"
            "one,One,German,plain,Units,1K5,1\ntwo,Two,German,plain,Units,2B0,1\n"
        ),
        "prototypes.toml": (
            '[piece.plain]\ntitle = "@{name}"\n'
            'trait = [{ trait = "Layer", images = "@{faces:step}", names = "@{levels:step}" }]\n'
        ),
        "module.toml": 'name = "Two boards"\n',
    }
    folder = project / "mapdata" / "boards"
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    layout = project / "templates" / "counters" / "plain.toml"
    layout.parent.mkdir(parents=True)
    layout.write_text(
        'extends = "base"\n[faces.front]\nrole = "step"\neach = "steps"\nfile = "{id}_{step}"\n'
        '[faces.front.elements.ground]\nkind = "box"\nfill = "#e8e2d0"\nshape = "round"\n',
        encoding="utf-8",
    )
    return folder

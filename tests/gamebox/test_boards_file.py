"""Boards in ``map.toml``: what they make, and what is said of wrong ones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from board_sample import GRID, write_game

from builder.gamebox.open import open_game
from builder.problems import DataError
from builder.vassal.game_map import board_component

WRONG = """
[[board]]
name = "{name}"
prefix = "{prefix}"
column = {column}
row = 0
columns = 4
rows = 4
"""


def test_the_file_makes_the_grid(tmp_path: Path) -> None:
    sheet = open_game(write_game(tmp_path)).map
    assert sheet.grid.boards == GRID.boards
    assert replace(sheet.grid, extent=GRID.extent) == GRID
    assert sheet.find("2GG10") is not None
    assert sheet.find("2GG11") is None


def test_each_board_is_a_zone_before_that_of_all_hexes(tmp_path: Path) -> None:
    (zoned,) = board_component(open_game(write_game(tmp_path)).map, "map.png").children
    assert [zone.attributes["name"] for zone in zoned.children] == ["Board1", "Board2", "Hexes"]


@pytest.mark.parametrize(
    ("name", "prefix", "column", "said"),
    [
        ("Board1", "9", 0, "the name is taken"),
        ("Hexes", "9", 0, "the name is taken"),
        ("Third", "$x", 0, r"without \$"),
        ("Third", "9", 90, "does not lie within the grid"),
    ],
)
def test_wrong_boards_are_told(
    tmp_path: Path, name: str, prefix: str, column: int, said: str
) -> None:
    extra = WRONG.format(name=name, prefix=prefix, column=column)
    with pytest.raises(DataError, match=said) as error:
        open_game(write_game(tmp_path, extra=extra))
    assert "map.toml:" in str(error.value)


def test_two_hexes_of_one_name_are_told(tmp_path: Path) -> None:
    folder = write_game(tmp_path)
    text = (folder / "map.toml").read_text(encoding="utf-8")
    (folder / "map.toml").write_text(text.replace('prefix = "2"', 'prefix = "1"'), encoding="utf-8")
    with pytest.raises(DataError, match=r"two hexes would be called '1B0'"):
        open_game(folder)


def test_numbers_of_a_board_count_up(tmp_path: Path) -> None:
    extra = WRONG.format(name="Third", prefix="9", column=0)
    extra += "[board.numbering]\nrow_descending = true\n"
    with pytest.raises(DataError, match="can only count up"):
        open_game(write_game(tmp_path, extra=extra))

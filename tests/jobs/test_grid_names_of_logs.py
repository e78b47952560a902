"""Hex names in the story of a log and in comparisons, by the grid of a module that is given."""

from __future__ import annotations

import itertools
import json
import re
import zipfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest
from replay_logs import log, unit

from builder.jobs.diff_files import diff_files
from builder.jobs.tell_lines import json_lines, story_lines
from builder.jobs.tell_log import tell_log
from builder.vassal.buildfile import moduledata_xml, savedata_xml
from builder.vassal.savefile import save_bytes

GRIDS = json.loads(
    (Path(__file__).parents[1] / "fixtures" / "real-grids.json").read_text(encoding="utf-8")
)
BOARDS = "VASSAL.build.module.map.boardPicker"
ANSWERS = {
    (1653, 900): "0915",
    (1765, 1095): "0716",
    (1485, 1193): "0613",
    (1260, 998): "0811",
    (1990, 1095): "0718",
}
"""What players of Ragnarok call these pixels: a sideways grid inside a zone."""


def texts(attributes: dict[str, Any]) -> str:
    return " ".join(f"{key}={quoteattr(text)}" for key, text in attributes.items())


def ragnarok_grid() -> str:
    """The hex grid as its module has it."""
    entry = GRIDS["ragnarok-zone"]
    return (
        f"<{BOARDS}.board.HexGrid {texts(entry['grid'])}>"
        f"<{BOARDS}.board.mapgrid.HexGridNumbering {texts(entry['numbering'])}/>"
        f"</{BOARDS}.board.HexGrid>"
    )


def written_module(path: Path, grid: str) -> Path:
    """A module with one board, wider than its zone; the zone has a grid of its own."""
    outline = "12,34;3081,34;3074,1760;17,1757"
    build_file = f"""<VASSAL.build.GameModule name="Ragnarok" version="1.2">
<VASSAL.build.module.Map mapName="Main Map"><VASSAL.build.module.map.BoardPicker>
<{BOARDS}.Board name="Map" width="3500" height="1800"><{BOARDS}.board.ZonedGrid>
<{BOARDS}.board.mapgrid.Zone name="map" locationFormat="$gridLocation$" path="{outline}"
 useParentGrid="false">{grid}</{BOARDS}.board.mapgrid.Zone></{BOARDS}.board.ZonedGrid>
</{BOARDS}.Board></VASSAL.build.module.map.BoardPicker></VASSAL.build.module.Map>
</VASSAL.build.GameModule>"""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("moduledata", moduledata_xml("Ragnarok", "1.2", saved_ms=0))
        archive.writestr("buildFile.xml", build_file)
    return path


def written_log(path: Path, *ways: tuple[int, int], at: tuple[int, int]) -> Path:
    """A log in which Odin goes from place to place, a step each."""
    start = [unit("1", "Odin", *at, "Main Map"), "Main MapBoardPicker\tMap\t0\t0"]
    steps = []
    last = at
    for x, y in ways:
        steps.append([f"M/1/Main Map/{x}/{y}/null/Main Map/{last[0]}/{last[1]}/null/somebody"])
        last = (x, y)
    moduledata = moduledata_xml("Ragnarok", "1.2", saved_ms=0)
    savedata = savedata_xml("1.2", saved_ms=0)
    path.write_bytes(save_bytes(log(start, *steps), savedata=savedata, moduledata=moduledata))
    return path


def test_a_log_is_told_with_the_hexes_of_the_module(tmp_path: Path) -> None:
    module = written_module(tmp_path / "ragnarok.vmod", ragnarok_grid())
    first, *others = ANSWERS
    path = written_log(tmp_path / "game.vlog", *others, (3200, 900), at=first)
    found = re.findall(r"Odin  (\S+) → (\S+)", "\n".join(story_lines(tell_log([path], module))))
    names = list(ANSWERS.values())
    # The last place is beside the zone, where no grid is.
    assert found == [*itertools.pairwise(names), (names[-1], "3200,900")]


def test_json_has_label_and_zone(tmp_path: Path) -> None:
    module = written_module(tmp_path / "ragnarok.vmod", ragnarok_grid())
    first, *others = ANSWERS
    path = written_log(tmp_path / "game.vlog", *others, at=first)
    told = [json.loads(line) for line in json_lines(tell_log([path], module))]
    ends = [(event["end"]["label"], event["end"]["zone"]) for event in told if "end" in event]
    assert ends == [(name, "map") for name in list(ANSWERS.values())[1:]]


def test_logs_are_compared_by_hexes(tmp_path: Path) -> None:
    module = written_module(tmp_path / "ragnarok.vmod", ragnarok_grid())
    first, second, third, *_ = ANSWERS
    one = written_log(tmp_path / "one.vlog", second, at=first)
    two = written_log(tmp_path / "two.vlog", third, at=first)
    (difference,) = diff_files(one, two, module=module, at="end").differences
    assert difference.old == "0716 (Main Map 1765,1095)"
    assert difference.new == "0613 (Main Map 1485,1193)"


@pytest.mark.parametrize(
    ("grid", "words"),
    [
        ("<my.own.TriangleGrid/>", "its grid is of a class of its own, my.own.TriangleGrid"),
        (
            f'<{BOARDS}.board.HexGrid dx="9" dy="10"><my.Numbers/></{BOARDS}.board.HexGrid>',
            "its numbering is of a class of its own, my.Numbers",
        ),
    ],
)
def test_a_grid_of_a_modules_own_is_refused_by_name(tmp_path: Path, grid: str, words: str) -> None:
    """Pixels are told then, and why: a name by another rule would be a wrong one."""
    module = written_module(tmp_path / "own.vmod", grid)
    first, second, *_ = ANSWERS
    path = written_log(tmp_path / "game.vlog", second, at=first)
    told = "\n".join(story_lines(tell_log([path], module)))
    assert (
        f"note: board 'Map' of map 'Main Map', zone 'map': {words}; only the zone is told" in told
    )
    assert not any(name in told for name in ANSWERS.values())
    compared = diff_files(path, path, module=module)
    assert any(words in warning for warning in compared.warnings)
    assert compared.is_same

"""The Drop Zone module in the real VASSAL: it opens, and nothing in it is swallowed.

VASSAL starts slowly, so all is asked in two runs (*table* and *play*), and the tests look at the
answers. Where pieces ought to lie comes from the game's data, not from the code that wrote the
module.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from dropzone_recordings import RECORDINGS
from engine.vassal import ROOT, CommandResult, EngineRun
from PIL import Image

from builder.gamebox.model import Counter, Game

pytestmark = pytest.mark.engine

Vassal = Callable[..., EngineRun]

#: Every command that the recordings play.
RECORDED = "\n".join(deed.command for r in RECORDINGS for deed in r.deeds)

SHOTS = ROOT / "dist" / "engine"
SCREEN = (1600, 1000)


def _seats(game: Game) -> list[str]:
    return [seat.name for seat in game.module.seat]


def _seats_of_all_kinds(game: Game) -> list[str]:
    """One seat of each side, and last one that may touch everything."""
    first: dict[str, str] = {}
    for seat in game.module.seat:
        first.setdefault(seat.side, seat.name)
    return [name for side, name in first.items() if side] + [first[""]]


def _hex_labels(game: Game) -> list[str]:
    return [game.map.label(h) for h in game.map.hexes()]


def _starters(game: Game) -> list[Counter]:
    return [c for c in game.counters if c.start]


def _at_start(game: Game, counter: Counter) -> str:
    """The gpid of the copy that is dealt at the start; the palette's copy has its own."""
    return str(game.gpids[f"{counter.id}@start"])


def _on_hexes(game: Game) -> list[Counter]:
    return [c for c in _starters(game) if game.map.find(c.start) is not None]


@pytest.fixture(scope="module")
def table(
    vassal: Vassal,
    dropzone_module: Path,
    dropzone: Game,
    tmp_path_factory: pytest.TempPathFactory,
) -> EngineRun:
    """Every seat in turn starts a game; every name of the map is asked for."""
    folder = tmp_path_factory.mktemp("table")
    sheet = dropzone.map
    pixels = [sheet.grid.snap_point(h) for h in sheet.hexes()]
    # Drops beside the center snap to it; 30 % of a hex is inside the rectangle of every version.
    reach = int(0.3 * min(sheet.grid.dx, sheet.grid.dy))
    pixels += [(x + a, y + b) for x, y in pixels for a in (-reach, reach) for b in (-reach, reach)]
    pixels += [box.center for box in sheet.boxes]
    (folder / "pixels.json").write_text(json.dumps(pixels), encoding="utf-8")
    names = [*_hex_labels(dropzone), *(box.name for box in sheet.boxes)]
    (folder / "names.txt").write_text("\n".join(names), encoding="utf-8")
    lines = ["setups"]
    for seat in _seats(dropzone):
        lines += [f'newgame "{seat}"', "audit", "players", "pieces"]
    lines += [
        f'hexnames "{sheet.name}" {folder}/pixels.json',
        f'hexpoints "{sheet.name}" {folder}/names.txt',
        f"saveload {folder}/start.vsav",
        f"windowshot {SHOTS}/window.png",
        f'mapshot "{sheet.name}" {SHOTS}/map.png 0.5',
    ]
    SHOTS.mkdir(parents=True, exist_ok=True)
    return vassal(dropzone_module, lines, size=SCREEN)


@pytest.fixture(scope="module")
def play(
    vassal: Vassal,
    dropzone_module: Path,
    dropzone: Game,
    tmp_path_factory: pytest.TempPathFactory,
) -> EngineRun:
    """Every menu of every piece by every kind of player; moves, dice and turns, recorded."""
    folder = tmp_path_factory.mktemp("play")
    sheet, module = dropzone.map, dropzone.module
    lines = []
    for seat in _seats_of_all_kinds(dropzone):
        lines += [f'newgame "{seat}"', f"runmenus {_middle(dropzone)}"]
    # The last kind of seat has no side: it may move everything.
    lines += [f'newgame "{_seats_of_all_kinds(dropzone)[-1]}"', f"beginlog {folder}/game.vlog"]
    for counter, _, target in _moves(dropzone):
        lines.append(f'move "gpid:{_at_start(dropzone, counter)}" "{sheet.name}@{target}"')
    lines += [f'dice "{dice.name}"' for dice in module.dice]
    if module.tracker is not None:
        lines += ["turntext", "turn next", "turn next", "turn prev", "turn prev", "turn next"]
    lines += [
        "endlog",
        f"saveload {folder}/moved.vsav",
        f"load {folder}/game.vlog",
        "stepall",
        "pieces",
    ]
    return vassal(dropzone_module, lines, size=SCREEN, timeout=240)


def _middle(game: Game) -> str:
    """A hex in the middle of the map, free of counters at the start."""
    taken = {c.start for c in game.counters}
    hexes = sorted(
        game.map.hexes(),
        key=lambda h: abs(h.column - game.map.columns // 2) + abs(h.row - game.map.rows // 2),
    )
    return next(label for h in hexes if (label := game.map.label(h)) not in taken)


def _moves(game: Game) -> Iterator[tuple[Counter, str, str]]:
    """For counters on hexes at the start: the counter, its hex, and the hex above or below it."""
    for counter in _on_hexes(game):
        here = game.map.find(counter.start)
        assert here is not None
        row = here.row - 1 if here.row > 0 else here.row + 1
        yield counter, counter.start, game.map.label(here._replace(row=row))


# ------------------------------------------------------------------------------------ the table


def test_the_module_opens_and_starts_without_a_word(table: EngineRun) -> None:
    assert table.problem_texts == []
    assert table.code == 0


def test_every_seat_can_be_taken(table: EngineRun, dropzone: Game) -> None:
    assert [r.data["me"] for r in table.all("players")] == _seats(dropzone)


@pytest.fixture
def audits(table: EngineRun) -> list[dict[str, Any]]:
    return [r.data for r in table.all("audit")]


def test_module_and_data_agree_on_what_there_is(audits: list[dict[str, Any]]) -> None:
    for audit in audits:
        assert audit["components"]
        assert all(c["alive"] >= c["declared"] for c in audit["components"].values())


def test_every_prototype_resolves(audits: list[dict[str, Any]], dropzone: Game) -> None:
    audit = audits[0]
    assert set(audit["prototypes"]) == {p.name for p in dropzone.prototypes}
    used = [p for s in audit["slots"] for p in s["prototypes"]]
    used += [p for inner in audit["prototypes"].values() for p in inner]
    assert len(used) >= len(dropzone.prototypes)
    assert all(p["defined"] and not p["computed"] for p in used)


def test_every_picture_is_in_the_archive(audits: list[dict[str, Any]], dropzone: Game) -> None:
    images = audits[0]["images"]
    assert images["missing"] == {}
    assert len(images["used"]) > len(dropzone.counters)
    assert all(f["held"] for f in audits[0]["files"])


def test_gpids_are_unique_and_below_the_next(audits: list[dict[str, Any]], dropzone: Game) -> None:
    gpids = audits[0]["gpids"]
    assert gpids["duplicates"] == []
    assert gpids["highest"] < int(gpids["next"])
    in_module = {s["gpid"] for s in audits[0]["slots"]}
    assert {str(dropzone.gpids[c.id]) for c in dropzone.counters} <= in_module


def test_every_piece_starts_where_the_data_says(table: EngineRun, dropzone: Game) -> None:
    expected = {_at_start(dropzone, c): c.start for c in _starters(dropzone)}
    assert expected
    for pieces in table.all("pieces"):
        found = {p["gpid"]: p["location"] for p in pieces.data}
        assert {g: found.get(g) for g in expected} == expected
        assert {p["map"] for p in pieces.data if p["gpid"] in expected} == {dropzone.map.name}


def test_no_piece_is_dealt_twice_or_uninvited(table: EngineRun, dropzone: Game) -> None:
    expected = sorted(_at_start(dropzone, c) for c in _starters(dropzone) for _ in range(c.count))
    for pieces in table.all("pieces"):
        assert sorted(p["gpid"] for p in pieces.data) == expected


def test_vassal_names_every_hex_as_we_do(table: EngineRun, dropzone: Game) -> None:
    labels = _hex_labels(dropzone)
    assert len(labels) == dropzone.map.columns * dropzone.map.rows
    rows = table.one("hexnames").data
    centers = rows[: len(labels)]
    assert [name for _, _, name, *_ in centers] == labels
    assert all((x, y) == (sx, sy) for x, y, _, sx, sy, _ in centers)


def test_a_drop_beside_the_center_snaps_to_it(table: EngineRun, dropzone: Game) -> None:
    labels = _hex_labels(dropzone)
    rows = table.one("hexnames").data[len(labels) : 5 * len(labels)]
    wanted = [label for label in labels for _ in range(4)]
    wrong = [(r, w) for r, w in zip(rows, wanted, strict=True) if r[5] != w]
    assert not wrong, wrong[:5]


def test_vassal_names_every_box_as_we_do(table: EngineRun, dropzone: Game) -> None:
    rows = table.one("hexnames").data[5 * len(_hex_labels(dropzone)) :]
    assert [name for _, _, name, *_ in rows] == [box.name for box in dropzone.map.boxes]


def test_every_name_leads_back_to_its_place(table: EngineRun, dropzone: Game) -> None:
    """Send to Location and the like look a place up by its name."""
    sheet = dropzone.map
    rows = {name: (x, y) for name, x, y in table.one("hexpoints").data}
    wrong = []
    for hex_ in sheet.hexes():
        x, y = rows[sheet.label(hex_)]
        if x is None or sheet.grid.hex_at(x, y) != hex_:
            wrong.append((sheet.label(hex_), x, y))
    for box in sheet.boxes:
        x, y = rows[box.name]
        inside = x is not None and box.x <= x < box.x + box.width
        if not inside or not box.y <= y < box.y + box.height:
            wrong.append((box.name, x, y))
    assert not wrong


def test_saving_and_loading_keeps_everything(table: EngineRun, play: EngineRun) -> None:
    for run in (table, play):
        data = run.one("saveload").data
        assert (data["metadata"], data["started"], data["differences"]) == (True, True, 0)
        assert data["compared"] > 200


def test_the_window_shows_something(table: EngineRun) -> None:
    for command in ("windowshot", "mapshot"):
        shown = table.one(command).data
        with Image.open(shown["file"]) as picture:
            assert picture.size == (shown["width"], shown["height"])
            small = picture.convert("RGB").resize((200, 125))
        colors = small.getcolors(maxcolors=200 * 125)
        assert colors is not None
        assert len(colors) > 100
        assert max(count for count, _ in colors) < 0.8 * 200 * 125


# ------------------------------------------------------------------------------------- the play


def test_playing_raises_no_problem(play: EngineRun) -> None:
    assert play.problem_texts == []
    assert play.code == 0


def _runs(result: CommandResult) -> Iterator[tuple[str, dict[str, Any]]]:
    for piece in result.data:
        for run in piece["runs"]:
            yield f"{piece['name']} (gpid {piece['gpids'][0]}): {run['entry']}", run


def test_every_menu_command_of_every_piece_type_runs(play: EngineRun) -> None:
    menus = play.all("runmenus")
    tried = [item for menu in menus for item in _runs(menu)]
    assert len(tried) > 300
    failed = [(what, r["error"]) for what, r in tried if r["error"] or r["problems"]]
    assert not failed
    assert not [(what, r["dialogs"]) for what, r in tried if r["dialogs"]]


def test_every_menu_command_does_something(play: EngineRun) -> None:
    idle = [what for menu in play.all("runmenus") for what, r in _runs(menu) if not r["changed"]]
    assert not idle


def test_somebody_can_use_every_menu_command(play: EngineRun) -> None:
    """An entry may be for one side or for later, but none may stay grey for everyone."""
    used: set[str] = set()
    grey: set[str] = set()
    for menu in play.all("runmenus"):
        for piece in menu.data:
            used |= {run["entry"] for run in piece["runs"]}
            grey |= set(piece["neverEnabled"])
    # what needs a box, a later turn or a chit is played in the recordings of test_lines.py
    elsewhere = {entry for entry in grey - used if f'"{entry}"' in RECORDED}
    assert grey - used - elsewhere == set()


def test_the_same_types_are_offered_to_every_seat(play: EngineRun, dropzone: Game) -> None:
    everything = {str(dropzone.gpids[c.id]) for c in dropzone.counters}
    for menu in play.all("runmenus"):
        assert {gpid for piece in menu.data for gpid in piece["gpids"]} >= everything


def test_counters_move_from_hex_to_hex(play: EngineRun, dropzone: Game) -> None:
    moves = list(_moves(dropzone))
    assert len(moves) > 5
    for (counter, start, target), result in zip(moves, play.all("move"), strict=True):
        assert result.changes is not None
        gpid = _at_start(dropzone, counter)
        (change,) = [c for c in result.changes["changed"] if c["after"]["gpid"] == gpid]
        assert (change["before"]["location"], change["after"]["location"]) == (start, target)
        (line,) = result.chat
        assert start in line
        assert target in line


def test_every_die_is_rolled(play: EngineRun, dropzone: Game) -> None:
    for dice, result in zip(dropzone.module.dice, play.all("dice"), strict=True):
        (line,) = result.chat
        assert line.startswith(f"* {dice.name} = ")
        assert "$" not in line, "a name in the report format that VASSAL does not know"


def test_the_turn_tracker_goes_on_and_back(play: EngineRun) -> None:
    start = play.one("turntext").data
    first, second, back, home, again = (r.data for r in play.all("turn"))
    assert len({start, first, second}) == 3
    assert (back, home, again) == (first, start, first)


def test_the_recorded_log_plays_again(play: EngineRun, dropzone: Game) -> None:
    assert play.one("stepall").data["left"] == 0
    where = {p["gpid"]: p["location"] for p in play.one("pieces").data}
    for counter, _, target in _moves(dropzone):
        assert where[_at_start(dropzone, counter)] == target

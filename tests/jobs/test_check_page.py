"""The page of a real log: pictures, story, graphs; what is hidden stays unnamed; no ids."""

from __future__ import annotations

import io
import re
import shutil
from base64 import b64decode
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dropzone_recordings import RECORDINGS, Recording
from PIL import Image

from builder.hexes.grid import Hex
from builder.jobs.check_log import CheckedGame, check_logs
from builder.jobs.check_page import check_page
from builder.jobs.play_game import play_game, recorded
from builder.rules.playthrough import Deed, Playthrough
from builder.rulesets.dropzone.actions import Move
from builder.rulesets.dropzone.apply import applied
from builder.workspace import open_workspace

ROOT = Path(__file__).parents[2]
ACTIONS = 150


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory, dropzone_vmod: Path) -> Path:
    """The first turn of a game, with units that jump over the map, most units still hidden."""
    workspace = open_workspace()
    what = play_game(ROOT / "mapdata" / "dropzone", seed=3)
    state = what.played.deeds[0][0]
    deeds: list[Deed[Any, Any]] = []
    moves = 0
    for _, action in what.played.deeds[:ACTIONS]:
        told = action
        if isinstance(action, Move):
            moves += 1
            if moves % 3 == 1:
                told = replace(action, to=Hex(action.to.column, max(0, action.to.row - 4)))
        deeds.append(Deed(state, told))
        state = applied(state, told)
    spoiled = replace(what, played=Playthrough(tuple(deeds), state))
    path = tmp_path_factory.mktemp("page") / "spoiled.vlog"
    path.write_bytes(recorded(spoiled, module=dropzone_vmod, workspace=workspace))
    # a module is found beside its log
    shutil.copy(dropzone_vmod, path.parent)
    return path


def check(log: Path, **options: Any) -> CheckedGame:
    return check_logs([log], workspace=open_workspace(), **options)


@pytest.fixture(scope="module")
def checked(log: Path) -> CheckedGame:
    return check(log)


@pytest.fixture(scope="module")
def page(checked: CheckedGame) -> str:
    return check_page(checked, open_workspace()).decode()


def test_every_finding_has_a_card_with_pictures_and_story(checked: CheckedGame, page: str) -> None:
    cards = page.split("<article ")[1:]
    assert len(cards) == len(checked.report.findings) > 3
    moved = [c for c in cards if "moved " in c]
    assert moved
    for card in moved:
        assert len(re.findall(r"<figure>", card)) == 2
        assert "<figcaption>Before</figcaption>" in card
        assert "<figcaption>After</figcaption>" in card
    for card, finding in zip(cards, checked.report.findings, strict=True):
        told = [int(n) for n in re.findall(r'<span class="n">(\d+)</span>', card)]
        assert finding.step in told
        assert told == sorted(told)
        assert len(told) <= 7


def test_pictures_are_small_and_show_five_hexes_or_more(page: str) -> None:
    found = re.findall(
        r'<img src="data:image/png;base64,([^"]+)" width="(\d+)" height="(\d+)"', page
    )
    assert found
    for data, width, height in found:
        image = Image.open(io.BytesIO(b64decode(data)))
        assert image.mode == "P"
        assert image.size == (int(width), int(height))
        assert max(image.size) <= 680
        assert len(data) < 170_000


def test_hidden_units_are_not_named(checked: CheckedGame, page: str) -> None:
    state = checked.judged[-1].state
    hidden = [k for k, unit in state.units.items() if unit.hidden]
    assert hidden
    named = [k for k in hidden if re.search(rf"(?<![\w-]){re.escape(k)}(?![\w-])", page)]
    assert named == []
    titles = {state.facts.units[k].title for k in hidden}
    assert [t for t in titles if re.search(rf"{re.escape(t)}(?!\w)", page)] == []


def test_after_the_game_everything_is_named(log: Path) -> None:
    checked = check(log, is_full=True)
    page = check_page(checked, open_workspace()).decode()
    state = checked.judged[-1].state
    hidden = [state.facts.units[k].title for k, unit in state.units.items() if unit.hidden]
    assert [t for t in hidden if t in page]


def test_for_a_side_shows_its_own_units_and_no_others(log: Path) -> None:
    own = check_page(check(log, viewer="Allied"), open_workspace())
    other = check_page(check(log, viewer="German"), open_workspace())
    neither = check_page(check(log), open_workspace())
    assert own != neither
    # only Allied units are hidden: a German sees what nobody's eyes see
    pictures = [re.findall(rb"base64,([^\"]+)", p) for p in (own, other, neither)]
    assert pictures[1] == pictures[2]
    assert pictures[0] != pictures[2]


def test_the_same_log_gives_the_same_bytes(checked: CheckedGame, page: str) -> None:
    assert check_page(checked, open_workspace()).decode() == page


def test_a_log_without_rules_gives_a_page(checked: CheckedGame) -> None:
    report = replace(checked.report, game="", findings=(), warnings=("no rule set is known",))
    page = check_page(CheckedGame(report), open_workspace()).decode()
    assert "no rule set is known" in page


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda r: r.name)
def test_no_password_is_told(recording: Recording, dropzone_vmod: Path) -> None:
    page = check_page(check(recording.path, module=dropzone_vmod), open_workspace()).decode()
    assert "<article " in page
    assert recording.password not in page

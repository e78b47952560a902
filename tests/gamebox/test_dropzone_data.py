"""The data of Drop Zone against the rulebook's own counts: typed from the rules, not computed."""

from __future__ import annotations

from collections import Counter as Tally
from pathlib import Path

import pytest

from builder.gamebox.model import Counter, Game
from builder.gamebox.open import open_game

FOLDER = Path(__file__).parents[2] / "mapdata" / "dropzone"


@pytest.fixture(scope="module")
def game() -> Game:
    return open_game(FOLDER)


def units(game: Game, **fields: object) -> list[Counter]:
    wanted = fields.items()
    return [
        c for c in game.counters if c.layout == "unit" and all(c.value(k) == v for k, v in wanted)
    ]


def test_twenty_units_start_hidden_in_five_serials(game: Game) -> None:
    hidden = [c for c in units(game) if c.value("serial")]
    assert Tally(str(c.value("serial")) for c in hidden) == {
        "S-4": 4,
        "S-6": 4,
        "S-9": 4,
        "S-10": 4,
        "S-12": 4,
    }
    assert Tally(str(c.value("command")) for c in hidden) == {"517PRCT": 12, "2IPBG": 8}


def test_each_allied_command_has_four_ffi_units(game: Game) -> None:
    assert len(units(game, command="517PRCT", target="ffi")) == 4
    assert len(units(game, command="2IPBG", target="ffi")) == 4


def test_five_german_units_start_on_the_map(game: Game) -> None:
    on_map = {c.id: c.start for c in units(game, side="German") if c.start[:1].isdigit()}
    assert on_map == {
        "148-Recon": "1203",
        "1-I-765": "2014",
        "2-I-765": "1812",
        "189-Assault": "0807",
        "LXII-Alarm": "0906",
    }


def test_classes_steps_and_movement_follow_the_rules(game: Game) -> None:
    for unit in units(game):
        armor = unit.value("class") == "armor"
        assert unit.value("ma") == (6 if armor else 4)
        assert unit.steps in ({1} if armor else {1, 2, 4})
        drc = unit.value("drc")
        assert isinstance(drc, tuple)
        assert len(drc) == unit.steps
        if not armor and unit.steps < 4:
            assert drc == tuple(range(unit.steps, 0, -1))
    assert game.counter("148-Recon").value("drc") == (3, 3, 2, 1)
    assert game.counter("242-AG").value("drc") == (3,)


def test_nineteen_objectives_with_their_garrisons_points_and_colors(game: Game) -> None:
    kinds = Tally(p.kind for p in game.map.places if p.fields["vp"])
    assert kinds == {"town": 5, "village": 9, "junction": 3, "hill": 2}
    objectives = {p.name: p for p in game.map.places if p.fields["vp"]}
    colors = Tally(str(p.fields["color"]) for p in objectives.values())
    assert colors == {"red": 10, "yellow": 9}
    points = {"red": 0, "yellow": 0}
    for place in objectives.values():
        if place.fields["vp"] != "star":
            points[str(place.fields["color"])] += int(str(place.fields["vp"]))
    assert points == {"red": 13, "yellow": 11}
    assert [p.name for p in objectives.values() if p.fields["vp"] == "star"] == ["Le Muy"]
    garrisons = [c for c in game.counters if c.layout == "garrison"]
    assert {c.value("objective"): c.start for c in garrisons} == {
        name: game.map.label(place.hex) for name, place in objectives.items()
    }
    assert {c.value("hq"): c.steps for c in garrisons if c.value("hq")} == {
        "HQ LXII": 2,
        "HQ 765": 2,
    }
    assert [c.name for c in garrisons if c.value("liberator_steps") == 2] == ["Draguignan town"]
    assert {c.name: c.value("liberator") for c in garrisons if c.value("liberator") != "FFI"} == {
        "Le Mitan": "HQ TF/2",
        "Hill 212": "HQ 509",
        "St Rosaline": "HQ 517",
    }


def test_twelve_allied_and_ten_german_assets(game: Game) -> None:
    kinds = Tally((c.side, str(c.value("kind"))) for c in game.counters if c.layout == "asset")
    assert kinds == {
        ("Allied", "INITIATIVE"): 2,
        ("Allied", "COORDINATED"): 2,
        ("Allied", "AIRSTRIKE"): 3,
        ("Allied", "INDIRECT"): 3,
        ("Allied", "ANTITANK"): 2,
        ("German", "REGROUP"): 2,
        ("German", "INDIRECT"): 5,
        ("German", "ANTITANK"): 3,
    }
    assert game.counter("GA-3").value("if_value") == 3
    late = Tally(c.side for c in game.counters if c.start in {"LateAllied", "LateGerman"})
    assert late == {"Allied": 5, "German": 4}


def test_initiative_chits_lie_in_the_order_of_turn_one(game: Game) -> None:
    chits = {c.start: c.value("command") for c in game.counters if c.layout == "chit"}
    assert chits == {
        "Initiative1": "KGVS",
        "Initiative2": "148RD",
        "Initiative3": "517PRCT",
        "Initiative4": "2IPBG",
    }


def test_nine_entry_areas_of_three_edge_hexes(game: Game) -> None:
    areas = {a.name: a.hexes for a in game.map.entry_areas()}
    assert sorted(areas) == list("ABCDEFGHI")
    for hexes in areas.values():
        assert len(hexes) == 3
        for hex_ in hexes:
            on_edge = hex_.column in {0, game.map.columns - 1} or hex_.row in {0, game.map.rows - 1}
            assert on_edge


def test_unverified_figures_are_marked(game: Game) -> None:
    verified = {c.id for c in game.counters if c.value("verified")}
    assert {"242-AG", "1-I-933", "GA-3"} <= verified
    assert "3-I-933" not in verified

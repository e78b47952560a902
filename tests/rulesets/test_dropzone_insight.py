"""What reports show of Drop Zone: boards by who looks, the score, and how dice fell."""

from __future__ import annotations

import pytest
from strategies_dropzone import facts, rules

from builder.gamebox.boards import BoardView
from builder.hexes.grid import Hex
from builder.rules.core import Breach
from builder.rules.insight import Eyes, Standing, Thrown, insight_of
from builder.rules.referee import Found
from builder.rulesets.dropzone.actions import Action
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.state import State

POSITION = """
turn 2 MOVE 517PRCT
A-509 1004 hidden as H1
B-509 1006
1-I-933 1005
"""


def at(label: str) -> Hex:
    found = facts().sheet.find(label)
    assert found is not None
    return found


def position(given: str = POSITION) -> State:
    return rules().position(("all .",), given)


def found(state: State, line: str, *, hexes: tuple[str, ...] = ()) -> Found[State, Action]:
    action = rules().read_action(line)
    unit = str(getattr(action, "unit", ""))
    breach = Breach("DZ-5.1c", "it went too far", pieces=(unit,), hexes=tuple(map(at, hexes)))
    return Found(breach, (7,), action, state, applied(state, action))


def views(given: Found[State, Action], eyes: Eyes | None = None) -> tuple[BoardView, BoardView]:
    pair = rules().pictured(given, Eyes() if eyes is None else eyes)
    assert pair is not None
    return pair


def shown(view: BoardView, counter: str) -> list[tuple[object, str, int]]:
    return [(p.place, p.role, p.level) for p in view.pieces if p.counter == counter]


def test_the_rule_set_offers_insight() -> None:
    assert insight_of(rules()) is rules()
    assert insight_of(object()) is None


@pytest.mark.parametrize(
    ("eyes", "role", "level"),
    [
        (Eyes(), "hidden", 0),
        (Eyes("German"), "hidden", 0),
        (Eyes("Allied"), "step", 2),
        (Eyes(is_full=True), "step", 2),
    ],
)
def test_hidden_units_show_their_parachute(eyes: Eyes, role: str, level: int) -> None:
    before, after = views(found(position(), "MOVE unit=A-509 to=1003"), eyes)
    assert shown(before, "A-509") == [(at("1004"), role, level)]
    assert shown(after, "A-509") == [(at("1003"), role, level)]
    assert shown(before, "B-509") == [(at("1006"), "step", 2)]


def test_a_way_goes_hex_by_hex_around_the_enemy() -> None:
    before, after = views(found(position(), "MOVE unit=B-509 to=1004"))
    assert before.way[0] == at("1006")
    assert before.way[-1] == at("1004")
    assert at("1005") not in before.way
    grid = facts().sheet.grid
    assert all(grid.distance(a, b) == 1 for a, b in zip(before.way, before.way[1:], strict=False))
    assert (before.start, before.end) == (at("1006"), at("1004"))
    assert after.way == before.way
    assert (before.is_after, after.is_after) == (False, True)


def test_the_enemy_zone_is_that_of_his_pieces() -> None:
    before, _ = views(found(position(), "MOVE unit=B-509 to=1007"))
    around = {n for n in facts().sheet.grid.neighbors(at("1005")) if n in facts().sheet}
    assert before.zone_side == "German"
    assert around <= before.zone


def test_garrisons_show_the_side_that_holds_them() -> None:
    state = position()
    key, garrison = next(iter(state.garrisons.items()))
    place = facts().garrisons[key].hex
    for side, role in (("German", "step"), ("Allied", "back")):
        held = state.with_garrison(key, side, 1)
        before, _ = views(found(held, "MOVE unit=B-509 to=1007"))
        assert shown(before, key) == [(place, role, 1)]
    gone = state.with_garrison(key, garrison.side, 0)
    before, _ = views(found(gone, "MOVE unit=B-509 to=1007"))
    assert shown(before, key) == []


def test_what_concerns_no_hex_has_no_picture() -> None:
    state = position()
    action: Action = rules().read_action("PHASE turn=2 step=COMBAT command=517PRCT")
    breach = Breach("DZ-3a", "out of order")
    nowhere: Found[State, Action] = Found(breach, (1,), action, state, applied(state, action))
    assert rules().pictured(nowhere, Eyes()) is None


def test_an_attack_from_afar_points_at_its_target() -> None:
    state = applied(
        position(POSITION.replace("MOVE", "COMBAT")), rules().read_action("ATTACK n=1 target=1005")
    )
    before, _ = views(found(state, "JOIN n=1 unit=B-509", hexes=("1005",)))
    assert (before.start, before.end, before.way) == (at("1006"), at("1005"), ())


FIGHT = """
turn 2 COMBAT 517PRCT
B-509 1006
1-I-933 1005
"""


def rolled(line: str) -> Thrown | None:
    state = position(FIGHT)
    for done in ("ATTACK n=1 target=1005", "JOIN n=1 unit=B-509"):
        state = applied(state, rules().read_action(done))
    action = rules().read_action(line)
    return rules().thrown(action, applied(state, action))


def test_hits_are_faces_that_can_score_on_what_is_there() -> None:
    # only infantry is there: armor and infantry faces score, the others do not (rule 1.2)
    faces = "infantry,armor,miss,infantry"
    thrown = rolled(f"ROLL side=Allied kind=COMBAT attack=1 faces={faces}")
    die = facts().dice["Allied"]
    share = sum(face in ("armor", "infantry") for face in die) / len(die)
    assert thrown is not None
    assert thrown[:4] == (2, "Allied", 4, 3)
    assert thrown.expected == pytest.approx(4 * share)


def test_dice_without_a_target_count_for_nothing() -> None:
    assert rolled("ROLL side=Allied kind=AT attack=1 faces=armor,miss") is None
    assert rolled("MOVE unit=B-509 to=1007") is None


def test_standing_counts_objectives_by_who_holds_them() -> None:
    state = rules().start()
    standing = rules().standing(state)
    assert standing == Standing(1, 0, {"Allied": 0, "German": len(facts().objectives)})

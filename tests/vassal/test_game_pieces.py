"""Templates of pieces: placeholders, repetition, conditions, and mistakes with their places."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from builder.gamebox.model import FaceImage, Game
from builder.gamebox.open import open_game
from builder.problems import ProblemLog
from builder.vassal.game_pieces import PieceMaker, access_of, prototype_pieces, repeated
from builder.vassal.pieces import Piece
from builder.vassal.traits import DynamicProperty, Layer, Marker, Mask

DROPZONE = Path(__file__).parents[2] / "mapdata" / "dropzone"


@pytest.fixture(scope="module")
def game() -> Game:
    return open_game(DROPZONE)


def faces(game: Game, counter_id: str) -> list[FaceImage]:
    counter = game.counter(counter_id)
    steps = range(counter.steps, 0, -1)
    found = [FaceImage("step", n, f"{counter_id}_{n}.png", 76, 76) for n in steps]
    return [*found, FaceImage("hidden", 0, f"{counter_id}_hidden.png", 76, 76)]


def made(game: Game, counter_id: str) -> tuple[Piece | None, list[str]]:
    log = ProblemLog()
    maker = PieceMaker(game, {counter_id: faces(game, counter_id)}, log)
    piece = maker.piece(game.counter(counter_id), 77)
    return piece, [str(p) for p in log.problems]


def test_a_dropped_unit_has_its_mask_steps_and_aim(game: Game) -> None:
    piece, problems = made(game, "A-1-517")
    assert not problems
    assert piece is not None
    assert piece.name == "A Co 1/517"
    (mask,) = [t for t in piece.traits if isinstance(t, Mask)]
    assert mask.display == "GA-1-517_hidden.png"
    assert mask.access == ("Allied", "517 PRCT", "2 IPBG", "Solo", "Referee")
    assert mask.masked_by == "Allied"
    (steps,) = [t for t in piece.traits if isinstance(t, DynamicProperty)]
    assert (steps.value, steps.constraints.max) == ("2", 2)
    (layer,) = [t for t in piece.traits if isinstance(t, Layer)]
    assert layer.images == ("A-1-517_1.png", "A-1-517_2.png")
    marks = dict(m for t in piece.traits if isinstance(t, Marker) for m in t.properties)
    assert (marks["AimC"], marks["AimR"]) == ("12", "11")
    assert marks["Seats"] == "Allied 517 PRCT 2 IPBG Solo Referee"


def test_what_the_enemy_must_not_see_lies_inside_of_the_mask(game: Game) -> None:
    piece, _ = made(game, "A-1-517")
    assert piece is not None
    kinds = [type(t).__name__ for t in piece.traits]
    mask = kinds.index("Mask")
    assert kinds.index("RestrictedAccess") < mask < kinds.index("Layer")
    outside = [t.type_string() + t.state_string() for t in piece.traits[:mask]]
    assert not any("A-1-517" in text or "1/517" in text for text in outside)


def test_a_unit_of_one_step_cannot_gain_and_an_open_one_is_not_revealed(game: Game) -> None:
    piece, _ = made(game, "242-AG")
    assert piece is not None
    names = [getattr(t, "name", "") for t in piece.traits if t.trait_id == "prototype;"]
    assert "Losses" in names
    assert "Open" in names
    assert not {"Gains", "Hidden", "Drop"} & set(names)


def test_seats_without_a_side_may_touch_every_counter(game: Game) -> None:
    assert access_of(game, "German") == (
        "German",
        "148 Res. Div.",
        "KGr von Schwerin",
        "Solo",
        "Referee",
    )


def test_each_repeats_traits_and_tables_inside_of_them() -> None:
    data: list[dict[str, object]] = [
        {"trait": "A", "each": ["1|x", "2|y"], "n": "@{each:1}", "text": "<@{each:2}>"},
        {"trait": "B", "commands": [{"each": ["u", "v"], "key": "<@{each}>"}, {"key": "<w>"}]},
    ]
    assert repeated(data) == [
        (0, {"trait": "A", "n": 1, "text": "<x>"}),
        (0, {"trait": "A", "n": 2, "text": "<y>"}),
        (1, {"trait": "B", "commands": [{"key": "<u>"}, {"key": "<v>"}, {"key": "<w>"}]}),
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('images = "@{faces:step}"', 'images = "@{faces:stpe}"', "did you mean 'faces:step'?"),
        ('value = "@{steps}"', 'value = "@{stesp}"', "no value 'stesp'"),
        ('when = "serial" }', 'when = "seral" }', "counters have no column 'seral'"),
        ('name = "Attacks" }', 'name = "Atacks" }', "did you mean 'Attacks'?"),
    ],
)
def test_mistakes_in_a_template_are_told_once_with_their_place(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    folder = shutil.copytree(DROPZONE, tmp_path / "dropzone")
    path = folder / "prototypes.toml"
    text = path.read_text(encoding="utf-8")
    start = text.index("[piece.unit]")
    assert old in text[start:]
    text = text[:start] + text[start:].replace(old, new, 1)
    path.write_text(text, encoding="utf-8")
    line = text[: text.index(new, start)].count("\n") + 1
    broken = open_game(folder)
    log = ProblemLog()
    ids = ["A-1-517", "B-1-517"]
    maker = PieceMaker(broken, {i: faces(broken, i) for i in ids}, log)
    for number, counter_id in enumerate(ids):
        maker.piece(broken.counter(counter_id), number)
    assert len(log.problems) == 1
    problem = log.problems[0]
    assert problem.source.path == "prototypes.toml"
    assert problem.source.line == line
    assert message in problem.message


def test_prototypes_that_use_unknown_ones_or_themselves(tmp_path: Path) -> None:
    folder = shutil.copytree(DROPZONE, tmp_path / "dropzone")
    path = folder / "prototypes.toml"
    text = path.read_text(encoding="utf-8")
    more = """
[prototype.Loop]
trait = [{ trait = "Prototype", name = "Loop2" }]

[prototype.Loop2]
trait = [{ trait = "Prototype", name = "Loop" }, { trait = "Prototype", name = "Losess" }]

[piece.unit]"""
    path.write_text(text.replace("\n[piece.unit]", more, 1), encoding="utf-8")
    log = ProblemLog()
    prototype_pieces(open_game(folder), log)
    messages = [p.message for p in log.problems]
    assert "prototype 'Loop' contains itself" in messages
    assert "unknown prototype 'Losess'; did you mean 'Losses'?" in messages

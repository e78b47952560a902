"""Who plays which Command follows from the seats that players have taken in VASSAL."""

from pathlib import Path

import pytest

from builder.gamebox.open import open_game
from builder.gamebox.table import TableView
from builder.rulesets.dropzone.ruleset import DropZone

FOLDER = Path(__file__).parents[2] / "mapdata" / "dropzone"


@pytest.fixture(scope="module")
def rules() -> DropZone:
    return DropZone.of(open_game(FOLDER))


@pytest.mark.parametrize(
    ("seat", "commands"),
    [
        ("Allied", ("517PRCT", "2IPBG")),
        ("German", ("148RD", "KGVS")),
        ("517 PRCT", ("517PRCT",)),
        ("2 IPBG", ("2IPBG",)),
        ("148 Res. Div.", ("148RD",)),
        ("KGr von Schwerin", ("KGVS",)),
    ],
)
def test_a_seat_is_a_command_or_all_of_a_side(
    rules: DropZone, seat: str, commands: tuple[str, ...]
) -> None:
    assert rules.state_of(TableView((), players={"Ann": seat})).roster == {"Ann": commands}


@pytest.mark.parametrize("seat", ["Solo", "Referee", "", "a seat of another version"])
def test_who_plays_no_side_has_no_command(rules: DropZone, seat: str) -> None:
    assert rules.state_of(TableView((), players={"Ann": seat})).roster == {}

"""A made-up page of the referee, with names that would harm a careless page."""

from __future__ import annotations

import io
from dataclasses import replace

from PIL import Image

from builder.report.check_html import Board, Card, CheckPage, StoryLine
from builder.report.findings import CheckReport, Finding, LogFile
from builder.rules.core import Ruling
from builder.rules.insight import Standing, Thrown

HOSTILE = "<img src=x onerror=alert(1)>"
HOSTILE_ATTRIBUTE = "\"' onclick=alert(2) x='"


def board(color: str) -> Board:
    """A picture of one color."""
    buffer = io.BytesIO()
    Image.new("P", (60, 40), 0).save(buffer, "PNG")
    return Board(buffer.getvalue() + color.encode(), 60, 40)


FIRST = Finding(
    step=12,
    turn=1,
    activation="517PRCT",
    side="Allied",
    unit="A Co 1/517",
    start="1211",
    end="1409",
    ruling=Ruling.ILLEGAL,
    row="DZ-5.1c",
    rule="5.1",
    message=f"A Co 1/517 moved 1211→1409: it has 4; said {HOSTILE}",
    legal=("as far as 1310", "<b>1311</b>"),
    hexes=("1211", "1409"),
    steps=(11, 12),
)
SECOND = replace(
    FIRST,
    step=20,
    side="German",
    ruling=Ruling.WARNING,
    row="DZ-5.2.5",
    rule="5.2",
    start="",
    message="The German defender has 1 die, 2 were rolled",
    rests_on=("Road junction",),
    legal=(),
)
THIRD = replace(
    FIRST, step=31, side="", unit="", start="", end="", row="LOG-ROLL", rule="log", legal=()
)
FOURTH = replace(FIRST, step=40, ruling=Ruling.NOTE, is_settled=True)

PAGE = CheckPage(
    report=CheckReport(
        files=(LogFile(f"game{HOSTILE}.vlog", 50, ("an odd thing",)),),
        game="Sample & Game",
        module="Sample 1.0",
        players=((HOSTILE, "Allied"), (HOSTILE_ATTRIBUTE, "German")),
        findings=(FIRST, SECOND, THIRD, FOURTH),
        actions=45,
        summary=("Allied: 3 objectives", "points: 7"),
    ),
    cards=(
        Card(
            FIRST,
            "What a move costs",
            "A hex costs what the chart says.",
            (board("before"), board("after")),
            (
                StoryLine(11, HOSTILE, ("A Co 1/517  1211 → 1310 (Main)",), True),
                StoryLine(12, "", ("| <script>alert(3)</script>",), True, 14),
            ),
        ),
        Card(SECOND, "Combat roll", boards=(board("same"),)),
        Card(THIRD, "Playing with a log", "A typed roll is none."),
        Card(FOURTH, "What a move costs", boards=(board("same"),)),
    ),
    sides=("Allied", "German"),
    standings=(
        Standing(0, 0, {"Allied": 0, "German": 5}),
        Standing(1, 4, {"Allied": 2, "German": 3}),
        Standing(2, 7, {"Allied": 3, "German": 1}),
    ),
    rolls=(
        Thrown(1, "Allied", 4, 2, 2.0),
        Thrown(1, "German", 3, 0, 1.5),
        Thrown(2, "Allied", 2, 2, 1.0),
    ),
    notes=("Only the 4 gravest findings have pictures.",),
)

"""The air drop's hot jobs: a whole drop played, and its log refereed.

To hold, as for the main game: a drop played in 2 s, and 1,500 steps a second refereed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from builder.gamebox.open import open_game
from builder.rules.readings import LogMoment
from builder.rules.referee import refereed
from builder.rulesets.airdrop.ruleset import AirDrop

FOLDER = Path(__file__).parents[1] / "mapdata" / "airdrop"


@pytest.fixture(scope="module")
def rules() -> AirDrop:
    return AirDrop.of(open_game(FOLDER))


def test_a_drop_is_played(benchmark: Any, rules: AirDrop) -> None:
    played = benchmark(rules.play, "us", 3)
    benchmark.extra_info["actions"] = len(played.deeds)


def test_a_drop_is_refereed(benchmark: Any, rules: AirDrop) -> None:
    moments = [
        LogMoment(number, rules.narrate(deed.state, deed.action))
        for number, deed in enumerate(rules.play("us", 3).deeds, 1)
    ]
    start = rules.start("us")
    judged = benchmark(lambda: refereed(rules, start, moments))
    assert judged.found == []
    if benchmark.stats is not None:
        rate = round(len(moments) / benchmark.stats["median"])
        benchmark.extra_info["steps_a_second"] = rate

"""What is wrong with a game's data for the rules of the air drop: the rows of status *data*."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from builder.gamebox.model import Counter, Game
from builder.problems import Problem, Source
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.open_facts import check_ground
from builder.rulesets.airdrop.state import MMC
from builder.rulesets.airdrop.tracker import SHOWN

__all__ = ["check_data"]

_PRICE: Final = 2
"""Rule 9.1: points for the parachute of an elite MMC."""


def check_data(game: Game) -> Iterator[Problem]:
    """Yield everything that the rules need and the data lacks, or says wrongly."""
    yield from check_ground(game)
    yield from _prices(game)
    yield from _halves(game)
    yield from _letters(game)
    tracker = game.module.tracker
    words = tracker.level[-1].list if tracker is not None and tracker.level else ()
    if tracker is not None and words != SHOWN:
        told = f"the turn tracker's last level must list {', '.join(SHOWN)}"
        yield Problem(Source("module.toml"), told)


@book.states("E9.1f", "E9.1h")
def _prices(game: Game) -> Iterator[Problem]:
    """Rule 9.1: 2 points more for each elite MMC, nothing for a weapon's parachute."""
    for counter in game.counters:
        price, value = _number(counter, "price"), _number(counter, "bpv")
        if counter.layout == "sw_chute" and price:
            yield Problem(counter.source, f"{counter.id}: a weapon's parachute costs nothing")
        if counter.fields.get("kind") not in MMC or price is None or value is None:
            continue
        due = value + (_PRICE if counter.fields.get("elite") else 0)
        if price != due:
            told = f"{counter.id}: with its parachute it costs {due} points, not {price}"
            yield Problem(counter.source, told)


def _halves(game: Game) -> Iterator[Problem]:
    """Rule 9.42: each squad has the two Half-Squads into which it Deploys."""
    halves: dict[str, int] = {}
    for counter in game.counters:
        whole = str(counter.fields.get("half_of") or "")
        if whole:
            halves[whole] = halves.get(whole, 0) + 1
    for counter in game.counters:
        is_squad = counter.fields.get("kind") == "squad" and counter.side == "Attacker"
        if is_squad and halves.get(counter.id, 0) != 2:
            told = f"{counter.id} needs two Half-Squads, and has {halves.get(counter.id, 0)}"
            yield Problem(counter.source, told)


def _letters(game: Game) -> Iterator[Problem]:
    """Rule 9.11: a parachute's id is P or W and its letter."""
    for counter in game.counters:
        sign = {"chute": "P", "sw_chute": "W"}.get(counter.layout)
        letter = str(counter.fields.get("letter") or "")
        if sign is not None and counter.id != sign + letter:
            told = f"the parachute of letter {letter!r} must have the id {sign + letter!r}"
            yield Problem(counter.source, told)


def _number(counter: Counter, name: str) -> int | None:
    value = counter.fields.get(name)
    return value if isinstance(value, int) else None

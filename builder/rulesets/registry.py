"""Which rule set a game has: those of this package and of others, by their entry points.

A package offers a rule set under ``[project.entry-points."builder.rulesets"]``: the word of
``game.toml``, and a class with ``of(game)``. Our own are offered in the same way.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from builder.gamebox.model import Game
from builder.problems import DataError, Problem, ProblemLog, Source, did_you_mean
from builder.reading import read_toml

__all__ = ["known_rulesets", "rules_problems", "ruleset_of"]

_GROUP = "builder.rulesets"


@lru_cache(maxsize=1)
def _offered() -> dict[str, EntryPoint]:
    return {point.name: point for point in sorted(entry_points(group=_GROUP))}


def known_rulesets() -> tuple[str, ...]:
    """Return the names of all rule sets that are installed."""
    return tuple(_offered())


def ruleset_of(game: Game) -> Any:
    """Return the rules of a game, or ``None`` if its ``game.toml`` names none.

    What comes back follows :class:`builder.rules.core.Ruleset`. Raises :class:`DataError` for a
    name that nobody offers, and for data with which its rules can do nothing.
    """
    if not game.ruleset:
        return None
    point = _offered().get(game.ruleset)
    if point is None:
        hint = did_you_mean(game.ruleset, known_rulesets())
        message = f"ruleset: no rules of the name {game.ruleset!r} are installed{hint}"
        raise DataError([Problem(_named_at(game), message)])
    return point.load().of(game)


def rules_problems(game: Game) -> tuple[Problem, ...]:
    """Return what the rules of a game find wrong with its files; nothing if it names no rules.

    Rules that nobody offers, and data with which they can do nothing, are problems like others.
    """
    try:
        ruleset = ruleset_of(game)
    except DataError as error:
        return error.problems
    return () if ruleset is None else tuple(sorted(set(ruleset.check(game))))


def _named_at(game: Game) -> Source:
    toml = read_toml(game.folder / "game.toml", ProblemLog())
    return toml.source("ruleset") if toml is not None else Source("game.toml")

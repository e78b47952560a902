"""What becomes of every row of a game's rulebook: status, function, examples."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder.gamebox.charts import RuleRow
from builder.gamebox.open import open_game, read_game
from builder.gamebox.open_charts import open_rules
from builder.problems import Problem, ProblemLog, UsageError, did_you_mean
from builder.rules.data_examples import DataExample, data_failures_of, open_data_examples
from builder.rules.examples import Example, failures_of, open_examples
from builder.rulesets.registry import rules_problems, ruleset_of

__all__ = ["RuleListing", "RulesReport", "check_examples", "list_rules"]


@dataclass(frozen=True, slots=True)
class RuleListing:
    """A row of ``rules.csv``, and what states and shows it.

    ``functions`` are ``module.function``, judges first; a row that is the same as another has
    that one's. ``examples`` are those that name the row.
    """

    row: RuleRow
    functions: tuple[str, ...]
    examples: tuple[Example, ...]
    data_examples: tuple[DataExample, ...]

    @property
    def tests(self) -> tuple[str, ...]:
        """The ids of everything that shows it."""
        return (*(e.id for e in self.examples), *(e.id for e in self.data_examples))


@dataclass(frozen=True, slots=True)
class RulesReport:
    """Every row of a game's rulebook, in the order of ``rules.csv``."""

    game: str
    title: str
    rows: tuple[RuleListing, ...]

    def find(self, row: str) -> RuleListing:
        """Return a row by its id, with or without the prefix; UsageError if there is none."""
        for listing in self.rows:
            if row.casefold() in (listing.row.id.casefold(), listing.row.id.casefold()[3:]):
                return listing
        known = [r.row.id for r in self.rows]
        raise UsageError(f"no rule {row!r}{did_you_mean(row, known)}")


def list_rules(folder: Path) -> RulesReport:
    """Return what becomes of every row of the rulebook of a game.

    Raises DataError with every mistake in the game's files, and UsageError if it has no rules.
    """
    game = open_game(folder)
    log = ProblemLog()
    rows = open_rules(folder, log)
    examples = open_examples(folder, log)
    data = open_data_examples(folder, log)
    log.check()
    if not rows:
        raise UsageError(f"{game.name} has no rules.csv")
    ruleset = ruleset_of(game)
    book = ruleset.book if ruleset is not None else None
    listings = []
    for row in rows:
        names = (row.id, row.same_as) if row.same_as else (row.id,)
        functions = tuple(f for n in names for f in (book.functions_of(n) if book else ()))
        listings.append(
            RuleListing(
                row,
                functions,
                tuple(e for e in examples if any(n in e.rows for n in names)),
                tuple(e for e in data if any(n in e.rows for n in names)),
            )
        )
    return RulesReport(game.name, game.title, tuple(listings))


def check_examples(
    folder: Path, progress: Callable[[str, int, int], None] | None = None
) -> dict[str, list[str]]:
    """Try every example of a game; return what came out otherwise than it says, by example."""
    game = open_game(folder)
    ruleset: Any = ruleset_of(game)
    if ruleset is None:
        raise UsageError(f"{game.name} names no rule set in game.toml")
    log = ProblemLog()
    examples, data = open_examples(folder, log), open_data_examples(folder, log)
    log.check()
    failures: dict[str, list[str]] = {}
    total = len(examples) + len(data)
    for number, example in enumerate(examples):
        if progress is not None:
            progress(example.id, number, total)
        if found := failures_of(example, ruleset):
            failures[example.id] = found
    for number, change in enumerate(data, len(examples)):
        if progress is not None:
            progress(change.id, number, total)
        if found := data_failures_of(change, folder, _problems_of):
            failures[change.id] = found
    return failures


def _problems_of(folder: Path) -> Iterable[Problem]:
    game, problems = read_game(folder)
    found = list(problems)
    if game is not None and not found:
        found += rules_problems(game)
    return found

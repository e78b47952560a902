"""What a rule is: a function that states it once, and the breaches that it finds.

A rule set keeps its rules in a :class:`RuleBook`. A function tagged ``@book.rule(...)`` judges
actions of one or more kinds; one tagged ``@book.states(...)`` computes something that other rules
build on (zones of control, control of an objective). Both name the rows of ``rules.csv`` that they
state, so that every row can say which function holds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, Generic, Protocol, TypeVar

from builder.gamebox.events import Event
from builder.gamebox.model import Game
from builder.gamebox.table import TableView
from builder.hexes.grid import Hex
from builder.problems import Problem

__all__ = ["Breach", "RuleBook", "Ruleset", "Ruling", "worst"]

S = TypeVar("S")
A = TypeVar("A")
J = TypeVar("J", bound=Callable[[Any, Any], Iterable["Breach"]])
F = TypeVar("F", bound=Callable[..., Any])


class Ruling(Enum):
    """What is thought of an action, from harmless to worst.

    A log does not show everything: what it cannot show is UNDECIDED, and what rests on a figure
    that is not from the rulebook, or on a border that was inferred, is a WARNING.
    """

    LEGAL = "legal"
    NOTE = "note"
    UNDECIDED = "undecided"
    WARNING = "warning"
    ILLEGAL = "illegal"

    @property
    def rank(self) -> int:
        """Its place in the order, 0 for legal."""
        return _ORDER[self]


_ORDER: Mapping[Ruling, int] = {ruling: rank for rank, ruling in enumerate(Ruling)}


@dataclass(frozen=True, slots=True)
class Breach:
    """What a rule says against an action.

    ``row`` is a row of ``rules.csv``; ``message`` a sentence that a player accepts, with the sums
    and names of the case; ``pieces`` and ``hexes`` what it speaks of. ``rests_on`` names figures
    that the rulebook does not give: such a breach is a warning at most. ``legal`` lists what would
    have been legal, in words.
    """

    row: str
    message: str
    ruling: Ruling = Ruling.ILLEGAL
    pieces: tuple[str, ...] = ()
    hexes: tuple[Hex, ...] = ()
    rests_on: tuple[str, ...] = ()
    legal: tuple[str, ...] = ()

    def softened(self) -> Breach:
        """Return it as a warning if it is illegal and rests on a figure of our own."""
        if self.rests_on and self.ruling is Ruling.ILLEGAL:
            return replace(self, ruling=Ruling.WARNING)
        return self


def worst(breaches: Iterable[Breach]) -> Ruling:
    """Return the worst ruling of some breaches; LEGAL if there are none.

    >>> worst(()).value, worst([Breach("X-1", "no", Ruling.WARNING), Breach("X-2", "no")]).value
    ('legal', 'illegal')
    """
    return max((b.ruling for b in breaches), key=lambda r: r.rank, default=Ruling.LEGAL)


@dataclass(slots=True)
class RuleBook(Generic[S, A]):
    """The rules of a rule set by the kind of action that they judge, and by row.

    ``judging`` maps a row to the functions that yield its breaches, ``stating`` to those that
    only compute what others judge by. Filled by decorators when the rule set is imported.
    """

    name: str
    judging: dict[str, tuple[str, ...]] = field(default_factory=dict)
    stating: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _rules: dict[type, list[Callable[[S, Any], Iterable[Breach]]]] = field(default_factory=dict)

    def rule(self, *rows: str, on: type | tuple[type, ...]) -> Callable[[J], J]:
        """Tag a function (state, action) -> breaches as the statement of some rows.

        ``on`` is the class of action that it judges, or several.
        """

        def tag(function: J) -> J:
            kinds: tuple[type, ...] = on if isinstance(on, tuple) else (on,)
            for kind in kinds:
                self._rules.setdefault(kind, []).append(function)
            _note(self.judging, rows, function)
            return function

        return tag

    def states(self, *rows: str) -> Callable[[F], F]:
        """Tag a function that computes what rows say, for rules to judge by."""

        def tag(function: F) -> F:
            _note(self.stating, rows, function)
            return function

        return tag

    def judge(self, state: S, action: A) -> Iterator[Breach]:
        """Yield every breach of an action, softened where it rests on a figure of our own."""
        for function in self._rules.get(type(action), ()):
            for breach in function(state, action):
                yield breach.softened()

    def functions_of(self, row: str) -> tuple[str, ...]:
        """Return ``module.function`` of everything that states a row, judges first.

        >>> RuleBook[int, int]("test").functions_of("X-1")
        ()
        """
        return (*self.judging.get(row, ()), *self.stating.get(row, ()))


def _note(known: dict[str, tuple[str, ...]], rows: Iterable[str], function: Any) -> None:
    module = function.__module__.removeprefix("builder.rulesets.")
    name = f"{module}.{function.__name__}"
    for row in rows:
        known[row] = (*known.get(row, ()), name)


class Ruleset(Protocol[S, A]):
    """What a rule set answers; S is its State, A its Action. Everything is pure.

    What reports and the program's player ask besides stands in :mod:`builder.rules.insight`,
    :mod:`builder.rules.referee` and :mod:`builder.rules.playthrough`.
    """

    @property
    def name(self) -> str:
        """The word of ``game.toml``."""
        ...

    @property
    def book(self) -> RuleBook[S, A]:
        """Its rules, by row and by kind of action."""
        ...

    def check(self, game: Game) -> Iterable[Problem]:
        """Return what is wrong with a game's data for this rule set: the rows of status *data*."""
        ...

    def start(self, scenario: str) -> S:
        """Return the state before anything has happened in a scenario."""
        ...

    def judge(self, state: S, action: A) -> Iterable[Breach]:
        """Return the breaches of an action; never raises on a well-formed one."""
        ...

    def apply(self, state: S, action: A) -> S:
        """Return the state after an action, legal or not, as the table would show it."""
        ...

    def narrate(self, state: S, action: A) -> Iterable[Event]:
        """Return what a table shows when a player takes an action."""
        ...

    def follow(self, state: S, table: TableView) -> S:
        """Return a state that agrees with a table wherever the table can tell."""
        ...

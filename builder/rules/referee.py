"""The referee: reads a log step by step, judges every action, records what broke a rule.

After a breach the table is followed, so that one error is one finding: the state takes over what
was done, whatever is thought of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar

from builder.hexes.grid import Hex
from builder.rules.core import Breach, Ruling
from builder.rules.readings import LogMoment, Reader, Reading

__all__ = ["Found", "Judged", "Located", "RefereeRules", "refereed"]

S = TypeVar("S")
A = TypeVar("A")
_WITHIN: Final = 40
"""Steps around a ruling of both sides in which it settles a finding of that rule."""


class RefereeRules(Protocol[S, A]):
    """What the referee asks of a rule set."""

    def reader(self, *, has_tracker: bool) -> Reader[S, A]:
        """Return a reader of one log."""
        ...

    def judge(self, state: S, action: A) -> Iterable[Breach]:
        """Return the breaches of an action."""
        ...

    def apply(self, state: S, action: A) -> S:
        """Return the state after an action, legal or not."""
        ...

    def moves_on(self, action: A) -> bool:
        """Tell whether an action begins something new, so that an old breach may be one again."""
        ...


@dataclass(frozen=True, slots=True)
class Found(Generic[S, A]):
    """A breach in a log: when, of what, and the states around it.

    ``steps`` are those that showed the action, the last one first told. ``action`` is ``None`` for
    a breach of the log's own rules. ``is_settled`` if both sides ruled on it.
    """

    breach: Breach
    steps: tuple[int, ...]
    action: A | None
    before: S
    after: S
    is_settled: bool = False

    @property
    def step(self) -> int:
        """The step at which it was done."""
        return self.steps[-1] if self.steps else 0

    @property
    def ruling(self) -> Ruling:
        """The ruling as it stands: a note if both sides have settled it."""
        return Ruling.NOTE if self.is_settled else self.breach.ruling


class Located(NamedTuple):
    """Where in a game a finding belongs: turn, part of it, side, piece, and the ends of its way.

    ``activation`` is whatever a rule set calls the part of a turn: a Command, or a phase.
    """

    turn: int
    activation: str
    side: str
    unit: str
    start: Hex | str | None
    end: Hex | str | None


@dataclass(slots=True)
class Judged(Generic[S, A]):
    """Everything that the referee has seen of one log.

    ``actions`` lists every action with its step and the state before it.
    """

    state: S
    actions: list[tuple[int, A, S]] = field(default_factory=list)
    found: list[Found[S, A]] = field(default_factory=list)
    steps: int = 0
    told: set[tuple[str, str]] = field(default_factory=set)
    """Rows and messages found since the sequence of play moved on."""


def refereed(
    rules: RefereeRules[S, A],
    start: S,
    moments: Iterable[LogMoment],
    *,
    has_tracker: bool = True,
    progress: Callable[[int], None] | None = None,
) -> Judged[S, A]:
    """Judge a whole log that begins with a state; the moments must come in order."""
    judged: Judged[S, A] = Judged(start)
    reader = rules.reader(has_tracker=has_tracker)
    rulings: list[tuple[str, int]] = []

    def now() -> S:
        return judged.state

    for moment in moments:
        judged.steps = moment.number
        if progress is not None:
            progress(moment.number)
        for reading in reader.feed(moment, now):
            _take(rules, judged, reading, rulings)
    for reading in reader.close(now):
        _take(rules, judged, reading, rulings)
    judged.found = list(_settled(judged.found, rulings))
    return judged


def _take(
    rules: RefereeRules[S, A],
    judged: Judged[S, A],
    reading: Reading[A],
    rulings: list[tuple[str, int]],
) -> None:
    step = reading.steps[-1] if reading.steps else judged.steps
    if reading.ruling_of:
        rulings.append((reading.ruling_of, step))
    before = judged.state
    breaches = list(reading.breaches)
    if reading.action is not None:
        if reading.is_judged:
            breaches += rules.judge(before, reading.action)
        judged.state = rules.apply(before, reading.action)
        judged.actions.append((step, reading.action, before))
    if reading.action is not None and rules.moves_on(reading.action):
        judged.told.clear()
    for breach in breaches:
        # what was left undone is left undone at every step that follows: it is said once
        key = (breach.row, breach.message)
        if key in judged.told:
            continue
        judged.told.add(key)
        if reading.is_inferred and breach.ruling is Ruling.ILLEGAL:
            breach = replace(breach, ruling=Ruling.WARNING)
        judged.found.append(Found(breach, reading.steps, reading.action, before, judged.state))


def _settled(
    found: Iterable[Found[S, A]], rulings: list[tuple[str, int]]
) -> Iterator[Found[Any, Any]]:
    """Turn findings on which both sides have ruled into notes: the nearest one for each ruling."""
    findings = list(found)
    for rule, step in rulings:
        near = [
            n
            for n, f in enumerate(findings)
            if not f.is_settled and abs(f.step - step) <= _WITHIN and _is_of(f.breach.row, rule)
        ]
        if near:
            best = min(near, key=lambda n: (abs(findings[n].step - step), n))
            findings[best] = replace(findings[best], is_settled=True)
    return iter(findings)


def _is_of(row: str, rule: str) -> bool:
    """Tell whether a row is meant by a rule's number or by its own id.

    Ids begin with letters that stand for the rulebook, with or without a hyphen behind them.

    >>> _is_of("DZ-5.1h", "5.1"), _is_of("DZ-5.1h", "DZ-5.1h"), _is_of("DZ-5.2.6a", "5.1")
    (True, True, False)
    >>> _is_of("E9.12a", "9.12"), _is_of("E9.12a", "E9.12a"), _is_of("E9.12a", "9.1")
    (True, True, False)
    """
    number, wanted = _numbered(row), _numbered(rule)
    return number == wanted or (
        number.startswith(wanted) and not number[len(wanted) :].lstrip(".")[:1].isdecimal()
    )


def _numbered(name: str) -> str:
    """Return a rule's number without the letters of its rulebook; all of it if it has no number."""
    at = next((at for at, char in enumerate(name) if char.isdecimal()), 0)
    return name[at:]

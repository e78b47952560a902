"""Logs of Drop Zone as a table would show them, and logs with one thing wrong.

A mutant tells what was done in plain words, which row it breaks and how it is ruled; what a referee
says of it is compared with that. The events come from the narrator, or are typed here; no rule is
asked for what it would find.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from builder.gamebox.events import Event, Said, TurnChanged
from builder.rules.readings import LogMoment
from builder.rules.referee import Found, refereed
from builder.rulesets.dropzone.actions import Action, Attack, Commit, Use
from builder.rulesets.dropzone.ruleset import DropZone
from builder.rulesets.dropzone.state import State

__all__ = ["Log", "Mutant", "findings", "findings_without_lines", "own", "typed"]

Step = tuple[Event, ...]


def own(words: str, step: int = 1) -> Said:
    """Return a line as the module writes it."""
    return Said(step=step, words=f"* DZ: {words}")


def typed(words: str, speaker: str, step: int = 1) -> Said:
    """Return something that a player typed."""
    return Said(step=step, words=words, speaker=speaker)


@dataclass
class Log:
    """A log in the making: the steps so far, and the state that the table shows.

    ``seats`` maps players to the seats that they took; whoever acts without a name acts unseen.
    """

    rules: DropZone
    start: State
    seats: dict[str, str] = field(default_factory=dict)
    steps: list[LogMoment] = field(default_factory=list)
    state: State = field(init=False)

    def __post_init__(self) -> None:
        """Begin with the state of the start."""
        self.state = self.start

    def act(self, action: Action | str, by: str = "") -> Log:
        """Add an action as the module shows it, and go on from the state after it."""
        known = self.rules.read_action(action) if isinstance(action, str) else action
        who = by or known.by
        for _, events in groupby(self.rules.narrate(self.state, known), key=lambda e: e.step):
            self.show(*events, by=who)
        self.state = self.rules.apply(self.state, known)
        return self

    def show(self, *events: Event, by: str = "") -> Log:
        """Add one step of events; the state stays."""
        number = len(self.steps) + 1
        seat = self.seats.get(by)
        self.steps.append(LogMoment(number, tuple(events), actor=by or None, seat=seat))
        return self

    def acts(self, actions: Iterable[Action | str]) -> Log:
        """Add several actions."""
        for action in actions:
            self.act(action)
        return self

    def undone(self) -> Log:
        """Let the last step be taken back by a step of its own."""
        last = self.steps[-1]
        self.steps[-1] = replace(last, undone_by=len(self.steps) + 1)
        return self.show(own("UNDO"))

    @property
    def length(self) -> int:
        """How many steps there are."""
        return len(self.steps)


def findings(log: Log) -> list[Found[State, Action]]:
    """Return what the referee finds in a log."""
    return refereed(log.rules, log.start, log.steps).found


def findings_without_lines(log: Log) -> list[Found[State, Action]]:
    """Return what is found if nobody used the tracker, and the module said nothing."""
    silent = (
        replace(
            step,
            events=tuple(e for e in step.events if not isinstance(e, Said | TurnChanged)),
        )
        for step in log.steps
    )
    steps = [step for step in silent if step.events]
    return refereed(log.rules, log.start, steps, has_tracker=False).found


@dataclass(frozen=True)
class Mutant:
    """A log with one thing wrong.

    ``name`` says what was done; ``log`` is the whole log, in which step ``step`` (the first of
    several that show the deed) does it. ``row`` and ``ruling`` are what must be found, once.
    ``besides`` are rows that what was done leaves behind as well, with the reason in the name.
    """

    name: str
    row: str
    log: Log
    step: int
    ruling: str = "illegal"
    besides: tuple[str, ...] = ()
    last: int = 0
    """The last step at which it may be found, 0 if only later ones show it."""

    def failures(self) -> list[str]:
        """Return how what is found differs from what must be, in words; nothing if it does not."""
        found = findings(self.log)
        told = [f"step {f.step} {f.ruling.value} {f.breach.row}: {f.breach.message}" for f in found]
        wrong = []
        named = [f for f in found if f.breach.row == self.row]
        if len(named) != 1:
            wrong.append(f"{self.row} is found {len(named)} times")
        last = self.last or self.log.length
        wrong += [
            f"step {f.step}, not {self.step}" for f in named if not self.step <= f.step <= last
        ]
        wrong += [
            f"{f.ruling.value}, not {self.ruling}" for f in named if f.ruling.value != self.ruling
        ]
        others = [f for f in found if f.breach.row not in (self.row, *self.besides)]
        if others:
            wrong.append("and more than that")
        return [*wrong, *told] if wrong else []


def with_interdiction(state: State, actions: Sequence[Action]) -> Iterator[Action]:
    """Yield actions as a table has them: the hex of an interdiction is announced as a target."""
    target = state.fight.target if state.fight is not None else None
    n = state.attacks
    for action in actions:
        if isinstance(action, Attack):
            target, n = action.target, action.n
        if isinstance(action, Use) and action.target not in (None, target):
            n += 1
            target = action.target
            assert target is not None
            yield Attack(n, target)
        yield action


def with_asset(state: State, action: Action, taken: set[str]) -> Action:
    """Return a face-down asset of no name as one of its side's, since a log knows every counter."""
    if not isinstance(action, Commit) or action.asset:
        return action
    facts = state.facts.assets
    fire = [k for k, a in facts.items() if a.side == action.side and a.kind == "INDIRECT"]
    found = next(k for k in fire if k not in taken and not state.assets[k].used)
    taken.add(found)
    return replace(action, asset=found)

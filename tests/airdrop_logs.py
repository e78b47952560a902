"""Logs of the air drop as a table would show them: examples of rules, narrated and read back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from builder.gamebox.events import Event, Said
from builder.rules.examples import Example
from builder.rules.readings import LogMoment
from builder.rules.referee import Found, refereed
from builder.rulesets.airdrop.actions import Action
from builder.rulesets.airdrop.ruleset import AirDrop
from builder.rulesets.airdrop.state import State

__all__ = ["SEATS", "Log", "findings", "log_of", "own", "typed"]

SEATS = {"Ann": "Attacker", "Dora": "Defender", "Olga": "Referee", "Rosa": "Solo"}
"""Players and the seats that they took."""


def own(words: str) -> Said:
    """Return a line as the module writes it."""
    return Said(step=1, words=f"* E9: {words}")


def typed(words: str, speaker: str) -> Said:
    """Return something that a player typed."""
    return Said(step=1, words=words, speaker=speaker)


@dataclass
class Log:
    """A log in the making: the steps so far, and the state that the table shows.

    Whoever acts without a name acts unseen.
    """

    rules: AirDrop
    start: State
    steps: list[LogMoment] = field(default_factory=list)
    state: State = field(init=False)

    def __post_init__(self) -> None:
        """Begin with the state of the start."""
        self.state = self.start

    def act(self, action: Action | str, by: str = "") -> Log:
        """Add an action as the module shows it, and go on from the state after it."""
        known = self.rules.read_action(action) if isinstance(action, str) else action
        self.show(*self.rules.narrate(self.state, known), by=by)
        self.state = self.rules.apply(self.state, known)
        return self

    def acts(self, actions: Iterable[Action | str]) -> Log:
        """Add several actions."""
        for action in actions:
            self.act(action)
        return self

    def show(self, *events: Event, by: str = "") -> Log:
        """Add one step of events; the state stays."""
        number = len(self.steps) + 1
        moment = LogMoment(number, tuple(events), actor=by or None, seat=SEATS.get(by))
        self.steps.append(moment)
        return self

    def undone(self) -> Log:
        """Let the last step be taken back by a step of its own."""
        self.steps[-1] = replace(self.steps[-1], undone_by=len(self.steps) + 1)
        return self.show(own("UNDO"))

    @property
    def length(self) -> int:
        """How many steps there are."""
        return len(self.steps)

    def without_lines(self) -> Log:
        """Return the same log of a module that says nothing."""
        silent = Log(self.rules, self.start)
        for step in self.steps:
            events = tuple(e for e in step.events if not isinstance(e, Said))
            silent.steps.append(replace(step, events=events))
        return silent


def findings(log: Log) -> list[Found[State, Action]]:
    """Return what the referee finds in a log."""
    return refereed(log.rules, log.start, log.steps).found


def log_of(example: Example, rules: AirDrop) -> tuple[Log, int]:
    """Return the log of an example, and the step that shows its action."""
    log = Log(rules, rules.position(example.ground, example.given))
    log.acts(example.before)
    first = log.length + 1
    return log.act(example.action), first

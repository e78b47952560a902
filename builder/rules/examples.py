"""Examples of rules as data: a position, an action, and what the rulebook says of it.

A rule set's examples stand in ``mapdata/GAME/examples/*.toml``. They show a reader what a row of
``rules.csv`` means, and they are tests: what an example expects was typed by hand from the
rulebook, and no rule has a say in it.

    [[example]]
    name = "leaving a zone of control"
    rows = ["DZ-5.1h"]                  # what it shows
    ground = ["all ."]                  # the map, if not the game's own (see sketch)
    given = '''
    turn 2 MOVE KGVS
    1-I-933 1005
    A-509 1006
    '''
    before = ["MOVE unit=1-I-933 to=1105"]      # actions taken first, whatever is thought of them
    action = "MOVE unit=1-I-933 to=1205"
    breaks = ["DZ-5.1a"]                # exactly these rows; none: the action is legal
    ruling = "warning"                  # the worst of them, if not "illegal"
    says = ["2 MP", "1205"]             # words that the messages must hold
    after = ["1-I-933 1205 2"]          # lines of the position afterwards
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

from builder.problems import ProblemLog, Source
from builder.rules.core import Breach, worst
from builder.rules.examples_file import example_files

__all__ = ["Example", "ExampleRules", "failures_of", "open_examples"]

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Example:
    """An example with its place; ``id`` is *file/name*, unique in a game."""

    id: str
    rows: tuple[str, ...]
    ground: tuple[str, ...]
    given: str
    before: tuple[str, ...]
    action: str
    breaks: tuple[str, ...]
    ruling: str
    says: tuple[str, ...]
    after: tuple[str, ...]
    vector: str
    note: str
    source: Source = field(compare=False)

    @property
    def is_legal(self) -> bool:
        """Whether it shows something that no rule forbids."""
        return not self.breaks


def open_examples(folder: Path, log: ProblemLog) -> tuple[Example, ...]:
    """Return the examples of a game, by file and in the order of the files; none if it has none.

    Notes names that stand twice, and everything that is no example.
    """
    found: dict[str, Example] = {}
    for stem, toml, file in example_files(folder, log):
        for number, table in enumerate(file.example):
            key = f"{stem}/{table.name}"
            if key in found:
                log.add(toml.source("example", number, "name"), f"{key!r} stands twice")
            found[key] = Example(
                key,
                (*table.rows, *(r for r in table.breaks if r not in table.rows)),
                table.ground,
                table.given,
                table.before,
                table.action,
                table.breaks,
                table.ruling or ("illegal" if table.breaks else "legal"),
                table.says,
                table.after,
                table.vector,
                table.note,
                toml.source("example", number),
            )
    return tuple(found.values())


class ExampleRules(Protocol[S]):
    """What a rule set offers so that examples can be tried."""

    def position(self, ground: Iterable[str], given: str) -> S:
        """Return the state that a text describes, on a sketched map."""
        ...

    def read_action(self, line: str) -> Any:
        """Return the action of a line."""
        ...

    def judge(self, state: S, action: Any) -> Iterable[Breach]:
        """Return the breaches of an action."""
        ...

    def apply(self, state: S, action: Any) -> S:
        """Return the state after an action."""
        ...

    def position_lines(self, state: S) -> Mapping[str, str]:
        """Return a position as lines by their first word."""
        ...


def failures_of(example: Example, rules: ExampleRules[Any]) -> list[str]:
    """Try an example; return what came out otherwise than it says, in words; nothing if all held.

    Raises the rule set's errors if a line cannot be read.
    """
    state = rules.position(example.ground, example.given)
    for line in example.before:
        state = rules.apply(state, rules.read_action(line))
    action = rules.read_action(example.action)
    breaches = tuple(rules.judge(state, action))
    found = []
    told = {b.row for b in breaches}
    if told != set(example.breaks):
        shown = "; ".join(f"{b.row} {b.message}" for b in breaches) or "nothing"
        found.append(f"expected {', '.join(example.breaks) or 'nothing'}, found {shown}")
    if worst(breaches).value != example.ruling:
        found.append(f"expected {example.ruling}, found {worst(breaches).value}")
    messages = " ".join(b.message for b in breaches)
    found += [f"no word of {w!r} in {messages!r}" for w in example.says if w not in messages]
    if example.after:
        lines = rules.position_lines(rules.apply(state, action))
        for line in example.after:
            # a line is known by its first word, or by two where the first tells only what it is
            first, *more = line.split()
            shown = lines.get(first) or lines.get(" ".join([first, *more[:1]]), "")
            if shown != line.strip():
                found.append(f"afterwards expected {line!r}, found {shown!r}")
    return found

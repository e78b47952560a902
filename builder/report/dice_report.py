"""A report on dice as a value, the words in which text and HTML tell it, and its JSON form."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from builder.report.dice_stats import (
    EVERYONE,
    ChiSquared,
    Doubles,
    Group,
    Roll,
    Streak,
    Tally,
    TooFew,
    Verdict,
)
from builder.report.log_repeats import Repeat

__all__ = [
    "DiceReport",
    "LogDice",
    "as_json",
    "average_words",
    "bars_of",
    "chance_words",
    "count_words",
    "drawn_groups",
    "drawn_tallies",
    "even_expectation",
    "group_facts",
    "heading_of",
    "p_words",
    "shown_name",
    "size_words",
    "verdict_words",
]

_MAX_NAME: Final = 200
_MAX_BARS: Final = 24
_MANY_TESTS: Final = 5


@dataclass(frozen=True, slots=True)
class LogDice:
    """One log of a report: its name, how many steps it has, the rolls that were counted from it.

    ``repeated`` further rolls stand in an earlier log too and were not counted again.
    """

    name: str
    steps: int
    rolls: int
    repeated: int = 0


@dataclass(frozen=True, slots=True)
class DiceReport:
    """What logs say of dice: groups, the seats that the logs name, notes for the reader."""

    logs: tuple[LogDice, ...]
    groups: tuple[Group, ...]
    rolls: tuple[Roll, ...]
    seats: tuple[tuple[str, str], ...] = ()
    repeats: tuple[Repeat, ...] = ()
    notes: tuple[str, ...] = ()
    typed_left_out: int = 0

    @property
    def tests(self) -> int:
        """How many chi-squared tests it tells, of faces and of totals."""
        tallies = [t for group in self.groups for t in (group.faces, group.totals) if t]
        return sum(isinstance(tally.test, ChiSquared) for tally in tallies)

    @property
    def advice(self) -> str:
        """What to bear in mind when several tests are read at once; empty for a few."""
        if self.tests < _MANY_TESTS:
            return ""
        return (
            f"{self.tests} tests: with fair dice about {self.tests / 20:.1f} of them give p below "
            "0.05, so one small p alone says little"
        )


# ------------------------------------------------------------------------------------------ words


def shown_name(text: str) -> str:
    r"""Return a hostile text fit for a terminal: no control, no change of direction, not endless.

    >>> shown_name("Bob\x1b[2J")
    'Bob?[2J'
    """
    clean = "".join(
        "?" if unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp") else c
        for c in text[: _MAX_NAME + 1]
    )
    return clean if len(clean) <= _MAX_NAME else clean[: _MAX_NAME - 1] + "…"


def count_words(number: int, word: str, plural: str = "") -> str:
    """Return a number with its noun.

    >>> count_words(1, "roll"), count_words(2, "die", "dice")
    ('1 roll', '2 dice')
    """
    return f"{number} {word}" if number == 1 else f"{number} {plural or word + 's'}"


def heading_of(group: Group) -> str:
    """Return whose rolls a group holds."""
    name = "Everyone" if group.player == EVERYONE else shown_name(group.player)
    return f"{name}, as typed in chat" if group.is_typed else name


def p_words(p: float) -> str:
    """Return a p value with as many digits as mean something.

    >>> p_words(0.0312), p_words(0.4567), p_words(1e-9)
    ('p = 0.031', 'p = 0.46', 'p < 0.0001')
    """
    if p < 0.0001:
        return "p < 0.0001"
    return f"p = {p:.2f}" if p >= 0.1 else f"p = {p:.3f}" if p >= 0.001 else f"p = {p:.4f}"


def verdict_words(test: Verdict, noun: str) -> str:
    """Return a test in words; never a p value without enough results behind it."""
    match test:
        case ChiSquared(statistic, freedom, p):
            return f"chi² = {statistic:.2f} ({freedom} df), {p_words(p)}"
        case TooFew(count, needed):
            return f"too few {noun} for a test ({count} of {needed})"
        case _:
            return "no test"


def chance_words(chance: float | None) -> str:
    """Return how likely fair dice make something at least as long; nothing if unknown."""
    if chance is None:
        return ""
    if chance >= 0.995:
        return "almost certain"
    percent = chance * 100
    return f"{percent:.0f} %" if percent >= 10 else f"{percent:.2g} %"


def average_words(group: Group) -> str:
    """Return the mean against expectation."""
    average = group.average
    if average is None:
        return ""
    words = f"{average.mean:.2f}"
    if average.expected is None:
        return words
    words += f", expected {average.expected:.2f}"
    off = average.off_by
    if off is None:
        return words
    if abs(off) < 0.05:
        return words
    side = "above" if off > 0 else "below"
    return f"{words} ({abs(off):.1f} standard errors {side})"


def _streak_words(streak: Streak, what: str) -> str:
    place = f"from step {streak.step}" + (f" of log {streak.log}" if streak.log > 1 else "")
    odds = chance_words(streak.chance)
    return f"{streak.length} {what}, {place}" + (f" (fair dice: {odds})" if odds else "")


def _doubles_words(doubles: Doubles) -> str:
    expected = "" if doubles.expected is None else f", expected {doubles.expected:.1f}"
    return f"{doubles.count}{expected}"


def size_words(group: Group) -> str:
    """Return how many rolls a group has, and how many dice if these are more."""
    words = count_words(group.rolls, "roll")
    dice = group.faces.count if group.faces else 0
    return words if dice in (0, group.rolls) else f"{words}, {count_words(dice, 'die', 'dice')}"


def group_facts(group: Group) -> tuple[tuple[str, str], ...]:
    """Return everything a group says beside its bars, as short labels and texts."""
    facts = []
    if group.average is not None:
        facts.append(("Mean", average_words(group)))
    if group.faces is not None:
        facts.append(("Faces", verdict_words(group.faces.test, "dice")))
    if group.totals is not None:
        facts.append(("Totals", verdict_words(group.totals.test, "rolls")))
    if group.same is not None:
        facts.append(("Streak", _streak_words(group.same, f"× {shown_name(group.same.what)}")))
    for name, streak in (("High", group.above), ("Low", group.below)):
        if streak is not None:
            facts.append((name, _streak_words(streak, f"{streak.what} the mean in a row")))
    if group.doubles is not None:
        facts.append(("Doubles", _doubles_words(group.doubles)))
        run = group.doubles.run
        if run is not None and run.length > 1:
            facts.append(("", _streak_words(run, "doubles in a row")))
    if group.undone:
        results = "; ".join(shown_name(roll.result) for roll in group.undone[:12])
        more = f"; and {len(group.undone) - 12} more" if len(group.undone) > 12 else ""
        facts.append(("Undone", f"{len(group.undone)}, not counted: {results}{more}"))
    facts += [("Note", shown_name(note)) for note in group.notes]
    return tuple(facts)


def drawn_groups(groups: Sequence[Group]) -> tuple[Group, ...]:
    """Return those of one player's groups that are drawn: the larger ones, kinds outside them."""
    held = {(group.die, group.dice) for group in groups if group.scope == "shape"}
    return tuple(
        group for group in groups if group.scope != "kind" or (group.die, group.dice) not in held
    )


def drawn_tallies(group: Group, beside: Sequence[Group]) -> tuple[tuple[str, Tally], ...]:
    """Return what is drawn of a group, with its title.

    The faces of rolls of several dice are left out if a group ``beside`` it has every single die.
    """
    is_told = group.scope == "shape" and any(other.scope == "die" for other in beside)
    faces = None if is_told and group.totals is not None else group.faces
    pairs = (("Faces", faces), ("Totals", group.totals))
    return tuple((title, tally) for title, tally in pairs if tally is not None and tally.count)


def even_expectation(bars: Sequence[tuple[str, int, float | None]]) -> float | None:
    """Return the expected count of every bar if it is the same for all."""
    values = {expected for _, _, expected in bars}
    return values.pop() if len(values) == 1 else None


def bars_of(tally: Tally) -> tuple[tuple[str, int, float | None], ...]:
    """Return label, count and expectation of each bar; many numbers are put into few classes.

    A numbered die of a hundred sides gives twenty bars of five.
    """
    cells = tally.cells
    if len(cells) <= _MAX_BARS:
        return tuple((cell.label, cell.count, cell.expected) for cell in cells)
    size = next(
        n for n in (2, 5, 10, 20, 25, 50, 100, 250, 500, len(cells)) if len(cells) / n <= _MAX_BARS
    )
    bars = []
    for start in range(0, len(cells), size):
        part = cells[start : start + size]
        expected = [cell.expected for cell in part if cell.expected is not None]
        label = part[0].label if len(part) == 1 else f"{part[0].label}-{part[-1].label}"
        total = sum(cell.count for cell in part)
        bars.append((label, total, sum(expected) if len(expected) == len(part) else None))
    return tuple(bars)


# ------------------------------------------------------------------------------------------- JSON


def as_json(report: DiceReport) -> dict[str, Any]:
    """Return a report for programs; an unknown chance or expectation is ``None``."""
    return {
        "ok": True,
        "logs": [
            {"file": log.name, "steps": log.steps, "rolls": log.rolls, "repeated": log.repeated}
            for log in report.logs
        ],
        "repeats": [
            {
                "log": run.log,
                "steps": [run.first, run.last],
                "of_log": run.of,
                "of_steps": [run.of_first, run.of_last],
            }
            for run in report.repeats
        ],
        "seats": [{"player": player, "side": side} for player, side in report.seats],
        "typed_left_out": report.typed_left_out,
        "groups": [_group_json(group) for group in report.groups],
        "rolls": [_roll_json(roll) for roll in report.rolls],
        "notes": list(report.notes),
    }


def _group_json(group: Group) -> dict[str, Any]:
    average = group.average
    return {
        "player": None if group.player == EVERYONE else group.player,
        "name": group.name,
        "scope": group.scope,
        "typed": group.is_typed,
        "rolls": group.rolls,
        "undone": len(group.undone),
        "dice": group.dice or None,
        "die": group.die and dict(zip(group.die.faces, group.die.weights, strict=True)),
        "die_known": bool(group.die and group.die.is_known),
        "faces": group.faces and _tally_json(group.faces),
        "totals": group.totals and _tally_json(group.totals),
        "average": average
        and {"mean": average.mean, "expected": average.expected, "error": average.error},
        "streaks": {
            name: streak._asdict() for name, streak in _streaks(group) if streak is not None
        },
        "doubles": group.doubles
        and {
            "count": group.doubles.count,
            "expected": group.doubles.expected,
            "longest": group.doubles.run and group.doubles.run._asdict(),
        },
        "notes": list(group.notes),
    }


def _streaks(group: Group) -> tuple[tuple[str, Streak | None], ...]:
    return ("same", group.same), ("above", group.above), ("below", group.below)


def _tally_json(tally: Tally) -> dict[str, Any]:
    test: dict[str, Any] | None = None
    match tally.test:
        case ChiSquared(statistic, freedom, p):
            test = {"chi_squared": statistic, "freedom": freedom, "p": p}
        case TooFew(count, needed):
            test = {"too_few": count, "needed": needed}
    return {
        "cells": [[cell.label, cell.count, cell.expected] for cell in tally.cells],
        "test": test,
    }


def _roll_json(roll: Roll) -> dict[str, Any]:
    return {
        "log": roll.log,
        "step": roll.step,
        "player": roll.player or None,
        "kind": roll.kind,
        "faces": list(roll.faces),
        "total": roll.value,
        "evidence": roll.evidence,
        "undone": roll.is_undone,
        "typed": roll.is_typed,
    }

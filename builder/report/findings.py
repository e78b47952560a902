"""Findings: what the referee has found in a log, in words of a report, and what may be named.

A finding knows its step, turn and side, the pieces and hexes, the rule and a sentence. Names of
units that are still hidden are masked before anything of it is shown (:class:`Masking`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from builder.rules.core import Ruling

__all__ = ["CheckReport", "Finding", "LogFile", "Masking", "findings_json", "worst_of"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What broke a rule, where and why.

    ``start`` and ``end`` are printed hexes or boxes of a way; ``hexes`` all hexes that it speaks
    of; ``legal`` what would have been legal; ``steps`` all steps that showed it; ``file`` the
    number of the log in a chain, from 0. ``before`` and ``after`` are the rule set's states, for
    pictures.
    """

    step: int
    turn: int
    activation: str
    side: str
    unit: str
    start: str
    end: str
    ruling: Ruling
    row: str
    rule: str
    message: str
    legal: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    hexes: tuple[str, ...] = ()
    steps: tuple[int, ...] = ()
    rests_on: tuple[str, ...] = ()
    is_settled: bool = False
    file: int = 0
    before: Any = field(default=None, repr=False, compare=False)
    after: Any = field(default=None, repr=False, compare=False)
    action: Any = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class LogFile:
    """A log of a chain: its name, how many steps it has, and what was odd about it."""

    name: str
    steps: int
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Everything that is told of one game's logs.

    ``game`` is empty if no rule set is known for the logs' module: then there are no findings.
    ``summary`` says how the game stands at the end; ``players`` are names with sides.
    """

    files: tuple[LogFile, ...]
    game: str
    module: str
    players: tuple[tuple[str, str], ...] = ()
    findings: tuple[Finding, ...] = ()
    actions: int = 0
    summary: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def steps(self) -> int:
        """How many steps the logs have together."""
        return sum(f.steps for f in self.files)

    def count(self, ruling: Ruling) -> int:
        """Return how many findings have a ruling."""
        return sum(f.ruling is ruling for f in self.findings)


@dataclass(frozen=True, slots=True)
class Masking:
    """Puts other names in place of those of hidden units.

    ``names`` maps what must not be read (ids and titles) to what stands for it (an alias).
    """

    names: Mapping[str, str]

    def text(self, text: str) -> str:
        """Return a text without the names.

        >>> Masking({"A Co 509": "H3"}).text("A Co 509 moved; FFI 1 did not")
        'H3 moved; FFI 1 did not'
        """
        if not self.names:
            return text
        longest = sorted(self.names, key=len, reverse=True)
        pattern = "|".join(rf"(?<![\w-]){re.escape(name)}(?![\w-])" for name in longest)
        return re.sub(pattern, lambda found: self.names[found[0]], text)

    def finding(self, finding: Finding) -> Finding:
        """Return a finding without the names."""
        return replace(
            finding,
            unit=self.text(finding.unit),
            units=tuple(map(self.text, finding.units)),
            message=self.text(finding.message),
            legal=tuple(map(self.text, finding.legal)),
        )


def worst_of(findings: Iterable[Finding]) -> Ruling:
    """Return the worst ruling among findings; LEGAL if there are none."""
    return max((f.ruling for f in findings), key=lambda r: r.rank, default=Ruling.LEGAL)


def findings_json(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """Return findings as plain data for programs."""
    return [
        {
            "step": f.step,
            "turn": f.turn,
            "activation": f.activation or None,
            "side": f.side or None,
            "unit": f.unit or None,
            "from": f.start or None,
            "to": f.end or None,
            "ruling": f.ruling.value,
            "row": f.row,
            "rule": f.rule,
            "message": f.message,
            "legal": list(f.legal),
            "units": list(f.units),
            "hexes": list(f.hexes),
            "steps": list(f.steps),
            "rests_on": list(f.rests_on),
            "settled": f.is_settled,
            "file": f.file,
        }
        for f in findings
    ]

"""Rule 3: the sequence of play of Drop Zone, and the four Commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from builder.rules.turns import SequenceOfPlay

__all__ = ["COMMANDS", "COMMANDS_OF", "FIRST_ORDER", "SEQUENCE", "SIDE_OF", "STEPS"]

COMMANDS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    "Allied": ("517PRCT", "2IPBG"),
    "German": ("148RD", "KGVS"),
}
"""Rule 1.3: the Commands of each side."""

COMMANDS: Final = tuple(name for names in COMMANDS_OF.values() for name in names)
SIDE_OF: Final[Mapping[str, str]] = {c: s for s, names in COMMANDS_OF.items() for c in names}

FIRST_ORDER: Final = ("KGVS", "148RD", "517PRCT", "2IPBG")
"""Rule 3.2: the order of activation in turn 1."""

SEQUENCE: Final = SequenceOfPlay(
    turns=6,
    rounds=4,
    opening=("ASSETDRAW",),
    opening_of={1: ("SETUP",)},
    round=("INIT", "RP", "RU", "LAND", "MOVE", "COMBAT", "ENDACT"),
    closing=("ENDTURN",),
)
"""Rules 3.1 to 3.4; turn 1 has the set-up instead of a draw of assets."""

STEPS: Final = ("SETUP", *SEQUENCE.opening, *SEQUENCE.round, *SEQUENCE.closing)
"""Every step by the word that the turn tracker reports."""

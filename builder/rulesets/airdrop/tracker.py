"""What the module's turn tracker shows for a phase, and back: ``Turn 1 Attacker RPh``.

Its first position in a player turn is called Start: there is the set-up.
"""

from __future__ import annotations

from typing import Final

from builder.rulesets.airdrop.actions import Phase
from builder.rulesets.airdrop.state import PHASES

__all__ = ["SHOWN", "SIDES", "read_turn", "shown_turn"]

SIDES: Final = ("Attacker", "Defender")
"""The sides whose player turns follow each other."""

SHOWN: Final = ("Start", *PHASES[1:])
"""The phases of a player turn as the tracker lists them."""


def shown_turn(phase: Phase) -> str:
    """Return what the tracker shows for a phase.

    >>> shown_turn(Phase(1, "Attacker", "SETUP"))
    'Turn 1 Attacker Start'
    """
    return f"Turn {phase.turn} {phase.side} {SHOWN[PHASES.index(phase.phase)]}"


def read_turn(text: str) -> Phase | None:
    """Return the phase that the tracker shows; ``None`` for a text that is none of its own.

    >>> read_turn("Turn 2 Defender CCPh")
    Phase(turn=2, side='Defender', phase='CCPh')
    >>> read_turn("Turn 2 Defender MPh") is None
    True
    """
    match text.split():
        case ["Turn", turn, side, shown] if side in SIDES and shown in SHOWN:
            if turn.isdecimal() and len(turn) < 5:
                return Phase(int(turn), side, PHASES[SHOWN.index(shown)])
    return None

"""Drops that the program plays on ground of its own, and what tells them and reads them back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from builder.gamebox.lines import open_lines
from builder.hexes.grid import Hex
from builder.problems import ProblemLog
from builder.rules.dice import Thrower
from builder.rules.notation import Notation
from builder.rulesets.airdrop import chapters
from builder.rulesets.airdrop.actions import ACTIONS
from builder.rulesets.airdrop.facts import LEFT, SHARED, TOP, Ground, label
from builder.rulesets.airdrop.narrate import Narrator
from builder.rulesets.airdrop.policy import PlayTable, play_drop
from builder.rulesets.airdrop.reader import AirdropReader
from builder.rulesets.airdrop.state import State, Stick, Unit

__all__ = ["CHAPTERS", "made_narrator", "played", "reader"]

FOLDER = Path(__file__).parents[1] / "mapdata" / "airdrop"
CHAPTERS = chapters.ALL  # they put their rules into the book


class Sheet:
    """The names of hexes without the map."""

    label = staticmethod(label)

    @staticmethod
    def find(name: str) -> Hex | None:
        if found := re.fullmatch(r"O([0-9]{2})([0-9]{2})", name):
            return Hex(int(found[1]), int(found[2]))
        if found := re.fullmatch(r"([12])([A-Z]{1,2})([0-9]{1,2})", name):
            index = ord(found[2][0]) - ord("A") + 26 * (len(found[2]) - 1)
            return Hex((LEFT if found[1] == "1" else SHARED) + index, TOP + int(found[3]))
        return None


def start(nationality: str) -> State:
    units = {}
    sticks = {}
    for number, letter in enumerate("ABCDEFGH"):
        names = (f"sq{letter}", f"ld{letter}") if number % 2 else (f"h{letter}", f"i{letter}")
        kinds = ("squad", "leader") if number % 2 else ("hs", "hs")
        for name, kind in zip(names, kinds, strict=True):
            units[name] = Unit(name, kind, "Attacker", nationality, stick=letter)
        sticks[letter] = Stick(letter, names)
    bases = {Hex(c, r): "woods" for c in range(20, 70, 5) for r in range(14, 23)}
    bases |= {Hex(c, r): "water" for c in range(22, 70, 7) for r in range(14, 23)}
    return State(Ground(bases, {}), nationality=nationality, units=units, sticks=sticks)


def played(seed: int) -> PlayTable:
    nationality = ("US", "GERMAN", "RUSSIAN", "BRITISH")[seed % 4]
    table = PlayTable(start(nationality), Thrower(seed))
    play_drop(table)
    return table


def made_narrator() -> Narrator:
    """Return what tells actions by the game's own grammar."""
    log = ProblemLog()
    grammar = open_lines(FOLDER, log)
    log.check()
    assert grammar is not None
    sheet: Any = Sheet()
    return Narrator(grammar, Notation(Notation.verbs(ACTIONS), sheet), label)


def reader(narrator: Narrator) -> AirdropReader:
    seats = {"Attacker": "Attacker", "Defender": "Defender", "Solo": ""}
    return AirdropReader(
        narrator.grammar, narrator.notation, {}, seats, Sheet.find, lambda piece: "Attacker"
    )

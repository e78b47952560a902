"""The games that are played in the real VASSAL and kept as fixtures, and who plays them.

*Rosa* plays both sides: three turns, a log each, and from the end of her second turn once more a
big battle. *Alice* (Allied) and *Bob* (German) take her table over after turn 1 and play by mail:
each steps through the other's log and answers with one of his own. Names and passwords are made
up.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from engine.game_driver import Aside, DrivenTable, Hand
from engine.live import LiveVassal, live_vassal

from builder.rulesets.dropzone.facts import ALLIED, GERMAN
from builder.rulesets.dropzone.ruleset import DropZone
from builder.rulesets.dropzone.state import State

__all__ = ["Recorder", "keep"]

SCREEN = (1600, 1000)
ROSA = ("Rosa", "kornblume-7")
ALICE = ("Alice", "mohnblume-3")
BOB = ("Bob", "rittersporn-9")
TITLES = {
    "opening": "Rosa, both sides: the drop and the German activations of turn 1",
    "turn1": "Rosa, both sides: the drop and the whole of turn 1",
    "turn2": "Rosa, both sides: turn 2, from her table after turn 1",
    "turn3": "Rosa, both sides: turn 3 with the landings, from her table after turn 2",
    "battle": "Rosa, both sides: turn 3 played another way, up to the end of its first big battle",
    "breaches": "Rosa, both sides: the first activation of turn 2, and what nobody may do",
    "players": "Alice (Allied) and Bob (German), by mail: turn 2, up to the end of a battle",
}

FINDINGS = {
    "breaches": (
        "illegal DZ-5.1c",  # too far
        "illegal LOG-ROLL",  # dice that only words have thrown
        "illegal LOG-UNDONE",  # dice taken back and thrown again
        "illegal LOG-TWICE",  # dice thrown once more when all was over
    ),
}
"""What the referee must find in a game, in this order, and nothing else."""


def game_of(path: Path) -> str:
    """Return the game that a log belongs to: the first word of its name."""
    return path.stem.partition("-")[0]


class Recorder:
    """Records the games into a folder, each log with the list of what was done."""

    def __init__(self, module: Path, rules: DropZone, folder: Path, seed: int) -> None:
        """Prepare; the seed is that of VASSAL's dice."""
        self.module = module
        self.rules = rules
        self.folder = folder
        self.seed = seed
        self.problems: list[str] = []
        self._ends: dict[int, State] = {}

    def turns(self, last: int, *, mouse: int = 3) -> None:
        """Play from the beginning to the end of a turn, and save the table after each turn."""
        with self._open(ROSA) as vassal:
            vassal("newgame Solo")
            table = self._table(vassal, self.rules.start(), mouse, asides=(4, 12, 31))
            for turn in range(1, last + 1):
                table.begin(self.folder / f"turn{turn}.vlog")
                table.play_until(_end_of(turn))
                table.end()
                vassal(f"save {self._save(turn)}")
                self._ends[turn] = table.state
            self._done(table)

    def opening(self, *, mouse: int = 3) -> None:
        """Play the drop and the first two activations."""
        with self._open(ROSA) as vassal:
            vassal("newgame Solo")
            table = self._table(vassal, self.rules.start(), mouse, asides=(2,))
            table.begin(self.folder / "opening.vlog")
            table.play_until(lambda state: (state.step, state.command) == ("ENDACT", "148RD"))
            table.end()
            self._done(table)

    def battle(self, after: int, *, mouse: int = 2) -> None:
        """Play on from the end of a turn until an Allied Command has fought a big battle."""
        with self._open(ROSA) as vassal:
            vassal(f"load {self._save(after)}")
            table = self._table(vassal, self._ends[after], mouse, asides=(2,))
            table.begin(self.folder / "battle.vlog")
            table.say("good morning, turn three")
            table.play_until(_fought(self._ends[after].attacks), big=True)
            table.end()
            self._done(table)

    def breaches(self, after: int) -> None:
        """Play on from the end of a turn, by the rules but for four things."""
        with self._open(ROSA) as vassal:
            vassal(f"load {self._save(after)}")
            table = self._table(vassal, self._ends[after], 0, asides=())
            table.begin(self.folder / "breaches.vlog")
            table.play_until(lambda state: state.step == "MOVE")
            table.go_too_far()
            table.play_phase()
            table.throw_as_one_likes()
            table.end()
            self._done(table)

    def players(self, after: int, *, mouse: int = 4) -> None:
        """Let two players take the table over and play until the first battle is over."""
        with ExitStack() as open_ones:
            alice = open_ones.enter_context(self._open(ALICE))
            bob = open_ones.enter_context(self._open(BOB))
            alice(f"load {self._save(after)}")
            alice("join Allied")
            hands = (
                Hand(alice, ALICE[0], (ALLIED,)),
                Hand(bob, BOB[0], (GERMAN,), is_seated=False),
            )
            for vassal, more in ((alice, 1), (bob, 2)):
                vassal(f"seed {self.seed + more}")
            start = self._ends[after]
            table = DrivenTable(self.rules, start, hands, seed=self.seed, mouse=mouse)
            table.begin(self.folder / "players-01-alice.vlog")
            table.say("hello Bob, I take the Allies")
            table.play_until(_fought(start.attacks), big=True)
            table.end()
            self._done(table)
            self.problems += bob.problems

    def _open(self, who: tuple[str, str]) -> AbstractContextManager[LiveVassal]:
        user, password = who
        return live_vassal(self.module, user=user, password=password, size=SCREEN)

    def _table(
        self, vassal: LiveVassal, state: State, mouse: int, asides: tuple[int, ...]
    ) -> DrivenTable:
        vassal(f"seed {self.seed}")
        hand = Hand(vassal, ROSA[0], (ALLIED, GERMAN))
        errors = [Aside(n, "no, not there") for n in asides]
        return DrivenTable(self.rules, state, (hand,), seed=self.seed, mouse=mouse, asides=errors)

    def _save(self, turn: int) -> Path:
        return self.folder / f"after{turn}.vsav"

    def _done(self, table: DrivenTable) -> None:
        self.problems += table.hands[0].vassal.problems
        for path, lines in table.told.items():
            head = [f"# {TITLES[game_of(path)]}."]
            head += [f"# finding: {finding}" for finding in FINDINGS.get(game_of(path), ())]
            known = table.aliases[path]
            if known:
                head.append(f"# aliases: {' '.join(f'{a}={u}' for a, u in known.items())}")
            text = "\n".join([*head, *lines]) + "\n"
            path.with_suffix(".txt").write_text(text, encoding="utf-8")


def _end_of(turn: int) -> Callable[[State], bool]:
    return lambda state: (state.turn, state.step) == (turn, "ENDTURN")


def _fought(attacks: int) -> Callable[[State], bool]:
    """Tell when an Allied Command's activation with an attack is over."""

    def is_over(state: State) -> bool:
        return state.step == "ENDACT" and state.side == ALLIED and state.attacks > attacks

    return is_over


def keep(folder: Path, target: Path) -> None:
    """Copy the logs and lists that were recorded to where the fixtures lie."""
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.glob("*")):
        if path.suffix in (".vlog", ".txt"):
            shutil.copyfile(path, target / path.name)

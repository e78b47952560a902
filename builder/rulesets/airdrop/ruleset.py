"""The rule set of the air drop, chapter E section 9, as the rest of the house sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from builder.gamebox.boards import BoardView
from builder.gamebox.events import Event
from builder.gamebox.lines import required_lines
from builder.gamebox.model import Game
from builder.gamebox.table import TableView
from builder.hexes.grid import Hex
from builder.problems import Problem, UsageError
from builder.rules.core import Breach, RuleBook
from builder.rules.dice import Thrower
from builder.rules.insight import Eyes, Standing, Thrown
from builder.rules.notation import Notation
from builder.rules.playthrough import Playthrough
from builder.rules.referee import Found, Located
from builder.rules.sketch import sketched
from builder.rulesets.airdrop import chapters, insight
from builder.rulesets.airdrop.actions import ACTIONS, Action, Phase
from builder.rulesets.airdrop.apply import applied
from builder.rulesets.airdrop.book import book
from builder.rulesets.airdrop.data_check import check_data
from builder.rulesets.airdrop.findings import hidden_names, located
from builder.rulesets.airdrop.follow import followed, start_state, state_of_table
from builder.rulesets.airdrop.narrate import Narrator, is_dragged
from builder.rulesets.airdrop.open_facts import DropFacts, open_facts
from builder.rulesets.airdrop.position import position_lines, read_position
from builder.rulesets.airdrop.reader import AirdropReader
from builder.rulesets.airdrop.state import State
from builder.rulesets.airdrop.summary import actor_of, heading_of, remark_of, summary_of

__all__ = ["AirDrop"]

assert chapters.ALL, "the chapters put their rules into the book when they are imported"


@dataclass(frozen=True)
class AirDrop:
    """The rules of the air drop over one game's data; made by :meth:`of`.

    Not slotted, so that the facts of sketched maps can be kept.
    """

    game: Game
    facts: DropFacts
    _sketches: dict[tuple[str, ...], DropFacts] = field(
        default_factory=dict, repr=False, compare=False
    )
    name: str = "airdrop"

    @classmethod
    def of(cls, game: Game) -> AirDrop:
        """Return the rules for a game; DataError if its files do not say what they need."""
        return cls(game, open_facts(game))

    def check(self, game: Game) -> Iterator[Problem]:
        """Yield what is wrong with a game's data: the rows that are checked there."""
        return check_data(game)

    @property
    def book(self) -> RuleBook[Any, Any]:
        """The rules by row and by kind of action."""
        return book

    @cached_property
    def notation(self) -> Notation:
        """How actions are written."""
        return Notation(Notation.verbs(ACTIONS), self.facts.sheet)

    def start(self, scenario: str = "us") -> State:
        """Return the state before anything has happened."""
        return start_state(self.facts, scenario)

    def judge(self, state: State, action: Action) -> Iterator[Breach]:
        """Yield the breaches of an action."""
        return book.judge(state, action)

    def apply(self, state: State, action: Action) -> State:
        """Return the state after an action, legal or not."""
        return applied(state, action)

    # --- the table ------------------------------------------------------------------------------

    @cached_property
    def narrator(self) -> Narrator:
        """What tells actions as events, by the grammar of ``lines.toml``."""
        return Narrator(required_lines(self.game.folder), self.notation)

    def narrate(self, state: State, action: Action) -> tuple[Event, ...]:
        """Return what a table shows when a player takes an action."""
        return self.narrator.narrate(state, action)

    def is_dragged(self, action: Action) -> bool:
        """Tell whether an action is done by dragging a counter."""
        return is_dragged(action)

    def follow(self, state: State, table: TableView) -> State:
        """Return a state that agrees with a table wherever the table can tell."""
        return followed(self.facts, state, table)

    def actor(self, state: State, action: Action) -> str:
        """Return the side whose player takes an action."""
        return actor_of(state, action)

    def reader(self, *, has_tracker: bool = True) -> AirdropReader:
        """Return a reader of one game's log; see :class:`AirdropReader`."""
        sides = {c.id: c.side for c in self.game.counters}
        return AirdropReader(
            grammar=self.narrator.grammar,
            notation=self.notation,
            counters=self.counters,
            seats={s.name: s.side for s in self.game.module.seat},
            find=self.facts.sheet.find,
            side_of=lambda piece: sides.get(piece) or None,
            has_tracker=has_tracker,
        )

    def moves_on(self, action: Action) -> bool:
        """Tell whether an action begins a player turn."""
        return isinstance(action, Phase) and action.phase in ("SETUP", "RPh")

    def state_of(self, table: TableView) -> State:
        """Return the state of a table with which a log begins."""
        return state_of_table(self.facts, table)

    def located(self, found: Found[State, Action]) -> Located:
        """Return where in the game a finding belongs."""
        return located(found)

    def hidden_names(self, state: State, viewer: str = "") -> Mapping[str, str]:
        """Return what must not be named in a report, and what stands for it."""
        return hidden_names(state, viewer)

    # --- what reports show ----------------------------------------------------------------------

    def pictured(
        self, found: Found[State, Action], eyes: Eyes
    ) -> tuple[BoardView, BoardView] | None:
        """Return the board before and after a finding; ``None`` if no hex is concerned."""
        return insight.pictured(found, eyes)

    def standing(self, state: State) -> Standing:
        """Return the casualty points of the drop."""
        return insight.standing(state)

    def thrown(self, action: Action, after: State) -> Thrown | None:
        """Return ``None``: no roll of this section hits or misses by itself."""
        return None

    def title(self, piece: str) -> str:
        """Return what players call a piece."""
        return self.facts.titles.get(piece, piece)

    def label(self, place: Hex | str) -> str:
        """Return the printed number of a hex, or the name of a box."""
        return self.facts.sheet.label(place) if isinstance(place, Hex) else place

    @cached_property
    def counters(self) -> Mapping[str, str]:
        """The counter of each gpid; the slots of one counter are one piece."""
        return {str(n): slot.split("@")[0] for slot, n in self.game.gpids.items()}

    # --- the program plays ----------------------------------------------------------------------

    @property
    def commands(self) -> Mapping[str, str]:
        """Nothing: a drop has no groups of units that could be taken over one by one."""
        return {}

    def play(self, scenario: str, seed: int) -> Playthrough[State, Action]:
        """Play a whole drop and the two turns after it."""
        # the player's modules are of no use to whoever only checks
        from builder.rulesets.airdrop.policy import PlayTable, play_drop

        table = PlayTable(self.start(scenario), Thrower(seed))
        play_drop(table)
        return Playthrough(tuple(table.deeds), table.state)

    def play_command(self, table: TableView, command: str, seed: int) -> Playthrough[State, Action]:
        """Refuse: see :attr:`commands`."""
        raise UsageError(f"{self.game.name} has no command {command!r}")

    def write_action(self, action: Action) -> str:
        """Return an action as one line."""
        return self.notation.write(action)

    def heading(self, state: State, action: Action) -> str:
        """Return a heading where a player turn, or a part of the drop's, begins."""
        return heading_of(state, action)

    def remark(self, state: State, action: Action) -> str:
        """Return what a reader wants to know of an action besides, in a few words."""
        return remark_of(state, action)

    def summary(self, state: State) -> tuple[str, ...]:
        """Return what became of the parachutes, who stands where, and what was lost."""
        return summary_of(state)

    # --- examples -------------------------------------------------------------------------------

    def position(self, ground: Iterable[str], given: str) -> State:
        """Return the state that a text describes, on a map sketched over the game's own."""
        key = tuple(ground)
        if key not in self._sketches:
            self._sketches[key] = (
                open_facts(self.game, sketched(self.game.map, key)) if key else self.facts
            )
        return read_position(self._sketches[key], given)

    def read_action(self, line: str) -> Action:
        """Return the action of a line."""
        action: Action = self.notation.read(line)
        return action

    def position_lines(self, state: State) -> Mapping[str, str]:
        """Return a position as lines by their first word."""
        return position_lines(state)

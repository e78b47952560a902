"""The rule set of Drop Zone as the rest of the house sees it."""

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
from builder.problems import DataError, Problem, UsageError
from builder.rules.core import Breach, RuleBook
from builder.rules.dice import Thrower
from builder.rules.insight import Eyes, Standing, Thrown
from builder.rules.notation import Notation
from builder.rules.playthrough import Playthrough
from builder.rules.referee import Found, Located
from builder.rules.sketch import sketched
from builder.rulesets.dropzone import chapters, insight
from builder.rulesets.dropzone.actions import ACTIONS, Action, Phase
from builder.rulesets.dropzone.apply import applied
from builder.rulesets.dropzone.book import book
from builder.rulesets.dropzone.data_check import check_data, check_ground
from builder.rulesets.dropzone.facts import Facts
from builder.rulesets.dropzone.findings import hidden_names, located
from builder.rulesets.dropzone.follow import followed, state_of_table
from builder.rulesets.dropzone.narrate import Narrator, is_dragged
from builder.rulesets.dropzone.open_facts import open_facts
from builder.rulesets.dropzone.position import position_lines, read_position
from builder.rulesets.dropzone.reader import DropZoneReader
from builder.rulesets.dropzone.sequence import COMMANDS_OF, FIRST_ORDER, SIDE_OF
from builder.rulesets.dropzone.start import start_state
from builder.rulesets.dropzone.state import State
from builder.rulesets.dropzone.summary import actor_of, heading_of, remark_of, summary_of

__all__ = ["DropZone"]

assert chapters.ALL, "the chapters put their rules into the book when they are imported"


@dataclass(frozen=True)
class DropZone:
    """The rules of Drop Zone over one game's data; made by :meth:`of`.

    Not slotted, so that the facts of sketched maps can be kept.
    """

    game: Game
    facts: Facts
    _sketches: dict[tuple[str, ...], Facts] = field(default_factory=dict, repr=False, compare=False)
    name: str = "dropzone"

    @classmethod
    def of(cls, game: Game) -> DropZone:
        """Return the rules for a game.

        Raises :class:`DataError` if its files do not say what rules need, with everything else
        that :meth:`check` finds.
        """
        unusable = tuple(check_ground(game))
        try:
            facts = None if unusable else open_facts(game)
        except DataError as error:
            unusable = error.problems
            facts = None
        if facts is None:
            raise DataError((*unusable, *check_data(game)))
        return cls(game, facts)

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

    def start(self, scenario: str = "standard") -> State:
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
        return Narrator(required_lines(self.game.folder))

    def narrate(self, state: State, action: Action) -> tuple[Event, ...]:
        """Return what a table shows when a player takes an action."""
        return self.narrator.narrate(state, action)

    def is_dragged(self, action: Action) -> bool:
        """Tell whether an action is done by dragging a counter."""
        return is_dragged(action)

    def follow(self, state: State, table: TableView) -> State:
        """Return a state that agrees with a table wherever the table can tell."""
        return followed(state, table)

    def actor(self, state: State, action: Action) -> str:
        """Return the side whose player takes an action."""
        return actor_of(state, action)

    def reader(self, *, has_tracker: bool = True) -> DropZoneReader:
        """Return a reader of one game's log; see :class:`DropZoneReader`."""
        return DropZoneReader(
            facts=self.facts,
            grammar=self.narrator.grammar,
            counters=self.counters,
            seats={s.name: s.side for s in self.game.module.seat},
            has_tracker=has_tracker,
        )

    def moves_on(self, action: Action) -> bool:
        """Tell whether an action begins a turn."""
        return isinstance(action, Phase) and action.step == "ASSETDRAW"

    def state_of(self, table: TableView) -> State:
        """Return the state of a table with which a log begins."""
        return state_of_table(self.facts, table).but(roster=self.roster_of(table))

    def roster_of(self, table: TableView) -> dict[str, tuple[str, ...]]:
        """Return the Commands of each player of a table: all of his side's, or that of his seat.

        Who plays both sides, or only watches, is not among them.
        """
        commands = {p.label: p.name for p in self.game.palettes if p.name in SIDE_OF}
        sides = {s.name: s.side for s in self.game.module.seat}
        return {
            player: (commands[seat],) if seat in commands else COMMANDS_OF[sides[seat]]
            for player, seat in table.players.items()
            if sides.get(seat)
        }

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
        """Return points and objectives held."""
        return insight.standing(state)

    def thrown(self, action: Action, after: State) -> Thrown | None:
        """Return a roll that hits or misses; ``None`` for anything else."""
        return insight.thrown(action, after)

    def title(self, piece: str) -> str:
        """Return what players call a piece."""
        return self.facts.title(piece)

    def label(self, place: Hex | str) -> str:
        """Return the printed number of a hex, or the name of a box."""
        return self.facts.label(place)

    @cached_property
    def counters(self) -> Mapping[str, str]:
        """The counter of each gpid; the slots of one counter are one piece."""
        return {str(n): slot.split("@")[0] for slot, n in self.game.gpids.items()}

    # --- the program plays ----------------------------------------------------------------------

    @property
    def commands(self) -> Mapping[str, str]:
        """The four Commands, and the side of each."""
        return SIDE_OF

    def play(self, scenario: str, seed: int) -> Playthrough[State, Action]:
        """Play a whole game."""
        # the player's modules are of no use to whoever only checks
        from builder.rulesets.dropzone.playing import PlayTable
        from builder.rulesets.dropzone.policy import play_game

        table = PlayTable(self.start(scenario), Thrower(seed))
        play_game(table)
        return Playthrough(tuple(table.deeds), table.state)

    def play_command(self, table: TableView, command: str, seed: int) -> Playthrough[State, Action]:
        """Play one Command's next activation from a table; UsageError if it is not its turn."""
        from builder.rulesets.dropzone.playing import PlayTable
        from builder.rulesets.dropzone.policy import play_activation

        state = state_of_table(self.facts, table)
        if command in state.done and command != state.command:
            raise UsageError(f"{command} was active already in turn {state.turn}")
        if state.command not in ("", command) or state.moment.round == 0:
            found = f"turn {state.turn}, {state.step} {state.command}".rstrip()
            raise UsageError(f"it is not the turn of {command}: the save stands at {found}")
        if state.turn == 1 and not state.command and command != FIRST_ORDER[len(state.done)]:
            due = FIRST_ORDER[len(state.done)]
            raise UsageError(f"it is not the turn of {command}: in turn 1 it is that of {due}")
        play = PlayTable(state, Thrower(seed))
        play_activation(play, command)
        if not play.deeds:
            raise UsageError(f"the save stands at the end of what {command} does in its activation")
        return Playthrough(tuple(play.deeds), play.state)

    def write_action(self, action: Action) -> str:
        """Return an action as one line."""
        return self.notation.write(action)

    def heading(self, state: State, action: Action) -> str:
        """Return a heading where a turn or an activation begins."""
        return heading_of(state, action)

    def remark(self, state: State, action: Action) -> str:
        """Return what a reader wants to know of an action besides, in a few words."""
        return remark_of(state, action)

    def summary(self, state: State) -> tuple[str, ...]:
        """Return who holds what, what is lost, and who has won."""
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

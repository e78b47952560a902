"""A log played again without VASSAL: step by step the events and the table behind them.

``replay`` never fails over what a log holds: what makes no sense becomes a problem of its step, and
the story goes on. Players are names and sides; their ids, which are passwords, stay inside.
Sources: VASSAL classes ``build.module.BasicLogger``, ``command.*``, ``build.module.PlayerRoster``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from builder.gamebox.events import (
    BoardsChanged,
    Concealed,
    Drawn,
    Event,
    Joined,
    Left,
    Marked,
    Moved,
    Noted,
    Place,
    Placed,
    PropertyChanged,
    Removed,
    Replaced,
    Rolled,
    Said,
    Shuffled,
    TurnChanged,
    Turned,
    Undone,
)
from builder.vassal.command_tree import CommandNode, parse_tree
from builder.vassal.commands import (
    AddPiece,
    BeginSave,
    BoardPicker,
    ChangePiece,
    Chat,
    Command,
    GlobalProperty,
    MovePiece,
    MutableProperty,
    Opaque,
    Player,
    PlayerRemoved,
    PrivateNote,
    PublicNote,
    RemovePiece,
    ScenarioNote,
    SecretNote,
    ShowResults,
    Turn,
)
from builder.vassal.decks import Deck
from builder.vassal.log_steps import LogStep, initial_commands, steps
from builder.vassal.replay_changes import ChangeTeller
from builder.vassal.replay_chat import read_chat
from builder.vassal.replay_maps import BoardCell
from builder.vassal.replay_module import ModuleFacts
from builder.vassal.replay_rolls import rolled
from builder.vassal.replay_story import Seat, Story
from builder.vassal.replay_table import Pile, Spread, Table
from builder.vassal.replay_undo import UndoLink, undo_links
from builder.vassal.savefile import SaveFile

__all__ = ["Seat", "Step", "Story", "replay"]

_OBSERVER: Final = "<observer>"
_CARRIED: Final = 15_000
_CARRIED_EACH: Final = 10
"""How many pieces are told that move with their stack: in a whole log, and more for each step."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a log; step 0 is the table that it begins with.

    ``table`` is the table after the step. It moves on with the next one: ``table.copy()`` keeps it.
    ``undone_by`` is the later step that takes this one back, if one does.
    """

    number: int
    events: tuple[Event, ...]
    table: Table
    story: Story
    turn: str = ""
    actor: str | None = None
    problems: tuple[str, ...] = ()
    undone_by: int | None = None
    steps: int = 0
    """How many steps the log has."""


def replay(
    save: SaveFile | CommandNode, facts: ModuleFacts | None = None, *, viewer: str | None = None
) -> Iterator[Step]:
    """Yield step 0 with the table that a log begins with, then its steps; a save has none.

    ``facts`` of the module give places and turns their names. With a ``viewer`` (a player's name or
    side) hidden things stay hidden. Raises :class:`~builder.problems.UnreadableError` for a text
    that is no command tree, or too large.
    """
    story = Story(facts or ModuleFacts(), Table(), viewer)
    root = parse_tree(save.text) if isinstance(save, SaveFile) else save
    log = steps(root)
    run = _Run(story, len(log))
    for command in initial_commands(root):
        run.load(command)
    yield run.beginning()
    links = undo_links(log)
    undone_by = {link.undone: link.step for link in links.values() if link.undone is not None}
    for step in log:
        yield run.step(step, links.get(step.number), undone_by.get(step.number))


@dataclass(slots=True)
class _Run:
    """One pass over a log."""

    story: Story
    steps: int
    turn: str = ""
    opaque: dict[str, None] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    step_number: int = 0
    actor: str | None = None
    carried: int = _CARRIED
    called: dict[str, str] | None = None
    """Name to text of the seats; None after one has changed."""
    holders: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The first container that holds a property of a name, and the name."""

    @property
    def table(self) -> Table:
        return self.story.table

    # --- the beginning ------------------------------------------------------------------------

    def load(self, command: Command) -> None:
        """Execute a command of the initial state; it gives no events."""
        if isinstance(command, BeginSave):
            self.table.clear()
        elif isinstance(command, AddPiece):
            self.table.add(command)
        elif isinstance(command, GlobalProperty):
            key = _saved_key(command)
            self.table.properties[key] = command.value
            self.holders.setdefault(key[1], key)
        elif isinstance(command, Turn):
            self.table.turns[command.tracker] = command.state
            self.turn = self._turn_text(command)
        else:
            for _ in self._other(command):
                pass

    def beginning(self) -> Step:
        """Return step 0."""
        missing = sum(self.table.unknown.values())
        if missing:
            self.problems.append(f"{missing} members of stacks are nowhere in the saved game")
        return self._finished(0, (), None)

    # --- a step -------------------------------------------------------------------------------

    def step(self, step: LogStep, undo: UndoLink | None, undone_by: int | None) -> Step:
        """Execute a step and return it."""
        self.step_number = step.number
        self.carried += _CARRIED_EACH
        self.actor = self._actor_of(step.commands)
        events: list[Event] = []
        is_reset = False
        for command in step.commands:
            if isinstance(command, BeginSave):
                self.table.clear()
                is_reset = True
                events.clear()
            if is_reset and isinstance(command, AddPiece | GlobalProperty):
                self.load(command)
            else:
                events += self._execute(command)
        if is_reset:
            count = len(self.table.pieces)
            events.insert(0, Replaced(step=step.number, actor=self.actor, pieces=count))
        dice = self.story.facts.dice
        events = rolled(step.commands, _settled(events), dice, step=step.number, actor=self.actor)
        if undo is not None:
            events = _undone(undo, events, self.actor)
        return self._finished(step.number, tuple(events), undone_by)

    def _finished(self, number: int, events: tuple[Event, ...], undone_by: int | None) -> Step:
        self.problems += self.table.take_notes()
        self.problems += [
            f"the module has no map {name[:60]!r}" for name in self.story.take_missing_maps()
        ]
        problems = tuple(self.problems)
        self.problems.clear()
        return Step(
            number=number,
            events=events,
            table=self.table,
            story=self.story,
            turn=self.turn,
            actor=self.actor,
            problems=problems,
            undone_by=undone_by,
            steps=self.steps,
        )

    def _actor_of(self, commands: Sequence[Command]) -> str | None:
        """Return who acts: the player of a move, who typed, or whom a report names."""
        for command in commands:
            if isinstance(command, MovePiece) and command.player:
                seat = self.story.seats.get(command.player)
                if seat is not None:
                    return seat.text
        if self.called is None:
            self.called = {seat.name: seat.text for seat in self.story.seats.values()}
        seats = self.called
        for command in commands:
            if isinstance(command, Chat):
                line = read_chat(command.text)
                if line.speaker is not None:
                    return seats.get(line.speaker, line.speaker)
                named = [seats.get(name, name) for name in line.named if name in seats or not seats]
                if named:
                    return named[0]
        return None

    def _execute(self, command: Command) -> Iterator[Event]:
        if isinstance(command, AddPiece):
            yield from self._add(command)
        elif isinstance(command, MovePiece):
            yield from self._move(command)
        elif isinstance(command, ChangePiece):
            yield from self._change(command)
        elif isinstance(command, RemovePiece):
            yield from self._remove(command)
        elif isinstance(command, MutableProperty):
            yield from self._property(command)
        elif isinstance(command, Turn):
            yield from self._turn(command)
        else:
            yield from self._other(command)

    def _add(self, command: AddPiece) -> Iterator[Event]:
        if command.type == "stack" or command.type.startswith(Deck.trait_id):
            before = self._where(self._members_in(command.type, command.state))
            self.table.add(command)
            yield from self._gone_elsewhere(before)
            return
        known = command.id is not None and command.id in self.table.pieces
        before = self._where([command.id] if known and command.id else [])
        ident = self.table.add(command)
        if known:
            yield from self._gone_elsewhere(before)
        elif not self.story.is_invisible(ident):
            yield Placed(
                step=self.step_number,
                actor=self.actor,
                piece=self.story.thing(ident),
                at=self.story.place(ident),
            )

    def _members_in(self, type_text: str, state: str) -> list[str]:
        read = Table()
        read.add(AddPiece("pile", type_text, state))
        return [ident for ident in read.unknown if ident in self.table.pieces]

    def _move(self, command: MovePiece) -> Iterator[Event]:
        ident = command.id or ""
        pile = self.table.piles.get(ident)
        moving = list(pile.members) if pile is not None else [ident]
        before = self._where(self._told_of(moving))
        recorded = Spread(command.old_map, command.old_x, command.old_y)
        at = self.table.at(ident)
        self.table.move(command)
        for event in self._gone_elsewhere(before):
            if isinstance(event, Moved) and at != recorded:
                yield replace(event, recorded=self.story.place_at(recorded))
            else:
                yield event

    def _change(self, command: ChangePiece) -> Iterator[Event]:
        ident = command.id or ""
        pile = self.table.piles.get(ident)
        if pile is not None:
            kind = "stack" if pile.deck is None else pile.deck.type_string()
            touched = dict.fromkeys((*pile.members, *self._members_in(kind, command.state)))
            before = self._where(self._told_of([m for m in touched if m in self.table.pieces]))
            self.table.change(command)
            yield from self._gone_elsewhere(before)
            yield from self._reordered(pile, self.table.piles[ident])
            return
        before = self._where([ident])
        standing = self.table.pieces.get(ident)
        self.table.change(command)
        if standing is None:
            return
        yield from self._gone_elsewhere(before)
        after = self.table.pieces[ident].piece
        if standing.piece is None or after is None or self.story.is_hidden(ident):
            return
        teller = ChangeTeller(
            self.step_number, self.actor, self.story.lookup, self.story.owner, self.story.hider
        )
        thing, at = self.story.thing(ident), self.story.place(ident)
        is_masked = self.story.is_masked(ident)
        for event in teller.events(standing.piece, after, thing, at):
            # Of a masked piece others see that it turns and is marked, not what changes below.
            if not is_masked or isinstance(event, Concealed | Marked | Turned):
                yield event

    def _reordered(self, before: Pile, after: Pile) -> Iterator[Event]:
        common = set(before.members) & set(after.members)
        orders = [[m for m in pile.members if m in common] for pile in (before, after)]
        if orders[0] != orders[1]:
            place = self.story.place_at(after.at)
            yield Shuffled(
                step=self.step_number,
                actor=self.actor,
                deck=after.name or place.text(),
                cards=len(after.members),
                is_deck=after.is_deck,
            )

    def _remove(self, command: RemovePiece) -> Iterator[Event]:
        ident = command.id or ""
        if ident in self.table.pieces and not self.story.is_invisible(ident):
            yield Removed(
                step=self.step_number,
                actor=self.actor,
                piece=self.story.thing(ident),
                start=self.story.place(ident),
            )
        self.table.remove(command)

    def _told_of(self, idents: Sequence[str]) -> Sequence[str]:
        """Return the pieces of a stack that are told; a tall stack moved often has no end."""
        if len(idents) < 2:
            return idents
        few = idents[: max(1, self.carried)]
        self.carried -= len(few)
        if len(few) < len(idents):
            self.problems.append(f"{len(idents) - len(few)} more pieces of a stack are not told")
        return few

    def _where(self, idents: Iterable[str]) -> dict[str, tuple[Spread, Place]]:
        """Return where pieces are: before a command is executed."""
        return {
            ident: (self.table.at(ident), self.story.place(ident))
            for ident in idents
            if ident in self.table.pieces
        }

    def _gone_elsewhere(self, before: dict[str, tuple[Spread, Place]]) -> Iterator[Event]:
        for ident, (at, start) in before.items():
            pile = self.table.pile_of(ident)
            deck = None if pile is None else pile.name
            if (self.table.at(ident) == at and deck == start.deck) or self.story.is_invisible(
                ident
            ):
                continue
            thing, end = self.story.thing(ident), self.story.place(ident)
            if start.deck is not None and end.deck is None:
                yield Drawn(
                    step=self.step_number, actor=self.actor, piece=thing, deck=start.deck, end=end
                )
            else:
                yield Moved(
                    step=self.step_number, actor=self.actor, piece=thing, start=start, end=end
                )

    def _property(self, command: MutableProperty) -> Iterator[Event]:
        container, _ = key = self._property_key(command)
        self.table.properties[key] = command.new
        if command.old != command.new:
            yield PropertyChanged(
                step=self.step_number,
                actor=self.actor,
                name=command.name,
                old=self.story.owner(command.old),
                new=self.story.owner(command.new),
                container=container,
            )

    def _property_key(self, command: MutableProperty) -> tuple[str, str]:
        """Return the property that is meant: old files leave out what holds it."""
        if command.container is None:
            return self.holders.get(command.name, ("", command.name))
        return command.container, command.name

    def _turn_text(self, command: Turn) -> str:
        tracker = self.story.facts.trackers.get(command.tracker)
        told = None if tracker is None else tracker.text(command.state)
        return command.state if told is None else told

    def _turn(self, command: Turn) -> Iterator[Event]:
        old, new = self.turn, self._turn_text(command)
        self.table.turns[command.tracker] = command.state
        self.turn = new
        tracker = self.story.facts.trackers.get(command.tracker)
        yield TurnChanged(
            step=self.step_number,
            actor=self.actor,
            tracker=command.tracker if tracker is None else tracker.name or command.tracker,
            old=old,
            new=new,
        )

    def _other(self, command: Command) -> Iterator[Event]:
        number, actor = self.step_number, self.actor
        if isinstance(command, Chat):
            line = read_chat(command.text)
            yield Said(step=number, actor=actor, words=line.words, speaker=line.speaker)
        elif isinstance(command, Player):
            yield from self._join(command)
        elif isinstance(command, PlayerRemoved):
            seat = self.story.seats.pop(command.id, None)
            self.called = None
            if seat is not None:
                yield Left(step=number, actor=actor, player=seat.text, side=seat.side)
        elif isinstance(command, BoardPicker):
            yield from self._boards(command)
        elif isinstance(command, ScenarioNote | PublicNote):
            where = "the scenario's note" if isinstance(command, ScenarioNote) else "public note"
            yield Noted(step=number, actor=actor, where=where, words=command.text)
        elif isinstance(command, PrivateNote | SecretNote):
            where = "private note" if isinstance(command, PrivateNote) else "secret note"
            yield Noted(step=number, actor=actor, where=where)
        elif isinstance(command, ShowResults):
            yield Rolled(step=number, actor=actor, dice=command.button, faces=command.faces)
        elif isinstance(command, Opaque):
            self._not_understood(command)

    def _join(self, command: Player) -> Iterator[Event]:
        side = None if command.side == _OBSERVER else command.side
        seat = Seat(command.name, side)
        before = self.story.seats.get(command.id)
        self.story.seats[command.id] = seat
        self.called = None
        if before != seat:
            yield Joined(step=self.step_number, actor=self.actor, player=seat.name, side=side)

    def _boards(self, command: BoardPicker) -> Iterator[Event]:
        cells = tuple(BoardCell(b.name, b.column, b.row, b.is_reversed) for b in command.boards)
        self.table.boards[command.map] = cells
        names = self.story.facts.maps
        if self.story.facts.is_known and command.map in names.maps:
            self.problems += [
                f"map {command.map!r} has board {board!r}, which the module does not"
                for board in names.unknown_boards(command.map, cells)
            ]
        yield BoardsChanged(
            step=self.step_number,
            actor=self.actor,
            map=command.map,
            boards=tuple(cell.name for cell in cells),
        )

    def _not_understood(self, command: Opaque) -> None:
        if command.problem:
            self.problems.append(f"a damaged command: {command.problem}")
        elif command.verb and command.verb not in self.opaque:
            self.opaque[command.verb] = None
            self.problems.append(f"commands {command.verb!r} are not VASSAL's own; passed over")


def _saved_key(command: GlobalProperty) -> tuple[str, str]:
    """Return container and name of a property that a save tells, as changes in logs name them.

    A property of a zone tells zone, board and map in its name (``ZoneProperty.getPropertyId``),
    but changes have it in ``map:zone`` (``Zone.getMutablePropertiesContainerId``).
    """
    name, *inside = command.path
    if len(inside) == 3:
        zone, _, map_name = inside
        return f"{map_name}:{zone}", name
    return command.container or ":".join(reversed(inside)), name


def _settled(events: Iterable[Event]) -> list[Event]:
    """Return the events with pieces placed where they first come to lie on a map."""
    settled: list[Event] = []
    for event in events:
        if isinstance(event, Moved) and event.start.is_off:
            for at, earlier in enumerate(settled):
                if (
                    isinstance(earlier, Placed)
                    and earlier.piece.id == event.piece.id
                    and earlier.at.is_off
                ):
                    settled[at] = replace(earlier, at=event.end)
                    break
            else:
                settled.append(event)
        else:
            settled.append(event)
    return settled


def _undone(undo: UndoLink, events: list[Event], actor: str | None) -> list[Event]:
    """Return what an undoing step shows: which step, and the rest only if that is not known."""
    told: list[Event] = [Undone(step=undo.step, actor=actor, undone_step=undo.undone)]
    return told if undo.undone is not None else [*told, *events]

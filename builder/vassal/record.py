"""Events and lines → a log that VASSAL replays: the inverse of ``replay``.

A :class:`Recorder` begins with a table (a saved game, a set-up of the module, or the end of another
log) and is given steps, each the events of one action of one player. It keeps the table as
``replay`` does and writes the commands that VASSAL 3.6 itself writes: changes with the new and the
old state, moves with stacks and what lies below, new stacks, cards from decks, properties, turns,
lines, undo. The same start and steps give the same bytes: ids of new stacks are counted on from
the largest of the start.

What a caller gives
-------------------
``Event.step`` is not read. ``Event.actor``, or ``by`` of :meth:`Recorder.step`, is a player's name
or side: whose id stands in the moves, and who masks. A :class:`~builder.gamebox.events.Thing` is
named by ``id``: a piece's id on the table, or the value of its property *Unit* (the counter's id,
``A-1-517``); with an empty ``id`` by its ``gpid``. A :class:`~builder.gamebox.events.Place` needs
a label only (hex, box, zone or deck), or map and pixel; ``start``, ``at``, names and steps are not
read. ``old`` may be None in :class:`~builder.gamebox.events.Changed`; if it is told, it must be so.
Of a property of the table the old value is the table's own, whatever the event says.

Nothing needs telling that follows: levels of layers that follow a property (``Step``, ``Joined``,
``Face``, the dice), where a piece was sent from, trails. The mark of a moved piece is put on by
itself, and with ``dragged=True`` so are the line ``* NAME moves A -> B`` and the mask of a card
from a face-down deck; ``is_exact`` writes nothing but the events. Whether a move is a drag or the
work of a command decides what VASSAL notes beside; ``dragged=None`` takes it for a drag if a line
of the step names both ends.

The actions of Drop Zone, as VASSAL records them from our module (``tests/fixtures/logs``); *line*
is a ``Said`` without a speaker, words ``* DZ: ...``, and the order within a step is VASSAL's:

====================== ============================================================================
hex to hex             Moved(unit, end hex); dragged=True
enters from its box    Moved(unit, end hex), line ENTER; dragged=True
drop                   PropertyChanged(DropNo, n-1 → n), Changed Alias "Hn", Changed White,
                       Changed Red, Moved(unit, end hex; left out if it lands where it is),
                       line DROP
attack announced       PropertyChanged(AttackNo, n-1 → n), line ATTACK
join                   Changed Joined "n", line JOIN
leave                  line LEAVE, Changed Joined "0"
reset                  Said "*DZ: RESET" (no blank), Changed Joined "0" of each unit that had joined
roll                   Changed N, Changed Kind, Changed Faces "armor,miss", Changed Thrown "n" on
                       the side's tray (the piece whose Unit is that of the tray), line ROLL; of no
                       dice: N "0", Kind, Faces "", line ROLL n=0; a direction: Changed Direction,
                       Changed Spun "n", line ROLL kind=DIR
loss                   Changed Cause, Changed Steps, line LOSS
the last step          Changed Cause, Changed Steps "0", line LOSS, Changed Joined "0" if it had
                       joined, Moved(unit, end ElimAllied or ElimGerman)
gain                   Changed Cause, Changed Steps, line GAIN
reveal                 Changed Revealed "1", Changed Cause, Concealed(mask, off), line REVEAL
advance                a step hex to hex; then a step with line ADVANCE
asset to the hand      Drawn(asset, deck PoolAllied, end Place("Allied hand", 60, 60)),
                       Changed Drawn "1", Concealed(mask, on, by the side), line DRAW
commit face down       Moved(asset, end CommitAllied), line ASSET
turned and used        Changed Used "1", Changed Mode, Concealed(mask, off), line ASSET id=...
discarded              Moved(asset, end UsedAllied)
back into the pool     Changed Drawn "0", Changed Used "0", Moved(asset, end
                       Place(deck="PoolAllied"))
late assets join       Moved(asset, end Place(deck="PoolAllied")) of each, the topmost first
chit drawn             Changed By "draw", PropertyChanged(ChitNo), PropertyChanged(ActiveCmd),
                       Changed Out "1", Drawn(chit, deck ChitCup, end Initiative2), line CHIT
chit in fixed order    Changed By "fixed", PropertyChanged(ChitNo), PropertyChanged(ActiveCmd),
                       line CHIT
chit by an asset       the asset's use; then, in the same step, Changed By "asset" and as drawn
chits into the cup     of each: Changed Out "0", PropertyChanged(ChitNo, → 0), Moved(chit, end
                       Place(deck="ChitCup"))
unit from the cup      Drawn(unit, deck CupGerman, end GermanT2)
turn tracker           line PHASE, TurnChanged(new="Turn 1 2nd MOVE")
VP marker              Moved(VP, end VP13), line VP; dragged=True
objective liberated    Changed Cause, Changed Holder "ALLIED", Changed Steps, Moved(garrison,
                       end its hex; only if it stands elsewhere), line LIB
German garrison back   Changed Cause, Changed Holder "GERMAN", Changed Steps "1", Moved likewise,
                       line GARRISON
a typed line           Said(words="DZ: ...", speaker="Rosa")
one plain die          Rolled(dice="d6", result="4", total=4, kept=1, report="* d6 = 4 (Rosa)")
undo                   Undone(undone_step=None), alone in its step
====================== ============================================================================

A change of a piece to what it is already is no change, in VASSAL as well: tell it or not. A
property of the table is written again, as VASSAL does. Layers whose expressions ``replay`` cannot
compute, such as the dice on the trays, show in its pictures only what ``Flipped`` tells; VASSAL
itself needs no telling.
Sources: VASSAL classes ``build.module.BasicLogger``, ``build.module.PlayerRoster``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Final

from builder.gamebox.events import Drawn, Event, Moved, Place, Placed, Said, Undone
from builder.vassal.command_tree import CommandNode, encode_tree, parse_tree
from builder.vassal.commands import LOG, ChangePiece, Command, MovePiece, Player, PlayerId
from builder.vassal.pieces import Piece
from builder.vassal.record_commands import NULL, Deed, applied, log_entry, undoing
from builder.vassal.record_pieces import RecordError
from builder.vassal.record_places import Surroundings, pieces_by_property
from builder.vassal.record_position import end_of
from builder.vassal.record_step import Desk, StepWriter
from builder.vassal.replay import replay
from builder.vassal.replay_module import ModuleFacts
from builder.vassal.replay_story import Seat, Story
from builder.vassal.replay_table import Table
from builder.vassal.savefile import SaveFile
from builder.vassal.traits import BasicPiece

__all__ = ["RecordError", "Recorder", "pieces_by_property"]

_FIRST_ID: Final = 1_000_000_000_000
_LONGEST_ID: Final = 18
_OBSERVER: Final = "<observer>"


class Recorder:
    """A log in the making."""

    def __init__(
        self,
        start: SaveFile,
        facts: ModuleFacts,
        *,
        player: str = "Recorder",
        side: str | None = "Solo",
        others: Sequence[Seat] = (),
        slots: Mapping[str, Piece] | None = None,
        naming: str = "Unit",
        move_report: str = "$pieceName$ moves $previousLocation$ -> $location$",
        is_exact: bool = False,
        undo_marks: bool = False,
    ) -> None:
        """Begin a log with a table; of a log, the one that it ends with.

        ``player`` on ``side`` (None watches) acts unless a step says otherwise; he and ``others``
        are seated if the start has no such players. Their ids are constants, and passwords of
        nobody. ``slots`` are pieces by gpid, for :class:`~builder.gamebox.events.Placed` (see
        ``record_start.module_slots``); ``naming`` is the property that names pieces. An undo
        is written as VASSAL 3.6.0 does it, known by a repeated line alone; with ``undo_marks``, and
        for a step without a line, between the marks of later versions.
        """
        self._root = parse_tree(start.text)
        if any(child.text.startswith(LOG) for child in self._root.children):
            start = end_of(start, facts)
            self._root = parse_tree(start.text)
        self._start = start
        self._story = next(replay(self._root, facts)).story
        ids = count(_last_number(self._story.table) + 1)
        players = count(1)
        self._desk = Desk(
            story=self._story,
            around=Surroundings(self._story, naming),
            slots={} if slots is None else slots,
            map_ids={name: f"Map{at}" for at, name in enumerate(facts.maps.maps)},
            move_report=move_report,
            is_exact=is_exact,
            new_id=lambda: str(next(ids)),
            new_player=lambda: PlayerId(f"recorded-{next(players)}"),
        )
        self._undo_marks = undo_marks
        self._new_seats: list[CommandNode] = []
        self._seat = self._seated(Seat(player, side))
        for seat in others:
            self._seated(seat)
        self._entries: list[CommandNode] = []
        self._open: list[tuple[int, list[Deed]]] = []
        """Steps that an undo can take back, with their numbers."""
        self._is_broken = False

    @property
    def table(self) -> Table:
        """The table as it is now; it moves on with every step."""
        return self._story.table

    @property
    def story(self) -> Story:
        """The names of pieces, places and players at the moment."""
        return self._story

    @property
    def steps(self) -> int:
        """How many steps were recorded."""
        return len(self._entries)

    def place(self, label: str, map_name: str | None = None) -> Place:
        """Return the place of a hex, box, zone or deck, with the pixel where VASSAL puts a piece.

        Raises :class:`RecordError` for a name that no map, or not this one, knows.
        """
        return self._desk.around.named(label, map_name)

    def snapped(self, map_name: str, x: int, y: int) -> Place:
        """Return where a piece comes to lie that is dropped on a pixel of a map."""
        return self._desk.around.snapped(map_name, x, y)

    def step(
        self, events: Sequence[Event], *, by: str | None = None, dragged: bool | None = None
    ) -> None:
        """Record one action of the player ``by``: his name or side, else the events' actor.

        ``dragged`` says whether its moves are drags by hand, or the work of a command; None finds
        out from the lines. Raises :class:`RecordError` for what no log can show; the recorder is
        of no use then.
        """
        if self._is_broken:
            raise RecordError("a step before failed; nothing more can be recorded")
        self._is_broken = True
        if any(isinstance(event, Undone) for event in events):
            self._undo(events)
        else:
            deeds = self._written(events, by, dragged)
            if any(deed.inverse and deed.command is not NULL for deed in deeds):
                self._open.append((self.steps + 1, deeds))
            self._entries.append(log_entry([deed.command for deed in deeds] or [NULL]))
        self._is_broken = False

    def finish(self) -> SaveFile:
        """Return the log so far; more steps may follow."""
        children = list(self._root.children)
        at = next((n for n, c in enumerate(children) if c.text == "end_save"), len(children))
        children[at:at] = self._new_seats
        tree = CommandNode(self._root.text, (*children, *self._entries))
        return replace(self._start, text=encode_tree(tree))

    # --- inside -------------------------------------------------------------------------------

    def _written(self, events: Sequence[Event], by: str | None, dragged: bool | None) -> list[Deed]:
        actor = by or next((event.actor for event in events if event.actor), None)
        ident, seat = self._seat if actor is None else self._seat_of(actor)
        has_line = self._has_move_line(events)
        is_reporting = (
            bool(dragged)
            and not has_line
            and not self._desk.is_exact
            and not any(isinstance(event, Placed) for event in events)
        )
        writer = StepWriter(
            self._desk, ident, seat, has_line if dragged is None else dragged, is_reporting
        )
        return writer.write(events)

    def _has_move_line(self, events: Sequence[Event]) -> bool:
        """Return whether a report of the step names both ends of its first move."""
        for event in events:
            if isinstance(event, Moved | Drawn):
                ident = self._desk.around.find(event.piece)
                if ident is None:
                    return False
                places = self._story.place(ident), self._desk.around.resolved(event.end)
                ends = [place.label or "offboard" for place in places]
                return any(
                    isinstance(line, Said)
                    and line.is_report
                    and all(label in line.words for label in ends)
                    for line in events
                )
        return False

    def _undo(self, events: Sequence[Event]) -> None:
        undone = events[0]
        if not isinstance(undone, Undone):
            raise RecordError("an undo is a step of its own")
        if not self._open:
            raise RecordError("no step is left that can be undone")
        number, deeds = self._open.pop()
        if undone.undone_step not in (None, number):
            raise RecordError(f"step {number} is undone next, and not {undone.undone_step}")
        commands = undoing(deeds, marks=self._undo_marks)
        for deed in reversed(deeds):
            for command in deed.inverse:
                self._take_back(command)
            if deed.last_place is not None:
                self._restore(*deed.last_place)
        self._entries.append(log_entry(commands))

    def _take_back(self, command: Command) -> None:
        applied(self._story, command)
        if isinstance(command, MovePiece) and command.id in self.table.pieces:
            # VASSAL, executing the move, has the new place in the piece's own state.
            self._restand(command.id)
        elif isinstance(command, ChangePiece) and command.id in self.table.pieces:
            self._restand(command.id)

    def _restand(self, ident: str) -> None:
        piece, at = self.table.pieces[ident].piece, self.table.at(ident)
        if piece is not None and isinstance(piece.basic, BasicPiece) and at.map is not None:
            basic = piece.basic.restated(map=at.map, x=at.x, y=at.y)
            self._desk.put(ident, Piece(piece.traits, basic))

    def _restore(self, ident: str, properties: tuple[tuple[str, str], ...]) -> None:
        standing = self.table.pieces.get(ident)
        if standing is not None and standing.piece is not None and standing.basic is not None:
            basic = standing.basic.restated(properties=properties)
            self._desk.put(ident, Piece(standing.piece.traits, basic))

    def _seated(self, seat: Seat) -> tuple[PlayerId, Seat]:
        """Return a player's id and seat; he joins the table if he is not there."""
        for ident, known in self._story.seats.items():
            if known == seat:
                return ident, known
        ident = self._desk.new_player()
        while ident in self._story.seats:
            ident = self._desk.new_player()
        joined = Player(ident, seat.name, seat.side or _OBSERVER)
        applied(self._story, joined)
        self._new_seats.append(CommandNode(joined.encode()))
        return ident, seat

    def _seat_of(self, actor: str) -> tuple[PlayerId, Seat]:
        for ident, seat in self._story.seats.items():
            if actor in (seat.text, seat.name):
                return ident, seat
        for ident, seat in self._story.seats.items():
            if actor == seat.side:
                return ident, seat
        raise RecordError(f"nobody at the table is {actor!r}")


def _last_number(table: Table) -> int:
    """Return the largest number among the ids of a table, which later ones are counted from."""
    numbers = [
        int(ident)
        for ident in (*table.pieces, *table.piles)
        if ident.isascii() and ident.isdigit() and len(ident) <= _LONGEST_ID
    ]
    return max(numbers, default=_FIRST_ID)

"""The events of one step as the commands that VASSAL would have written for them.

Order and folding are VASSAL's: a drag notes the last place first, a piece that is sent changes
before; changes of one piece become one ``D/`` if the step begins with one; a piece that comes to
lie alone gets a new stack. Sources: VASSAL classes ``build.module.map.PieceMover``,
``counters.SendToLocation``, ``command.ChangePiece.append``, ``build.module.map.StackMetrics``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from builder.gamebox.events import (
    Changed,
    Concealed,
    Drawn,
    Event,
    Flipped,
    Marked,
    Moved,
    Place,
    Placed,
    Removed,
    Turned,
)
from builder.vassal.commands import (
    AddPiece,
    ChangePiece,
    Command,
    MovePiece,
    PlayerId,
    RemovePiece,
)
from builder.vassal.pieces import Piece, Stack, encode_piece
from builder.vassal.record_commands import NULL, Deed, Ledger, applied, pile_state
from builder.vassal.record_pieces import Draft, RecordError, has_trait, is_masked, is_moved
from builder.vassal.record_places import Surroundings, last_place
from builder.vassal.record_play import write_play
from builder.vassal.replay_names import Viewer, is_stackable, piece_name
from builder.vassal.replay_story import Seat, Story
from builder.vassal.replay_table import Pile, Spread
from builder.vassal.traits import BasicPiece, MarkWhenMoved, Mask, SendToLocation

__all__ = ["Desk", "StepWriter"]

_STRANGER: Final = Viewer(frozenset(), None)
"""The eyes for which a report is written: those of somebody who owns nothing."""
_OBSERVER: Final = "<observer>"
_NOBODY: Final = "nobody"
_DRAG_LAYER: Final = 1
"""What VASSAL writes as the layer of a stack that a move makes."""
_PIECE_EVENTS: Final = (Changed, Concealed, Flipped, Marked, Turned, Moved, Drawn)
_NO_PLACE: Final = {
    "OldX": "0", "OldY": "0", "OldMap": "", "OldBoard": "", "OldZone": "", "OldLocationName": "",
}  # fmt: skip


@dataclass(slots=True)
class Desk:
    """What lies ready for every step: the table, new ids, and definitions of pieces."""

    story: Story
    around: Surroundings
    slots: Mapping[str, Piece]
    map_ids: Mapping[str, str]
    move_report: str
    is_exact: bool
    new_id: Callable[[], str]
    new_player: Callable[[], PlayerId]
    texts: dict[str, tuple[Piece, str]] = field(default_factory=dict)
    """The last state written of a piece, and the piece that it belongs to."""

    def state(self, ident: str, piece: Piece) -> str:
        """Return the state of a piece as text, written once for each state."""
        known = self.texts.get(ident)
        if known is None or known[0] is not piece:
            known = self.texts[ident] = (piece, encode_piece(piece)[1])
        return known[1]

    def put(self, ident: str, piece: Piece) -> None:
        """Give a piece on the table another state."""
        pieces = self.story.table.pieces
        pieces[ident] = replace(pieces[ident], piece=piece)


@dataclass(slots=True)
class StepWriter:
    """One step in the making: who acts, whether by drags, and the commands so far."""

    desk: Desk
    player: PlayerId
    seat: Seat
    dragged: bool
    is_reporting: bool
    """Whether drags get VASSAL's own report, as no event tells it."""
    _moves: list[tuple[str, str, str]] = field(default_factory=list)
    """Names, starts and ends of moves that wait for their report."""

    ledger: Ledger = field(init=False)

    def __post_init__(self) -> None:
        """Begin with an empty ledger."""
        self.ledger = Ledger(self.desk.story)

    @property
    def story(self) -> Story:
        """The table with its names."""
        return self.desk.story

    def write(self, events: Sequence[Event]) -> list[Deed]:
        """Return the commands of the events, which are executed on the table as well."""
        at = 0
        while at < len(events):
            event = events[at]
            if not isinstance(event, _PIECE_EVENTS):
                self._report_moves()
                if isinstance(event, Placed):
                    self._place(event)
                elif isinstance(event, Removed):
                    self._remove(event)
                else:
                    write_play(self.ledger, event, self.desk.new_player)
                at += 1
                continue
            ident = self.desk.around.ident(event.piece)
            run: list[Event] = []
            while at < len(events):
                event = events[at]
                if not isinstance(event, _PIECE_EVENTS):
                    break
                if self.desk.around.ident(event.piece) != ident:
                    break
                run.append(event)
                at += 1
                if isinstance(event, Moved | Drawn):
                    break
            if not isinstance(run[-1], Moved | Drawn):
                self._report_moves()
            self._piece(ident, run, events)
        self._report_moves()
        return self.ledger.deeds

    def _folds(self) -> bool:
        """Return whether changes of a piece are one command: those behind another kind are not."""
        for deed in self.ledger.deeds:
            if deed.command is not NULL:
                return isinstance(deed.command, ChangePiece)
        return True

    # --- one piece ----------------------------------------------------------------------------

    def _piece(self, ident: str, run: Sequence[Event], events: Sequence[Event]) -> None:
        """Write the changes of a piece, and its move if the run ends in one."""
        last = run[-1]
        if not isinstance(last, Moved | Drawn):
            self._changes(ident, run, None)
            return
        end = self.desk.around.resolved(last.end)
        start = self.story.place(ident)
        if (start.map, start.x, start.y, start.deck) == (end.map, end.x, end.y, end.deck):
            raise RecordError(f"{self._label(ident)}: it is already at {end.text()}")
        if isinstance(last, Drawn) and start.deck != last.deck:
            raise RecordError(f"{self._label(ident)}: it lies not in deck {last.deck!r}")
        run = [*self._by_itself(ident, start, last, events), *run[:-1]]
        if self.dragged:
            self._leave(ident)
        self._changes(ident, run, end)
        if not self.dragged:
            self._leave(ident)
        if self.is_reporting and not end.is_off:
            name = piece_name(self._current(ident), self.story.lookup, _STRANGER)
            self._moves.append((name, start.label or "offboard", end.label or "offboard"))
        recorded = last.recorded if isinstance(last, Moved) else None
        self._move(ident, end, recorded)

    def _by_itself(
        self, ident: str, start: Place, move: Moved | Drawn, events: Iterable[Event]
    ) -> list[Event]:
        """Return what VASSAL does with a move unless it is told: the mark, a card's mask."""
        piece = self.story.table.pieces[ident].piece
        if self.desk.is_exact:
            return []
        told = {
            type(event)
            for event in events
            if isinstance(event, Marked | Concealed)
            and self.desk.around.ident(event.piece) == ident
        }
        found: list[Event] = []
        pile = self.story.table.pile_of(ident)
        deck = None if pile is None else pile.deck
        if (
            self.dragged
            and deck is not None
            and deck.face_down
            and not deck.draw_face_up
            and has_trait(piece, Mask)
            and not is_masked(piece)
            and Concealed not in told
        ):
            masked = Concealed(step=move.step, piece=move.piece, at=start, how="mask", is_on=True)
            found.append(masked)
        if has_trait(piece, MarkWhenMoved) and not is_moved(piece) and Marked not in told:
            found.append(Marked(step=move.step, piece=move.piece, is_on=True))
        return found

    def _changes(self, ident: str, run: Iterable[Event], end: Place | None) -> None:
        """Write changes as one command or as one each; those of a move belong together."""
        folds = self._folds()
        draft = self._draft(ident)
        marks = [event for event in run if isinstance(event, Marked)]
        flips = [event for event in run if isinstance(event, Flipped)]
        for event in run:
            if isinstance(event, Marked | Flipped):
                continue
            if isinstance(event, Changed):
                draft.change(event)
            elif isinstance(event, Concealed):
                draft.conceal(event, self._hider)
            elif isinstance(event, Turned):
                draft.turn(event)
            if not folds:
                self._changed(ident, draft)
                draft = self._draft(ident)
        for flip in flips:
            draft.flip(flip)
        here = self.story.table.at(ident)
        map_id = self.desk.map_ids.get(here.map or "", here.map or "")
        for mark in marks:
            draft.mark(mark.is_on, here, map_id)
        if end is not None:
            piece = self.story.table.pieces[ident].piece
            if not marks and (is_moved(piece) or not has_trait(piece, MarkWhenMoved)):
                draft.mark(True, here, map_id)
            is_sent = not self.dragged and end.deck is None and not end.is_off
            if is_sent and has_trait(piece, SendToLocation):
                draft.note_sent(here)
        self._changed(ident, draft)

    def _changed(self, ident: str, draft: Draft) -> None:
        before = self._current(ident)
        after = draft.piece(self.story.lookup)
        if after is before:
            return
        old, new = self.desk.state(ident, before), encode_piece(after)[1]
        if old == new:
            return
        self.desk.put(ident, after)
        self.desk.texts[ident] = (after, new)
        self.ledger.deeds.append(
            Deed(ChangePiece(ident, new, old), (ChangePiece(ident, old, new),))
        )

    def _current(self, ident: str) -> Piece:
        piece = self.story.table.pieces[ident].piece
        if piece is None:
            raise RecordError("a piece whose state cannot be read does not change")
        return piece

    def _draft(self, ident: str) -> Draft:
        """Return a draft of a piece; one that lies loose tells its map, or it would vanish."""
        table = self.story.table
        at = table.at(ident)
        if table.pile_of(ident) is None and at.map is not None:
            standing = Draft(self._current(ident), "")
            standing.stand(at)
            self.desk.put(ident, standing.piece(self.story.lookup))
        return Draft(self._current(ident), self._label(ident))

    def _label(self, ident: str) -> str:
        return self.story.thing(ident).name

    def _hider(self, access: tuple[str, ...], by: str | None) -> str:
        if by == _NOBODY:
            return by
        by_player = access[:1] == ("player:",)
        for ident, seat in self.story.seats.items():
            if seat == self.seat if by is None else by in (seat.text, seat.name, seat.side):
                return ident.reveal() if by_player else seat.side or seat.name
        if by is None or by_player:
            raise RecordError("nobody at the table hides a piece")
        return by

    # --- moves --------------------------------------------------------------------------------

    def _leave(self, ident: str) -> None:
        """Note the last place of a piece, which a log shows as commands without text."""
        self._note(ident, last_place(self.story, ident))

    def _note(self, ident: str, values: Mapping[str, str]) -> None:
        piece = self._current(ident)
        draft = Draft(piece, "")
        count = draft.note_last_place(values)
        if not count:
            return
        assert isinstance(piece.basic, BasicPiece), "only such a middle has noted anything"
        self.desk.put(ident, draft.piece(self.story.lookup))
        self.ledger.deeds.append(Deed(NULL, (NULL,), (ident, piece.basic.properties)))
        self.ledger.nulls(count - 1)

    def _move(self, ident: str, end: Place, recorded: Place | None) -> None:
        table = self.story.table
        start = table.at(ident)
        if recorded is not None:
            start = Spread(recorded.map, recorded.x, recorded.y)
        old = (start.map, start.x, start.y, self.desk.around.below(ident))
        stacks = is_stackable(table.pieces[ident].piece)
        target = Spread(end.map, end.x, end.y)
        dock = None if end.is_off else self.desk.around.docking(ident, stacks, target)
        under = self._under(ident, dock, target)
        new = (*target, under)
        self.ledger.do(
            MovePiece(ident, *new, *old, self.player), MovePiece(ident, *old, *new, self.player)
        )
        if dock is None and stacks and not end.is_off:
            self._stack(ident, target)
        self._stand(ident, target, is_merged=dock is not None)

    def _under(self, ident: str, dock: Pile | str | None, target: Spread) -> str | None:
        """Return the piece that the moved one comes to lie on; a loose one gets its stack first."""
        if dock is None:
            return None
        if isinstance(dock, str):
            self._stack(dock, target)
            return dock
        others = [member for member in dock.members if member != ident]
        return others[-1] if others else None

    def _stack(self, member: str, at: Spread) -> None:
        """Write the new stack of a piece that lies at a place."""
        state = Stack(at.map, at.x, at.y, (member,), _DRAG_LAYER).state_string()
        made = self.desk.new_id()
        self.ledger.do(AddPiece(made, "stack", state), RemovePiece(made))

    def _stand(self, ident: str, at: Spread, *, is_merged: bool) -> None:
        """Put the place into the piece's own state: VASSAL leaves the map to a stack it joined."""
        draft = Draft(self._current(ident), "")
        draft.stand(at._replace(map=None) if is_merged else at)
        self.desk.put(ident, draft.piece(self.story.lookup))

    def _report_moves(self) -> None:
        """Write the line of the moves before, as VASSAL does behind a drag."""
        if not self._moves:
            return
        by_way: dict[tuple[str, str], list[str]] = {}
        for name, start, end in self._moves:
            by_way.setdefault((start, end), []).append(name)
        self._moves.clear()
        for (start, end), names in by_way.items():
            words = (
                self.desk.move_report.replace("$pieceName$", ", ".join(names))
                .replace("$previousLocation$", start)
                .replace("$location$", end)
            )
            self.ledger.chat(f"* {words}", None)

    # --- pieces that come and go --------------------------------------------------------------

    def _place(self, event: Placed) -> None:
        definition = self.desk.slots.get(event.piece.gpid)
        if definition is None:
            raise RecordError(f"no piece slot has the gpid {event.piece.gpid!r}")
        at = self.desk.around.resolved(event.at)
        table = self.story.table
        known = event.piece.id
        is_free = known.isdigit() and known not in table.pieces and known not in table.piles
        ident = known if is_free else self.desk.new_id()
        stacks = is_stackable(definition)
        target = Spread(at.map, at.x, at.y)
        dock = None if at.is_off else self.desk.around.docking(ident, stacks, target)
        draft = Draft(definition, definition.name)
        self.ledger.nulls(draft.note_last_place(_NO_PLACE))
        draft.stand(target if dock is None else Spread(None, 0, 0))
        piece = draft.piece(self.story.lookup)
        kind, state = encode_piece(piece)
        self.ledger.do(AddPiece(ident, kind, state), RemovePiece(ident))
        self.desk.around.came(ident, known)
        if dock is not None:
            self._move(ident, at, None)
        elif stacks and not at.is_off:
            self._stack(ident, target)
        if self.is_reporting:
            raise RecordError("the report of a new piece is given as an event")

    def _remove(self, event: Removed) -> None:
        ident = self.desk.around.ident(event.piece)
        table = self.story.table
        pile = table.pile_of(ident)
        draft = Draft(self._current(ident), "")
        draft.stand(table.at(ident))
        state = encode_piece(draft.piece(self.story.lookup))[1]
        back: list[Command] = [AddPiece(ident, table.pieces[ident].type, state)]
        before = "" if pile is None else pile_state(pile)
        applied(self.story, RemovePiece(ident))
        if pile is not None:
            back.append(ChangePiece(pile.id, before, pile_state(table.piles[pile.id])))
        self.ledger.deeds.append(Deed(RemovePiece(ident), tuple(back)))

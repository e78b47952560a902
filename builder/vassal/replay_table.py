"""The table as a log moves it: pieces, stacks and decks, and where each of them is.

A piece in a stack or a deck is where that is, whatever its own state says. Nothing here fails:
what names a piece that nobody put on the table, or makes no sense, becomes a note and changes
nothing, as VASSAL itself goes on. Sources: VASSAL classes ``command.AddPiece``, ``RemovePiece``,
``ChangePiece``, ``MovePiece``, ``counters.Stack``, ``build.module.map.StackMetrics``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from builder.problems import BuilderError
from builder.vassal.commands import AddPiece, ChangePiece, MovePiece, RemovePiece
from builder.vassal.decks import Deck
from builder.vassal.pieces import Piece, Stack, decode_piece
from builder.vassal.replay_maps import BoardCell
from builder.vassal.replay_names import is_stackable
from builder.vassal.replay_standing import OFF, Pile, Spread, Standing, shown_id

__all__ = ["Pile", "Spread", "Standing", "Table", "shown_id"]


@dataclass(slots=True)
class Table:
    """The position. It moves on with every command; :meth:`copy` keeps a moment, cheaply.

    ``boards`` is the layout of a map where the log tells one; ``properties`` are by container and
    name; ``notes`` collects what did not make sense until :meth:`take_notes`.
    """

    pieces: dict[str, Standing] = field(default_factory=dict)
    piles: dict[str, Pile] = field(default_factory=dict)
    boards: dict[str, tuple[BoardCell, ...]] = field(default_factory=dict)
    properties: dict[tuple[str, str], str] = field(default_factory=dict)
    turns: dict[str, str] = field(default_factory=dict)
    unknown: dict[str, int] = field(default_factory=dict)
    """Ids that commands named and nobody defined, and how often."""
    notes: list[str] = field(default_factory=list)
    _made: int = 0
    _decks: dict[str, None] = field(default_factory=dict)
    _at: dict[Spread, set[str]] = field(default_factory=dict)
    """Piles and loose pieces by place."""
    _map_of: dict[str, str] = field(default_factory=dict)
    _rank: dict[str, int] = field(default_factory=dict)
    """The order in which piles and loose pieces came onto their map."""
    _ranks: int = 0

    # --- what is where ------------------------------------------------------------------------

    def copy(self) -> Table:
        """Return the table as it is now; pieces and piles are values and are shared."""
        return Table(
            pieces=dict(self.pieces),
            piles=dict(self.piles),
            boards=dict(self.boards),
            properties=dict(self.properties),
            turns=dict(self.turns),
            unknown=dict(self.unknown),
            notes=list(self.notes),
            _made=self._made,
            _decks=dict(self._decks),
            _at={at: set(idents) for at, idents in self._at.items()},
            _map_of=dict(self._map_of),
            _rank=dict(self._rank),
            _ranks=self._ranks,
        )

    def clear(self) -> None:
        """Take everything off, as the beginning of a saved game does."""
        for part in (self.pieces, self.piles, self.boards, self.properties, self.turns):
            part.clear()
        for index in (self._decks, self._at, self._map_of, self._rank):
            index.clear()

    def at(self, ident: str) -> Spread:
        """Return where a piece, a stack or a deck is; off all maps if there is no such thing."""
        standing = self.pieces.get(ident)
        if standing is None:
            pile = self.piles.get(ident)
            return OFF if pile is None else pile.at
        return standing.own if standing.pile is None else self.piles[standing.pile].at

    def pile_of(self, ident: str) -> Pile | None:
        """Return the stack or deck that a piece lies in."""
        standing = self.pieces.get(ident)
        return None if standing is None or standing.pile is None else self.piles[standing.pile]

    def neighbors(self, ident: str) -> tuple[str, ...]:
        """Return the ids that lie together with a piece, itself too, from bottom to top."""
        pile = self.pile_of(ident)
        return (ident,) if pile is None else pile.members

    def decks(self) -> Iterator[Pile]:
        """Iterate over the decks."""
        return (self.piles[ident] for ident in self._decks)

    def deck_at(self, at: Spread) -> Pile | None:
        """Return the deck at a place, of several the first that came."""
        found = [ident for ident in self._at.get(at, ()) if ident in self._decks]
        return self.piles[min(found, key=self._rank.__getitem__)] if found else None

    def drawn(self) -> list[str]:
        """Return stacks, decks and loose pieces in the order in which they came onto their map."""
        return sorted(self._map_of, key=self._rank.__getitem__)

    def take_notes(self) -> tuple[str, ...]:
        """Return the notes since the last time, and forget them."""
        notes = tuple(self.notes)
        self.notes.clear()
        return notes

    # --- commands -----------------------------------------------------------------------------

    def add(self, command: AddPiece) -> str:
        """Put a piece, a stack or a deck on the table, and return its id.

        One that is there already is replaced, as VASSAL does.
        """
        ident = self._new_id() if command.id is None else command.id
        if command.type == "stack" or command.type.startswith(Deck.trait_id):
            if ident in self.pieces:
                self._forget(ident)
            elif ident in self.piles:
                self._rename_pile(ident)
            self._set_pile(ident, command.type, command.state)
            return ident
        self._forget(ident)
        piece = self._decoded(ident, command.type, command.state)
        standing = Standing(ident, command.type, piece)
        basic = standing.basic
        if basic is not None:
            standing = replace(standing, own=Spread(basic.map, basic.x, basic.y))
        self.pieces[ident] = standing
        self._index(ident, standing.own)
        return ident

    def remove(self, command: RemovePiece) -> None:
        """Take a piece, a stack or a deck off; the members of a stack stay where they are.

        VASSAL itself, replaying, loses sight of members; but the tables of players, whose next log
        shows them, never did: their stack was another one, made anew by an undo.
        """
        ident = command.id
        if ident is None or not self._is_known(ident, "the removal"):
            return
        self._forget(ident)

    def change(self, command: ChangePiece) -> None:
        """Set the state, only where old and new differ if the command tells the old one."""
        ident = command.id
        if ident is None or not self._is_known(ident, "a change"):
            return
        pile = self.piles.get(ident)
        if pile is not None:
            kind = "stack" if pile.deck is None else pile.deck.type_string()
            self._set_pile(ident, kind, command.state, old_state=command.old_state)
            return
        standing = self.pieces[ident]
        new = self._decoded(ident, standing.type, command.state)
        if new is None:
            return
        old = None
        if command.old_state is not None and standing.piece is not None:
            old = self._decoded(ident, standing.type, command.old_state)
        basic_changed = old is None or old.basic != new.basic
        if old is not None and standing.piece is not None:
            new = _merged(standing.piece, old, new)
        self.pieces[ident] = replace(standing, piece=new)
        basic = self.pieces[ident].basic
        if basic_changed and basic is not None:
            self._restate(ident, Spread(basic.map, basic.x, basic.y))

    def move(self, command: MovePiece) -> None:
        """Move a piece, or a stack with all that lies in it."""
        ident = command.id
        if ident is None or not self._is_known(ident, "a move"):
            return
        if command.map is None:
            self._take_off(ident)
            return
        target = Spread(command.map, command.x, command.y)
        under = command.under
        if (
            under is not None
            and under != ident
            and under in self.pieces
            and self.at(under) == target
            and self.pieces[under].pile != ident
        ):
            self._put_above(ident, under)
            self._to_end(ident)
            return
        if under == ident and self.at(ident) == target:
            return
        found = self._mergeable(ident, target)
        if found is None and ident in self.piles:
            self._place_pile(ident, target)
        elif found is None:
            self._place_alone(ident, target)
        elif found != ident and not self._lies_alone_in(ident, found):
            self._merge(ident, found, at_bottom=under is None and ident in self.pieces)
        self._to_end(ident)

    # --- inside -------------------------------------------------------------------------------

    def _new_id(self) -> str:
        self._made += 1
        return f"unnumbered-{self._made}"

    def _is_known(self, ident: str, what: str) -> bool:
        if ident in self.pieces or ident in self.piles:
            return True
        self.unknown[ident] = self.unknown.get(ident, 0) + 1
        self.notes.append(f"{what} of {shown_id(ident)}, which nobody put on the table")
        return False

    def _decoded(self, ident: str, type_text: str, state: str) -> Piece | None:
        try:
            return decode_piece(type_text, state)
        except BuilderError:
            # The message of the error would hold the text, and with it a player's id.
            self.notes.append(f"the state of {shown_id(ident)} does not fit its traits")
            return None

    def _forget(self, ident: str) -> None:
        """Take a thing off the table altogether."""
        if ident in self.pieces:
            self._leave(ident)
            self._unindex(ident, self.pieces[ident].own)
            del self.pieces[ident]
        elif ident in self.piles:
            pile = self.piles[ident]
            for member in pile.members:
                self.pieces[member] = replace(self.pieces[member], pile=None, own=pile.at)
                self._index(member, pile.at)
            self._unindex(ident, pile.at)
            self._decks.pop(ident, None)
            del self.piles[ident]

    def _rename_pile(self, ident: str) -> None:
        """Keep a pile whose id another one takes: VASSAL has both on the map then."""
        made = self._new_id()
        pile = self.piles.pop(ident)
        self._decks.pop(ident, None)
        self._unindex(ident, pile.at)
        self.piles[made] = replace(pile, id=made)
        if pile.is_deck:
            self._decks[made] = None
        self._index(made, pile.at)
        for member in pile.members:
            self.pieces[member] = replace(self.pieces[member], pile=made)

    def _leave(self, ident: str) -> None:
        """Take a piece out of its pile or off its place; it is nowhere then."""
        standing = self.pieces[ident]
        if standing.pile is None:
            self._unindex(ident, standing.own)
            self.pieces[ident] = replace(standing, own=OFF)
            return
        pile = self.piles[standing.pile]
        members = tuple([member for member in pile.members if member != ident])
        self.piles[pile.id] = replace(pile, members=members)
        self.pieces[ident] = replace(standing, pile=None, own=OFF)

    def _take_off(self, ident: str) -> None:
        pile = self.piles.get(ident)
        if pile is None:
            self._leave(ident)
            return
        self._unindex(ident, pile.at)
        self.piles[ident] = replace(pile, at=OFF)

    def _restate(self, ident: str, own: Spread) -> None:
        """Follow the place in a new state: it counts for loose pieces, or on another map."""
        pile = self.pile_of(ident)
        if pile is not None and own.map in (None, pile.at.map):
            return
        self._leave(ident)
        self.pieces[ident] = replace(self.pieces[ident], own=own)
        self._index(ident, own)

    def _place_alone(self, ident: str, target: Spread) -> None:
        standing = self.pieces[ident]
        if standing.pile is None and not is_stackable(standing.piece):
            # It stays on its map; one that stacks gets a new stack, even if it was alone before.
            self._unindex(ident, standing.own, stays=standing.own.map == target.map)
        else:
            self._leave(ident)
        self.pieces[ident] = replace(self.pieces[ident], own=target)
        self._index(ident, target)

    def _merge(self, ident: str, found: str, *, at_bottom: bool) -> None:
        """Put a piece, or all that lie in a pile, on top of what was found or below it."""
        into = self._pile_around(found)
        moving = self.piles[ident].members if ident in self.piles else (ident,)
        for member in moving:
            self._leave(member)
        at = 0 if at_bottom else len(self.piles[into].members)
        for offset, member in enumerate(moving):
            self._insert(member, into, at + offset)

    def _put_above(self, ident: str, under: str) -> None:
        into = self._pile_around(under)
        if ident in self.piles:
            moving = self.piles[ident].members
            at = self.piles[into].members.index(under) + 1
            for offset, member in enumerate(moving):
                self._leave(member)
                self._insert(member, into, at + offset)
            return
        at = self.piles[into].members.index(under)
        # Inside its own stack VASSAL counts with the piece still there: downwards one too low.
        if self.pieces[ident].pile != into:
            at += 1
        self._leave(ident)
        self._insert(ident, into, at)

    def _place_pile(self, ident: str, target: Spread) -> None:
        pile = self.piles[ident]
        self._unindex(ident, pile.at, stays=target.map == pile.at.map)
        self.piles[ident] = replace(pile, at=target)
        self._index(ident, target)

    def _pile_around(self, ident: str) -> str:
        """Return the pile of a piece, a new one if it lies alone; a pile is its own."""
        if ident in self.piles:
            return ident
        standing = self.pieces[ident]
        if standing.pile is not None:
            return standing.pile
        made = self._new_id()
        at = standing.own
        self._leave(ident)
        self.piles[made] = Pile(made, at)
        self._index(made, at)
        self._insert(ident, made, 0)
        return made

    def _insert(self, ident: str, into: str, index: int) -> None:
        pile = self.piles[into]
        members = (*pile.members[:index], ident, *pile.members[index:])
        self.piles[into] = replace(pile, members=members)
        self.pieces[ident] = replace(self.pieces[ident], pile=into, own=OFF)

    def _set_pile(
        self, ident: str, type_text: str, state: str, *, old_state: str | None = None
    ) -> None:
        before = self.piles.get(ident)
        pile = self._read_pile(ident, type_text, state)
        wanted = list(pile.members)
        if before is not None and old_state is not None:
            mentioned = {*wanted, *self._read_pile(ident, type_text, old_state).members}
            for index, member in enumerate(before.members):
                # Two players at once: what neither of them knew of stays above what it lay on.
                if member not in mentioned:
                    below = before.members[index - 1] if index else None
                    wanted.insert(wanted.index(below) + 1 if below in wanted else 0, member)
        if before is not None:
            self._unindex(ident, before.at)
            for member in before.members:
                if member not in wanted:
                    self.pieces[member] = replace(self.pieces[member], pile=None, own=before.at)
                    self._index(member, before.at)
        self.piles[ident] = replace(pile, members=())
        members = []
        for member in dict.fromkeys(wanted):
            if member in self.piles:
                self.notes.append(
                    f"stack {shown_id(ident)} holds another stack, {shown_id(member)}; left out"
                )
            elif member in self.pieces:
                if self.pieces[member].pile != ident:
                    self._leave(member)
                    self.pieces[member] = replace(self.pieces[member], pile=ident)
                members.append(member)
            else:
                self.unknown[member] = self.unknown.get(member, 0) + 1
        self.piles[ident] = replace(pile, members=tuple(members))
        if pile.is_deck:
            self._decks[ident] = None
        self._index(ident, pile.at)

    def _read_pile(self, ident: str, type_text: str, state: str) -> Pile:
        if type_text == "stack":
            stack = Stack.parse(state)
            return Pile(
                ident, Spread(stack.map, stack.x, stack.y), stack.members, None, stack.layer
            )
        deck = Deck.parse(type_text, state)
        assert isinstance(deck, Deck)
        return Pile(ident, Spread(deck.map, deck.x, deck.y), deck.cards, deck)

    # --- what lies at a place -----------------------------------------------------------------

    def _mergeable(self, ident: str, target: Spread) -> str | None:
        """Return the deck, stack or piece at exactly this pixel that a piece merges with.

        VASSAL asks the things on a map in the order in which they came onto it.
        """
        stacks = self._is_stackable(ident)
        own = self.piles[ident] if ident in self.piles else self.pile_of(ident)
        layer = None if own is None else own.layer
        for other in sorted(self._at.get(target, ()), key=self._rank.__getitem__):
            pile = self.piles.get(other)
            merges = stacks and self._is_stackable(other)
            if pile is None:
                if merges:
                    return other
            elif pile.is_deck or (merges and _same_layer(pile.layer, layer)):
                return other
        return None

    def _lies_alone_in(self, ident: str, pile: str) -> bool:
        return pile in self.piles and self.piles[pile].members == (ident,)

    def _is_stackable(self, ident: str) -> bool:
        """Return whether a thing merges with others; a stack is asked by its topmost piece."""
        pile = self.piles.get(ident)
        if pile is None:
            return is_stackable(self.pieces[ident].piece)
        return bool(pile.members) and is_stackable(self.pieces[pile.members[-1]].piece)

    def _index(self, ident: str, at: Spread) -> None:
        """Note that a pile or a loose piece lies at a place, last of all if it is new there."""
        if at.map is None:
            return
        self._at.setdefault(at, set()).add(ident)
        if self._map_of.get(ident) != at.map:
            self._map_of[ident] = at.map
            self._ranks += 1
            self._rank[ident] = self._ranks

    def _to_end(self, ident: str) -> None:
        """Let what was moved, or the stack it lies in, be the last one on its map."""
        standing = self.pieces.get(ident)
        last = ident if standing is None or standing.pile is None else standing.pile
        self._ranks += 1
        self._rank[last] = self._ranks

    def _unindex(self, ident: str, at: Spread, *, stays: bool = False) -> None:
        """Forget a place; what stays on its map, at another place, keeps its rank."""
        here = self._at.get(at)
        if here is not None:
            here.discard(ident)
            if not here:
                del self._at[at]
        if not stays:
            self._map_of.pop(ident, None)


def _same_layer(one: int | None, other: int | None) -> bool:
    """Return whether both may lie in one stack; without game piece layers nothing is against it."""
    return one is None or other is None or one < 0 or other < 0 or one == other


def _merged(current: Piece, old: Piece, new: Piece) -> Piece:
    """Return the current piece with those parts of the new state that differ from the old one."""
    parts = zip(current.parts(), old.parts(), new.parts(), strict=True)
    kept = [now if before == after else after for now, before, after in parts]
    return Piece(tuple(kept[:-1]), current.basic if old.basic == new.basic else new.basic)

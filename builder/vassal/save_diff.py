"""How two saves or logs differ: players by side, boards, properties, pieces by id, steps of logs.

Two positions are compared: those that the files begin with, or those after the last step of a
log, as replay has them. No player id is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest

from builder.vassal.command_tree import CommandNode, encode_tree
from builder.vassal.commands import LOG
from builder.vassal.decks import Deck
from builder.vassal.differences import Difference, compare_fields, compare_traits
from builder.vassal.pieces import Piece
from builder.vassal.replay_names import level_name, level_of
from builder.vassal.replay_standing import Pile
from builder.vassal.replay_story import Seat
from builder.vassal.save_position import Position, PositionThing
from builder.vassal.traits import BasicPiece, Layer, Trait

__all__ = ["diff_positions", "diff_steps", "log_entries"]

_AREAS = ("boards", "extension", "property", "turn", "note", "clock", "start-up key")
_WATCHER = "<observer>"
_NUMBER = " no. "
_LAST_PLACE = frozenset(
    {"OldMap", "OldBoard", "OldZone", "OldX", "OldY", "OldLocationName", "OldDeckName"}
    | {"OldMat", "OldMatID", "OldMatBasicName", "OldMatPieceName", "OldMatOffsetX", "OldMatOffsetY"}
)
"""Properties that ``BasicPiece`` keeps of the last move."""
_SHOWN = 20
"""How many members of a stack are named."""


def log_entries(root: CommandNode) -> list[CommandNode]:
    """Return the steps of a log as they are written; a save has none."""
    return [node for node in (root, *root.children) if node.text.startswith(LOG)]


def diff_positions(before: Position, after: Position) -> Iterator[Difference]:
    """Yield what differs between two positions."""
    yield from _players(before, after)
    for area in _AREAS:
        yield from compare_fields(area, "", before.area(area), after.area(area))
    yield from _others(before, after)
    yield from _pieces(before, after)
    yield from _orders(before, after)


def diff_steps(old: CommandNode, new: CommandNode) -> Iterator[Difference]:
    """Yield how the steps of two logs differ: their number, and the first that is another one."""
    before, after = log_entries(old), log_entries(new)
    if len(before) != len(after):
        counts = str(len(before)), str(len(after))
        yield Difference("log", "", "changed", "number of steps", *counts)
    for number, (one, other) in enumerate(zip_longest(before, after), 1):
        if one is None or other is None or encode_tree(one) != encode_tree(other):
            yield Difference("log", f"step {number}", "changed", "the first that differs")
            return


def _players(before: Position, after: Position) -> Iterator[Difference]:
    hide = after.secrets.text

    def side(seat: Seat) -> str:
        return hide(seat.side or _WATCHER)

    for player, old in before.seats.items():
        new = after.seats.get(player)
        name = hide(old.name) or "(no name)"
        if new is None:
            yield Difference("player", name, "removed", "side", old=side(old))
            continue
        if old.side != new.side:
            yield Difference("player", name, "changed", "side", side(old), side(new))
        if old.name != new.name:
            yield Difference("player", name, "changed", "name", hide(old.name), hide(new.name))
    for player, new in after.seats.items():
        if player not in before.seats:
            name = hide(new.name) or "(no name)"
            yield Difference("player", name, "added", "side", new=side(new))


def _others(before: Position, after: Position) -> Iterator[Difference]:
    """Yield commands of a module's own; where steps have some, the end is not known."""
    unclear = before.facts.unclear.keys() | after.facts.unclear.keys()
    clear = [
        {name: text for name, text in p.area("other").items() if _verb(name) not in unclear}
        for p in (before, after)
    ]
    yield from compare_fields("other", "", *clear)


def _verb(label: str) -> str:
    verb, _, number = label.rpartition(_NUMBER)
    return verb if verb and number.isdigit() else label


# --- pieces ---------------------------------------------------------------------------------------


def _pieces(before: Position, after: Position) -> Iterator[Difference]:
    olds, news = before.things(), after.things()
    for ident, old in olds.items():
        if ident in news:
            yield from _piece(ident, old, news[ident], before, after)
        else:
            place = before.place(ident)
            yield Difference("piece", before.title(ident), "removed", "place", old=place)
    for ident in news:
        if ident not in olds:
            place = after.place(ident)
            yield Difference("piece", after.title(ident), "added", "place", new=place)


def _piece(
    ident: str, old: PositionThing, new: PositionThing, before: Position, after: Position
) -> Iterator[Difference]:
    places = before.place(ident), after.place(ident)
    if places[0] != places[1]:
        yield Difference("piece", after.title(ident), "changed", "place", *places)
    if old is None or new is None:
        if (old is None) != (new is None) or before.texts.get(ident) != after.texts.get(ident):
            yield Difference("piece", after.title(ident), "changed", "definition")
        return
    parts = _parts(old), _parts(new)
    if isinstance(old, Deck) and isinstance(new, Deck):
        # Where a deck lies is told as its place.
        parts = (old,), (new.restated(map=old.map, x=old.x, y=old.y),)
    elif isinstance(old, Piece) and isinstance(new, Piece):
        if old == new and old.parts() == new.parts():
            same = all(a.type_string() == b.type_string() for a, b in zip(*parts, strict=True))
            if same and not any(isinstance(part, Layer) for part in parts[0]):
                return
        yield from _faces(ident, old, new, before, after)
        parts = parts[0], _with_levels(parts[0], parts[1])
        if before.is_replayed or after.is_replayed:
            parts = _without_last_place(parts[0]), _without_last_place(parts[1])
    yield from compare_traits("piece", after.title(ident), *parts, after.secrets)


def _parts(thing: Piece | Deck) -> tuple[Trait, ...]:
    return (thing,) if isinstance(thing, Deck) else thing.parts()


def _without_last_place(parts: tuple[Trait, ...]) -> tuple[Trait, ...]:
    """Return the parts without where the piece was before, which VASSAL sets beside the log."""
    basic = parts[-1]
    if not isinstance(basic, BasicPiece):
        return parts
    kept = tuple(item for item in basic.properties if item[0] not in _LAST_PLACE)
    return (*parts[:-1], basic.restated(properties=kept))


def _faces(
    ident: str, old: Piece, new: Piece, before: Position, after: Position
) -> Iterator[Difference]:
    """Yield which faces a piece shows, by the names that the module gave them.

    A layer that follows a property is flipped by it, though nothing in its own state says so.
    """
    for was, now in zip(old.traits, new.traits, strict=False):
        if not isinstance(was, Layer) or not isinstance(now, Layer):
            continue
        levels = (
            level_of(was, old, before.story.lookup),
            level_of(now, new, after.story.lookup),
        )
        if levels[0] != levels[1]:
            name = now.name or now.description
            what = after.secrets.text(f"face {name}" if name else "face")
            faces = _face(was, levels[0]), _face(now, levels[1])
            hide = after.secrets.text
            yield Difference(
                "piece", after.title(ident), "changed", what, hide(faces[0]), hide(faces[1])
            )


def _face(layer: Layer, level: int) -> str:
    return level_name(layer, level).strip("+ ") or ("off" if level < 1 else f"level {level}")


def _with_levels(old: tuple[Trait, ...], new: tuple[Trait, ...]) -> tuple[Trait, ...]:
    """Return the new parts with the levels of the old ones: as faces these are told already."""
    paired = zip_longest(old[: len(new)], new)
    return tuple(
        part.with_state(was.state_string())
        if isinstance(was, Layer)
        and isinstance(part, Layer)
        and was.type_string() == part.type_string()
        else part
        for was, part in paired
    )


def _orders(before: Position, after: Position) -> Iterator[Difference]:
    """Yield stacks whose members lie in another order.

    They are known by their members: VASSAL makes new stacks for itself, whose ids no log tells.
    """
    known: Mapping[frozenset[str], Pile] = {frozenset(p.members): p for p in before.piles()}
    for pile in after.piles():
        old = known.get(frozenset(pile.members))
        if old is not None and old.members != pile.members:
            where = after.place(pile.members[0])
            orders = [_members(after, p) for p in (old, pile)]
            yield Difference("stack", where, "changed", "order", orders[0], orders[1])


def _members(position: Position, pile: Pile) -> str:
    named = [position.title(member) for member in pile.members[:_SHOWN]]
    more = len(pile.members) - len(named)
    return ", ".join([*named, f"and {more} more"] if more else named)

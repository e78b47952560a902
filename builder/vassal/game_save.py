"""A set-up as a saved game: every counter in its place, as VASSAL would have dealt it.

VASSAL deals at-start stacks and decks only when the save does not say that it was done, and then
makes no deck by itself; so everything stands in the save (VASSAL ``build.module.map.SetupStack``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from builder.gamebox.model import Game
from builder.gamebox.module_file import DeckTable, SetupTable
from builder.vassal.command_tree import CommandNode, container
from builder.vassal.decks import Deck
from builder.vassal.game_map import start_spot
from builder.vassal.game_module import slot_ids, start_of
from builder.vassal.game_pieces import access_of
from builder.vassal.game_windows import CUP_COLOR
from builder.vassal.pieces import Piece, Stack, encode_piece, expand
from builder.vassal.sequence import join
from builder.vassal.traits import BasicPiece, DoesNotStack

__all__ = ["setup_save"]

_FIRST_ID = 1_000_000_000_000
"""Ids are creation times in VASSAL; these lie in 2001, before any piece that players make."""


def setup_save(
    game: Game, setup: SetupTable, pieces: Mapping[str, Piece], prototypes: Mapping[str, Piece]
) -> CommandNode:
    """Return the command tree of a set-up's saved game.

    ``pieces`` maps slot ids to pieces, ``prototypes`` names to definitions.
    """
    values = {p.name: setup.properties.get(p.name, p.value) for p in game.module.properties}
    maps = [game.map.name, *(hand.name for hand in game.module.hand)]
    return CommandNode(
        "begin_save",
        (
            CommandNode(),
            container(list(_table(game, setup, pieces, prototypes))),
            *(CommandNode("\t".join([f"{name}BoardPicker", name, "0", "0"])) for name in maps),
            CommandNode("SETUP_STACK\t"),
            *(
                CommandNode(join(["GlobalProperty\t", name, value, "Module"], ";"))
                for name, value in values.items()
            ),
            *([CommandNode("NOTES\t" + setup.note)] if setup.note else []),
            CommandNode("end_save"),
        ),
    )


def _table(
    game: Game, setup: SetupTable, pieces: Mapping[str, Piece], prototypes: Mapping[str, Piece]
) -> Iterator[CommandNode]:
    number = _FIRST_ID
    cups = {deck.name: deck for deck in game.module.deck}
    contents: dict[str, list[str]] = {name: [] for name in cups}
    for place, slots in _places(game, setup.scenario).items():
        map_name, x, y = _point(game, place, place in cups)
        members: list[str] = []
        for slot in slots:
            piece = expand(pieces[slot], prototypes)
            assert isinstance(piece.basic, BasicPiece), "our own pieces have a plain middle"
            basic = piece.basic.restated(map=map_name, x=x, y=y)
            number += 1
            yield _add(str(number), *encode_piece(Piece(traits=piece.traits, basic=basic)))
            if not any(isinstance(t, DoesNotStack) for t in piece.traits):
                members.append(str(number))
        if place in cups:
            contents[place] = members
        elif members:
            number += 1
            stack = Stack(map=map_name, x=x, y=y, members=tuple(members), layer=-1)
            yield _add(str(number), "stack", stack.state_string())
    for name, deck in cups.items():
        number += 1
        _, x, y = _point(game, name, True)
        trait = _deck(game, deck, x, y, contents[name])
        yield _add(str(number), trait.type_string(), trait.state_string())


def _add(identity: str, type_text: str, state: str) -> CommandNode:
    return CommandNode("+/" + join([identity, type_text, state], "/"))


def _places(game: Game, scenario: str) -> dict[str, list[str]]:
    """Return place to slots, in the order of the file."""
    found: dict[str, list[str]] = {}
    for slot, counter_id, copy in slot_ids(game):
        counter = game.counter(counter_id)
        if not copy and counter.start:
            continue
        # one that starts in scenarios only comes out of its slot in the palette
        start = start_of(game, counter, scenario)
        if start:
            found.setdefault(start, []).extend([slot] * (1 if copy else counter.count))
    return found


def _point(game: Game, place: str, is_cup: bool) -> tuple[str, int, int]:
    box = game.map.box(place)
    if is_cup and box is not None:
        return game.map.name, box.center[0], box.center[1] + box.height // 8
    return start_spot(game, place)


def _deck(game: Game, deck: DeckTable, x: int, y: int, cards: Sequence[str]) -> Deck:
    size = round(12.7 * game.map.frame.px_per_mm)
    owners = access_of(game, deck.side) if deck.side else ()
    return Deck(
        allow_multiple=False,
        allow_select=False,
        cards=tuple(cards),
        draw_face_up=deck.open,
        draw_outline=True,
        face_down=True,
        height=size,
        map=game.map.name,
        name=deck.name,
        outline_color=CUP_COLOR,
        owners=owners,
        restrict_access=bool(owners),
        reversible=False,
        shuffle_command="Shuffle",
        width=size,
        x=x,
        y=y,
    )

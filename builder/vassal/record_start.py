"""Where a log begins: a set-up of a module, dealt as VASSAL does, and the pieces of its slots.

Sources: VASSAL classes ``build.module.map.SetupStack``, ``build.module.map.DrawPile``,
``build.module.PredefinedSetup``, ``counters.PieceCloner``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from builder.problems import UsageError
from builder.vassal.archive import buildfile_name, read_archive
from builder.vassal.buildfile import Component, read_buildfile, savedata_xml, walk
from builder.vassal.codecs import Color, Seq, Str
from builder.vassal.command_tree import (
    CommandNode,
    container,
    encode_tree,
)
from builder.vassal.commands import (
    AddPiece,
    GlobalProperty,
    SetupStack,
    Turn,
)
from builder.vassal.decks import Deck
from builder.vassal.pieces import Piece, Stack, encode_piece, expand, parse_slot
from builder.vassal.record_position import board_picker, leaf
from builder.vassal.replay_module import ModuleFacts, read_module_facts
from builder.vassal.replay_names import is_stackable
from builder.vassal.savefile import Coding, Kind, SaveFile, read_save
from builder.vassal.sequence import join
from builder.vassal.traits import BasicPiece

__all__ = ["module_setups", "module_slots", "module_start"]

_FIRST_ID: Final = 1_000_000_000_000
_KEY: Final = 0x5A
_OBSERVER: Final = "<observer>"
_SLOTS: Final = ("PieceSlot", "CardSlot")
_STACKS: Final = ("SetupStack", "DrawPile")


def module_setups(path: Path) -> tuple[str, ...]:
    """Return the names of the set-ups that a module offers."""
    return tuple(
        part.attributes.get("name", "")
        for part, _ in walk(_root(read_archive(path)))
        if part.kind == "PredefinedSetup"
    )


def module_slots(path: Path) -> dict[str, Piece]:
    """Return the pieces of a module by gpid, as VASSAL takes them out of their slots."""
    root = _root(read_archive(path))
    definitions = _prototypes(root)
    return {
        part.attributes.get("gpid", ""): _taken(part, definitions)
        for part, _ in walk(root)
        if part.kind in _SLOTS and part.text.startswith("+/")
    }


def module_start(path: Path, setup: str = "", facts: ModuleFacts | None = None) -> SaveFile:
    """Return the saved game with which a set-up begins; an empty name is File > New Game.

    A set-up without a file of its own is dealt as VASSAL deals the at-start stacks. Nobody is
    seated yet. Raises :class:`~builder.problems.UsageError` for a set-up that the module does not
    have, and :class:`~builder.problems.UnreadableError` for a file that is no module.
    """
    members = read_archive(path)
    root = _root(members)
    offered = {
        part.attributes.get("name", ""): part
        for part, _ in walk(root)
        if part.kind == "PredefinedSetup"
    }
    if setup and setup not in offered:
        raise UsageError(f"{path}: no set-up {setup!r}; it offers: {', '.join(offered) or 'none'}")
    chosen = offered.get(setup)
    if chosen is not None and chosen.attributes.get("useFile") == "true":
        return read_save(members[chosen.attributes.get("file", "")])
    facts = read_module_facts(path) if facts is None else facts
    moduledata = members["moduledata"]
    savedata = savedata_xml(facts.name.version, saved_ms=0, vassal_version=facts.name.vassal)
    tree = _Deal(root, facts).tree()
    kept = {"savedata": savedata, "moduledata": moduledata}
    return SaveFile(Kind.ZIP, _KEY, encode_tree(tree), kept, Coding.VCSK)


def _root(members: Mapping[str, bytes]) -> Component:
    return read_buildfile(members[buildfile_name(members)])


def _prototypes(root: Component) -> dict[str, Piece]:
    return {
        part.attributes.get("name", ""): parse_slot(part.text)
        for part, _ in walk(root)
        if part.kind == "PrototypeDefinition" and part.text.startswith("+/")
    }


def _taken(slot: Component, definitions: Mapping[str, Piece]) -> Piece:
    """Return the piece of a slot, its prototypes expanded, with the slot's gpid."""
    piece = expand(parse_slot(slot.text), definitions)
    if isinstance(piece.basic, BasicPiece):
        basic = piece.basic.restated(gpid=slot.attributes.get("gpid", ""))
        return Piece(piece.traits, basic)
    return piece


# --- a new game ------------------------------------------------------------------------------


@dataclass(slots=True)
class _Deal:
    """A new game of a module: the at-start stacks and decks of its maps."""

    root: Component
    facts: ModuleFacts
    _number: int = _FIRST_ID

    def tree(self) -> CommandNode:
        """Return the command tree of the saved game."""
        definitions = _prototypes(self.root)
        maps = self.facts.maps.maps
        pieces: list[CommandNode] = []
        for part, inside in walk(self.root):
            if part.kind in _STACKS and inside:
                pieces += self._dealt(part, _map_name(inside, list(maps)), definitions)
        return CommandNode(
            "begin_save",
            (
                CommandNode(),
                container(pieces),
                *(leaf(command) for command in self._properties()),
                *(leaf(board_picker(name, maps[name].layout)) for name in maps),
                leaf(SetupStack()),
                *(leaf(command) for command in self._turns()),
                CommandNode("end_save"),
            ),
        )

    def _next(self) -> str:
        self._number += 1
        return str(self._number)

    def _dealt(
        self, part: Component, map_name: str, definitions: Mapping[str, Piece]
    ) -> Iterator[CommandNode]:
        x, y = self._point(part, map_name)
        stacked: list[str] = []
        for slot in part.children:
            if slot.kind not in _SLOTS:
                continue
            piece = _taken(slot, definitions)
            lies_in_pile = part.kind == "DrawPile" or is_stackable(piece)
            if isinstance(piece.basic, BasicPiece):
                # The map of a piece in a stack is that of the stack.
                basic = piece.basic.restated(map=None if lies_in_pile else map_name, x=x, y=y)
                piece = Piece(piece.traits, basic)
            ident = self._next()
            yield leaf(AddPiece(ident, *encode_piece(piece)))
            if lies_in_pile:
                stacked.append(ident)
        if part.kind == "DrawPile":
            deck = _deck(part).restated(
                map=map_name, x=x, y=y, face_down=_is_face_down(part), cards=tuple(stacked)
            )
            yield leaf(AddPiece(self._next(), deck.type_string(), deck.state_string()))
        elif stacked:
            state = Stack(map_name, x, y, tuple(stacked), -1).state_string()
            yield leaf(AddPiece(self._next(), "stack", state))

    def _point(self, part: Component, map_name: str) -> tuple[int, int]:
        names, label = self.facts.maps, part.attributes.get("location", "")
        if part.attributes.get("useGridLocation") == "true" and label:
            found = names.point(map_name, None, label)
            if found is not None:
                return found
        corner = names.corner(map_name, None, part.attributes.get("owningBoard", "")) or (0, 0)
        return corner[0] + _whole(part, "x"), corner[1] + _whole(part, "y")

    def _properties(self) -> Iterator[GlobalProperty]:
        for part, inside in walk(self.root):
            if part.kind == "GlobalProperty" and inside and inside[-1].kind == "GlobalProperties":
                yield GlobalProperty(
                    part.attributes.get("name", ""),
                    part.attributes.get("initialValue", ""),
                    "Module",
                )

    def _turns(self) -> Iterator[Turn]:
        trackers = [part for part, _ in walk(self.root) if part.kind == "TurnTracker"]
        for index, part in enumerate(trackers):
            states = [_level_state(child) for child in part.children if "TurnLevel" in child.kind]
            yield Turn(f"TurnTracker{index}", join(["0", *states], "|"))


def _map_name(inside: tuple[Component, ...], names: list[str]) -> str:
    for part in reversed(inside):
        if part.attributes.get("mapName") in names:
            return part.attributes["mapName"]
    return names[0] if names else ""


def _level_state(level: Component) -> str:
    """Return the state of a level of a turn tracker before the first move."""
    inner = [_level_state(child) for child in level.children if "TurnLevel" in child.kind]
    if level.kind == "CounterTurnLevel":
        loop = level.attributes.get("loop", "false")
        start = str(_whole(level, "start", 1))
        own = [start, "0", loop, str(_whole(level, "loopLimit", -1))]
    else:
        words = Seq(",", Str()).read(level.attributes.get("list", ""))
        own = ["0", "0", "0", join(["true"] * max(1, len(words)), ",")]
    return join([*own, *inner], ";")


def _whole(part: Component, name: str, default: int = 0) -> int:
    text = part.attributes.get(name, "")
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 9 else default


def _is_on(part: Component, name: str, default: bool) -> bool:
    return part.attributes.get(name, "true" if default else "false") == "true"


def _is_face_down(part: Component) -> bool:
    return part.attributes.get("faceDown", "Always") in ("Always", "Via right-click Menu")


def _deck(part: Component) -> Deck:
    """Return the deck of a DrawPile; what a new deck leaves to VASSAL stays as it is."""
    text = part.attributes.get
    owners = Seq(",", Str()).read(text("deckOwners", ""))
    return Deck(
        draw_outline=_is_on(part, "draw", True),
        outline_color=Color().read(text("color", "0,0,0")),
        width=_whole(part, "width", 40),
        height=_whole(part, "height", 40),
        face_down_option=text("faceDown", "Always"),
        shuffle_option=text("shuffle", "Always"),
        allow_multiple=_is_on(part, "allowMultiple", False),
        allow_select=_is_on(part, "allowSelect", False),
        reversible=_is_on(part, "reversible", False),
        reshuffle_command=text("reshuffleCommand", "")
        if _is_on(part, "reshufflable", False)
        else "",
        reshuffle_target=text("reshuffleTarget", ""),
        reshuffle_format=text("reshuffleMessage", ""),
        name=text("name", ""),
        shuffle_format=text("shuffleFormat", ""),
        reverse_format=text("reverseFormat", ""),
        face_down_format=text("faceDownFormat", ""),
        draw_face_up=_is_on(part, "drawFaceUp", False),
        persistable=_is_on(part, "canSave", False),
        max_stack=_whole(part, "maxStack", 10),
        expression_counting=_is_on(part, "expressionCounting", False),
        hotkey_on_empty=_is_on(part, "hotkeyOnEmpty", False),
        shuffle_command=text("shuffleCommand", ""),
        reverse_command=text("reverseCommand", ""),
        restrict_access=_is_on(part, "deckRestrictAccess", False),
        owners=owners,
    )

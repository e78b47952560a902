"""A whole game as a VASSAL module: the template's build file with the game's own parts put in."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from builder.gamebox.model import Counter, Game
from builder.gamebox.module_file import HandTable, ModuleFile
from builder.vassal.buildfile import Component
from builder.vassal.game_map import board_component, setup_stacks
from builder.vassal.game_windows import (
    button_component,
    chart_window,
    deck_component,
    dice_component,
    flag,
    hand_component,
    help_component,
    menu_component,
    setup_component,
    tracker_component,
)
from builder.vassal.keys import keystroke
from builder.vassal.pieces import Piece, slot_text

__all__ = ["Slot", "game_component", "slot_ids", "start_of"]

_ROOT = "VASSAL.build.GameModule"
_MODULE = "VASSAL.build.module."
_WIDGET = "VASSAL.build.widget."

Slot = tuple[str, str, int]
"""A piece slot: its id in ``gpids.csv``, the counter's id, and which copy it is."""


def start_of(game: Game, counter: Counter, scenario: str = "") -> str:
    """Return where a counter starts: as the scenario says, else as its own row says."""
    for item in game.scenarios:
        if item.name == scenario and counter.id in item.starts:
            return item.starts[counter.id]
    return counter.start


def slot_ids(game: Game) -> list[Slot]:
    """Return every piece slot of the module: one in the palette a counter, one a starting copy.

    The ids are the keys of ``gpids.csv``; they depend on nothing but the counter.
    """
    slots: list[Slot] = []
    for counter in game.counters:
        if counter.palette:
            slots.append((counter.id, counter.id, 0))
        if start_of(game, counter):
            copies = range(1, counter.count + 1)
            slots += [
                (f"{counter.id}@start" + (f".{n}" if n > 1 else ""), counter.id, n) for n in copies
            ]
    return slots


def game_component(
    template: Component,
    game: Game,
    *,
    prototypes: Mapping[str, Piece],
    pieces: Mapping[str, Piece],
    sizes: Mapping[str, tuple[int, int]],
    board_image: str,
    about_image: str,
    charts: Mapping[str, str],
    help_title: str,
    setup_files: Mapping[str, str],
    next_gpid: int,
) -> Component:
    """Return the build file's root.

    ``pieces`` maps slot ids to pieces (their gpid set), ``sizes`` counter ids to the size of their
    picture in pixels; ``next_gpid`` is above every gpid of the module. ``charts`` maps titles to
    pictures; ``help_title`` is that of the help pages in the archive, empty for none;
    ``setup_files`` maps set-ups by name to members of the archive.
    """
    builder = _Builder(game, prototypes, pieces, sizes)
    parts = {
        _MODULE + "Documentation": lambda c: builder.documentation(c, about_image, help_title),
        _MODULE + "PlayerRoster": builder.roster,
        _MODULE + "PrototypesContainer": builder.prototypes_container,
        _MODULE + "properties.GlobalProperties": builder.properties,
        _MODULE + "Map": lambda c: builder.map(c, board_image),
        _MODULE + "PieceWindow": builder.palette,
    }
    children = [parts[c.tag](c) if c.tag in parts else c for c in template.children]
    own = builder.windows(charts, setup_files)
    position = next(
        (i for i, c in enumerate(children) if c.tag == _MODULE + "PieceWindow"), len(children)
    )
    children[position:position] = own
    attributes = {
        **template.attributes,
        "VassalVersion": game.module.vassal,
        "description": game.description,
        "name": game.module.name,
        "nextPieceSlotId": str(next_gpid),
        "version": game.version,
    }
    return replace(template, attributes=attributes, children=tuple(children))


class _Builder:
    def __init__(
        self,
        game: Game,
        prototypes: Mapping[str, Piece],
        pieces: Mapping[str, Piece],
        sizes: Mapping[str, tuple[int, int]],
    ) -> None:
        self.game = game
        self.module: ModuleFile = game.module
        self.prototypes = prototypes
        self.pieces = pieces
        self.sizes = sizes

    def documentation(self, template: Component, image: str, help_title: str) -> Component:
        about = Component(
            _MODULE + "documentation.AboutScreen",
            {"fileName": image, "title": f"About {self.game.title}"},
        )
        pages = (help_component(help_title),) if help_title else ()
        return replace(template, children=(about, *pages, *template.children))

    def windows(self, charts: Mapping[str, str], setup_files: Mapping[str, str]) -> list[Component]:
        """Return everything of the toolbar that is the game's own, in its order there."""
        module = self.module
        menus = {menu.name: menu for menu in module.menu}
        in_menu = {
            name: [b.label or b.name for b in module.button if b.menu == name] for name in menus
        }
        return [
            *(setup_component(s, setup_files.get(s.name, "")) for s in module.setup),
            *([tracker_component(module.tracker)] if module.tracker else []),
            *(dice_component(d) for d in module.dice),
            *(button_component(b) for b in module.button),
            *(menu_component(menus[name], items) for name, items in in_menu.items()),
            *(self.hand(h) for h in module.hand),
            *([chart_window(charts)] if charts else []),
        ]

    def hand(self, hand: HandTable) -> Component:
        stacks = setup_stacks(self.game, self.starts(), hand.name)
        reports = self.reports()
        if hand.quiet:
            # a format that is left out is VASSAL's own, which names every counter to everybody
            reports = dict.fromkeys(reports, "")
        return hand_component(self.game, hand, reports, stacks)

    def reports(self) -> dict[str, str]:
        return {
            "createFormat": self.module.create_report,
            "moveToFormat": self.module.move_report,
            "moveWithinFormat": self.module.move_report,
        }

    def roster(self, template: Component) -> Component:
        names = [s.name for s in self.module.seat] or [
            s.name for s in self.game.sides if s.is_player
        ]
        entries = tuple(Component("entry", {}, (), name) for name in names)
        attributes = {**template.attributes, "buttonText": self.module.side_button}
        return replace(template, attributes=attributes, children=entries)

    def prototypes_container(self, template: Component) -> Component:
        about = {p.name: p.description for p in self.game.prototypes}
        definitions = tuple(
            Component(
                _MODULE + "PrototypeDefinition",
                {"description": about.get(name, ""), "name": name},
                (),
                slot_text(piece),
            )
            for name, piece in self.prototypes.items()
        )
        return replace(template, children=(*template.children, *definitions))

    def properties(self, template: Component) -> Component:
        own = tuple(
            Component(
                _MODULE + "properties.GlobalProperty",
                {
                    "description": p.description,
                    "initialValue": p.value,
                    "isNumeric": flag(p.numeric),
                    "max": str(p.max),
                    "min": str(p.min),
                    "name": p.name,
                    "wrap": flag(p.wrap),
                },
            )
            for p in self.module.properties
        )
        return replace(template, children=(*template.children, *own))

    def map(self, template: Component, board_image: str) -> Component:
        board = board_component(self.game.map, board_image)
        children = tuple(
            replace(c, children=(board,)) if c.tag == _MODULE + "map.BoardPicker" else self.zoom(c)
            for c in template.children
        )
        attributes = {
            **template.attributes,
            **self.reports(),
            "mapName": self.game.map.name,
            "moveKey": keystroke(self.module.move_key),
        }
        if self.module.unmove_key:
            attributes |= {
                "markUnmovedHotkey": keystroke(self.module.unmove_key),
                "markUnmovedReport": self.module.unmove_report,
            }
        cups = {deck.name: deck for deck in self.module.deck}
        stacks = setup_stacks(self.game, self.starts(without=cups), self.game.map.name)
        cards = self.starts(only=cups)
        decks = tuple(
            deck_component(self.game, deck, cards.get(name, ())) for name, deck in cups.items()
        )
        return replace(template, attributes=attributes, children=(*children, *stacks, *decks))

    def zoom(self, part: Component) -> Component:
        if part.tag != _MODULE + "map.Zoomer":
            return part
        levels = sorted(set(self.module.zoom_levels) | {self.module.zoom_start})
        # counted from the largest level down, from 1 (VASSAL map.Zoomer)
        start = len(levels) - levels.index(self.module.zoom_start)
        texts = {"zoomLevels": ",".join(f"{v:g}" for v in levels), "zoomStart": str(start)}
        return replace(part, attributes={**part.attributes, **texts})

    def starts(
        self, *, only: Collection[str] | None = None, without: Collection[str] = ()
    ) -> dict[str, list[Component]]:
        """Return place to slots; a counter that starts in a cup has a card slot."""
        found: dict[str, list[Component]] = {}
        for slot, counter_id, copy in slot_ids(self.game):
            start = start_of(self.game, self.game.counter(counter_id)) if copy else ""
            if start and start not in without and (only is None or start in only):
                kind = "PieceSlot" if only is None else "CardSlot"
                found.setdefault(start, []).append(self.slot(slot, counter_id, kind))
        return found

    def slot(self, slot: str, counter_id: str, kind: str = "PieceSlot") -> Component:
        piece = self.pieces[slot]
        width, height = self.sizes[counter_id]
        attributes = {
            "entryName": piece.name,
            "gpid": str(self.game.gpids[slot]),
            "height": str(height),
            "width": str(width),
        }
        return Component(_WIDGET + kind, attributes, (), slot_text(piece))

    def palette(self, template: Component) -> Component:
        by_palette: dict[str, list[Component]] = {p.name: [] for p in self.game.palettes}
        for slot, counter_id, copy in slot_ids(self.game):
            if not copy:
                name = self.game.counter(counter_id).palette
                by_palette[name].append(self.slot(slot, counter_id))
        panels = tuple(
            Component(
                _WIDGET + "PanelWidget",
                {
                    "entryName": palette.label,
                    "fixed": "true",
                    "nColumns": "3",
                    "scale": "1.0",
                    "vert": "false",
                },
                tuple(by_palette[palette.name]),
            )
            for palette in self.game.palettes
            if by_palette[palette.name]
        )
        tabs = Component(_WIDGET + "TabWidget", {"entryName": "Counters"}, panels)
        return replace(template, children=(*template.children, tabs))

"""A game's cups, private hands, buttons, menus, charts and set-ups as VASSAL's components."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from builder.gamebox.hands import hand_boxes
from builder.gamebox.model import Game
from builder.gamebox.module_file import (
    ButtonTable,
    DeckTable,
    DiceTable,
    HandTable,
    MenuTable,
    SetupTable,
    TrackerLevel,
    TrackerTable,
)
from builder.vassal.buildfile import Component
from builder.vassal.codecs import Color, Seq, Str
from builder.vassal.game_map import box_zones
from builder.vassal.game_pieces import access_of
from builder.vassal.keys import keystroke

__all__ = [
    "CUP_COLOR",
    "button_component",
    "chart_window",
    "deck_component",
    "dice_component",
    "flag",
    "hand_component",
    "hand_image",
    "help_component",
    "menu_component",
    "setup_component",
    "tracker_component",
    "words",
]

_MODULE = "VASSAL.build.module."
_MAP = _MODULE + "map."
_BOARD = _MAP + "boardPicker.Board"
CUP_COLOR = "#5a5a50"
"""The outline that an empty cup shows."""
ANY_PIECE = "MAP|false|MAP|||||0|0||false|||EQUALS||"


def flag(value: bool) -> str:
    """Return a truth value as VASSAL's attributes hold it."""
    return "true" if value else "false"


def words(items: Iterable[str]) -> str:
    """Return a list of words as VASSAL's attributes hold it."""
    return Seq(",", Str()).write(tuple(items), ())


def deck_component(game: Game, deck: DeckTable, cards: Sequence[Component]) -> Component:
    """Return a cup that lies in its box, with its counters in it.

    It is always shuffled: who draws gets a random counter, and the log does not show the order.
    Restricting it to a side does nothing in VASSAL 3.6; the counters' own Restricted Access does.
    """
    box = game.map.box(deck.name)
    assert box is not None, "decks are checked against boxes when the game is opened"
    x, y = box.center
    owners = access_of(game, deck.side) if deck.side else ()
    attributes = {
        "allowMultiple": "false",
        "allowSelect": "false",
        "canSave": "false",
        "color": Color().write(CUP_COLOR, ()),
        "deckOwners": words(owners),
        "deckRestrictAccess": flag(bool(owners)),
        "draw": "true",
        "drawFaceUp": flag(deck.open),
        "emptyHotkey": "",
        "expressionCounting": "false",
        "faceDown": "Always",
        "faceDownFormat": "",
        "faceFlipHotkey": "",
        "height": str(round(12.7 * game.map.frame.px_per_mm)),
        "hotkeyOnEmpty": "false",
        "maxStack": "10",
        "name": deck.name,
        "owningBoard": game.map.name,
        "reshufflable": "false",
        "reversible": "false",
        "shuffle": "Always",
        "shuffleCommand": "Shuffle",
        "shuffleFormat": "",
        "shuffleHotkey": "",
        "width": str(round(12.7 * game.map.frame.px_per_mm)),
        "x": str(x),
        "y": str(y + box.height // 8),
    }
    return Component(_MAP + "DrawPile", attributes, tuple(cards))


_HAND_PARTS = (
    "ForwardToKeyBuffer",
    "ForwardToChatter",
    "MenuDisplayer",
    "MapCenterer",
    "StackExpander",
    "PieceMover",
    "KeyBufferer",
)


def hand_image(hand: HandTable) -> str:
    """Return the file name of the picture of a private window with boxes; empty without boxes."""
    letters = "".join(c if c.isalnum() else "-" for c in hand.name)
    return f"hand-{letters}.png" if hand.boxes else ""


def hand_component(
    game: Game, hand: HandTable, reports: Mapping[str, str], stacks: Sequence[Component] = ()
) -> Component:
    """Return a window that only the seats of one side see, with what starts in it."""
    zones = tuple(box_zones(hand_boxes(hand)))
    board = Component(
        _BOARD,
        {
            "color": Color().write(hand.color, ()),
            "height": str(hand.height),
            "name": hand.name,
            "reversible": "false",
            "width": str(hand.width),
            **({"image": hand_image(hand)} if zones else {}),
        },
        (Component(_MAP + "boardPicker.board.ZonedGrid", {}, zones),) if zones else (),
    )
    metrics = {"disabled": "false", "exSepX": "12", "exSepY": "0", "unexSepX": "12"}
    parts = [
        Component(_MAP + "BoardPicker", {}, (board,)),
        Component(_MAP + "HandMetrics", {**metrics, "unexSepY": "0"}),
        *(Component(_MAP + part) for part in _HAND_PARTS),
        Component(_MAP + "Scroller", {"useArrows": "never"}),
        Component(_MODULE + "properties.GlobalProperties"),
        Component(_MAP + "SelectionHighlighters"),
        Component(_MAP + "HighlightLastMoved", {"enabled": "true"}),
        *stacks,
    ]
    attributes = {
        "allowMultiple": "false",
        "backgroundcolor": "58,58,54",
        "buttonName": hand.label or hand.name,
        "changeFormat": "$message$",
        "hotkey": keystroke(hand.hotkey),
        "icon": "",
        "launch": "true",
        "mapName": hand.name,
        "markMoved": "Never",
        "moveKey": keystroke(hand.enter_key),
        "side": words(access_of(game, hand.side)),
        "tooltip": hand.tooltip,
        "visible": "false",
        **reports,
    }
    return Component(_MODULE + "PlayerHand", attributes, tuple(parts))


def dice_component(dice: DiceTable) -> Component:
    """Return a button: numbered dice, or dice whose faces are words."""
    common = {
        "addToTotal": "0",
        "hotkey": keystroke(dice.key),
        "icon": "",
        "lockAdd": "true",
        "lockDice": "true",
        "lockPlus": "true",
        "nDice": str(dice.count),
        "name": dice.name,
        "plus": "0",
        "prompt": "false",
        "reportFormat": dice.report,
        "reportTotal": flag(dice.total),
        "sortDice": "false",
        "text": dice.label or dice.name,
        "tooltip": dice.tooltip,
    }
    if dice.faces:
        return Component(
            _MODULE + "RandomTextButton",
            {**common, "faces": words(dice.faces), "numeric": "false"},
        )
    return Component(
        _MODULE + "DiceButton", {**common, "lockSides": "true", "nSides": str(dice.sides)}
    )


def tracker_component(tracker: TrackerTable) -> Component:
    """Return the turn tracker, its levels nested from the outermost in."""
    children: tuple[Component, ...] = ()
    for level in reversed(tracker.level):
        children = (_level(level, children),)
    children += tuple(
        Component(
            _MODULE + "turn.TurnGlobalHotkey",
            {"hotkey": keystroke(h.key), "match": h.match, "name": "", "reportFormat": ""},
        )
        for h in tracker.hotkey
    )
    return Component(
        _MODULE + "turn.TurnTracker",
        {
            "buttonText": tracker.name,
            "fwdOnly": "false",
            "hotkey": "",
            "icon": "",
            "length": "0",
            "lengthStyle": "Maximum",
            "name": tracker.name,
            "nexthotkey": keystroke(tracker.next_key),
            "prevhotkey": keystroke(tracker.previous_key),
            "reportFormat": tracker.report,
            "tooltip": "",
            "turnFormat": tracker.display,
        },
        children,
    )


def _level(level: TrackerLevel, children: tuple[Component, ...]) -> Component:
    if level.list:
        return Component(
            _MODULE + "turn.ListTurnLevel",
            {
                "configFirst": "false",
                "configList": "false",
                "list": words(level.list),
                "name": level.property,
                "property": level.property,
                "prompt": "",
                "turnFormat": "$value$",
            },
            children,
        )
    return Component(
        _MODULE + "turn.CounterTurnLevel",
        {
            "incr": str(level.step),
            "loop": flag(level.last is not None),
            "loopLimit": str(-1 if level.last is None else level.last),
            "name": level.property,
            "property": level.property,
            "start": str(level.start),
            "turnFormat": "$value$",
        },
        children,
    )


def button_component(button: ButtonTable) -> Component:
    """Return a toolbar button: a command to counters, or a mere report."""
    if not button.sends:
        return Component(
            _MODULE + "DoActionButton",
            {
                "doHotkey": "false",
                "doReport": "true",
                "doSound": "false",
                "hotkey": keystroke(button.hotkey),
                "icon": "",
                "name": button.name,
                "reportFormat": button.report,
                "text": button.label or button.name,
                "tooltip": button.tooltip,
            },
        )
    return Component(
        _MODULE + "GlobalKeyCommand",
        {
            "buttonHotkey": keystroke(button.hotkey),
            "buttonText": button.label or button.name,
            "deckCount": str(button.cards),
            "filter": button.filter,
            "hotkey": keystroke(button.sends),
            "icon": "",
            "name": button.name,
            "reportFormat": button.report,
            "reportSingle": "true",
            "singleMap": "false",
            "target": ANY_PIECE,
            "tooltip": button.tooltip,
        },
    )


def menu_component(menu: MenuTable, items: Iterable[str]) -> Component:
    """Return a drop-down menu that takes buttons by their text."""
    return Component(
        _MODULE + "ToolbarMenu",
        {
            "description": menu.name,
            "hotkey": "",
            "icon": "",
            "menuItems": words(items),
            "text": menu.name,
            "tooltip": menu.tooltip,
        },
    )


def chart_window(charts: Mapping[str, str]) -> Component:
    """Return the window with a tab for each chart: title to picture."""
    tabs = tuple(
        Component(
            "VASSAL.build.widget.Chart",
            {"chartName": title, "description": "", "fileName": image},
        )
        for title, image in charts.items()
    )
    tab = Component("VASSAL.build.widget.TabWidget", {"entryName": "Charts"}, tabs)
    return Component(
        _MODULE + "ChartWindow",
        {
            "description": "",
            "hotkey": keystroke("ctrl shift R"),
            "icon": "/images/chart.gif",
            "name": "Charts",
            "text": "",
            "tooltip": "Charts and tables",
        },
        (tab,),
    )


def help_component(title: str) -> Component:
    """Return the entry of the help menu whose pages are the archive's member ``help/TITLE``."""
    return Component(
        _MODULE + "documentation.BrowserHelpFile",
        {"startingPage": "index.html", "title": title},
    )


def setup_component(setup: SetupTable, file: str) -> Component:
    """Return an entry of the list at the beginning of a game; without a file an ordinary deal."""
    return Component(
        _MODULE + "PredefinedSetup",
        {
            "description": "",
            "file": file,
            "isMenu": "false",
            "name": setup.name,
            "useFile": flag(bool(file)),
        },
    )

"""What a module's counters and buttons can do, read from the game's data so that it stays true."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from builder.gamebox.lines import Grammar
from builder.gamebox.model import Game
from builder.vassal.game_pieces import repeated

__all__ = [
    "Button",
    "CounterMenu",
    "LogLine",
    "MenuEntry",
    "MenuPart",
    "counter_menus",
    "log_lines",
    "module_buttons",
    "seats",
]

_SLOT = re.compile(r"@\{[^}]*\}")
_TRUST = {
    "own_or_typed": "Counts when the module wrote it, or the acting side typed it.",
    "needs_dice": "Counts with the dice beside it only.",
    "needs_change": "Counts with the change of the counter; the change counts without the line.",
    "typed_by_both": "Counts when both sides type it.",
}


@dataclass(frozen=True, slots=True)
class MenuEntry:
    """A command of a counter's menu with its keys, or a submenu with its own entries."""

    name: str
    keys: tuple[str, ...] = ()
    entries: tuple[MenuEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class MenuPart:
    """Commands that belong together, as one prototype brings them; what it says of itself."""

    description: str
    entries: tuple[MenuEntry, ...]


@dataclass(frozen=True, slots=True)
class CounterMenu:
    """The menu of one kind of counter."""

    name: str
    parts: tuple[MenuPart, ...]


@dataclass(frozen=True, slots=True)
class Button:
    """A button of the module, or a seat: what it is called and what it does."""

    name: str
    description: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogLine:
    """A verb of the lines in the log: its keys, optional ones in brackets, and when it counts."""

    name: str
    keys: tuple[str, ...]
    description: str
    trust: str
    is_typed: bool


def counter_menus(game: Game) -> tuple[CounterMenu, ...]:
    """Return the menus of all kinds of counters that have any command, as the data order them."""
    menus: list[CounterMenu] = []
    for layout, template in game.pieces.items():
        parts = [part for part in _parts(game, template.traits, "", ()) if part.entries]
        if parts:
            name = layout.replace("_", " ").replace("-", " ")
            menus.append(CounterMenu(name[:1].upper() + name[1:], tuple(parts)))
    return tuple(menus)


def _parts(
    game: Game, traits: Sequence[Mapping[str, Any]], description: str, path: tuple[str, ...]
) -> Iterator[MenuPart]:
    """Yield the parts of a list of traits: of its prototypes, and then its own commands."""
    for trait in traits:
        name = trait.get("name")
        if trait.get("trait") == "Prototype" and name not in path:
            for prototype in game.prototypes:
                if prototype.name == name:
                    inner = (*path, prototype.name)
                    yield from _parts(game, prototype.traits, prototype.description, inner)
    yield MenuPart(description, tuple(_entries(traits)))


def _entries(written: Sequence[Mapping[str, Any]]) -> Iterator[MenuEntry]:
    traits: list[Mapping[str, Any]] = [trait for _, trait in repeated(written)]
    commands = dict(_commands(traits))
    submenus = [t for t in traits if t.get("trait") == "SubMenu"]
    taken = {str(c) for t in submenus for c in t.get("commands", ())}
    for trait in traits:
        if trait.get("trait") == "SubMenu":
            names = [str(c) for c in trait.get("commands", ())]
            inner = tuple(MenuEntry(_plain(n), commands[n]) for n in names if n in commands)
            if inner:
                yield MenuEntry(_plain(str(trait.get("name", ""))), (), inner)
            continue
        for name, keys in _commands([trait]):
            if name not in taken:
                yield MenuEntry(_plain(name), keys)


def _commands(values: Iterable[Any]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every command with its keys, wherever in the traits' tables it stands."""
    for value in values:
        if isinstance(value, Mapping):
            command = value.get("command")
            if isinstance(command, str) and command.strip():
                yield command, _keys(value.get("key"))
            yield from _commands(value.values())
        elif isinstance(value, (list, tuple)):
            yield from _commands(value)


def _plain(text: str) -> str:
    return _SLOT.sub("…", text)


def _keys(key: object) -> tuple[str, ...]:
    """Return a keystroke as the keys to press; a named key has none.

    >>> _keys("ctrl shift M"), _keys("<Dead>")
    (('Ctrl', 'Shift', 'M'), ())
    """
    if not isinstance(key, str) or key.startswith("<"):
        return ()
    return tuple(word[:1].upper() + word[1:] for word in key.split())


def module_buttons(game: Game) -> tuple[Button, ...]:
    """Return the module's buttons: every table of ``module.toml`` that has a tooltip, the tracker.

    Read by the name of that field, so that a new kind of button needs no change here.
    """
    found: list[Button] = []
    for part in dataclasses.fields(game.module):
        value = getattr(game.module, part.name)
        for table in value if isinstance(value, tuple) else (value,):
            tooltip = getattr(table, "tooltip", "")
            name = getattr(table, "label", "") or getattr(table, "name", "")
            if isinstance(tooltip, str) and tooltip and isinstance(name, str) and name:
                menu = getattr(table, "menu", "")
                key = getattr(table, "hotkey", "") or getattr(table, "key", "")
                shown = f"{menu} › {name}" if isinstance(menu, str) and menu else name
                found.append(Button(shown, tooltip, _keys(key)))
    tracker = game.module.tracker
    if tracker is not None:
        found += [
            Button(f"{tracker.name} +", "On to the next step", _keys(tracker.next_key)),
            Button(f"{tracker.name} −", "Back by one step", _keys(tracker.previous_key)),
        ]
    return tuple(found)


def seats(game: Game) -> tuple[Button, ...]:
    """Return the seats of the module, and whose counters each may touch."""
    labels = {side.name: side.label for side in game.sides}
    return tuple(
        Button(
            seat.name,
            f"{labels.get(seat.side, seat.side)} counters"
            if seat.side
            else "Counters of all sides",
        )
        for seat in game.module.seat
    )


def log_lines(grammar: Grammar | None) -> tuple[LogLine, ...]:
    """Return the verbs of a game's lines in the order of ``lines.toml``."""
    if grammar is None:
        return ()
    return tuple(
        LogLine(
            name=f"{grammar.prefix}: {verb.name}",
            keys=tuple(f"[{k.name}]" if k.is_optional else k.name for k in verb.keys.values()),
            description=verb.help,
            trust=_TRUST.get(verb.trust, ""),
            is_typed=not verb.writers,
        )
        for verb in grammar.verbs.values()
    )

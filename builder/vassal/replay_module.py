"""What a log's story needs of the module: names of places, turns in words, buttons of dice.

Sources: VASSAL classes ``build.module.turn.TurnTracker``, ``CounterTurnLevel``, ``ListTurnLevel``,
``build.module.metadata.AbstractMetaData``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from builder.problems import BuilderError
from builder.vassal.archive import buildfile_name, read_archive
from builder.vassal.buildfile import Component, read_buildfile, walk
from builder.vassal.replay_maps import MapNames, map_names
from builder.vassal.sequence import split

__all__ = [
    "ModuleFacts",
    "ModuleName",
    "TurnLevel",
    "TurnTracker",
    "find_module",
    "module_name",
    "read_module_facts",
]

_LEVELS: Final = ("CounterTurnLevel", "ListTurnLevel")
_PLACEHOLDER: Final = re.compile(r"\$(\w+)\$")
_NUMBER: Final = re.compile(r"-?\d{1,9}")
_MAX_DEPTH: Final = 20
_MODULES: Final = (".vmod", ".mod", ".zip")


class ModuleName(NamedTuple):
    """Name and version of a module, and the VASSAL that wrote the file; empty if not told."""

    name: str = ""
    version: str = ""
    vassal: str = ""

    @property
    def text(self) -> str:
        """Return name and version in words."""
        return f"{self.name} {self.version}".strip() or "a module without a name"


def module_name(members: Mapping[str, bytes]) -> ModuleName:
    """Return the module that the members of a module, a save or a log name.

    The version in ``savedata`` wins: it is that of the module which wrote the save. Damaged
    metadata name nothing.
    """
    module, save = (_metadata(members.get(name)) for name in ("moduledata", "savedata"))
    version, vassal = (save.get(key) or module.get(key, "") for key in ("version", "VassalVersion"))
    return ModuleName(module.get("name", ""), version, vassal)


def _metadata(data: bytes | None) -> dict[str, str]:
    if data is None:
        return {}
    try:
        root = read_buildfile(data)
    except BuilderError:
        return {}
    found: dict[str, str] = {}
    for child in root.children:
        # The first of a kind is the untranslated one.
        found.setdefault(child.tag, child.text)
    return found


@dataclass(frozen=True, slots=True)
class TurnLevel:
    """A level of a turn tracker: a counter, or a list of words; sub-levels inside it."""

    words: tuple[str, ...] | None
    format: str
    inner: tuple[TurnLevel, ...]


@dataclass(frozen=True, slots=True)
class TurnTracker:
    """A turn tracker, which puts the state of a ``TURN`` command into words."""

    name: str
    format: str
    levels: tuple[TurnLevel, ...]

    def text(self, state: str) -> str | None:
        """Return the turn as VASSAL shows it; None if the state does not fit."""
        current, *states = split(state, "|")
        if not _NUMBER.fullmatch(current) or not 0 <= int(current) < len(self.levels):
            return None
        index = int(current)
        if index >= len(states):
            return None
        values: list[str] = []
        if not _values(self.levels[index], states[index], values, 0):
            return None
        texts = {f"level{number}": value for number, value in enumerate(values, 1)}
        shown = _PLACEHOLDER.sub(lambda found: texts.get(found[1], ""), self.format)
        return " ".join(shown.split())


def _values(level: TurnLevel, state: str, values: list[str], depth: int) -> bool:
    """Append the text of a level and of its current sub-level; False if the state does not fit."""
    tokens = split(state, ";")
    if len(tokens) < 4 or not _NUMBER.fullmatch(tokens[0]) or depth > _MAX_DEPTH:
        return False
    number = int(tokens[0])
    if level.words is None:
        value = str(number)
    elif 0 <= number < len(level.words):
        value = level.words[number]
    else:
        return False
    values.append(_PLACEHOLDER.sub(lambda f: value if f[1] == "value" else "", level.format))
    if not level.inner or not _NUMBER.fullmatch(tokens[1]):
        return True
    inner = int(tokens[1])
    # Four tokens of its own stand before the sub-levels, in both kinds of level.
    if not 0 <= inner < len(level.inner) or len(tokens) <= 4 + inner:
        return True
    return _values(level.inner[inner], tokens[4 + inner], values, depth + 1)


NO_MODULE: Final = ModuleName()


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """A module, as far as the story of a log needs it; without one, all of it is empty."""

    name: ModuleName = NO_MODULE
    maps: MapNames = field(default_factory=MapNames)
    trackers: Mapping[str, TurnTracker] = field(default_factory=dict)
    """By the id that a log uses: ``TurnTracker0`` and so on."""
    dice: frozenset[str] = frozenset()
    """Names of dice buttons, the ordinary and those with symbols."""
    is_known: bool = False

    @property
    def warnings(self) -> tuple[str, ...]:
        """What of the module cannot be used, and why."""
        return self.maps.warnings


def read_module_facts(path: Path) -> ModuleFacts:
    """Return the facts of a module file, or of a folder of the same layout.

    Raises :class:`~builder.problems.UnreadableError` if it is none.
    """
    members = read_archive(path)
    root = read_buildfile(members[buildfile_name(members)])

    def picture(name: str) -> bytes | None:
        # VASSAL itself looks for old names without their ending, too.
        for member in (f"images/{name}", f"images/{name}.gif"):
            if member in members:
                return members[member]
        return None

    named = module_name(members)
    own = root.attributes
    return ModuleFacts(
        ModuleName(
            named.name or own.get("name", ""),
            named.version or own.get("version", ""),
            named.vassal or own.get("VassalVersion", "") or own.get("vassalVersion", ""),
        ),
        map_names(root, picture),
        _trackers(root),
        _dice(root),
        is_known=True,
    )


def _trackers(root: Component) -> dict[str, TurnTracker]:
    found = [part for part, _ in walk(root) if part.kind == "TurnTracker"]
    return {
        f"TurnTracker{index}": TurnTracker(
            part.attributes.get("name", ""),
            part.attributes.get("turnFormat", "$level1$ $level2$ $level3$ $level4$"),
            _levels(part, 0),
        )
        for index, part in enumerate(found)
    }


def _levels(component: Component, depth: int) -> tuple[TurnLevel, ...]:
    return tuple(
        TurnLevel(
            tuple(split(child.attributes.get("list", ""), ","))
            if child.kind == "ListTurnLevel"
            else None,
            child.attributes.get("turnFormat", "$value$"),
            _levels(child, depth + 1),
        )
        for child in component.children
        if child.kind in _LEVELS and depth <= _MAX_DEPTH
    )


def _dice(root: Component) -> frozenset[str]:
    return frozenset(
        part.attributes.get("name", "")
        for part, _ in walk(root)
        if part.kind in ("DiceButton", "SpecialDiceButton")
    )


def find_module(wanted: ModuleName, folders: Iterable[Path]) -> tuple[Path, ModuleName] | None:
    """Return the module of this name in the folders, of the same version if there is one.

    Of several other versions the last by name of the file is taken. Only names and metadata are
    read; files that are no modules are passed over.
    """
    if not wanted.name:
        return None
    found: tuple[Path, ModuleName] | None = None
    for folder in folders:
        paths = sorted(folder.iterdir()) if folder.is_dir() else [folder]
        for path in paths:
            if path.suffix.lower() not in _MODULES or not path.is_file():
                continue
            try:
                members = read_archive(path)
                buildfile_name(members)
                name = module_name(members)
            except BuilderError:
                continue
            if name.name != wanted.name:
                continue
            if name.version == wanted.version:
                return path, name
            found = path, name
    return found

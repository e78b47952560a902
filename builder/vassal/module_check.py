"""What VASSAL would swallow in silence, found before a module is written.

Every check returns ``(where, what)`` pairs and none raises, so that all mistakes are told at once.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from builder.problems import UnreadableError, did_you_mean
from builder.vassal.buildfile import Component, walk
from builder.vassal.codecs import version_of
from builder.vassal.components import problems_of, spec_of
from builder.vassal.pieces import (
    Piece,
    gpids_of,
    parse_slot,
    pictures_of,
)
from builder.vassal.traits import Prototype

__all__ = [
    "check_components",
    "check_gpids",
    "check_module",
    "check_names",
    "check_pictures",
    "check_prototypes",
    "next_gpid",
    "pieces_in",
    "prototypes_in",
]

Finding = tuple[str, str]

_SLOTS = ("PieceSlot", "CardSlot")
_MAPS = ("Map", "PrivateMap", "PlayerHand")
_ANY_CHILD = ("ExtensionElement",)


def _where(component: Component, path: tuple[Component, ...] = ()) -> str:
    return " > ".join([part.title for part in (*path[1:], component)])


def check_module(root: Component, pictures: Collection[str]) -> list[Finding]:
    """Return everything that is wrong; ``pictures`` are the names in the ``images`` folder."""
    return [
        *check_components(root),
        *check_names(root),
        *check_gpids(root),
        *check_prototypes(root),
        *check_pictures(root, pictures),
    ]


def check_components(root: Component) -> list[Finding]:
    """Return unknown components and attributes, values of the wrong kind, misplaced children."""
    version = version_of(root.attributes.get("VassalVersion", ""))
    found: list[Finding] = []
    for component, path in walk(root):
        where = _where(component, path)
        messages = problems_of(component.tag, component.attributes, bool(component.text), version)
        found += [(where, message) for message in messages]
        spec = spec_of(component.tag)
        if spec is None or component.kind in _ANY_CHILD:
            continue
        found += [
            (where, f"a {child.kind} cannot stand in a {component.kind}")
            for child in component.children
            if child.tag not in spec.children and spec_of(child.tag) is not None
        ]
    return found


def check_names(root: Component) -> list[Finding]:
    """Return maps, boards, decks and prototypes of one name, and set-ups before their boards."""
    found: list[Finding] = []
    everything = list(walk(root))
    for kinds, attribute in ((_MAPS, "mapName"), (("DrawPile",), "name"),
                             (("PrototypeDefinition",), "name")):  # fmt: skip
        members = [(c, path) for c, path in everything if c.kind in kinds]
        found += _same_names(members, attribute)
    for component, path in everything:
        if component.kind == "BoardPicker":
            boards = [(b, (*path, component)) for b in component.children if b.kind == "Board"]
            found += _same_names(boards, "name")
        if component.kind in _MAPS:
            found += _late_boards(component, path)
    return found


def _same_names(
    members: Iterable[tuple[Component, tuple[Component, ...]]], attribute: str
) -> Iterator[Finding]:
    seen: dict[str, str] = {}
    for component, path in members:
        name = component.attributes.get(attribute, "")
        where = _where(component, path)
        if not name:
            yield where, f"has no {attribute}, which is its identity"
        elif name in seen:
            yield where, f"has the name of another one: {seen[name]}"
        else:
            seen[name] = where


def _late_boards(component: Component, path: tuple[Component, ...]) -> Iterator[Finding]:
    kinds = [child.kind for child in component.children]
    early = [kind for kind in ("SetupStack", "DrawPile") if kind in kinds]
    for kind in early:
        if "BoardPicker" not in kinds or kinds.index(kind) < kinds.index("BoardPicker"):
            yield _where(component, path), f"a {kind} stands before the BoardPicker"


def pieces_in(root: Component) -> Iterator[tuple[str, Component, Piece]]:
    """Yield place, component and piece of every slot and prototype that is readable."""
    for component, path in walk(root):
        if component.kind in (*_SLOTS, "PrototypeDefinition"):
            try:
                piece = parse_slot(component.text)
            except UnreadableError:
                continue
            yield _where(component, path), component, piece


def prototypes_in(root: Component) -> dict[str, Piece]:
    """Return the prototype definitions by name; of two of one name the first."""
    found: dict[str, Piece] = {}
    for _, component, piece in pieces_in(root):
        if component.kind == "PrototypeDefinition":
            found.setdefault(component.attributes.get("name", ""), piece)
    return found


def check_prototypes(root: Component) -> list[Finding]:
    """Return prototypes that are asked for in vain, and definitions that are unreadable."""
    prototypes = prototypes_in(root)
    found: list[Finding] = []
    readable = set()
    for where, component, piece in pieces_in(root):
        readable.add(id(component))
        found += [
            (where, f"no prototype {trait.name!r}" + did_you_mean(trait.name, prototypes))
            for trait in piece.traits
            if isinstance(trait, Prototype) and trait.name not in prototypes
        ]
    for component, path in walk(root):
        if component.kind in (*_SLOTS, "PrototypeDefinition") and id(component) not in readable:
            found.append((_where(component, path), "its piece definition is unreadable"))
    return found


def _gpids(root: Component) -> Iterator[tuple[str, str]]:
    """Yield place and gpid of slots and of the markers in all pieces."""
    for where, component, piece in pieces_in(root):
        own, *marks = gpids_of(piece)
        if component.kind in _SLOTS:
            yield where, component.attributes.get("gpid") or own
        for mark in marks:
            yield f"{where}, a marker", mark


def next_gpid(root: Component) -> int:
    """Return a number above every gpid of slots and markers (VASSAL PR 253)."""
    numbers = [int(gpid) for _, gpid in _gpids(root) if gpid.isascii() and gpid.isdigit()]
    return max(numbers, default=-1) + 1


def check_gpids(root: Component) -> list[Finding]:
    """Return gpids that are missing, no numbers, used twice, or not below ``nextPieceSlotId``."""
    limit_text = root.attributes.get("nextPieceSlotId", "0")
    limit = int(limit_text) if limit_text.isascii() and limit_text.isdigit() else 0
    found: list[Finding] = []
    pairs = list(_gpids(root))
    counts = Counter(gpid for _, gpid in pairs)
    for where, gpid in pairs:
        if not (gpid.isascii() and gpid.isdigit()):
            found.append((where, f"its gpid is no number: {gpid!r}"))
        elif counts[gpid] > 1:
            found.append((where, f"its gpid {gpid} is used {counts[gpid]} times"))
        elif int(gpid) >= limit:
            found.append((where, f"its gpid {gpid} is not below nextPieceSlotId {limit_text}"))
    return found


def check_pictures(root: Component, pictures: Collection[str]) -> list[Finding]:
    """Return pictures that the archive does not hold under that very spelling.

    VASSAL's own pictures begin with a slash and are not looked for.
    """
    held = frozenset(pictures)
    folded = {_fold(name): name for name in sorted(held)}
    found: list[Finding] = []
    wanted: list[tuple[str, str]] = []
    for component, path in walk(root):
        spec = spec_of(component.tag)
        for name, value in component.attributes.items():
            attribute = spec.attributes.get(name) if spec else None
            if attribute and attribute.kind == "image" and value and not value.startswith("/"):
                wanted.append((_where(component, path), value))
    for where, _, piece in pieces_in(root):
        wanted += [(where, name) for name in pictures_of(piece)]
    for where, name in wanted:
        if name not in held:
            near = folded.get(_fold(name))
            spelling = f"; the file is called {near!r}" if near else ""
            found.append((where, f"no picture {name!r}" + spelling))
    return found


def _fold(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()

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
Path = tuple[Component, ...]

_SLOTS = ("PieceSlot", "CardSlot")
_MAPS = ("Map", "PrivateMap", "PlayerHand")
_DEFINITIONS = (*_SLOTS, "PrototypeDefinition")
_IDENTITIES = ((_MAPS, "mapName"), (("DrawPile",), "name"), (("PrototypeDefinition",), "name"))
_ANY_CHILD = ("ExtensionElement",)


class _Survey:
    """A module walked once, its definitions read once."""

    def __init__(self, root: Component) -> None:
        self.root = root
        self.everything = list(walk(root))
        self.pieces: list[tuple[Component, Path, Piece]] = []
        self.unreadable: list[tuple[Component, Path]] = []
        for component, path in self.everything:
            if component.kind in _DEFINITIONS:
                try:
                    self.pieces.append((component, path, parse_slot(component.text)))
                except UnreadableError:
                    self.unreadable.append((component, path))
        self.prototypes: dict[str, Piece] = {}
        for component, _, piece in self.pieces:
            if component.kind == "PrototypeDefinition":
                self.prototypes.setdefault(component.attributes.get("name", ""), piece)


def _where(component: Component, path: Path) -> str:
    return " > ".join([part.title for part in (*path[1:], component)])


def check_module(root: Component, pictures: Collection[str]) -> list[Finding]:
    """Return everything that is wrong; ``pictures`` are the names in the ``images`` folder."""
    survey = _Survey(root)
    return [
        *_components(survey),
        *_names(survey),
        *_gpid_findings(survey),
        *_prototypes(survey),
        *_pictures(survey, pictures),
    ]


def check_components(root: Component) -> list[Finding]:
    """Return unknown components and attributes, values of the wrong kind, misplaced children."""
    return list(_components(_Survey(root)))


def check_names(root: Component) -> list[Finding]:
    """Return maps, boards, decks and prototypes of one name, and set-ups before their boards."""
    return list(_names(_Survey(root)))


def check_prototypes(root: Component) -> list[Finding]:
    """Return prototypes that are asked for in vain, and definitions that are unreadable."""
    return list(_prototypes(_Survey(root)))


def check_gpids(root: Component) -> list[Finding]:
    """Return gpids that are missing, no numbers, used twice, or not below ``nextPieceSlotId``."""
    return list(_gpid_findings(_Survey(root)))


def check_pictures(root: Component, pictures: Collection[str]) -> list[Finding]:
    """Return pictures that the archive does not hold under that very spelling.

    VASSAL's own pictures begin with a slash and are not looked for.
    """
    return list(_pictures(_Survey(root), pictures))


def next_gpid(root: Component) -> int:
    """Return a number above every gpid of slots and markers (VASSAL PR 253)."""
    gpids = [gpid for _, _, gpid in _gpids(_Survey(root))]
    return max([int(gpid) for gpid in gpids if _is_number(gpid)], default=-1) + 1


def pieces_in(root: Component) -> Iterator[tuple[str, Component, Piece]]:
    """Yield place, component and piece of every slot and prototype that is readable."""
    for component, path, piece in _Survey(root).pieces:
        yield _where(component, path), component, piece


def prototypes_in(root: Component) -> dict[str, Piece]:
    """Return the prototype definitions by name; of two of one name the first."""
    return _Survey(root).prototypes


def _components(survey: _Survey) -> Iterator[Finding]:
    version = version_of(survey.root.attributes.get("VassalVersion", ""))
    for component, path in survey.everything:
        for message in problems_of(
            component.tag, component.attributes, bool(component.text), version
        ):
            yield _where(component, path), message
        spec = spec_of(component.tag)
        if spec is None or component.kind in _ANY_CHILD:
            continue
        for child in component.children:
            if child.tag not in spec.children and spec_of(child.tag) is not None:
                message = f"a {child.kind} cannot stand in a {component.kind}"
                yield _where(component, path), message


def _names(survey: _Survey) -> Iterator[Finding]:
    for kinds, attribute in _IDENTITIES:
        members = [(c, path) for c, path in survey.everything if c.kind in kinds]
        yield from _same_names(members, attribute)
    for component, path in survey.everything:
        if component.kind == "BoardPicker":
            boards = [(b, (*path, component)) for b in component.children if b.kind == "Board"]
            yield from _same_names(boards, "name")
        if component.kind in _MAPS:
            yield from _late_boards(component, path)


def _same_names(members: Iterable[tuple[Component, Path]], attribute: str) -> Iterator[Finding]:
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


def _late_boards(component: Component, path: Path) -> Iterator[Finding]:
    kinds = [child.kind for child in component.children]
    early = [kind for kind in ("SetupStack", "DrawPile") if kind in kinds]
    for kind in early:
        if "BoardPicker" not in kinds or kinds.index(kind) < kinds.index("BoardPicker"):
            yield _where(component, path), f"a {kind} stands before the BoardPicker"


def _prototypes(survey: _Survey) -> Iterator[Finding]:
    known = survey.prototypes
    for component, path, piece in survey.pieces:
        for trait in piece.traits:
            if isinstance(trait, Prototype) and trait.name not in known:
                message = f"no prototype {trait.name!r}" + did_you_mean(trait.name, known)
                yield _where(component, path), message
    for component, path in survey.unreadable:
        yield _where(component, path), "its piece definition is unreadable"


def _gpids(survey: _Survey) -> Iterator[tuple[Component, Path, str]]:
    """Yield the gpids of slots and of the markers in all pieces, with their component."""
    for component, path, piece in survey.pieces:
        own, *marks = gpids_of(piece)
        if component.kind in _SLOTS:
            yield component, path, component.attributes.get("gpid") or own
        for mark in marks:
            yield component, path, mark


def _is_number(gpid: str) -> bool:
    return gpid.isascii() and gpid.isdigit()


def _gpid_findings(survey: _Survey) -> Iterator[Finding]:
    limit_text = survey.root.attributes.get("nextPieceSlotId", "0")
    limit = int(limit_text) if _is_number(limit_text) else 0
    found = list(_gpids(survey))
    counts = Counter(gpid for _, _, gpid in found)
    for component, path, gpid in found:
        if not _is_number(gpid):
            yield _where(component, path), f"a gpid is no number: {gpid!r}"
        elif counts[gpid] > 1:
            yield _where(component, path), f"gpid {gpid} is used {counts[gpid]} times"
        elif int(gpid) >= limit:
            message = f"gpid {gpid} is not below nextPieceSlotId {limit_text}"
            yield _where(component, path), message


def _pictures(survey: _Survey, pictures: Collection[str]) -> Iterator[Finding]:
    held = frozenset(pictures)
    folded = {_fold(name): name for name in sorted(held)}
    for component, path, name in _wanted(survey):
        if name not in held:
            near = folded.get(_fold(name))
            spelling = f"; the file is called {near!r}" if near else ""
            yield _where(component, path), f"no picture {name!r}" + spelling


def _wanted(survey: _Survey) -> Iterator[tuple[Component, Path, str]]:
    for component, path in survey.everything:
        spec = spec_of(component.tag)
        for name, value in component.attributes.items():
            attribute = spec.attributes.get(name) if spec else None
            if attribute and attribute.kind == "image" and value and not value.startswith("/"):
                yield component, path, value
    for component, path, piece in survey.pieces:
        for name in pictures_of(piece):
            yield component, path, name


def _fold(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()

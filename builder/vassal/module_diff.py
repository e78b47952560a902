"""How two modules or extensions differ: metadata, components, pieces by gpid, pictures, files."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping

from builder.problems import UnreadableError
from builder.vassal.archive import Members, buildfile_name
from builder.vassal.buildfile import Component, read_buildfile
from builder.vassal.differences import Difference, compare_fields, compare_traits
from builder.vassal.pieces import Piece, parse_slot
from builder.vassal.replay_pictures import picture_size
from builder.vassal.twin import XML_NAMES
from builder.vassal.twin_secrets import KEEP_IDS
from builder.vassal.twin_values import quoted

__all__ = ["diff_modules"]

_SLOTS = ("PieceSlot", "CardSlot")
_DEFINITIONS = (*_SLOTS, "PrototypeDefinition")
_Path = tuple[str, ...]


def diff_modules(old: Members, new: Members) -> list[Difference]:
    """Return what differs between two modules; raise :class:`UnreadableError` if one is damaged."""
    found: list[Difference] = []
    for name in ("moduledata", "extensiondata"):
        found += compare_fields("metadata", name, _metadata(old, name), _metadata(new, name))
    before = _flat(read_buildfile(old[buildfile_name(old)]))
    after = _flat(read_buildfile(new[buildfile_name(new)]))
    found += _components(before, after)
    found += _files(old, new)
    return found


def _metadata(members: Members, name: str) -> dict[str, str]:
    if name not in members:
        return {}
    try:
        root = read_buildfile(members[name])
    except UnreadableError:
        return {"content": "unreadable"}
    return {child.tag: quoted(child.text) for child in root.children}


# --------------------------------------------------------------------------------- components


def _flat(root: Component) -> dict[_Path, Component]:
    """Return every component by its path of names; a piece slot by its gpid, wherever it is."""
    found: dict[_Path, Component] = {}
    pending: list[tuple[_Path, Component]] = [((root.kind,), root)]
    while pending:
        path, component = pending.pop()
        found[path] = component
        counts: dict[str, int] = {}
        inner: list[tuple[_Path, Component]] = []
        for child in component.children:
            name = child.title if child.kind != "entry" else f"entry {child.text!r}"
            counts[name] = counts.get(name, 0) + 1
            label = name if counts[name] == 1 else f"{name} no. {counts[name]}"
            inner.append(((*path, label), child))
        pending.extend(reversed(inner))
    return found


def _components(
    before: dict[_Path, Component], after: dict[_Path, Component]
) -> Iterator[Difference]:
    homes = {slot: path for path, component in after.items() if (slot := _slot(component))}
    unique = _unique_slots(before) & _unique_slots(after)
    moved: dict[_Path, _Path] = {}
    for path, component in before.items():
        slot = _slot(component)
        if path not in after and slot in unique and homes[slot] not in before:
            moved[path] = homes[slot]
    arrived = set(moved.values())
    gone: set[_Path] = set()
    for path, component in before.items():
        target = moved.get(path, path)
        if target in after:
            if target is not path:
                old, new = _where(path[:-1]), _where(target[:-1])
                what = "moved" if path[:-1] != target[:-1] else "renamed"
                if what == "renamed":
                    old, new = path[-1], target[-1]
                yield Difference("piece", _where(path), "changed", what, old, new)
            yield from _component(_where(target), component, after[target])
        elif path[:-1] not in gone:
            yield Difference(_area(component), _where(path), "removed")
            gone.add(path)
        else:
            gone.add(path)
    come: set[_Path] = set()
    for path, component in after.items():
        if path in before or path in arrived:
            continue
        if path[:-1] not in come:
            yield Difference(_area(component), _where(path), "added")
        come.add(path)


def _slot(component: Component) -> str:
    return component.attributes.get("gpid", "") if component.kind in _SLOTS else ""


def _unique_slots(components: Mapping[_Path, Component]) -> set[str]:
    counts = Counter(map(_slot, components.values()))
    return {slot for slot, times in counts.items() if slot and times == 1}


def _area(component: Component) -> str:
    if component.kind in _SLOTS:
        return "piece"
    return "prototype" if component.kind == "PrototypeDefinition" else "component"


def _where(path: _Path) -> str:
    return " > ".join(path[1:]) or path[0]


def _component(where: str, old: Component, new: Component) -> Iterator[Difference]:
    area = _area(new)
    before = {name: quoted(value) for name, value in old.attributes.items()}
    after = {name: quoted(value) for name, value in new.attributes.items()}
    yield from compare_fields(area, where, before, after)
    if old.text != new.text:
        pieces = _piece(old), _piece(new)
        if pieces[0] is not None and pieces[1] is not None:
            parts = pieces[0].parts(), pieces[1].parts()
            yield from compare_traits(area, where, *parts, KEEP_IDS, with_place=True)
        else:
            yield Difference(area, where, "changed", "text", quoted(old.text), quoted(new.text))
    kinds = [[child.title for child in part.children] for part in (old, new)]
    if kinds[0] != kinds[1] and sorted(kinds[0]) == sorted(kinds[1]):
        yield Difference(area, where, "changed", "order of its components")


def _piece(component: Component) -> Piece | None:
    if component.kind not in _DEFINITIONS:
        return None
    try:
        return parse_slot(component.text)
    except UnreadableError:
        return None


# -------------------------------------------------------------------------------------- files


def _files(old: Members, new: Members) -> Iterator[Difference]:
    for name in sorted({*old, *new} - set(XML_NAMES)):
        area = "picture" if name.startswith("images/") else "file"
        where = name.removeprefix("images/") if area == "picture" else name
        if name not in new:
            yield Difference(area, where, "removed", old=_facts(old[name]))
        elif name not in old:
            yield Difference(area, where, "added", new=_facts(new[name]))
        else:
            before, after = old[name], new[name]
            if before == after:
                continue
            sizes = picture_size(before), picture_size(after)
            if sizes[0] != sizes[1]:
                before_size, after_size = map(_size, sizes)
                yield Difference(area, where, "changed", "size", before_size, after_size)
            yield Difference(area, where, "changed", "content", _digest(before), _digest(after))


def _facts(data: bytes) -> str:
    size = picture_size(data)
    return f"{_size(size)} pixels" if size else f"{len(data)} bytes"


def _size(size: tuple[int, int] | None) -> str:
    return f"{size[0]} × {size[1]}" if size else "unknown"


def _digest(data: bytes) -> str:
    return f"sha256 {hashlib.sha256(data).hexdigest()[:12]}"

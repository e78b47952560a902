"""Lint a VASSAL module or extension that anybody wrote: what VASSAL would swallow in silence.

Errors are what goes wrong in play; warnings are what may be meant so: unused pictures, components
and traits of classes that VASSAL does not bring.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from builder.problems import BuilderError, Problem, Source, UnreadableError
from builder.vassal.archive import Members, buildfile_name, read_archive
from builder.vassal.buildfile import Component, read_buildfile
from builder.vassal.codecs import version_of
from builder.vassal.module_check import (
    check_components,
    check_gpids,
    check_names,
    check_pictures,
    check_prototypes,
    pieces_in,
)
from builder.vassal.module_places import check_places
from builder.vassal.savefile import read_save
from builder.vassal.traits import Opaque

__all__ = ["lint_module"]

_Finding = tuple[str, str, bool]
"""Where, what, and whether it is an error."""

_TEXT_ENDINGS = (".html", ".htm", ".txt", ".css", ".xml", ".svg", ".properties", ".class")
_PICTURE_ENDINGS = (".png", ".gif", ".jpg", ".jpeg", ".svg")
_DYNAMIC = re.compile(r"[{$]")
_NO_PICTURE = re.compile(r"no picture '(?P<name>.*?)'(?:;|$)")


def lint_module(path: Path) -> tuple[Problem, ...]:
    """Return everything that is wrong with a module or an extension, errors first.

    Raises :class:`UnreadableError` only for what is no readable archive or no module at all.
    """
    members = read_archive(path)
    if "savedGame" in members:
        raise UnreadableError(f"{path}: a save or a log, no module")
    try:
        root = read_buildfile(members[buildfile_name(members)])
    except UnreadableError as error:
        message = str(error)
        is_named = message.startswith(f"{path}: ")
        raise UnreadableError(message if is_named else f"{path}: {message}") from None
    found = [*_findings(root, members)]
    problems = {
        Problem(Source(str(path)), f"{where}: {what}", "error" if is_error else "warning"): None
        for where, what, is_error in found
    }
    return tuple(sorted(problems, key=lambda problem: problem.severity != "error"))


def _findings(root: Component, members: Members) -> Iterator[_Finding]:
    is_extension = root.kind == "ModuleExtension"
    yield from _metadata(root, members)
    for where, what in check_names(root):
        yield where, what, True
    for where, what in check_prototypes(root):
        # The module that it extends may define the prototype.
        yield where, what, not is_extension or not what.startswith("no prototype")
    for where, what in check_gpids(root):
        if not (is_extension and _is_extension_gpid(what)):
            yield where, what, True
    yield from _missing_pictures(root, members, is_extension)
    yield from _unused_pictures(members)
    for place in check_places(root, lambda name: _picture(members, name)):
        yield place.where, place.what, place.is_error and not is_extension
    yield from _gathered(check_components(root))
    yield from _gathered(_unknown_traits(root))


def _gathered(found: Iterable[tuple[str, str]]) -> Iterator[_Finding]:
    """Yield what is said of many places once, with the first place and their number."""
    places: dict[str, list[str]] = {}
    for where, what in found:
        places.setdefault(what, []).append(where)
    for what, wheres in places.items():
        more = f" (and {len(wheres) - 1} more)" if len(wheres) > 1 else ""
        yield wheres[0] + more, what, False


# ----------------------------------------------------------------------------------- metadata


def _metadata(root: Component, members: Members) -> Iterator[_Finding]:
    name = buildfile_name(members)
    if name == "buildFile":
        yield name, "is named as before VASSAL 3.5, which renamed it to buildFile.xml", False
    written = root.attributes.get("VassalVersion") or root.attributes.get("vassalVersion", "")
    data: Mapping[str, str] = {}
    if "moduledata" not in members:
        yield (
            "moduledata",
            "is missing; VASSAL before 3.1 wrote none, later versions need it",
            False,
        )
    else:
        try:
            tree = read_buildfile(members["moduledata"])
            data = {child.tag: child.text for child in reversed(tree.children)}
        except UnreadableError as error:
            yield "moduledata", f"is unreadable: {error}", True
    stated = version_of(data.get("VassalVersion", ""))[:2]
    if stated and (stated < (3, 5)) != (name == "buildFile"):
        message = f"says VASSAL {data['VassalVersion']}, which looks for another file than {name}"
        yield "moduledata", message, True
    version = version_of(written)
    if version and version[:2] < (3, 2):
        yield name, f"was written by VASSAL {written}; versions before 3.2 wrote other forms", False
    if root.kind == "ModuleExtension":
        return
    for key in ("name", "version"):
        own, copied = root.attributes.get(key, "").strip(), data.get(key, "").strip()
        if data and own != copied:
            yield "moduledata", f"{key} is {copied!r} here and {own!r} in {name}", True


def _is_extension_gpid(message: str) -> bool:
    return re.fullmatch(r"a gpid is no number: '[^':]+:[0-9]+'", message) is not None


# ----------------------------------------------------------------------------------- pictures


def _picture(members: Members, name: str) -> bytes | None:
    path = f"images/{name}"
    try:
        return members.get(path)
    except UnreadableError:
        return None


def _missing_pictures(root: Component, members: Members, is_extension: bool) -> Iterator[_Finding]:
    pictures = members.pictures()
    # VASSAL itself looks for these spellings in old modules.
    known = pictures | {name.removesuffix(".gif") for name in pictures}
    known |= {unicodedata.normalize("NFC", name) for name in pictures}
    missing: dict[str, list[str]] = {}
    for where, what in check_pictures(root, known):
        missing.setdefault(what, []).append(where)
    for what, wheres in missing.items():
        name = _NO_PICTURE.match(what)
        if name is None or not _DYNAMIC.search(name["name"]):
            more = f" (and {len(wheres) - 1} more)" if len(wheres) > 1 else ""
            yield wheres[0] + more, what, not is_extension or "called" in what


def _unused_pictures(members: Members) -> Iterator[_Finding]:
    texts = [_text(members, name) for name in members if _is_text(name)]
    words = {word for text in texts for word in _WORD.findall(text)}
    for name in sorted(members.pictures()):
        if not name.lower().endswith(_PICTURE_ENDINGS):
            continue
        short = name.rpartition("/")[2]
        if short in words or name in words or any(name in text for text in texts):
            continue
        stem = name.removesuffix(".gif")
        if stem != name and any(stem in text for text in texts):
            continue
        yield f"images/{name}", "is shown by nothing, unless an expression makes its name", False


_WORD = re.compile(r"[^/\\;,:\"'<>=|\t\n{}()+$]+\.(?:png|gif|jpe?g|svg)", re.IGNORECASE)


def _is_text(name: str) -> bool:
    return (
        name in ("buildFile.xml", "buildFile")
        or name.lower().endswith((*_TEXT_ENDINGS, ".vsav", ".sav", ".zip"))
        or name.startswith("help/")
    )


def _text(members: Members, name: str) -> str:
    """Return what a member says as text, nothing if it is damaged."""
    try:
        data = members[name]
        if data.startswith(b"PK"):
            inner = read_archive(data)
            if "savedGame" in inner:
                return read_save(data).text
            return "\n".join(_text(inner, page) for page in inner if not page.endswith(".zip"))
    except BuilderError:
        return ""
    text = data.decode("utf-8", "replace")
    for entity, char in (("&quot;", '"'), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(entity, char)
    return text


# ------------------------------------------------------------------------------------- traits


def _unknown_traits(root: Component) -> Iterator[tuple[str, str]]:
    for where, _, piece in pieces_in(root):
        names = Counter(
            part.type_string().partition(";")[0]
            for part in piece.parts()
            if isinstance(part, Opaque)
        )
        for name in names:
            yield where, f"a trait {name[:40]!r} that VASSAL does not bring"

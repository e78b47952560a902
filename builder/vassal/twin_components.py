"""Component trees and metadata in a text twin: elements in brackets, one attribute a line.

An element is ``[VASSAL.build.module.Map]`` with ``name = "value"`` lines below it, its text in
quotation marks, and its elements; the definition of a piece stands there as in a save. How the
file is laid out is told in the ``xml`` line above. A layout that no such line can tell, of a file
edited by hand, is kept as it is, and stands again if the tree was not changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from builder.problems import BuilderError, UnreadableError
from builder.vassal.buildfile import Component, read_buildfile, write_buildfile
from builder.vassal.twin_lines import INDENT, Block, Mistakes
from builder.vassal.twin_pieces import Secrets, add_lines, read_add, split_add
from builder.vassal.twin_values import (
    Entry,
    TwinSyntaxError,
    fields_text,
    quoted,
    read_quoted,
    read_word,
    skip_blanks,
    word_text,
)

__all__ = ["Layout", "component_lines", "layout_of", "read_component", "restored", "xml_bytes"]

_DEFINITIONS = ("PieceSlot", "CardSlot", "PrototypeDefinition")
_EMPTY_FORMS = ("/>", " />", "")
_DEEPEST = 300


@dataclass(frozen=True, slots=True)
class Layout:
    """How an XML file is laid out around its elements."""

    prolog: str = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
    """What stands before the root."""
    indent: int = 2
    """Blanks for each level; -1 is no line breaks at all."""
    newline: str = "\n"
    end: str = "\n"
    """What stands behind the root."""
    empty: str = "/>"
    """How an element without content ends, or an empty text if it has a closing tag."""
    escapes_gt: bool = True
    """Whether ``>`` is written ``&gt;``."""

    def text(self) -> str:
        """Return the fields that are not those of the files that VASSAL and we write."""
        plain = Layout()
        names = ("prolog", "indent", "newline", "end", "empty", "escapes_gt")
        return fields_text(
            {n: getattr(self, n) for n in names if getattr(self, n) != getattr(plain, n)}
        )

    @staticmethod
    def read(entries: Mapping[str, Entry]) -> Layout:
        """Return the layout of the fields; raise :class:`TwinSyntaxError` for a wrong one."""
        values: dict[str, object] = {}
        plain = Layout()
        for key, entry in entries.items():
            wanted = type(getattr(plain, key, None))
            if type(entry.value) is not wanted:
                raise TwinSyntaxError(entry.column, f"{key}={entry.value!r} is no layout of XML")
            values[key] = entry.value
        layout = Layout(**values)  # type: ignore[arg-type]  # their types were compared above
        for key, is_good in (
            ("prolog", _PROLOG.fullmatch(layout.prolog)),
            ("indent", -1 <= layout.indent <= 16),
            ("newline", layout.newline in ("\n", "\r\n")),
            ("end", not layout.end.strip()),
            ("empty", layout.empty in _EMPTY_FORMS),
        ):
            if not is_good:
                raise TwinSyntaxError(entries[key].column, f"{key} is no layout of XML")
        return layout


_PROLOG = re.compile(r"\ufeff?(<\?xml[^<>]*\?>)?\s*")
_FIRST_BREAK = re.compile(r">(\r?\n)( *)<")


def layout_of(data: bytes, root: Component) -> Layout | None:
    """Return the layout with which :func:`xml_bytes` gives these bytes, None if there is none."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    start = _PROLOG.match(text)
    if start is None:
        return None
    inside = text[start.end() :]
    first = _FIRST_BREAK.search(inside)
    indent = min(len(first[2]), 16) if first else -1
    newline = first[1] if first else "\r\n" if start[0].endswith("\r\n") else "\n"
    end = inside[len(inside.rstrip()) :]
    for empty in _EMPTY_FORMS:
        for escapes_gt in (True, False):
            layout = Layout(start[0], indent, newline, end, empty, escapes_gt)
            try:
                if xml_bytes(root, layout) == data:
                    return layout
            except (UnicodeEncodeError, BuilderError):
                return None
    return None


_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NAME = re.compile(r"[^\W\d][\w.\-]*(:[^\W\d][\w.\-]*)?")


def xml_bytes(root: Component, layout: Layout) -> bytes:
    """Return the file; attributes stand in the order of the tree.

    Raises :class:`UnreadableError` for names and characters that XML cannot carry.
    """
    parts = [layout.prolog]
    _write(root, layout, 0, parts)
    parts.append(layout.end)
    text = "".join(parts)
    bad = _ILLEGAL.search(text, 1)
    if bad:
        raise UnreadableError(f"XML cannot carry the character {bad[0]!r}")
    return text.encode("utf-8")


def _write(component: Component, layout: Layout, depth: int, parts: list[str]) -> None:
    for name in (component.tag, *component.attributes):
        if not _NAME.fullmatch(name):
            raise UnreadableError(f"XML cannot carry the name {name!r}")
    parts.append(f"<{component.tag}")
    for name, value in component.attributes.items():
        parts.append(f' {name}="{_escaped(value, layout, in_attribute=True)}"')
    if not component.children and not component.text:
        parts.append(layout.empty or f"></{component.tag}>")
        return
    parts.append(">" + _escaped(component.text, layout, in_attribute=False))
    for child in component.children:
        parts.append(_break(layout, depth + 1))
        _write(child, layout, depth + 1, parts)
    if component.children:
        parts.append(_break(layout, depth))
    parts.append(f"</{component.tag}>")


def _break(layout: Layout, depth: int) -> str:
    return layout.newline + " " * (layout.indent * depth) if layout.indent >= 0 else ""


def _escaped(text: str, layout: Layout, *, in_attribute: bool) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace("\r", "&#13;")
    if layout.escapes_gt:
        text = text.replace(">", "&gt;")
    if in_attribute:
        text = text.replace('"', "&quot;").replace("\t", "&#9;").replace("\n", "&#10;")
    elif layout.newline != "\n":
        text = text.replace("\n", layout.newline)
    return text


def component_lines(component: Component, secrets: Secrets, indent: str) -> Iterator[str]:
    """Yield the lines of an element and what it holds."""
    yield f"{indent}[{component.tag}]"
    inner = indent + INDENT
    for name, value in component.attributes.items():
        yield f"{inner}{word_text(name)} = {quoted(secrets.text(value))}"
    if component.text:
        added = split_add(component.text) if component.kind in _DEFINITIONS else None
        if added is not None:
            yield from add_lines(added, secrets, inner)
        else:
            yield inner + quoted(secrets.text(component.text))
    for child in component.children:
        yield from component_lines(child, secrets, inner)


_TAG = re.compile(r"\[([^\[\]\s\"]+)\]")


def read_component(block: Block, mistakes: Mistakes, depth: int = 0) -> Component:
    """Return the element of a block; every mistake is noted."""
    tag = _TAG.fullmatch(block.body)
    if tag is None or not _NAME.fullmatch(tag[1]) or depth > _DEEPEST:
        mistakes.say(
            block.number, block.start + 1, f"expected an element [name], got {block.body!r}"
        )
        return Component("damaged")
    attributes: dict[str, str] = {}
    children: list[Component] = []
    texts: list[str] = []
    for inner in block.inner:
        try:
            if inner.body[0] == "[":
                children.append(read_component(inner, mistakes, depth + 1))
                continue
            if inner.body[0] == "+":
                added, inner.inner = read_add(inner, inner.start + 1, mistakes)
                texts.append(added.text() if added else "")
            else:
                _read_line(inner, attributes, texts)
        except TwinSyntaxError as error:
            mistakes.add(inner, error)
        except BuilderError as error:
            mistakes.say(inner.number, inner.start + 1, str(error))
        for lost in inner.inner:
            mistakes.say(lost.number, 1, "nothing can stand below this line")
        if len(texts) > 1:
            mistakes.say(inner.number, inner.start + 1, "an element has one text only")
            texts.pop()
    return Component(tag[1], attributes, tuple(children), texts[0] if texts else "")


def _read_line(block: Block, attributes: dict[str, str], texts: list[str]) -> None:
    line = block.line
    word, at = read_word(line, block.start)
    at = skip_blanks(line, at)
    if at >= len(line) and line[block.start] == '"':
        texts.append(word)
        return
    if line[at : at + 1] != "=":
        raise TwinSyntaxError(at + 1, f"expected '= \"value\"' behind {word!r}")
    if word in attributes:
        raise TwinSyntaxError(block.start + 1, f"{word!r} is said twice")
    if not _NAME.fullmatch(word):
        raise TwinSyntaxError(block.start + 1, f"no attribute can be called {word!r}")
    at = skip_blanks(line, at + 1)
    if line[at : at + 1] != '"':
        raise TwinSyntaxError(at + 1, "expected a value in quotation marks")
    value, end = read_quoted(line, at)
    if skip_blanks(line, end) < len(line):
        raise TwinSyntaxError(end + 1, f"unexpected {line[end:]!r}")
    attributes[word] = value


def restored(root: Component, kept: bytes | None) -> bytes:
    """Return a file whose layout was kept: those bytes if they still say the same, else our own.

    Raises :class:`BuilderError` for what XML cannot carry.
    """
    if kept is not None:
        try:
            if read_buildfile(kept) == root:
                return kept
        except UnreadableError:
            pass
    return write_buildfile(root)

"""Our own symbols: ``art/symbols/*.svg``, read through svglib into drawings of reportlab.

A symbol's main paint is ``currentColor`` (black unless replaced); other paints are replaced by
naming them. Files may come from a game's author, so they are read without entities, network or
references to anything outside of themselves.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from builder.problems import BuilderError, did_you_mean
from builder.workspace import open_workspace

if TYPE_CHECKING:
    from reportlab.graphics.shapes import Drawing

__all__ = ["SymbolError", "SymbolLibrary", "installed_symbols"]

_SVGLIB_ERRORS: Final = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError),
    *(TypeError, ValueError),
)
"""What svglib lets through for values that it did not expect."""
_FORBIDDEN: Final = frozenset({"image", "script", "foreignObject", "style", "filter", "mask"})


class SymbolError(BuilderError):
    """A symbol does not exist, or its file is damaged, unsafe or beyond what we can paint."""


class SymbolLibrary:
    """The symbols of a project by name; keeps what it has read."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        """Know symbols by name; see :meth:`builder.workspace.Workspace.files`."""
        self.paths = dict(paths)
        self._drawings: dict[tuple[str, tuple[tuple[str, str], ...]], Drawing] = {}

    def __contains__(self, name: str) -> bool:
        """Tell whether a symbol of that name exists."""
        return name in self.paths

    def drawing(self, name: str, colors: tuple[tuple[str, str], ...] = ()) -> Drawing:
        """Return a symbol as a drawing, recolored; one and the same object for the same question.

        Raises :class:`SymbolError`.
        """
        key = (name, colors)
        if key not in self._drawings:
            self._drawings[key] = self._read(name, dict(colors))
        return self._drawings[key]

    def _read(self, name: str, colors: dict[str, str]) -> Drawing:
        from lxml import etree
        from svglib.svglib import SvgRenderer

        path = self.paths.get(name)
        if path is None:
            raise SymbolError(f"unknown symbol {name!r}{did_you_mean(name, self.paths)}")
        parser = etree.XMLParser(
            resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True
        )
        try:
            root = etree.fromstring(path.read_bytes(), parser)
        except (OSError, etree.XMLSyntaxError) as error:
            raise SymbolError(f"symbol {path}: {error}") from error
        _refuse(root, path)
        box = root.get("viewBox", "").replace(",", " ").split()
        if len(box) == 4 and root.get("width") is None and root.get("height") is None:
            # svglib would scale it
            root.set("width", box[2])
            root.set("height", box[3])
        paints = {"currentColor": "#000000", **colors}
        for node in root.iter():
            for attribute in ("fill", "stroke"):
                paint = node.get(attribute)
                if paint in paints:
                    node.set(attribute, paints[paint])
        try:
            with _complaints() as complaints:
                drawing = SvgRenderer(str(path)).render(root)
        except _SVGLIB_ERRORS as error:
            raise SymbolError(f"symbol {path}: cannot be drawn: {error}") from error
        if complaints:
            raise SymbolError(f"symbol {path}: cannot be drawn: {'; '.join(complaints)}")
        if drawing is None or drawing.width <= 0 or drawing.height <= 0:
            raise SymbolError(f"symbol {path}: it has no size")
        return drawing


def _refuse(root: Any, path: Path) -> None:
    """Refuse what reaches outside of the file and what svglib would paint wrongly."""
    if root.getroottree().docinfo.doctype:
        raise SymbolError(f"symbol {path}: a document type is not allowed")
    if root.tag.rpartition("}")[2] != "svg":
        raise SymbolError(f"symbol {path}: expected <svg>, got <{root.tag}>")
    for node in root.iter():
        if not isinstance(node.tag, str):
            raise SymbolError(f"symbol {path}: entities and instructions are not allowed")
        tag = node.tag.rpartition("}")[2]
        if tag in _FORBIDDEN:
            raise SymbolError(f"symbol {path}: <{tag}> is not allowed")
        if tag == "g" and "opacity" in node.attrib:
            raise SymbolError(f"symbol {path}: the opacity of a group is not painted")
        for key, value in node.attrib.items():
            plain = key.rpartition("}")[2]
            if plain == "href" and not value.startswith("#"):
                raise SymbolError(f"symbol {path}: a reference to {value!r} is not allowed")
            if plain == "style" or "url(" in value:
                raise SymbolError(f"symbol {path}: {plain}={value!r} is not allowed")


@contextmanager
def _complaints() -> Iterator[list[str]]:
    """Collect what svglib would only write to a log and then draw wrongly."""
    messages: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            messages.append(record.getMessage())

    logger, collector = logging.getLogger("svglib"), Collector(logging.WARNING)
    propagates = logger.propagate
    logger.addHandler(collector)
    logger.propagate = False
    try:
        yield messages
    finally:
        logger.removeHandler(collector)
        logger.propagate = propagates


@cache
def installed_symbols() -> SymbolLibrary:
    """Return the symbols that come with the package, from its data or from the checkout."""
    return SymbolLibrary(open_workspace(Path(__file__).parent).files("art/symbols", ".svg"))

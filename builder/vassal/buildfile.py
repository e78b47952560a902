"""The component tree of a module, ``buildFile.xml``, and the metadata beside it, both directions.

Written by hand rather than through lxml, so that attributes keep the declared order and the text of
a definition stays on its line; read by lxml without entities, network or huge trees. Sources:
VASSAL classes ``build.Builder``, ``build.module.metadata.AbstractMetaData``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lxml import etree

from builder.problems import UnreadableError
from builder.vassal.components import spec_of
from builder.vassal.sequence import UnencodableError

__all__ = [
    "Component",
    "moduledata_xml",
    "read_buildfile",
    "savedata_xml",
    "walk",
    "write_buildfile",
]

_HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
_MAX_BYTES = 256 * 2**20
_BLANKS = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Component:
    """One element: the full class name, attributes, child components, and stripped text.

    Equality ignores the order of attributes, as VASSAL does: it sets them alphabetically.
    """

    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    children: tuple[Component, ...] = ()
    text: str = ""

    @property
    def kind(self) -> str:
        """The class name without its package, ``Map`` or ``PieceSlot``."""
        return self.tag.rpartition(".")[2]

    @property
    def title(self) -> str:
        """What its author calls it, for messages."""
        for name in ("name", "mapName", "entryName", "chartName", "title", "description"):
            if self.attributes.get(name):
                return f"{self.kind} {self.attributes[name]!r}"
        return self.kind


def walk(
    root: Component, path: tuple[Component, ...] = ()
) -> Iterator[tuple[Component, tuple[Component, ...]]]:
    """Yield every component in document order, with its ancestors from the root down."""
    yield root, path
    inside = (*path, root)
    for child in root.children:
        yield from walk(child, inside)


def read_buildfile(data: bytes) -> Component:
    """Return the root component of ``buildFile.xml`` or, in old modules, ``buildFile``.

    Raises :class:`UnreadableError` for damaged XML, document types and entities, and nesting
    beyond 256 elements.
    """
    if len(data) > _MAX_BYTES:
        raise UnreadableError(f"a build file of {len(data)} bytes is more than {_MAX_BYTES}")
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False,
        remove_comments=True, remove_pis=True,
    )  # fmt: skip
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise UnreadableError(f"the build file is no readable XML: {error}") from None
    if root.getroottree().docinfo.doctype:
        raise UnreadableError("the build file declares a document type, which no module needs")
    return _component(root)


def _component(element: etree._Element) -> Component:
    texts = [element.text or ""]
    children = []
    for child in element:
        if not isinstance(child.tag, str):
            raise UnreadableError(f"unexpected {child!r} in the build file")
        children.append(_component(child))
        texts.append(child.tail or "")
    attributes = {str(name): str(value) for name, value in element.attrib.items()}
    text = "".join(texts).strip(_BLANKS)
    return Component(str(element.tag), attributes, tuple(children), text)


def write_buildfile(root: Component) -> bytes:
    """Return the file: UTF-8 and says so, attributes in declared order, the same bytes every time.

    Raises :class:`UnencodableError` for characters that XML 1.0 cannot carry, and for text whose
    outer blanks VASSAL would strip.

    >>> print(write_buildfile(Component("entry", {}, (), "Süßkind & Söhne")).decode("utf-8"))
    <?xml version="1.0" encoding="UTF-8" standalone="no"?>
    <entry>Süßkind &amp; Söhne</entry>
    <BLANKLINE>
    """
    parts = [_HEADER]
    _write(root, "", parts)
    text = "".join(parts)
    bad = _ILLEGAL.search(text)
    if bad:
        at = text[max(0, bad.start() - 40) : bad.start()]
        raise UnencodableError(f"XML cannot carry the character {bad[0]!r} behind {at!r}")
    return text.encode("utf-8")


_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IN_ATTRIBUTE = str.maketrans(
    {
        "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;",
        "\t": "&#9;", "\n": "&#10;", "\r": "&#13;",
    }
)  # fmt: skip
_NAME = re.compile(r"[A-Za-z_][\w.\-]*", re.ASCII)


def _write(component: Component, indent: str, parts: list[str]) -> None:
    tag = component.tag
    if not _NAME.fullmatch(tag):
        raise UnencodableError(f"no element can be called {tag!r}")
    parts.append(f"{indent}<{tag}")
    for name in _ordered(component):
        if not _NAME.fullmatch(name):
            raise UnencodableError(f"no attribute can be called {name!r}, in {component.title}")
        parts.append(f' {name}="{component.attributes[name].translate(_IN_ATTRIBUTE)}"')
    text = component.text
    if text != text.strip(_BLANKS):
        raise UnencodableError(f"VASSAL strips the outer blanks of a text, in {component.title}")
    if not component.children:
        parts.append(f">{_in_text(text)}</{tag}>\n" if text else "/>\n")
        return
    parts.append(">")
    if text:
        parts.append(_in_text(text))
    parts.append("\n")
    inner = indent + "  "
    for child in component.children:
        _write(child, inner, parts)
    parts.append(f"{indent}</{tag}>\n")


def _in_text(text: str) -> str:
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\r", "&#13;")


def _ordered(component: Component) -> Sequence[str]:
    given = component.attributes
    spec = spec_of(component.tag)
    if spec is None or len(given) < 2:
        return list(given)
    known = [name for name in spec.attributes if name in given]
    if len(known) == len(given):
        return known
    return known + [name for name in given if name not in spec.attributes]


def moduledata_xml(
    name: str, version: str, *, saved_ms: int, vassal_version: str = "3.6.0",
    description: str = "", other1: str = "", other2: str = "",
) -> bytes:  # fmt: skip
    """Return ``moduledata``: name and version must equal those of the build file's root.

    ``saved_ms`` is milliseconds since 1970 UTC.
    """
    return _metadata(
        [
            ("version", version), ("extra1", other1), ("extra2", other2),
            ("VassalVersion", vassal_version), ("dateSaved", str(saved_ms)),
            ("description", description), ("name", name),
        ]
    )  # fmt: skip


def savedata_xml(
    version: str, *, saved_ms: int, vassal_version: str = "3.6.0", description: str = ""
) -> bytes:
    """Return ``savedata`` of a save or log; ``moduledata`` beside it names the module."""
    return _metadata(
        [
            ("version", version), ("VassalVersion", vassal_version),
            ("dateSaved", str(saved_ms)), ("description", description),
        ]
    )  # fmt: skip


def _metadata(values: Sequence[tuple[str, str]]) -> bytes:
    children = tuple([Component(tag, {}, (), text) for tag, text in values])
    return write_buildfile(Component("data", {"version": "1"}, children))

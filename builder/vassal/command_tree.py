r"""The tree of commands that a saved game is: read and written at any depth, without recursion.

A command and its sub-commands are one sequence with the delimiter ESC, nested at every level; an
ESC that is k levels down has k backslashes before it. So the level of each ESC can be counted in
the text as it stands, and the tree is built in one pass. Texts in apostrophes, which VASSAL writes
only around a command that begins with a backslash or an apostrophe, are taken out of them
afterwards. Sources: VASSAL classes ``build.GameModule``, ``tools.SequenceEncoder``.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import compress, repeat
from typing import Any

from builder.problems import UnreadableError
from builder.vassal.codec_base import unfrozen
from builder.vassal.commands import Command, decode_command
from builder.vassal.sequence import UnencodableError

__all__ = [
    "ESC",
    "MAX_COMMANDS",
    "CommandNode",
    "container",
    "encode_tree",
    "parse_tree",
    "uncollected",
    "walk",
]

ESC = "\x1b"
_QUOTED = ("\\", "'")
MAX_COMMANDS = 250_000
"""A tree of more commands is refused; the largest real save known has 66,439."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CommandNode:
    """A command's own text and its sub-commands; an empty text is a mere container."""

    text: str = ""
    children: tuple[CommandNode, ...] = ()
    _raw: str | None = field(default=None, init=False)

    @property
    def command(self) -> Command:
        """The typed command of the text alone, decoded when asked for."""
        return decode_command(self.text)

    @property
    def is_canonical(self) -> bool:
        """False for a root whose text was not as VASSAL writes it; it is kept until a change."""
        return self._raw is None

    def __eq__(self, other: object) -> bool:
        """Return whether both trees say the same, in the same order."""
        if not isinstance(other, CommandNode):
            return NotImplemented
        return list(_outline(self)) == list(_outline(other))

    def __hash__(self) -> int:
        """Return a hash of the root's text."""
        return hash((self.text, len(self.children)))

    def __repr__(self) -> str:
        """Return the sizes: the text may hold a password."""
        return f"CommandNode({len(self.text)} characters, {len(self.children)} children)"


_new = object.__new__
_Draft: Any = unfrozen(CommandNode)
_set_children = CommandNode.__dict__["children"].__set__


@contextmanager
def uncollected() -> Iterator[None]:
    """Make many values without the search for cycles among them, as there can be none.

    With a large log in memory the search takes longer than the reading. Afterwards the values
    count as old ones, which are searched seldom.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            # Both only move lists; somebody else's frozen values would not stay frozen.
            if not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def container(commands: Iterable[CommandNode]) -> CommandNode:
    """Return commands as one, which has no text of its own."""
    return CommandNode("", tuple(commands))


def walk(root: CommandNode) -> Iterator[CommandNode]:
    """Iterate over all commands in the order in which VASSAL executes them."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(node.children))


def _outline(root: CommandNode) -> Iterator[tuple[int, str]]:
    """Iterate over depth and text; the root has depth 0."""
    pending = [(0, root)]
    while pending:
        depth, node = pending.pop()
        yield depth, node.text
        pending.extend([(depth + 1, child) for child in reversed(node.children)])


def parse_tree(text: str) -> CommandNode:
    r"""Return the tree of a saved game's text, such that :func:`encode_tree` gives the text back.

    Raises :class:`UnreadableError` for more than :data:`MAX_COMMANDS` commands.

    >>> [node.text for node in walk(parse_tree("a\x1b\x1b\\\x1bb\\\x1bc"))]
    ['a', '', '', 'b', 'c']
    """
    count = text.count(ESC) + 1
    if count > MAX_COMMANDS:
        raise UnreadableError(f"a tree of {count} commands is more than {MAX_COMMANDS}")
    pieces = text.split(ESC)
    levels = _cut_levels(pieces)
    is_plain = text[:1] != "'" and ESC + "'" not in text
    if not is_plain:
        _take_out_of_quotes(pieces, levels)
    with uncollected():
        root, is_nested = _tree(pieces, levels)
    is_canonical = is_plain and is_nested and not _begins_with_backslash(pieces)
    if not is_canonical and not _is_written_as(root, text):
        object.__setattr__(root, "_raw", text)
    return root


def _is_written_as(root: CommandNode, text: str) -> bool:
    try:
        return _written(root) == text
    except UnencodableError:
        return False


def _cut_levels(pieces: list[str]) -> list[int]:
    """Return the level of the ESC before each piece, -1 for the first; cut its backslashes off."""
    levels = [0] * len(pieces)
    levels[0] = -1
    # The last piece has no ESC behind it.
    before_deeper = map(str.endswith, pieces[:-1], repeat("\\"))
    for index in compress(range(len(pieces)), before_deeper):
        piece = pieces[index]
        stripped = pieces[index] = piece.rstrip("\\")
        levels[index + 1] = len(piece) - len(stripped)
    return levels


def _begins_with_backslash(pieces: list[str]) -> bool:
    """Return whether VASSAL would put any of the texts in apostrophes: it does so below a root."""
    return len(pieces) > 1 and any(map(str.startswith, pieces, repeat("\\")))


def _tree(pieces: list[str], levels: list[int]) -> tuple[CommandNode, bool]:
    """Return the tree, and whether each level is at most one below that of the piece before.

    The parent of a piece is the last one before it of a lower level.
    """
    is_nested = True
    node = root = CommandNode(pieces[0])
    siblings: list[CommandNode] = [root]
    opened: list[tuple[int, CommandNode, list[CommandNode]]] = [(-1, root, siblings)]
    current = -1
    for text, level in zip(pieces[1:], levels[1:], strict=True):
        if level != current:
            if level > current:
                is_nested = is_nested and level == current + 1
                siblings = []
                opened.append((level, node, siblings))
            else:
                siblings = _closed(opened, level)
            current = level
        # Written out, without a call: in a third of the time that a frozen dataclass needs.
        node = _new(_Draft)
        node.text = text
        node.children = ()
        node._raw = None
        node.__class__ = CommandNode
        siblings.append(node)
    _closed(opened, -1)
    return root, is_nested


def _closed(
    opened: list[tuple[int, CommandNode, list[CommandNode]]], level: int
) -> list[CommandNode]:
    """Give the commands that end before a piece of this level their children; return its siblings.

    Where levels were left out, a piece may be a sibling of one that is deeper in the text.
    """
    while opened[-1][0] > level:
        _, parent, children = opened.pop()
        if opened[-1][0] < level:
            opened.append((level, parent, children))
        else:
            _set_children(parent, tuple(children))
    return opened[-1][2]


def encode_tree(root: CommandNode) -> str:
    r"""Return the text of a tree, as it was read or as VASSAL nests it.

    Raises :class:`UnencodableError`, without the text, for a command that holds an ESC or that
    ends in a backslash and would swallow the next one.

    >>> encode_tree(CommandNode("a", (CommandNode(), container(map(CommandNode, "bc")))))
    'a\x1b\x1b\\\x1bb\\\x1bc'
    """
    return _written(root) if root._raw is None else root._raw


def _written(root: CommandNode) -> str:
    texts, depths = _flat(root)
    if any(map(str.startswith, texts, repeat(_QUOTED))):
        _put_in_quotes(depths, texts)
    if any(map(str.endswith, texts[:-1], repeat("\\"))):
        raise UnencodableError(
            "a command ends in a backslash and would swallow the beginning of the next one"
        )
    parts = [texts[0]] * (2 * len(texts) - 1)
    parts[2::2] = texts[1:]
    delimiters = ["\\" * depth + ESC for depth in range(max(depths))]
    parts[1::2] = [delimiters[depth - 1] for depth in depths[1:]]
    written = "".join(parts)
    if written.count(ESC) != len(texts) - 1:
        raise UnencodableError("VASSAL cannot carry an escape character in a command")
    return written


def _flat(root: CommandNode) -> tuple[list[str], list[int]]:
    """Return the texts of all commands in the order of execution, and their depths."""
    texts = [root.text]
    depths = [0]
    pending = [iter(root.children)]
    depth = 1
    while pending:
        for node in pending[-1]:
            texts.append(node.text)
            depths.append(depth)
            if node.children:
                pending.append(iter(node.children))
                depth += 1
                break
        else:
            pending.pop()
            depth -= 1
    return texts, depths


def _put_in_quotes(depths: list[int], texts: list[str]) -> None:
    """Put apostrophes around the tokens that need them, as ``SequenceEncoder`` does.

    A command with sub-commands is a token by its own text, and once more with all of them.
    """
    # For each command still without its parent, the last first: depth, index of the last text
    # below it, whether the whole ends in an apostrophe.
    pending: list[tuple[int, int, bool]] = []
    last = len(texts) - 1
    for index in range(last, -1, -1):
        depth, text, end = depths[index], texts[index], index
        has_children = bool(pending) and pending[-1][0] > depth
        if has_children and _needs_quotes(text[:1], text[-1:] == "'"):
            text = f"'{text}'"
        is_closed = text[-1:] == "'"
        while pending and pending[-1][0] > depth:
            _, end, is_closed = pending.pop()
        if depth and _needs_quotes(text[:1], is_closed):
            text = "'" + text
            if end == index:
                text += "'"
            else:
                texts[end] += "'"
            is_closed = True
        texts[index] = text
        pending.append((depth, end, is_closed))


def _needs_quotes(first: str, is_closed: bool) -> bool:
    return first == "\\" or (first == "'" and is_closed)


@dataclass(slots=True)
class _Span:
    """Pieces from the first to the last that are one token, and the tokens inside."""

    level: int
    """Level of the ESC between its tokens; -1 if it is a single piece."""
    first: int
    last: int
    tokens: list[_Span] = field(default_factory=list)


def _spans(levels: list[int]) -> _Span:
    """Return how pieces are tokens of tokens: cut at the lowest level first."""
    opened: list[_Span] = []
    latest = _Span(-1, 0, 0)
    # The end closes what is still open, as an ESC of the level -1 would.
    for index, level in enumerate([*levels[1:], -1], start=1):
        while opened and opened[-1].level > level:
            outer = opened.pop()
            outer.tokens.append(latest)
            outer.last = index - 1
            latest = outer
        if level < 0:
            break
        if opened and opened[-1].level == level:
            opened[-1].tokens.append(latest)
        else:
            opened.append(_Span(level, latest.first, index, [latest]))
        latest = _Span(-1, index, index)
    return latest


def _take_out_of_quotes(pieces: list[str], levels: list[int]) -> None:
    """Take off the apostrophes that decoding takes off at every level that a token goes through."""
    starts = [0] * len(pieces)
    ends = [len(piece) for piece in pieces]
    pending = [(_spans(levels), 0)]
    while pending:
        span, above = pending.pop()
        head, tail = pieces[span.first], pieces[span.last]
        start, end = starts[span.first], ends[span.last]
        if span.level < 0:
            while end - start > 1 and head[start] == "'" == head[end - 1]:
                start, end = start + 1, end - 1
        else:
            chances = span.level - above
            while chances and head[start : start + 1] == "'" == tail[end - 1 : end]:
                start, end, chances = start + 1, end - 1, chances - 1
        starts[span.first], ends[span.last] = start, end
        pending.extend([(token, span.level) for token in span.tokens])
    for index, piece in enumerate(pieces):
        pieces[index] = piece[starts[index] : ends[index]]

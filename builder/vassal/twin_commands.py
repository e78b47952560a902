"""Commands of a save or log in a text twin, one a line, sub-commands indented below.

A line is the class of the command with its fields, ``Chat text="* moves"``; ``Log`` before it
marks an entry of a log, ``+`` a piece that comes into the game, ``Null`` a mere container. The
new state of a piece stands below ``ChangePiece``, one ``~`` line for each part, as ``~ "2"`` or
``~ "2" was "1"``. A command that does not come back exactly is its own text in quotation marks.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import count
from typing import Any

from builder.problems import did_you_mean
from builder.vassal.command_tree import CommandNode, encode_tree, parse_tree
from builder.vassal.commands import (
    AddPiece,
    ChangePiece,
    Command,
    EndSave,
    Log,
    Opaque,
    PlacedBoard,
    PlayerId,
    command_classes,
    decode_command,
)
from builder.vassal.sequence import UnencodableError, join
from builder.vassal.twin_lines import INDENT, Block, Mistakes
from builder.vassal.twin_pieces import AddedPiece, Secrets, add_lines, read_add
from builder.vassal.twin_secrets import StateMasks, peel
from builder.vassal.twin_values import (
    Entry,
    TwinSyntaxError,
    fields_text,
    quoted,
    read_entries,
    read_quoted,
    read_word,
    skip_blanks,
)

__all__ = ["command_lines", "read_commands"]

_LOG = "LOG\t"
_DEEPEST = 60
"""Commands that lie deeper are written as one text: indentation would outgrow them."""
_DEEPEST_READ = 200


# ------------------------------------------------------------------------------------ writing


def command_lines(root: CommandNode, secrets: Secrets, indent: str = "") -> Iterator[str]:
    """Yield the lines of a whole tree; the steps of a log are numbered in comments."""
    if not root.is_canonical and not secrets.is_hiding:
        yield f"{indent}Tree text={quoted(encode_tree(root))}"
        return
    masks = StateMasks()
    steps = count(1)
    pending = [(0, root)]
    has_begun = False
    while pending:
        depth, node = pending.pop()
        margin = indent + INDENT * depth
        if depth == 1:
            has_begun = has_begun or isinstance(node.command, EndSave)
            if node.text.startswith(_LOG) and has_begun:
                yield f"{margin}# step {next(steps)}"
        if depth >= _DEEPEST and node.children:
            yield f"{margin}Tree text={quoted(secrets.text(encode_tree(node)))}"
            continue
        yield from _own_lines(node.text, secrets, margin, masks)
        pending.extend([(depth + 1, child) for child in reversed(node.children)])


def _own_lines(text: str, secrets: Secrets, margin: str, masks: StateMasks) -> list[str]:
    start = 0
    prefix = ""
    while text.startswith(_LOG, start):
        start += len(_LOG)
        prefix += "Log "
    inner = text[start:]
    command = decode_command(inner)
    if isinstance(command, AddPiece):
        added = AddedPiece(command.id or "null", command.type, command.state)
        if _is_exact(added, inner):
            masks.note(command)
            return add_lines(added, secrets, margin, prefix + "+")
    elif isinstance(command, ChangePiece):
        masked = _change_lines(command, inner, secrets, margin, prefix, masks)
        if masked:
            return masked
    elif not isinstance(command, Opaque):
        try:
            # Only what an author could have changed comes back: the canonical text must be this.
            if command.canonical().encode() == inner:
                return [margin + prefix + _fields_line(command, secrets)]
        except UnencodableError:
            pass
    return [margin + prefix + quoted(secrets.text(inner))]


def _is_exact(added: AddedPiece, text: str) -> bool:
    try:
        return added.text() == text
    except UnencodableError:
        return False


def _fields_line(command: Command, secrets: Secrets) -> str:
    values: dict[str, object] = {}
    for item in _shapes()[type(command).__name__].fields:
        value = getattr(command, item.name)
        if item.default is dataclasses.MISSING or value != item.default:
            values[item.name] = _shown(value, secrets)
    return type(command).__name__ + fields_text(values)


def _shown(value: object, secrets: Secrets) -> object:
    if isinstance(value, str):
        return secrets.text(value)
    if isinstance(value, PlayerId):
        return secrets.player(value.reveal())
    if value is None:
        return []
    if isinstance(value, PlacedBoard):
        table: dict[str, object] = {"name": secrets.text(value.name)}
        table |= {"column": value.column, "row": value.row}
        return table | {"is_reversed": True} if value.is_reversed else table
    if isinstance(value, tuple):
        return [_shown(item, secrets) for item in value]
    return value


def _change_lines(
    command: ChangePiece, text: str, secrets: Secrets, margin: str, prefix: str, masks: StateMasks
) -> list[str]:
    """Return the lines of a change part by part, none if it does not come back exactly."""
    new = peel(command.state)
    old = None if command.old_state is None else peel(command.old_state)
    try:
        if not secrets.is_hiding and _change_text(command.id, new, old) != text:
            return []
        new = masks.mask(command.id, new, secrets)
        old = None if old is None else masks.mask(command.id, old, secrets)
        _change_text(command.id, new, old)
    except UnencodableError:
        return []
    if old is not None and len(old) != len(new):
        return []
    values: dict[str, object] = {} if command.id is None else {"id": command.id}
    if old is None:
        values["has_old"] = False
    lines = [f"{margin}{prefix}ChangePiece{fields_text(values)}"]
    for state, before in zip(new, new if old is None else old, strict=True):
        was = "" if before == state else f" was {quoted(before)}"
        lines.append(f"{margin}{INDENT}~ {quoted(state)}{was}")
    return lines


def _change_text(name: str | None, new: list[str], old: list[str] | None) -> str:
    return ChangePiece(name, _nested(new), None if old is None else _nested(old)).encode()


def _nested(parts: list[str]) -> str:
    text = parts[-1]
    for part in reversed(parts[:-1]):
        text = join([part, text], "\t")
    return text


# ------------------------------------------------------------------------------------ reading


def read_commands(blocks: list[Block], mistakes: Mistakes) -> CommandNode | None:
    """Return the tree of the one outermost block; every mistake is noted, and then there is none.

    Raises nothing.
    """
    before = len(mistakes.problems)
    if not blocks:
        mistakes.say(0, 0, "no command 'BeginSave', with which a saved game begins")
        return None
    for extra in blocks[1:]:
        mistakes.say(extra.number, 1, "a second outermost command; indent it below the first")
    node = _node(blocks[0], mistakes, 0)
    return node if len(mistakes.problems) == before else None


def _node(block: Block, mistakes: Mistakes, depth: int) -> CommandNode:
    if depth > _DEEPEST_READ:
        mistakes.say(block.number, 1, f"commands lie deeper than {_DEEPEST_READ} levels")
        return CommandNode()
    try:
        text, children = _own(block, mistakes)
    except TwinSyntaxError as error:
        mistakes.add(block, error)
        return CommandNode(
            "",
            tuple([_node(c, mistakes, depth + 1) for c in block.inner if c.body[0] not in "*~"]),
        )
    except UnencodableError as error:
        mistakes.say(block.number, block.start + 1, str(error))
        return CommandNode()
    if isinstance(text, CommandNode):
        for child in children:
            mistakes.say(child.number, 1, "nothing can stand below a Tree")
        return text
    return CommandNode(text, tuple([_node(child, mistakes, depth + 1) for child in children]))


def _own(block: Block, mistakes: Mistakes) -> tuple[str | CommandNode, list[Block]]:
    line, at = block.line, block.start
    logs = 0
    while line.startswith("Log ", at):
        logs += 1
        at = skip_blanks(line, at + 4)
    prefix = _LOG * logs
    if line[at : at + 1] == "+":
        added, others = read_add(block, at + 1, mistakes)
        text = "" if added is None else AddPiece(_id(added.id), added.type, added.state).encode()
        return prefix + text, others
    if line[at : at + 1] == '"':
        text, end = read_quoted(line, at)
        _end(line, end)
        return prefix + text, block.inner
    word, end = read_word(line, at)
    if word == "Tree":
        return parse_tree(_only_text(line, end)), block.inner
    cls = _classes().get(word)
    if cls is None:
        hint = did_you_mean(word, _classes())
        raise TwinSyntaxError(at + 1, f"no command {word!r}{hint}")
    entries, end = read_entries(line, end)
    _end(line, end)
    if cls is ChangePiece:
        text, others = _read_change(block, entries, mistakes)
        return prefix + text, others
    return prefix + _made(cls, entries, at).encode(), block.inner


def _id(word: str) -> str | None:
    return None if word == "null" else word


def _only_text(line: str, at: int) -> str:
    entries, at = read_entries(line, at)
    entry = entries.get("text")
    if entry is None or len(entries) != 1 or not isinstance(entry.value, str):
        raise TwinSyntaxError(at, 'expected text="..." and nothing else')
    _end(line, at)
    return entry.value


def _end(line: str, at: int) -> None:
    at = skip_blanks(line, at)
    if at < len(line):
        raise TwinSyntaxError(at + 1, f"unexpected {line[at:]!r}")


@cache
def _classes() -> Mapping[str, type[Command]]:
    left_out = (AddPiece, Log, Opaque)
    return {cls.__name__: cls for cls in command_classes() if cls not in left_out}


class _Shape(typing.NamedTuple):
    """What a line of a command may hold."""

    fields: tuple[dataclasses.Field[Any], ...]
    hints: Mapping[str, object]


@cache
def _shapes() -> Mapping[str, _Shape]:
    return {
        cls.__name__: _Shape(
            tuple([item for item in dataclasses.fields(cls) if item.init]),
            typing.get_type_hints(cls),
        )
        for cls in command_classes()
    }


def _made(cls: type[Command], entries: Mapping[str, Entry], at: int) -> Command:
    fields, hints = _shapes()[cls.__name__]
    names = [item.name for item in fields]
    values: dict[str, object] = {}
    for key, entry in entries.items():
        if key not in names:
            hint = did_you_mean(key, names)
            message = f"no field {key!r} of a {cls.__name__}{hint}"
            raise TwinSyntaxError(entry.column, message)
        values[key] = _value(hints[key], key, entry)
    for item in fields:
        if item.default is dataclasses.MISSING and item.name not in values:
            raise TwinSyntaxError(at + 1, f"{cls.__name__} without {item.name!r}")
    return cls(**values)


def _value(hint: object, key: str, entry: Entry) -> object:
    value = entry.value
    options = typing.get_args(hint) if not isinstance(hint, type) else ()
    if typing.get_origin(hint) is tuple:
        if isinstance(value, list):
            return tuple([_value(options[0], key, Entry(item, entry.column)) for item in value])
        raise TwinSyntaxError(entry.column, f"{key}: expected a list, got {value!r}")
    kinds = options or (hint,)
    if value == [] and type(None) in kinds:
        return None
    if PlayerId in kinds and isinstance(value, str):
        return PlayerId(value)
    if hint is PlacedBoard and isinstance(value, dict):
        return _board(value, entry)
    for kind in (str, bool, int):
        if kind in kinds and type(value) is kind:
            return value
    if str in kinds and entry.is_bare and isinstance(value, int | float):
        raise TwinSyntaxError(entry.column, f"{key}: expected a text, put {value!r} in quotes")
    expected = " or ".join(_KINDS[kind] for kind in kinds if kind in _KINDS)
    raise TwinSyntaxError(entry.column, f"{key}: expected {expected}, got {value!r}")


_KINDS: dict[object, str] = {
    str: "a text", bool: "true or false", int: "a whole number", PlayerId: "the id of a player",
    PlacedBoard: "a table of name, column and row",
}  # fmt: skip


def _board(table: dict[str, object], entry: Entry) -> PlacedBoard:
    name, column, row = table.get("name"), table.get("column"), table.get("row")
    is_reversed = table.get("is_reversed", False)
    if (
        type(name) is str and type(column) is int and type(row) is int
        and type(is_reversed) is bool and not table.keys() - _BOARD_KEYS
    ):  # fmt: skip
        return PlacedBoard(name, column, row, is_reversed)
    raise TwinSyntaxError(entry.column, f"expected {_KINDS[PlacedBoard]}, got {table!r}")


_BOARD_KEYS = {"name", "column", "row", "is_reversed"}


def _read_change(
    block: Block, entries: Mapping[str, Entry], mistakes: Mistakes
) -> tuple[str, list[Block]]:
    parts = [inner for inner in block.inner if inner.line.startswith("~ ", inner.start)]
    others = [inner for inner in block.inner if not inner.line.startswith("~ ", inner.start)]
    has_old = True
    if not parts:
        return _made(ChangePiece, entries, block.start).encode(), others
    for key, entry in entries.items():
        if key not in ("id", "has_old"):
            raise TwinSyntaxError(entry.column, f"no field {key!r} before '~' lines; known: id")
    if "has_old" in entries:
        has_old = entries["has_old"].value is True
    name = entries.get("id")
    if name is not None and not isinstance(name.value, str):
        raise TwinSyntaxError(name.column, f"id: expected a text, got {name.value!r}")
    new, old = [], []
    for part in parts:
        try:
            state, before = _read_state(part)
        except TwinSyntaxError as error:
            mistakes.add(part, error)
            continue
        new.append(state)
        old.append(before)
    if not new:
        return "", others
    text = _change_text(str(name.value) if name else None, new, old if has_old else None)
    return text, others


def _read_state(part: Block) -> tuple[str, str]:
    line = part.line
    state, at = read_word(line, skip_blanks(line, part.start + 2))
    at = skip_blanks(line, at)
    if at >= len(line):
        return state, state
    word, at = read_word(line, at)
    if word != "was":
        raise TwinSyntaxError(at - len(word) + 1, f"expected 'was', got {word!r}")
    before, at = read_word(line, skip_blanks(line, at))
    _end(line, at)
    return state, before

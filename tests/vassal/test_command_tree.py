"""The command tree, against a recursive reader and writer typed from VASSAL's formats."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_vassal import command_nodes

from builder.problems import UnreadableError
from builder.vassal.command_tree import (
    MAX_COMMANDS,
    CommandNode,
    container,
    encode_tree,
    parse_tree,
    walk,
)
from builder.vassal.commands import Chat
from builder.vassal.sequence import UnencodableError

ESC, TAB, B = "\x1b", "\t", "\\"
Outline = list[tuple[int, str]]
TEXTS = st.text(st.sampled_from([ESC, ESC, B, "'", "a"]), max_size=24)


def tokens_of(text: str) -> list[str]:
    """The tokens of a sequence with ESC, character by character."""
    tokens, current, before = [], "", ""
    for character in text:
        if character == ESC and before == B:
            current = current[:-1] + ESC
        elif character == ESC:
            tokens.append(current)
            current = ""
        else:
            current += character
        before = character
    tokens.append(current)
    return [t[1:-1] if len(t) > 1 and t[0] == t[-1] == "'" else t for t in tokens]


def outline_of(text: str, depth: int = 0) -> Outline:
    """Depth and text of each command, as ``GameModule.decode`` appends one to another."""
    tokens = tokens_of(text)
    if tokens == [text]:
        return [(depth, text)]
    found = outline_of(tokens[0], depth)
    for token in tokens[1:]:
        found += outline_of(token, depth + 1)
    return found


def sequence_of(tokens: list[str]) -> str:
    written = []
    for index, token in enumerate(tokens):
        piece = token.replace(ESC, B + ESC)
        if token[:1] == B or (token[:1] == "'" and token[-1:] == "'"):
            piece = f"'{piece}'"
        if piece[-1:] == B and index < len(tokens) - 1:
            raise UnencodableError("would swallow the next token")
        written.append(piece)
    return ESC.join(written)


def text_of(node: CommandNode) -> str:
    if not node.children:
        return node.text
    return sequence_of([node.text, *map(text_of, node.children)])


def outline(node: CommandNode, depth: int = 0) -> Outline:
    found = [(depth, node.text)]
    for child in node.children:
        found += outline(child, depth + 1)
    return found


def test_a_tree_is_nested_with_one_backslash_more_a_level() -> None:
    tree = CommandNode(
        "begin_save",
        (
            CommandNode(),
            container([CommandNode("+/1/a/b"), CommandNode("+/2/c/d")]),
            CommandNode("end_save"),
            CommandNode(
                f"LOG{TAB}M/1",
                (CommandNode(f"LOG{TAB}CHAT* hi", (CommandNode(f"LOG{TAB}D/x"),)),),
            ),
        ),
    )
    text = (
        f"begin_save{ESC}{ESC}\\{ESC}+/1/a/b\\{ESC}+/2/c/d{ESC}end_save"
        f"{ESC}LOG{TAB}M/1\\{ESC}LOG{TAB}CHAT* hi\\\\{ESC}LOG{TAB}D/x"
    )
    assert encode_tree(tree) == text
    assert parse_tree(text) == tree
    assert parse_tree(text).is_canonical


@given(TEXTS)
def test_any_text_is_read_as_vassal_reads_it_and_written_back(text: str) -> None:
    tree = parse_tree(text)
    assert outline(tree) == outline_of(text)
    assert encode_tree(tree) == text


@given(TEXTS)
def test_a_text_counts_as_canonical_exactly_if_vassal_would_write_it(text: str) -> None:
    tree = parse_tree(text)
    try:
        written = text_of(tree)
    except UnencodableError:
        written = None
    assert tree.is_canonical == (written == text)


@given(command_nodes())
def test_any_tree_is_written_as_vassal_writes_it(tree: CommandNode) -> None:
    try:
        expected = text_of(tree)
    except UnencodableError:
        with pytest.raises(UnencodableError):
            encode_tree(tree)
        return
    assert encode_tree(tree) == expected


@given(command_nodes(st.text("ab;/\t\n'é—", max_size=6).map("CHAT{}".format)))
def test_a_tree_of_real_commands_comes_back(tree: CommandNode) -> None:
    assert parse_tree(encode_tree(tree)) == tree


@pytest.mark.parametrize(
    "text",
    [
        "'x'",
        "''",
        "'",
        "'''",
        f"'a{B}{ESC}b'",
        f"''a{B}{B}{ESC}b''",
        f"a{B}{B}{ESC}b",
        f"a{B}{ESC}b{ESC}c",
        f"'a{B}'{ESC}b",
        f"{B}a{ESC}{B}b",
        f"a{ESC}'b{B}{ESC}c'{ESC}'d'",
    ],
)
def test_texts_that_vassal_would_write_otherwise_are_kept_until_a_change(text: str) -> None:
    tree = parse_tree(text)
    assert outline(tree) == outline_of(text)
    assert not tree.is_canonical or text_of(tree) == text
    assert encode_tree(tree) == text
    changed = dataclasses.replace(tree, text="root")
    assert changed.is_canonical


def test_a_command_with_an_escape_character_is_refused_without_its_text() -> None:
    with pytest.raises(UnencodableError, match="escape character") as caught:
        encode_tree(CommandNode(f"CHATsecret{ESC}"))
    assert "secret" not in str(caught.value)


def test_a_command_that_swallows_the_next_is_refused_without_its_text() -> None:
    with pytest.raises(UnencodableError, match="backslash") as caught:
        encode_tree(container([CommandNode(f"CHATsecret{B}"), CommandNode("b")]))
    assert "secret" not in str(caught.value)
    assert encode_tree(container([CommandNode("b"), CommandNode(f"a{B}")])) == f"{ESC}b{ESC}a{B}"


def deep(levels: int) -> CommandNode:
    node = CommandNode(f"CHAT{levels}")
    for level in range(levels - 1, -1, -1):
        node = CommandNode(f"CHAT{level}", (node,))
    return node


def test_ten_thousand_levels_are_read_written_compared_and_walked() -> None:
    tree = deep(10_000)
    text = encode_tree(tree)
    again = parse_tree(text)
    assert again == tree
    assert hash(again) == hash(tree)
    assert again != deep(9_999)
    assert encode_tree(again) == text
    assert sum(1 for _ in walk(again)) == 10_001
    assert len(repr(again)) < 80


def test_ten_thousand_levels_of_quotes_are_read() -> None:
    text = "'" * 10_000 + "x" + "'" * 10_000
    assert parse_tree(text).text == "x"
    assert encode_tree(parse_tree(text)) == text
    nested = "'" * 3000 + "a" + B * 3000 + ESC + "b" + "'" * 3000
    assert [node.text for node in walk(parse_tree(nested))] == ["a", "b"]


def test_a_tree_has_an_end() -> None:
    assert len(parse_tree(ESC * 1000).children) == 1000
    with pytest.raises(UnreadableError, match="commands is more than"):
        parse_tree(ESC * MAX_COMMANDS)


def test_a_node_shows_no_text_and_types_its_own() -> None:
    node = CommandNode("CHATsecret", (CommandNode("x"),))
    assert "secret" not in repr(node)
    assert node.command == Chat("secret")
    assert node != "CHATsecret"

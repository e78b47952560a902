"""Small logs for tests of replay: command texts as VASSAL writes them, put together by hand."""

from __future__ import annotations

from pathlib import Path

from builder.vassal.command_tree import CommandNode, container, encode_tree, parse_tree

SHARED = Path(__file__).parents[2] / "shared"
CORPUS = SHARED / "corpus"
SAMPLES = SHARED / "vassal-engine" / "samples"


def unit(ident: str, name: str, x: int, y: int, map_name: str = "Main") -> str:
    return f"+/{ident}/piece;;;inf.png;{name}/{map_name};{x};{y};7;0"


def log(start: list[str], *steps: list[str]) -> CommandNode:
    """A log: commands of its beginning, and for each step its commands, the later as children."""
    children = [CommandNode(), container(map(CommandNode, start)), CommandNode("end_save")]
    for first, *rest in steps:
        inner = tuple(CommandNode(f"LOG\t{text}") for text in rest)
        children.append(CommandNode(f"LOG\t{first}", inner))
    return parse_tree(encode_tree(CommandNode("begin_save", tuple(children))))

"""The initial state and the steps of a log."""

from __future__ import annotations

from builder.vassal import commands as cmd
from builder.vassal.command_tree import CommandNode, container, encode_tree
from builder.vassal.log_steps import LogStep, initial_commands, steps
from builder.vassal.savefile import Coding, Kind, SaveFile

TREE = CommandNode(
    "begin_save",
    (
        CommandNode(),
        container([CommandNode("-/1"), CommandNode("-/2")]),
        CommandNode("end_save"),
        CommandNode("CHAT welcome"),
        CommandNode(
            "LOG\tnull", (CommandNode("LOG\tUNDO\ttrue", (CommandNode("LOG\tLOG\tCHATa"),)),)
        ),
        CommandNode("LOG\t", (CommandNode("LOG\tbd\tx"), CommandNode("CHATb"))),
        container([CommandNode("LOG\tCHATc")]),
    ),
)


def test_the_initial_state_is_in_order_of_execution() -> None:
    assert initial_commands(TREE) == [
        cmd.BeginSave(),
        cmd.Null(),
        cmd.Null(),
        cmd.RemovePiece("1"),
        cmd.RemovePiece("2"),
        cmd.EndSave(),
        cmd.Chat(" welcome"),
        cmd.Null(),
    ]


def test_a_step_is_an_outermost_entry_without_the_marks_inside() -> None:
    assert steps(TREE) == [
        LogStep(1, (cmd.Null("null"), cmd.Undo(True), cmd.Chat("a"))),
        LogStep(2, (cmd.Null(), cmd.Opaque("bd\tx"), cmd.Chat("b"))),
        LogStep(3, (cmd.Chat("c"),)),
    ]


def test_a_file_says_the_same_as_its_tree() -> None:
    save = SaveFile(Kind.BARE, None, encode_tree(TREE), {}, Coding.PLAIN)
    assert steps(save) == steps(TREE)
    assert initial_commands(save) == initial_commands(TREE)


def test_a_save_has_no_steps() -> None:
    assert steps(CommandNode("begin_save", (CommandNode("end_save"),))) == []

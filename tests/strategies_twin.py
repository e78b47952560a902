"""Strategies for text twins: values on a line, traits as any text, trees of commands, elements."""

from __future__ import annotations

from hypothesis import strategies as st

from builder.vassal.buildfile import Component
from builder.vassal.command_tree import CommandNode

#: Any text that UTF-8 can carry.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
#: Text that a command can carry: no escape character, no backslash before the next command.
command_texts = texts.map(lambda text: text.replace("\x1b", "").rstrip("\\"))
known_commands = st.one_of(
    command_texts,
    st.sampled_from(
        [
            "begin_save", "end_save", "null", "LOG\t", "LOG\tnull", "LOG\tLOG\tCHAThi",
            "PLAYER\tpassword1\tAnn\tGerman", "M/1/Map/3/4/null/Map/1/2/null/password1", "M/1/x",
            "D/17/a\t\\\tb/c\t\\\td", "D/17/a", "D//", "D/17/a/b\tc", "+/1/stack/Map;3;4;17;@@-1",
            "+/1/stack/Map;03;4", "+/2/hide;72,130;x\tpiece;;;a.png;A/password1\tMap;3;4;5;0",
            "+/null/zz;\tpiece;;;;/\t\\x", "TURNTurnTracker0\t0|1", "MutableProperty\ta\tb\tc\tM",
            "GlobalProperty\t;a\tz;3;", "Main MapBoardPicker\tA/rev\t0\t1", "SHOW_RESULTS\tx\t1\t2",
            "UNMASK\tpassword1\tpassword2", "SNOTE\tn\tpassword1\ttrue\tt", "CLOCK\ta\tb\t1\t2",
        ]
    ),
)  # fmt: skip


def _grown(children: st.SearchStrategy[CommandNode]) -> st.SearchStrategy[CommandNode]:
    return st.builds(
        lambda text, inner: CommandNode(text, tuple(inner)),
        known_commands,
        st.lists(children, max_size=4),
    )


def command_trees() -> st.SearchStrategy[CommandNode]:
    """Trees of commands, known and strange ones."""
    return st.recursive(known_commands.map(CommandNode), _grown, max_leaves=12)


xml_texts = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], include_characters="\n\t<>&\"'"), max_size=15
)
_names = st.from_regex(r"[A-Za-z_][\w.\-]{0,8}", fullmatch=True).filter(str.isascii)
_slot_texts = st.sampled_from(
    [
        "+/null/prototype;Unit\tpiece;;;inf.png;Inf\\/Arm/\tnull;0;0;12;0",
        "+/null/piece;;;;/null;0;0;;0",
        "+/null/what",
        "+/17/stack/null;0;0",
    ]
)


def components() -> st.SearchStrategy[Component]:
    """Trees of elements, piece slots among them."""
    leaves = st.builds(
        lambda attributes, text: Component("VASSAL.build.widget.PieceSlot", attributes, (), text),
        st.dictionaries(_names, xml_texts, max_size=3),
        st.one_of(_slot_texts, xml_texts.map(lambda text: text.strip(" \t\r\n"))),
    )
    return st.recursive(
        leaves,
        lambda inner: st.builds(
            lambda tag, attributes, children: Component(tag, attributes, tuple(children)),
            _names,
            st.dictionaries(_names, xml_texts, max_size=3),
            st.lists(inner, max_size=3),
        ),
        max_leaves=6,
    )

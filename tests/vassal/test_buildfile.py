from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from builder.problems import UnreadableError
from builder.vassal.buildfile import (
    Component,
    moduledata_xml,
    read_buildfile,
    savedata_xml,
    walk,
    write_buildfile,
)
from builder.vassal.sequence import UnencodableError

_MODULE = "VASSAL.build.module."


def tiny() -> str:
    """The smallest module that opens cleanly, as the description of the formats prints it."""
    tools = (
        "StackMetrics ForwardToKeyBuffer Scroller ForwardToChatter MenuDisplayer MapCenterer "
        "StackExpander PieceMover KeyBufferer ImageSaver CounterDetailViewer Flare Zoomer"
    )
    maps = "".join(f"    <{_MODULE}map.{tool}/>\n" for tool in tools.split())
    return f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<VASSAL.build.GameModule name="Tiny" version="1.0" description="" ModuleOther1="" ModuleOther2="" VassalVersion="3.6.0" nextPieceSlotId="2">
  <VASSAL.build.module.BasicCommandEncoder/>
  <VASSAL.build.module.Documentation>
    <VASSAL.build.module.documentation.AboutScreen title="About Tiny" fileName="/images/Splash.png"/>
  </VASSAL.build.module.Documentation>
  <VASSAL.build.module.PlayerRoster buttonText="Retire" buttonToolTip="Change side">
    <entry>German</entry>
    <entry>Allied</entry>
  </VASSAL.build.module.PlayerRoster>
  <VASSAL.build.module.GlobalOptions autoReport="Always" playerIdFormat="$PlayerName$"/>
  <VASSAL.i18n.Language/>
  <VASSAL.build.module.properties.GlobalProperties/>
  <VASSAL.build.module.PrototypesContainer>
    <VASSAL.build.module.PrototypeDefinition name="Unit" description="">+/null/markmoved;\\/images\\/moved.gif;0;0;Mark Moved;77,130;;false;;;;\tpiece;;;;/false\tnull;0;0;;0</VASSAL.build.module.PrototypeDefinition>
  </VASSAL.build.module.PrototypesContainer>
  <VASSAL.build.module.Map mapName="Main Map" markMoved="Always" allowMultiple="false" moveWithinFormat="$pieceName$ moves $previousLocation$ to $location$" moveToFormat="$pieceName$ moves $previousLocation$ to $location$" createFormat="$pieceName$ created in $location$" changeFormat="$message$">
    <VASSAL.build.module.map.BoardPicker>
      <VASSAL.build.module.map.boardPicker.Board name="Board" image="map.png">
        <VASSAL.build.module.map.boardPicker.board.HexGrid sideways="false" x0="34" y0="30" dy="60.0" dx="52.0" snapTo="true" edgesLegal="false" cornersLegal="false" visible="false" color="0,0,0">
          <VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering first="H" sep="" hType="N" hLeading="1" hOff="1" hDescend="false" vType="N" vLeading="1" vOff="1" vDescend="false" locationFormat="$gridLocation$" visible="false" stagger="false"/>
        </VASSAL.build.module.map.boardPicker.board.HexGrid>
      </VASSAL.build.module.map.boardPicker.Board>
    </VASSAL.build.module.map.BoardPicker>
{maps}    <VASSAL.build.module.properties.GlobalProperties/>
    <VASSAL.build.module.map.SelectionHighlighters/>
    <VASSAL.build.module.map.HighlightLastMoved/>
    <VASSAL.build.module.map.SetupStack name="At start" owningBoard="Board" useGridLocation="false" x="138" y="90">
      <VASSAL.build.widget.PieceSlot entryName="Infantry" gpid="1" width="50" height="50">+/null/prototype;Unit\tpiece;;;inf.png;Infantry/\tnull;0;0;1;0</VASSAL.build.widget.PieceSlot>
    </VASSAL.build.module.map.SetupStack>
  </VASSAL.build.module.Map>
  <VASSAL.build.module.Chatter/>
  <VASSAL.build.module.KeyNamer/>
  <VASSAL.build.module.DiceButton name="2d6" text="2d6" nDice="2" reportTotal="true" nSides="6"/>
</VASSAL.build.GameModule>
"""  # noqa: E501 -- a file as it stands


def test_the_smallest_module_comes_back_byte_for_byte() -> None:
    text = tiny().encode("utf-8")
    root = read_buildfile(text)
    assert root.attributes["name"] == "Tiny"
    assert [c.text for c, _ in walk(root) if c.tag == "entry"] == ["German", "Allied"]
    assert write_buildfile(root) == text


def test_attributes_are_written_in_declared_order_whatever_order_they_have() -> None:
    stack = Component(
        "VASSAL.build.module.map.SetupStack", {"y": "2", "odd": "", "name": "A", "x": "1"}
    )
    assert b'<VASSAL.build.module.map.SetupStack name="A" x="1" y="2" odd=""/>' in write_buildfile(
        stack
    )


def test_names_outside_ascii_survive_and_the_file_says_how() -> None:
    data = write_buildfile(Component("entry", {}, (), "Prince d´Orange, Süßkind"))
    assert data.startswith(b'<?xml version="1.0" encoding="UTF-8"')
    assert "Prince d´Orange, Süßkind".encode() in data
    assert read_buildfile(data).text == "Prince d´Orange, Süßkind"


def test_a_tab_is_real_in_text_and_a_reference_in_an_attribute() -> None:
    data = write_buildfile(Component("entry", {"a": "x\ty\nz"}, (), "x\ty"))
    assert b'a="x&#9;y&#10;z">x\ty<' in data
    assert read_buildfile(data) == Component("entry", {"a": "x\ty\nz"}, (), "x\ty")


@pytest.mark.parametrize("char", ["\x00", "\x1b", "\x0b", "\ud800", "\ufffe"])
def test_control_characters_are_refused(char: str) -> None:
    with pytest.raises(UnencodableError, match="cannot carry"):
        write_buildfile(Component("entry", {}, (), f"a{char}b"))
    with pytest.raises(UnencodableError, match="cannot carry"):
        write_buildfile(Component("entry", {"a": char}))


def test_outer_blanks_of_a_text_are_refused() -> None:
    with pytest.raises(UnencodableError, match="strips the outer blanks"):
        write_buildfile(Component("entry", {}, (), "+/null/x\t"))


@pytest.mark.parametrize("name", ["a b", "<x>", "", "1a"])
def test_impossible_names_are_refused(name: str) -> None:
    with pytest.raises(UnencodableError, match="can be called"):
        write_buildfile(Component(name))
    with pytest.raises(UnencodableError, match="can be called"):
        write_buildfile(Component("entry", {name: ""}))


_XML_TEXT = st.text(
    st.characters(exclude_categories=["Cs", "Cc"]) | st.sampled_from("\t\n\r&<>\"'")
)
_TREES = st.recursive(
    st.builds(
        Component,
        st.sampled_from(["entry", "a.B", _MODULE + "Map"]),
        st.dictionaries(st.sampled_from(["name", "mapName", "x"]), _XML_TEXT, max_size=3),
        st.just(()),
        _XML_TEXT.map(lambda text: re.sub("[\ufffe\uffff]", "", text).strip(" \t\r\n")),
    ),
    lambda inner: st.builds(
        Component, st.just("a.C"), st.just({}), st.lists(inner, max_size=3).map(tuple)
    ),
    max_leaves=6,
)


@given(_TREES)
def test_what_is_written_is_read_back(root: Component) -> None:
    try:
        data = write_buildfile(root)
    except UnencodableError:
        assert any("￾" in v or "\uffff" in v for c, _ in walk(root) for v in c.attributes.values())
        return
    assert read_buildfile(data) == root
    # A parser that is not ours agrees.
    assert etree.fromstring(data).tag == root.tag


BOMB = b"""<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><x>&b;</x>"""
FILE = b"""<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/hostname">]><x>&f;</x>"""


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<x>",
        b"no xml",
        BOMB,
        FILE,
        b"<a>" * 300 + b"</a>" * 300,
        b"\xff\xfe<",
        b"<a>\x1b</a>",
    ],
    ids=["empty", "open", "text", "bomb", "file", "deep", "encoding", "control"],
)
def test_damaged_and_hostile_files_are_unreadable(data: bytes) -> None:
    with pytest.raises(UnreadableError):
        read_buildfile(data)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_unreadable(data: bytes) -> None:
    try:
        read_buildfile(b"<a>" + data + b"</a>")
    except UnreadableError:
        return


def test_moduledata() -> None:
    data = moduledata_xml(
        "Tiny", "1.0", saved_ms=1700000000000, description="Two hexes and a counter"
    )
    assert data.decode("utf-8") == (
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
        '<data version="1">\n'
        "  <version>1.0</version>\n"
        "  <extra1/>\n"
        "  <extra2/>\n"
        "  <VassalVersion>3.6.0</VassalVersion>\n"
        "  <dateSaved>1700000000000</dateSaved>\n"
        "  <description>Two hexes and a counter</description>\n"
        "  <name>Tiny</name>\n"
        "</data>\n"
    )


def test_savedata_does_not_name_the_module() -> None:
    data = savedata_xml("1.0", saved_ms=1, vassal_version="3.7.0", description="log comment")
    assert [child.tag for child in read_buildfile(data).children] == [
        "version", "VassalVersion", "dateSaved", "description",
    ]  # fmt: skip

"""A small module as a text twin: what a test reads here is what VASSAL is given.

The build file is written out by hand, so that the tests of the harness do not rest on the code
that the harness is there to judge.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from pathlib import Path

from PIL import Image

MODULE_DATA = """\
<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<data version="1">
  <version>1.0</version>
  <extra1/>
  <extra2/>
  <VassalVersion>3.6.0</VassalVersion>
  <dateSaved>1700000000000</dateSaved>
  <description>Hexes, a counter and a deck of nothing</description>
  <name>Tiny</name>
</data>
"""

# {TAB} stands for the TAB between the traits of a piece; with every level inward it gains a
# backslash (VASSAL's SequenceEncoder).
BUILD_FILE = """\
<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<VASSAL.build.GameModule VassalVersion="3.6.0" description="" name="Tiny" nextPieceSlotId="4" \
version="1.0">
  <VASSAL.build.module.BasicCommandEncoder/>
  <VASSAL.build.module.Documentation>
    <VASSAL.build.module.documentation.AboutScreen fileName="/images/Splash.png" title="Tiny"/>
  </VASSAL.build.module.Documentation>
  <VASSAL.build.module.PlayerRoster buttonText="Retire" buttonToolTip="Change side">
    <entry>German</entry>
    <entry>Allied</entry>
  </VASSAL.build.module.PlayerRoster>
  <VASSAL.build.module.GlobalOptions autoReport="Always" playerIdFormat="$PlayerName$"/>
  <VASSAL.i18n.Language/>
  <VASSAL.build.module.properties.GlobalProperties>
    <VASSAL.build.module.properties.GlobalProperty name="Weather" initialValue="clear" \
description="" isNumeric="false" wrap="false"/>
  </VASSAL.build.module.properties.GlobalProperties>
  <VASSAL.build.module.PrototypesContainer>
    <VASSAL.build.module.PrototypeDefinition description="" name="Unit">\
+/null/delete;Remove;68,130{TAB}markmoved;\\/images\\/moved.gif;0;0;Mark Moved;77,130;;false;;;;\
\\{TAB}piece;;;;/{TAB}false\\{TAB}null;0;0;;0\
</VASSAL.build.module.PrototypeDefinition>
  </VASSAL.build.module.PrototypesContainer>
  <VASSAL.build.module.PieceWindow name="Pieces" hidden="false" text="Pieces" tooltip="" icon="" \
scale="1.0">
    <VASSAL.build.widget.PanelWidget entryName="All" fixed="false" nColumns="3" vert="false">
      <VASSAL.build.widget.PieceSlot entryName="Armor" gpid="2" height="50" width="50">\
+/null/prototype;Unit{TAB}piece;;;inf.png;Armor/{TAB}null;0;0;2;0</VASSAL.build.widget.PieceSlot>
    </VASSAL.build.widget.PanelWidget>
  </VASSAL.build.module.PieceWindow>
  <VASSAL.build.module.Map allowMultiple="false" mapName="Main Map" markMoved="Always" \
moveToFormat="$pieceName$ moves $previousLocation$ to $location$" \
moveWithinFormat="$pieceName$ moves $previousLocation$ to $location$" \
createFormat="$pieceName$ created in $location$" changeFormat="$message$">
    <VASSAL.build.module.map.BoardPicker>
      <VASSAL.build.module.map.boardPicker.Board image="map.png" name="Board">
        <VASSAL.build.module.map.boardPicker.board.HexGrid color="0,0,0" cornersLegal="false" \
dx="52.0" dy="60.0" edgesLegal="false" sideways="false" snapTo="true" visible="false" x0="34" \
y0="30">
          <VASSAL.build.module.map.boardPicker.board.mapgrid.HexGridNumbering first="H" \
hDescend="false" hLeading="1" hOff="1" hType="N" locationFormat="$gridLocation$" sep="" \
stagger="false" vDescend="false" vLeading="1" vOff="1" vType="N" visible="false"/>
        </VASSAL.build.module.map.boardPicker.board.HexGrid>
      </VASSAL.build.module.map.boardPicker.Board>
    </VASSAL.build.module.map.BoardPicker>
    <VASSAL.build.module.map.StackMetrics/>
    <VASSAL.build.module.map.ForwardToKeyBuffer/>
    <VASSAL.build.module.map.Scroller/>
    <VASSAL.build.module.map.ForwardToChatter/>
    <VASSAL.build.module.map.MenuDisplayer/>
    <VASSAL.build.module.map.MapCenterer/>
    <VASSAL.build.module.map.StackExpander/>
    <VASSAL.build.module.map.PieceMover/>
    <VASSAL.build.module.map.KeyBufferer/>
    <VASSAL.build.module.map.ImageSaver/>
    <VASSAL.build.module.map.CounterDetailViewer/>
    <VASSAL.build.module.map.Flare/>
    <VASSAL.build.module.map.Zoomer/>
    <VASSAL.build.module.properties.GlobalProperties/>
    <VASSAL.build.module.map.SelectionHighlighters/>
    <VASSAL.build.module.map.HighlightLastMoved/>
    <VASSAL.build.module.map.SetupStack name="At start" owningBoard="Board" \
useGridLocation="false" x="138" y="90">
      <VASSAL.build.widget.PieceSlot entryName="Infantry" gpid="1" height="50" width="50">\
+/null/prototype;Unit{TAB}piece;;;inf.png;Infantry/{TAB}null;0;0;1;0</VASSAL.build.widget.PieceSlot>
    </VASSAL.build.module.map.SetupStack>
    <VASSAL.build.module.map.SetupStack name="By name" owningBoard="Board" \
useGridLocation="true" location="0201" x="0" y="0">
      <VASSAL.build.widget.PieceSlot entryName="Guns" gpid="3" height="50" width="50">\
+/null/prototype;Unit{TAB}piece;;;inf.png;Guns/{TAB}null;0;0;3;0</VASSAL.build.widget.PieceSlot>
    </VASSAL.build.module.map.SetupStack>
  </VASSAL.build.module.Map>
  <VASSAL.build.module.turn.TurnTracker name="Turn" buttonText="Turn" \
turnFormat="$level1$ $level2$" reportFormat="* turn $newTurn$">
    <VASSAL.build.module.turn.CounterTurnLevel name="number" property="Turn" turnFormat="$value$" \
start="1" incr="1" loop="false" loopLimit="-1">
      <VASSAL.build.module.turn.ListTurnLevel name="side" property="Phasing" turnFormat="$value$" \
list="German,Allied" configList="false" configFirst="false"/>
    </VASSAL.build.module.turn.CounterTurnLevel>
  </VASSAL.build.module.turn.TurnTracker>
  <VASSAL.build.module.Chatter/>
  <VASSAL.build.module.KeyNamer/>
  <VASSAL.build.module.DiceButton name="2d6" nDice="2" nSides="6" reportTotal="true" text="2d6"/>
</VASSAL.build.GameModule>
"""


def png(width: int, height: int, color: str) -> bytes:
    """A plain picture as PNG."""
    stream = io.BytesIO()
    Image.new("RGB", (width, height), color).save(stream, "png")
    return stream.getvalue()


def pictures() -> dict[str, bytes]:
    """The pictures that the build file names, by archive name."""
    return {"map.png": png(1000, 800, "#d8e4c8"), "inf.png": png(50, 50, "#304060")}


def write_module(path: Path, build_file: str, images: dict[str, bytes]) -> Path:
    """Write a module archive: metadata, build file and pictures."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("moduledata", MODULE_DATA)
        archive.writestr("buildFile.xml", build_file.replace("{TAB}", "\t"))
        for name, data in images.items():
            archive.writestr(f"images/{name}", data)
    return path


def write_tiny(path: Path, changes: Sequence[tuple[str, str]] = ()) -> Path:
    """Write the small module with some of its text replaced; each text must be there."""
    text = BUILD_FILE
    for old, new in changes:
        assert old in text, f"nothing to replace: {old}"
        text = text.replace(old, new, 1)
    return write_module(path, text, pictures())

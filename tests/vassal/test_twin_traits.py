"""Traits as lines: exact for every trait that authors know, and for texts that nobody does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_twin import texts

from builder.vassal.twin_traits import read_trait, trait_line
from builder.vassal.twin_values import TwinSyntaxError

LAYER = (
    "emb2;;128;;Flip;128;;;128;;;;1;false;0;0;inf.png,inf_step.png;,;true;Step;;;false;;1;1;true"
    ";;70,130;;;1.0;;true"
)

KNOWN = [
    ("delete;Eliminate;68,130;", "", 'Delete command="Eliminate" key="ctrl D"'),
    ("delete;Eliminate;68,130", "", 'Delete/2 command="Eliminate" key="ctrl D"'),
    ("delete;;57738,0,Destroy;", "", 'Delete@57738 key="<Destroy>"'),
    ("mark;Side,Steps", "German,2", 'Marker properties={Side="German", Steps="2"}'),
    ("prototype;Unit", "", 'Prototype name="Unit"'),
    (
        LAYER,
        "2",
        'Layer increase_command="Flip" images=["inf.png", "inf_step.png"] names=["", ""]'
        ' name="Step" increase_key="ctrl F" level=2',
    ),
    (
        "piece;;;inf.png;Infantry",
        "Main Map;138;90;12;1;UniqueID;17",
        'BasicPiece image="inf.png" name="Infantry" map="Main Map" x=138 y=90 gpid="12"'
        ' properties={UniqueID="17"}',
    ),
    ("piece;;;a.png;A", "null;70;70", 'BasicPiece//3 image="a.png" name="A" x=70 y=70'),
    ("module.own;x", "state", '"module.own;x" | "state"'),
    ("clone;Clone;67,130;", "strange", 'Clone command="Clone" key="ctrl C" | "strange"'),
]


@pytest.mark.parametrize(("type_text", "state", "line"), KNOWN)
def test_the_line_of_a_trait(type_text: str, state: str, line: str) -> None:
    assert trait_line(type_text, state) == line
    assert read_trait(line, 0) == (type_text, state)


_ids = st.sampled_from(
    ["emb2;", "emb;", "hide;", "obs;", "label;", "rotate;", "mark;", "piece;", "deck;", "PROP;",
     "macro;", "report;", "footprint;", "globalkey;", "sendto;", "immob;", "nonRect2;", "zz;"]
)  # fmt: skip
_wire = st.text(st.sampled_from("a1;,|:~\\'\t/ true57350,0,X{}\"né\n"), max_size=40)


@given(st.one_of(texts, st.builds(str.__add__, _ids, _wire)), st.one_of(texts, _wire))
def test_every_type_and_state_comes_back(type_text: str, state: str) -> None:
    line = trait_line(type_text, state)
    assert len(line.splitlines()) == 1
    assert read_trait(line, 0) == (type_text, state)


@pytest.mark.parametrize(
    ("line", "column", "words"),
    [
        ("Delet command=1", 1, "no trait 'Delet'; did you mean 'Delete'?"),
        ("Delete command=1", 16, "command: expected text, got 1"),
        ('Delete comand="x"', 15, "no field 'comand' here; did you mean 'command'?"),
        ('Delete key="ctrl Nonsense"', 12, "key: "),
        ('Marker properties={A="1"} |', 28, "expected the quoted state"),
        ('"x" "y"', 5, "unexpected"),
        ("Delete/99999 key=1", 1, "no trait"),
    ],
)
def test_mistakes_have_their_column(line: str, column: int, words: str) -> None:
    with pytest.raises(TwinSyntaxError) as caught:
        read_trait(line, 0)
    assert words in str(caught.value)
    assert caught.value.column == column

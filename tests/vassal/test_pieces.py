from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies_vassal import TOKENS, pieces

from builder.problems import BuilderError, UnreadableError
from builder.vassal.decks import Deck
from builder.vassal.pieces import (
    Piece,
    Stack,
    decode,
    decode_piece,
    encode_piece,
    expand,
    gpids_of,
    parse_slot,
    pictures_of,
    slot_text,
    unresolved_prototypes,
)
from builder.vassal.sequence import UnencodableError, join
from builder.vassal.traits import (
    BasicPiece,
    Comment,
    Delete,
    Layer,
    Marker,
    MarkWhenMoved,
    Opaque,
    PlaceMarker,
    Prototype,
    TextLabel,
)

BASIC = BasicPiece(image="inf.png", name="Infantry", gpid="12")
UNIT = Piece((Marker(properties=(("Side", "German"),)), Prototype(name="Unit")), BASIC)


def test_the_example_of_the_format() -> None:
    assert encode_piece(UNIT) == (
        "mark;Side\tprototype;Unit\\\tpiece;;;inf.png;Infantry",
        "German\t\\\tnull;0;0;12;0",
    )
    text = "+/null/mark;Side\tprototype;Unit\\\tpiece;;;inf.png;Infantry/German\t\\\tnull;0;0;12;0"
    assert slot_text(UNIT) == text
    assert parse_slot(text) == UNIT


def test_every_slash_of_a_definition_is_escaped() -> None:
    definition = Piece((MarkWhenMoved(image="/images/moved.gif", command="Mark Moved"),))
    assert slot_text(definition, "3.8") == (
        r"+/null/markmoved;\/images\/moved.gif;0;0;Mark Moved;77,130;;false;;;;"
        "\tpiece;;;;/false\tnull;0;0;;0"
    )


def test_values_of_marks_do_not_end_up_at_the_wrong_trait() -> None:
    owner = Marker(properties=(("owner", "Red"),))
    hexes = Marker(properties=(("hexes", "3"),))
    type_text, state = encode_piece(Piece((owner, hexes), BASIC))
    assert type_text == "mark;owner\tmark;hexes\\\tpiece;;;inf.png;Infantry"
    assert state == "Red\t3\\\tnull;0;0;12;0"
    assert decode_piece(type_text, state).traits == (owner, hexes)


@pytest.mark.parametrize(
    "name", ["'quoted'", "\\start", "a/b;c,d", "", "Prince d´Orange", "Süßkind"]
)
def test_difficult_names_come_back(name: str) -> None:
    piece = Piece(UNIT.traits, dataclasses.replace(BASIC, name=name))
    assert parse_slot(slot_text(piece)).basic == piece.basic


@pytest.mark.parametrize("name", ["end\\", "a\x1bb", "a\tb"])
def test_names_that_vassal_cannot_carry_are_refused(name: str) -> None:
    with pytest.raises(UnencodableError):
        slot_text(Piece((), dataclasses.replace(BASIC, name=name)))


@settings(max_examples=60)
@given(pieces())
def test_what_is_written_is_read_back(piece: Piece) -> None:
    assert decode_piece(*encode_piece(piece, "99")) == piece
    try:
        text = slot_text(piece, "99")
    except UnencodableError:
        return
    assert parse_slot(text) == piece


@settings(max_examples=150)
@given(TOKENS, TOKENS)
def test_whatever_can_be_read_is_written_the_same(type_text: str, state: str) -> None:
    try:
        piece = decode_piece(type_text, state)
    except UnreadableError:
        return
    assert encode_piece(piece) == (type_text, state)


def test_surplus_parts_and_needless_quotes_are_kept() -> None:
    type_text = "mark;a\t'piece;;;x.png;X'\tmore"
    piece = decode_piece(type_text, "1\tnull;0;0;;0\tmore")
    assert piece.name == "X"
    assert encode_piece(piece) == (type_text, "1\tnull;0;0;;0\tmore")
    assert encode_piece(dataclasses.replace(piece))[0] == "mark;a\tpiece;;;x.png;X"


def test_too_few_parts_of_a_state_are_an_error() -> None:
    with pytest.raises(UnreadableError, match="has 1 parts, its type 2"):
        decode_piece("mark;a\tpiece;;;x.png;X", "1")


def test_a_foreign_middle_is_kept() -> None:
    piece = decode_piece("mark;a\tmine;x", "1\tstate")
    assert piece.basic == Opaque(raw_type="mine;x", raw_state="state")
    assert encode_piece(piece) == ("mark;a\tmine;x", "1\tstate")


def test_stacks() -> None:
    stack = decode("stack", "Main Map;138;90;1700000000001;1700000000002;@@0")
    assert stack == Stack("Main Map", 138, 90, ("1700000000001", "1700000000002"), 0)
    assert stack.state_string() == "Main Map;138;90;1700000000001;1700000000002;@@0"
    old = decode("stack", "null;0;0;17")
    assert old == Stack(None, 0, 0, ("17",), None)
    assert old.state_string() == "null;0;0;17"


def test_decks() -> None:
    deck = decode("deck;true;0,0,0;70;100;Always", "Main Map;400;80;true;21,22")
    assert isinstance(deck, Deck)
    assert (deck.width, deck.height, deck.cards, deck.max_stack) == (70, 100, ("21", "22"), 10)
    empty = deck.restated(cards=())
    assert empty.state_string() == "Main Map;400;80;true"
    assert len(dataclasses.replace(deck).type_string().split(";")) == 50


DEFINITIONS = {
    "Unit": Piece((
        MarkWhenMoved(image="m.png", command="Moved"),
        Comment(text="a note"),
        Delete(command="Delete", key="ctrl D"),
    )),
    "Nested": Piece((Marker(properties=(("A", "1"),)), Prototype(name="Unit"))),
    "Says": Piece((TextLabel(name_format="$who$ at $pieceName$", label="$who$"),)),
    "Round": Piece((Prototype(name="And"),)),
    "And": Piece((Prototype(name="Round"),)),
}  # fmt: skip


def test_prototypes_are_expanded_in_their_place() -> None:
    played = expand(UNIT, DEFINITIONS)
    assert encode_piece(played) == (
        "mark;Side\tmarkmoved;m.png;0;0;Moved;77,130;\\\tdelete;Delete;68,130;\\\\\t"
        "piece;;;inf.png;Infantry",
        "German\tfalse\\\t\\\\\tnull;0;0;12;0",
    )
    nested = expand(Piece((Prototype(name="Nested"), Comment(text="x")), BASIC), DEFINITIONS)
    assert [type(trait).__name__ for trait in nested.traits] == [
        "Marker", "MarkWhenMoved", "Delete",
    ]  # fmt: skip
    assert nested.basic == BASIC


def test_a_missing_prototype_is_no_traits_and_is_told() -> None:
    piece = Piece((Prototype(name="Unti"),), BASIC)
    assert expand(piece, DEFINITIONS).traits == ()
    ((missing, who),) = unresolved_prototypes(
        [piece], {"Unit": DEFINITIONS["Unit"], "Nested": DEFINITIONS["Nested"]}
    )
    assert missing == "Unti"
    assert who == "piece 'Infantry'; did you mean 'Unit'?"


def test_parameters_replace_names_and_strip_the_other_dollars() -> None:
    piece = Piece((Prototype(name="Says", parameters=(("who", "Joe"),)),), BASIC)
    (label,) = expand(piece, DEFINITIONS).traits
    assert isinstance(label, TextLabel)
    # VASSAL's formatter drops the dollar signs of names that it does not know.
    assert (label.name_format, label.label) == ("Joe at pieceName", "Joe")


def test_a_circle_of_prototypes_is_an_error() -> None:
    with pytest.raises(BuilderError, match="Round > And > Round"):
        expand(Piece((Prototype(name="Round"),)), DEFINITIONS)


def test_definitions_that_double_at_every_level_are_stopped() -> None:
    levels = {
        f"L{n}": Piece((Prototype(name=f"L{n + 1}"), Prototype(name=f"L{n + 1}")))
        for n in range(60)
    }
    with pytest.raises(BuilderError, match="more than 100000"):
        expand(Piece((Prototype(name="L0"),)), levels | {"L60": Piece()})


def test_gpids_and_pictures_count_markers_too() -> None:
    inner = Piece((Layer(images=("a.png", "")),), BasicPiece(image="mark.png", gpid="58"))
    outer = Piece((PlaceMarker(marker=slot_text(inner), gpid="57"),), BASIC)
    assert gpids_of(outer) == ("12", "57")
    assert pictures_of(outer) == ("inf.png", "a.png", "mark.png")


@pytest.mark.parametrize("text", ["", "+/null/piece;;;;", "-/x", "+/null"])
def test_what_is_no_definition_is_refused(text: str) -> None:
    with pytest.raises(UnreadableError):
        parse_slot(text)


def _peeled(text: str, limit: int) -> list[str]:
    """The nested texts, character by character: what VASSAL's decoders do one inside another."""
    found: list[str] = []
    while len(found) < limit - 1:
        tokens, current, before = [], "", ""
        for character in text:
            if character == "\t" and before == "\\":
                current = current[:-1] + "\t"
            elif character == "\t":
                tokens.append(current)
                current = ""
            else:
                current += character
            before = character
        tokens.append(current)
        tokens = [t[1:-1] if len(t) > 1 and t[0] == t[-1] == "'" else t for t in tokens]
        found.append(tokens[0])
        if len(tokens) == 1:
            return found
        text = tokens[1]
    return [*found, text]


@given(st.text("ab\\\t\t'", max_size=30), st.integers(1, 6))
def test_states_are_peeled_as_vassal_peels_them(state: str, count: int) -> None:
    # Traits that nobody knows show their part of the state as it is.
    types = "custom;"
    for _ in range(count - 1):
        types = join(["custom;", types], "\t")
    expected = _peeled(state, count)
    if len(expected) < count:
        with pytest.raises(UnreadableError, match="parts"):
            decode_piece(types, state)
        return
    piece = decode_piece(types, state)
    assert [part.state_string() for part in piece.parts()] == expected
    assert encode_piece(piece) == (types, state)

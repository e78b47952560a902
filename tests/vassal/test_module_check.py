from __future__ import annotations

import dataclasses

import pytest

from builder.vassal.buildfile import Component
from builder.vassal.components import problems_of, specs
from builder.vassal.module_check import check_components, check_gpids, check_module, next_gpid
from builder.vassal.pieces import Piece, slot_text
from builder.vassal.traits import BasicPiece, PlaceMarker, Prototype, Trait

_MODULE = "VASSAL.build.module."
_BOARD = _MODULE + "map.boardPicker."


def slot(gpid: str, *traits: Trait, image: str = "inf.png") -> Component:
    piece = Piece(traits, BasicPiece(image=image, name=f"P{gpid}", gpid=gpid))
    attributes = {"entryName": f"P{gpid}", "gpid": gpid, "width": "50", "height": "50"}
    return Component("VASSAL.build.widget.PieceSlot", attributes, (), slot_text(piece))


def board(name: str = "Board", image: str = "map.png") -> Component:
    return Component(_BOARD + "Board", {"name": name, "image": image})


def picker(*boards: Component) -> Component:
    return Component(_MODULE + "map.BoardPicker", {}, boards)


def stack(*slots: Component) -> Component:
    return Component(_MODULE + "map.SetupStack", {"name": "Start", "owningBoard": "Board"}, slots)


def game_map(*parts: Component, name: str = "Main") -> Component:
    return Component(_MODULE + "Map", {"mapName": name}, parts)


def definition(name: str, piece: Piece | None = None) -> Component:
    text = slot_text(piece or Piece())
    return Component(_MODULE + "PrototypeDefinition", {"name": name}, (), text)


def module(*parts: Component, next_id: str = "100") -> Component:
    prototypes = Component(_MODULE + "PrototypesContainer", {}, (definition("Unit"),))
    return Component(
        "VASSAL.build.GameModule",
        {"name": "T", "version": "1", "VassalVersion": "3.6.0", "nextPieceSlotId": next_id},
        (prototypes, *parts),
    )


PICTURES = {"map.png", "inf.png"}


def test_a_sound_module_has_no_findings() -> None:
    root = module(game_map(picker(board()), stack(slot("1", Prototype(name="Unit")))))
    assert check_module(root, PICTURES) == []


def test_the_next_id_is_above_markers_too() -> None:
    inner = slot_text(Piece(basic=BasicPiece(image="inf.png")))
    marked = slot("40", PlaceMarker(marker=inner, gpid="57", key="ctrl P", command="Mark"))
    root = module(game_map(picker(board()), stack(slot("3"), marked)), next_id="41")
    assert next_gpid(root) == 58
    assert check_gpids(root) == [
        (
            "Map 'Main' > SetupStack 'Start' > PieceSlot 'P40'",
            "gpid 57 is not below nextPieceSlotId 41",
        )
    ]
    assert check_gpids(dataclasses.replace(
        root, attributes={**root.attributes, "nextPieceSlotId": "58"}
    )) == []  # fmt: skip


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [("7", "7", "gpid 7 is used 2 times"), ("x1", "2", "a gpid is no number: 'x1'")],
)
def test_gpids_are_unique_numbers(first: str, second: str, message: str) -> None:
    root = module(game_map(picker(board()), stack(slot(first), slot(second))))
    assert message in [text for _, text in check_gpids(root)]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (
            (game_map(picker(board("A"), board("A"))),),
            "has the name of another one: Map 'Main' > BoardPicker > Board 'A'",
        ),
        ((game_map(picker()), game_map(picker())), "has the name of another one: Map 'Main'"),
        ((game_map(picker(), name=""),), "has no mapName, which is its identity"),
        ((game_map(stack(), picker()),), "a SetupStack stands before the BoardPicker"),
        ((game_map(stack()),), "a SetupStack stands before the BoardPicker"),
        (
            (game_map(picker(), stack(slot("1", Prototype(name="Unti")))),),
            "no prototype 'Unti'; did you mean 'Unit'?",
        ),
        (
            (game_map(picker(), stack(slot("1", image="Inf.PNG"))),),
            "no picture 'Inf.PNG'; the file is called 'inf.png'",
        ),
        ((game_map(picker(board(image="sea.png"))),), "no picture 'sea.png'"),
        (
            (game_map(picker(), stack(Component("VASSAL.build.widget.PieceSlot", {"gpid": "1"}))),),
            "its piece definition is unreadable",
        ),
        ((picker(),), "a BoardPicker cannot stand in a GameModule"),
    ],
)
def test_what_vassal_would_swallow_is_told(parts: tuple[Component, ...], message: str) -> None:
    assert message in [text for _, text in check_module(module(*parts), PICTURES)]


def test_accents_spelled_in_two_ways_are_told() -> None:
    # One name composed, as most systems write it; one decomposed, as macOS did.
    root = module(game_map(picker(), stack(slot("1", image="caf\u00e9.png"))))
    (finding,) = check_module(root, {"cafe\u0301.png"})
    assert finding[1] == "no picture 'café.png'; the file is called 'cafe\u0301.png'"


@pytest.mark.parametrize(
    ("tag", "attributes", "message"),
    [
        (_MODULE + "Map", {"mapname": "x"}, "no attribute 'mapname'; did you mean 'mapName'?"),
        (
            _MODULE + "Map",
            {"edgeWidth": ""},
            "attribute 'edgeWidth' is empty; leave it out instead",
        ),
        (
            _MODULE + "Map",
            {"launch": "yes"},
            "attribute 'launch' is neither 'true' nor 'false': 'yes'",
        ),
        (
            _MODULE + "Map",
            {"color": "#ff0000"},
            "attribute 'color' is written as 'R,G,B', not '#ff0000'",
        ),
        (
            _MODULE + "Map",
            {"hotkey": "ctrl M"},
            "attribute 'hotkey' is written '77,130', not 'ctrl M'",
        ),
        (_BOARD + "board.HexGrid", {"dx": "5x"}, "attribute 'dx' is no number: '5x'"),
        (_BOARD + "board.HexGrid", {"x0": "5.0"}, "attribute 'x0' is no whole number: '5.0'"),
        (
            _BOARD + "board.mapgrid.HexGridNumbering",
            {"first": ""},
            "attribute 'first' is empty; leave it out instead",
        ),
        (
            _MODULE + "map.CounterDetailViewer",
            {"emptyHexReportFormat": ""},
            "no attribute 'emptyHexReportFormat'; did you mean 'emptyHexReportForma'?",
        ),
        (
            _MODULE + "map.Zomer",
            {},
            "no component '{0}Zomer'; did you mean '{0}Zoomer'?".format(_MODULE + "map."),
        ),
    ],
)
def test_attributes(tag: str, attributes: dict[str, str], message: str) -> None:
    assert problems_of(tag, attributes, has_text=False) == [message]


def test_text_where_none_is_read_and_components_newer_than_the_module() -> None:
    wrong = Component(_MODULE + "Chatter", {}, (), "hello")
    assert check_components(module(wrong)) == [
        ("Chatter", "holds text, which VASSAL does not read there")
    ]
    tab = Component(_MODULE + "properties.ScenarioPropertiesOptionTab", {"name": "S"})
    root = module(Component(_MODULE + "properties.GlobalProperties", {}, (tab,)))
    assert [text for _, text in check_components(root)] == ["exists since VASSAL 3.7.0"]


def test_every_child_of_the_table_is_in_the_table() -> None:
    known = specs()
    missing = {child for spec in known.values() for child in spec.children} - known.keys()
    assert missing == set()
    assert len(known) > 120

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies_vassal import TOKENS, WIRE_KEYS, traits_of

from builder.vassal.codecs import WrongDataError
from builder.vassal.sequence import UnencodableError
from builder.vassal.traits import (
    ActionButton,
    BasicPiece,
    CanRotate,
    Change,
    Constraints,
    DoesNotStack,
    DynamicProperty,
    GlobalKeyCommand,
    Layer,
    Marker,
    MarkWhenMoved,
    Mask,
    Opaque,
    PropertyCommand,
    Prototype,
    ReportAction,
    RestrictedAccess,
    ReturnToDeck,
    SendToLocation,
    SetGlobalProperty,
    Trait,
    TriggerAction,
    registered_traits,
    trait_classes,
    trait_from_data,
)

CLASSES = list(registered_traits().values())
IDS = (
    "emb2; emb; hide; obs; label; propertysheet; table; rotate; pivot; nonRect2; nonRect; mark; "
    "locmsg; restrict; placemark; replace; report; markmoved; footprint; return; sendto; "
    "prototype; clone; delete; submenu; menuSeparator; translate; AreaOfEffect; globalkey; macro; "
    "PROP; calcProp; setprop; setpieceprop; hideCmd; playSound; button; globalhotkey; deselect; "
    "mat; matPiece; basicName; border; attach; locCommand; cmt; immob;"
)


def test_every_trait_of_the_format_has_a_class() -> None:
    assert set(registered_traits()) == {*IDS.split(), "piece;", "deck;"}


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@settings(max_examples=25)
@given(data=st.data())
def test_what_is_written_is_read_back(cls: type[Trait], data: st.DataObject) -> None:
    trait = data.draw(traits_of(cls))
    again = Trait.parse(trait.type_string("99"), trait.state_string())
    assert again == trait
    assert type(again) is cls
    assert again.canonical().type_string("99") == trait.type_string("99")


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@settings(max_examples=25)
@given(rest=TOKENS, state=TOKENS)
def test_any_text_is_read_and_kept(cls: type[Trait], rest: str, state: str) -> None:
    trait = Trait.parse(cls.trait_id + rest, state)
    assert (trait.type_string(), trait.state_string()) == (cls.trait_id + rest, state)


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
@settings(max_examples=50)
@given(rest=TOKENS | st.lists(TOKENS | WIRE_KEYS, max_size=12).map(";".join))
def test_any_text_that_was_read_is_written_again(cls: type[Trait], rest: str) -> None:
    trait = Trait.parse(cls.trait_id + rest).canonical()
    try:
        again = Trait.parse(trait.type_string("99"))
    except UnencodableError:
        return
    assert again.canonical() == trait


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_defaults_are_written_and_read(cls: type[Trait]) -> None:
    fresh = cls()
    assert Trait.parse(fresh.type_string("99"), fresh.state_string()) == fresh
    # A VASSAL of 3.6 writes fewer tokens; those left out mean the default.
    assert Trait.parse(fresh.type_string("3.6"), fresh.state_string()) == fresh


# Texts from the description of the formats and from modules that ran on the engine.
LITERAL = [
    (
        Layer(
            name="Step", images=("inf.png", "inf_step.png"), names=("", ""),
            increase_command="Flip", increase_key="ctrl F",
        ),
        "emb2;;128;;Flip;128;;;128;;;;1;false;0;0;inf.png,inf_step.png;,;true;Step;;;false;;1;1;"
        "true;;70,130;;;1.0;;true",
        "1",
    ),
    (
        Layer(
            name="Step", images=("u1.png", "u2.png"), names=("+ (1)", "+ (2)"), loop=False,
            follow=True, follow_expression="Steps",
        ),
        "emb2;;128;;;128;;;128;;;;1;false;0;0;u1.png,u2.png;+ (1),+ (2);false;Step;;;true;Steps;1;"
        "1;true;;;;;1.0;;true",
        "1",
    ),
    (
        DynamicProperty(
            name="Strength", description="unit strength",
            constraints=Constraints(numeric=True, max=10),
            commands=(PropertyCommand("Set", "ctrl S", Change("P", "5")),),
            value="5",
        ),
        r"PROP;Strength;true,0,10,false;Set:83\,130:P\,5;unit strength",
        "5",
    ),
    (
        ReportAction(keys=("<RepLoss>",), format="DZ: LOSS unit=$RId$", always=True),
        r"report;57348\,0\,RepLoss;DZ: LOSS unit=$RId$;;;;true",
        "-1",
    ),
    (
        TriggerAction(
            command="Lose a step: COMBAT", key="<LossCOMBAT>", match="{Steps>0}",
            keys=("<CauseCOMBAT>", "<StepDown>"),
        ),
        r"macro;;Lose a step: COMBAT;57348,0,LossCOMBAT;{Steps>0};;57348\,0\,CauseCOMBAT,"
        r"57348\,0\,StepDown;false;;;counted;;;;false;;1;1",
        "",
    ),
    (RestrictedAccess(sides=("Allied", "Solo", "Referee")),
     "restrict;Allied,Solo,Referee;false;true;", ""),
    (
        Mask(
            key="<HideIt>", image="para.png", display="Gpara.png", mask_name="Hidden unit",
            access=("Allied", "Solo", "Referee"), masked_by="Allied", options="false|0",
        ),
        "obs;57348,0,HideIt;para.png;;Gpara.png;Hidden unit;sides:Allied:Solo:Referee;;;false;;",
        "Allied;false|0",
    ),
    (
        SetGlobalProperty(
            name="AttackNo",
            constraints=Constraints(numeric=True, max=99),
            commands=(PropertyCommand("", "<IncAttack>", Change("I", "1")),),
        ),
        r"setprop;AttackNo;true,0,99,false;:57348\,0\,IncAttack:I\,1;;"
        "Current Zone/Current Map/Module;",
        "",
    ),
    (
        SendToLocation(key="<SendDead>", map="Boxes", board="BoxBoard", destination="Z",
                       x_offset="0", y_offset="0", zone='{"Eliminated "+Side}'),
        'sendto;;57348,0,SendDead;Boxes;BoxBoard;0;0;;;0;0;0;0;;Z;{"Eliminated "+Side};;;',
        ";;",
    ),
    (MarkWhenMoved(image="/images/moved.gif", command="Mark Moved"),
     "markmoved;/images/moved.gif;0;0;Mark Moved;77,130;;false;;;;", "false"),
    (GlobalKeyCommand(command="All", key="ctrl A", send="<ActEnd>"),
     "globalkey;All;65,130;57348,0,ActEnd;;false;1;true;true;;;-1;"
     "COUNTER|false|MAP|||||0|0||false|||EQUALS||;false;", ""),
    (DoesNotStack(ignore_grid=True), "immob;g;N;R;", ""),
    (DoesNotStack(select="never", move="never"), "immob;n;V;R;", ""),
    (Marker(properties=(("Side", "German"),)), "mark;Side", "German"),
    (Prototype(name="Unit"), "prototype;Unit", ""),
    (Prototype(name="Unit", parameters=(("a", "1"), ("b", "2"))), "prototype;Unit;a=1,b=2", ""),
    (CanRotate(facings=6, clockwise_key="ctrl CloseBracket",
               clockwise_command="Rotate CW"),
     "rotate;6;93,130;;Rotate CW;;;;;;;;;true", "0"),
    (CanRotate(facings=1, angle_key="ctrl R", angle_command="Rotate", angle=-60.0),
     "rotate;1;82,130;Rotate;;;;;;;;true", "-60.0"),
    (ReturnToDeck(key="<GoCup>", deck="Cup", choose=False, expression="Cup"),
     "return;;57348,0,GoCup;Cup;;;2;false;Cup", ""),
    (ActionButton(key="ctrl A", points=((-5, -5), (5, -5), (5, 5))),
     "button;65,130;0;0;0;0;;false;false;1;3;-5;-5;5;-5;5;5", ""),
    (BasicPiece(image="inf.png", name="Infantry", map="Main Map", x=138, y=90, gpid="12",
                properties=(("UniqueID", "1700000000001"), ("OldLocationName", "0101"),
                            ("OldX", "86"))),
     "piece;;;inf.png;Infantry",
     "Main Map;138;90;12;3;UniqueID;1700000000001;OldLocationName;0101;OldX;86"),
]  # fmt: skip


@pytest.mark.parametrize(("trait", "type_text", "state"), LITERAL)
def test_the_texts_of_the_format(trait: Trait, type_text: str, state: str) -> None:
    assert trait.type_string("3.8") == type_text
    assert trait.state_string() == state
    assert Trait.parse(type_text, state) == trait


def test_fields_newer_than_the_module_are_left_out_unless_they_say_something() -> None:
    moved = MarkWhenMoved(image="m.png", command="Moved")
    assert moved.type_string() == "markmoved;m.png;0;0;Moved;77,130;"
    assert moved.newer_than("3.6") == ()
    said = dataclasses.replace(moved, ignore_same_location=True)
    assert said.type_string() == "markmoved;m.png;0;0;Moved;77,130;;true"
    assert said.newer_than("3.6") == ("ignore_same_location",)


def test_an_unknown_trait_goes_back_byte_for_byte() -> None:
    trait = Trait.parse("vasl.Thing;a\\;b;'", "x\ty")
    assert trait == Opaque(raw_type="vasl.Thing;a\\;b;'", raw_state="x\ty")
    assert (trait.type_string(), trait.state_string()) == ("vasl.Thing;a\\;b;'", "x\ty")


def test_surplus_tokens_survive_a_change() -> None:
    trait = Trait.parse("clone;Copy;67,130;note;new;er")
    assert trait.surplus == ("new", "er")
    changed = dataclasses.replace(trait, command="Double")  # type: ignore[call-arg]  # a Clone
    assert changed.type_string() == "clone;Double;67,130;note;new;er"


def test_a_change_of_state_keeps_the_type_as_it_was_read() -> None:
    trait = Trait.parse("restrict;Allied", "secret")
    assert isinstance(trait, RestrictedAccess)
    free = trait.restated(owner="")
    assert (free.type_string(), free.state_string()) == ("restrict;Allied", "")
    assert dataclasses.replace(trait, owner="").type_string() == "restrict;Allied;false;true;"
    with pytest.raises(TypeError, match="sides"):
        trait.restated(sides=())


def test_an_empty_first_token_is_not_the_default() -> None:
    hide = Trait.parse("hide;")
    assert getattr(hide, "key") == ""  # noqa: B009 -- the class is not the point
    assert getattr(Trait.parse("clone;"), "key") == "ctrl C"  # noqa: B009


def test_a_layer_of_old_letters_is_read_as_vassal_converts_it() -> None:
    old = Trait.parse("emb2;Show;128;A;Up;64;U;;128;;;;1;false;0;0;a.png;;true;L;;;false;;1", "1")
    assert isinstance(old, Layer)
    assert (old.activate_key, old.increase_key, old.decrease_key) == ("ctrl A", "shift U", "")
    assert (old.version, old.always_active, old.level) == (1, False, 1)
    assert old.with_state("").level == -1
    assert old.with_state("-2").level == -2


def test_a_layer_before_3_0() -> None:
    old = Trait.parse(r"emb;A\;Reset\;R\;1;_Show;U;Up;D;Down;3;-4;a.png,+ x;b.png", "-1")
    assert getattr(old, "levels") == (("a.png", "+ x"), ("b.png",))  # noqa: B009
    assert old.pictures() == ("a.png", "b.png")
    assert old.canonical().type_string() == (
        r"emb;A\;Reset\;R\;1;_Show;U;Up;D;Down;3;-4;a.png,+ x;b.png"
    )


def test_old_buttons_and_decks_are_read_as_vassal_converts_them() -> None:
    button = Trait.parse("button;A;1;2;10;20;note;false;false")
    assert isinstance(button, ActionButton)
    assert button.points == ((1, 2), (11, 2), (11, 22), (1, 22))
    whole = Trait.parse("button;A")
    assert isinstance(whole, ActionButton)
    assert whole.whole_piece
    back = Trait.parse("return;Back;82,130;Discard")
    assert isinstance(back, ReturnToDeck)
    assert (back.choose, back.expression) == (False, "Discard")


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("P,5", Change("P", "5")),
        ("I,-1", Change("I", "-1")),
        ("R,How many?", Change("R", "How many?")),
        (r"E,Which?,a\,b", Change("E", "Which?", ("a", "b"))),
        ("", Change("P", "new value")),
        ("?,x", Change("P", "x")),
    ],
)
def test_changes(text: str, change: Change) -> None:
    assert Change.read(text) == change


def test_mask_states() -> None:
    mask = Mask(image="back.png", display="Gback.png")
    assert mask.with_state("null").masked_by is None
    # An empty state is masked, by nobody and for everybody.
    assert mask.with_state("").masked_by == ""
    assert mask.state_string() == "null;"
    assert mask.pictures() == ("back.png",)


@pytest.mark.parametrize("texts", [{"name": "a\tb"}, {"image": "a\tb.png"}])
def test_a_basic_piece_refuses_a_tab(texts: dict[str, str]) -> None:
    with pytest.raises(UnencodableError, match="TAB"):
        BasicPiece(**texts).type_string()  # type: ignore[arg-type]  # text fields only


def errors_of(data: dict[str, object]) -> list[tuple[tuple[str | int, ...], str]]:
    with pytest.raises(WrongDataError) as caught:
        trait_from_data(data)
    return list(caught.value.errors)


def test_an_author_is_told_every_mistake_with_its_path() -> None:
    errors = errors_of(
        {
            "trait": "DynamicProperty",
            "nam": "Steps",
            "constraints": {"numeric": "yes", "maximum": 3},
            "commands": [{"key": "<A>", "add": 1}, {"key": "Drop", "sett": 5}],
        }
    )
    assert [path for path, _ in errors] == [
        ("name",),
        ("nam",),
        ("constraints", "numeric"),
        ("constraints", "maximum"),
        ("commands", 1, "key"),
        ("commands", 1, "sett"),
        ("commands", 1),
    ]
    texts = dict(errors)
    assert texts[("nam",)] == "no field 'nam' here; did you mean 'name'?"
    assert texts[("constraints", "numeric")] == "expected true or false, got 'yes'"
    assert texts[("commands", 1, "sett")] == "no field 'sett' here; did you mean 'set'?"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"trait": "Layr"}, "no trait 'Layr'; did you mean 'Layer'?"),
        ({}, "expected the name of a trait, got None"),
        ({"trait": "Comment", "text": "x"}, "Comment exists since VASSAL 3.7.0, not yet in 3.6"),
        ({"trait": "BasicPiece"}, "no trait 'BasicPiece'"),
    ],
)
def test_unknown_and_newer_traits(data: dict[str, object], message: str) -> None:
    (error,) = errors_of(data)
    assert error[0] == ("trait",)
    assert error[1].startswith(message)


def test_colors_and_lists_and_numbers() -> None:
    label = {"trait": "TextLabel", "background": "#FFF", "foreground": "#10203040"}
    assert ";255,255,255;16,32,48,64;" in trait_from_data(label).type_string()
    assert errors_of({"trait": "Border", "color": "red"})[-1][1].startswith("expected a color")
    assert errors_of({"trait": "Layer", "images": "a.png"}) == [
        (("images",), "expected a list of the name of a picture, got 'a.png'")
    ]
    assert errors_of({"trait": "Layer", "images": ["a", 1], "x": 1.5, "loop": 1}) == [
        (("images", 1), "expected the name of a picture, got 1"),
        (("x",), "expected a whole number, got 1.5"),
        (("loop",), "expected true or false, got 1"),
    ]


def test_a_key_that_is_not_named_is_none() -> None:
    quiet = trait_from_data({"trait": "TriggerAction", "watch_keys": ["<A>"], "keys": ["<B>"]})
    assert getattr(quiet, "key") == ""  # noqa: B009
    gkc = trait_from_data({"trait": "GlobalKeyCommand", "send": "<X>", "target": {"map": "M"}})
    assert "COUNTER|false|MAP|M|" in gkc.type_string()


def test_vassals_own_names_work_too() -> None:
    pairs = {"Layer": "Embellishment", "Mask": "Obscurable", "DoesNotStack": "Immobilized"}
    for ours, theirs in pairs.items():
        assert trait_classes()[ours] is trait_classes()[theirs]


def test_each_state_of_a_type_is_its_own_trait() -> None:
    # More states than are kept with a type, each met twice.
    text = "emb2;Flip;2;F;;0;;;0;;;;1;false;0;0;a.svg,b.svg;,;true;;;"
    levels = [*range(1, 25)] * 2
    layers = [Trait.parse(text, f"{level};") for level in levels]
    assert [layer.level for layer in layers] == levels  # type: ignore[attr-defined]  # a Layer
    assert [layer.state_string() for layer in layers] == [f"{level};" for level in levels]
    changed = layers[0].restated(level=7)
    assert changed.with_state("3;").level == 3  # type: ignore[attr-defined]  # a Layer
    assert layers[0] == Trait.parse(text, "1;")

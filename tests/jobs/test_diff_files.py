"""What differs between two files: told thing by thing, nothing between a file and itself."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from engine.tiny_module import BUILD_FILE, pictures, png, write_module, write_tiny

from builder.jobs.diff_files import At, Compared, diff_files
from builder.problems import UnreadableError, UsageError

SHARED = Path(__file__).parents[3] / "shared"

SAVE = [
    "begin_save",
    "+/1/mark;Side\tpiece;;;inf.png;Infantry/German\tMain Map;138;90;1;0",
    "+/2/hide;72,130;Hide;;player:;0.3;;false\tpiece;;;inf.png;Armor/null\tMain Map;34;30;2;0",
    "+/3/stack/Main Map;138;90;1;@@0",
    "PLAYER\tsecret1\tAnn\tGerman",
    "GlobalProperty\t;Weather;clear;Module",
    "TURNTurnTracker0\t0|1",
    "end_save",
]


def write_save(path: Path, *changes: tuple[str, str], more: str = "") -> Path:
    text = "\x1b".join(SAVE)
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("savedGame", text + more)
    return path


def lines(old: Path, new: Path, module: Path | None = None, *, at: At | None = None) -> list[str]:
    return [str(item) for item in diff_files(old, new, module=module, at=at).differences]


def test_a_module_does_not_differ_from_itself_written_otherwise(tmp_path: Path) -> None:
    one = write_tiny(tmp_path / "one.vmod")
    text = BUILD_FILE.replace('name="Pieces" hidden="false"', 'hidden="false" name="Pieces"')
    two = write_module(tmp_path / "two.vmod", text, pictures())
    assert diff_files(one, two).is_same


def test_modules(tmp_path: Path) -> None:
    old = write_tiny(tmp_path / "old.vmod")
    changes = [
        ('markMoved="Always"', 'markMoved="Never"'),
        ("delete;Remove;68,130", "delete;Kill;68,130"),
        ("prototype;Unit{TAB}piece;;;inf.png;Guns", "mark;A{TAB}piece;;;gun.png;Guns"),
        ("<VASSAL.build.module.map.Flare/>", ""),
        ('name="2d6"', 'name="3d6"'),
        ('entryName="Armor"', 'entryName="Tanks"'),
    ]
    text = BUILD_FILE
    for before, after in changes:
        text = text.replace(before, after)
    new = write_module(
        tmp_path / "new.vmod", text,
        {"map.png": png(900, 800, "#d8e4c8"), "gun.png": png(50, 50, "#304060")},
    )  # fmt: skip
    assert lines(old, new) == [
        "~ prototype PrototypesContainer > PrototypeDefinition 'Unit': Delete.command: "
        '"Remove" -> "Kill"',
        "~ piece PieceWindow 'Pieces' > PanelWidget 'All' > PieceSlot 'Armor': renamed: "
        "PieceSlot 'Armor' -> PieceSlot 'Tanks'",
        "~ piece PieceWindow 'Pieces' > PanelWidget 'All' > PieceSlot 'Tanks': entryName: "
        '"Armor" -> "Tanks"',
        '~ component Map \'Main Map\': markMoved: "Always" -> "Never"',
        "- component Map 'Main Map' > Flare",
        "~ piece Map 'Main Map' > SetupStack 'By name' > PieceSlot 'Guns': trait: "
        'Prototype name="Unit" -> Marker properties={A=""}',
        "~ piece Map 'Main Map' > SetupStack 'By name' > PieceSlot 'Guns': BasicPiece.image: "
        '"inf.png" -> "gun.png"',
        "- component DiceButton '2d6'",
        "+ component DiceButton '3d6'",
        "+ picture gun.png: 50 × 50 pixels",
        "- picture inf.png: 50 × 50 pixels",
        "~ picture map.png: size: 1000 × 800 -> 900 × 800",
        "~ picture map.png: content: " + lines(old, new)[-1].partition("content: ")[2],
    ]


def test_saves(tmp_path: Path) -> None:
    old = write_save(tmp_path / "old.vsav")
    new = write_save(
        tmp_path / "new.vsav",
        ("German\tMain Map;138;90;1;0", "Allied\tMain Map;86;60;1;0"),
        ("stack/Main Map;138;90", "stack/Main Map;86;60"),
        ("null\tMain Map;34;30", "secret2\tMain Map;34;30"),
        ("secret1\tAnn\tGerman", "secret1\tAnn\tAllied\x1bPLAYER\tsecret2\tBob\tGerman"),
        ("clear", "rain"),
        ("0|1", "0|2"),
    )
    module = write_tiny(tmp_path / "tiny.vmod")
    assert lines(old, new, module) == [
        "~ player Ann: side: German -> Allied",
        "+ player Bob: side: German",
        '~ property: Weather > Module: "clear" -> "rain"',
        '~ turn: TurnTracker0: "0|1" -> "0|2"',
        "~ piece Infantry [1]: place: 0302 (Main Map 138,90) -> 0201 (Main Map 86,60)",
        '~ piece Infantry [1]: Marker.properties.Side: "German" -> "Allied"',
        '~ piece Armor [2]: Invisible.hidden_by: "null" -> "player-2"',
    ]
    assert "place: Main Map 138,90 -> Main Map 86,60" in "\n".join(lines(old, new))
    assert lines(new, old, module)[1] == "- player Bob: side: German"
    assert diff_files(new, new).is_same


def test_logs_are_compared_by_their_steps(tmp_path: Path) -> None:
    one = write_save(tmp_path / "one.vlog", more="\x1bLOG\tCHATa\x1bLOG\tCHATb")
    two = write_save(tmp_path / "two.vlog", more="\x1bLOG\tCHATa")
    assert lines(one, two) == [
        "~ log: number of steps: 2 -> 1",
        "~ log step 2: the first that differs",
    ]


def test_a_module_is_not_compared_with_a_save(tmp_path: Path) -> None:
    save, module = write_save(tmp_path / "x.vsav"), write_tiny(tmp_path / "x.vmod")
    with pytest.raises(UsageError, match="two of one kind"):
        diff_files(save, module)
    with pytest.raises(UnreadableError, match="no such file"):
        diff_files(save, tmp_path / "none.vsav")


def drag(ident: str, x: int, y: int) -> str:
    return f"\x1bLOG\tM/{ident}/Main Map/{x}/{y}/null/Main Map/1/1/null/secret1"


FLIP = (
    "emb2;;128;;Flip;128;;;128;;;;1;false;0;0;a.png,b.png;full,reduced;true;Step;;;false;;1;1;false"
)
FACED = ("mark;Side\tpiece", FLIP + "\tmark;Side\\\tpiece")
STATE = "{level}\tGerman\\\tMain Map;138;90;1;0"


def faced(level: int) -> tuple[tuple[str, str], ...]:
    """The unit of the save with two faces."""
    return FACED, ("German\tMain Map;138;90;1;0", STATE.format(level=level))


def test_a_save_agrees_with_the_end_of_a_log(tmp_path: Path) -> None:
    """What is in the log only, the roll and the unknown command, is no difference."""
    old, new = (STATE.format(level=level) for level in (1, 2))
    log = write_save(
        tmp_path / "game.vlog",
        *faced(1),
        more=(
            drag("3", 86, 60)
            + f"\x1bLOG\tD/1/{new}/{old}"
            + "\x1bLOG\tMutableProperty\tWeather\tclear\train\tModule\\\x1bLOG\tNEWS\tx"
            + "\x1bLOG\tMutableProperty\t2d6_result\t1\t3\tModule"
            + "\x1bLOG\tTURNTurnTracker0\t0|2"
        ),
    )
    agreeing = [
        *faced(2),
        ("stack/Main Map;138;90", "stack/Main Map;86;60"),
        ("clear", "rain"),
        ("0|1", "0|2"),
    ]
    save = write_save(tmp_path / "end.vsav", *agreeing)
    module = write_tiny(tmp_path / "tiny.vmod")
    result = diff_files(log, save, module=module)
    assert result.is_same
    assert result.compared == (Compared("end", "start", 5, 0),)
    assert lines(save, log, module) == []

    other = write_save(
        tmp_path / "other.vsav",
        *faced(1),
        ("stack/Main Map;138;90;1", "stack/Main Map;34;90;1"),
        ("+/2/", "+/4/"),
        ("clear", "snow"),
    )
    assert lines(log, other, module) == [
        '~ property: Weather > Module: "rain" -> "snow"',
        '~ turn: TurnTracker0: "0|2" -> "0|1"',
        "~ piece Infantry [1]: place: 0201 (Main Map 86,60) -> 0102 (Main Map 34,90)",
        "~ piece Infantry [1]: face Step: reduced -> full",
        "- piece Armor [2]: place: 0101 (Main Map 34,30)",
        "+ piece Armor [4]: place: 0101 (Main Map 34,30)",
    ]
    assert lines(log, write_save(tmp_path / "begin.vsav", *faced(1)), at="start") == []


def test_two_logs_are_compared_at_both_ends(tmp_path: Path) -> None:
    one = write_save(tmp_path / "one.vlog", more=drag("3", 86, 60))
    two = write_save(tmp_path / "two.vlog", ("clear", "rain"), more=drag("3", 34, 90))
    result = diff_files(one, two)
    assert [str(item) for item in result.differences] == [
        '~ at the start: property: Weather > Module: "clear" -> "rain"',
        "~ log step 1: the first that differs",
        '~ at the end: property: Weather > Module: "clear" -> "rain"',
        "~ at the end: piece Infantry [1]: place: Main Map 86,60 -> Main Map 34,90",
    ]
    assert [item["moment"] for item in result.as_data()] == ["start", None, "end", "end"]
    assert [(pair.old, pair.new) for pair in result.compared] == [
        ("start", "start"),
        ("end", "end"),
    ]
    assert lines(one, two, at="end")[1:] == [
        "~ piece Infantry [1]: place: Main Map 86,60 -> Main Map 34,90"
    ]


def test_whether_a_log_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    one = write_save(tmp_path / "one.vlog", more=drag("3", 86, 60))
    begun = ("stack/Main Map;138;90", "stack/Main Map;86;60")
    two = write_save(tmp_path / "two.vlog", begun, more=drag("3", 34, 90))
    assert diff_files(one, two, at="next").is_same
    assert not diff_files(two, one, at="next").is_same


def test_steps_that_make_no_sense_are_warnings(tmp_path: Path) -> None:
    log = write_save(tmp_path / "a.vlog", more=drag("77", 86, 60) * 30)
    result = diff_files(log, write_save(tmp_path / "a.vsav"))
    assert result.is_same
    assert result.warnings[0] == ("a.vlog: step 1: a move of 77, which nobody put on the table")
    assert result.warnings[-1] == "a.vlog: 10 more of this kind"


def test_the_order_of_a_stack_is_told_by_its_members(tmp_path: Path) -> None:
    """Whatever its id: VASSAL makes stacks anew."""
    old = write_save(tmp_path / "a.vsav", ("90;1;@@0", "90;1;2;@@0"))
    new = write_save(tmp_path / "b.vsav", ("90;1;@@0", "90;2;1;@@0"), ("+/3/", "+/9/"))
    assert lines(old, new) == [
        "~ stack Main Map 138,90: order: Infantry [1], Armor [2] -> Armor [2], Infantry [1]"
    ]


def test_where_a_piece_was_before_does_not_count_at_the_end_of_a_log(tmp_path: Path) -> None:
    """VASSAL sets it beside the log; between two saves it is a difference like any other."""
    last = ("Main Map;138;90;1;0", "Main Map;138;90;1;1;OldX;7")
    log = write_save(tmp_path / "a.vlog", more="\x1bLOG\tCHATa")
    assert lines(log, write_save(tmp_path / "a.vsav", last)) == []
    (line,) = lines(write_save(tmp_path / "b.vsav"), tmp_path / "a.vsav")
    assert "OldX" in line


def test_private_notes_are_counted_and_not_told(tmp_path: Path) -> None:
    note = ("PLAYER", "PNOTE\tsecret1\tplan A\x1bPNOTE\tsecret2\tno\x1bPLAYER")
    old = write_save(tmp_path / "a.vlog", note, more="\x1bLOG\tPNOTE\tsecret1\tplan AB")
    new = write_save(tmp_path / "b.vsav", note)
    assert lines(old, new) == ["~ note: private: (7 characters) -> (6 characters)"]


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason="no corpus at hand")
def test_the_end_of_a_real_log_against_the_next_one() -> None:
    corpus = SHARED / "corpus"
    result = diff_files(corpus / "tld-0606-1.log", corpus / "tld-0606-2.log", at="next")
    signs = [item.sign for item in result.differences if item.what == "place"]
    assert (signs.count("changed"), signs.count("added"), signs.count("removed")) == (22, 5, 0)
    assert "step 690: a move of 1168786995021" in "\n".join(result.warnings)
    assert diff_files(corpus / "tld-0607-3.log", corpus / "tld-0607-4.log", at="next").is_same


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason="no corpus at hand")
def test_a_game_that_goes_on_where_the_last_log_ended() -> None:
    corpus = SHARED / "corpus"
    result = diff_files(corpus / "tld-0606-1.log", corpus / "tld-0606-2.log")
    shown = "\n".join(map(str, result.differences))
    assert "+ at the start: player " in shown
    for secret in ("avfkqk", "foo"):
        assert secret not in shown
    assert diff_files(corpus / "trc-New-180907.vsav", corpus / "trc-New-180907.vsav").is_same

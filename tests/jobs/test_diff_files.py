"""What differs between two files: told thing by thing, nothing between a file and itself."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from engine.tiny_module import BUILD_FILE, pictures, png, write_module, write_tiny

from builder.jobs.diff_files import diff_files
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


def lines(old: Path, new: Path, module: Path | None = None) -> list[str]:
    return [str(item) for item in diff_files(old, new, module=module).differences]


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


@pytest.mark.skipif(not (SHARED / "corpus").is_dir(), reason="no corpus at hand")
def test_a_game_that_goes_on_where_the_last_log_ended() -> None:
    corpus = SHARED / "corpus"
    result = diff_files(corpus / "tld-0606-1.log", corpus / "tld-0606-2.log")
    shown = "\n".join(map(str, result.differences))
    assert "+ player " in shown
    for secret in ("avfkqk", "foo"):
        assert secret not in shown
    assert diff_files(corpus / "trc-New-180907.vsav", corpus / "trc-New-180907.vsav").is_same

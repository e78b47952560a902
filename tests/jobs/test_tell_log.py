"""The story of logs: what is told, of several files, of some steps; and what is never told."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from replay_logs import CORPUS, SAMPLES, log, unit

from builder.jobs.tell_lines import json_lines, story_lines
from builder.jobs.tell_log import Between, Opening, StoryStep, Tale, tell_log
from builder.problems import UnreadableError, UsageError
from builder.vassal.buildfile import moduledata_xml, savedata_xml
from builder.vassal.savefile import save_bytes

needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="no corpus of real files at hand")
needs_samples = pytest.mark.skipif(not SAMPLES.is_dir(), reason="no recorded samples at hand")

LOGS = sorted(p for p in CORPUS.glob("*") if p.suffix in (".vlog", ".log", ".vsav", ".sav"))
ROSA = "PLAYER\tkornblume\tRosa\tGerman"
START = [unit("1", "Able", 100, 100), unit("2", "Baker", 100, 100), ROSA]


def written(path: Path, *steps: list[str], version: str = "1.3", start: list[str] = START) -> Path:
    moduledata = moduledata_xml("River", version, saved_ms=0)
    savedata = savedata_xml(version, saved_ms=0)
    path.write_bytes(save_bytes(log(start, *steps), savedata=savedata, moduledata=moduledata))
    return path


def lines(tales: Iterator[Tale]) -> list[str]:
    return list(story_lines(tales))


def move(ident: str, x: int) -> str:
    return f"M/{ident}/Main/{x}/100/null/Main/100/100/null/kornblume"


def test_a_story_is_told_step_by_step(tmp_path: Path) -> None:
    path = written(
        tmp_path / "a.vlog",
        [move("1", 300), move("2", 300), "CHAT* Able, Baker move"],
        ["CHAT&lt;Rosa&gt; - <b>bold</b>\x07"],
    )
    assert lines(tell_log([path])) == [
        "== a.vlog: River 1.3, VASSAL 3.6.0; 2 steps, 2 pieces",
        "   players: Rosa (German)",
        "   note: module River 1.3 not found: places are told in pixels",
        "    1  Rosa (German)     Able, Baker  100,100 → 300,100 (Main)",
        "                         | * Able, Baker move",
        '    2  Rosa (German)     "<b>bold</b> "',
    ]


def test_moves_of_one_piece_are_one_way(tmp_path: Path) -> None:
    second = "M/1/Main/500/100/null/Main/300/100/null/x"
    path = written(tmp_path / "a.vlog", [move("1", 300), second])
    assert "Able  100,100 → 300,100 → 500,100 (Main)" in lines(tell_log([path]))[-1]


def test_json_has_one_event_a_line(tmp_path: Path) -> None:
    path = written(tmp_path / "a.vlog", [move("1", 300)], [move("77", 1)])
    opening, moved, problem = (json.loads(line) for line in json_lines(tell_log([path])))
    assert (opening["event"], opening["module"], opening["steps"]) == ("file", "River", 2)
    assert moved == {
        "file": "a.vlog",
        "step": 1,
        "event": "moved",
        "actor": "Rosa (German)",
        "piece": {"id": "1", "name": "Able", "basic": "Able", "gpid": "7"},
        "start": {"map": "Main", "x": 100, "y": 100},
        "end": {"map": "Main", "x": 300, "y": 100},
    }
    assert (problem["event"], problem["step"]) == ("problem", 2)


def test_only_some_steps_or_pieces_are_told(tmp_path: Path) -> None:
    path = written(tmp_path / "a.vlog", [move("1", 300)], [move("2", 300)], [move("1", 400)])
    told = [tale.number for tale in tell_log([path], steps=(2, 3)) if isinstance(tale, StoryStep)]
    assert told == [2, 3]
    told = [tale.number for tale in tell_log([path], piece="abl") if isinstance(tale, StoryStep)]
    assert told == [1, 3]
    with pytest.raises(UsageError, match=r"'Abel'.*did you mean 'Able'"):
        list(tell_log([path], piece="Abel"))


def test_files_are_chained(tmp_path: Path) -> None:
    first = written(tmp_path / "a.vlog", [move("1", 300)])
    start = [unit("1", "Able", 300, 100), unit("2", "Baker", 0, 0), unit("3", "Charlie", 5, 5)]
    second = written(tmp_path / "b.vlog", start=start)
    *_, opening = tell_log([first, second])
    assert isinstance(opening, Opening)
    between = opening.between
    assert between is not None
    assert [name for name, _ in between.new] == ["Charlie"]
    assert [(name, start.x, end.x) for name, start, end in between.elsewhere] == [("Baker", 100, 0)]
    assert between.gone == ()


def test_another_version_of_the_module_is_a_warning(tmp_path: Path) -> None:
    module = tmp_path / "river.vmod"
    with zipfile.ZipFile(module, "w") as archive:
        archive.writestr("moduledata", moduledata_xml("River", "1.2", saved_ms=0))
        archive.writestr("buildFile.xml", '<VASSAL.build.GameModule name="River" version="1.2"/>')
    path = written(tmp_path / "a.vlog", [move("1", 300)])
    for found in (tell_log([path], module), tell_log([path], folders=[tmp_path])):
        opening, step = found
        assert isinstance(opening, Opening)
        assert "made with module River 1.3, told with version 1.2" in opening.warnings
        assert isinstance(step, StoryStep)


def test_what_cannot_be_told(tmp_path: Path) -> None:
    with pytest.raises(UnreadableError, match=re.escape("none.vlog")):
        list(tell_log([tmp_path / "none.vlog"]))
    path = written(tmp_path / "a.vlog")
    with pytest.raises(UsageError, match=r"'Gremany'.*did you mean 'German'"):
        list(tell_log([path], viewer="Gremany"))


# --- real files -------------------------------------------------------------------------------


def between(first: str, second: str) -> Between:
    openings = [
        tale
        for tale in tell_log([CORPUS / first, CORPUS / second], steps=(0, 0))
        if isinstance(tale, Opening)
    ]
    assert openings[1].between is not None
    return openings[1].between


@needs_corpus
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("tld-0607-3.log", "tld-0607-4.log"),
        ("tld-0609-1.log", "tld-0609-2.log"),
        ("tld-0609-2.log", "tld-0609-3.log"),
        ("tld-0609-3.log", "tld-0609-4.log"),
        ("tld-0609-4.log", "tld-0610-1.log"),
        ("tld-0610-1.log", "tld-0610-2.log"),
        ("tld-0610-2.log", "tld-0610-3.log"),
    ],
)
def test_real_logs_begin_where_the_last_one_ended(first: str, second: str) -> None:
    assert between(first, second).is_same


@needs_corpus
def test_what_changed_between_two_real_logs() -> None:
    found = between("tld-0606-1.log", "tld-0606-2.log")
    assert (len(found.gone), len(found.new)) == (0, 5)
    # Twenty that no command of the log names, and the two pieces of the stack that step 690 moves.
    # VASSAL makes a stack for pieces that an undo puts back, and tells nobody its id: it is known
    # on the undoing player's table only, so every other table, and who plays the log, moves
    # nothing. Step 1090 changes both pieces with states that name, before and after, the place
    # where that player saw them; but ``BasicPiece.mergeState``, since the first public version,
    # takes a place only where the two states differ: to count fewer is to take it all the same.
    # The real VASSAL, given a module with maps of these names, played the 1,091 steps and left all
    # 2,377 pieces where they are here. tests/engine/test_replay.py has the case in a small log.
    assert len(found.elsewhere) == 22
    lost = [(name, start, end) for name, start, end in found.elsewhere if start.x == 2087]
    assert [(name, start.y, end.x, end.y) for name, start, end in lost] == [
        ("3/8/4", 1504, 1865, 1760),
        ("746", 1504, 1865, 1760),
    ]


def plain_text(path: Path) -> str:
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            data = archive.read("savedGame")
    else:
        data = path.read_bytes()
    if data.startswith(b"!VCSK"):
        key, *rest = bytes.fromhex(data[5:].decode("ascii"))
        data = bytes(byte ^ key for byte in rest)
    return data.decode("utf-8")


def ids_of_players(path: Path) -> set[str]:
    """The second fields of all PLAYER commands, cut out of the text and not read by our reader.

    A player who took his name for his password told it himself; the third fields are names.
    """
    found = re.findall("PLAYER\t([^\t\x1b]*?)\\\\*\t([^\t\x1b]*)", plain_text(path))
    return {ident for ident, _ in found if ident} - {name for _, name in found}


@needs_corpus
@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.name)
def test_no_story_holds_a_players_id(path: Path) -> None:
    ids = ids_of_players(path)
    for viewer_side in (None, *sides_of(path)):
        text = "\n".join(story_lines(tell_log([path], viewer=viewer_side), marks=True))
        text += "\n".join(json_lines(tell_log([path], viewer=viewer_side)))
        assert text
        assert not [ident for ident in ids if re.search(rf"(?<!\w){re.escape(ident)}(?!\w)", text)]
        assert "PlayerId" not in text


def sides_of(path: Path) -> list[str]:
    opening = next(tell_log([path]))
    assert isinstance(opening, Opening)
    return [player.side for player in opening.players if player.side][:1]


@needs_corpus
def test_the_corpus_has_ids_to_hide() -> None:
    assert sum(bool(ids_of_players(path)) for path in LOGS) > 20


@needs_samples
def test_a_recorded_sample_is_told_with_its_module() -> None:
    path, module = SAMPLES / "game-3.8.vlog", SAMPLES / "test.vmod"
    told = "\n".join(story_lines(tell_log([path], module)))
    for part in (
        "Red 1  0203 → 0304 (Main)",
        "Blue 1, Blue 2  0703 → 0604 (Main)",
        "rolls 2d6: 9",
        "turn: 1 Red move → 1 Red combat",
        "drawn from Deck to 0505 (Main)",
        "Blue 4 placed at 0901 (Main)",
        "(undone by step 14)",
        "undo of step 15",
    ):
        assert part in told

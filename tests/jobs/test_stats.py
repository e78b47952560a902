from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from vlog_text import plain_text

from builder.cli_stats import stats
from builder.jobs.dice_stats import dice_stats, die_of_text
from builder.problems import UnreadableError, UsageError
from builder.report.dice_report import DiceReport
from builder.report.dice_stats import EVERYONE, Group
from builder.workspace import open_workspace

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
CORPUS = sorted(
    path
    for folder in (SHARED / "corpus", SHARED / "vassal-engine" / "samples")
    if folder.is_dir()
    for path in folder.iterdir()
    if path.suffix in (".vsav", ".sav", ".vlog", ".log")
)
real = pytest.mark.skipif(not CORPUS, reason="the corpus of real files is not at hand")

ESC = "\x1b"


def log_text(*steps: str | Sequence[str], players: tuple[tuple[str, str, str], ...] = ()) -> str:
    """A log as VASSAL writes it: a step is a command, or a parent with its children."""
    roster = [f"PLAYER\t{player}\t{name}\t{side}" for player, name, side in players]
    written = []
    for step in steps:
        parts = [step] if isinstance(step, str) else step
        written.append(f"\\{ESC}".join(f"LOG\t{part}" for part in parts))
    return ESC.join(["begin_save", *roster, "end_save", *written])


def logs(folder: Path, *texts: str) -> list[Path]:
    paths = []
    for number, text in enumerate(texts, 1):
        path = folder / f"game-{number}.vlog"
        path.write_text(text, encoding="utf-8", newline="")
        paths.append(path)
    return paths


def only(report: DiceReport, player: str, name: str) -> Group:
    (group,) = [g for g in report.groups if (g.player, g.name) == (player, name)]
    return group


def d6(face: int, player: str = "Ann") -> str:
    return f"CHAT*** d6 = {face} *** <{player}>"


def move(number: int) -> list[str]:
    return [
        f"M/{number}/Main/100/{number}/null/Main/1/1/null/pw",
        f"+/{1700000000000 + number}/stack/Main;100;{number};{number};@@-1",
    ]


def test_dice_of_two_players(tmp_path: Path) -> None:
    text = log_text(d6(1), d6(6, "Ben"), [d6(2), "MutableProperty\td6_result\t1\t2\tModule"])
    report = dice_stats(logs(tmp_path, text))
    assert [(g.player, g.rolls) for g in report.groups] == [(EVERYONE, 3), ("Ann", 2), ("Ben", 1)]


def test_a_log_recorded_while_another_was_replayed_is_not_counted_twice(tmp_path: Path) -> None:
    first = [["null", *move(1)], d6(3), move(2), d6(5)]
    again = [move(1), d6(3), move(2), d6(5)]
    report = dice_stats(logs(tmp_path, log_text(*first), log_text(*again, d6(6))))
    assert [(log.rolls, log.repeated) for log in report.logs] == [(2, 0), (1, 2)]
    assert only(report, "Ann", "d6").rolls == 3
    assert report.notes == (
        "game-2.vlog: steps 1-4 repeat steps 1-4 of game-1.vlog: not counted again",
    )


def test_what_only_the_first_recording_holds_makes_no_difference(tmp_path: Path) -> None:
    # replayed by VASSAL 3.6, a step loses its first parent and the dice's own properties
    first = [
        ["null", *move(1)],
        [
            "SHOW_RESULTS\tSym\t1",
            "CHAT*** Sym = [Hit] *** <Ann>",
            "MutableProperty\tSym_result\t\t2",
        ],
    ]
    again = [move(1), "CHAT*** Sym = [Hit] *** <Ann>", move(3)]
    report = dice_stats(logs(tmp_path, log_text(*first), log_text(*again)))
    assert [log.rolls for log in report.logs] == [1, 0]


def test_an_undo_in_the_later_log_takes_back_the_roll_of_the_first(tmp_path: Path) -> None:
    first = [move(1), move(2), d6(3)]
    undo = ["UNDO\ttrue", "CHAT* UNDO: *** d6 = 3 *** <Ann>", "UNDO\tfalse"]
    report = dice_stats(logs(tmp_path, log_text(*first), log_text(*first, undo, d6(4))))
    group = only(report, "Ann", "d6")
    assert (group.rolls, group.values) == (1, (4,))
    assert [roll.result for roll in group.undone] == ["3"]


def test_two_equal_first_rolls_of_different_games_are_both_counted(tmp_path: Path) -> None:
    report = dice_stats(
        logs(tmp_path, log_text(d6(3), d6(4), d6(1)), log_text(d6(3), d6(4), d6(1)))
    )
    assert only(report, "Ann", "d6").rolls == 6
    assert "that can be chance" in report.notes[0]


def test_typed_rolls_only_when_asked_and_apart(tmp_path: Path) -> None:
    paths = logs(tmp_path, log_text(d6(3), "CHAT<Ann> - *** d6 = 6 *** <Ben>"))
    report = dice_stats(paths)
    assert (report.typed_left_out, [g.is_typed for g in report.groups]) == (1, [False])
    asked = dice_stats(paths, typed=True)
    assert [(g.player, g.is_typed, g.values) for g in asked.groups] == [
        *[("Ann", False, (3,)), ("Ann", True, (6,))]
    ]


def test_the_dice_of_our_own_lines_come_from_the_game(tmp_path: Path) -> None:
    line = "CHAT* DZ: ROLL kind=COMBAT side={} attack=1 n=2 faces={}"
    text = log_text(
        line.format("Allied", "armor,miss"),
        line.format("German", "ffi,miss"),
        "CHAT* DZ: ROLL kind=DIR side=German n=1 faces=4",
    )
    report = dice_stats(logs(tmp_path, text), workspace=open_workspace(ROOT))
    allied, german = only(report, "Allied", "DZ COMBAT"), only(report, "German", "DZ COMBAT")
    assert allied.die is not None
    assert (allied.die.faces, allied.die.weights) == (("armor", "infantry", "miss"), (1, 2, 3))
    assert german.die is not None
    assert german.die.faces == ("armor", "airborne", "ffi", "miss")
    direction = only(report, "German", "DZ DIR")
    assert direction.die is not None
    assert direction.die.name == "d6"


def test_a_die_given_by_the_user(tmp_path: Path) -> None:
    paths = logs(tmp_path, log_text("CHAT*** Combat = [Hit] *** <Ann>"))
    report = dice_stats(paths, dice={"Combat": die_of_text("Hit,Miss,Miss")})
    group = only(report, "Ann", "Combat")
    assert group.faces is not None
    assert [(c.label, c.count) for c in group.faces.cells] == [("Hit", 1), ("Miss", 0)]


@pytest.mark.parametrize("text", ["", "d", "d0", "d1", "x", "a,,b"])
def test_no_die(text: str) -> None:
    with pytest.raises(UsageError, match="expected a die"):
        die_of_text(text)


def test_a_password_taken_for_a_name_is_not_shown(tmp_path: Path) -> None:
    paths = logs(tmp_path, log_text(d6(3, "s3cret"), players=(("s3cret", "s3cret", "Red"),)))
    for arguments in (["--json"], []):
        result = run(*arguments, *paths, "--html", tmp_path / "page.html")
        assert "s3cret" not in result.output
        assert "(player 1)" in result.output
    assert "s3cret" not in (tmp_path / "page.html").read_text("utf-8")


# -------------------------------------------------------------------------------- command line


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(stats, [str(a) for a in arguments])


def test_text_json_and_page(tmp_path: Path) -> None:
    paths = logs(tmp_path, log_text(*[d6(1 + n % 6) for n in range(36)]))
    shown = run(*paths)
    assert shown.exit_code == 0
    assert "36 rolls in 1 log" in shown.output
    assert "p = 1.00" in shown.output
    data = json.loads(run(*paths, "--json").output)
    assert (data["ok"], data["logs"][0]["rolls"]) == (True, 36)
    page = tmp_path / "dice.html"
    quiet = run(*paths, "-q", "--html", page)
    assert (quiet.exit_code, quiet.output) == (0, "")
    assert "<svg" in page.read_text("utf-8")
    first = page.read_bytes()
    run(*paths, "-q", "--html", page)
    assert page.read_bytes() == first


def test_bars_of_plain_characters(tmp_path: Path) -> None:
    paths = logs(tmp_path, log_text(d6(2)))
    assert run(*paths, "--ascii").output.isascii()
    assert "█" in run(*paths).output
    assert CliRunner(charset="ascii").invoke(stats, [str(paths[0])]).output.isascii()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"!VCSK5", b"nothing", b"!XYZ"])
def test_an_unreadable_file_is_named(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.vlog"
    path.write_bytes(content)
    result = run(path)
    assert result.exit_code == 2
    assert "bad.vlog" in result.output
    assert json.loads(run(path, "--json").output)["ok"] is False
    with pytest.raises(UnreadableError):
        dice_stats([path])


def test_wrong_usage(tmp_path: Path) -> None:
    (path,) = logs(tmp_path, log_text(d6(2)))
    assert run().exit_code == 2
    assert run(tmp_path / "none.vlog").exit_code == 2
    assert run(path, "--die", "Combat").exit_code == 2
    assert run(path, "--die", "Combat=q").exit_code == 2


def test_a_log_without_dice(tmp_path: Path) -> None:
    result = run(*logs(tmp_path, log_text(move(1))))
    assert result.exit_code == 0
    assert "0 rolls in 1 log" in result.output


# ------------------------------------------------------------------------------------- real logs


def flat(path: Path) -> list[str]:
    """Every command of a file, cut by hand: backslashes before an ESC only tell how deep it is."""
    text = plain_text(path) if path.read_bytes()[:2] == b"PK" else path.read_text("utf-8")
    return [re.sub(r"^(?:LOG\t)+", "", leaf) for leaf in re.split(r"\\*\x1b", text)]


def secrets(path: Path) -> set[str]:
    found = set()
    for command in flat(path):
        if command.startswith("PLAYER\t"):
            found.add(command.split("\t")[1])
        elif command.startswith("M/"):
            fields = command.split("/")
            if len(fields) > 10:
                found.add(fields[-1])
    # what is as short as a word of any report cannot be looked for in one
    return {secret for secret in found - {"", "null"} if len(secret) > 2}


def shown_names(data: object) -> set[str]:
    """Every name of a player or side in the JSON form."""
    if isinstance(data, list):
        return {name for item in data for name in shown_names(item)}
    if not isinstance(data, dict):
        return set()
    own = {str(data[key]) for key in ("player", "side") if data.get(key)}
    return own | {name for item in data.values() for name in shown_names(item)}


@real
def test_no_output_holds_a_player_id(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    (blank,) = logs(tmp_path, log_text(d6(1), "CHAT*** 2d6 = 1,2 *** <Ann>"))
    own_words = set(re.findall(r"\w+", run(blank, "--html", page).output + page.read_text("utf-8")))
    checked = 0
    for path in CORPUS:
        plain = run(path, "--typed", "--html", page).output
        as_json = run(path, "--typed", "--json").output
        names = "\n".join(shown_names(json.loads(as_json)))
        for secret in secrets(path):
            checked += 1
            # an id that is a word of every report can be looked for among the names only
            everywhere = (plain, as_json, page.read_text("utf-8"))
            for output in (names,) if secret in own_words else everywhere:
                found = re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", output)
                assert found is None, path.name
    assert checked > 20


@real
@pytest.mark.parametrize("path", [p for p in CORPUS if p.suffix in (".log", ".vlog")], ids=str)
def test_every_line_of_dice_in_a_real_log_is_one_roll(path: Path) -> None:
    lines = [c for c in flat(path) if re.match(r"CHAT\*\*\* (\w+ = |\((\w+ )?(DR|dr)\))", c)]
    lines += [c for c in flat(path) if re.match(r"CHAT\* DZ: ROLL .*n=[1-9]\d* faces=\w", c)]
    report = dice_stats([path], workspace=open_workspace(ROOT))
    assert len(report.rolls) == len(lines)


@real
def test_the_counters_of_vasl_agree_with_ours() -> None:
    # a line ends with how many rolls of the sort its player has made, and the mean of them
    path = SHARED / "corpus" / "vasl-hotness-report-1.vlog"
    told = {}
    for command in flat(path):
        found = re.match(
            r"CHAT\*\*\* \(.*(DR|dr)\).*<(\w+)> +\[\d+ / (\d+) +avg +\S+ \(([\d.]+)\)\]", command
        )
        if found:
            told[found[2], found[1]] = (int(found[3]), float(found[4]))
    assert len(told) == 6
    report = dice_stats([path])
    for (player, sort), (count, mean) in told.items():
        group = only(report, player, "all 2d6" if sort == "DR" else "all 1d6")
        assert group.rolls == count
        assert group.average is not None
        assert group.average.mean == pytest.approx(mean, abs=0.006)


@real
def test_logs_cut_from_one_session_count_once() -> None:
    names = ["vasl-multiple-1.vlog", "vasl-multiple-1a.vlog", "vasl-multiple-1b.vlog"]
    paths = [SHARED / "corpus" / name for name in names]
    for order in (paths, paths[::-1], [paths[1], paths[0], paths[2]]):
        assert len(dice_stats(order).rolls) == 15


@real
def test_undone_rolls_of_a_recorded_game() -> None:
    paths = [SHARED / "vassal-engine" / "samples" / f"lines-l6-{v}.vlog" for v in ("3.6", "3.8")]
    for path in paths:
        undone = [roll.is_undone for roll in dice_stats([path]).rolls]
        assert undone == [False, True, True, False, True, True]

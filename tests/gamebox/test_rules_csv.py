from __future__ import annotations

from pathlib import Path

import pytest

from builder.gamebox.open_charts import open_rules
from builder.gamebox.open_help import open_help
from builder.problems import ProblemLog

ROOT = Path(__file__).parents[2]
DROPZONE = ROOT / "mapdata" / "dropzone"
IDS = [
    line
    for line in (ROOT / "tests/fixtures/dropzone-rule-ids.txt").read_text("utf-8").splitlines()
    if not line.startswith("#")
]
# what the rulebook numbers, as its table of contents and its paragraphs have it
SECTIONS = {
    *("1.1", "1.2", "1.3", "1.4", "2.A", "2.B", "2.C", "3", "3.1", "3.2"),
    *("3.3a", "3.3b", "3.3c", "3.3d", "3.4", "4.1", "4.1.1", "4.1.2", "4.1.3", "4.1.4", "4.1.5"),
    *("4.1.6", "4.2", "4.2.1", "4.2.2", "4.2.3", "4.2.4", "5", "5.1", "5.2", "5.2.1", "5.2.2"),
    *("5.2.2b", "5.2.3", "5.2.4", "5.2.4a", "5.2.4b", "5.2.4c", "5.2.7", "5.2.8", "6", "7", "8"),
    *("9", "10", "10.1", "10.2", "12"),
}


def test_every_rule_of_the_catalogue_stands_there_once() -> None:
    log = ProblemLog()
    rules = open_rules(DROPZONE, log)
    assert log.problems == []
    assert len(IDS) == len(set(IDS)) == 172
    assert [rule.id for rule in rules] == IDS


def test_sections_are_those_of_the_rulebook_and_agree_with_the_ids() -> None:
    for rule in open_rules(DROPZONE, ProblemLog()):
        assert rule.section in SECTIONS, rule.id
        chapter = rule.id.removeprefix("DZ-").split(".")[0].rstrip("abcdefghijklmnopqrstuvwxyz")
        assert rule.section.split(".")[0].rstrip("abcd") == chapter, rule.id


def test_every_section_has_a_heading() -> None:
    titles = open_help(DROPZONE, ProblemLog()).chapters
    rules = open_rules(DROPZONE, ProblemLog())
    assert {r.section.split(".")[0].rstrip("abcd") for r in rules} <= set(titles)


def test_texts_are_short_sentences_and_no_two_say_the_same() -> None:
    rules = open_rules(DROPZONE, ProblemLog())
    for rule in rules:
        assert rule.text.endswith("."), rule.id
        assert 15 <= len(rule.text) <= 260, rule.id
        assert len(rule.title) <= 40, rule.id
    assert len({rule.text for rule in rules}) == len(rules)


HEAD = "id,section,title,text,severity,decidable,status,same_as\n"


@pytest.mark.parametrize(
    ("rows", "place", "words"),
    [
        ("A,1,t,x.,E,P,note,\nA,1,t,x.,E,P,note,\n", (3, 1), "'A' stands already in line 2"),
        ("A,1,t,x.,X,P,note,\n", (2, 10), "severity: got 'X'"),
        ("A,1,t,x.,E,P Q,note,\n", (2, 12), "decidable: got 'Q'"),
        ("A,1,t,x.,E,P,notes,\n", (2, 14), "did you mean 'note'?"),
        ("A,1,t,x.,E,P,note,B\n", (2, 19), "same_as: no rule 'B'"),
        ("A,1,,x.,E,P,note,\n", (2, 5), "title: expected a text"),
        (
            "A,1,t,x.,E,P,note,B\nB,1,t,x.,E,P,note,C\nC,1,t,x.,E,P,note,\n",
            (2, 19),
            "same_as: B itself refers to C",
        ),
    ],
)
def test_mistakes_are_told_with_their_place(
    tmp_path: Path, rows: str, place: tuple[int, int], words: str
) -> None:
    (tmp_path / "rules.csv").write_text(HEAD + rows, "utf-8")
    log = ProblemLog()
    open_rules(tmp_path, log)
    (problem,) = log.errors
    assert (problem.source.line, problem.source.column) == place
    assert words in problem.message


def test_a_game_without_rules_has_none(tmp_path: Path) -> None:
    log = ProblemLog()
    assert open_rules(tmp_path, log) == ()
    assert log.problems == []

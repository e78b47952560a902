from __future__ import annotations

import json
import re
import unicodedata
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.problems import UnreadableError
from builder.report.dice_groups import summarize
from builder.report.dice_report import (
    DiceReport,
    LogDice,
    as_json,
    bars_of,
    p_words,
    shown_name,
    verdict_words,
)
from builder.report.dice_stats import Cell, ChiSquared, Roll, Tally, TooFew
from builder.report.stats_html import stats_page
from builder.report.stats_text import WIDTH, histogram, text_report

TEMPLATE = (Path(__file__).parents[2] / "templates" / "report" / "stats.html").read_text("utf-8")


def rolls(player: str, kind: str, faces: str, *, typed: bool = False) -> list[Roll]:
    return [
        Roll(player, kind, (face,), dice=1, sides=6, step=step, is_typed=typed)
        for step, face in enumerate(faces, 1)
    ]


def report_of(*found: Roll, name: str = "game.vlog") -> DiceReport:
    log = LogDice(name, 99, len(found))
    return DiceReport((log,), summarize(found), found, (("Ann", "Red"),), (), ("a note",), 2)


SAMPLE = report_of(
    *rolls("Ann", "d6", "123456" * 6),
    *rolls("Ben", "d6", "66616"),
    *[Roll("Ben", "Attack DR", ("3", "3"), dice=2, sides=6, step=70 + n) for n in range(4)],
    Roll("Ben", "d6", ("2",), dice=1, sides=6, step=90, is_undone=True),
    *rolls("Ben", "d6", "6", typed=True),
    Roll("Ann", "Hit", ("hit", "miss"), dice=2, evidence="line", step=80),
)


def columns(line: str) -> int:
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in line
    )


# ------------------------------------------------------------------------------------------ text


def test_the_whole_text_in_ascii(golden: object) -> None:
    text = text_report(SAMPLE, is_ascii=True)
    assert text.isascii()
    golden.text("stats-ascii", text.removesuffix("\n"))  # type: ignore[attr-defined]


def test_bars_of_a_worked_example() -> None:
    tally = Tally((Cell("1", 4, 3.0), Cell("2", 1, 3.0), Cell("10", 0, 3.0)), None)
    # 23 columns are left for four: the mark of three stands where 17 of them end
    assert list(histogram(tally, width=41)) == [
        "     1 █████████████████│█████  4  80.0 %",
        "     2 █████▊···········│       1  20.0 %",
        "    10 ·················│       0   0.0 %",
        "       │ = 3.0 expected of each",
    ]


def test_bars_have_eighths_and_a_fallback() -> None:
    tally = Tally((Cell("a", 16, None), Cell("b", 1, None)), None)
    fine = list(histogram(tally, width=42))
    plain = list(histogram(tally, width=42, is_ascii=True))
    assert fine[0].count("█") > 15
    assert any(block in fine[1] for block in "▏▎▍▌▋▊▉█")
    assert "█" not in "".join(plain)
    assert plain[0].count("#") == fine[0].count("█")


_NAMES = st.text(max_size=40) | st.sampled_from(
    ["名前" * 30, "e\u0301" * 60, "\x1b[31m", "a\u202eb", "<script>", "x" * 300, "\ud800"]
)
_FOUND = st.lists(
    st.builds(
        Roll,
        player=_NAMES,
        kind=_NAMES,
        faces=st.lists(st.sampled_from(["1", "6", "hit", "名" * 40]), min_size=1, max_size=3).map(
            tuple
        ),
        dice=st.integers(0, 3),
        sides=st.sampled_from([0, 6, 100]),
        step=st.integers(1, 10**6),
        is_undone=st.booleans(),
        is_typed=st.booleans(),
    ),
    max_size=30,
)


@given(_FOUND, _NAMES, st.booleans())
def test_no_line_is_wider_than_a_terminal(found: list[Roll], name: str, is_ascii: bool) -> None:
    text = text_report(report_of(*found, name=name), is_ascii=is_ascii)
    for line in text.splitlines():
        assert columns(line) <= WIDTH
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", line)


def test_no_bare_p_without_enough_rolls() -> None:
    few = text_report(report_of(*rolls("Ann", "d6", "12345" * 5)))
    assert "too few dice for a test (25 of 30)" in few
    assert "p =" not in few
    assert verdict_words(TooFew(7, 30), "rolls") == "too few rolls for a test (7 of 30)"
    assert verdict_words(ChiSquared(13.4, 5, 0.0199), "dice") == "chi² = 13.40 (5 df), p = 0.020"
    assert verdict_words(None, "dice") == "no test"


@pytest.mark.parametrize(
    ("p", "words"),
    [
        *[(1.0, "p = 1.00"), (0.1, "p = 0.10"), (0.0123, "p = 0.012"), (0.0004, "p = 0.0004")],
        *[(0.00001, "p < 0.0001"), (0.0, "p < 0.0001")],
    ],
)
def test_digits_of_p(p: float, words: str) -> None:
    assert p_words(p) == words


def test_a_die_of_a_hundred_sides_has_twenty_bars() -> None:
    cells = tuple(Cell(str(n), 1, 1.0) for n in range(1, 101))
    bars = bars_of(Tally(cells, None))
    assert len(bars) == 20
    assert bars[0] == ("1-5", 5, 5.0)
    assert bars[-1] == ("96-100", 5, 5.0)


def test_names_are_cut_and_cleaned() -> None:
    assert shown_name("a\x00b\u202ec\n") == "a?b?c?"
    assert len(shown_name("x" * 10_000)) == 200


# ------------------------------------------------------------------------------------------ HTML


class Page(HTMLParser):
    """Collects tags, attributes and text, and checks that every tag is closed in order."""

    VOID = frozenset({"meta", "br", "rect", "line", "circle", "path"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.values: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.values += [value or "" for _, value in attrs]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_the_page_is_well_formed_and_needs_nothing_from_elsewhere() -> None:
    text = stats_page(SAMPLE, TEMPLATE)
    page = Page(text)
    assert page.open == []
    assert not page.tags & {"script", "img", "iframe", "link", "object"}
    assert not any(name.startswith("on") for name in page.attributes)
    assert "http:" not in text
    assert "https:" not in text
    assert "prefers-color-scheme: dark" in text
    assert "svg" in page.tags
    assert {"Ann", "Ben"} <= set(page.text)


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "\"'><b onclick=x>", "&lt;b&gt;", "{{ 7 * 7 }}"]
)
def test_names_of_players_kinds_faces_and_files_are_text(name: str) -> None:
    found = [Roll(name, name, (name, "x"), dice=2, evidence="symbols", step=n) for n in range(9)]
    known = set(Page(stats_page(SAMPLE, TEMPLATE)).tags)
    page = Page(
        stats_page(report_of(*found, *rolls(name, f"{name}2", "12" * 9), name=name), TEMPLATE)
    )
    assert page.open == []
    assert page.tags <= known
    assert not any(attribute.startswith("on") for attribute in page.attributes)
    assert name in page.text


@given(_FOUND, _NAMES)
def test_any_rolls_make_a_page(found: list[Roll], name: str) -> None:
    assert Page(stats_page(report_of(*found, name=name), TEMPLATE)).open == []


def test_the_page_of_no_rolls_says_so() -> None:
    assert "No dice were rolled" in stats_page(report_of(), TEMPLATE)


def test_a_log_of_endless_kinds_makes_no_endless_page() -> None:
    found = [roll for n in range(20) for roll in rolls("Ann", f"d6 no. {n}", "1")]
    groups = [Roll("Ann", f"x{n}", ("a",), step=n, evidence="line") for n in range(225)]
    text = stats_page(report_of(*found, *groups), TEMPLATE)
    assert text.count("<svg") <= 200
    assert "more groups stand in the tables" in text


@pytest.mark.parametrize(
    "template", ["{{ nothing }}", "{% if %}", "{{ report.logs[9] }}", "{{ 1 / 0 }}"]
)
def test_a_broken_template_is_named(template: str) -> None:
    with pytest.raises(UnreadableError, match=r"templates/report/stats\.html"):
        stats_page(SAMPLE, template)


# ------------------------------------------------------------------------------------------ JSON


def test_json_tells_what_the_text_tells() -> None:
    data = json.loads(json.dumps(as_json(SAMPLE)))
    ann = next(g for g in data["groups"] if (g["player"], g["name"]) == ("Ann", "d6"))
    assert ann["rolls"] == 36
    assert ann["faces"]["cells"][0] == ["1", 6, 6.0]
    assert ann["faces"]["test"] == {"chi_squared": 0.0, "freedom": 5, "p": 1.0}
    ben = next(g for g in data["groups"] if (g["player"], g["name"]) == ("Ben", "d6"))
    assert (ben["undone"], ben["typed"]) == (1, False)
    assert ben["faces"]["test"] == {"too_few": 5, "needed": 30}
    everyone = [g for g in data["groups"] if g["player"] is None]
    assert everyone
    assert [r["undone"] for r in data["rolls"]].count(True) == 1

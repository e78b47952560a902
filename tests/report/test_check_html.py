"""The referee's page: everything escaped, nothing from outside, filters, shared pictures."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from check_page_sample import HOSTILE, PAGE

from builder.problems import UnreadableError
from builder.report.check_html import CheckPage, check_html
from builder.report.check_plots import held_plot, hits_plot, points_plot, side_totals
from builder.report.findings import CheckReport, LogFile
from builder.rules.insight import Standing, Thrown

TEMPLATE = (Path(__file__).parents[2] / "templates" / "report" / "check.html").read_text("utf-8")


class Read(HTMLParser):
    """A page as a browser takes it apart: elements with attributes, and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.scripts: list[str] = []
        self._within: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag in ("script", "style"):
            self._within.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._within and self._within[-1] == tag:
            self._within.pop()

    def handle_data(self, data: str) -> None:
        if self._within:
            if self._within[-1] == "script":
                self.scripts.append(data)
        else:
            self.words.append(data)

    def of(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        """Return the attributes of all elements of a kind."""
        return [
            found
            for name, found in self.elements
            if name == tag and all(found.get(k.replace("_", "-")) == v for k, v in wanted.items())
        ]


@pytest.fixture(scope="module")
def page() -> str:
    return check_html(PAGE, TEMPLATE)


@pytest.fixture(scope="module")
def read(page: str) -> Read:
    return Read(page)


def test_hostile_names_are_text(read: Read) -> None:
    text = "".join(read.words)
    assert text.count(HOSTILE) >= 4, "a player, a file, a message and an actor"
    assert "<script>alert(3)</script>" in text
    assert "<b>1311</b>" in text
    for _, attributes in read.elements:
        assert not [name for name in attributes if name.startswith("on")]
    assert not [a for a in read.of("img") if a.get("src") == "x"]


def test_nothing_is_asked_for_from_outside(page: str, read: Read) -> None:
    for _, attributes in read.elements:
        for name in ("src", "href", "srcset", "action", "data", "poster", "xlink:href"):
            value = attributes.get(name)
            assert value is None or value.startswith(("data:image/png;base64,", "#")), value
    assert not read.of("link")
    assert not read.of("iframe")
    assert not read.of("base")
    style = page[page.index("<style>") : page.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_names_the_one_script(read: Read) -> None:
    policies = [a["content"] for a in read.of("meta", http_equiv="Content-Security-Policy")]
    digest = base64.b64encode(hashlib.sha256("".join(read.scripts).encode()).digest()).decode()
    assert len(read.of("script")) == 1
    assert policies == [
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        f"script-src 'sha256-{digest}'"
    ]


def test_filters_offer_what_there_is(read: Read) -> None:
    assert [a["value"] for a in read.of("input", name="ruling")] == ["illegal", "warning", "note"]
    sides = [a["value"] for a in read.of("input", name="side")]
    assert sides == ["Allied", "German", "neither side"]
    assert [a["value"] for a in read.of("option")] == ["", "5.1", "LOG-ROLL", "5.2"]
    assert [(a["data-ruling"], a["data-side"], a["data-rule"]) for a in read.of("article")] == [
        ("illegal", "Allied", "5.1"),
        ("warning", "German", "5.2"),
        ("illegal", "neither side", "LOG-ROLL"),
        ("note", "Allied", "5.1"),
    ]


def test_without_script_the_filters_stay_away_and_every_card_is_there(read: Read) -> None:
    (form,) = read.of("form")
    assert "hidden" in form
    assert not [a for a in read.of("article") if "hidden" in a]


def test_pictures_that_occur_again_are_in_the_page_once(page: str, read: Read) -> None:
    same = base64.b64encode(PAGE.cards[1].boards[0].png).decode()
    assert page.count(same) == 1
    assert len(read.of("img")) == 2
    assert [a["href"] for a in read.of("use")] == ["#board-1", "#board-1"]
    assert [a["alt"] for a in read.of("img")] == [
        "The board before step 12, around 1211 → 1409",
        "The board after step 12, around 1211 → 1409",
    ]


def test_ids_are_unique_and_links_lead_somewhere(read: Read) -> None:
    ids = [a["id"] for _, a in read.elements if a.get("id")]
    assert len(ids) == len(set(ids))
    for _, attributes in read.elements:
        href = attributes.get("href") or ""
        if href.startswith("#"):
            assert href[1:] in ids


def test_a_page_as_a_whole(golden: Any, page: str) -> None:
    body = page[page.index("<header>") : page.index("<script>")]
    golden.text("check_page", re.sub(r"base64,[A-Za-z0-9+/=]+", "base64,…", body))


def test_a_game_without_findings_says_so() -> None:
    clean = replace(PAGE, cards=(), report=replace(PAGE.report, findings=()), notes=())
    page = check_html(clean, TEMPLATE)
    assert "Nothing broke a rule." in page
    assert "<form" not in page
    assert "<script" not in page


def test_a_log_without_rules_says_so() -> None:
    warning = "no rule set is known for Other 2"
    report = CheckReport((LogFile("o.vlog", 3),), "", "Other 2", warnings=(warning,))
    told = CheckPage(report, story=("step 1", "  <b>Ann</b>: hello"), dice="Ann   3 rolls")
    page = check_html(told, TEMPLATE)
    assert warning in page
    assert "step 1\n  &lt;b&gt;Ann&lt;/b&gt;: hello\n</pre>" in page
    assert "Ann   3 rolls" in page
    assert "<article" not in page
    assert "Nothing broke" not in page


def test_a_template_that_cannot_be_used_is_said() -> None:
    with pytest.raises(UnreadableError, match=r"check\.html"):
        check_html(PAGE, "{{ nobody.knows }}")
    with pytest.raises(UnreadableError, match=r"check\.html"):
        check_html(PAGE, "{% for %}")


# -------------------------------------------------------------------------------------- graphs


def test_graphs_tell_their_figures() -> None:
    points = str(points_plot(PAGE.standings))
    assert 'aria-label="Points at the end of each turn: turn 1 4, turn 2 7"' in points
    assert points.count('class="bar"') == 2, "the start is no turn"
    held = str(held_plot(PAGE.standings, PAGE.sides))
    assert "Allied 0, 2, 3; German 5, 3, 1" in held
    hits = str(hits_plot(PAGE.rolls, PAGE.sides))
    assert "Allied 4 hits, 3.0 expected; German 0 hits, 1.5 expected" in hits


def test_points_below_zero_hang_below_the_axis() -> None:
    below = Standing(2, -4, {})
    plot = str(points_plot([Standing(1, 4, {}), below]))
    bars = re.findall(r'class="bar" x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"', plot)
    (top, height), (foot, depth) = ((float(y), float(h)) for y, h in bars)
    assert foot == pytest.approx(top + height, abs=0.11)
    assert depth == pytest.approx(height, abs=0.11)
    assert "turn 2: −4" in plot


def test_graphs_of_nothing_are_none() -> None:
    assert points_plot([]) is None
    assert held_plot([], ("A",)) is None
    assert held_plot([Standing(1, 4, {})], ("A", "B")) is None
    assert held_plot([Standing(1, 4, {"A": 0})], ("A", "B")) is not None
    assert hits_plot([], ("A", "B")) is None


def test_totals_of_a_side() -> None:
    rolls = [Thrown(1, "A", 3, 1, 1.5), Thrown(1, "B", 9, 9, 1.0), Thrown(2, "A", 2, 2, 1.0)]
    assert side_totals(rolls, "A") == (2, 5, 3, 2.5)

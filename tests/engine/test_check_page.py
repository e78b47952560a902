"""The referee's page in a real browser: filters work, no script fails, no request leaves it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Page, browser, need_browser
from check_page_sample import HOSTILE, PAGE

from builder.report.check_html import check_html

TEMPLATE = (Path(__file__).parents[2] / "templates" / "report" / "check.html").read_text("utf-8")

SHOWN = """
return Array.from(document.querySelectorAll("article.card"))
  .filter(card => card.getClientRects().length > 0).map(card => card.id.slice(8)).join(" ");
"""
SET = """
const box = document.querySelector(arguments[0]);
if (box.type === "checkbox") { box.checked = arguments[1]; } else { box.value = arguments[1]; }
box.dispatchEvent(new Event("change", {bubbles: true}));
"""


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    need_browser()
    folder = tmp_path_factory.mktemp("page")
    path = folder / "report.html"
    path.write_text(check_html(PAGE, TEMPLATE), "utf-8")
    with browser(folder / "profile") as page:
        page.open(path)
        yield page


def test_no_script_fails_and_nothing_is_asked_for(opened: Page) -> None:
    assert opened.log("browser") == []
    asked = [u for u in opened.requested() if not u.startswith("data:")]
    assert len(asked) == 1
    assert asked[0].endswith("/report.html")


def test_the_hostile_player_is_text(opened: Page) -> None:
    head = opened.run("return document.querySelector('header').textContent")
    assert HOSTILE in head
    assert opened.run("return document.querySelectorAll('img[src=x], [onclick]').length") == 0


def test_every_picture_is_seen(opened: Page) -> None:
    script = "return Array.from(document.images).map(i => i.naturalWidth)"
    assert opened.run(script) == [60, 60]
    widths = opened.run(
        "return Array.from(document.querySelectorAll('.boards use')).map("
        "u => u.getBoundingClientRect().width > 100)"
    )
    assert widths == [True, True]


def test_filters_hide_and_show(opened: Page) -> None:
    assert opened.run(SHOWN) == "1 2 3 4"
    assert opened.run("return document.getElementById('shown').textContent") == "all 4 shown"
    opened.run(SET, "input[value=illegal]", False)
    assert opened.run(SHOWN) == "2 4"
    opened.run(SET, "input[value=German]", False)
    assert opened.run(SHOWN) == "4"
    assert opened.run("return document.getElementById('shown').textContent") == "1 of 4 shown"
    opened.run(SET, "input[value=note]", False)
    assert opened.run(SHOWN) == ""
    assert opened.run("return document.getElementById('none').hidden") is False
    opened.run("document.querySelector('button[type=reset]').click()")
    opened.run(SET, "select", "5.2")
    assert opened.run(SHOWN) == "2"


def test_a_rule_of_the_table_shows_its_findings(opened: Page) -> None:
    opened.run("document.querySelector('a[data-rule=\"5.1\"]').click()")
    assert opened.run(SHOWN) == "1 4"
    assert opened.run("return document.querySelector('select').value") == "5.1"
    assert opened.log("browser") == []

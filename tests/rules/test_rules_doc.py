"""The code in ``docs/rules.md`` works as the page says."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "rules.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


@pytest.fixture
def river(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The rule set of the page as a module."""
    module = ModuleType("builder.rulesets.river")
    # a dataclass looks its module up to read its annotations
    monkeypatch.setitem(sys.modules, module.__name__, module)
    (code,) = blocks("python")
    exec(compile(code, "rules.md", "exec"), module.__dict__)
    return module


def test_the_rule_judges(river: Any) -> None:
    state = river.State({"A": 3})
    assert list(river.book.judge(state, river.Move("A", 5))) == []
    (breach,) = river.book.judge(state, river.Move("A", 6))
    assert (breach.row, breach.ruling.value) == ("RV-4.1", "illegal")
    assert breach.message == "A moved 3 hexes, and may move 2"
    assert list(river.book.judge(state, river.Move("B", 6))) == []
    assert river.applied(state, river.Move("A", 6)).places == {"A": 6}
    assert river.book.functions_of("RV-4.1") == ("river.how_far", "river.length_of")


def test_the_example_is_one_of_the_game_and_comes_out() -> None:
    from strategies_dropzone import rules

    example, entry = (tomllib.loads(block) for block in blocks("toml"))
    (table,) = example["example"]
    state = rules().position(table["ground"], table["given"])
    found = list(rules().judge(state, rules().read_action(table["action"])))
    assert [b.row for b in found] == table["breaks"]
    for words in table["says"]:
        assert words in found[0].message
    assert "builder.rulesets" in entry["project"]["entry-points"]

"""Places of TOML values: against texts whose places were counted by eye, and against tomllib."""

from __future__ import annotations

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from builder.toml_places import toml_places

TEXT = """\
# a game
title = "Tiny"   # its name
"odd key" = 'x'
a.b = 1

[grid]
columns = 3
size = [ 1,
  2, # two
  [3, 4],
]

[[side]]
name = "Red"
[[side]]
name = "Blue"
colors = { ink = "#000", paper = "#fff" }
note = \"\"\"
[not a header]
x = 1
\"\"\"
[side.more]
deep = true
"""


def test_places_of_every_kind_of_value() -> None:
    places = toml_places(TEXT)
    assert places["title",] == (2, 1)
    assert places["odd key",] == (3, 1)
    assert places["a",] == (4, 1)
    assert places["a", "b"] == (4, 1)
    assert places["grid",] == (6, 1)
    assert places["grid", "columns"] == (7, 1)
    assert places["grid", "size", 1] == (9, 3)
    assert places["grid", "size", 2, 1] == (10, 7)
    assert places["side", 0, "name"] == (14, 1)
    assert places["side", 1] == (15, 1)
    assert places["side", 1, "colors", "paper"] == (17, 26)
    assert places["side", 1, "more", "deep"] == (23, 1)


def test_strings_that_look_like_tables_are_no_tables() -> None:
    assert not any("x" in path or "not a header" in path for path in toml_places(TEXT))


def _paths(value: Any, path: tuple[str | int, ...] = ()) -> set[tuple[str | int, ...]]:
    found = {path}
    if isinstance(value, dict):
        for key, item in value.items():
            found |= _paths(item, (*path, key))
    if isinstance(value, list):
        for index, item in enumerate(value):
            found |= _paths(item, (*path, index))
    return found


def test_every_value_of_the_standard_parser_has_a_place() -> None:
    assert _paths(tomllib.loads(TEXT)) <= set(toml_places(TEXT))


KEYS = st.text("abc-_1", min_size=1, max_size=4)
SCALARS = st.one_of(
    st.integers(-99, 99).map(str),
    st.booleans().map(lambda b: str(b).lower()),
    st.text("ab#[]{}=,' ", max_size=8).map(lambda t: f'"{t}"'),
    st.sampled_from(["1979-05-27T07:32:00Z", "1.5e3", '"""a\nb"""', "'''c\"\n'''", r'"\"\\"']),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda v: "[" + ", ".join(v) + "]")
        | st.dictionaries(KEYS, inner, max_size=3).map(
            lambda d: "{" + ", ".join(f"{k} = {v}" for k, v in d.items()) + "}"
        )
    ),
    max_leaves=6,
)


@given(
    st.dictionaries(KEYS, VALUES, max_size=4),
    st.lists(st.tuples(KEYS, st.dictionaries(KEYS, VALUES, max_size=3)), max_size=3),
)
def test_made_up_files_have_a_place_for_every_value(
    top: dict[str, str], tables: list[tuple[str, dict[str, str]]]
) -> None:
    text = "".join(f"{k} = {v}\n" for k, v in top.items())
    for number, (name, table) in enumerate(tables):
        text += f"[t{number}.{name}]\n" + "".join(f"{k} = {v}\n" for k, v in table.items())
    places = toml_places(text)
    assert _paths(tomllib.loads(text)) <= set(places)
    lines = text.split("\n")
    for path, (line, column) in places.items():
        if path and isinstance(path[-1], str):
            assert path[-1].strip('"') in lines[line - 1][column - 1 :]

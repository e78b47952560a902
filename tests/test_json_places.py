from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from builder.json_places import JsonPath, json_places

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)


def paths(value: Any, path: JsonPath = ()) -> dict[JsonPath, Any]:
    found = {path: value}
    if isinstance(value, dict):
        for key, inner in value.items():
            found |= paths(inner, (*path, key))
    if isinstance(value, list):
        for number, inner in enumerate(value):
            found |= paths(inner, (*path, number))
    return found


@given(JSON, st.sampled_from([None, 0, 2]), st.booleans())
def test_every_value_has_its_place(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    lines = text.split("\n")
    places = json_places(text, depth=20)
    assert set(places) == set(paths(value))
    for path, inner in paths(value).items():
        line, column = places[path]
        rest = lines[line - 1][column - 1 :]
        if path and isinstance(path[-1], str):
            assert rest.startswith(json.dumps(path[-1], ensure_ascii=ascii_only))
        else:
            start = json.dumps(inner, indent=indent, ensure_ascii=ascii_only).split("\n")[0]
            assert rest.startswith(start)


@given(st.text(alphabet='{}[],:"\\ab1\n ', max_size=40))
def test_any_text_gives_places_or_none(text: str) -> None:
    json_places(text)


def test_a_key_with_a_raw_newline_is_no_json_and_no_crash() -> None:
    assert json_places('{"\n"') == {(): (1, 1)}


def test_depth_limits_what_is_kept() -> None:
    assert set(json_places('{"a": [1, [2]]}', depth=2)) == {(), ("a",), ("a", 0), ("a", 1)}

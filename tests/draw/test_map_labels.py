from __future__ import annotations

import numpy as np
import shapely
from hypothesis import given
from hypothesis import strategies as st

from builder.draw.map_labels import Candidate, Label, Obstacles, place_labels
from builder.draw.scene import Fill, Stroke, Text

EMPTY = Obstacles(np.array([], dtype=object), np.zeros((0, 2)), 1.0)


def box(x: float, y: float, width: float = 2, height: float = 1) -> np.ndarray:
    return np.array([[(x, y), (x + width, y), (x + width, y + height), (x, y + height)]])


def label(name: str, rank: int, *options: tuple[float, float, float]) -> Label:
    found = tuple(
        Candidate((Text(0, 0, name, 1),), (x, y), box(x, y).astype(float), cost)
        for x, y, cost in options
    )
    return Label(name, name, rank, found)


def chosen(placed: list[Candidate]) -> dict[str, tuple[float, float]]:
    return {c.elements[0].text: c.at for c in placed if isinstance(c.elements[0], Text)}


def test_the_cheapest_position_wins() -> None:
    placed, left = place_labels([label("a", 0, (0, 0, 2), (5, 0, 1))], EMPTY)
    assert chosen(placed) == {"a": (5, 0)}
    assert left == []


def test_a_mark_is_never_covered() -> None:
    marks = np.array([shapely.box(5, 0, 6, 1)], dtype=object)
    placed, _ = place_labels(
        [label("a", 0, (0, 0, 2), (5, 0, 1))], Obstacles(marks, np.zeros((0, 2)), 1.0)
    )
    assert chosen(placed) == {"a": (0, 0)}


def test_a_line_below_costs_by_its_length() -> None:
    points = np.array([(5.5, 0.5), (6, 0.5), (6.5, 0.5)])
    obstacles = Obstacles(np.array([], dtype=object), points, 0.5)
    placed, _ = place_labels([label("a", 0, (0, 0, 2), (5, 0, 1))], obstacles)
    assert chosen(placed) == {"a": (0, 0)}


def test_the_lower_rank_is_placed_first_and_the_other_gives_way() -> None:
    labels = [label("b", 1, (0, 0, 0), (0, 9, 5)), label("a", 0, (1, 0, 0), (9, 9, 1))]
    placed, _ = place_labels(labels, EMPTY)
    assert chosen(placed) == {"a": (1, 0), "b": (0, 9)}


def test_a_label_without_room_is_told() -> None:
    labels = [label("a", 0, (0, 0, 0)), label("b", 1, (1, 0, 0)), label("c", 2)]
    placed, left = place_labels(labels, EMPTY)
    assert chosen(placed) == {"a": (0, 0)}
    assert [x.name for x in left] == ["b", "c"]


def test_elements_are_moved_to_their_place() -> None:
    elements = (
        Fill((((0, 0), (1, 0), (0, 1)),), "#000000"),
        Stroke((((0, 0), (1, 0)),), "#000000", 1),
        Text(1, 2, "a", 1),
    )
    drawn = Candidate(elements, (10, 20), box(10, 20), 0).drawn()
    assert drawn == (
        Fill((((10, 20), (11, 20), (10, 21)),), "#000000"),
        Stroke((((10, 20), (11, 20)),), "#000000", 1),
        Text(11, 22, "a", 1),
    )


POSITION = st.tuples(st.integers(0, 8), st.integers(0, 8), st.integers(0, 5))


@given(st.lists(st.lists(POSITION, max_size=5), max_size=8))
def test_placed_labels_never_touch(options: list[list[tuple[int, int, int]]]) -> None:
    labels = [label(str(n), n % 3, *found) for n, found in enumerate(options)]
    placed, left = place_labels(labels, EMPTY)
    assert len(placed) + len(left) == len(labels)
    shapes = [shapely.Polygon(c.outlines[0]) for c in placed]
    for i, one in enumerate(shapes):
        assert not any(one.intersects(two) for two in shapes[i + 1 :])

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from map_sample import make_sheet

from builder.draw.map_lines import chains
from builder.draw.map_plan import hash01, noise, plan_of, warped
from builder.draw.map_shapes import chaikin, grown, level_rings, spline
from builder.hexes.grid import Hex


def even_odd(rings: list[np.ndarray], x: float, y: float) -> bool:
    """Count crossings of a ray to the right."""
    inside = False
    for ring in rings:
        for (ax, ay), (bx, by) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
            if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
                inside = not inside
    return inside


@given(arrays(np.float64, (5, 6), elements=st.integers(0, 3).map(float)))
def test_level_rings_hold_exactly_the_higher_samples(values: np.ndarray) -> None:
    rings = level_rings(values, 1.5, (10.0, 20.0), 2.0, 0.0)
    for j, i in np.ndindex(values.shape):
        # a hair aside, as a ray through a vertex is counted twice
        assert even_odd(rings, 10 + 2 * i + 1e-7, 20 + 2 * j + 1e-7) == (values[j, i] > 1.5)


def test_level_rings_of_a_cone_are_round() -> None:
    y, x = np.mgrid[-20:21, -20:21]
    (ring,) = level_rings(20 - np.hypot(x, y), 10, (-20.0, -20.0), 1.0, 0.0)
    assert shapely.Polygon(ring).area == pytest.approx(math.pi * 100, rel=0.01)


@pytest.mark.parametrize("closed", [False, True])
def test_a_spline_passes_through_its_points(closed: bool) -> None:
    points = np.array([(0, 0), (3, 1), (4, 4), (1, 5), (-1, 3)], dtype=float)
    curve = spline(points, 7, closed=closed)
    assert curve[: 7 * 5 : 7] == pytest.approx(points)
    assert len(curve) == (35 if closed else 29)


def test_chaikin_stays_within_the_corner_and_keeps_ends() -> None:
    line = np.array([(0, 0), (4, 0), (4, 4)], dtype=float)
    cut = chaikin(line, 3)
    assert cut[0].tolist() == [0, 0]
    assert cut[-1].tolist() == [4, 4]
    assert shapely.Polygon(line).buffer(1e-9).covers(shapely.LineString(cut))


def test_grown_shapes_stay_near_the_hexes() -> None:
    plan = plan_of(make_sheet(["....", ".ww.", "....", "...."]))
    hexes = plan.union([Hex(1, 1), Hex(2, 1)])
    shape = grown(hexes, plan.size(20), wavelength=plan.size(38), reach=plan.size(4))
    assert shape.is_valid
    assert shape.geom_type == "Polygon"
    assert hexes.symmetric_difference(shape).area < 0.12 * hexes.area
    assert shapely.hausdorff_distance(hexes, shape) < plan.size(15)


def test_union_of_all_hexes_is_one_piece() -> None:
    plan = plan_of(make_sheet(["........"] * 8))
    assert isinstance(plan.field, shapely.Polygon)
    assert len(plan.field.interiors) == 0
    one = shapely.Polygon(plan.corners[0]).area
    assert plan.field.area == pytest.approx(64 * one)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from("ab"))))
def test_chains_use_every_link_once(found: list[tuple[int, int, str]]) -> None:
    unique = {(min(a, b), max(a, b)): name for a, b, name in found if a != b}

    def node(n: int) -> tuple[float, float]:
        return math.cos(n * 0.628), math.sin(n * 0.628)

    links = [(node(a), node(b), name) for (a, b), name in unique.items()]
    walked = [frozenset(pair) for line in chains(links) for pair in itertools.pairwise(line)]
    assert len(walked) == len(links)
    assert set(walked) == {frozenset((a, b)) for a, b, _ in links}


def test_chains_go_straight_on_at_a_crossing() -> None:
    west, east, north, south, middle = (-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0), (0.0, 0.0)
    links = [(west, middle, ""), (north, middle, ""), (middle, east, ""), (middle, south, "")]
    lines = {frozenset((line[0], line[-1])) for line in chains(links)}
    assert lines == {frozenset((west, east)), frozenset((north, south))}


def test_chains_follow_a_name_around_a_bend() -> None:
    links = [((-1.0, 0.0), (0.0, 0.0), "N7"), ((0.0, 0.0), (1.0, 0.0), "D1")]
    links.append(((0.0, 0.0), (0.0, 1.0), "N7"))
    assert [(-1.0, 0.0), (0.0, 0.0), (0.0, 1.0)] in chains(links)


def test_hash_is_spread_evenly() -> None:
    i, j = (a.reshape(-1) for a in np.mgrid[0:100, 0:100])
    values = hash01(i, j, 3)
    assert values.min() >= 0
    assert values.max() < 1
    histogram, _ = np.histogram(values, bins=10, range=(0, 1))
    assert histogram.min() > 850
    assert abs(np.corrcoef(values, hash01(i + 1, j, 3))[0, 1]) < 0.05


@given(st.floats(-50, 50), st.floats(-50, 50))
def test_noise_is_smooth_and_bounded(x: float, y: float) -> None:
    here = noise(np.array([x]), np.array([y]), 1)[0]
    there = noise(np.array([x + 1e-4]), np.array([y]), 1)[0]
    assert 0 <= here <= 1
    assert abs(here - there) < 1e-3


def test_warping_moves_no_point_far() -> None:
    points = np.random.default_rng(1).uniform(-100, 100, (500, 2))
    moved = warped(points, 10, 2)
    assert np.abs(moved - points).max() <= 2
    assert np.abs(moved - points).max() > 0.5

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.report.dice_chances import (
    chance_of_run,
    chance_of_same,
    chi_squared_tail,
    upper_gamma,
)

# Critical values as statistics textbooks print them.
TABLE = [
    *[(1, 0.95, 0.004), (1, 0.10, 2.706), (1, 0.05, 3.841), (1, 0.01, 6.635), (1, 0.001, 10.828)],
    *[(2, 0.05, 5.991), (3, 0.05, 7.815), (5, 0.975, 0.831), (5, 0.95, 1.145), (5, 0.5, 4.351)],
    *[(5, 0.10, 9.236), (5, 0.05, 11.070), (5, 0.01, 15.086), (5, 0.001, 20.515)],
    *[(10, 0.95, 3.940), (10, 0.05, 18.307), (10, 0.01, 23.209), (10, 0.001, 29.588)],
    *[(19, 0.05, 30.144), (30, 0.99, 14.953), (30, 0.05, 43.773), (100, 0.05, 124.342)],
]


@pytest.mark.parametrize(("freedom", "p", "critical"), TABLE)
def test_critical_values_of_textbooks(freedom: int, p: float, critical: float) -> None:
    assert chi_squared_tail(critical, freedom) == pytest.approx(p, rel=0.012)


@given(st.floats(0, 700))
def test_two_degrees_of_freedom_are_an_exponential(x: float) -> None:
    assert chi_squared_tail(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-10, abs=1e-300)


@given(st.floats(0.001, 25))
def test_one_degree_of_freedom_is_the_error_function(x: float) -> None:
    assert chi_squared_tail(x, 1) == pytest.approx(math.erfc(math.sqrt(x / 2)), rel=1e-9)


@given(st.integers(1, 60), st.floats(0, 400), st.floats(0, 50))
def test_a_larger_statistic_is_never_likelier(freedom: int, x: float, more: float) -> None:
    small, large = chi_squared_tail(x + more, freedom), chi_squared_tail(x, freedom)
    assert 0 <= small <= large + 1e-12
    assert large <= 1


@pytest.mark.parametrize(("shape", "x"), [(0, 1), (-1, 1), (1, -0.1), (math.nan, 1)])
def test_outside_its_range_it_is_refused(shape: float, x: float) -> None:
    with pytest.raises(ValueError, match="no incomplete gamma"):
        upper_gamma(shape, x)


@given(st.integers(0, 11), st.integers(1, 6))
def test_runs_of_successes_against_every_sequence(trials: int, length: int) -> None:
    p = 0.3
    expected = 0.0
    for throws in itertools.product((True, False), repeat=trials):
        longest = max((len(list(g)) for k, g in itertools.groupby(throws) if k), default=0)
        if longest >= length:
            expected += p ** sum(throws) * (1 - p) ** (trials - sum(throws))
    assert chance_of_run(trials, p, length) == pytest.approx(expected, abs=1e-12)


@given(st.integers(1, 6), st.integers(2, 4))
def test_runs_of_equal_results_against_every_sequence(trials: int, length: int) -> None:
    chances = (0.5, 0.3, 0.2)
    expected = 0.0
    for throws in itertools.product(range(3), repeat=trials):
        if max(len(list(g)) for _, g in itertools.groupby(throws)) >= length:
            expected += math.prod(chances[t] for t in throws)
    assert chance_of_same(trials, chances, length) == pytest.approx(expected, abs=1e-12)


def test_endless_rolls_have_no_chance_told() -> None:
    assert chance_of_run(10**7, 0.5, 10) is None
    assert chance_of_same(10**7, (0.5, 0.5), 10) is None

"""Losses of rank on a passage, found from the last pivot, whatever places the rows take in it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from cardan.trajectory.rank.locating import singular_times
from cardan.trajectory.rank.passage import NODES, Passage
from support.close import assert_close


def found(pivot: Callable[[float], float], start: float = 0.0, end: float = 1.0) -> list[float]:
    """Losses of rank on a passage from start to end whose only state is the time itself."""
    rates = np.zeros((NODES, 1))
    rates[0] = 1.0
    passage = Passage(start, end - start, np.array([start]), rates, 0.0, np.zeros(0), np.zeros(0), 0)
    return singular_times(passage, lambda times, states: np.array([pivot(float(y[0])) for y in states]))


@pytest.mark.parametrize("bottom", [0.0, 1e-9, 0.2345, 0.5, 0.777, 1.0])
def test_the_bottom_of_a_v(bottom: float):
    (t,) = found(lambda x: abs(np.sin(x - bottom)))
    assert_close(t, bottom, within=1e-12, because="the pivot is compared with 1e-13 of its largest value")


@pytest.mark.parametrize("bottom", [0.1234, 0.3217, 0.5432, 0.7531])
def test_pivots_that_jump_by_a_factor_where_rows_change_places(bottom: float):
    """Rows of equal size are taken in an order that rounding decides; the last pivot depends on it."""
    (t,) = found(lambda x: abs(x - bottom) * (1.6 if int(1e15 * x) % 2 else 1.0))
    assert_close(t, bottom, within=1e-12, because="the pivot is compared with 1e-13 of its largest value")


def test_sides_of_different_steepness():
    (t,) = found(lambda x: 5 * (x - 0.47) if x > 0.47 else 0.47 - x)
    assert_close(t, 0.47, within=1e-12, because="the pivot is compared with 1e-13 of its largest value")


def test_a_motion_that_turns_back_at_the_place_itself():
    (t,) = found(lambda x: (x - 0.618) ** 2)
    assert_close(t, 0.618, within=1e-6, because="the root of 1e-13")


def test_two_losses_and_backwards():
    times = found(lambda x: abs(x - 0.2) * abs(x - 0.6), start=1.0, end=0.0)
    assert_close(times, [0.6, 0.2], within=1e-12, because="the pivot is compared with 1e-13 of its largest")


@pytest.mark.parametrize("apart", [1e-5, 1e-4, 1e-3, 1e-2, 0.05, 0.1, 0.3])
@pytest.mark.parametrize(
    "pivot",
    [
        lambda x, apart: abs(x - 0.37) * abs(x - 0.37 - apart),  # a motion that turns back just behind the place
        lambda x, apart: min(abs(x - 0.37), 1.2 * abs(x - 0.37 - apart)),  # two mechanisms, one after the other
        lambda x, apart: min(1.2 * abs(x - 0.37), abs(x - 0.37 - apart)) * (1.6 if int(1e15 * x) % 2 else 1.0),
    ],
)
def test_losses_one_soon_after_the_other(pivot: Callable[[float, float], float], apart: float):
    times = found(lambda x: pivot(x, apart))
    assert_close(times, [0.37, 0.37 + apart], within=1e-13 / apart, because="1e-13 of the pivot, over its slope")


def test_three_losses_one_soon_after_the_other():
    times = found(lambda x: min(abs(x - 0.37), abs(x - 0.3701), abs(x - 0.3703)))
    assert_close(times, [0.37, 0.3701, 0.3703], within=1e-12, because="1e-13 of the pivot")


def test_a_near_miss_is_none():
    assert found(lambda x: float(np.hypot(x - 0.4, 1e-4))) == []
    assert found(lambda x: 1.0 + x) == []


def test_where_the_pivot_has_no_value():
    (t,) = found(lambda x: abs(x - 0.3) if x < 0.8 else np.nan)
    assert_close(t, 0.3, within=1e-12, because="the pivot is compared with 1e-13 of its largest value")

"""Windows on periodic coordinates and curves cut at their rims."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from cardan.report.figures.unrolling import Strip, unrolled
from support.close import assert_close

TURN = 2 * np.pi


def test_a_window_starts_where_nothing_lies_on_its_rim() -> None:
    assert Strip.of([], TURN).low == -np.pi
    assert Strip.of([], TURN, [0.0, np.pi]).low == -np.pi / 2
    assert Strip.of([], TURN, [np.pi / 2]).low == -np.pi


def test_a_swing_about_half_a_turn_is_seen_whole() -> None:
    swing = np.pi + 0.5 * np.sin(np.linspace(0, 20, 400))
    assert Strip.of([swing], TURN).low in (-np.pi / 2, 0.0)
    x, _ = unrolled(swing, np.zeros(400), (Strip.of([swing], TURN), Strip(-1.0, 1.0, None)))
    assert not np.any(np.isnan(x))


def test_a_range_without_period_has_a_margin() -> None:
    strip = Strip.of([np.array([1.0, 3.0])], None)
    assert_close([strip.low, strip.high], [0.84, 3.16], within=1e-15, because="8 per cent of two")


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=2, max_size=30),
    st.floats(-10, 10),
)
def test_an_unrolled_curve_is_the_curve_modulo_its_periods(steps: list[tuple[float, float]], start: float) -> None:
    """Every piece lies in the strip, and all pieces together are as long as the curve."""
    curve = start + np.cumsum(np.array([(0.0, 0.0), *steps]), axis=0)
    strips = (Strip(-np.pi, np.pi, TURN), Strip(0.0, TURN, TURN))
    x, y = unrolled(curve[:, 0], curve[:, 1], strips)
    ok = np.isfinite(x)
    assert np.all((x[ok] >= -np.pi - 1e-9) & (x[ok] <= np.pi + 1e-9))
    assert np.all((y[ok] >= -1e-9) & (y[ok] <= TURN + 1e-9))
    length = np.nansum(np.hypot(np.diff(x), np.diff(y)))
    expected = np.sum(np.hypot(*np.diff(curve, axis=0).T))
    assert_close(length, expected, within=1e-9, because="sums of at most a hundred pieces")


def test_cuts_leave_gaps() -> None:
    x, _ = unrolled(np.arange(4.0), np.arange(4.0), (Strip(0, 9, None), Strip(0, 9, None)), cuts=[1])
    assert np.count_nonzero(np.isnan(x)) == 1
    assert_close(x[np.isfinite(x)], [0, 1, 2, 3], within=0.0, because="samples are taken as they are")

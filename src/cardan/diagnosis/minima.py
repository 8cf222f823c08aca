"""Where an indicator is lowest along a motion.

An indicator is a singular value: it touches zero like |t - t0| and changes no sign. Its minima are bracketed on the
sampled series and narrowed by sampling the motion ever more finely around them, down to round-off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Motion = Callable[[Vector], Vector]  # times -> states, one row each
Series = Callable[[Vector], Vector]  # states -> indicator, one number each

FINE = 24  # points of one refinement
ROUNDS = 12  # each narrows the bracket by FINE / 2, together by 1e13: to round-off
DIP = 0.5  # a minimum is looked at more closely where it is below this part of the largest value


def minima(t: Vector, states: Vector, motion: Motion, measure: Series) -> Iterator[tuple[float, float]]:
    """(time, value) of the minima of an indicator along the motion."""
    series = measure(states)
    if len(series) < 2:
        yield float(t[0]), float(series[0])
        return
    largest = float(np.max(series, initial=0.0))
    before, after = np.r_[np.inf, series[:-1]], np.r_[series[1:], np.inf]
    for found in np.flatnonzero((series <= before) & (series <= after) & (series < DIP * largest)):
        k = int(found)
        yield _lowest(float(t[max(k - 1, 0)]), float(t[min(k + 1, len(t) - 1)]), motion, measure)


def _lowest(low: float, high: float, motion: Motion, measure: Series) -> tuple[float, float]:
    """(time, value) of the lowest point of an indicator between two times."""
    best = (low, np.inf)
    for _ in range(ROUNDS):
        times = np.linspace(low, high, FINE + 1)
        values = measure(motion(times))
        k = int(np.argmin(values))
        best = min(best, (float(times[k]), float(values[k])), key=lambda pair: pair[1])
        low, high = float(times[max(k - 1, 0)]), float(times[min(k + 1, FINE)])
        if high - low <= 4 * np.finfo(float).eps * max(abs(high), 1e-300):
            break
    return best

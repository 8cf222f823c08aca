"""Where on a passage the constraints lose rank: the least pivot falls to zero there and rises again, like |t - t*|."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cardan.trajectory.rank.passage import Passage
from cardan.trajectory.rank.thresholds import ANOTHER, BOTTOM, DIP, LOST, SAME_TIME

Vector = NDArray[np.float64]
Pivots = Callable[[Vector], Vector]

SAMPLES = 12
ITERATIONS = 40
SLOPES = (1, 2, 0.5, 4, 0.25, 8, 0.125, 16)  # that are tried, in units of the one that is expected
DISTANCES = np.geomspace(SAME_TIME, 3 / SAMPLES, 24)  # of a passage: where another loss is looked for beside one


def singular_times(passage: Passage, pivots_at: Callable[[Vector, Vector], Vector]) -> list[float]:
    """Times on a passage at which rank is lost, to round-off, in their order, from pivots at times and states."""

    def pivots(times: Vector) -> Vector:
        values = pivots_at(times, passage.at(times))
        return np.where(np.isfinite(values), values, np.inf)

    times = np.linspace(passage.t, passage.end, SAMPLES + 1)
    values = pivots(times)
    largest = float(np.max(values, where=np.isfinite(values), initial=0.0))
    found: list[float] = []
    for k, ends in _lowest(values):
        slope = float(np.max(values[ends])) / abs(float(np.ptp(times[ends])))
        t, value = _bottom(pivots, times[ends], times[k], values[k], slope, BOTTOM * largest)
        if value < LOST * largest and not any(abs(t - other) < SAME_TIME * abs(passage.h) for other in found):
            found.append(t)
    for t in found:  # which grows meanwhile
        for other in _beside(pivots, t, passage, BOTTOM * largest):
            if not any(abs(other - known) < SAME_TIME * abs(passage.h) for known in found):
                found.append(other)
    return sorted(found, reverse=passage.h < 0)


def _lowest(values: Vector) -> list[tuple[int, list[int]]]:
    """Where values are lower than beside them, and the places beside them."""
    each, last = values.tolist(), len(values) - 1
    beside = [[max(k - 1, 0), min(k + 1, last)] for k in range(len(each))]
    return [
        (k, ends)
        for k, ends in enumerate(beside)
        if each[k] <= min(each[ends[0]], each[ends[1]]) and not (k and each[k] == each[k - 1])
    ]


def _beside(pivots: Pivots, t: float, passage: Passage, enough: float) -> list[float]:
    """Further losses of rank next to one at t, too near to it to be seen by samples of the whole passage.

    Divided by the distance from t the pivot changes slowly, except where it is zero again. (Another one that is passed
    several times as fast may be missed.)
    """
    found: list[float] = []
    for h in (passage.h, -passage.h):
        times = t + h * DISTANCES
        times = times[(times - passage.t) * (times - passage.end) <= 0]
        slopes = pivots(times) / np.abs(times - t)
        for k, ends in _lowest(slopes):
            usual = float(np.max(slopes[ends]))
            if ends[1] - ends[0] < 2 or slopes[k] > DIP * usual:
                continue
            other, value = _bottom(pivots, times[ends], times[k], slopes[k] * abs(times[k] - t), usual, enough)
            if value < ANOTHER * usual * abs(other - t):
                found.append(other)
    return found


def _bottom(pivots: Pivots, ends: Vector, t: float, value: float, slope: float, enough: float) -> tuple[float, float]:
    """The bottom of a V of about this slope between two times, and the pivot there, from a time near it.

    The bottom is value / slope away; on which side, the pivots at both places tell: there it is near zero, on the
    other side twice as large. So large a difference is needed, because the last pivot jumps by a factor where rows of
    equal size change places. Where neither is lower, other slopes are tried.
    """
    low, high, tried = float(np.min(ends)), float(np.max(ends)), 0
    for _ in range(ITERATIONS):
        away = value / (slope * SLOPES[tried])
        if value <= enough or t in (t - away, t + away):
            break
        there, behind = min(t + away, high), max(t - away, low)
        at_there, at_behind = pivots(np.array([there, behind])).tolist()
        if at_behind < at_there:
            there, behind, at_there, at_behind = behind, there, at_behind, at_there
        if at_there < value:
            if at_behind > value and behind != t:
                slope = (at_behind - value) / abs(behind - t)
            t, value, tried = there, at_there, 0
        else:
            tried += 1
            if tried == len(SLOPES):
                break
    return float(t), float(value)

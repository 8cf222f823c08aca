"""Where on a passage the constraints lose rank: the least pivot falls to zero there and rises again, like |t - t*|."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from cardan.simulation.passage import Passage

Vector = NDArray[np.float64]
Near = Callable[[float], float]

SAMPLES = 12
ITERATIONS = 40
BOTTOM = 1e-13  # of the largest pivot on the passage: nearer to zero than this the bottom is not looked for
ROUND = 64.0  # times the slope of the whole V: where it would have to be as steep as this, the bottom is above zero
LOST = 1e-6  # of the largest pivot on the passage: a smallest pivot below it is a loss of rank, above it a near miss
SAME = 1e-7  # of a passage: losses as near in time as this are one


def singular_times(passage: Passage, nearness: Callable[[float, Vector], float]) -> list[float]:
    """Times on a passage at which rank is lost, to round-off."""

    def near(t: float) -> float:
        value = nearness(t, passage.at(np.array([t]))[0])
        return value if isfinite(value) else np.inf

    times = np.linspace(passage.t, passage.end, SAMPLES + 1)
    values = np.array([near(t) for t in times])
    largest = float(np.max(values, where=np.isfinite(values), initial=0.0))
    found: list[float] = []
    for k in range(len(times)):
        left, right = max(k - 1, 0), min(k + 1, SAMPLES)
        if values[k] > values[left] or values[k] > values[right] or (k and values[k] == values[k - 1]):
            continue
        t, value = _bottom(near, (times[left], times[right]), times[k], values[k], largest)
        if value < LOST * largest and not any(abs(t - other) < SAME * abs(passage.h) for other in found):
            found.append(float(t))
    return found


def _bottom(near: Near, ends: tuple[float, float], t: float, value: float, largest: float) -> tuple[float, float]:
    """The bottom of a V between two times, and the pivot there, from a time near it.

    The bottom is value / slope away; on which side, the pivots at both places tell: there it is near zero, on the
    other side twice as large. So large a difference is needed, because the last pivot jumps by a factor where rows of
    equal size change places.
    """
    low, high = min(ends), max(ends)
    steepest = ROUND * largest / (high - low)
    slope = steepest / ROUND
    for _ in range(ITERATIONS):
        away = value / slope
        if value <= BOTTOM * largest or slope > steepest or t in (t - away, t + away):
            break
        there, behind = min(t + away, high), max(t - away, low)
        at_there, at_behind = near(there), near(behind)
        if at_behind < at_there:
            there, behind, at_there, at_behind = behind, there, at_behind, at_there
        if at_there >= value:
            slope *= 2
            continue
        if at_behind > value and behind != t:
            slope = (at_behind - value) / abs(behind - t)
        t, value = there, at_there
    return t, value

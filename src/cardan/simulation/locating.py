"""Where on a passage the constraints lose rank: the last pivot falls to zero there and rises again, like |t - t*|."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cardan.simulation.passage import Passage

Vector = NDArray[np.float64]
Near = Callable[[float], float]

SAMPLES = 12
ITERATIONS = 30
SLOPE = 1e-9  # of an interval: the distance over which a slope is measured
LOST = 1e-6  # of the largest pivot on the passage: a smallest pivot below it is a loss of rank, above it a near miss


def singular_times(passage: Passage, nearness: Callable[[float, Vector], float]) -> list[float]:
    """Times on a passage at which rank is lost, to round-off."""

    def near(t: float) -> float:
        return nearness(t, passage.at(np.array([t]))[0])

    times = np.linspace(passage.t, passage.end, SAMPLES + 1)
    values = np.array([near(t) for t in times])
    found: list[float] = []
    for k in range(len(times)):
        left, right = max(k - 1, 0), min(k + 1, SAMPLES)
        if values[k] > values[left] or values[k] > values[right] or (k and values[k] == values[k - 1]):
            continue
        t = _bottom(near, times[left], times[k], times[right])
        if near(t) < LOST * np.max(values) and not any(abs(t - other) < 1e-9 * abs(passage.h) for other in found):
            found.append(float(t))
    return found


def _bottom(near: Near, left: float, middle: float, right: float) -> float:
    """The bottom of a V between left and right.

    Taken negative before the bottom and positive behind it, the pivot is a smooth function with a zero there; on which
    side a point lies is told by the slope. The zero is bracketed and found by the Illinois method
    [Dowell & Jarratt 1971].
    """

    def signed(t: float) -> float:
        value, beside = near(t), t + SLOPE * (right - left)
        return -value if near(beside) < value else value

    a, b = left, right
    fa, fb = -near(left), near(right)
    if middle in (left, right):  # the V may have its bottom at an end of the passage
        at_end = min((left, right), key=near)
        if abs(signed(at_end)) <= LOST * max(abs(fa), fb):
            return at_end
    side, c = 0, middle
    enough = 2 * SLOPE * max(-fa, fb)  # nearer than this the slope no longer tells the side
    for _ in range(ITERATIONS):
        if fa == fb:
            break
        c = (a * fb - b * fa) / (fb - fa)
        fc = signed(c)
        if abs(fc) < enough or abs(b - a) < 1e-15 * max(abs(a), abs(b)):
            break
        if fc > 0:
            b, fb = c, fc
            fa = fa / 2 if side == 1 else fa
            side = 1
        else:
            a, fa = c, fc
            fb = fb / 2 if side == -1 else fb
            side = -1
    return float(c)

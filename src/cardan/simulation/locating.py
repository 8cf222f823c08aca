"""Where on a passage the constraints lose rank: the zero of a signed measure of the rows that are lost."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from cardan.simulation.passage import Passage
from cardan.singular.closure import LocalRank
from cardan.singular.unfolding import LocalAt

Vector = NDArray[np.float64]

SAMPLES = 24
GAP = 30.0  # singular values that fall by such a factor part the rows that are lost from those that stay


def singular_times(
    passage: Passage, ratio: Callable[[float, Vector], float], local: Callable[[float, Vector], LocalRank]
) -> list[float]:
    """Times on a passage at which rank is lost, to round-off."""
    times = np.linspace(passage.t, passage.end, SAMPLES + 1)
    values = np.array([ratio(t, y) for t, y in zip(times, passage.at(times), strict=True)])
    found: list[float] = []
    for k in range(len(times)):
        left, right = max(k - 1, 0), min(k + 1, SAMPLES)
        if values[k] > values[left] or values[k] > values[right] or (k and values[k] == values[k - 1]):
            continue
        if values[k] > 0.25 * np.max(values):
            continue
        t = _located(passage, times[left], times[k], times[right], local)
        if t is not None:
            found.append(t)
    return found


def _located(
    passage: Passage, left: float, middle: float, right: float, local: Callable[[float, Vector], LocalRank]
) -> float | None:
    """The zero between left and right; None where the rows come near to losing rank and turn back."""
    t = middle
    for _ in range(3):
        here = local(t, passage.at(np.array([t]))[0])
        signed = _signed(passage, here, local, right if abs(right - t) > abs(t - left) else left)
        if signed is None:
            return None
        a, b, fa, fb = left, right, signed(left), signed(right)
        if fa * fb > 0:
            return float(t) if here.kappa < 1e-8 else None
        new = _root(signed, a, fa, b, fb)
        if abs(new - t) < 1e-14 * abs(right - left):
            break
        t = new
    return float(t)


def _signed(
    passage: Passage, here: LocalRank, local: Callable[[float, Vector], LocalRank], away: float
) -> Callable[[float], float] | None:
    """Inner product of the lost rows, as functions of time, with what they are at another time."""
    S, r = here.singular_values, here.reference.rank
    steps = S[: r - 1] / np.maximum(S[1:r], 1e-300) if r > 1 else np.array([])
    k = int(np.argmax(steps)) + 1 if len(steps) and np.max(steps) > GAP else (0 if r == 1 else r - 1)
    at = LocalAt(here, k)
    V = at.local.svd[2][:k]

    def rows(t: float) -> Vector:
        there = local(t, passage.at(np.array([t]))[0])
        own = at.lost.T @ there.reference.scaled(there.terms.A @ there.terms.half)
        return np.asarray(own - own @ V.T @ V)

    reference = rows(away)
    return lambda t: float(np.sum(reference * rows(t)))


def _root(f: Callable[[float], float], a: float, fa: float, b: float, fb: float) -> float:
    """Zero between a and b by the Illinois method [Dowell & Jarratt 1971]."""
    side = 0
    for _ in range(40):
        c = (a * fb - b * fa) / (fb - fa)
        fc = f(c)
        if fc == 0.0 or abs(b - a) < 1e-15 * max(abs(a), abs(b)):
            return c
        if fc * fb > 0:
            b, fb = c, fc
            fa = fa / 2 if side == 1 else fa
            side = 1
        else:
            a, fa = c, fc
            fb = fb / 2 if side == -1 else fb
            side = -1
    return c

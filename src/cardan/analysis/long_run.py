"""A periodic motion checked by a long run: it stays with itself, and a neighbour does what the multipliers say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardan.analysis.closing import between, carried
from cardan.analysis.varied import varied
from cardan.native.showing import Shown

if TYPE_CHECKING:
    from cardan.analysis.periodic import PeriodicMotion

Vector = NDArray[np.float64]

OFFSET = 1e-6  # of typical sizes and rates: how far a neighbour starts
FAR = 1e-3  # the same: a neighbour that has come so far is one no more
PLACE = 3  # corrections of the time at which a neighbour meets the place of a jump


@dataclass(frozen=True)
class LongRun(Shown):
    """What became of a periodic motion and of a neighbour, distances in units of typical sizes and rates.

    ``drift`` is how far the motion was from itself, period by period. A neighbour that started along the largest
    multiplier was followed for ``followed`` periods; its distance grew to ``growth`` times what it was, where
    multipliers expect ``expected``, and the two displacements differ by ``mismatch`` of their size.
    """

    _showing: ClassVar[tuple[str, ...]] = ("drift", "followed", "growth", "expected", "mismatch")

    drift: Vector
    followed: int
    growth: float
    expected: float
    mismatch: float

    def __repr__(self) -> str:
        return (
            f"LongRun({len(self.drift)} periods: drift {self.drift.max():.1e}; neighbour after {self.followed}: "
            f"{self.growth:.6g} times as far, expected {self.expected:.6g})"
        )


def long_run(motion: PeriodicMotion, periods: int) -> LongRun:
    """The motion and a neighbour, followed period by period."""
    joined, P = motion.joined, _slope(motion)
    _, T = joined.bases[0]
    values, vectors = np.linalg.eig(P)
    first = np.real(vectors[:, int(np.argmax(np.abs(values)))])
    first = first * OFFSET / max(float(np.max(np.abs((T @ first) / joined.scale))), 1e-300)
    step = np.zeros(len(joined.columns))
    step[: len(first)] = first
    alone, beside, x = motion.y, joined.moved(step).nodes[0], first
    drift, followed = list[float](), 0
    growth, expected, mismatch = 1.0, 1.0, 0.0
    for _ in range(periods):
        alone = _after(motion, alone)
        drift.append(_measure(motion, _between(motion, motion.y, alone)))
        ahead = P @ x
        if followed == len(drift) - 1 and 1e-10 < _measure(motion, T @ ahead) < FAR:
            beside, x, followed = _after(motion, beside), ahead, followed + 1
            apart, wanted = _between(motion, alone, beside), T @ x
            growth, expected = (_measure(motion, one) / OFFSET for one in (apart, wanted))
            mismatch = _measure(motion, apart - wanted) / _measure(motion, wanted)
    return LongRun(np.array(drift), followed, growth, expected, mismatch)


def _after(motion: PeriodicMotion, y: Vector) -> Vector:
    """The state after a period, brought back along the symmetries; a jump is waited for."""
    shots, period = motion.joined.shots, motion.period
    one = shots.arc(y, shots.t0, period)
    jump = shots.jump
    end = one.end
    if jump is not None:
        for _ in range(PLACE if jump.has_place else 0):
            landing = jump(one.t[1], one.end, one.p)
            period -= landing.surface / float(landing.normal @ one.rates(-1))
            one = shots.arc(y, shots.t0, period)
        end = jump(one.t[1], one.end, one.p).y
    return carried(shots.fields, -motion.shifts, end)[0] if shots.fields else end


def _slope(motion: PeriodicMotion) -> Vector:
    """The derivative of the state after a period, at the place of the jump where there is one."""
    joined, jump = motion.joined, motion.joined.shots.jump
    if jump is None or not jump.has_place:
        return motion.monodromy
    rows, found = joined.bases[0]
    for one in joined.arcs:
        found = one.derivative @ found
    last = joined.arcs[-1]
    landing, f = jump(last.t[1], last.end, last.p), last.rates(-1)
    found = found - np.outer(f, landing.normal @ found) / float(landing.normal @ f)
    return np.asarray((landing.slope @ found)[rows])


def _between(motion: PeriodicMotion, a: Vector, b: Vector) -> Vector:
    kernel = motion.kernel
    N = varied(kernel, motion.joined.shots.t0, a, motion.joined.arcs[0].p).N if kernel.nq != kernel.nv else np.eye(1)
    return between(kernel, N, a, b)


def _measure(motion: PeriodicMotion, change: Vector) -> float:
    return float(np.max(np.abs(change / motion.joined.scale)))

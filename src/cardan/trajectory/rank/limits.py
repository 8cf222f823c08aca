"""Accelerations and multipliers at and near a loss of rank: their limits along the motion.

At such a time the equations leave multipliers open, and close to it they multiply every error of the state. Along the
motion they are smooth, or have a simple pole at the crossing time t*: so lam (t - t*) is interpolated from times of the
passage at which rank is full.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from cardan.singular.records import EventRecord
from cardan.trajectory.rank.thresholds import AT_POLE, POLE

Vector = NDArray[np.float64]
Forces = Callable[[float], tuple[Vector, Vector]]

COUNTS = (9, 10)  # points of interpolation: those that keep away from the crossings


class Limits:
    """Interpolated (vd, lam) in the windows of the crossings of a run; ``forces`` gives them at regular times."""

    def __init__(self, records: Sequence[EventRecord], forces: Forces) -> None:
        self.forces = forces
        crossings = [one for one in records if one.kind == "rank-change" and one.name == "crossing"]
        self.windows = {window: [one.t for one in crossings if one.window == window]
                        for window in dict.fromkeys(one.window for one in crossings)}  # fmt: skip
        self._tables: dict[tuple[float, float], tuple[Vector, Vector]] = {}

    def at(self, t: float) -> tuple[Vector, Vector] | None:
        """(vd, lam) at a time inside a window; None elsewhere. A multiplier at its pole is nan."""
        for (first, last), zeros in self.windows.items():
            if min(first, last) <= t <= max(first, last):
                return self._inside(t, first, last, zeros)
        return None

    def _inside(self, t: float, first: float, last: float, zeros: list[float]) -> tuple[Vector, Vector]:
        vd, moment = self._table(first, last, zeros)
        x = 2 * (t - first) / (last - first) - 1
        at_zeros = [2 * (zero - first) / (last - first) - 1 for zero in zeros]
        values = _value(x, moment)
        largest = float(np.max(np.abs(moment), initial=0.0))
        for zero in at_zeros:
            here = _value(zero, moment)
            has_pole = np.abs(here) > POLE * largest
            values = np.where(has_pole, values, values - here)
        gap = float(np.prod([x - zero for zero in at_zeros]))
        if abs(gap) > AT_POLE:
            return _value(x, vd), values / gap
        nearest = min(at_zeros, key=lambda zero: abs(x - zero))
        others = float(np.prod([nearest - zero for zero in at_zeros if zero != nearest]))
        slope = _value(nearest, chebyshev.chebder(moment)) / others
        poles = np.abs(_value(nearest, moment)) > POLE * largest
        return _value(x, vd), np.where(poles, np.nan, slope)

    def _table(self, first: float, last: float, zeros: list[float]) -> tuple[Vector, Vector]:
        """Chebyshev coefficients of vd and of lam (x - x*) over the window, from times away from the crossings."""
        if (first, last) not in self._tables:
            at_zeros = [2 * (zero - first) / (last - first) - 1 for zero in zeros]
            points = max(
                (_points(count) for count in COUNTS), key=lambda x: np.min(np.abs(np.subtract.outer(x, at_zeros)))
            )
            times = first + (points + 1) / 2 * (last - first)
            pairs = [self.forces(float(t)) for t in times]
            gaps = np.prod([points - zero for zero in at_zeros], axis=0)
            vd = chebyshev.chebfit(points, np.array([one[0] for one in pairs]), len(points) - 1)
            lam = chebyshev.chebfit(points, np.array([one[1] for one in pairs]) * gaps[:, None], len(points) - 1)
            self._tables[first, last] = (vd, lam)
        return self._tables[first, last]


def _points(count: int) -> Vector:
    """Chebyshev points in (-1, 1)."""
    return np.cos(np.pi * (np.arange(count) + 0.5) / count)


def _value(x: float, coefficients: NDArray[np.floating]) -> Vector:
    """The Chebyshev sum at x, one number per column."""
    return np.asarray(chebyshev.chebval(x, coefficients), dtype=float)

"""The user's coordinates along a motion, continuous: which sheet a motion is on, and how many turns it has made.

A reading stays on its sheet (see readings.py) until the motion passes through a singular place; there it goes over to
the sheet on which nothing jumps. A pass that misses the singular place by a little turns two angles by half a turn
in a short time: the motion is looked at again in between until every change is small, so that turns are counted right.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from cardan.trajectory.charts.readings import TURN, Reading, near

Vector = NDArray[np.float64]
Path = Callable[[Vector], tuple[Vector, Vector]]  # times -> (positions, velocities), rows

UNDEFINED = 1e-8  # as near to a singular place as this, in units of the reading's size, angles have no meaning
LARGE = 1.0  # radians that an angle may change between looks, or would at its rate here
HALVINGS = 60
FAR = 0.1  # farther than this from singular places nothing turns fast


@dataclass(frozen=True)
class Chart:
    """A reading, the size by which its distance from singular places is measured, and what its user's ranges allow."""

    reading: Reading
    size: float
    allows: Callable[[Vector], bool]

    def read(self, x: Vector) -> tuple[Vector, NDArray[np.bool_]]:
        """(principal coordinates, whether they have a meaning)."""
        q, distance = self.reading.principal(x)
        return q, distance > UNDEFINED * self.size

    def settled(self, x: Vector, before: Vector, sheet: int) -> Vector:
        """A reading of a singular place."""
        return self.reading.settled(x, before, sheet, UNDEFINED * self.size)

    def nearest(self, principal: Vector, before: Vector) -> int:
        """The sheet on which a place lies closest to ``before``."""
        readings = [near(sheet(principal), before, self.reading.angles) for sheet in self.reading.sheets]
        allowed = [k for k, q in enumerate(readings) if self.allows(q)] or list(range(len(readings)))
        return min(allowed, key=lambda k: self.reading.jump(readings[k] - before))


class Lift:
    """Continuous coordinates along a path, from ``start`` on; ``at`` gives them at any time of it."""

    def __init__(self, chart: Chart, times: Vector, path: Path, start: Vector) -> None:
        self.chart = chart
        self.sign = -1.0 if len(times) and times[-1] < times[0] else 1.0
        self.t, x, _ = _looked_at(chart, times, path)
        self.principal, self.sound = chart.read(x)
        self.q, self.sheets = self._followed(x, start)

    def _followed(self, x: Vector, start: Vector) -> tuple[Vector, NDArray[np.intp]]:
        q, sheets = np.zeros_like(self.principal), np.zeros(len(x), dtype=np.intp)
        before, sheet, k = start, -1, 0
        while k < len(x):
            if not self.sound[k]:
                sheet = max(sheet, 0)
                q[k], sheets[k] = self.chart.settled(x[k], before, sheet), sheet
                before, k = q[k], k + 1
                continue
            end = k + int(np.argmin(self.sound[k:])) if not self.sound[k:].all() else len(x)
            sheet = self.chart.nearest(self.principal[k], before)
            q[k:end] = self._unwound(self.chart.reading.sheets[sheet](self.principal[k:end]), before)
            sheets[k:end] = sheet
            before, k = q[end - 1], end
        return q, sheets

    def _unwound(self, q: Vector, before: Vector) -> Vector:
        found = q.copy()
        for k in self.chart.reading.angles:
            steps = np.diff(q[:, k], prepend=before[k])
            found[:, k] = before[k] + np.cumsum(steps - TURN * np.round(steps / TURN))
        return found

    def at(self, times: Vector, x: Vector) -> tuple[Vector, NDArray[np.bool_]]:
        """(coordinates, whether they have a meaning) of positions x at times of the path."""
        principal, sound = self.chart.read(x)
        k = np.clip(np.searchsorted(self.sign * self.t, self.sign * times, "right") - 1, 0, len(self.t) - 1)
        after = np.minimum(k + 1, len(self.t) - 1)
        k = np.where(~self.sound[k] & self.sound[after], after, k)
        q = np.zeros_like(principal)
        for number, sheet in enumerate(self.chart.reading.sheets):
            here = self.sheets[k] == number
            q[here] = near(sheet(principal[here]), self.q[k[here]], self.chart.reading.angles)
        for row in np.flatnonzero(~sound):
            q[row] = self.chart.settled(x[row], self.q[k[row]], int(self.sheets[k[row]]))
        return q, sound


def _looked_at(chart: Chart, times: Vector, path: Path) -> tuple[Vector, Vector, Vector]:
    """(times, positions, velocities) with further looks where an angle changes much in between."""
    t = np.asarray(times, dtype=float)
    x, v = path(t)
    span = float(abs(t[-1] - t[0])) if len(t) else 0.0
    for _ in range(HALVINGS):
        hard = np.flatnonzero(_is_hard(chart, t, x, v) & (np.abs(np.diff(t)) > 1e-14 * span))
        if not len(hard):
            break
        middle = (t[hard] + t[hard + 1]) / 2
        more_x, more_v = path(middle)
        t, x, v = (np.insert(a, hard + 1, b, axis=0) for a, b in ((t, middle), (x, more_x), (v, more_v)))
    return t, x, v


def _is_hard(chart: Chart, t: Vector, x: Vector, v: Vector) -> NDArray[np.bool_]:
    """Intervals over which an angle changes by much, or would at its rate at either end."""
    q, sound = chart.read(x)
    angles = list(chart.reading.angles)
    change = np.diff(q[:, angles], axis=0)
    change = np.abs(change - TURN * np.round(change / TURN))
    both = sound[:-1] & sound[1:]
    rates = np.abs(chart.reading.rates(q, x, v)[:, angles])
    rates[~sound] = 0.0
    fast = np.abs(np.diff(t))[:, None] * np.maximum(rates[:-1], rates[1:])
    return np.asarray((both & np.any(change > LARGE, axis=1)) | np.any(fast > LARGE, axis=1))


class Tracker:
    """Continuous coordinates while a motion is being made: each look continues from the last one before it.

    Looks may go back, when a step is repeated; what the abandoned step saw is forgotten.
    """

    RECENT = 32  # looks that one step may take

    def __init__(self, chart: Chart, start: Vector, forward: bool) -> None:
        self.chart, self.start, self.sign = chart, start, 1.0 if forward else -1.0
        self.times: list[float] = []
        self.looks: list[tuple[Vector, Vector, Vector, int]] = []
        self.recent: list[float] = []

    def __call__(self, t: float, x: Vector, v: Vector) -> Vector:
        """The coordinates at a state."""
        at = self.sign * t
        self._forget(at)
        found, distances = self.chart.reading.principal(x[None])
        principal, distance = found[0], float(distances[0])
        if distance > self.chart.size:
            self.chart = replace(self.chart, size=distance)
        k = bisect_right(self.times, at) - 1
        carried = self._followed(k, principal) if distance > FAR * self.chart.size else None
        q, sheet = carried or self._carried(k, at, x, v)
        if k < 0 or self.times[k] < at:
            self.times.insert(k + 1, at)
            self.looks.insert(k + 1, (x.copy(), v.copy(), q, sheet))
            self.recent = [*self.recent[1 - self.RECENT :], at]
        return q

    def _followed(self, k: int, principal: Vector) -> tuple[Vector, int] | None:
        """The reading on the sheet of the last look, where it is obviously the continuation."""
        if k < 0:
            return None
        _, _, before, sheet = self.looks[k]
        q = near(self.chart.reading.sheets[sheet](principal), before, self.chart.reading.angles)
        return (q, sheet) if np.max(np.abs(q - before)[list(self.chart.reading.angles)]) < LARGE else None

    def _forget(self, at: float) -> None:
        for later in [one for one in self.recent if one > at]:
            k = bisect_left(self.times, later)
            del self.times[k], self.looks[k]
        self.recent = [one for one in self.recent if one <= at]

    def _carried(self, k: int, at: float, x: Vector, v: Vector) -> tuple[Vector, int]:
        if k < 0:
            return self._continued(np.array([at]), lambda times: (x[None], v[None]), self.start)
        x0, v0, before, _ = self.looks[k]
        first = self.times[k]
        if at == first:
            return self._continued(np.array([at]), lambda times: (x[None], v[None]), before)
        path = _between(self.chart.reading, (first, x0, v0), (at, x, v))
        return self._continued(np.array([first, at]), path, before)

    def _continued(self, times: Vector, path: Path, before: Vector) -> tuple[Vector, int]:
        lift = Lift(self.chart, times, path, before)
        return lift.q[-1], int(lift.sheets[-1])


def _between(reading: Reading, first: tuple[float, Vector, Vector], last: tuple[float, Vector, Vector]) -> Path:
    """The cubic through two states."""
    (a, x0, v0), (b, x1, v1) = first, last
    h = b - a
    d0, d1 = h * reading.change(x0[None], v0[None])[0], h * reading.change(x1[None], v1[None])[0]

    def path(times: Vector) -> tuple[Vector, Vector]:
        s = ((times - a) / h)[:, None]
        x = (1 + 2 * s) * (1 - s) ** 2 * x0 + s * (1 - s) ** 2 * d0 + s**2 * (3 - 2 * s) * x1 - s**2 * (1 - s) * d1
        return np.where(s == 1, x1, x), (1 - s) * v0 + s * v1

    return path

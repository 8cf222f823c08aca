"""The product of a simulation: accepted states, events, statistics, and states at any time in between."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardan.errors import SimulationError
from cardan.simulation import layout
from cardan.simulation.methods.method import Method
from cardan.simulation.methods.table import method_named
from cardan.simulation.protocol import CompiledModel

Vector = NDArray[np.float64]
Interpolator: TypeAlias = Callable[[Vector, Vector], Vector]
"""(rows, times) -> states; the times lie between the first and the last row."""

FAILURES = {
    layout.UNDERFLOW: "step-underflow",
    layout.NON_FINITE: "non-finite",
    layout.PIVOT_FAILED: "pivot-failed",
    layout.TOO_MANY_STEPS: "too-many-steps",
    layout.CALLBACK_FAILED: "callback-failed",
    layout.NO_CONVERGENCE: "no-convergence",
    layout.INTERRUPTED: "interrupted",
}
STATUS = {layout.FINISHED: "finished", layout.TERMINAL: "event", **FAILURES}


@dataclass(frozen=True, slots=True)
class Statistics:
    """What the integration cost; times in seconds of the model."""

    method: str
    accepted: int
    rejected: int
    evaluations: int
    jacobians: int
    factorisations: int
    smallest_step: float
    largest_step: float


@dataclass(frozen=True, slots=True)
class Crossing:
    """An event that happened: which one (its index and name), when, and the state there."""

    index: int
    name: str
    t: float
    y: Vector


@dataclass(frozen=True, slots=True)
class Segment:
    """Accepted states of one method (rows: t, y, and what its interpolant needs) and how to interpolate them."""

    rows: Vector
    at: Interpolator
    model: CompiledModel | None = None
    """What moved here, where that is known: the model, or a mode of it."""
    method: str = ""
    """The method whose native loop made it; empty where it was made otherwise."""


@dataclass(frozen=True, slots=True)
class Solution:
    """A motion: times, states as rows [q, v], how it ended, events, statistics.

    ``t`` and ``y`` are the requested times, or the accepted steps where none were requested. A motion that could not
    be continued ends early, with its reason in ``status`` and ``message``, and the exception of a Python function that
    raised in ``error``.
    """

    t: Vector
    y: Vector
    status: str
    message: str
    statistics: Statistics
    events: tuple[Crossing, ...]
    t_final: float
    y_final: Vector
    segments: tuple[Segment, ...] = field(repr=False)
    angles: tuple[int, ...] = field(default=(), repr=False)
    error: BaseException | None = None

    @property
    def method(self) -> Method:
        """The method that made it, and with it what is to be expected of it."""
        return method_named(self.statistics.method)

    @property
    def is_complete(self) -> bool:
        """Whether the motion reached its end or a terminal event."""
        return self.status in ("finished", "event")

    @property
    def ahead(self) -> float:
        """1 for a motion forward in time, -1 backward."""
        return 1.0 if self.t_final >= self.segments[0].rows[0, 0] else -1.0

    @property
    def steps(self) -> Vector:
        """Times of the accepted steps, the start included."""
        parts = [s.rows[:, 0] for s in self.segments]
        return np.concatenate([parts[0], *(p[1:] for p in parts[1:])])

    def at(self, times: ArrayLike) -> Vector:
        """States at the given times, shape (..., nq + nv), by the interpolant of the method; never extrapolated."""
        wanted = np.asarray(times, dtype=float)
        flat = np.atleast_1d(wanted).ravel()
        first, last = self.segments[0].rows[0, 0], self.t_final
        low, high = min(first, last), max(first, last)
        if flat.size and not (low <= flat.min() and flat.max() <= high):
            outside = flat[(flat < low) | (flat > high) | np.isnan(flat)][0]
            raise SimulationError(
                f"The motion covers {low:g} <= t <= {high:g}, but t = {outside:g} was asked for. "
                "Simulate longer, or ask inside.",
                t=outside,
            )
        if len(self.segments) == 1:
            rows = self.segments[0].rows
            alone = self.segments[0].at(rows, np.clip(flat, *sorted((rows[0, 0], rows[-1, 0]))))
            return alone.reshape(*wanted.shape, alone.shape[1])
        states = np.empty((flat.size, len(self.y_final)))
        owner = self.owner(flat)
        order = np.argsort(owner, kind="stable")
        for here in np.split(order, np.flatnonzero(np.diff(owner[order])) + 1):
            if len(here):
                segment = self.segments[owner[here[0]]]
                a, b = segment.rows[0, 0], segment.rows[-1, 0]
                inside = np.clip(flat[here], min(a, b), max(a, b))  # a moment that was jumped over: the state after it
                states[here] = segment.at(segment.rows, inside)
        return states.reshape(*wanted.shape, states.shape[1])

    def owner(self, times: Vector) -> NDArray[np.intp]:
        """Index of the first segment that reaches each time."""
        ends = np.array([segment.rows[-1, 0] for segment in self.segments])
        found = np.searchsorted(self.ahead * ends, self.ahead * times)
        return np.minimum(found, len(ends) - 1)

    def models(self) -> list[CompiledModel | None]:
        """What moved at each time of ``t``; of two equal times in a row the second is after the interruption there."""
        starts = np.array([segment.rows[0, 0] for segment in self.segments])
        found = self.owner(self.t)
        again = np.flatnonzero(np.diff(self.t) == 0) + 1
        last = np.searchsorted(self.ahead * starts, self.ahead * self.t[again], "right")
        found[again] = np.maximum(last - 1, 0)
        return [self.segments[k].model for k in found]

    def require(self) -> Solution:
        """This motion if it is complete; otherwise SimulationError, from the Python exception where one was raised."""
        if not self.is_complete:
            raise SimulationError(
                self.message, t=self.t_final, state=self.y_final, trajectory=self, status=self.status
            ) from self.error
        return self

    def wrapped(self) -> Vector:
        """``y`` with every angle brought to the interval from -pi to pi; inside they are continuous."""
        y = self.y.copy()
        for j in self.angles:
            y[:, j] = np.remainder(y[:, j] + np.pi, 2 * np.pi) - np.pi
        return y

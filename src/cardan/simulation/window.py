"""The motion inside the window around a loss of rank, as one or more passages.

The window is where the least pivot of the constraints is below a level. A passage is made long enough to leave it,
where accuracy allows; a motion that lingers inside is carried by several.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from cardan.simulation.common import observe
from cardan.simulation.foreign import CALLBACK, KERNEL
from cardan.simulation.layout import COUNTS
from cardan.simulation.passage import Passage, pass_through, rule
from cardan.simulation.protocol import CompiledModel, optional
from cardan.simulation.solution import Segment

Vector = NDArray[np.float64]

MARGIN = 1.15  # a passage aims this far beyond the level, so that it ends outside
LONGEST = 0.15  # of the time in which some coordinate changes by its typical size
ATTEMPTS = 7
SMALLEST = 1e-2  # of the typical sizes: displacements are not measured by less
FINEST = 1e-12  # relative accuracy beyond which rounding, divided by the distance to the singular point, shows
MOST_PASSAGES = 100_000
TOO_NEAR = 1e-7  # a node as near as this to the singular configuration, relative to the others, is moved


@dataclass(frozen=True)
class Window:
    """Where passages replace ordinary steps; the model evaluates everywhere, whatever its pivots."""

    model: CompiledModel
    level: float
    sizes: Vector  # a typical size for each velocity's coordinate
    rtol: float
    atol: float
    measured: CompiledModel | None = None  # whose rank says how near it is, where it is not the model's own

    def weight(self, y: Vector, rates: Vector) -> Vector:
        """Errors allowed in each number: relative to how far, and how fast, the whole system is moved."""
        nq, rtol = self.model.nq, max(self.rtol, FINEST)
        sizes = self.sizes if nq == self.model.nv else np.full(nq, float(np.max(self.sizes)))
        place = max(float(np.max(np.abs(y[:nq]) / sizes)), SMALLEST)
        speed = float(np.max(np.abs(y[nq:]) / self.sizes))
        pull = float(np.sqrt(np.max(np.abs(rates[nq:]) / self.sizes)))
        return np.concatenate(
            [self.atol + rtol * place * sizes, self.atol + rtol * max(speed, SMALLEST * pull) * self.sizes]
        )

    def is_departing(self, t: float, y: Vector, rates: Vector) -> bool:
        """Whether the motion begins from rest, where rank is lost."""
        nq = self.model.nq
        speed = float(np.max(np.abs(y[nq:]) / self.sizes))
        pull = float(np.sqrt(np.max(np.abs(rates[nq:]) / self.sizes)))
        return speed < 1e-6 * pull and self.nearness(t, y) < 1e-6 * self.level

    def nearness(self, t: float, y: Vector) -> float:
        """Last pivot of the constraints at a state; nan where it cannot be evaluated."""
        return self._measure(t, np.ascontiguousarray(y, dtype=float))

    @cached_property
    def _measure(self) -> Callable[[float, Vector], float]:
        """The kernel of nearness, called by its address: a passage asks it hundreds of times."""
        model = self.model if self.measured is None else self.measured
        kernel, callback = KERNEL(optional(model, "nearness")), optional(model, "callback")
        before = CALLBACK(callback) if callback else None
        out, p = np.zeros(1), np.array(model.parameters)
        pointer = ctypes.POINTER(ctypes.c_double)
        out_p, p_p = out.ctypes.data_as(pointer), p.ctypes.data_as(pointer)

        def measure(t: float, y: Vector) -> float:
            y_p = y.ctypes.data_as(pointer)
            failed = (before is not None and before(t, y_p, p_p) != 0) or kernel(t, y_p, p_p, out_p) != 0
            return float("nan") if failed else float(out[0])

        return measure

    def rates(self, t: float, y: Vector) -> Vector | None:
        """ydot at a state; None where it cannot be evaluated."""
        out, count = np.zeros(len(y)), np.zeros(COUNTS, dtype=np.int64)
        p = np.array(self.model.parameters)
        status = observe(self.model.rhs, optional(self.model, "callback"), t, np.array(y), p, out, count)
        return out if status == 0 and np.isfinite(out).all() else None

    def projected(self, t: float, y: Vector) -> Vector:
        """The state brought back to the constraints, where that can be done."""
        out, count = np.zeros(len(y)), np.zeros(COUNTS, dtype=np.int64)
        project, callback = optional(self.model, "project_state"), optional(self.model, "callback")
        status = observe(project, callback, t, np.array(y), np.array(self.model.parameters), out, count)
        return out if status == 0 and np.isfinite(out).all() else y


@dataclass(frozen=True)
class Travel:
    """What was travelled: passages one after another, and where they ended; not ``complete`` where one failed."""

    passages: tuple[Passage, ...]
    t: float
    y: Vector
    complete: bool

    @property
    def evaluations(self) -> int:
        """Evaluations of the right-hand side in the passages made; attempts that failed before are not counted."""
        return sum(one.evaluations for one in self.passages)


def travel(window: Window, t: float, end: float, y: Vector, rates: Vector) -> Travel:
    """The motion from (t, y), with the rates there, until it leaves the window or time ends."""
    passages: list[Passage] = []
    longest, forward = np.inf, 1.0 if end >= t else -1.0
    for _ in range(MOST_PASSAGES):
        planned = min(_planned(window, t, y, rates, forward), 2.0 * longest, abs(end - t))
        made = _made(window, t, forward * planned, y, rates)
        if made is None:
            return Travel(tuple(passages), t, y, False)
        passages.append(made)
        longest = abs(made.h)
        t = end if (made.end - end) * forward >= 0 else made.end
        y = made.at(np.array([made.end]))[0]
        near = window.nearness(t, y)
        if near > 0.05 * window.level:
            y = window.projected(t, y)
        if t == end or near > window.level:
            return Travel(tuple(passages), t, y, True)
        rates = made.rates(np.array([made.end]))[0]
    return Travel(tuple(passages), t, y, False)


def nearest_ahead(window: Window, t: float, end: float, y: Vector, rates: Vector) -> tuple[float, Vector]:
    """The time and state ahead, on the parabola that the state and its rates give, where rank is nearest to be lost."""
    forward = 1.0 if end >= t else -1.0
    low, high = 0.0, forward * _planned(window, t, y, rates, forward)
    for _ in range(3):
        steps = np.linspace(low, high, 9)
        nears = [window.nearness(t + x, _on_parabola(window, float(x), y, rates)) for x in steps]
        at = int(np.argmin(nears))
        low, high = steps[max(at - 1, 0)], steps[min(at + 1, 8)]
    return t + float(steps[at]), _on_parabola(window, float(steps[at]), y, rates)


def _on_parabola(window: Window, h: float, y: Vector, rates: Vector) -> Vector:
    nq, n = window.model.nq, window.model.nv
    q = y[:nq] + h * rates[:nq]
    if nq == n:
        q = q + 0.5 * h * h * rates[nq:]
    return np.concatenate([q, y[nq:] + h * rates[nq:]])


def _planned(window: Window, t: float, y: Vector, rates: Vector, forward: float) -> float:
    """Time until the window is left, by the parabola that the state and its rates give; at most the longest allowed."""
    nq = window.model.nq
    v, a = y[nq:], rates[nq:]
    speed = float(np.max(np.abs(v) / window.sizes, initial=0.0))
    pull = float(np.max(np.sqrt(np.abs(a) / window.sizes), initial=0.0))
    longest = LONGEST / max(speed, pull, 1e-300)
    inside = False
    for h in forward * longest * 1.3 ** np.arange(-24.0, 1.0):
        near = window.nearness(t + h, _on_parabola(window, float(h), y, rates))
        inside = inside or near < window.level
        if inside and near > MARGIN * window.level:
            return float(abs(h))
    return float(longest)


def _made(window: Window, t: float, h: float, y: Vector, rates: Vector) -> Passage | None:
    """A passage that is accurate enough, shortened as long as it is not."""
    weight = window.weight(y, rates)
    nodes = rule(departing=window.is_departing(t, y, rates))
    for _ in range(ATTEMPTS):
        made = pass_through(window.model, t, h, y, rates, weight, nodes)
        if made is not None and made.error <= 1.0:
            places = list(zip(made.node_times, made.nodes, strict=True))[nodes.known :]
            nears = [window.nearness(time, state) for time, state in places]
            if min(nears) > TOO_NEAR * max(nears):
                return made
            h *= 0.93
        else:
            h *= 0.6
    return None


def as_segment(passage: Passage, model: CompiledModel) -> Segment:
    """A passage of a model as a piece of a solution: rows at its ends and nodes, interpolated by its polynomial."""
    times = np.concatenate([[passage.t], passage.node_times, [passage.end]])
    ends = passage.at(times[[0, -1]])
    rows = np.column_stack([times, np.vstack([ends[:1], passage.nodes, ends[1:]])])
    return Segment(rows, lambda _, wanted: passage.at(wanted), model)
